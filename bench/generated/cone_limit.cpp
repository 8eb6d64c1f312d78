#include <algorithm>
#include <limits>
#include <stdexcept>

#include <generated/cone_limit.h>

namespace prehend::stability {
namespace {

using Eigen::VectorXd;

VectorXd scaled_load(const ContactSystem& system, const Load& load) {
  VectorXd w = VectorXd::Zero(system.unknowns());
  for (const BodyLoad& part : load) {
    math::Vector6d wrench = part.wrench;
    wrench.head<3>() /= system.length;
    w.segment<6>(6 * part.body.value()) += wrench;
  }
  return w;
}

}  // namespace

math::ConeProgram cone_limit_program(const ContactSystem& system, const Load& load) {
  const int contacts = static_cast<int>(system.contacts.size()), n = 3 * contacts + 1;
  std::vector<Eigen::Triplet<double>> A, G;
  math::ConeProgram program;
  program.c = -VectorXd::Unit(n, n - 1);
  program.b = VectorXd::Zero(system.unknowns());
  for (NodeIndex body(0); body < system.bodies.size(); ++body) {
    math::Vector6d weight = system.gravity_wrench(body) / system.weight;
    weight.head<3>() /= system.length;
    program.b.segment<6>(6 * body.value()) = -weight;
  }
  const VectorXd w = scaled_load(system, load);
  const double size = w.norm();
  if (!(size > 0.0)) throw std::invalid_argument("the load is zero or not finite");
  for (int i = 0; i < w.size(); ++i) {
    if (w[i] != 0.0) A.emplace_back(i, n - 1, w[i] / size);
  }
  // Rows of the cones: s >= 0 first; then f_n >= |f_t / mu|.
  G.emplace_back(0, n - 1, -1.0);
  program.cones.nonnegative = 1;
  int row = 1;
  for (int k = 0; k < contacts; ++k) {
    const SystemContact& contact = system.contacts[static_cast<std::size_t>(k)];
    const Eigen::Vector3d forces[] = {contact.R_WC.col(2), contact.mu * contact.R_WC.col(0),
                                      contact.mu * contact.R_WC.col(1)};
    for (int axis = 0; axis < 3; ++axis) {
      math::Vector6d wrench = system.force_wrench(forces[axis], contact.p_W);
      wrench.head<3>() /= system.length;
      for (int i = 0; i < 6; ++i) {
        if (wrench[i] == 0.0) continue;
        if (contact.b.is_valid()) A.emplace_back(6 * contact.b.value() + i, 3 * k + axis, wrench[i]);
        if (contact.a.is_valid()) A.emplace_back(6 * contact.a.value() + i, 3 * k + axis, -wrench[i]);
      }
      G.emplace_back(row++, 3 * k + axis, -1.0);
    }
    program.cones.second_order.push_back(3);
  }
  program.A.resize(system.unknowns(), n);
  program.A.setFromTriplets(A.begin(), A.end());
  program.G.resize(row, n);
  program.G.setFromTriplets(G.begin(), G.end());
  program.h = VectorXd::Zero(row);
  return program;
}

ConeLimitAnswer cone_limit(const ContactSystem& system, const Load& load, double unbounded_above) {
  const math::ConeResult result = math::solve_cone_program(cone_limit_program(system, load));
  ConeLimitAnswer answer;
  answer.iterations = result.iterations;
  const double s = result.x.size() > 0 ? result.x[result.x.size() - 1] : 0.0;
  switch (result.status) {
    case math::SolverStatus::optimal:
      answer.status = AnswerStatus::ok;
      answer.unbounded = s >= unbounded_above;
      answer.residual = std::max({result.gap, result.primal_residual, result.dual_residual});
      break;
    case math::SolverStatus::dual_infeasible:
      answer.status = AnswerStatus::ok;
      answer.unbounded = true;
      answer.residual = result.primal_residual;
      break;
    case math::SolverStatus::primal_infeasible:
      answer.status = AnswerStatus::unstable;
      answer.residual = result.dual_residual;
      return answer;
    default:
      answer.status = AnswerStatus::undetermined;
      return answer;
  }
  const double size = scaled_load(system, load).norm();
  answer.limit =
      answer.unbounded ? std::numeric_limits<double>::infinity() : std::max(0.0, s) * system.weight / size;
  return answer;
}

}  // namespace prehend::stability
