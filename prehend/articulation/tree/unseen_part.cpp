#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include <prehend/articulation/tree/unseen_part.h>
#include <prehend/math/angles.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

using model::JointType;
using Series = std::vector<double>;  // by frame

// What a joint leaves, with what follows the states of the tree's joints taken off.
struct LeftMotion {
  double position{0}, angle{0};  // [m, rad] root mean square per axis
  double correlation{0};         // from frame to frame
  double frames{1};              // in which it is forgotten
};

bool is_simple_joint(const DiscoveredJoint& joint) {
  return joint.joint.type == JointType::prismatic || joint.joint.type == JointType::revolute;
}

// Frames of far more than is usual are left out: flipped markers.
std::vector<std::size_t> frames_near(const Discovery& discovery, const DiscoveredJoint& joint,
                                     const std::vector<std::size_t>& frames, std::array<Series, 6>& left) {
  constexpr double kFarOut = 4.0;  // times the median
  const auto& F = discovery.tracks.parts[joint.parent].X_WP;
  const auto& M = discovery.tracks.parts[joint.child].X_WP;
  std::vector<math::Vector6d> all;
  for (const std::size_t t : frames) {
    const math::Pose X = F[t]->inverse() * *M[t], Y = joint.joint.forward(*joint.states[t]);
    math::Vector6d e;
    e << math::log_so3(Y.q().conjugate() * X.q()), Y.q().conjugate() * (X.p() - Y.p());
    all.push_back(e);
  }
  std::array<double, 2> most{};
  for (int half = 0; half < 2; ++half) {
    Series sizes;
    for (const math::Vector6d& e : all) sizes.push_back(e.segment<3>(3 * half).norm());
    std::ranges::nth_element(sizes, sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2));
    most[half] = kFarOut * sizes[sizes.size() / 2];
  }
  std::vector<std::size_t> near;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].head<3>().norm() > most[0] || all[i].tail<3>().norm() > most[1]) continue;
    near.push_back(frames[i]);
    for (int k = 0; k < 6; ++k) left[k].push_back(all[i][k]);
  }
  return near;
}

double dot(const Series& a, const Series& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void take_off(Series& a, const Series& unit) {
  const double share = dot(a, unit);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= share * unit[i];
}

// What is a quadratic function of the joint's own state and a linear one of the others'.
void take_off_states(const Discovery& discovery, std::size_t own, const std::vector<std::size_t>& frames,
                     std::array<Series, 6>& left) {
  std::vector<Series> regressors{Series(frames.size(), 1.0)};
  const auto state = [&](std::size_t joint) {
    Series q;
    double last = 0;
    for (const std::size_t t : frames) {
      const auto& at = discovery.joints[joint].states[t];
      last = at && at->size() == 1 ? (*at)[0] : last;
      q.push_back(last);
    }
    return q;
  };
  regressors.push_back(state(own));
  Series squared = regressors.back();
  for (double& q : squared) q *= q;
  regressors.push_back(squared);
  for (std::size_t k = 0; k < discovery.joints.size(); ++k)
    if (k != own && is_simple_joint(discovery.joints[k])) regressors.push_back(state(k));
  std::vector<Series> basis;
  for (Series& x : regressors) {
    const double before = dot(x, x);
    for (const Series& unit : basis) take_off(x, unit);
    const double length = std::sqrt(dot(x, x));
    if (!(length > 1e-6 * std::sqrt(before))) continue;
    for (double& value : x) value /= length;
    for (Series& e : left) take_off(e, x);
    basis.push_back(std::move(x));
  }
}

LeftMotion summary(std::array<Series, 6>& left) {
  LeftMotion result;
  const double n = static_cast<double>(left[0].size());
  for (int half = 0; half < 2; ++half) {
    double squared = 0;
    for (int k = 3 * half; k < 3 * half + 3; ++k) squared += dot(left[k], left[k]) / (3 * n);
    (half == 0 ? result.angle : result.position) = std::sqrt(squared);
    if (!(squared > 0)) continue;
    for (int k = 3 * half; k < 3 * half + 3; ++k)
      for (double& e : left[k]) e /= std::sqrt(squared);
  }
  constexpr double kForgotten = 0.1;
  for (std::size_t lag = 1; lag < left[0].size() / 4; ++lag) {
    double sum = 0;
    for (const Series& e : left)
      for (std::size_t i = lag; i < e.size(); ++i) sum += e[i] * e[i - lag];
    const double correlation = sum / (6 * n);
    if (lag == 1) result.correlation = correlation;
    if (correlation < kForgotten) break;
    result.frames += 2 * correlation;
  }
  return result;
}

std::optional<LeftMotion> left_motion(const Discovery& discovery, std::size_t which) {
  constexpr std::size_t kLeast = 40;  // frames: ten times the regressors
  const DiscoveredJoint& joint = discovery.joints[which];
  std::vector<std::size_t> frames;
  for (std::size_t t = 0; t < discovery.times.size(); ++t)
    if (joint.states[t] && discovery.tracks.parts[joint.parent].X_WP[t] &&
        discovery.tracks.parts[joint.child].X_WP[t])
      frames.push_back(t);
  if (frames.size() < kLeast) return std::nullopt;
  std::array<Series, 6> left;
  frames = frames_near(discovery, joint, frames, left);
  if (frames.size() < kLeast) return std::nullopt;
  take_off_states(discovery, which, frames, left);
  return summary(left);
}

double median(Series values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

}  // namespace

std::vector<std::string> motion_of_unseen_parts(const Discovery& discovery) {
  // Chosen on arms of four hinges before a camera, at 10 to 30 frames a second, with and without a marker between two of them. What hinges leave is forgotten in up
  // to 2.5 times the frames of the others, that of pairs of hinges in 3.5 times and more, with correlations above 0.65; it is 1.3 to 3 times as much.
  constexpr double kCorrelated = 0.6, kLonger = 3.0, kMore = 1.2;
  constexpr double kMatters = 0.5;  // [noise] of a pose; what rounding leaves is less
  std::vector<std::optional<LeftMotion>> left;
  for (std::size_t k = 0; k < discovery.joints.size(); ++k)
    left.push_back(is_simple_joint(discovery.joints[k]) ? left_motion(discovery, k) : std::nullopt);
  std::vector<std::string> result(left.size());
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (!left[k] || left[k]->correlation < kCorrelated) continue;
    if (left[k]->position < kMatters * discovery.noise.position &&
        left[k]->angle < kMatters * discovery.noise.angle)
      continue;
    Series frames, sizes;
    for (std::size_t other = 0; other < left.size(); ++other)
      if (other != k && left[other]) {
        frames.push_back(left[other]->frames);
        sizes.push_back(left[other]->position * left[other]->angle);
      }
    if (frames.empty() || left[k]->frames < kLonger * median(frames) ||
        left[k]->position * left[k]->angle < kMore * kMore * median(sizes))
      continue;
    char text[240];
    std::snprintf(
        text, sizeof text,
        "what a %s joint leaves (%.3g mm, %.3g deg) changes as slowly as parts move, and no other joint "
        "leaves such: a part between them may not be seen",
        to_string(discovery.joints[k].joint.type), 1e3 * left[k]->position, math::degrees(left[k]->angle));
    result[k] = text;
  }
  return result;
}

}  // namespace prehend::articulation
