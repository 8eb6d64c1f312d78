#include <algorithm>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include <prehend/math/enum_text.h>
#include <prehend/model/file_kind.h>
#include <prehend/model/files.h>
#include <prehend/model/house/csv.h>
#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/meshes/mesh_readers.h>
#include <prehend/model/meshes/ply_document.h>
#include <prehend/model/point_cloud.h>
#include <prehend/model/text_scan.h>
#include <prehend/model/track_file.h>

namespace prehend::model {
namespace {

constexpr char kExpected[] =
    "expected a mesh (STL, OBJ, PLY, glTF), a point cloud (PLY, PCD, XYZ), a scene (MJCF, URDF, SDF, COMPAS "
    "assembly "
    "JSON) or a log "
    "(CSV)";

std::string extension_of(const std::string& path) {
  std::string small = lower_case(path);
  if (small.ends_with(".gz")) small.resize(small.size() - 3);
  const std::size_t dot = small.find_last_of("./");
  return dot == std::string::npos || small[dot] == '/' ? std::string() : small.substr(dot);
}

// The name of the first element, past declaration, comments and document type; empty when there is none.
std::string_view xml_root(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (;;) {
    text = trimmed(text);
    const auto skip = [&text](std::string_view begin, std::string_view end) {
      if (!text.starts_with(begin)) return false;
      const std::size_t at = text.find(end);
      text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
      return true;
    };
    if (skip("<?", "?>") || skip("<!--", "-->") || skip("<!", ">")) continue;
    if (!text.starts_with('<')) return {};
    return text.substr(1, text.find_first_of(" \t\r\n/>", 1) - 1);
  }
}

FileType xml_type(std::string_view bytes, const std::string& path) {
  const std::string_view root = xml_root(bytes);
  if (root == "mujoco") return {FileKind::scene, "MJCF"};
  if (root == "robot") return {FileKind::scene, "URDF"};
  if (root == "sdf" || root == "gazebo") return {FileKind::scene, "SDF"};
  throw InputError(path, 0,
                   root.empty() ? "the XML file has no root element; expected mujoco, robot or sdf"
                                : "the XML root element is " + in_quotes(root) +
                                      "; expected mujoco (MJCF), robot (URDF) or sdf (SDF)");
}

// Reads a JSON text only as far as needed to see the top level's keys that tell its kind.
class TopLevelKeys : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::string dtype;
  bool has_asset{false}, has_p_data{false}, is_json{true};

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool string(string_t& text) override {
    if (depth_ == 1 && key_ == "dtype") dtype = text;
    return dtype.empty();
  }
  bool start_object(std::size_t) override { return ++depth_ < 1000; }
  bool end_object() override { return --depth_ > 0; }
  bool start_array(std::size_t) override { return ++depth_ < 1000; }
  bool end_array() override { return --depth_ > 0; }
  bool key(string_t& text) override {
    if (depth_ != 1) return true;
    key_ = text;
    has_asset = has_asset || text == "asset";
    has_p_data = has_p_data || text == "sigma" || text == "states";
    return !has_asset && !has_p_data;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    is_json = false;
    return false;
  }

 private:
  bool value() const { return depth_ > 0; }
  int depth_{0};
  std::string key_;
};

FileType json_type(std::string_view bytes, const std::string& path) {
  TopLevelKeys keys;
  nlohmann::json::sax_parse(bytes.begin(), bytes.end(), &keys);
  if (keys.has_asset) return {FileKind::mesh, "glTF"};
  if (lower_case(keys.dtype).find("assembly") != std::string::npos)
    return {FileKind::scene, "COMPAS assembly"};
  if (!keys.is_json)
    throw InputError(path, 0, "the JSON is damaged or truncated; expected a COMPAS assembly or a glTF mesh");
  if (!keys.dtype.empty()) {
    throw InputError(path, 0, "the JSON holds a COMPAS " + in_quotes(keys.dtype) + "; expected an assembly");
  }
  throw InputError(path, 0,
                   keys.has_p_data
                       ? "the JSON holds a knot's P-data; use the verb 'knot' for it"
                       : "the JSON is neither a COMPAS assembly ('dtype') nor a glTF mesh ('asset')");
}

std::optional<FileKind> kind_of_columns(const std::vector<std::string>& columns) {
  const auto has = [&](std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(), [&](const char* name) {
      return std::find(columns.begin(), columns.end(), name) != columns.end();
    });
  };
  // The column that no other kind has decides, so that a log that lacks one column is called by its name.
  if (has({"frame"}) && has({"x"})) return FileKind::rope;
  if (has({"t"}) && (has({"l0_x"}) || has({"l1_x"}))) return FileKind::topology_log;
  if (has({"t"}) && (has({"fx"}) || has({"sx"}))) return FileKind::wrench_log;
  if (has({"t"}) && (has({"x"}) || has({"part"}))) return FileKind::poses;
  if (has({"x", "y", "z"}) && !has({"t"})) return FileKind::rope;  // one frame
  return std::nullopt;
}

