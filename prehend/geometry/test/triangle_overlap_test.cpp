#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/geometry/surface/triangle_overlap.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

struct Triangle {
  Vector3d a, b, c;
  TriangleCorners corners() const { return {{&a, &b, &c}}; }
};

// Both operands, both orders, and scaled and moved by powers of two (which is exact).
void expect_meet(const Triangle& s, const Triangle& t, bool expected) {
  for (double scale : {1.0, 0x1p-10, 0x1p10}) {
    for (double offset : {0.0, 0x1p14}) {
      const auto moved = [&](const Triangle& x) {
        const Vector3d o = Vector3d(offset, -offset, 2 * offset);
        return Triangle{scale * (x.a + o), scale * (x.b + o), scale * (x.c + o)};
      };
      const Triangle p = moved(s), q = moved(t);
      EXPECT_EQ(triangles_meet(p.corners(), q.corners()), expected);
      EXPECT_EQ(triangles_meet(q.corners(), p.corners()), expected);
    }
  }
}

const Triangle kGround{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};

TEST(TriangleOverlap, CrossingAndSeparateInSpace) {
  expect_meet(kGround, {{1, 1, -1}, {1, 1, 1}, {8, 8, 1}}, true);
  expect_meet(kGround, {{1, 1, 1}, {2, 1, 1}, {1, 2, 3}}, false);
  expect_meet(kGround, {{3, 3, -1}, {3, 3, 1}, {8, 8, 1}}, false);  // crosses the plane outside
  // Through the hole of neither: boxes overlap, planes cross, triangles do not.
  expect_meet(kGround, {{2.5, 2.5, -1}, {2.5, 2.5, 1}, {2.2, 2.2, 0.5}}, false);
}

TEST(TriangleOverlap, TouchingCounts) {
  expect_meet(kGround, {{1, 1, 0}, {1, 1, 1}, {2, 1, 1}}, true);     // vertex on the inside
  expect_meet(kGround, {{4, 0, 0}, {5, 0, 1}, {5, 1, 1}}, true);     // vertex on vertex
  expect_meet(kGround, {{2, -1, -1}, {2, 1, 1}, {9, -9, 3}}, true);  // edge on edge, crossing at (2, 0, 0)
  expect_meet(kGround, {{1, 1, 0x1p-30}, {1, 1, 1}, {2, 1, 1}}, false);
}

TEST(TriangleOverlap, CoplanarOverlapTouchAndApart) {
  expect_meet(kGround, {{1, 1, 0}, {1.5, 1, 0}, {1, 1.5, 0}}, true);  // inside
  expect_meet(kGround, {{-1, 1, 0}, {5, 1, 0}, {2, 1.25, 0}}, true);  // across
  expect_meet(kGround, {{4, 0, 0}, {8, 0, 0}, {4, 4, 0}}, true);      // corner on corner
  expect_meet(kGround, {{2, 2, 0}, {8, 0, 0}, {4, 4, 0}}, true);      // corner on the hypotenuse
  expect_meet(kGround, {{4.5, 0, 0}, {8, 0, 0}, {4.5, 4, 0}}, false);
  expect_meet(kGround, {{2.5, 2, 0}, {4, 2, 0}, {4, 4, 0}}, false);
}

TEST(TriangleOverlap, BeyondASharedEdgeOnlyFoldsCount) {
  const auto beyond = [](const Vector3d& c, const Vector3d& d) {
    const Triangle s{{0, 0, 0}, {1, 0, 0}, c}, t{{0, 0, 0}, {1, 0, 0}, d};
    return triangles_meet_beyond_edge(s.corners(), t.corners());
  };
  EXPECT_FALSE(beyond({0, 1, 0}, {0, -1, 0}));
  EXPECT_FALSE(beyond({0, 1, 0}, {0, 1, 1e-9}));
  EXPECT_FALSE(beyond({0, 1, 0}, {0, 0, 1}));
  EXPECT_TRUE(beyond({0, 1, 0}, {0.3, 0.5, 0}));
  EXPECT_TRUE(beyond({0, 1, 0}, {5, 1e-9, 0}));
}

