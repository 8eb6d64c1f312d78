#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <prehend/articulation/evidence/marker_slip.h>
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

// Frames on either side that tell a joint, and of which one mean is taken.
constexpr std::size_t kFramesOfJoint = 20, kNear = 4;

// What the joint leaves, in the moving part's frame, in units of its noise: a slip on that part is a constant there, one on the fixed part nearly so
// from one frame to the next.
std::vector<math::Vector6d> left_behind(const JointFit& fit, const Observations& observations) {
  std::vector<math::Vector6d> e;
  e.reserve(observations.poses.size());
  for (const Observation& one : observations.poses) {
    const math::Pose Y = fit.joint.forward(*fit.states[one.time]);
    math::Vector6d residual;
    residual << math::log_so3((Y.q().conjugate() * one.X_FM.q()).normalized()) / fit.noise.angle,
        Y.q().conjugate() * (one.X_FM.p() - Y.p()) / fit.noise.position;
    e.push_back(residual);
  }
  return e;
}

// The frame before which and after which means over `kNear` frames differ most.
std::size_t sharpest_step(const std::vector<math::Vector6d>& e) {
  std::vector<math::Vector6d> sum{math::Vector6d::Zero()};
  for (const math::Vector6d& one : e) sum.push_back(sum.back() + one);
  std::size_t at = 0;
  double most = 0;
  for (std::size_t k = kFramesOfJoint; k + kFramesOfJoint <= e.size(); ++k) {
    const double step = (sum[k + kNear] - 2 * sum[k] + sum[k - kNear]).squaredNorm();
    if (step > most) most = step, at = k;
  }
  return at;
}

// Whether what lies between the two sides of `k` is a step: larger than any that lies elsewhere.
bool is_sudden(const std::vector<math::Vector6d>& e, std::size_t k) {
  constexpr double kOfElsewhere = 2.0;  // times the 95th percentile of what differs as far apart
  std::vector<double> steps;
  double here = 0;
  for (std::size_t i = 2 * kNear; i < e.size(); ++i) {
    math::Vector6d step = math::Vector6d::Zero();
    for (std::size_t j = 0; j < kNear; ++j) step += e[i - j] - e[i - kNear - j];
    if (i + 1 == k + kNear) here = step.norm();
    if (i + 1 < k || i + 1 >= k + 2 * kNear) steps.push_back(step.norm());
  }
  const auto nth = steps.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(steps.size()));
  std::nth_element(steps.begin(), nth, steps.end());
  return here > kOfElsewhere * *nth;
}

Observations frames_between(const Observations& all, std::size_t from, std::size_t to) {
  Observations some = all;
  some.poses.assign(all.poses.begin() + static_cast<std::ptrdiff_t>(from),
                    all.poses.begin() + static_cast<std::ptrdiff_t>(to));
  return some;
}

}  // namespace

std::optional<MarkerSlip> marker_slip(const JointFit& simple, const Observations& observations,
                                      const FitOptions& options) {
  const std::size_t n = observations.poses.size();
  if (n < 2 * kFramesOfJoint || !observations.has_orientation || !observations.covariances.empty() ||
      simple.status == FitStatus::failed || !(simple.noise.angle > 0) || !(simple.noise.position > 0))
    return std::nullopt;
  const std::vector<math::Vector6d> e = left_behind(simple, observations);
  const std::size_t at = sharpest_step(e);
  if (at == 0 || !is_sudden(e, at)) return std::nullopt;
  const model::JointType type = simple.joint.type;
  const JointFit before = fit_joint(type, frames_between(observations, 0, at), options),
                 after = fit_joint(type, frames_between(observations, at, n), options);
  if (before.status != FitStatus::ok || after.status != FitStatus::ok) return std::nullopt;
  return MarkerSlip{type, observations.times[observations.poses[at].time],
                    before.log_likelihood_independent + after.log_likelihood_independent,
                    2 * parameters_with_zero(type, true)};
}

}  // namespace prehend::articulation
