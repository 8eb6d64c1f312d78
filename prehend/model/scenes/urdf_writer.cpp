#include <cmath>
#include <stdexcept>

#include <prehend/model/friction.h>
#include <prehend/model/scene_writer.h>
#include <prehend/model/scenes/scene_tree.h>
#include <prehend/model/scenes/xml_input.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

std::string origin(const math::Pose& X) {
  return "<origin" + xml_attribute("xyz", format_vector(X.p())) +
         xml_attribute("rpy", format_vector(rpy_from_rotation(X.R()))) + "/>";
}

// One elementary URDF joint.
struct Step {
  std::string name, type;
  Eigen::Vector3d axis;  // in the child's frame
  bool is_limited{false};
  std::string more;  // <mimic> or <prehend> elements
};

class UrdfWriter {
 public:
  UrdfWriter(const Scene& scene, const std::string& stem)
      : scene_(scene), stem_(stem), tree_(scene_tree(scene)) {}

  SceneText write() {
    result_.text = "<?xml version=\"1.0\"?>\n<robot" +
                   xml_attribute("name", scene_.name.empty() ? "scene" : scene_.name) + ">\n";
    write_extension();
    write_link(scene_.world(), Eigen::Vector3d::Zero());
    // A queue instead of recursion: chains may be long.
    queue_.push_back({scene_.world(), Eigen::Vector3d::Zero()});
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const Placed at = queue_[i];
      write_children(at.body, at.p_BL);
    }
    result_.text += "</robot>\n";
    return std::move(result_);
  }

 private:
  void line(const std::string& text) { result_.text += text + "\n"; }

  void write_extension() {
    line("  <prehend" + xml_attribute("gravity", format_vector(scene_.gravity_W)) + ">");
    const auto geom_name = [&](GeomRef ref) { return tree_.geom_names[ref.body][ref.geom]; };
    std::vector<GeomPair> pairs = scene_.geom_pairs;
    const std::vector<GeomPair> smaller = pairs_of_smaller_friction(scene_);
    pairs.insert(pairs.end(), smaller.begin(), smaller.end());
    for (const GeomPair& pair : pairs) {
      line("    <pair" + xml_attribute("geom1", geom_name(pair.a)) +
           xml_attribute("geom2", geom_name(pair.b)) +
           xml_attribute("friction", exact_number(pair.friction)) +
           xml_attribute("condim", std::to_string(pair.condim)) + "/>");
    }
    const auto bodies = [&](const auto& pair) {
      return xml_attribute("body1", scene_.bodies[pair.a].name) +
             xml_attribute("body2", scene_.bodies[pair.b].name);
    };
    for (const BodyPair& pair : scene_.body_pairs) {
      line("    <body_pair" + bodies(pair) + xml_attribute("friction", exact_number(pair.friction)) + "/>");
    }
    for (const ExcludedPair& pair : scene_.excluded_pairs) line("    <exclude" + bodies(pair) + "/>");
    line("  </prehend>");
  }

  // p_BL: the link frame's origin in the body frame; URDF has link frames sit on their joint.
  void write_link(BodyIndex index, const Eigen::Vector3d& p_BL) {
    const Body& body = scene_.bodies[index];
    const math::Pose X_LB = math::Pose::translation(-p_BL);
    line("  <link" + xml_attribute("name", body.name) + ">");
    if (p_BL != Eigen::Vector3d::Zero())
      line("    <prehend" + xml_attribute("frame", format_vector(-p_BL)) + "/>");
    if (body.inertia.mass != 0.0) {
      const Eigen::Matrix3d& I = body.inertia.I_com;
      const auto moment = [&](const char* name, int i, int j) {
        return xml_attribute(name, exact_number(I(i, j)));
      };
      line("    <inertial>" + origin(math::Pose::translation(X_LB * body.inertia.com)) + "<mass" +
           xml_attribute("value", exact_number(body.inertia.mass)) + "/><inertia" + moment("ixx", 0, 0) +
           moment("ixy", 0, 1) + moment("ixz", 0, 2) + moment("iyy", 1, 1) + moment("iyz", 1, 2) +
           moment("izz", 2, 2) + "/></inertial>");
    }
    for (std::size_t g = 0; g < body.geoms.size(); ++g)
      write_geom(body.geoms[g], tree_.geom_names[index][g], X_LB);
    line("  </link>");
  }

  void write_geom(const Geom& geom, const std::string& name, const math::Pose& X_LB) {
    const Eigen::Vector3d& size = geom.shape.size;
    std::string shape, extra;
    switch (geom.shape.kind) {
      case ShapeKind::box:
        shape = "<box" + xml_attribute("size", format_vector(size)) + "/>";
        break;
      case ShapeKind::sphere:
        shape = "<sphere" + xml_attribute("radius", exact_number(size.x())) + "/>";
        break;
      case ShapeKind::cylinder:
        shape = "<cylinder" + xml_attribute("radius", exact_number(size.x())) +
                xml_attribute("length", exact_number(size.y())) + "/>";
        break;
      case ShapeKind::ellipsoid:
      case ShapeKind::capsule:
      case ShapeKind::plane:
        extra =
            xml_attribute("shape", to_string(geom.shape.kind)) + xml_attribute("size", format_vector(size));
        [[fallthrough]];
      case ShapeKind::mesh: {
        const std::string file = mesh_file_name(stem_, name, mesh_names_);
        shape = "<mesh" + xml_attribute("filename", file) + "/>";
        result_.mesh_files.emplace_back(file, geom.mesh);
        break;
      }
    }
    extra += xml_attribute("friction", exact_number(geom.friction));
    if (geom.priority != 0) extra += xml_attribute("priority", std::to_string(geom.priority));
    if (geom.contype != 1) extra += xml_attribute("contype", std::to_string(geom.contype));
    if (geom.conaffinity != 1) extra += xml_attribute("conaffinity", std::to_string(geom.conaffinity));
    if (geom.condim != 3) extra += xml_attribute("condim", std::to_string(geom.condim));
    const std::string geometry = origin(X_LB * geom.X_BG) + "<geometry>" + shape + "</geometry>";
    line("    <visual>" + geometry + "</visual>");
    line("    <collision" + xml_attribute("name", name) + ">" + geometry + "<prehend" + extra +
         "/></collision>");
  }

  void write_children(BodyIndex parent, const Eigen::Vector3d& p_PL) {
    for (const SceneTree::Edge& edge : tree_.children[parent]) {
      if (edge.joints.size() > 1) {
        throw std::invalid_argument("cannot write the scene: body '" + scene_.bodies[edge.child].name +
                                    "' hangs on several joints in series, which URDF cannot hold");
      }
      Eigen::Vector3d p_CL = Eigen::Vector3d::Zero();
      if (edge.joints.empty()) {
        Joint still;
        still.name = scene_.bodies[edge.child].name + "_fixed";
        still.parent = parent;
        still.child = edge.child;
        still.X_PC = scene_.bodies[parent].X_WB.inverse() * scene_.bodies[edge.child].X_WB;
        write_joint(still, p_PL, p_CL, "<prehend implicit=\"true\"/>");
      } else {
        const Joint& joint = scene_.joints[edge.joints[0]];
        if (joint.type != JointType::rigid && joint.type != JointType::free) p_CL = joint.p_CJ;
        write_joint(joint, p_PL, p_CL, "");
      }
      write_link(edge.child, p_CL);
      queue_.push_back({edge.child, p_CL});
    }
  }

  std::vector<Step> steps_of(const Joint& joint, const std::string& more) const {
    const std::string reference =
        joint.reference != 0.0 ? "<prehend" + xml_attribute("reference", exact_number(joint.reference)) + "/>"
                               : "";
    const std::string hinge = joint.has_limits() ? "revolute" : "continuous";
    const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY(),
                          z = Eigen::Vector3d::UnitZ();
    switch (joint.type) {
      case JointType::rigid:
        return {{joint.name, "fixed", z, false, more}};
      case JointType::free:
        return {{joint.name, "floating", z, false, more}};
      case JointType::prismatic:
        return {{joint.name, "prismatic", joint.axis_C, true, reference}};
      case JointType::revolute:
        return {{joint.name, hinge, joint.axis_C, joint.has_limits(), reference}};
      case JointType::planar:
        return {{joint.name, "planar", joint.axis_C, false,
                 "<prehend" + xml_attribute("axis2", format_vector(joint.axis2_C)) +
                     xml_attribute("reference", exact_number(joint.reference)) + "/>"}};
      case JointType::screw:
        return {{joint.name, hinge, joint.axis_C, joint.has_limits(), reference},
                {joint.name + "__slide", "prismatic", joint.axis_C, true,
                 "<mimic" + xml_attribute("joint", joint.name) +
                     xml_attribute("multiplier", exact_number(joint.pitch)) + "/>"}};
      case JointType::cylindrical:
        return {{joint.name, hinge, joint.axis_C, joint.has_limits(), reference},
                {joint.name + "__slide", "prismatic", joint.axis_C, true, ""}};
      case JointType::universal:
        return {{joint.name, hinge, joint.axis_C, joint.has_limits(), reference},
                {joint.name + "__second", "continuous", joint.axis2_C, false, ""}};
      case JointType::spherical:
        return {{joint.name, hinge, x, joint.has_limits(), reference},
                {joint.name + "__second", "continuous", y, false, ""},
                {joint.name + "__third", "continuous", z, false, ""}};
    }
    return {};
  }

  // The first step carries the placement; the others follow at the same point, behind empty links.
  void write_joint(const Joint& joint, const Eigen::Vector3d& p_PL, const Eigen::Vector3d& p_CL,
                   const std::string& more) {
    const std::vector<Step> steps = steps_of(joint, more);
    std::string parent = scene_.bodies[joint.parent].name;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      const bool is_last = i + 1 == steps.size();
      const std::string child =
          is_last ? scene_.bodies[joint.child].name : joint.name + "__part" + std::to_string(i);
      const math::Pose X =
          i == 0 ? math::Pose::translation(-p_PL) * joint.X_PC * math::Pose::translation(p_CL) : math::Pose();
      line("  <joint" + xml_attribute("name", step.name) + xml_attribute("type", step.type) + ">");
      line("    <parent" + xml_attribute("link", parent) + "/><child" + xml_attribute("link", child) + "/>" +
           origin(X) + "<axis" + xml_attribute("xyz", format_vector(step.axis)) + "/>");
      const bool holds = std::isinf(joint.motor);
      if (step.is_limited || (i == 0 && (std::isfinite(joint.speed_limit) || holds)))
        line("    " + limit_text(joint, i == 0));
      // A motor that yields acts like dry friction.
      const double friction = joint.friction + (holds ? 0.0 : joint.motor);
      if (i == 0 && friction > 0.0)
        line("    <dynamics" + xml_attribute("friction", exact_number(friction)) + "/>");
      if (!step.more.empty()) line("    " + step.more);
      line("  </joint>");
      if (!is_last) {
        line("  <link" + xml_attribute("name", child) + "><prehend" + xml_attribute("part_of", joint.name) +
             xml_attribute("type", to_string(joint.type)) + "/></link>");
      }
      parent = child;
    }
  }

  // URDF demands finite limits of some joints: 1e10 stands for none.
  static std::string limit_text(const Joint& joint, bool is_own) {
    const double lower = is_own ? std::max(joint.lower - joint.reference, -1e10) : -1e10;
    const double upper = is_own ? std::min(joint.upper - joint.reference, 1e10) : 1e10;
    return "<limit" + xml_attribute("lower", exact_number(lower)) +
           xml_attribute("upper", exact_number(upper)) +
           xml_attribute("effort", is_own && std::isinf(joint.motor) ? "1e9" : "0") +
           xml_attribute("velocity",
                         is_own && std::isfinite(joint.speed_limit) ? exact_number(joint.speed_limit) : "0") +
           "/>";
  }

  const Scene& scene_;
  const std::string& stem_;
  SceneTree tree_;
  struct Placed {
    BodyIndex body;
    Eigen::Vector3d p_BL;  // [m] link frame's origin in the body frame
  };
  std::vector<Placed> queue_;
  std::vector<std::string> mesh_names_;
  SceneText result_;
};

}  // namespace

SceneText urdf_text(const Scene& scene, const std::string& stem) {
  const Scene complete = with_free_joints(scene);
  return UrdfWriter(complete, stem).write();
}

}  // namespace prehend::model
