#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/math/enum_text.h>
#include <prehend/model/json_writer.h>
#include <prehend/stability/limit/falling.h>
#include <prehend/stability/transport.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

std::vector<std::string> names(const model::Scene& scene, const std::vector<model::BodyIndex>& bodies) {
  std::vector<std::string> result;
  for (const model::BodyIndex b : bodies) result.push_back(scene.bodies[b].name);
  return result;
}

}  // namespace

void TransportOptions::validate() const {
  if (directions < 1) {
    throw std::invalid_argument("directions is " + std::to_string(directions) + ", must be at least 1");
  }
  if (!(normal_W.norm() > 0.0) || !normal_W.allFinite()) {
    throw std::invalid_argument("normal_W has no direction: give one that is not zero");
  }
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
    const double angle = 2.0 * std::numbers::pi * i / count;
    const Vector3d d = std::cos(angle) * u + std::sin(angle) * v;
    directions.push_back(d.unaryExpr([](double x) { return std::abs(x) < 1e-15 ? 0.0 : x; }));  // no -0
  }
  return directions;
}

TransportResult transport(const model::Scene& scene, const TransportOptions& options) {
  options.validate();
  TransportResult result;
  const LimitAnalysis analysis(build_contact_system(scene, options.system), options.limit);
  const ContactSystem& system = analysis.system();
  result.problems = system.problems;
  if (system.bodies.empty()) {
    result.status = TransportStatus::no_answer;
    result.problems.push_back("no body of the scene is movable");
    return result;
  }
  if (!system.penetrations.empty()) {
    result.status = TransportStatus::no_answer;
    return result;
  }
  if (analysis.stability() != Stability::stable) {
    const bool falls = analysis.stability() == Stability::unstable;
    result.status = falls ? TransportStatus::unstable : TransportStatus::no_answer;
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
  result.status = TransportStatus::answered;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    if (limits[i].status != AnswerStatus::answered) {
      result.status = TransportStatus::no_answer;
      result.problems.push_back("direction " + std::to_string(i) + ": " + limits[i].note);
    }
    result.answers.push_back({directions[i], std::move(limits[i])});
  }
  return result;
}

std::string TransportResult::to_json(const model::Scene& scene) const {
  model::JsonWriter json;
  json.object().key("results").array();
  for (const TransportAnswer& answer : answers) {
    const PushAnswer& limit = answer.limit;
    json.object()
        .field("d_W", answer.d_W)
        .field("msa_mps2", limit.robustness)
        .field("unbounded", limit.unbounded);
    json.field("lower_mps2", limit.lower)
        .field("upper_mps2", limit.upper)
        .field("mode", to_string(limit.mode));
    json.field("moving", names(scene, limit.moving)).field_unless_empty("note", limit.note).end();
  }
  json.end();
  if (status == TransportStatus::unstable) json.field("moving", names(scene, moving));
  return json.field("problems", problems).end().text();
}

std::string TransportResult::brief_report(const model::Scene& scene) const {
  std::string text;
  char line[200];
  if (status == TransportStatus::unstable) {
    text += "It falls without any acceleration; moving:";
    for (const std::string& name : names(scene, moving)) text += " " + name;
    text += "\n";
  }
  if (!answers.empty()) text += "  ground accelerates along        up to [m/s^2]  mode      moving\n";
  for (const TransportAnswer& answer : answers) {
    const PushAnswer& limit = answer.limit;
    std::snprintf(line, sizeof line, "  %8.4f %8.4f %8.4f  ", answer.d_W.x(), answer.d_W.y(), answer.d_W.z());
    text += line;
    if (limit.unbounded) {
      text += "     unbounded";
    } else if (limit.status == AnswerStatus::answered) {
      std::snprintf(line, sizeof line, "%14.4f", limit.robustness);
      text += line;
    } else {
      text += "     no answer";
    }
    std::snprintf(line, sizeof line, "  %-9s", to_string(limit.mode));
    text += line;
    for (const std::string& name : names(scene, limit.moving)) text += " " + name;
    text += "\n";
  }
  for (const std::string& problem : problems) text += "problem: " + problem + "\n";
  return text;
}

}  // namespace prehend::stability
