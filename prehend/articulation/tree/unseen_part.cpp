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

constexpr double kNothing = 1e-9;  // [m, rad] rounding

// What a joint leaves, with what follows the states of the tree's joints taken off.
struct UnseenMotion {
  double position{0}, angle{0};  // [m, rad] root mean square per axis
  double correlation{0};         // from frame to frame
  double frames{1};              // in which it is forgotten
};

bool is_simple_joint(const DiscoveredJoint& joint) {
  return joint.joint.type == JointType::prismatic || joint.joint.type == JointType::revolute;
}

// Two parts, and how the moving one should lie in the other at a frame.
struct Pair {
  const PartTrack &fixed, &moving;
  const DiscoveredJoint* joint;  // null: rigid
  math::Pose X_FM;               // then
};

math::Vector6d left_at(const Pair& pair, std::size_t t) {
  const math::Pose X = pair.fixed.X_WP[t]->inverse() * *pair.moving.X_WP[t];
  const math::Pose Y = pair.joint ? pair.joint->joint.forward(*pair.joint->states[t]) : pair.X_FM;
  math::Vector6d e;
  e << math::log_so3(Y.q().conjugate() * X.q()), Y.q().conjugate() * (X.p() - Y.p());
  return e;
}

std::vector<std::size_t> frames_of_pair(const Pair& pair) {
  std::vector<std::size_t> frames;
  for (std::size_t t = 0; t < pair.fixed.X_WP.size(); ++t)
    if (pair.fixed.X_WP[t] && pair.moving.X_WP[t] && (!pair.joint || pair.joint->states[t]))
      frames.push_back(t);
  return frames;
}

