#include <cmath>
#include <limits>
#include <set>

#include <prehend/model/input_error.h>
#include <prehend/model/meshes/mesh_readers.h>
#include <prehend/model/meshes/ply_document.h>
#include <prehend/model/meshes/polygon_triangulation.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

using Columns = std::array<int, 3>;

bool complete(const Columns& columns) { return columns[0] >= 0 && columns[1] >= 0 && columns[2] >= 0; }

// The first of the given triples of names that the element has completely, as scalars.
Columns find_triple(const PlyElement& element, std::initializer_list<std::array<const char*, 3>> names) {
  for (const auto& triple : names) {
    Columns columns;
    for (int k = 0; k < 3; ++k) {
      columns[k] = element.find(triple[k]);
      if (columns[k] >= 0 && element.properties[columns[k]].list_count) columns[k] = -1;
    }
    if (complete(columns)) return columns;
  }
  return {-1, -1, -1};
}

int find_scalar(const PlyElement& element, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const int column = element.find(name);
    if (column >= 0 && !element.properties[column].list_count) return column;
  }
  return -1;
}

constexpr std::initializer_list<std::array<const char*, 3>> kColorNames = {
    {"red", "green", "blue"}, {"r", "g", "b"}, {"diffuse_red", "diffuse_green", "diffuse_blue"}};

class PlyReader {
 public:
  PlyReader(std::string_view bytes, const std::string& name)
      : bytes_(bytes), name_(name), header_(parse_ply_header(bytes, name)) {}

  MeshFile read() {
    file_.format = MeshFormat::ply;
    file_.encoding = header_.encoding == PlyHeader::Encoding::ascii           ? "ascii"
                     : header_.encoding == PlyHeader::Encoding::little_endian ? "binary"
                                                                              : "binary big endian";
    for (const std::string& comment : header_.comments) {
      if (!file_.stated_unit_m) file_.stated_unit_m = stated_unit(comment);
      if (comment.starts_with("TextureFile")) file_.notes.push_back(kTexturesIgnored);  // as MeshLab writes
    }
    for (const PlyElement& element : header_.elements) {
      if (element.name == "vertex") find_vertex_columns(element);
      if (element.name == "face") find_face_columns(element);
      if (element.name != "vertex" && element.name != "face") ignored_.insert(element.name);
    }
    if (!complete(position_)) throw InputError(name_, 0, "the PLY has no element 'vertex' with x, y and z");
    const std::size_t left = for_each_ply_row(
        bytes_, header_, name_, [this](const PlyElement& element, std::size_t row, const PlyRow& values) {
          if (element.name == "vertex") vertex(element, row, values);
          if (element.name == "face") polygon(element, row, values);
        });
    check_indices();
    if (left > 0) file_.notes.push_back(std::to_string(left) + " bytes after the last row were ignored");
    if (!ignored_.empty()) {
      std::string list;
      for (const std::string& name : ignored_) list += (list.empty() ? "" : ", ") + in_quotes(name);
      file_.notes.push_back("ignored in the PLY: " + list);
    }
    if (crossed_ > 0) {
      file_.notes.push_back(std::to_string(crossed_) + " polygons cross themselves or have no area");
    }
    return std::move(file_);
  }

 private:
  void find_vertex_columns(const PlyElement& element) {
    position_ = find_triple(element, {{"x", "y", "z"}});
    normal_ = find_triple(element, {{"nx", "ny", "nz"}, {"normal_x", "normal_y", "normal_z"}});
    color_ = find_triple(element, kColorNames);
    label_ = find_scalar(element, {"label", "segmentation"});
    volume_ = find_scalar(element, {"volume"});
    name_ignored(element, {position_, normal_, color_, {label_, volume_, -1}});
  }

  void find_face_columns(const PlyElement& element) {
    for (const char* name : {"vertex_indices", "vertex_index"}) {
      const int column = element.find(name);
      if (indices_ < 0 && column >= 0 && element.properties[column].list_count) indices_ = column;
    }
    face_color_ = find_triple(element, kColorNames);
    name_ignored(element, {face_color_, {indices_, -1, -1}});
    if (element.count > 0 && indices_ < 0) {
      throw InputError(name_, 0, "the PLY's faces have no list 'vertex_indices'");
    }
  }

