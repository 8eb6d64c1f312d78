// COLLADA (.dae): the triangles, polygons, strips and fans of all geometries that the scene shows, with the transforms of
// their nodes, the document's unit and its up axis (turned to Z-up). Skins are read in their bind pose.
#include <algorithm>
#include <map>
#include <optional>

#include <Eigen/Geometry>
#include <tinyxml2.h>

#include <prehend/math/angles.h>
#include <prehend/model/input_error.h>
#include <prehend/model/meshes/mesh_readers.h>
#include <prehend/model/meshes/polygon_triangulation.h>
#include <prehend/model/scenes/xml_input.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

// A node may be shown many times, and a small file must fill neither memory nor time: instances visited, and numbers read
// for them in all (seconds; a mesh of ten million triangles has fewer).
constexpr std::size_t kMostVisits = 100'000, kMostNumbers = 100'000'000;
constexpr int kMostNesting = 100;

std::vector<double> numbers_in(const XmlNode& node) {
  const char* text = node.element()->GetText();
  std::vector<double> values;
  if (text == nullptr) return values;
  for (const std::string_view word : split_words(text)) {
    const auto value = parse_number(word);
    if (!value) node.fail("'" + std::string(word.substr(0, 40)) + "' is not a finite number");
    values.push_back(*value);
  }
  return values;
}

std::vector<std::size_t> indices_in(const XmlNode& node) {
  const char* text = node.element()->GetText();
  std::vector<std::size_t> values;
  if (text == nullptr) return values;
  for (const std::string_view word : split_words(text)) {
    const auto value = parse_integer(word);
    if (!value || *value < 0) node.fail("'" + std::string(word.substr(0, 40)) + "' is no index");
    values.push_back(static_cast<std::size_t>(*value));
  }
  return values;
}

Eigen::Affine3d transform_of(const XmlNode& step) {
  const std::vector<double> v = numbers_in(step);
  const auto need = [&](std::size_t count) {
    if (v.size() != count)
      step.fail("<" + std::string(step.name()) + "> holds " + std::to_string(v.size()) +
                " values; expected " + std::to_string(count));
  };
  Eigen::Affine3d X = Eigen::Affine3d::Identity();
  if (step.name() == "matrix") {
    need(16);
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 4; ++column)
        X.matrix()(row, column) = v[static_cast<std::size_t>(4 * row + column)];
  } else if (step.name() == "translate") {
    need(3);
    X.translate(Eigen::Vector3d(v[0], v[1], v[2]));
  } else if (step.name() == "scale") {
    need(3);
    X.scale(Eigen::Vector3d(v[0], v[1], v[2]));
  } else if (step.name() == "rotate") {
    need(4);
    const Eigen::Vector3d axis(v[0], v[1], v[2]);
    if (v[3] != 0.0 && !(axis.norm() > 0.0)) step.fail("the rotation's axis has no length");
    if (v[3] != 0.0) X.rotate(Eigen::AngleAxisd(v[3] * math::kPi / 180.0, axis.normalized()));
  } else if (step.name() == "skew" || step.name() == "lookat") {
    step.fail("<" + std::string(step.name()) + "> is not supported; save the node with a <matrix>");
  }
  return X;
}

class DaeReader {
 public:
  DaeReader(std::string_view bytes, const std::string& name) : name_(name) {
    parse_xml(document_, std::string(bytes), name, SceneOptions{});
    file_.format = MeshFormat::dae;
    file_.encoding = "xml";
  }

