// Where a movable body can bear the object's weight: a convex polygon of a plane, by cutting planes.
//
// The points at which the scene holds a vertical load W form a convex set (mix two loads). A corner of the polygon known so far is asked; where
// the load is too much there, the limiting motion z gives a half plane W w(x) . z <= 1 that every point obeys. Ends when all corners
// hold, or after some dozen programs; the polygon then contains the set.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include <prehend/placement/search/support_plane.h>
#include <prehend/stability/limit_analysis.h>

namespace prehend::placement {

class LoadPolygons {
 public:
  explicit LoadPolygons(const Problem& problem);
  // Inside `outline`, in the coordinates of the plane; empty: the body bears the weight nowhere. Fixed bodies bear it everywhere.
  Corners2 of(model::BodyIndex body, const SupportPlane& plane, const Corners2& outline) const;

 private:
  const Problem& problem_;
  std::unique_ptr<stability::LimitAnalysis> limits_;  // of the scene without the object; null: nothing in it moves
};

}  // namespace prehend::placement
