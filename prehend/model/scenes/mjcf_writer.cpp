#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/Eigenvalues>

#include <prehend/model/files.h>
#include <prehend/model/friction.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/scene_writer.h>
#include <prehend/model/scenes/scene_assembly.h>
#include <prehend/model/scenes/scene_tree.h>
#include <prehend/model/scenes/xml_input.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

std::string quaternion_text(const Eigen::Quaterniond& q) {
  const double values[4]{q.w(), q.x(), q.y(), q.z()};
  return format_numbers(values, 4);
}

std::string placement(const math::Pose& X) {
  std::string text = xml_attribute("pos", format_vector(X.p()));
  if (X.q().vec() != Eigen::Vector3d::Zero()) text += xml_attribute("quat", quaternion_text(X.q()));
  return text;
}

class MjcfWriter {
 public:
  MjcfWriter(const Scene& scene, const std::string& stem)
      : scene_(scene), stem_(stem), tree_(scene_tree(scene)) {}

  SceneText write() {
    std::string body_text;
    for (std::size_t g = 0; g < scene_.bodies[0].geoms.size(); ++g)
      write_geom(body_text, scene_.world(), g, "    ");
    write_children(body_text, scene_.world(), "    ");
    write_pairs();
    std::string out = "<mujoco" + (scene_.name.empty() ? "" : xml_attribute("model", scene_.name)) + ">\n";
    out += "  <compiler angle=\"radian\" autolimits=\"true\"/>\n";
    out += "  <option" + xml_attribute("gravity", format_vector(scene_.gravity_W)) + "/>\n";
    const auto section = [&](const char* name, const std::string& content) {
      if (!content.empty()) out += std::string("  <") + name + ">\n" + content + "  </" + name + ">\n";
    };
    section("custom", custom_);
    section("asset", assets_);
    section("worldbody", body_text);
    section("contact", contacts_);
    write_loops_and_couplings();
    section("equality", equalities_);
    section("actuator", actuators_);
    result_.text = out + "</mujoco>\n";
    return std::move(result_);
  }

 private:
  void write_children(std::string& out, BodyIndex parent, const std::string& indent) {
    if (indent.size() > 2 * 190) {
      throw std::invalid_argument("cannot write the scene: bodies hang on each other deeper than 190 levels");
    }
    for (const SceneTree::Edge& edge : tree_.children[parent]) {
      const Body& body = scene_.bodies[edge.child];
      math::Pose X_PC = scene_.bodies[parent].X_WB.inverse() * body.X_WB;
      if (!edge.joints.empty()) X_PC = scene_.joints[edge.joints[0]].X_PC;
      out +=
          indent + "<body" + xml_attribute("name", body.name) + placement(X_PC) + carried_text(body) + ">\n";
      write_inertial(out, body.inertia, indent + "  ");
      for (const std::size_t joint : edge.joints) write_joint(out, scene_.joints[joint], indent + "  ");
      for (std::size_t g = 0; g < body.geoms.size(); ++g) write_geom(out, edge.child, g, indent + "  ");
      write_children(out, edge.child, indent + "  ");
      out += indent + "</body>\n";
    }
  }

  // Principal moments and axes, because the engine's own diagonalisation stops at 1e-12 kg m^2, which is
  // coarse for small things.
  static void write_inertial(std::string& out, const math::SpatialInertia& inertia,
                             const std::string& indent) {
    if (inertia.mass == 0.0) return;
    out += indent + "<inertial" + xml_attribute("mass", exact_number(inertia.mass));
    Eigen::Matrix3d off = inertia.I_com;
    off.diagonal().setZero();
    if (off == Eigen::Matrix3d::Zero()) {
      out += xml_attribute("pos", format_vector(inertia.com)) +
             xml_attribute("diaginertia", format_vector(inertia.I_com.diagonal())) + "/>\n";
      return;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inertia.I_com);
    Eigen::Matrix3d axes = solver.eigenvectors();
    if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
    out += placement({Eigen::Quaterniond(axes).normalized(), inertia.com}) +
           xml_attribute("diaginertia", format_vector(solver.eigenvalues())) + "/>\n";
  }

