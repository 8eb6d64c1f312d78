#include <algorithm>
#include <vector>

#include <prehend/stability/limit/limit_general.h>

namespace prehend::stability {
namespace {

using Eigen::VectorXd;
using Triplet = Eigen::Triplet<double>;

// Rows: 6 per body; columns: 3 per contact.
void add_equilibrium(const ScaledSystem& system, std::vector<Triplet>& entries) {
  const auto add = [&](int k, int body, const Matrix36d& T, double sign) {
    if (body < 0) return;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 6; ++j) entries.emplace_back(6 * body + j, 3 * k + i, sign * T(i, j));
    }
  };
  for (int k = 0; k < system.contacts(); ++k) {
    add(k, system.b[k], system.T_b[k], 1.0);
    add(k, system.a[k], system.T_a[k], -1.0);
  }
}

Eigen::SparseMatrix<double> sparse(int rows, int columns, const std::vector<Triplet>& entries) {
  Eigen::SparseMatrix<double> matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// Unknowns: forces, then (with a load) its multiple.
math::ConeProgram force_program(const ScaledSystem& system, const VectorXd* w) {
  const int forces = 3 * system.contacts(), extra = w ? 1 : 0;
  math::ConeProgram program;
  program.c = VectorXd::Zero(forces + extra);
  std::vector<Triplet> equilibrium, cones;
  add_equilibrium(system, equilibrium);
  if (w) {
    program.c[forces] = -1.0;
    for (int i = 0; i < system.unknowns(); ++i) {
      if ((*w)[i] != 0.0) equilibrium.emplace_back(i, forces, (*w)[i]);
    }
    cones.emplace_back(0, forces, -1.0);
    program.cones.nonnegative = 1;
  }
  for (int i = 0; i < forces; ++i) cones.emplace_back(extra + i, i, -1.0);
  program.A = sparse(system.unknowns(), forces + extra, equilibrium);
  program.b = -system.g;
  program.G = sparse(forces + extra, forces + extra, cones);
  program.h = VectorXd::Zero(forces + extra);
  program.cones.second_order.assign(static_cast<std::size_t>(system.contacts()), 3);
  return program;
}

}  // namespace

ScaledLimit solve_resting(const ScaledSystem& system) {
  ScaledLimit limit;
  const math::ConeResult result = math::solve_cone_program(force_program(system, nullptr));
  if (result.status == math::SolverStatus::optimal) {
    limit.status = ScaledLimit::Status::bounded;
    limit.forces = result.x;
  } else if (result.status == math::SolverStatus::primal_infeasible) {
    // A'y + G'z = 0 with b'y = -1: S y = z in K and g.y = 1.
    limit.status = ScaledLimit::Status::unstable;
    limit.motion = result.y;
  }
  return limit;
}

ScaledLimit solve_limit(const ScaledSystem& system, const VectorXd& load) {
  // A load of size one, whatever the unit.
  const double size = load.cwiseAbs().maxCoeff();
  const VectorXd w = load / size;
  ScaledLimit limit;
  const math::ConeResult result = math::solve_cone_program(force_program(system, &w));
  const int forces = 3 * system.contacts();
  switch (result.status) {
    case math::SolverStatus::optimal: {
      limit.status = ScaledLimit::Status::bounded;
      limit.forces = result.x.head(forces);
      limit.lower = result.x[forces];
      limit.motion = result.y;
      const double against = w.dot(limit.motion);
      limit.upper = against > 0.0 ? -system.g.dot(limit.motion) / against : limit.lower;
      if (limit.upper < limit.lower) limit.upper = limit.lower;
      limit.lower /= size;
      limit.upper /= size;
      break;
    }
    case math::SolverStatus::dual_infeasible:
      limit.status = ScaledLimit::Status::unbounded;
      limit.forces = size / result.x[forces] * result.x.head(forces);
      break;
    case math::SolverStatus::primal_infeasible:
      limit.status = ScaledLimit::Status::unstable;
      limit.motion = result.y;
      break;
    default:
      break;
  }
  return limit;
}

InnerMotion find_inner_motion(const ScaledSystem& system) {
  // Unknowns: motion, then the margin t.  minimise -t,  -g.z = 1,  S z - t e in K.
  const int n = system.unknowns(), rows = 3 * system.contacts();
  math::ConeProgram program;
  program.c = VectorXd::Zero(n + 1);
  program.c[n] = -1.0;
  std::vector<Triplet> equality, transposed, cones;
  for (int i = 0; i < n; ++i) {
    if (system.g[i] != 0.0) equality.emplace_back(0, i, -system.g[i]);
  }
  add_equilibrium(system, transposed);
  for (const Triplet& entry : transposed) cones.emplace_back(entry.col(), entry.row(), -entry.value());
  for (int k = 0; k < system.contacts(); ++k) cones.emplace_back(3 * k, n, 1.0);
  program.A = sparse(1, n + 1, equality);
  program.b = VectorXd::Ones(1);
  program.G = sparse(rows, n + 1, cones);
  program.h = VectorXd::Zero(rows);
  program.cones.second_order.assign(static_cast<std::size_t>(system.contacts()), 3);

  InnerMotion inner;
  const math::ConeResult result = math::solve_cone_program(program);
  if (result.status == math::SolverStatus::dual_infeasible) {
    inner.status = InnerMotion::Status::unstable;
    inner.motion = result.x.head(n);
    return inner;
  }
  if (result.status != math::SolverStatus::optimal) return inner;
  inner.margin = result.x[n];
  inner.motion = result.x.head(n);
  inner.forces = result.z;
  // Below this the margin is what the solver's tolerance makes of zero.
  inner.status = inner.margin > 1e-7 ? InnerMotion::Status::interior : InnerMotion::Status::self_stressed;
  return inner;
}

}  // namespace prehend::stability
