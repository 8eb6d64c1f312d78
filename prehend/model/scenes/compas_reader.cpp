// COMPAS assembly JSON: blocks as polygon meshes in world coordinates. Node keys are the names, `is_support`
// marks fixed blocks; interfaces stored in the file are
// left to compas_interfaces.cpp, because contacts are computed anew unless asked for. Friction
// and density come from the options. Each body's frame is the world frame, as the file has no other.
#include <algorithm>
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include <prehend/geometry/mass_properties.h>
#include <prehend/model/input_error.h>
#include <prehend/model/meshes/polygon_triangulation.h>
#include <prehend/model/scenes/scene_assembly.h>
#include <prehend/model/scenes/scene_formats.h>
#include <prehend/model/scenes/xml_input.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

using nlohmann::json;

json parse_compas(const std::string& text, const std::string& file, const SceneOptions& options) {
  const auto line_at = [&](std::size_t byte) {
    return 1 +
           static_cast<int>(std::count(
               text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size())), '\n'));
  };
  // JSON lets a key repeat and the last one win; here that would lose a block without a word.
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int depth, json::parse_event_t event, json& value) {
    if (depth > options.max_depth) {
      throw InputError(file, 0,
                       "objects are nested deeper than " + std::to_string(options.max_depth) + " levels");
    }
    const std::size_t level = static_cast<std::size_t>(depth);
    if (event == json::parse_event_t::object_start) {
      keys.resize(std::max(keys.size(), level + 2));
      keys[level + 1].clear();
    }
    if (event == json::parse_event_t::key && level < keys.size() &&
        !keys[level].insert(value.get_ref<const std::string&>()).second) {
      throw InputError(file, 0,
                       "the key '" + value.get<std::string>() + "' appears twice; give each block its own");
    }
    return true;
  };
  try {
    return json::parse(text, watch);
  } catch (const json::parse_error& error) {
    throw InputError(file, line_at(error.byte),
                     "this is not well-formed JSON; check the text around this line");
  } catch (const json::exception&) {
    throw InputError(file, 0, "this is not usable JSON: a number or text is out of range");
  }
}

class CompasReader {
 public:
  CompasReader(const std::string& file, const SceneOptions& options) : file_(file), options_(options) {}

