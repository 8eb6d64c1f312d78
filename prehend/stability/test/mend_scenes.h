// True scenes for mend: towers, heaps, bridges, pyramids, columns side by side, cans and balls, bodies with notches; and the noise on them.
#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include "contact_scenes.h"
#include <prehend/math/angles.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/stability/mend.h>

namespace prehend::stability::mend_scenes {

using box_scenes::add_box;
using box_scenes::add_floor;
using Eigen::Vector3d;

enum class Family { tower, heap, bridge, pyramid, columns, round, notched };
inline constexpr Family kFamilies[] = {Family::tower,   Family::heap,  Family::bridge, Family::pyramid,
                                       Family::columns, Family::round, Family::notched};
inline const char* name_of(Family family) {
  constexpr const char* kNames[] = {"tower", "heap", "bridge", "pyramid", "columns", "round", "notched"};
  return kNames[static_cast<int>(family)];
}

inline math::Pose upright(const Vector3d& p, double yaw = 0.0) {
  return math::Pose(Eigen::Quaterniond(Eigen::AngleAxisd(yaw, Vector3d::UnitZ())), p);
}

class Maker {
 public:
  Maker(Family family, std::uint64_t seed) : random_(seed, 1000 + static_cast<int>(family)) {
    add_floor(scene, 0.6, {}, 20.0);
    const int count = 2 + static_cast<int>(random_.below(19));
    switch (family) {
      case Family::tower:
        tower(std::min(count, 12));
        break;
      case Family::heap:
        heap(count);
        break;
      case Family::bridge:
        bridges(1 + count / 4);
        break;
      case Family::pyramid:
        pyramid(2 + count / 6);
        break;
      case Family::columns:
        columns(2 + static_cast<int>(random_.below(3)), 1 + static_cast<int>(random_.below(4)));
        break;
      case Family::round:
        round(std::min(count, 9));
        break;
      case Family::notched:
        notched(2 + count / 5);
        break;
    }
  }
  model::Scene scene;

