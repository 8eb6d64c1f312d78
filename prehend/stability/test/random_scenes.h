// Random heaps of boxes: stacks with offsets and turns, on level and tilted ground, beside walls, some that fall.
#pragma once

#include <algorithm>

#include "contact_scenes.h"
#include <prehend/geometry/sampling.h>
#include <prehend/math/random.h>
#include <prehend/stability/push.h>

namespace prehend::stability::box_scenes {

struct RandomScene {
  model::Scene scene;
  std::vector<model::BodyIndex> boxes;
};

inline RandomScene random_scene(std::uint64_t seed) {
  math::RandomStream random(seed, 77);
  RandomScene made;
  const double mu = random.uniform(0.1, 1.2);
  const math::Pose ground = random.uniform() < 0.3 ? tilted(random.uniform(-0.3, 0.3)) : math::Pose{};
  add_floor(made.scene, mu, ground);
  const int count = 1 + static_cast<int>(random.below(6));
  struct Placed {
    Eigen::Vector3d centre, size;
    double yaw;
  };
  std::vector<Placed> placed;
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d size(random.uniform(0.1, 0.4), random.uniform(0.1, 0.4), random.uniform(0.05, 0.3));
    // On the ground, apart from the others, or on the last box but three at most.
    Placed box{{3.0 * i, 0, 0.5 * size.z()}, size, random.uniform(-0.6, 0.6)};
    if (i > 0 && random.uniform() < 0.75) {
      const Placed& below = placed.back();
      const Eigen::Vector3d reach = 0.45 * below.size;
      box.centre =
          below.centre + Eigen::Vector3d(random.uniform(-1, 1) * reach.x(), random.uniform(-1, 1) * reach.y(),
                                         0.5 * (below.size.z() + size.z()));
    }
    placed.push_back(box);
    const math::Pose turned(Eigen::Quaterniond(Eigen::AngleAxisd(box.yaw, Eigen::Vector3d::UnitZ())),
                            box.centre);
    // Three decades of mass in one scene of ten.
    const double mass = random.uniform() < 0.1 ? random.uniform(100, 1000) : random.uniform(0.5, 5.0);
    made.boxes.push_back(add_box(made.scene, {.name = "box" + std::to_string(i),
                                              .size = size,
                                              .X_WB = ground * turned,
                                              .mass = mass,
                                              .friction = mu}));
  }
  // A wall beside the first box, and sometimes another on its other side: no motion opens both.
  if (random.uniform() < 0.2) {
    const Placed& box = placed.front();
    const math::Pose turned(Eigen::Quaterniond(Eigen::AngleAxisd(box.yaw, Eigen::Vector3d::UnitZ())),
                            box.centre);
    const int walls = random.uniform() < 0.5 ? 1 : 2;
    for (int side = 0; side < walls; ++side) {
      const double x = (side == 0 ? 1.0 : -1.0) * (0.5 * box.size.x() + 0.05);
      add_box(made.scene, {.name = "wall" + std::to_string(side),
                           .size = {0.1, 0.3, box.size.z()},
                           .X_WB = ground * turned * math::Pose::translation({x, 0, 0}),
                           .friction = mu,
                           .movable = false});
    }
  }
  return made;
}

// A push on the surface of a random box, half of them along the inward normal.
inline Push random_push(const RandomScene& made, math::RandomStream& random) {
  const model::BodyIndex body = made.boxes[random.below(static_cast<std::uint32_t>(made.boxes.size()))];
  const auto sample =
      geometry::sample_surface(made.scene.mesh_W({body, model::GeomIndex(0)}), 1, random).front();
  const Eigen::Vector3d d = random.uniform() < 0.5 ? Eigen::Vector3d(-sample.normal) : random.unit_vector();
  return {body, sample.point, d};
}

}  // namespace prehend::stability::box_scenes