// Frames of far more than is usual are left out: flipped markers.
std::vector<std::size_t> frames_near(const Pair& pair, const std::vector<std::size_t>& frames,
                                     std::array<Series, 6>& left) {
  constexpr double kFarOut = 4.0;  // times the median
  std::vector<math::Vector6d> all;
  for (const std::size_t t : frames) all.push_back(left_at(pair, t));
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
void take_off_states(const Discovery& discovery, const DiscoveredJoint* own,
                     const std::vector<std::size_t>& frames, std::array<Series, 6>& left) {
  std::vector<Series> regressors{Series(frames.size(), 1.0)};
  const auto state = [&](const DiscoveredJoint& joint) {
    Series q;
    double last = 0;
    for (const std::size_t t : frames) {
      const auto& at = joint.states[t];
      last = at && at->size() == 1 ? (*at)[0] : last;
      q.push_back(last);
    }
    return q;
  };
  for (const DiscoveredJoint& joint : discovery.joints) {
    if (!is_simple_joint(joint)) continue;
    regressors.push_back(state(joint));
    if (&joint != own) continue;
    Series squared = regressors.back();
    for (double& q : squared) q *= q;
    regressors.push_back(squared);
  }
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

UnseenMotion summary(std::array<Series, 6>& left) {
  UnseenMotion result;
  const double n = static_cast<double>(left[0].size());
  int directions = 0;  // a spherical joint leaves no turns
  for (int half = 0; half < 2; ++half) {
    double squared = 0;
    for (int k = 3 * half; k < 3 * half + 3; ++k) squared += dot(left[k], left[k]) / (3 * n);
    (half == 0 ? result.angle : result.position) = std::sqrt(squared);
    if (!(std::sqrt(squared) > kNothing)) continue;
    directions += 3;
    for (int k = 3 * half; k < 3 * half + 3; ++k)
      for (double& e : left[k]) e /= std::sqrt(squared);
  }
  constexpr double kForgotten = 0.1;
  for (std::size_t lag = 1; lag < left[0].size() / 4; ++lag) {
    double sum = 0;
    for (const Series& e : left)
      for (std::size_t i = lag; i < e.size(); ++i) sum += e[i] * e[i - lag];
    const double correlation = sum / (std::max(1, directions) * n);
    if (lag == 1) result.correlation = correlation;
    if (correlation < kForgotten) break;
    result.frames += 2 * correlation;
  }
  return result;
}

enum class States { kept, taken_off };

std::optional<UnseenMotion> left_motion(const Discovery& discovery, const Pair& pair, States states) {
  constexpr std::size_t kLeast = 40;  // frames: ten times the regressors
  std::vector<std::size_t> frames = frames_of_pair(pair);
  if (frames.size() < kLeast) return std::nullopt;
  std::array<Series, 6> left;
  frames = frames_near(pair, frames, left);
  if (frames.size() < kLeast) return std::nullopt;
  if (states == States::taken_off) take_off_states(discovery, pair.joint, frames, left);
  return summary(left);
}

double median(Series values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

// Of each joint of the tree.
std::vector<std::optional<UnseenMotion>> left_by_joints(const Discovery& discovery, States states) {
  std::vector<std::optional<UnseenMotion>> left;
  for (const DiscoveredJoint& joint : discovery.joints) {
    const Pair pair{discovery.tracks.parts[joint.parent], discovery.tracks.parts[joint.child], &joint, {}};
    left.push_back(joint.joint.type != JointType::free ? left_motion(discovery, pair, states) : std::nullopt);
  }
  return left;
}

// Chosen on arms of four hinges before a camera, at 10 to 30 frames a second, with and without a marker between two of them. What hinges leave is forgotten in up
// to 2.5 times the frames of the others, that of pairs of hinges in 3.5 times and more, with correlations above 0.65; it is 1.3 to 3 times as much.
bool is_motion_beside(const UnseenMotion& one, const std::vector<const UnseenMotion*>& others,
                      const PoseNoise& noise, double correlated, double more) {
  constexpr double kLonger = 3.0;
  constexpr double kMatters = 0.5;  // [noise] of a pose; what rounding leaves is less
  if (others.empty() || one.correlation < correlated ||
      (one.position < kMatters * noise.position && one.angle < kMatters * noise.angle))
    return false;
  const bool leaves_turns = one.angle > kNothing;
  Series frames, sizes;
  for (const UnseenMotion* other : others) {
    frames.push_back(other->frames);
    sizes.push_back(other->position * (leaves_turns ? other->angle : other->position));
  }
  return one.frames >= kLonger * median(frames) &&
         one.position * (leaves_turns ? one.angle : one.position) >= more * more * median(sizes);
}

std::string in_figures(const UnseenMotion& left) {
  char text[80];
  std::snprintf(text, sizeof text, "%.3g mm, %.3g deg per axis", 1e3 * left.position,
                math::degrees(left.angle));
  return text;
}

}  // namespace

std::vector<std::string> motion_of_unseen_parts(const Discovery& discovery) {
  constexpr double kCorrelated = 0.6, kMore = 1.2;
  std::vector<std::string> result(discovery.joints.size());
  // Where nothing is slow, nothing is asked further.
  if (std::ranges::none_of(left_by_joints(discovery, States::kept),
                           [&](const auto& one) { return one && one->correlation >= kCorrelated; }))
    return result;
  const std::vector<std::optional<UnseenMotion>> left = left_by_joints(discovery, States::taken_off);
  for (std::size_t k = 0; k < left.size(); ++k) {
    std::vector<const UnseenMotion*> others;
    for (std::size_t other = 0; other < left.size(); ++other)
      if (other != k && left[other] && is_simple_joint(discovery.joints[other]))
        others.push_back(&*left[other]);
    if (left[k] && is_motion_beside(*left[k], others, discovery.noise, kCorrelated, kMore))
      result[k] = std::string("what a ") + to_string(discovery.joints[k].joint.type) + " joint leaves (" +
                  in_figures(*left[k]) +
                  ") changes as slowly as parts move, and no other joint leaves such: a part between them "
                  "may not be seen";
  }
  return result;
}

std::vector<std::string> motion_within_groups(const Discovery& discovery, const PartTracks& parts) {
  if (discovery.groups.size() == parts.parts.size()) return {};
  const std::vector<std::optional<UnseenMotion>> left = left_by_joints(discovery, States::taken_off);
  // A group has no state that would take the motion: beside errors of the same markers it is not larger, but lasts.
  constexpr double kCorrelated = 0.5, kMore = 0.8;
  std::vector<const UnseenMotion*> others;
  for (std::size_t k = 0; k < left.size(); ++k)
    if (left[k] && is_simple_joint(discovery.joints[k])) others.push_back(&*left[k]);
  std::vector<std::string> result;
  for (const RigidGroup& group : discovery.groups)
    for (std::size_t k = 1; k < group.parts.size() && group.X_GP.size() == group.parts.size(); ++k) {
      const Pair pair{parts.parts[group.parts[0]], parts.parts[group.parts[k]], nullptr,
                      group.X_GP[0].inverse() * group.X_GP[k]};
      const std::optional<UnseenMotion> one = left_motion(discovery, pair, States::taken_off);
      if (one && is_motion_beside(*one, others, discovery.noise, kCorrelated, kMore))
        result.push_back("'" + pair.moving.name + "' in '" + pair.fixed.name +
                         "': they move against each other by little (" + in_figures(*one) +
                         "), but as slowly as parts move: move that joint further, or they are one part");
    }
  return result;
}

}  // namespace prehend::articulation
