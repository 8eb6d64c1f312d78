#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/QR>

#include <prehend/math/cone_program.h>
#include <prehend/stability/least_norm_forces.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// Unknowns per contact: (f_n, f_u, f_v), in weights; moments in lengths of the system.
class RestingProgram {
 public:
  explicit RestingProgram(const ContactSystem& system) : system_(system), g_(system.unknowns()) {
    for (NodeIndex i(0); i < system.bodies.size(); ++i)
      g_.segment<6>(6 * i.value()) = scaled(system.gravity_wrench(i));
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t k = 0; k < system.contacts.size(); ++k) {
      const SystemContact& contact = system.contacts[k];
      for (int j = 0; j < 3; ++j) {
        const Vector3d axis = contact.R_WC.col(j == 0 ? 2 : j - 1);
        const math::Vector6d wrench = scaled(system.force_wrench(axis, contact.p_W)) * system.weight;
        const int column = 3 * static_cast<int>(k) + j;
        for (int r = 0; r < 6; ++r) {
          if (contact.b.is_valid()) entries.emplace_back(6 * contact.b.value() + r, column, wrench[r]);
          if (contact.a.is_valid()) entries.emplace_back(6 * contact.a.value() + r, column, -wrench[r]);
        }
      }
    }
    S_.resize(system.unknowns(), 3 * static_cast<int>(system.contacts.size()));
    S_.setFromTriplets(entries.begin(), entries.end());
  }

  // f = S (S'S)^+ (-g). False when it does not balance or leaves a cone.
  bool without_cones(VectorXd& f) const {
    const Eigen::MatrixXd normal = Eigen::MatrixXd(S_ * S_.transpose());
    VectorXd multipliers = Eigen::LDLT<Eigen::MatrixXd>(normal).solve(-g_);
    f = S_.transpose() * multipliers;
    if (!((S_ * f + g_).norm() <=
          1e-10 * g_.norm())) {  // loose bodies, collinear contacts: the matrix is singular
      multipliers = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(normal).solve(-g_);
      f = S_.transpose() * multipliers;
    }
    if (!((S_ * f + g_).norm() <= 1e-9 * g_.norm())) return false;
    for (std::size_t k = 0; k < system_.contacts.size(); ++k) {
      const Vector3d local = f.segment<3>(3 * static_cast<int>(k));
      if (!(local.tail<2>().norm() <= system_.contacts[k].mu * local[0] + 1e-12)) return false;
    }
    return true;
  }

  // Minimise t, |f| <= t. In units of the friction cone (f_t / mu), so that a frictionless contact is no exception:
  // its tangential unknowns have no effect and become zero.
  math::ConeResult with_cones() const {
    const int n = static_cast<int>(S_.cols());
    math::ConeProgram program;
    program.c = VectorXd::Unit(n + 1, n);
    program.b = -g_;
    program.A.resize(S_.rows(), n + 1);
    std::vector<Eigen::Triplet<double>> A, G;
    for (int column = 0; column < n; ++column) {
      for (Eigen::SparseMatrix<double>::InnerIterator it(S_, column); it; ++it) {
        A.emplace_back(static_cast<int>(it.row()), column, it.value() * friction(column));
      }
      G.emplace_back(column, column, -1.0);
      G.emplace_back(n + 1 + column, column, -friction(column));
    }
    G.emplace_back(n, n, -1.0);
    program.A.setFromTriplets(A.begin(), A.end());
    program.G.resize(2 * n + 1, n + 1);
    program.G.setFromTriplets(G.begin(), G.end());
    program.h = VectorXd::Zero(2 * n + 1);
    program.cones.second_order.assign(static_cast<std::size_t>(n / 3), 3);
    program.cones.second_order.push_back(n + 1);
    return math::solve_cone_program(program);
  }

  // Of an unknown: 1 along the normal, mu along the tangents.
  double friction(int column) const {
    return column % 3 == 0 ? 1.0 : system_.contacts[static_cast<std::size_t>(column / 3)].mu;
  }

 private:
  math::Vector6d scaled(math::Vector6d wrench) const {
    wrench /= system_.weight;
    wrench.head<3>() /= system_.length;
    return wrench;
  }

  const ContactSystem& system_;
  VectorXd g_;
  Eigen::SparseMatrix<double> S_;  // forces to wrenches
};

}  // namespace

RestingForces least_norm_forces(const ContactSystem& system) {
  RestingForces result;
  result.f_W.assign(system.contacts.size(), Vector3d::Zero());
  if (!(system.gravity_W.norm() > 0.0) || system.bodies.empty()) {
    result.status = RestingForces::Status::found;
    return result;
  }
  result.status = RestingForces::Status::none;
  if (system.contacts.empty()) return result;
  const RestingProgram program(system);
  VectorXd f;
  if (!program.without_cones(f)) {
    result.needed_cones = true;
    const math::ConeResult solved = program.with_cones();
    if (solved.status == math::SolverStatus::primal_infeasible) return result;
    if (solved.status != math::SolverStatus::optimal) {
      result.status = RestingForces::Status::failed;
      result.note = "contact forces at rest were not found: " + solved.brief_report();
      return result;
    }
    f = solved.x.head(3 * static_cast<Eigen::Index>(system.contacts.size()));
    for (int i = 0; i < f.size(); ++i) f[i] *= program.friction(i);
  }
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    const Vector3d local = system.weight * f.segment<3>(3 * static_cast<int>(k));
    result.f_W[k] = system.contacts[k].R_WC * Vector3d(local[1], local[2], local[0]);
  }
  result.status = RestingForces::Status::found;
  return result;
}

}  // namespace prehend::stability
