#include <algorithm>
#include <cmath>
#include <map>

#include <tinyxml2.h>

#include <prehend/assist/robot/capsules.h>
#include <prehend/assist/robot/robot_model.h>
#include <prehend/math/number_text.h>
#include <prehend/model/embedded_data.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scene_reader.h>

namespace prehend::assist {
namespace {

// What the scene reader leaves out: how much a motor exerts, and where a joint stands in the file. The text has been read by it already.
struct Motor {
  double effort{0.0};  // [N m] or [N]; 0: none, or it follows another joint
  int line{0};
};

std::map<std::string, Motor> motors_of(const std::string& urdf) {
  std::map<std::string, Motor> motors;
  tinyxml2::XMLDocument document;
  if (document.Parse(urdf.c_str(), urdf.size()) != tinyxml2::XML_SUCCESS) return motors;
  const tinyxml2::XMLElement* robot = document.FirstChildElement("robot");
  for (const auto* joint = robot ? robot->FirstChildElement("joint") : nullptr; joint;
       joint = joint->NextSiblingElement("joint")) {
    if (joint->Attribute("name") == nullptr) continue;
    Motor& motor = motors[joint->Attribute("name")];
    motor.line = joint->GetLineNum();
    const auto* limit = joint->FirstChildElement("limit");
    if (limit != nullptr && joint->FirstChildElement("mimic") == nullptr)
      motor.effort = limit->DoubleAttribute("effort");
  }
  return motors;
}

// Balls and capsules are their own. A cylinder becomes the capsule of its own length and radius with ends that stand out by 0.3 of the radius: its rim, which no robot
// has sharp, is rounded off. A disc becomes a ball as wide. Everything else is enclosed.
Capsule capsule_of(const model::Geom& geom) {
  if (geom.shape.kind != model::ShapeKind::sphere && geom.shape.kind != model::ShapeKind::capsule &&
      geom.shape.kind != model::ShapeKind::cylinder)
    return capsule_around(geom.mesh.vertices);
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
  const bool is_cylinder = geom.shape.kind == model::ShapeKind::cylinder;
  double reach = half[along] - (is_cylinder ? 0.7 : 1.0) * radius;
  if (is_cylinder && geom.shape.size[0] > 0.5 * geom.shape.size[1]) reach = 0.0, radius = geom.shape.size[0];
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();
  axis[along] = std::max(0.0, reach);
  return {centre - axis, centre + axis, radius};
}

// [kg], [kg m^2] Of what a motor moves where the file gives it no mass: a frame or a finger; the simulation's least.
constexpr double kLeastMass = 1e-3, kLeastInertia = 1e-6;
// [m] A root that stands this far above the lowest point of the robot is no frame on the floor.
constexpr double kOnFloor = 0.01;

class RobotAssembler {
 public:
  RobotAssembler(const model::Scene& scene, std::map<std::string, Motor> motors, std::string file)
      : scene_(scene), motors_(std::move(motors)), file_(std::move(file)) {}

  RobotModel assemble() {
    robot_.name = scene_.name;
    // Body 0 is the world; a file may hang the robot on a link of that name.
    const bool hangs = std::any_of(scene_.joints.begin(), scene_.joints.end(),
                                   [](const model::Joint& joint) { return std::size_t(joint.parent) == 0; });
    const std::size_t root = !hangs && scene_.bodies[0].geoms.empty() && scene_.bodies.size() > 1 ? 1 : 0;
    robot_.segments.emplace_back();
    place_.resize(scene_.bodies.size());
    add_body(root, 0, math::Pose::translation({0.0, 0.0, root_height()}));
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (const model::Joint& joint : scene_.joints)
        if (std::size_t(joint.parent) == order_[i]) add_joint(joint, place_[order_[i]]);
    if (robot_.joints.empty())
      fail(0, "the robot has no joint with a motor; expected <limit effort=...> above 0");
    if (robot_.mass() <= 0.0) fail(0, "the robot's links have no mass");
    fill_massless();
    add_capsules();
    return std::move(robot_);
  }

 private:
  struct Place {
    int segment{0};
    math::Pose X_SB;
  };
  [[noreturn]] void fail(int line, const std::string& what) const {
    throw model::InputError(file_, line, what);
  }

  // [m] A root between the wheels is its own height above the floor, which the lowest shape touches.
  double root_height() {
    double lowest = 0.0;
    for (const model::Body& body : scene_.bodies)
      for (const model::Geom& geom : body.geoms)
        for (const Eigen::Vector3d& p : geom.mesh.vertices)
          if (geom.shape.kind != model::ShapeKind::plane)
            lowest = std::min(lowest, (body.X_WB * (geom.X_BG * p)).z());
    if (lowest > -kOnFloor) return 0.0;
    robot_.notes.push_back("the root's frame stands " + math::number_text(-lowest, 3) +
                           " m above the floor, which the lowest shape touches");
    return -lowest;
  }

  void fill_massless() {
    for (std::size_t s = 1; s < robot_.segments.size(); ++s) {
      RobotSegment& segment = robot_.segments[s];
      if (segment.mass >= kLeastMass && segment.I_com.trace() > 0.0) continue;
      robot_.notes.push_back(
          "what joint '" + robot_.joints[s - 1].name +
          "' moves has no mass or no moments of inertia of its own: taken as 1 g and 1e-6 kg m^2 at least");
      segment.mass = std::max(segment.mass, kLeastMass);
      segment.I_com += kLeastInertia * Eigen::Matrix3d::Identity();
    }
  }

