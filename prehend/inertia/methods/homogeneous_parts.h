// Masses of homogeneous parts from the moments when the object is held still (`hps`, source N, 3.2.2).
//
// Still samples tell four numbers, mass and first moments, and nothing of the motion's noise gets in. With the volumes of
// the parts known, their masses give all ten parameters (3.24). The source minimises |A m - b| over m >= 0 (3.26), for at
// most four parts; where centroids are coplanar, or nearly so for the noise there is, the minimiser is arbitrary and zeroes
// parts (3.2.5). Here every part has the same density unless the data say otherwise:
//   min over m >= 0 of  sum |force rows|^2 / s_f^2 + sum |torque rows|^2 / s_t^2 + sum of ((m_i - m0_i) / (spread m0_i))^2,
// m0 the homogeneous object that fits best, s_f and s_t the noise that shows. What the data tell they decide, in all
// other directions the densities stay as equal as they can; any number of parts, and `notes` names those whose masses
// come from that assumption rather than from the data. `printed` solves (3.26) instead.
// A sample counts as still when |a|^2 and |al|^2, less what their noise adds on average (3 s^2), are below `still`^2,
// and it turns no faster than `still` accelerations reach in 0.2 s (the source looks at accelerations alone). Its
// measured acceleration, small against gravity, is taken into account unless it is printed form.
// Streaming in constant memory. Cost: 0.1 us a sample, about 5 us a solve.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <prehend/inertia/estimate.h>
#include <prehend/inertia/methods/blended_sums.h>
#include <prehend/inertia/methods/noise_meter.h>
#include <prehend/inertia/samples.h>
#include <prehend/inertia/shape.h>

namespace prehend::inertia {

struct HomogeneousPartsOptions {
  // [m/s^2] and [rad/s^2]: accelerations below which a sample is still (source N, 3.2.4). Positive.
  double still{1.0};
  // Relative deviation of densities among parts: 0.9 for plastics, aluminium, steel and brass drawn evenly. On generated
  // objects 1 is better than 0.5 and 0.25. Positive.
  double density_spread{1.0};
  // All samples and the full model: up to ten parts told apart, at the price of the accelerations' noise.
  bool use_motion{false};
  // (3.26) as printed: rows unweighted, no prior, gravity alone, the threshold without allowance for noise.
  bool printed{false};

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

struct PartsFit {
  Estimate estimate;      // masses: one per part; points_S: centroids
  double objective{0.0};  // as above; printed: |A m - b|^2
  int told{0};            // combinations of masses that the data know better than the prior
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
