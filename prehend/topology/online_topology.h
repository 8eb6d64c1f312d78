// Which joints does it have, while the hands move it: rows come at the recorder's rate, belief is there at any time.
//
// Rows are averaged into blocks. Each joint keeps at most `kept_frames` relative poses and `kept_windows` transmitted
// wrenches, thinned evenly as time goes on, so that early and late motion count alike and memory is constant. Each row pays
// for one small piece of work per `work_interval` that it stands for (online/online_estimator.h). Beliefs are as old as the
// last round, some 15 rows per joint. The balance of momentum over combinations is left to estimate_topology, which decides
// when the recording ends; loads of joints that stand still are judged by their root mean square, which is the stricter way.
//
// Noise that is not given is measured on the first rows (a quarter of a second, 32 to 160 rows), link by link, once.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/topology/found_joint.h>
#include <prehend/topology/push_suggestion.h>
#include <prehend/topology/recording.h>
#include <prehend/topology/recording_noise.h>
#include <prehend/topology/topology_options.h>

namespace prehend::topology {

class OnlineEstimator;

class OnlineTopology {
 public:
  // `held`: links whose wrenches come with each row, in that order. Throws std::invalid_argument on what validate() would
  // refuse.
  OnlineTopology(ArticulatedObject object, const std::vector<int>& held, const Eigen::Vector3d& gravity_W,
                 bool base_is_fixed, const OnlineTopologyOptions& options = {});
  OnlineTopology(OnlineTopology&&) noexcept;
  OnlineTopology& operator=(OnlineTopology&&) noexcept;
  ~OnlineTopology();

  // Poses by link, wrenches by held link, in the link's axes about its origin. Throws std::invalid_argument when t does not
  // increase, sizes differ or a number is not finite.
  void push(double t, std::span<const math::Pose> X_WL, std::span<const math::Wrench> F_L);

  std::size_t rows() const;
  // One per joint; status undetermined with the reason "the recording is too short" before the first round.
  const std::vector<FoundJoint>& beliefs() const;
  bool is_sure() const;
  // [s] When each joint was first identified and has been since; negative: it is not.
  const std::vector<double>& identified_since() const;
  // Whitened mean square of the balance so far; zero where nothing balances yet.
  double balance() const;
  const RecordingNoise& noise() const;
  PushSuggestion suggest_push(const PushOptions& options = {}) const;

 private:
  std::unique_ptr<OnlineEstimator> estimator_;
};

}  // namespace prehend::topology
