// The surface of an object with too many convex pieces, as triangles: how far each is from the parts of the scene, for descents.
//
// A triangle is a flat convex part, so distances and their rates are those of separation.h and the object keeps its true surface. Triangles stand in
// clusters of neighbours, and what a face of the scene or the triangle's own plane parts by more than the range is passed over: a step looks at a few hundred of ten thousands.
#pragma once

#include <span>
#include <vector>

#include <prehend/placement/search/separation.h>

namespace prehend::placement {

class Shell {
 public:
  // Of the object's geoms with flat faces; the scene outlives it.
  Shell(const Problem& problem, std::span<const MovedPart> scene);
  // As gap_rows() of every triangle and every part of the scene, equal rows once; `pair` tells the part of the scene and the cluster.
  double rows(const math::Pose& X_WO, const Eigen::Vector3d& centre, double range,
              std::vector<GapRow>& rows) const;

 private:
  struct Cluster {
    Eigen::Vector3d middle{Eigen::Vector3d::Zero()};  // [m] object's frame
    double radius{0.0};                               // [m]
    int first{0}, count{0};                           // triangles
  };
  void split(int first, int count);
  double rows_of(const Cluster& cluster, std::size_t part, const math::Pose& X_WO, double range,
                 std::vector<const ConvexPart*>& near) const;

  std::span<const MovedPart> scene_;
  std::vector<std::vector<double>> levels_;  // by part of the scene and face: n . x on the face
  std::vector<ConvexPart> triangles_;        // object's frame
  std::vector<Cluster> clusters_;
};

}  // namespace prehend::placement
