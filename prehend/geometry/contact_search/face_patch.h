// Contact over an area: what of it lies within the tolerance, and the patch that it makes. The gap between the two surfaces is linear over the
// plane of the contact.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include <prehend/geometry/contact_patch.h>
#include <prehend/geometry/polygon2.h>

namespace prehend::geometry {

// Where surfaces that are gap_at(x) apart [m] are within `tolerance` [m] of each other.
template <class Gap>
Polygon2 part_within(const Polygon2& area, const Gap& gap_at, double tolerance) {
  const double gap_0 = gap_at(Eigen::Vector2d::Zero());
  const Eigen::Vector2d slope(gap_at(Eigen::Vector2d::UnitX()) - gap_0,
                              gap_at(Eigen::Vector2d::UnitY()) - gap_0);
  const Polygon2 near = clip_to_half_plane(area, slope, tolerance - gap_0);
  return near.is_empty() ? near : clip_to_half_plane(near, -slope, tolerance + gap_0);
}

// `lift` takes a point of the plane to the middle between the surfaces.
template <class Gap, class Lift>
ContactPatch face_patch(const Polygon2& area, const Eigen::Vector3d& n, const Gap& gap_at, const Lift& lift) {
  ContactPatch patch;
  patch.kind = ContactKind::face;
  patch.n_W = n;
  patch.area_m2 = geometry::area(area);
  patch.gap_min_m = std::numeric_limits<double>::infinity();
  patch.gap_max_m = -patch.gap_min_m;
  for (const Loop2& loop : area.loops) {
    std::vector<Eigen::Vector3d>& points = patch.loops_W.emplace_back();
    for (const Eigen::Vector2d& x : loop) {
      points.push_back(lift(x));
      patch.gap_min_m = std::min(patch.gap_min_m, gap_at(x));
      patch.gap_max_m = std::max(patch.gap_max_m, gap_at(x));
    }
  }
  return patch;
}

}  // namespace prehend::geometry