  void add_joint(const model::Joint& joint, const Place& parent) {
    const Motor motor = motors_.contains(joint.name) ? motors_.at(joint.name) : Motor{};
    const double effort = motor.effort;
    const bool moves = joint.type == model::JointType::revolute || joint.type == model::JointType::prismatic;
    const bool is_base = std::size_t(joint.parent) == 0 &&
                         (joint.type == model::JointType::free || joint.type == model::JointType::planar);
    if (!moves && !is_base && joint.type != model::JointType::rigid)
      fail(motor.line,
           "joint '" + joint.name + "' is of type '" + model::to_string(joint.type) +
               "'; expected revolute, prismatic or fixed joints (the base moves in the plane by itself)");
    if (!moves || !(effort > 0.0)) {
      if (moves)
        robot_.notes.push_back("joint '" + joint.name + "' has no motor of its own and stands still");
      add_body(std::size_t(joint.child), parent.segment, parent.X_SB * joint.X_PC);
      return;
    }
    if (robot_.joint_count() == kMaxJoints)
      fail(motor.line,
           "joint '" + joint.name + "' is one more than the " + std::to_string(kMaxJoints) +
               " joints with motors that a robot may have here; make those that shall stand still fixed");
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
    if (!(own.lower < own.upper)) fail(motor.line, "joint '" + own.name + "' has no room between its limits");
    if (!std::isfinite(own.speed) || !(own.speed > 0.0))
      fail(motor.line, "joint '" + own.name + "' has no speed limit; expected <limit velocity=...> above 0");
    robot_.joints.push_back(own);
    robot_.segments.emplace_back();
    add_body(std::size_t(joint.child), robot_.joint_count(), X_CJ.inverse());
  }

  void add_body(std::size_t index, int segment, const math::Pose& X_SB) {
    const model::Body& body = scene_.bodies[index];
    place_[index] = {segment, X_SB};
    order_.push_back(index);
    robot_.frames.push_back({body.name, segment, X_SB});
    const math::SpatialInertia inertia = body.inertia.expressed_in(X_SB);
    RobotSegment& own = robot_.segments[static_cast<std::size_t>(segment)];
    if (inertia.mass > 0.0) {
      math::SpatialInertia sum{own.mass, own.com, own.I_com};
      sum = own.mass > 0.0 ? sum + inertia : inertia;
      own = {sum.mass, sum.com, sum.I_com};
    }
  }

  // A capsule for every shape; where those are too many, one for all shapes of a link, or of all links that move together.
  void add_capsules() {
    add_shapes();
    for (const bool is_by_link : {true, false}) {
      if (robot_.capsules.size() <= kMaxCapsules) return;
      add_groups(is_by_link);
    }
  }

  template <class Visit>
  void each_shape(const Visit& visit) const {
    for (const std::size_t index : order_)
      for (const model::Geom& geom : scene_.bodies[index].geoms)
        if (!geom.mesh.vertices.empty() && geom.shape.kind != model::ShapeKind::plane)
          visit(scene_.bodies[index], place_[index], geom);
  }

  void add_shapes() {
    each_shape([&](const model::Body& body, const Place& place, const model::Geom& geom) {
      const Capsule own = capsule_of(geom);
      const math::Pose X_SG = place.X_SB * geom.X_BG;
      robot_.capsules.push_back({body.name, place.segment, X_SG * own.a, X_SG * own.b, own.radius});
    });
  }

  void add_groups(bool is_by_link) {
    struct Group {
      std::string link;
      int segment{0};
      std::vector<Eigen::Vector3d> points_S;
    };
    std::vector<Group> groups;
    each_shape([&](const model::Body& body, const Place& place, const model::Geom& geom) {
      auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& other) {
        return is_by_link ? other.link == body.name : other.segment == place.segment;
      });
      if (group == groups.end()) group = groups.insert(groups.end(), {body.name, place.segment, {}});
      for (const Eigen::Vector3d& p : geom.mesh.vertices)
        group->points_S.push_back(place.X_SB * (geom.X_BG * p));
    });
    robot_.capsules.clear();
    for (const Group& group : groups) {
      const Capsule own = capsule_around(group.points_S);
      robot_.capsules.push_back({group.link, group.segment, own.a, own.b, own.radius});
    }
  }

  const model::Scene& scene_;
  std::map<std::string, Motor> motors_;
  std::string file_;
  RobotModel robot_;
  std::vector<Place> place_;        // by body
  std::vector<std::size_t> order_;  // bodies as they are met from the root on
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
  return RobotAssembler(scene, motors_of(urdf), name).assemble();
}

RobotModel read_robot(const std::string& urdf_path) {
  return robot_from_text(model::read_file(urdf_path, {.max_bytes = std::size_t{64} << 20}), urdf_path);
}

RobotModel built_in_robot() {
  return robot_from_text(std::string(model::embedded_file("robots/wheeled_humanoid.urdf")),
                         "wheeled_humanoid.urdf");
}

}  // namespace prehend::assist
