#include <algorithm>
#include <map>

#include <Eigen/Dense>

#include <prehend/math/number_text.h>
#include <prehend/model/json_writer.h>
#include <prehend/stability/statics/joint_rows.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using math::Vector6d;
using model::Joint;
using model::JointType;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// A state this close to its limit stands at it. Files round angles to three digits (1.57 for a right angle is 8e-4 off) and
// lengths to tenths of a millimetre, which is the contact tolerance.
constexpr double kAtAngle = 1e-3;   // [rad]
constexpr double kAtLength = 1e-4;  // [m]
// [-] Singular values of the freedoms in scaled units, below which two of them are one: a universal joint turned to its
// singular position.
constexpr double kSameFreedom = 1e-9;

bool is_turning(JointType type) { return type != JointType::prismatic && type != JointType::planar; }

struct Freedom {
  Vector6d twist;  // about the origin
  std::size_t joint;
  bool is_first{true};
};

struct Axes {
  Vector3d p, axis, axis2, origin;

  Vector6d turn(const Vector3d& about) const {
    return (Vector6d() << about, (p - origin).cross(about)).finished();
  }
  static Vector6d slide(const Vector3d& along) { return (Vector6d() << Vector3d::Zero(), along).finished(); }
};

std::vector<Vector6d> freedoms_of(const Joint& joint, const Axes& at) {
  switch (joint.type) {
    case JointType::prismatic:
      return {Axes::slide(at.axis)};
    case JointType::revolute:
      return {at.turn(at.axis)};
    case JointType::screw:
      return {at.turn(at.axis) + joint.pitch * Axes::slide(at.axis)};
    case JointType::cylindrical:
      return {at.turn(at.axis), Axes::slide(at.axis)};
    case JointType::universal:
      return {at.turn(at.axis), at.turn(at.axis2)};
    case JointType::spherical:
      return {at.turn(Vector3d::UnitX()), at.turn(Vector3d::UnitY()), at.turn(Vector3d::UnitZ())};
    case JointType::planar:
      return {Axes::slide(at.axis2), Axes::slide(at.axis.cross(at.axis2)), at.turn(at.axis)};
    case JointType::rigid:
    case JointType::free:
      break;
  }
  return {};
}

// What a spring takes up while its state changes by no more than it is known. One that is under load as posed exerts just that: what it presses moves with it.
double sag(const Joint& joint, double near) { return joint.spring == 0.0 ? joint.stiffness * near : 0.0; }

// The force that the joint exerts along its first freedom lies in [lower, upper].
void set_bounds(const Joint& joint, SystemJoint& made) {
  const double near = is_turning(joint.type) ? kAtAngle : kAtLength;
  const double reach = joint.motor + joint.friction + sag(joint, near);
  made.is_held = joint.is_held();
  made.lower = joint.spring - reach;
  made.upper = joint.spring + reach;
  if (joint.type == JointType::spherical || !joint.has_limits())
    return;  // a ball stands in the middle of its cone
  const bool at_lower = joint.reference <= joint.lower + near,
             at_upper = joint.reference >= joint.upper - near;
  if (at_lower) made.upper = kInfinite;
  if (at_upper) made.lower = -kInfinite;
  made.is_at_limit = at_lower || at_upper;
}

SystemJoint listed(const model::Scene& scene, const Joint& joint, const ContactSystem& system) {
  SystemJoint made;
  made.name = joint.name;
  made.type = joint.type;
  made.parent = joint.parent;
  made.child = joint.child;
  made.a = system.node_of_body[joint.parent];
  made.b = system.node_of_body[joint.child];
  made.p_W = scene.bodies[joint.child].X_WB * joint.p_CJ;
  set_bounds(joint, made);
  return made;
}

class RowBuilder {
 public:
  RowBuilder(const model::Scene& scene, ContactSystem& system) : scene_(scene), system_(system) {}

  void add() {
    std::map<std::pair<int, int>, std::vector<std::size_t>> between;
    for (std::size_t j = 0; j < scene_.joints.size(); ++j) {
      const Joint& joint = scene_.joints[j];
      if (joint.type != JointType::free) between[{joint.child.value(), joint.parent.value()}].push_back(j);
    }
    states_.assign(scene_.joints.size(), {});
    for (const auto& [bodies, joints] : between) add_group(scene_.joints, joints, true);
    for (std::size_t j = 0; j < scene_.loop_joints.size(); ++j) add_group(scene_.loop_joints, {j}, false);
    for (const model::JointCoupling& coupling : scene_.couplings) add_coupling(coupling);
  }

