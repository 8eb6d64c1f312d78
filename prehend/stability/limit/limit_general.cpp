#include <cmath>
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

// Unknowns: forces, then those of joint rows that are neither bilateral nor constant, then (with a load) its multiple.
struct ForceProgram {
  math::ConeProgram program;
  std::vector<int> rows;  // joint row of each of these unknowns
};

// [weights, or sizes of the system] of what joints leave of a wrench of size one: the error of their directions in double
// precision, with room for chains of tens of joints.
constexpr double kLimitRounding = 1e-13;

// The equilibrium of the bodies, or of the motions that joints leave them.
void project(const ScaledSystem& system, math::ConeProgram& program) {
  if (system.joint_rows.empty()) return;
  // A force that does no work on a free joint is none, not rounding that nothing balances.
  program.A = (system.basis.transpose() * program.A).pruned(1.0, kLimitRounding);
  program.b = (system.basis.transpose() * program.b).eval();
  program.b = program.b.unaryExpr([](double x) { return std::abs(x) < kLimitRounding ? 0.0 : x; });
}

ForceProgram force_program(const ScaledSystem& system, const VectorXd* w) {
  ForceProgram made;
  const int contacts = 3 * system.contacts();
  std::vector<Triplet> equilibrium, linear, cones;
  std::vector<double> bounds;  // of the linear rows
  add_equilibrium(system, equilibrium);
  int columns = contacts;
  for (std::size_t r = 0; r < system.joint_rows.size(); ++r) {
    const ScaledRow& row = system.joint_rows[r];
    if (row.kind != ScaledRow::Kind::one_sided && row.kind != ScaledRow::Kind::bounded) continue;
    made.rows.push_back(static_cast<int>(r));
    for (const auto& [body, wrench] : row.parts) {
      for (int i = 0; i < 6; ++i) {
        if (wrench[i] != 0.0) equilibrium.emplace_back(6 * body + i, columns, row.side * wrench[i]);
      }
    }
    linear.emplace_back(static_cast<int>(bounds.size()), columns, -1.0);
    bounds.push_back(row.radius);  // zero where one-sided
    if (row.kind == ScaledRow::Kind::bounded) {
      linear.emplace_back(static_cast<int>(bounds.size()), columns, 1.0);
      bounds.push_back(row.radius);
    }
    ++columns;
  }
  math::ConeProgram& program = made.program;
  if (w) {
    for (int i = 0; i < system.unknowns(); ++i) {
      if ((*w)[i] != 0.0) equilibrium.emplace_back(i, columns, (*w)[i]);
    }
    linear.emplace_back(static_cast<int>(bounds.size()), columns, -1.0);
    bounds.push_back(0.0);
    ++columns;
  }
  program.c = VectorXd::Zero(columns);
  if (w) program.c[columns - 1] = -1.0;
  const int first = static_cast<int>(bounds.size()), rows = first + contacts;
  for (int i = 0; i < contacts; ++i) linear.emplace_back(first + i, i, -1.0);
  program.A = sparse(system.unknowns(), columns, equilibrium);
  program.b = -system.g;
  project(system, program);
  program.G = sparse(rows, columns, linear);
  program.h = VectorXd::Zero(rows);
  for (int i = 0; i < first; ++i) program.h[i] = bounds[static_cast<std::size_t>(i)];
  program.cones.nonnegative = first;
  program.cones.second_order.assign(static_cast<std::size_t>(system.contacts()), 3);
  return made;
}

// Contact forces and those of all joint rows; `constant`: with their constant parts, which a ray does not have.
VectorXd all_forces(const ScaledSystem& system, const ForceProgram& made, const VectorXd& x,
                    const VectorXd& load, bool constant) {
  const int contacts = 3 * system.contacts();
  if (system.joint_rows.empty()) return x.head(contacts);
  VectorXd forces = VectorXd::Zero(contacts + static_cast<Eigen::Index>(system.joint_rows.size()));
  forces.head(contacts) = x.head(contacts);
  VectorXd wrench = system.wrenches(forces) + load;
  if (constant) wrench += system.g;
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    const ScaledRow& row = system.joint_rows[static_cast<std::size_t>(made.rows[i])];
    const double t = row.side * x[contacts + static_cast<Eigen::Index>(i)];
    forces[contacts + made.rows[i]] = t;
    for (const auto& [body, unit] : row.parts) wrench.segment<6>(6 * body) += t * unit;
  }
  system.balance_by_joints(wrench, forces.tail(static_cast<Eigen::Index>(system.joint_rows.size())));
  if (!constant) return forces;
  for (std::size_t r = 0; r < system.joint_rows.size(); ++r)
    forces[contacts + static_cast<Eigen::Index>(r)] += system.joint_rows[r].offset;
  return forces;
}

VectorXd full_motion(const ScaledSystem& system, const VectorXd& y) {
  return system.joint_rows.empty() ? y : VectorXd(system.basis * y);
}

}  // namespace

ScaledLimit solve_resting(const ScaledSystem& system) {
  ScaledLimit limit;
  const ForceProgram made = force_program(system, nullptr);
  if (made.program.A.rows() == 0 || (made.program.c.size() == 0 && made.program.b.isZero(0.0))) {
    // Joints carry all there is.
    limit.status = ScaledLimit::Status::bounded;
    limit.forces = all_forces(system, made, VectorXd::Zero(made.program.c.size()),
                              VectorXd::Zero(system.unknowns()), true);
    return limit;
  }
  const math::ConeResult result = math::solve_cone_program(made.program);
  if (result.status == math::SolverStatus::optimal) {
    limit.status = ScaledLimit::Status::bounded;
    limit.forces = all_forces(system, made, result.x, VectorXd::Zero(system.unknowns()), true);
  } else if (result.status == math::SolverStatus::primal_infeasible) {
    // A'y + G'z = 0 with b'y + h'z = -1: S y = z in K, and g beats what resists y.
    limit.status = ScaledLimit::Status::unstable;
    limit.motion = full_motion(system, result.y);
  }
  return limit;
}

