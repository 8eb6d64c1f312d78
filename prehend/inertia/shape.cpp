#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

#include <prehend/geometry/mesh.h>
#include <prehend/inertia/methods/shape_moments.h>
#include <prehend/inertia/methods/surface_cloud.h>
#include <prehend/inertia/shape.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/model/file_kind.h>
#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/point_cloud.h>

namespace prehend::inertia {
namespace {

model::MeshFileOptions file_options(const ShapeOptions& options) {
  math::OptionCheck("ShapeOptions").above("unit", options.unit, 0.0, "m");
  model::MeshFileOptions file;
  file.unit = options.unit;
  file.use_stated_unit = options.use_stated_unit;
  return file;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

Shape read_mesh_shape(const std::string& path, const ShapeOptions& options) {
  const model::MeshFile file = model::read_mesh_file(path, file_options(options));
  Shape shape = shape_of_mesh(file.mesh, path, options);
  shape.notes.insert(shape.notes.begin(), file.notes.begin(), file.notes.end());
  return shape;
}

bool is_cloud(const std::string& path) {
  const model::FileKind kind = model::detect_file_type(path).kind;
  if (kind != model::FileKind::mesh && kind != model::FileKind::cloud)
    throw model::InputError(path, 0,
                            std::string("this is a file of kind '") + model::to_string(kind) +
                                "'; expected a mesh (STL, OBJ, PLY, glTF) or a cloud (PLY, PCD, or lines of "
                                "x y z in a file named .xyz)");
  return kind == model::FileKind::cloud;
}

// Points of each label, ascending.
void divide_by_label(const std::vector<int>& labels, const std::string& name, Shape& shape) {
  std::map<int, std::vector<int>> members;
  for (std::size_t i = 0; i < labels.size(); ++i) members[labels[i]].push_back(static_cast<int>(i));
  shape.labels.resize(labels.size());
  for (const auto& [label, points] : members) {
    Part part;
    part.name = std::to_string(label);
    for (const int i : points) {
      part.volume += shape.volumes[i];
      shape.labels[i] = static_cast<int>(shape.parts.size());
    }
    if (!(part.volume > 0.0))
      throw model::InputError(
          name, 0, "part " + part.name + " has no volume; every part needs a point of positive volume");
    part.of_unit_mass = unit_mass_of_points(shape.points, shape.volumes, points);
    shape.parts.push_back(std::move(part));
  }
}

int nearest_of(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& p) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if ((points[i] - p).squaredNorm() < (points[best] - p).squaredNorm()) best = i;
  return static_cast<int>(best);
}

// Labels of a filled cloud: of the nearest of its points. A part that no point fell to (a foil) shares one by its own points.
std::vector<int> labels_of_fill(const model::PointCloud& cloud, Shape& shape) {
  if (cloud.labels.empty()) return {};
  std::vector<int> labels;
  for (const Eigen::Vector3d& p : shape.points) labels.push_back(cloud.labels[nearest_of(cloud.points, p)]);
  const std::set<int> found(labels.begin(), labels.end());
  std::map<int, int> sizes;
  for (const int label : cloud.labels) ++sizes[label];
  const double volume = shape.volumes.front();
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    if (found.contains(cloud.labels[i])) continue;
    shape.points.push_back(cloud.points[i]);
    shape.volumes.push_back(volume / sizes[cloud.labels[i]]);
    labels.push_back(cloud.labels[i]);
  }
  return labels;
}

// A scan has points on the surface alone, where mass is not: what they enclose stands for the object. True where it was filled.
bool fill_scan(const model::PointCloud& cloud, const std::string& name, Shape& shape) {
  constexpr int kWanted = 2000, kFewest = 50;
  if (!cloud.volumes.empty() || !lies_on_surface(cloud.points)) return false;
  SolidFill fill = fill_surface(cloud.points, kWanted);
  if (std::ssize(fill.points) < kFewest) return false;
  const std::vector<double> equal(cloud.points.size(), 1.0);
  shape.shell_of_unit_mass = unit_mass_of_points(cloud.points, equal);
  shape.points = std::move(fill.points);
  shape.volumes.assign(shape.points.size(), fill.volume / static_cast<double>(shape.points.size()));
  shape.notes.push_back(name + ": the cloud's points lie on a surface; what it encloses (" +
                        math::number_text(1e6 * fill.volume, 3) + " cm^3) is taken as filled.");
  return true;
}

}  // namespace

