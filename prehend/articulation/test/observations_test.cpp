#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <prehend/articulation/observations.h>
#include <prehend/math/random.h>
#include <prehend/model/input_error.h>

namespace prehend::articulation {
namespace {

model::PoseLog log_of(const std::string& rows) {
  return model::parse_pose_log("t,part,x,y,z,qw,qx,qy,qz\n" + rows, "poses.csv");
}

TEST(Observations, MatchesFramesAndKeepsLostOnes) {
  const Observations seen = observe(log_of("0,a,1,0,0,1,0,0,0\n1,a,1,0,0,1,0,0,0\n2,a,1,0,0,1,0,0,0\n"
                                           "0,b,3,0,0,1,0,0,0\n2,b,4,0,0,1,0,0,0\n3,b,5,0,0,1,0,0,0\n"),
                                    "poses.csv");
  EXPECT_EQ(seen.fixed, "a");
  EXPECT_EQ(seen.moving, "b");
  EXPECT_TRUE(seen.fixed_is_measured);
  EXPECT_EQ(seen.times, (std::vector<double>{0, 1, 2, 3}));
  ASSERT_EQ(seen.poses.size(), 2u);
  EXPECT_EQ(seen.poses[1].time, 2);
  EXPECT_NEAR(seen.poses[1].X_FM.p().x(), 3, 1e-15);
  EXPECT_EQ(seen.missing(), 2);
  EXPECT_NE(seen.notes.front().find("2 of 4 frames"), std::string::npos);
}

TEST(Observations, FixedPartsOrientationCounts) {
  // F is turned by 90 degrees about z: M at F + (0, 1, 0) is at (1, 0, 0) in F.
  const double h = std::sqrt(0.5);
  const std::string f = "," + std::to_string(h) + ",0,0," + std::to_string(h) + "\n";
  const Observations seen = observe(
      log_of("0,a,0,0,0" + f + "1,a,0,0,0" + f + "0,b,0,1,0,1,0,0,0\n1,b,0,1,0,1,0,0,0\n"), "poses.csv");
  EXPECT_NEAR((seen.poses[0].X_FM.p() - Eigen::Vector3d(1, 0, 0)).norm(), 0, 1e-6);
}

TEST(Observations, PositionOnlyRowsMakeThePairPositionOnly) {
  const Observations seen = observe(log_of("0,a,0,0,0,1,0,0,0\n1,a,0,0,0,,,,\n"), "poses.csv");
  EXPECT_FALSE(seen.has_orientation);
  EXPECT_FALSE(seen.notes.empty());
}

TEST(Observations, NamesWhatIsWrong) {
  const model::PoseLog once = log_of("0,a,0,0,0,1,0,0,0\n1,a,0,0,0,1,0,0,0\n0,b,0,0,0,1,0,0,0\n");
  try {
    observe(once, "poses.csv");
    FAIL();
  } catch (const model::InputError& error) {
    EXPECT_EQ(error.line(), 4);
    EXPECT_NE(error.message().find("'b' is seen once"), std::string::npos);
  }
  EXPECT_THROW(observe(once, "poses.csv", {.fixed = "c", .moving = "a"}), std::invalid_argument);
  EXPECT_THROW(observe(once, "poses.csv", {.fixed = "a", .moving = "a"}), std::invalid_argument);
}

// Poses taken one by one, at places that have nothing to do with each other: jumps are the motion.
TEST(Observations, FewPosesFarApartAreMotion) {
  math::RandomStream random(4);
  std::string far, near;
  for (int k = 0; k < 7; ++k) {
    const Eigen::Vector3d e = random.normal3();
    const auto row = [&](double size) {
      std::string text = std::to_string(k) + ",a";
      for (int i = 0; i < 3; ++i) text += "," + std::to_string(size * e[i]);
      return text + ",1,0,0,0\n";
    };
    far += row(0.2);
    near += row(0.002);
  }
  EXPECT_TRUE(observe(log_of(far), "poses.csv").something_moves);
  EXPECT_FALSE(observe(log_of(near), "poses.csv").something_moves);
}

TEST(Observations, RoundedNumbersHaveAResolution) {
  math::RandomStream random(5);
  std::string rounded, exact;
  for (int k = 0; k < 8; ++k) {
    const Eigen::Quaterniond q(Eigen::AngleAxisd(0.1 * k, random.unit_vector()));
    const Eigen::Vector3d p = random.normal3();
    char text[200];
    std::snprintf(text, sizeof text, "%d,a,%.3f,%.3f,%.3f,%.4f,%.4f,%.4f,%.4f\n", k, p.x(), p.y(), p.z(),
                  q.w(), q.x(), q.y(), q.z());
    rounded += text;
    std::snprintf(text, sizeof text, "%d,a,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f\n", k, p.x(), p.y(), p.z(),
                  q.w(), q.x(), q.y(), q.z());
    exact += text;
  }
  // Uniform errors of half a step to either side; turns are twice the change of a quaternion.
  const PoseNoise found = observe(log_of(rounded), "poses.csv").resolution;
  EXPECT_NEAR(found.position, 1e-3 / std::sqrt(12.0), 1e-12);
  EXPECT_NEAR(found.angle, 2e-4 / std::sqrt(12.0), 1e-12);
  const PoseNoise none = observe(log_of(exact), "poses.csv").resolution;
  EXPECT_EQ(none.position, 0.0);
  EXPECT_EQ(none.angle, 0.0);
  // Round numbers that are few say nothing.
  EXPECT_EQ(observe(log_of("0,a,0,0,0,1,0,0,0\n1,a,0.5,0,0,1,0,0,0\n2,a,1,0,0,1,0,0,0\n"), "poses.csv")
                .resolution.position,
            0.0);
}

TEST(Observations, JitterIsNoMotion) {
  std::string still, moving;
  math::RandomStream random(1);
  for (int k = 0; k < 50; ++k) {
    const double jitter = 1e-3 * random.normal();
    still += std::to_string(k) + ",a," + std::to_string(jitter) + ",0,0,1,0,0,0\n";
    moving += std::to_string(k) + ",a," + std::to_string(jitter + 1e-3 * k) + ",0,0,1,0,0,0\n";
  }
  EXPECT_FALSE(observe(log_of(still), "poses.csv").something_moves);
  EXPECT_TRUE(observe(log_of(moving), "poses.csv").something_moves);
}

}  // namespace
}  // namespace prehend::articulation
