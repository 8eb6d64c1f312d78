// What the user asked of a pose, beyond that it holds: region, keep-out boxes, upright, clearance, the way in, free grasps.
#pragma once

#include <vector>

#include <prehend/geometry/proximity.h>
#include <prehend/placement/planning/verdict.h>
#include <prehend/placement/verify/object_contacts.h>

namespace prehend::placement {

class Wishes {
 public:
  explicit Wishes(const Problem& problem);
  // Those that need no contacts: upright, region, keep-out.
  Rejection of_pose(const math::Pose& X_WO) const;
  // Those about neighbours, given which bodies are touched: touch, clearance, approach.
  Rejection of_neighbours(const math::Pose& X_WO, const std::vector<bool>& touched,
                          const ObjectContactSearch& search) const;
  // Numbers of the grasps whose gripper penetrates no other body.
  std::vector<int> free_grasps(const math::Pose& X_WO) const;

 private:
  struct Obstacle {
    const PreparedGeom* geom;
    geometry::ProximityShape shape;
    geometry::Aabb box_W;
    double facet_depth;  // [m]
  };
  bool way_is_free(const math::Pose& X_WO, const std::vector<bool>& touched) const;
  bool clears(const geometry::TriangleMesh& mesh_W, double own_depth, const std::vector<bool>* touched) const;

  const Problem& problem_;
  std::vector<Obstacle> obstacles_;  // made where a wish needs them
};

// [m] How far the object reaches along d_W at a pose.
double reach(const Problem& problem, const math::Pose& X_WO, const Eigen::Vector3d& d_W);

}  // namespace prehend::placement
