// What a type of joint brings along: its motion E(q), its closed form, its likelihood fit. One file per type, listed in
// joint_model.cpp; not part of the public interface.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/fit/noise_sizes.h>
#include <prehend/articulation/joint_fit.h>
#include <prehend/articulation/joint_model.h>

namespace prehend::articulation {

// A rigid motion as a matrix: what inner loops use.
template <class T>
struct MotionOf {
  Eigen::Matrix<T, 3, 3> R{Eigen::Matrix<T, 3, 3>::Identity()};
  Eigen::Matrix<T, 3, 1> p{Eigen::Matrix<T, 3, 1>::Zero()};  // [m]
};
using Motion = MotionOf<double>;

// What one pose's covariance C says: rows of the inverse of its Cholesky factor whiten a residual.
struct PoseWeight {
  math::Matrix6d whitening;            // of V in X_FM exp(V), angular first
  double log_determinant{0.0};         // of C
  double position2{0.0}, angle2{0.0};  // [m^2, rad^2] mean variances per axis
};

// Relative poses made ready for fitting. Positions are shifted so that numbers stay small far from F's origin.
struct Frames {
  std::vector<Motion> X;                 // of M in F
  std::vector<double> weights;           // starting weights, 0 to 1
  double fixed_share{0.0};               // of the fixed part in the angular variance
  double length{1.0};                    // [m] size of what is seen: floors of noise are relative to it
  std::vector<PoseWeight> pose_weights;  // one per pose, or none: one noise for all (pose_covariances.h)
};

struct LikelihoodSettings {
  PoseNoise noise;  // start, or known
  bool noise_is_known{false};
  // Where poses have covariances of their own: their known common scale, instead of the noise; 0: by the noise.
  double covariance_scale{0.0};
  bool robust{true};
  double radius_scale{0.0};  // [m]; infinite: no prior
  // Of orientation and position noise, relative to `noise`, which is then known; absent: one size, Gaussian.
  std::optional<std::array<NoiseSizes, 2>> sizes;
  // Where poses have covariances of their own: degrees of freedom of Student's distribution.
  double covariance_tails{4.0};
  int max_iterations{30};
  double tolerance{1e-2};
  bool wants_terms{true};  // per-frame terms for the log likelihood
  // Tracks of positions: Observations::holds.
  std::span<const int> holds{};
};

// One frame after the fit, in units of its own noise.
struct FrameTerms {
  math::Vector6d residual{math::Vector6d::Zero()};  // whitened, state eliminated; angular first
  State q;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6> state_covariance;
  double log_determinant{0.0};  // of the pose's covariance
  double squared{0.0};          // |residual|^2
};

struct LikelihoodResult {
  bool converged{false};
  Joint joint;
  PoseNoise noise;           // maximum likelihood
  double noise_factor{1.0};  // by which variances grow for the parameters spent
  Eigen::MatrixXd covariance;
  std::vector<double> weights;
  std::vector<FrameTerms> terms;
  std::vector<Eigen::Vector3d> track_residuals;  // [m] in F; of tracks of positions
  double rms_position{0.0}, rms_angle{0.0};
  double angle_freedoms{0.0}, shift_freedoms{0.0};  // of a frame's residual, on average
  // Half the weighted sum of squares plus log determinants; frames outside the noise lie anywhere, so that a noise of nothing that none agrees
  // with is no bargain.
  double cost{0.0};
  // With covariances: root of the median squared residual over what noise has; not a number otherwise.
  double median_misfit{std::numeric_limits<double>::quiet_NaN()};
  int iterations{0};
};

class JointKind {
 public:
  virtual ~JointKind() = default;
  virtual model::JointType type() const = 0;
  virtual int freedoms() const = 0;
  virtual int parameters() const = 0;
  virtual int parameters_with_zero() const = 0;
  // Of the joint frame on the moving part in that on the fixed part.
  virtual Motion motion(const State& q, double pitch) const = 0;
  virtual State state(const Motion& E, double pitch) const = 0;
  // Twist of the moving joint frame in its own axes.
  virtual StateJacobian jacobian(const State& q, double pitch) const = 0;
  // Starts for the likelihood, most plausible first; more than one where the closed form is not unique.
  virtual std::vector<Joint> closed_form(const Frames& frames) const = 0;
  virtual LikelihoodResult refine(const Frames& frames, const Joint& start,
                                  const LikelihoodSettings& settings) const = 0;
  // Brings the joint's frames to where its conventions have them; the motion stays.
  virtual void settle(Joint& joint) const = 0;
  // Whether the state's zero may be moved along the one axis.
  virtual bool starts_at_first() const = 0;
  // 0, or how many coordinates of the distance to axis or centre have a prior.
  virtual int radius_directions() const = 0;
  // Position of the local parameter in the covariance, for a direction of local_directions.h; -1 where there is none.
  virtual int parameter_of(int direction) const = 0;
};

// For tracks with orientation.
const JointKind& joint_kind(model::JointType type);

const JointKind& rigid_kind();
const JointKind& prismatic_kind();
const JointKind& revolute_kind();
const JointKind& screw_kind();
const JointKind& cylindrical_kind();
const JointKind& universal_kind();
const JointKind& spherical_kind();
const JointKind& planar_kind();
const JointKind& free_kind();

}  // namespace prehend::articulation
