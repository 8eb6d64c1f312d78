// What every estimator of inertial parameters returns.
//
// Parameters are about the sensor's origin S in the sensor's axes (phi of math/inertia.h); SpatialInertia gives the same
// about the centre of mass. `covariance` is that of phi given the wrench noise found in the residuals (or known), to
// first order; for estimators with a prior it is the posterior's. Estimators without constraints may return what no
// body can be: `consistency` says so.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/inertia.h>

namespace prehend::inertia {

enum class Method {
  ols,         // ordinary least squares (Atkeson 1986)
  rtls,        // recursive total least squares (Kubus 2008)
  geo,         // least squares with the log-det divergence to a prior (Lee 2019)
  pmd,         // point masses, reduced and full model blended by the motion's dynamism (source N, 3.1.3)
  hps,         // masses of homogeneous parts from still samples (source N, 3.2.2)
  likelihood,  // ours, the default: maximum likelihood on consistent bodies, the shape as prior
};
const char* to_string(Method method);  // "ols", ...; from_string<Method>(text) reads it

// undetermined: numbers are there, but the data do not determine some of the parameters.
enum class Status { failed, undetermined, ok };
const char* to_string(Status status);

struct Estimate {
  Status status{Status::failed};
  Method method{Method::likelihood};
  math::SpatialInertia inertia_S;                       // in S; mass [kg], com [m], I_com [kg m^2]
  math::Matrix10d covariance{math::Matrix10d::Zero()};  // of phi, in its units
  math::ConsistencyReport consistency;
  double condition{0.0};  // of the column-scaled regressor (Gautier 1992); infinite: rank lost
  int rank{0};            // of the scaled regressor, of 10
  std::vector<std::string> undetermined;  // names of what the data do not determine: "mass", "com_x", "I_xy"
  double residual_force{0.0};             // [N] root mean square per component
  double residual_torque{0.0};            // [N m]
  int samples{0};                         // used
  std::vector<double> masses;             // [kg] of points (pmd) or parts (hps), else empty
  std::vector<Eigen::Vector3d> points_S;  // [m] where those masses are (hps: centroids)
  int iterations{0};
  std::vector<std::string> problems;  // sentences a user must read; empty on a right log
  std::vector<std::string> notes;     // sentences that explain: parts merged, prior used, c1 chosen

  // Standard deviations to first order.
  double std_mass() const;                          // [kg]
  Eigen::Vector3d std_com() const;                  // [m]
  Eigen::Matrix<double, 6, 1> std_inertia() const;  // [kg m^2] about S: xx xy xz yy yz zz
  std::string brief_report() const;
};

}  // namespace prehend::inertia
