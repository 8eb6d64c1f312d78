// Errors of identified inertia, averaged over many trials, for the tables and figures of source N, chapter 3.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/estimator.h>
#include <prehend/math/inertia.h>
#include <prehend/model/wrench_log.h>

namespace prehend::reproduce {

// What is to be found: in the sensor's frame; sides of the object's box along its axes.
struct Truth {
  math::SpatialInertia body_S;
  Eigen::Vector3d box_S{Eigen::Vector3d::Ones()};  // [m]
};

// Means over trials; failed ones are counted and left out.
class ErrorMeans {
 public:
  void add(const inertia::Estimate& found, const Truth& truth);

  int trials() const { return trials_; }
  int failed() const { return failed_; }
  double mass() const { return mean(mass_); }                // [%] e_m
  double com() const { return mean(com_); }                  // [%] e_c
  double com_truncated() const { return mean(truncated_); }  // [%] each axis cut to whole percents first
  double inertia() const { return mean(inertia_); }          // [%] e_I about the sensor's origin
  double inertia_com() const { return mean(inertia_com_); }  // [%] e_I about the centre of mass
  double riemannian() const;                                 // [-] over consistent ones; NaN: none
  double consistent() const { return 100.0 * mean(consistent_); }  // [%]
  double inside_95() const { return 100.0 * mean(inside_); }       // [%] the truth in the 95 % ellipsoid

 private:
  double mean(double sum) const;
  int trials_{0}, failed_{0}, with_distance_{0};
  double mass_{0}, com_{0}, truncated_{0}, inertia_{0}, inertia_com_{0}, distance_{0}, consistent_{0},
      inside_{0};
};

// "1.23", "> 500" for what is beyond sense, "-" for what is not there.
std::string percent_text(double value, int decimals = 2);

}  // namespace prehend::reproduce
