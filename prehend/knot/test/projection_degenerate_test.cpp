// What must be refused with a sentence, and what only looks degenerate.
#include <gtest/gtest.h>

#include <prehend/knot/projection.h>
#include <prehend/knot/test/ropes.h>

namespace prehend::knot {
namespace {

using Eigen::Vector3d;

ProjectionResult from_above(const Points& rope) {
  ProjectionOptions options;
  options.view_W = Vector3d(0, 0, -1);
  return project_rope(rope, options);
}

void expect_refused(const Points& rope, ProjectionStatus status, const std::string& sentence) {
  for (const double scale : {1e-3, 1.0, 1e3}) {
    for (const Vector3d& shift : {Vector3d(0, 0, 0), Vector3d(100, -50, 30)}) {
      Points moved = rope;
      for (Vector3d& p : moved) p = scale * (p + shift);
      const ProjectionResult result = from_above(moved);
      EXPECT_EQ(result.status, status) << scale << " " << result.reason << to_text(result.p_data);
      EXPECT_NE(result.reason.find(sentence), std::string::npos) << result.reason;
      EXPECT_EQ(result.p_data.passages(), 0);
    }
  }
}

// A loop whose crossing lies at (1, 0), over at the end.
const Points kLoop{{0, 0, 0}, {2, 0, 0}, {2, 1, 0.5}, {1, 1, 1}, {1, -1, 1}};

TEST(DegenerateView, EndOnAStrand) {
  Points rope = kLoop;
  rope.back().y() = 0;
  expect_refused(rope, ProjectionStatus::degenerate_view,
                 "the rope's last end lies on a strand, at points 1 to 2");
  std::reverse(rope.begin(), rope.end());
  expect_refused(rope, ProjectionStatus::degenerate_view, "the rope's first end lies on a strand");
  rope.front().y() = -1e-12;
  expect_refused(rope, ProjectionStatus::degenerate_view, "the rope's first end lies on a strand");
  // Without a wanted view, a tilt makes it clear, and is said. The end stands above the strand, so which code comes out
  // depends on the tilt; it must be one of the two.
  const ProjectionResult tilted = project_rope(rope);
  EXPECT_EQ(tilted.status, ProjectionStatus::ok);
  EXPECT_GT(tilted.tilt, 0);
  ASSERT_FALSE(tilted.notes.empty());
  EXPECT_NE(tilted.notes[0].find("tilted by"), std::string::npos) << tilted.notes[0];
  EXPECT_LE(tilted.p_data.crossings(), 1);
}

TEST(DegenerateView, ClosedLoop) {
  expect_refused({{0, 0, 0}, {1, 0, 0}, {1, 1, 1}, {0, 0, 0}}, ProjectionStatus::degenerate_view,
                 "the rope's two ends lie on each other; a rope has a gap there");
}

TEST(DegenerateView, TouchingStrands) {
  Points rope = kLoop;
  for (Vector3d& p : rope) p.z() = 0;
  expect_refused(rope, ProjectionStatus::touching, "touch: at their crossing the heights differ by 0 m");
  rope[3].z() = rope[4].z() = 1e-9;
  expect_refused(rope, ProjectionStatus::touching, "the strands at points 1 to 2 and points 4 to 5 touch");
  EXPECT_EQ(project_rope(rope).status, ProjectionStatus::touching);  // no tilt hides it
  // Passing twice through one point of space.
  expect_refused({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 1}, {1, 1, 1}, {1, 0, 0}, {1, -1, 0}},
                 ProjectionStatus::touching, "touch");
}

TEST(DegenerateView, TouchWithoutCrossing) {
  expect_refused({{0, 0, 0}, {2, 0, 0}, {2, 1, 1}, {1, 0, 1}, {0, 1, 1}}, ProjectionStatus::degenerate_view,
                 "strands touch without clearly crossing at points 1 to 2 and point 4");
  expect_refused({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 1}, {1, 1e-11, 1}, {0, 1, 1}},
                 ProjectionStatus::degenerate_view,
                 "strands touch without clearly crossing at point 2 and point 5");
}

TEST(DegenerateView, StrandsAlongEachOther) {
  expect_refused({{0, 0, 0}, {3, 0, 0}, {3, 1, 1}, {2.5, 0, 1}, {0.5, 0, 1}, {0, 1, 1}},
                 ProjectionStatus::degenerate_view, "two strands lie along each other");
  expect_refused({{0, 0, 0}, {2, 0, 0}, {1, 0, 1}}, ProjectionStatus::degenerate_view,
                 "the rope turns straight back on itself at point 2");
  expect_refused({{0, 0, 0}, {2, 0, 0}, {2, 1, 1}, {1, 1, 1}, {1, 0, 1}, {-1, 0, 1}},
                 ProjectionStatus::degenerate_view, "two strands lie along each other");
}

TEST(DegenerateView, ThreeStrandsInOnePoint) {
  expect_refused({{-1, 0, 0}, {1, 0, 0}, {1, 1, 1}, {-1, -1, 1}, {0, -2, 2}, {0, 2, 2}},
                 ProjectionStatus::degenerate_view, "two crossings fall together");
}