 private:
  // Unit wrench whose power is the rate of a joint's first state.
  struct State {
    NodeIndex a, b;
    Vector6d wrench{Vector6d::Zero()};
    bool moves{false};
  };

  void push_row(NodeIndex a, NodeIndex b, const Vector6d& wrench, double lower, double upper, int joint) {
    JointRow row;
    if (b.is_valid()) row.parts.push_back({b, wrench});
    if (a.is_valid()) row.parts.push_back({a, -wrench});
    row.lower = lower;
    row.upper = upper;
    row.joint = joint;
    system_.joint_rows.push_back(std::move(row));
  }

  int index_of(const Joint& joint) const {
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      if (system_.joints[j].name == joint.name) return static_cast<int>(j);
    }
    return -1;
  }

  void add_group(const std::vector<Joint>& all, const std::vector<std::size_t>& joints, bool is_tree) {
    const Joint& first = all[joints.front()];
    const NodeIndex a = system_.node_of_body[first.parent], b = system_.node_of_body[first.child];
    if (!a.is_valid() && !b.is_valid()) return;
    std::vector<Freedom> freedoms;
    for (const std::size_t j : joints) {
      const Joint& joint = all[j];
      if (joint.is_held()) continue;
      const math::Pose& X_WC = scene_.bodies[joint.child].X_WB;
      const Axes at{X_WC * joint.p_CJ, X_WC.q() * joint.axis_C, X_WC.q() * joint.axis2_C, system_.origin_W};
      bool is_first = true;
      for (const Vector6d& twist : freedoms_of(joint, at)) {
        freedoms.push_back({twist, j, is_first});
        is_first = false;
      }
    }
    const int joint = index_of(first);
    // In scaled units: turns times the length.
    const double length = system_.length;
    Eigen::Matrix<double, 6, Eigen::Dynamic> T(6, freedoms.size());
    for (std::size_t k = 0; k < freedoms.size(); ++k) {
      T.col(static_cast<Eigen::Index>(k)) << length * freedoms[k].twist.head<3>(),
          freedoms[k].twist.tail<3>();
    }
    const auto wrench_of = [&](const Vector6d& scaled) {
      return (Vector6d() << length * scaled.head<3>(), scaled.tail<3>()).finished();
    };
    Eigen::Index rank = 0;
    Eigen::Matrix<double, 6, 6> U = Eigen::Matrix<double, 6, 6>::Identity();
    Eigen::MatrixXd dual(6, 0);
    if (!freedoms.empty()) {
      Eigen::JacobiSVD<Eigen::MatrixXd> svd(T, Eigen::ComputeFullU | Eigen::ComputeFullV);
      svd.setThreshold(kSameFreedom);
      rank = svd.rank();
      U = svd.matrixU();
      dual = svd.solve(Eigen::MatrixXd::Identity(6, 6)).transpose();  // dual_k . T_i = 1 for i = k, else 0
    }
    for (Eigen::Index i = rank; i < 6; ++i) push_row(a, b, wrench_of(U.col(i)), -kInfinite, kInfinite, joint);
    for (std::size_t k = 0; k < freedoms.size(); ++k) {
      const Joint& moving = all[freedoms[k].joint];
      const Vector6d wrench = wrench_of(dual.col(static_cast<Eigen::Index>(k)));
      if (is_tree && freedoms[k].is_first) states_[freedoms[k].joint] = {a, b, wrench, true};
      SystemJoint bounds;
      set_bounds(moving, bounds);
      const double near = is_turning(moving.type) ? kAtAngle : kAtLength;
      const double reach = moving.motor + moving.friction + sag(moving, near);
      const double lower = freedoms[k].is_first ? bounds.lower : -reach,
                   upper = freedoms[k].is_first ? bounds.upper : reach;
      if (lower == 0.0 && upper == 0.0) continue;
      push_row(a, b, wrench, lower, upper, index_of(moving));
    }
  }

  void add_coupling(const model::JointCoupling& coupling) {
    std::map<int, Vector6d> parts;
    const auto act = [&](NodeIndex node, const Vector6d& wrench) {
      if (node.is_valid()) parts.try_emplace(node.value(), Vector6d::Zero()).first->second += wrench;
    };
    for (const model::JointCoupling::Term& term : coupling.terms) {
      const State& state = states_[term.joint];
      if (!state.moves || term.ratio == 0.0) continue;  // held: its rate is zero
      act(state.b, term.ratio * state.wrench);
      act(state.a, -term.ratio * state.wrench);
    }
    for (const model::JointCoupling::Point& point : coupling.points) {
      const Vector3d p_W = scene_.bodies[point.body].X_WB * point.p_B;
      act(system_.node_of_body[point.body], system_.force_wrench(point.direction_W, p_W));
    }
    JointRow row;
    row.lower = coupling.lower;
    row.upper = coupling.upper;
    for (const auto& [node, wrench] : parts) row.parts.push_back({NodeIndex(node), wrench});
    if (!row.parts.empty()) system_.joint_rows.push_back(std::move(row));
  }

  const model::Scene& scene_;
  ContactSystem& system_;
  std::vector<State> states_;
};

