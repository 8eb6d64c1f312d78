#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/SparseCore>

#include <prehend/math/interrupt.h>
#include <prehend/math/so3.h>
#include <prehend/stability/mending/pose_fit.h>
#include <prehend/stability/mending/sparse_solves.h>

namespace prehend::stability {
namespace {

using Eigen::VectorXd;

struct Equations {
  Eigen::SparseMatrix<double> A;  // in units of the noise
  VectorXd b;
};

Equations equations_of(std::span<const ChosenClosure> closed, const ChoiceProblem& problem) {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> right;
  for (const ChosenClosure& chosen : closed) {
    const ClosureRows rows = closure_rows(chosen.closure, problem.bodies);
    for (int k = 0; k < rows.count; ++k) {
      if (!chosen.independent[k]) continue;
      const int row = static_cast<int>(right.size());
      const int node_a = problem.node[static_cast<std::size_t>(chosen.closure.a)],
                node_b = problem.node[static_cast<std::size_t>(chosen.closure.b)];
      // Rows of about unit length, whatever they measure.
      const double unit = 1.0 / (k + 1 == rows.count ? problem.noise.position : problem.noise.angle);
      for (int i = 0; i < 6; ++i) {
        const double noise = unit * (i < 3 ? problem.noise.angle : problem.noise.position);
        if (node_a >= 0) entries.emplace_back(row, 6 * node_a + i, noise * rows.J_a[k][i]);
        if (node_b >= 0) entries.emplace_back(row, 6 * node_b + i, noise * rows.J_b[k][i]);
      }
      right.push_back(-unit * rows.r[k]);
    }
  }
  Equations equations;
  equations.A.resize(static_cast<Eigen::Index>(right.size()), 6 * problem.nodes());
  equations.A.setFromTriplets(entries.begin(), entries.end());
  equations.b = Eigen::Map<const VectorXd>(right.data(), static_cast<Eigen::Index>(right.size()));
  return equations;
}

void move_bodies(const VectorXd& motion, ChoiceProblem& problem) {
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    if (problem.node[b] < 0) continue;
    PosedBody& body = problem.bodies[b];
    const Eigen::Vector3d turn = problem.noise.angle * motion.segment<3>(6 * problem.node[b]);
    const Eigen::Vector3d com =
        body.com() + problem.noise.position * motion.segment<3>(6 * problem.node[b] + 3);
    const Eigen::Quaterniond q = (math::exp_so3(turn) * body.X_WB.q()).normalized();
    body.X_WB = math::Pose(q, com - q * body.features->com);
  }
}

}  // namespace

double fit_poses(std::span<const ChosenClosure> closed, ChoiceProblem& problem) {
  constexpr int kSteps = 12;
  constexpr double kClosed = 1e-10;  // [m], [rad]: far below what any search of contacts sees
  double residual = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kSteps; ++step) {
    math::check_interrupt();
    const Equations equations = equations_of(closed, problem);
    residual = equations.b.size() == 0 ? 0.0
                                       : equations.b.cwiseAbs().maxCoeff() *
                                             std::max(problem.noise.position, problem.noise.angle);
    if (step > 1 && residual < kClosed) return residual;
    VectorXd motion = problem.observed_motion();
    if (equations.b.size() > 0) {
      Eigen::SparseMatrix<double> S = equations.A * Eigen::SparseMatrix<double>(equations.A.transpose());
      for (Eigen::Index i = 0; i < S.rows(); ++i) S.coeffRef(i, i) += 1e-12;
      SparseSolves solves;  // features that no longer face each other have no rows: the pattern may change
      const VectorXd lambda = solves.symmetric(S, equations.b - equations.A * motion);
      if (lambda.size() == 0 || !lambda.allFinite()) return std::numeric_limits<double>::infinity();
      motion += equations.A.transpose() * lambda;
    }
    move_bodies(motion, problem);
  }
  return residual;
}

}  // namespace prehend::stability
