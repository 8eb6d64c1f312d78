#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <generated/identification_error.h>

#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

// (3.17) for the six entries on and above the diagonal.
std::array<double, 6> inertia_errors(const Eigen::Matrix3d& difference, double mass,
                                     const Eigen::Vector3d& a) {
  std::array<double, 6> errors{};
  std::size_t k = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const double reference = mass / 12.0 * ((i == j ? a.squaredNorm() : 0.0) - a[i] * a[j]);
      errors[k++] = 100.0 * std::abs(difference(i, j) / reference);
    }
  }
  return errors;
}

double mean(const std::array<double, 6>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / 6.0;
}

std::optional<double> geodesic_distance(const Eigen::Matrix4d& first, const Eigen::Matrix4d& second) {
  if (!first.allFinite() || !second.allFinite()) return std::nullopt;
  if (Eigen::LLT<Eigen::Matrix4d>(first).info() != Eigen::Success) return std::nullopt;
  if (Eigen::LLT<Eigen::Matrix4d>(second).info() != Eigen::Success) return std::nullopt;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix4d> eigen(first, second,
                                                                        Eigen::EigenvaluesOnly);
  if ((eigen.eigenvalues().array() <= 0.0).any()) return std::nullopt;
  return std::sqrt(0.5 * eigen.eigenvalues().array().log().square().sum());
}

}  // namespace

IdentificationError identification_error(const math::SpatialInertia& estimated,
                                         const math::SpatialInertia& truth,
                                         const Eigen::Vector3d& box_sides) {
  if (!(truth.mass > 0.0)) {
    throw std::invalid_argument("the true mass is " + math::number_text(truth.mass) +
                                " kg, must be positive");
  }
  if (!(box_sides.array() > 0.0).all()) {
    throw std::invalid_argument("the sides of the bounding box must be positive; the smallest is " +
                                math::number_text(box_sides.minCoeff()) + " m");
  }
  IdentificationError error;
  error.mass = 100.0 * std::abs(estimated.mass - truth.mass) / truth.mass;
  error.com = 100.0 * (estimated.com - truth.com).cwiseAbs().cwiseQuotient(box_sides);
  error.com_mean = error.com.mean();
  error.com_mean_truncated = error.com.array().floor().mean();
  const Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  error.inertia_sensor =
      inertia_errors(estimated.inertia_about(origin) - truth.inertia_about(origin), truth.mass, box_sides);
  error.inertia_sensor_mean = mean(error.inertia_sensor);
  error.inertia_com = inertia_errors(estimated.I_com - truth.I_com, truth.mass, box_sides);
  error.inertia_com_mean = mean(error.inertia_com);
  error.riemannian = geodesic_distance(estimated.pseudo_inertia(), truth.pseudo_inertia());
  return error;
}

}  // namespace prehend::inertia