TEST(TriangleOverlap, BeyondASharedVertex) {
  const auto beyond = [](const Vector3d& p, const Vector3d& q, const Vector3d& r, const Vector3d& s) {
    const Triangle a{{0, 0, 0}, p, q}, b{{0, 0, 0}, r, s};
    const bool found = triangles_meet_beyond_vertex(a.corners(), b.corners());
    EXPECT_EQ(triangles_meet_beyond_vertex(b.corners(), a.corners()), found);
    return found;
  };
  EXPECT_FALSE(beyond({1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}));
  EXPECT_FALSE(beyond({1, 0, 0}, {0, 1, 0}, {-1, 0, 1}, {0, -1, 1}));
  EXPECT_FALSE(beyond({1, 0, 0}, {0, 1, 0}, {1, 1, 1}, {1, 1, 2}));  // stands on the vertex, above
  EXPECT_TRUE(beyond({1, 0, 0}, {0, 1, 0}, {1, 1, -1}, {1, 1, 1}));  // cuts through
  EXPECT_TRUE(beyond({1, 0, 0}, {0, 1, 0}, {9, 9, -1}, {9, 9, 1}));  // larger than the other
  EXPECT_TRUE(beyond({1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {-1, 1, 0}));  // coplanar overlap
  EXPECT_TRUE(beyond({1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {0, 0, 1}));   // along an edge
  EXPECT_FALSE(beyond({1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {1, -1, 0}));
}

// Against the closest points of the two triangles, found by brute force over their edges in double.
TEST(TriangleOverlap, AgreesWithAnIndependentTestOnRandomTriangles) {
  math::RandomStream random(7);
  const auto random_triangle = [&] {
    const auto point = [&] { return Vector3d(random.uniform(), random.uniform(), random.uniform()); };
    return Triangle{point(), point(), point()};
  };
  // Moeller's route: intervals on the common line of the two planes.
  const auto meets_by_intervals = [](const Triangle& s, const Triangle& t) {
    const Vector3d ns = (s.b - s.a).cross(s.c - s.a), nt = (t.b - t.a).cross(t.c - t.a), line = ns.cross(nt);
    const auto interval = [&](const Triangle& x, const Vector3d& n, const Vector3d& origin,
                              double(&range)[2]) {
      const Vector3d corners[3] = {x.a, x.b, x.c};
      int count = 0;
      for (int k = 0; k < 3; ++k) {
        const Vector3d &p = corners[k], &q = corners[(k + 1) % 3];
        const double dp = n.dot(p - origin), dq = n.dot(q - origin);
        if (dp * dq < 0 && count < 2) range[count++] = line.dot(p + (q - p) * (dp / (dp - dq)));
      }
      if (range[0] > range[1]) std::swap(range[0], range[1]);
      return count == 2;
    };
    double rs[2] = {}, rt[2] = {};
    return interval(s, nt, t.a, rs) && interval(t, ns, s.a, rt) && rs[0] <= rt[1] && rt[0] <= rs[1];
  };
  int met = 0;
  for (int i = 0; i < 20000; ++i) {
    const Triangle s = random_triangle(), t = random_triangle();
    const bool found = triangles_meet(s.corners(), t.corners());
    EXPECT_EQ(found, meets_by_intervals(s, t)) << i;
    met += found;
  }
  EXPECT_GT(met, 1000);
  EXPECT_LT(met, 19000);
}

TEST(TriangleOverlap, CollinearIsExact) {
  EXPECT_TRUE(is_collinear({0, 0, 0}, {1, 2, 3}, {3, 6, 9}));
  EXPECT_TRUE(is_collinear({1, 1, 1}, {1, 1, 1}, {5, 6, 7}));
  EXPECT_FALSE(is_collinear({0, 0, 0}, {1, 2, 3}, {3, 6, 9.000000000000002}));
}

}  // namespace
}  // namespace prehend::geometry
