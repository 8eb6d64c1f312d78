#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/math/interrupt.h>
#include <prehend/placement/search/seat.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Cosines of angles between faces that are the same: over a metre, faces that are flush to a tenth of what a placement may miss by.
constexpr double kSameSeatAngle = 1e-7;
// Pairs of planes more parallel than this (sine) have no common line worth the name.
constexpr double kLeastTurn = 0.1;
// A wall that carries no weight helps only where it covers a whole face: that face cannot be pushed then. As verify/ counts it.
constexpr double kWhollySeated = 1.0 - 1e-4;
// Cosine to the vertical below which a face counts as a wall.
constexpr double kWall = 0.02;
// [m] Kept off the second plane, so that rounding does not penetrate: far below what counts as touching.
constexpr double kOffSeat = 4e-9;
// Pairs of planes and of faces that are looked at.
constexpr std::size_t kMostMatches = 2000;
// Slopes that the object slides down, largest first, and its faces that it slides on, steadiest first.
constexpr std::size_t kMostSlopes = 4, kMostSliding = 3;

Eigen::AlignedBox3d box_of(const SupportPlane& plane) {
  Eigen::AlignedBox3d box;
  for (const SupportRegion& region : plane.regions) {
    for (const Vector2d& c : region.corners) box.extend(plane.lifted(c));
  }
  return box;
}

// [m] How far the regions of a plane reach in front of another.
double rises(const SupportPlane& plane, const SupportPlane& over) {
  double most = -std::numeric_limits<double>::infinity();
  for (const SupportRegion& region : plane.regions) {
    for (const Vector2d& c : region.corners) most = std::max(most, over.n.dot(plane.lifted(c)) - over.d);
  }
  return most;
}

// Whether forces in both friction cones can sum to the vertical: the cone over a ball about each normal is its friction cone, and the hull of two
// balls is the union of those between them.
bool carries_together(const SupportPlane& a, const SupportPlane& b, const Vector3d& up) {
  const auto radius = [](double mu) { return mu / std::sqrt(1.0 + mu * mu); };
  constexpr int kSteps = 64;
  for (int k = 0; k <= kSteps; ++k) {
    const double s = static_cast<double>(k) / kSteps;
    const Vector3d centre = (1.0 - s) * a.n + s * b.n;
    if (up.dot(centre) > 0.0 && up.cross(centre).norm() <= (1.0 - s) * radius(a.mu) + s * radius(b.mu) + 1e-3)
      return true;
  }
  return false;
}

// [m^2] Of a polygon in a plane that its regions cover.
double covered(const Corners2& polygon, const SupportPlane& plane) {
  double sum = 0.0;
  for (const SupportRegion& region : plane.regions) sum += area2(clip2(polygon, region.corners));
  return sum;
}

// The face's pieces as they lie in a plane.
double covered(const RestingFace& face, const math::Pose& X_WO, const SupportPlane& plane, double& whole) {
  double sum = 0.0;
  for (const Corners2& feature : face.features) {
    if (feature.size() < 3) continue;
    Corners2 placed;
    for (const Vector2d& c : feature)
      placed.push_back(plane.flat(X_WO * (c.x() * face.u_O + c.y() * face.v_O + face.d * face.n_O)));
    placed = hull2(std::move(placed));
    whole += area2(placed);
    sum += covered(placed, plane);
  }
  return sum;
}

}  // namespace

