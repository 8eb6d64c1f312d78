// SDF: worlds and models. Links of a model that is not static and that no joint holds are movable; static
// models are fixed. A body is named as its link where that name is unique in the file, otherwise model::link.
// Friction is <mu> of the ODE block; of two coefficients the smaller one holds, as SDF's engines take it.
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <tinyxml2.h>

#include <prehend/math/angles.h>
#include <prehend/math/so3.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scenes/mesh_reference.h>
#include <prehend/model/scenes/scene_assembly.h>
#include <prehend/model/scenes/scene_formats.h>
#include <prehend/model/scenes/sdf_frames.h>
#include <prehend/model/scenes/sdf_joint.h>
#include <prehend/model/scenes/xml_input.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

constexpr int kDefaultBitmask = 0xffff;

class SdfReader {
 public:
  SdfReader(const std::string& file, const SceneOptions& options) : file_(file), options_(options) {}

  Scene read(const std::string& text) {
    scene_.format = "sdf";
    const XmlNode root = open_document(text, file_);
    scene_.gravity_W = {0.0, 0.0, -9.8};  // the value SDF itself assumes
    collect(root, frames_.world(), false);
    if (const XmlNode world = root.child("world")) {
      scene_.name = world.text_of("name").value_or("");
      if (const XmlNode gravity = world.child("gravity")) {
        const auto g = gravity.text_numbers(3);
        scene_.gravity_W = {g[0], g[1], g[2]};
      }
      if (world.next("world")) world.next("world").fail("the file holds several worlds; keep one");
      collect(world, frames_.world(), false);
    }
    name_bodies();
    for (std::size_t i = 0; i < links_.size(); ++i) fill_body(links_[i], scene_.bodies[i + 1]);
    add_joints();
    scene_.smaller_friction = true;
    return std::move(scene_);
  }

 private:
  struct Link {
    XmlNode node;
    FrameIndex frame, scope;
    std::string name, scoped_name;
    bool is_static;
  };
  struct PendingJoint {
    XmlNode node;
    FrameIndex frame, scope;
  };

  XmlNode open_document(const std::string& text, const std::string& file) {
    documents_.push_back(std::make_unique<tinyxml2::XMLDocument>());
    files_.push_back(std::make_unique<std::string>(file));
    parse_xml(*documents_.back(), text, file, options_);
    const XmlNode root(documents_.back()->RootElement(), files_.back().get());
    if (root.name() != "sdf")
      root.fail("the root element is <" + std::string(root.name()) + ">; SDF starts with <sdf>");
    return root;
  }

  // Models, includes and frames inside a world, a model or the root.
  void collect(const XmlNode& parent, FrameIndex scope, bool is_static) {
    for (const XmlNode& node : parent.children()) {
      const std::string_view tag = node.name();
      if (tag == "model") {
        add_model(node, node, scope, is_static);
      } else if (tag == "include") {
        add_include(node, scope, is_static);
      } else if (tag == "frame") {
        frames_.add(scope, node.required("name"), node, node.text_of("attached_to").value_or(""));
      } else if (tag == "link" && parent.name() == "model") {
        add_link(node, scope, is_static);
      } else if (tag == "plugin") {  // a controller: it drives the joints it names
        for (const XmlNode& joint : node.children("joint_name")) driven_.insert(joint.text());
      } else if (tag == "joint" && node.text_of("type").value_or("") == "gearbox") {
        scene_.problems.push_back("the gearbox '" + node.required("name") + "' on line " +
                                  std::to_string(node.line()) + " is left out: it holds nothing here");
      } else if (tag == "state" || tag == "population" || tag == "actor" || tag == "road") {
        scene_.problems.push_back("<" + std::string(tag) + "> on line " + std::to_string(node.line()) +
                                  " is left out" +
                                  (tag == "state" ? ": models stand where they are written" : ""));
      } else if (tag == "joint") {
        joints_.push_back(
            {node, frames_.add(scope, node.required("name"), node, sdf_joint_link(node, "child")), scope});
      }
    }
  }

