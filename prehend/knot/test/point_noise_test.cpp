// Noise of ropes' points: seen where it is, and not where it is not; what a rope is called with it and without.
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <prehend/knot/curve/near_passes.h>
#include <prehend/knot/curve/point_noise.h>
#include <prehend/knot/naming.h>
#include <prehend/knot/rope_shape.h>
#include <prehend/math/angles.h>
#include <prehend/math/random.h>

namespace prehend::knot {
namespace {

using Eigen::Vector3d;

// The torus knot T(2, q) about the z axis, a loop of `points` points with rings of 0.1 m and 0.04 m.
RopeLine torus_loop(int q, int points) {
  RopeLine line;
  for (int k = 0; k < points; ++k) {
    const double t = 2 * math::kPi * k / points, r = 0.1 + 0.04 * std::cos(q * t);
    line.push_back({r * std::cos(2 * t), r * std::sin(2 * t), 0.04 * std::sin(q * t)});
  }
  return line;
}

RopeLine with_noise(RopeLine line, double deviation, math::RandomStream& random) {
  for (Vector3d& p : line) p += deviation * random.normal3();
  return line;
}

std::string name_of(const RopeLine& loop, std::optional<double> noise, std::string* status = nullptr) {
  ProjectionOptions options;
  options.closed = true;
  options.noise = noise;
  const ProjectionResult seen = project_for_naming(loop, options);
  if (seen.status != ProjectionStatus::ok) return to_string(seen.status);
  RopeName name = name_rope(seen.p_data);
  name.doubts = naming_doubts(loop, seen, options);
  if (status != nullptr) *status = name.status();
  return name.over.name;
}

TEST(PointNoise, EstimatedWithinATenth) {
  math::RandomStream random(4);
  for (const double noise : {2e-4, 1e-3, 4e-3}) {
    const QuietLines quiet = without_noise({with_noise(torus_loop(5, 1500), noise, random)}, true, {});
    EXPECT_NEAR(quiet.noise.deviation, noise, 0.1 * noise);
    EXPECT_LT(quiet.noise.left, 0.5 * noise);
    ASSERT_EQ(quiet.lines.size(), 1u);
    double off = 0;
    const RopeLine truth = torus_loop(5, 1500);
    for (std::size_t i = 0; i < truth.size(); ++i) off += (quiet.lines[0][i] - truth[i]).squaredNorm() / 3;
    EXPECT_LT(std::sqrt(off / 1500), 1.5 * quiet.noise.left);
  }
}

TEST(PointNoise, NoneInCurvesWalksAndUnevenSteps) {
  math::RandomStream random(5);
  RopeLine walk{Vector3d::Zero()}, uneven;
  for (int k = 0; k < 400; ++k) walk.push_back(walk.back() + random.normal3().normalized());
  for (double t = 0; t < 4; t += random.uniform(0.002, 0.03))
    uneven.push_back({std::cos(t), std::sin(2 * t), std::sin(3 * t)});
  for (const RopeLine& line : {torus_loop(3, 300), walk, uneven})
    EXPECT_FALSE(without_noise({line}, false, {}).changed);
  EXPECT_FALSE(without_noise({with_noise(torus_loop(3, 900), 1e-3, random)}, true, 0.0).changed);
}

TEST(PointNoise, AJumpIsPutBetweenItsNeighbours) {
  RopeLine line = torus_loop(3, 200);
  line[57] += Vector3d(0.1, -0.2, 0.05);
  const QuietLines quiet = without_noise({line}, true, {});
  ASSERT_TRUE(quiet.changed);
  EXPECT_EQ(quiet.notes.front(), "point 58 jumps far off the neighbours and is put between them");
  EXPECT_LT((quiet.lines[0][57] - torus_loop(3, 200)[57]).norm(), 1e-3);
}

// With 5 mm of noise on points 2 mm apart, strands 20 mm apart: read point by point, many are other knots.
TEST(PointNoise, NoisyLoopsAreNamedAsTheyAre) {
  int right = 0, wrong = 0, wrong_as_given = 0;
  for (std::uint64_t trial = 0; trial < 12; ++trial) {
    math::RandomStream random(6, trial);
    const RopeLine loop = with_noise(torus_loop(5, 700), 5e-3, random);
    std::string status;
    const bool is_right = name_of(loop, {}, &status) == "5_1";
    right += is_right && status == "ok" ? 1 : 0;
    wrong += !is_right && status == "ok" ? 1 : 0;
    if (trial < 5) wrong_as_given += name_of(loop, 0.0) == "5_1" ? 0 : 1;
  }
  std::printf("%d of 12 right, %d wrong; point by point, %d of 5 wrong\n", right, wrong, wrong_as_given);
  EXPECT_GE(right, 11);
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(wrong_as_given, 3);
}

// So few points that straight pieces between them cut through other strands.
TEST(NearPasses, CoarseLoopsAreDoubtful) {
  int wrong = 0;
  for (int points = 9; points < 40; ++points) {
    std::string status;
    const std::string name = name_of(torus_loop(7, points), {}, &status);
    if (name == "7_1") continue;
    ++wrong;
    EXPECT_NE(status, "ok") << points << " points: " << name;
  }
  EXPECT_GT(wrong, 3);
  std::string status;
  EXPECT_EQ(name_of(torus_loop(7, 100), {}, &status), "7_1");
  EXPECT_EQ(status, "ok");
  EXPECT_EQ(name_of(torus_loop(7, 20), 0.0, &status), name_of(torus_loop(7, 20), {}));
  EXPECT_EQ(status, "ok");
}

// Two long strands crossing 5 mm apart, and all other pairs of points farther: the distance, and what may move it.
TEST(NearPasses, DistanceAndDoubt) {
  const RopeLine rope{{-1, 0, 0},    {-0.5, 0, 0},    {0.5, 0, 0},      {1, 0, 0},     {1, 1, 0.5},
                      {0, 1, 0.005}, {0, 0.5, 0.005}, {0, -0.5, 0.005}, {0, -1, 0.005}};
  EXPECT_FALSE(nearest_pass(rope, false, 0.0));
  const auto pass = nearest_pass(rope, false, 2e-3);
  ASSERT_TRUE(pass);
  EXPECT_EQ(pass->first, 1u);
  EXPECT_EQ(pass->second, 6u);
  EXPECT_NEAR(pass->distance, 0.005, 1e-12);
  EXPECT_NEAR(pass->doubt, 2 * std::sqrt(2.0) * 2e-3, 1e-12);
}

}  // namespace
}  // namespace prehend::knot
