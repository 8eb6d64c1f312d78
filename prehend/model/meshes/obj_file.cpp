#include <unordered_map>

#include <prehend/model/input_error.h>
#include <prehend/model/meshes/mesh_readers.h>
#include <prehend/model/meshes/obj_materials.h>
#include <prehend/model/meshes/polygon_triangulation.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

class ObjReader {
 public:
  ObjReader(std::string_view bytes, const std::string& name) : lines_(bytes), name_(name) {}

  MeshFile read() {
    file_.format = MeshFormat::obj;
    file_.encoding = "ascii";
    std::string_view line;
    while (next_statement(line)) statement(line);
    if (file_.mesh.vertices.empty()) throw InputError(name_, 0, "the OBJ holds no vertices ('v x y z')");
    if (file_.mesh.triangles.empty()) throw InputError(name_, 0, "the OBJ holds no faces ('f a b c')");
    finish();
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(name_, line_, what); }

  // A line, with the lines it continues on after a backslash; without its comment.
  bool next_statement(std::string_view& line) {
    if (!lines_.next(line)) return false;
    line_ = lines_.line();
    if (!line.empty() && line.back() == '\\') {
      joined_.clear();
      while (!line.empty() && line.back() == '\\') {
        joined_.append(line.substr(0, line.size() - 1));
        joined_ += ' ';
        line = {};
        if (!lines_.next(line)) break;
      }
      joined_.append(line);
      line = joined_;
    }
    const std::size_t comment = line.find('#');
    if (comment != std::string_view::npos) {
      if (!file_.stated_unit_m) file_.stated_unit_m = stated_unit(line.substr(comment + 1));
      line = line.substr(0, comment);
    }
    return true;
  }

  void statement(std::string_view line) {
    const std::string_view keyword = take_word(line);
    if (keyword.empty()) return;
    if (keyword == "v") {
      vertex(line);
    } else if (keyword == "f" || keyword == "fo") {
      face(line);
    } else if (keyword == "vn") {
      normal(line);
    } else if (keyword == "vt") {
      ++texture_count_;
    } else if (keyword == "o" || keyword == "g") {
      group(keyword == "o", trimmed(line));
    } else if (keyword == "usemtl") {
      const auto [known, is_new] =
          material_index_.try_emplace(std::string(trimmed(line)), static_cast<int>(material_index_.size()));
      open_material_ = known->second;
    } else if (keyword == "mtllib") {
      if (libraries_.size() < kMostLibraries) libraries_.emplace_back(trimmed(line));
    } else {
      ignore(keyword);
    }
  }

  void vertex(std::string_view line) {
    double value[8];
    const int count = numbers(line, value, 8);
    if (count != 3 && count != 4 && count != 6 && count != 7) {
      fail("a vertex has 3 coordinates (and a weight, and 3 colours), found " + std::to_string(count) +
           " numbers");
    }
    file_.mesh.vertices.emplace_back(value[0], value[1], value[2]);
    const bool weighted = count == 4 || count == 7;
    if (weighted && value[3] != 1.0) note_weight_ = true;
    if (count >= 6) {
      // Vertices without a colour before the first coloured one are white.
      file_.vertex_colors.resize(file_.mesh.vertices.size() - 1, Eigen::Vector3d::Ones());
      const double* c = value + (weighted ? 4 : 3);
      file_.vertex_colors.emplace_back(c[0], c[1], c[2]);
    }
  }

  void normal(std::string_view line) {
    double value[4];
    // What programs write for a corner of needles; the face has its own.
    std::string_view words = line;
    if (equals_ignoring_case(take_word(words), "nan")) line = "0 0 0";
    if (numbers(line, value, 4) != 3) fail("a normal has 3 numbers ('vn x y z')");
    normals_.emplace_back(value[0], value[1], value[2]);
  }

