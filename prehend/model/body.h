// Rigid bodies and the geometry they touch each other with.
//
// A body B has its own frame B, standing at X_WB in the world; inertia and geoms are given in B. Every geom
// carries a triangle mesh in its own frame G (the faces that touch) and, where the file named a primitive,
// the primitive itself, so that writing it again loses nothing. Meshes of round primitives are inscribed
// polyhedra: their resolution is SceneOptions::round_segments.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>
#include <prehend/math/index.h>
#include <prehend/math/inertia.h>
#include <prehend/math/pose.h>

namespace prehend::geometry {
struct TurnedMesh;  // round_shape.h
}

namespace prehend::model {

using BodyIndex = math::Index<struct BodyTag>;
using GeomIndex = math::Index<struct GeomTag>;  // within its body

enum class ShapeKind { box, sphere, ellipsoid, capsule, cylinder, plane, mesh };

// "box", "sphere", ...: the words of MJCF.
const char* to_string(ShapeKind kind);

struct Shape {
  ShapeKind kind{ShapeKind::mesh};
  // [m] box: full lengths along x, y, z. sphere: radius, 0, 0. ellipsoid: semi-axes. capsule, cylinder:
  // radius, length along z (a capsule's without its caps), 0. plane: half lengths drawn along x and y (0:
  // unbounded), 0; a plane touches without bound, whatever is drawn, with its solid side below z = 0. mesh:
  // unused.
  Eigen::Vector3d size{Eigen::Vector3d::Zero()};

  static Shape box(const Eigen::Vector3d& full_size) { return {ShapeKind::box, full_size}; }
  static Shape sphere(double radius) { return {ShapeKind::sphere, {radius, 0, 0}}; }
  static Shape ellipsoid(const Eigen::Vector3d& radii) { return {ShapeKind::ellipsoid, radii}; }
  static Shape capsule(double radius, double length) { return {ShapeKind::capsule, {radius, length, 0}}; }
  static Shape cylinder(double radius, double length) { return {ShapeKind::cylinder, {radius, length, 0}}; }
  static Shape plane() { return {ShapeKind::plane, Eigen::Vector3d::Zero()}; }
};

struct Geom {
  std::string name;
  Shape shape;
  math::Pose X_BG;
  geometry::TriangleMesh mesh;  // [m] in G; for a plane a closed slab below z = 0 that reaches past the scene
  // What parts of the mesh were turned, where any were: they touch with their true surface. In G, as the mesh; null: none.
  std::shared_ptr<const geometry::TurnedMesh> turned;
  double friction{1.0};  // [-] sliding coefficient; see pair_friction() for how two combine
  int priority{0};       // the geom of higher priority decides the pair's friction
  // MuJoCo's contact filter: two geoms may touch when (contype_a & conaffinity_b) | (contype_b &
  // conaffinity_a).
  int contype{1};
  int conaffinity{1};
  int condim{3};  // 1: frictionless; 3, 4, 6: with friction
  // [m] Two geoms touch where they are no farther apart than the sum of theirs: MJCF, whose engine keeps them apart by it.
  double margin{0.0};
};

struct Body {
  std::string name;
  // Free to move. Everything else is fixed where it stands.
  bool movable{false};
  math::SpatialInertia inertia;  // in B; zero mass for fixed bodies that carry none
  // Something else carries the weight of this much of it (MJCF gravcomp): [kg], [m] in B.
  double carried_mass{0.0};
  Eigen::Vector3d carried_com{Eigen::Vector3d::Zero()};
  math::Pose X_WB;
  std::vector<Geom> geoms;
  int line{0};  // of the file that described it, 1-based; 0 when unknown
};

}  // namespace prehend::model