Shape shape_of_cloud(const model::PointCloud& cloud, const std::string& name) {
  if (cloud.points.empty()) throw model::InputError(name, 0, "the cloud has no points");
  Shape shape;
  shape.notes = cloud.notes;
  shape.points = cloud.points;
  for (const Eigen::Vector3d& p : shape.points) {
    if (!p.allFinite()) throw model::InputError(name, 0, "a point of the cloud is not finite");
    shape.box.extend(p);
  }
  shape.volumes = cloud.volumes;
  std::vector<int> labels = cloud.labels;
  const Eigen::Vector3d size = shape.box.sizes();
  if (fill_scan(cloud, name, shape)) {
    labels = labels_of_fill(cloud, shape);
  } else if (shape.volumes.empty()) {
    // The box's volume is a bound, no measurement; only ratios matter to estimators.
    const double volume = size.prod() > 0.0 ? size.prod() : 1e-9;
    shape.volumes.assign(shape.points.size(), volume / static_cast<double>(shape.points.size()));
    shape.notes.push_back(name + ": the cloud has no volumes, so all its points weigh the same.");
  }
  for (std::size_t i = 0; i < shape.volumes.size(); ++i)
    if (!(shape.volumes[i] >= 0.0) || !std::isfinite(shape.volumes[i]))
      throw model::InputError(name, 0,
                              "the volume of point " + std::to_string(i) + " is " +
                                  std::to_string(shape.volumes[i]) + "; expected zero or more");
  const double volume = total_volume(shape);
  if (!(volume > 0.0)) throw model::InputError(name, 0, "the volumes of the cloud's points are all zero");
  // Points are centroids of cells, so the box of the cells is larger than theirs: only a plain contradiction is mended.
  if (size.prod() > 0.0 && volume > 8.0 * size.prod()) {
    const double ratio = size.prod() / volume;
    for (double& v : shape.volumes) v *= ratio;
    shape.notes.push_back(
        name + ": the volumes add up to " + std::to_string(1.0 / ratio) +
        " times the box of the points, so they are in another unit; only their ratios are used.");
  }
  shape.of_unit_mass = unit_mass_of_points(shape.points, shape.volumes);
  shape.is_of_cells = !shape.shell_of_unit_mass;
  if (!labels.empty()) divide_by_label(labels, name, shape);
  return shape;
}

Shape read_shape(const std::string& path, const ShapeOptions& options) {
  if (!is_cloud(path)) return read_mesh_shape(path, options);
  return shape_of_cloud(model::read_cloud(path, file_options(options)), path);
}

Shape read_parts(const std::vector<std::string>& paths, const ShapeOptions& options) {
  if (paths.empty())
    throw std::invalid_argument("read_parts: no file is given; expected a labelled cloud or meshes");
  if (paths.size() == 1 && is_cloud(paths.front())) {
    Shape shape = read_shape(paths.front(), options);
    if (shape.parts.empty())
      throw model::InputError(paths.front(), 0,
                              "the cloud has no 'label' or 'segmentation' property; expected one that names "
                              "the part of each point");
    return shape;
  }
  Shape all;
  double volume = 0.0;
  math::SpatialInertia sum;
  std::set<std::string> names;
  for (const std::string& path : paths) {
    if (is_cloud(path))
      throw model::InputError(
          path, 0, "one of several part files is a cloud; expected one labelled cloud or only meshes");
    Shape one = read_mesh_shape(path, options);
    Part part;
    part.name = std::filesystem::path(path).stem().string();
    if (!names.insert(part.name).second) part.name = path;
    part.volume = total_volume(one);
    part.of_unit_mass = one.of_unit_mass;
    math::SpatialInertia weighed = one.of_unit_mass;
    weighed.mass *= part.volume;
    weighed.I_com *= part.volume;
    sum = volume > 0.0 ? sum + weighed : weighed;
    volume += part.volume;
    all.labels.insert(all.labels.end(), one.points.size(), static_cast<int>(all.parts.size()));
    all.points.insert(all.points.end(), one.points.begin(), one.points.end());
    all.volumes.insert(all.volumes.end(), one.volumes.begin(), one.volumes.end());
    all.box.extend(one.box);
    append(all.notes, one.notes);
    all.parts.push_back(std::move(part));
  }
  all.of_unit_mass = {1.0, sum.com, sum.I_com / volume};
  return all;
}

std::optional<Shape> read_object_shape(const std::string& object, const std::vector<std::string>& parts,
                                       const ShapeOptions& options) {
  if (!parts.empty()) return read_parts(parts, options);
  if (!object.empty()) return read_shape(object, options);
  return std::nullopt;
}

std::optional<geometry::TriangleMesh> read_surface(const std::string& object, const ShapeOptions& options) {
  if (object.empty()) return std::nullopt;
  try {
    return model::read_mesh(object, file_options(options));
  } catch (const model::InputError&) {
    return std::nullopt;  // a cloud
  }
}

}  // namespace prehend::inertia
