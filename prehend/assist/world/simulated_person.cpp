#include <algorithm>
#include <cmath>

#include <prehend/assist/world/simulated_person.h>
#include <prehend/math/angles.h>
#include <prehend/math/random.h>

namespace prehend::assist {
namespace {

constexpr double kTrunkMass = 40.0, kSeatStiffness = 8000.0, kSeatDamping = 800.0;  // [kg], [N/m], [N s/m]
constexpr double kHandMass = 0.6, kArmStiffness = 400.0, kArmDamping = 25.0;        // a hand that is offered
constexpr double kReachSpeed = 0.25, kLandSpeed = 0.08;                            // [m/s] in the open, and within kCareful of the palm
constexpr double kCareful = 0.05;                                                  // [m]
constexpr double kPressDepth = 0.025;                                              // [m] past the palm: on a palm that yields some 4 N, most of a hand's weight
constexpr double kOtherStiffness = 25e3;                                           // [N/m] where the standard has no figure here
constexpr double kFriction = 0.5;
constexpr double kTissueLoss = 10.0;  // [s/m] Hunt and Crossley: a touch at 0.08 m/s keeps half of its speed
constexpr double kBreath = 0.0015;                                                 // [m]

double stiffness_of(BodyPart part) {
  if (part == BodyPart::right_shoulder || part == BodyPart::left_shoulder) return region_limits(BodyRegion::right_shoulder).stiffness_Npm;
  if (part == BodyPart::right_hand || part == BodyPart::left_hand) return region_limits(BodyRegion::right_hand).stiffness_Npm;
  return kOtherStiffness;
}

}  // namespace

SimulatedPerson::SimulatedPerson(const PersonSpec& spec, std::uint64_t seed) : spec_(spec) {
  math::RandomStream random(seed, 5);
  phase_ = random.uniform(0.0, 2.0 * math::kPi);
  pelvis_ = {spec.x_m, spec.y_m, spec.seat_height_m};
  yaw_ = spec.yaw_rad;
  face_ = {std::cos(yaw_), std::sin(yaw_), 0.0};
  touches_.reserve(64);
  hands_ = {to_world(region_centre(spec.height_m, BodyRegion::right_hand)), to_world(region_centre(spec.height_m, BodyRegion::left_hand))};
  hand_rates_.fill(Eigen::Vector3d::Zero());
  aims_ = goals_ = hands_;
  place();
}

Eigen::Vector3d SimulatedPerson::to_world(const Eigen::Vector3d& p_P) const {
  const double c = std::cos(yaw_), s = std::sin(yaw_);
  return pelvis_ + Eigen::Vector3d(c * p_P.x() - s * p_P.y(), s * p_P.x() + c * p_P.y(), p_P.z());
}

Eigen::Vector3d SimulatedPerson::region(BodyRegion region) const {
  if (region == BodyRegion::right_hand) return hands_[0];
  if (region == BodyRegion::left_hand) return hands_[1];
  return to_world(region_centre(spec_.height_m, region) + sway_) + pushed_;
}

void SimulatedPerson::place() {
  const double c = std::cos(yaw_), s = std::sin(yaw_);
  const auto to_pelvis = [&](const Eigen::Vector3d& p) {
    const Eigen::Vector3d d = p - pelvis_;
    return Eigen::Vector3d(c * d.x() + s * d.y(), -s * d.x() + c * d.y(), d.z());
  };
  const SeatedFigure figure = seated_figure(spec_.height_m, spec_.seat_height_m, {to_pelvis(hands_[0]), to_pelvis(hands_[1])});
  for (int k = 0; k < kBodyParts; ++k) {
    const BodyPart part = static_cast<BodyPart>(k);
    const bool moves = part <= BodyPart::left_upper_arm && part != BodyPart::belly;
    const Capsule& own = figure.parts_P[static_cast<std::size_t>(k)];
    const Eigen::Vector3d sway = moves ? sway_ : Eigen::Vector3d::Zero(), pushed = moves ? pushed_ : Eigen::Vector3d::Zero();
    parts_[static_cast<std::size_t>(k)] = {to_world(own.a + sway) + pushed, to_world(own.b + sway) + pushed, own.radius};
  }
}

const std::vector<Touch>& SimulatedPerson::touch(const RobotState& robot) {
  touches_.clear();
  const auto& capsules = robot.robot().capsules;
  std::array<CapsuleBall, kBodyParts> balls;
  for (std::size_t k = 0; k < balls.size(); ++k) balls[k] = ball_around(parts_[k]);
  for (std::size_t c = 0; c < capsules.size(); ++c) {
    const RobotCapsule& own = capsules[c];
    const Capsule shape{robot.point(own.segment, own.a_S), robot.point(own.segment, own.b_S), own.radius};
    const CapsuleBall ball = ball_around(shape);
    for (int k = 0; k < kBodyParts; ++k) {
      const Capsule& part = parts_[static_cast<std::size_t>(k)];
      if (are_apart(ball, balls[static_cast<std::size_t>(k)], 0.0)) continue;
      const CapsuleGap gap = capsule_gap(shape, part);
      if (gap.distance >= 0.0 || touches_.size() == touches_.capacity()) continue;
      Touch touch;
      touch.capsule = static_cast<int>(c), touch.segment = own.segment, touch.part = static_cast<BodyPart>(k);
      touch.point_W = gap.p_second + (part.radius + 0.5 * gap.distance) * gap.n;
      Eigen::Vector3d rate = robot.point_velocity(own.segment, touch.point_W);
      if (touch.part == BodyPart::right_hand || touch.part == BodyPart::left_hand)
        rate -= hand_rates_[touch.part == BodyPart::right_hand ? 0 : 1];
      else
        rate -= pushed_rate_;
      const double depth = -gap.distance, closing = -rate.dot(gap.n);
      touch.normal_N = std::max(0.0, stiffness_of(touch.part) * depth * (1.0 + kTissueLoss * closing));
      const Eigen::Vector3d slip = rate + closing * gap.n;
      touch.force_W = touch.normal_N * gap.n - kFriction * touch.normal_N * slip / (slip.norm() + 0.005);
      touches_.push_back(touch);
    }
  }
  return touches_;
}

void SimulatedPerson::give_hand(int hand, const Eigen::Vector3d& palm_W, double palm_radius) {
  if (!gives_[static_cast<std::size_t>(hand)]) stage_[static_cast<std::size_t>(hand)] = 0;
  gives_[static_cast<std::size_t>(hand)] = true;
  // From above: the hand comes to rest on the palm and leans on it a little.
  const double gap = palm_radius + 0.028 * spec_.height_m;
  palms_[static_cast<std::size_t>(hand)] = palm_W, palm_gaps_[static_cast<std::size_t>(hand)] = gap;
  goals_[static_cast<std::size_t>(hand)] = palm_W + Eigen::Vector3d(0.0, 0.0, gap - kPressDepth);
}

void SimulatedPerson::take_hand_back(int hand) {
  if (gives_[static_cast<std::size_t>(hand)]) stage_[static_cast<std::size_t>(hand)] = 0;
  gives_[static_cast<std::size_t>(hand)] = false;
}

// Around the robot's hand: back to the own belly, up before the chest, over the palm, then down; and the same way home.
Eigen::Vector3d SimulatedPerson::hand_way(std::size_t h) {
  const Eigen::Vector3d home = to_world(region_centre(spec_.height_m, h == 0 ? BodyRegion::right_hand : BodyRegion::left_hand));
  const double top = goals_[h].z() + 0.1;
  Eigen::Vector3d chest = home - 0.12 * Eigen::Vector3d(std::cos(yaw_), std::sin(yaw_), 0.0);
  chest.z() = top;
  const Eigen::Vector3d over(goals_[h].x(), goals_[h].y(), top);
  const std::array<Eigen::Vector3d, 3> there{chest, over, goals_[h]}, back{over, chest, home};
  const Eigen::Vector3d via = (gives_[h] ? there : back)[static_cast<std::size_t>(stage_[h])];
  if (stage_[h] < 2 && (aims_[h] - via).norm() < 0.01) ++stage_[h];
  const Eigen::Vector3d belly(chest.x(), chest.y(), home.z());  // a palm may be offered right above the hand's rest
  const bool leaves = gives_[h] && stage_[h] == 0 && (aims_[h] - belly).head<2>().norm() > 0.01, comes_home = !gives_[h] && stage_[h] == 2 && aims_[h].z() > home.z() + 0.01;
  return leaves || comes_home ? belly : via;
}

void SimulatedPerson::step_back(double distance_m, double speed_mps) { back_left_ = distance_m, back_speed_ = speed_mps; }

void SimulatedPerson::step(double dt) {
  time_ += dt;
  if (back_left_ > 0.0) {
    const double way = std::min(back_left_, back_speed_ * dt);
    const Eigen::Vector3d back(-std::cos(yaw_) * way, -std::sin(yaw_) * way, 0.0);
    back_left_ -= way;
    pelvis_ += back;
    for (std::size_t h = 0; h < 2; ++h) hands_[h] += back, aims_[h] += back, goals_[h] += back;
  }
  sway_ = kBreath * Eigen::Vector3d(std::sin(1.6 * time_ + phase_), 0.4 * std::sin(1.1 * time_ + 2.0 * phase_), 0.3 * std::sin(1.6 * time_));
  Eigen::Vector3d on_trunk = -kSeatStiffness * pushed_ - kSeatDamping * pushed_rate_;
  std::array<Eigen::Vector3d, 2> on_hands{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  for (const Touch& touch : touches_) {
    if (touch.part == BodyPart::right_hand || touch.part == BodyPart::left_hand) {
      on_hands[touch.part == BodyPart::right_hand ? 0 : 1] -= touch.force_W;
    } else if (touch.part <= BodyPart::left_upper_arm && touch.part != BodyPart::belly) {
      on_trunk -= touch.force_W;
    }
  }
  pushed_rate_ += dt * on_trunk / kTrunkMass;
  pushed_ += dt * pushed_rate_;
  for (std::size_t h = 0; h < 2; ++h) {
    const Eigen::Vector3d via = hand_way(h);
    const double rest = (via - aims_[h]).norm();
    // People are careful near the palm, also where the way leads past it.
    const bool is_near = gives_[h] && ((hands_[h] - palms_[h]).norm() < palm_gaps_[h] + kCareful || (stage_[h] == 2 && rest < kCareful + kPressDepth));
    const double pace = is_near ? kLandSpeed : kReachSpeed;
    if (rest > 1e-9) aims_[h] += (via - aims_[h]) * std::min(1.0, pace * dt / rest);
    const Eigen::Vector3d pull = kArmStiffness * (aims_[h] - hands_[h]) - kArmDamping * hand_rates_[h];
    hand_rates_[h] += dt * (pull + on_hands[h]) / kHandMass;
    hands_[h] += dt * hand_rates_[h];
  }
  const Eigen::Vector3d ahead(std::cos(yaw_ + 0.15 * std::sin(0.4 * time_)), std::sin(yaw_ + 0.15 * std::sin(0.4 * time_)), 0.15);
  const Eigen::Vector3d wanted = looks_ ? (tablet_W_ - head()).normalized() : ahead.normalized();
  face_ = (face_ + std::min(1.0, 4.0 * dt) * (wanted - face_)).normalized();
  place();
}

}  // namespace prehend::assist