Seats::Seats(const Problem& problem, Parts& parts, const LoadPolygons& loads,
             const std::vector<RestingFace>& faces, const SeatOptions& options)
    : problem_(problem),
      parts_(parts),
      loads_(loads),
      faces_(faces),
      most_(options.most),
      planes_(upward_planes(problem)) {
  std::vector<Eigen::AlignedBox3d> boxes;
  for (const SupportPlane& plane : planes_) boxes.push_back(box_of(plane));
  const double size = parts.object_size();
  for (std::size_t i = 0; i < planes_.size() && matches_.size() < kMostMatches; ++i) {
    math::check_interrupt();
    for (std::size_t j = i + 1; j < planes_.size() && matches_.size() < kMostMatches; ++j) {
      const bool is_flatter = planes_[i].n.dot(problem.up_W) >= planes_[j].n.dot(problem.up_W);
      const SupportPlane& support = planes_[is_flatter ? i : j];
      const SupportPlane& wall = planes_[is_flatter ? j : i];
      if (support.n.dot(problem.up_W) < kWall || support.n.cross(wall.n).norm() < kLeastTurn) continue;
      if (boxes[i].squaredExteriorDistance(boxes[j]) > size * size) continue;
      // In front of each other: otherwise their edge is convex, and nothing convex lies on both.
      if (rises(wall, support) < 1e-6 || rises(support, wall) < 1e-6 ||
          !carries_together(support, wall, problem.up_W))
        continue;
      match(support, wall);
      lay_round(support, wall);
    }
  }
  std::size_t slopes = 0;
  for (std::size_t i = 0; options.slides && i < planes_.size() && slopes < kMostSlopes; ++i)
    slopes += slide_down(planes_[i]) ? 1 : 0;
  std::stable_sort(matches_.begin(), matches_.end(),
                   [](const Match& a, const Match& b) { return a.touching > b.touching; });
}

void Seats::match(const SupportPlane& support, const SupportPlane& wall) {
  const double cosine = support.n.dot(wall.n);
  const bool is_wall = wall.n.dot(problem_.up_W) < kWall;
  const Vector2d slope = support.flat(wall.n);  // in the support's plane, towards the object
  const Vector2d along(-slope.y() / slope.norm(), slope.x() / slope.norm());
  const auto reach = [&](const SupportPlane& plane) {
    std::pair range(std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity());
    for (const SupportRegion& region : plane.regions) {
      for (const Vector2d& c : region.corners) {
        const double s = along.dot(support.flat(plane.lifted(c)));
        range = {std::min(range.first, s), std::max(range.second, s)};
      }
    }
    return range;
  };
  const auto own = reach(support), other = reach(wall);
  const double low = std::max(own.first, other.first), high = std::min(own.second, other.second);
  if (!(low < high)) return;
  const Vector3d com = problem_.body().inertia.com;
  for (const RestingFace& face : faces_) {
    for (const RestingFace& side : faces_) {
      if (std::abs(face.n_O.dot(side.n_O) - cosine) > kSameSeatAngle) continue;
      Match found;
      found.slot = {&support, &face, 0.0, -1, &wall};
      const Vector2d faces = support.flat(face.orientation(support.n, support.u, 0.0) * side.n_O);
      found.slot.yaw = std::atan2(-slope.y(), -slope.x()) - std::atan2(faces.y(), faces.x());
      const Eigen::Matrix3d R = face.orientation(support.n, support.u, found.slot.yaw);
      const Vector3d z = R * Vector3d::UnitZ();
      if (problem_.options.upright &&
          std::acos(std::clamp(z.dot(problem_.up_W), -1.0, 1.0)) > *problem_.options.upright + 1e-6)
        continue;
      // wall.n . p = wall.d + side.d, with p = lifted(t) + face.d n.
      const double level = wall.d + side.d + kOffSeat - (support.d + face.d) * cosine;
      found.t0 = level / slope.squaredNorm() * slope;
      found.along = along;
      const double at = along.dot(support.flat(R * com));  // of the centre of mass at t0
      found.t0 += (0.5 * (low + high) - at) * along;
      found.high = 0.5 * (high - low);
      found.low = -found.high;
      const math::Pose X_WO(R, support.lifted(found.t0) + face.d * support.n);
      double whole = 0.0, ignored = 0.0;
      const double beside = covered(side, X_WO, wall, whole);
      if (is_wall && beside < kWhollySeated * whole) continue;
      const double below = covered(face, X_WO, support, ignored);
      if (!(beside > 0.0) || !(below > 0.0)) continue;
      found.touching = beside + below;
      matches_.push_back(found);
    }
  }
}

