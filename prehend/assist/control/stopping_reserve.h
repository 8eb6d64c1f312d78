// What full braking may still use up: whether a state is one from which braking breaks nothing.
//
// A quantity f(q) that must stay above zero (a motor's torque beyond gravity, the centre of mass inside the wheels, a distance) is kept while everything brakes if
//
//     h(q, v) = f(q) - (what the stopping distances may change in f) - (what decelerations and speeds may cost) >= 0.
//
// Both are sums over links of mass times lever times the stopping distance phi_i(v_i), the deceleration b_i = min(D_i, |v_i| / period), or products of speeds. A lever is that
// of the posture plus what the joints below it can still add to it on their stopping distances. Every term falls while everything brakes, and f falls by no more than the
// first: h never falls, so braking keeps h >= 0 for ever, and with it f's row in every tick (docs/assist_control.md).
#pragma once

#include <array>
#include <span>
#include <vector>

#include <prehend/assist/robot/capsules.h>
#include <prehend/assist/robot/robot_state.h>

namespace prehend::assist {

inline constexpr int kMostCorners = 16;
inline constexpr std::size_t kMostNear =
    1024;  // pairs of robot and person: all there can be with kMaxCapsules

class StoppingReserve {
 public:
  struct Pair {
    int a{0}, b{0};  // capsules
  };
  struct Setup {
    double period{0.012};                  // [s]
    double base_deceleration{0.24};        // [m/s^2] along any direction
    double torque_share{0.85};             // of a motor, for references
    double tip_margin{0.02};               // [m]
    double least_distance{0.0};            // [m] between capsules of a pair
    std::vector<Eigen::Vector2d> support;  // [m] corners, counter-clockwise, in the base link
    std::vector<Pair> pairs;
  };
  // Room that is left, least over joints, edges and pairs; below zero: not proved.
  struct Room {
    double torque{1.0};    // share of the motor
    double tipping{1.0};   // [m]
    double distance{1.0};  // [m]
    bool holds() const { return torque >= 0.0 && tipping >= 0.0 && distance >= 0.0; }
    bool is_no_less_than(const Room& other) const;
  };

  StoppingReserve() = default;
  // `deceleration`: of every freedom; base x and y brake together along their common direction.
  StoppingReserve(const RobotModel& robot, const Freedoms& deceleration, const Setup& setup);

  // The state has poses set for q; its speeds are not read.
  Room room(const RobotState& posture, const Freedoms& v) const;

  // A capsule of the robot and one that stands still beside it.
  struct Near {
    int capsule{0};
    Capsule other;
    double nearer{
        0.0};  // [m] that this pair may come nearer than others: its distance counts as that much more
  };
  struct GapRoom {
    double proved{1.0};  // [m] no distance becomes less than this at any time while everything brakes
    double seen{1.0};    // [m] least at the times looked at
  };
  // Distances while everything brakes from `posture`, which has poses for q, with speeds v. Between two times d >= (d_1 + d_2 - swept) / 2, as a capsule's ends go no further than `swept` from one
  // to the other; less than `enough` is looked at more closely. `scratch`: any state of the same robot.
  GapRoom gap_room(const RobotState& posture, const Freedoms& v, std::span<const Near> near, double enough,
                   RobotState& scratch) const;
  // Distance that a freedom of speed v goes on, braked once per period: the chords of v^2/(2D).
  static double stopping_distance(double v, double deceleration, double period);

 private:
  struct Edge {
    Eigen::Vector2d from{Eigen::Vector2d::Zero()}, inward{Eigen::Vector2d::Zero()};  // in the base link
  };
  struct Stop {
    Freedoms way, brake, speed;  // phi_i, b_i, |v_i|
  };
  // Sums over links.
  struct Loads {
    Freedoms torque;  // [N m] by freedom, beyond gravity now
    Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostCorners, 1> tipping;  // [N m] about each edge
    double com_way{0.0};                                                   // [kg m]
  };
  Stop stop_of(const Freedoms& v) const;
  void add_link(const RobotState& posture, const Stop& stop, int segment, Loads& loads) const;
  double torque_room(const RobotState& posture, const Loads& loads) const;
  double tipping_room(const RobotState& posture, const Loads& loads) const;
  double distance_room(const RobotState& posture, const Stop& stop) const;
  double swept(const RobotState& posture, const Freedoms& way, int capsule) const;
  void brake(Freedoms& q, Freedoms& v, Freedoms& way, int ticks) const;
  void find_pair_bounds(const RobotModel& robot);

  int n_{0};
  Freedoms deceleration_;
  Setup setup_;
  std::vector<Edge> edges_;
  std::array<double, kMaxJoints + 1> spin_{};  // [kg m^2] largest moment of inertia
  std::vector<Freedoms> pair_slope_;           // by pair: longest lever of either capsule, over all postures
  double mass_{1.0};                           // [kg]
};

}  // namespace prehend::assist
