#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>
#include <prehend/topology/source_algorithm.h>

namespace prehend::topology {
namespace {

using math::Vector6d;

// One joint at one sample, as lines 6 to 15 have it.
struct SourceState {
  double angle{0.0}, distance{0.0};
  Eigen::Vector3d axis{Eigen::Vector3d::UnitY()};      // the same numbers in parent and child
  Eigen::Vector3d direction{Eigen::Vector3d::Zero()};  // in the parent's axes
};

SourceState state_of(const math::Pose& parent, const math::Pose& child) {
  SourceState state;
  const math::Pose X_PC = parent.inverse() * child;
  const Eigen::Vector3d turn = math::log_so3(X_PC.q());
  state.angle = turn.norm();
  if (state.angle > 0.0) state.axis = turn / state.angle;
  state.distance = X_PC.p().norm();
  if (state.distance > 0.0) state.direction = X_PC.p() / state.distance;
  return state;
}

Vector6d total_wrench(const ArticulatedObject& object, const Recording& recording, std::size_t row) {
  Vector6d sum = Vector6d::Zero();
  for (const HeldLink& held : recording.held)
    sum += math::wrench_adjoint(recording.X_WL[static_cast<std::size_t>(held.link)][row]) *
           held.F_L[row].vector();
  for (std::size_t i = 0; i < object.links.size(); ++i) {
    const math::SpatialInertia& inertia = object.links[i].inertia;
    sum += math::Wrench::from_force(inertia.mass * recording.gravity_W, recording.X_WL[i][row] * inertia.com)
               .vector();
  }
  return sum;
}

// Momentum of everything at one row: the base's part, and per joint and type what its motion adds.
struct Terms {
  Vector6d base{Vector6d::Zero()};
  std::vector<std::array<Vector6d, 2>> joints;  // [joint][prismatic, revolute]
};

Terms terms_at(const ArticulatedObject& object, const Recording& recording, std::size_t row,
               const SourceOptions& options) {
  const std::size_t links = object.links.size();
  const double dt = recording.t[row + 1] - recording.t[row];
  std::vector<math::Matrix6d> M_W(links, math::Matrix6d::Zero());  // about the world's origin, in its axes
  for (std::size_t i = 0; i < links; ++i)
    M_W[i] = object.links[i].inertia.expressed_in(recording.X_WL[i][row]).spatial_matrix();
  // Inertia that a joint's twist reaches: all that hangs on it. With the literal lines 28 and 36, link i's twist meets the
  // inertia of link i, and is booked for the next: leaves are never reached.
  std::vector<math::Matrix6d> reached = M_W;
  if (options.momentum_of_parent) {
    std::vector<bool> is_leaf(links, true);
    for (const Link& link : object.links)
      if (link.parent >= 0) is_leaf[static_cast<std::size_t>(link.parent)] = false;
    for (std::size_t i = 0; i < links; ++i)
      if (is_leaf[i]) reached[i].setZero();
  }
  for (std::size_t i = links; i-- > 1;)
    reached[static_cast<std::size_t>(object.links[i].parent)] += reached[i];
  Terms terms;
  const math::Pose& base = recording.X_WL[0][row];
  const Vector6d base_step = math::log_se3(base.inverse() * recording.X_WL[0][row + 1]);
  terms.base = reached[0] * (math::adjoint(base) * base_step) / dt;
  for (std::size_t i = 1; i < links; ++i) {
    const auto parent = static_cast<std::size_t>(object.links[i].parent);
    const math::Pose &X_WP = recording.X_WL[parent][row], &X_WC = recording.X_WL[i][row];
    const SourceState now = state_of(X_WP, X_WC);
    const SourceState next = state_of(recording.X_WL[parent][row + 1], recording.X_WL[i][row + 1]);
    Vector6d slide, turn;
    slide << Eigen::Vector3d::Zero(), X_WP.q() * now.direction;
    turn << now.axis, Eigen::Vector3d::Zero();
    turn = math::adjoint(options.axis_through_parent ? X_WP : X_WC) * turn;
    terms.joints.push_back({reached[i] * slide * ((next.distance - now.distance) / dt),
                            reached[i] * turn * ((next.angle - now.angle) / dt)});
  }
  return terms;
}

// Lines 16 to 43: the error of every combination.
void add_errors(const ArticulatedObject& object, const Recording& recording, const SourceOptions& options,
                SourceResult& result) {
  const auto joints = static_cast<std::size_t>(object.joints());
  const std::size_t combinations = std::size_t{1} << joints;
  result.errors.assign(combinations, 0.0);
  if (joints <= 3) result.sample_errors.resize(combinations);
  Terms before = terms_at(object, recording, 0, options);
  for (std::size_t row = 1; row + 1 < recording.rows(); ++row) {
    const Terms now = terms_at(object, recording, row, options);
    // Differences of rows (row - 1, row) and (row, row + 1): both around `row`.
    const double dt = 0.5 * (recording.t[row + 1] - recording.t[row - 1]);
    const Vector6d rest = total_wrench(object, recording, row) - (now.base - before.base) / dt;
    for (std::size_t combination = 0; combination < combinations; ++combination) {
      math::check_interrupt();
      Vector6d gap = rest;
      for (std::size_t j = 0; j < joints; ++j) {
        const std::size_t type = combination >> j & 1;
        gap -= (now.joints[j][type] - before.joints[j][type]) / dt;
      }
      result.errors[combination] += gap.norm();
      if (joints <= 3) result.sample_errors[combination].push_back(gap.norm());
    }
    before = now;
  }
}

// Line 44, and per joint the best combination with either type.
void choose_combination(const ArticulatedObject& object, SourceResult& result) {
  const auto joints = static_cast<std::size_t>(object.joints());
  const std::size_t combinations = result.errors.size();
  for (std::size_t c = 1; c < combinations; ++c)
    if (result.errors[c] < result.errors[result.best]) result.best = c;
  result.runner_up = result.best == 0 ? 1 : 0;
  for (std::size_t c = 0; c < combinations; ++c)
    if (c != result.best && result.errors[c] < result.errors[result.runner_up]) result.runner_up = c;
  for (std::size_t j = 0; j < joints; ++j) {
    SourceJoint joint;
    const Link& link = object.links[j + 1];
    joint.name = link.joint;
    joint.parent = object.links[static_cast<std::size_t>(link.parent)].name;
    joint.child = link.name;
    joint.type = result.best >> j & 1 ? model::JointType::revolute : model::JointType::prismatic;
    joint.prismatic_error = joint.revolute_error = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < combinations; ++c) {
      double& error = c >> j & 1 ? joint.revolute_error : joint.prismatic_error;
      error = std::min(error, result.errors[c]);
    }
    result.joints.push_back(std::move(joint));
  }
  const double next = result.errors[result.runner_up];
  result.score = next > 0.0 ? (next - result.errors[result.best]) / next : 0.0;
}

}  // namespace

