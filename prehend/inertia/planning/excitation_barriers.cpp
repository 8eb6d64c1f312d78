// Logarithmic barriers of the limits: smooth inside, infinite outside.
#include <cmath>
#include <limits>

#include <prehend/inertia/planning/excitation_search.h>
#include <prehend/math/house/infinity.h>

namespace prehend::inertia {
namespace {

using math::kInfinity;

// -weight log(slack) and its derivative, added up; infinite when the slack is gone.
struct Barrier {
  double weight;
  double cost{0.0};
  bool holds{true};

  // Returns d cost / d slack.
  double of(double slack) {
    if (!(slack > 0.0)) {
      holds = false;
      return 0.0;
    }
    cost -= weight * std::log(slack);
    return -weight / slack;
  }
};

}  // namespace

// The sensor's origin and the fastest point of the ball, both below the speed limit.
double ExcitationCost::add_tool_barrier(double weight, int node, model::FrameGradient& gradient) const {
  const auto at = static_cast<std::size_t>(node);
  const model::FrameMotion& m = sweeps_[at].motion();
  const double limit2 = std::pow(options_.limits.tool_speed, 2), r = options_.object.radius();
  const Eigen::Vector3d c = options_.object.centre(), v = m.v + m.w.cross(c), u = v.cross(m.w);
  // |v x w| has a kink at zero; this smooth stand-in is a little larger, so the limit holds all the more.
  const double blunt = 1e-3 * limit2 / r, n = std::sqrt(u.squaredNorm() + blunt * blunt);
  Barrier barrier{weight};
  const double origin_slope = -barrier.of(1.0 - m.v.squaredNorm() / limit2) / limit2;
  const double ball_slope =
      -barrier.of(1.0 - (v.squaredNorm() + r * r * m.w.squaredNorm() + 2.0 * r * n) / limit2) / limit2;
  if (!barrier.holds) return kInfinity;
  const Eigen::Vector3d by_v = ball_slope * 2.0 * (v + (r / n) * m.w.cross(u));
  gradient.motion.v += 2.0 * origin_slope * m.v + by_v;
  gradient.motion.w += c.cross(by_v) + ball_slope * 2.0 * (r * r * m.w + (r / n) * u.cross(v));
  return barrier.cost;
}

double ExcitationCost::add_room_barrier(double weight, int node, model::FrameGradient& gradient) const {
  const MotionLimits& limits = options_.limits;
  if (!limits.workspace_W && limits.keep_out_W.empty()) return 0.0;
  const math::Pose X_WE = sweeps_[static_cast<std::size_t>(node)].X_WE();
  const double r = options_.object.radius();
  const Eigen::Vector3d c = options_.object.centre(), p = X_WE * c;
  Barrier barrier{weight};
  Eigen::Vector3d by_p = Eigen::Vector3d::Zero();
  for (int axis = 0; axis < 3 && limits.workspace_W; ++axis) {
    const double lower = limits.workspace_W->min()[axis], upper = limits.workspace_W->max()[axis];
    if (std::isfinite(lower)) by_p[axis] += barrier.of(p[axis] - r - lower);
    if (std::isfinite(upper)) by_p[axis] -= barrier.of(upper - r - p[axis]);
  }
  for (const Eigen::AlignedBox3d& box : limits.keep_out_W) {
    const Eigen::Vector3d nearest = p.cwiseMax(box.min()).cwiseMin(box.max());
    by_p += 2.0 * barrier.of((p - nearest).squaredNorm() - r * r) * (p - nearest);
  }
  if (!barrier.holds) return kInfinity;
  const Eigen::Vector3d by_p_E = X_WE.q().conjugate() * by_p;
  gradient.shift += by_p_E;
  gradient.turn += c.cross(by_p_E);
  return barrier.cost;
}

double ExcitationCost::add_barriers(double mu) {
  const double weight = mu / nodes_;
  Barrier barrier{weight};
  double tool = 0.0;
  for (int node = 0; node < nodes_; ++node) {
    for (int i = 0; i < joints_; ++i) {
      const double lower = bounds_.lower[i], upper = bounds_.upper[i];
      const double range = std::isfinite(upper - lower) ? upper - lower : 1.0;
      if (std::isfinite(lower)) gQ_(i, node) += barrier.of((Q_(i, node) - lower) / range) / range;
      if (std::isfinite(upper)) gQ_(i, node) -= barrier.of((upper - Q_(i, node)) / range) / range;
      const double speed = Qd_(i, node) / bounds_.speed[i],
                   acceleration = Qdd_(i, node) / bounds_.acceleration[i];
      gQd_(i, node) -= 2.0 * speed * barrier.of(1.0 - speed * speed) / bounds_.speed[i];
      gQdd_(i, node) -=
          2.0 * acceleration * barrier.of(1.0 - acceleration * acceleration) / bounds_.acceleration[i];
    }
    if (!barrier.holds) return kInfinity;
    model::FrameGradient& gradient = gradients_[static_cast<std::size_t>(node)];
    tool += add_tool_barrier(weight, node, gradient) + add_room_barrier(weight, node, gradient);
    if (!std::isfinite(tool)) return kInfinity;
  }
  return barrier.cost + tool;
}

}  // namespace prehend::inertia
