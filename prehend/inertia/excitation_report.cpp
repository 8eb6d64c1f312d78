#include <cmath>
#include <limits>

#include <prehend/inertia/excitation.h>
#include <prehend/math/number_text.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>

namespace prehend::inertia {
namespace {

void write_deviation(const PredictedDeviation& std, model::JsonWriter& json) {
  json.object().field("mass_kg", std.mass).field("com_m", std.com).key("inertia_kgm2").array();
  for (const double value : std.inertia) json.value(value);
  json.end().end();
}

void write_use(const LimitUse& use, const char* name, model::JsonWriter& json) {
  json.key(name).object().field("value", use.value).field("limit", use.limit).field("margin", use.margin);
  json.field("t_s", use.t).end();
}

void write_limits(const LimitReport& limits, const std::vector<std::string>& joints,
                  model::JsonWriter& json) {
  json.object().field("hold", limits.hold());
  write_use(limits.tool_speed, "tool_speed_mps", json);
  if (limits.room) write_use(*limits.room, "clearance_m", json);
  json.key("joints").array();
  for (std::size_t i = 0; i < limits.position.size(); ++i) {
    json.object().field("name", joints[i]);
    write_use(limits.position[i], "position", json);
    write_use(limits.speed[i], "speed", json);
    write_use(limits.acceleration[i], "acceleration", json);
    json.end();
  }
  json.end().end();
}

void write_condition(double condition, model::JsonWriter& json) {
  json.field("condition", condition);
  if (!std::isfinite(condition)) json.field("unbounded", true);
}

void add_row(const std::string& name, double planned, double baseline, const char* unit,
             model::TextTable& table) {
  const auto text = [](double value) {
    return std::isfinite(value) ? math::number_text(value, 3) : std::string("undetermined");
  };
  const bool are_finite = std::isfinite(planned) && std::isfinite(baseline);
  table.row({name + " [" + unit + "]", text(planned), text(baseline),
             are_finite ? math::number_text(baseline / planned, 3) + "x" : ""});
}

void add_row(const LimitUse& use, model::TextTable& table) {
  table.row({use.of + " [" + use.unit + "]", math::number_text(use.value, 4),
             std::isfinite(use.limit) ? math::number_text(use.limit, 4) : "none",
             std::isfinite(use.margin) ? math::number_text(use.margin, 3) : "", math::number_text(use.t, 3)});
}

// The joint that comes closest to its limit, relative to it.
const LimitUse& tightest(const std::vector<LimitUse>& uses) {
  const LimitUse* closest = &uses.front();
  const auto share = [](const LimitUse& use) {
    return std::isfinite(use.margin) ? use.margin / std::max(1e-12, std::abs(use.limit))
                                     : std::numeric_limits<double>::infinity();
  };
  for (const LimitUse& use : uses) closest = share(use) < share(*closest) ? &use : closest;
  return *closest;
}

}  // namespace

std::string Excitation::brief_report() const {
  std::string text = "sensor on link '" + link + "'\n";
  if (plan.trajectory.t.size() > 0) {
    text +=
        stills.empty() ? "motion of " : "stop-and-go through " + std::to_string(stills.size()) + " poses, ";
    text += math::number_text(motion.duration, 4) + " s, " + std::to_string(joints.size()) + " joints, " +
            std::to_string(plan.trajectory.t.size()) + " samples\n";
    using model::Align;
    model::TextTable deviations(
        {{"predicted standard deviation", Align::left}, {"planned"}, {"baseline"}, {"gain"}});
    add_row("mass", plan.std.mass, baseline.std.mass, "kg", deviations);
    for (int i = 0; i < 3; ++i)
      add_row(std::string("com ") + "xyz"[i], plan.std.com[i], baseline.std.com[i], "m", deviations);
    const char* const names[] = {"xx", "xy", "xz", "yy", "yz", "zz"};
    for (int i = 0; i < 6 && stills.empty(); ++i)
      add_row(std::string("inertia ") + names[i], plan.std.inertia[i], baseline.std.inertia[i], "kg m^2",
              deviations);
    add_row("condition number", plan.condition, baseline.condition, "-", deviations);
    model::TextTable limits({{"limit", Align::left}, {"value"}, {"limit"}, {"margin"}, {"at s"}});
    add_row(plan.limits.tool_speed, limits);
    if (plan.limits.room) add_row(*plan.limits.room, limits);
    for (const auto* uses : {&plan.limits.position, &plan.limits.speed, &plan.limits.acceleration})
      add_row(tightest(*uses), limits);
    text += deviations.text() + limits.text();
  }
  for (const std::string& note : notes) text += "  note: " + note + "\n";
  text += model::problem_lines(problems, "  problem: ");
  return text;
}

std::string Excitation::to_json() const {
  model::JsonWriter json;
  json.object()
      .field("status", to_string(status))
      .field("kind", stills.empty() ? "motion" : "still")
      .field("joints", joints);
  if (plan.trajectory.t.size() > 0) {
    json.field("duration_s", motion.duration).field("samples", static_cast<int>(plan.trajectory.t.size()));
    write_condition(plan.condition, json);
    json.key("predicted_std");
    write_deviation(plan.std, json);
    json.key("limits");
    write_limits(plan.limits, joints, json);
    json.key("baseline").object().field("speed_factor", baseline_speed);
    write_condition(baseline.condition, json);
    json.key("predicted_std");
    write_deviation(baseline.std, json);
    json.key("limits");
    write_limits(baseline.limits, joints, json);
    json.end();
    json.key("gain").object().field("mass", baseline.std.mass / plan.std.mass);
    json.field("com", baseline.std.com.norm() / plan.std.com.norm());
    json.field("inertia", baseline.std.inertia.norm() / plan.std.inertia.norm()).end();
  }
  if (!stills.empty()) {
    json.key("poses").array();
    for (Eigen::Index k = 0; k < poses.rows(); ++k) {
      const auto& [from, to] = stills[static_cast<std::size_t>(k)];
      json.object().field("t0_s", from).field("t1_s", to).key("q").array();
      for (Eigen::Index i = 0; i < poses.cols(); ++i) json.value(poses(k, i));
      json.end().end();
    }
    json.end();
  }
  json.field("iterations", iterations).field("notes", notes).field("problems", problems);
  json.field("link", link).end();
  return json.text();
}

}  // namespace prehend::inertia
