// The person of a trial: a seated figure that breathes, looks, gives a hand, steps back, and is touched through springs of the region's stiffness.
//
// Touch: a robot capsule inside a body part by d is pushed out with k d (1 + 10 d-dot), plus friction; k is the region's stiffness. A shoulder moves with the
// trunk (40 kg on a seat), a hand is 0.6 kg on the arm's muscles. The forces act on both in the same physics step.
#pragma once

#include <array>
#include <vector>

#include <prehend/assist/person/seated_figure.h>
#include <prehend/assist/robot/robot_state.h>

namespace prehend::assist {

struct Touch {
  int capsule{0};  // of the robot
  int segment{0};
  BodyPart part{BodyPart::torso};
  Eigen::Vector3d point_W{Eigen::Vector3d::Zero()}, force_W{Eigen::Vector3d::Zero()};  // on the robot
  double normal_N{0.0};
};

class SimulatedPerson {
 public:
  SimulatedPerson(const PersonSpec& spec, std::uint64_t seed);

  // Touches of the robot as it stands now; at most a few, kept until the next call.
  const std::vector<Touch>& touch(const RobotState& robot);
  // Moves the person one step; the last touches push them.
  void step(double dt);

  void look_at(bool at_tablet) { looks_ = at_tablet; }
  void set_tablet(const Eigen::Vector3d& p_W) { tablet_W_ = p_W; }
  // The hand (0 right, 1 left) goes to a point and presses against what is there; or back to the thigh.
  void give_hand(int hand, const Eigen::Vector3d& palm_W, double palm_radius);
  void take_hand_back(int hand);
  void step_back(double distance_m, double speed_mps);

  const Eigen::Vector3d& pelvis() const { return pelvis_; }
  double yaw() const { return yaw_; }
  Eigen::Vector3d head() const { return to_world(head_centre(spec_.height_m) + sway_); }
  Eigen::Vector3d face() const { return face_; }
  Eigen::Vector3d region(BodyRegion region) const;
  Eigen::Vector3d to_world(const Eigen::Vector3d& p_P) const;
  const std::array<Capsule, kBodyParts>& parts() const { return parts_; }
  const PersonSpec& spec() const { return spec_; }

 private:
  void place();
  Eigen::Vector3d hand_way(std::size_t hand);

  PersonSpec spec_;
  double time_{0.0}, phase_{0.0};
  Eigen::Vector3d pelvis_{Eigen::Vector3d::Zero()};
  double yaw_{0.0};
  Eigen::Vector3d sway_{Eigen::Vector3d::Zero()};                                       // of the trunk, in P
  Eigen::Vector3d pushed_{Eigen::Vector3d::Zero()}, pushed_rate_{Eigen::Vector3d::Zero()};  // of the trunk by touches, in the world
  std::array<Eigen::Vector3d, 2> hands_{}, hand_rates_{}, aims_{}, goals_{};             // in the world
  std::array<bool, 2> gives_{};
  std::array<int, 2> stage_{2, 2};  // of the hand's way
  std::array<Eigen::Vector3d, 2> palms_{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};  // [m] last offered
  std::array<double, 2> palm_gaps_{};  // [m] between the centres of hand and palm that touch
  double back_left_{0.0}, back_speed_{0.0};
  bool looks_{false};
  Eigen::Vector3d tablet_W_{Eigen::Vector3d::Zero()}, face_{Eigen::Vector3d::UnitX()};
  std::array<Capsule, kBodyParts> parts_;
  std::vector<Touch> touches_;
};

}  // namespace prehend::assist
