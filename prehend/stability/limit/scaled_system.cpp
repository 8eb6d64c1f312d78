#include <algorithm>

#include <Eigen/Geometry>

#include <prehend/stability/limit/scaled_system.h>

namespace prehend::stability {

using Eigen::Vector3d;
using Eigen::VectorXd;

ScaledSystem scale_system(const ContactSystem& system) {
  ScaledSystem scaled;
  scaled.bodies = static_cast<int>(system.bodies.size());
  scaled.length = system.length;
  scaled.weight = system.weight;
  for (const SystemContact& contact : system.contacts) {
    scaled.a.push_back(contact.a.is_valid() ? contact.a.value() : -1);
    scaled.b.push_back(contact.b.is_valid() ? contact.b.value() : -1);
    scaled.point.push_back((contact.p_W - system.origin_W) / system.length);
    Eigen::Matrix3d rows;
    rows << contact.R_WC.col(2).transpose(), contact.mu * contact.R_WC.col(0).transpose(),
        contact.mu * contact.R_WC.col(1).transpose();
    scaled.rows.push_back(rows);
  }
  scaled.g = VectorXd::Zero(scaled.unknowns());
  for (NodeIndex node(0); node < system.bodies.size(); ++node) {
    const SystemBody& body = system.bodies[node];
    scaled.reference.push_back((body.com_W - system.origin_W) / system.length);
    scaled.g.segment<3>(6 * node.value() + 3) = body.mass * system.gravity_W / system.weight;
  }
  const auto seen_from = [&](int k, int body) {
    return body >= 0 ? scaled.T(k, scaled.reference[static_cast<std::size_t>(body)])
                     : Matrix36d(Matrix36d::Zero());
  };
  for (int k = 0; k < scaled.contacts(); ++k) {
    scaled.T_a.push_back(seen_from(k, scaled.a[static_cast<std::size_t>(k)]));
    scaled.T_b.push_back(seen_from(k, scaled.b[static_cast<std::size_t>(k)]));
  }
  return scaled;
}

Matrix36d ScaledSystem::T(int k, const Vector3d& about) const {
  const Vector3d r = point[static_cast<std::size_t>(k)] - about;
  Matrix36d T;
  for (int i = 0; i < 3; ++i) {
    const Vector3d row = rows[static_cast<std::size_t>(k)].row(i);
    T.row(i) << r.cross(row).transpose(), row.transpose();
  }
  return T;
}

VectorXd ScaledSystem::load(const Load& load) const {
  VectorXd w = VectorXd::Zero(unknowns());
  for (const BodyLoad& part : load) {
    const Vector3d f = part.wrench.tail<3>();
    w.segment<3>(6 * part.body.value()) += part.wrench.head<3>() / length - reference[part.body].cross(f);
    w.segment<3>(6 * part.body.value() + 3) += part.wrench.tail<3>();
  }
  return w / weight;
}

VectorXd ScaledSystem::velocities(const VectorXd& motion) const {
  VectorXd s(3 * contacts());
  for (int k = 0; k < contacts(); ++k) {
    Vector3d v = Vector3d::Zero();
    if (b[k] >= 0) v += T_b[k] * motion.segment<6>(6 * b[k]);
    if (a[k] >= 0) v -= T_a[k] * motion.segment<6>(6 * a[k]);
    s.segment<3>(3 * k) = v;
  }
  return s;
}

VectorXd ScaledSystem::wrenches(const VectorXd& forces) const {
  VectorXd w = VectorXd::Zero(unknowns());
  for (int k = 0; k < contacts(); ++k) {
    if (b[k] >= 0) w.segment<6>(6 * b[k]) += T_b[k].transpose() * forces.segment<3>(3 * k);
    if (a[k] >= 0) w.segment<6>(6 * a[k]) -= T_a[k].transpose() * forces.segment<3>(3 * k);
  }
  return w;
}

std::vector<Vector3d> forces_in_newton(const ContactSystem& system, const VectorXd& forces) {
  std::vector<Vector3d> f_W;
  f_W.reserve(system.contacts.size());
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    const SystemContact& contact = system.contacts[k];
    const Vector3d f = forces.segment<3>(3 * static_cast<Eigen::Index>(k));
    f_W.push_back(system.weight * (contact.R_WC * Vector3d(contact.mu * f[1], contact.mu * f[2], f[0])));
  }
  return f_W;
}

std::vector<math::Vector6d> motion_in_metres(const ContactSystem& system, const VectorXd& motion) {
  const double size = motion.size() > 0 ? motion.cwiseAbs().maxCoeff() : 0.0;
  const double factor = size > 0.0 ? 1.0 / size : 0.0;
  std::vector<math::Vector6d> twists;
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const math::Vector6d twist = factor * motion.segment<6>(6 * static_cast<Eigen::Index>(i));
    const Vector3d w = twist.head<3>() / system.length;
    const Vector3d to_origin = system.origin_W - system.bodies[i].com_W;
    twists.push_back((math::Vector6d() << w, twist.tail<3>() + w.cross(to_origin)).finished());
  }
  return twists;
}

}  // namespace prehend::stability
