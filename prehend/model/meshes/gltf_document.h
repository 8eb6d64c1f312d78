// glTF 2.0, the container: the JSON, its buffers, and accessors decoded to numbers.
//
// Everything an index, offset, stride or count says is compared with what is there before it is used. Files
// that the document points to must lie in its own folder or below it; addresses on a network are not
// followed.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

namespace prehend::model {

class GltfDocument {
 public:
  // `name` is the file's path, for messages and to find the files it points to.
  GltfDocument(std::string_view bytes, const std::string& name);
  ~GltfDocument();
  GltfDocument(const GltfDocument&) = delete;
  GltfDocument& operator=(const GltfDocument&) = delete;

  struct Primitive {
    std::string mesh_name;
    int mode{4};                     // 4 triangles, 5 strip, 6 fan; others have no area
    int positions{-1}, indices{-1};  // accessors; -1 when absent
    int normals{-1}, colors{-1};
    int material{-1};  // -1 when absent, or no number
  };
  struct Material {
    Eigen::Vector3d color{Eigen::Vector3d::Ones()};  // red green blue in [0, 1]
    bool has_texture{false};
  };
  struct Node {
    std::string name;
    int mesh{-1};               // -1 when absent
    bool has_skin{false};       // bends the mesh: not read
    std::vector<int> children;  // nodes that are there
    // Parent from node: a column-major matrix, or translation, rotation (x, y, z, w) and scale; absent ones
    // are neutral.
    std::optional<std::vector<double>> matrix, translation, rotation, scale;
  };

  bool is_binary() const;  // .glb
  std::vector<Primitive> primitives_of(int mesh) const;
  // White where the file says nothing that can be read: colours do not change the shape.
  Material material(int index) const;
  Node node(int index) const;
  std::size_t node_count() const;
  // The roots of the default scene; of all nodes that nobody has as a child when there are no scenes.
  std::vector<int> roots() const;

  // The accessor's numbers, `components` per item (3 for VEC3; VEC4 colours give their first 3). Normalized
  // integers become fractions.
  std::vector<double> numbers(int accessor, int components) const;
  // The accessor's whole numbers (SCALAR).
  std::vector<std::size_t> whole_numbers(int accessor) const;
  // What the file says one must know to read it.
  std::vector<std::string> required_extensions() const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace prehend::model
