// Finite paths of screws, grasps of meshes, and relations next to one: each realised by its pose.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/geometry/primitives.h>
#include <prehend/geometry/proximity.h>
#include <prehend/math/random.h>
#include <prehend/observation/grasp_stability.h>
#include <prehend/observation/mesh_grasp.h>
#include <prehend/observation/neighbour_relations.h>
#include <prehend/observation/polyhedron_contacts.h>
#include <prehend/observation/screw_path.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;
using math::Vector6d;

// Appendix C: turning_path agrees with the screw to second order, and so with screw_path; its instantaneous centre moves evenly.
TEST(ScrewPath, TurnsAsTheScrewSays) {
  math::RandomStream random(5);
  for (int trial = 0; trial < 50; ++trial) {
    Vector6d first, second = Vector6d::Zero();
    for (int k = 0; k < 6; ++k) first[k] = random.normal();
    if (trial % 2 == 0) first.head<3>().normalize();
    for (int k = 3; k < 6; ++k) second[k] = random.normal();
    const Vector3d point = random.normal3();
    const auto difference = [&](double theta) {
      return (turning_path(first, second, theta) * point - screw_path(first, second, theta) * point).norm();
    };
    const double ratio = difference(2e-3) / difference(1e-3);
    EXPECT_NEAR(ratio, 8.0, 0.5) << trial;
    if (trial % 2 != 0) continue;
    // The velocity of the body point at the instantaneous centre c + c' theta is along the axis.
    const Vector3d a = first.head<3>(), c = a.cross(Vector3d(first.tail<3>())),
                   rate = a.cross(Vector3d(second.tail<3>()));
    for (const double theta : {0.0, 0.3, 1.0}) {
      const Vector3d centre = c + theta * rate;
      const math::Pose now = turning_path(first, second, theta);
      const Vector3d body_point = now.inverse() * centre;
      const Vector3d velocity = (turning_path(first, second, theta + 1e-5) * body_point -
                                 turning_path(first, second, theta - 1e-5) * body_point) /
                                2e-5;
      EXPECT_LT((velocity - a * a.dot(velocity)).norm(), 1e-8);
    }
  }
  EXPECT_THROW(turning_path(Vector6d::Ones(), Vector6d::Ones(), 0.1), std::invalid_argument);
}

TEST(GraspStability, RanksTheSevenGraspsAsPublished) {
  std::vector<GraspStability> grasps;
  GraspStabilityOptions options;
  options.screws = 400;
  for (const NamedGrasp& grasp : grasps_of_figure_3_5())
    grasps.push_back(grasp_stability(grasp.name, grasp.relation, options));
  const auto order = [&](char a, char b) {
    return compare(grasps[static_cast<std::size_t>(a - 'a')], grasps[static_cast<std::size_t>(b - 'a')]);
  };
  for (const char other : {'a', 'c', 'd', 'e', 'f', 'g'})
    EXPECT_EQ(order('b', other), GraspOrder::stabler) << other;
  for (const char other : {'a', 'b', 'c', 'd', 'e', 'f'})
    EXPECT_EQ(order('g', other), GraspOrder::less_stable) << other;
  EXPECT_EQ(order('c', 'd'), GraspOrder::equal);
  EXPECT_EQ(order('c', 'e'), GraspOrder::equal);
  for (const char other : {'a', 'b', 'f'}) EXPECT_EQ(order('c', other), GraspOrder::less_stable) << other;
  EXPECT_EQ(order('a', 'f'), GraspOrder::not_comparable);
  const int mobility[] = {5, 3, 5, 5, 5, 3, 5};
  for (std::size_t i = 0; i < grasps.size(); ++i) EXPECT_EQ(grasps[i].second_order_mobility, mobility[i]);
}

// An ellipsoid's curvature is known everywhere; vertices are disturbed, and the estimate knows by how much it may be off.
TEST(MeshGrasp, CurvatureOfAnEllipsoidWithItsUncertainty) {
  const Vector3d axes(1.5, 1.0, 0.7);
  for (const double noise : {0.0, 1e-4}) {
    geometry::TriangleMesh mesh = geometry::make_icosphere(1.0, 5);
    math::RandomStream random(11);
    for (Vector3d& p : mesh.vertices) p = axes.cwiseProduct(p) + noise * random.normal3();
    int within = 0, all = 0;
    double worst = 0.0;
    for (int trial = 0; trial < 40; ++trial) {
      const Vector3d on = axes.cwiseProduct(random.unit_vector());
      const CurvatureEstimate estimate = estimate_curvature(mesh, on);
      // f = (|x/axes|^2 - 1)/2, scaled to unit gradient: n.x + 1/2 x'mx with m the tangential part of its second derivative.
      const Vector3d gradient = on.cwiseQuotient(axes.cwiseProduct(axes));
      const Vector3d n = gradient.normalized();
      const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - n * n.transpose(),
                            m = across *
                                Eigen::Matrix3d(axes.cwiseProduct(axes).cwiseInverse().asDiagonal()) *
                                across / gradient.norm();
      const double off = (estimate.curvature_B - m).norm();
      EXPECT_LT(estimate.n_B.cross(n).norm(), 0.01);
      worst = std::max(worst, off / m.norm());
      within += off <= 3.0 * estimate.std + 1e-9;
      ++all;
    }
    std::printf("noise %g m: %d of %d curvatures within 3 standard deviations, the worst off by %.1f %%\n",
                noise, within, all, 100.0 * worst);
    EXPECT_GE(within, all - 3);
    EXPECT_LT(worst, noise == 0.0 ? 0.05 : 0.25);
  }
  // Held at the ends of the short axis it is wide there: grasp f; at the ends of the long one narrow: grasp g.
  geometry::TriangleMesh egg = geometry::make_icosphere(1.0, 5);
  for (Vector3d& p : egg.vertices) p = Vector3d(1.5 * p.x(), p.y(), p.z());
  const FingerTip narrow[] = {{{1.5, 0, 0}, 1.0}, {{-1.5, 0, 0}, 1.0}};
  const MeshGrasp held = mesh_grasp(egg, narrow);
  EXPECT_EQ(held.positive, 4);
  EXPECT_EQ(held.negative, 0);
  EXPECT_GT(held.sure, 0.95);
}

