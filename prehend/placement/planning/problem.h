// Scene and object prepared once, for planners and for the verification.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <prehend/geometry/contact.h>
#include <prehend/geometry/hull.h>
#include <prehend/model/friction.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/placement/placement_result.h>

namespace prehend::placement {

// A geom with its polyhedron and, where it is round, its true surface.
struct PreparedGeom {
  model::GeomRef ref;
  int surface{0};  // geoms of one body that every rule of friction treats alike have the same number
  geometry::Polyhedron polyhedron;                    // in the geom's frame
  std::shared_ptr<const geometry::RoundShape> round;  // null: it has flat faces
  math::Pose X_BG;                                    // in its body
  math::Pose X_WG;                                    // in the world; not for the object's
  bool is_box{false};                                 // its mesh is its own convex hull

  // Of its mesh, in its frame; found when first asked for.
  const geometry::HullResult& hull() const {
    if (!hull_)
      hull_ = std::make_shared<const geometry::HullResult>(geometry::convex_hull(polyhedron.vertices()));
    return *hull_;
  }
  mutable std::shared_ptr<const geometry::HullResult> hull_{};
};

struct Problem {
  // With the object in it; its pose there means nothing.
  model::Scene scene;
  model::Scene bare;  // the same without shapes: masses, poses and joints, for the statics
  model::BodyIndex object;
  PlacementOptions options;
  Eigen::Vector3d up_W{Eigen::Vector3d::UnitZ()};  // against gravity
  double gravity{9.81};                            // [m/s^2]

  std::vector<PreparedGeom> others;  // geoms of all other bodies
  std::vector<PreparedGeom> own;     // the object's
  geometry::HullResult own_hull;     // of the vertices of its meshes, in its frame
  std::vector<int> own_hull_geom;    // by vertex of the hull: the geom it is of
  model::SceneContacts contacts;     // between the others, at the scene's own tolerance
  std::vector<bool> may_touch;       // by body: named by --touch, or nothing is named; never the object

  // The time limit is over: a source without an answer may end. Never asked while poses are found, so that answers do not depend on it.
  std::function<bool()> is_out_of_time{[] { return false; }};

  const model::Body& body() const { return scene.bodies[object]; }
  const model::Body& body(const PreparedGeom& geom) const { return scene.bodies[geom.ref.body]; }
  // [-] Of a geom of the object on one of another body; negative: these two never touch (contact filter).
  double friction(const PreparedGeom& own_geom, const PreparedGeom& other) const;
  bool is_movable(model::BodyIndex b) const { return groups[b] != 0; }
  // [g] Less than 1e-4 g is a bare balance, whatever margin is asked for: statics decide to some 1e-6.
  double least_margin_g() const { return std::max(options.margin, 1e-4); }
  std::vector<int> groups;  // by body: Scene::rigid_groups
};

// Throws std::invalid_argument as place() does. Contacts are found, statics are not asked.
Problem prepare(const model::Scene& scene, model::BodyIndex object, const PlacementOptions& options);

}  // namespace prehend::placement