void SourceOptions::validate() const {
  math::OptionCheck("SourceOptions").between("max_joints", max_joints, 1, 20);
}

const char* to_string(SourceStatus status) { return enum_text(status); }

SourceResult source_algorithm(const ArticulatedObject& object, const Recording& recording,
                              const SourceOptions& options) {
  options.validate();
  validate(object, recording);
  const auto start = std::chrono::steady_clock::now();
  SourceResult result;
  result.recording = recording.facts();
  result.status = SourceStatus::undetermined;
  const std::string joints = std::to_string(object.joints());
  if (object.joints() > options.max_joints) {
    result.reason = "the algorithm of Tirupachuri et al. tries all 2^" + joints + " combinations of " +
                    joints + " joints; the limit is " + std::to_string(options.max_joints) + " joints";
    return result;
  }
  if (!recording.is_complete()) {
    result.reason =
        "the algorithm of Tirupachuri et al. needs the wrench that the world exerts on the fixed base '" +
        object.links[0].name + "'; it is not in the recording";
    return result;
  }
  add_errors(object, recording, options, result);
  choose_combination(object, result);
  result.status = SourceStatus::ok;
  result.time_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::string SourceResult::brief_report() const {
  if (status != SourceStatus::ok) return reason + "\n";
  using enum model::Align;
  model::TextTable table({{"joint", left}, {"type", left}, {"prismatic error"}, {"revolute error"}});
  for (const SourceJoint& joint : joints)
    table.row({joint.name, to_string(joint.type), math::number_text(joint.prismatic_error, 6),
               math::number_text(joint.revolute_error, 6)});
  return table.text();
}

std::string SourceResult::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status)).field("method", "source");
  json.field("base", recording.base_is_fixed ? "fixed" : "free").field("gravity_mps2", recording.gravity_W);
  json.field("rows", recording.rows).key("joints").array();
  for (const SourceJoint& joint : joints) {
    json.object().field("name", joint.name).field("parent", joint.parent).field("child", joint.child);
    json.field("type", to_string(joint.type)).key("errors").object();
    json.field("prismatic", joint.prismatic_error).field("revolute", joint.revolute_error).end().end();
  }
  json.end().field("score", score);
  json.field("problems", std::vector<std::string>{}).field("notes", std::vector<std::string>{});
  return json.end().text();
}

}  // namespace prehend::topology
