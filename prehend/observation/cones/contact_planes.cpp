#include <algorithm>
#include <optional>

#include <Eigen/Geometry>

#include <prehend/observation/cones/contact_planes.h>

namespace prehend::observation {

using Eigen::Vector3d;
using math::Vector6d;

namespace {

// [of the contacts' radius] Points that are farther off the line through two of them are contacts of their own, for no two planes hold them all. As
// `FreedomOptions::tolerance`.
constexpr double kOffLine = 1e-5;

// The ends of a contact along a line, counted from `first`; none where its points are on no line.
std::optional<std::pair<std::size_t, std::size_t>> ends_of(const Contact& contact, std::size_t first,
                                                           double radius) {
  const std::vector<Vector3d>& points = contact.points_W;
  std::pair<std::size_t, std::size_t> ends{0, 1};
  double farthest = -1.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const double distance = (points[i] - points[j]).norm();
      if (distance <= farthest) continue;
      farthest = distance;
      ends = {i, j};
    }
  }
  const Vector3d along = (points[ends.second] - points[ends.first]).normalized();
  for (const Vector3d& point : points)
    if (along.cross(point - points[ends.first]).norm() > kOffLine * radius) return std::nullopt;
  return std::pair{first + ends.first, first + ends.second};
}

}  // namespace

ContactPlanes::ContactPlanes(const ContactRelation& relation) : ordinary(0, 6) {
  std::size_t points = 0;
  for (const Contact& contact : relation.contacts) {
    for (const Vector3d& point : contact.points_W) {
      // A running mean: sums of coordinates far from the origin would round.
      centre_W += (point - centre_W) / static_cast<double>(++points);
    }
  }
  double radius = 0.0;
  for (const Contact& contact : relation.contacts)
    for (const Vector3d& point : contact.points_W) radius = std::max(radius, (point - centre_W).norm());
  // Points that coincide, to what single precision resolves at their place, have no size of their own.
  constexpr double kSamePlace = 1e-6, kNowhere = 1e-12;
  if (radius > kSamePlace * centre_W.norm() && radius > kNowhere) length = radius;

  for (const Contact& contact : relation.contacts) {
    for (const Vector3d& point : contact.points_W) {
      Rows rows(static_cast<Eigen::Index>(contact.normals_W.size()), 6);
      for (std::size_t j = 0; j < contact.normals_W.size(); ++j) {
        const Vector3d n = contact.normals_W[j].normalized(), p = (point - centre_W) / length;
        rows.row(static_cast<Eigen::Index>(j)) << p.cross(n).transpose(), n.transpose();
      }
      if (contact.is_singular()) {
        singular.push_back(rows);
      } else {
        ordinary.conservativeResize(ordinary.rows() + 1, Eigen::NoChange);
        ordinary.bottomRows(1) = rows;
      }
    }
    if (!contact.is_singular() || contact.points_W.size() < 2) continue;
    if (const auto ends = ends_of(contact, singular.size() - contact.points_W.size(), length))
      singular_lines.push_back(*ends);
  }
}

Rows ContactPlanes::all() const {
  Rows rows = ordinary;
  for (const Rows& planes : singular) {
    rows.conservativeResize(rows.rows() + planes.rows(), Eigen::NoChange);
    rows.bottomRows(planes.rows()) = planes;
  }
  return rows;
}

Vector6d ContactPlanes::scaled(const Vector6d& screw_W) const {
  const Vector3d w = screw_W.head<3>();
  Vector6d screw;
  screw << length * w, screw_W.tail<3>() + w.cross(centre_W);
  return screw;
}

Vector6d ContactPlanes::unscaled(const Vector6d& screw) const {
  Vector3d w = screw.head<3>() / length, v = screw.tail<3>() - w.cross(centre_W);
  // Rounding of the scaled unit screw: below it there is no rotation.
  constexpr double kNone = 1e-12;
  if (screw.head<3>().norm() <= kNone * screw.norm()) {
    w.setZero();
    v = screw.tail<3>();
  }
  Vector6d screw_W;
  screw_W << w, v;
  screw_W /= w.isZero(0.0) ? v.norm() : w.norm();
  // Numbers that are only rounding are written as the zeros they stand for.
  const double largest = screw_W.cwiseAbs().maxCoeff();
  return (screw_W.array().abs() > kNone * largest).select(screw_W, 0.0);
}

}  // namespace prehend::observation
