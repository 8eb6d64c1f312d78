#include <algorithm>
#include <cmath>
#include <set>

#include <tinyxml2.h>

#include <prehend/math/enum_text.h>
#include <prehend/math/so3.h>
#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/scenes/mesh_reference.h>
#include <prehend/model/scenes/scene_assembly.h>
#include <prehend/model/scenes/urdf_model.h>
#include <prehend/model/scenes/xml_input.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

class UrdfParser {
 public:
  UrdfParser(const std::string& file, const SceneOptions& options) : file_(file), options_(options) {}

  UrdfModel parse(const std::string& text) {
    tinyxml2::XMLDocument document;
    parse_xml(document, text, file_, options_);
    const XmlNode robot(document.RootElement(), &file_);
    if (robot.name() != "robot") {
      robot.fail("the root element is <" + std::string(robot.name()) + ">; URDF starts with <robot>");
    }
    model_.name = robot.text_of("name").value_or("");
    for (const XmlNode& node : robot.children()) {
      const std::string_view tag = node.name();
      if (tag == "link") {
        parse_link(node);
      } else if (tag == "joint") {
        parse_joint(node);
      } else if (tag == "prehend") {
        parse_extension(node);
      } else if (tag == "transmission" || tag == "ros2_control") {
        for (const XmlNode& joint : node.children("joint"))
          if (const auto name = joint.text_of("name")) model_.driven.push_back(*name);
      } else if (tag == "include" || tag.starts_with("xacro:")) {
        node.fail("<" + std::string(tag) + "> needs xacro; run xacro first and read its output");
      }
    }
    if (model_.links.empty()) {
      const bool is_soft = static_cast<bool>(robot.child("deformable"));
      robot.fail(is_soft ? "the robot has no <link>, only a <deformable>: soft bodies are not supported"
                         : "the robot has no <link>");
    }
    fill_floating_links();
    check_inertias();
    return std::move(model_);
  }

 private:
  // A free link without mass has that of its shapes, filled with the density of the options, as Genesis takes it.
  void fill_floating_links() {
    for (const UrdfJoint& joint : model_.joints) {
      if (joint.type != "floating") continue;
      for (UrdfLink& link : model_.links) {
        if (link.name != joint.child || link.inertia.mass > 0.0 || link.geoms.empty()) continue;
        math::SpatialInertia filled;
        bool is_closed = true;
        for (const Geom& geom : link.geoms) {
          const auto inertia = inertia_of_mesh(geometry::transformed(geom.mesh, geom.X_BG), options_.density);
          is_closed = is_closed && inertia;
          if (is_closed) filled = filled.mass > 0.0 ? filled + *inertia : *inertia;
        }
        if (!is_closed) continue;  // finish_scene() names it
        link.inertia = filled;
        link.has_inertial = true;
        model_.notes.push_back("link '" + link.name +
                               "' floats and has no mass: its shapes are filled with " +
                               exact_number(options_.density) + " kg/m3");
      }
    }
  }

  void parse_link(const XmlNode& node) {
    UrdfLink link;
    link.name = node.required("name");
    link.line = node.line();
    const XmlNode inertial = node.child("inertial");
    const bool is_filled = inertial && !inertial.child("mass") && inertial.child("density");
    if (inertial && !inertial.child("mass") && !is_filled) {
      model_.problems.push_back("link '" + link.name + "': <inertial> on line " +
                                std::to_string(inertial.line()) +
                                " has no <mass value=.../> and is left out");
    } else if (inertial && !is_filled) {
      parse_inertial(inertial, link);
    }
    leaves_meshes_out_ =
        options_.without_missing_meshes && inertial && inertial.child("mass") && inertial.child("inertia");
    const bool has_collision = static_cast<bool>(node.child("collision"));
    for (const XmlNode& shape : node.children(has_collision ? "collision" : "visual"))
      parse_geom(shape, link);
    if (is_filled) fill_with(inertial.child("density"), link);
    if (link.has_inertial && !inertial.child("inertia") && !is_filled) take_moments_of_shapes(link);
    if (!has_collision && !link.geoms.empty()) {
      model_.notes.push_back("link '" + link.name +
                             "' has no <collision>; its <visual> geometry touches instead");
    }
    if (const XmlNode extra = node.child("prehend")) {
      link.p_LB = extra.vector("frame", Eigen::Vector3d::Zero());
      link.part_of = extra.text_of("part_of").value_or("");
      link.part_type = from_string<JointType>(extra.text_of("type").value_or(""));
      if (!link.part_of.empty() && !link.part_type) extra.fail("part_of needs the 'type' of the joint");
    }
    model_.links.push_back(std::move(link));
  }