  MeshFile read() {
    const XmlNode root(document_.RootElement(), &name_);
    if (root.name() != "COLLADA")
      root.fail("the root element is <" + std::string(root.name()) + ">; a .dae file starts with <COLLADA>");
    index_ids(root);
    const Eigen::Affine3d X = document_frame(root.child("asset"));
    if (const XmlNode scene = shown_scene(root)) {
      for (const XmlNode& node : scene.children("node")) visit(node, X, 0);
    }
    if (file_.mesh.triangles.empty() && visits_ == 0) {  // a library without a scene: all of it, as it lies
      for (const XmlNode& library : root.children("library_geometries"))
        for (const XmlNode& geometry : library.children("geometry")) add_geometry(geometry, X);
    }
    if (file_.mesh.triangles.empty())
      root.fail("the document shows no triangles; save the mesh with its faces, for example as STL or OBJ");
    if (lines_ > 0) file_.notes.push_back(std::to_string(lines_) + " sets of lines were ignored");
    if (not_simple_ > 0)
      file_.notes.push_back(std::to_string(not_simple_) + " polygons cross themselves or have no area");
    return std::move(file_);
  }

 private:
  void index_ids(const XmlNode& root) {
    std::vector<XmlNode> open{root};
    while (!open.empty()) {
      const XmlNode node = open.back();
      open.pop_back();
      if (const auto id = node.text_of("id")) by_id_.emplace(*id, node.element());
      for (const XmlNode& child : node.children()) open.push_back(child);
    }
  }

  // The element behind '#id'; other documents are not opened.
  XmlNode target(const XmlNode& node, const char* attribute) const {
    const std::string reference = node.required(attribute);
    if (!reference.starts_with('#'))
      node.fail("'" + reference + "' points to another document; save one file");
    const auto found = by_id_.find(reference.substr(1));
    if (found == by_id_.end()) node.fail("'" + reference + "' does not exist in the document");
    return {found->second, &name_};
  }

  Eigen::Affine3d document_frame(const XmlNode& asset) {
    Eigen::Affine3d X = Eigen::Affine3d::Identity();
    if (!asset) return X;
    if (const XmlNode unit = asset.child("unit")) {
      const double metres = unit.number("meter", 1.0);
      if (!(metres > 0.0)) unit.fail("the unit " + exact_number(metres) + " m is not positive");
      X.scale(metres);
      if (metres != 1.0)
        file_.notes.push_back("the document's unit is " + exact_number(metres) +
                              " m; coordinates were scaled by it");
    }
    const XmlNode up = asset.child("up_axis");
    const std::string axis = up ? up.text() : "Y_UP";
    if (axis == "Y_UP") {
      X.rotate(Eigen::AngleAxisd(0.5 * math::kPi, Eigen::Vector3d::UnitX()));
      // Quarter turns of whole numbers stay whole.
      X.linear() =
          (X.linear().array().abs() < 1e-15 * X.linear().cwiseAbs().maxCoeff()).select(0.0, X.linear());
      file_.notes.emplace_back(
          "the document is Y-up; the mesh was turned to Z-up: (x, y, z) became (x, -z, y)");
    } else if (axis == "X_UP") {
      Eigen::Matrix3d R;
      // Right is -y, up x, towards the viewer z: right becomes x, up z, towards the viewer -y, as for Y-up.
      R << 0, -1, 0, 0, 0, -1, 1, 0, 0;
      X.linear() = X.linear() * R;
      file_.notes.emplace_back("the document is X-up; the mesh was turned to Z-up");
    } else if (axis != "Z_UP") {
      up.fail("the up axis '" + axis.substr(0, 40) + "' is unknown; expected X_UP, Y_UP or Z_UP");
    }
    return X;
  }

  XmlNode shown_scene(const XmlNode& root) const {
    if (const XmlNode scene = root.child("scene")) {
      if (const XmlNode instance = scene.child("instance_visual_scene")) return target(instance, "url");
    }
    const XmlNode library = root.child("library_visual_scenes");
    return library ? library.child("visual_scene") : library;
  }

  void visit(const XmlNode& node, Eigen::Affine3d X, int depth) {
    if (++visits_ > kMostVisits || depth > kMostNesting)
      node.fail("nodes are shown too often or nested too deep; save one mesh");
    for (const XmlNode& child : node.children()) {
      const std::string_view tag = child.name();
      if (tag == "matrix" || tag == "translate" || tag == "rotate" || tag == "scale" || tag == "skew" ||
          tag == "lookat") {
        X = X * transform_of(child);
      } else if (tag == "instance_geometry") {
        add_geometry(target(child, "url"), X);
      } else if (tag == "instance_controller") {
        add_controller(target(child, "url"), X);
      } else if (tag == "instance_node") {
        visit(target(child, "url"), X, depth + 1);
      } else if (tag == "node") {
        visit(child, X, depth + 1);
      }
    }
  }

