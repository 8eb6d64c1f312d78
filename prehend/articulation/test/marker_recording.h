// Recordings of square markers as a webcam sees them on arms, cupboards and chains: 30 Hz, poses lost, noise that is worse along the line of sight and
// in tilt, errors that change slowly or follow the motion, mirror flips. Sizes are those measured on recordings of an arm with five markers.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <prehend/articulation/discovery.h>
#include <prehend/articulation/simulated/object_motion.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation::testing {

using model::JointType;

enum class ObjectKind { arm, chain, cupboard };
inline constexpr std::array kKinds{ObjectKind::arm, ObjectKind::chain, ObjectKind::cupboard};
inline constexpr std::array kKindNames{"arm of four hinges", "chain of hinges and slides", "cupboard"};

// Part k + 1 hangs on part parents[k].
struct Mechanism {
  std::vector<int> parents;
  std::vector<Joint> joints;
  std::vector<double> ranges;
  math::Pose X_CB;  // of the first part in the camera
};

struct Recording {
  model::PoseLog log;
  Mechanism truth;
  int flips{0};
};

// A marker's frame at `p` in the camera's frame, seen `tilt` from head-on: its z towards the camera.
inline math::Pose facing(const Eigen::Vector3d& p, double tilt, math::RandomStream& random) {
  const Eigen::Vector3d back = -p.normalized(), side = back.cross(random.unit_vector()).normalized();
  const Eigen::Vector3d z = math::exp_so3(Eigen::Vector3d(tilt * side)) * back;
  const Eigen::Vector3d x = z.cross(random.unit_vector()).normalized();
  Eigen::Matrix3d R;
  R << x, z.cross(x), z;
  return math::Pose(R, p);
}

// Axes of hinges lie near the line of sight, as markers could not be seen all the time otherwise; one in four of chains' and cupboards' lies across.
inline Mechanism mechanism(ObjectKind kind, math::RandomStream& random) {
  Mechanism result;
  const int joints = kind == ObjectKind::arm     ? 4
                     : kind == ObjectKind::chain ? 2 + static_cast<int>(random.below(4))
                                                 : 2 + static_cast<int>(random.below(3));
  const double distance = random.uniform(0.6, 1.2);
  std::vector<math::Pose> X_CP{facing({random.uniform(-0.2, 0.0), random.uniform(-0.1, 0.1), distance},
                                      random.uniform(0.12, 0.4), random)};
  result.X_CB = X_CP.front();
  for (int k = 0; k < joints; ++k) {
    const int parent = kind == ObjectKind::cupboard ? 0 : k;
    const bool slides = kind != ObjectKind::arm && random.uniform(0, 1) < 0.4;
    const bool across = !slides && kind != ObjectKind::arm && random.uniform(0, 1) < 0.25;
    const double spacing =
        kind == ObjectKind::cupboard ? random.uniform(0.15, 0.35) : random.uniform(0.07, 0.2);
    const double way = random.uniform(-0.9, 0.9) + (kind == ObjectKind::cupboard ? 1.5 * k : 0.0);
    const Eigen::Vector3d p = X_CP[parent].p() + spacing * Eigen::Vector3d(std::cos(way), std::sin(way), 0) +
                              Eigen::Vector3d(0, 0, random.uniform(-0.03, 0.03));
    const math::Pose X = facing(p, random.uniform(0.12, 0.4), random);
    const Eigen::Vector3d sight = p.normalized();
    Eigen::Vector3d axis = sight;
    if (across || slides) axis = sight.cross(random.unit_vector()).normalized();
    axis = math::exp_so3(
               Eigen::Vector3d(random.uniform(0, 0.35) * axis.cross(random.unit_vector()).normalized())) *
           axis;
    // The axis passes between the two markers.
    const Eigen::Vector3d anchor =
        X_CP[parent].p() + random.uniform(0.3, 0.7) * (p - X_CP[parent].p()) + 0.02 * random.normal3();
    Eigen::Matrix3d R;
    const Eigen::Vector3d x = axis.cross(random.unit_vector()).normalized();
    R << x, axis.cross(x), axis;
    const math::Pose X_CJ(R, anchor);
    result.joints.push_back({slides ? JointType::prismatic : JointType::revolute,
                             X_CP[parent].inverse() * X_CJ, X.inverse() * X_CJ, 0});
    result.ranges.push_back(slides   ? random.uniform(0.1, 0.3)
                            : across ? random.uniform(0.6, 0.9)
                                     : random.uniform(0.6, 2.0));
    result.parents.push_back(parent);
    X_CP.push_back(X);
  }
  return result;
}

