// What the rest of the object exerts on each link: its momentum's rate less gravity and hands, in the weak form.
//
// For a test function phi,  int phi F dt = -int phi' h dt - int phi W dt,  with h the link's momentum and W what is known to
// act on it, moments about a fixed point. No acceleration is formed: with block averages the sums are by parts,
// sum phi_b (h_b+1/2 - h_b-1/2), where h_b+1/2 comes from the step between two blocks, so that noise of the poses enters
// through second differences of phi, which are small.
//
// Summed over the links of a subtree, what joints exert inside cancels: what remains crosses the cut. Over all links of a
// floating object it is zero up to noise: the balance of the total momentum.
#pragma once

#include <vector>

#include <prehend/math/se3.h>
#include <prehend/topology/evidence/motion_blocks.h>
#include <prehend/topology/recording_noise.h>

namespace prehend::topology {

struct TestWindow {
  int centre{0};               // block
  int reach{0};                // blocks to each side, at least, with non-zero weight
  int first{0};                // block of the first weight
  std::vector<double> weight;  // test function times the time that a block stands for; sums to one
  // What the noise of one usual block does to the average: of its pose, through the second derivative [1/s^4], of what is known to act, and
  // both mixed [1/s^2].
  double g2{0.0}, g1{0.0}, g0{0.0};
};

// The difference of the slopes to both neighbours is the average of the second derivative by a hat function. Known wrenches are averaged by
// the same hat, for equal steps by (1, 10, 1)/12, which makes both sides the same to fourth order in the block, and to second or third
// where steps are uneven. Test functions are cubic B-splines of knot distance h, one every 2 h: there neighbours' errors are uncorrelated for
// noise of poses (exactly) and nearly so for that of wrenches (0.05).
struct LinkBalance {
  std::vector<TestWindow> windows;
  int blocks_per_side{0};  // of a window, with blocks of the usual length
  std::vector<std::vector<math::Vector6d>>
      F_b;  // [link][block]: rate less what is known to act, per block; noisy
  std::vector<std::vector<math::Vector6d>> F;           // [link][window]: the same, averaged by phi [N m, N]
  std::vector<std::vector<math::Matrix6d>> covariance;  // [link][window] of F
  std::vector<std::vector<math::Vector6d>> known;  // [link][window] what is known to act: hands and gravity
  // [window] Variance per axis of the total's moment and force by what came and went between two rows (a stop that was hit); empty: none.
  std::vector<Eigen::Vector2d> unsampled;
  double knot_distance{0.0};  // [s]

  std::size_t size() const { return windows.size(); }
  // Of the total residual in window k: of all links, and of what was not sampled.
  math::Matrix6d total_covariance(std::size_t k) const;
  // Over the window: sum of weighted values at blocks.
  template <class Value>
  auto average(const Value& at_block, const TestWindow& window) const {
    auto sum = (window.weight[0] * at_block(window.first)).eval();
    for (std::size_t d = 1; d < window.weight.size(); ++d)
      sum += window.weight[d] * at_block(window.first + static_cast<int>(d));
    return sum;
  }
};

struct BalanceOptions {
  // [s] Distance of the knots; 0: such that noise of the poses means `acceleration_noise`, within the bounds below.
  double knot_distance{0.0};
  double acceleration_noise{0.05};  // [m/s^2] half a percent of gravity
  // [s] Below, a spline has too few blocks of 10 ms; above, it averages away what hands do at some hertz.
  double shortest{0.03}, longest{0.12};
  // What inertias, sensors and integrators are off by, relative to the wrenches: what no noise explains.
  double model_error{2e-3};
  // Of every wrench that acts on a link (its weight, a hand's), however they cancel: what sensors resolve and simulators' solvers leave. Without
  // it, slow recordings of a simulator, whose wrenches repeat to 1e-14, contradict themselves by millinewtons under 60 N of weight
  // (uneven_sweep_tool, seeds 0 to 1199).
  double resolution{3e-4};
};

LinkBalance balance_links(const ArticulatedObject& object, const Recording& recording,
                          const MotionBlocks& blocks, const RecordingNoise& noise,
                          const BalanceOptions& options = {});

// The same in pieces, for work that is spread over time: windows and weights first, then one link after the other.
LinkBalance prepare_balance(std::size_t links, const MotionBlocks& blocks, const RecordingNoise& noise,
                            const BalanceOptions& options = {});
// `held`: index into blocks.F_W of the hand on this link; -1: none.
void balance_link(LinkBalance& balance, std::size_t link, const math::SpatialInertia& inertia, int held,
                  const Eigen::Vector3d& gravity_W, const MotionBlocks& blocks, const RecordingNoise& noise,
                  const BalanceOptions& options = {});

// Which links hang on joint j (its child and all below), by link.
std::vector<char> subtree(const ArticulatedObject& object, int joint);

}  // namespace prehend::topology
