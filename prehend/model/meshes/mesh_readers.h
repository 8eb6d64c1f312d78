// The readers behind mesh_file.h, one per format, and what they share. Users include mesh_file.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/model/mesh_file.h>

namespace prehend::model {

MeshFile read_stl(std::string_view bytes, const std::string& name, const MeshFileOptions& options);
MeshFile read_obj(std::string_view bytes, const std::string& name, const MeshFileOptions& options);
// All that the PLY holds, also without faces (a cloud); and the same when faces are needed.
MeshFile read_ply(std::string_view bytes, const std::string& name);
MeshFile read_ply_mesh(std::string_view bytes, const std::string& name, const MeshFileOptions& options);
MeshFile read_gltf(std::string_view bytes, const std::string& name, const MeshFileOptions& options);
MeshFile read_dae(std::string_view bytes, const std::string& name);
MeshFile read_msh(std::string_view bytes, const std::string& name);
// Clouds: vertices without triangles.
MeshFile read_xyz(std::string_view bytes, const std::string& name);
MeshFile read_pcd(std::string_view bytes, const std::string& name);
bool is_pcd(std::string_view bytes);

// True when `bytes` is a binary STL by its size: 84 + 50 n bytes. The word 'solid' at the start proves
// nothing.
bool is_binary_stl(std::string_view bytes);

// The unit a comment states ("length unit = millimeters", "units: cm"), in metres.
std::optional<double> stated_unit(std::string_view comment);

// The note of readers that meet images as colours.
inline constexpr const char* kTexturesIgnored = "textures were ignored: colours that are images are not read";

// std::invalid_argument naming the value and its bound.
void validate(const MeshFileOptions& options);

// Multiplies by options.scale (and the stated unit when asked), and refuses what is not finite after that.
void apply_scale(MeshFile& file, const std::string& name, const MeshFileOptions& options);

// Vertices with equal coordinates get one index (-0 equals 0). Expected O(1) each; no allocation past
// `expected`.
class VertexPool {
 public:
  explicit VertexPool(std::size_t expected);
  int insert(const Eigen::Vector3d& p);
  std::vector<Eigen::Vector3d> take() { return std::move(points_); }

 private:
  void grow();
  std::vector<Eigen::Vector3d> points_;
  std::vector<int> slots_;  // index into points_, or -1; a power of two of them, at most half full
};

}  // namespace prehend::model
