// Second opinions from Coal: patches of boxes in face contact, and the nearest points of shapes that just
// touch.
#include <cmath>
#include <numbers>

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/contact_patch.h>
#include <coal/distance.h>
#include <coal/shape/geometric_shapes.h>
#include <gtest/gtest.h>

#include <prehend/geometry/polygon2.h>
#include <prehend/geometry/test/contact_scenes.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;
using math::Pose;

coal::Transform3s to_coal(const Pose& X) { return coal::Transform3s(X.R(), X.p()); }

using CoalMesh = coal::BVHModel<coal::OBBRSS>;

std::shared_ptr<CoalMesh> to_coal(const TriangleMesh& mesh) {
  std::vector<coal::Vec3s> vertices(mesh.vertices.begin(), mesh.vertices.end());
  std::vector<coal::Triangle> triangles;
  for (const Eigen::Vector3i& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_shared<CoalMesh>();
  model->beginModel();
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}

coal::DistanceResult nearest(const CoalMesh& a, const Pose& X_WA, const CoalMesh& b, const Pose& X_WB) {
  coal::DistanceResult result;
  coal::distance(&a, to_coal(X_WA), &b, to_coal(X_WB), coal::DistanceRequest(true, false), result);
  return result;
}

// Moves b from `from` along the unit vector `towards` until the distance to a (which stands at the origin) is
// `gap`. Distance changes no faster than the shift, so no step goes too far.
bool approach(const CoalMesh& a, const CoalMesh& b, const Vector3d& towards, double gap, Pose& X_WB) {
  for (int step = 0; step < 300; ++step) {
    const double left = nearest(a, Pose(), b, X_WB).min_distance - gap;
    if (std::abs(left) < 1e-9) return true;
    X_WB = Pose(X_WB.q(), X_WB.p() + left * towards);
    if (X_WB.p().dot(towards) > 5.0) return false;  // missed
  }
  return false;
}

TriangleMesh random_shape(math::RandomStream& random, int kind) {
  switch (kind) {
    case 0:
      return make_box({random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)});
    case 1:
      return make_cone(random.uniform(0.5, 1), random.uniform(0.5, 2), 3 + static_cast<int>(random.below(5)));
    case 2:
      return make_icosphere(random.uniform(0.5, 1), 1);
    default: {
      bool filled[27];  // with notches, pockets and tunnels
      for (bool& f : filled) f = random.uniform() < 0.6;
      filled[13] = true;
      return grid_solid({-1, -0.4, 0.3, 1}, {-1, -0.2, 0.2, 1}, {-1, -0.3, 0.5, 1},
                        [&](int i, int j, int k) { return filled[9 * i + 3 * j + k]; });
    }
  }
}

