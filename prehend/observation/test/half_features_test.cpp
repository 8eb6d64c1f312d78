// Singular features (Takamatsu 2004, appendix B): second-order distances against the least distance of the moved bodies, by search.
#include <algorithm>
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

// The open cases of the source, k N.p + t'M t = 0: the bodies fit each other along the edge, or along one direction of two faces.
void make_flat(const Vector3d& n, Contact& contact, Part& moving, Part& fixed) {
  const bool moving_face = moving.body.kind == Body::face, fixed_face = fixed.body.kind == Body::face;
  if (moving_face) {
    // Along t, an edge of the fixed body or any direction, the moving face is bent as the fixed body is, the other way.
    const Vector3d t = fixed.body.kind == Body::edge ? *contact.fixed.tangent_W : n.unitOrthogonal(),
                   o = n.cross(t);
    const double along = fixed.body.kind == Body::edge ? -contact.fixed.edge_curvature_W->dot(n)
                         : fixed_face                  ? t.dot(*contact.fixed.face_curvature_W * t)
                                                       : 0.0;
    const Matrix3d m = contact.moving.face_curvature_W->eval(),
                   M = fixed_face ? *contact.fixed.face_curvature_W : Matrix3d::Zero().eval();
    contact.moving.face_curvature_W =
        fixed_face ? Matrix3d(-M + o.dot((m + M) * o) * o * o.transpose())
                   : Matrix3d(-along * t * t.transpose() + o.dot(m * o) * o * o.transpose());
    moving.body.m = contact.moving.face_curvature_W->cast<Real>();
    if (fixed.body.kind == Body::edge) {
      contact.fixed.edge_curvature_W = -along * n;
      fixed.body.kp = contact.fixed.edge_curvature_W->cast<Real>();
    }
  } else if (moving.body.kind == Body::edge && fixed_face) {
    const Vector3d& t = *contact.moving.tangent_W;
    contact.moving.edge_curvature_W = -t.dot(*contact.fixed.face_curvature_W * t) * n;
    moving.body.kp = contact.moving.edge_curvature_W->cast<Real>();
  }
}

// Two parts after a motion, seen at places z in units of the angle: distance and what is on both parts, in units in which they do not vanish.
class MovedParts {
 public:
  MovedParts(const Part& moving, const Part& fixed, const Vector3d& n, const Vector3d& xc,
             const Eigen::Matrix<double, 12, 1>& s, Real theta)
      : finite_(moving.body, fixed.body, n.cast<Real>(), xc.cast<Real>()),
        moving_(moving),
        fixed_(fixed),
        theta_(theta),
        rise_(finite_.rate(s) * theta) {
    finite_.move(finite_displacement(s, theta));
    const int faces = (moving.body.kind == Body::face) + (fixed.body.kind == Body::face);
    const bool is_point = moving.body.kind == Body::vertex || fixed.body.kind == Body::vertex;
    dimension = faces == 2 ? 2 : faces == 1 && !is_point ? 1 : 0;
  }

  struct Seen {
    Real gap;                  // second-order coefficient
    Real distance;             // of the place
    std::vector<Real> inside;  // not negative where the place is on both parts, and within kReach
  };
  Seen at(const Vec2& z) const {
    Vec3 x, y;  // on the fixed part, and on the moving one in its own frame
    Real gap = 0;
    const Real l = theta_ * z[0];
    if (dimension == 2) {
      const Real high = finite_.moving_face(theta_ * z), low = finite_.fixed_face(theta_ * z);
      x = finite_.at(theta_ * z, low);
      y = finite_.body_point(finite_.at(theta_ * z, high));
      gap = high - low;
    } else if (fixed_.body.kind == Body::face) {
      y = finite_.on_moving(l);
      x = finite_.moving_point(l);
      gap = finite_.height(x) - finite_.fixed_face(finite_.place(x));
    } else if (moving_.body.kind == Body::face) {
      x = finite_.fixed_point(l);
      const Real high = finite_.moving_face(finite_.place(x));
      y = finite_.body_point(finite_.at(finite_.place(x), high));
      gap = high - finite_.height(x);
    } else {
      Real on_moving, on_fixed;
      gap = finite_.crossing(on_moving, on_fixed);
      y = finite_.on_moving(on_moving);
      x = finite_.fixed_point(on_fixed);
    }
    Seen seen{2 * (gap - rise_) / (theta_ * theta_), finite_.place(x).norm() / theta_, {}};
    for (const Vector3d& inward : moving_.inside) seen.inside.push_back(inward.cast<Real>().dot(y) / theta_);
    for (const Vector3d& inward : fixed_.inside) seen.inside.push_back(inward.cast<Real>().dot(x) / theta_);
    for (int k = 0; k < dimension; ++k)
      for (const Real sign : {1.0L, -1.0L}) seen.inside.push_back(kReach + sign * z[k]);
    return seen;
  }

