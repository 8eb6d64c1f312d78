// Round bodies with their true surface: spheres, capsules, cylinders and ellipsoids.
//
// All are convex, centred at the origin of their frame S, with the axis of capsules and cylinders along z. Contact search and
// distance ask two things of them: how far a point is from the surface and in which direction (exact, negative inside), and
// which part of the surface lies farthest along a direction: a point, a straight line of a cylinder or capsule, or a disc.
#pragma once

#include <optional>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>
#include <prehend/math/pose.h>

namespace prehend::geometry {

enum class RoundKind { sphere, capsule, cylinder, ellipsoid };

const char* to_string(RoundKind kind);

// The part of a surface that is farthest along a direction.
struct RoundFeature {
  enum class Kind { point, line, disc };
  Kind kind{Kind::point};
  Eigen::Vector3d p{Eigen::Vector3d::Zero()};  // [m] the point, an end of the line, the centre of the disc
  Eigen::Vector3d q{Eigen::Vector3d::Zero()};  // [m] the other end of the line; [-] the disc's outward normal
  double radius{0.0};                          // [m] of the disc
};

class RoundShape {
 public:
  // Sizes in metres; std::invalid_argument unless finite and above 0 (a capsule's length may be 0).
  static RoundShape sphere(double radius);
  static RoundShape capsule(double radius, double length);  // without the caps
  static RoundShape cylinder(double radius, double length);
  static RoundShape ellipsoid(const Eigen::Vector3d& radii);

  RoundKind kind() const { return kind_; }
  // sphere: radius, 0, 0. capsule, cylinder: radius, half length, 0. ellipsoid: semi-axes. [m]
  const Eigen::Vector3d& size() const { return size_; }
  Aabb box() const;
  double diagonal() const;  // [m] of that box

  // [m] From the surface, negative inside: a convex function of p. `n`, where given, becomes its gradient, the outward unit normal at
  // the nearest point of the surface.
  double distance(const Eigen::Vector3d& p_S, Eigen::Vector3d* n_S = nullptr) const;
  // A point of the surface that is farthest along d.
  Eigen::Vector3d support(const Eigen::Vector3d& d_S) const;
  // All of it that is farthest along the unit vector d, lines and discs where d is square to them within the angle whose sine is given.
  RoundFeature feature(const Eigen::Vector3d& d_S, double sine) const;

 private:
  RoundShape(RoundKind kind, const Eigen::Vector3d& size) : kind_(kind), size_(size) {}
  double ellipsoid_distance(const Eigen::Vector3d& p_S, Eigen::Vector3d* n_S) const;

  RoundKind kind_;
  Eigen::Vector3d size_;
};

// A mesh that stands for a ball or a can.
struct RecognisedRound {
  RoundShape shape;
  math::Pose X_MS;          // of the shape in the mesh's frame
  double deviation{0.0};    // [m] of a vertex from the surface, at most
  double facet_depth{0.0};  // [m] of a facet below the surface, at most
};

// None unless every vertex lies within 0.5 % of the radius on a sphere, or on the side or caps of a cylinder, every facet turns by at most 12.5
// degrees (30 around: a nut or a post of twelve sides is none), and the volume is that of the solid within 5 %. 0.5 %: what 32 facets around
// deviate by themselves, and a scan of a can by 0.2 mm.
std::optional<RecognisedRound> recognise_round(const TriangleMesh& mesh);
// [m] How far the facets of a mesh in the shape's frame lie below its surface; 0 where they lie outside.
double facet_depth(const TriangleMesh& mesh_S, const RoundShape& shape);

}  // namespace prehend::geometry