  // <density> in place of <mass>, as the importers of SAPIEN and Isaac take it: the shapes are solid.
  void fill_with(const XmlNode& density, UrdfLink& link) {
    const double value = density.required_number("value");
    if (!(value > 0.0)) density.fail("link '" + link.name + "': the density is not above 0 kg/m^3");
    for (const Geom& geom : link.geoms) {
      const auto inertia = inertia_of_mesh(geometry::transformed(geom.mesh, geom.X_BG), value);
      if (!inertia)
        density.fail("link '" + link.name + "': a shape is not closed, and the density gives it no mass");
      link.inertia = link.has_inertial ? link.inertia + *inertia : *inertia;
      link.has_inertial = true;
    }
    if (!link.has_inertial) density.fail("link '" + link.name + "': a density needs a shape to fill");
    link.inertia_line = density.line();
  }

  // A mass without moments, as Drake takes it: those of the shapes, filled evenly; none where they are not closed.
  void take_moments_of_shapes(UrdfLink& link) {
    math::SpatialInertia filled;
    bool is_closed = link.inertia.mass > 0.0;
    for (const Geom& geom : link.geoms) {
      const auto inertia = inertia_of_mesh(geometry::transformed(geom.mesh, geom.X_BG), 1.0);
      is_closed = is_closed && inertia;
      if (is_closed) filled = filled.mass > 0.0 ? filled + *inertia : *inertia;
    }
    const bool has_moments = is_closed && filled.mass > 0.0;
    if (has_moments) link.inertia.I_com = link.inertia.mass / filled.mass * filled.I_com;
    model_.problems.push_back(
        "link '" + link.name + "': <inertial> has no <inertia ixx=... .../>; " +
        (has_moments ? "the moments are those of its shapes" : "it is read without moments"));
  }

  void parse_inertial(const XmlNode& node, UrdfLink& link) {
    const XmlNode mass = node.child("mass"), inertia = node.child("inertia");
    math::SpatialInertia own;
    own.mass = mass.required_number("value");
    if (!(own.mass >= 0.0))
      mass.fail("link '" + link.name + "': the mass " + exact_number(own.mass) + " kg is negative");
    if (inertia) {
      const double xx = inertia.required_number("ixx"), yy = inertia.required_number("iyy");
      const double zz = inertia.required_number("izz"), xy = inertia.number("ixy", 0.0);
      const double xz = inertia.number("ixz", 0.0), yz = inertia.number("iyz", 0.0);
      own.I_com << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    }
    link.inertia = own.expressed_in(origin_of(node));
    link.has_inertial = true;
    // Frames, plates and tool points are often written without mass. Only a free body needs one, which
    // finish_scene() checks; what moments they have belong to no mass.
    if (own.mass == 0.0) link.inertia = {};
    link.inertia_line = inertia ? inertia.line() : node.line();
  }

  // What a joint carries moves as the joint lets it, and finish_scene() names its inertia as a problem; that of a root or a
  // floating link decides. A root that others are fixed to is the frame of a robot, mostly of a milligram: a problem as well.
  void check_inertias() const {
    std::set<std::string> carried;
    for (const UrdfJoint& joint : model_.joints) {
      if (joint.type != "floating" && options_.merge_welded) carried.insert(joint.child);
      if (joint.type == "fixed" && options_.merge_welded) carried.insert(joint.parent);
    }
    for (const UrdfLink& link : model_.links) {
      if (link.inertia.mass == 0.0 || carried.contains(link.name)) continue;
      const math::ConsistencyReport report = math::check_consistency(link.inertia, kInertiaRounding);
      if (report.is_consistent()) continue;
      throw InputError(file_, link.inertia_line,
                       "link '" + link.name + "': " + report.brief_report() + "; correct the inertia");
    }
  }

