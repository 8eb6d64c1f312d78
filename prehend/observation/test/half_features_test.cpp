// Singular features (Takamatsu 2004, appendix B): second-order distances against the least distance of the moved bodies, by search.
#include <cmath>
#include <cstdlib>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "finite_gap.h"
#include <prehend/math/random.h>
#include <prehend/observation/second/contact_pieces.h>

namespace prehend::observation {
namespace {

using namespace test;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::Vector6d;

// One side: a body, and the part of it that is there.
struct Part {
  Body body;
  std::vector<Vector3d> inside;  // y from the point of contact is on it where all products are not negative
};

Part random_part(const std::string& what, const Vector3d& n, double sign, double least,
                 math::RandomStream& random, ContactSide& side) {
  Part part;
  const Vector3d t = Eigen::AngleAxisd(random.uniform(0.0, 6.28), n) * n.unitOrthogonal();
  const Vector3d other = n.cross(t);
  if (what == "vertex") return part;
  if (what == "edge" || what == "half_edge") {
    part.body.kind = Body::edge;
    const Vector3d kp = sign * (least + random.uniform(0.0, 1.5)) * n + random.uniform(-1.0, 1.0) * other;
    part.body.t = t.cast<Real>();
    part.body.kp = kp.cast<Real>();
    side.tangent_W = t;
    side.edge_curvature_W = kp;
    if (what == "half_edge") part.inside = {t};
    return part;
  }
  part.body.kind = Body::face;
  const Matrix3d m = (least + random.uniform(0.0, 1.5)) * t * t.transpose() +
                     (least + random.uniform(0.0, 1.5)) * other * other.transpose();
  part.body.m = m.cast<Real>();
  side.face_curvature_W = m;
  if (what == "half_face") {
    const Vector3d inward = Eigen::AngleAxisd(random.uniform(0.0, 6.28), n) * t;
    side.inward_W = inward;
    part.inside = {inward};
  } else if (what == "quarter_face") {
    const double start = random.uniform(0.0, 6.28), open = random.uniform(0.6, 2.4);
    const Vector3d t1 = Eigen::AngleAxisd(start, n) * t, t2 = Eigen::AngleAxisd(start + open, n) * t;
    side.tangents_W = {t1, t2};
    part.inside = {n.cross(t1), t2.cross(n)};
  }
  return part;
}

bool is_on(const Part& part, const Vec3& y) {
  for (const Vector3d& inward : part.inside)
    if (inward.cast<Real>().dot(y) < -1e-16L) return false;
  return true;
}

// The least gap over places where both parts are; nothing where there is none. `reach` in multiples of theta.
std::optional<Real> least_gap(const FinitePair& finite, const Part& moving, const Part& fixed, const Mat4& X,
                              const Vec3& n, const Vec3& xc, Real theta) {
  const Vec3 e1 = n.unitOrthogonal(), e2 = n.cross(e1);
  const Mat3 R = X.topLeftCorner<3, 3>();
  const Vec3 p = X.topRightCorner<3, 1>();
  const bool moving_curve = moving.body.kind != Body::face, fixed_curve = fixed.body.kind != Body::face;
  // The gap at parameters (a, b), where both parts are.
  const auto gap_at = [&](Real a, Real b) -> std::optional<Real> {
    if (!moving_curve && !fixed_curve) {
      const Vec2 q(a, b);
      const Real high = finite.moving_face(q), low = finite.fixed_face(q);
      const Vec3 y = R.transpose() * (e1 * a + e2 * b + n * high + xc - p) - xc;
      if (!is_on(moving, y) || !is_on(fixed, e1 * a + e2 * b)) return std::nullopt;
      return high - low;
    }
    const Real l = a;
    if (moving_curve) {
      const Vec3 y = moving.body.t * l + moving.body.kp * (l * l / 2), x = finite.moving_point(l);
      if (!is_on(moving, y) || !is_on(fixed, x)) return std::nullopt;
      return finite.height(x) - finite.fixed_face(finite.place(x));
    }
    const Vec3 x = finite.fixed_point(l);
    const Real high = finite.moving_face(finite.place(x));
    const Vec3 y = R.transpose() * (x - n * n.dot(x) + n * high + xc - p) - xc;
    if (!is_on(fixed, x) || !is_on(moving, y)) return std::nullopt;
    return high - finite.height(x);
  };
  const bool is_line = moving_curve || fixed_curve;
  // Edges that leave a part at a small angle do so far away.
  Real at_a = 0, at_b = 0, half = (is_line ? 100 : 12) * theta;
  std::optional<Real> best;
  for (int level = 0; level < (is_line ? 9 : 16); ++level) {
    const int count = is_line ? 200 : level == 0 ? 60 : 16;
    const Real from_a = at_a - half, from_b = at_b - half;
    for (int i = 0; i <= count; ++i) {
      for (int j = 0; j <= (is_line ? 0 : count); ++j) {
        const Real a = from_a + 2 * half * i / count, b = is_line ? 0 : from_b + 2 * half * j / count;
        const std::optional<Real> gap = gap_at(a, b);
        if (gap && (!best || *gap < *best)) {
          best = gap;
          at_a = a;
          at_b = b;
        }
      }
    }
    half *= is_line ? 0.05L : 0.5L;
  }
  // Far away, where an edge leaves a part at a small angle, the third order moves that place: not compared.
  if (is_line && std::abs(at_a) > 20 * theta) return std::nullopt;
  return best;
}

// The share of directions of the plane that lie in both parts.
double common_share(const Part& a, const Part& b, const Vector3d& n) {
  int common = 0;
  constexpr int kDirections = 720;
  for (int k = 0; k < kDirections; ++k) {
    const Vector3d direction =
        Eigen::AngleAxisd(k * 2.0 * 3.14159265358979 / kDirections, n) * n.unitOrthogonal();
    common += is_on(a, direction.cast<Real>()) && is_on(b, direction.cast<Real>());
  }
  return static_cast<double>(common) / kDirections;
}

class HalfFeature : public testing::TestWithParam<const char*> {};

TEST_P(HalfFeature, EqualsTheLeastDistanceOfTheMovedBodies) {
  const int count = std::getenv("PREHEND_SLOW") != nullptr ? 2000 : 25;
  const std::string type = GetParam();
  int checked = 0, none = 0, wrong = 0;
  double largest = 0.0;
  for (int trial = 0; trial < count; ++trial) {
    math::RandomStream random(53, static_cast<std::uint64_t>(trial));
    const Vector3d n = random.unit_vector(), xc = random.normal3();
    Contact contact{type, {xc}, {n}};
    const Part moving = random_part(type.substr(0, type.find('-')), n, 1.0, 0.0, random, contact.moving),
               fixed = random_part(type.substr(type.find('-') + 1), n, -1.0, 0.5, random, contact.fixed);
    // A grid of places misses thin wedges; tests/freedom_second_cli_test.py compares those with an optimality condition.
    if (moving.body.kind == Body::face && fixed.body.kind == Body::face &&
        common_share(moving, fixed, n) < 0.05) {
      ++none;
      continue;
    }
    Eigen::Matrix<double, 12, 1> s;
    for (int k = 0; k < 12; ++k) s[k] = random.normal();
    s.normalize();
    // Speed of the point of contact within reach, and none along the normal: first order leaves the contact closed.
    Vector3d u = s.head<3>().cross(xc) + s.segment<3>(3);
    s.segment<3>(3) -= u - 0.5 * (u - n * n.dot(u)) / (1.0 + u.norm());
    const PreparedContacts prepared({{contact}});
    const ContactPiece& piece = prepared.points[0].pieces[0];
    const double h = gap_of(piece, prepared.planes.scaled(s.head<6>())).h +
                     piece.row().dot(prepared.planes.scaled(s.tail<6>()));
    // So small that the third order, which grows with the cube of the place, does not count.
    const Real theta = 1e-6L;
    FinitePair finite(moving.body, fixed.body, n.cast<Real>(), xc.cast<Real>());
    const Mat4 X = finite_motion(s, theta);
    finite.move(X);
    const std::optional<Real> least =
        least_gap(finite, moving, fixed, X, n.cast<Real>(), xc.cast<Real>(), theta);
    if (!least || !std::isfinite(h)) {
      // Parts that no longer face each other must be found so by both; a sliver at the border may be met by one only.
      ++none;
      if (least && h == -std::numeric_limits<double>::infinity()) ++wrong;
      continue;
    }
    ++checked;
    const double found = static_cast<double>(2 * *least / (theta * theta)), off = std::abs(found - h);
    largest = std::max(largest, off / (1.0 + std::abs(h)));
    if (off > 0.02 * (1.0 + std::abs(h))) ++wrong;
  }
  std::printf("%s: %d checked, largest deviation %.2g, %d without a common place, %d wrong\n", type.c_str(),
              checked, largest, none, wrong);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(checked, count / 3);
}

INSTANTIATE_TEST_SUITE_P(AllParts, HalfFeature,
                         testing::Values("half_edge-face", "edge-half_face", "edge-quarter_face",
                                         "half_face-face", "quarter_face-face", "half_face-half_face",
                                         "quarter_face-half_face", "half_edge-half_face",
                                         "half_edge-quarter_face", "quarter_face-quarter_face",
                                         "face-half_edge", "half_face-edge"),
                         [](const auto& info) {
                           std::string name = info.param;
                           name[name.find('-')] = '_';
                           return name;
                         });

}  // namespace
}  // namespace prehend::observation
