#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <prehend/model/input_error.h>
#include <prehend/model/meshes/gltf_document.h>
#include <prehend/model/meshes/mesh_readers.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

Eigen::Affine3d local_transform(const GltfDocument::Node& node, const std::string& name) {
  Eigen::Affine3d X = Eigen::Affine3d::Identity();
  if (node.matrix) {
    const Eigen::Map<const Eigen::Matrix4d> matrix(node.matrix->data());
    if (matrix.row(3) != Eigen::RowVector4d(0, 0, 0, 1)) {
      throw InputError(
          name, 0, "glTF: the matrix of node " + in_quotes(node.name) + " has a last row other than 0 0 0 1");
    }
    X.matrix() = matrix;
    return X;
  }
  if (node.translation) X.translate(Eigen::Vector3d::Map(node.translation->data()));
  if (node.rotation) {
    const std::vector<double>& q = *node.rotation;
    const Eigen::Quaterniond rotation(q[3], q[0], q[1], q[2]);
    if (!(std::abs(rotation.norm() - 1) < 0.01)) {
      throw InputError(name, 0,
                       "glTF: the rotation of node " + in_quotes(node.name) + " has norm " +
                           exact_number(rotation.norm()) + "; expected 1 within 0.01");
    }
    X.rotate(rotation.normalized());
  }
  if (node.scale) X.scale(Eigen::Vector3d::Map(node.scale->data()));
  return X;
}

class GltfReader {
 public:
  GltfReader(std::string_view bytes, const std::string& name) : document_(bytes, name), name_(name) {}

  MeshFile read() {
    file_.format = MeshFormat::gltf;
    file_.encoding = document_.is_binary() ? "glb" : "json";
    refuse_unknown_extensions();
    visits_left_ = document_.node_count();
    // glTF is Y-up; ours is Z-up.
    Eigen::Affine3d X_up = Eigen::Affine3d::Identity();
    X_up.linear() << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    for (int root : document_.roots()) visit(root, X_up);
    if (file_.mesh.triangles.empty()) throw InputError(name_, 0, "glTF: the scene holds no triangles");
    finish();
    return std::move(file_);
  }

 private:
  void refuse_unknown_extensions() const {
    for (const std::string& extension : document_.required_extensions()) {
      // Materials and lights do not change the shape.
      const bool harmless = extension.starts_with("KHR_materials") || extension.starts_with("KHR_texture") ||
                            extension.starts_with("KHR_lights") || extension == "KHR_mesh_quantization";
      if (!harmless) {
        throw InputError(name_, 0,
                         "glTF: the file requires the extension " + in_quotes(extension) +
                             ", which is not read; export it without compression or extensions");
      }
    }
  }

  // The nodes form a forest: each is visited once. The stack keeps deep chains off the call stack.
  void visit(int root, const Eigen::Affine3d& X_up) {
    std::vector<std::pair<int, Eigen::Affine3d>> open = {{root, X_up}};
    while (!open.empty()) {
      const auto [index, X_parent] = open.back();
      open.pop_back();
      if (visits_left_-- == 0)
        throw InputError(name_, 0, "glTF: a node is its own ancestor, or the child of two nodes");
      const GltfDocument::Node node = document_.node(index);
      const Eigen::Affine3d X = X_parent * local_transform(node, name_);
      skinned_ = skinned_ || node.has_skin;
      if (node.mesh >= 0) {
        for (const GltfDocument::Primitive& primitive : document_.primitives_of(node.mesh)) {
          add(primitive, X, node.name.empty() ? primitive.mesh_name : node.name);
        }
      }
      // In the order of the file.
      for (auto child = node.children.rbegin(); child != node.children.rend(); ++child)
        open.emplace_back(*child, X);
    }
  }

