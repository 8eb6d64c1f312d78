// A seated person as capsules, scaled by height: what the simulation touches and the controller keeps away from.
//
// In the pelvis frame P on the seat (x forward, y left, z up), for height H: shoulders (0, +-0.11 H, 0.31 H), head centre (0.02, 0, 0.44 H). The
// proportions of limbs are those commonly used for adults; hands rest on the thighs unless they are given.
#pragma once

#include <array>
#include <optional>

#include <Eigen/Core>

#include <prehend/assist/robot/capsules.h>
#include <prehend/assist/scenario.h>

namespace prehend::assist {

inline constexpr int kBodyParts = 16;

enum class BodyPart {
  torso,
  belly,
  neck,
  head,
  right_shoulder,
  left_shoulder,
  right_upper_arm,
  left_upper_arm,
  right_forearm,
  left_forearm,
  right_hand,
  left_hand,
  right_thigh,
  left_thigh,
  right_shin,
  left_shin
};
const char* to_string(BodyPart part);

struct SeatedFigure {
  std::array<Capsule, kBodyParts> parts_P;  // by BodyPart
};

// Centre of a region: a shoulder's joint, a resting hand's middle.
Eigen::Vector3d region_centre(double height_m, BodyRegion region);
Eigen::Vector3d head_centre(double height_m);
BodyPart part_of(BodyRegion region);

// `hands`: right, left, in P.
SeatedFigure seated_figure(double height_m, double seat_height_m, const std::array<Eigen::Vector3d, 2>& hands);

}  // namespace prehend::assist
