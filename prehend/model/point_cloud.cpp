#include <utility>

#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/meshes/mesh_readers.h>
#include <prehend/model/point_cloud.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {

bool has_xyz_name(const std::string& name) {
  const std::string small = lower_case(name);
  return small.ends_with(".xyz") || small.ends_with(".xyz.gz");
}

PointCloud parse_cloud(std::string_view bytes, const std::string& name, const MeshFileOptions& options) {
  validate(options);
  if (bytes.empty())
    throw InputError(name, 0, "the file is empty; a point cloud (PLY, PCD or XYZ) was expected");
  MeshFile file = is_pcd(bytes)        ? read_pcd(bytes, name)
                  : has_xyz_name(name) ? read_xyz(bytes, name)
                                       : read_ply(bytes, name);
  if (file.mesh.vertices.empty()) throw InputError(name, 0, "the PLY holds no points");
  apply_scale(file, name, options);
  PointCloud cloud;
  if (!file.mesh.triangles.empty()) {
    file.notes.push_back("the PLY is a mesh; its vertices were taken as points and its " +
                         std::to_string(file.polygons) + " faces ignored");
  }
  cloud.points = std::move(file.mesh.vertices);
  cloud.normals = std::move(file.vertex_normals);
  cloud.colors = std::move(file.vertex_colors);
  cloud.labels = std::move(file.vertex_labels);
  cloud.volumes = std::move(file.vertex_volumes);
  cloud.stated_unit_m = file.stated_unit_m;
  cloud.notes = std::move(file.notes);
  return cloud;
}

PointCloud read_cloud(const std::string& path, const MeshFileOptions& options) {
  return parse_cloud(read_file(path), path, options);
}

void write_cloud(const std::string& path, const PointCloud& cloud, PlyEncoding encoding) {
  MeshFile file;
  file.mesh.vertices = cloud.points;
  file.vertex_normals = cloud.normals;
  file.vertex_colors = cloud.colors;
  file.vertex_labels = cloud.labels;
  file.vertex_volumes = cloud.volumes;
  write_ply(path, file, encoding);
}

}  // namespace prehend::model