  void add(const GltfDocument::Primitive& primitive, const Eigen::Affine3d& X, const std::string& title) {
    if (primitive.mode < 4 || primitive.mode > 6) {
      if (primitive.mode > 6)
        throw InputError(name_, 0, "glTF: unknown primitive mode " + std::to_string(primitive.mode));
      ++without_area_;
      return;
    }
    if (primitive.positions < 0) throw InputError(name_, 0, "glTF: a primitive has no POSITION");
    const std::vector<double> p = document_.numbers(primitive.positions, 3);
    const std::size_t count = p.size() / 3, first = file_.mesh.vertices.size();
    if (first + count > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      throw InputError(name_, 0, "glTF: more than 2147483647 vertices");
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Eigen::Vector3d point = X * Eigen::Vector3d(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
      if (!point.allFinite()) {
        throw InputError(name_, 0,
                         "glTF: vertex " + std::to_string(i) + " of mesh " + in_quotes(primitive.mesh_name) +
                             " is not finite");
      }
      file_.mesh.vertices.push_back(point);
    }
    // Normals turn with the inverse transpose; its determinant may have any size.
    add_vectors(primitive.normals, count, first, normals_, "NORMAL",
                [R = Eigen::Matrix3d(X.linear().inverse().transpose())](
                    const Eigen::Vector3d& n) -> Eigen::Vector3d { return (R * n).stableNormalized(); });
    add_vectors(primitive.colors, count, first, colors_, "COLOR_0",
                [](const Eigen::Vector3d& c) -> Eigen::Vector3d { return c; });
    add_triangles(primitive, count, first, X.linear().determinant() < 0);
    add_material(primitive.material);
    file_.groups.push_back(title);
    file_.triangle_groups.resize(file_.mesh.triangles.size(), static_cast<int>(file_.groups.size()) - 1);
  }

  // One colour for the triangles added last.
  void add_material(int index) {
    GltfDocument::Material material;
    if (index >= 0) material = document_.material(index);
    has_texture_ = has_texture_ || material.has_texture;
    has_plain_material_ = has_plain_material_ || (index >= 0 && !material.has_texture);
    material_colors_.resize(file_.mesh.triangles.size(), material.color);
  }

  struct Vectors {
    std::vector<Eigen::Vector3d> values;
    bool complete{true};  // all primitives so far have them
  };
  template <class Map>
  void add_vectors(int accessor, std::size_t count, std::size_t first, Vectors& vectors, const char* what,
                   Map&& map) {
    vectors.complete = vectors.complete && accessor >= 0 && vectors.values.size() == first;
    if (!vectors.complete) return;
    const std::vector<double> v = document_.numbers(accessor, 3);
    if (v.size() != 3 * count)
      throw InputError(name_, 0, std::string("glTF: ") + what + " and POSITION differ in length");
    for (std::size_t i = 0; i < count; ++i) {
      const Eigen::Vector3d mapped = map(Eigen::Vector3d(v[3 * i], v[3 * i + 1], v[3 * i + 2]));
      if (!mapped.allFinite()) {
        vectors.complete = false;
        return;
      }
      vectors.values.push_back(mapped);
    }
  }

  void add_triangles(const GltfDocument::Primitive& primitive, std::size_t count, std::size_t first,
                     bool mirrored) {
    std::vector<std::size_t> index;
    if (primitive.indices >= 0) {
      index = document_.whole_numbers(primitive.indices);
    } else {
      index.resize(count);
      for (std::size_t i = 0; i < count; ++i) index[i] = i;
    }
    for (std::size_t i : index) {
      if (i < count) continue;
      throw InputError(name_, 0,
                       "glTF: mesh " + in_quotes(primitive.mesh_name) + " uses vertex " + std::to_string(i) +
                           ", but there are " + std::to_string(count) + " (counted from 0)");
    }
    const auto triangle = [&](std::size_t a, std::size_t b, std::size_t c) {
      // A mirroring transform turns the direction round; outside stays outside.
      if (mirrored) std::swap(b, c);
      file_.mesh.triangles.emplace_back(static_cast<int>(first + index[a]),
                                        static_cast<int>(first + index[b]),
                                        static_cast<int>(first + index[c]));
      ++file_.polygons;
    };
    if (primitive.mode == 4) {
      if (index.size() % 3 != 0)
        throw InputError(name_, 0,
                         "glTF: a list of triangles has " + std::to_string(index.size()) +
                             " corners; expected a multiple of 3");
      for (std::size_t i = 0; i + 2 < index.size(); i += 3) triangle(i, i + 1, i + 2);
    } else if (primitive.mode == 5) {
      for (std::size_t i = 0; i + 2 < index.size(); ++i) triangle(i, i + 1 + i % 2, i + 2 - i % 2);
    } else {
      for (std::size_t i = 1; i + 1 < index.size(); ++i) triangle(0, i, i + 1);
    }
  }

  void finish() {
    const std::size_t count = file_.mesh.vertices.size();
    if (normals_.complete && normals_.values.size() == count)
      file_.vertex_normals = std::move(normals_.values);
    if (colors_.complete && colors_.values.size() == count) file_.vertex_colors = std::move(colors_.values);
    if (file_.vertex_colors.empty() && has_plain_material_)
      file_.triangle_colors = std::move(material_colors_);
    file_.notes.push_back("glTF is Y-up; the mesh was turned to Z-up: (x, y, z) became (x, -z, y)");
    if (without_area_ > 0)
      file_.notes.push_back(std::to_string(without_area_) + " primitives of points or lines were ignored");
    if (has_texture_) file_.notes.push_back(kTexturesIgnored);
    if (skinned_) file_.notes.push_back("skins were ignored: the mesh is in its bind pose");
  }

  GltfDocument document_;
  const std::string& name_;
  MeshFile file_;
  Vectors normals_, colors_;
  std::vector<Eigen::Vector3d> material_colors_;  // per triangle
  bool has_plain_material_{false}, has_texture_{false};
  std::size_t visits_left_{0}, without_area_{0};
  bool skinned_{false};
};

}  // namespace

MeshFile read_gltf(std::string_view bytes, const std::string& name, const MeshFileOptions&) {
  return GltfReader(bytes, name).read();
}

}  // namespace prehend::model
