#include <cmath>

#include <gtest/gtest.h>

#include "generated_log.h"
#include <prehend/inertia/calibration.h>
#include <prehend/inertia/methods/wrench_fit.h>

namespace prehend::inertia {
namespace {

using testing::generated_log;
using testing::LogSpec;

LogSpec troubled() {
  LogSpec spec;
  spec.bias << 0.03, -0.02, 0.01, 0.7, -0.4, 1.1;
  spec.latency = 0.0173;
  spec.noise_force = 0.05;
  spec.noise_torque = 0.0025;
  return spec;
}

TEST(Calibration, FindsOffsetTiltAndLatencyTogether) {
  LogSpec spec = troubled();
  const Eigen::Vector3d tilted = 9.81 * Eigen::Vector3d(0.03, -0.02, -1.0).normalized();
  spec.gravity_W = tilted;
  const model::WrenchLog log = generated_log(spec);
  const Calibration found = calibrate(log);
  ASSERT_EQ(found.status, CalibrationStatus::ok) << found.brief_report();
  EXPECT_NEAR(found.latency, 0.0173, 4.0 * found.std_latency + 1e-5);
  EXPECT_LT(found.std_latency, 1e-3);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(found.bias(i), spec.bias(i), 4.0 * found.std_bias(i)) << i;
  EXPECT_LT(found.gravity_W.cross(tilted).norm() / (9.81 * 9.81), 4.0 * found.std_gravity);
  EXPECT_LT(found.std_gravity, 0.005);
  EXPECT_NEAR(found.body.mass, spec.body.mass, 4.0 * found.std_mass);
  EXPECT_NEAR(found.residual_force, 0.05, 0.005);
  ASSERT_TRUE(found.gravity_size.has_value());
  EXPECT_NEAR(*found.gravity_size, 9.81, 4.0 * found.std_gravity_size);
  // What remains is the body: a fit without offsets weighs it rightly.
  const Samples samples = calibrated_samples(log, found);
  const WrenchFit fit = fit_wrench(samples.samples, false);
  EXPECT_NEAR(fit.phi(0), spec.body.mass, 0.005 * spec.body.mass);
  EXPECT_NEAR(fit.rms_force, 0.05, 0.005);
}

// Noise whose correlation falls by e over 0.03 s, within the spans of time that are summed: five times as many rows tell as much, and the deviations say so.
TEST(Calibration, NoiseThatLastsWidensTheDeviations) {
  double squares = 0.0, count = 0.0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    LogSpec spec = troubled();
    spec.latency = 0.0;
    spec.seed = seed;
    model::WrenchLog log = generated_log(spec);
    math::RandomStream random(100 + seed);
    Eigen::Vector3d slow = Eigen::Vector3d::Zero();
    const double keep = std::exp(-0.01 / 0.03);
    for (std::size_t k = 0; k < log.rows(); ++k) {
      const Eigen::Vector3d step = random.normal3();
      slow = keep * slow + std::sqrt(1.0 - keep * keep) * 0.1 * step;
      log.f_S[k] += log.X_WS[k].R() * slow;
    }
    CalibrationOptions offsets;
    offsets.gravity_direction = offsets.latency = false;
    const Calibration found = calibrate(log, {}, offsets);
    for (int i = 3; i < 6; ++i) {
      squares += std::pow((found.bias(i) - spec.bias(i)) / found.std_bias(i), 2);
      count += 1.0;
    }
  }
  // 36 squares of a unit normal have a mean of 1 +- 0.24; with deviations for white noise 5.
  EXPECT_LT(squares / count, 1.9);
  EXPECT_GT(squares / count, 0.4);
}

// The log of a sensor that passes its wrench through one pole, in its own axes: trapezoidal sums at the rows, so that code under test has no part in it.
model::WrenchLog filtered(const model::WrenchLog& log, double time_constant) {
  model::WrenchLog result = log;
  Eigen::Vector3d f = log.X_WS[0].R().transpose() * log.f_S[0],
                  tau = log.X_WS[0].R().transpose() * log.tau_S[0], f_before = f, tau_before = tau;
  for (std::size_t k = 1; k < log.rows(); ++k) {
    const Eigen::Matrix3d R = log.X_WS[k].R();
    const Eigen::Vector3d f_now = R.transpose() * log.f_S[k], tau_now = R.transpose() * log.tau_S[k];
    const double keep = std::exp(-(log.t[k] - log.t[k - 1]) / time_constant);
    f = keep * f + (1.0 - keep) * 0.5 * (f_now + f_before);
    tau = keep * tau + (1.0 - keep) * 0.5 * (tau_now + tau_before);
    f_before = f_now;
    tau_before = tau_now;
    result.f_S[k] = R * f;
    result.tau_S[k] = R * tau;
  }
  return result;
}

// A filter of 5 Hz is late by 32 ms and damps: with a delay alone the mass is more than one per cent low.
TEST(Calibration, FindsALowPassFilter) {
  constexpr double kTimeConstant = 0.032;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    LogSpec spec = troubled();
    spec.latency = 0.0;
    spec.rate = 2.0;
    spec.seed = seed;
    const model::WrenchLog log = filtered(generated_log(spec), kTimeConstant);
    CalibrationOptions delay_alone;
    delay_alone.filter = false;
    const Calibration late = calibrate(log, {}, delay_alone), found = calibrate(log);
    EXPECT_LT(late.body.mass, 0.99 * spec.body.mass);
    EXPECT_NEAR(found.body.mass, spec.body.mass, 0.004 * spec.body.mass) << found.brief_report();
    EXPECT_NEAR(found.time_constant, kTimeConstant, 4.0 * found.std_time_constant + 1e-3);
    EXPECT_NEAR(found.latency, kTimeConstant, 2e-3);
    EXPECT_NE(found.brief_report().find("low-pass"), std::string::npos);
  }
}

