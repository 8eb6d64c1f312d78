#include <algorithm>
#include <optional>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <prehend/math/cone_program.h>
#include <prehend/stability/methods/combined_motion.h>

namespace prehend::stability {

using Eigen::Vector3d;

namespace {

// Moments in lengths of the system.
math::Vector6d scaled(const ContactSystem& system, math::Vector6d wrench) {
  wrench.head<3>() /= system.length;
  return wrench;
}

// Unknowns: per corner (f_n, f_u / mu, f_v / mu), or f_n alone where there is no friction; then y.
math::ConeProgram make_program(const ContactSystem& system, const SuperObject& object) {
  std::vector<Eigen::Triplet<double>> A, G;
  math::ConeProgram program;
  int column = 0;
  for (const CutContact& contact : object.contacts) {
    if (!contact.is_corner) continue;
    program.cones.second_order.push_back(contact.mu > 0.0 ? 3 : 1);
    for (int j = 0; j < program.cones.second_order.back(); ++j, ++column) {
      const Vector3d axis = j == 0 ? Vector3d(contact.n_W()) : Vector3d(contact.mu * contact.R_WC.col(j - 1));
      const math::Vector6d wrench = scaled(system, system.force_wrench(axis, contact.p_W));
      for (int r = 0; r < 6; ++r) A.emplace_back(r, column, wrench[r]);
      G.emplace_back(column, column, -1.0);
    }
  }
  const math::Vector6d weight = scaled(system, object.weight) / system.weight;
  for (int r = 0; r < 6; ++r) A.emplace_back(r, column, weight[r]);
  program.c = Eigen::VectorXd::Unit(column + 1, column);
  program.A.resize(6, column + 1);
  program.A.setFromTriplets(A.begin(), A.end());
  program.b = Eigen::VectorXd::Zero(6);
  program.G.resize(column, column + 1);
  program.G.setFromTriplets(G.begin(), G.end());
  program.h = Eigen::VectorXd::Zero(column);
  return program;
}

}  // namespace

struct CombinedMotion::Implementation {
  Implementation(const ContactSystem& s, const SuperObject& o) : system(s), object(o) {
    math::ConeProgram program = make_program(s, o);
    // Motions that no contact force and no weight resists, such as sliding without friction, are set aside: a program
    // with equations that no unknown enters is hard on the solver.
    const Eigen::Matrix<double, 6, Eigen::Dynamic> A = program.A.toDense();
    const Eigen::SelfAdjointEigenSolver<math::Matrix6d> eigen(math::Matrix6d(A * A.transpose()));
    const int free_count =
        static_cast<int>((eigen.eigenvalues().array() <= 1e-18 * eigen.eigenvalues()[5]).count());
    free_motions = eigen.eigenvectors().leftCols(free_count);
    held_motions = math::Matrix6d::Identity();
    if (free_count > 0) {
      held_motions = eigen.eigenvectors().rightCols(6 - free_count);
      program.A = (held_motions.transpose() * A).sparseView();
      program.b = Eigen::VectorXd::Zero(6 - free_count);
    }
    solver.emplace(program, math::ConeOptions{.tolerance = 1e-8});
  }
  const ContactSystem& system;
  const SuperObject& object;
  Eigen::Matrix<double, 6, Eigen::Dynamic> free_motions, held_motions;  // orthonormal
  std::optional<math::ConeSolver> solver;
};

CombinedMotion::CombinedMotion(const ContactSystem& system, const SuperObject& object)
    : self_(std::make_unique<Implementation>(system, object)) {}
CombinedMotion::~CombinedMotion() = default;

CombinedAnswer CombinedMotion::ask(const math::Vector6d& wrench) {
  const ContactSystem& system = self_->system;
  const math::Vector6d load = scaled(system, wrench);
  CombinedAnswer answer;
  const auto set_twist = [&](const math::Vector6d& scaled_twist) {
    answer.status = CombinedAnswer::Status::bounded;
    answer.twist = scaled_twist;
    answer.twist.head<3>() /= system.length;
  };
  const Eigen::VectorXd unresisted = self_->free_motions.transpose() * load;
  if (unresisted.norm() > 1e-9 * load.norm()) {
    set_twist(self_->free_motions * unresisted);
    return answer;
  }
  self_->solver->set_equality_bounds(-(self_->held_motions.transpose() * load));
  const math::ConeResult& solved = self_->solver->solve();
  switch (solved.status) {
    case math::SolverStatus::optimal:
      if (!(solved.primal_objective > 0.0)) {
        answer.status = CombinedAnswer::Status::unbounded;
        break;
      }
      set_twist(self_->held_motions * solved.y);
      answer.robustness = system.weight / solved.primal_objective;
      break;
    case math::SolverStatus::dual_infeasible:  // y falls for ever: forces balance the push without any weight
      answer.status = CombinedAnswer::Status::unbounded;
      break;
    case math::SolverStatus::primal_infeasible:  // no weight helps against the smallest push
      set_twist(self_->held_motions * solved.y);
      break;
    default:
      break;
  }
  return answer;
}

Mode CombinedMotion::mode(const math::Vector6d& twist) const {
  struct Motion {
    double opening, along, mu;
  };
  std::vector<Motion> motions;
  double fastest = 0.0;
  for (const CutContact& contact : self_->object.contacts) {
    if (!contact.is_corner) continue;
    const Vector3d v = twist.tail<3>() + twist.head<3>().cross(contact.p_W - self_->system.origin_W);
    const double opening = v.dot(contact.n_W());
    motions.push_back({opening, (v - opening * contact.n_W()).norm(), contact.mu});
    fastest = std::max(fastest, v.norm());
  }
  // The solver leaves some 1e-5 of the largest speed where nothing moves.
  const double still = 1e-3 * fastest;
  int staying = 0, sliding = 0, opening = 0;
  for (const Motion& motion : motions) {
    if (std::max(motion.opening, motion.along) <= still) {
      ++staying;
    } else if (motion.opening <= motion.mu * motion.along + still) {
      ++sliding;
    } else {
      ++opening;
    }
  }
  if (opening == 0) return sliding > 0 ? Mode::slip : Mode::undetermined;
  if (sliding > 0) return Mode::mixed;
  return staying > 0 ? Mode::topple : Mode::lift;
}

}  // namespace prehend::stability