TEST(DegenerateView, CrossingsAtPointsOfThePolylineAreClear) {
  const PData expected{{2, 1}, {4, 3}};
  // A point of the one strand, of the other, and of both, at the crossing.
  for (const bool lower : {false, true}) {
    for (const bool upper : {false, true}) {
      Points rope{{0, 0, 0}};
      if (lower) rope.push_back({1, 0, 0});
      rope.insert(rope.end(), {{2, 0, 0}, {2, 1, 0.5}, {1, 1, 1}});
      if (upper) rope.push_back({1, 0, 1});
      rope.push_back({1, -1, 1});
      const ProjectionResult result = from_above(rope);
      ASSERT_EQ(result.status, ProjectionStatus::ok) << lower << upper << result.reason;
      EXPECT_EQ(result.p_data, expected);
      // Bent there, both ways.
      for (const double bend : {-0.3, 0.3}) {
        Points bent = rope;
        bent.front().y() += bend;
        bent.back().x() += bend;
        EXPECT_EQ(from_above(bent).p_data, expected) << lower << upper << bend;
      }
    }
  }
}

TEST(DegenerateView, RopeAlongTheLookingDirection) {
  // A step straight up between two level pieces, away from the crossing and at it.
  const PData expected{{2, 1}, {4, 3}};
  EXPECT_EQ(from_above({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 1, 1}, {1, 1, 1}, {1, -1, 1}}).p_data, expected);
  const std::vector<std::string> notes =
      from_above({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 1, 1}, {1, 1, 1}, {1, -1, 1}}).notes;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("1 piece runs along the looking direction"), std::string::npos);
  EXPECT_EQ(from_above({{0, 0, 0}, {2, 0, 0}, {2, 1, 1}, {1, 1, 1}, {1, 0, 1}, {1, 0, 2}, {1, -1, 2}}).p_data,
            expected);
  EXPECT_EQ(
      from_above({{0, 0, 0}, {2, 0, 0}, {2, 1, 1}, {1, 1, 1}, {1, 0, 1}, {1, 1e-11, 2}, {1, -1, 2}}).p_data,
      expected);
  // Straight down through the other strand.
  expect_refused({{0, 0, 0}, {2, 0, 0}, {2, 1, 1}, {1, 1, 1}, {1, 0, 1}, {1, 0, -1}, {1, -1, -1}},
                 ProjectionStatus::touching, "touch");
  // Nothing but that: a rope seen end on has no crossings.
  EXPECT_EQ(from_above({{0, 0, 0}, {0, 0, 1}}).p_data.passages(), 0);
}

TEST(DegenerateView, RepeatedPointsAreLeftOutAndSaid) {
  Points rope;
  for (const Vector3d& p : kLoop) rope.insert(rope.end(), {p, p});
  const ProjectionResult result = from_above(rope);
  EXPECT_EQ(result.p_data, (PData{{2, 1}, {4, 3}}));
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0], "5 points repeat the ones before them and are left out");
  EXPECT_EQ(project_rope(Points(5, Vector3d(1, 2, 3))).status, ProjectionStatus::no_rope);
}

TEST(DegenerateView, TooCoarseForItsHeights) {
  // Strands 1 mm apart on a helix-like rope. With enough points it is clear; with few the chords may be off by more.
  const auto curve = [](double t) {
    return Vector3d(std::cos(t), std::sin(2 * t), 5e-4 * t * t + 0.2 * std::sin(2 * t) * std::sin(2 * t));
  };
  int coarse = 0;
  ProjectionOptions strict;
  strict.bulge_fraction = 1;
  const ProjectionResult fine = project_rope(sampled(curve, 0.3, 5.5, 2000), strict);
  ASSERT_EQ(fine.status, ProjectionStatus::ok) << fine.reason;
  for (int points = 12; points < 400; points += 1) {
    const ProjectionResult result = project_rope(sampled(curve, 0.3, 5.5, points), strict);
    if (result.status == ProjectionStatus::ok && points > 20) {
      EXPECT_EQ(result.p_data, fine.p_data) << points;
    }
    if (result.status == ProjectionStatus::too_coarse) {
      ++coarse;
      EXPECT_NE(result.reason.find("sample it more densely"), std::string::npos);
    }
  }
  EXPECT_GT(coarse, 5);
}

TEST(DegenerateView, OptionsAndInputAreChecked) {
  const auto message = [](ProjectionOptions options, const Points& rope) -> std::string {
    try {
      project_rope(rope, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  ProjectionOptions options;
  EXPECT_NE(message(options, {Vector3d(0, 0, 0)}).find("has 1 points"), std::string::npos);
  EXPECT_NE(
      message(options, {Vector3d(0, 0, 0), Vector3d(0, NAN, 0)}).find("point 2 of the rope is not finite"),
      std::string::npos);
  options.view_W = Vector3d(0, 0, 0);
  EXPECT_NE(message(options, kLoop).find("not a direction"), std::string::npos);
  options = {};
  options.plane_tolerance = 0;
  EXPECT_NE(message(options, kLoop).find("plane_tolerance is 0; it must be between"), std::string::npos);
  options = {};
  options.max_crossings = 10;
  math::RandomStream random(1);
  const ProjectionResult many = project_rope(random_walk(random, 500), options);
  EXPECT_EQ(many.status, ProjectionStatus::no_rope);
  EXPECT_NE(many.reason.find("more than 10 times"), std::string::npos);
}

}  // namespace
}  // namespace prehend::knot
