#include <algorithm>
#include <cmath>

#include <prehend/math/cone_program.h>
#include <prehend/stability/certificate.h>
#include <prehend/stability/limit/limit_general.h>
#include <prehend/stability/limit/limiting_motion.h>
#include <prehend/stability/statics/contact_springs.h>
#include <prehend/stability/statics/force_distribution.h>

namespace prehend::stability {
namespace {

using Eigen::VectorXd;
using Triplets = std::vector<Eigen::Triplet<double>>;

// Unknowns per contact: g_u, g_v, f_n with f_t = mu g, so that the cone is |g| <= f_n for any friction, also none.
// With `least`, one more: the bound on the norm of all forces.
math::ConeProgram force_program(const SpringSystem& springs, bool least) {
  const int contacts = springs.size(), columns = 3 * contacts + (least ? 1 : 0);
  const auto friction = [&](int row) {
    return row % 3 < 2 ? springs.mu[static_cast<std::size_t>(row / 3)] : 1.0;
  };
  math::ConeProgram program;
  Triplets A, G;
  const Eigen::SparseMatrix<double> J = springs.jacobian();
  for (int row = 0; row < J.outerSize(); ++row) {  // columns of J are rows of A
    for (Eigen::SparseMatrix<double>::InnerIterator entry(J, row); entry; ++entry) {
      A.emplace_back(row, static_cast<int>(entry.row()),
                     entry.value() * friction(static_cast<int>(entry.row())));
    }
  }
  program.A.resize(springs.unknowns(), columns);
  program.A.setFromTriplets(A.begin(), A.end());
  program.b = -springs.weights;
  for (int k = 0; k < contacts; ++k) {
    G.emplace_back(3 * k, 3 * k + 2, -1.0);
    G.emplace_back(3 * k + 1, 3 * k, -1.0);
    G.emplace_back(3 * k + 2, 3 * k + 1, -1.0);
    program.cones.second_order.push_back(3);
  }
  int rows = 3 * contacts;
  program.c = VectorXd::Zero(columns);
  if (least) {
    G.emplace_back(rows++, columns - 1, -1.0);
    for (int j = 0; j < 3 * contacts; ++j) G.emplace_back(rows++, j, -friction(j));
    program.cones.second_order.push_back(3 * contacts + 1);
    program.c[columns - 1] = 1.0;
  } else {
    for (int k = 0; k < contacts; ++k) program.c[3 * k + 2] = 1.0;
  }
  program.G.resize(rows, columns);
  program.G.setFromTriplets(G.begin(), G.end());
  program.h = VectorXd::Zero(rows);
  return program;
}

VectorXd forces_of(const SpringSystem& springs, const VectorXd& x) {
  VectorXd forces = x.head(3 * springs.size());
  for (int k = 0; k < springs.size(); ++k) {
    forces.segment<2>(3 * k) *= springs.mu[static_cast<std::size_t>(k)];
  }
  return forces;
}

// The largest speed of a centre of mass, or of turning times length, becomes 1 m/s.
std::vector<math::Vector6d> normalised_motion(const ContactSystem& system, const SpringSystem& springs,
                                              const VectorXd& y) {
  std::vector<math::Vector6d> motion = springs.world_displacements(y, springs.force);
  double speed = 0.0;
  for (std::size_t i = 0; i < motion.size(); ++i) {
    const Eigen::Vector3d arm = system.bodies[i].com_W - system.origin_W;
    const Eigen::Vector3d v = motion[i].tail<3>() + motion[i].head<3>().cross(arm);
    speed = std::max({speed, v.norm(), motion[i].head<3>().norm() * system.length});
  }
  if (speed > 0.0) {
    for (math::Vector6d& twist : motion) twist /= speed;
  }
  return motion;
}

ForceDistribution nothing_to_do(const ContactSystem& system) {
  ForceDistribution out;
  out.status = DistributionStatus::balanced;
  out.forces_W.assign(system.contacts.size(), Eigen::Vector3d::Zero());
  return out;
}

}  // namespace

ForceDistribution general_cone_forces(const ContactSystem& system) {
  if (system.bodies.empty()) return nothing_to_do(system);
  if (!system.joint_rows.empty()) return jointed_forces(system);
  const SpringSystem springs(system, {}, 0.0);
  ForceDistribution out;
  // Feasibility first: the smaller program, and the one whose refusal is a proof.
  const math::ConeResult feasible = math::solve_cone_program(force_program(springs, false));
  if (feasible.status == math::SolverStatus::primal_infeasible) {
    // Balanced but for rounding of the geometry, as the limits have it.
    if (const ScaledLimit rest = solve_resting(scale_system(system));
        rest.status == ScaledLimit::Status::bounded) {
      out.forces_W = forces_in_newton(system, rest.forces);
      out.status = DistributionStatus::balanced;
      out.note = "the forces hold but for the rounding of places, and are not proven to be the least";
      return out;
    }
    out.falling = normalised_motion(system, springs, feasible.y);
    const Certificate certificate = check_falling(system, out.falling);
    out.status = certificate.valid ? DistributionStatus::unstable : DistributionStatus::undetermined;
    if (!certificate.valid)
      out.note = "no contact forces were found, but their absence is not proven: " + certificate.problem;
    return out;
  }
  const math::ConeResult least = math::solve_cone_program(force_program(springs, true));
  std::string problem;
  for (const math::ConeResult* result : {&least, &feasible}) {
    if (result->status != math::SolverStatus::optimal) continue;
    out.forces_W = springs.world_forces(system, forces_of(springs, result->x));
    const Certificate certificate = check_resting_forces(system, out.forces_W);
    if (certificate.valid) {
      out.status = DistributionStatus::balanced;
      if (result == &feasible) out.note = "the forces hold, but are not proven to be the least";
      return out;
    }
    if (problem.empty()) problem = certificate.problem;
  }
  out.status = DistributionStatus::undetermined;
  out.note = problem.empty() ? "the cone solver ended without an answer: " + least.brief_report() : problem;
  return out;
}

ForceDistribution least_cone_forces(const ContactSystem& system) {
  if (system.bodies.empty()) return nothing_to_do(system);
  if (!system.joint_rows.empty()) return jointed_forces(system);
  const SpringSystem springs(system, {}, 0.0);
  const ConeLaw law(springs.mu);
  SpringOptions options;
  options.anchor_stiffness = 1e-8;
  // The anchor follows until it holds nothing. Displacements that grow beyond kFar mean that contacts do not hold.
  constexpr double kFar = 1e5;
  constexpr int kRounds = 8;
  VectorXd u = VectorXd::Zero(springs.unknowns());
  for (int round = 0; round < kRounds; ++round) {
    const SpringMinimum minimum = minimise_springs(springs, law, u, u, options);
    u = minimum.u;
    if (!(u.lpNorm<Eigen::Infinity>() < kFar)) break;
    const VectorXd forces = springs.forces(u, law);
    if (springs.unbalanced(forces).lpNorm<Eigen::Infinity>() > 1e-10) continue;
    ForceDistribution out;
    out.forces_W = springs.world_forces(system, forces);
    if (!check_resting_forces(system, out.forces_W).valid) break;
    out.status = DistributionStatus::balanced;
    return out;
  }
  return general_cone_forces(system);
}

}  // namespace prehend::stability
