// Which joints does it have, while the hands feel it: rows come at the recorder's rate, belief is there at any time.
//
// Rows are averaged into blocks. Each joint keeps at most `kept_frames` relative poses and `kept_windows` transmitted wrenches,
// thinned evenly as time goes on (every second is dropped and the stride doubled), so that early and late motion count alike and
// memory is constant. Each row pays for one small piece of work per `work_interval` that it stands for, none of which searches: one link's balance, one joint's
// transmitted wrench, one type's closed form, one step of its likelihood, what one type says of the loads, or one verdict, in turn. A fit goes
// on where that of the last round stood, and from one of the closed form's starts, another in each round; the better one is kept. Beliefs are as
// old as the last round, some 15 joints rows. The balance of momentum over
// combinations is left to estimate_topology, which has the last word when the recording ends; loads of joints that stand
// still are judged by their root mean square (smallest_load.h), which is the stricter way.
//
// Noise that is not given is measured on the first rows (a quarter of a second, 32 to 160 rows), link by link, once.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/joint_model.h>
#include <prehend/topology/evidence/joint_verdict.h>
#include <prehend/topology/evidence/link_balance.h>
#include <prehend/topology/push_suggestion.h>
#include <prehend/topology/topology.h>

namespace prehend::topology {

struct OnlineTopologyOptions {
  TopologyOptions topology;
  // A step of the likelihood over 16 poses takes some 20 us, the longest of all pieces; with 32 two joints of 281 more are told.
  int kept_frames{16};
  int kept_windows{32};
  double block_duration{0.01};  // [s]
  // [s] Recorders below 1 kHz have more time per row and do more in it.
  double work_interval{0.001};

  void validate() const;
};

class OnlineTopology {
 public:
  // `held`: links whose wrenches come with each row, in that order. Throws std::invalid_argument on what validate() would refuse.
  OnlineTopology(ArticulatedObject object, std::vector<int> held, const Eigen::Vector3d& gravity_W,
                 bool base_is_fixed, const OnlineTopologyOptions& options = {});

  // Poses by link, wrenches by held link, in the link's axes about its origin. Throws std::invalid_argument when t does not increase, sizes
  // differ or a number is not finite.
  void push(double t, std::span<const math::Pose> X_WL, std::span<const math::Wrench> F_L);

  std::size_t rows() const { return rows_; }
  // One per joint; status undetermined with the reason "the recording is too short" before the first round.
  const std::vector<FoundJoint>& beliefs() const { return beliefs_; }
  bool is_sure() const;
  // [s] When each joint was first told and has been since; negative: is not.
  const std::vector<double>& told_since() const { return told_since_; }
  // Whitened mean square of the balance so far; zero where nothing balances yet.
  double balance() const { return balance_count_ > 0 ? balance_sum_ / balance_count_ : 0.0; }
  const RecordingNoise& noise() const { return noise_; }
  PushSuggestion suggest_push(const PushOptions& options = {}) const;

 private:
  struct JointRecord {
    articulation::Observations frames;
    int stride{1}, skipped{0};  // of frames
    int window_stride{1}, windows_skipped{0};
    TransmittedWrench windows;
    JointStudy study;
    int round{0};
    std::vector<std::optional<articulation::Joint>> last;  // by type: where the likelihood stood
  };
  // What a round of one joint consists of.
  enum class Step { closed_form, from_closed_form, from_last, weigh, load, conclude };

  void take_noise(double t, std::span<const math::Pose> X_WL, std::span<const math::Wrench> F_L);
  void close_block();
  void keep_frame(JointRecord& record, const math::Pose& X_PC);
  void keep_window(JointRecord& record, const TransmittedWrench& window);
  void start_window();
  void work();
  void work_on_window();
  void work_on_joint();
  void weigh(JointRecord& record);
  void conclude(JointRecord& record, bool is_trusted);

  ArticulatedObject object_;
  Recording setting_;  // gravity, base and held links; its rows are the first ones, for the noise
  OnlineTopologyOptions options_;
  RecordingNoise noise_;
  bool has_noise_{false};
  std::size_t noise_piece_{0};  // next link's position, angle, or hand's force, torque
  std::size_t rows_{0};
  double last_t_{0.0}, interval_{0.0}, size_{1.0};

  // The block that is being filled.
  int in_block_{0};
  double block_t_{0.0};
  bool follows_{false};
  std::vector<Eigen::Quaterniond> reference_;
  std::vector<Eigen::Vector3d> turn_, shift_;
  std::vector<math::Vector6d> wrench_W_, wrench_L_;
  std::vector<PoseMean> relative_;  // [joint]

  MotionBlocks recent_;    // as many blocks as one window takes
  MotionBlocks snapshot_;  // being worked on
  LinkBalance window_;     // of the snapshot
  int window_length_{0}, since_window_{0};
  std::size_t next_link_{0}, next_joint_{0};
  bool window_open_{false};

  std::vector<JointRecord> joints_;
  std::size_t turn_of_{0};  // joint whose turn it is
  Step step_{Step::closed_form};
  std::size_t turn_type_{0};           // of that step
  articulation::Observations frames_;  // of that round
  TransmittedWrench windows_;
  std::vector<TypeEvidence> fitted_;
  std::vector<char> promising_;  // by type: worth a step of the likelihood

  double balance_sum_{0.0};
  int balance_count_{0};
  std::vector<FoundJoint> beliefs_;
  std::vector<double> told_since_;
};

}  // namespace prehend::topology
