#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <tests/places.h>

#include "generated_log.h"
#include <prehend/inertia/log_diagnosis.h>
#include <prehend/math/random.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia {
namespace {

using testing::generated_log;
using testing::LogSpec;

std::string kinds(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings)
    text += std::string(to_string(finding.kind)) + ": " + finding.sentence + "\n";
  return text;
}

bool has(const std::vector<Finding>& findings, FindingKind kind) {
  for (const Finding& finding : findings)
    if (finding.kind == kind) return true;
  return false;
}

TEST(LogDiagnosis, RightGeneratedLogsRaiseNothing) {
  std::vector<LogSpec> specs(5);
  specs[1].noise_force = 0.33;
  specs[1].noise_torque = 0.0067;
  specs[2].duration = 1.5;
  specs[2].noise_force = 0.05;
  specs[3].bias << 0.02, 0.01, -0.02, 0.4, -0.3, 0.2;
  specs[3].full = false;
  specs[4].body = {12.0, {0.1, 0.0, 0.2}, Eigen::Vector3d(0.12, 0.15, 0.08).asDiagonal()};
  for (const LogSpec& spec : specs) EXPECT_EQ(kinds(diagnose(generated_log(spec))), "");
}

// With velocities and without, at two speeds; a slow log is right in seconds.
TEST(LogDiagnosis, TimesInOtherUnitsAreNamed) {
  const std::vector<std::pair<double, std::string>> units{
      {1e3, "milliseconds"}, {1e6, "microseconds"}, {1e9, "nanoseconds"}, {1e-3, "thousands of seconds"}};
  for (const double rate : {0.3, 1.0})
    for (const bool full : {true, false}) {
      LogSpec spec;
      spec.rate = rate;
      spec.full = full;
      spec.noise_force = 0.05;
      spec.noise_torque = 0.002;
      spec.bias << 0.02, 0.01, -0.02, 0.4, -0.3, 0.2;
      const model::WrenchLog right = generated_log(spec);
      EXPECT_EQ(kinds(diagnose(right)), "");
      for (const auto& [factor, name] : units) {
        model::WrenchLog log = right;
        for (double& t : log.t) t *= factor;
        const std::vector<Finding> findings = diagnose(log);
        ASSERT_FALSE(findings.empty()) << name;
        EXPECT_EQ(findings[0].kind, FindingKind::time_unit);
        EXPECT_EQ(findings[0].severity, Severity::blocks);
        EXPECT_NE(findings[0].sentence.find("the times are in " + name + ", not in seconds"),
                  std::string::npos)
            << rate << full << findings[0].sentence;
      }
    }
  // Rests, seconds apart: nothing moves in any unit.
  model::WrenchLog rests = generated_log({});
  rests.v_WS_W.clear();
  rests.w_WS_W.clear();
  rests.a_WS_W.clear();
  rests.al_WS_W.clear();
  for (std::size_t k = 0; k < rests.rows(); ++k) {
    rests.t[k] *= 1e3;
    const Eigen::Matrix3d R = rests.X_WS[k].R();
    const Eigen::Vector3d c = R * Eigen::Vector3d(0.02, 0.01, 0.1), f(0.0, 0.0, 9.81);
    rests.f_S[k] = f;
    rests.tau_S[k] = c.cross(f);
  }
  for (const Finding& finding : diagnose(rests)) {
    EXPECT_NE(finding.severity, Severity::blocks) << finding.sentence;
    if (finding.kind == FindingKind::time_unit)
      EXPECT_NE(finding.sentence.find("s apart: are the times in seconds?"), std::string::npos);
  }
}

TEST(LogDiagnosis, FaultsAreNamed) {
  const LogSpec spec;
  const model::WrenchLog right = generated_log(spec);
  SampleOptions up;
  up.gravity_W = {0.0, 0.0, 9.81};
  const std::vector<Finding> gravity = diagnose(right, up);
  ASSERT_TRUE(has(gravity, FindingKind::wrong_gravity)) << kinds(gravity);
  EXPECT_NE(gravity[0].sentence.find("the log fits gravity (0, 0, -9.81)"), std::string::npos)
      << gravity[0].sentence;
  EXPECT_EQ(gravity[0].severity, Severity::blocks);
  SampleOptions sensor;
  sensor.wrench_frame = WrenchFrame::sensor;
  EXPECT_TRUE(has(diagnose(right, sensor), FindingKind::wrench_frame));
  model::WrenchLog log = right;
  for (auto& f : log.f_S) f = -f;
  for (auto& tau : log.tau_S) tau = -tau;
  EXPECT_TRUE(has(diagnose(log), FindingKind::wrench_sign)) << kinds(diagnose(log));
  log = right;
  std::swap(log.f_S, log.tau_S);
  EXPECT_TRUE(has(diagnose(log), FindingKind::swapped_columns)) << kinds(diagnose(log));
  log = right;
  for (auto& tau : log.tau_S) tau *= 1000.0;
  EXPECT_TRUE(has(diagnose(log), FindingKind::units)) << kinds(diagnose(log));
  log = right;
  for (auto& w : log.w_WS_W) w *= 57.29577951308232;
  EXPECT_TRUE(has(diagnose(log), FindingKind::units)) << kinds(diagnose(log));
  log = right;
  log.t[100] = log.t[99];
  EXPECT_TRUE(has(diagnose(log), FindingKind::repeated_times));
  log = right;
  for (std::size_t k = 200; k < log.rows(); ++k) log.t[k] += 0.05;
  EXPECT_TRUE(has(diagnose(log), FindingKind::dropped_samples));
  log = right;
  for (std::size_t k = 151; k < 220; ++k) {
    log.f_S[k] = log.f_S[150];
    log.tau_S[k] = log.tau_S[150];
  }
  EXPECT_TRUE(has(diagnose(log), FindingKind::stuck_sensor)) << kinds(diagnose(log));
  LogSpec moved = spec;
  moved.body.com += Eigen::Vector3d(0.01, 0.01, -0.01);
  const model::WrenchLog other = generated_log(moved);
  log = right;
  for (std::size_t k = 200; k < log.rows(); ++k) {
    log.f_S[k] = other.f_S[k];
    log.tau_S[k] = other.tau_S[k];
  }
  EXPECT_TRUE(has(diagnose(log), FindingKind::object_moved)) << kinds(diagnose(log));
  LogSpec few = spec;
  few.duration = 0.05;
  EXPECT_TRUE(has(diagnose(generated_log(few)), FindingKind::too_few_samples));
}

