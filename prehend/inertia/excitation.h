// Which motion determines the object in the hand best? A joint trajectory that makes the ten parameters best known.
//
// Each joint follows a Fourier series of few harmonics about its start (band-limited, so that a controller can follow),
// at rest with no acceleration at both ends. The search maximises the information of phi (information.h), its log
// determinant or the sum of relative variances, inside logarithmic barriers of all limits (excitation_limits.h), by
// L-BFGS with exact gradients from several seeded starts. The answer is a local optimum, the best of the starts, checked on a
// dense grid and scaled towards its start until every limit holds there. Beside it stands a baseline: source N, (3.14).
//
// Not considered: collisions of the arm with itself or the scene (the object's ball and boxes alone are), joint torques,
// noise in the kinematics. Cost: seconds for six joints and 10 s.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/excitation_options.h>
#include <prehend/inertia/joint_motion.h>
#include <prehend/inertia/motion_worth.h>
#include <prehend/model/joint_chain.h>

namespace prehend::inertia {

enum class ExcitationStatus { infeasible, ok };
const char* to_string(ExcitationStatus status);

struct Excitation {
  ExcitationStatus status{ExcitationStatus::infeasible};
  std::string link;                 // that carries the sensor
  std::vector<std::string> joints;  // names, base to hand
  JointMotion motion;
  MotionWorth plan;
  MotionWorth baseline;
  double baseline_speed{1.0};  // factor on the frequencies of (3.14)
  // Stop-and-go plans: where it stands still, one row per pose, and from when to when.
  Eigen::MatrixXd poses;
  std::vector<std::pair<double, double>> stills;  // [s]
  int passes{1};                                  // periods in the motion
  int iterations{0};
  std::vector<std::string> problems;  // sentences: why there is no plan
  std::vector<std::string> notes;

  std::string brief_report() const;
  std::string to_json() const;
};

// Status `infeasible` with a sentence when no motion inside the limits was found.
Excitation plan_excitation(const model::JointChain& chain, const ExcitationOptions& options = {});

}  // namespace prehend::inertia
