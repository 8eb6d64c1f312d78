// The working part of online_topology.h: rows into blocks, blocks into windows, and rounds over the joints in small pieces.
//
// A piece is one link's balance, one joint's transmitted wrench, one type's closed form, one step of its likelihood, what one
// type says of the loads, or one verdict, in turn; none of them searches. A fit goes on where that of the last round stood,
// and from one of the closed form's starts, another in each round; the better one is kept. Where a joint's record is full,
// every second entry is dropped and the stride doubled.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/joint_model.h>
#include <prehend/topology/evidence/joint_verdict.h>
#include <prehend/topology/evidence/link_balance.h>
#include <prehend/topology/found_joint.h>
#include <prehend/topology/recording.h>
#include <prehend/topology/topology_options.h>

namespace prehend::topology {

class OnlineEstimator {
 public:
  OnlineEstimator(ArticulatedObject object, const std::vector<int>& held, const Eigen::Vector3d& gravity_W,
                  bool base_is_fixed, const OnlineTopologyOptions& options);

  void push(double t, std::span<const math::Pose> X_WL, std::span<const math::Wrench> F_L);

  std::size_t rows() const { return rows_; }
  const std::vector<FoundJoint>& beliefs() const { return beliefs_; }
  const std::vector<double>& identified_since() const { return identified_since_; }
  double balance() const { return balance_count_ > 0 ? balance_sum_ / balance_count_ : 0.0; }
  const RecordingNoise& noise() const { return noise_; }
  const ArticulatedObject& object() const { return object_; }
  const OnlineTopologyOptions& options() const { return options_; }
  bool base_is_fixed() const { return setting_.base_is_fixed; }
  std::vector<int> held() const;
  // At the last block.
  std::vector<math::Pose> X_WL() const;

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

  void start_block(std::span<const math::Pose> X_WL);
  void add_to_block(double t, std::span<const math::Pose> X_WL, std::span<const math::Wrench> F_L);
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
  bool has_noise_{false}, is_uneven_{false};
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
  std::vector<double> identified_since_;
};

}  // namespace prehend::topology
