#include <algorithm>
#include <cmath>

#include <prehend/assist/person/seated_figure.h>
#include <prehend/math/enum_text.h>

namespace prehend::assist {

const char* to_string(BodyPart part) { return enum_text(part); }

Eigen::Vector3d region_centre(double H, BodyRegion region) {
  const double side = region == BodyRegion::right_shoulder || region == BodyRegion::right_hand ? -1.0 : 1.0;
  if (region == BodyRegion::right_shoulder || region == BodyRegion::left_shoulder) return {0.0, 0.11 * H * side, 0.31 * H};
  return {0.16 * H, 0.07 * H * side, 0.095 * H};
}

Eigen::Vector3d head_centre(double H) { return {0.02, 0.0, 0.44 * H}; }

BodyPart part_of(BodyRegion region) {
  switch (region) {
    case BodyRegion::right_shoulder: return BodyPart::right_shoulder;
    case BodyRegion::left_shoulder: return BodyPart::left_shoulder;
    case BodyRegion::right_hand: return BodyPart::right_hand;
    case BodyRegion::left_hand: return BodyPart::left_hand;
  }
  return BodyPart::torso;
}

SeatedFigure seated_figure(double H, double seat, const std::array<Eigen::Vector3d, 2>& hands) {
  SeatedFigure figure;
  const auto part = [&](BodyPart name) -> Capsule& { return figure.parts_P[static_cast<std::size_t>(name)]; };
  part(BodyPart::torso) = {{0, 0, 0.16 * H}, {0, 0, 0.26 * H}, 0.07 * H};
  part(BodyPart::belly) = {{0, -0.03 * H, 0.06 * H}, {0, 0.03 * H, 0.06 * H}, 0.065 * H};
  part(BodyPart::neck) = {{0, 0, 0.31 * H}, {0.01, 0, 0.37 * H}, 0.032 * H};
  part(BodyPart::head) = {head_centre(H), head_centre(H), 0.06 * H};
  for (int side = 0; side < 2; ++side) {  // right, left
    const auto of = [&](BodyPart right) -> Capsule& {
      return figure.parts_P[static_cast<std::size_t>(static_cast<int>(right) + side)];
    };
    const double y = side == 0 ? -1.0 : 1.0;
    const Eigen::Vector3d shoulder(0.0, 0.11 * H * y, 0.31 * H), hand = hands[static_cast<std::size_t>(side)];
    // Two links; the elbow hangs down and out where the arm is bent.
    const double upper = 0.172 * H, lower = 0.157 * H;
    const Eigen::Vector3d reach = hand - shoulder;
    const double length = std::min(reach.norm(), upper + lower - 1e-6);
    const Eigen::Vector3d along = reach.normalized();
    const double near = (upper * upper - lower * lower + length * length) / (2.0 * std::max(length, 1e-6));
    Eigen::Vector3d down(-0.3, 0.25 * y, -1.0);
    down = (down - down.dot(along) * along).normalized();
    const Eigen::Vector3d elbow = shoulder + near * along + std::sqrt(std::max(0.0, upper * upper - near * near)) * down;
    const Eigen::Vector3d arm = (elbow - shoulder).normalized();
    of(BodyPart::right_shoulder) = {shoulder, shoulder + 0.04 * H * arm, 0.036 * H};
    of(BodyPart::right_upper_arm) = {shoulder + 0.09 * H * arm, elbow, 0.026 * H};
    of(BodyPart::right_forearm) = {elbow, elbow + 0.72 * (hand - elbow), 0.022 * H};
    of(BodyPart::right_hand) = {hand, hand, 0.028 * H};
    const Eigen::Vector3d hip(0.02, 0.05 * H * y, 0.02 * H), knee(0.235 * H, 0.052 * H * y, 0.03 * H);
    of(BodyPart::right_thigh) = {hip, knee, 0.042 * H};
    of(BodyPart::right_shin) = {knee, {0.22 * H, 0.052 * H * y, 0.05 - seat}, 0.03 * H};
  }
  return figure;
}

}  // namespace prehend::assist
