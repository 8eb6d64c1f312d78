#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "generated_log.h"
#include <prehend/inertia/diagnosis/lasting_residual.h>
#include <prehend/inertia/diagnosis/usable_rows.h>
#include <prehend/inertia/diagnosis/weight_check.h>
#include <prehend/inertia/identification.h>
#include <prehend/inertia/payload.h>
#include <prehend/math/so3.h>

namespace prehend::inertia {
namespace {

using testing::generated_log;
using testing::LogSpec;

LogSpec noisy() {
  LogSpec spec;
  spec.noise_force = 0.05;
  spec.noise_torque = 0.003;
  return spec;
}

TEST(UsableRows, RightLogsKeepAllRows) {
  LogSpec fast;
  fast.rate = 3.0;
  for (const LogSpec& spec : {LogSpec{}, noisy(), fast})
    EXPECT_FALSE(usable_rows(generated_log(spec), WrenchFrame::world).log);
}

TEST(UsableRows, SpikesAreLeftOutAndStepsAreNot) {
  model::WrenchLog log = generated_log(noisy());
  const std::size_t rows = log.rows();
  log.f_S[50].x() += 30.0;
  log.f_S[51].x() += 25.0;
  log.tau_S[200].z() -= 4.0;
  const UsableRows found = usable_rows(log, WrenchFrame::world);
  ASSERT_TRUE(found.log);
  EXPECT_EQ(found.log->rows(), rows - 3);
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_NE(found.findings[0].sentence.find("3 rows are left out: single values far from their neighbours"),
            std::string::npos)
      << found.findings[0].sentence;
  EXPECT_NEAR(identify(log).results.front().estimate.inertia_S.mass, noisy().body.mass, 0.01);
  EXPECT_EQ(identify(log).status, Status::ok);
  log = generated_log(noisy());
  for (std::size_t k = 150; k < log.rows(); ++k) log.f_S[k].x() += 20.0;
  EXPECT_FALSE(usable_rows(log, WrenchFrame::world).log);
}

TEST(UsableRows, MisplacedPosesAreLeftOutAndFastMotionIsNot) {
  for (const double rate : {1.0, 3.0}) {
    LogSpec spec = noisy();
    spec.rate = rate;
    spec.full = false;
    model::WrenchLog log = generated_log(spec);
    for (const std::size_t k : {60u, 170u, 300u})
      log.X_WS[k] = math::Pose(log.X_WS[k].q(), log.X_WS[k].p() + Eigen::Vector3d(0.05, 0.0, 0.0));
    log.X_WS[220] =
        math::Pose(math::exp_so3(Eigen::Vector3d(0.0, 0.3, 0.1)) * log.X_WS[220].q(), log.X_WS[220].p());
    const UsableRows found = usable_rows(log, WrenchFrame::sensor);
    ASSERT_TRUE(found.log);
    EXPECT_EQ(found.log->rows(), log.rows() - 4);
    ASSERT_EQ(found.findings.size(), 1u);
    EXPECT_NE(found.findings[0].sentence.find("4 rows are left out: single poses far from their neighbours"),
              std::string::npos)
        << found.findings[0].sentence;
    // A tracker that loses its place for good is another matter.
    log = generated_log(spec);
    for (std::size_t k = 150; k < log.rows(); ++k)
      log.X_WS[k] = math::Pose(log.X_WS[k].q(), log.X_WS[k].p() + Eigen::Vector3d(0.05, 0.0, 0.0));
    EXPECT_FALSE(usable_rows(log, WrenchFrame::sensor).log);
  }
}

TEST(UsableRows, ZerosOfMissedPacketsAreLeftOut) {
  model::WrenchLog log = generated_log(noisy());
  for (const std::size_t k : {0u, 40u, 41u, 90u, 300u}) log.f_S[k] = log.tau_S[k] = Eigen::Vector3d::Zero();
  const UsableRows found = usable_rows(log, WrenchFrame::world);
  ASSERT_TRUE(found.log);
  EXPECT_EQ(found.log->rows(), log.rows() - 5);
  const Identification answer = identify(log);
  EXPECT_EQ(answer.status, Status::ok) << answer.why_no_answer();
  ASSERT_EQ(answer.problems.size(), 1u);  // and not the gaps that this leaves
  EXPECT_NE(answer.problems[0].find("exactly zero"), std::string::npos) << answer.problems[0];
  // A sensor that is off for a while is another matter.
  for (std::size_t k = 100; k < 200; ++k) log.f_S[k] = log.tau_S[k] = Eigen::Vector3d::Zero();
  EXPECT_NE(identify(log).status, Status::ok);
}

TEST(UsableRows, ASlowerSensorsRepeatsAreLeftOut) {
  model::WrenchLog log = generated_log(noisy());
  for (std::size_t k = 0; k < log.rows(); ++k) {  // held in the sensor's axes, written in the world's
    const Eigen::Matrix3d R = log.X_WS[k].R() * log.X_WS[k - k % 4].R().transpose();
    log.f_S[k] = R * log.f_S[k - k % 4];
    log.tau_S[k] = R * log.tau_S[k - k % 4];
  }
  const UsableRows found = usable_rows(log, WrenchFrame::world);
  ASSERT_TRUE(found.log);
  EXPECT_EQ(found.log->rows(), (log.rows() + 3) / 4);
}

TEST(UsableRows, HeldPosesAreLeftOut) {
  model::WrenchLog log = generated_log(noisy());
  log.v_WS_W.clear();
  log.w_WS_W.clear();
  log.a_WS_W.clear();
  log.al_WS_W.clear();
  const model::WrenchLog prompt = log;
  for (std::size_t k = 0; k < log.rows(); ++k) {  // written in the world's axes by the pose that is held
    const Eigen::Matrix3d R = prompt.X_WS[k - k % 4].R() * prompt.X_WS[k].R().transpose();
    log.X_WS[k] = prompt.X_WS[k - k % 4];
    log.f_S[k] = R * log.f_S[k];
    log.tau_S[k] = R * log.tau_S[k];
  }
  const UsableRows found = usable_rows(log, WrenchFrame::world);
  ASSERT_TRUE(found.log);
  EXPECT_EQ(found.log->rows(), (log.rows() + 3) / 4);
  const Identification answer = identify(log);
  EXPECT_EQ(answer.status, Status::ok) << answer.why_no_answer();
  EXPECT_NE(answer.problems.at(0).find("they repeat the pose of the row before"), std::string::npos)
      << answer.problems.at(0);
  EXPECT_NEAR(answer.results.front().estimate.inertia_S.mass, noisy().body.mass, 0.005);
}

// A hose of 1 N/m that hangs 0.8 m above: its mean pull is a tenth of the weight.
TEST(CarriedWeight, AHoseFromAboveIsSeen) {
  const LogSpec spec = noisy();
  model::WrenchLog log = generated_log(spec);
  EXPECT_EQ(identify(log).status, Status::ok);
  for (std::size_t k = 0; k < log.rows(); ++k) log.f_S[k] -= Eigen::Vector3d(0.0, 0.0, 0.8) - log.X_WS[k].p();
  const Identification answer = identify(log);
  EXPECT_EQ(answer.status, Status::undetermined);
  // By the mass that is accelerated, whatever else speaks first.
  const auto found = carried_weight(log, smooth_samples(log).samples, spec.gravity_W);
  ASSERT_TRUE(found);
  EXPECT_NE(found->sentence.find("resists acceleration"), std::string::npos) << found->sentence;
  EXPECT_EQ(carried_weight(generated_log(spec), smooth_samples(generated_log(spec)).samples, spec.gravity_W)
                ->sentence,
            "");
}

// What accelerations are shrunk by seems a force that pulls down: no finding.
TEST(CarriedWeight, ShrunkAccelerationsAreNone) {
  LogSpec spec = noisy();
  spec.rate = 2.0;
  Samples samples = smooth_samples(generated_log(spec));
  for (Sample& sample : samples.samples) sample.motion.a += 0.1 * (sample.motion.a + sample.gravity);
  const auto found = carried_weight(generated_log(spec), samples.samples, spec.gravity_W);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sentence, "");
  EXPECT_NEAR(found->mass, spec.body.mass, 0.005);  // weight tells it all the same
}

// Fast motion: what a delay leaves has passed within a tenth of a second.
TEST(LateSensor, IsSeenInFastMotion) {
  LogSpec spec = noisy();
  spec.rate = 4.0;
  spec.latency = 0.01;
  const Identification answer = identify(generated_log(spec));
  std::string all = answer.why_no_answer();
  for (const std::string& note : answer.results.front().estimate.notes) all += note;
  EXPECT_NE(all.find("ms later than the poses"), std::string::npos) << all;
}

TEST(Identification, AnObjectHeldAtItsCentreHasAMass) {
  model::WrenchLog log;
  for (int k = 0; k < 100; ++k) {
    log.t.push_back(0.01 * k);
    log.X_WS.push_back(math::Pose());
    log.f_S.push_back({0.0, 0.0, 9.81});
    log.tau_S.push_back(Eigen::Vector3d::Zero());
  }
  const Identification answer = identify(log);
  EXPECT_EQ(answer.status, Status::undetermined);
  EXPECT_NEAR(answer.results.front().estimate.inertia_S.mass, 1.0, 1e-6);
  EXPECT_NE(answer.why_no_answer().find("stands still in one orientation"), std::string::npos)
      << answer.why_no_answer();
}

TEST(LastingResidual, NoiseHasNoneAndATableHas) {
  const LogSpec spec = noisy();
  model::WrenchLog log = generated_log(spec);
  const auto share = [&] {
    return lasting_residual(spec.body.parameters(), math::Vector6d::Zero(), smooth_samples(log).samples)
        .share;
  };
  EXPECT_LT(share(), 0.01);
  EXPECT_EQ(identify(log).status, Status::ok);
  // A third of the weight rests on something for a second.
  for (std::size_t k = 200; k < 300; ++k) log.f_S[k].z() -= spec.body.mass * 9.81 / 3.0;
  EXPECT_GT(share(), 0.1);
  const Identification answer = identify(log);
  EXPECT_EQ(answer.status, Status::undetermined);
}

TEST(TorquePoint, IsNamed) {
  model::WrenchLog log = generated_log(noisy());
  const Eigen::Vector3d point(0.03, -0.06, 0.05);
  for (std::size_t k = 0; k < log.rows(); ++k) log.tau_S[k] -= (log.X_WS[k].R() * point).cross(log.f_S[k]);
  for (const bool calibrate : {false, true}) {
    IdentificationOptions options;
    options.calibrate = calibrate;
    const Identification answer = identify(log, nullptr, options);
    EXPECT_EQ(answer.status, Status::undetermined);
    ASSERT_FALSE(answer.findings.empty());
    EXPECT_EQ(answer.findings[0].kind, FindingKind::torque_point) << answer.findings[0].sentence;
    EXPECT_NE(answer.problems[0].find("about a point (+"), std::string::npos) << answer.problems[0];
  }
}

}  // namespace
}  // namespace prehend::inertia
