// Discovery while frames arrive: the current belief about every pair, at a bounded cost per frame.
//
// Each pair keeps at most `kept_frames` relative poses, thinned evenly as the recording grows, so that old
// and new motion weigh the same. Each frame pays for `fits_per_frame` fits of one type to one pair: pairs
// whose motion changed most since their last fit come first, types far behind the best less often. The belief
// over the types of a pair is the softmax of their scores (log likelihood with noise estimated for the pair,
// less the BIC penalty); parameters are those of the best type with their standard deviations. Both date from
// the pair's last fit. `tree()` is the best spanning tree on the current scores.
//
// Memory grows by the kept poses only. After the recording, discover() gives the final result: groups, shared
// noise, loops.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <prehend/articulation/joint_fit.h>
#include <prehend/articulation/observations.h>

namespace prehend::articulation {

struct OnlineOptions {
  // Types in question; every further one needs its turn.
  std::vector<model::JointType> types{model::JointType::rigid, model::JointType::prismatic,
                                      model::JointType::revolute, model::JointType::free};
  int kept_frames{64};    // per pair
  int fits_per_frame{2};  // of one type each, a third of a millisecond on 64 poses at most
  int least_frames{8};    // before the first fit

  void validate() const;
};

struct TypeBelief {
  model::JointType type{model::JointType::free};
  double score{0.0};        // [nats] log likelihood of the kept frames less the penalty
  double probability{0.0};  // of the types in question
  bool fitted{false};
};

struct PairBelief {
  int a{0}, b{0};
  int frames{0};                   // seen together
  int fitted_at{0};                // `frames` at the last fit; 0: none yet
  std::vector<TypeBelief> types;   // in the order of the options
  std::optional<JointFit> fit;     // of the most probable type
  const TypeBelief* best() const;  // nothing before the first fit
};

struct OnlineTree {
  std::vector<const PairBelief*> joints;
  bool is_complete{false};  // connects all parts
};

class OnlineDiscovery {
 public:
  // Throws std::invalid_argument on fewer than two parts or bad options.
  OnlineDiscovery(std::vector<std::string> parts, const OnlineOptions& options = {});

  // Poses by part, absent where lost. Throws std::invalid_argument when t does not increase or sizes differ.
  void add(double t, std::span<const std::optional<math::Pose>> X_WP);

  int frames() const { return frames_; }
  const std::vector<std::string>& parts() const { return parts_; }
  const PairBelief& belief(int a, int b) const;
  OnlineTree tree() const;

 private:
  struct Pair {
    PairBelief belief;
    Observations kept;
    int stride{1};
    double change{0.0};          // of the relative pose since the last fit, in angles and lengths of the pair
    int next_type{0};            // whose turn it is
    bool in_turn{false};         // some types of this turn are still to come
    std::vector<int> rests;      // turns that each type sits out
    std::vector<JointFit> fits;  // by type
  };
  void keep(Pair& pair, const math::Pose& X_ab);
  void fit_next(Pair& pair);
  std::size_t index(int a, int b) const;

  std::vector<std::string> parts_;
  OnlineOptions options_;
  std::vector<Pair> pairs_;
  int frames_{0};
  double last_t_{0.0};
};

}  // namespace prehend::articulation