// Accelerations from poses go with the square of the times: gravity of another size leaves the same.
TEST(LogDiagnosis, TimesInAnotherMeasureAreNamedBesideGravity) {
  model::WrenchLog log = generated_log({});
  log.v_WS_W.clear();
  log.w_WS_W.clear();
  log.a_WS_W.clear();
  log.al_WS_W.clear();
  for (double& t : log.t) t *= 1.5;
  const std::vector<Finding> findings = diagnose(log);
  ASSERT_TRUE(has(findings, FindingKind::wrong_gravity)) << kinds(findings);
  EXPECT_NE(findings[0].sentence.find("or its times are 1.5 times too long"), std::string::npos)
      << findings[0].sentence;
}

// Values that stand on end at the extreme of their channel: stuck where the object's wrench stays inside, saturated where it goes beyond.
TEST(LogDiagnosis, StuckAtAnExtremeIsNotSaturated) {
  LogSpec spec;
  spec.noise_force = 0.05;
  model::WrenchLog log = generated_log(spec);
  SampleOptions sensor;
  sensor.wrench_frame = WrenchFrame::sensor;
  double most = -1e300;
  for (std::size_t k = 0; k < log.rows(); ++k) {
    const Eigen::Matrix3d R_SW = log.X_WS[k].R().transpose();
    log.f_S[k] = R_SW * log.f_S[k];
    log.tau_S[k] = R_SW * log.tau_S[k];
    most = std::max(most, log.f_S[k].x());
  }
  model::WrenchLog stuck = log;
  for (std::size_t k = 150; k < 220; ++k) stuck.f_S[k].x() = most;
  const std::vector<Finding> of_stuck = diagnose(stuck, sensor);
  EXPECT_TRUE(has(of_stuck, FindingKind::stuck_sensor)) << kinds(of_stuck);
  EXPECT_FALSE(has(of_stuck, FindingKind::saturated_sensor)) << kinds(of_stuck);
  model::WrenchLog saturated = log;
  for (auto& f : saturated.f_S) f.x() = std::min(f.x(), 0.7 * most);
  const std::vector<Finding> of_saturated = diagnose(saturated, sensor);
  EXPECT_TRUE(has(of_saturated, FindingKind::saturated_sensor)) << kinds(of_saturated);
  EXPECT_FALSE(has(of_saturated, FindingKind::stuck_sensor)) << kinds(of_saturated);
}

// Published recordings, clean and with the highest noise of the source's table 3.7.
TEST(LogDiagnosis, PublishedToolsRaiseNothing) {
  const std::filesystem::path tools = std::filesystem::path(prehend::test::shared_data()) / "tools";
  if (!std::filesystem::exists(tools)) GTEST_SKIP() << "no recordings at " << tools;
  SampleOptions gravity;
  gravity.gravity_W = {0.0, 0.0, 9.81};
  for (const auto& tool : std::filesystem::directory_iterator(tools)) {
    model::WrenchLog log = model::read_wrench_log((tool.path() / "motion.csv.gz").string());
    EXPECT_EQ(kinds(diagnose(log, gravity)), "") << tool.path();
    EXPECT_TRUE(has(diagnose(log), FindingKind::wrong_gravity)) << tool.path();
    math::RandomStream random(5);
    for (std::size_t k = 0; k < log.rows(); ++k) {
      log.al_WS_W[k] += random.normal3();
      log.a_WS_W[k] += 0.1 * random.normal3();
      log.f_S[k] += 0.33 * random.normal3();
      log.tau_S[k] += 0.0067 * random.normal3();
    }
    EXPECT_EQ(kinds(diagnose(log, gravity)), "") << tool.path();
  }
}

}  // namespace
}  // namespace prehend::inertia
