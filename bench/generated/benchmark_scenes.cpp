#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <generated/benchmark_scenes.h>

#include <prehend/geometry/primitives.h>
#include <prehend/math/angles.h>
#include <prehend/math/random.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using math::Pose;

model::Geom box_geom(const Vector3d& size, double friction) {
  model::Geom geom;
  geom.shape = model::Shape::box(size);
  geom.mesh = geometry::make_box(size);
  geom.friction = friction;
  return geom;
}

model::Scene floor_scene(const std::string& name, double extent, double friction) {
  model::Scene scene;
  scene.name = name;
  model::Geom floor = box_geom({extent, extent, 0.1}, friction);
  floor.name = "floor";
  floor.X_BG = Pose::translation({0, 0, -0.05});
  scene.bodies[0].geoms.push_back(floor);
  return scene;
}

void add_box(model::Scene& scene, const std::string& name, double mass, const Vector3d& size,
             const Pose& X_WB) {
  model::Body body;
  body.name = name;
  body.movable = true;
  body.inertia = math::SpatialInertia::solid_box(mass, size);
  body.X_WB = X_WB;
  body.geoms.push_back(box_geom(size, scene.bodies[0].geoms[0].friction));
  body.geoms[0].name = name;
  scene.bodies.push_back(body);
}

const Vector3d kBrick{0.2, 0.1, 0.1};
constexpr double kBrickMass = 2.0, kBrickFriction = 0.6;

void check_count(const char* what, int count) {
  if (count < 1)
    throw std::invalid_argument(std::string(what) + " is " + std::to_string(count) + ", must be at least 1");
}

}  // namespace

model::Scene cube_scene(const CubeScene& sizes) {
  model::Scene scene = cube_stack_scene(1, sizes);
  scene.name = "cube";
  scene.bodies[1].name = "cube";
  return scene;
}

model::Scene cube_stack_scene(int count, const CubeScene& sizes) {
  check_count("count", count);
  model::Scene scene = floor_scene("stack", 10 * sizes.side, sizes.friction);
  for (int i = 0; i < count; ++i) {
    add_box(scene, "cube" + std::to_string(i + 1), sizes.mass, Vector3d::Constant(sizes.side),
            Pose::translation({0, 0, (i + 0.5) * sizes.side}));
  }
  return scene;
}

model::Scene table_scene(const TableScene& sizes) {
  model::Scene scene = floor_scene("table", 2.0, sizes.friction);
  const double height = sizes.leg.z();
  add_box(scene, "leg1", sizes.leg_mass, sizes.leg, Pose::translation({-sizes.leg_offset, 0, 0.5 * height}));
  add_box(scene, "leg2", sizes.leg_mass, sizes.leg, Pose::translation({sizes.leg_offset, 0, 0.5 * height}));
  add_box(scene, "slab", sizes.slab_mass, sizes.slab,
          Pose::translation({0, 0, height + 0.5 * sizes.slab.z()}));
  return scene;
}

model::Scene wall_scene(int blocks) {
  check_count("blocks", blocks);
  constexpr double kJoint = 0.001;
  const int per_course = std::max(2, static_cast<int>(std::lround(std::sqrt(static_cast<double>(blocks)))));
  model::Scene scene =
      floor_scene("wall of " + std::to_string(blocks), 4.0 * per_course * kBrick.x(), kBrickFriction);
  const double half = 0.5 * (kBrick.x() - kJoint), width = per_course * (kBrick.x() + kJoint) - kJoint;
  for (int course = 0, placed = 0; placed < blocks; ++course) {
    const bool is_shifted = course % 2 == 1;
    double left = -0.5 * width;
    for (int i = 0; i < per_course + (is_shifted ? 1 : 0) && placed < blocks; ++i, ++placed) {
      const bool is_half = is_shifted && (i == 0 || i == per_course);
      const double length = is_half ? half : kBrick.x();
      add_box(scene, "b" + std::to_string(placed + 1), kBrickMass * length / kBrick.x(),
              {length, kBrick.y(), kBrick.z()},
              Pose::translation({left + 0.5 * length, 0, (course + 0.5) * kBrick.z()}));
      left += length + kJoint;
    }
  }
  return scene;
}