  void parse_geom(const XmlNode& node, UrdfLink& link) {
    Geom geom;
    geom.name = node.text_of("name").value_or("");
    geom.X_BG = origin_of(node);
    geom.friction = options_.friction;
    const XmlNode geometry = node.child("geometry");
    if (!geometry) node.fail("<" + std::string(node.name()) + "> needs a <geometry>");
    if (const XmlNode box = geometry.child("box")) {
      geom.shape = Shape::box(vector_of(box, "size"));
    } else if (const XmlNode sphere = geometry.child("sphere")) {
      geom.shape = Shape::sphere(sphere.required_number("radius"));
    } else if (const XmlNode cylinder = geometry.child("cylinder")) {
      geom.shape = Shape::cylinder(cylinder.required_number("radius"), cylinder.required_number("length"));
    } else if (const XmlNode capsule = geometry.child("capsule")) {
      geom.shape = Shape::capsule(capsule.required_number("radius"), capsule.required_number("length"));
    } else if (const XmlNode rounded = geometry.child("drake:capsule")) {
      geom.shape = Shape::capsule(rounded.required_number("radius"), rounded.required_number("length"));
    } else if (const XmlNode ellipsoid = geometry.child("drake:ellipsoid")) {
      geom.shape = Shape::ellipsoid(
          {ellipsoid.required_number("a"), ellipsoid.required_number("b"), ellipsoid.required_number("c")});
    } else if (const XmlNode plane = geometry.child("plane")) {  // Bullet's
      geom.shape = Shape::plane();
      const Eigen::Vector3d normal = plane.vector("normal", Eigen::Vector3d::UnitZ());
      if (!(normal.norm() > 1e-9)) plane.fail("the plane's normal has no length");
      geom.X_BG = geom.X_BG *
                  math::Pose::rotation(math::rotation_between(Eigen::Vector3d::UnitZ(), normal).normalized());
    } else if (const XmlNode mesh = geometry.child("mesh")) {
      const std::string file = mesh.required("filename");
      if (leaves_meshes_out_ && !exists(mesh, file, options_)) {
        model_.notes.push_back("link '" + link.name + "': the mesh '" + file +
                               "' does not exist and is left out");
        return;
      }
      geom.mesh =
          read_referenced_mesh(mesh, file, vector_of(mesh, "scale", Eigen::Vector3d::Ones()), options_);
    } else {
      if (geometry.child("cdf") || geometry.child("sdf"))
        geometry.fail("signed-distance geometry is not supported; save it as a mesh");
      geometry.fail("the geometry is unknown; expected box, sphere, cylinder, capsule or mesh");
    }
    if (const XmlNode extra = node.child("prehend")) parse_geom_extension(extra, geom);
    if (geom.shape.kind == ShapeKind::box &&
        (geom.shape.size.array() == 0.0).any()) {  // a placeholder of hidden links
      model_.problems.push_back("the box of link '" + link.name + "' on line " +
                                std::to_string(geometry.line()) + " has a side of 0 m and is left out");
      return;
    }
    if (geom.shape.kind != ShapeKind::mesh) {
      check_shape(geom.shape, file_, geometry.line(), geom.name.empty() ? link.name : geom.name);
      geom.mesh = mesh_of_shape(geom.shape, options_);
    }
    triangles_ += geom.mesh.triangles.size();
    if (triangles_ > options_.max_triangles) node.fail("the geometry has too many triangles in all");
    link.geoms.push_back(std::move(geom));
  }

