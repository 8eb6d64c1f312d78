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
// - Excitation: which parameters this motion cannot tell even with a wrench exact to 1e-5. Judged on the smoothed motion:
//   noise in recorded accelerations is no motion.
// One sentence a cause, the most fundamental first: order of rows, columns of the motion, reading of the wrench, sensor,
// body, grasp, excitation, gaps. Cost: linear in rows, two smoothings and some 25 passes.
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
const char* to_string(FindingKind kind);

// `blocks`: no answer can stand (exit 3); `warning`: the answer may stand, the user must know.
enum class Severity { warning, blocks };

struct Finding {
  FindingKind kind{FindingKind::too_few_samples};
  Severity severity{Severity::warning};
  std::string sentence;
  // How many times better the other explanation is, by root mean square residual; or a count.
  double evidence{0.0};
  std::vector<std::string>
      parameters{};  // no_excitation: those that the motion cannot tell ("mass", "com_x", "I_xy")
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
  // [kg] outside, a log in other units is likelier than such an object in a hand with a force sensor: a warning.
  double least_mass{1e-3};
  double greatest_mass{50.0};
  // A change of the object in the grasp adds ten unknowns at one of some twenty moments to the margin above.
  double change_margin{30.0};
  // ... and must change the wrench by this share on either side of the moment: less is the error of a smoothed motion.
  double change_effect{0.02};
  // A motion tells a parameter when a wrench exact to this share of the weight would tell it to half of its size for a
  // body of a tenth of a metre. 1e-5: the motion is judged, not the sensor.
  double wrench_exactness{1e-5};
  // Motion counts where it rises this many standard deviations above the error of the smoothed motion; three, because
  // errors of neighbouring rows are correlated and some dozen rows hold few independent ones.
  double motion_deviations{3.0};
  // Below these nothing moves, however exact the poses are: [m/s^2] [rad/s] [rad/s^2] what nine digits of a pose at
  // 100 rows a second leave in its derivatives.
  double still_acceleration{1e-4};
  double still_turning{1e-4};
  double still_turning_acceleration{1e-3};
  // Noise of a channel counts as such above this share of its range; smooth motions have 3e-5 of it in third differences.
  double noisy_share{1e-3};

  void validate() const;
};

// Findings, gravest first; empty: nothing is wrong that the log can show. Throws std::invalid_argument for bad options
// and for a log whose columns differ in length.
std::vector<Finding> diagnose(const model::WrenchLog& log, const SampleOptions& sample_options = {},
                              const DiagnosisOptions& options = {});
std::vector<std::string> sentences(const std::vector<Finding>& findings);

}  // namespace prehend::inertia