// Deviations mean what they say, over independent recordings.
TEST(Calibration, DeviationsFitTheErrors) {
  double latency = 0.0, offset = 0.0;
  constexpr int kRuns = 12;
  for (int run = 0; run < kRuns; ++run) {
    LogSpec spec = troubled();
    spec.duration = 2.0;
    spec.seed = static_cast<std::uint64_t>(run);
    const Calibration found = calibrate(generated_log(spec));
    EXPECT_EQ(found.time_constant, 0.0);  // no filter where there is none
    latency += std::pow((found.latency - spec.latency) / found.std_latency, 2) / kRuns;
    offset += (found.bias - spec.bias).cwiseQuotient(found.std_bias).squaredNorm() / (6.0 * kRuns);
  }
  EXPECT_LT(latency, 3.0);
  EXPECT_GT(latency, 0.2);
  EXPECT_LT(offset, 2.0);
  EXPECT_GT(offset, 0.4);
}

TEST(Calibration, SaysWhatItCannotTell) {
  LogSpec spec = troubled();
  spec.latency = 0.0;
  model::WrenchLog log = generated_log(spec);
  // At rest in one orientation.
  for (std::size_t k = 0; k < log.rows(); ++k) {
    log.X_WS[k] = log.X_WS[0];
    log.v_WS_W[k].setZero();
    log.w_WS_W[k].setZero();
    log.a_WS_W[k].setZero();
    log.al_WS_W[k].setZero();
    log.f_S[k] = log.f_S[0];
    log.tau_S[k] = log.tau_S[0];
  }
  const Calibration found = calibrate(log);
  EXPECT_EQ(found.status, CalibrationStatus::undetermined);
  EXPECT_GE(found.undetermined.size(), 2U);
  EXPECT_EQ(found.latency, 0.0);
  EXPECT_EQ(found.gravity_W, Eigen::Vector3d(0.0, 0.0, -9.81));
}

// A gripper weighed empty, then with an object: the object alone remains.
TEST(Calibration, ToolIsSubtracted) {
  LogSpec empty = troubled(), full = troubled();
  empty.body = {0.5, {0.0, 0.0, 0.04}, Eigen::Vector3d(4e-4, 5e-4, 3e-4).asDiagonal()};
  const math::SpatialInertia object{0.3, {0.01, 0.02, 0.15}, Eigen::Vector3d(8e-4, 7e-4, 2e-4).asDiagonal()};
  full.body = empty.body + object;
  full.seed = 9;
  const Calibration tool = calibrate(generated_log(empty));
  const WrenchFit fit =
      fit_wrench(calibrated_samples(generated_log(full), tool, {}, {}, &tool.body).samples, false);
  EXPECT_NEAR(fit.phi(0), 0.3, 0.003);
  EXPECT_LT((fit.phi.segment<3>(1) / fit.phi(0) - object.com).norm(), 2e-3);
}

TEST(Calibration, BadOptionsAreNamed) {
  CalibrationOptions options;
  options.longest_latency = -1.0;
  EXPECT_THROW(calibrate(generated_log({}), {}, options), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::inertia
