#include <algorithm>
#include <cmath>
#include <cstdio>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/model/body_names.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>
#include <prehend/stability/certificate.h>
#include <prehend/stability/contact_forces.h>
#include <prehend/stability/limit/falling.h>
#include <prehend/stability/prestress.h>
#include <prehend/stability/statics/force_distribution.h>
#include <prehend/stability/statics/nothing_movable.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using math::number_text;

// Of all joint rows, by joint: force and moment on the child, about the anchor.
std::vector<JointForce> forces_of_joints(const ContactSystem& system, const std::vector<double>& sizes) {
  std::vector<JointForce> out;
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const SystemJoint& joint = system.joints[j];
    if (!joint.a.is_valid() && !joint.b.is_valid()) continue;
    JointForce made{static_cast<int>(j), joint.p_W, Vector3d::Zero(), Vector3d::Zero()};
    const NodeIndex side = joint.b.is_valid() ? joint.b : joint.a;
    const double sign = joint.b.is_valid() ? 1.0 : -1.0;
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      if (system.joint_rows[r].joint != static_cast<int>(j)) continue;
      for (const JointRow::Part& part : system.joint_rows[r].parts) {
        if (part.body != side) continue;
        const math::Vector6d wrench = sign * sizes[r] * part.wrench;
        made.f_W += wrench.tail<3>();
        made.m_W += wrench.head<3>() - (joint.p_W - system.origin_W).cross(wrench.tail<3>());
      }
    }
    out.push_back(made);
  }
  return out;
}

ForceDistribution distribute(const ContactSystem& system, const ContactForcesOptions& options) {
  if (!system.joint_rows.empty() && options.method != ForceMethod::cones) {
    ForceDistribution out;
    out.status = DistributionStatus::undetermined;
    out.note = std::string("the method '") + to_string(options.method) + "' knows no joints: use 'cones'";
    return out;
  }
  switch (options.method) {
    case ForceMethod::cones:
      return least_cone_forces(system);
    case ForceMethod::pyramid:
      return least_pyramid_forces(system, options.pyramid_sides);
    case ForceMethod::qr:
      return least_norm_forces(system);
  }
  return {};
}

// Bodies that take part in the motion, not in its rounding.
std::vector<model::BodyIndex> moving_bodies(const ContactSystem& system,
                                            const std::vector<math::Vector6d>& motion) {
  std::vector<model::BodyIndex> out;
  for (std::size_t i = 0; i < motion.size(); ++i) {
    const Vector3d v =
        motion[i].tail<3>() + motion[i].head<3>().cross(system.bodies[i].com_W - system.origin_W);
    // [m/s] of a motion whose largest speed is 1 m/s: below is rounding.
    if (std::max(v.norm(), motion[i].head<3>().norm() * system.length) > 1e-6)
      out.push_back(system.bodies[i].body);
  }
  return out;
}

// Rounding errors, a billionth of what else stands in the column, are shown as zero.
std::string fixed_digits(const char* format, double value, double column = 1.0) {
  char text[32];
  std::snprintf(text, sizeof text, format, std::abs(value) > 1e-9 * column ? value : 0.0);
  return text;
}

model::TextTable force_table(const ContactForcesResult& result) {
  model::TextTable table({{"body a", model::Align::left},
                          {"body b", model::Align::left},
                          {"x [m]"},
                          {"y [m]"},
                          {"z [m]"},
                          {"normal [N]"},
                          {"tang. [N]"},
                          {"friction"}});
  double largest = 0.0, farthest = 0.0;  // [N], [m]
  for (const ContactForce& c : result.contacts) {
    largest = std::max(largest, c.f_W.norm());
    farthest = std::max(farthest, c.p_W.cwiseAbs().maxCoeff());
  }
  for (const ContactForce& c : result.contacts) {
    const double f_n = c.f_W.dot(c.n_W), f_t = (c.f_W - f_n * c.n_W).norm();
    table.row({model::name_of(result.body_names, c.body_a), model::name_of(result.body_names, c.body_b),
               fixed_digits("%.4g", c.p_W.x(), farthest), fixed_digits("%.4g", c.p_W.y(), farthest),
               fixed_digits("%.4g", c.p_W.z(), farthest), fixed_digits("%.5g", f_n, largest),
               fixed_digits("%.5g", f_t, largest), fixed_digits("%.3g", c.mu)});
  }
  return table;
}

}  // namespace

const char* to_string(ForceMethod method) { return enum_text(method); }

const char* to_string(ContactForcesStatus status) { return enum_text(status); }

void ContactForcesOptions::validate() const {
  math::OptionCheck("ContactForcesOptions").between("pyramid_sides", pyramid_sides, 3, 256);
  system.validate();
}

ContactForcesResult contact_forces(const model::Scene& scene, const ContactForcesOptions& options) {
  options.validate();
  return contact_forces(build_contact_system(scene, options.system), options);
}

