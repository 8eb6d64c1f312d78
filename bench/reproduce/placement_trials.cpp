#include "placement_trials.h"

#include <cmath>
#include <ctime>

#include <Eigen/Geometry>
#include <generated/benchmark_scenes.h>

#include <prehend/geometry/hull.h>
#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/angles.h>
#include <prehend/placement/planning/problem.h>
#include <prehend/placement/source/algorithm5.h>
#include <prehend/placement/verify/verifier.h>

namespace prehend::reproduce {
namespace {

using Eigen::Vector3d;
using math::Pose;

constexpr double kSide = 0.1, kCubeMass = 0.5, kFriction = 0.7;
constexpr double kDensity = 600.0;  // [kg/m^3]
constexpr long kAttempts = 500;
constexpr double kTimeLimit = 20.0;  // [s]

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

model::Geom box_geom(const Vector3d& size) {
  model::Geom geom;
  geom.shape = model::Shape::box(size);
  geom.mesh = geometry::make_box(size);
  geom.friction = kFriction;
  return geom;
}

void add_box(model::Scene& scene, const std::string& name, double mass, const Vector3d& size,
             const Pose& X_WB) {
  model::Body body;
  body.name = name;
  body.movable = mass > 0.0;
  if (mass > 0.0) body.inertia = math::SpatialInertia::solid_box(mass, size);
  body.X_WB = X_WB;
  body.geoms.push_back(box_geom(size));
  scene.bodies.push_back(body);
}

model::Scene floor_only(const std::string& name) {
  model::Scene scene;
  scene.name = name;
  model::Geom floor = box_geom({1, 1, 0.1});
  floor.X_BG = Pose::translation({0, 0, -0.05});
  scene.bodies[0].geoms.push_back(floor);
  return scene;
}

// A body of convex solids, each the hull of points, of one density.
void add_hulls(model::Scene& scene, const std::string& name, const std::vector<std::vector<Vector3d>>& solids,
               const Pose& X_WB) {
  model::Body body;
  body.name = name;
  body.movable = true;
  body.X_WB = X_WB;
  math::SpatialInertia sum;
  bool is_first = true;
  for (const std::vector<Vector3d>& points : solids) {
    model::Geom geom;
    geom.shape.kind = model::ShapeKind::mesh;
    geom.mesh = geometry::convex_hull(points).mesh;
    geom.friction = kFriction;
    const geometry::MassProperties solid = geometry::mass_properties(geom.mesh);
    const math::SpatialInertia inertia{kDensity * solid.volume, solid.centroid,
                                       kDensity * solid.inertia_unit_density};
    sum = is_first ? inertia : sum + inertia;
    is_first = false;
    body.geoms.push_back(std::move(geom));
  }
  body.inertia = sum;
  scene.bodies.push_back(std::move(body));
}

PlacementScene with_cube(const std::string& name, model::Scene scene) {
  PlacementScene result{name, std::move(scene), {}, {}};
  for (const model::Body& body : result.scene.bodies) {
    if (body.movable) result.touch.push_back(body.name);
  }
  add_box(result.scene, "placed", kCubeMass, Vector3d::Constant(kSide), Pose::translation({0, 0, 5}));
  result.object = model::BodyIndex(result.scene.bodies.size() - 1);
  return result;
}

model::Scene pyramids() {
  model::Scene scene = floor_only("pyramids");
  for (int k = 0; k < 4; ++k) {
    const std::vector<Vector3d> points{
        {-0.035, -0.035, 0}, {0.035, -0.035, 0}, {0.035, 0.035, 0}, {-0.035, 0.035, 0}, {0, 0, 0.08}};
    add_hulls(scene, "pyramid" + std::to_string(k), {points},
              Pose::translation({k & 1 ? 0.036 : -0.036, k & 2 ? 0.036 : -0.036, 0}));
  }
  return scene;
}

model::Scene sawteeth() {
  model::Scene scene = floor_only("sawteeth");
  std::vector<std::vector<Vector3d>> teeth;
  for (int k = -2; k <= 2; ++k) {
    std::vector<Vector3d> points;
    for (const double y : {-0.15, 0.15}) {
      for (const auto& [x, z] : {std::pair{-0.03, 0.0}, std::pair{0.03, 0.0}, std::pair{-0.03, 0.02},
                                 std::pair{0.03, 0.02}, std::pair{0.0, 0.05}})
        points.emplace_back(x + 0.06 * k, y, z);
    }
    teeth.push_back(points);
  }
  add_hulls(scene, "saw", teeth, Pose());
  return scene;
}

model::Scene canyon() {
  model::Scene scene = floor_only("canyon");
  for (const int side : {-1, 1})
    add_box(scene, side < 0 ? "left" : "right", 1.0, {0.04, 0.2, 0.15},
            Pose::translation({0.05 * side, 0, 0.075}));
  return scene;
}

}  // namespace

std::vector<PlacementScene> six_placement_scenes() {
  return {with_cube("Cube", stability::cube_scene()),
          with_cube("Stack", stability::cube_stack_scene()),
          with_cube("Table", stability::table_scene()),
          with_cube("Pyramids", pyramids()),
          with_cube("Sawteeth", sawteeth()),
          with_cube("Canyon", canyon())};
}

std::vector<PlacementScene> assembly_placement_scenes() {
  model::Scene balance = floor_only("balance");
  add_box(balance, "pivot", 2.0, {0.08, 0.12, 0.1}, Pose::translation({0, 0, 0.05}));
  add_box(balance, "plank", 0.5, {0.6, 0.12, 0.02}, Pose::translation({0.02, 0, 0.11}));
  add_box(balance, "weight", 0.3, {0.06, 0.06, 0.06}, Pose::translation({-0.1, 0, 0.15}));
  model::Scene cantilever = floor_only("cantilever");
  add_box(cantilever, "base", 2.0, {0.2, 0.12, 0.1}, Pose::translation({0, 0, 0.05}));
  add_box(cantilever, "beam", 0.8, {0.35, 0.12, 0.03}, Pose::translation({0.08, 0, 0.115}));
  return {with_cube("Slant", stability::slant_scene(1)), with_cube("Balance", std::move(balance)),
          with_cube("Cantilever", std::move(cantilever))};
}

PlacementTrial placement_trial(const PlacementScene& scene, placement::Planner planner,
                               placement::Objective objective, std::uint64_t seed) {
  placement::PlacementOptions options;
  options.planner = planner;
  options.objective = objective;
  options.touch = scene.touch;
  options.seed = seed;
  options.time_limit = kTimeLimit;
  const double start = processor_time();
  const placement::PlacementResult result = placement::place(scene.scene, scene.object, options);
  PlacementTrial trial;
  trial.time = processor_time() - start;
  trial.attempts = result.attempts;
  if (result.status != placement::PlacementStatus::ok) return trial;
  const placement::Placement& found = result.placements.front();
  trial.is_found = true;
  trial.min_sr = found.min_sr;
  trial.robustness = found.robustness;
  trial.volume = found.volume;
  return trial;
}

PlacementTrial guided_trial(const PlacementScene& scene, stability::Method guide, std::uint64_t seed) {
  placement::PlacementOptions options;
  options.planner = placement::Planner::robustness;
  options.touch = scene.touch;
  options.seed = seed;
  PlacementTrial trial;
  const double start = processor_time();
  const placement::Problem problem = placement::prepare(scene.scene, scene.object, options);
  const placement::Verifier verifier(problem);
  placement::ScenePointOptions points;
  points.guide = guide;
  const auto source = placement::algorithm5_source(problem, points);
  while (trial.attempts < kAttempts) {
    const std::optional<Pose> pose = source->next();
    if (!pose) break;
    ++trial.attempts;
    const placement::Verdict verdict = verifier.check(*pose);
    if (!verdict.passed()) continue;
    trial.is_found = true;
    trial.min_sr = verdict.placement.min_sr;
    trial.robustness = verdict.placement.robustness;
    break;
  }
  trial.time = processor_time() - start;
  return trial;
}

IterationTimes& IterationTimes::operator+=(const IterationTimes& other) {
  iterations += other.iterations;
  propose += other.propose;
  verify += other.verify;
  return *this;
}

IterationTimes iteration_times(const PlacementScene& scene, std::uint64_t seed) {
  placement::PlacementOptions options;
  options.planner = placement::Planner::robustness;
  options.touch = scene.touch;
  options.seed = seed;
  const placement::Problem problem = placement::prepare(scene.scene, scene.object, options);
  const placement::Verifier verifier(problem);
  const auto source = placement::algorithm5_source(problem, placement::ScenePointOptions{});
  IterationTimes times;
  while (times.iterations < kAttempts) {
    const double start = processor_time();
    const std::optional<Pose> pose = source->next();
    const double proposed = processor_time();
    if (!pose) break;
    ++times.iterations;
    const bool passed = verifier.check(*pose).passed();
    times.propose += proposed - start;
    times.verify += processor_time() - proposed;
    if (passed) break;
  }
  return times;
}

PlacementScene bowl_scene(int vertices) {
  // A closed curve around the wall, from the middle of the foot outside to the middle of the bottom inside, turned about z.
  constexpr double kFoot = 0.03, kRim = 0.08, kTall = 0.06, kWall = 0.004;  // [m]
  const int around = std::max(12, static_cast<int>(std::lround(1.2 * std::sqrt(vertices))));
  const int rings = std::max(2, (vertices / around) / 2);
  std::vector<Eigen::Vector2d> outside, profile;  // radius, height
  for (int i = 0; i < rings; ++i) {
    const double angle = 0.5 * math::kPi * i / std::max(1, rings - 1);
    outside.emplace_back(kFoot + (kRim - kFoot) * std::sin(angle), kTall * (1.0 - std::cos(angle)));
  }
  profile = outside;
  for (auto p = outside.rbegin(); p != outside.rend(); ++p)
    profile.emplace_back(p->x() - kWall, kWall + p->y() * (kTall - kWall) / kTall);
  geometry::TriangleMesh mesh;
  for (const Eigen::Vector2d& p : profile) {
    for (int k = 0; k < around; ++k) {
      const double angle = 2.0 * math::kPi * k / around;
      mesh.vertices.emplace_back(p.x() * std::cos(angle), p.x() * std::sin(angle), p.y());
    }
  }
  const int last = static_cast<int>(profile.size()) - 1;
  for (int i = 0; i < last; ++i) {
    for (int k = 0; k < around; ++k) {
      const int a = i * around + k, b = i * around + (k + 1) % around;
      mesh.triangles.emplace_back(a, b, b + around);
      mesh.triangles.emplace_back(a, b + around, a + around);
    }
  }
  const int below = static_cast<int>(mesh.vertices.size());
  mesh.vertices.emplace_back(0, 0, 0);
  mesh.vertices.emplace_back(0, 0, kWall);
  for (int k = 0; k < around; ++k) {
    const int next = (k + 1) % around;
    mesh.triangles.emplace_back(below, next, k);
    mesh.triangles.emplace_back(below + 1, last * around + k, last * around + next);
  }
  model::Body body;
  body.name = "bowl";
  body.movable = true;
  model::Geom geom;
  geom.shape.kind = model::ShapeKind::mesh;
  geom.friction = kFriction;
  const geometry::MassProperties solid = geometry::mass_properties(mesh);
  body.inertia = {kDensity * solid.volume, solid.centroid, kDensity * solid.inertia_unit_density};
  geom.mesh = std::move(mesh);
  body.geoms.push_back(std::move(geom));
  PlacementScene result{"bowl", floor_only("bowl"), {}, {}};
  result.scene.bodies.push_back(std::move(body));
  result.object = model::BodyIndex(result.scene.bodies.size() - 1);
  return result;
}

PlacementMean mean_of(const std::vector<PlacementTrial>& trials) {
  PlacementMean mean;
  double found = 0.0;
  for (const PlacementTrial& trial : trials) {
    mean.time += trial.time;
    mean.attempts += static_cast<double>(trial.attempts);
    if (!trial.is_found) continue;
    found += 1.0;
    mean.min_sr += trial.min_sr;
    mean.robustness += trial.robustness;
    mean.volume += trial.volume;
  }
  const auto runs = static_cast<double>(trials.size());
  mean.time /= runs;
  mean.attempts /= runs;
  mean.success = found / runs;
  for (double* value : {&mean.min_sr, &mean.robustness, &mean.volume})
    *value = found > 0.0 ? *value / found : std::nan("");
  return mean;
}

}  // namespace prehend::reproduce