TEST(ContactAgainstCoal, NearestPointsOfRandomShapesAreContacts) {
  int tried = 0, kinds[3] = {0, 0, 0};
  const double gap = 5e-5;
  for (int trial = 0; trial < 400; ++trial) {
    math::RandomStream random(31, trial);
    const TriangleMesh mesh_a = random_shape(random, trial % 4),
                       mesh_b = random_shape(random, (trial / 4) % 4);
    const auto coal_a = to_coal(mesh_a), coal_b = to_coal(mesh_b);
    const Vector3d from = random.unit_vector();
    Pose X_WB(random.rotation(), 8.0 * from + 0.3 * random.normal3());
    if (!approach(*coal_a, *coal_b, -from, gap, X_WB)) continue;
    ++tried;
    const coal::DistanceResult truth = nearest(*coal_a, Pose(), *coal_b, X_WB);
    const Vector3d middle = 0.5 * (truth.nearest_points[0] + truth.nearest_points[1]);
    const Vector3d normal = (truth.nearest_points[1] - truth.nearest_points[0]).normalized();
    const PairContacts found =
        find_pair_contacts(Polyhedron::from_mesh(mesh_a), Pose(), Polyhedron::from_mesh(mesh_b), X_WB);
    EXPECT_FALSE(found.penetrating) << trial;
    bool agrees = false;
    for (const ContactPatch& patch : found.patches) {
      ++kinds[static_cast<int>(patch.kind)];
      EXPECT_LE(std::abs(patch.gap_max_m), 1e-4 * 1.001);
      EXPECT_GE(patch.gap_min_m, gap * 0.999) << trial;
      // Nearly parallel edges touch along a line whose ends differ in gap: its one normal lies between theirs.
      const double opening = patch.gap_max_m - patch.gap_min_m;
      double length = 1e-6;
      for (const Vector3d& p : patch.loops_W[0]) length = std::max(length, (p - patch.loops_W[0][0]).norm());
      for (const Vector3d& p : patch.loops_W[0])
        agrees = agrees || ((p - middle).norm() < 1e-6 + 0.3 * opening &&
                            (patch.n_W - normal).norm() < 1e-3 + 2 * opening / length);
    }
    EXPECT_TRUE(agrees) << "trial " << trial << ", kinds " << trial % 4 << " " << (trial / 4) % 4 << ", "
                        << found.patches.size() << " patches, normal " << normal.transpose() << " at "
                        << middle.transpose();
  }
  EXPECT_GT(tried, 300);
  EXPECT_GT(kinds[0], 300);
}

TEST(ContactAgainstCoal, PatchesOfStackedBoxes) {
  for (int trial = 0; trial < 100; ++trial) {
    math::RandomStream random(32, trial);
    const Vector3d size_a(random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2));
    const Vector3d size_b(random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2));
    const Pose X_WA(random.rotation(), random.normal3());
    const double turn = random.uniform(0, 6.28);
    const Pose X_AB(
        Eigen::Quaterniond(Eigen::AngleAxisd(turn, Vector3d::UnitZ())),
        {random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), 0.5 * (size_a.z() + size_b.z()) - 1e-6});
    const Pose X_WB = X_WA * X_AB;
    const PairContacts found = find_pair_contacts(Polyhedron::from_mesh(make_box(size_a)), X_WA,
                                                  Polyhedron::from_mesh(make_box(size_b)), X_WB);
    ASSERT_EQ(found.patches.size(), 1u);

    const coal::Box box_a(size_a.x(), size_a.y(), size_a.z()), box_b(size_b.x(), size_b.y(), size_b.z());
    coal::CollisionResult collision;
    coal::collide(&box_a, to_coal(X_WA), &box_b, to_coal(X_WB), coal::CollisionRequest(coal::CONTACT, 1),
                  collision);
    ASSERT_EQ(collision.numContacts(), 1u);
    coal::ContactPatchResult patches;
    coal::computeContactPatch(&box_a, to_coal(X_WA), &box_b, to_coal(X_WB), collision,
                              coal::ContactPatchRequest(), patches);
    ASSERT_EQ(patches.numContactPatches(), 1u);
    const coal::ContactPatch& patch = patches.getContactPatch(0);
    Polygon2 coal_polygon{{{}}};
    for (const coal::Vec2s& p : patch.points()) coal_polygon.loops[0].push_back(p);
    EXPECT_NEAR(found.patches[0].area_m2, std::abs(area(coal_polygon)), 1e-6);
    EXPECT_GT(found.patches[0].n_W.dot(patch.getNormal()), 1.0 - 1e-6);
    for (std::size_t i = 0; i < patch.size(); ++i) {
      double best = 1.0;
      for (const Vector3d& p : found.patches[0].loops_W[0])
        best = std::min(best, (p - patch.getPoint(i)).norm());
      EXPECT_LT(best, 1e-5);
    }
  }
}

