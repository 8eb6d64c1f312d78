// How well will the ten parameters be known, before anything is measured?
//
// With white noise of known size on the wrench, least squares has the covariance (sum of A^T W A)^-1, W the inverse
// noise variances (the information matrix of phi; kinematics are taken as exact). A sensor with an unknown constant
// bias costs information: what is left is the spread of the regressors about their mean, sum of (A - mean)^T W (A -
// mean), exactly what remains after the six biases are eliminated. Standard deviations of the centre of mass follow to
// first order at the expected object.
#pragma once

#include <span>

#include <Eigen/Core>

#include <prehend/inertia/regressor.h>
#include <prehend/math/inertia.h>

namespace prehend::inertia {

struct WrenchNoise {
  // Per sample and axis: the moderate noise of source N (tables 3.2, 3.7), after a Robotiq FT-300.
  double force{0.1};     // [N]
  double torque{0.005};  // [N m]
  // The sensor reads the wrench plus an unknown constant.
  bool has_bias{false};

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

math::Matrix10d information(std::span<const Motion> motions, const WrenchNoise& noise);

// Of the column-scaled regressor whose information this is (Gautier and Khalil 1992): the square root of the condition
// number of the information matrix with a unit diagonal. Infinite when rank is lost.
double condition_number(const math::Matrix10d& information);
// The same for mass and first moments alone: all that still samples determine.
double still_condition_number(const math::Matrix10d& information);

// Infinite where the data do not determine it.
struct PredictedDeviation {
  double mass{0.0};                              // [kg]
  Eigen::Vector3d com{Eigen::Vector3d::Zero()};  // [m]
  Eigen::Matrix<double, 6, 1> inertia{
      Eigen::Matrix<double, 6, 1>::Zero()};                 // [kg m^2] about the sensor: xx xy xz yy yz zz
  Eigen::Matrix3d com_covariance{Eigen::Matrix3d::Zero()};  // [m^2]
};
PredictedDeviation predicted_deviation(const math::Matrix10d& information,
                                       const math::SpatialInertia& expected_S);
// From still samples alone: mass and centre of mass; they do not determine the inertia.
PredictedDeviation predicted_still_deviation(const math::Matrix10d& information,
                                             const math::SpatialInertia& expected_S);

}  // namespace prehend::inertia