bool Seats::slide_down(const SupportPlane& slope) {
  const double cosine = slope.n.dot(problem_.up_W), sine = std::sqrt(std::max(0.0, 1.0 - cosine * cosine));
  if (cosine < kWall || sine <= slope.mu * cosine) return false;
  const Vector2d down = -slope.flat(problem_.up_W).normalized();
  for (std::size_t f = 0; f < std::min(faces_.size(), kMostSliding); ++f) {
    for (const double side : longest_sides({&faces_[f].hull}, 2)) {
      for (const double turn :
           {0.5 * math::kPi, -0.5 * math::kPi}) {  // a long side across, one way up or the other
        const Lying lying(problem_, parts_, loads_,
                          {&slope, &faces_[f], std::atan2(down.y(), down.x()) + turn - side}, true);
        for (const SupportRegion& region : slope.regions) {
          const Vector2d middle = centroid2(region.corners) -
                                  slope.flat(lying.pose(Vector2d::Zero()) * problem_.body().inertia.com);
          const double far = (slope.flat(box_of(slope).max()) - slope.flat(box_of(slope).min())).norm() +
                             parts_.object_size();
          for (const auto& [low, high] : lying.free().stretches(middle, down, -far, far)) {
            if (high >= far || high - low < 1e-9) continue;  // nothing stops it
            poses_.push_back(lying.pose(middle + high * down));
            ++found_;
          }
        }
      }
    }
  }
  return true;
}

void Seats::lay_round(const SupportPlane& support, const SupportPlane& wall) {
  if (problem_.own.size() != 1 || !problem_.own.front().round || wall.n.dot(problem_.up_W) < kWall) return;
  const PreparedGeom& geom = problem_.own.front();
  if (geom.round->kind() != geometry::RoundKind::cylinder &&
      geom.round->kind() != geometry::RoundKind::capsule)
    return;
  const Vector3d line = support.n.cross(wall.n).normalized();
  Eigen::AlignedBox1d own, other;
  for (const auto& [plane, range] : {std::pair(&support, &own), std::pair(&wall, &other)}) {
    for (const SupportRegion& region : plane->regions) {
      for (const Vector2d& c : region.corners)
        range->extend(Eigen::Matrix<double, 1, 1>(line.dot(plane->lifted(c))));
    }
  }
  const Eigen::AlignedBox1d shared = own.intersection(other);
  if (shared.isEmpty()) return;
  // Its axis is the radius away from both planes.
  Eigen::Matrix3d rows;
  rows << support.n.transpose(), wall.n.transpose(), line.transpose();
  const double r = geom.round->size()[0];
  const Vector3d centre =
      rows.inverse() * Vector3d(support.d + r + 1e-9, wall.d + r + 1e-9, shared.center()[0]);
  for (const double sign : {1.0, -1.0}) {
    const Eigen::Quaterniond q_WG = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), sign * line);
    poses_.push_back(math::Pose(q_WG, centre) * geom.X_BG.inverse());
    ++found_;
  }
}

void Seats::open(const Match& match) {
  const Lying lying(problem_, parts_, loads_, match.slot, true);
  const auto stretches = lying.free().stretches(match.t0, match.along, match.low, match.high);
  std::vector<double> places;
  for (const auto& [low, high] : stretches) {
    if (low <= 0.0 && high >= 0.0) places.push_back(0.0);
  }
  for (const auto& [low, high] : stretches) {  // against something else at either end, and in between
    if (low > match.low) places.push_back(low);
    if (high < match.high) places.push_back(high);
    if (low > 0.0 || high < 0.0) places.push_back(0.5 * (low + high));
  }
  if (places.size() > 4) places.resize(4);
  for (const double s : places) {
    poses_.push_back(lying.pose(match.t0 + s * match.along));
    ++found_;
  }
}

std::optional<math::Pose> Seats::next() {
  while (poses_.empty() && next_match_ < matches_.size() && found_ < static_cast<long>(most_))
    open(matches_[next_match_++]);
  if (poses_.empty()) return std::nullopt;
  const math::Pose pose = poses_.front();
  poses_.pop_front();
  return pose;
}

}  // namespace prehend::placement
