// What is wrong with a log, said in sentences, before its numbers are believed.
//
// Every finding rests on a comparison of explanations of the same rows, or on a physical bound, with the threshold stated
// in DiagnosisOptions: never on a mere impression. Right logs, noisy ones and somewhat biased ones raise nothing.
// - Times: rows that are missing in an otherwise regular log, repeated times.
// - Sensor: values that stand at an extreme while the body's own wrench goes beyond (saturated), or that stand still while
//   it changes (stuck); the body's wrench is the fit to the other rows.
// - Columns of the motion: velocities and accelerations against the poses' own (motion_smoother.h): millimetres, degrees,
//   the sensor's axes instead of the world's, wrong sign, or no relation at all.
// - Wrench: gravity (sign, axis, any direction), axes of the wrench, its sign, forces and torques exchanged, N mm or mN,
//   positions in mm: each is a model with as many unknowns as the log as given, compared by likelihood, sensor offsets free.
// - Body: mass, arm and density that no body has; parameters that change during the log; the object's pose in the sensor.
// - Excitation: which parameters this motion cannot tell even with a wrench exact to 1e-5.
// Cost: some 30 passes over the log, about 50 ms for 1000 rows.
#pragma once

#include <string>
#include <vector>

#include <prehend/inertia/motion_smoother.h>
#include <prehend/inertia/samples.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia {

enum class FindingKind {
  too_few_samples,
  no_excitation,
  dropped_samples,
  repeated_times,
  saturated_sensor,
  stuck_sensor,
  wrong_gravity,
  wrench_sign,
  gravity_or_wrench_sign,  // the log is too slow to tell which of the two
  wrench_frame,
  swapped_columns,  // forces and torques
  units,
  motion_columns,  // velocities or accelerations do not fit the poses
  object_moved,
  implausible_body,
};
const char* finding_kind_name(FindingKind kind);

// `blocks`: no answer can stand (exit 3); `warning`: the answer may stand, the user must know.
enum class Severity { warning, blocks };

struct Finding {
  FindingKind kind{FindingKind::too_few_samples};
  Severity severity{Severity::warning};
  std::string sentence;
  double evidence{
      0.0};  // how many times better the other explanation is, by root mean square residual; or a count
};

struct DiagnosisOptions {
  // Fewer rows than this give ten parameters no redundancy worth the name.
  int fewest_samples{10};
  // Another explanation must lower minus twice the log likelihood by this; 50 is e^25 to one, so that a log whose
  // residuals are correlated over ten rows still has e^2.5.
  double likelihood_margin{50.0};
  // ... and shrink the residual of forces or torques by this factor: significant is not yet substantial.
  double residual_ratio{1.5};
  // [rad] smaller disagreement about the direction of gravity is for calibration, not an error of the user's.
  double gravity_angle{0.26};
  // [kg/m^3] more than osmium; and [m] no arm is longer.
  double greatest_density{22600.0};
  double longest_arm{10.0};

  void validate() const;
};

// Findings, gravest first; empty: nothing is wrong that the log can show. Throws std::invalid_argument for bad options
// and for a log whose columns differ in length.
std::vector<Finding> diagnose(const model::WrenchLog& log, const SampleOptions& sample_options = {},
                              const DiagnosisOptions& options = {});
std::vector<std::string> sentences(const std::vector<Finding>& findings);

}  // namespace prehend::inertia
