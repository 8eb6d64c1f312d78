// Contacts of polyhedra: states counted by hand, and verdicts on screws against the bodies moved a little.
#include <cmath>
#include <functional>
#include <map>

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <tests/sweeps.h>

#include <prehend/geometry/primitives.h>
#include <prehend/geometry/proximity.h>
#include <prehend/math/random.h>
#include <prehend/math/se3.h>
#include <prehend/observation/motion_freedom.h>
#include <prehend/observation/polyhedron_contacts.h>
#include <prehend/observation/sub_skills.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;
using geometry::Polyhedron;
using math::Pose;
using math::Vector6d;

// Unit cubes put together; `is_solid` says where, from 0 to `size` - 1 in each direction.
geometry::TriangleMesh voxels(const Vector3i& size, const std::function<bool(const Vector3i&)>& is_solid) {
  geometry::TriangleMesh mesh;
  std::map<std::array<int, 3>, int> numbers;
  const auto vertex = [&](const Vector3i& p) {
    const auto [entry, is_new] =
        numbers.try_emplace({p.x(), p.y(), p.z()}, static_cast<int>(mesh.vertices.size()));
    if (is_new) mesh.vertices.push_back(p.cast<double>());
    return entry->second;
  };
  const auto solid = [&](const Vector3i& p) {
    return (p.array() >= 0).all() && (p.array() < size.array()).all() && is_solid(p);
  };
  for (int i = 0; i < size.x(); ++i)
    for (int j = 0; j < size.y(); ++j)
      for (int k = 0; k < size.z(); ++k) {
        const Vector3i cell(i, j, k);
        if (!solid(cell)) continue;
        for (int axis = 0; axis < 3; ++axis)
          for (const int side : {0, 1}) {
            const Vector3i along = Vector3i::Unit(axis);
            if (solid(side == 1 ? Vector3i(cell + along) : Vector3i(cell - along))) continue;
            const Vector3i u = Vector3i::Unit((axis + 1) % 3), v = Vector3i::Unit((axis + 2) % 3),
                           o = cell + side * along;
            std::array<int, 4> q = {vertex(o), vertex(o + u), vertex(o + u + v), vertex(o + v)};
            if (side == 0) std::swap(q[1], q[3]);
            mesh.triangles.push_back({q[0], q[1], q[2]});
            mesh.triangles.push_back({q[0], q[2], q[3]});
          }
      }
  return mesh;
}

const auto everywhere = [](const Vector3i&) { return true; };
const geometry::TriangleMesh slot_mesh =
    voxels({3, 3, 2}, [](const Vector3i& p) { return p.x() != 1 || p.z() == 0; });  // a groove along y
const geometry::TriangleMesh pocket_mesh =
    voxels({3, 3, 2}, [](const Vector3i& p) { return p.x() != 1 || p.y() != 1 || p.z() == 0; });
const geometry::TriangleMesh peg_mesh = voxels({1, 1, 2}, everywhere);

// The peg in the frame of the other, both somewhere in the world.
std::string state_of(const geometry::TriangleMesh& moving, const geometry::TriangleMesh& fixed,
                     const Pose& X_FM) {
  math::RandomStream random(7);
  const Pose X_WF(random.rotation(), random.normal3());
  const PolyhedronContacts found =
      find_contacts(Polyhedron::from_mesh(moving), X_WF * X_FM, Polyhedron::from_mesh(fixed), X_WF);
  EXPECT_TRUE(found.problems.empty()) << found.problems[0];
  return motion_freedom(found.relation).eight_numbers();
}

TEST(PolyhedronContacts, AGrooveAndAPeg) {
  EXPECT_EQ(state_of(peg_mesh, slot_mesh, Pose::translation({1, 1, 3})), "300 300 00");
  EXPECT_EQ(state_of(peg_mesh, slot_mesh, Pose::translation({1, 1, 1.5})),
            "201 102 12");                                                               // between the walls
  EXPECT_EQ(state_of(peg_mesh, slot_mesh, Pose::translation({1, 1, 1})), "111 012 23");  // and on the ground
  // On its lower edge beside the groove; then with this edge on the groove's.
  const Eigen::Quaterniond tilted(Eigen::AngleAxisd(0.3, Vector3d::UnitY()));
  const Vector3d edge = tilted * Vector3d(1, 0, 0);
  EXPECT_EQ(state_of(peg_mesh, slot_mesh, Pose(tilted, Vector3d(0.5, 1, 2) - edge)), "210 210 11");
  EXPECT_EQ(state_of(peg_mesh, slot_mesh, Pose(tilted, Vector3d(1.0, 1, 2) - edge)), "300 300 22");
  // Face on face, overhanging.
  EXPECT_EQ(state_of(peg_mesh, slot_mesh, Pose::translation({-0.3, 1.2, 2})), "210 120 12");
}