// Numbers of one marker; standard deviations [m, rad].
struct MarkerErrors {
  double sideways, depth, normal, tilt;       // new in every frame
  double slow_position, slow_tilt, memory;    // slow; half follows the motion, half wanders
  double flipped;                             // share of the frames
  Eigen::Vector3d wander_p, wander_a, phase;  // state
  std::array<Eigen::Vector3d, 2> bend_p, bend_a;
  Eigen::Vector3d worse;  // factors of tilt
};

// Slow errors as above, or none: noise that is new in every frame, and ten times worse in depth and about one axis of the marker.
enum class ErrorKind { slow, fresh };
inline constexpr std::array kErrorNames{"slow errors", "fresh errors"};

inline MarkerErrors marker_errors(ErrorKind kind, math::RandomStream& random) {
  MarkerErrors e;
  e.sideways = random.uniform(0.1e-3, 0.6e-3);
  e.depth = random.uniform(1e-3, 3e-3);
  e.normal = 0.1 * kDegree;
  e.tilt = random.uniform(0.2, 0.6) * kDegree;
  // Two markers together leave 3 to 10 mm.
  e.slow_position = random.uniform(2e-3, 6.5e-3) / std::sqrt(3.0);
  e.slow_tilt = random.uniform(0.3, 1.2) * kDegree;
  e.memory = 1 - 1 / random.uniform(5, 60);
  e.flipped = random.uniform(0, 1) < 0.5 ? random.uniform(0, 0.12) : 0.0;
  e.wander_p = random.normal3();
  e.wander_a = random.normal3();
  for (int k = 0; k < 2; ++k) e.bend_p[k] = random.normal3(), e.bend_a[k] = random.normal3();
  e.worse = Eigen::Vector3d::Ones();
  if (kind == ErrorKind::fresh) {
    e.slow_position = e.slow_tilt = 0;
    e.worse[0] = random.uniform(3, 10);
  }
  return e;
}

// States over time: two sines each, or one joint after the other; in [0, 1].
inline double moved(int joint, int joints, bool in_turn, double s, const Eigen::Vector4d& draw) {
  if (!in_turn) return 0.5 + 0.3 * std::sin(draw[0] + draw[1] * s) + 0.2 * std::sin(draw[2] + draw[3] * s);
  // Twice, so that every joint moves where an end is cut.
  const double u = std::clamp(std::fmod(2 * s, 1.0) * joints - joint, 0.0, 1.0);
  return 0.5 * (1 - std::cos(2 * M_PI * u));
}

