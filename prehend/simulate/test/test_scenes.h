// Small scenes built by hand, so that these tests depend on no file reader.
#pragma once

#include <cmath>

#include <prehend/geometry/primitives.h>
#include <prehend/model/scene.h>

namespace prehend::simulate {

inline model::Geom box_geom(const Eigen::Vector3d& size, double friction = 0.5) {
  model::Geom geom;
  geom.name = "box";
  geom.shape = model::Shape::box(size);
  geom.mesh = geometry::make_box(size);
  geom.friction = friction;
  return geom;
}

inline model::BodyIndex add_box(model::Scene& scene, const std::string& name, double mass,
                                const Eigen::Vector3d& size, const math::Pose& X_WB, double friction = 0.5) {
  model::Body body;
  body.name = name;
  body.movable = true;
  body.inertia = math::SpatialInertia::solid_box(mass, size);
  body.X_WB = X_WB;
  body.geoms.push_back(box_geom(size, friction));
  scene.bodies.push_back(body);
  return model::BodyIndex(scene.bodies.size() - 1);
}

// A fixed slab whose top is the plane z = 0 of the frame at X_W.
inline void add_floor(model::Scene& scene, double friction = 0.5, const math::Pose& X_W = {}) {
  model::Geom floor = box_geom({10, 10, 1}, friction);
  floor.name = "floor";
  floor.X_BG = X_W * math::Pose::translation({0, 0, -0.5});
  scene.bodies[0].geoms.push_back(floor);
}

inline math::Pose tilted(double angle) {
  return math::Pose::rotation(Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitY())));
}

}  // namespace prehend::simulate
