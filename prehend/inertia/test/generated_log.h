// Logs made from closed forms, for tests: a swing with rotations and translations, and the wrench of a known body.
#pragma once

#include <cmath>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <prehend/inertia/regressor.h>
#include <prehend/math/inertia.h>
#include <prehend/math/random.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia::testing {

struct LogSpec {
  math::SpatialInertia body{0.8, {0.02, -0.05, 0.12}, Eigen::Vector3d(2.1e-3, 1.8e-3, 6e-4).asDiagonal()};
  Eigen::Vector3d gravity_W{0.0, 0.0, -9.81};
  double duration{4.0};  // [s]
  double rate{1.0};      // of the whole motion
  double latency{0.0};   // [s] wrench of an earlier motion
  math::Vector6d bias{math::Vector6d::Zero()};
  double noise_force{0.0}, noise_torque{0.0};
  std::uint64_t seed{1};
  bool full{true};  // with twist and acceleration columns
};

inline model::WrenchLog generated_log(const LogSpec& spec) {
  struct State {
    math::Pose X;
    Eigen::Vector3d v, w, a, al;
  };
  const auto state = [&](double t) {
    const double s = spec.rate;
    const auto sine = [&](double amplitude, double rate, double phase) {
      const double r = rate * s;
      return Eigen::Vector3d(amplitude * std::sin(r * t + phase), amplitude * r * std::cos(r * t + phase),
                             -amplitude * r * r * std::sin(r * t + phase));
    };
    const Eigen::Vector3d x = sine(0.2, 2.0, 0.1), y = sine(0.15, 3.0, 1.0), z = sine(0.1, 4.0, 2.0);
    const Eigen::Vector3d g1 = sine(2.0, 1.0, 0.3), g2 = sine(0.9, 1.7, 0.9), g3 = sine(1.8, 1.3, 2.0);
    const Eigen::Matrix3d Rz = Eigen::AngleAxisd(g1(0), Eigen::Vector3d::UnitZ()).toRotationMatrix();
    const Eigen::Matrix3d Ry = Eigen::AngleAxisd(g2(0), Eigen::Vector3d::UnitY()).toRotationMatrix();
    const Eigen::Matrix3d Rx = Eigen::AngleAxisd(g3(0), Eigen::Vector3d::UnitX()).toRotationMatrix();
    const Eigen::Vector3d e1 = Eigen::Vector3d::UnitZ(), e2 = Rz.col(1), e3 = Rz * Ry.col(0);
    const Eigen::Vector3d w1 = g1(1) * e1, w2 = w1 + g2(1) * e2;
    State result;
    result.X = math::Pose(Eigen::Matrix3d(Rz * Ry * Rx), {x(0), y(0), z(0)});
    result.v = {x(1), y(1), z(1)};
    result.a = {x(2), y(2), z(2)};
    result.w = w2 + g3(1) * e3;
    result.al = g1(2) * e1 + g2(2) * e2 + g2(1) * w1.cross(e2) + g3(2) * e3 + g3(1) * w2.cross(e3);
    return result;
  };
  math::RandomStream random(spec.seed);
  model::WrenchLog log;
  for (int k = 0; k * 0.01 <= spec.duration + 1e-9; ++k) {
    const double t = 0.01 * k;
    const State now = state(t), then = state(t - spec.latency);
    log.t.push_back(t);
    log.X_WS.push_back(now.X);
    if (spec.full) {
      log.v_WS_W.push_back(now.v);
      log.w_WS_W.push_back(now.w);
      log.a_WS_W.push_back(now.a);
      log.al_WS_W.push_back(now.al);
    }
    const Eigen::Matrix3d R = then.X.R();
    const Motion motion{R.transpose() * (then.a - spec.gravity_W), R.transpose() * then.w,
                        R.transpose() * then.al};
    const math::Vector6d wrench = wrench_of(spec.body, motion) + spec.bias;
    // Turned into the world with the pose of the row, as a recorder does.
    log.tau_S.push_back(now.X.q() * (wrench.head<3>() + spec.noise_torque * random.normal3()));
    log.f_S.push_back(now.X.q() * (wrench.tail<3>() + spec.noise_force * random.normal3()));
  }
  return log;
}

}  // namespace prehend::inertia::testing