  void add_controller(const XmlNode& controller, const Eigen::Affine3d& X) {
    const XmlNode skin = controller.child("skin");
    if (!skin) return;
    file_.notes.emplace_back("a skin was ignored: the mesh is in its bind pose");
    add_geometry(target(skin, "source"), X);
  }

  void add_geometry(const XmlNode& geometry, const Eigen::Affine3d& X) {
    if (++visits_ > kMostVisits) geometry.fail("geometries are shown too often; save one mesh");
    const XmlNode mesh = geometry.child("mesh");
    if (!mesh) return;
    const bool mirrored = X.linear().determinant() < 0.0;
    file_.groups.push_back(geometry.text_of("name").value_or(geometry.text_of("id").value_or("")));
    std::map<const tinyxml2::XMLElement*, std::pair<std::size_t, std::size_t>>
        placed;  // source: first, count
    for (const XmlNode& part : mesh.children()) {
      const std::string_view tag = part.name();
      if (tag == "lines" || tag == "linestrips") ++lines_;
      if (tag != "triangles" && tag != "polylist" && tag != "polygons" && tag != "trifans" &&
          tag != "tristrips")
        continue;
      std::size_t stride = 0, offset = 0;
      const XmlNode positions = position_source(part, stride, offset);
      auto found = placed.find(positions.element());
      if (found == placed.end()) {
        const std::size_t first = file_.mesh.vertices.size();
        add_points(positions, X);
        found =
            placed.emplace(positions.element(), std::pair{first, file_.mesh.vertices.size() - first}).first;
      }
      add_faces(part, {stride, offset, found->second.first, found->second.second, mirrored});
      file_.triangle_groups.resize(file_.mesh.triangles.size(), static_cast<int>(file_.groups.size()) - 1);
    }
  }

  // The <source> behind VERTEX -> POSITION; how many indices a corner has, and which of them is its vertex.
  XmlNode position_source(const XmlNode& part, std::size_t& stride, std::size_t& offset) const {
    std::optional<XmlNode> vertices;
    for (const XmlNode& input : part.children("input")) {
      const int at = input.integer("offset", 0);
      if (at < 0 || at > 64) input.fail("the offset " + std::to_string(at) + " must lie between 0 and 64");
      stride = std::max(stride, static_cast<std::size_t>(at) + 1);
      if (input.required("semantic") != "VERTEX") continue;
      offset = static_cast<std::size_t>(at);
      vertices = target(input, "source");
    }
    if (!vertices) part.fail("<" + std::string(part.name()) + "> has no <input semantic=\"VERTEX\">");
    for (const XmlNode& input : vertices->children("input"))
      if (input.required("semantic") == "POSITION") return target(input, "source");
    vertices->fail("<vertices> has no <input semantic=\"POSITION\">");
  }

  void add_points(const XmlNode& source, const Eigen::Affine3d& X) {
    const XmlNode array = source.child("float_array");
    if (!array) source.fail("the source of positions has no <float_array>");
    const XmlNode common = source.child("technique_common");
    const XmlNode accessor = common ? common.child("accessor") : common;
    const int step = accessor ? accessor.integer("stride", 3) : 3;
    const int first = accessor ? accessor.integer("offset", 0) : 0;
    if (step < 3 || first < 0)
      source.fail("positions need a stride of at least 3 and an offset of at least 0");
    const std::vector<double> v = numbers_in(array);
    spend(array, v.size());
    for (std::size_t i = static_cast<std::size_t>(first); i + 3 <= v.size();
         i += static_cast<std::size_t>(step))
      file_.mesh.vertices.push_back(X * Eigen::Vector3d(v[i], v[i + 1], v[i + 2]));
  }

