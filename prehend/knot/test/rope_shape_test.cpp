#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/knot/named_knots.h>
#include <prehend/knot/rope_shape.h>
#include <prehend/math/random.h>

namespace prehend::knot {
namespace {

using Eigen::Vector3d;

Eigen::Matrix3d random_rotation(math::RandomStream& random) {
  Eigen::Quaterniond q(random.normal(), random.normal(), random.normal(), random.normal());
  return q.normalized().toRotationMatrix();
}

// Points at other places along the rope: every step random, on average `step` of the old ones.
std::vector<Vector3d> resampled(const std::vector<Vector3d>& rope, double step, math::RandomStream& random) {
  std::vector<Vector3d> points{rope.front()};
  for (double at = random.uniform(0.2, 1.8) * step; at < static_cast<double>(rope.size()) - 1.0;
       at += random.uniform(0.2, 1.8) * step) {
    const auto k = static_cast<std::size_t>(at);
    points.push_back(rope[k] + (at - static_cast<double>(k)) * (rope[k + 1] - rope[k]));
  }
  points.push_back(rope.back());
  return points;
}

// Every knot, turned in space at random, moved, scaled, sampled anew with noise, from either end, or in a mirror.
TEST(RopeShape, NamedKnotsFromEverySide) {
  int right = 0, trials = 0;
  for (std::uint64_t trial = 0; trial < 12; ++trial) {
    math::RandomStream random(21, trial);
    for (const NamedKnot& knot : named_knots()) {
      std::vector<Vector3d> rope = resampled(centre_line(knot), random.uniform(0.5, 1.5), random);
      const Eigen::Matrix3d R = random_rotation(random);
      const double scale = random.below(2) == 0 ? 1.0 : 1000.0, hand = random.below(2) == 0 ? 1.0 : -1.0;
      for (Vector3d& p : rope) {
        p += 5e-4 * random.normal3();
        p = scale * (R * Vector3d(p.x(), p.y(), hand * p.z()) + Vector3d(3, -2, 1));
      }
      if (random.below(2) == 0) std::reverse(rope.begin(), rope.end());
      const RopeShape shape = find_shape(rope);
      const bool named = shape.names == std::vector<std::string>{knot.name};
      EXPECT_TRUE(named) << knot.name << " trial " << trial << ": "
                         << (shape.names.empty() ? "none" : shape.names[0]) << ", " << to_text(shape.p_data);
      ++trials;
      right += named ? 1 : 0;
    }
  }
  EXPECT_EQ(right, trials);
}

TEST(RopeShape, OtherRopesHaveNoName) {
  const std::vector<Vector3d> straight{{0, 0, 0}, {1, 0.1, 0}, {2, 0, 0.1}};
  const RopeShape shape = find_shape(straight);
  EXPECT_TRUE(shape.names.empty());
  EXPECT_EQ(shape.p_data, PData{});
  EXPECT_GT(shape.readable, 0);
  // Two overhand knots in a row are none of the nine.
  std::vector<Vector3d> rope = centre_line(named_knot("overhand"));
  const Vector3d step = rope.back() - rope.front() + Vector3d(0.05, 0, 0);
  const std::size_t count = rope.size();
  for (std::size_t k = 0; k < count; ++k) rope.push_back(rope[k] + step);
  EXPECT_TRUE(find_shape(rope).names.empty());
}

TEST(RopeShape, BadInputIsNamed) {
  const std::vector<Vector3d> rope{{0, 0, 0}, {1, 0, 0}};
  EXPECT_THROW(find_shape(std::vector<Vector3d>{{0, 0, 0}}), std::invalid_argument);
  EXPECT_THROW(find_shape(std::vector<Vector3d>{{0, 0, 0}, {NAN, 0, 0}}), std::invalid_argument);
  EXPECT_THROW(find_shape(rope, {.views = 0}), std::invalid_argument);
  EXPECT_THROW(find_shape(rope, {.widest = -1}), std::invalid_argument);
  // All points the same: nothing can be read, and that is the answer.
  const RopeShape point = find_shape(std::vector<Vector3d>(3, Vector3d(1, 2, 3)));
  EXPECT_EQ(point.readable, 0);
  EXPECT_TRUE(point.names.empty());
}

}  // namespace
}  // namespace prehend::knot
