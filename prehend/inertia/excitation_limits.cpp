#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <prehend/inertia/excitation_limits.h>
#include <prehend/math/house/infinity.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/model/house/chain_sweep.h>

namespace prehend::inertia {
namespace {

using math::kInfinity;

const char* unit_of(const model::ChainJoint& joint, int derivative) {
  const bool is_length = joint.type == model::JointType::prismatic;
  if (derivative == 0) return is_length ? "m" : "rad";
  if (derivative == 1) return is_length ? "m/s" : "rad/s";
  return is_length ? "m/s^2" : "rad/s^2";
}

void meet(LimitUse& use, double value, double limit, double margin, double t) {
  if (!(margin < use.margin)) return;
  use.value = value;
  use.limit = limit;
  use.margin = margin;
  use.t = t;
}

}  // namespace

math::SpatialInertia ExpectedObject::inertia_S() const {
  math::SpatialInertia inertia =
      math::SpatialInertia::solid_box(mass, Eigen::Vector3d::Constant(size / std::sqrt(3.0)));
  inertia.com = centre();
  return inertia;
}

void MotionLimits::keep_above(double z) {
  if (!workspace_W)
    workspace_W =
        Eigen::AlignedBox3d(Eigen::Vector3d::Constant(-kInfinity), Eigen::Vector3d::Constant(kInfinity));
  workspace_W->min().z() = std::max(workspace_W->min().z(), z);
}

void MotionLimits::validate() const {
  const math::OptionCheck check("MotionLimits");
  check.above("tool_speed", tool_speed, 0.0, "m/s");
  check.above("joint_speed", joint_speed, 0.0, "rad/s");
  check.above("joint_acceleration", joint_acceleration, 0.0, "rad/s^2");
  check.holds(position_margin >= 0.0 && position_margin < 0.5, "position_margin",
              math::number_text(position_margin), "at least 0 and below 0.5");
  constexpr const char* kNotEmpty = "a box whose lower bounds lie below its upper ones";
  check.holds(!workspace_W || !workspace_W->isEmpty(), "workspace_W", "empty", kNotEmpty);
  for (const Eigen::AlignedBox3d& box : keep_out_W)
    check.holds(!box.isEmpty(), "keep_out_W", "empty", kNotEmpty);
}

JointBounds joint_bounds(const model::JointChain& chain, const MotionLimits& limits) {
  limits.validate();
  JointBounds bounds;
  for (Eigen::VectorXd* part : {&bounds.lower, &bounds.upper, &bounds.speed}) part->resize(chain.size());
  bounds.acceleration.setConstant(chain.size(), limits.joint_acceleration);
  for (int i = 0; i < chain.size(); ++i) {
    const model::ChainJoint& joint = chain.joints[static_cast<std::size_t>(i)];
    const bool is_bounded = std::isfinite(joint.lower) && std::isfinite(joint.upper);
    const double margin = is_bounded ? limits.position_margin * (joint.upper - joint.lower) : 0.0;
    if (!(joint.lower < joint.upper))
      throw std::invalid_argument("joint '" + joint.name + "' cannot move: its limits are " +
                                  math::number_text(joint.lower) + " and " + math::number_text(joint.upper));
    bounds.lower[i] = joint.lower + margin;
    bounds.upper[i] = joint.upper - margin;
    bounds.speed[i] = std::min(joint.speed_limit, limits.joint_speed);
    if (!(bounds.speed[i] > 0.0 && std::isfinite(bounds.speed[i])))
      throw std::invalid_argument("speed limit of joint '" + joint.name + "' is " +
                                  math::number_text(bounds.speed[i]) + " " + unit_of(joint, 1) +
                                  "; it must be positive and finite");
  }
  return bounds;
}

double squared_ball_speed(const Eigen::Vector3d& v, const Eigen::Vector3d& w, double radius) {
  return v.squaredNorm() + radius * radius * w.squaredNorm() + 2.0 * radius * v.cross(w).norm();
}

double clearance(const Eigen::Vector3d& centre_W, double radius, const MotionLimits& limits) {
  double distance = kInfinity;
  if (limits.workspace_W) {
    distance = std::min((centre_W - limits.workspace_W->min()).minCoeff(),
                        (limits.workspace_W->max() - centre_W).minCoeff());
  }
  for (const Eigen::AlignedBox3d& box : limits.keep_out_W) {
    distance = std::min(distance, box.contains(centre_W) ? 0.0 : box.exteriorDistance(centre_W));
  }
  return distance - radius;
}

bool LimitReport::hold() const { return broken().empty(); }

std::vector<std::string> LimitReport::broken() const {
  std::vector<std::string> sentences;
  const auto look = [&](const LimitUse& use) {
    if (use.margin >= 0.0) return;
    sentences.push_back(use.of + " reaches " + math::number_text(use.value, 4) + " " + use.unit + " at " +
                        math::number_text(use.t, 4) + " s, beyond the limit of " +
                        math::number_text(use.limit, 4));
  };
  look(tool_speed);
  for (const auto* uses : {&position, &speed, &acceleration}) {
    for (const LimitUse& use : *uses) look(use);
  }
  if (room) look(*room);
  return sentences;
}

LimitReport check_limits(const model::JointChain& chain, const JointMotion& motion,
                         const ExpectedObject& object, const MotionLimits& limits, int nodes) {
  const JointBounds bounds = joint_bounds(chain, limits);
  LimitReport report;
  report.tool_speed = {"tool speed", "m/s", 0.0, limits.tool_speed, kInfinity, 0.0};
  for (const model::ChainJoint& joint : chain.joints) {
    const std::string name = " of '" + joint.name + "'";
    report.position.push_back({"position" + name, unit_of(joint, 0), 0.0, kInfinity, kInfinity, 0.0});
    report.speed.push_back({"speed" + name, unit_of(joint, 1), 0.0, kInfinity, kInfinity, 0.0});
    report.acceleration.push_back({"acceleration" + name, unit_of(joint, 2), 0.0, kInfinity, kInfinity, 0.0});
  }
  const bool has_room = limits.workspace_W.has_value() || !limits.keep_out_W.empty();
  if (has_room) report.room = LimitUse{"clearance of the object", "m", 0.0, 0.0, kInfinity, 0.0};
  model::ChainSweep sweep(chain);
  JointState state;
  const Eigen::Vector3d centre = object.centre();
  for (int node = 0; node < nodes; ++node) {
    if (node % 1000 == 0) math::check_interrupt();
    const double t = motion.duration * node / (nodes - 1);
    motion.at(t, state);
    const model::FrameMotion& m = sweep.forward(state.q, state.qd, state.qdd);
    const double speed = std::sqrt(
        std::max(m.v.squaredNorm(), squared_ball_speed(m.v + m.w.cross(centre), m.w, object.radius())));
    meet(report.tool_speed, speed, limits.tool_speed, limits.tool_speed - speed, t);
    if (has_room) {
      const double distance = clearance(sweep.X_WE() * centre, object.radius(), limits);
      meet(*report.room, distance, 0.0, distance, t);
    }
    for (int i = 0; i < chain.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double q = state.q[i], qd = std::abs(state.qd[i]), qdd = std::abs(state.qdd[i]);
      meet(report.position[at], q, bounds.lower[i], q - bounds.lower[i], t);
      meet(report.position[at], q, bounds.upper[i], bounds.upper[i] - q, t);
      meet(report.speed[at], qd, bounds.speed[i], bounds.speed[i] - qd, t);
      meet(report.acceleration[at], qdd, bounds.acceleration[i], bounds.acceleration[i] - qdd, t);
    }
  }
  return report;
}

}  // namespace prehend::inertia
