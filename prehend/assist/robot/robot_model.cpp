#include <algorithm>
#include <cmath>
#include <map>

#include <tinyxml2.h>

#include <prehend/assist/robot/robot_model.h>
#include <prehend/model/embedded_data.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scene_reader.h>

namespace prehend::assist {
namespace {

// What the scene reader leaves out: how much a motor exerts, by joint. The text has been read by it already.
std::map<std::string, double> efforts_of(const std::string& urdf) {
  std::map<std::string, double> efforts;
  tinyxml2::XMLDocument document;
  if (document.Parse(urdf.c_str(), urdf.size()) != tinyxml2::XML_SUCCESS) return efforts;
  const tinyxml2::XMLElement* robot = document.FirstChildElement("robot");
  for (const auto* joint = robot ? robot->FirstChildElement("joint") : nullptr; joint;
       joint = joint->NextSiblingElement("joint")) {
    const auto* limit = joint->FirstChildElement("limit");
    if (limit == nullptr || joint->Attribute("name") == nullptr) continue;
    if (joint->FirstChildElement("mimic") == nullptr)
      efforts[joint->Attribute("name")] = limit->DoubleAttribute("effort");
  }
  return efforts;
}

RobotCapsule enclosing(const model::Geom& geom, const math::Pose& X_SB) {
  RobotCapsule capsule;
  const math::Pose X_SG = X_SB * geom.X_BG;
  Eigen::Vector3d low = Eigen::Vector3d::Constant(1e9), high = -low;
  for (const Eigen::Vector3d& p : geom.mesh.vertices) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const Eigen::Vector3d half = 0.5 * (high - low), centre = 0.5 * (high + low);
  int along = 0;
  half.maxCoeff(&along);
  double radius = 0.0;
  for (const Eigen::Vector3d& p : geom.mesh.vertices) {
    Eigen::Vector3d across = p - centre;
    across[along] = 0.0;
    radius = std::max(radius, across.norm());
  }
  // A cylinder becomes the capsule of its own length: its rim is rounded off by at most 0.3 of its radius.
  const bool is_round = geom.shape.kind == model::ShapeKind::sphere || geom.shape.kind == model::ShapeKind::capsule;
  double reach = is_round ? half[along] - radius : half[along] - 0.7 * radius;
  if (geom.shape.kind == model::ShapeKind::cylinder && geom.shape.size[0] > 0.5 * geom.shape.size[1])
    reach = 0.0, radius = geom.shape.size[0];  // a disc: a ball as wide
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();
  axis[along] = std::max(0.0, reach);
  capsule.a_S = X_SG * Eigen::Vector3d(centre - axis);
  capsule.b_S = X_SG * Eigen::Vector3d(centre + axis);
  capsule.radius = radius;
  return capsule;
}

class RobotAssembler {
 public:
  RobotAssembler(const model::Scene& scene, std::map<std::string, double> efforts, std::string file)
      : scene_(scene), efforts_(std::move(efforts)), file_(std::move(file)) {}

  RobotModel assemble() {
    robot_.name = scene_.name;
    const std::size_t root = scene_.bodies[0].geoms.empty() && scene_.bodies.size() > 1 ? 1 : 0;
    robot_.segments.emplace_back();
    place_.resize(scene_.bodies.size());
    add_body(root, 0, math::Pose());
    std::vector<std::size_t> queue{root};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const model::Joint& joint : scene_.joints) {
        if (std::size_t(joint.parent) != queue[i]) continue;
        add_joint(joint, place_[queue[i]]);
        queue.push_back(std::size_t(joint.child));
      }
    }
    if (robot_.joints.empty()) fail("the robot has no joint with a motor; expected <limit effort=...> above 0");
    if (robot_.mass() <= 0.0) fail("the robot's links have no mass");
    return std::move(robot_);
  }

 private:
  struct Place {
    int segment{0};
    math::Pose X_SB;
  };
  [[noreturn]] void fail(const std::string& what) const { throw model::InputError(file_, 0, what); }

