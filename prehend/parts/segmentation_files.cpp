#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include <prehend/geometry/house/mesh_shells.h>
#include <prehend/model/file_kind.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/point_cloud.h>
#include <prehend/parts/segmentation_files.h>

namespace prehend::parts {
namespace {

// PLY binary little endian.
template <class T>
void put(std::string& out, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if constexpr (std::endian::native == std::endian::big) std::reverse(raw, raw + sizeof(T));
  out.append(raw, sizeof(T));
}

void put_colour(std::string& out, const Eigen::Vector3d& colour) {
  for (const double c : colour) put(out, static_cast<std::uint8_t>(std::lround(255.0 * c)));
}

std::string beginning(std::size_t vertices) {
  return "ply\nformat binary_little_endian 1.0\ncomment length unit = meters\nelement vertex " +
         std::to_string(vertices) + "\nproperty double x\nproperty double y\nproperty double z\n";
}

constexpr const char* kColour = "property uchar red\nproperty uchar green\nproperty uchar blue\n";

// The one that is nearest to the other two: a triangle across a step of colour is of one side, and means would be a third colour.
Eigen::Vector3d middle_colour(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const double ab = (a - b).norm(), bc = (b - c).norm(), ca = (c - a).norm();
  if (ab + ca <= ab + bc && ab + ca <= bc + ca) return a;
  return ab + bc <= bc + ca ? b : c;
}

// Not that glTF was turned to Z-up, or that normals were ignored.
std::vector<std::string> notes_that_matter(const std::vector<std::string>& notes) {
  std::vector<std::string> kept;
  for (const std::string& note : notes)
    if (note.find("colours") != std::string::npos || note.find("length unit") != std::string::npos)
      kept.push_back(note);
  return kept;
}

void check_labels(std::size_t labels, std::size_t expected) {
  if (labels != expected)
    throw std::invalid_argument("write_labels: " + std::to_string(labels) + " labels for " +
                                std::to_string(expected) + " points or triangles");
}

void write_labelled_mesh(const std::string& path, const geometry::TriangleMesh& mesh,
                         const std::vector<int>& labels, const std::vector<Eigen::Vector3d>& colours) {
  check_labels(labels.size(), mesh.triangles.size());
  std::string out = beginning(mesh.vertices.size());
  out +=
      "element face " + std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\n";
  if (!colours.empty()) out += kColour;
  out += "property int label\nend_header\n";
  for (const Eigen::Vector3d& p : mesh.vertices)
    for (const double x : p) put(out, x);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    put(out, std::uint8_t{3});
    for (const int v : mesh.triangles[t]) put(out, static_cast<std::int32_t>(v));
    if (!colours.empty()) put_colour(out, colours[t]);
    put(out, static_cast<std::int32_t>(labels[t]));
  }
  model::write_file(path, out);
}

}  // namespace

void write_labels(const std::string& path, const std::vector<Eigen::Vector3d>& points,
                  const Segmentation& segmentation) {
  check_labels(segmentation.labels.size(), points.size());
  std::string out = beginning(points.size());
  if (!segmentation.colours.empty()) out += kColour;
  out += "property int label\nend_header\n";
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const double x : points[i]) put(out, x);
    if (!segmentation.colours.empty()) put_colour(out, segmentation.colours[i]);
    put(out, static_cast<std::int32_t>(segmentation.labels[i]));
  }
  model::write_file(path, out);
}

void write_labels(const std::string& path, const geometry::TriangleMesh& mesh,
                  const Segmentation& segmentation) {
  write_labelled_mesh(path, mesh, segmentation.labels, segmentation.colours);
}

void write_surface(const std::string& path, const Segmentation& segmentation) {
  const std::vector<int> label = segmentation.leaf_labels();
  std::vector<int> labels, all(segmentation.surface.triangles.size());
  for (const int leaf : segmentation.surface_leaf) labels.push_back(leaf < 0 ? -1 : label[leaf]);
  std::iota(all.begin(), all.end(), 0);
  write_labelled_mesh(path, geometry::submesh(segmentation.surface, all), labels, {});  // its vertices alone
}

void write_parts(const std::string& path, const Segmentation& segmentation) {
  const std::vector<int> label = segmentation.leaf_labels();
  model::PointCloud cloud;
  for (const VolumeSample& sample : segmentation.samples) {
    cloud.points.push_back(sample.point);
    cloud.labels.push_back(label[sample.leaf]);
    cloud.volumes.push_back(sample.volume);
  }
  model::write_cloud(path, cloud);
}

void write_hierarchy(const std::string& path, const Segmentation& segmentation) {
  model::write_file(path, segmentation.hierarchy_json() + "\n");
}

SegmentFiles write_segmentation(const std::string& folder, const SegmentInput& input,
                                const Segmentation& segmentation) {
  SegmentFiles files{folder + "/labels.ply", folder + "/parts.ply", folder + "/hierarchy.json", ""};
  if (segmentation.is_mesh) {
    write_labels(files.labels, input.mesh, segmentation);
  } else {
    write_labels(files.labels, input.mesh.vertices, segmentation);
    files.surface = folder + "/surface.ply";
    write_surface(files.surface, segmentation);
  }
  write_parts(files.parts, segmentation);
  write_hierarchy(files.hierarchy, segmentation);
  return files;
}

SegmentInput read_segment_input(const std::string& path, double unit) {
  const model::MeshFileOptions options{.unit = unit};
  const model::FileKind kind = model::detect_file_type(path).kind;
  if (kind == model::FileKind::mesh) {
    model::MeshFile file = model::read_mesh_file(path, options);
    if (file.triangle_colors.empty() && !file.vertex_colors.empty())
      for (const Eigen::Vector3i& t : file.mesh.triangles)
        file.triangle_colors.push_back(
            middle_colour(file.vertex_colors[t[0]], file.vertex_colors[t[1]], file.vertex_colors[t[2]]));
    return {std::move(file.mesh), std::move(file.triangle_colors), notes_that_matter(file.notes)};
  }
  if (kind != model::FileKind::cloud)
    throw model::InputError(path, 0,
                            std::string("this is a file of kind '") + model::to_string(kind) +
                                "'; expected a mesh (STL, OBJ, PLY, glTF) or a cloud (PLY, PCD, or lines of "
                                "x y z in a file named .xyz)");
  model::PointCloud cloud = model::read_cloud(path, options);
  return {{std::move(cloud.points), {}}, std::move(cloud.colors), notes_that_matter(cloud.notes)};
}

Segmentation segment(const SegmentInput& input, const SegmentOptions& options) {
  Segmentation result = input.mesh.triangles.empty()
                            ? segment_cloud(input.mesh.vertices, input.colours, options)
                            : segment_mesh(input.mesh, input.colours, options);
  result.problems.insert(result.problems.end(), input.notes.begin(), input.notes.end());
  return result;
}

}  // namespace prehend::parts