 private:
  double between(double low, double high) { return random_.uniform(low, high); }
  void box(const Vector3d& size, const math::Pose& X) {
    add_box(scene, {.name = "b" + std::to_string(scene.bodies.size()),
                    .size = size,
                    .X_WB = X,
                    .mass = 700.0 * size.prod(),
                    .friction = 0.6});
  }
  void tower(int count) {
    double height = 0.0, yaw = between(-0.7, 0.7);
    Vector3d at(0, 0, 0);
    for (int i = 0; i < count; ++i) {
      const Vector3d size(between(0.08, 0.25), between(0.08, 0.25), between(0.03, 0.15));
      box(size, upright({at.x(), at.y(), height + 0.5 * size.z()}, yaw));
      height += size.z();
      at += Vector3d(between(-0.01, 0.01), between(-0.01, 0.01), 0);
      yaw += random_.uniform() < 0.5 ? 0.0 : between(-0.6, 0.6);
    }
  }
  // Dropped one after the other, turned by quarter turns alone, onto the highest below.
  void heap(int count) {
    struct Placed {
      Vector3d centre, size;
    };
    std::vector<Placed> placed;
    const double width = 0.12 * std::sqrt(count);
    for (int i = 0; i < count; ++i) {
      const Vector3d size(between(0.06, 0.2), between(0.06, 0.2), between(0.04, 0.12));
      const Vector3d at(between(-width, width), between(-width, width), 0);
      double height = 0.0;
      for (const Placed& p : placed) {
        if (((at - p.centre).cwiseAbs() - 0.5 * (size + p.size)).head<2>().maxCoeff() < 0.0)
          height = std::max(height, p.centre.z() + 0.5 * p.size.z());
      }
      placed.push_back({{at.x(), at.y(), height + 0.5 * size.z()}, size});
      box(size, upright(placed.back().centre));
    }
  }
  void bridges(int count) {
    for (int i = 0; i < count; ++i) {
      const Vector3d at(0.6 * i, 0, 0);
      const double yaw = between(-0.5, 0.5), height = between(0.06, 0.2), span = between(0.15, 0.3);
      const math::Pose X = upright(at, yaw);
      for (const double side : {-0.5, 0.5})
        box({0.06, 0.1, height}, X * math::Pose::translation({side * span, 0, 0.5 * height}));
      box({span + 0.06, 0.09, 0.03}, X * math::Pose::translation({0, 0, height + 0.015}));
      if (random_.uniform() < 0.5)
        box({0.08, 0.08, 0.08}, X * math::Pose::translation({between(-0.05, 0.05), 0, height + 0.07}));
    }
  }
  void pyramid(int rows) {
    const Vector3d size(between(0.1, 0.2), between(0.06, 0.12), between(0.05, 0.08));
    const double gap = random_.uniform() < 0.5 ? 0.0 : between(0.015, 0.04);
    for (int row = 0; row < rows; ++row) {
      for (int i = 0; i + row < rows; ++i)
        box(size, upright({(i + 0.5 * row) * (size.x() + gap), 0, (row + 0.5) * size.z()}));
    }
  }
  // Equal boxes in columns that touch; the columns may differ in height.
  void columns(int count, int most) {
    const Vector3d size(between(0.08, 0.15), between(0.08, 0.15), between(0.05, 0.15));
    for (int i = 0; i < count; ++i) {
      const int high = 1 + static_cast<int>(random_.below(static_cast<std::uint32_t>(most)));
      for (int k = 0; k < high; ++k) box(size, upright({i * size.x(), 0, (k + 0.5) * size.z()}));
    }
  }
  void body(const model::Shape& shape, geometry::TriangleMesh mesh, const math::Pose& X) {
    model::Body made;
    made.name = "b" + std::to_string(scene.bodies.size());
    made.movable = true;
    made.inertia = math::SpatialInertia::solid_box(1.0, {0.06, 0.06, 0.06});
    made.X_WB = X;
    model::Geom geom;
    geom.name = made.name;
    geom.shape = shape;
    geom.mesh = std::move(mesh);
    geom.friction = 0.6;
    made.geoms.push_back(geom);
    scene.bodies.push_back(made);
  }
  void can(double radius, double length, const math::Pose& X) {
    body(model::Shape::cylinder(radius, length), geometry::make_cylinder(radius, length, 64), X);
  }
  void ball(double radius, const math::Pose& X) {
    body(model::Shape::sphere(radius), geometry::make_icosphere(radius, 3), X);
  }
  // Standing cans on each other and beside each other, lying ones in rows, balls on boxes.
  void round(int count) {
    const Eigen::Quaterniond lying(Eigen::AngleAxisd(math::kPi / 2.0, Vector3d::UnitX()));
    for (int i = 0; i < count; ++i) {
      const Vector3d at(0.5 * i, 0, 0);
      const double r = between(0.025, 0.06), h = between(0.06, 0.15);
      switch (random_.below(5)) {
        case 0:
          can(r, h, upright(at + Vector3d(0, 0, 0.5 * h)));
          can(r, h, upright(at + Vector3d(0, 0, 1.5 * h)));
          break;
        case 1:  // side by side
          can(r, h, upright(at + Vector3d(0, 0, 0.5 * h)));
          can(r, h, upright(at + Vector3d(2 * r, 0, 0.5 * h)));
          break;
        case 2:
          can(r, h, math::Pose(lying, at + Vector3d(0, 0, r)));
          break;
        case 3:  // two and one
          can(r, h, math::Pose(lying, at + Vector3d(0, 0, r)));
          can(r, h, math::Pose(lying, at + Vector3d(2 * r, 0, r)));
          can(r, h, math::Pose(lying, at + Vector3d(r, 0, r * (1 + std::sqrt(3.0)))));
          break;
        default:
          box({0.15, 0.15, h}, upright(at + Vector3d(0, 0, 0.5 * h)));
          ball(r, upright(at + Vector3d(0, 0, h + r)));
      }
    }
  }
  // Tables (a plate on two boards) with a box below and one on top: bodies of several boxes.
  void notched(int count) {
    for (int i = 0; i < count; ++i) {
      const double height = between(0.08, 0.15), width = between(0.15, 0.3), thick = between(0.02, 0.04);
      const math::Pose X = upright({0.7 * i, 0, 0}, between(-0.5, 0.5));
      model::Body table;
      table.name = "b" + std::to_string(scene.bodies.size());
      table.movable = true;
      table.inertia = math::SpatialInertia::solid_box(2.0, {width, 0.12, height});
      table.inertia.com = {0, 0, 0.7 * height};
      table.X_WB = X;
      const auto part = [&](const Vector3d& size, const Vector3d& at) {
        model::Geom geom;
        geom.name = table.name + std::to_string(table.geoms.size());
        geom.shape = model::Shape::box(size);
        geom.mesh = geometry::make_box(size);
        geom.X_BG = math::Pose::translation(at);
        geom.friction = 0.6;
        table.geoms.push_back(geom);
      };
      part({thick, 0.12, height}, {-0.5 * (width - thick), 0, 0.5 * height});
      part({thick, 0.12, height}, {0.5 * (width - thick), 0, 0.5 * height});
      part({width, 0.12, thick}, {0, 0, height + 0.5 * thick});
      scene.bodies.push_back(table);
      box({0.06, 0.06, height - 0.03}, X * math::Pose::translation({0, 0, 0.5 * (height - 0.03)}));
      box({0.08, 0.08, 0.05}, X * math::Pose::translation({between(-0.04, 0.04), 0, height + thick + 0.025}));
    }
  }

  math::RandomStream random_;
};

// Per axis, about the centre of mass.
inline model::Scene disturbed(const model::Scene& scene, const PoseNoise& noise, std::uint64_t seed) {
  model::Scene out = scene;
  math::RandomStream random(seed, 5);
  for (model::Body& body : out.bodies) {
    if (!body.movable) continue;
    const Eigen::Quaterniond q = math::exp_so3(noise.angle * random.normal3()) * body.X_WB.q();
    const Vector3d com = body.X_WB * body.inertia.com + noise.position * random.normal3();
    body.X_WB = math::Pose(q.normalized(), com - q * body.inertia.com);
  }
  return out;
}

inline std::set<std::pair<int, int>> contact_graph(const model::Scene& scene) {
  std::set<std::pair<int, int>> graph;
  for (const model::SceneInterface& i : model::find_scene_contacts(scene).interfaces)
    graph.emplace(i.body_a.value(), i.body_b.value());
  return graph;
}

}  // namespace prehend::stability::mend_scenes