  void write_geom(std::string& out, BodyIndex body, std::size_t index, const std::string& indent) {
    const Geom& geom = scene_.bodies[body].geoms[index];
    const std::string& name = tree_.geom_names[body][index];
    const Eigen::Vector3d& size = geom.shape.size;
    out += indent + "<geom" + xml_attribute("name", name) +
           xml_attribute("type", to_string(geom.shape.kind)) + placement(geom.X_BG);
    switch (geom.shape.kind) {
      case ShapeKind::box:
        out += xml_attribute("size", format_vector(0.5 * size));
        break;
      case ShapeKind::sphere:
        out += xml_attribute("size", exact_number(size.x()));
        break;
      case ShapeKind::ellipsoid:
        out += xml_attribute("size", format_vector(size));
        break;
      case ShapeKind::capsule:
      case ShapeKind::cylinder:
        out += xml_attribute("size", exact_number(size.x()) + " " + exact_number(0.5 * size.y()));
        break;
      // The third number is the grid drawn on a plane; the engine wants it positive.
      case ShapeKind::plane:
        out += xml_attribute("size", exact_number(size.x()) + " " + exact_number(size.y()) + " 1");
        break;
      case ShapeKind::mesh: {
        const std::string file = mesh_file_name(stem_, name, mesh_names_);
        assets_ +=
            "    <mesh" + xml_attribute("name", mesh_names_.back()) + xml_attribute("file", file) + "/>\n";
        out += xml_attribute("mesh", mesh_names_.back());
        result_.mesh_files.emplace_back(file, geom.mesh);
        break;
      }
    }
    out += xml_attribute("friction", exact_number(geom.friction) + " 0.005 0.0001");
    if (geom.priority != 0) out += xml_attribute("priority", std::to_string(geom.priority));
    if (geom.contype != 1) out += xml_attribute("contype", std::to_string(geom.contype));
    if (geom.conaffinity != 1) out += xml_attribute("conaffinity", std::to_string(geom.conaffinity));
    if (geom.condim != 3) out += xml_attribute("condim", std::to_string(geom.condim));
    // A body without mass must not get one from its geometry.
    if (scene_.bodies[body].inertia.mass == 0.0) out += xml_attribute("mass", "0");
    out += "/>\n";
  }

  static std::string range_text(const Joint& joint) {
    if (!joint.has_limits()) return {};
    const double lower = std::max(joint.lower, -1e10);
    double upper = std::min(joint.upper, 1e10);
    // The engine wants a range, even where a joint is held at one state.
    if (upper <= lower) upper = std::nextafter(lower, std::numeric_limits<double>::infinity());
    return xml_attribute("range", exact_number(lower) + " " + exact_number(upper));
  }

  // A motor that never yields is an actuator; one that does acts like dry friction.
  static std::string carried_text(const Body& body) {
    if (body.carried_mass == 0.0 || body.inertia.mass == 0.0) return "";
    return xml_attribute("gravcomp", exact_number(body.carried_mass / body.inertia.mass));
  }

  std::string held_text(const Joint& joint) {
    const bool holds = joint.motor == std::numeric_limits<double>::infinity();
    if (holds) actuators_ += "    <motor" + xml_attribute("joint", joint.name) + "/>\n";
    const double friction = joint.friction + (holds ? 0.0 : joint.motor);
    return friction > 0.0 ? xml_attribute("frictionloss", exact_number(friction)) : "";
  }

  void write_loops_and_couplings() {
    for (const Joint& joint : scene_.loop_joints) {
      if (joint.type != JointType::spherical && joint.type != JointType::rigid) continue;
      const bool is_weld = joint.type == JointType::rigid;
      equalities_ +=
          std::string("    <") + (is_weld ? "weld" : "connect") + xml_attribute("name", joint.name) +
          xml_attribute("body1", scene_.bodies[joint.parent].name) +
          xml_attribute("body2", scene_.bodies[joint.child].name) +
          (is_weld ? "" : xml_attribute("anchor", format_vector(joint.X_PC * joint.p_CJ))) + "/>\n";
    }
    for (const JointCoupling& coupling : scene_.couplings) {
      if (coupling.terms.empty() || coupling.terms.size() > 2 || coupling.terms[0].ratio == 0.0) continue;
      if (!coupling.points.empty() || !coupling.is_rigid()) continue;
      const auto& [first, ratio] = coupling.terms[0];
      std::string text = "    <joint" + xml_attribute("joint1", scene_.joints[first].name);
      if (coupling.terms.size() == 2) {
        text += xml_attribute("joint2", scene_.joints[coupling.terms[1].joint].name) +
                xml_attribute("polycoef", "0 " + exact_number(-coupling.terms[1].ratio / ratio) + " 0 0 0");
      }
      equalities_ += text + "/>\n";
    }
  }

  void write_joint(std::string& out, const Joint& joint, const std::string& indent) {
    const std::string reference =
        joint.reference != 0.0 ? xml_attribute("ref", exact_number(joint.reference)) : "";
    const auto line = [&](const std::string& suffix, const char* type, const Eigen::Vector3d& axis,
                          const std::string& more) {
      out += indent + "<joint" + xml_attribute("name", joint.name + suffix) + xml_attribute("type", type) +
             xml_attribute("pos", format_vector(joint.p_CJ)) + xml_attribute("axis", format_vector(axis)) +
             more + "/>\n";
    };
    const std::string first = range_text(joint) + reference + held_text(joint);
    switch (joint.type) {
      case JointType::rigid:
        custom_ += "    <text" +
                   xml_attribute("name", "prehend_rigid_joint " + scene_.bodies[joint.child].name) +
                   xml_attribute("data", joint.name) + "/>\n";
        break;
      case JointType::free:
        out += indent + "<freejoint" + xml_attribute("name", joint.name) + "/>\n";
        break;
      case JointType::prismatic:
        line("", "slide", joint.axis_C, first);
        break;
      case JointType::revolute:
        line("", "hinge", joint.axis_C, first);
        break;
      case JointType::spherical:
        out += indent + "<joint" + xml_attribute("name", joint.name) + xml_attribute("type", "ball") +
               xml_attribute("pos", format_vector(joint.p_CJ)) + range_text(joint) + "/>\n";
        break;
      case JointType::cylindrical:
      case JointType::screw:
        line("", "hinge", joint.axis_C, first);
        line("__slide", "slide", joint.axis_C, "");
        if (joint.type == JointType::cylindrical) break;
        equalities_ += "    <joint" + xml_attribute("joint1", joint.name + "__slide") +
                       xml_attribute("joint2", joint.name) +
                       xml_attribute("polycoef", "0 " + exact_number(joint.pitch) + " 0 0 0") + "/>\n";
        break;
      case JointType::universal:
        line("", "hinge", joint.axis_C, first);
        line("__second", "hinge", joint.axis2_C, "");
        break;
      case JointType::planar:
        line("", "slide", joint.axis2_C, first);
        line("__second", "slide", joint.axis_C.cross(joint.axis2_C), "");
        line("__turn", "hinge", joint.axis_C, "");
        break;
    }
  }

