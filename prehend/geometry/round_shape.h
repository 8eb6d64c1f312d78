// Round bodies with their true surface: spheres, capsules, cylinders, ellipsoids, and what was turned from a profile.
//
// Their axis is z of their frame S. All but turned ones are convex and centred at its origin. Contact search and distance ask two things of
// them: how far a point is from the surface and in which direction (exact, negative inside), and which parts of the surface lie farthest along a
// direction: a point, a straight line of a cylinder, capsule or cone, a disc with or without a hole, or a ring. Turned bodies may have several such
// parts, each farther than what is beside it: the rim of a cup and the floor inside.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>
#include <prehend/geometry/turned_profile.h>
#include <prehend/math/pose.h>

namespace prehend::geometry {

enum class RoundKind { sphere, capsule, cylinder, ellipsoid, turned };

const char* to_string(RoundKind kind);

// The part of a surface that is farthest along a direction.
struct RoundFeature {
  enum class Kind { point, line, disc, ring };
  Kind kind{Kind::point};
  Eigen::Vector3d p{
      Eigen::Vector3d::Zero()};  // [m] the point, an end of the line, the centre of the disc or ring
  Eigen::Vector3d q{
      Eigen::Vector3d::Zero()};  // [m] the other end of the line; [-] outward normal of disc and ring
  double radius{0.0};            // [m] of the disc or ring
  double hole{0.0};              // [m] radius of a hole in the disc; 0: none
};

class RoundShape {
 public:
  // Sizes in metres; std::invalid_argument unless finite and above 0 (a capsule's length may be 0).
  static RoundShape sphere(double radius);
  static RoundShape capsule(double radius, double length);  // without the caps
  static RoundShape cylinder(double radius, double length);
  static RoundShape ellipsoid(const Eigen::Vector3d& radii);
  static RoundShape turned(TurnedProfile profile);

  RoundKind kind() const { return kind_; }
  // sphere: radius, 0, 0. capsule, cylinder: radius, half length, 0. ellipsoid: semi-axes. turned: largest radius, 0, 0. [m]
  const Eigen::Vector3d& size() const { return size_; }
  Aabb box() const;
  double diagonal() const;                                    // [m] of that box
  const TurnedProfile& profile() const { return *profile_; }  // of turned ones only
  Eigen::Vector3d surface_point() const;                      // any

  // [m] From the surface, negative inside: a convex function of p where the shape is convex. `n`, where given, becomes its gradient, the outward unit normal at
  // the nearest point of the surface.
  double distance(const Eigen::Vector3d& p_S, Eigen::Vector3d* n_S = nullptr) const;
  // A point of the surface that is farthest along d.
  Eigen::Vector3d support(const Eigen::Vector3d& d_S) const;
  // All of it that is farthest along the unit vector d, lines and discs where d is square to them within the angle whose sine is given.
  RoundFeature feature(const Eigen::Vector3d& d_S, double sine) const;
  // The same for shapes that need not be convex: all parts that are farther than what is beside them.
  std::vector<RoundFeature> features(const Eigen::Vector3d& d_S, double sine) const;

 private:
  RoundShape(RoundKind kind, const Eigen::Vector3d& size) : kind_(kind), size_(size) {}
  double ellipsoid_distance(const Eigen::Vector3d& p_S, Eigen::Vector3d* n_S) const;
  std::vector<RoundFeature> turned_features(const Eigen::Vector3d& d_S, double sine) const;

  RoundKind kind_;
  Eigen::Vector3d size_;
  std::shared_ptr<const TurnedProfile> profile_;  // null unless turned
};

// A mesh that stands for a ball or a can.
struct RecognisedRound {
  RoundShape shape;
  math::Pose X_MS;          // of the shape in the mesh's frame
  double deviation{0.0};    // [m] of a vertex from the surface, at most
  double facet_depth{0.0};  // [m] of a facet below the surface, at most
};

// None unless every vertex lies within 0.5 % of the radius on a sphere, or on the side or caps of a cylinder, every facet turns by at most 12.5
// degrees (30 around: a nut or a post of twelve sides is none; diagonals of a ball's facets by 17.7), and the volume is that of the solid within 5 %. 0.5 %: what 32 facets around
// deviate by themselves, and a scan of a can by 0.2 mm.
std::optional<RecognisedRound> recognise_round(const TriangleMesh& mesh);

// The parts of a mesh that stand for a turned body, and the facets of the others.
struct TurnedMesh {
  struct Part {
    TriangleMesh mesh;  // in the frame of its shape
    RecognisedRound round;
    int sides{0};  // fewest around
  };
  std::vector<Part> parts;
  TriangleMesh rest;  // in the frame of the whole
};

// No parts unless a shell of the mesh is a solid of revolution: its vertices stand in rings of at least 24, no farther from each other than 16
// degrees, at equal radius and height within 3e-4 of the shell's diagonal, and every facet leads from one ring to the next or lies flat. Rings may be turned
// against each other. Plain prisms (cans of 24 to 29 sides) are none: recognise_round() has them from 30.
TurnedMesh recognise_turned(const TriangleMesh& mesh);

// [m] How far the facets of a mesh in the shape's frame lie below its surface; 0 where they lie outside.
double facet_depth(const TriangleMesh& mesh_S, const RoundShape& shape);

}  // namespace prehend::geometry
