// Transport arrangements: things standing on the tray of a robot waiter, as YAML.
//
// `arrangements: NAME: {objects: [{name, type, parent, offset, orientation, fixture}], contacts: [{first,
// second, mu}]}` uses types from `objects: TYPE: {shape, mass, com_offset, ...}`, in the same file or in
// `controller.yaml` beside it. The tray `ee` is fixed, its frame's origin on its top when `position` says so.
// An object stands on its parent: its reference point (the centre of its box or cylinder) is above the
// parent's reference point, moved by `offset` in the tray's x and y, so that the ray straight up from the
// parent's reference point leaves the parent where the ray straight down from the object's leaves the object.
// A wedge is half a box, its slope facing +x; its reference point is the whole box's centre, on the slope.
// `orientation` is x, y, z, w. `mu` is the measured coefficient; the safety margin `mu_margin` is not
// subtracted.
#include <cmath>
#include <map>
#include <optional>

#include <yaml-cpp/yaml.h>

#include <prehend/geometry/primitives.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scenes/scene_assembly.h>
#include <prehend/model/scenes/scene_formats.h>
#include <prehend/model/scenes/xml_input.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

struct Document {
  std::string file;
  YAML::Node root;
};

Document parse(const std::string& text, const std::string& file) {
  if (text.size() > (std::size_t{4} << 20)) throw InputError(file, 0, "the YAML file is larger than 4 MiB");
  try {
    Document document{file, YAML::Load(text)};
    if (!document.root.IsMap())
      throw InputError(file, 0, "this is no YAML table; expected 'arrangements:' or 'objects:'");
    return document;
  } catch (const YAML::Exception& error) {
    throw InputError(file, error.mark.line + 1, "this is not well-formed YAML (" + error.msg + ")");
  }
}

// One kind of thing, centred at its reference point.
struct ObjectType {
  Shape shape;
  geometry::TriangleMesh mesh;
  math::SpatialInertia inertia;  // zero mass when the file gives none
};

geometry::TriangleMesh wedge_mesh(const Eigen::Vector3d& full_size) {
  const Eigen::Vector3d h = 0.5 * full_size;
  geometry::TriangleMesh mesh;
  for (const double y : {-h.y(), h.y()}) {
    mesh.vertices.insert(mesh.vertices.end(), {{-h.x(), y, -h.z()}, {h.x(), y, -h.z()}, {-h.x(), y, h.z()}});
  }
  mesh.triangles = {{0, 1, 2}, {3, 5, 4}, {0, 3, 4}, {0, 4, 1}, {0, 2, 5}, {0, 5, 3}, {1, 4, 5}, {1, 5, 2}};
  return mesh;
}

// Distance [m] from the origin along `direction` (unit) to the far side of a convex mesh that contains it or
// touches it.
double distance_to_boundary(const geometry::TriangleMesh& mesh, const Eigen::Vector3d& direction) {
  double distance = std::numeric_limits<double>::infinity();
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Eigen::Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Eigen::Vector3d normal = (b - a).cross(c - a);
    const double speed = normal.dot(direction);
    if (speed > 1e-12 * normal.norm()) distance = std::min(distance, normal.dot(a) / speed);
  }
  return std::isfinite(distance) ? std::max(distance, 0.0) : 0.0;
}

class ArrangementReader {
 public:
  ArrangementReader(const std::string& file, const SceneOptions& options) : file_(file), options_(options) {}

