// Diagnoses a log before its numbers are used: one sentence per cause, the most fundamental first.
//
// Every finding compares explanations of the same rows, or tests a physical bound, with thresholds in
// DiagnosisOptions. Correct, noisy and somewhat biased logs raise none. Checked are: order of rows; unit of time; motion
// columns against those from the poses (motion_smoother.h); reading of the wrench (gravity, axes, sign,
// forces and torques exchanged, units), each a model with as many unknowns, compared by likelihood with the
// sensor's offsets free; the point that torques are about; sensor (saturated, stuck), against the fit to the other rows; body (impossible mass,
// arm or density); grasp (parameters or pose that change); excitation (parameters that the smoothed motion
// does not determine even with a wrench exact to 1e-5); missing rows and repeated times.
//
// Cost: linear in rows, two smoothings and some 25 passes.
#pragma once

#include <string>
#include <vector>

#include <prehend/inertia/motion_smoother.h>
#include <prehend/inertia/samples.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia {

enum class FindingKind {
  too_few_samples,
  time_unit,
  no_excitation,
  dropped_samples,
  repeated_times,
  saturated_sensor,
  stuck_sensor,
  wrong_gravity,
  wrench_sign,
  gravity_or_wrench_sign,  // the log is too slow to decide between the two
  wrench_frame,
  swapped_columns,  // forces and torques
  units,
  torque_point,    // torques about another point than the origin of the poses
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
      parameters{};  // no_excitation: those that the motion does not determine ("mass", "com_x", "I_xy")
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
  // A motion determines a parameter when a wrench exact to this share of the weight gives it to half of its size for a
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
