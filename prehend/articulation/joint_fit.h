// Fit of one type of joint to observed relative poses.
//
// Closed forms first: means and axes by SVD (L 4.6 and 4.16, whose minimisers need no search), centres by linear least
// squares (L 4.18, 4.24), the two axes of a universal joint by alternating eigenvectors from many starts (L 4.38). Then
// maximum likelihood: Gauss-Newton on the manifold over the joint frames with the correlated covariance of
// observations.h, each frame's state eliminated (variable projection), the standard deviations of position and
// orientation estimated with it (restricted likelihood: freedoms spent on states and parameters are accounted for), and
// frames far outside the noise (a flipped marker, a lost part) weighted down to nothing. One file per type holds its
// motion, its free directions and its closed form.
//
// Cost: one pass over the frames for the closed form and two to four for the likelihood; about ten more, slower ones, where noise has sizes.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/joint_model.h>
#include <prehend/articulation/observations.h>

namespace prehend::articulation {

enum class FitMethod { closed_form, likelihood };

// Whether frames differ in how well they were measured.
enum class NoiseShape {
  gaussian,  // one size for all frames
  estimated  // where residuals show it: Gaussians of several sizes, whose shares are estimated; frames of small noise then count for more
};

struct FitOptions {
  FitMethod method{FitMethod::likelihood};
  // Known noise of the relative pose: position of the two parts together, angle of the two parts together (root of the
  // sum of squares, per axis). Absent: estimated, which needs more frames than parameters.
  std::optional<PoseNoise> noise;
  // Share of the fixed part in the angular variance; 0.5 where both are tracked alike, 0 where F is the world.
  // Absent: by Observations::fixed_is_measured.
  std::optional<double> fixed_share;
  // Weigh frames down that lie outside the noise. Off: plain Gaussian likelihood.
  bool robust{true};
  // [m] Scale of a half-normal prior on the distance from M's origin to the axis of a revolute, screw, cylindrical
  // joint or circle; infinite: none. Selection sets it: without it every drawer is a door of some kilometres.
  double radius_scale{std::numeric_limits<double>::infinity()};
  // Poses with orientation and without covariances of their own, noise not known. Log likelihoods are Gaussian ones in either case, so
  // that types can be compared.
  NoiseShape noise_shape{NoiseShape::estimated};
  // Poses with covariances: degrees of freedom of Student's distribution. Stated covariances are wrong by factors now and then (blur, a
  // covered corner, the wrong flip).
  double covariance_tails{4.0};
  // Ten are usual. Where what a joint leaves may count as errors of the positions or of the turns, the two sizes of noise settle slowly: up to
  // 53 on recorded doors.
  int max_iterations{100};
  // Iteration ends when what is left is below this many standard deviations.
  double tolerance{2e-2};
  // Begin with this joint (of the same type) instead of the closed forms, with no other starts and no search among them: where work is to be
  // bounded and a fit of nearly the same poses is known. The caller's to judge whether it is the right minimum.
  std::optional<Joint> start;
  // Which of the closed form's starts FitMethod::closed_form takes, counted on from the first after the last; the most plausible first.
  int start_number{0};

  void validate() const;
};

enum class FitStatus {
  failed,         // too few frames; problems say so
  not_converged,  // numbers are there, the likelihood had not settled after max_iterations
  ok
};
const char* to_string(FitStatus status);

// Standard deviations to first order; absent where the joint has no such thing.
struct FitDeviations {
  std::optional<double> axis_F, axis_M, axis2_M;  // [rad] root of the sum of the two variances
  std::optional<double> point_F, point_M;         // [m] likewise, across the axis (all three for a centre)
  std::optional<double> pitch;                    // [m/rad]
};

struct JointFit {
  FitStatus status{FitStatus::failed};
  Joint joint;
  bool has_orientation{true};
  std::vector<std::optional<State>>
      states;                   // one per time; absent where a part is lost; angles continuous in time
  State lower, upper;           // limits seen, of the frames that count
  PoseNoise noise;              // of the relative pose, per axis: standard deviations, whatever the shape
  bool noise_has_sizes{false};  // NoiseShape::estimated found that frames differ
  double fixed_share{0.0};      // of the fixed part in noise.angle^2
  double rms_position{0.0};     // [m] per axis, of what remains, outliers left out
  double rms_angle{0.0};        // [rad]
  std::vector<double> weights;  // one per observation, 0 to 1
  // [m] What remains of every position, in F, slips left out; of tracks without orientation only.
  std::vector<Eigen::Vector3d> track_residuals;
  int outliers{0};  // observations of weight below 0.5
  FitDeviations deviations;
  // Of the local parameters, in the order of the type's free directions; empty for closed forms and `free`.
  Eigen::MatrixXd covariance;
  // Log density of the poses [per rad^3 m^3, natural log], states integrated out; see likelihood.h.
  double log_likelihood{-std::numeric_limits<double>::infinity()};
  // The same with frames taken as independent, as plain information criteria do.
  double log_likelihood_independent{-std::numeric_limits<double>::infinity()};
  double log_prior{0.0};  // of the radius and travel, where asked for
  int iterations{0};
  // Other joints of this type that explain the motion as well (a universal joint moved one axis after the other).
  std::vector<Joint> alternatives;
  std::vector<std::string> problems;  // sentences

  std::string brief_report() const;
};

// Throws std::invalid_argument on bad options or a type that tracks without orientation cannot have.
JointFit fit_joint(model::JointType type, const Observations& observations, const FitOptions& options = {});

}  // namespace prehend::articulation