  // Three numbers. Published files also have commas between them, values after the third, and xacro's $(optenv NAME
  // DEFAULT): they are read as Bullet and xacro would, and named.
  Eigen::Vector3d vector_of(const XmlNode& node, const char* attribute) {
    std::string text = node.required(attribute);
    const std::string where = "attribute '" + std::string(attribute) + "' of <" + std::string(node.name()) +
                              "> on line " + std::to_string(node.line()) + ": ";
    if (text.starts_with("$(optenv ") && text.ends_with(")")) {
      std::string_view rest(text);
      rest = rest.substr(9, rest.size() - 10);
      const std::string name(take_word(rest));
      model_.problems.push_back(where + "xacro's $(optenv " + name + ") is read with its default");
      text = std::string(rest);
    } else if (text.find("$(") != std::string::npos || text.find("${") != std::string::npos) {
      node.fail(where + "'" + text.substr(0, 40) + "' needs xacro; run xacro first and read its output");
    }
    if (text.find(',') != std::string::npos) {
      std::replace(text.begin(), text.end(), ',', ' ');
      model_.problems.push_back(where + "commas between numbers are read as spaces");
    }
    const auto words = split_words(text);
    if (words.size() > 3) {
      model_.problems.push_back(where + std::to_string(words.size()) +
                                " values; the first three are taken, as Bullet does");
      text = std::string(words[0]) + " " + std::string(words[1]) + " " + std::string(words[2]);
    }
    const auto values = node.parse_numbers(
        text, 3, "attribute '" + std::string(attribute) + "' of <" + std::string(node.name()) + ">");
    return {values[0], values[1], values[2]};
  }
  Eigen::Vector3d vector_of(const XmlNode& node, const char* attribute, const Eigen::Vector3d& fallback) {
    return node.has(attribute) ? vector_of(node, attribute) : fallback;
  }

  math::Pose origin_of(const XmlNode& parent) {
    const XmlNode origin = parent.child("origin");
    if (!origin) return {};
    const Eigen::Vector3d xyz = vector_of(origin, "xyz", Eigen::Vector3d::Zero());
    if (origin.has("quat_xyzw")) {
      const auto q = origin.numbers("quat_xyzw", 4);
      const Eigen::Quaterniond rotation(q[3], q[0], q[1], q[2]);
      if (std::abs(rotation.norm() - 1.0) > 0.01) origin.fail("quat_xyzw must have norm 1");
      return {rotation.normalized(), xyz};
    }
    return pose_from_xyz_rpy(xyz, vector_of(origin, "rpy", Eigen::Vector3d::Zero()));
  }

  void parse_geom_extension(const XmlNode& extra, Geom& geom) {
    geom.friction = extra.number("friction", geom.friction);
    if (geom.friction < 0.0)
      extra.fail("the friction coefficient " + exact_number(geom.friction) + " is negative");
    geom.priority = extra.integer("priority", 0);
    geom.contype = extra.integer("contype", 1);
    geom.conaffinity = extra.integer("conaffinity", 1);
    geom.condim = extra.integer("condim", 3);
    if (!extra.has("shape")) return;
    const std::string shape = extra.required("shape");
    for (const ShapeKind kind : {ShapeKind::ellipsoid, ShapeKind::capsule, ShapeKind::plane}) {
      if (shape == to_string(kind)) geom.shape = {kind, vector_of(extra, "size")};
    }
    if (geom.shape.kind == ShapeKind::mesh) extra.fail("the shape '" + shape + "' is unknown");
  }

