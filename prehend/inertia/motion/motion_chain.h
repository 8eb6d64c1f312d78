// Smoothing of three coordinates that move with white-noise jerk: the linear core of the motion smoother.
//
// State per sample (x, v, a), the same model for three axes: x' = v, v' = a, a' = white noise of density q.
// The mean between samples is the quintic spline, so noise-free positions alone give a to fourth order in the
// step. Any of x, v, a may be measured at every sample, each with one standard deviation.
//
// Solved as banded least squares by orthogonal transformations (square-root information): no prior on the
// first state is needed, and the result equals the Rauch-Tung-Striebel smoother with a flat prior. The
// restricted likelihood (first states integrated out) comes from the same elimination. Internally time is
// counted in `unit` seconds (states x, unit v, unit^2 a), so that entries are of similar size.
//
// Cost: linear in samples, 50 ns (stationary) to 1 us per sample.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace prehend::inertia {

// Columns of a chain, in SI units; v and a empty when not measured.
struct ChainData {
  std::vector<double> t;  // [s] not decreasing
  std::vector<Eigen::Vector3d> x, v, a;
};

// Standard deviations per axis and density of the jerk. Zero sigma is not allowed (use a floor).
struct ChainNoise {
  double x{1.0};     // of positions (m, or rad)
  double v{1.0};     // per second
  double a{1.0};     // per second^2
  double jerk{1.0};  // square root of the density of the jerk: m / s^2.5
  // One factor per step k -> k+1 on `jerk`; empty: all one.
  std::vector<double> factor{};
};

struct ChainStates {
  std::vector<Eigen::Matrix3d> state;       // rows x, v, a; one column per axis
  std::vector<Eigen::Matrix3d> covariance;  // of (x, v, a), the same for every axis
  std::vector<Eigen::Matrix3d> lagged;      // of sample k with sample k + 1; one fewer
};

// Everything about the likelihood that one forward pass gives. Minus twice the log likelihood, up to a constant, is
// log_determinant + squares for noise as stated; when all noise is scaled by s: + freedom log s^2, squares / s^2.
struct ChainLikelihood {
  double log_determinant{0.0};
  double squares{0.0};
  double freedom{0.0};  // equations less unknowns
};

// `unit` is the typical step [s], see above.
ChainLikelihood chain_likelihood(const ChainData& data, const ChainNoise& noise, double unit);
// Needs rank: at least three positions, or one position with v and a measured. Throws std::invalid_argument otherwise.
ChainStates smooth_chain(const ChainData& data, const ChainNoise& noise, double unit);

// How far each step strays from constant acceleration, whitened by the noise as stated, squared and summed over axes
// and components (nine numbers), and how many of those nine the smoother fitted freely. Their sums give the jerk's size.
struct StepResidual {
  double squares{0.0};
  double fitted{0.0};  // trace of the posterior covariance of the whitened step, of 9
};
std::vector<StepResidual> step_residuals(const ChainData& data, const ChainNoise& noise, double unit,
                                         const ChainStates& states);

// One sample of the recursion, for use forward in time: R s = z in the least-squares sense.
class ChainFilter {
 public:
  explicit ChainFilter(double unit) : unit_(unit) {}
  // Advances by h seconds with jerk density `jerk` (see ChainNoise).
  void predict(double h, double jerk);
  // A measured row: `order` 0 x, 1 v, 2 a; sigma in its units.
  void measure(int order, const Eigen::Vector3d& value, double sigma);
  // Moves the origin of x: x becomes x + shift.
  void shift_position(const Eigen::Vector3d& shift);
  bool determined() const;        // all of x, v, a have information
  Eigen::Matrix3d state() const;  // rows x, v, a
  Eigen::Matrix3d covariance() const;

 private:
  double unit_;
  Eigen::Matrix3d R_{Eigen::Matrix3d::Zero()};
  Eigen::Matrix3d z_{Eigen::Matrix3d::Zero()};
};

}  // namespace prehend::inertia