  Scene read(const json& document) {
    scene_.format = "compas";
    const json* graph = find(&document, "data");
    graph = find(find(graph, "graph"), "data");
    const json* nodes = find(graph, "node");
    if (nodes == nullptr || !nodes->is_object()) {
      fail("no assembly found at data.graph.data.node; expected a COMPAS assembly as JSON");
    }
    support_by_default_ = truth(find(find(graph, "default_node_attributes"), "is_support"));
    if (const json* name = find(find(find(&document, "data"), "attributes"), "name");
        name && name->is_string()) {
      scene_.name = name->get<std::string>();
    }
    for (const std::string& key : sorted_keys(*nodes)) read_block(key, nodes->at(key));
    if (scene_.bodies.size() == 1) scene_.problems.emplace_back("the assembly has no blocks");
    scene_.notes.push_back("the file carries no friction or density: taken as " +
                           exact_number(options_.friction) + " and " + exact_number(options_.density) +
                           " kg/m^3");
    return std::move(scene_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(file_, 0, what); }

  static const json* find(const json* object, const char* key) {
    if (object == nullptr || !object->is_object()) return nullptr;
    const auto found = object->find(key);
    return found == object->end() ? nullptr : &*found;
  }

  static bool truth(const json* value) {
    return value != nullptr &&
           ((value->is_boolean() && value->get<bool>()) || (value->is_number() && *value != 0));
  }

  // Whole numbers in their order first, then other keys.
  static std::vector<std::string> sorted_keys(const json& object) {
    std::vector<std::string> keys;
    for (const auto& item : object.items()) keys.push_back(item.key());
    const auto number = [](const std::string& key) {
      const auto value = parse_number(key);
      return value ? *value : HUGE_VAL;
    };
    std::stable_sort(keys.begin(), keys.end(),
                     [&](const std::string& a, const std::string& b) { return number(a) < number(b); });
    return keys;
  }

  double coordinate(const json& vertex, const json* defaults, const char* axis,
                    const std::string& where) const {
    const json* value = find(&vertex, axis);
    if (value == nullptr) value = find(defaults, axis);
    if (value == nullptr) return 0.0;
    if (!value->is_number()) fail(where + ": the coordinate " + axis + " is not a number");
    const double number = value->get<double>();
    if (!std::isfinite(number)) fail(where + ": the coordinate " + axis + " is not finite");
    return number;
  }

  geometry::TriangleMesh read_mesh(const json& data, const std::string& where) {
    const json* vertices = find(&data, "vertex");
    const json* faces = find(&data, "face");
    if (vertices == nullptr || faces == nullptr || !vertices->is_object() || !faces->is_object()) {
      fail(where + " has no 'vertex' and 'face' tables; expected a COMPAS mesh");
    }
    geometry::TriangleMesh mesh;
    std::map<std::string, int> index;
    for (const std::string& key : sorted_keys(*vertices)) {
      index.emplace(key, static_cast<int>(mesh.vertices.size()));
      const json& vertex = vertices->at(key);
      const json* defaults = find(&data, "default_vertex_attributes");
      mesh.vertices.emplace_back(coordinate(vertex, defaults, "x", where),
                                 coordinate(vertex, defaults, "y", where),
                                 coordinate(vertex, defaults, "z", where));
    }
    for (const std::string& key : sorted_keys(*faces)) {
      const json& face = faces->at(key);
      if (!face.is_array() || face.size() < 3) fail(where + ": face " + key + " has fewer than 3 corners");
      std::vector<int> corners;
      for (const json& corner : face) {
        const std::string name = corner.is_string() ? corner.get<std::string>() : corner.dump();
        const auto found = index.find(name);
        if (found == index.end())
          fail(where + ": face " + key + " uses the vertex " + name + ", which does not exist");
        if (corners.empty() || corners.back() != found->second) corners.push_back(found->second);
      }
      if (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
      if (corners.size() < 3) continue;
      const auto status = triangulator_.triangulate(corners, mesh.vertices, mesh.triangles);
      if (status == PolygonTriangulator::Status::too_complex)
        fail(where + ": face " + key + " is too complex");
      if (status == PolygonTriangulator::Status::not_simple) {
        scene_.problems.push_back(where + ": face " + key + " crosses itself or has no area");
      }
      triangles_ += corners.size() - 2;
      if (triangles_ > options_.max_triangles) fail("the blocks have too many triangles");
    }
    return mesh;
  }

  void read_block(const std::string& key, const json& node) {
    const std::string where = "block '" + key + "'";
    const json* block = find(&node, "block");
    const json* data = find(block, "data");
    if (data == nullptr) fail(where + " has no mesh (block.data); expected a COMPAS block");
    Body body;
    body.name = key;
    const json* support = find(&node, "is_support");
    if (support == nullptr) support = find(find(data, "attributes"), "is_support");
    const bool is_support = support != nullptr ? truth(support) : support_by_default_;
    Geom geom;
    geom.name = key;
    geom.friction = options_.friction;
    geom.mesh = read_mesh(*data, where);
    auto inertia = inertia_of_mesh(geom.mesh, options_.density);
    if (inertia && geometry::mass_properties(geom.mesh).status == geometry::MassStatus::inside_out) {
      for (Eigen::Vector3i& triangle : geom.mesh.triangles) std::swap(triangle[1], triangle[2]);
      scene_.problems.push_back(where + " is inside out; its faces were turned");
    }
    if (!inertia && !is_support) {
      fail(where + " is no closed solid, so it has no mass; close its mesh or mark it as a support");
    }
    if (inertia) body.inertia = *inertia;
    body.movable = !is_support;
    body.geoms.push_back(std::move(geom));
    scene_.bodies.push_back(std::move(body));
    if (is_support) return;
    Joint joint;
    joint.name = key + "_free";
    joint.type = JointType::free;
    joint.parent = scene_.world();
    joint.child = BodyIndex(scene_.bodies.size() - 1);
    scene_.joints.push_back(joint);
  }

  const std::string& file_;
  const SceneOptions& options_;
  Scene scene_;
  PolygonTriangulator triangulator_{200'000'000};
  bool support_by_default_{false};
  std::size_t triangles_{0};
};

}  // namespace

Scene read_compas(const std::string& text, const std::string& file, const SceneOptions& options) {
  return CompasReader(file, options).read(parse_compas(text, file, options));
}

}  // namespace prehend::model
