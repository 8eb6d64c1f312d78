// What is asked of an excitation: the object expected, the limits, the sensor's noise, the motion's time and the search.
#pragma once

#include <cstdint>
#include <optional>

#include <Eigen/Core>

#include <prehend/inertia/excitation_limits.h>
#include <prehend/inertia/information.h>
#include <prehend/model/joint_chain.h>

namespace prehend::inertia {

// d_optimal: the volume of the confidence ellipsoid; a_optimal: the sum of relative variances.
enum class Criterion { d_optimal, a_optimal };
const char* to_string(Criterion criterion);

struct ExcitationOptions {
  ExpectedObject object{};
  MotionLimits limits{};
  WrenchNoise noise{};
  Criterion criterion{Criterion::d_optimal};
  // [s] of the motion. At least 2 / max_frequency.
  double duration{10.0};
  // [Hz] of wrench samples: what common sensors give.
  double rate{100.0};
  // [Hz] highest frequency of any joint. Faster is better for the inertia and worse for the controller.
  double max_frequency{1.0};
  // Harmonics of one period at most; a longer motion repeats shorter periods. Ten leave 18 freedoms to each joint.
  int max_harmonics{10};
  // Joint positions [rad or m] at which the motion begins and ends; absent: chosen.
  std::optional<Eigen::VectorXd> start{};
  // [s] of standing still at each pose of a stop-and-go plan.
  double dwell{1.0};
  // Searches from different beginnings; the best is refined.
  int starts{12};
  std::uint64_t seed{0};
  int threads{0};  // 0: as many as the machine has cores; the answer does not depend on it

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate(const model::JointChain& chain) const;
};

}  // namespace prehend::inertia
