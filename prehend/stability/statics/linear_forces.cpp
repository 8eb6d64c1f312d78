#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/Dense>

#include <prehend/math/angles.h>
#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/quadratic_program.h>
#include <prehend/stability/certificate.h>
#include <prehend/stability/statics/contact_springs.h>
#include <prehend/stability/statics/force_distribution.h>

namespace prehend::stability {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rows C f <= 0 of (4.9), (4.10) and f_n >= 0 of (4.15), N + 1 per contact.
MatrixXd pyramid_rows(const SpringSystem& springs, int sides) {
  MatrixXd C = MatrixXd::Zero((sides + 1) * springs.size(), 3 * springs.size());
  for (int k = 0; k < springs.size(); ++k) {
    const double mu = springs.mu[static_cast<std::size_t>(k)];
    for (int side = 0; side < sides; ++side) {
      const double angle = 2.0 * math::kPi * side / sides;
      C.block<1, 3>((sides + 1) * k + side, 3 * k) << std::cos(angle), std::sin(angle),
          -mu * std::cos(math::kPi / sides);
    }
    C((sides + 1) * k + sides, 3 * k + 2) = -1.0;
  }
  return C;
}

}  // namespace

ForceDistribution least_pyramid_forces(const ContactSystem& system, int sides) {
  if (sides < 3)
    throw std::invalid_argument("pyramid_sides is " + std::to_string(sides) + ", must be at least 3");
  const SpringSystem springs(system, {}, 0.0);
  ForceDistribution out;
  if (system.bodies.empty() || system.contacts.empty()) return least_cone_forces(system);
  math::QuadraticProgram program;
  const int unknowns = 3 * springs.size();
  program.H = MatrixXd::Identity(unknowns, unknowns);
  program.g = VectorXd::Zero(unknowns);
  program.A = MatrixXd(springs.jacobian().transpose());
  program.b = -springs.weights;
  // Rounding left where nothing acts would be scaled up with its row.
  const auto clean = [](double entry) { return std::abs(entry) < 1e-14 ? 0.0 : entry; };
  program.A = program.A.unaryExpr(clean);
  program.b = program.b.unaryExpr(clean);
  program.C = pyramid_rows(springs, sides);
  program.upper = VectorXd::Zero(program.C.rows());
  program.lower = VectorXd::Constant(program.C.rows(), -std::numeric_limits<double>::infinity());
  const math::QuadraticProgramResult result = math::solve_quadratic_program(program);
  if (result.status == math::SolverStatus::optimal) {
    out.forces_W = springs.world_forces(system, result.x);
    const Certificate certificate = check_resting_forces(system, out.forces_W);
    out.status = certificate.valid ? DistributionStatus::balanced : DistributionStatus::undetermined;
    out.note = certificate.problem;
    return out;
  }
  if (result.status != math::SolverStatus::primal_infeasible) {
    out.status = DistributionStatus::undetermined;
    out.note = "the quadratic program ended without an answer: " + result.brief_report();
    return out;
  }
  out = least_cone_forces(system);
  if (out.status == DistributionStatus::balanced) {
    out.status = DistributionStatus::undetermined;
    out.forces_W.clear();
    out.note = "no forces balance inside pyramids of " + std::to_string(sides) +
               " sides, but some do inside the true cones: use more sides or the method 'cones'";
  }
  return out;
}

ForceDistribution least_norm_forces(const ContactSystem& system) {
  if (system.bodies.empty() || system.contacts.empty()) return least_cone_forces(system);
  const SpringSystem springs(system, {}, 0.0);
  // The source decomposes [B_1 .. B_K]' = Q R and needs six independent rows; here the rank may be any.
  const MatrixXd equilibrium(springs.jacobian().transpose());
  ForceDistribution out;
  const VectorXd forces = math::minimum_norm_solution(equilibrium, -springs.weights);
  out.forces_W = springs.world_forces(system, forces);
  if (springs.unbalanced(forces).lpNorm<Eigen::Infinity>() <= 1e-9) {
    out.status = DistributionStatus::balanced;
    return out;
  }
  // Not even glued contacts balance the weights; the cones know the motion.
  out = least_cone_forces(system);
  if (out.status == DistributionStatus::balanced) {
    out.status = DistributionStatus::undetermined;
    out.note = "the equilibrium equations are too close to singular for this method: use 'cones'";
  }
  return out;
}

}  // namespace prehend::stability
