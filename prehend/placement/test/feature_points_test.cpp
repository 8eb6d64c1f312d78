// The equations of N, 5.5.2 and 5.5.3, on random numbers; and that the printed ones are wrong where the headers say so.
#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/placement/source/feature_points.h>
#include <prehend/placement/source/pose_from_features.h>

namespace prehend::placement {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

double distance_to_line(const Vector3d& p, const PointPair& pair) {
  return (p - pair.q).cross((pair.r - pair.q).normalized()).norm();
}
double off(const Plane3& plane, const Vector3d& p) { return std::abs(plane.n.dot(p) - plane.d); }
double off(const Line3& line, const Vector3d& p) { return (line.foot(p) - p).norm(); }

Plane3 random_plane(math::RandomStream& random) {
  const Vector3d n = random.unit_vector();
  return {n, random.uniform(0.2, 1.0)};
}
Line3 random_line(math::RandomStream& random) {
  const Vector3d p = random.normal3();
  return {p, random.unit_vector()};
}

TEST(FeaturePoints, CoplanarFaces) {
  math::RandomStream random(1);
  for (int k = 0; k < 100; ++k) {
    const Plane3 plane = random_plane(random);
    const Vector3d com = random.normal3();
    const PointPair pair = on_coplanar_faces(plane, plane.n.unitOrthogonal(), com, 0.7);
    EXPECT_LT(off(plane, pair.q) + off(plane, pair.r), 1e-12);
    EXPECT_NEAR((pair.q - pair.r).norm(), 0.7, 1e-12);
    EXPECT_NEAR(distance_to_line(com, pair), off(plane, com), 1e-12);  // no line in the plane is nearer
  }
}

TEST(FeaturePoints, IntersectingFaces) {
  math::RandomStream random(2);
  int printed_is_right = 0;
  for (int k = 0; k < 100; ++k) {
    const Plane3 f1 = random_plane(random), f2 = random_plane(random);
    const Vector3d com = 0.1 * random.normal3();
    const double L = random.uniform(0.1, 2.0);
    const auto pair = on_intersecting_faces(f1, f2, com, L);
    ASSERT_TRUE(pair);
    EXPECT_LT(off(f1, pair->q) + off(f2, pair->r), 1e-9);
    EXPECT_NEAR((pair->q - pair->r).norm(), L, 1e-9 * (1 + L));
    // Both lie in the plane through the centre of mass across the common edge.
    const Vector3d g = f1.n.cross(f2.n).normalized();
    EXPECT_NEAR(g.dot(pair->q - com), 0.0, 1e-9);
    EXPECT_NEAR(g.dot(pair->r - com), 0.0, 1e-9);
    // (5.33) as printed divides by |o1 - o0|.
    const Vector3d o0 = com + [&] {
      Matrix3d A;
      A << f1.n.transpose(), f2.n.transpose(), g.transpose();
      return Vector3d(A.inverse() * Vector3d(f1.d - f1.n.dot(com), f2.d - f2.n.dot(com), 0));
    }();
    const Vector3d o1 = f1.foot(com);
    const Vector3d printed = o0 + L / (o1 - o0).norm() * (o1 - o0);
    printed_is_right += std::abs((printed - pair->r).norm() - L) < 1e-6 * L;
  }
  EXPECT_EQ(printed_is_right, 0);
}

TEST(FeaturePoints, FaceAndEdge) {
  math::RandomStream random(3);
  int found = 0;
  for (int k = 0; k < 200; ++k) {
    const Plane3 face = random_plane(random);
    Line3 edge = random_line(random);
    const bool is_parallel = k % 2 == 0;
    if (is_parallel) edge.u = (edge.u - face.n.dot(edge.u) * face.n).normalized();
    const Vector3d com = 0.3 * random.normal3();
    const double L = random.uniform(0.1, 4.0);
    const auto pair = on_face_and_edge(face, edge, com, L);
    if (!pair) {
      EXPECT_TRUE(is_parallel && L < off(face, edge.p));  // the face is out of reach
      continue;
    }
    ++found;
    EXPECT_LT(off(face, pair->q) + off(edge, pair->r), 1e-8);
    EXPECT_NEAR((pair->q - pair->r).norm(), L, 1e-8 * (1 + L));
    if (is_parallel) {
      // The foot of the centre of mass lies on the shadow of q-r on the face.
      EXPECT_LT(distance_to_line(face.foot(com), {pair->q, face.foot(pair->r)}), 1e-7);
    } else {
      // The centre of mass lies in the plane of the edge and q.
      const Vector3d m = edge.u.cross(pair->q - edge.p).normalized();
      EXPECT_NEAR(m.dot(com - edge.p), 0.0, 1e-7);
    }
  }
  EXPECT_GT(found, 120);
}

TEST(FeaturePoints, Edges) {
  math::RandomStream random(4);
  int found[3] = {0, 0, 0};
  for (int k = 0; k < 300; ++k) {
    const Line3 e1 = random_line(random);
    Line3 e2 = random_line(random);
    const int kind = k % 3;  // parallel, intersecting, skew
    if (kind == 0) e2.u = k % 2 ? e1.u : Vector3d(-e1.u);
    if (kind == 1) e2.p = e1.p + 0.3 * e1.u - 0.7 * e2.u;
    const Vector3d com = random.normal3();
    const double L = random.uniform(0.1, 4.0);
    const auto pair = on_edges(e1, e2, com, L);
    if (!pair) {
      const double least = kind == 0 ? off(e1, e2.p) : std::abs(e1.u.cross(e2.u).normalized().dot(e1.p - e2.p));
      EXPECT_LT(L, least + 1e-9);
      continue;
    }
    ++found[kind];
    EXPECT_LT(off(e1, pair->q) + off(e2, pair->r), 1e-8);
    EXPECT_NEAR((pair->q - pair->r).norm(), L, 1e-7 * (1 + L));
  }
  for (const int count : found) EXPECT_GT(count, 40);
}

TEST(FeaturePoints, NearestPointsOfTwoLines) {
  math::RandomStream random(5);
  int printed_is_right = 0;
  for (int k = 0; k < 100; ++k) {
    const Line3 a = random_line(random), b = random_line(random);
    const PointPair pair = nearest_points(a, b);
    EXPECT_NEAR((pair.q - pair.r).dot(a.u), 0.0, 1e-9);
    EXPECT_NEAR((pair.q - pair.r).dot(b.u), 0.0, 1e-9);
    const Vector3d w = a.p - b.p;
    const double c = a.u.dot(b.u);
    const double t1 = (c * b.u.dot(w) - a.u.dot(w)) / (c * (1.0 - c));  // (5.46) as printed
    printed_is_right += (a.p + t1 * a.u - pair.q).norm() < 1e-6;
  }
  EXPECT_EQ(printed_is_right, 0);
}

TEST(PoseFromFeatures, TurnsOneNormalToAnother) {
  math::RandomStream random(6);
  for (int k = 0; k < 100; ++k) {
    const Vector3d a = random.unit_vector();
    const Vector3d b = k == 0 ? a : k == 1 ? Vector3d(-a) : random.unit_vector();
    const Matrix3d R = turn_between(a, b);
    EXPECT_LT((R * a - b).norm(), 1e-12);
    EXPECT_LT((R * R.transpose() - Matrix3d::Identity()).norm(), 1e-12);
    EXPECT_NEAR(R.determinant(), 1.0, 1e-12);
  }
}

// A wedge of material about an edge along u, between two faces: which planes touch the edge alone? Asked of points of the material.
TEST(PoseFromFeatures, APlaneAffordsAnEdge) {
  math::RandomStream random(7);
  int printed_is_right = 0, cases = 0, afforded = 0;
  for (int k = 0; k < 400; ++k) {
    const Eigen::Quaterniond turn = random.rotation();
    const double inner = random.uniform(0.3, 2.8);  // [rad] of the material
    const Vector3d u = turn * Vector3d::UnitZ();
    // Material spans from angle 0 to `inner` about u; its faces are the half planes at both ends.
    const auto at_angle = [&](double angle) { return Vector3d(turn * Vector3d(std::cos(angle), std::sin(angle), 0)); };
    const Vector3d n_first = at_angle(-0.5 * M_PI), n_second = at_angle(inner + 0.5 * M_PI);
    // Seen from outside along u upwards, the face at angle 0 lies to the right when its material is at larger angles.
    const SideVectors sides = side_vectors(u, n_second, n_first);
    EXPECT_LT((sides.right - at_angle(0)).norm(), 1e-9);
    EXPECT_LT((sides.left - at_angle(inner)).norm(), 1e-9);
    const double angle = random.uniform(0.0, 2.0 * M_PI);
    const Vector3d n = at_angle(angle);
    bool is_above = true;
    for (int i = 0; i <= 50; ++i) is_above = is_above && n.dot(at_angle(inner * i / 50.0)) >= -1e-9;
    EXPECT_EQ(affords_edge(n, u, sides), is_above);
    afforded += is_above;
    // As printed, with one direction for both sides and the vertical for the edge.
    const Vector3d s1 = u.cross(n_first).normalized(), s2 = u.cross(n_second).normalized();
    const double pu = s1.cross(s2).z(), pv = n.cross(s2).z(), pw = n.cross(s1).z();
    printed_is_right += (pu * pv <= 0 && pu * pw >= 0) == is_above;
    ++cases;
    EXPECT_FALSE(affords_edge((n + 0.1 * u).normalized(), u, sides));
  }
  EXPECT_GT(afforded, 40);
  EXPECT_LT(printed_is_right, 0.9 * cases);
}

TEST(PoseFromFeatures, FourPointsMeet) {
  math::RandomStream random(8);
  for (int k = 0; k < 100; ++k) {
    const Vector3d pa = random.normal3(), n = random.unit_vector();
    ScenePoint a{pa, n}, b{pa + random.normal3(), n};
    PointPair pair{random.normal3(), Vector3d::Zero()};
    pair.r = pair.q + (a.p_W - b.p_W).norm() * random.unit_vector();
    Vector3d n_q = random.unit_vector();
    const bool is_square = k % 2 == 0;
    if (is_square) {  // both normals square to their lines: they become opposite
      a.n_W = (a.p_W - b.p_W).unitOrthogonal();
      n_q = (pair.q - pair.r).unitOrthogonal();
    }
    const auto X = pose_from_points(a, b, pair, n_q);
    ASSERT_TRUE(X);
    EXPECT_LT((*X * pair.q - a.p_W).norm(), 1e-12);
    EXPECT_LT((*X * pair.r - b.p_W).norm(), 1e-12);
    if (is_square) EXPECT_LT((X->q() * n_q + a.n_W).norm(), 1e-9);
    // Across the line they are opposite always.
    const Vector3d line = (a.p_W - b.p_W).normalized(), m = X->q() * n_q;
    EXPECT_LT(((m - m.dot(line) * line).normalized() + (a.n_W - a.n_W.dot(line) * line).normalized()).norm(), 1e-9);
  }
}

TEST(PoseFromFeatures, TwoIntersectingFacesBecomeFlush) {
  math::RandomStream random(9);
  for (int k = 0; k < 100; ++k) {
    const Vector3d m1 = random.unit_vector(), m2 = random.unit_vector();
    const Eigen::Quaterniond turn = random.rotation();
    const ScenePoint a{random.normal3(), turn * m1}, b{random.normal3(), turn * m2};
    const FlushFeature first{m1, random.normal3()}, second{m2, random.normal3()};
    const Vector3d com = random.normal3();
    const auto X = pose_from_planes(a, b, first, second, com);
    ASSERT_TRUE(X);
    EXPECT_LT((X->q() * m1 - a.n_W).norm() + (X->q() * m2 - b.n_W).norm(), 1e-7);
    EXPECT_NEAR(a.n_W.dot(*X * first.p - a.p_W), 0.0, 1e-8);
    EXPECT_NEAR(b.n_W.dot(*X * second.p - b.p_W), 0.0, 1e-8);
    const Vector3d g = a.n_W.cross(b.n_W).normalized();
    EXPECT_NEAR(g.dot(*X * com - 0.5 * (a.p_W + b.p_W)), 0.0, 1e-8);
  }
}

}  // namespace
}  // namespace prehend::placement
