// Point clouds from PLY, PCD and XYZ (lines of x y z, then r g b or nx ny nz), with what they carry per point. Parts are marked by a `label` or
// `segmentation` property.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/model/mesh_file.h>

namespace prehend::model {

// Every vector but points has one entry per point or is empty.
struct PointCloud {
  std::vector<Eigen::Vector3d> points;   // [m]
  std::vector<Eigen::Vector3d> normals;  // as written
  std::vector<Eigen::Vector3d> colors;   // red green blue in [0, 1]
  std::vector<int> labels;               // part of each point, as numbered in the file
  std::vector<double> volumes;           // [m^3] the point stands for; points weigh the same where absent
  std::optional<double> stated_unit_m;   // [m] the unit the file states
  std::vector<std::string> notes;        // sentences: what was ignored or converted
};

// The vertices of a PLY, PCD, or of a file named .xyz; a mesh gives its vertices and a note. The options' unit applies (volumes by its
// cube).
PointCloud read_cloud(const std::string& path, const MeshFileOptions& options = {});
PointCloud parse_cloud(std::string_view bytes, const std::string& name, const MeshFileOptions& options = {});

// Whether a file's name says that it has lines of x y z.
bool has_xyz_name(const std::string& name);

// As PLY with doubles; reading it back gives the same bits.
void write_cloud(const std::string& path, const PointCloud& cloud,
                 PlyEncoding encoding = PlyEncoding::binary_little_endian);

}  // namespace prehend::model