// The insertion of figures 2.22 and 2.23 in Takamatsu 2004: what is done from state to state.
TEST(SubSkills, APegIsInserted) {
  const Eigen::Quaterniond tilted(Eigen::AngleAxisd(0.3, Vector3d::UnitY()));
  const Polyhedron peg = Polyhedron::from_mesh(peg_mesh), slot = Polyhedron::from_mesh(slot_mesh);
  const auto freedom_at = [&](const Pose& X) {
    return motion_freedom(find_contacts(peg, X, slot, Pose()).relation);
  };
  const Vector3d edge = tilted * Vector3d(1, 0, 0);
  const MotionFreedom a = freedom_at(Pose::translation({1, 1, 3}));
  const MotionFreedom b = freedom_at(Pose(tilted, Vector3d(0.5, 1, 2) - edge));
  const MotionFreedom c = freedom_at(Pose(tilted, Vector3d(1.0, 1, 2) - edge));
  const MotionFreedom g = freedom_at(Pose::translation({1, 1, 1.5})),
                      h = freedom_at(Pose::translation({1, 1, 1}));
  EXPECT_EQ(transition_between(a, b).text(), "make-contact translation, make-contact rotation (type 1)");
  EXPECT_EQ(transition_between(b, c).text(), "slide translation, slide rotation");
  EXPECT_EQ(transition_between(c, b).text(), "no sub-skill");
  EXPECT_EQ(transition_between(b, a).text(), "detach-contact translation, detach-contact rotation (type 1)");
  EXPECT_TRUE(transition_between(c, g).critical);  // from an edge on an edge to walls on both sides
  EXPECT_EQ(transition_between(g, h).text(), "make-contact translation, make-contact rotation (type 1)");
  EXPECT_FALSE(transition_between(a, b).critical || transition_between(b, c).critical ||
               transition_between(g, h).critical);
}

TEST(PolyhedronContacts, APocketHoldsAPegFromFourSides) {
  EXPECT_EQ(state_of(peg_mesh, pocket_mesh, Pose::translation({1, 1, 1.5})), "102 003 23");
  EXPECT_EQ(state_of(peg_mesh, pocket_mesh, Pose::translation({1, 1, 1})), "012 003 33");
  // Upright on the rim's corner: the peg's corner over the pocket's. Both pieces of the rim carry the peg's lower face.
  EXPECT_EQ(state_of(peg_mesh, pocket_mesh, Pose::translation({0.5, 0.5, 2})), "210 120 12");
}

TEST(PolyhedronContacts, CornersTouchInManyPlanes) {
  // Cube on cube, corner to corner along the diagonal: three planes of each.
  const geometry::TriangleMesh cube = voxels({1, 1, 1}, everywhere);
  const PolyhedronContacts found = find_contacts(Polyhedron::from_mesh(cube), Pose::translation({1, 1, 1}),
                                                 Polyhedron::from_mesh(cube), Pose());
  ASSERT_EQ(found.relation.contacts.size(), 1u);
  EXPECT_EQ(found.relation.contacts[0].type, "vertex-vertex");
  EXPECT_EQ(found.relation.contacts[0].normals_W.size(), 3u);
  // Flush: beside each other, face to face, all four corners are ordinary.
  const PolyhedronContacts flush = find_contacts(Polyhedron::from_mesh(cube), Pose::translation({1, 0, 0}),
                                                 Polyhedron::from_mesh(cube), Pose());
  EXPECT_EQ(flush.relation.contacts.size(), 4u);
  EXPECT_FALSE(motion_freedom(flush.relation).singular);
}

TEST(PolyhedronContacts, OverlapIsSaid) {
  const Polyhedron cube = Polyhedron::from_mesh(voxels({1, 1, 1}, everywhere));
  EXPECT_FALSE(find_contacts(cube, Pose::translation({0.5, 0, 0}), cube, Pose()).problems.empty());
  geometry::TriangleMesh open = voxels({1, 1, 1}, everywhere);
  open.triangles.pop_back();
  EXPECT_THROW(find_contacts(Polyhedron::from_mesh(open), Pose(), cube, Pose()), std::invalid_argument);
}

// How fast the slowest point of a contact opens, by the best of its planes; of a line also between its ends.
double opening(const Contact& contact, const Vector6d& screw) {
  double slowest = 1.0;
  const Vector3d &start = contact.points_W.front(), &end = contact.points_W.back();
  const int steps = contact.points_W.size() > 1 ? 40 : 0;
  for (int k = 0; k <= steps; ++k) {
    const Vector3d p = steps == 0 ? start : Vector3d(start + static_cast<double>(k) / steps * (end - start));
    double best = -1.0;
    for (const Vector3d& n : contact.normals_W) best = std::max(best, n.dot(screw.tail<3>() + screw.head<3>().cross(p)));
    slowest = std::min(slowest, best);
  }
  return slowest;
}

