#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/stability/contact_springs.h>

namespace prehend::stability {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

using Triplets = std::vector<Eigen::Triplet<double>>;

void add_block(NodeIndex body, int row, const Matrix3d& R_CW, const Vector3d& arm, double sign,
               Triplets& entries) {
  if (!body.is_valid()) return;
  Matrix3d cross;  // angular -> linear: w x arm = -[arm] w
  cross << 0, arm.z(), -arm.y(), -arm.z(), 0, arm.x(), arm.y(), -arm.x(), 0;
  const Matrix3d angular = sign * R_CW * cross, linear = sign * R_CW;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      entries.emplace_back(row + i, 6 * body.value() + j, angular(i, j));
      entries.emplace_back(row + i, 6 * body.value() + 3 + j, linear(i, j));
    }
  }
}

double load_size(const Load& load, double multiple, double length) {
  double size = 0.0;
  for (const BodyLoad& part : load) {
    size +=
        std::abs(multiple) * std::max(part.wrench.tail<3>().norm(), part.wrench.head<3>().norm() / length);
  }
  return size;
}

}  // namespace

SpringResponse ConeLaw::respond(int contact, const Vector3d& d) const {
  const double mu = mu_[static_cast<std::size_t>(contact)];
  const Vector2d x_t = -d.head<2>();
  const double x_n = -d.z(), t = x_t.norm();
  SpringResponse out;
  if (t <= mu * x_n) {
    out.force = -d;
    out.stiffness.setIdentity();
  } else if (mu * t + x_n > 0.0) {
    const double f_n = (mu * t + x_n) / (1.0 + mu * mu);
    const Vector2d along = x_t / t;
    out.force << mu * f_n * along, f_n;
    const Vector3d ray = Vector3d(mu * along.x(), mu * along.y(), 1.0) / std::sqrt(1.0 + mu * mu);
    out.stiffness = ray * ray.transpose();
    out.stiffness.topLeftCorner<2, 2>() +=
        mu * f_n / t * (Eigen::Matrix2d::Identity() - along * along.transpose());
  }
  out.energy = 0.5 * out.force.squaredNorm();
  return out;
}

SpringResponse DiscLaw::respond(int contact, const Vector3d& d) const {
  SpringResponse out;
  if (d.z() < 0.0) {
    out.force.z() = -d.z();
    out.stiffness(2, 2) = 1.0;
    out.energy = 0.5 * d.z() * d.z();
  }
  const double t = d.head<2>().norm(), radius = radii_[contact];
  if (tangential_ * t <= radius) {
    out.force.head<2>() = -tangential_ * d.head<2>();
    out.stiffness.topLeftCorner<2, 2>() = tangential_ * Eigen::Matrix2d::Identity();
    out.energy += 0.5 * tangential_ * t * t;
  } else {
    const Vector2d along = d.head<2>() / t;
    out.force.head<2>() = -radius * along;
    out.stiffness.topLeftCorner<2, 2>() =
        radius / t * (Eigen::Matrix2d::Identity() - along * along.transpose());
    out.energy += radius * (t - 0.5 * radius / tangential_);
  }
  return out;
}

SpringResponse CoulombLaw::respond(int contact, const Vector3d& d) const {
  SpringResponse out;
  if (!(d.z() < 0.0)) return out;
  out.force.z() = -d.z();
  out.stiffness(2, 2) = 1.0;
  const double mu = mu_[static_cast<std::size_t>(contact)], radius = -mu * d.z(), t = d.head<2>().norm();
  if (tangential_ * t <= radius) {
    out.force.head<2>() = -tangential_ * d.head<2>();
    out.stiffness.topLeftCorner<2, 2>() = tangential_ * Eigen::Matrix2d::Identity();
  } else {
    const Vector2d along = d.head<2>() / t;
    out.force.head<2>() = -radius * along;
    out.stiffness.topLeftCorner<2, 2>() =
        radius / t * (Eigen::Matrix2d::Identity() - along * along.transpose());
    out.stiffness.topRightCorner<2, 1>() = -mu * along;
  }
  return out;
}

SpringSystem::SpringSystem(const ContactSystem& system, const Load& given_load, double multiple) {
  length = system.length;
  force = load_size(given_load, multiple, length);
  for (const SystemBody& body : system.bodies) force += body.mass * system.gravity_W.norm();
  if (!(force > 0.0)) force = 1.0;
  const int unknowns = system.unknowns();
  Triplets entries;
  mu.reserve(system.contacts.size());
  for (const SystemContact& c : system.contacts) {
    const int row = 3 * static_cast<int>(mu.size());
    const Vector3d arm = (c.p_W - system.origin_W) / length;
    add_block(c.b, row, c.R_WC.transpose(), arm, 1.0, entries);
    add_block(c.a, row, c.R_WC.transpose(), arm, -1.0, entries);
    mu.push_back(c.mu);
  }
  J.resize(3 * contacts(), unknowns);
  J.setFromTriplets(entries.begin(), entries.end());
  Jt = J.transpose();
  const auto add_wrench = [&](VectorXd& pull, NodeIndex body, const math::Vector6d& wrench) {
    pull.segment<3>(6 * body.value()) += wrench.head<3>() / (force * length);
    pull.segment<3>(6 * body.value() + 3) += wrench.tail<3>() / force;
  };
  weights = load = VectorXd::Zero(unknowns);
  for (NodeIndex b(0); b < system.bodies.size(); ++b) add_wrench(weights, b, system.gravity_wrench(b));
  for (const BodyLoad& part : given_load) add_wrench(load, part.body, multiple * part.wrench);
}

VectorXd SpringSystem::forces(const VectorXd& u, const SpringLaw& law) const {
  VectorXd out = J * u;
  for (int k = 0; k < contacts(); ++k) {
    const Vector3d d = out.segment<3>(3 * k);
    out.segment<3>(3 * k) = law.respond(k, d).force;
  }
  return out;
}

std::vector<Vector3d> SpringSystem::world_forces(const ContactSystem& system, const VectorXd& forces) const {
  std::vector<Vector3d> out;
  out.reserve(system.contacts.size());
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    out.push_back(force * (system.contacts[k].R_WC * forces.segment<3>(static_cast<Eigen::Index>(3 * k))));
  }
  return out;
}

std::vector<math::Vector6d> SpringSystem::world_displacements(const VectorXd& u, double stiffness) const {
  const double unit = force / stiffness;  // [m]
  std::vector<math::Vector6d> out;
  for (Eigen::Index i = 0; i < u.size(); i += 6) {
    math::Vector6d twist = unit * u.segment<6>(i);
    twist.head<3>() /= length;
    out.push_back(twist);
  }
  return out;
}

}  // namespace prehend::stability
