// What can be asked of discover(): types, tolerances, and how sure its steps have to be.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include <prehend/articulation/observations.h>
#include <prehend/articulation/selection.h>
#include <prehend/model/joint.h>

namespace prehend::articulation {

// Which features are one rigid part.
struct RigidOptions {
  // Thinned to at most this many frames: enough to see any motion that can be distinguished from noise at all.
  int frames{200};
  // Fewer common frames than this say nothing.
  int least_frames{10};
  // Further parameters of a prismatic joint over a rigid one: direction less what the mean holds already, zero and spread of the
  // state. What is split in doubt is merged again when its joint turns out rigid; what is merged in doubt stays so.
  int parameters{3};
  // Variance of the mean over a block of kBlock frames, times its length, over the variance of a frame: 1 for white noise, more for errors that
  // change slowly. Discovery takes it from the residuals of the joints it has; infinite: blocks are not looked at.
  static constexpr std::array<int, 2> kBlocks{4, 12};
  std::array<double, 2> slow_noise{std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::infinity()};
  // [nats] The largest of six eigenvalues is worth this much by chance in one pair of a thousand, whatever the number of blocks; discovery
  // raises it with the number of pairs it looks at.
  double by_chance{12.0};
};

// Which pairs beside the tree close a loop.
struct LoopOptions {
  // Closing joints must leave residuals of at most this many times the noise.
  double misfit{1.25};
  // [standard deviations] Singular values above this are constraints. What errors of the fitted axes add lies far below one.
  double significant{2.0};
  // Singular values below this share of how far the tree moves the pair are errors of the fitted axes, not constraints: two hinges whose
  // axes meet are a universal joint, and a degree or two of error does not close a loop.
  double relative{0.04};
  // Observed states at which the rank is taken.
  int states{12};
};

struct DiscoveryOptions {
  // Types of joints to choose from; empty: all. `rigid` is always possible (groups), `free` where nothing else fits.
  std::vector<model::JointType> types;
  Criterion criterion{Criterion::bic};
  // [nats] As in SelectionOptions: explanations closer than this count as equal.
  double margin{3.0};
  // [s] Rows this close are one frame.
  double time_tolerance{1e-6};
  // Frames used to compare pairs; joints of the tree are fitted to all.
  int pair_frames{200};
  // Of each part, joints to this many others are fitted with care; the rest keep the score of the first look.
  int partners{6};
  // [m, rad] A pose is not known better than this per axis, whatever residuals say; what lies below is no motion. For trackers whose errors
  // change slowly or differ between axes. Zero: estimated alone.
  PoseNoise least_noise;
  bool merge_rigid{true};
  // Names of markers that sit on one part, a list for each such part: they are one group, whatever their noise says.
  std::vector<std::vector<std::string>> same_part;
  RigidOptions rigid;
  LoopOptions loops;

  void validate() const;
};

}  // namespace prehend::articulation
