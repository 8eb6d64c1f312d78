// Which motion tells most about the object in the hand? A joint trajectory that makes the ten parameters best known.
//
// Each joint follows a Fourier series of few harmonics about its start (band-limited, so that a controller can follow),
// at rest with no acceleration at both ends. The search maximises the information of phi (information.h): its log
// determinant (D-optimal, the volume of the confidence ellipsoid, free of units and of the choice of axes' scale) or
// the sum of relative variances (A-optimal), inside logarithmic barriers of all limits (excitation_limits.h), by
// L-BFGS with exact gradients from several seeded starts. The answer is a local optimum, the best of the starts. It is
// then checked on a dense grid and drawn together towards its start until every limit holds there.
//
// Beside it stands a baseline for comparison: source N, (3.14), the last three joints on sinusoids of 45 degrees at
// 0.1, 0.13 and 0.16 Hz, played faster or slower until the first limit binds. (As printed, the sine's argument is
// 2 pi f t / 240 with t in seconds, a period of forty minutes; t must count steps of 1/240 s.)
//
// Not considered: collisions of the arm with itself or the scene (the object's ball and boxes alone are), joint torques,
// noise in the kinematics. Cost: seconds for six joints and 10 s.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/excitation_limits.h>
#include <prehend/inertia/joint_motion.h>
#include <prehend/inertia/planning/information.h>
#include <prehend/model/joint_chain.h>

namespace prehend::inertia {

enum class Criterion { d_optimal, a_optimal };

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

// What a motion will tell, and how close to the limits it comes.
struct MotionWorth {
  Trajectory trajectory;
  Matrix10d information{Matrix10d::Zero()};
  double condition{0.0};  // infinite: rank lost
  PredictedDeviation std;
  LimitReport limits;
};

enum class ExcitationStatus { failed, planned };

struct Excitation {
  ExcitationStatus status{ExcitationStatus::failed};
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
  std::string to_json() const;  // the members of an object, as the command line prints them
};

// Status `failed` with a sentence when no motion inside the limits was found.
Excitation plan_excitation(const model::JointChain& chain, const ExcitationOptions& options = {});

// (3.14) about `centre`, cut to the joints' ranges, `factor` times as fast.
JointMotion baseline_motion(const model::JointChain& chain, const ExcitationOptions& options,
                            const Eigen::VectorXd& centre, double factor);

}  // namespace prehend::inertia