  void name_ignored(const PlyElement& element, std::initializer_list<Columns> used) {
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      bool known = element.properties[p].name == "alpha";
      for (const Columns& columns : used) {
        for (int column : columns) known = known || column == static_cast<int>(p);
      }
      // A few names tell enough.
      if (!known && ignored_.size() < 10) ignored_.insert(element.name + "." + element.properties[p].name);
    }
  }

  [[noreturn]] void fail(const PlyElement& element, std::size_t row, const PlyRow& values,
                         const std::string& what) const {
    throw InputError(name_, values.line,
                     "row " + std::to_string(row + 1) + " of " + in_quotes(element.name) + ": " + what);
  }

  Eigen::Vector3d triple(const PlyElement& element, std::size_t row, const PlyRow& values,
                         const Columns& columns) const {
    const Eigen::Vector3d v(values.scalar[columns[0]], values.scalar[columns[1]], values.scalar[columns[2]]);
    if (!v.allFinite()) {
      fail(element, row, values,
           element.properties[columns[0]].name + ", " + element.properties[columns[1]].name + ", " +
               element.properties[columns[2]].name + " must be finite");
    }
    return v;
  }

  Eigen::Vector3d color(const PlyElement& element, std::size_t row, const PlyRow& values,
                        const Columns& columns) const {
    Eigen::Vector3d v = triple(element, row, values, columns);
    for (int k = 0; k < 3; ++k) v[k] /= full_scale(element.properties[columns[k]].type);
    return v;
  }

  void vertex(const PlyElement& element, std::size_t row, const PlyRow& values) {
    // The body was checked to be long enough for all rows, so these sizes are bounded by the file's.
    if (row == 0) file_.mesh.vertices.reserve(element.count);
    file_.mesh.vertices.push_back(triple(element, row, values, position_));
    if (complete(normal_)) file_.vertex_normals.push_back(triple(element, row, values, normal_));
    if (complete(color_)) file_.vertex_colors.push_back(color(element, row, values, color_));
    if (label_ >= 0) {
      const double label = values.scalar[label_];
      if (label != std::floor(label) || std::abs(label) > std::numeric_limits<int>::max()) {
        fail(element, row, values, "a label must be an integer, found " + exact_number(label));
      }
      file_.vertex_labels.push_back(static_cast<int>(label));
    }
    if (volume_ >= 0) {
      const double volume = values.scalar[volume_];
      if (!(volume >= 0) || !std::isfinite(volume)) {
        fail(element, row, values, "a volume must not be negative, found " + exact_number(volume));
      }
      file_.vertex_volumes.push_back(volume);
    }
  }

  void polygon(const PlyElement& element, std::size_t row, const PlyRow& values) {
    const std::vector<double>& list = values.list[indices_];
    if (list.size() < 3) {
      fail(element, row, values, "a face has at least 3 corners, found " + std::to_string(list.size()));
    }
    corners_.clear();
    const double count = static_cast<double>(vertex_count());
    for (double index : list) {
      if (!(index >= 0 && index < count) || index != std::floor(index)) {
        fail(element, row, values,
             "the face uses vertex " + exact_number(index) + ", but there are " + exact_number(count) +
                 " vertices (counted from 0)");
      }
      corners_.push_back(static_cast<int>(index));
    }
    ++file_.polygons;
    if (corners_.size() == 3) {
      file_.mesh.triangles.emplace_back(corners_[0], corners_[1], corners_[2]);
    } else {
      if (file_.mesh.vertices.size() != vertex_count()) {
        fail(element, row, values, "polygons stand before the vertices; write the vertices first");
      }
      const auto status = triangulator_.triangulate(corners_, file_.mesh.vertices, file_.mesh.triangles);
      if (status == PolygonTriangulator::Status::too_complex) {
        fail(element, row, values,
             "a face with " + std::to_string(corners_.size()) +
                 " corners is too intricate; triangulate the mesh first");
      }
      if (status == PolygonTriangulator::Status::not_simple) ++crossed_;
    }
    if (complete(face_color_)) {
      file_.triangle_colors.resize(file_.mesh.triangles.size(), color(element, row, values, face_color_));
    }
  }

  std::size_t vertex_count() const {
    for (const PlyElement& element : header_.elements) {
      if (element.name == "vertex") return element.count;
    }
    return 0;
  }

  // Faces may stand before the vertices; then the count was a claim, and is a fact only now.
  void check_indices() const {
    if (file_.mesh.vertices.size() != vertex_count())
      throw InputError(name_, 0, "the PLY's vertices are incomplete");
    if (file_.mesh.vertices.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      throw InputError(name_, 0, "the PLY has more than 2147483647 vertices");
    }
  }

  std::string_view bytes_;
  const std::string& name_;
  PlyHeader header_;
  MeshFile file_;
  PolygonTriangulator triangulator_;
  Columns position_{-1, -1, -1}, normal_{-1, -1, -1}, color_{-1, -1, -1}, face_color_{-1, -1, -1};
  int label_{-1}, volume_{-1}, indices_{-1};
  std::vector<int> corners_;
  std::set<std::string> ignored_;
  std::size_t crossed_{0};
};

}  // namespace

MeshFile read_ply(std::string_view bytes, const std::string& name) { return PlyReader(bytes, name).read(); }

MeshFile read_ply_mesh(std::string_view bytes, const std::string& name, const MeshFileOptions&) {
  MeshFile file = read_ply(bytes, name);
  if (file.mesh.triangles.empty()) {
    throw InputError(name, 0, "the PLY has no faces: it is a point cloud, and a mesh was expected");
  }
  return file;
}

}  // namespace prehend::model