void report_beyond_limits(const model::Scene& scene, ContactSystem& system) {
  for (const Joint& joint : scene.joints) {
    if (joint.is_held() || !joint.has_limits() || joint.type == JointType::spherical) continue;
    if (!system.node_of_body[joint.child].is_valid()) continue;
    const double near = is_turning(joint.type) ? kAtAngle : kAtLength;
    const double beyond = std::max(joint.lower - joint.reference, joint.reference - joint.upper);
    if (beyond <= near) continue;
    system.problems.push_back("joint '" + joint.name + "' stands " + math::number_text(beyond, 3) +
                              (is_turning(joint.type) ? " rad" : " m") +
                              " beyond its limit; it counts as at the limit");
  }
}

}  // namespace

void list_joints(const model::Scene& scene, ContactSystem& system) {
  const auto add = [&](const std::vector<Joint>& joints) {
    for (const Joint& joint : joints) {
      if (joint.type == JointType::free) continue;
      if (joint.type == JointType::rigid && !system.node_of_body[joint.child].is_valid()) continue;
      system.joints.push_back(listed(scene, joint, system));
    }
  };
  add(scene.joints);
  add(scene.loop_joints);
}

void add_joint_rows(const model::Scene& scene, ContactSystem& system) {
  RowBuilder(scene, system).add();
  report_beyond_limits(scene, system);
}

std::string joints_text(const ContactSystem& system) {
  constexpr std::size_t kMostNames = 8;
  std::vector<std::string> held, limited, bounded, free;
  for (const SystemJoint& joint : system.joints) {
    if (joint.type == JointType::rigid) continue;
    (joint.is_held                              ? held
     : joint.is_at_limit                        ? limited
     : joint.lower == 0.0 && joint.upper == 0.0 ? free
                                                : bounded)
        .push_back(joint.name);
  }
  std::string text;
  const auto add = [&](const char* what, const std::vector<std::string>& names) {
    if (names.empty()) return;
    text += (text.empty() ? "" : "; ") + std::string(what) + ": ";
    for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i) text += (i > 0 ? ", " : "") + names[i];
    if (names.size() > kMostNames) text += " and " + std::to_string(names.size() - kMostNames) + " more";
  };
  add("held by motors", held);
  add("at a limit", limited);
  add("with motor, friction or spring", bounded);
  add("free", free);
  return text;
}

std::string joints_json(const ContactSystem& system) {
  model::JsonWriter json;
  json.array();
  for (const SystemJoint& joint : system.joints) {
    const bool is_slide = joint.type == JointType::prismatic || joint.type == JointType::planar;
    const bool is_held = joint.is_held;
    json.object()
        .field("name", joint.name)
        .field("type", to_string(joint.type))
        .field("parent", system.body_names[joint.parent])
        .field("child", system.body_names[joint.child])
        .field("held", is_held)
        .field("at_limit", joint.is_at_limit)
        .field(is_slide ? "lower_N" : "lower_Nm", is_held ? -kInfinite : joint.lower)  // not finite: null
        .field(is_slide ? "upper_N" : "upper_Nm", is_held ? kInfinite : joint.upper)
        .end();
  }
  return json.end().text();
}

}  // namespace prehend::stability