// The peg moved a little along a screw overlaps exactly where the screw is illegal, clearly so or clearly not.
void expect_motion_agrees(const geometry::TriangleMesh& fixed, const Pose& X_FM, math::RandomStream& random,
                          int& checked) {
  const PolyhedronContacts found =
      find_contacts(Polyhedron::from_mesh(peg_mesh), X_FM, Polyhedron::from_mesh(fixed), Pose());
  const geometry::ProximityShape moving_shape(peg_mesh), fixed_shape(fixed);
  constexpr double kStep = 1e-4;
  for (int k = 0; k < 12; ++k) {
    Vector6d screw;
    screw << random.normal3(), random.normal3();
    if (k % 3 == 0) screw.head<3>().setZero();
    screw.normalize();
    double slowest = 1.0;
    for (const Contact& contact : found.relation.contacts) slowest = std::min(slowest, opening(contact, screw));
    if (std::abs(slowest) < 0.02) continue;  // second order decides
    const Pose moved = math::exp_se3(kStep * screw) * X_FM;
    const geometry::Proximity now = geometry::proximity(fixed_shape, Pose(), moving_shape, moved);
    const bool is_legal = motion_freedom(found.relation, {screw}).screws[0] != ScrewVerdict::illegal;
    EXPECT_EQ(is_legal, slowest > 0.0);
    if (is_legal) {
      EXPECT_GT(now.distance, -1e-3 * kStep) << "slowest " << slowest;
    } else {
      EXPECT_LT(now.distance, -1e-3 * kStep) << "slowest " << slowest;
    }
    ++checked;
  }
}

// An edge along an edge is one contact with two ends, whatever turns the bodies have in the world.
TEST(PolyhedronContacts, AnEdgeAlongAnEdgeIsOneLine) {
  const Polyhedron peg = Polyhedron::from_mesh(peg_mesh), slot = Polyhedron::from_mesh(slot_mesh);
  const Eigen::Quaterniond tilted(Eigen::AngleAxisd(0.3, Vector3d::UnitY()));
  const Pose X(tilted, Vector3d(1.0, 1, 2) - tilted * Vector3d(1, 0, 0));
  const ContactRelation joined = find_contacts(peg, X, slot, Pose()).relation;
  ASSERT_EQ(joined.contacts.size(), 1u);
  EXPECT_EQ(joined.contacts[0].type, "edge-edge");
  ASSERT_EQ(joined.contacts[0].points_W.size(), 2u);
  EXPECT_NEAR((joined.contacts[0].points_W[0] - joined.contacts[0].points_W[1]).norm(), 1.0, 1e-12);
  EXPECT_EQ(find_contacts(peg, X, slot, Pose(), {.joins_lines = false}).relation.contacts.size(), 2u);
}

// Meshes in single precision, far from their origins: walls that are parallel to a millionth hold a peg as parallel ones do.
TEST(PolyhedronContacts, RoundedMeshesCountTheSame) {
  math::RandomStream random(12);
  for (int trial = 0; trial < 20; ++trial) {
    const Pose X_slot(random.rotation(), 3.0 * random.normal3()), X_peg(random.rotation(), 3.0 * random.normal3());
    const auto rounded = [](geometry::TriangleMesh mesh, const Pose& X) {
      for (Vector3d& p : mesh.vertices) p = (X.inverse() * p).cast<float>().cast<double>();
      return Polyhedron::from_mesh(mesh);
    };
    const Polyhedron slot = rounded(slot_mesh, X_slot), peg = rounded(peg_mesh, X_peg);
    const auto numbers = [&](const Vector3d& p) {
      return motion_freedom(find_contacts(peg, X_slot.inverse() * Pose::translation(p) * X_peg, slot, Pose()).relation).eight_numbers();
    };
    EXPECT_EQ(numbers({1, 1, 1.5}), "201 102 12");
    EXPECT_EQ(numbers({1, 1, 1}), "111 012 23");
  }
}

TEST(PolyhedronContacts, ScrewsDoWhatTheySay) {
  int checked = 0;
  const int seeds = prehend::test::sweep_size(8, 25);
  for (int seed = 0; seed < seeds; ++seed) {
    math::RandomStream random(static_cast<std::uint64_t>(400 + seed));
    const Eigen::Quaterniond tilted(Eigen::AngleAxisd(random.uniform(0.1, 1.4), Vector3d::UnitY()));
    const Vector3d edge = tilted * Vector3d(1, 0, 0);
    const double a = random.uniform(0.1, 0.9), b = random.uniform(0.05, 0.9);
    for (const Pose& X :
         {Pose::translation({1, 1, 1}), Pose::translation({1, 1, 1.5}),
          Pose(tilted, Vector3d(a, b, 2) - edge), Pose(tilted, Vector3d(1, b, 2) - edge),
          Pose::translation({a - 1.0, b, 2}), Pose::translation({a, 1.0, 2}), Pose::translation({a, b, 2}),
          Pose::translation({-1.0, b - 0.5, a}), Pose::translation({-1.0, -1.0, a})}) {
      expect_motion_agrees(slot_mesh, X, random, checked);
      expect_motion_agrees(pocket_mesh, X, random, checked);
    }
  }
  EXPECT_GT(checked, 80 * seeds);
}

}  // namespace
}  // namespace prehend::observation