  Scene read(const std::string& text) {
    documents_.push_back(parse(text, file_));
    for (const char* beside : {"controller.yaml", "arrangements.yaml"}) {
      const std::string path = folder_of(file_) + beside;
      const bool is_needed = !find("objects") || !find("arrangements");
      if (!is_needed || !options_.allow_files || path == file_ || !is_plain_file(path)) continue;
      documents_.push_back(parse(read_file(path), path));
    }
    const auto [arrangement, source] = chosen_arrangement();
    here_ = source;
    scene_.format = "arrangement";
    read_gravity();
    add_tray();
    const YAML::Node objects = arrangement["objects"];
    if (!objects || !objects.IsSequence()) fail(arrangement, "the arrangement has no list of 'objects'");
    if (objects.size() > 10'000) fail(objects, "the arrangement has more than 10000 objects");
    for (const YAML::Node& object : objects) add_object(object);
    read_contacts(arrangement["contacts"]);
    return std::move(scene_);
  }

 private:
  [[noreturn]] void fail(const YAML::Node& node, const std::string& what) const {
    const int line = node.IsDefined() && !node.Mark().is_null() ? node.Mark().line + 1 : 0;
    throw InputError(here_.empty() ? file_ : here_, line, what);
  }

  const Document* find(const char* section) const {
    for (const Document& document : documents_) {
      if (document.root[section] && document.root[section].IsMap()) return &document;
    }
    return nullptr;
  }

  std::pair<YAML::Node, std::string> chosen_arrangement() {
    const Document* document = find("arrangements");
    if (document == nullptr)
      throw InputError(file_, 0, "no 'arrangements' found in this file; name the file that has them");
    const YAML::Node all = document->root["arrangements"];
    std::string known;
    for (const auto& item : all) known += (known.empty() ? "" : ", ") + item.first.as<std::string>("?");
    scene_.name = options_.arrangement;
    if (scene_.name.empty() && all.size() == 1) scene_.name = all.begin()->first.as<std::string>("?");
    const YAML::Node chosen = scene_.name.empty() ? YAML::Node() : all[scene_.name];
    if (!chosen || !chosen.IsMap()) {
      throw InputError(
          document->file, 0,
          (scene_.name.empty() ? std::string("the file holds several arrangements; pick one as FILE#NAME")
                               : "there is no arrangement '" + scene_.name + "'") +
              "; known: " + known);
    }
    return {chosen, document->file};
  }

  void read_gravity() {
    for (const Document& document : documents_) {
      const YAML::Node gravity = document.root["gravity"];
      if (gravity && gravity.IsSequence()) scene_.gravity_W = vector(gravity, "gravity");
    }
  }

  double number(const YAML::Node& node, const std::string& what) const {
    const std::optional<double> value = node && node.IsScalar() ? parse_number(node.Scalar()) : std::nullopt;
    if (!value) fail(node, what + " is no finite number");
    return *value;
  }

  Eigen::Vector3d vector(const YAML::Node& node, const std::string& what) const {
    if (!node || !node.IsSequence() || node.size() != 3) fail(node, what + " needs three numbers");
    return {number(node[0], what), number(node[1], what), number(node[2], what)};
  }

  std::string word(const YAML::Node& node, const char* key) const {
    if (!node.IsMap() || !node[key] || !node[key].IsScalar() || node[key].Scalar().empty()) {
      fail(node, "an entry needs '" + std::string(key) + "'");
    }
    return node[key].Scalar();
  }

  const ObjectType& type_named(const std::string& name, const YAML::Node& user) {
    const auto known = types_.find(name);
    if (known != types_.end()) return known->second;
    const Document* document = find("objects");
    if (document == nullptr) fail(user, "no 'objects' found here or in controller.yaml beside this file");
    const YAML::Node node = document->root["objects"][name];
    if (!node || !node.IsMap()) fail(user, "the object type '" + name + "' is not described under 'objects'");
    const std::string previous = std::exchange(here_, document->file);
    ObjectType type = read_type(name, node);
    here_ = previous;
    return types_.emplace(name, std::move(type)).first->second;
  }

  ObjectType read_type(const std::string& name, const YAML::Node& node) const {
    ObjectType type;
    // Later versions of the format nest the sizes: shape: {type: cuboid, side_lengths: [...]}.
    const YAML::Node shape = node["shape"];
    if (!shape) fail(node, "object type '" + name + "' needs a 'shape'");
    const YAML::Node sizes = shape.IsMap() ? shape : node;
    const std::string kind = shape.IsMap() ? word(shape, "type") : shape.Scalar();
    if (kind == "cylinder") {
      type.shape = Shape::cylinder(number(sizes["radius"], "radius"), number(sizes["height"], "height"));
    } else if (kind == "cuboid" || kind == "wedge") {
      type.shape = Shape::box(vector(sizes["side_lengths"], "side_lengths"));
    } else {
      fail(shape, "the shape '" + kind + "' is unknown; expected cuboid, cylinder or wedge");
    }
    check_shape(type.shape, here_, node.Mark().line + 1, name);
    const bool is_wedge = kind == "wedge";
    type.mesh = is_wedge ? wedge_mesh(type.shape.size) : mesh_of_shape(type.shape, options_);
    if (!node["mass"]) {
      if (is_wedge) type.shape = Shape{};
      return type;
    }
    const double mass = number(node["mass"], "mass");
    if (!(mass > 0.0)) fail(node["mass"], "the mass " + exact_number(mass) + " kg is not positive");
    if (is_wedge) {
      type.inertia = inertia_of_mesh(type.mesh, 2.0 * mass / type.shape.size.prod()).value();
      type.shape = Shape{};
    } else if (kind == "cuboid") {
      type.inertia = math::SpatialInertia::solid_box(mass, type.shape.size);
    } else {
      type.inertia = math::SpatialInertia::solid_cylinder(mass, type.shape.size.x(), type.shape.size.y());
    }
    if (node["com_offset"]) type.inertia.com += vector(node["com_offset"], "com_offset");
    return type;
  }

  void add_body(const std::string& name, const ObjectType& type, const math::Pose& X_WB, bool movable,
                int line) {
    Body body;
    body.name = name;
    body.movable = movable;
    body.inertia = type.inertia;
    body.X_WB = X_WB;
    body.line = line;
    Geom geom;
    geom.name = name;
    geom.shape = type.shape;
    geom.mesh = type.mesh;
    geom.friction = options_.friction;
    body.geoms.push_back(std::move(geom));
    scene_.bodies.push_back(std::move(body));
    if (!movable) return;
    Joint joint;
    joint.name = name + "_free";
    joint.type = JointType::free;
    joint.parent = scene_.world();
    joint.child = BodyIndex(scene_.bodies.size() - 1);
    joint.X_PC = X_WB;
    scene_.joints.push_back(joint);
  }

  void add_tray() {
    const ObjectType& type = type_named("ee", YAML::Node());
    const YAML::Node node = find("objects")->root["objects"]["ee"];
    const Eigen::Vector3d position =
        node["position"] ? vector(node["position"], "position") : Eigen::Vector3d::Zero();
    add_body("ee", type, math::Pose::translation(position), false, 0);
  }

  void add_object(const YAML::Node& object) {
    const std::string name = word(object, "name"), parent_name = word(object, "parent");
    if (scene_.find_body(name).is_valid())
      fail(object, "two objects are named '" + name + "'; give each its own name");
    const BodyIndex parent = scene_.find_body(parent_name);
    if (!parent.is_valid() || parent == scene_.world()) {
      fail(object, "the parent '" + parent_name + "' of '" + name +
                       "' is unknown; list parents before what they carry");
    }
    const ObjectType& type = type_named(word(object, "type"), object);
    Eigen::Quaterniond q_WB = Eigen::Quaterniond::Identity();
    if (const YAML::Node q = object["orientation"]) {
      if (!q.IsSequence() || q.size() != 4) fail(q, "orientation needs four numbers: x, y, z, w");
      q_WB = Eigen::Quaterniond(number(q[3], "w"), number(q[0], "x"), number(q[1], "y"), number(q[2], "z"));
      if (std::abs(q_WB.norm() - 1.0) > 0.01)
        fail(q, "the orientation's norm is " + exact_number(q_WB.norm()) + "; it must be 1");
      q_WB.normalize();
    }
    const Body& carrier = scene_.bodies[parent];
    Eigen::Vector3d position = carrier.X_WB.p();
    if (const YAML::Node offset = object["offset"]) {
      if (!offset.IsMap()) fail(offset, "offset needs x and y");
      if (offset["x"]) position.x() += number(offset["x"], "offset x");
      if (offset["y"]) position.y() += number(offset["y"], "offset y");
      if (offset["z"]) fail(offset, "offset takes x and y alone; the height follows from the parent");
    }
    const Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
    position.z() += distance_to_boundary(carrier.geoms[0].mesh, carrier.X_WB.q().conjugate() * up) +
                    distance_to_boundary(type.mesh, q_WB.conjugate() * -up);
    const bool is_fixture = object["fixture"] && object["fixture"].as<bool>(false);
    add_body(name, type, {q_WB, position}, !is_fixture, object.Mark().line + 1);
  }

  void read_contacts(const YAML::Node& contacts) {
    if (!contacts) return;
    if (!contacts.IsSequence()) fail(contacts, "'contacts' must be a list");
    bool has_margin = false;
    for (const YAML::Node& contact : contacts) {
      BodyPair pair;
      pair.a = scene_.find_body(word(contact, "first"));
      pair.b = scene_.find_body(word(contact, "second"));
      if (!pair.a.is_valid() || !pair.b.is_valid())
        fail(contact, "a contact names an object that is not in the arrangement");
      pair.friction = number(contact["mu"], "mu");
      if (pair.friction < 0.0)
        fail(contact["mu"], "the friction coefficient " + exact_number(pair.friction) + " is negative");
      has_margin = has_margin || contact["mu_margin"];
      scene_.body_pairs.push_back(pair);
    }
    if (has_margin) scene_.notes.emplace_back("friction is mu as measured; mu_margin is not subtracted");
    if (!scene_.body_pairs.empty()) {
      scene_.notes.push_back("pairs without a measured mu take " + exact_number(options_.friction));
    }
  }

  const std::string& file_;
  const SceneOptions& options_;
  std::vector<Document> documents_;
  std::string here_;  // the file that messages speak of
  std::map<std::string, ObjectType> types_;
  Scene scene_;
};

}  // namespace

Scene read_arrangement(const std::string& text, const std::string& file, const SceneOptions& options) {
  try {
    return ArrangementReader(file, options).read(text);
  } catch (const YAML::Exception& error) {
    throw InputError(file, error.mark.line + 1, "the YAML has an unexpected form (" + error.msg + ")");
  }
}

}  // namespace prehend::model
