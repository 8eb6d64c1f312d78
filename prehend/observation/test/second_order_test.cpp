// Verdicts, certificates and forms of second order: grasps of the source, random grasps, contacts of vertices against moved cones.
#include <cmath>
#include <cstdlib>
#include <map>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "finite_gap.h"
#include <prehend/math/nonnegative_least_squares.h>
#include <prehend/math/random.h>
#include <prehend/observation/second/local_shape.h>
#include <prehend/observation/second_order.h>

namespace prehend::observation {
namespace {

using namespace test;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::Vector6d;

int sweep(int few, int many) { return std::getenv("PREHEND_SLOW") != nullptr ? many : few; }

Matrix3d across(const Vector3d& n, double curvature) {
  return curvature * (Matrix3d::Identity() - n * n.transpose());
}

Contact faces(const Vector3d& p, const Vector3d& n, double moving, double fixed) {
  Contact contact{"face-face", {p}, {n}};
  contact.moving.face_curvature_W = across(n, moving);
  contact.fixed.face_curvature_W = across(n, fixed);
  return contact;
}

ContactRelation two_fingers(double body, double finger) {
  return {{faces({0, 0, 1}, {0, 0, -1}, body, finger), faces({0, 0, -1}, {0, 0, 1}, body, finger)}};
}

Vector6d screw(double wx, double wy, double wz, double vx, double vy, double vz) {
  Vector6d s;
  s << wx, wy, wz, vx, vy, vz;
  return s;
}

// Takamatsu 2004, figure 3.5. Ellipses: curvature 1/2 (wide) and 2 (narrow) where they are held.
TEST(SecondOrder, SignaturesOfTheSevenGrasps) {
  struct Grasp {
    const char* name;
    double body, finger;
    int positive, negative, legal;
    bool linear;
  };
  for (const Grasp& grasp :
       {Grasp{"a", 1, 0, 0, 0, 5, true}, Grasp{"b", 0, 1, 0, 2, 3, true}, Grasp{"c", 1, 1, 2, 0, 5, true},
        Grasp{"d", 1, 0.5, 2, 0, 5, true}, Grasp{"e", 1, 2, 2, 0, 5, true},
        Grasp{"f", 0.5, 1, 2, 2, 5, false}, Grasp{"g", 2, 1, 4, 0, 5, true}}) {
    const SecondOrderFreedom freedom = second_order_freedom(two_fingers(grasp.body, grasp.finger));
    ASSERT_EQ(freedom.forms.size(), 1u) << grasp.name;
    const DependentForm& form = freedom.forms[0];
    EXPECT_TRUE(form.one_sided);
    EXPECT_EQ(form.positive, grasp.positive) << grasp.name;
    EXPECT_EQ(form.negative, grasp.negative) << grasp.name;
    EXPECT_EQ(form.zero, 5 - grasp.positive - grasp.negative) << grasp.name;
    EXPECT_EQ(freedom.legal.dimension, grasp.legal) << grasp.name;
    EXPECT_EQ(freedom.legal.linear, grasp.linear) << grasp.name;
    // The closed form: 2 [(kappa - 1)(K + 1)|w|^2 + kappa K |v|^2] / (kappa + K), across the fingers' line.
    math::RandomStream random(7);
    for (int trial = 0; trial < 20; ++trial) {
      Vector6d s;
      for (int k = 0; k < 6; ++k) s[k] = random.normal();
      s[5] = 0.0;
      const double w = s.head<2>().squaredNorm(), v = s.segment<2>(3).squaredNorm(), k = grasp.body,
                   K = grasp.finger;
      EXPECT_NEAR(s.dot(form.matrix_W * s), 2.0 * ((k - 1) * (K + 1) * w + k * K * v) / (k + K), 1e-9);
    }
  }
}

TEST(SecondOrder, VerdictsOfTheSevenGrasps) {
  const auto verdict = [](double body, double finger, const Vector6d& s) {
    return SecondOrderContacts(two_fingers(body, finger)).judge(s).verdict;
  };
  const Vector6d roll = screw(1, 0, 0, 0, 0, 0), slide = screw(0, 0, 0, 1, 0, 0),
                 spin = screw(0, 0, 1, 0, 0, 0);
  EXPECT_EQ(verdict(1, 0, roll), ScrewVerdict::maintaining);
  EXPECT_EQ(verdict(1, 0, slide), ScrewVerdict::maintaining);
  EXPECT_EQ(verdict(0, 1, roll), ScrewVerdict::illegal);
  EXPECT_EQ(verdict(0, 1, slide), ScrewVerdict::maintaining);
  EXPECT_EQ(verdict(1, 1, slide), ScrewVerdict::detaching);
  EXPECT_EQ(verdict(1, 1, roll), ScrewVerdict::maintaining);
  EXPECT_EQ(verdict(0.5, 1, roll), ScrewVerdict::illegal);
  EXPECT_EQ(verdict(0.5, 1, slide), ScrewVerdict::detaching);
  EXPECT_EQ(verdict(2, 1, roll), ScrewVerdict::detaching);
  for (const auto& [body, finger] : {std::pair{1.0, 0.0}, {0.0, 1.0}, {0.5, 1.0}, {2.0, 1.0}}) {
    EXPECT_EQ(verdict(body, finger, spin), ScrewVerdict::maintaining);
    EXPECT_EQ(verdict(body, finger, screw(0, 0, 0, 0, 0, 1)), ScrewVerdict::illegal);
  }
  // Somewhere between rolling and sliding grasp (f) goes over from illegal to detaching: where (kappa - 1)(K + 1) w^2 + kappa K v^2 = 0.
  EXPECT_EQ(verdict(0.5, 1, screw(1, 0, 0, 1.42, 0, 0)), ScrewVerdict::detaching);
  EXPECT_EQ(verdict(0.5, 1, screw(1, 0, 0, 1.41, 0, 0)), ScrewVerdict::illegal);
}

TEST(SecondOrder, NeitherUnitNorPlaceMatters) {
  const Eigen::Quaterniond q = math::RandomStream(3).rotation();
  const Vector3d shift(100.0, -20.0, 3.0);
  for (const double unit : {1e-3, 1.0, 1e3}) {
    ContactRelation relation = two_fingers(0.5, 1);
    for (Contact& contact : relation.contacts) {
      contact.points_W[0] = unit * (q * contact.points_W[0] + shift);
      contact.normals_W[0] = 7.0 * (q * contact.normals_W[0]);
      for (ContactSide* side : {&contact.moving, &contact.fixed})
        side->face_curvature_W =
            q.toRotationMatrix() * *side->face_curvature_W * q.toRotationMatrix().transpose() / unit;
    }
    const SecondOrderFreedom freedom = second_order_freedom(relation);
    ASSERT_EQ(freedom.forms.size(), 1u);
    EXPECT_EQ(freedom.forms[0].positive, 2);
    EXPECT_EQ(freedom.forms[0].negative, 2);
    EXPECT_EQ(freedom.legal.dimension, 5);
  }
}

// Flat on flat: the distance falls without bound unless nothing is tilted; (3.49) alone says otherwise.
TEST(SecondOrder, FlatOnFlatMayNotTilt) {
  const SecondOrderContacts flat({{faces({0, 0, 0}, {0, 0, 1}, 0, 0)}});
  EXPECT_EQ(flat.judge(screw(1, 0, 0, 0, 0, 0)).verdict, ScrewVerdict::illegal);
  EXPECT_EQ(flat.judge(screw(0, 0, 1, 0, 0, 0)).verdict, ScrewVerdict::maintaining);
  EXPECT_EQ(flat.judge(screw(0, 0, 0, 1, 0, 0)).verdict, ScrewVerdict::maintaining);
  // A cylinder along x rolls about x and may not tilt about y.
  Contact cylinder{"face-face", {{0, 0, 0}}, {{0, 0, 1}}};
  cylinder.moving.face_curvature_W = Vector3d(0, 1, 0).asDiagonal();
  const SecondOrderContacts on_flat({{cylinder}});
  EXPECT_EQ(on_flat.judge(screw(1, 0, 0, 0, 0, 0)).verdict, ScrewVerdict::maintaining);
  EXPECT_EQ(on_flat.judge(screw(0, 1, 0, 0, 0, 0)).verdict, ScrewVerdict::illegal);
  SecondOrderFreedom freedom;
  on_flat.describe(freedom);
  EXPECT_EQ(freedom.basis_W.size(), 4u);
  EXPECT_TRUE(freedom.legal.linear);
}

// (3.101)/(3.102) of the source split an edge on a flat face into two families, because s3 = 0 is assumed there: with s3 free all four
// freedoms are kept at once. And s1 = 0 with s3 not 0 is no defect: the angle need not be the time.
TEST(SecondOrder, AnEdgeOnAFaceKeepsAllFourFreedoms) {
  Contact edge{"edge-face", {{0, -1, 0}, {0, 1, 0}}, {{0, 0, 1}}};
  const SecondOrderFreedom freedom = second_order_freedom({{edge}}, {screw(0, -1, 1, -1, 0.5, 0)});
  EXPECT_TRUE(freedom.maintaining.linear);
  ASSERT_EQ(freedom.maintaining.components.size(), 1u);
  EXPECT_EQ(freedom.maintaining.components[0].basis_W.size(), 4u);
  EXPECT_EQ(freedom.screws[0].verdict, ScrewVerdict::maintaining);
  EXPECT_GT(freedom.screws[0].s3_s4_W->head<3>().norm(), 0.1);
}

// Random grasps: 2 to 7 contacts of all pairs, squeezed together so that first order holds many screws.
struct RandomGrasp {
  ContactRelation relation;
  std::vector<FinitePair> pairs;
};

RandomGrasp random_grasp(math::RandomStream& random) {
  RandomGrasp grasp;
  const int count = 2 + static_cast<int>(random.below(6));
  for (int i = 0; i < count; ++i) {
    // Pairs of opposite contacts, so that rows depend on each other.
    Vector3d p = random.unit_vector(), n = (0.3 * random.normal3() - p).normalized();
    if (i % 2 == 1 && random.uniform() < 0.9) {
      // Opposite on the same line, so that the two hold each other.
      n = -grasp.relation.contacts.back().normals_W[0];
      p = grasp.relation.contacts.back().points_W[0] - random.uniform(0.5, 2.0) * n;
    }
    const char* const types[] = {"vertex-face", "edge-face", "face-face",
                                 "face-vertex", "face-edge", "edge-edge"};
    const std::string type = types[random.below(6)];
    Contact contact{type, {p}, {n}};
    Body bodies[2];
    for (int k = 0; k < 2; ++k) {
      const std::string what = k == 0 ? type.substr(0, type.find('-')) : type.substr(type.find('-') + 1);
      ContactSide& side = k == 0 ? contact.moving : contact.fixed;
      const double curvature = random.uniform(0.1, 3.0);
      if (what == "face") {
        side.face_curvature_W = across(n, curvature);
        bodies[k].kind = Body::face;
        bodies[k].m = side.face_curvature_W->cast<Real>();
      } else if (what == "edge") {
        side.tangent_W = Eigen::AngleAxisd(k * 1.2 + random.uniform(0.0, 0.5), n) * n.unitOrthogonal();
        side.edge_curvature_W = (k == 0 ? 1.0 : -1.0) * curvature * n;
        bodies[k].kind = Body::edge;
        bodies[k].t = side.tangent_W->cast<Real>();
        bodies[k].kp = side.edge_curvature_W->cast<Real>();
      }
    }
    grasp.pairs.emplace_back(bodies[0], bodies[1], n.cast<Real>(), p.cast<Real>());
    grasp.relation.contacts.push_back(std::move(contact));
  }
  return grasp;
}

// Every verdict is proved by its certificate, which is checked by arithmetic and by moving the bodies.
TEST(SecondOrder, CertificatesOfRandomGrasps) {
  const int count = sweep(60, 1000);
  std::map<ScrewVerdict, int> verdicts;
  int dependencies = 0, moved = 0;
  for (int trial = 0; trial < count; ++trial) {
    math::RandomStream random(17, static_cast<std::uint64_t>(trial));
    const RandomGrasp grasp = random_grasp(random);
    const SecondOrderContacts contacts(grasp.relation);
    const MotionFreedom first = motion_freedom(grasp.relation);
    if (first.legal.empty()) continue;
    Vector6d s = Vector6d::Zero();
    for (const Vector6d& basis : first.legal[0].lineality_W) s += random.normal() * basis;
    if (random.uniform() < 0.3)
      for (const Vector6d& ray : first.legal[0].rays_W) s += std::abs(random.normal()) * ray;
    if (s.norm() < 1e-6) continue;
    s.normalize();
    const JudgedScrew judged = contacts.judge(s);
    ++verdicts[judged.verdict];
    if (judged.verdict == ScrewVerdict::illegal) {
      Vector6d sum = Vector6d::Zero();
      double h = 0.0, weights = 0.0;
      for (const DependencyTerm& term : judged.dependency) {
        const Contact& contact = grasp.relation.contacts[static_cast<std::size_t>(term.contact)];
        Vector6d row;
        row << contact.points_W[0].cross(contact.normals_W[0]), contact.normals_W[0];
        EXPECT_GE(term.weight, 0.0);
        sum += term.weight * row;
        weights += term.weight;
        h += term.weight * judged.coefficients[static_cast<std::size_t>(term.contact)];
      }
      ASSERT_FALSE(judged.dependency.empty()) << judged.reason;
      EXPECT_LT(sum.norm(), 1e-5 * std::max(weights, std::abs(h))) << trial;
      EXPECT_LT(h, 0.0);
      ++dependencies;
      continue;
    }
    ASSERT_TRUE(judged.s3_s4_W.has_value());
    Eigen::Matrix<double, 12, 1> motion;
    motion << s, *judged.s3_s4_W;
    // Contacts kept at zero are so to second order: the third power is allowed, in units of the motion's size.
    const double size = 1.0 + judged.s3_s4_W->norm();
    for (const Real theta : {1e-3L, 1e-4L}) {
      for (std::size_t i = 0; i < grasp.pairs.size(); ++i) {
        FinitePair pair = grasp.pairs[i];
        const Contact& contact = grasp.relation.contacts[i];
        Vector6d row;
        row << contact.points_W[0].cross(contact.normals_W[0]), contact.normals_W[0];
        // A contact that opens slowly to first order is apart as long as curvature has not caught up.
        const double rate = row.dot(s),
                     bend = 1.0 + std::abs(judged.coefficients[i]) + std::abs(row.dot(*judged.s3_s4_W));
        const Real step = rate > 1e-6 ? std::min(theta, static_cast<Real>(0.1 * rate / bend)) : theta;
        pair.move(finite_displacement(motion, step / static_cast<Real>(size)));
        EXPECT_GT(static_cast<double>(pair.gap(step)), -30.0 * std::pow(static_cast<double>(step), 3))
            << trial << ' ' << contact.type << ' ' << to_string(judged.verdict) << " rate " << row.dot(s)
            << " h " << judged.coefficients[i] << " lift " << row.dot(*judged.s3_s4_W) << " size " << size;
      }
    }
    ++moved;
  }
  std::printf("%d grasps: %d maintaining, %d detaching, %d illegal; %d dependencies and %d motions checked\n",
              count, verdicts[ScrewVerdict::maintaining], verdicts[ScrewVerdict::detaching],
              verdicts[ScrewVerdict::illegal], dependencies, moved);
  EXPECT_GT(verdicts[ScrewVerdict::detaching], count / 10);
  EXPECT_GT(verdicts[ScrewVerdict::illegal], count / 20);
}

std::vector<Vector3d> random_vertex(const Vector3d& axis, math::RandomStream& random) {
  std::vector<Vector3d> edges;
  const double start = random.uniform(0.0, 6.28);
  for (int i = 0; i < 3; ++i) {
    const double angle = start + 2.094 * i + random.uniform(-0.4, 0.4), open = random.uniform(0.3, 1.2);
    edges.push_back(std::cos(open) * axis +
                    std::sin(open) * (Eigen::AngleAxisd(angle, axis) * axis.unitOrthogonal()));
  }
  return edges;
}

// Whether {x : n_i.(x - a) < 0, N_j.x < 0} is empty, by Farkas: weights >= 0 with sum y n + sum Y N = 0 and y.n.a <= 0 exist.
bool cones_apart(const std::vector<Vector3d>& moving, const Vector3d& apex,
                 const std::vector<Vector3d>& fixed) {
  const auto count = static_cast<Eigen::Index>(moving.size() + fixed.size());
  MatrixXd A(4, count + 1);
  A.setZero();
  for (std::size_t i = 0; i < moving.size(); ++i) {
    A.col(static_cast<Eigen::Index>(i)) << moving[i], moving[i].dot(apex) / apex.norm();
  }
  for (std::size_t j = 0; j < fixed.size(); ++j)
    A.col(static_cast<Eigen::Index>(moving.size() + j)).head<3>() = fixed[j];
  A(3, count) = 1.0;  // slack: y.n.a + slack = 0
  // One unit of weight in all.
  MatrixXd E(5, count + 1);
  E << A, Eigen::RowVectorXd::Ones(count + 1);
  E(4, count) = 0.0;
  VectorXd f = VectorXd::Zero(5);
  f[4] = 1.0;
  return math::solve_nonnegative_least_squares(E, f).residual_norm < 1e-9;
}

// Vertex on edge and vertex on vertex: the union over extreme separating planes, first and second order, against the two cones moved
// by a small finite motion. (B.10) and (B.20) of the source follow from the same planes; (B.10) as printed lets the vertex be inside.
TEST(SecondOrder, VerticesOnEdgesAndVertices) {
  const int count = sweep(400, 10000);
  int legal = 0, illegal = 0, near = 0, wrong = 0, second = 0;
  for (int trial = 0; trial < count; ++trial) {
    math::RandomStream random(29, static_cast<std::uint64_t>(trial));
    const bool on_edge = trial % 2 == 0;
    const Vector3d up = random.unit_vector();
    const LocalShape moving = LocalShape::vertex(random_vertex(up, random), {});
    const Vector3d side = Eigen::AngleAxisd(random.uniform(0.0, 6.28), up) * up.unitOrthogonal();
    const double a = random.uniform(0.2, 1.2), b = random.uniform(0.2, 1.2);
    const LocalShape fixed =
        on_edge ? LocalShape::edge(
                      {std::cos(a) * up + std::sin(a) * side, std::cos(b) * up - std::sin(b) * side}, {})
                : LocalShape::vertex(random_vertex(-up, random), {});
    const std::vector<ContactPiece> pieces = separating_pieces(moving, fixed);
    if (pieces.size() < 2) continue;
    // Along the edge, about the point, or into one of the planes: second order decides. Else first order does.
    Eigen::Matrix<double, 12, 1> s;
    for (int k = 0; k < 12; ++k) s[k] = random.normal();
    const int kind = static_cast<int>(random.below(4));
    if (kind == 1) s.segment<3>(3) = random.normal() * (on_edge ? fixed.tangents[0] : fixed.tangents[0]);
    if (kind == 2) s.segment<3>(3).setZero();
    if (kind == 3) {
      const Vector3d& n = pieces[random.below(static_cast<std::uint32_t>(pieces.size()))].n;
      s.segment<3>(3) -= n * n.dot(s.segment<3>(3));
    }
    double rate = -1e9, coefficient = -1e9;
    for (const ContactPiece& piece : pieces) rate = std::max(rate, piece.row().dot(s.head<6>()));
    for (const ContactPiece& piece : pieces)
      if (std::abs(piece.row().dot(s.head<6>())) < 1e-9)
        coefficient = std::max(coefficient, gap_of(piece, s.head<6>()).h + piece.row().dot(s.tail<6>()));
    const bool by_second = std::abs(rate) < 1e-9;
    const double decides = by_second ? coefficient : rate;
    // The motion is finite: what the next order could turn is not counted.
    if (std::abs(decides) < 0.02) {
      ++near;
      continue;
    }
    const Mat4 X = Mat4::Identity() + finite_displacement(s, 2e-4L);
    std::vector<Vector3d> normals;
    for (const Vector3d& n : moving.normals)
      normals.push_back((X.topLeftCorner<3, 3>() * n.cast<Real>()).cast<double>());
    const bool apart = cones_apart(normals, X.topRightCorner<3, 1>().cast<double>(), fixed.normals);
    wrong += apart != (decides > 0.0);
    (apart ? legal : illegal) += 1;
    second += by_second;
  }
  std::printf("vertices: %d apart, %d overlap, %d decided by second order, %d too near to count, %d wrong\n",
              legal, illegal, second, near, wrong);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(second, count / 8);
  EXPECT_GT(illegal, count / 20);
}

TEST(SecondOrder, BadContactsAreNamed) {
  const auto message = [](Contact contact) -> std::string {
    try {
      const SecondOrderContacts contacts({{std::move(contact)}});
    } catch (const ContactError& error) {
      return error.what();
    }
    return "";
  };
  Contact ball = faces({0, 0, 0}, {0, 0, 1}, 1, 0);
  EXPECT_EQ(message(ball), "");
  Contact bad = ball;
  (*bad.moving.face_curvature_W)(0, 1) = 0.5;
  EXPECT_NE(message(bad).find("not symmetric"), std::string::npos);
  bad = ball;
  (*bad.moving.face_curvature_W)(2, 2) = 0.5;
  EXPECT_NE(message(bad).find("along the normal"), std::string::npos);
  bad = faces({0, 0, 0}, {0, 0, 1}, -1, 0.5);
  EXPECT_NE(message(bad).find("overlap before they move"), std::string::npos);
  Contact edge{"edge-face", {{0, 0, 0}}, {{0, 0, 1}}};
  EXPECT_NE(message(edge).find("'moving.tangent_W' is missing"), std::string::npos);
  edge.moving.tangent_W = Vector3d(1, 0, 1);
  EXPECT_NE(message(edge).find("off the tangent plane"), std::string::npos);
  edge.moving.tangent_W = Vector3d(1, 0, 0);
  edge.moving.edge_curvature_W = Vector3d(0, 0, -1);
  EXPECT_NE(message(edge).find("overlap before they move"), std::string::npos);
  Contact crossing{"edge-edge", {{0, 0, 0}}, {{0, 0, 1}}};
  crossing.moving.tangent_W = crossing.fixed.tangent_W = Vector3d(1, 0, 0);
  EXPECT_NE(message(crossing).find("parallel"), std::string::npos);
  EXPECT_NE(message(Contact{"", {{0, 0, 0}}, {{0, 0, 1}}}).find("neither 'type'"), std::string::npos);
}

}  // namespace
}  // namespace prehend::observation
