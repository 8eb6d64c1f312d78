// Where a movable body can bear the object's weight: a convex polygon of a plane, by cutting planes.
//
// The points at which the scene holds a vertical load W form a convex set (mix two loads). A corner of the polygon known so far is asked; where
// the load is too much there, the limiting motion z gives a half plane W w(x) . z <= 1 that every point obeys. Ends when all corners
// hold, or after some dozen programs; the polygon then contains the set.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include <prehend/placement/search/support_plane.h>
#include <prehend/stability/limit_analysis.h>

namespace prehend::placement {

class LoadPolygons {
 public:
  explicit LoadPolygons(const Problem& problem);
  // Inside the body's regions of the plane, in its coordinates; empty: the body bears the weight nowhere. Fixed bodies bear it everywhere.
  // Found once for each body and plane; the plane must stay where it is.
  const Corners2& of(model::BodyIndex body, const SupportPlane& plane) const;

 private:
  Corners2 found(model::BodyIndex body, const SupportPlane& plane, const Corners2& outline) const;
  // Of the bodies that bear each other with this one, without the object.
  const stability::LimitAnalysis& limits_of(model::BodyIndex body) const;

  const Problem& problem_;
  std::vector<int> group_of_;  // by body
  mutable std::map<int, stability::LimitAnalysis> limits_;  // by group
  mutable std::map<std::pair<const SupportPlane*, int>, Corners2> known_;
};

}  // namespace prehend::placement
