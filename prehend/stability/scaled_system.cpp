#include <algorithm>

#include <Eigen/Geometry>

#include <prehend/stability/scaled_system.h>

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
    const Vector3d r = (contact.p_W - system.origin_W) / system.length;
    const Vector3d rows[3] = {contact.R_WC.col(2), contact.mu * contact.R_WC.col(0), contact.mu * contact.R_WC.col(1)};
    Matrix36d T;
    for (int i = 0; i < 3; ++i) T.row(i) << r.cross(rows[i]).transpose(), rows[i].transpose();
    scaled.T.push_back(T);
  }
  scaled.g = VectorXd::Zero(scaled.unknowns());
  for (NodeIndex node(0); node < system.bodies.size(); ++node) {
    const math::Vector6d wrench = system.gravity_wrench(node);
    scaled.g.segment<6>(6 * node.value()) << wrench.head<3>() / (system.length * system.weight),
        wrench.tail<3>() / system.weight;
  }
  return scaled;
}

VectorXd ScaledSystem::load(const Load& load) const {
  VectorXd w = VectorXd::Zero(unknowns());
  for (const BodyLoad& part : load) {
    w.segment<3>(6 * part.body.value()) += part.wrench.head<3>() / length;
    w.segment<3>(6 * part.body.value() + 3) += part.wrench.tail<3>();
  }
  return w / weight;
}

VectorXd ScaledSystem::velocities(const VectorXd& motion) const {
  VectorXd s(3 * contacts());
  for (int k = 0; k < contacts(); ++k) {
    math::Vector6d twist = math::Vector6d::Zero();
    if (b[k] >= 0) twist += motion.segment<6>(6 * b[k]);
    if (a[k] >= 0) twist -= motion.segment<6>(6 * a[k]);
    s.segment<3>(3 * k) = T[k] * twist;
  }
  return s;
}

VectorXd ScaledSystem::wrenches(const VectorXd& forces) const {
  VectorXd w = VectorXd::Zero(unknowns());
  for (int k = 0; k < contacts(); ++k) {
    const math::Vector6d wrench = T[k].transpose() * forces.segment<3>(3 * k);
    if (b[k] >= 0) w.segment<6>(6 * b[k]) += wrench;
    if (a[k] >= 0) w.segment<6>(6 * a[k]) -= wrench;
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
    math::Vector6d twist = factor * motion.segment<6>(6 * static_cast<Eigen::Index>(i));
    twist.head<3>() /= system.length;
    twists.push_back(twist);
  }
  return twists;
}

}  // namespace prehend::stability
