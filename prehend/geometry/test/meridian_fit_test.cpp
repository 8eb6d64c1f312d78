// Turned bodies from meshes whose vertices stand in no rings: places and steps are random, and the surface is known.
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/primitives.h>
#include <prehend/geometry/round_shape.h>
#include <prehend/math/angles.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// A meridian from axis to axis by its corners, cut into steps of about `step` [m]; or an ellipse.
struct Outline {
  std::vector<Vector2d> corners;
  Vector2d ellipse{Vector2d::Zero()};

  // Rows of places, and whether a row may move along the meridian.
  std::vector<std::pair<Vector2d, Vector2d>> rows(double step) const {
    std::vector<std::pair<Vector2d, Vector2d>> made;  // a place, and the way to the next
    if (corners.empty()) {
      const int count = static_cast<int>(std::ceil(2.0 * ellipse.maxCoeff() / step)) + 4;
      for (int i = 1; i < count; ++i) {
        const double angle = math::kPi * i / count;
        made.push_back({{angle, 0.0}, {math::kPi / count, 0.0}});
      }
      return made;
    }
    for (std::size_t k = 0; k + 1 < corners.size(); ++k) {
      const Vector2d way = corners[k + 1] - corners[k];
      const int count = std::max(1, static_cast<int>(std::round(way.norm() / step)));
      for (int i = k == 0 ? 1 : 0; i < count; ++i)
        made.push_back({corners[k] + way * i / count, i == 0 ? Vector2d(0, 0) : Vector2d(way / count)});
    }
    return made;
  }
  Vector2d place(const std::pair<Vector2d, Vector2d>& row, double share) const {
    const Vector2d p = row.first + share * row.second;
    return corners.empty() ? Vector2d(ellipse.x() * std::sin(p.x()), -ellipse.y() * std::cos(p.x())) : p;
  }
};

TriangleMesh irregular(const Outline& outline, double step, int sides, std::uint64_t seed) {
  math::RandomStream random(seed, 0);
  TriangleMesh mesh;
  const Vector2d first =
                     outline.corners.empty() ? Vector2d(0, -outline.ellipse.y()) : outline.corners.front(),
                 last = outline.corners.empty() ? Vector2d(0, outline.ellipse.y()) : outline.corners.back();
  mesh.vertices.emplace_back(0, 0, first.y());
  const auto rows = outline.rows(step);
  for (const auto& row : rows) {
    const double start = random.uniform(0.0, 0.3);
    for (int k = 0; k < sides; ++k) {
      const Vector2d p = outline.place(row, random.uniform(-0.3, 0.3));
      const double angle = 2.0 * math::kPi * (k + start + random.uniform(-0.25, 0.25)) / sides;
      mesh.vertices.emplace_back(p.x() * std::cos(angle), p.x() * std::sin(angle), p.y());
    }
  }
  mesh.vertices.emplace_back(0, 0, last.y());
  const auto at = [&](std::size_t row, int k) { return static_cast<int>(1 + row * sides + (k % sides)); };
  for (int k = 0; k < sides; ++k) {
    mesh.triangles.emplace_back(0, at(0, k + 1), at(0, k));
    for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
      const bool is_turned = random.uniform(0.0, 1.0) < 0.5;
      const int a = at(r, k), b = at(r, k + 1), c = at(r + 1, k), d = at(r + 1, k + 1);
      mesh.triangles.emplace_back(a, b, is_turned ? c : d);
      mesh.triangles.emplace_back(is_turned ? b : a, d, c);
    }
    mesh.triangles.emplace_back(static_cast<int>(mesh.vertices.size()) - 1, at(rows.size() - 1, k),
                                at(rows.size() - 1, k + 1));
  }
  return mesh;
}

math::Pose anywhere(std::uint64_t seed) {
  math::RandomStream random(seed, 1);
  Eigen::Vector4d q;
  for (int k = 0; k < 4; ++k) q[k] = random.normal();
  return {Eigen::Quaterniond(q.normalized()), Vector3d(0.3, -2.0, 1.0)};
}

const std::vector<std::pair<std::string, Outline>> kOutlines{
    {"can", {{{0, 0}, {.033, 0}, {.033, .12}, {0, .12}}}},
    {"cone", {{{0, 0}, {.04, 0}, {.015, .09}, {0, .09}}}},
    {"cup", {{{0, 0}, {.03, 0}, {.04, .09}, {.037, .09}, {.0273, .004}, {0, .004}}}},
    {"egg", {{}, {.03, .05}}},
    {"lens", {{}, {.05, .02}}}};

TEST(MeridianFit, IrregularMeshesOfTurnedBodies) {
  for (const auto& [name, outline] : kOutlines) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const TriangleMesh mesh = transformed(irregular(outline, .006, 36, seed), anywhere(seed));
      const TurnedMesh turned = recognise_turned(mesh);
      ASSERT_EQ(turned.parts.size(), 1u) << name << seed;
      const RecognisedRound& round = turned.parts[0].round;
      EXPECT_LT(round.deviation, 4e-4 * .15) << name << seed;
      // Places of the true surface, seen by the shape that was found.
      for (const Vector2d& p : outline.corners)
        EXPECT_NEAR(round.shape.distance(round.X_MS.inverse() * (anywhere(seed) * Vector3d(p.x(), 0, p.y()))),
                    0.0, 1e-4)
            << name << seed;
      for (double angle = 0.1; outline.corners.empty() && angle < math::kPi; angle += 0.1) {
        const Vector3d p(0, outline.ellipse.x() * std::sin(angle), outline.ellipse.y() * std::cos(angle));
        EXPECT_NEAR(round.shape.distance(round.X_MS.inverse() * (anywhere(seed) * p)), 0.0, 5e-5)
            << name << seed;
      }
    }
  }
}

TEST(MeridianFit, OthersAreNone) {
  const auto parts = [](const TriangleMesh& mesh) { return recognise_turned(mesh).parts.size(); };
  TriangleMesh oval = irregular(kOutlines[2].second, .006, 36, 5);
  for (Vector3d& p : oval.vertices) p.y() *= 1.02;
  EXPECT_EQ(parts(oval), 0u);
  TriangleMesh bent = irregular(kOutlines[0].second, .006, 36, 6);
  for (Vector3d& p : bent.vertices) p.x() += p.z() * p.z();
  EXPECT_EQ(parts(bent), 0u);
  // A post whose flat sides are divided: its vertices lie on no circle.
  TriangleMesh post = irregular(kOutlines[0].second, .006, 80, 7);
  for (Vector3d& p : post.vertices) {
    const double angle = std::atan2(p.y(), p.x()), side = math::kPi / 10;
    const double off = angle - 2.0 * side * std::round(angle / (2.0 * side));
    p.head<2>() *= std::cos(side) / std::cos(off);
  }
  EXPECT_EQ(parts(post), 0u);
  EXPECT_EQ(parts(irregular(kOutlines[0].second, .006, 12, 8)), 0u);  // a post of twelve sides
  // Where the flat foot of a bowl ends, no vertex tells.
  Outline bowl{{{0, 0}, {.03, 0}}};
  for (int i = 1; i <= 24; ++i) {
    const double angle = math::kPi / 48 * i;
    bowl.corners.emplace_back(.03 + .06 * std::sin(angle), .06 - .06 * std::cos(angle));
  }
  bowl.corners.emplace_back(0, .06);
  EXPECT_EQ(parts(irregular(bowl, .006, 48, 9)), 0u);
}

}  // namespace
}  // namespace prehend::geometry
