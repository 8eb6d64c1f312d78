#include <algorithm>
#include <cmath>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include <prehend/stability/contact_springs.h>

namespace prehend::stability {
namespace {

using Eigen::SparseMatrix;
using Eigen::VectorXd;

// All contacts at one displacement.
struct Response {
  double energy{0.0};
  VectorXd forces;
  SparseMatrix<double> stiffness;  // block diagonal
};

SparseMatrix<double> block_diagonal(int blocks) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < blocks; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) entries.emplace_back(3 * k + i, 3 * k + j, 1.0);
    }
  }
  SparseMatrix<double> matrix(3 * blocks, 3 * blocks);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

void respond(const SpringSystem& springs, const SpringLaw& law, const VectorXd& u, Response& out) {
  out.forces = springs.J * u;
  out.energy = 0.0;
  double* stiffness = out.stiffness.valuePtr();  // nine numbers a block, by columns
  for (int k = 0; k < springs.contacts(); ++k) {
    const SpringResponse one = law.respond(k, out.forces.segment<3>(3 * k));
    out.energy += one.energy;
    out.forces.segment<3>(3 * k) = one.force;
    Eigen::Map<Eigen::Matrix3d>(stiffness + 9 * k) = one.stiffness;
  }
}

SparseMatrix<double> tangent(const SpringSystem& springs, const Response& response, double anchor) {
  SparseMatrix<double> identity(springs.J.cols(), springs.J.cols());
  identity.setIdentity();
  return springs.Jt * response.stiffness * springs.J + anchor * identity;
}

}  // namespace

SpringMinimum minimise_springs(const SpringSystem& springs, const SpringLaw& law, const VectorXd& anchor,
                               const VectorXd& start, const SpringOptions& options) {
  const VectorXd pull = springs.weights + springs.load;
  const double a = options.anchor_stiffness;
  Response response, trial;
  response.stiffness = trial.stiffness = block_diagonal(springs.contacts());
  const auto cost = [&](const Response& r, const VectorXd& u) {
    return r.energy - pull.dot(u) + 0.5 * a * (u - anchor).squaredNorm();
  };
  const auto gradient = [&](const Response& r, const VectorXd& u) -> VectorXd {
    return -(springs.Jt * r.forces) - pull + a * (u - anchor);
  };
  SpringMinimum out;
  out.u = start;
  respond(springs, law, out.u, response);
  double value = cost(response, out.u);
  VectorXd slope = gradient(response, out.u);
  Eigen::SimplicialLDLT<SparseMatrix<double>> factor;
  while (out.iterations < options.max_iterations) {
    // Rounding of J u, and of the balance at it, grows with u.
    const double floor = 1e-15 * std::max(1.0, out.u.lpNorm<Eigen::Infinity>());
    out.converged = slope.lpNorm<Eigen::Infinity>() <= std::max(options.tolerance, floor);
    if (out.converged) break;
    ++out.iterations;
    factor.compute(tangent(springs, response, a));
    if (factor.info() != Eigen::Success) break;
    const VectorXd step = -factor.solve(slope);
    const double descent = slope.dot(step);
    if (!(descent < 0.0) || !step.allFinite()) break;
    bool accepted = false;
    for (double length = 1.0; length > 1e-10 && !accepted; length *= 0.5) {
      const VectorXd u = out.u + length * step;
      respond(springs, law, u, trial);
      const double next = cost(trial, u);
      const VectorXd next_slope = gradient(trial, u);
      // Where the cost differs by less than its rounding, the slope along the step decides.
      const bool lower = next <= value + 1e-4 * length * descent;
      const bool same = std::abs(next - value) <= 1e-13 * (std::abs(value) + trial.energy) &&
                        std::abs(next_slope.dot(step)) < 0.9 * std::abs(descent);
      if (!lower && !same) continue;
      accepted = true;
      out.u = u;
      value = next;
      slope = next_slope;
      std::swap(response, trial);
    }
    if (!accepted) break;
  }
  return out;
}

SpringMinimum balance_springs(const SpringSystem& springs, const SpringLaw& law, const VectorXd& start,
                              const SpringOptions& options) {
  Response response, trial;
  response.stiffness = trial.stiffness = block_diagonal(springs.contacts());
  const double a = options.anchor_stiffness;
  const auto unbalanced = [&](const Response& r, const VectorXd& u) -> VectorXd {
    return springs.unbalanced(r.forces) - a * u;
  };
  SpringMinimum out;
  out.u = start;
  respond(springs, law, out.u, response);
  VectorXd rest = unbalanced(response, out.u);
  Eigen::SparseLU<SparseMatrix<double>> factor;
  while (out.iterations < options.max_iterations) {
    out.converged = rest.lpNorm<Eigen::Infinity>() <= options.tolerance;
    if (out.converged) break;
    ++out.iterations;
    factor.compute(tangent(springs, response, a));
    if (factor.info() != Eigen::Success) break;
    const VectorXd step = factor.solve(rest);
    if (!step.allFinite()) break;
    bool accepted = false;
    for (double length = 1.0; length > 1e-3 && !accepted; length *= 0.5) {
      const VectorXd u = out.u + length * step;
      respond(springs, law, u, trial);
      const VectorXd next = unbalanced(trial, u);
      if (!(next.norm() <= (1.0 - 1e-2 * length) * rest.norm())) continue;
      accepted = true;
      out.u = u;
      rest = next;
      std::swap(response, trial);
    }
    if (!accepted) break;
  }
  return out;
}

}  // namespace prehend::stability
