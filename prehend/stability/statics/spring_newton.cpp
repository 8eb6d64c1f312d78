#include <cmath>
#include <optional>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SparseCore>

#include <prehend/math/interrupt.h>
#include <prehend/stability/statics/contact_springs.h>
#include <prehend/stability/statics/sparse_solves.h>

namespace prehend::stability {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::SparseMatrix;
using Eigen::VectorXd;

// Up to here dense factorisations are quicker than sparse ones: ten bodies.
constexpr int kMostDense = 60;

// All contacts at one displacement.
struct Response {
  double energy{0.0};
  VectorXd forces;
  std::vector<Matrix3d> stiffness;

  void evaluate(const SpringSystem& springs, const SpringLaw& law, const VectorXd& u) {
    forces.resize(3 * springs.size());
    stiffness.resize(springs.contacts.size());
    energy = 0.0;
    for (int k = 0; k < springs.size(); ++k) {
      const SpringResponse one = law.respond(k, springs.displacement(k, u));
      energy += one.energy;
      forces.segment<3>(3 * k) = one.force;
      stiffness[static_cast<std::size_t>(k)] = one.stiffness;
    }
  }
};

// The stiffness of all bodies, J' D J plus the anchor, and steps by it.
class Tangent {
 public:
  Tangent(const SpringSystem& springs, double anchor) : springs_(springs), anchor_(anchor) {}

  std::optional<VectorXd> solve(const Response& response, const VectorXd& right, bool symmetric) {
    const VectorXd step = springs_.unknowns() <= kMostDense ? solve_dense(response, right, symmetric)
                                                            : solve_sparse(response, right, symmetric);
    if (step.size() == 0 || !step.allFinite()) return std::nullopt;
    return step;
  }

 private:
  // Hands every 6x6 block to `add(row, column, block)`.
  template <class Add>
  void visit(const Response& response, const Add& add) const {
    for (std::size_t k = 0; k < springs_.contacts.size(); ++k) {
      const SpringSystem::Contact& c = springs_.contacts[k];
      const math::Matrix6d block = c.block.transpose() * response.stiffness[k] * c.block;
      if (c.b >= 0) add(c.b, c.b, block);
      if (c.a >= 0) add(c.a, c.a, block);
      if (c.a >= 0 && c.b >= 0) {
        add(c.a, c.b, -block);
        add(c.b, c.a, -block);
      }
    }
  }

  VectorXd solve_dense(const Response& response, const VectorXd& right, bool symmetric) {
    dense_.setZero(right.size(), right.size());
    dense_.diagonal().setConstant(anchor_);
    visit(response, [&](int i, int j, const math::Matrix6d& block) { dense_.block<6, 6>(i, j) += block; });
    if (!symmetric) return dense_.partialPivLu().solve(right);
    ldlt_.compute(dense_);
    return ldlt_.solve(right);
  }

  VectorXd solve_sparse(const Response& response, const VectorXd& right, bool symmetric) {
    entries_.clear();
    for (int i = 0; i < right.size(); ++i) entries_.emplace_back(i, i, anchor_);
    visit(response, [&](int row, int column, const math::Matrix6d& block) {
      for (int j = 0; j < 6; ++j) {
        for (int i = 0; i < 6; ++i) entries_.emplace_back(row + i, column + j, block(i, j));
      }
    });
    sparse_.resize(right.size(), right.size());
    sparse_.setFromTriplets(entries_.begin(), entries_.end());
    return symmetric ? solves_.symmetric(sparse_, right) : solves_.general(sparse_, right);
  }

  const SpringSystem& springs_;
  const double anchor_;
  MatrixXd dense_;
  Eigen::LDLT<MatrixXd> ldlt_;
  std::vector<Eigen::Triplet<double>> entries_;
  SparseMatrix<double> sparse_;
  SparseSolves solves_;
};

}  // namespace

SpringMinimum minimise_springs(const SpringSystem& springs, const SpringLaw& law, const VectorXd& anchor,
                               const VectorXd& start, const SpringOptions& options) {
  const VectorXd pull = springs.weights + springs.load;
  const double a = options.anchor_stiffness;
  const auto cost = [&](const Response& r, const VectorXd& u) {
    return r.energy - pull.dot(u) + 0.5 * a * (u - anchor).squaredNorm();
  };
  const auto gradient = [&](const Response& r, const VectorXd& u) -> VectorXd {
    return a * (u - anchor) - springs.unbalanced(r.forces);
  };
  Response response, trial;
  SpringMinimum out;
  out.u = start;
  response.evaluate(springs, law, out.u);
  double value = cost(response, out.u);
  VectorXd slope = gradient(response, out.u);
  Tangent tangent(springs, a);
  while (out.iterations < options.max_iterations) {
    // Rounding of J u, and of the balance at it, grows with u.
    const double floor = 1e-15 * std::max(1.0, out.u.lpNorm<Eigen::Infinity>());
    out.converged = slope.lpNorm<Eigen::Infinity>() <= std::max(options.tolerance, floor);
    if (out.converged) break;
    ++out.iterations;
    math::check_interrupt();
    const std::optional<VectorXd> step = tangent.solve(response, -slope, true);
    if (!step) break;
    const double descent = slope.dot(*step);
    if (!(descent < 0.0)) break;
    bool accepted = false;
    // Where hardly any contact is closed only the anchor holds the system, and a step is up to 1 / anchor_stiffness (1e9) long: halvings go
    // down to where such a step is below the rounding of displacements of one.
    for (double length = 1.0; length > 1e-16 && !accepted; length *= 0.5) {
      const VectorXd u = out.u + length * *step;
      trial.evaluate(springs, law, u);
      const double next = cost(trial, u);
      const VectorXd next_slope = gradient(trial, u);
      // Where the cost differs by less than its rounding, the slope along the step decides.
      const bool lower = next <= value + 1e-4 * length * descent;
      const bool same = std::abs(next - value) <= 1e-13 * (std::abs(value) + trial.energy) &&
                        std::abs(next_slope.dot(*step)) < 0.9 * std::abs(descent);
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
  const double a = options.anchor_stiffness;
  Response response, trial;
  SpringMinimum out;
  out.u = start;
  response.evaluate(springs, law, out.u);
  VectorXd rest = springs.unbalanced(response.forces) - a * out.u;
  Tangent tangent(springs, a);
  while (out.iterations < options.max_iterations) {
    out.converged = rest.lpNorm<Eigen::Infinity>() <= options.tolerance;
    if (out.converged) break;
    ++out.iterations;
    math::check_interrupt();
    const std::optional<VectorXd> step = tangent.solve(response, rest, false);
    if (!step) break;
    bool accepted = false;
    for (double length = 1.0; length > 1e-3 && !accepted; length *= 0.5) {
      const VectorXd u = out.u + length * *step;
      trial.evaluate(springs, law, u);
      const VectorXd next = springs.unbalanced(trial.forces) - a * u;
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
