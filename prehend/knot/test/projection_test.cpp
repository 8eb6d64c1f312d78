#include <algorithm>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/knot/closure.h>
#include <prehend/knot/diagram.h>
#include <prehend/knot/projection.h>
#include <prehend/knot/test/fox_determinant.h>
#include <prehend/knot/test/ropes.h>
#include <prehend/knot/test/trefoil.h>

namespace prehend::knot {
namespace {

using Eigen::Vector3d;

const Vector3d kDown(0, 0, -1);

ProjectionOptions looking(const Vector3d& view_W) {
  ProjectionOptions options;
  options.view_W = view_W;
  return options;
}

TEST(Projection, OneLoopInAllFourKinds) {
  // A loop counter-clockwise: along x, up, back and down across itself. Over at the second passage it goes down (-y) over
  // the strand along x: (over x under) . z = (-y) x (x) . z = +1.
  Points rope{{0, 0, 0}, {2, 0, 0}, {2, 1, 0.5}, {1, 1, 1}, {1, -1, 1}};
  EXPECT_EQ(project_rope(rope).p_data, (PData{{2, 1}, {4, 3}}));
  for (Vector3d& p : rope) p.z() = -p.z();
  EXPECT_EQ(project_rope(rope).p_data, (PData{{2, 1}, {1, 2}}));
  for (Vector3d& p : rope) p.y() = -p.y();
  EXPECT_EQ(project_rope(rope).p_data, (PData{{2, 1}, {3, 4}}));
  for (Vector3d& p : rope) p.z() = -p.z();
  const ProjectionResult result = project_rope(rope);
  EXPECT_EQ(result.p_data, (PData{{2, 1}, {2, 1}}));
  ASSERT_EQ(result.crossings.size(), 1u);
  const RopeCrossing& crossing = result.crossings[0];
  EXPECT_TRUE(crossing.p_over_W.isApprox(Vector3d(1, 0, 1)));
  EXPECT_NEAR((crossing.p_under_W - Vector3d(1, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR(crossing.s_under, 1, 1e-15);
  EXPECT_NEAR(crossing.s_over, 2 + 2 * std::sqrt(1.25) + 1, 1e-12);
  EXPECT_NEAR(crossing.gap(), 1, 1e-15);
  EXPECT_EQ(crossing.over_passage, 2);
  EXPECT_EQ(crossing.sign, -1);
}

TEST(Projection, TrefoilOfFigure516) {
  const Points rope = sampled(trefoil_curve, -2.15, 2.15, 200);
  const ProjectionResult result = project_rope(rope);
  ASSERT_EQ(result.status, ProjectionStatus::ok) << result.reason;
  EXPECT_EQ(result.tilt, 0);
  // Closed form: x(t) = x(u) and y(t) = y(u) where t + u = 0, t^2 = 3, or t u = -1, t^2 + u^2 = 4: passages at t = -1.93,
  // -1.73, -0.52, 0.52, 1.73, 1.93, the first with the fourth and so on. At t = -sqrt 3 the height is sqrt 3, at its partner
  // -sqrt 3; the directions there are (6, -4 sqrt 3), over, and (6, 4 sqrt 3), under: over x under is positive.
  EXPECT_EQ(result.p_data, (PData{kTrefoil.sigma, {4, 3, 4, 3, 4, 3}}));
  EXPECT_EQ(project_rope(rope, looking(-kDown)).p_data, kTrefoil);  // the source's figure
  const auto end_to_end = std::find_if(result.crossings.begin(), result.crossings.end(),
                                       [](const RopeCrossing& c) { return std::abs(c.p_over_W.x()) < 1e-3; });
  ASSERT_NE(end_to_end, result.crossings.end());
  EXPECT_EQ(end_to_end->sign, 1);
  EXPECT_NEAR(end_to_end->p_over_W.z(), std::sqrt(3.0), 0.02);
  EXPECT_NEAR(end_to_end->p_under_W.z(), -std::sqrt(3.0), 0.02);
  EXPECT_EQ(fox_determinant(closed_over(result.p_data)), 3);
}

TEST(Projection, FigureEight) {
  const ProjectionResult result = project_rope(sampled(figure_eight_curve, -3.6, 3.6, 300));
  ASSERT_EQ(result.status, ProjectionStatus::ok) << result.reason;
  EXPECT_EQ(fox_determinant(closed_over(result.p_data)), 5) << to_text(result.p_data);
}

TEST(Projection, FromBelowTheRopeIsTheSameKnotDrawnFromBehind) {
  const Points rope = sampled(trefoil_curve, -2.15, 2.15, 200);
  // From below over and under change places and so do left and right: the signs stay.
  const PData above = project_rope(rope, looking(kDown)).p_data,
              below = project_rope(rope, looking(-kDown)).p_data;
  EXPECT_EQ(below.sigma, above.sigma);
  for (int i = 1; i <= 6; ++i) {
    EXPECT_EQ(below.sign(i), above.sign(i));
    EXPECT_NE(below.is_over(i), above.is_over(i));
  }
}

TEST(Projection, SeveralCrossingsOnOneSegment) {
  // A straight strand, and a zigzag that crosses it nine times: over, and from the fifth on under.
  Points rope{{0, 0, 0}, {10, 0, 0}, {10, 3, 0}};
  for (int i = 0; i < 10; ++i)
    rope.push_back({9.5 - i, i % 2 == 0 ? 1.0 : -1.0, i < 5 ? 1.0 : -1.0 - 0.1 * i});
  const ProjectionResult result = project_rope(rope);
  ASSERT_EQ(result.status, ProjectionStatus::ok) << result.reason;
  EXPECT_EQ(result.p_data.crossings(), 9);
  for (int i = 1; i <= 9; ++i) {
    EXPECT_EQ(result.p_data.other(i), 19 - i);
    EXPECT_EQ(result.p_data.is_over(i), i < 6) << to_text(result.p_data);
  }
}

}  // namespace
}  // namespace prehend::knot
