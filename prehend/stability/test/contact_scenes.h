// Scenes of boxes for the tests of this room, and a contact system written by hand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <prehend/geometry/primitives.h>
#include <prehend/math/random.h>
#include <prehend/model/scene.h>
#include <prehend/stability/contact_system.h>

// Its own namespace: tests of one program share their names.
namespace prehend::stability::box_scenes {

struct TestBox {
  std::string name{"box"};
  Eigen::Vector3d size{1, 1, 1};  // [m]
  math::Pose X_WB{};
  double mass{1.0};  // [kg]
  double friction{0.5};
  bool movable{true};
};

inline model::BodyIndex add_box(model::Scene& scene, const TestBox& box) {
  model::Body body;
  body.name = box.name;
  body.movable = box.movable;
  body.inertia = math::SpatialInertia::solid_box(box.mass, box.size);
  body.X_WB = box.X_WB;
  model::Geom geom;
  geom.name = box.name;
  geom.shape = model::Shape::box(box.size);
  geom.mesh = geometry::make_box(box.size);
  geom.friction = box.friction;
  body.geoms.push_back(geom);
  scene.bodies.push_back(body);
  return model::BodyIndex(scene.bodies.size() - 1);
}

// Fixed, its top through the origin of X_W.
inline void add_floor(model::Scene& scene, double friction = 0.5, const math::Pose& X_W = {},
                      double width = 100.0) {
  add_box(scene, {.name = "floor",
                  .size = {width, width, 0.1 * width},
                  .X_WB = X_W * math::Pose::translation({0, 0, -0.05 * width}),
                  .friction = friction,
                  .movable = false});
}

inline math::Pose tilted(double angle) {
  return math::Pose::rotation(Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitY())));
}

// A box on a floor that is tilted about y.
inline model::Scene box_on_slope(double angle, double friction, const Eigen::Vector3d& size = {1, 1, 1}) {
  model::Scene scene;
  add_floor(scene, friction, tilted(angle));
  add_box(scene, {.size = size,
                  .X_WB = tilted(angle) * math::Pose::translation({0, 0, 0.5 * size.z()}),
                  .mass = 2.0,
                  .friction = friction});
  return scene;
}

// One body of given weight along -z at the origin, and contacts with the ground.
class HandSystem {
 public:
  explicit HandSystem(double mass = 1.0, double gravity = 10.0) {
    system.bodies.push_back({model::BodyIndex(1), mass, Eigen::Vector3d::Zero()});
    system.node_of_body = {NodeIndex(), NodeIndex(0)};
    system.gravity_W = {0, 0, -gravity};
    system.weight = mass * gravity;
    system.length = 1.0;
  }
  // The normal points from the ground into the body.
  void touch(const Eigen::Vector3d& p_W, const Eigen::Vector3d& n_W, double mu) {
    SystemContact contact;
    contact.b = NodeIndex(0);
    contact.interface = InterfaceIndex(0);
    contact.p_W = p_W;
    contact.R_WC.col(2) = n_W.normalized();
    contact.R_WC.col(0) = contact.R_WC.col(2).unitOrthogonal();
    contact.R_WC.col(1) = contact.R_WC.col(2).cross(contact.R_WC.col(0));
    contact.mu = mu;
    system.contacts.push_back(contact);
  }

  ContactSystem system;
};

// A tower of one to four bodies that touch at random points, with normals up to `spread` off the vertical.
inline ContactSystem random_tower(std::uint64_t seed, double spread) {
  math::RandomStream random(11, seed);
  const auto uniform = [&](double low, double high) { return random.uniform(low, high); };
  HandSystem hand(uniform(0.1, 10.0));
  ContactSystem& system = hand.system;
  const int bodies = 1 + static_cast<int>(seed % 4), points = 4 + static_cast<int>(seed % 3);
  for (int b = 1; b < bodies; ++b) {
    const double mass = uniform(0.1, 10.0), x = uniform(-0.3, 0.3), y = uniform(-0.3, 0.3);
    system.bodies.push_back({model::BodyIndex(b + 1), mass, Eigen::Vector3d(x, y, b)});
    system.weight += 10.0 * mass;
  }
  system.length = 1.0 + bodies;
  for (int b = 0; b < bodies; ++b) {
    for (int k = 0; k < points; ++k) {
      const double x = uniform(-1.5, 1.5), y = uniform(-1.5, 1.5);
      const double n_x = uniform(-spread, spread), n_y = uniform(-spread, spread), mu = uniform(0.0, 1.0);
      hand.touch({x, y, b - 0.5}, {n_x, n_y, 1.0}, mu);
      system.contacts.back().b = NodeIndex(b);
      if (b > 0) system.contacts.back().a = NodeIndex(b - 1);
    }
  }
  return system;
}

}  // namespace prehend::stability::box_scenes
