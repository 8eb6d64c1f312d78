#include <algorithm>
#include <limits>

#include <Eigen/Geometry>

#include <prehend/math/cone_program.h>
#include <prehend/stability/combined_motion.h>

namespace prehend::stability {

using Eigen::Vector3d;

namespace {

// Moments in lengths of the system.
math::Vector6d scaled(const ContactSystem& system, math::Vector6d wrench) {
  wrench.head<3>() /= system.length;
  return wrench;
}

// Unknowns: per corner (f_n, f_u / mu, f_v / mu), then y. Frictionless contacts need no exception.
math::ConeProgram make_program(const ContactSystem& system, const SuperObject& object) {
  std::vector<Eigen::Triplet<double>> A, G;
  int column = 0;
  for (const CutContact& contact : object.contacts) {
    if (!contact.is_corner) continue;
    for (int j = 0; j < 3; ++j, ++column) {
      const Vector3d axis = j == 0 ? Vector3d(contact.n_W()) : Vector3d(contact.mu * contact.R_WC.col(j - 1));
      const math::Vector6d wrench = scaled(system, system.force_wrench(axis, contact.p_W));
      for (int r = 0; r < 6; ++r) A.emplace_back(r, column, wrench[r]);
      G.emplace_back(column, column, -1.0);
    }
  }
  const math::Vector6d weight = scaled(system, object.weight) / system.weight;
  for (int r = 0; r < 6; ++r) A.emplace_back(r, column, weight[r]);
  math::ConeProgram program;
  program.c = Eigen::VectorXd::Unit(column + 1, column);
  program.A.resize(6, column + 1);
  program.A.setFromTriplets(A.begin(), A.end());
  program.b = Eigen::VectorXd::Zero(6);
  program.G.resize(column, column + 1);
  program.G.setFromTriplets(G.begin(), G.end());
  program.h = Eigen::VectorXd::Zero(column);
  program.cones.second_order.assign(static_cast<std::size_t>(column / 3), 3);
  return program;
}

}  // namespace

struct CombinedMotion::Implementation {
  Implementation(const ContactSystem& s, const SuperObject& o)
      : system(s), object(o), solver(make_program(s, o), {.tolerance = 1e-8}) {}
  const ContactSystem& system;
  const SuperObject& object;
  math::ConeSolver solver;
};

CombinedMotion::CombinedMotion(const ContactSystem& system, const SuperObject& object)
    : self_(std::make_unique<Implementation>(system, object)) {}
CombinedMotion::~CombinedMotion() = default;

CombinedAnswer CombinedMotion::ask(const math::Vector6d& wrench) {
  const ContactSystem& system = self_->system;
  CombinedAnswer answer;
  self_->solver.set_equality_bounds(-scaled(system, wrench));
  const math::ConeResult& solved = self_->solver.solve();
  switch (solved.status) {
    case math::SolverStatus::optimal:
      if (!(solved.primal_objective > 0.0)) {
        answer.status = CombinedAnswer::Status::unbounded;
        break;
      }
      answer.status = CombinedAnswer::Status::bounded;
      answer.robustness = system.weight / solved.primal_objective;
      answer.twist = solved.y;
      answer.twist.head<3>() /= system.length;
      break;
    case math::SolverStatus::dual_infeasible:  // y falls for ever: forces balance the push without any weight
      answer.status = CombinedAnswer::Status::unbounded;
      break;
    case math::SolverStatus::primal_infeasible:  // no weight helps against the smallest push
      answer.status = CombinedAnswer::Status::bounded;
      answer.robustness = 0.0;
      answer.twist = solved.y;
      answer.twist.head<3>() /= system.length;
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
