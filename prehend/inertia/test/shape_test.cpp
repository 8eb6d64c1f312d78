#include <filesystem>
#include <fstream>
#include <numeric>

#include <gtest/gtest.h>
#include <tests/places.h>

#include "in_hull.h"
#include <prehend/geometry/primitives.h>
#include <prehend/inertia/methods/shape_moments.h>
#include <prehend/inertia/point_set.h>
#include <prehend/inertia/shape.h>
#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>

namespace prehend::inertia {
namespace {

using Eigen::Vector3d;

std::string written(const std::string& name, const std::string& text) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) / name).string();
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string cloud_text(const std::string& properties, const std::string& rows, int count) {
  return "ply\nformat ascii 1.0\nelement vertex " + std::to_string(count) +
         "\nproperty float x\nproperty float y\nproperty float z\n" + properties + "end_header\n" + rows;
}

geometry::TriangleMesh box_at(const Vector3d& size, const Vector3d& centre) {
  geometry::TriangleMesh mesh = geometry::make_box(size);
  for (Vector3d& v : mesh.vertices) v += centre;
  return mesh;
}

// Volume, centroid and inertia of a box are closed forms; the fill's own sums approach them.
TEST(ShapeTest, ClosedMeshIsExactAndFilled) {
  for (const double scale : {1e-3, 1.0, 1e3}) {
    const Vector3d size = scale * Vector3d(0.3, 0.2, 0.1), centre = scale * Vector3d(5, -3, 2);
    const Shape shape = shape_of_mesh(box_at(size, centre), "box");
    const math::SpatialInertia box = math::SpatialInertia::solid_box(1.0, size);
    EXPECT_TRUE(shape.notes.empty());
    EXPECT_LT((shape.of_unit_mass.com - centre).norm(), 1e-12 * centre.norm());
    EXPECT_LT((shape.of_unit_mass.I_com - box.I_com).norm(), 1e-10 * box.I_com.norm());
    EXPECT_NEAR(total_volume(shape) / size.prod(), 1.0, 1e-12);
    EXPECT_GE(shape.points.size(), 4000u);
    const math::SpatialInertia sums = unit_mass_of_points(shape.points, shape.volumes);
    EXPECT_LT((sums.I_com - box.I_com).norm(), 0.02 * box.I_com.norm());
    for (const Vector3d& p : shape.points)
      EXPECT_TRUE(((p - centre).array().abs() <= size.array() / 2).all());
  }
}

TEST(ShapeTest, OverlappingShellsCountOnceAndOpenMeshesAreNamed) {
  const geometry::TriangleMesh two =
      geometry::merged(box_at({0.2, 0.1, 0.1}, {0, 0, 0}), box_at({0.2, 0.1, 0.1}, {0.1, 0.01, 0.02}));
  const Shape overlapping = shape_of_mesh(two, "two");
  ASSERT_FALSE(overlapping.notes.empty());
  EXPECT_NE(overlapping.notes.back().find("overlaps itself"), std::string::npos) << overlapping.notes.back();
  const double united = 2 * 0.002 - 0.1 * 0.09 * 0.08;
  EXPECT_NEAR(total_volume(overlapping) / united, 1.0, 0.01);

  geometry::TriangleMesh open = box_at({0.2, 0.1, 0.1}, {0, 0, 0});
  open.triangles.pop_back();
  const Shape holed = shape_of_mesh(open, "open");
  EXPECT_NE(holed.notes.back().find("not closed"), std::string::npos);
  EXPECT_NEAR(total_volume(holed) / 0.002, 1.0, 0.25);

  // Half of a box, an open shell of three faces: whatever fills it, it says so and has a volume.
  geometry::TriangleMesh half = open;
  half.triangles.resize(5);
  const Shape sheet = shape_of_mesh(half, "half");
  EXPECT_NE(sheet.notes.back().find("not closed"), std::string::npos);
  EXPECT_GT(total_volume(sheet), 0.0);
}

TEST(ShapeTest, UnitsAndBadOptions) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) / "mm_box.stl").string();
  model::write_stl(path, box_at({300, 200, 100}, {0, 0, 0}));
  ShapeOptions options;
  options.unit = 0.001;
  EXPECT_NEAR(total_volume(read_shape(path, options)), 0.006, 1e-9);
  options.unit = -1;
  EXPECT_THROW(read_shape(path, options), std::invalid_argument);
  options.unit = 0.001;
  options.fill_points = 3;
  EXPECT_THROW(read_shape(path, options), std::invalid_argument);
}

TEST(ShapeTest, LabelledCloudHasParts) {
  const std::string path =
      written("labelled.ply", cloud_text("property float volume\nproperty uchar segmentation\n",
                                         "0 0 0 1 4\n1 0 0 3 4\n0 1 0 1 7\n0 1 2 1 7\n", 4));
  const Shape shape = read_parts({path});
  ASSERT_EQ(shape.parts.size(), 2u);
  EXPECT_EQ(shape.parts[0].name, "4");
  EXPECT_EQ(shape.parts[1].name, "7");
  EXPECT_LT((shape.parts[0].of_unit_mass.com - Vector3d(0.75, 0, 0)).norm(), 1e-12);
  EXPECT_LT((shape.parts[1].of_unit_mass.com - Vector3d(0, 1, 1)).norm(), 1e-12);
  EXPECT_NEAR(shape.parts[1].of_unit_mass.I_com(0, 0), 1.0, 1e-12);
  EXPECT_NEAR(shape.parts[0].volume, 4.0, 1e-12);
}