  static constexpr Real kReach = 1e6L;  // [of the angle]
  int dimension{0};

 private:
  FinitePair finite_;
  const Part &moving_, &fixed_;
  Real theta_, rise_;
};

// The least gap: all sets of borders, on each the stationary place by Newton's method on differences. The gap bends upwards or is flat, so that the
// least of those that lie on both parts is the least of all.
struct LeastPlace {
  bool found{false}, at_reach{false};
  Real gap{0}, distance{0};
};

class PlaceSearch {
 public:
  explicit PlaceSearch(const MovedParts& parts) : parts_(parts) {
    const int borders = static_cast<int>(parts.at(Vec2::Zero()).inside.size());
    search({});
    if (parts.dimension >= 1)
      for (int i = 0; i < borders; ++i) search({i});
    if (parts.dimension == 2)
      for (int i = 0; i < borders; ++i)
        for (int j = 0; j < i; ++j) search({i, j});
  }
  LeastPlace least;

 private:
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  void search(const std::vector<int>& active) {
    const int size = parts_.dimension, on = static_cast<int>(active.size());
    Vec2 z = Vec2::Zero();
    for (int step = 0; step < (size == 0 ? 0 : 5); ++step) {
      // Places are quadratic in z up to the angle: wide differences lose nothing.
      const Real d = 100 + z.norm() / 10;
      const auto here = parts_.at(z);
      Matrix K = Matrix::Zero(size + on, size + on);
      Vector right = Vector::Zero(size + on);
      std::vector<MovedParts::Seen> up, down;
      for (int k = 0; k < size; ++k) {
        up.push_back(parts_.at(z + d * Vec2::Unit(k)));
        down.push_back(parts_.at(z - d * Vec2::Unit(k)));
        right[k] = -(up[k].gap - down[k].gap) / (2 * d);
        K(k, k) = (up[k].gap - 2 * here.gap + down[k].gap) / (d * d);
        for (int i = 0; i < on; ++i)
          K(size + i, k) = K(k, size + i) = (up[k].inside[active[i]] - down[k].inside[active[i]]) / (2 * d);
      }
      if (size == 2)
        K(0, 1) = K(1, 0) = (parts_.at(z + Vec2(d, d)).gap - up[0].gap - up[1].gap + here.gap) / (d * d);
      for (int i = 0; i < on; ++i) right[size + i] = -here.inside[active[i]];
      // As many borders as places have directions: where they cross, whatever the gap does.
      const bool is_corner = on == size;
      const Matrix M = is_corner ? Matrix(K.bottomLeftCorner(size, size)) : K;
      const Eigen::FullPivLU<Matrix> solver(M);
      // No place within reach: parallel borders, or flat along what is left.
      if (solver.matrixLU().diagonal().cwiseAbs().minCoeff() < 1e-9L) return;
      z.head(size) +=
          (is_corner ? solver.solve(right.tail(size)).eval() : solver.solve(right).eval()).head(size);
    }
    take(z, active);
  }

  void take(const Vec2& z, const std::vector<int>& active) {
    const auto seen = parts_.at(z);
    const int parts = static_cast<int>(seen.inside.size()) - 2 * parts_.dimension;
    bool at_reach = false;
    for (int i = 0; i < static_cast<int>(seen.inside.size()); ++i) {
      const bool is_active = std::find(active.begin(), active.end(), i) != active.end();
      at_reach = at_reach || (is_active && i >= parts);
      if (!is_active && seen.inside[i] < -1e-9L * (1 + z.norm())) return;
    }
    if (least.found && least.gap <= seen.gap) return;
    least = {true, at_reach, seen.gap, seen.distance};
  }

  const MovedParts& parts_;
};

enum class Bend { apart, flat };

// h against the least distance of the moved parts, one criterion for all pairs. Next to h the finite bodies have terms of the next order: with curvatures of 1 or
// 2 and unit screws some theta (1 + D) (1 + D)^3, D the place in units of the angle: cubic in the place, and where two borders cross at 1/D rad the crossing
// moves D times as far as they do. Ten times that, and 1e-5 of (1 + D)^2 for rounding (1e-19 m/theta), may be between the two. Where no place is on both
// parts, h is infinite; where the distance falls to the end of the reach, minus infinity or less than there. Nothing drawn is left out.
struct Compared {
  int equal{0}, far{0}, beyond{0}, none{0}, unbounded{0}, wrong{0};
};

