#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include <Eigen/Geometry>
#include <generated/generated_motion.h>

#include <prehend/inertia/regressor.h>
#include <prehend/math/angles.h>
#include <prehend/math/so3.h>

namespace prehend::inertia {
namespace {

using Eigen::Vector3d;

void check_positive(const char* name, double value) {
  if (!(value > 0.0 && std::isfinite(value)))
    throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) + ", must be positive");
}

// 0 to 1 with zero velocity and acceleration at both ends (Flash and Hogan 1985), and its derivatives.
struct MinimumJerk {
  double s{0.0}, ds{0.0}, dds{0.0};
  MinimumJerk(double t, double length) {
    const double u = std::clamp(t / length, 0.0, 1.0);
    s = u * u * u * (10.0 + u * (-15.0 + 6.0 * u));
    ds = 30.0 * u * u * (1.0 - u) * (1.0 - u) / length;
    dds = 60.0 * u * (1.0 + u * (-3.0 + 2.0 * u)) / (length * length);
  }
};

// A six-joint arm with a spherical-like wrist: joint axes and the link that follows, both in the joint's frame.
struct Link {
  Vector3d axis, offset;
};

MotionState arm_state(const std::array<double, 6>& q, const std::array<double, 6>& dq,
                      const std::array<double, 6>& ddq, double flange) {
  const std::array<Link, 6> links{{{Vector3d::UnitZ(), {0.0, 0.0, 0.35}},
                                   {Vector3d::UnitY(), {0.30, 0.0, 0.0}},
                                   {Vector3d::UnitY(), {0.30, 0.0, 0.0}},
                                   {Vector3d::UnitX(), {0.0, 0.0, 0.0}},
                                   {Vector3d::UnitY(), {0.0, 0.0, 0.0}},
                                   {Vector3d::UnitX(), {flange, 0.0, 0.0}}}};
  MotionState state;
  Eigen::Quaterniond q_W = Eigen::Quaterniond::Identity();
  Vector3d p = Vector3d::Zero();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Vector3d axis = q_W * links[i].axis;
    state.al += axis * ddq[i] + state.w.cross(axis * dq[i]);
    state.w += axis * dq[i];
    q_W = (q_W * math::exp_so3(links[i].axis * q[i])).normalized();
    const Vector3d r = q_W * links[i].offset;
    p += r;
    state.v += state.w.cross(r);
    state.a += state.al.cross(r) + state.w.cross(state.w.cross(r));
  }
  state.X_WS = math::Pose(q_W, p);
  return state;
}

MotionState wrist_state(double t, double speed_up, double flange) {
  constexpr std::array<double, 6> kStart{0.3, -0.6, 1.1, 0.4, 0.7, 0.2};       // [rad] no special pose
  constexpr std::array<double, 6> kFrequency{0.0, 0.0, 0.0, 0.1, 0.13, 0.16};  // [1/s]
  constexpr double kAmplitude = math::kPi / 4.0;
  std::array<double, 6> q{}, dq{}, ddq{};
  for (std::size_t i = 0; i < 6; ++i) {
    const double rate = 2.0 * math::kPi * kFrequency[i] * speed_up;
    q[i] = kStart[i] + kAmplitude * std::sin(rate * t);
    dq[i] = kAmplitude * rate * std::cos(rate * t);
    ddq[i] = -kAmplitude * rate * rate * std::sin(rate * t);
  }
  MotionState state = arm_state(q, dq, ddq, flange);
  state.t = t;
  return state;
}

}  // namespace

std::vector<MotionState> stop_and_go_motion(math::RandomStream& stream, const StopAndGoOptions& options) {
  check_positive("duration", options.duration);
  check_positive("rate", options.rate);
  check_positive("turn_min", options.turn_min);
  if (!(options.turn_max >= options.turn_min))
    throw std::invalid_argument("turn_max is " + std::to_string(options.turn_max) +
                                ", must be at least turn_min = " + std::to_string(options.turn_min));
  if (!(options.rest >= 0.0 && options.travel >= 0.0))
    throw std::invalid_argument("rest and travel are " + std::to_string(options.rest) + " and " +
                                std::to_string(options.travel) + ", must not be negative");
  const Vector3d down = -Vector3d::UnitZ();
  const std::array<Vector3d, 6> axes{Vector3d::UnitX(), Vector3d::UnitY(),  -Vector3d::UnitX(),
                                     Vector3d::UnitZ(), -Vector3d::UnitY(), -Vector3d::UnitZ()};
  const Vector3d home(0.4, 0.0, 0.4);
  Eigen::Quaterniond q_from = stream.rotation();
  Vector3d p_from = home;
  std::vector<MotionState> states;
  double leg_start = 0.0;
  std::size_t leg = stream.below(6);
  const auto samples = static_cast<std::size_t>(std::lround(options.duration * options.rate));
  while (states.size() < samples) {
    // The sensor's axis that looks down next, with a little disorder: no machine stands exactly so.
    const Vector3d axis = axes[leg++ % 6];
    const Vector3d now_W = q_from * axis;
    Eigen::Quaterniond turn = math::rotation_between(now_W, down);
    turn = math::exp_so3(0.1 * stream.normal3()) * turn;
    const Vector3d rotation = math::log_so3(turn);
    const Vector3d travel = home + options.travel * 0.6 * stream.normal3() - p_from;
    const double length = stream.uniform(options.turn_min, options.turn_max);
    const double leg_end = leg_start + length + options.rest;
    for (; states.size() < samples;) {
      const double t = static_cast<double>(states.size()) / options.rate;
      if (t >= leg_end) break;
      const MinimumJerk path(t - leg_start, length);
      MotionState state;
      state.t = t;
      state.X_WS =
          math::Pose((math::exp_so3(rotation * path.s) * q_from).normalized(), p_from + travel * path.s);
      state.v = travel * path.ds;
      state.a = travel * path.dds;
      state.w = rotation * path.ds;
      state.al = rotation * path.dds;
      states.push_back(state);
    }
    q_from = (math::exp_so3(rotation) * q_from).normalized();
    p_from += travel;
    leg_start = leg_end;
  }
  return states;
}