  void add_joint(const model::Joint& joint, const Place& parent) {
    const double effort = efforts_.contains(joint.name) ? efforts_.at(joint.name) : 0.0;
    const bool moves = joint.type == model::JointType::revolute || joint.type == model::JointType::prismatic;
    if (!moves && joint.type != model::JointType::rigid)
      fail("joint '" + joint.name + "' is of type '" + model::to_string(joint.type) +
           "'; expected revolute, prismatic or fixed joints (the base moves in the plane by itself)");
    if (!moves || !(effort > 0.0)) {
      if (moves)
        robot_.notes.push_back("joint '" + joint.name + "' has no motor of its own and stands still");
      add_body(std::size_t(joint.child), parent.segment, parent.X_SB * joint.X_PC);
      return;
    }
    if (robot_.joint_count() == kMaxJoints)
      fail("the robot has more than " + std::to_string(kMaxJoints) + " joints with motors");
    RobotJoint own;
    own.name = joint.name;
    own.parent = parent.segment;
    const math::Pose X_CJ = math::Pose::translation(joint.p_CJ);
    own.X_PC = parent.X_SB * joint.X_PC * X_CJ;  // segment frames stand on their joint
    own.axis_C = joint.axis_C;
    own.is_prismatic = joint.type == model::JointType::prismatic;
    own.lower = joint.lower - joint.reference, own.upper = joint.upper - joint.reference;
    own.speed = joint.speed_limit;
    own.effort = effort;
    own.friction = joint.friction;
    const double reach = own.is_prismatic ? 1e3 : 1e2;
    own.lower = std::max(own.lower, -reach), own.upper = std::min(own.upper, reach);
    if (!(own.lower < own.upper)) fail("joint '" + own.name + "' has no room between its limits");
    if (!std::isfinite(own.speed) || !(own.speed > 0.0))
      fail("joint '" + own.name + "' has no speed limit; expected <limit velocity=...> above 0");
    robot_.joints.push_back(own);
    robot_.segments.emplace_back();
    add_body(std::size_t(joint.child), robot_.joint_count(), X_CJ.inverse());
  }

  void add_body(std::size_t index, int segment, const math::Pose& X_SB) {
    const model::Body& body = scene_.bodies[index];
    place_[index] = {segment, X_SB};
    robot_.frames.push_back({body.name, segment, X_SB});
    const math::SpatialInertia inertia = body.inertia.expressed_in(X_SB);
    RobotSegment& own = robot_.segments[static_cast<std::size_t>(segment)];
    if (inertia.mass > 0.0) {
      math::SpatialInertia sum{own.mass, own.com, own.I_com};
      sum = own.mass > 0.0 ? sum + inertia : inertia;
      own = {sum.mass, sum.com, sum.I_com};
    }
    for (const model::Geom& geom : body.geoms) {
      if (geom.mesh.vertices.empty() || geom.shape.kind == model::ShapeKind::plane) continue;
      if (robot_.capsules.size() == kMaxCapsules)
        fail("the robot has more than " + std::to_string(kMaxCapsules) + " collision shapes");
      RobotCapsule capsule = enclosing(geom, X_SB);
      capsule.link = body.name, capsule.segment = segment;
      robot_.capsules.push_back(capsule);
    }
  }

  const model::Scene& scene_;
  std::map<std::string, double> efforts_;
  std::string file_;
  RobotModel robot_;
  std::vector<Place> place_;
};

}  // namespace

double RobotModel::mass() const {
  double sum = 0.0;
  for (const RobotSegment& segment : segments) sum += segment.mass;
  return sum;
}

int RobotModel::find_joint(std::string_view joint) const {
  for (int j = 0; j < joint_count(); ++j)
    if (joints[static_cast<std::size_t>(j)].name == joint) return j;
  return -1;
}

int RobotModel::find_frame(std::string_view link) const {
  for (std::size_t f = 0; f < frames.size(); ++f)
    if (frames[f].name == link) return static_cast<int>(f);
  return -1;
}

std::string RobotModel::joint_names() const {
  std::string text;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (j > 0) text += j + 1 < joints.size() ? ", " : " and ";
    text += joints[j].name;
  }
  return text;
}

RobotModel robot_from_text(const std::string& urdf, const std::string& name) {
  model::SceneOptions options;
  options.merge_welded = false;
  const model::Scene scene = model::read_scene_text(urdf, model::SceneFormat::urdf, name, options);
  return RobotAssembler(scene, efforts_of(urdf), name).assemble();
}

RobotModel read_robot(const std::string& urdf_path) {
  return robot_from_text(model::read_file(urdf_path, {.max_bytes = std::size_t{64} << 20}), urdf_path);
}

RobotModel built_in_robot() {
  return robot_from_text(std::string(model::embedded_file("robots/wheeled_humanoid.urdf")), "wheeled_humanoid.urdf");
}

}  // namespace prehend::assist
