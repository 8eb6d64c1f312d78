// Masses of homogeneous parts from samples at rest (`hps`, source N, 3.2.2).
//
// Samples at rest determine mass and first moments only. With the volumes of the parts known, their masses
// give all ten parameters (3.24). The source minimises |A m - b| over m >= 0 (3.26) for at most four parts;
// with nearly coplanar centroids that minimiser is arbitrary (3.2.5). By default equal densities are
// therefore the prior:
//   min over m >= 0 of  sum |force rows|^2 / s_f^2 + sum |torque rows|^2 / s_t^2
//                       + sum of ((m_i - m0_i) / (spread m0_i))^2,
// m0 the homogeneous object that fits best, s_f and s_t the noise estimated from the residuals. Any number of
// parts is allowed; `notes` names those whose masses come from the prior rather than from the data. `printed`
// solves (3.26) instead.
//
// Streaming in constant memory. Cost: 0.1 us a sample, about 5 us a solve.
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

struct PartsFit {
  Estimate estimate;      // masses: one per part; points_S: centroids
  double objective{0.0};  // as above; printed: |A m - b|^2
  int separated{0};       // combinations of masses that the data know better than the prior
  std::vector<double>
      prior_share;  // per part, of its variance: 0 the data's, 1 the assumption's; empty when printed
};

class HomogeneousParts {
 public:
  // Throws std::invalid_argument for bad options or a shape without parts.
  HomogeneousParts(const Shape& shape, const math::Pose& X_SO, const HomogeneousPartsOptions& options = {},
                   const std::optional<SampleNoise>& noise = {});
  void add(const Sample& sample);
  PartsFit fit() const;

 private:
  bool is_still(const Sample& sample) const;
  // Residuals, observability, body and status.
  void finish(const Quadratic& force, const Quadratic& torque, const Eigen::VectorXd& m, bool solved,
              Estimate& estimate) const;

  HomogeneousPartsOptions options_;
  std::optional<SampleNoise> noise_;
  std::vector<Part> parts_;
  Eigen::Matrix<double, 10, Eigen::Dynamic> unit_parameters_;  // phi of 1 kg of each part, in S
  std::int64_t samples_{0}, used_{0};
  FullSums full_;
  ReducedSums reduced_;
  NoiseMeter noise_a_, noise_al_;
  double deviation_a_{0.0}, deviation_al_{0.0};  // as of the last time they were read
};

PartsFit homogeneous_parts(std::span<const Sample> samples, const Shape& shape, const math::Pose& X_SO,
                           const HomogeneousPartsOptions& options = {},
                           const std::optional<SampleNoise>& noise = {});

}  // namespace prehend::inertia
