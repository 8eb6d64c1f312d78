#include <limits>

#include <Eigen/Geometry>
#include <Eigen/QR>

#include <prehend/math/linear_program.h>
#include <prehend/stability/methods/form_closure.h>

namespace prehend::stability {

bool is_form_closed(const ContactSystem& system, const SuperObject& object) {
  std::vector<math::Vector6d> columns;
  for (const CutContact& contact : object.contacts) {
    if (!contact.is_corner) continue;  // inner points are positive combinations of the corners
    math::Vector6d wrench = system.force_wrench(contact.n_W(), contact.p_W);
    wrench.head<3>() /= system.length;
    columns.push_back(wrench);
  }
  if (columns.size() < 7) return false;  // six wrenches cannot positively span six dimensions
  Eigen::MatrixXd G(6, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) G.col(static_cast<Eigen::Index>(k)) = columns[k];
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> rank(G);
  rank.setThreshold(1e-8);
  if (rank.rank() < 6) return false;

  math::LinearProgram program;
  program.c = Eigen::VectorXd::Ones(G.cols());
  program.A = G.sparseView();
  program.row_lower = program.row_upper = Eigen::VectorXd::Zero(6);
  program.lower = Eigen::VectorXd::Ones(G.cols());
  program.upper = Eigen::VectorXd::Constant(G.cols(), std::numeric_limits<double>::infinity());
  return math::solve_linear_program(program).status == math::SolverStatus::optimal;
}

}  // namespace prehend::stability
