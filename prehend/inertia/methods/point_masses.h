// Inertial parameters as non-negative masses at known points of the object (`pmd`, source N, 3.1.3): the
// result is always a physically possible body.
//
// Problem 1 blends a reduced model A~ (gravity alone acts) and the full model A by how dynamic the motion is:
//   min over m >= 0 of  |(1-w)(A~ m - b)| + |w (A m - b)| + lambda |m|,  w = tanh(3 nu / c1)  (3.13),
//   nu = (|a|/n1)^2 + (|al|/n2)^2 + (|w|/n3)^2  (3.5), one weight per sample.
// Three forms:
//   printed_norms    the objective as printed, a sum of norms.
//   printed_squared  every norm squared: least squares, as the source's figures suggest; lambda 0.1.
//   noise_weighted   the default: squared, rows divided by their noise, prior on the homogeneous body.
// Without a given c1 it follows from the noise of the accelerations (point_masses.cpp).
//
// Streaming in constant memory. Cost: 0.2 us a sample, 20 us a solve of 56 points.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <prehend/inertia/estimate.h>
#include <prehend/inertia/estimator_options.h>
#include <prehend/inertia/methods/blended_sums.h>
#include <prehend/inertia/methods/noise_meter.h>
#include <prehend/inertia/samples.h>
#include <prehend/inertia/shape.h>

namespace prehend::inertia {

struct PointMassFit {
  Estimate estimate;
  double objective{0.0};   // of the form chosen; printed_squared: without the factor 1/2
  double c1{0.0};          // used
  double full_share{0.0};  // mean weight of the full model over the samples
};

// With c1 given, weights depend on the sample only; without, sums are kept apart by dynamism (three classes an octave) until
// c1 is known.
class PointMasses {
 public:
  // The shape is thinned and copied. Throws std::invalid_argument for bad options or a shape without points.
  PointMasses(const Shape& shape, const math::Pose& X_SO, const PointMassOptions& options = {},
              const std::optional<SampleNoise>& noise = {});
  void add(const Sample& sample);
  PointMassFit fit() const;

  const std::vector<Eigen::Vector3d>& points_S() const { return points_S_; }

 private:
  struct Class {  // samples of about the same dynamism
    FullSums full;
    ReducedSums reduced;
    double dynamism{0.0};  // sum
    std::int64_t samples{0};
  };
  double dynamism(const Sample& sample) const;
  double chosen_c1() const;
  struct WeightedSums;
  WeightedSums weighted_sums(double c1) const;

  PointMassOptions options_;
  std::optional<SampleNoise> noise_;
  std::vector<Eigen::Vector3d> points_S_;
  std::vector<double> volumes_;
  Eigen::Matrix<double, 10, Eigen::Dynamic> unit_parameters_;  // phi of 1 kg at each point

  std::int64_t samples_{0};
  FullSums all_;   // unweighted
  FullSums full_;  // c1 given: weighted
  ReducedSums reduced_;
  double share_{0.0};
  std::vector<int> class_of_;  // index into classes_ by rounded dynamism, -1 where none yet
  std::vector<Class> classes_;
  NoiseMeter noise_a_, noise_w_, noise_al_;
};

PointMassFit point_masses(std::span<const Sample> samples, const Shape& shape, const math::Pose& X_SO,
                          const PointMassOptions& options = {}, const std::optional<SampleNoise>& noise = {});

}  // namespace prehend::inertia
