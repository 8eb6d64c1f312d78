#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <Eigen/Geometry>

#include <prehend/articulation/evidence/camera_place.h>
#include <prehend/math/angles.h>
#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

constexpr double kDegree = math::kPi / 180;
// Of a turn from one frame to the next: beyond these it is a jump. Markers seen head-on turn by twice their tilt, 14 to 46 degrees at 7 to 23.
constexpr double kLeastJump = 5.0 * kDegree,
                 kUnusualJump = 4.0;  // [rad], times the median turn of the frames around
constexpr int kJumpsAround = 8;       // frames before and after
// The axis of a mirrored tilt lies in the marker's plane: sine of the most that it may stand out, for noise of a degree in jumps of ten.
constexpr double kOutOfPlane = 0.25;
// [rad] Between the line of sight and that of a jump: tilts are off by half a degree, of two poses.
constexpr double kMeets = 2.5 * kDegree;

// A line through the marker that the camera lies on.
struct Sight {
  Eigen::Vector3d p, direction;
};

double turn_at(const PartTrack& part, const std::vector<std::size_t>& seen, std::size_t i) {
  return part.X_WP[seen[i - 1]]->q().angularDistance(part.X_WP[seen[i]]->q());
}

void add_jumps(std::vector<Sight>& jumps, const PartTrack& part) {
  std::vector<std::size_t> seen;
  for (std::size_t t = 0; t < part.X_WP.size(); ++t)
    if (part.X_WP[t]) seen.push_back(t);
  if (seen.size() < 2 * kJumpsAround) return;
  std::vector<double> turns{0.0}, around;
  for (std::size_t i = 1; i < seen.size(); ++i) turns.push_back(turn_at(part, seen, i));
  for (std::size_t i = 1; i < seen.size(); ++i) {
    const std::size_t first = i > kJumpsAround ? i - kJumpsAround : 1,
                      last = std::min(seen.size(), i + kJumpsAround + 1);
    around.assign(turns.begin() + static_cast<std::ptrdiff_t>(first),
                  turns.begin() + static_cast<std::ptrdiff_t>(last));
    std::ranges::nth_element(around, around.begin() + static_cast<std::ptrdiff_t>(around.size() / 2));
    if (turns[i] < std::max(kLeastJump, kUnusualJump * around[around.size() / 2])) continue;
    const math::Pose &before = *part.X_WP[seen[i - 1]], &after = *part.X_WP[seen[i]];
    const Eigen::Vector3d axis = math::log_so3(after.q() * before.q().conjugate()).normalized();
    const Eigen::Vector3d middle = before.R().col(2) + after.R().col(2);
    if (std::abs(axis.dot(middle.normalized())) > kOutOfPlane) continue;
    jumps.push_back({0.5 * (before.p() + after.p()), middle.normalized()});
  }
}

bool meets(const Sight& sight, const Eigen::Vector3d& camera) {
  const Eigen::Vector3d v = sight.p - camera;
  return v.cross(sight.direction).norm() < std::sin(kMeets) * v.norm();
}

int meeting(const std::vector<Sight>& jumps, const Eigen::Vector3d& camera) {
  return static_cast<int>(
      std::ranges::count_if(jumps, [&](const Sight& sight) { return meets(sight, camera); }));
}

// Least squares of the distances to the lines; where all are parallel, far away on them.
Eigen::Vector3d meeting_point(const std::vector<Sight>& lines) {
  constexpr double kFar =
      1e-4;  // weight of the markers' mean place along all directions: keeps the place finite
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  for (const Sight& line : lines) {
    const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - line.direction * line.direction.transpose();
    A += across, b += across * line.p;
  }
  A.diagonal().array() += kFar * static_cast<double>(lines.size());
  for (const Sight& line : lines) b += kFar * line.p;
  return A.inverse() * b;
}

}  // namespace

std::optional<Eigen::Vector3d> camera_place(const PartTracks& tracks) {
  constexpr int kLeastJumps = 4;
  constexpr double kMostMeet = 0.5;       // of all jumps
  constexpr double kOrigin = 0.7;         // of the jumps that meet elsewhere: then the camera is the origin
  constexpr std::size_t kMostTried = 60;  // lines, evenly taken: their pairs are tried
  constexpr double kLeastBetween = 1.0 * kDegree, kFarAway = 100.0;  // [rad], [m]
  std::vector<Sight> jumps;
  for (const PartTrack& part : tracks.parts) add_jumps(jumps, part);
  if (static_cast<int>(jumps.size()) < kLeastJumps) return std::nullopt;
  Eigen::Vector3d best = Eigen::Vector3d::Zero();
  const int at_origin = meeting(jumps, best);
  int most = 0;
  const auto consider = [&](const Eigen::Vector3d& camera) {
    if (const int count = meeting(jumps, camera); count > most) most = count, best = camera;
  };
  const std::size_t step = jumps.size() / kMostTried + 1;
  for (std::size_t i = 0; i < jumps.size(); i += step) {
    consider(jumps[i].p - kFarAway * jumps[i].direction);
    for (std::size_t j = i + step; j < jumps.size(); j += step)
      if (jumps[i].direction.cross(jumps[j].direction).norm() > kLeastBetween)
        consider(meeting_point({jumps[i], jumps[j]}));
  }
  std::vector<Sight> met;
  for (const Sight& sight : jumps)
    if (meets(sight, best)) met.push_back(sight);
  if (!met.empty()) consider(meeting_point(met));
  if (at_origin >= kLeastJumps && at_origin >= kOrigin * most)
    return Eigen::Vector3d(Eigen::Vector3d::Zero());
  if (most < kLeastJumps || most < kMostMeet * static_cast<double>(jumps.size())) return std::nullopt;
  return best;
}

}  // namespace prehend::articulation