model::Scene pile_scene(int blocks, std::uint64_t seed) {
  check_count("blocks", blocks);
  int base = 1;
  while (base * (base + 1) / 2 < blocks) ++base;
  const double pitch = 1.3 * kBrick.x();
  model::Scene scene = floor_scene("pile of " + std::to_string(blocks), 4.0 * base * pitch, kBrickFriction);
  math::RandomStream random(seed);
  for (int course = 0, placed = 0; placed < blocks; ++course) {
    for (int i = 0; i < base - course && placed < blocks; ++i, ++placed) {
      const double x = (i - 0.5 * (base - course - 1)) * pitch;
      const double across = random.uniform(-0.015, 0.015), along = random.uniform(-0.015, 0.015);
      const Vector3d shift(along, across, 0);
      const double turn = random.uniform(-1, 1) * 4.0 * math::kPi / 180.0;
      add_box(scene, "b" + std::to_string(placed + 1), kBrickMass, kBrick,
              Pose(Eigen::Quaterniond(Eigen::AngleAxisd(turn, Vector3d::UnitZ())),
                   shift + Vector3d(x, 0, (course + 0.5) * kBrick.z())));
    }
  }
  return scene;
}

model::Scene slant_scene(int blocks) {
  if (blocks != 1 && blocks != 2) {
    throw std::invalid_argument("blocks is " + std::to_string(blocks) + ", must be 1 or 2");
  }
  constexpr double kFriction = 1.2, kSide = 0.1, kMass = 0.5, kWidth = 0.12, kLength = 0.4, kHeight = 0.2;
  model::Scene scene =
      floor_scene(blocks == 1 ? "one cube on a slant" : "cube and block on a slant", 4.0, kFriction);
  scene.bodies[0].geoms[0].name = "tray";
  // The slant: a right wedge from y = -0.2 (edge) to y = 0.2 (0.2 m high), 2 kg; its frame in the middle of its base.
  model::Body slant;
  slant.name = "slant";
  slant.movable = true;
  model::Geom wedge;
  wedge.name = "slant";
  const double x = 0.5 * kWidth, y = 0.5 * kLength;
  wedge.mesh.vertices = {{-x, -y, 0}, {x, -y, 0}, {-x, y, 0}, {x, y, 0}, {-x, y, kHeight}, {x, y, kHeight}};
  wedge.mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {2, 4, 5}, {2, 5, 3},
                          {0, 1, 5}, {0, 5, 4}, {0, 4, 2}, {1, 3, 5}};
  wedge.friction = kFriction;
  slant.geoms.push_back(wedge);
  // Right triangle with legs b, h: centroid a third from the right angle; second moments b^2/18, h^2/18, product -bh/36
  // (with y running towards the high end: +).
  const double mass = 2.0, bb = kLength * kLength / 18, hh = kHeight * kHeight / 18,
               xx = kWidth * kWidth / 12;
  const double yz = kLength * kHeight / 36;
  slant.inertia.mass = mass;
  slant.inertia.com = {0, y - kLength / 3, kHeight / 3};
  slant.inertia.I_com << bb + hh, 0, 0, 0, xx + hh, -yz, 0, -yz, xx + bb;
  slant.inertia.I_com *= mass;
  scene.bodies.push_back(slant);
  // On the slope, in its frame (y uphill, z its normal): the cube 0.23 m up from the foot, the block right below it.
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(std::atan2(kHeight, kLength), Vector3d::UnitX()));
  const Pose X_WS(tilt, {0, -y, 0});
  add_box(scene, "cube", kMass, Vector3d::Constant(kSide),
          X_WS * Pose::translation({0, 0.23 + 0.5 * kSide, 0.5 * kSide}));
  if (blocks == 2) {
    const Vector3d size(kSide, 1.5 * kSide, kSide);
    add_box(scene, "block", 1.5 * kMass, size,
            X_WS * Pose::translation({0, 0.23 - 0.75 * kSide, 0.5 * kSide}));
  }
  return scene;
}

model::Scene disassembly_scene() {
  model::Scene scene = floor_scene("a balanced plank", 2.0, 0.6);
  add_box(scene, "A", 1.0, {0.1, 0.1, 0.2}, Pose::translation({0, 0, 0.1}));
  add_box(scene, "B", 1.0, {0.44, 0.1, 0.02}, Pose::translation({0, 0, 0.21}));
  add_box(scene, "C", 1.0, {0.06, 0.06, 0.06}, Pose::translation({0.15, 0, 0.25}));
  add_box(scene, "D", 1.0, {0.06, 0.06, 0.06}, Pose::translation({-0.08, 0, 0.25}));
  return scene;
}

}  // namespace prehend::stability
