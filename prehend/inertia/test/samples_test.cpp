#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/inertia/samples.h>
#include <prehend/math/random.h>

namespace prehend::inertia {
namespace {

using Eigen::Vector3d;

model::WrenchLog log_of_one_row(math::RandomStream& random) {
  model::WrenchLog log;
  log.t = {0.5};
  log.X_WS = {math::Pose(random.rotation(), random.normal3())};
  log.v_WS_W = {random.normal3()};
  log.w_WS_W = {random.normal3()};
  log.a_WS_W = {random.normal3()};
  log.al_WS_W = {random.normal3()};
  log.f_S = {random.normal3()};
  log.tau_S = {random.normal3()};
  return log;
}

TEST(Samples, AreTurnedIntoTheSensorsAxes) {
  math::RandomStream random(1);
  model::WrenchLog log = log_of_one_row(random);
  const math::Pose X_SO(random.rotation(), random.normal3());
  log.X_WO = {log.X_WS[0] * X_SO};
  const Vector3d gravity(0.5, 0.0, 9.0);
  const Samples world = prepare_samples(log, {gravity, WrenchFrame::world});
  const Eigen::Matrix3d R_WS = log.X_WS[0].R();
  const Sample& sample = world.samples.at(0);
  EXPECT_LT((R_WS * sample.motion.a - (log.a_WS_W[0] - gravity)).norm(), 1e-14);
  EXPECT_LT((R_WS * sample.motion.w - log.w_WS_W[0]).norm(), 1e-14);
  EXPECT_LT((R_WS * sample.motion.al - log.al_WS_W[0]).norm(), 1e-14);
  EXPECT_LT((R_WS * sample.wrench.head<3>() - log.tau_S[0]).norm(), 1e-14);
  EXPECT_LT((R_WS * sample.wrench.tail<3>() - log.f_S[0]).norm(), 1e-14);
  EXPECT_LT((R_WS * sample.gravity - gravity).norm(), 1e-13);
  EXPECT_EQ(sample.t, 0.5);
  ASSERT_TRUE(world.X_SO);
  EXPECT_TRUE(world.X_SO->is_approx(X_SO, 1e-12));

  const Samples sensor = prepare_samples(log, {gravity, WrenchFrame::sensor});
  EXPECT_EQ(sensor.samples[0].wrench.head<3>(), log.tau_S[0]);
  EXPECT_EQ(sensor.samples[0].wrench.tail<3>(), log.f_S[0]);
}

TEST(Samples, NeedAccelerationVelocityAndGravity) {
  math::RandomStream random(2);
  const model::WrenchLog whole = log_of_one_row(random);
  const auto message = [](const model::WrenchLog& log, const SampleOptions& options = {}) -> std::string {
    try {
      prepare_samples(log, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(whole), "");
  model::WrenchLog log = whole;
  log.a_WS_W.clear();
  EXPECT_EQ(message(log), "the log has no acceleration columns: smooth its poses first");
  log = whole;
  log.v_WS_W.clear();
  EXPECT_EQ(message(log), "the log has no velocity columns: smooth its poses first");
  SampleOptions options;
  options.gravity_W.z() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message(whole, options), "SampleOptions.gravity_W: a component is not a finite number");
  EXPECT_FALSE(prepare_samples(whole).X_SO);
}

}  // namespace
}  // namespace prehend::inertia
