// Small scenes for the tests of this room.
#pragma once

#include <string>

#include <prehend/geometry/primitives.h>
#include <prehend/model/scene.h>

namespace prehend::placement {

inline model::Geom box_geom(const Eigen::Vector3d& size, double friction = 0.5) {
  model::Geom geom;
  geom.shape = model::Shape::box(size);
  geom.mesh = geometry::make_box(size);
  geom.friction = friction;
  return geom;
}

inline model::Geom can_geom(double radius, double length, double friction = 0.5) {
  model::Geom geom;
  geom.shape = model::Shape::cylinder(radius, length);
  geom.mesh = geometry::make_cylinder(radius, length, 64);
  geom.friction = friction;
  return geom;
}

inline model::BodyIndex add_body(model::Scene& scene, const std::string& name, const model::Geom& geom,
                                 const math::Pose& X_WB, double mass = 0.0) {
  model::Body body;
  body.name = name;
  body.movable = mass > 0.0;
  if (mass > 0.0) body.inertia = math::SpatialInertia::solid_box(mass, Eigen::Vector3d::Constant(0.1));
  body.X_WB = X_WB;
  body.geoms.push_back(geom);
  scene.bodies.push_back(body);
  return model::BodyIndex(scene.bodies.size() - 1);
}

inline math::Pose at(double x, double y, double z) { return math::Pose::translation({x, y, z}); }
inline math::Pose tilted(double x, double y, double z, double about_y) {
  return math::Pose(Eigen::Quaterniond(Eigen::AngleAxisd(about_y, Eigen::Vector3d::UnitY())), {x, y, z});
}

// A floor whose top is z = 0.
inline model::Scene floor_scene(double friction = 0.5) {
  model::Scene scene;
  add_body(scene, "floor", box_geom({2, 2, 0.04}, friction), at(0, 0, -0.02));
  return scene;
}

}  // namespace prehend::placement
