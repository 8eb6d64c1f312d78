// Second-order distances against finite motions of the curved bodies themselves.
#include <cmath>
#include <cstdlib>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "finite_gap.h"
#include <prehend/math/random.h>
#include <prehend/observation/contact_relation.h>
#include <prehend/observation/second/contact_pieces.h>

namespace prehend::observation {
namespace {

using namespace test;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::Vector6d;

int trials(int few, int many) { return std::getenv("PREHEND_SLOW") != nullptr ? many : few; }

// A random pair of features that touch, with the bodies it is made of.
struct RandomPair {
  Contact contact;
  Body moving, fixed;
  Vector3d n, xc;
};

Body face_body(const Vector3d& n, math::RandomStream& random, double least, Matrix3d& m) {
  Eigen::Matrix<double, 3, 2> plane;
  plane.col(0) = n.unitOrthogonal();
  plane.col(1) = n.cross(plane.col(0));
  Eigen::Matrix2d bend;
  const double angle = random.uniform(0.0, 3.0), a = least + random.uniform(0.0, 2.0),
               b = least + random.uniform(0.0, 2.0);
  const Eigen::Rotation2Dd R(angle);
  bend = R.toRotationMatrix() * Eigen::Vector2d(a, b).asDiagonal() * R.toRotationMatrix().transpose();
  m = plane * bend * plane.transpose();
  Body body;
  body.kind = Body::face;
  body.m = m.cast<Real>();
  return body;
}

Body edge_body(const Vector3d& n, math::RandomStream& random, double least_along, Vector3d& t, Vector3d& kp) {
  t = Eigen::AngleAxisd(random.uniform(0.0, 6.28), n) * n.unitOrthogonal();
  kp = (least_along + random.uniform(0.0, 2.0)) * n + random.uniform(-1.0, 1.0) * n.cross(t);
  Body body;
  body.kind = Body::edge;
  body.t = t.cast<Real>();
  body.kp = kp.cast<Real>();
  return body;
}

// `least` bends keep the pair apart before it moves: their sum is above 0.2.
RandomPair random_pair(const std::string& type, math::RandomStream& random) {
  RandomPair pair;
  pair.n = random.unit_vector();
  pair.xc = random.normal3();
  pair.contact.type = type;
  pair.contact.points_W = {pair.xc};
  pair.contact.normals_W = {pair.n};
  const auto side = [&](const std::string& what, ContactSide& given, Body& body, double sign, double least) {
    if (what == "vertex") return;
    if (what == "face") {
      Matrix3d m;
      body = face_body(pair.n, random, least, m);
      given.face_curvature_W = m;
    } else {
      Vector3d t, kp;
      body = edge_body(pair.n, random, 0.0, t, kp);
      // A moving edge bends up from the tangent plane, a fixed one down, by at least `least`.
      kp = sign * (kp.dot(pair.n) + least) * pair.n + (kp - kp.dot(pair.n) * pair.n);
      body.kp = kp.cast<Real>();
      given.tangent_W = t;
      given.edge_curvature_W = kp;
    }
  };
  const std::size_t dash = type.find('-');
  side(type.substr(0, dash), pair.contact.moving, pair.moving, 1.0, -0.4);
  side(type.substr(dash + 1), pair.contact.fixed, pair.fixed, -1.0, 0.6);
  return pair;
}

class PairGap : public testing::TestWithParam<const char*> {};

// The remainder is c3 theta^3 + c4 theta^4 + ...: its ratio at theta and theta/2 is 8 (1 + c4/c3 theta/2 + ...). At 1e-6 rad, ratios within 20 % need
// c4/c3 below 4e5 (one contact in a hundred has more than 100, as cubic terms pass through zero), and c3 above 1e-6 for the rounding
// of long double, 1e-25 m. An h that is off by 1e-12 would make it 4.
TEST_P(PairGap, RemainderFallsWithTheThirdPower) {
  const int count = trials(150, 10000);
  constexpr Real kAngle = 1e-6L, kCoarse = 1e-3L;
  int cubic = 0, coarse = 0;
  for (int trial = 0; trial < count; ++trial) {
    math::RandomStream random(sweep_seed(4241), static_cast<std::uint64_t>(trial));
    RandomPair pair = random_pair(GetParam(), random);
    // Edges that cross at less than 0.1 rad slide more than ten times as far as the point moves: drawn again.
    while (pair.moving.kind == Body::edge && pair.fixed.kind == Body::edge &&
           pair.contact.moving.tangent_W->cross(*pair.contact.fixed.tangent_W).norm() < 0.1)
      pair = random_pair(GetParam(), random);
    Eigen::Matrix<double, 12, 1> s;
    for (int k = 0; k < 12; ++k) s[k] = random.normal();
    s.normalize();
    const PreparedContacts prepared({{pair.contact}});
    const ContactPiece& piece = prepared.points[0].pieces[0];
    // One point: no scaling, the origin at the point.
    const Vector6d first = prepared.planes.scaled(s.head<6>()), second = prepared.planes.scaled(s.tail<6>());
    const double h = gap_of(piece, first).h + piece.row().dot(second);
    FinitePair finite(pair.moving, pair.fixed, pair.n.cast<Real>(), pair.xc.cast<Real>());
    const auto remainder = [&](Real theta) {
      finite.move(finite_displacement(s, theta));
      return finite.gap(theta) - (finite.rate(s) * theta + h * theta * theta / 2);
    };
    const auto ratio = [&](Real theta) {
      return static_cast<double>(remainder(theta) / remainder(theta / 2));
    };
    const bool is_cubic = std::abs(ratio(kAngle) - 8.0) <= 1.6;
    cubic += is_cubic;
    coarse += std::abs(ratio(kCoarse) - 8.0) <= 1.6;
    if (!is_cubic)
      std::printf("%s %d: ratios %.3g %.3g %.3g at 1e-5, 1e-6, 1e-7 rad\n", GetParam(), trial, ratio(1e-5L),
                  ratio(1e-6L), ratio(1e-7L));
  }
  EXPECT_EQ(cubic, count);
  std::printf("%s: %d of %d remainders fall by 8 +- 20 %% at 1e-6 rad, %d at 1e-3\n", GetParam(), cubic,
              count, coarse);
}

INSTANTIATE_TEST_SUITE_P(AllPairs, PairGap,
                         testing::Values("vertex-face", "edge-face", "face-face", "edge-edge", "face-vertex",
                                         "face-edge"),
                         [](const auto& info) {
                           std::string name = info.param;
                           name[name.find('-')] = '_';
                           return name;
                         });

}  // namespace
}  // namespace prehend::observation
