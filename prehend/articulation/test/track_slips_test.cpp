#include <cmath>

#include <gtest/gtest.h>
#include <tests/sweeps.h>

#include <prehend/articulation/evidence/track_slips.h>
#include <prehend/articulation/selection.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using namespace testing;
using model::JointType;
constexpr double kLeast = 0.01;

FitOptions with_prior() {
  FitOptions options;
  options.radius_scale = 0.5;
  return options;
}

struct Slipped {
  std::vector<Eigen::Vector3d> track;
  int from{0}, during{0};
  double across{0.0};  // [m] of the slip; along the way it looks like motion
};
// A slip of 3 to 6 cm somewhere on the way.
Slipped slipped_track(double radius, double length, std::uint64_t number) {
  math::RandomStream random(17, number);
  Slipped result;
  result.track = opened_track(radius, length, 0.001, 100, random);
  result.from = static_cast<int>(random.uniform(25, 80));
  result.during = 1 + static_cast<int>(random.below(6));
  const double size = random.uniform(0.03, 0.06);
  const Eigen::Vector3d by = size * random.unit_vector();
  const Eigen::Vector3d way = (result.track[result.from + 5] - result.track[result.from - 5]).normalized();
  result.across = (by - way.dot(by) * way).norm();
  slip(result.track, result.from, result.during, by);
  return result;
}

TEST(TrackSlips, NoneWhereNothingSlips) {
  for (int number = 0; number < 100; ++number) {
    math::RandomStream random(18, number);
    const double radius = number % 2 ? random.uniform(0.25, 0.9) : 0.0;
    const double length = radius > 0 ? radius * random.uniform(0.3, 1.6) : random.uniform(0.1, 0.5);
    const HeldTrack held =
        hold_apart(observations_of(opened_track(radius, length, 0.002, 100, random)), with_prior(), kLeast);
    EXPECT_TRUE(held.slips.empty()) << number;
    EXPECT_TRUE(held.observations.holds.empty());
  }
}

TEST(TrackSlips, AreFoundWhereTheyAre) {
  int found = 0, tracks = 0;
  for (int number = 0; number < 60; ++number) {
    const Slipped slipped = slipped_track(number % 2 ? 0.4 : 0.0, 0.45, number);
    const Observations seen = observations_of(slipped.track);
    const HeldTrack held = hold_apart(seen, with_prior(), kLeast);
    if (slipped.across < 0.025) continue;
    ++tracks;
    if (held.slips.size() != 1) continue;
    ++found;
    // One step more, of noise or of motion, may be taken for part of it.
    EXPECT_LE(std::abs(held.slips[0].before - (slipped.from - 1)), 7) << number;
    EXPECT_LE(std::abs(held.slips[0].after - (slipped.from + slipped.during - 1)), 7) << number;
    EXPECT_NEAR(held.slips[0].size, slipped.across, 0.7 * slipped.across) << number;
    // Frames within are gone, the others are as they were.
    EXPECT_EQ(held.observations.poses.size() + held.slips[0].after - held.slips[0].before - 1,
              seen.poses.size());
    EXPECT_EQ(held.observations.holds.size(), held.observations.poses.size());
    EXPECT_NE(held.observations.holds.front(), held.observations.holds.back());
  }
  EXPECT_GE(tracks, 30);
  EXPECT_GE(10 * found, 9 * tracks) << found << " of " << tracks;
}

TEST(TrackSlips, OutAndBackIsNoSlip) {
  math::RandomStream random(19);
  std::vector<Eigen::Vector3d> track = opened_track(0, 0.45, 0.001, 100, random);
  slip(track, 50, 1, {0.03, 0.02, 0.01});
  slip(track, 54, 1, {-0.03, -0.02, -0.01});
  EXPECT_TRUE(hold_apart(observations_of(track), with_prior(), kLeast).slips.empty());
}

// The joint is the one before the slip, and as well known as it says.
TEST(TrackSlips, JointsAreFoundAcrossThem) {
  double squared = 0;
  int count = 0;
  for (int number = 0; number < 60; ++number) {
    const bool turns = number % 2 == 1;
    math::RandomStream random(20, number);
    std::vector<Eigen::Vector3d> clean;
    const math::Pose X(random.rotation(), 0.5 * random.unit_vector());
    Observations seen;
    for (int i = 0; i < 80; ++i) {
      const double s = i / 79.0;
      const Eigen::Vector3d way =
          turns ? Eigen::Vector3d(0.4 * std::cos(s), 0.4 * std::sin(s), 0) : Eigen::Vector3d(0, 0, 0.4 * s);
      const Eigen::Vector3d e = random.normal3();
      clean.push_back(X * way + 0.002 * e);
      // Another point of the same part.
      if (i >= 45)
        clean.back() += X.R() * (turns ? Eigen::Vector3d(0.04 * std::cos(s), 0.04 * std::sin(s), 0.02)
                                       : Eigen::Vector3d(0.04, 0.02, 0));
    }
    seen = observations_of(clean);
    for (int i = 0; i < 80; ++i) seen.holds.push_back(i >= 45);
    const JointFit fit = fit_joint(turns ? JointType::revolute : JointType::prismatic, seen);
    ASSERT_EQ(fit.status, FitStatus::ok) << number;
    EXPECT_NEAR(fit.rms_position, 0.002 * std::sqrt(2.0 / 3.0), 0.0004);
    const double error = std::acos(std::min(1.0, std::abs(fit.joint.axis_F()->dot(X.R().col(2)))));
    squared += std::pow(error / *fit.deviations.axis_F, 2);
    ++count;
    if (turns) {
      EXPECT_NEAR(fit.joint.X_MJ.p().norm(), 0.4, 0.02);
      EXPECT_LT((*fit.joint.point_F() - X.p()).cross(X.R().col(2)).norm(),
                5 * *fit.deviations.point_F + 1e-3);
    }
  }
  EXPECT_NEAR(squared / count, 1.0, 0.4);
}

// Drawers of 45 cm and doors turned by 50 to 90 degrees.
TEST(TrackSlips, DrawersStayDrawersAndDoorsDoors) {
  int right[2] = {0, 0};
  const int tracks = prehend::test::sweep_size(40, 100);
  for (int number = 0; number < tracks; ++number) {
    math::RandomStream random(21, number);
    const double turn = random.uniform(50, 90) * kDegree;
    for (const bool turns : {false, true}) {
      const Slipped slipped = slipped_track(turns ? 0.45 / turn : 0.0, 0.45, number);
      const Selection selection = select_joint(observations_of(slipped.track));
      if (selection.status == SelectionStatus::undetermined) continue;
      EXPECT_EQ(selection.best().type, turns ? JointType::revolute : JointType::prismatic)
          << number << "\n"
          << selection.brief_report();
      right[turns] += 1;
    }
  }
  EXPECT_GE(right[0], tracks * 80 / 100);
  EXPECT_GE(right[1], tracks * 95 / 100);
}

}  // namespace
}  // namespace prehend::articulation