  void parse_joint(const XmlNode& node) {
    UrdfJoint joint;
    joint.name = node.required("name");
    joint.type = node.required("type");
    joint.line = node.line();
    // `spherical` is Bullet's.
    static const std::vector<std::string> types{"revolute", "continuous", "prismatic", "fixed",
                                                "floating", "planar",     "spherical"};
    if (std::find(types.begin(), types.end(), joint.type) == types.end()) {
      node.fail("joint '" + joint.name + "' has the type '" + joint.type +
                "'; expected revolute, continuous, prismatic, fixed, floating, planar or spherical");
    }
    const XmlNode parent = node.child("parent"), child = node.child("child");
    if (!parent || !child)
      node.fail("joint '" + joint.name + "' needs <parent link=.../> and <child link=.../>");
    joint.parent = parent.required("link");
    joint.child = child.required("link");
    joint.X_PL = origin_of(node);
    // Writers put an axis of zeros where the joint has none.
    const bool has_axis = joint.type != "fixed" && joint.type != "floating" && joint.type != "spherical";
    if (const XmlNode axis = node.child("axis"); axis && has_axis) joint.axis = unit(axis, "xyz");
    if (const XmlNode limit = node.child("limit");
        limit && (joint.type == "revolute" || joint.type == "prismatic")) {
      joint.lower = limit.number("lower", 0.0);
      joint.upper = limit.number("upper", 0.0);
      // A limit of 1e10 and more stands for none on that side.
      if (joint.lower <= -1e10) joint.lower = -std::numeric_limits<double>::infinity();
      if (joint.upper >= 1e10) joint.upper = std::numeric_limits<double>::infinity();
      if (joint.lower > joint.upper) {
        model_.problems.push_back("joint '" + joint.name + "': the lower limit " + exact_number(joint.lower) +
                                  " is above the upper one, " + exact_number(joint.upper) +
                                  "; it is read without limits, as Bullet takes it");
        joint.lower = -std::numeric_limits<double>::infinity();
        joint.upper = std::numeric_limits<double>::infinity();
      }
    } else if (joint.type == "revolute" || joint.type == "prismatic") {
      model_.problems.push_back("joint '" + joint.name +
                                "' has no <limit lower=... upper=.../>; it is read " + "without limits");
    }
    if (const XmlNode limit = node.child("limit")) {
      // Zero, which URDF writers put where they know none (ours too), stands for none.
      const double speed = limit.number("velocity", 0.0);
      if (speed < 0.0) limit.fail("joint '" + joint.name + "': the velocity limit is negative");
      if (speed > 0.0) joint.speed_limit = speed;
      joint.effort = limit.number("effort", 0.0);
    }
    if (const XmlNode dynamics = node.child("dynamics")) {
      joint.friction = dynamics.number("friction", 0.0);
      if (joint.friction < 0.0) dynamics.fail("joint '" + joint.name + "': the friction is negative");
    }
    if (const XmlNode mimic = node.child("mimic")) {
      joint.mimic = mimic.required("joint");
      joint.multiplier = mimic.number("multiplier", 1.0);
      joint.offset = mimic.number("offset", 0.0);
    }
    if (const XmlNode extra = node.child("prehend")) {
      joint.reference = extra.number("reference", 0.0);
      joint.is_implicit = extra.text_of("implicit").value_or("") == "true";
      if (extra.has("axis2")) joint.axis2 = unit(extra, "axis2");
    }
    model_.joints.push_back(std::move(joint));
  }

  Eigen::Vector3d unit(const XmlNode& node, const char* attribute) {
    const Eigen::Vector3d axis = vector_of(node, attribute);
    const double norm = axis.norm();
    if (!(norm > 1e-12) || !std::isfinite(norm))
      node.fail("the axis has no length; give a direction, for example 0 0 1");
    // A unit vector stays as written, to the last bit.
    return std::abs(norm - 1.0) < 1e-15 ? axis : (axis / norm).eval();
  }

  void parse_extension(const XmlNode& node) {
    if (node.has("gravity")) model_.gravity = vector_of(node, "gravity");
    const auto read_pairs = [&](const char* tag, const char* a, const char* b, std::vector<UrdfPair>& pairs) {
      for (const XmlNode& pair : node.children(tag)) {
        pairs.push_back(
            {pair.required(a), pair.required(b), pair.number("friction", 1.0), pair.integer("condim", 3)});
        if (pairs.back().friction < 0.0) pair.fail("the friction coefficient is negative");
      }
    };
    read_pairs("pair", "geom1", "geom2", model_.geom_pairs);
    read_pairs("body_pair", "body1", "body2", model_.body_pairs);
    read_pairs("exclude", "body1", "body2", model_.excluded);
  }

  const std::string& file_;
  const SceneOptions& options_;
  UrdfModel model_;
  std::size_t triangles_{0};
  bool leaves_meshes_out_{false};  // of the link that is read: its mass and moments are known without
};

}  // namespace

UrdfModel parse_urdf(const std::string& text, const std::string& file, const SceneOptions& options) {
  return UrdfParser(file, options).parse(text);
}

}  // namespace prehend::model
