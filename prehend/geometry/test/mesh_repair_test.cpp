#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh_repair.h>
#include <prehend/geometry/primitives.h>
#include <prehend/geometry/test/dirty_meshes.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using dirty::exploded;
using dirty::inverted;
using dirty::moved;
using Eigen::Vector3d;
using Sentences = std::vector<std::string>;

TEST(MeshRepair, LeavesACleanMeshAlone) {
  const TriangleMesh mesh = make_torus(1.0, 0.3, 12, 8);
  const MeshRepair repair = repair_mesh(mesh);
  EXPECT_EQ(repair.status, MeshStatus::solid);
  EXPECT_TRUE(repair.actions.empty()) << repair.brief_report();
  EXPECT_EQ(repair.mesh.vertices, mesh.vertices);
  EXPECT_EQ(repair.mesh.triangles, mesh.triangles);
  EXPECT_DOUBLE_EQ(*repair.volume_before, *repair.volume_after);
}

TEST(MeshRepair, WeldsAndSaysSo) {
  const MeshRepair repair = repair_mesh(exploded(make_box({1, 1, 1})));
  EXPECT_EQ(repair.actions, Sentences{"merged 28 vertices with an earlier one in the same place"});
  EXPECT_EQ(repair.status, MeshStatus::solid);
}

TEST(MeshRepair, DropsWhatCannotBeSurface) {
  TriangleMesh mesh = make_box({1, 1, 1});
  mesh.vertices.emplace_back(std::numeric_limits<double>::infinity(), 0, 0);
  mesh.triangles.emplace_back(0, 1, 8);
  mesh.triangles.emplace_back(0, 1, 77);
  mesh.triangles.emplace_back(3, 3, 1);
  mesh.triangles.push_back(mesh.triangles[0]);
  mesh.triangles.emplace_back(0, 3, 5);
  mesh.triangles.emplace_back(0, 5, 3);
  const MeshRepair repair = repair_mesh(mesh);
  EXPECT_EQ(
      repair.actions,
      (Sentences{"dropped 2 triangles with a vertex that does not exist or is not finite",
                 "dropped 1 triangle with fewer than three different corners", "dropped 1 repeated triangle",
                 "dropped 2 triangles that lay back to back with another on the same corners",
                 "dropped 1 vertex that no triangle uses",
                 "the mesh, not closed and oriented before, now encloses 1 m^3"}));
  EXPECT_EQ(repair.status, MeshStatus::solid);
  EXPECT_EQ(repair.mesh.triangles.size(), 12u);
}

TEST(MeshRepair, TurnsTheFewTrianglesThatFaceTheWrongWay) {
  math::RandomStream random(3);
  for (int round = 0; round < 10; ++round) {
    const TriangleMesh clean = make_icosphere(1.0, 2);
    TriangleMesh mesh = clean;
    int flipped = 0;
    for (auto& t : mesh.triangles) {
      if (random.uniform() < 0.3) {
        std::swap(t[0], t[1]);
        ++flipped;
      }
    }
    const MeshRepair repair = repair_mesh(mesh);
    EXPECT_EQ(repair.status, MeshStatus::solid) << repair.brief_report();
    EXPECT_EQ(repair.actions[0],
              "turned " + std::to_string(flipped) + " triangles to face the same way as the neighbours");
    EXPECT_NEAR(*repair.volume_after, mass_properties(clean).volume, 1e-12);
  }
}

TEST(MeshRepair, TurnsInsideOutShellsButNotCavities) {
  const TriangleMesh outer = make_box({4, 4, 4}), inner = make_icosphere(1.0, 2);
  const MeshRepair all = repair_mesh(inverted(outer));
  EXPECT_EQ(all.actions, (Sentences{"turned 1 shell that was inside out",
                                    "the enclosed volume changed from -64 to 64 m^3"}));
  EXPECT_EQ(all.status, MeshStatus::solid);
  EXPECT_TRUE(repair_mesh(merged(outer, inverted(inner))).actions.empty());
  const MeshRepair nest = repair_mesh(merged(inverted(outer), inner));
  EXPECT_EQ(nest.status, MeshStatus::solid) << nest.brief_report();
  EXPECT_NEAR(*nest.volume_after, 64.0 - mass_properties(inner).volume, 1e-12);
  // Ambiguous: left alone, and said.
  const MeshRepair twice = repair_mesh(merged(outer, inner));
  EXPECT_TRUE(twice.actions.empty());
  EXPECT_EQ(twice.status, MeshStatus::defective);
}

