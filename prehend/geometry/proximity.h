// Distance and penetration of two posed, possibly non-convex, closed meshes.
//
// Apart: the smallest distance between the surfaces, exact up to rounding, with the nearest points.
// Overlapping (surfaces cross, or one body lies inside the other, which surface distance alone does not see):
// the distance is minus the penetration depth, the length of the shortest translation that takes the bodies
// apart. For two convex bodies it is exact. For others it is bracketed: at least as far as the deepest found
// point of one surface has to travel to leave the other body, at most the depth of the convex hulls; `distance` is the
// shallow end. Touching within rounding is a distance of about zero, with either status. Meshes must be closed and
// oriented for the word "inside" to mean anything (check_mesh()). Cost: build O(n log n); apart about 0.1 ms for
// thousands of triangles; overlapping up to tens of milliseconds.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>
#include <prehend/math/pose.h>

namespace prehend::geometry {

// A mesh made ready for proximity queries. Immutable; copies share the data (many bodies of a pile have the
// same mesh), and queries from several threads are safe.
class ProximityShape {
 public:
  // Throws std::invalid_argument as TriangleTree does.
  explicit ProximityShape(const TriangleMesh& mesh_B);
  bool is_convex() const;

 private:
  friend class ProximityQuery;
  struct Data;
  std::shared_ptr<const Data> data_;
};

enum class ProximityStatus { apart, overlapping };
const char* to_string(ProximityStatus status);

struct Proximity {
  ProximityStatus status{ProximityStatus::apart};
  double distance{0.0};  // [m]; minus the depth (its lower bound) when overlapping
  // [m] upper bound of the penetration depth; equal to -distance for convex bodies, 0 when apart, none when
  // the hulls give none (flat bodies).
  std::optional<double> depth_upper{0.0};
  Eigen::Vector3d p_WA{Eigen::Vector3d::Zero()};  // [m] the point of a
  Eigen::Vector3d p_WB{Eigen::Vector3d::Zero()};  // [m] the point of b: p_WB = p_WA + distance * n_W
  // Unit, from a to b; moving b along it increases the distance. Zero where undefined: surfaces that touch in
  // rounding.
  Eigen::Vector3d n_W{Eigen::Vector3d::Zero()};
  std::string brief_report() const;
};

Proximity proximity(const ProximityShape& a, const math::Pose& X_WA, const ProximityShape& b,
                    const math::Pose& X_WB);

// Whether the bodies share a point; cheaper than the distance.
bool overlaps(const ProximityShape& a, const math::Pose& X_WA, const ProximityShape& b,
              const math::Pose& X_WB);

}  // namespace prehend::geometry