inline Recording recording(ObjectKind kind, ErrorKind error_kind, math::RandomStream& random) {
  Recording result;
  result.truth = mechanism(kind, random);
  const int parts = static_cast<int>(result.truth.joints.size()) + 1;
  const int frames = 300 + static_cast<int>(random.below(500));
  const bool in_turn = random.uniform(0, 1) < 0.4,
             carried = kind != ObjectKind::cupboard && random.uniform(0, 1) < 0.3;
  std::vector<MarkerErrors> errors;
  std::vector<Eigen::Vector4d> draws;
  std::vector<std::vector<int>> lost(parts);
  for (int k = 0; k < parts; ++k) {
    result.log.parts.push_back("part" + std::to_string(k));
    errors.push_back(marker_errors(error_kind, random));
    draws.emplace_back(random.uniform(0, 6), random.uniform(6, 30), random.uniform(0, 6),
                       random.uniform(6, 40));
    for (int n = static_cast<int>(random.below(6)); n > 0; --n)
      lost[k].push_back(static_cast<int>(random.below(frames)));
  }
  std::vector<int> flip_left(parts, 0);
  for (int i = 0; i < frames; ++i) {
    const double s = static_cast<double>(i) / frames;
    std::vector<math::Pose> X{result.truth.X_CB};
    if (carried)
      X[0] =
          math::Pose::translation(Eigen::Vector3d(0.03 * std::sin(5 * s), 0.04 * std::sin(7 * s), 0)) * X[0];
    for (int k = 0; k + 1 < parts; ++k)
      X.push_back(X[result.truth.parents[k]] *
                  result.truth.joints[k].forward(State::Constant(
                      1, result.truth.ranges[k] * (moved(k, parts - 1, in_turn, s, draws[k]) - 0.5))));
    for (int k = 0; k < parts; ++k) {
      MarkerErrors& e = errors[k];
      const double f = std::sqrt(1 - e.memory * e.memory);
      e.wander_p = e.memory * e.wander_p + f * random.normal3();
      e.wander_a = e.memory * e.wander_a + f * random.normal3();
      // What follows the motion: by the state of its own joint and where the marker is in the picture.
      const double q = k > 0 ? moved(k - 1, parts - 1, in_turn, s, draws[k - 1]) - 0.5 : 0.0;
      const double at = 3 * (X[k].p()[0] + X[k].p()[1]);
      const Eigen::Vector3d follows_p = std::sin(4 * q) * e.bend_p[0] + std::sin(2 + at) * e.bend_p[1];
      const Eigen::Vector3d follows_a = std::sin(4 * q) * e.bend_a[0] + std::sin(2 + at) * e.bend_a[1];
      const Eigen::Vector3d v = X[k].p().normalized();
      Eigen::Vector3d shift = e.slow_position * M_SQRT1_2 * (e.wander_p + M_SQRT1_2 * follows_p);
      shift += e.sideways * random.normal3() + e.depth * random.normal() * v;
      Eigen::Vector3d turn = e.slow_tilt * M_SQRT1_2 * (e.wander_a + M_SQRT1_2 * follows_a);
      turn += e.tilt / std::sqrt(e.worse[0]) * e.worse.cwiseProduct(random.normal3());
      turn[2] = e.normal * random.normal();  // the marker's normal is its z
      math::Pose seen(X[k].q() * math::exp_so3(turn), X[k].p() + shift);
      // A flip lasts for some frames, and happens the more easily the less the marker is tilted.
      const double tilt = std::acos(std::clamp(-v.dot(seen.R().col(2)), -1.0, 1.0));
      if (flip_left[k] > 0)
        --flip_left[k];
      else if (random.uniform(0, 1) < e.flipped / 3 * std::clamp(1.5 - tilt / 0.4, 0.0, 1.5))
        flip_left[k] = 1 + static_cast<int>(random.below(5));
      if (flip_left[k] > 0) seen = flipped_pose(seen), ++result.flips;
      if (std::ranges::find(lost[k], i) != lost[k].end()) continue;
      result.log.rows.push_back(
          {i / 30.0, k, seen.p(), seen.q(), 2 + static_cast<int>(result.log.rows.size())});
    }
  }
  result.log.columns = {"t", "part", "x", "y", "z", "qw", "qx", "qy", "qz"};
  return result;
}

inline constexpr std::array kVariants{
    "whole",         "first 10 % cut",     "first 20 % cut", "first 30 % cut",
    "last 10 % cut", "last 20 % cut",      "last 30 % cut",  "both ends 15 % cut",
    "every second",  "every other second", "5 % dropped"};

inline model::PoseLog variant(const model::PoseLog& log, std::size_t which, math::RandomStream random) {
  model::PoseLog result = log;
  result.rows.clear();
  const double end = log.rows.back().t;
  constexpr std::array kFrom{0.0, 0.1, 0.2, 0.3, 0.0, 0.0, 0.0, 0.15, 0.0, 0.0, 0.0};
  constexpr std::array kTo{1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.7, 0.85, 1.0, 1.0, 1.0};
  std::map<long, bool> dropped;
  for (const model::PoseRow& row : log.rows) {
    const long frame = std::lround(row.t * 30);
    if (row.t < kFrom[which] * end || row.t > kTo[which] * end) continue;
    if ((which == 8 && frame % 2 == 1) || (which == 9 && frame % 2 == 0)) continue;
    if (which == 10) {
      if (!dropped.contains(frame)) dropped[frame] = random.uniform(0, 1) < 0.05;
      if (dropped[frame]) continue;
    }
    result.rows.push_back(row);
  }
  return result;
}

inline bool is_right(const Discovery& found, const Mechanism& truth) {
  if (found.groups.size() != truth.joints.size() + 1 || !found.loops.empty()) return false;
  for (const DiscoveredJoint& joint : found.joints)
    if (truth.parents[joint.child - 1] != joint.parent ||
        joint.joint.type != truth.joints[joint.child - 1].type)
      return false;
  return found.joints.size() == truth.joints.size();
}

}  // namespace prehend::articulation::testing
