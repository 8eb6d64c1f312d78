#include <algorithm>

#include <prehend/math/nonnegative_least_squares.h>
#include <prehend/observation/second/least_motion.h>

namespace prehend::observation {

LeastMotion least_motion(const Eigen::MatrixXd& G, const Eigen::VectorXd& g) {
  LeastMotion least;
  const Eigen::Index rows = G.rows(), size = G.cols();
  const double largest = rows > 0 ? g.maxCoeff() : 0.0;
  if (largest <= 0.0) {
    least.found = true;
    least.x = Eigen::VectorXd::Zero(size);
    return least;
  }
  Eigen::MatrixXd E(size + 1, rows);
  E << G.transpose(), g.transpose() / largest;
  Eigen::VectorXd f = Eigen::VectorXd::Zero(size + 1);
  f[size] = 1.0;
  if (!E.allFinite()) {
    least.failed = true;
    return least;
  }
  const math::NonnegativeLeastSquaresResult answer = math::solve_nonnegative_least_squares(E, f);
  if (answer.status != math::SolverStatus::optimal) {
    least.failed = true;
    return least;
  }
  const Eigen::VectorXd misfit = E * answer.x - f;
  // |x|^2 = 1/|misfit|^2 - 1. Without a solution the misfit is rounding, and the x it would give is noise.
  constexpr double kLongest = 1e5;
  if (misfit.norm() * kLongest >= 1.0 && misfit[size] < 0.0) {
    least.found = true;
    least.x = -misfit.head(size) / misfit[size] * largest;
  } else {
    least.weights = answer.x / answer.x.maxCoeff();
  }
  return least;
}

}  // namespace prehend::observation