void compare(const std::string& type, Bend bend, int trial, Compared& count) {
  math::RandomStream random(sweep_seed(5301) + (bend == Bend::flat ? 1 : 0),
                            static_cast<std::uint64_t>(trial));
  const Vector3d n = random.unit_vector(), xc = random.normal3();
  Contact contact{type, {xc}, {n}};
  Part moving = random_part(type.substr(0, type.find('-')), n, 1.0, 0.0, random, contact.moving),
       fixed = random_part(type.substr(type.find('-') + 1), n, -1.0, 0.5, random, contact.fixed);
  // Edges that cross at less than 0.002 rad are refused as parallel: drawn again.
  while (moving.body.kind == Body::edge && fixed.body.kind == Body::edge &&
         contact.moving.tangent_W->cross(*contact.fixed.tangent_W).norm() < 2e-3)
    moving = random_part(type.substr(0, type.find('-')), n, 1.0, 0.0, random, contact.moving);
  if (bend == Bend::flat) make_flat(n, contact, moving, fixed);
  Eigen::Matrix<double, 12, 1> s;
  for (int k = 0; k < 12; ++k) s[k] = random.normal();
  s.normalize();
  // First order leaves the contact closed.
  s.segment<3>(3) -= n * n.dot(s.head<3>().cross(xc) + s.segment<3>(3));
  const PreparedContacts prepared({{contact}});
  const ContactPiece& piece = prepared.points[0].pieces[0];
  const double h = gap_of(piece, prepared.planes.scaled(s.head<6>())).h +
                   piece.row().dot(prepared.planes.scaled(s.tail<6>()));
  constexpr Real kAngle = 1e-12L;
  const LeastPlace least = PlaceSearch(MovedParts(moving, fixed, n, xc, s, kAngle)).least;
  bool is_right = false;
  if (!least.found) {
    is_right = h == std::numeric_limits<double>::infinity();
    ++count.none;
  } else if (least.at_reach) {
    // Along a border that is all but flat the least place is as far as one over the square of its angle: beyond the reach, and lower still.
    is_right = h < static_cast<double>(least.gap);
    count.beyond += std::isfinite(h);
    ++count.unbounded;
  } else {
    const Real size = 1 + least.distance,
               allowed = 10 * kAngle * size * size * size * size + 1e-5L * size * size;
    is_right = std::abs(least.gap - static_cast<Real>(h)) <= allowed;
    ++count.equal;
    count.far += least.distance > 1e4L;
  }
  count.wrong += !is_right;
  if (!is_right)
    std::printf("%s %d: h %.9g, of the bodies %.9g at %.3g%s\n", type.c_str(), trial, h,
                least.found ? static_cast<double>(least.gap) : NAN, static_cast<double>(least.distance),
                least.at_reach ? ", the end of the reach" : "");
}

class HalfFeature : public testing::TestWithParam<const char*> {};

TEST_P(HalfFeature, EqualsTheLeastDistanceOfTheMovedBodies) {
  const int trials = std::getenv("PREHEND_SLOW") != nullptr ? 2000 : 20;
  for (const Bend bend : {Bend::apart, Bend::flat}) {
    Compared count;
    for (int trial = 0; trial < trials; ++trial) compare(GetParam(), bend, trial, count);
    std::printf(
        "%s, %s: %d with a place (%d beyond 1e4 angles), %d without, %d unbounded (%d beyond reach), %d "
        "wrong\n",
        GetParam(), bend == Bend::flat ? "flat to each other" : "curved apart", count.equal, count.far,
        count.none, count.unbounded, count.beyond, count.wrong);
    EXPECT_EQ(count.wrong, 0);
    if (bend == Bend::apart) EXPECT_EQ(count.unbounded, 0);
  }
}

// Every pair with a part that ends at the point; a vertex on an edge or a vertex has several planes (second_order_test.cpp).
INSTANTIATE_TEST_SUITE_P(AllParts, HalfFeature,
                         testing::Values("vertex-half_face", "vertex-quarter_face", "half_face-vertex",
                                         "quarter_face-vertex", "half_edge-edge", "edge-half_edge",
                                         "half_edge-half_edge", "half_edge-face", "edge-half_face",
                                         "edge-quarter_face", "half_edge-half_face", "half_edge-quarter_face",
                                         "face-half_edge", "half_face-edge", "quarter_face-edge",
                                         "half_face-half_edge", "quarter_face-half_edge", "half_face-face",
                                         "quarter_face-face", "face-half_face", "face-quarter_face",
                                         "half_face-half_face", "quarter_face-half_face",
                                         "half_face-quarter_face", "quarter_face-quarter_face"),
                         [](const auto& info) {
                           std::string name = info.param;
                           name[name.find('-')] = '_';
                           return name;
                         });

}  // namespace
}  // namespace prehend::observation
