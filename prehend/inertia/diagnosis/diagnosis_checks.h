// The checks of log_diagnosis.h, one function each; not for users.
#pragma once

#include <span>
#include <vector>

#include <prehend/inertia/log_diagnosis.h>
#include <prehend/inertia/methods/wrench_fit.h>

namespace prehend::inertia {

std::vector<Finding> check_times(const model::WrenchLog& log);

// Saturated and stuck values; `use` is set false for the rows concerned.
std::vector<Finding> check_sensor(const model::WrenchLog& log, std::span<const Sample> samples,
                                  const SampleOptions& sample_options, const DiagnosisOptions& options,
                                  std::vector<bool>& use);

// Rows that are not in the order of time: poses that jump beyond what velocities or any arm allow.
std::vector<Finding> check_order(const model::WrenchLog& log);

// Times in milliseconds, microseconds, nanoseconds or thousands of seconds; `poses` is the motion from poses alone.
std::vector<Finding> check_time_unit(const model::WrenchLog& log, const SmoothedMotion& poses,
                                     const SampleOptions& options);

// Velocities and accelerations against `poses`, the motion from poses alone.
struct ColumnTrust {
  bool columns{true};                    // they may be used beside the poses
  bool positions_in_millimetres{false};  // it is the poses that are wrong
};
std::vector<Finding> check_motion_columns(const model::WrenchLog& log, const SmoothedMotion& poses,
                                          ColumnTrust& trust);

// Gravity, frames, signs, columns and units of the wrench.
std::vector<Finding> check_wrench(const model::WrenchLog& log, const SmoothedMotion& motion,
                                  const SampleOptions& sample_options, const DiagnosisOptions& options,
                                  const std::vector<bool>& use);

// Torques about another point than the origin of the poses: forces and torques then have different centres of mass.
std::vector<Finding> check_torque_point(std::span<const Sample> samples, const DiagnosisOptions& options,
                                        const std::vector<bool>& use);

// The body itself: bounds, change during the log, excitation.
std::vector<Finding> check_body(std::span<const Sample> samples, const DiagnosisOptions& options,
                                const std::vector<bool>& use);
std::vector<Finding> check_grasp(const model::WrenchLog& log, std::span<const Sample> samples,
                                 const DiagnosisOptions& options, const std::vector<bool>& use);
// The same where another cause shrinks the residuals by `ratio`: only a move that shrinks them substantially more.
std::vector<Finding> check_grasp_rather(const model::WrenchLog& log, std::span<const Sample> samples,
                                        const DiagnosisOptions& options, const std::vector<bool>& use,
                                        double ratio);
std::vector<Finding> check_excitation(std::span<const Sample> samples, const SampleNoise& noise,
                                      const DiagnosisOptions& options, const std::vector<bool>& use);

// "(0, 0, +9.81)"
std::string vector_text(const Eigen::Vector3d& v);

}  // namespace prehend::inertia
