#include <algorithm>
#include <cmath>
#include <cstdio>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/model/body_names.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>
#include <prehend/stability/limit/falling.h>
#include <prehend/stability/statics/load_caused.h>
#include <prehend/stability/statics/nothing_movable.h>
#include <prehend/stability/transport.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

std::string four_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", value);
  return text;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

}  // namespace

void TransportOptions::validate() const {
  const math::OptionCheck check("TransportOptions");
  check.at_least("directions", directions, 1);
  for (int k = 0; k < 3; ++k) check.finite("normal_W", normal_W[k]);
  check.holds(normal_W.norm() > 0.0, "normal_W", "zero", "a direction");
  system.validate();
  limit.validate();
}

const char* to_string(TransportStatus status) { return enum_text(status); }

Load acceleration_load(const ContactSystem& system, const Vector3d& d_W) {
  const Vector3d d = d_W.normalized();
  Load load;
  for (NodeIndex b(0); b < system.bodies.size(); ++b) {
    const SystemBody& body = system.bodies[b];
    load.push_back({b, system.force_wrench(-body.mass * d, body.com_W)});
  }
  return load;
}

std::vector<Vector3d> plane_directions(const Vector3d& normal_W, int count) {
  const Vector3d n = normal_W.normalized();
  const bool is_along_x = std::abs(n.x()) > 1.0 - 1e-6;
  const Vector3d along = is_along_x ? Vector3d::UnitY() : Vector3d::UnitX();
  const Vector3d u = (along - n.dot(along) * n).normalized(), v = n.cross(u);
  std::vector<Vector3d> directions;
  for (int i = 0; i < count; ++i) {
    const double angle = 2.0 * math::kPi * i / count;
    const Vector3d d = std::cos(angle) * u + std::sin(angle) * v;
    directions.push_back(d.unaryExpr([](double x) { return std::abs(x) < 1e-15 ? 0.0 : x; }));  // no -0
  }
  return directions;
}

TransportResult transport(const model::Scene& scene, const TransportOptions& options) {
  options.validate();
  TransportResult result;
  result.body_names = model::body_names(scene);
  const LimitAnalysis analysis(build_contact_system(scene, options.system), options.limit);
  const ContactSystem& system = analysis.system();
  result.problems = system.problems;
  result.joints_text = joints_text(system);
  if (!system.joints.empty()) result.joints_json = joints_json(system);
  if (nothing_moves(system, result.problems) || !system.penetrations.empty()) {
    result.status = TransportStatus::undetermined;
    return result;
  }
  if (analysis.stability() != Stability::stable) {
    const bool falls = analysis.stability() == Stability::unstable;
    result.status = falls ? TransportStatus::unstable : TransportStatus::undetermined;
    if (falls) {
      result.moving = find_falling(system, options.limit).bodies;
      if (result.moving.empty()) result.moving = analysis.falling_bodies();
    }
    if (!analysis.note().empty()) result.problems.push_back(analysis.note());
    return result;
  }
  const std::vector<Vector3d> directions = plane_directions(options.normal_W, options.directions);
  std::vector<Load> loads;
  for (const Vector3d& d : directions) loads.push_back(acceleration_load(system, d));
  std::vector<PushAnswer> limits = analysis.ask(loads);
  if (options.load_caused) {
    add_load_caused(LoadCaused(system), loads, options.limit.threads, limits);
    if (std::string problem = load_caused_problem(limits, "directions"); !problem.empty())
      result.problems.push_back(std::move(problem));
    if (std::string problem = stiffness_problem(limits, "directions"); !problem.empty())
      result.problems.push_back(std::move(problem));
  } else if (std::string problem = bracing_problem(system); !problem.empty()) {
    result.problems.push_back(std::move(problem));
  }
  result.status = TransportStatus::ok;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    if (limits[i].status != AnswerStatus::ok) {
      result.status = TransportStatus::undetermined;
      result.problems.push_back("direction " + std::to_string(i) + ": " + limits[i].note);
    }
    result.answers.push_back({directions[i], std::move(limits[i])});
  }
  return result;
}

std::string TransportResult::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status)).key("results").array();
  for (const TransportAnswer& answer : answers) {
    const PushAnswer& limit = answer.limit;
    json.object()
        .field("d_W", answer.d_W)
        .field("msa_mps2", limit.robustness)
        .field("unbounded", limit.unbounded)
        .field("lower_mps2", limit.lower)
        .field("upper_mps2", limit.upper)
        .field("mode", to_string(limit.mode))
        .field("moving", model::names_of(body_names, limit.moving));
    if (!std::isnan(limit.without_prestress)) {
      if (std::isfinite(limit.without_prestress))
        json.field("msa_without_prestress_mps2", limit.without_prestress);
      json.field("load_caused_less", limit.load_caused_less);
      if (!std::isnan(limit.load_caused_low)) {
        json.field("msa_without_prestress_range_mps2",
                   std::vector<double>{limit.load_caused_low, limit.load_caused_high})
            .field("depends_on_stiffness", limit.depends_on_stiffness);
      }
    }
    json.field_unless_empty("note", limit.note).end();
  }
  json.end();
  if (status == TransportStatus::unstable) json.field("moving", model::names_of(body_names, moving));
  if (!joints_json.empty()) json.key("joints").document(joints_json);
  return json.field("problems", problems).end().text();
}

std::string TransportResult::brief_report() const {
  std::string text;
  if (status == TransportStatus::unstable) {
    text +=
        "It falls without any acceleration; moving: " + listed(model::names_of(body_names, moving)) + "\n";
  }
  model::TextTable table({{"ground accelerates along"},
                          {"up to [m/s^2]"},
                          {"load-caused"},
                          {"mode", model::Align::left},
                          {"moving", model::Align::left}});
  for (const TransportAnswer& answer : answers) {
    const PushAnswer& limit = answer.limit;
    const std::string largest = limit.unbounded                    ? "unbounded"
                                : limit.status == AnswerStatus::ok ? four_digits(limit.robustness)
                                                                   : to_string(limit.status);
    table.row(
        {four_digits(answer.d_W.x()) + " " + four_digits(answer.d_W.y()) + " " + four_digits(answer.d_W.z()),
         largest,
         std::isnan(limit.without_prestress)   ? "-"
         : std::isinf(limit.without_prestress) ? "unbounded"
                                               : four_digits(limit.without_prestress),
         to_string(limit.mode), listed(model::names_of(body_names, limit.moving))});
  }
  if (!table.empty()) text += table.text();
  if (!joints_text.empty()) text += "joints " + joints_text + "\n";
  text += model::problem_lines(problems, "problem: ");
  return text;
}

}  // namespace prehend::stability