// A spherical bowl, 2000 faces: inner and outer hemisphere of quads cut in two, and a flat rim.
TriangleMesh bowl(double inner, double outer) {
  const int around = 32, rings = 16;
  TriangleMesh mesh;
  const auto hemisphere = [&](double radius, bool inwards) {
    const int base = static_cast<int>(mesh.vertices.size());
    for (int i = 0; i < rings; ++i) {
      const double latitude = 0.5 * std::numbers::pi * i / rings;
      for (int j = 0; j < around; ++j) {
        const double longitude = 2.0 * std::numbers::pi * j / around;
        mesh.vertices.emplace_back(radius * std::cos(latitude) * std::cos(longitude),
                                   radius * std::cos(latitude) * std::sin(longitude),
                                   -radius * std::sin(latitude));
      }
    }
    mesh.vertices.emplace_back(0.0, 0.0, -radius);
    const auto add = [&](int a, int b, int c) {
      if (inwards) std::swap(b, c);
      mesh.triangles.emplace_back(base + a, base + b, base + c);
    };
    for (int i = 0; i < rings; ++i) {
      for (int j = 0; j < around; ++j) {
        const int a = i * around + j, b = i * around + (j + 1) % around;
        if (i + 1 == rings) {
          add(a, rings * around, b);
        } else {
          add(a, a + around, b + around);
          add(a, b + around, b);
        }
      }
    }
    return base;
  };
  const int in = hemisphere(inner, true), out = hemisphere(outer, false);
  for (int j = 0; j < around; ++j) {
    const int k = (j + 1) % around;
    mesh.triangles.emplace_back(in + j, out + j, out + k);
    mesh.triangles.emplace_back(in + j, out + k, in + k);
  }
  return mesh;
}

TEST(ContactAgainstCoal, BallsInABowl) {
  const TriangleMesh bowl_mesh = bowl(0.5, 0.55);
  const Polyhedron bowl_shape = Polyhedron::from_mesh(bowl_mesh);
  EXPECT_TRUE(bowl_shape.is_closed());
  EXPECT_GT(bowl_mesh.triangles.size(), 1900u);
  const TriangleMesh ball_mesh = make_icosphere(0.1, 3);
  const Polyhedron ball = Polyhedron::from_mesh(ball_mesh);
  const auto coal_bowl = to_coal(bowl_mesh), coal_ball = to_coal(ball_mesh);
  for (int trial = 0; trial < 60; ++trial) {
    math::RandomStream random(33, trial);
    Vector3d down = random.unit_vector();
    down.z() = -std::abs(down.z()) - 0.2;
    if (trial % 3 == 0) down = -Vector3d::UnitZ();  // vertex of the bowl straight below: the degenerate place
    down.normalize();
    const Eigen::Quaterniond q = trial % 6 == 0 ? Eigen::Quaterniond::Identity() : random.rotation();
    Pose X_WB(q, 0.3 * down);
    ASSERT_TRUE(approach(*coal_bowl, *coal_ball, down, 2e-5, X_WB));
    const PairContacts found = find_pair_contacts(bowl_shape, Pose(), ball, X_WB);
    EXPECT_FALSE(found.penetrating);
    ASSERT_FALSE(found.patches.empty()) << trial;
    EXPECT_LE(found.patches.size(), 32u);  // as many facets meet at the bottom
    const coal::DistanceResult truth = nearest(*coal_bowl, Pose(), *coal_ball, X_WB);
    double closest = 1.0;
    for (const ContactPatch& patch : found.patches) {
      // The ball rests on the inside: the normal from bowl to ball points to the middle, within the facets'
      // angles.
      EXPECT_GT(patch.n_W.dot(-patch.loops_W[0][0].normalized()), std::cos(0.12)) << trial;
      for (const Vector3d& p : patch.loops_W[0]) {
        closest = std::min(closest, (p - 0.5 * (truth.nearest_points[0] + truth.nearest_points[1])).norm());
      }
    }
    EXPECT_TRUE(trial % 3 == 0 || closest < 1e-6) << trial;
  }
}

}  // namespace
}  // namespace prehend::geometry
