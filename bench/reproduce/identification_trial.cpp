#include "identification_trial.h"

#include <cmath>
#include <cstdio>
#include <limits>

#include <Eigen/Cholesky>
#include <generated/identification_error.h>

namespace prehend::reproduce {

double ErrorMeans::mean(double sum) const {
  return trials_ > failed_ ? sum / (trials_ - failed_) : std::numeric_limits<double>::quiet_NaN();
}

double ErrorMeans::riemannian() const {
  return with_distance_ > 0 ? distance_ / with_distance_ : std::numeric_limits<double>::quiet_NaN();
}

void ErrorMeans::add(const inertia::Estimate& found, const Truth& truth) {
  ++trials_;
  if (found.status == inertia::Status::failed) {
    ++failed_;
    return;
  }
  const inertia::IdentificationError error =
      inertia::identification_error(found.inertia_S, truth.body_S, truth.box_S);
  mass_ += error.mass;
  com_ += error.com_mean;
  truncated_ += error.com_mean_truncated;
  inertia_ += error.inertia_sensor_mean;
  inertia_com_ += error.inertia_com_mean;
  if (error.riemannian) {
    distance_ += *error.riemannian;
    ++with_distance_;
  }
  consistent_ += found.consistency.is_consistent() ? 1.0 : 0.0;
  // Scaled to a correlation matrix: the parameters' units differ by orders of magnitude.
  const math::Vector10d std = found.covariance.diagonal().cwiseMax(1e-300).cwiseSqrt();
  const math::Vector10d off = (found.inertia_S.parameters() - truth.body_S.parameters()).cwiseQuotient(std);
  const math::Matrix10d correlation =
      std.cwiseInverse().asDiagonal() * found.covariance * std.cwiseInverse().asDiagonal();
  constexpr double kChiSquare10 = 18.307;  // 95 %, 10 degrees of freedom
  inside_ += off.dot(correlation.ldlt().solve(off)) <= kChiSquare10 ? 1.0 : 0.0;
}

std::string percent_text(double value, int decimals) {
  if (std::isnan(value)) return "-";
  if (value > 500.0) return "> 500";
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

}  // namespace prehend::reproduce