namespace {

// The forces alone.
ContactForcesResult balance(const ContactSystem& system, const ContactForcesOptions& options) {
  ContactForcesResult out;
  out.body_names = system.body_names;
  out.method = options.method;
  out.joints_text = joints_text(system);
  out.joints_json = joints_json(system);
  for (const SystemJoint& joint : system.joints) out.joint_names.push_back(joint.name);
  out.problems = system.problems;
  for (const SystemContact& c : system.contacts) {
    const SystemInterface& interface = system.interfaces[c.interface];
    out.contacts.push_back({interface.body_a, interface.body_b, c.p_W, c.n_W(), Vector3d::Zero(), c.mu});
  }
  if (nothing_moves(system, out.problems)) {
    out.status = ContactForcesStatus::undetermined;
    out.note = kNothingMovable;
    std::erase(out.problems, out.note);  // the same sentence once
    return out;
  }
  if (!system.penetrations.empty()) {
    out.status = ContactForcesStatus::undetermined;
    out.note = "bodies overlap: where they touch is not known";
    return out;
  }
  ForceDistribution found = distribute(system, options);
  out.note = found.note;
  if (found.status == DistributionStatus::unstable) {
    out.status = ContactForcesStatus::unstable;
    if (Falling falling = find_falling(system); !falling.bodies.empty()) {
      out.falling = std::move(falling.motion);
      out.moving = std::move(falling.bodies);
    } else {
      out.falling = std::move(found.falling);
      out.moving = moving_bodies(system, out.falling);
    }
    return out;
  }
  out.status = ContactForcesStatus::undetermined;
  if (found.status != DistributionStatus::balanced && found.forces_W.empty()) return out;
  for (std::size_t k = 0; k < found.forces_W.size(); ++k) out.contacts[k].f_W = found.forces_W[k];
  out.joint_forces = forces_of_joints(system, found.joint_forces);
  const Certificate certificate = check_resting_forces(system, found.forces_W, found.joint_forces, {});
  out.equilibrium_residual = certificate.equilibrium_residual;
  out.cone_violation = certificate.cone_violation;
  if (found.status == DistributionStatus::balanced && certificate.valid) {
    out.status = ContactForcesStatus::stable;
    out.prestress_checked = options.check_prestress;
    out.needs_prestress = out.prestress_checked && needs_prestress(system);
  } else if (out.note.empty()) {
    out.note = certificate.problem + "; the method 'cones' tells whether it stands";
  }
  return out;
}

}  // namespace

ContactForcesResult contact_forces(const ContactSystem& system, const ContactForcesOptions& options) {
  options.validate();
  ContactForcesResult out = balance(system, options);
  if (options.critical_friction) {
    out.critical_friction = system.penetrations.empty() ? critical_friction(system) : CriticalFriction{};
  }
  return out;
}

std::string ContactForcesResult::brief_report() const {
  std::string text = std::string(to_string(status)) + " (" + to_string(method) + ")";
  if (needs_prestress) text += ", but only by internal stress that the weights do not cause";
  text += "\n";
  if (!note.empty()) text += "  " + note + "\n";
  text += model::problem_lines(problems, "  problem: ");
  if (!joints_text.empty()) text += "  joints " + joints_text + "\n";
  if (!moving.empty()) {
    text += "  it falls; these bodies move:";
    for (const std::string& name : model::names_of(body_names, moving)) text += " " + name;
    text += "\n";
  }
  if (!std::isnan(equilibrium_residual)) {
    text += "  unbalanced " + number_text(equilibrium_residual, 3) + ", outside the cones " +
            number_text(cone_violation, 3) + " (of the weight)\n";
    if (!contacts.empty()) text += force_table(*this).text();
    for (const JointForce& joint : joint_forces) {
      text += "  joint " + joint_names[static_cast<std::size_t>(joint.joint)] + " carries " +
              number_text(joint.f_W.norm(), 5) + " N and " + number_text(joint.m_W.norm(), 5) + " N m\n";
    }
  }
  if (critical_friction) text += "critical friction: " + critical_friction->brief_report() + "\n";
  return text;
}

std::string ContactForcesResult::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status)).field("method", to_string(method));
  json.field("needs_prestress", needs_prestress).key("contacts").array();
  for (const ContactForce& c : contacts) {
    json.object()
        .field("body_a", model::name_of(body_names, c.body_a))
        .field("body_b", model::name_of(body_names, c.body_b))
        .field("p_W_m", c.p_W)
        .field("n_W", c.n_W)
        .field("f_W_N", c.f_W)
        .field("mu", c.mu)
        .end();
  }
  json.end().field("equilibrium_residual", equilibrium_residual).field("cone_violation", cone_violation);
  json.field("moving", model::names_of(body_names, moving)).field("problems", problems);
  if (!joint_names.empty()) json.key("joints").document(joints_json);
  if (!joint_forces.empty()) {
    json.key("joint_forces").array();
    for (const JointForce& joint : joint_forces) {
      json.object()
          .field("joint", joint_names[static_cast<std::size_t>(joint.joint)])
          .field("p_W_m", joint.p_W)
          .field("f_W_N", joint.f_W)
          .field("m_W_Nm", joint.m_W)
          .end();
    }
    json.end();
  }
  json.field_unless_empty("note", note);
  if (critical_friction) json.key("critical_friction").document(critical_friction->to_json());
  return json.end().text();
}

}  // namespace prehend::stability
