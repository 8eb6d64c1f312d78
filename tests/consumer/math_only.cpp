// Rigid motions, an inertia and a least-squares problem: the room math alone, without any other package than Eigen.
#include <cstdio>

#include <prehend/math/inertia.h>
#include <prehend/math/nonnegative_least_squares.h>
#include <prehend/math/se3.h>

int main() {
  using namespace prehend::math;
  const Pose X_AB = exp_se3((Vector6d() << 0.1, 0.2, 0.3, 1.0, 2.0, 3.0).finished());
  const double error = (X_AB.inverse() * X_AB).p().norm();
  const auto inertia = SpatialInertia::solid_box(2.0, {0.1, 0.2, 0.3}).expressed_in(X_AB);
  const auto answer =
      solve_nonnegative_least_squares(Eigen::MatrixXd::Identity(40, 30), Eigen::VectorXd::Ones(40));
  const bool right = error < 1e-12 && answer.x.isOnes(1e-12);
  std::printf("%s, mass %.3g kg\n", right ? "right" : "WRONG", inertia.mass);
  return right ? 0 : 1;
}
