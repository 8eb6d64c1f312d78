#include <algorithm>
#include <cmath>

#include <prehend/inertia/estimate.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

double root_of_variance(double variance) { return std::sqrt(std::max(variance, 0.0)); }

}  // namespace

const char* to_string(Method method) { return enum_text(method); }
const char* to_string(Status status) { return enum_text(status); }

double Estimate::std_mass() const { return root_of_variance(covariance(0, 0)); }

Eigen::Vector3d Estimate::std_com() const {
  // c = (m c) / m, so dc = (d(m c) - c dm) / m.
  Eigen::Matrix<double, 3, 4> slope;
  slope << -inertia_S.com, Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d of_com =
      slope * covariance.topLeftCorner<4, 4>() * slope.transpose() / (inertia_S.mass * inertia_S.mass);
  return {root_of_variance(of_com(0, 0)), root_of_variance(of_com(1, 1)), root_of_variance(of_com(2, 2))};
}

Eigen::Matrix<double, 6, 1> Estimate::std_inertia() const {
  Eigen::Matrix<double, 6, 1> deviations;
  for (int k = 0; k < 6; ++k) deviations[k] = root_of_variance(covariance(4 + k, 4 + k));
  return deviations;
}

std::string Estimate::brief_report() const {
  const auto number = [](double value) { return math::number_text(value, 5); };
  std::string text = to_string(method);
  if (status == Status::failed) {
    text += ": no estimate";
  } else {
    const Eigen::Vector3d& c = inertia_S.com;
    const Eigen::Vector3d spread = std_com();
    text += ": mass " + number(inertia_S.mass) + " kg (+- " + math::number_text(std_mass(), 2) +
            "), centre of mass (" + number(c.x()) + ", " + number(c.y()) + ", " + number(c.z()) + ") m (+- " +
            math::number_text(spread.maxCoeff(), 2) + ") from " + std::to_string(samples) +
            " samples; residuals " + math::number_text(residual_force, 3) + " N, " +
            math::number_text(residual_torque, 3) + " N m; " + consistency.brief_report();
  }
  if (status == Status::undetermined) {
    text += "; the data do not determine";
    for (std::size_t i = 0; i < undetermined.size(); ++i) text += (i ? ", " : " ") + undetermined[i];
  }
  for (const std::string& problem : problems) text += "; " + problem;
  return text;
}

}  // namespace prehend::inertia
