#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <prehend/articulation/pose_input.h>
#include <prehend/articulation/test/simulated_joint.h>
#include <prehend/model/input_error.h>

namespace prehend::articulation {
namespace {

using namespace testing;

// Where a part is at a time, and where its second marker sits.
math::Pose part_at(int i) {
  return math::Pose(math::exp_so3(Eigen::Vector3d(0.5 * std::sin(0.05 * i), 0.2, 0.01 * i)),
                    Eigen::Vector3d(0.3 * std::sin(0.03 * i), 0.1, 0.002 * i));
}
const math::Pose kSecond(math::exp_so3(Eigen::Vector3d(0.3, -0.4, 1.0)), Eigen::Vector3d(0.1, 0.05, -0.02));

// Two markers on a part, and something else; the first marker is lost from `lost` on.
model::PoseLog two_markers(const PoseNoise& noise, int lost) {
  math::RandomStream random(3);
  model::PoseLog log;
  log.parts = {"a", "other", "b"};
  for (int i = 0; i < 200; ++i)
    for (int part = 0; part < 3; ++part) {
      if (part == 0 && i >= lost) continue;
      const math::Pose truth = part == 0 ? part_at(i) : part == 1 ? math::Pose() : part_at(i) * kSecond;
      const math::Pose X = disturbed(truth, noise, random);
      log.rows.push_back({i / 30.0, part, X.p(), X.q(), static_cast<int>(log.rows.size()) + 2});
    }
  return log;
}

TEST(SamePart, ExactMarkersGiveTheFirstOnesPosesAlsoWhereItIsLost) {
  const model::PoseLog pooled = markers_as_one(two_markers({0, 0}, 120), "log", {{"a", "b"}});
  ASSERT_EQ(pooled.parts, (std::vector<std::string>{"a", "other"}));
  const auto track = pooled.track(0);
  ASSERT_EQ(track.size(), 200u);
  for (int i = 0; i < 200; ++i) {
    EXPECT_LT((track[static_cast<std::size_t>(i)]->p_WP - part_at(i).p()).norm(), 1e-9);
    EXPECT_LT(math::log_so3(track[static_cast<std::size_t>(i)]->q_WP->conjugate() * part_at(i).q()).norm(), 1e-9);
  }
  EXPECT_NE(pooled.notes.back().find("'a' is tracked by 'b' as well"), std::string::npos);
}

TEST(SamePart, TwoMarkersHaveLessNoise) {
  const PoseNoise noise{0.002, 0.01};
  const model::PoseLog log = two_markers(noise, 200), pooled = markers_as_one(log, "log", {{"a", "b"}});
  const auto angle2 = [](const model::PoseLog& one) {
    double sum = 0;
    const auto track = one.track(0);
    for (int i = 0; i < 200; ++i)
      sum += math::log_so3(track[static_cast<std::size_t>(i)]->q_WP->conjugate() * part_at(i).q()).squaredNorm();
    return sum;
  };
  // Half of the variance; a sum of 600 squares scatters by 6 %.
  EXPECT_NEAR(angle2(pooled) / angle2(log), 0.5, 0.1);
}

TEST(SamePart, WhatIsWrongIsNamed) {
  const model::PoseLog log = two_markers({0, 0}, 200);
  EXPECT_THROW(markers_as_one(log, "log", {{"a"}}), std::invalid_argument);
  EXPECT_THROW(markers_as_one(log, "log", {{"a", "c"}}), std::invalid_argument);
  EXPECT_THROW(markers_as_one(log, "log", {{"a", "b"}, {"b", "other"}}), std::invalid_argument);
  try {
    markers_as_one(log, "log", {{"a", "other"}});
    FAIL() << "they move against each other";
  } catch (const model::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("move against each other"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace prehend::articulation