  // `placed` has the pose and the name: the model itself or the include that brings it.
  void add_model(const XmlNode& model, const XmlNode& placed, FrameIndex scope, bool is_static) {
    if (model.has("placement_frame") || placed.child("placement_frame"))
      model.fail("placement_frame is not supported");
    std::string name = placed.text_of("name").value_or("");
    if (placed.name() == "include")
      name = placed.child("name") ? placed.child("name").text() : model.required("name");
    if (name.empty()) model.fail("<model> needs a name");
    if (frames_.has(scope, name)) {
      const std::string given = name;
      for (int number = 2; frames_.has(scope, name); ++number) name = given + "_" + std::to_string(number);
      scene_.problems.push_back("two models are named '" + given + "'; the one on line " +
                                std::to_string(placed.line()) + " is read as '" + name + "'");
    }
    const bool own_pose = placed.name() == "include" && !placed.child("pose");
    const FrameIndex frame = frames_.add(scope, name, own_pose ? model : placed, "");
    const auto is_fixed = [](const XmlNode& node) {
      return node.child("static") && says(node.child("static").text());
    };
    collect(model, frame, is_static || is_fixed(model) || is_fixed(placed));
    scope_names_[frame] = (scope == frames_.world() ? "" : scope_names_[scope] + "::") + name;
  }

  void add_include(const XmlNode& include, FrameIndex scope, bool is_static) {
    const XmlNode uri = include.child("uri");
    if (!uri || uri.text().empty()) include.fail("<include> needs a <uri>");
    std::string path;
    try {
      path = resolve_reference(uri, uri.text(), options_);
    } catch (const InputError&) {
      path = resolve_reference(uri, uri.text() + "/model.sdf", options_);
    }
    if (std::find(open_.begin(), open_.end(), path) != open_.end() || path == file_) {
      include.fail("'" + uri.text() + "' includes itself; break the cycle");
    }
    if (open_.size() > 32 || documents_.size() > 1000) include.fail("too many includes");
    open_.push_back(path);
    const XmlNode root = open_document(read_file(path, {.max_bytes = options_.max_file_bytes}), path);
    const XmlNode model = root.child("model");
    if (!model) root.fail("the included file has no <model>");
    add_model(model, include, scope, is_static);
    open_.pop_back();
  }

  void add_link(const XmlNode& node, FrameIndex scope, bool is_static) {
    const std::string name = node.required("name");
    if (!is_static && node.child("kinematic") && says(node.child("kinematic").text())) {
      is_static = true;
      scene_.notes.push_back("link '" + name +
                             "' is kinematic: it moves only where a program moves it, and counts as fixed");
    }
    links_.push_back({node, frames_.add(scope, name, node, ""), scope, name, "", is_static});
  }

  void name_bodies() {
    std::map<std::string, int> uses{{"world", 2}};
    for (const Link& link : links_) ++uses[link.name];
    scene_.bodies.resize(links_.size() + 1);
    for (std::size_t i = 0; i < links_.size(); ++i) {
      Link& link = links_[i];
      link.scoped_name = scope_names_[link.scope] + "::" + link.name;
      scene_.bodies[i + 1].name = uses[link.name] == 1 ? link.name : link.scoped_name;
      body_of_frame_[link.frame] = BodyIndex(i + 1);
    }
    body_of_frame_[frames_.world()] = scene_.world();
  }