  // The numbers of the line, at most `most`; the count, or most + 1.
  int numbers(std::string_view line, double* value, int most) const {
    int count = 0;
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      const auto number = parse_number(word);
      if (!number) fail("expected a finite number, found " + in_quotes(word));
      if (count == most) return most + 1;
      value[count++] = *number;
    }
    return count;
  }

  // A 1-based index, or a negative one that counts back from the last; 0-based on return.
  int index(std::string_view word, std::string_view corner, std::size_t count, const char* what) const {
    const auto value = parse_integer(word);
    if (!value) fail("expected an index or index/texture/normal, found " + in_quotes(corner));
    const std::int64_t n = static_cast<std::int64_t>(count);
    if (*value == 0 || *value > n || *value < -n) {
      const std::string plural = std::string_view(what).ends_with("vertex") ? "vertices" : "normals";
      fail(std::string("the face uses ") + what + " " + std::to_string(*value) + ", but the " + plural +
           " so far are " + std::to_string(n) + ", counted from 1");
    }
    return static_cast<int>(*value > 0 ? *value - 1 : n + *value);
  }

  void face(std::string_view line) {
    corners_.clear();
    const std::size_t known = file_.mesh.vertices.size();
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      const std::size_t slash = word.find('/');
      const int vertex = index(word.substr(0, slash), word, known, "vertex");
      corners_.push_back(vertex);
      if (slash == std::string_view::npos) continue;
      const std::string_view rest = word.substr(slash + 1);
      const std::size_t second = rest.find('/');
      if (!rest.substr(0, second).empty())
        index(rest.substr(0, second), word, texture_count_, "texture vertex");
      if (second == std::string_view::npos) continue;
      const int normal = index(rest.substr(second + 1), word, normals_.size(), "normal");
      corner_normal(vertex, normal);
    }
    if (corners_.size() == 2) {  // an edge, as a line would be
      ++edges_;
      return;
    }
    if (corners_.size() < 3) {
      fail("a face has at least 3 corners, found " + std::to_string(corners_.size()));
    }
    ++file_.polygons;
    const auto status = triangulator_.triangulate(corners_, file_.mesh.vertices, file_.mesh.triangles);
    if (status == PolygonTriangulator::Status::too_complex) {
      fail("a face with " + std::to_string(corners_.size()) +
           " corners is too intricate; triangulate the mesh first");
    }
    if (status == PolygonTriangulator::Status::not_simple && crossed_++ == 0) first_crossed_ = line_;
    file_.triangle_groups.resize(file_.mesh.triangles.size(), current_group());
    triangle_materials_.resize(file_.mesh.triangles.size(), open_material_);
  }

  // Triangles of materials that no library knows are white.
  void color_triangles() {
    if (material_index_.empty() || libraries_.empty() || !file_.vertex_colors.empty()) return;
    const ObjMaterials materials = read_obj_materials(libraries_, name_);
    file_.notes.insert(file_.notes.end(), materials.notes.begin(), materials.notes.end());
    std::vector<Eigen::Vector3d> color(material_index_.size(), Eigen::Vector3d::Ones());
    bool has_plain = false, has_texture = false;
    for (const auto& [name, index] : material_index_) {
      const auto found = materials.by_name.find(name);
      if (found == materials.by_name.end()) continue;
      color[static_cast<std::size_t>(index)] = found->second.color;
      has_texture = has_texture || found->second.has_texture;
      has_plain = has_plain || !found->second.has_texture;
    }
    if (has_texture) file_.notes.push_back(kTexturesIgnored);
    if (!has_plain) return;
    for (const int index : triangle_materials_)
      file_.triangle_colors.push_back(index < 0 ? Eigen::Vector3d::Ones().eval()
                                                : color[static_cast<std::size_t>(index)]);
  }

  // One normal per vertex is kept; a vertex with several (a crease) has none that is right.
  void corner_normal(int vertex, int normal) {
    normal_of_vertex_.resize(file_.mesh.vertices.size(), -1);
    int& known = normal_of_vertex_[vertex];
    if (known >= 0 && normals_[known] != normals_[normal]) creased_ = true;
    known = normal;
  }

  void group(bool is_object, std::string_view title) {
    constexpr std::size_t kLongest =
        200;  // names are joined: an endless one must not be stored again and again
    (is_object ? object_ : group_) = title.substr(0, kLongest);
    if (is_object) group_.clear();
    group_changed_ = true;
  }

  // The index of the group that is open now; -1 before the first. Groups without faces leave no trace.
  int current_group() {
    if (group_changed_) {
      const char* separator = object_.empty() || group_.empty() ? "" : "/";
      const auto [known, is_new] =
          group_index_.try_emplace(object_ + separator + group_, file_.groups.size());
      if (is_new) file_.groups.push_back(known->first);
      open_group_ = known->second;
      group_changed_ = false;
    }
    return open_group_;
  }

  void ignore(std::string_view keyword) {
    static const std::string_view kKnown[] = {"s",      "l",          "p",        "vp",  "mg",
                                              "bevel",  "c_interp",   "d_interp", "lod", "maplib",
                                              "usemap", "shadow_obj", "trace_obj"};
    for (std::string_view known : kKnown) {
      if (keyword != known) continue;
      if (keyword == "l" || keyword == "p") has_lines_ = true;
      return;
    }
    // Text that is no OBJ at all must not pass as an OBJ with strange statements.
    fail("unknown OBJ statement " + in_quotes(keyword) +
         "; expected v, vn, vt, f, o, g, s, usemtl or mtllib");
  }

  void finish() {
    const std::size_t vertices = file_.mesh.vertices.size();
    if (!file_.vertex_colors.empty()) file_.vertex_colors.resize(vertices, Eigen::Vector3d::Ones());
    if (file_.groups.empty()) file_.triangle_groups.clear();
    // Faces before the first group belong to a nameless one.
    if (!file_.groups.empty() && file_.triangle_groups.front() < 0) {
      file_.groups.insert(file_.groups.begin(), std::string());
      for (int& group : file_.triangle_groups) ++group;
    }
    normal_of_vertex_.resize(vertices, -1);
    bool all = !normals_.empty() && !creased_;
    for (int normal : normal_of_vertex_) all = all && normal >= 0;
    if (all) {
      for (int normal : normal_of_vertex_) file_.vertex_normals.push_back(normals_[normal]);
    } else if (!normals_.empty()) {
      file_.notes.push_back("normals were ignored: some vertices have none or several");
    }
    if (has_lines_) file_.notes.push_back("lines and points ('l', 'p') were ignored");
    if (edges_ > 0)
      file_.notes.push_back(std::to_string(edges_) + " faces of two corners were ignored: they are edges");
    if (note_weight_) file_.notes.push_back("vertex weights other than 1 were ignored");
    color_triangles();
    if (crossed_ > 0) {
      file_.notes.push_back(std::to_string(crossed_) +
                            " polygons cross themselves or have no area (first: line " +
                            std::to_string(first_crossed_) + ")");
    }
  }

  LineScanner lines_;
  const std::string& name_;
  MeshFile file_;
  PolygonTriangulator triangulator_;
  std::vector<Eigen::Vector3d> normals_;
  std::vector<int> normal_of_vertex_;
  std::vector<int> corners_;
  std::string joined_, object_, group_;
  std::size_t texture_count_{0}, crossed_{0};
  std::unordered_map<std::string, int> group_index_, material_index_;
  static constexpr std::size_t kMostLibraries = 100;
  std::vector<std::string> libraries_;   // as written
  std::vector<int> triangle_materials_;  // index by name; -1 before the first
  int open_material_{-1};
  int line_{0}, first_crossed_{0}, open_group_{-1}, edges_{0};
  bool group_changed_{false}, creased_{false}, has_lines_{false}, note_weight_{false};
};

}  // namespace

MeshFile read_obj(std::string_view bytes, const std::string& name, const MeshFileOptions&) {
  if (looks_binary(bytes))
    throw InputError(name, 0, "this is a binary file; an OBJ is text ('v x y z', 'f a b c')");
  return ObjReader(bytes, name).read();
}

}  // namespace prehend::model
