// The whole-body program: accelerations of base and joints that serve the tasks and keep every limit, one control period ahead.
//
// Hard rows: joint position with braking distance, joint speed and acceleration, motor torque, base speed and acceleration (a polygon
// inside the circle), the point of the floor's pressure inside the wheels (no tipping), closing speeds to itself and to the person. Braking every
// freedom at its full deceleration satisfies positions, speeds, base, torque and tipping in every tick (docs/assist_control.md has the proof): a solution after which
// the stopping reserve would not hold is drawn back towards braking. Closing speeds are bounded by what braking does where that is more, and counted; that own parts never meet is again
// the reserve's. So the program always has a solution. Soft: the tasks, as weighted squares.
//
// A (1a) of Bolotnikova et al. minimises over velocities; accelerations are meant.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include <prehend/assist/control/small_program.h>
#include <prehend/assist/control/stopping_reserve.h>
#include <prehend/assist/robot/capsules.h>
#include <prehend/assist/robot/robot_state.h>

namespace prehend::assist {

inline constexpr int kMaxPersonCapsules = 24;
inline constexpr int kMaxHands = 2;

struct BaseLimits {
  double speed{0.1}, turn{0.5};                       // [m/s], [rad/s]
  double acceleration{0.3}, turn_acceleration{0.75};  // [m/s^2], [rad/s^2]
  std::vector<Eigen::Vector2d> support;               // [m] corners, counter-clockwise, in the base link
};

struct HandTask {
  bool is_on{false};
  int segment{0};
  Eigen::Vector3d p_S{Eigen::Vector3d::Zero()};
  Eigen::Vector3d goal_W{Eigen::Vector3d::Zero()}, speed_W{Eigen::Vector3d::Zero()};  // [m], [m/s]
  double weight{2000.0}, stiffness{40.0};
};

struct Tasks {
  Freedoms posture;         // joints only are read
  Freedoms posture_weight;  // per freedom; 0: left out
  double posture_stiffness{1.0};
  Eigen::Vector3d base_goal{Eigen::Vector3d::Zero()};  // x, y, yaw
  double base_weight{1e4}, base_stiffness{3.0};
  bool base_brakes{false};  // instead of going to its goal
  bool all_brake{false};    // joints brake instead of taking the posture; hand tasks go on
  double com_weight{1e4}, com_stiffness{3.0};
  bool looks{false};
  Eigen::Vector3d look_at_W{Eigen::Vector3d::Zero()};
  double look_weight{100.0}, look_stiffness{3.0};
  std::array<HandTask, kMaxHands> hands;
};

// What stands around the robot; a capsule of the person that a hand may touch is left out for that hand.
struct Surroundings {
  int count{0};
  std::array<Capsule, kMaxPersonCapsules> capsules;
  std::array<bool, kMaxPersonCapsules> is_on{};
  std::array<int, kMaxPersonCapsules> touchable_by{};  // segment; -1: none
};

struct WidenedRows {
  int torque{0}, tipping{0}, distance{0}, other{0};
};

class WholeBody {
 public:
  static constexpr double kTorqueShare =
      0.85;  // of a motor, that the references may need; the rest tracks them
  static constexpr double kTipMargin = 0.02;  // [m] of the pressure point inside the wheels

  struct Setup {
    BaseLimits base;
    Freedoms upright;                 // with the base's three in front
    double period{0.012};             // [s]
    int camera{-1};                   // frame of the robot; -1: none
    std::array<int, 2> neck{-1, -1};  // joints
  };
  WholeBody(const RobotModel& robot, const Setup& setup);

  // Accelerations for the reference state. `infeasible` adds two rows that contradict each other: the fault of that name.
  ProgramStatus solve(const Freedoms& q, const Freedoms& v, const Tasks& tasks, const Surroundings& around,
                      bool infeasible);
  const Freedoms& acceleration() const { return acceleration_; }
  // Full braking of every freedom for this state, whatever solve() said.
  Freedoms braking(const Freedoms& v) const;

  RobotState& state() { return state_; }
  const RobotState& state() const { return state_; }
  int rows() const { return program_.rows(); }
  int variables() const { return state_.freedoms(); }
  int steps() const { return program_.steps(); }
  const WidenedRows& widened() const { return widened_; }
  int drawn_back() const { return drawn_back_; }  // ticks in which the reserve cut the program's solution
  const StoppingReserve& reserve() const { return reserve_; }
  double self_distance() const { return self_distance_; }  // [m] least, of the pairs that are watched
  double deceleration(int freedom) const { return deceleration_[freedom]; }
  double speed_limit(int freedom) const { return speed_[freedom]; }
  double lower(int freedom) const { return lower_[freedom]; }
  double upper(int freedom) const { return upper_[freedom]; }
  Capsule capsule_W(int index) const;
  // Which capsules of the robot are watched against each other.
  using Pair = StoppingReserve::Pair;
  const std::vector<Pair>& pairs() const { return pairs_; }
  // Which are not, because they stand within 2 cm of each other or overlap upright.
  const std::vector<Pair>& unwatched() const { return unwatched_; }

 private:
  void choose_decelerations(const Freedoms& upright);
  void choose_pairs(const Freedoms& upright);
  void add_tasks(const Tasks& tasks);
  void add_diagonal(int freedom, double weight, double goal);
  void add_task_row(const Row& row, double weight, double goal, int first);
  void add_look(const Tasks& tasks);
  void add_hand(const HandTask& hand);
  void add_com(const Tasks& tasks);
  void add_bounds();
  void add_base_rows();
  void add_torque_rows();
  void add_tipping_rows();
  bool carries(int segment, int palm) const;
  void add_distance_rows(const Surroundings& around);
  void add_distance_row(const CapsuleGap& gap, int segment_a, int segment_b, double closest, double rate);
  void widen(int first, int& count);
  void keep_reserve();
  struct NextRoom;
  NextRoom room_after(const Freedoms& a);

  RobotState state_, next_, scratch_;
  StoppingReserve reserve_;
  std::vector<StoppingReserve::Near> near_person_;  // room for kMostNear
  int drawn_back_{0};
  double period_;
  BaseLimits base_;
  const RobotFrame* camera_{nullptr};
  Eigen::Matrix3d camera_R_{Eigen::Matrix3d::Identity()};
  std::array<bool, kMaxFreedoms> is_neck_{}, is_trunk_{};
  Freedoms lower_, upper_, speed_, deceleration_, braking_, acceleration_;
  Eigen::Vector3d com_B_{Eigen::Vector3d::Zero()};
  std::vector<Pair> pairs_, unwatched_;
  std::array<Capsule, kMaxCapsules> capsules_;
  std::vector<char> is_arm_;  // per capsule: may meet the person
  SmallProgram program_;
  WidenedRows widened_;
  double self_distance_{1.0};
};

}  // namespace prehend::assist