std::vector<MotionState> wrist_motion(const WristMotionOptions& options) {
  check_positive("mean_speed", options.mean_speed);
  check_positive("duration", options.duration);
  check_positive("rate", options.rate);
  check_positive("flange", options.flange);
  // Angular speed is proportional to the speed-up, so that the mean at the printed frequencies is all that is needed.
  constexpr double kWhole = 35.0;  // [s] source N, 3.1.4
  double mean = 0.0;
  constexpr int kSteps = 3500;
  for (int i = 0; i < kSteps; ++i)
    mean += wrist_state(kWhole * i / kSteps, 1.0, options.flange).w.norm() / kSteps;
  const double speed_up = options.mean_speed / mean;
  std::vector<MotionState> states;
  const auto samples = static_cast<std::size_t>(std::lround(options.duration * options.rate));
  for (std::size_t i = 0; i < samples; ++i) {
    const double t = static_cast<double>(i) / options.rate;
    states.push_back(wrist_state(options.start + t, speed_up, options.flange));
    states.back().t = t;
  }
  return states;
}

model::WrenchLog record_motion(const std::vector<MotionState>& motion, const math::SpatialInertia& body_S,
                               const math::Pose& X_SO, const Vector3d& gravity_W) {
  model::WrenchLog log;
  for (const MotionState& state : motion) {
    const Eigen::Matrix3d R_SW = state.X_WS.R().transpose();
    const Motion in_S{R_SW * (state.a - gravity_W), R_SW * state.w, R_SW * state.al};
    const math::Vector6d wrench = wrench_of(body_S, in_S);
    log.t.push_back(state.t);
    log.X_WS.push_back(state.X_WS);
    log.v_WS_W.push_back(state.v);
    log.w_WS_W.push_back(state.w);
    log.a_WS_W.push_back(state.a);
    log.al_WS_W.push_back(state.al);
    log.tau_S.push_back(R_SW.transpose() * wrench.head<3>());
    log.f_S.push_back(R_SW.transpose() * wrench.tail<3>());
    log.X_WO.push_back(state.X_WS * X_SO);
  }
  return log;
}

const std::array<NoiseLevel, 4>& source_noise_levels() {
  static const std::array<NoiseLevel, 4> kLevels{{
      {"none", {}},
      {"low", {.a = 0.025, .w = 0.0, .al = 0.25, .force = 0.05, .torque = 0.0025}},
      {"moderate", {.a = 0.05, .w = 0.0, .al = 0.5, .force = 0.1, .torque = 0.005}},
      {"high", {.a = 0.1, .w = 0.0, .al = 1.0, .force = 0.33, .torque = 0.0067}},
  }};
  return kLevels;
}

void add_noise(model::WrenchLog& log, const SampleNoise& noise, math::RandomStream& stream) {
  const auto disturb = [&stream](std::vector<Vector3d>& values, double sigma) {
    if (sigma > 0.0)
      for (Vector3d& value : values) value += sigma * stream.normal3();
  };
  disturb(log.a_WS_W, noise.a);
  disturb(log.w_WS_W, noise.w);
  disturb(log.al_WS_W, noise.al);
  disturb(log.f_S, noise.force);
  disturb(log.tau_S, noise.torque);
}

void add_pose_noise(model::WrenchLog& log, double position, double angle, math::RandomStream& stream) {
  for (math::Pose& X : log.X_WS) {
    const Eigen::Vector3d shift = position * stream.normal3(), turn = angle * stream.normal3();
    X = math::Pose((math::exp_so3(turn) * X.q()).normalized(), X.p() + shift);
  }
}

}  // namespace prehend::inertia
