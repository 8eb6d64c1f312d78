#include <cmath>

#include <gtest/gtest.h>

#include "graph_scenes.h"
#include <prehend/math/linear_program.h>
#include <prehend/stability/methods/form_closure.h>
#include <prehend/stability/methods/slip_robustness.h>
#include <prehend/stability/methods/topple_robustness.h>
#include <prehend/stability/statics/force_distribution.h>
#include <prehend/stability/test/unit_weight.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

struct Cut {
  explicit Cut(const model::Scene& scene, const std::vector<std::string>& moving,
               ContactPoints points = ContactPoints::sampled) {
    ContactSystemOptions options;
    options.points = points;
    system = build_contact_system(scene, options);
    resting = least_cone_forces(system);
    BodySet set(system.bodies.size(), false);
    for (const std::string& name : moving) set[system.node_of_body[scene.find_body(name)]] = true;
    object = make_super_object(system, resting.forces_W, interface_corners(system), set);
  }
  ContactSystem system;
  ForceDistribution resting;
  SuperObject object;
};

TEST(PlanarHull, CornersOfASquareWithPointsOnItsRim) {
  const std::vector<Vector3d> points{{0.5, 0.5, 0}, {1, 0, 0}, {0, 0, 0},   {0.5, 0, 0},
                                     {1, 1, 0},     {0, 1, 0}, {1, 0.3, 0}, {0, 0, 0}};
  const std::vector<int> hull = planar_hull(points, Vector3d::UnitZ(), 1e-9);
  EXPECT_EQ(hull.size(), 4U);
  double area = 0.0;  // counter-clockwise
  for (std::size_t i = 0; i < hull.size(); ++i) {
    area += 0.5 * points[static_cast<std::size_t>(hull[i])]
                      .cross(points[static_cast<std::size_t>(hull[(i + 1) % 4])])
                      .z();
  }
  EXPECT_NEAR(area, 1.0, 1e-12);
  EXPECT_EQ(planar_hull({{0, 0, 0}, {2, 2, 0}, {1, 1, 0}}, Vector3d::UnitZ(), 1e-9).size(), 2U);
  EXPECT_EQ(planar_hull({{1, 1, 0}, {1, 1, 0}}, Vector3d::UnitZ(), 1e-9).size(), 1U);
}

TEST(ToppleAxes, ACubeTipsAboutItsFourEdges) {
  const Cut cut(graph_scenes::cubes(1, 0.5), {"cube0"});
  int edges = 0, normals = 0;
  for (const ToppleAxis& axis : topple_axes(cut.system, cut.object)) {
    if (axis.is_normal) {
      ++normals;
      // mu f_n r, the sum over the points.
      double expected = 0.0;
      for (const CutContact& c : cut.object.contacts)
        expected += 0.5 * c.f_W.z() * (c.p_W - axis.p_W).head<2>().norm();
      EXPECT_NEAR(axis.torque, expected, 1e-9);
      EXPECT_TRUE(axis.has_friction);
      EXPECT_LT(axis.p_W.head<2>().norm(), 1e-9);  // the centre of friction is below the centre of mass
      continue;
    }
    ++edges;
    EXPECT_NEAR(axis.torque, 0.5 * kWeight, 1e-9);
    EXPECT_FALSE(axis.has_friction);
  }
  EXPECT_EQ(edges, 4);
  EXPECT_EQ(normals, 2);
}

double least_topple(const Cut& cut, const Vector3d& p, const Vector3d& e) {
  double least = std::numeric_limits<double>::infinity();
  for (const ToppleAxis& axis : topple_axes(cut.system, cut.object)) {
    if (!axis.is_normal) least = std::min(least, topple_push(axis, p, e));
  }
  return least;
}

