// Meshes as shapes: filled with points, measured exactly where they are sound.
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include <prehend/geometry/hull.h>
#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh_check.h>
#include <prehend/geometry/mesh_repair.h>
#include <prehend/geometry/sampling.h>
#include <prehend/geometry/triangle_tree.h>
#include <prehend/inertia/methods/shape_moments.h>
#include <prehend/inertia/shape.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/random.h>
#include <prehend/model/input_error.h>

namespace prehend::inertia {
namespace {

struct Fill {
  std::vector<Eigen::Vector3d> points;
  double volume{0.0};  // [m^3] of the solid, as the share of its box
};

// Points of the additive sequence frac(1/2 + k (1/g, 1/g^2, 1/g^3)), g^4 = g + 1, over the box, as far as they lie inside:
// spread as evenly as a grid, but no face of the object can lie along a layer of them, so sums over them are good to
// about 1/n. Gives up after 100 tries per wanted point: a sheet folded through its box.
Fill fill_interior(const geometry::TriangleMesh& mesh, int wanted) {
  constexpr double kG = 1.2207440846057595;
  const Eigen::Vector3d step(1.0 / kG, 1.0 / (kG * kG), 1.0 / (kG * kG * kG));
  const geometry::TriangleTree tree(mesh);
  const geometry::Aabb box = tree.box();
  const Eigen::Vector3d size = box.upper - box.lower;
  Fill fill;
  std::int64_t tries = 0;
  for (const std::int64_t most = 100LL * wanted; tries < most && std::ssize(fill.points) < wanted; ++tries) {
    const Eigen::Array3d u = 0.5 + static_cast<double>(tries) * step.array();
    const Eigen::Vector3d p = box.lower + ((u - u.floor()) * size.array()).matrix();
    if (tree.contains(p)) fill.points.push_back(p);
  }
  fill.volume = size.prod() * static_cast<double>(fill.points.size()) / static_cast<double>(tries);
  return fill;
}

Eigen::AlignedBox3d box_of(const std::vector<Eigen::Vector3d>& points) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : points) box.extend(p);
  return box;
}

void take_fill(Fill fill, Shape& shape) {
  shape.points = std::move(fill.points);
  shape.volumes.assign(shape.points.size(), fill.volume / static_cast<double>(shape.points.size()));
}

// A sheet too thin for any grid: points on its surface stand for it.
void fill_by_surface(const geometry::TriangleMesh& mesh, double volume, int wanted, Shape& shape) {
  math::RandomStream random(0);
  shape.points.clear();
  for (const geometry::SurfaceSample& sample : geometry::sample_surface(mesh, wanted, random))
    shape.points.push_back(sample.point);
  shape.volumes.assign(shape.points.size(), volume / wanted);
}

void shape_of_hull(const geometry::TriangleMesh& hull, const ShapeOptions& options, Shape& shape) {
  const geometry::MassProperties mass = geometry::mass_properties(hull);
  take_fill(fill_interior(hull, options.fill_points), shape);
  if (shape.points.size() < 50) fill_by_surface(hull, mass.volume, options.fill_points, shape);
  shape.of_unit_mass = {1.0, mass.centroid, mass.inertia_unit_density / mass.volume};
}

}  // namespace

Shape shape_of_mesh(const geometry::TriangleMesh& given, const std::string& name,
                    const ShapeOptions& options) {
  math::OptionCheck("ShapeOptions").between("fill_points", options.fill_points, 50, 1e6);
  const geometry::MeshRepair repair = geometry::repair_mesh(given);
  if (repair.status == geometry::MeshStatus::unusable)
    throw model::InputError(name, 0, "the mesh has no triangle that is part of a surface; expected a solid");
  const geometry::TriangleMesh& mesh = repair.mesh;
  Shape shape;
  shape.box = box_of(mesh.vertices);
  for (const std::string& action : repair.actions) shape.notes.push_back(name + ": " + action);

  const geometry::HullResult hull = geometry::convex_hull(mesh.vertices);
  if (hull.status != geometry::HullStatus::ok)
    throw model::InputError(name, 0, "the mesh is flat, so it has no volume to fill; expected a solid");
  const double hull_volume = geometry::mass_properties(hull.mesh).volume;
  const geometry::MassProperties mass = geometry::mass_properties(mesh);

  if (repair.status == geometry::MeshStatus::solid && mass.status == geometry::MassStatus::ok) {
    take_fill(fill_interior(mesh, options.fill_points), shape);
    if (shape.points.size() < 50) {
      fill_by_surface(mesh, mass.volume, options.fill_points, shape);
      shape.notes.push_back(name + ": too thin to fill; points on its surface stand for it.");
    }
    shape.volumes.assign(shape.points.size(), mass.volume / static_cast<double>(shape.points.size()));
    shape.of_unit_mass = {1.0, mass.centroid, mass.inertia_unit_density / mass.volume};
    return shape;
  }

  Fill fill = fill_interior(mesh, options.fill_points);
  const std::string why = repair.report.is_closed ? "the mesh overlaps itself" : "the mesh is not closed";
  // An open sheet encloses a sliver or nothing by its winding number.
  if (fill.points.size() < 50 || fill.volume < 1e-3 * hull_volume) {
    shape.notes.push_back(name + ": " + why +
                          " and encloses nothing; the convex hull of its vertices stands for it.");
    shape_of_hull(hull.mesh, options, shape);
    return shape;
  }
  shape.notes.push_back(name + ": " + why +
                        "; filled where its winding number is above 1/2, volume and inertia are sums over " +
                        std::to_string(fill.points.size()) + " points.");
  take_fill(std::move(fill), shape);
  shape.of_unit_mass = unit_mass_of_points(shape.points, shape.volumes);
  return shape;
}

}  // namespace prehend::inertia