FileType csv_type(std::string_view bytes, const std::string& path) {
  const std::vector<std::string> columns = csv_columns(bytes, path);
  if (const auto kind = kind_of_columns(columns)) return {*kind, "CSV"};
  throw InputError(
      path, 0,
      "no log has the column " + in_quotes(columns[0]) +
          " first; expected the header of poses (t,part,x,y,z,qw,qx,qy,qz), a wrench log (t,sx,...), a rope "
          "(frame,x,y,z) or a topology log (t,l0_x,...)");
}

bool is_cloud(std::string_view bytes, const std::string& path) {
  for (const PlyElement& element : parse_ply_header(bytes, path).elements) {
    if (element.name == "face" && element.count > 0) return false;
  }
  return true;
}

}  // namespace

const char* to_string(FileKind kind) { return enum_text(kind); }

FileType detect_file_type(std::string_view bytes, const std::string& path) {
  // A byte order mark alone is an empty file, too.
  const std::string_view content = trimmed(bytes.starts_with("\xef\xbb\xbf") ? bytes.substr(3) : bytes);
  if (content.empty()) throw InputError(path, 0, std::string("the file is empty; ") + kExpected);
  const std::string extension = extension_of(path);
  if (bytes.starts_with("ISO-10303-21") || extension == ".step" || extension == ".stp") {
    throw InputError(path, 0, "STEP files are not read; convert the file to STL or OBJ first");
  }
  if (extension == ".iges" || extension == ".igs") {
    throw InputError(path, 0, "IGES files are not read; convert the file to STL or OBJ first");
  }
  if (extension == ".las" || extension == ".laz" || extension == ".e57" || extension == ".ptx")
    throw InputError(path, 0,
                     extension.substr(1) + " clouds are not read; convert the file to PLY, PCD or XYZ first");
  if (is_pcd(bytes)) return {FileKind::cloud, "PCD"};
  if (has_xyz_name(path)) return {FileKind::cloud, "XYZ"};
  if (const auto format = detect_mesh_format(bytes, path)) {
    const bool cloud = *format == MeshFormat::ply && is_cloud(bytes, path);
    return {cloud ? FileKind::cloud : FileKind::mesh, display_name(*format)};
  }
  if (looks_binary(bytes))
    throw InputError(path, 0, std::string("a binary file of no known kind; ") + kExpected);
  const char first = content.front();
  if (first == '<') return xml_type(bytes, path);
  if (first == '{' || first == '[') return json_type(bytes, path);
  if (extension == ".yaml" || extension == ".yml") return {FileKind::scene, "transport arrangement"};
  if (looks_like_pose_list(bytes)) return {FileKind::poses, "pose list"};
  if (looks_like_track(bytes)) return {FileKind::poses, "track"};
  std::string_view text = bytes;
  const std::string_view word = take_word(text);
  if (equals_ignoring_case(word, "solid") && bytes.find("facet") != std::string_view::npos)
    return {FileKind::mesh, "STL"};
  if (extension == ".csv" || extension == ".tsv" || bytes.substr(0, 4096).find(',') != std::string_view::npos)
    return csv_type(bytes, path);
  throw InputError(path, 0, std::string("a text of no known kind; ") + kExpected);
}

FileType detect_file_type(const std::string& path) { return detect_file_type(read_file(path), path); }

}  // namespace prehend::model
