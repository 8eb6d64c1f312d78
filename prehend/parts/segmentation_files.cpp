#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include <prehend/model/files.h>
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

void check_labels(std::size_t labels, std::size_t expected) {
  if (labels != expected)
    throw std::invalid_argument("write_labels: " + std::to_string(labels) + " labels for " +
                                std::to_string(expected) + " points or triangles");
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
  check_labels(segmentation.labels.size(), mesh.triangles.size());
  std::string out = beginning(mesh.vertices.size());
  out +=
      "element face " + std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\n";
  if (!segmentation.colours.empty()) out += kColour;
  out += "property int label\nend_header\n";
  for (const Eigen::Vector3d& p : mesh.vertices)
    for (const double x : p) put(out, x);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    put(out, std::uint8_t{3});
    for (const int v : mesh.triangles[t]) put(out, static_cast<std::int32_t>(v));
    if (!segmentation.colours.empty()) put_colour(out, segmentation.colours[t]);
    put(out, static_cast<std::int32_t>(segmentation.labels[t]));
  }
  model::write_file(path, out);
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

}  // namespace prehend::parts
