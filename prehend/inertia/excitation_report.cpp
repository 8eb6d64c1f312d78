#include <cmath>
#include <cstdio>
#include <limits>

#include <prehend/inertia/excitation.h>
#include <prehend/math/number_text.h>
#include <prehend/model/json_writer.h>

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

std::string row(const std::string& name, double planned, double baseline, const char* unit) {
  char line[160];
  const auto text = [](double value) {
    return std::isfinite(value) ? math::number_text(value, 3) : std::string("not told");
  };
  const std::string gain =
      std::isfinite(planned) && std::isfinite(baseline) ? math::number_text(baseline / planned, 3) + "x" : "";
  std::snprintf(line, sizeof line, "  %-28s %12s %12s %8s\n", (name + " [" + unit + "]").c_str(),
                text(planned).c_str(), text(baseline).c_str(), gain.c_str());
  return line;
}

std::string row(const LimitUse& use) {
  char line[160];
  const std::string limit = std::isfinite(use.limit) ? math::number_text(use.limit, 4) : "none";
  const std::string margin = std::isfinite(use.margin) ? math::number_text(use.margin, 3) : "";
  std::snprintf(line, sizeof line, "  %-28s %10s %10s %10s %8s\n", (use.of + " [" + use.unit + "]").c_str(),
                math::number_text(use.value, 4).c_str(), limit.c_str(), margin.c_str(),
                math::number_text(use.t, 3).c_str());
  return line;
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
  std::string text;
  if (plan.trajectory.t.size() > 0) {
    text +=
        stills.empty() ? "motion of " : "stop-and-go through " + std::to_string(stills.size()) + " poses, ";
    text += math::number_text(motion.duration, 4) + " s, " + std::to_string(joints.size()) + " joints, " +
            std::to_string(plan.trajectory.t.size()) + " samples\n";
    text += "  predicted standard deviation      planned     baseline     gain\n";
    text += row("mass", plan.std.mass, baseline.std.mass, "kg");
    for (int i = 0; i < 3; ++i)
      text += row(std::string("com ") + "xyz"[i], plan.std.com[i], baseline.std.com[i], "m");
    const char* const names[] = {"xx", "xy", "xz", "yy", "yz", "zz"};
    for (int i = 0; i < 6 && stills.empty(); ++i) {
      text += row(std::string("inertia ") + names[i], plan.std.inertia[i], baseline.std.inertia[i], "kg m^2");
    }
    text += row("condition number", plan.condition, baseline.condition, "-");
    text += "  limit                             value      limit     margin     at s\n";
    text += row(plan.limits.tool_speed);
    if (plan.limits.room) text += row(*plan.limits.room);
    for (const auto* uses : {&plan.limits.position, &plan.limits.speed, &plan.limits.acceleration})
      text += row(tightest(*uses));
  }
  for (const std::string& note : notes) text += "  note: " + note + "\n";
  for (const std::string& problem : problems) text += "  problem: " + problem + "\n";
  return text;
}

std::string Excitation::to_json() const {
  model::JsonWriter json;
  json.object().field("kind", stills.empty() ? "motion" : "still").field("joints", joints);
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
  json.field("iterations", iterations).field("notes", notes).field("problems", problems).end();
  return json.text();
}

}  // namespace prehend::inertia