  void fill_body(const Link& link, Body& body) {
    body.line = link.node.line();
    body.X_WB = frames_.X_W(link.frame);
    bool needs_shapes = false;
    if (const XmlNode inertial = link.node.child("inertial"); inertial && says(inertial.text_of("auto"))) {
      needs_shapes = true;
    } else if (inertial) {
      body.inertia = read_inertia(inertial, link);
    } else if (!link.is_static) {
      body.inertia = {1.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
      scene_.notes.push_back("link '" + body.name +
                             "' has no <inertial>: SDF's defaults, 1 kg and 1 kg m^2, are taken");
    }
    const bool has_collision = static_cast<bool>(link.node.child("collision"));
    for (const XmlNode& node : link.node.children(has_collision ? "collision" : "visual")) {
      if (options_.without_missing_meshes && !needs_shapes && lacks_mesh(node)) {
        scene_.notes.push_back("link '" + body.name + "': a mesh that does not exist is left out");
        continue;
      }
      body.geoms.push_back(read_geom(node, link));
      triangles_ += body.geoms.back().mesh.triangles.size();
      if (triangles_ > options_.max_triangles) node.fail("the geometry has too many triangles in all");
    }
    if (needs_shapes && !link.is_static) body.inertia = inertia_of_shapes(link, body);
    if (!link.is_static && link.node.child("gravity") && !says(link.node.child("gravity").text())) {
      body.carried_mass = body.inertia.mass;
      body.carried_com = body.inertia.com;
      scene_.notes.push_back("link '" + body.name + "' switches gravity off: it has mass and no weight");
    }
    if (!has_collision && !body.geoms.empty()) {
      scene_.notes.push_back("link '" + body.name +
                             "' has no <collision>; its <visual> geometry touches instead");
    }
  }

  bool lacks_mesh(const XmlNode& shape) const {
    const XmlNode geometry = shape.child("geometry"), mesh = geometry ? geometry.child("mesh") : geometry,
                  uri = mesh ? mesh.child("uri") : mesh;
    return uri && !exists(uri, uri.text(), options_);
  }

  static bool says(const std::optional<std::string>& text) { return text == "true" || text == "1"; }

  // [m^3] 0: a mesh.
  static double volume_of(const Shape& shape) {
    const double r = shape.size[0], length = shape.size[1];
    switch (shape.kind) {
      case ShapeKind::box:
        return shape.size.prod();
      case ShapeKind::sphere:
        return 4.0 / 3.0 * math::kPi * r * r * r;
      case ShapeKind::cylinder:
        return math::kPi * r * r * length;
      case ShapeKind::capsule:
        return math::kPi * r * r * (length + 4.0 / 3.0 * r);
      case ShapeKind::ellipsoid:
        return 4.0 / 3.0 * math::kPi * shape.size.prod();
      case ShapeKind::plane:
      case ShapeKind::mesh:
        break;
    }
    return 0.0;
  }

  // <inertial auto="true">: of the collisions, with their densities; a mass given there scales them.
  math::SpatialInertia inertia_of_shapes(const Link& link, const Body& body) const {
    constexpr double kWater = 1000.0;  // [kg/m^3] SDF's default
    const XmlNode inertial = link.node.child("inertial");
    math::SpatialInertia sum;
    std::size_t next = 0;
    for (const XmlNode& node : link.node.children("collision")) {
      const Geom& geom = body.geoms[next++];
      const double density = value(node, "density", value(inertial, "density", kWater));
      if (!(density > 0.0)) node.fail("the density " + exact_number(density) + " is not positive");
      const auto own = inertia_of_mesh(geom.mesh, density);
      if (!own)
        node.fail("link '" + link.name +
                  "': the mesh of a collision encloses no volume to weigh (auto=\"true\")");
      math::SpatialInertia true_own = *own;
      const double share =
          volume_of(geom.shape) * density / own->mass;  // a ball is a little larger than its mesh
      if (share > 0.0) {
        true_own.mass *= share;
        true_own.I_com *= share;
      }
      sum = sum.mass > 0.0 ? sum + true_own.expressed_in(geom.X_BG) : true_own.expressed_in(geom.X_BG);
    }
    const double mass = value(inertial, "mass", sum.mass);
    if (!(mass >= 0.0))
      inertial.fail("link '" + link.name + "': the mass " + exact_number(mass) + " kg is negative");
    if (sum.mass > 0.0) sum.I_com *= mass / sum.mass;
    sum.mass = sum.mass > 0.0 ? mass : 0.0;
    return sum;
  }

  static double value(const XmlNode& parent, const char* name, double fallback) {
    const XmlNode node = parent.child(name);
    return node ? node.text_number() : fallback;
  }

  math::SpatialInertia read_inertia(const XmlNode& node, const Link& link) {
    math::SpatialInertia own;
    own.mass = value(node, "mass", 1.0);
    if (!(own.mass >= 0.0))
      node.fail("link '" + link.name + "': the mass " + exact_number(own.mass) + " kg is negative");
    if (own.mass == 0.0) return {};  // an error for a free link only, which finish_scene() checks
    own.I_com.setIdentity();
    if (const XmlNode inertia = node.child("inertia")) {
      const double xy = value(inertia, "ixy", 0.0), xz = value(inertia, "ixz", 0.0),
                   yz = value(inertia, "iyz", 0.0);
      own.I_com << value(inertia, "ixx", 1.0), xy, xz, xy, value(inertia, "iyy", 1.0), yz, xz, yz,
          value(inertia, "izz", 1.0);
    }
    return own.expressed_in(frames_.local_pose(link.scope, link.frame, node));
  }

  static Eigen::Vector3d vector(const XmlNode& node) {
    const auto v = node.text_numbers(3);
    return {v[0], v[1], v[2]};
  }

  static XmlNode need(const XmlNode& parent, const char* name) {
    const XmlNode node = parent.child(name);
    if (!node) parent.fail("<" + std::string(parent.name()) + "> needs <" + name + ">");
    return node;
  }

  Geom read_geom(const XmlNode& node, const Link& link) {
    Geom geom;
    geom.name = node.text_of("name").value_or("");
    geom.X_BG = frames_.local_pose(link.scope, link.frame, node);
    geom.friction = options_.friction;
    geom.contype = geom.conaffinity = kDefaultBitmask;
    const XmlNode geometry = need(node, "geometry");
    if (const XmlNode box = geometry.child("box")) {
      geom.shape = Shape::box(vector(need(box, "size")));
    } else if (const XmlNode sphere = geometry.child("sphere")) {
      geom.shape = Shape::sphere(need(sphere, "radius").text_number());
    } else if (const XmlNode cylinder = geometry.child("cylinder")) {
      geom.shape =
          Shape::cylinder(need(cylinder, "radius").text_number(), need(cylinder, "length").text_number());
    } else if (const XmlNode capsule = geometry.child("capsule")) {
      geom.shape =
          Shape::capsule(need(capsule, "radius").text_number(), need(capsule, "length").text_number());
    } else if (const XmlNode ellipsoid = geometry.child("ellipsoid")) {
      geom.shape = Shape::ellipsoid(vector(need(ellipsoid, "radii")));
    } else if (const XmlNode plane = geometry.child("plane")) {
      geom.shape = Shape::plane();
      if (const XmlNode size = plane.child("size")) {
        const auto s = size.text_numbers(2);
        geom.shape.size = {0.5 * s[0], 0.5 * s[1], 0.0};
      }
      if (const XmlNode normal = plane.child("normal")) {
        const Eigen::Vector3d n = vector(normal);
        if (!(n.norm() > 1e-9)) normal.fail("the plane's normal has no length");
        geom.X_BG = geom.X_BG *
                    math::Pose::rotation(math::rotation_between(Eigen::Vector3d::UnitZ(), n).normalized());
      }
    } else if (const XmlNode mesh = geometry.child("mesh")) {
      if (mesh.child("submesh"))
        mesh.fail("<submesh> is not supported; save the part as a mesh file of its own");
      const XmlNode scale = mesh.child("scale"), uri = need(mesh, "uri");
      geom.mesh =
          read_referenced_mesh(uri, uri.text(), scale ? vector(scale) : Eigen::Vector3d::Ones(), options_);
    } else {
      geometry.fail(
          "the geometry is not supported; expected box, sphere, cylinder, capsule, ellipsoid, plane or mesh");
    }
    if (geom.shape.kind != ShapeKind::mesh) {
      check_shape(geom.shape, geometry.file(), geometry.line(), geom.name);
      geom.mesh = mesh_of_shape(geom.shape, options_);
    }
    read_surface(node.child("surface"), geom);
    return geom;
  }

  static void read_surface(const XmlNode& surface, Geom& geom) {
    if (!surface) return;
    const XmlNode friction = surface.child("friction");
    if (const XmlNode mu = friction ? friction.child("ode").child("mu") : friction) {
      geom.friction = mu.text_number();
      if (geom.friction < 0.0)
        mu.fail("the friction coefficient " + exact_number(geom.friction) + " is negative");
    }
    const XmlNode bitmask = surface.child("contact") ? surface.child("contact").child("collide_bitmask")
                                                     : surface.child("contact");
    if (!bitmask) return;
    const std::string text = bitmask.text();
    char* end = nullptr;
    const unsigned long mask = std::strtoul(text.c_str(), &end, 0);
    if (text.empty() || *end != '\0')
      bitmask.fail("the bitmask '" + text.substr(0, 40) + "' is no whole number");
    geom.contype = geom.conaffinity = static_cast<int>(mask & kDefaultBitmask);
  }

  void add_joints() {
    std::vector<int> held(scene_.bodies.size(), 0);
    std::set<std::string> joint_names;
    for (const PendingJoint& pending : joints_) {
      const SdfJointLinks ends = resolve_ends(pending);
      Joint joint = read_sdf_joint(pending.node, pending.frame, pending.scope, ends, frames_);
      if (joint.child == scene_.world())
        pending.node.fail("the world cannot be the child of a joint; swap parent and child");
      if (joint.parent == joint.child)
        pending.node.fail("joint '" + joint.name + "' connects a link with itself");
      if (++held[joint.child] == 2) {
        scene_.problems.push_back("body '" + scene_.bodies[joint.child].name +
                                  "' is held by two joints: a kinematic loop");
      }
      if (!joint_names.insert(joint.name).second) {
        joint.name = scope_names_[pending.scope] + "::" + joint.name;
      }
      if (links_[static_cast<std::size_t>(joint.child.value() - 1)].is_static ||
          driven_.contains(*pending.node.text_of("name")))
        joint.motor = std::numeric_limits<double>::infinity();
      (held[joint.child] > 1 ? scene_.loop_joints : scene_.joints).push_back(joint);
    }
    refuse_rings();
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (links_[i].is_static || held[i + 1] > 0) continue;
      const bool carries = std::any_of(scene_.joints.begin(), scene_.joints.end(),
                                       [&](const Joint& joint) { return joint.parent == BodyIndex(i + 1); });
      if (carries && scene_.bodies[i + 1].inertia.mass == 0.0) {
        scene_.problems.push_back("link '" + scene_.bodies[i + 1].name +
                                  "' carries others and has no mass: it counts as fixed, as Bullet takes it");
        continue;
      }
      scene_.bodies[i + 1].movable = true;
      Joint joint;
      joint.name = scene_.bodies[i + 1].name + "_free";
      joint.type = JointType::free;
      joint.parent = scene_.world();
      joint.child = BodyIndex(i + 1);
      joint.X_PC = scene_.bodies[i + 1].X_WB;
      scene_.joints.push_back(joint);
    }
  }