TEST(ToppleAxes, LimitsByHand) {
  const Cut cut(graph_scenes::cubes(1, 0.5), {"cube0"});
  EXPECT_NEAR(least_topple(cut, {-0.5, 0.2, 0.8}, {1, 0, 0}), 0.5 * kWeight / 0.8, 1e-9);
  EXPECT_NEAR(least_topple(cut, {0.1, 0.3, 0}, {0, 0, 1}), 0.5 * kWeight / 0.8, 1e-9);
  EXPECT_EQ(least_topple(cut, {0.1, 0.3, 1}, {0, 0, -1}), std::numeric_limits<double>::infinity());
}

// The torque of an edge is the work of lifting what moves: by virtual work, without contact forces.
TEST(ToppleAxes, TorqueIsTheWorkOfLifting) {
  const Cut upper(graph_scenes::cubes(3, 0.5), {"cube1", "cube2"});
  int count = 0;
  for (const ToppleAxis& axis : topple_axes(upper.system, upper.object)) {
    if (axis.has_friction) continue;
    ++count;
    math::Vector6d twist;
    twist << axis.a_W, axis.a_W.cross(upper.system.origin_W - axis.p_W);
    EXPECT_NEAR(axis.torque, -upper.object.weight.dot(twist), 1e-8);
    EXPECT_NEAR(axis.torque, kWeight, 1e-8);
  }
  EXPECT_EQ(count, 4);
}

TEST(ToppleAxes, ALidBlocksTheBlockBelow) {
  const Cut middle(graph_scenes::cubes(3, 0.5), {"cube1"});
  for (const ToppleAxis& axis : topple_axes(middle.system, middle.object)) EXPECT_TRUE(axis.has_friction);
}

// (4.34)-(4.38) to the letter.
TEST(PrintedTopple, ThePushTurnsTheOtherWay) {
  const Cut cut(graph_scenes::cubes(1, 0.5), {"cube0"});
  const Vector3d a_s(0.5, -0.5, 0), p = Vector3d(-0.5, 0.2, 0.8) - a_s, e(1, 0, 0);
  for (const double sense : {1.0, -1.0}) {
    const Vector3d a(0, sense, 0);
    double torque = 0.0;
    for (const CutContact& contact : cut.object.contacts) {
      const Vector3d v = (contact.p_W - a_s).cross(a);
      if (v.dot(contact.n_W()) < -1e-9) torque = std::numeric_limits<double>::infinity();
      if (v.dot(contact.n_W()) > 1e-9) torque += contact.f_W.dot(v);
    }
    const double quotient = torque / p.cross(e).dot(a);
    // The sense that (4.35) allows has the right torque, but (4.38) gives it a negative sign.
    if (std::isfinite(torque)) {
      EXPECT_NEAR(quotient, -0.5 * kWeight / 0.8, 1e-9);
    }
  }
}

TEST(PrintedTopple, FrictionAboutItsCentreWouldAddUpToNothing) {  // (4.35), first case
  const Cut cut(graph_scenes::cubes(1, 0.5), {"cube0"}, ContactPoints::corners);
  const Vector3d e(1, 0, 0), a(0, 0, 1);
  double torque = 0.0;
  for (const CutContact& contact : cut.object.contacts) {
    const Eigen::Matrix3d R_CW = contact.R_WC.transpose();
    const double share = cone_exit(R_CW * contact.f_W, R_CW * -e, contact.mu);
    torque += (share * e + contact.f_W).dot(contact.p_W.cross(a));
  }
  EXPECT_NEAR(torque, 0.0, 1e-9);
}

