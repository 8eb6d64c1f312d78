#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/stability/statics/contact_springs.h>

namespace prehend::stability {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Displacement of a point of a body, in the contact's frame, from the body's (angular first): R' [-[arm]x, 1].
SpringSystem::Block point_block(const Matrix3d& R_CW, const Vector3d& arm) {
  Matrix3d cross;
  cross << 0, arm.z(), -arm.y(), -arm.z(), 0, arm.x(), arm.y(), -arm.x(), 0;
  SpringSystem::Block block;
  block << R_CW * cross, R_CW;
  return block;
}

SpringSystem::Packed packed_block(const SpringSystem::Block& block) {
  SpringSystem::Packed out{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 6; ++j) out.column[j][i] = out.row[i][j] = block(i, j);
  }
  return out;
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

SpringSystem::SpringSystem(const ContactSystem& system, const Load& given_load, double multiple) {
  // Up to here dense factorisations are quicker: five bodies.
  constexpr std::size_t kMostDense = 5;
  length = system.length;
  std::vector<std::pair<int, int>> edges;
  for (const SystemContact& c : system.contacts) {
    contacts.push_back({c.a.is_valid() ? 6 * c.a.value() : -1,
                        c.b.is_valid() ? 6 * c.b.value() : -1,
                        point_block(c.R_WC.transpose(), (c.p_W - system.origin_W) / length),
                        {}});
    contacts.back().square.noalias() = contacts.back().block.transpose() * contacts.back().block;
    packed.push_back(packed_block(contacts.back().block));
    mu.push_back(c.mu);
    if (c.a.is_valid() && c.b.is_valid()) edges.emplace_back(c.a.value(), c.b.value());
  }
  joints = joint_springs(system);
  for (const JointSpring& joint : joints) {
    for (std::size_t i = 0; i < joint.parts.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        edges.emplace_back(joint.parts[j].body / 6, joint.parts[i].body / 6);
    }
  }
  if (system.bodies.size() > kMostDense) {
    pattern = std::make_shared<const BlockPattern>(
        find_block_pattern(static_cast<int>(system.bodies.size()), edges));
  }
  set_load(system, given_load, multiple);
}

void SpringSystem::set_load(const ContactSystem& system, const Load& given_load, double multiple) {
  force = load_size(given_load, multiple, length);
  for (const SystemBody& body : system.bodies) force += body.mass * system.gravity_W.norm();
  if (!(force > 0.0)) force = 1.0;
  const auto add_wrench = [&](VectorXd& pull, NodeIndex body, const math::Vector6d& wrench) {
    pull.segment<3>(6 * body.value()) += wrench.head<3>() / (force * length);
    pull.segment<3>(6 * body.value() + 3) += wrench.tail<3>() / force;
  };
  weights = load = VectorXd::Zero(system.unknowns());
  for (NodeIndex b(0); b < system.bodies.size(); ++b) add_wrench(weights, b, system.gravity_wrench(b));
  for (const BodyLoad& part : given_load) add_wrench(load, part.body, multiple * part.wrench);
}

Eigen::SparseMatrix<double> SpringSystem::jacobian() const {
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < size(); ++k) {
    const Contact& c = contacts[static_cast<std::size_t>(k)];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 6; ++j) {
        if (c.b >= 0) entries.emplace_back(3 * k + i, c.b + j, c.block(i, j));
        if (c.a >= 0) entries.emplace_back(3 * k + i, c.a + j, -c.block(i, j));
      }
    }
  }
  Eigen::SparseMatrix<double> J(3 * size(), unknowns());
  J.setFromTriplets(entries.begin(), entries.end());
  return J;
}

Vector3d SpringSystem::relative(int contact, const VectorXd& u) const {
  const Contact& c = contacts[static_cast<std::size_t>(contact)];
  math::Vector6d difference = math::Vector6d::Zero();
  if (c.b >= 0) difference += u.segment<6>(c.b);
  if (c.a >= 0) difference -= u.segment<6>(c.a);
  return c.block * difference;
}

Vector3d SpringSystem::displacement(int contact, const VectorXd& u) const {
  const Vector3d moved = relative(contact, u);
  return slack.empty() ? moved : (moved + slack[static_cast<std::size_t>(contact)] / force).eval();
}

VectorXd SpringSystem::forces(const VectorXd& u, const SpringLaw& law) const {
  VectorXd out(forces_size());
  for (int k = 0; k < size(); ++k) out.segment<3>(3 * k) = law.respond(k, displacement(k, u)).force;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    out[3 * size() + static_cast<Eigen::Index>(j)] =
        joints[j].respond(joints[j].displacement(u), force).force;
  }
  return out;
}

VectorXd SpringSystem::unbalanced(const VectorXd& forces) const {
  VectorXd out = weights + load;
  each_wrench(forces, [&](int body, const math::Vector6d& wrench) { out.segment<6>(body) += wrench; });
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

std::vector<double> SpringSystem::joint_forces(const VectorXd& forces) const {
  std::vector<double> out;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    out.push_back(force * forces[3 * size() + static_cast<Eigen::Index>(j)] / joints[j].unit);
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
