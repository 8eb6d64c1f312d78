// Boxes on a floor, points all over them, and the truth: for the tests of the source's methods.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Geometry>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/primitives.h>
#include <prehend/geometry/sampling.h>
#include <prehend/math/cone_program.h>
#include <prehend/model/scene.h>
#include <prehend/stability/push.h>

namespace prehend::stability::graph_scenes {

using Eigen::Vector3d;

class SceneBuilder {
 public:
  explicit SceneBuilder(double friction) : friction_(friction) {}

  model::BodyIndex add(const std::string& name, const Vector3d& size, const Vector3d& centre, double mass,
                       const Eigen::Quaterniond& q = Eigen::Quaterniond::Identity()) {
    model::Body body;
    body.name = name;
    body.movable = mass > 0.0;
    if (mass > 0.0) body.inertia = math::SpatialInertia::solid_box(mass, size);
    body.X_WB = frame * math::Pose(q, scale * centre);
    model::Geom geom;
    geom.name = name;
    geom.shape = model::Shape::box(scale * size);
    geom.mesh = geometry::make_box(scale * size);
    geom.friction = friction_;
    body.geoms.push_back(geom);
    scene.bodies.push_back(body);
    return model::BodyIndex(scene.bodies.size() - 1);
  }
  void add_floor() { add("floor", {50, 50, 1}, {0, 0, -0.5}, 0.0); }
  void turn_gravity() { scene.gravity_W = frame.q() * scene.gravity_W; }

  model::Scene scene;
  math::Pose frame;   // where everything stands
  double scale{1.0};  // of all lengths

 private:
  double friction_;
};

inline model::Scene cubes(int count, double mu) {
  SceneBuilder builder(mu);
  builder.add_floor();
  for (int i = 0; i < count; ++i) builder.add("cube" + std::to_string(i), {1, 1, 1}, {0, 0, i + 0.5}, 1.0);
  return builder.scene;
}

struct TableSize {
  Vector3d leg{1, 1, 1};
  double apart{1.0};  // of a leg's middle from the slab's
  Vector3d slab{3, 1, 0.5};
  double leg_mass{1.0}, slab_mass{1.5};
};

inline model::Scene table(double mu, const TableSize& size = {}) {
  SceneBuilder builder(mu);
  builder.add_floor();
  builder.add("left", size.leg, {-size.apart, 0, 0.5 * size.leg.z()}, size.leg_mass);
  builder.add("right", size.leg, {size.apart, 0, 0.5 * size.leg.z()}, size.leg_mass);
  builder.add("slab", size.slab, {0, 0, size.leg.z() + 0.5 * size.slab.z()}, size.slab_mass);
  return builder.scene;
}

// Inward pushes all over the movable bodies, by area.
inline std::vector<Push> surface_pushes(const model::Scene& scene, int count, std::uint64_t seed) {
  double total = 0.0;
  const auto area = [&](model::BodyIndex b) {
    return geometry::mass_properties(scene.bodies[b].geoms[0].mesh).area;
  };
  for (model::BodyIndex b(0); b < scene.bodies.size(); ++b) {
    if (scene.bodies[b].movable) total += area(b);
  }
  std::vector<Push> pushes;
  for (model::BodyIndex b(0); b < scene.bodies.size(); ++b) {
    const model::Body& body = scene.bodies[b];
    if (!body.movable) continue;
    math::RandomStream random(seed, b);
    const int share = static_cast<int>(std::lround(count * area(b) / total));
    for (const auto& sample : geometry::sample_surface(body.geoms[0].mesh, share, random)) {
      pushes.push_back({b, body.X_WB * sample.point, body.X_WB.q() * -sample.normal});
    }
  }
  return pushes;
}

// Limit analysis of the whole scene by the general cone solver: maximise s with S'f + s w + g = 0, f in the cones.
// Infinite when unbounded, not a number when there is no answer.
inline double true_limit(const ContactSystem& corners, const Load& load) {
  const int n = 3 * static_cast<int>(corners.contacts.size());
  std::vector<Eigen::Triplet<double>> A, G;
  math::ConeProgram program;
  program.b = Eigen::VectorXd::Zero(corners.unknowns());
  for (NodeIndex i(0); i < corners.bodies.size(); ++i) {
    program.b.segment<6>(6 * i.value()) = -corners.gravity_wrench(i) / corners.weight;
  }
  for (int k = 0; k < n / 3; ++k) {
    const SystemContact& contact = corners.contacts[static_cast<std::size_t>(k)];
    for (int j = 0; j < 3; ++j) {
      const Vector3d axis = j == 0 ? Vector3d(contact.n_W()) : Vector3d(contact.R_WC.col(j - 1));
      const math::Vector6d w = corners.force_wrench(axis, contact.p_W);
      for (int r = 0; r < 6; ++r) {
        if (contact.b.is_valid()) A.emplace_back(6 * contact.b.value() + r, 3 * k + j, w[r]);
        if (contact.a.is_valid()) A.emplace_back(6 * contact.a.value() + r, 3 * k + j, -w[r]);
      }
      G.emplace_back(3 * k + j, 3 * k + j, j == 0 ? -contact.mu : -1.0);
    }
  }
  for (const BodyLoad& part : load) {
    for (int r = 0; r < 6; ++r) A.emplace_back(6 * part.body.value() + r, n, part.wrench[r]);
  }
  program.c = -Eigen::VectorXd::Unit(n + 1, n);
  program.A.resize(corners.unknowns(), n + 1);
  program.A.setFromTriplets(A.begin(), A.end());
  program.G.resize(n, n + 1);
  program.G.setFromTriplets(G.begin(), G.end());
  program.h = Eigen::VectorXd::Zero(n);
  program.cones.second_order.assign(static_cast<std::size_t>(n / 3), 3);
  const math::ConeResult solved = math::solve_cone_program(program);
  if (solved.status == math::SolverStatus::optimal) return corners.weight * -solved.primal_objective;
  if (solved.status == math::SolverStatus::dual_infeasible) return std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

struct MapError {
  int compared{0};
  int disagree{0};             // finite here, infinite there
  double mean{0.0}, max{0.0};  // relative, over the points where the truth is finite
  double largest_below{0.0};   // how far below the truth, relative: a motion that cannot be
};

inline MapError map_error(const std::vector<double>& truth, const std::vector<PushAnswer>& answers) {
  MapError error;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (std::isinf(truth[i]) || answers[i].unbounded) {
      error.disagree += std::isinf(truth[i]) != answers[i].unbounded;
      continue;
    }
    const double relative = (answers[i].robustness - truth[i]) / truth[i];
    ++error.compared;
    error.mean += std::abs(relative);
    error.max = std::max(error.max, std::abs(relative));
    error.largest_below = std::max(error.largest_below, -relative);
  }
  error.mean /= std::max(1, error.compared);
  return error;
}

}  // namespace prehend::stability::graph_scenes