  void spend(const XmlNode& node, std::size_t numbers) {
    numbers_ += numbers + 1;
    if (numbers_ > kMostNumbers) node.fail("the document shows too many triangles; save one mesh");
  }

  struct Corners {
    std::size_t stride, offset, first, count;
    bool mirrored;
  };

  std::vector<int> corners_of(const XmlNode& p, const Corners& layout) {
    const std::vector<std::size_t> indices = indices_in(p);
    spend(p, indices.size());
    if (indices.size() % layout.stride != 0)
      p.fail("<p> holds " + std::to_string(indices.size()) + " indices; expected a multiple of " +
             std::to_string(layout.stride));
    std::vector<int> corners;
    for (std::size_t i = layout.offset; i < indices.size(); i += layout.stride) {
      if (indices[i] >= layout.count)
        p.fail("a face uses vertex " + std::to_string(indices[i]) + ", but there are " +
               std::to_string(layout.count) + " (counted from 0)");
      corners.push_back(static_cast<int>(layout.first + indices[i]));
    }
    return corners;
  }

  void add_polygon(const XmlNode& part, std::vector<int> corners, bool mirrored) {
    if (corners.size() < 3) part.fail("a face has fewer than 3 corners");
    if (mirrored) std::reverse(corners.begin() + 1, corners.end());
    ++file_.polygons;
    if (corners.size() == 3) {
      file_.mesh.triangles.emplace_back(corners[0], corners[1], corners[2]);
      return;
    }
    const auto status = triangulator_.triangulate(corners, file_.mesh.vertices, file_.mesh.triangles);
    if (status == PolygonTriangulator::Status::too_complex)
      part.fail("its polygons are too complex; save the mesh as triangles");
    if (status == PolygonTriangulator::Status::not_simple) ++not_simple_;
  }

  void add_faces(const XmlNode& part, const Corners& layout) {
    const std::string_view tag = part.name();
    std::vector<std::size_t> sizes;
    if (const XmlNode vcount = part.child("vcount"); vcount && tag == "polylist") {
      sizes = indices_in(vcount);
      spend(vcount, sizes.size());
    }
    for (const XmlNode& p : part.children("p")) {
      const std::vector<int> corners = corners_of(p, layout);
      const auto polygon = [&](std::vector<int> own) { add_polygon(part, std::move(own), layout.mirrored); };
      if (tag == "triangles") {
        if (corners.size() % 3 != 0) p.fail("a list of triangles needs a multiple of 3 corners");
        for (std::size_t i = 0; i < corners.size(); i += 3)
          polygon({corners[i], corners[i + 1], corners[i + 2]});
      } else if (tag == "polylist") {
        std::size_t at = 0;
        for (const std::size_t size : sizes) {
          if (size > corners.size() - at) p.fail("<vcount> asks for more corners than <p> holds");
          const auto begin = corners.begin() + static_cast<std::ptrdiff_t>(at);
          if (size >= 3) polygon({begin, begin + static_cast<std::ptrdiff_t>(size)});
          at += size;
        }
      } else if (tag == "polygons") {
        polygon(corners);
      } else {
        for (std::size_t i = 0; i + 2 < corners.size(); ++i) {
          const bool odd = tag == "tristrips" && i % 2 == 1;
          const int hub = tag == "trifans" ? corners[0] : corners[i + (odd ? 1 : 0)];
          polygon({hub, tag == "trifans" ? corners[i + 1] : corners[i + (odd ? 0 : 1)], corners[i + 2]});
        }
      }
    }
  }

  const std::string& name_;
  tinyxml2::XMLDocument document_;
  std::map<std::string, const tinyxml2::XMLElement*> by_id_;
  MeshFile file_;
  PolygonTriangulator triangulator_;
  std::size_t visits_{0}, numbers_{0}, lines_{0}, not_simple_{0};
};

}  // namespace

MeshFile read_dae(std::string_view bytes, const std::string& name) { return DaeReader(bytes, name).read(); }

}  // namespace prehend::model