TEST(ShapeTest, CloudErrorsNameTheFile) {
  const std::string plain = written("plain.ply", cloud_text("", "0 0 0\n1 0 0\n", 2));
  EXPECT_NO_THROW(read_shape(plain));
  try {
    read_parts({plain});
    FAIL();
  } catch (const model::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("plain.ply: error: the cloud has no 'label' or 'segmentation'"),
              std::string::npos)
        << error.what();
  }
  const std::string empty_part =
      written("empty_part.ply",
              cloud_text("property float volume\nproperty uchar label\n", "0 0 0 0 1\n1 1 1 1 2\n", 2));
  EXPECT_THROW(read_parts({empty_part}), model::InputError);
  const std::string negative =
      written("negative.ply", cloud_text("property float volume\n", "0 0 0 -1\n1 1 1 1\n", 2));
  EXPECT_THROW(read_shape(negative), model::InputError);
}

TEST(ShapeTest, OneMeshPerPart) {
  const auto folder = std::filesystem::path(::testing::TempDir());
  model::write_stl((folder / "head.stl").string(), box_at({0.1, 0.1, 0.1}, {0.5, 0, 0}));
  model::write_stl((folder / "handle.stl").string(), box_at({0.4, 0.1, 0.1}, {0, 0, 0}));
  const Shape shape = read_parts({(folder / "head.stl").string(), (folder / "handle.stl").string()});
  ASSERT_EQ(shape.parts.size(), 2u);
  EXPECT_EQ(shape.parts[0].name, "head");
  EXPECT_NEAR(shape.parts[1].volume, 0.004, 1e-9);
  EXPECT_NEAR(shape.of_unit_mass.com.x(), 0.1, 1e-7);  // STL is single precision
  EXPECT_EQ(shape.labels.size(), shape.points.size());
}

// Well spread: no two points closer than half the mean spacing, the volume kept, every point one of the shape's.
TEST(ShapeTest, ResampledPointsAreSpread) {
  const Shape shape = shape_of_mesh(box_at({0.3, 0.1, 0.05}, {0, 0, 0}), "box");
  const Shape few = resample_points(shape);
  EXPECT_EQ(few.points.size(), 60u);  // 1500 cm^3 at 0.04 points per cm^3
  EXPECT_NEAR(total_volume(few), 0.0015, 1e-12);
  const double spacing = std::cbrt(0.0015 / 60);
  for (std::size_t i = 0; i < few.points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_GT((few.points[i] - few.points[j]).norm(), 0.5 * spacing);
  const math::SpatialInertia sums = unit_mass_of_points(few.points, few.volumes);
  EXPECT_LT((sums.com - shape.of_unit_mass.com).norm(), 0.002);
  PointSetOptions options;
  options.min_points = 0;
  EXPECT_THROW(resample_points(shape, options), std::invalid_argument);
  EXPECT_EQ(resample_points(few).points.size(), few.points.size());  // a small set is kept as it is
}

TEST(ShapeTest, HullMembership) {
  const std::vector<Vector3d> cube = box_at({2, 2, 2}, {0, 0, 0}).vertices;
  EXPECT_TRUE(is_in_hull(cube, {0.99, -0.99, 0.5}));
  EXPECT_FALSE(is_in_hull(cube, {1.01, 0, 0}));
  const std::vector<Vector3d> square{{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  EXPECT_TRUE(is_in_hull(square, {0.5, 0.5, 1}));
  EXPECT_FALSE(is_in_hull(square, {0.5, 0.5, 1.01}));
  EXPECT_FALSE(is_in_hull(square, {1.2, 0.5, 1}));
  const std::vector<Vector3d> rod{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
  EXPECT_TRUE(is_in_hull(rod, {0.5, 0.5, 0.5}));
  EXPECT_FALSE(is_in_hull(rod, {2.1, 2.1, 2.1}));
  EXPECT_FALSE(is_in_hull(rod, {0.5, 0.6, 0.5}));
}

// The workshop tools: the authors' parts carry volumes of another scale than their coordinates, their CAD meshes are in
// millimetres and made of overlapping bodies.
TEST(ShapeTest, WorkshopTools) {
  const std::filesystem::path tool = std::filesystem::path(prehend::test::shared_data()) / "tools" / "hammer";
  if (!std::filesystem::exists(tool)) GTEST_SKIP() << "no " << tool;
  const Shape parts = read_parts({(tool / "parts.ply").string()});
  EXPECT_EQ(parts.parts.size(), 4u);
  EXPECT_EQ(parts.points.size(), 2254u);
  ShapeOptions options;
  options.unit = 0.001;
  options.fill_points = 300;  // 116 000 triangles that overlap: points are dear
  const Shape mesh = read_shape((tool / "mesh.ply").string(), options);
  EXPECT_NEAR(mesh.box.sizes().y(), 0.311, 0.002);
  for (const std::string& note : mesh.notes) RecordProperty("note", note);
}

}  // namespace
}  // namespace prehend::inertia
