// Is a push one that somebody could give? On a body that may move, at its surface, in some direction.
//
// Off the surface means farther than ten times the contact tolerance: a point that a user read off a drawing or a
// camera is on it, one in the wrong unit or frame is not. Round shapes are polyhedra inside the true shape, and get a
// hundredth of their body's size on top.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <prehend/geometry/triangle_tree.h>
#include <prehend/stability/push.h>

namespace prehend::stability {

class PushCheck {
 public:
  // The scene must outlive the check. `contact_tolerance` [m].
  PushCheck(const model::Scene& scene, double contact_tolerance);
  ~PushCheck();

  // A sentence that says what is wrong; empty when nothing is. The first push on a body costs a tree over its surface.
  std::string problem(const Push& push);

 private:
  struct Surface {
    geometry::TriangleTree tree;  // in the body's frame
    double tolerance;             // [m]
  };
  const Surface* surface(model::BodyIndex body);

  const model::Scene& scene_;
  std::vector<int> groups_;  // by body; 0: fixed
  double contact_tolerance_;
  std::map<int, std::unique_ptr<Surface>> surfaces_;
};

}  // namespace prehend::stability