// Figure 3.6: the edge of a block on the edge of another. Every relation found is met again at its pose, the bodies apart.
TEST(NeighbourRelations, OfAnEdgeOnAnEdge) {
  const geometry::Polyhedron block = geometry::Polyhedron::from_mesh(geometry::make_box({1, 1, 1})),
                             table = geometry::Polyhedron::from_mesh(geometry::make_box({4, 1.6, 1}));
  // The block's lower edge at x = 0.5 of it lies on the table's upper edge x = 2.
  const math::Pose X(
      Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Vector3d::UnitY())),
      Vector3d(2, 0, 0.5) - Eigen::AngleAxisd(0.3, Vector3d::UnitY()) * Vector3d(0.5, 0, -0.5));
  NeighbourOptions options;
  options.motions = 300;
  options.whole_graph = false;
  const RelationGraph graph = neighbouring_relations(block, table, X, options);
  std::set<std::string> kinds;
  double second = 0.0, first = 0.0;
  for (const RelationNode& node : graph.nodes) {
    const PolyhedronContacts again = find_contacts(block, node.X_FM, table, math::Pose(), {.joins_lines = false});
    EXPECT_TRUE(again.problems.empty());
    EXPECT_FALSE(again.relation.contacts.empty());
    std::string kind;
    for (const std::string& pair : node.pairs)
      kind += std::string(1, pair[0]) + pair[pair.find('-') + 1] + " ";
    kinds.insert(kind);
    second = std::max(second, node.guess_error);
    first = std::max(first, node.first_order_error);
  }
  std::printf("%s guesses of first order are off by up to %.3g m, of second order %.3g m\n",
              graph.brief_report().c_str(), first, second);
  EXPECT_TRUE(kinds.count("vf vf ") > 0) << "edge-face";
  EXPECT_TRUE(kinds.count("vf ") > 0) << "vertex-face";
  EXPECT_GE(graph.nodes.size(), 4u);
  EXPECT_LT(second, 0.3 * first);
  EXPECT_THROW(neighbouring_relations(block, table, math::Pose::translation({9, 0, 0})),
               std::invalid_argument);
  EXPECT_THROW(neighbouring_relations(block, table, math::Pose()), std::invalid_argument);
}

// A block whose edge lies in the inner corner of an angle, a body that is not convex. Every relation listed is read again from its pose, and a second
// judge, distances of triangles, finds the bodies touching there and not overlapping.
TEST(NeighbourRelations, OfABlockInAnInnerCorner) {
  // Extruded along y: a floor, and a wall at its left end.
  const Eigen::Vector2d outline[] = {{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 3}, {0, 3}};
  geometry::TriangleMesh angle;
  for (const double side : {0.0, 3.0})
    for (const Eigen::Vector2d& p : outline) angle.vertices.emplace_back(p.x(), side, p.y());
  for (int i = 0; i < 6; ++i) {
    const int j = (i + 1) % 6;
    angle.triangles.push_back({i, j, 6 + j});
    angle.triangles.push_back({i, 6 + j, 6 + i});
  }
  for (const auto& [a, b, c] : {std::array{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
    angle.triangles.push_back({c, b, a});
    angle.triangles.push_back({6 + a, 6 + b, 6 + c});
  }
  for (auto& triangle : angle.triangles) std::swap(triangle[1], triangle[2]);
  const geometry::Polyhedron block = geometry::Polyhedron::from_mesh(geometry::make_box({1, 1, 1})),
                             corner = geometry::Polyhedron::from_mesh(angle);
  ASSERT_TRUE(corner.is_closed());
  // One edge in the inner corner, tilted: it touches floor and wall.
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(0.5, Vector3d::UnitY()));
  const Vector3d low = tilt * Vector3d(0.5, 0, -0.5), left = tilt * Vector3d(-0.5, 0, -0.5);
  const math::Pose X(tilt, Vector3d(1.0 - left.x(), 1.5, 1.0 - low.z()));
  NeighbourOptions options;
  options.motions = 150;
  options.most_relations = 40;
  const RelationGraph graph = neighbouring_relations(block, corner, X, options);
  const geometry::ProximityShape block_shape(block.mesh()), corner_shape(corner.mesh());
  std::set<std::string> kinds;
  for (const RelationNode& node : graph.nodes) {
    const geometry::Proximity seen = proximity(block_shape, node.X_FM, corner_shape, math::Pose());
    EXPECT_LT(std::abs(seen.distance), 1e-5) << "apart, or one inside the other";
    const PolyhedronContacts again = find_contacts(block, node.X_FM, corner, math::Pose(), {.joins_lines = false});
    EXPECT_TRUE(again.problems.empty());
    EXPECT_EQ(again.relation.contacts.size(), node.relation.contacts.size());
    for (const std::string& pair : node.pairs)
      kinds.insert(std::string(1, pair[0]) + pair[pair.find('-') + 1]);
  }
  std::printf("%s", graph.brief_report().c_str());
  EXPECT_GE(graph.nodes.size(), 8u);
  EXPECT_TRUE(kinds.count("vf") > 0);
  for (const auto& [from, to] : graph.edges) EXPECT_NE(from, to);
}

}  // namespace
}  // namespace prehend::observation