// Spinning on a slope: friction at each point opposes its own velocity; the load along the slope does no net work.
TEST(ToppleAxes, SpinningOnASlopeCountsWhatFrictionHasLeft) {
  graph_scenes::SceneBuilder builder(0.6);
  builder.frame = math::Pose::rotation(Eigen::Quaterniond(Eigen::AngleAxisd(0.2, Vector3d::UnitY())));
  builder.add_floor();
  builder.add("box", {1, 1, 0.1}, {0, 0, 0.05}, 1.0);
  const Cut cut(builder.scene, {"box"}, ContactPoints::corners);
  for (const ToppleAxis& axis : topple_axes(cut.system, cut.object)) {
    if (!axis.is_normal) continue;
    // By virtual work with the friction of each point at its limit along a force that is f - s v.
    double expected = 0.0;
    for (const CutContact& contact : cut.object.contacts) {
      const Vector3d v = axis.a_W.cross(contact.p_W - axis.p_W);
      double low = 0.0, high = 100.0;
      for (int i = 0; i < 100; ++i) {
        const double s = 0.5 * (low + high);
        const Vector3d f = contact.f_W - s * v.normalized();
        const double f_n = f.dot(contact.n_W());
        ((f - f_n * contact.n_W()).norm() <= contact.mu * f_n ? low : high) = s;
      }
      expected += low * v.norm();
    }
    EXPECT_NEAR(axis.torque, expected, 1e-8);
    EXPECT_GT(axis.torque, 0.0);
  }
}

model::Scene pit(bool with_lid) {
  graph_scenes::SceneBuilder builder(0.5);
  builder.add_floor();
  builder.add("block", {1, 1, 1}, {0, 0, 0.5}, 1.0);
  builder.add("east", {1, 3, 1}, {1, 0, 0.5}, 0.0);
  builder.add("west", {1, 3, 1}, {-1, 0, 0.5}, 0.0);
  builder.add("north", {1, 1, 1}, {0, 1, 0.5}, 0.0);
  builder.add("south", {1, 1, 1}, {0, -1, 0.5}, 0.0);
  if (with_lid) builder.add("lid", {3, 3, 1}, {0, 0, 1.5}, 0.0);
  return builder.scene;
}

TEST(FormClosure, ABlockInAPitAndUnderALid) {
  const Cut open(pit(false), {"block"}), shut(pit(true), {"block"});
  EXPECT_FALSE(is_form_closed(open.system, open.object));
  EXPECT_TRUE(is_form_closed(shut.system, shut.object));
  const Cut cube(graph_scenes::cubes(1, 0.5), {"cube0"});
  EXPECT_FALSE(is_form_closed(cube.system, cube.object));
}

// (4.31)-(4.33) with tangents of both signs, as printed (with the minus restored): a block between two walls counts as
// fixed, although nothing but friction keeps it from being lifted.
TEST(FormClosure, ThePrintedTestIsAboutSticking) {
  graph_scenes::SceneBuilder builder(0.5);
  builder.add_floor();
  builder.add("block", {1, 1, 1}, {0, 0, 0.5}, 1.0);
  builder.add("east", {1, 1, 1}, {1, 0, 0.5}, 0.0);
  builder.add("west", {1, 1, 1}, {-1, 0, 0.5}, 0.0);
  const Cut cut(builder.scene, {"block"}, ContactPoints::corners);
  EXPECT_FALSE(is_form_closed(cut.system, cut.object));
  Eigen::MatrixXd G(6, 5 * static_cast<Eigen::Index>(cut.object.contacts.size()));
  Eigen::Index column = 0;
  for (const CutContact& contact : cut.object.contacts) {
    for (const double sense : {1.0, -1.0}) {
      for (int j = 0; j < (sense > 0 ? 3 : 2); ++j) {
        G.col(column++) = cut.system.force_wrench(sense * contact.R_WC.col(j), contact.p_W);
      }
    }
  }
  math::LinearProgram program;
  program.c = Eigen::VectorXd::Ones(G.cols());
  program.A = G.sparseView();
  program.row_lower = program.row_upper = Eigen::VectorXd::Zero(6);
  program.lower = Eigen::VectorXd::Ones(G.cols());
  program.upper = Eigen::VectorXd::Constant(G.cols(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(math::solve_linear_program(program).status, math::SolverStatus::optimal);
}

}  // namespace
}  // namespace prehend::stability