TEST(MeshRepair, ResolvesTrianglesWithoutArea) {
  const MeshRepair repair = repair_mesh(dirty::box_with_flat_triangle());
  EXPECT_EQ(repair.actions, Sentences{"resolved 1 triangle without area by swapping the longest edge"});
  EXPECT_EQ(repair.status, MeshStatus::solid) << repair.brief_report();
  EXPECT_EQ(repair.mesh.triangles.size(), 14u);
  EXPECT_NEAR(*repair.volume_after, 1.0, 1e-15);
}

TEST(MeshRepair, FillsHolesOnlyWhenAsked) {
  TriangleMesh mesh = make_box({1, 1, 1});
  mesh.triangles.resize(10);  // without the top
  const MeshRepair open = repair_mesh(mesh);
  EXPECT_TRUE(open.actions.empty());
  EXPECT_EQ(open.status, MeshStatus::defective);
  EXPECT_FALSE(open.volume_after);
  EXPECT_TRUE(repair_mesh(mesh, {.max_hole_edges = 3}).actions.empty());
  const MeshRepair filled = repair_mesh(mesh, {.max_hole_edges = 4});
  EXPECT_EQ(filled.actions, (Sentences{"filled 1 hole with 2 triangles of together 1 m^2",
                                       "the mesh, not closed and oriented before, now encloses 1 m^3"}));
  EXPECT_EQ(filled.status, MeshStatus::solid) << filled.brief_report();
  // A round hole: the lid of a cylinder, with 30 edges, has the area of its polygon.
  TriangleMesh cylinder = make_cylinder(0.5, 1.0, 30);
  const double volume = mass_properties(cylinder).volume;
  cylinder.triangles.resize(cylinder.triangles.size() - 28);
  const MeshRepair lid = repair_mesh(cylinder, {.max_hole_edges = 30});
  EXPECT_EQ(lid.status, MeshStatus::solid);
  EXPECT_NEAR(*lid.volume_after, volume, 1e-14);
}

TEST(MeshRepair, NeverChangesTheVolumeSilently) {
  // Two whole boxes in the same place: one vanishes, and the sum halves.
  const TriangleMesh box = make_box({1, 1, 1});
  const MeshRepair repair = repair_mesh(merged(box, box));
  EXPECT_EQ(repair.status, MeshStatus::solid);
  EXPECT_EQ(repair.actions.back(), "the enclosed volume changed from 2 to 1 m^3");
}

TEST(MeshRepair, SameMendingAtAnyScaleAndPlace) {
  for (double scale : {1e-3, 1e3}) {
    TriangleMesh mesh = dirty::box_with_flat_triangle();
    mesh.triangles.push_back(mesh.triangles[0]);
    std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);
    for (Vector3d& v : mesh.vertices) v = scale * (v + Vector3d(1e4, -1e4, 1e4));
    const MeshRepair repair = repair_mesh(exploded(mesh));
    EXPECT_EQ(repair.status, MeshStatus::solid) << repair.brief_report();
    EXPECT_NEAR(*repair.volume_after / (scale * scale * scale), 1.0, 1e-11);
  }
}

TEST(MeshRepair, HopelessMeshesAndBadOptions) {
  EXPECT_EQ(repair_mesh({}).status, MeshStatus::unusable);
  TriangleMesh nothing{{{0, 0, 0}}, {{0, 0, 0}, {5, 6, 7}}};
  EXPECT_EQ(repair_mesh(nothing).status, MeshStatus::unusable);
  EXPECT_TRUE(repair_mesh(nothing).mesh.triangles.empty());
  EXPECT_THROW(repair_mesh({}, {.max_hole_edges = 101}), std::invalid_argument);
  EXPECT_THROW(repair_mesh({}, {.weld_tolerance = 0.2}), std::invalid_argument);
  // A Moebius band has one side: left, and said.
  TriangleMesh band;
  const int n = 12;
  for (int i = 0; i < n; ++i) {
    const double a = 2 * 3.14159265358979 * i / n;
    const Vector3d radial(std::cos(a), std::sin(a), 0),
        width = std::cos(a / 2) * radial + Vector3d(0, 0, std::sin(a / 2));
    band.vertices.push_back(radial + 0.3 * width);
    band.vertices.push_back(radial - 0.3 * width);
  }
  for (int i = 0; i < n; ++i) {
    const int a = 2 * i, b = 2 * i + 1;
    const int c = i + 1 < n ? a + 2 : 1, d = i + 1 < n ? b + 2 : 0;
    band.triangles.emplace_back(a, b, c);
    band.triangles.emplace_back(b, d, c);
  }
  const MeshRepair moebius = repair_mesh(band);
  ASSERT_EQ(moebius.actions.size(), 1u);
  EXPECT_EQ(moebius.actions[0], "left 1 surface with one side only as it is");
  EXPECT_EQ(moebius.status, MeshStatus::defective);
}

}  // namespace
}  // namespace prehend::geometry