  std::string pair_text(const std::string& name, GeomRef a, GeomRef b, double mu, int condim) const {
    const std::string coefficient = exact_number(mu);
    return "    <pair" + (name.empty() ? "" : xml_attribute("name", name)) +
           xml_attribute("geom1", tree_.geom_names[a.body][a.geom]) +
           xml_attribute("geom2", tree_.geom_names[b.body][b.geom]) +
           xml_attribute("condim", std::to_string(condim)) +
           xml_attribute("friction", coefficient + " " + coefficient + " 0.005 0.0001 0.0001") + "/>\n";
  }

  void write_pairs() {
    for (const GeomPair& pair : scene_.geom_pairs)
      contacts_ += pair_text("", pair.a, pair.b, pair.friction, pair.condim);
    for (const GeomPair& pair : pairs_of_smaller_friction(scene_))
      contacts_ += pair_text("", pair.a, pair.b, pair.friction, pair.condim);
    for (std::size_t i = 0; i < scene_.body_pairs.size(); ++i) {
      const BodyPair& pair = scene_.body_pairs[i];
      // The first name's length comes with it, as names may hold blanks.
      const std::string& a = scene_.bodies[pair.a].name;
      custom_ += "    <text" + xml_attribute("name", "prehend_body_friction " + std::to_string(i)) +
                 xml_attribute("data", exact_number(pair.friction) + " " + std::to_string(a.size()) + " " +
                                           a + scene_.bodies[pair.b].name) +
                 "/>\n";
      write_body_pair(i, pair);
    }
    for (const ExcludedPair& pair : scene_.excluded_pairs) {
      contacts_ += "    <exclude" + xml_attribute("body1", scene_.bodies[pair.a].name) +
                   xml_attribute("body2", scene_.bodies[pair.b].name) + "/>\n";
    }
  }

  // The engine knows friction between geoms only.
  void write_body_pair(std::size_t number, const BodyPair& pair) {
    for (std::size_t i = 0; i < scene_.bodies[pair.a].geoms.size(); ++i) {
      for (std::size_t j = 0; j < scene_.bodies[pair.b].geoms.size(); ++j) {
        const GeomRef a{pair.a, GeomIndex(i)}, b{pair.b, GeomIndex(j)};
        const bool is_named =
            std::any_of(scene_.geom_pairs.begin(), scene_.geom_pairs.end(),
                        [&](const GeomPair& p) { return (p.a == a && p.b == b) || (p.a == b && p.b == a); });
        if (is_named || !may_touch(scene_, a, b)) continue;
        const std::string name =
            "prehend_body_pair_" + std::to_string(number) + "_" + std::to_string(i) + "_" + std::to_string(j);
        contacts_ += pair_text(name, a, b, pair.friction, 3);
      }
    }
  }

  const Scene& scene_;
  const std::string& stem_;
  SceneTree tree_;
  std::string custom_, assets_, contacts_, equalities_, actuators_;
  std::vector<std::string> mesh_names_;
  SceneText result_;
};

}  // namespace

SceneText mjcf_text(const Scene& scene, const std::string& stem) {
  const Scene complete = with_free_joints(scene);
  return MjcfWriter(complete, stem).write();
}

namespace {
void write_scene(const SceneText& scene, const std::string& path) {
  for (const auto& [name, mesh] : scene.mesh_files) write_obj(folder_of(path) + name, mesh);
  write_file(path, scene.text);
}
std::string stem_of(const std::string& path) {
  const std::string name = path.substr(folder_of(path).size());
  return name.substr(0, name.find_last_of('.'));
}
}  // namespace

void write_mjcf(const Scene& scene, const std::string& path) {
  write_scene(mjcf_text(scene, stem_of(path)), path);
}
void write_urdf(const Scene& scene, const std::string& path) {
  write_scene(urdf_text(scene, stem_of(path)), path);
}

}  // namespace prehend::model
