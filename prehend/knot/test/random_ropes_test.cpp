// Thousands of random ropes: every code can be drawn, and what must not change it does not.
#include <algorithm>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/knot/projection.h>
#include <prehend/knot/test/ropes.h>

namespace prehend::knot {
namespace {

using Eigen::Vector3d;

// The polyline itself, from above, all pairs of segments one by one: the definition of the code and nothing else.
PData by_definition(const Points& rope) {
  struct Passage {
    double place;
    std::size_t crossing;
    bool over;
  };
  std::vector<Passage> passages;
  std::vector<int> sign;
  const auto cross = [](const Vector3d& a, const Vector3d& b) { return a.x() * b.y() - a.y() * b.x(); };
  for (std::size_t i = 0; i + 1 < rope.size(); ++i) {
    for (std::size_t j = i + 2; j + 1 < rope.size(); ++j) {
      const Vector3d u = rope[i + 1] - rope[i], v = rope[j + 1] - rope[j], w = rope[j] - rope[i];
      const double det = cross(u, v), t = cross(w, v) / det, r = cross(w, u) / det;
      if (!(t > 0 && t < 1 && r > 0 && r < 1)) continue;
      const bool i_over = rope[i].z() + t * u.z() > rope[j].z() + r * v.z();
      passages.push_back({static_cast<double>(i) + t, sign.size(), i_over});
      passages.push_back({static_cast<double>(j) + r, sign.size(), !i_over});
      sign.push_back((det > 0) == i_over ? 1 : -1);
    }
  }
  std::sort(passages.begin(), passages.end(),
            [](const Passage& a, const Passage& b) { return a.place < b.place; });
  PData data;
  for (const Passage& p : passages) {
    for (std::size_t k = 0; k < passages.size(); ++k) {
      if (passages[k].crossing == p.crossing && &passages[k] != &p)
        data.sigma.push_back(static_cast<int>(k) + 1);
    }
    data.attr.push_back(attribute_of(p.over, sign[p.crossing]));
  }
  return data;
}

std::string in_words(const Points& rope) {
  std::string text;
  for (const Vector3d& p : rope)
    text += std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z()) + "\n";
  return text;
}

Points turned_about_z(const Points& rope, double angle) {
  const Eigen::AngleAxisd turn(angle, Vector3d::UnitZ());
  Points turned;
  for (const Vector3d& p : rope) turned.push_back(turn * p);
  return turned;
}

// New points on the segments, which change nothing.
Points refined(const Points& rope, math::RandomStream& random) {
  Points finer;
  for (std::size_t i = 0; i + 1 < rope.size(); ++i) {
    finer.push_back(rope[i]);
    double t = 0;
    for (std::uint32_t k = random.below(3); k > 0; --k) {
      t += random.uniform(0.1, 0.4);
      finer.push_back(rope[i] + t * (rope[i + 1] - rope[i]));
    }
  }
  finer.push_back(rope.back());
  return finer;
}

void expect_laws(const Points& rope, math::RandomStream& random) {
  ProjectionOptions options;
  options.bulge_fraction = 0;  // the polyline is the rope
  options.noise = 0.0;
  options.view_W = Vector3d(0, 0, -1);
  const auto code = [&options](const Points& points) {
    const ProjectionResult result = project_rope(points, options);
    EXPECT_EQ(result.status, ProjectionStatus::ok) << result.reason;
    return result.p_data;
  };
  const PData data = code(rope);
  ASSERT_EQ(find_problem(data), "");
  ASSERT_EQ(data, by_definition(rope));
  ASSERT_EQ(code(turned_about_z(rope, random.uniform(0, 6))), data);
  ASSERT_EQ(code(refined(rope, random)), data);
  Points reversed(rope.rbegin(), rope.rend()), flipped = rope, moved = rope;
  ASSERT_EQ(code(reversed), swapped_ends(data));
  for (Vector3d& p : flipped) p.z() = -p.z();
  ASSERT_EQ(code(flipped), mirrored(data));
  // Scaled, and far away.
  for (Vector3d& p : moved) p = 1e-3 * p + Vector3d(20, -30, 10);
  ASSERT_EQ(code(moved), data);
  // Any view is the view from above of the rope turned with it.
  const Eigen::Quaterniond turn = random.rotation();
  for (Vector3d& p : moved) p = turn * p;
  options.view_W = turn * Vector3d(0, 0, -1);
  ASSERT_EQ(code(moved), data);
}

TEST(RandomRopes, SmoothOnes) {
  math::RandomStream random(21);
  int crossings = 0;
  for (int i = 0; i < 5000; ++i) {
    expect_laws(sampled(random_curve(random, 5), 0, 1, 60), random);
    crossings += project_rope(sampled(random_curve(random, 5), 0, 1, 60)).p_data.crossings();
    if (HasFatalFailure() || HasFailure()) return;
  }
  EXPECT_GT(crossings, 20000);
}

TEST(RandomRopes, RoughOnes) {
  math::RandomStream random(22);
  for (int i = 0; i < 5000; ++i) {
    expect_laws(random_walk(random, 5 + static_cast<int>(random.below(40))), random);
    if (HasFailure()) return;
  }
}

TEST(RandomRopes, LongOnes) {
  math::RandomStream random(23);
  for (int i = 0; i < 5; ++i) expect_laws(random_walk(random, 600), random);
  expect_laws(sampled(random_curve(random, 12), 0, 3, 1500), random);
}

// Points on a small grid: ends on strands, points on points, strands along strands, triple points everywhere. What is
// accepted must not depend on where the points lie exactly.
TEST(RandomRopes, OnAGridEitherRefusedOrSure) {
  math::RandomStream random(26);
  ProjectionOptions options;
  options.view_W = Vector3d(0, 0, -1);
  int accepted = 0, with_crossings = 0;
  for (int i = 0; i < 20000; ++i) {
    Points rope;
    const int size = 3 + static_cast<int>(random.below(3));
    const auto cell = [&] { return static_cast<double>(random.below(static_cast<std::uint32_t>(size))); };
    for (std::uint32_t k = 3 + random.below(8); k > 0; --k) {
      const Vector3d p(cell(), cell(), cell());
      // Not along the looking direction: shaken, such a piece may show a loop.
      if (rope.empty() || rope.back().head<2>() != p.head<2>()) rope.push_back(p);
    }
    if (rope.size() < 2) continue;
    const ProjectionResult result = project_rope(rope, options);
    if (result.status != ProjectionStatus::ok) {
      EXPECT_FALSE(result.reason.empty());
      continue;
    }
    ++accepted;
    with_crossings += result.p_data.crossings() > 0;
    for (int shake = 0; shake < 4; ++shake) {
      Points shaken = rope;
      for (Vector3d& p : shaken) p += 1e-6 * random.normal3();
      ASSERT_EQ(to_text(by_definition(shaken)), to_text(result.p_data)) << in_words(rope);
    }
  }
  EXPECT_GT(accepted, 2000);
  EXPECT_GT(with_crossings, 500);
}

// A smooth rope keeps its code when it is sampled more densely or its points shake a little, wherever the code is clear:
// the nearest thing that could change it must be farther away than the shaking.
TEST(RandomRopes, SmallSmoothChangesKeepTheCode) {
  math::RandomStream random(24);
  int kept = 0, tried = 0;
  for (int i = 0; i < 300; ++i) {
    const auto curve = random_curve(random, 3), shake = random_curve(random, 3);
    const auto shaken = [&](double t) { return Vector3d(curve(t) + 1e-7 * shake(t)); };
    ProjectionOptions clear;
    clear.plane_tolerance = 1e-6;
    clear.height_tolerance = 1e-5;
    clear.view_W = Vector3d(0, 0, -1);
    const ProjectionResult before = project_rope(sampled(curve, 0, 1, 200), clear);
    ++tried;
    if (before.status != ProjectionStatus::ok) continue;
    const ProjectionResult after = project_rope(sampled(shaken, 0, 1, 200));
    ASSERT_EQ(after.p_data, before.p_data);
    ++kept;
  }
  EXPECT_GT(kept, tried * 9 / 10);
}

TEST(RandomRopes, DenserPointsKeepTheCodeOrItWasRefused) {
  math::RandomStream random(25);
  int same = 0, refused = 0, different = 0;
  ProjectionOptions strict;
  strict.bulge_fraction = 1;
  for (int i = 0; i < 500; ++i) {
    const auto curve = random_curve(random, 3);
    const ProjectionResult coarse = project_rope(sampled(curve, 0, 1, 80), strict);
    const ProjectionResult fine = project_rope(sampled(curve, 0, 1, 2000));
    if (coarse.status != ProjectionStatus::ok) {
      ++refused;
    } else {
      ++(coarse.p_data == fine.p_data ? same : different);
    }
  }
  RecordProperty("same", same);
  RecordProperty("refused", refused);
  RecordProperty("different", different);
  // Crossings may still appear where strands graze each other in the view: heights alone are guarded.
  EXPECT_GT(same, 440);
  EXPECT_LT(different, 30);
}

}  // namespace
}  // namespace prehend::knot