  // Links that hang on each other in a ring stand on nothing: no pose would be said by any of their joints.
  void refuse_rings() const {
    std::vector<BodyIndex> parent(scene_.bodies.size(), scene_.world());
    for (const Joint& joint : scene_.joints) parent[joint.child] = joint.parent;
    std::vector<std::size_t> walk(scene_.bodies.size(), 0);  // the walk that met the body first
    for (std::size_t start = 1; start < parent.size(); ++start) {
      BodyIndex at(start);
      while (at != scene_.world() && walk[at] == 0) {
        walk[at] = start;
        at = parent[at];
      }
      if (at == scene_.world() || walk[at] != start) continue;
      throw InputError(file_, scene_.bodies[at].line,
                       "body " + in_quotes(scene_.bodies[at].name) +
                           " hangs on itself: its joints form a loop; leave one of them out");
    }
  }

  SdfJointLinks resolve_ends(const PendingJoint& pending) {
    const auto body = [&](const char* end) {
      const std::string name = sdf_joint_link(pending.node, end);
      const auto found = body_of_frame_.find(frames_.find(pending.scope, name, pending.node));
      if (found == body_of_frame_.end()) {
        pending.node.fail("the " + std::string(end) + " '" + name + "' of joint '" +
                          *pending.node.text_of("name") + "' is no link");
      }
      return found->second;
    };
    return {body("parent"), body("child")};
  }

  const std::string& file_;
  const SceneOptions& options_;
  std::vector<std::unique_ptr<tinyxml2::XMLDocument>> documents_;
  std::vector<std::unique_ptr<std::string>> files_;
  std::vector<std::string> open_;
  SdfFrames frames_;
  std::vector<Link> links_;
  std::vector<PendingJoint> joints_;
  std::map<FrameIndex, std::string> scope_names_;
  std::map<FrameIndex, BodyIndex> body_of_frame_;
  std::size_t triangles_{0};
  std::set<std::string> driven_;
  Scene scene_;
};

}  // namespace

Scene read_sdf(const std::string& text, const std::string& file, const SceneOptions& options) {
  return SdfReader(file, options).read(text);
}

}  // namespace prehend::model