ScaledLimit solve_least_resting(const ScaledSystem& system) {
  ForceProgram made = force_program(system, nullptr);
  math::ConeProgram& program = made.program;
  // One more unknown, the bound on the norm of all contact forces.
  if (system.contacts() == 0) return solve_resting(system);
  const int columns = static_cast<int>(program.c.size()) + 1, rows = static_cast<int>(program.h.size()),
            contacts = 3 * system.contacts();
  program.c = VectorXd::Unit(columns, columns - 1);
  program.A.conservativeResize(program.A.rows(), columns);
  std::vector<Triplet> entries;
  for (int j = 0; j < program.G.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator entry(program.G, j); entry; ++entry)
      entries.emplace_back(static_cast<int>(entry.row()), j, entry.value());
  }
  entries.emplace_back(rows, columns - 1, -1.0);
  for (int i = 0; i < contacts; ++i) {
    const double size = system.rows[static_cast<std::size_t>(i / 3)].row(i % 3).norm();  // 1, mu, mu
    if (size > 0.0) entries.emplace_back(rows + 1 + i, i, -size);
  }
  program.G = sparse(rows + 1 + contacts, columns, entries);
  program.h.conservativeResizeLike(VectorXd::Zero(rows + 1 + contacts));
  program.cones.second_order.push_back(contacts + 1);
  ScaledLimit limit;
  const math::ConeResult result = math::solve_cone_program(program);
  if (result.status != math::SolverStatus::optimal) return limit;
  limit.status = ScaledLimit::Status::bounded;
  limit.forces = all_forces(system, made, result.x, VectorXd::Zero(system.unknowns()), true);
  return limit;
}

ScaledLimit solve_limit(const ScaledSystem& system, const VectorXd& load) {
  // A load of size one, whatever the unit.
  const double size = load.cwiseAbs().maxCoeff();
  const VectorXd w = load / size;
  ScaledLimit limit;
  if (!system.joint_rows.empty() &&
      (system.basis.transpose() * w).lpNorm<Eigen::Infinity>() < kLimitRounding) {
    // Joints carry it, whatever its size.
    limit.status = ScaledLimit::Status::unbounded;
    limit.forces = size * all_forces(system, {}, VectorXd::Zero(3 * system.contacts()), w, false);
    return limit;
  }
  const ForceProgram made = force_program(system, &w);
  const math::ConeResult result = math::solve_cone_program(made.program);
  const Eigen::Index multiple = made.program.c.size() - 1;
  switch (result.status) {
    case math::SolverStatus::optimal: {
      limit.status = ScaledLimit::Status::bounded;
      limit.lower = result.x[multiple];
      limit.forces = all_forces(system, made, result.x, limit.lower * w, true);
      limit.motion = full_motion(system, result.y);
      const double against = w.dot(limit.motion);
      limit.upper = against > 0.0 ? system.resistance(limit.motion) / against : limit.lower;
      if (limit.upper < limit.lower) limit.upper = limit.lower;
      limit.lower /= size;
      limit.upper /= size;
      break;
    }
    case math::SolverStatus::dual_infeasible:
      limit.status = ScaledLimit::Status::unbounded;
      limit.forces =
          size / result.x[multiple] * all_forces(system, made, result.x, result.x[multiple] * w, false);
      break;
    case math::SolverStatus::primal_infeasible:
      limit.status = ScaledLimit::Status::unstable;
      limit.motion = full_motion(system, result.y);
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

VectorXd lifting_motion(const ScaledSystem& system) {
  // Velocity of an opening contact over what friction turns it into, at least: nearer to the cone's surface the way to its centre is long.
  constexpr double kOpens = 1.05;
  std::vector<double> speed(static_cast<std::size_t>(system.bodies), 1.0);
  Eigen::Vector3d up = Eigen::Vector3d::Zero();
  for (int i = 0; i < system.bodies; ++i) up -= system.g.segment<3>(6 * i + 3);
  if (!(up.norm() > 0.0)) return {};
  up.normalize();
  std::vector<int> below(static_cast<std::size_t>(system.contacts())), above(below.size());
  for (int k = 0; k < system.contacts(); ++k) {
    const Eigen::Vector3d s = system.rows[static_cast<std::size_t>(k)] * up;
    if (std::abs(s[0]) < kOpens * s.tail<2>().norm()) return {};
    const auto at = static_cast<std::size_t>(k);
    below[at] = s[0] > 0.0 ? system.a[at] : system.b[at];
    above[at] = s[0] > 0.0 ? system.b[at] : system.a[at];
    if (above[at] < 0) return {};
  }
  bool has_changed = true;
  for (int round = 0; has_changed; ++round) {
    if (round > system.bodies) return {};  // in a circle
    has_changed = false;
    for (std::size_t k = 0; k < below.size(); ++k) {
      const double least = below[k] < 0 ? 1.0 : speed[static_cast<std::size_t>(below[k])] + 1.0;
      double& own = speed[static_cast<std::size_t>(above[k])];
      if (own >= least) continue;
      own = least;
      has_changed = true;
    }
  }
  VectorXd motion = VectorXd::Zero(system.unknowns());
  for (int i = 0; i < system.bodies; ++i)
    motion.segment<3>(6 * i + 3) = speed[static_cast<std::size_t>(i)] * up;
  return motion;
}

}  // namespace prehend::stability
