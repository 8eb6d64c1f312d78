#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/knot/curve/relaxation.h>
#include <prehend/knot/curve/respacing.h>
#include <prehend/knot/curve/rope_curve.h>
#include <prehend/knot/test/random_drawing.h>

namespace prehend::knot {
namespace {

using Eigen::Vector2d;

TEST(Respacing, KeepsAPointThatSomethingLeansOn) {
  // A flat corner at (0, 0.1); the other end of the rope lies inside the triangle that it would cut off.
  PlaneRope rope;
  rope.points = {{-0.2, 0}, {0, 0.1}, {0.2, 0}, {0.5, 0}, {0.5, -0.5}, {0, -0.5}, {0, 0.05}};
  rope.segments = {{0, 1, 2, 3, 4, 5, 6}};
  const auto has_corner = [](const PlaneRope& r) {
    return std::any_of(r.points.begin(), r.points.end(),
                       [](const Vector2d& p) { return p == Vector2d(0, 0.1); });
  };
  EXPECT_TRUE(has_corner(respaced(rope, 1.0, 1)));
  rope.points.back() = {0, -0.1};
  EXPECT_FALSE(has_corner(respaced(rope, 1.0, 1)));
}

TEST(Respacing, DividesLongEdgesAndKeepsLoopsRound) {
  PlaneRope rope;
  rope.points = {{0, 0}, {3, 0}, {4, 1}, {4, -1}, {6, 0}};
  rope.segments = {{0, 1}, {1, 2, 3, 1}, {1, 4}};
  const PlaneRope fine = respaced(rope, 0.5, 2);
  EXPECT_EQ(fine.segments[0].size(), 7u);
  for (std::size_t k = 1; k < fine.segments[0].size(); ++k) {
    EXPECT_NEAR((fine.points[static_cast<std::size_t>(fine.segments[0][k])] -
                 fine.points[static_cast<std::size_t>(fine.segments[0][k - 1])])
                    .norm(),
                0.5, 1e-12);
  }
  const PlaneRope coarse = respaced(rope, 100, 2);
  EXPECT_GE(coarse.segments[0].size(), 4u);
  EXPECT_GE(coarse.segments[1].size(), 7u);
  EXPECT_EQ(coarse.segments[1].front(), coarse.segments[1].back());
}

// No step lets a strand pass another, however rough the forces are.
TEST(Relaxation, KeepsTheCodeUnderAnyForces) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomDrawing random(300 + seed);
    random.grow(8);
    const Diagram diagram(random.data());
    RelaxationOptions options;
    options.push = seed % 2 == 0 ? 50.0 : 0.0;
    options.stretching = seed % 4 < 2 ? 20.0 : 0.0;
    options.points_per_crossing = 1000;
    options.iterations = 30;
    const auto rope =
        relax(diagram, draw_on_grid(diagram, static_cast<int>(seed) % diagram.face_count()), options);
    ASSERT_TRUE(rope.has_value());
    // Through the points themselves: edges that share no point do not meet.
    const std::vector<int> path = path_of(*rope);
    const auto at = [&](std::size_t k) { return rope->points[static_cast<std::size_t>(path[k])]; };
    const auto side = [](const Vector2d& a, const Vector2d& b, const Vector2d& p) {
      return (b - a).x() * (p - a).y() - (b - a).y() * (p - a).x();
    };
    int contacts = 0;
    for (std::size_t i = 1; i < path.size(); ++i) {
      for (std::size_t j = i + 1; j < path.size(); ++j) {
        if (path[i] == path[j] || path[i - 1] == path[j] || path[i] == path[j - 1] ||
            path[i - 1] == path[j - 1])
          continue;
        contacts += side(at(i - 1), at(i), at(j - 1)) * side(at(i - 1), at(i), at(j)) <= 0 &&
                            side(at(j - 1), at(j), at(i - 1)) * side(at(j - 1), at(j), at(i)) <= 0
                        ? 1
                        : 0;
      }
    }
    EXPECT_EQ(contacts, 0) << "seed " << seed;
  }
}

TEST(Relaxation, LeavesLongSpiralsAndNamesBadOptions) {
  const Diagram diagram(PData{{4, 5, 6, 1, 2, 3}, {3, 4, 3, 4, 3, 4}});
  PlaneRope grid = draw_on_grid(diagram, 0);
  for (Vector2d& p : grid.points) p *= 200;  // far too long for three crossings
  EXPECT_FALSE(relax(diagram, grid).has_value());
  RelaxationOptions options;
  options.clearance = 0;
  try {
    relax(diagram, grid, options);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), "RelaxationOptions::clearance is 0; it must be finite and above 0");
  }
}

}  // namespace
}  // namespace prehend::knot
