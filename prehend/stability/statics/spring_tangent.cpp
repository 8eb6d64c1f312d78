#include <Eigen/LU>

#include <prehend/stability/statics/spring_tangent.h>

namespace prehend::stability {

using Eigen::VectorXd;

void SpringState::evaluate(const SpringSystem& springs, const SpringLaw& law, const VectorXd& u) {
  forces.resize(springs.forces_size());
  stiffness.resize(springs.contacts.size());
  energy = 0.0;
  for (int k = 0; k < springs.size(); ++k) {
    const SpringResponse one = law.respond(k, springs.displacement(k, u));
    energy += one.energy;
    forces.segment<3>(3 * k) = one.force;
    stiffness[static_cast<std::size_t>(k)] = one.stiffness;
  }
  joint_stiffness.resize(static_cast<Eigen::Index>(springs.joints.size()));
  for (Eigen::Index j = 0; j < joint_stiffness.size(); ++j) {
    const JointSpring& joint = springs.joints[static_cast<std::size_t>(j)];
    const JointSpring::Response one = joint.respond(joint.displacement(u), springs.force);
    energy += one.energy;
    forces[3 * springs.size() + j] = one.force;
    joint_stiffness[j] = one.stiffness;
  }
}

SpringState held_state(const SpringSystem& springs, double tangential) {
  SpringState state;
  state.stiffness.assign(springs.contacts.size(),
                         Eigen::Vector3d(tangential, tangential, 1.0).asDiagonal().toDenseMatrix());
  state.joint_stiffness.resize(static_cast<Eigen::Index>(springs.joints.size()));
  for (Eigen::Index j = 0; j < state.joint_stiffness.size(); ++j)
    state.joint_stiffness[j] = springs.joints[static_cast<std::size_t>(j)].held_stiffness();
  return state;
}

namespace {

bool is_diagonal(const Eigen::Matrix3d& m) {
  return m(0, 1) == 0.0 && m(1, 0) == 0.0 && m(0, 2) == 0.0 && m(1, 2) == 0.0 && m(2, 0) == 0.0 &&
         m(2, 1) == 0.0;
}
bool is_one(const Eigen::Matrix3d& m) {
  return m(2, 2) == 1.0 && m(0, 0) == 1.0 && m(1, 1) == 1.0 && is_diagonal(m);
}
bool is_nothing(const Eigen::Matrix3d& m) {
  return m(2, 2) == 0.0 && m(0, 0) == 0.0 && m(1, 1) == 0.0 && is_diagonal(m);
}

}  // namespace

SpringTangent::SpringTangent(const SpringSystem& springs, double anchor)
    : springs_(springs), anchor_(anchor) {
  if (springs.pattern) blocks_.emplace(*springs.pattern);
}

bool SpringTangent::factor(const SpringState& state) {
  state_ = &state;
  if (blocks_) {
    blocks_->set_diagonal(anchor_);
  } else {
    dense_.setZero(springs_.unknowns(), springs_.unknowns());
    dense_.diagonal().setConstant(anchor_);
  }
  const auto add = [&](int a, int b, const math::Matrix6d& block) {
    if (blocks_) {
      blocks_->add_between(a < 0 ? -1 : a / 6, b < 0 ? -1 : b / 6, block);
      return;
    }
    if (b >= 0) dense_.block<6, 6>(b, b) += block;
    if (a >= 0) dense_.block<6, 6>(a, a) += block;
    if (a < 0 || b < 0) return;
    dense_.block<6, 6>(a, b) -= block;
    dense_.block<6, 6>(b, a) -= block;
  };
  // Contacts of one patch stand together and share their blocks.
  math::Matrix6d sum = math::Matrix6d::Zero();
  for (std::size_t k = 0; k < springs_.contacts.size(); ++k) {
    const SpringSystem::Contact& c = springs_.contacts[k];
    const Eigen::Matrix3d& stiffness = state.stiffness[k];
    // Most are open or stick: those need no product.
    if (is_one(stiffness)) {
      sum += c.square;
    } else if (!is_nothing(stiffness)) {
      const SpringSystem::Block pushed = stiffness * c.block;
      sum.noalias() += c.block.transpose() * pushed;
    }
    const bool is_last = k + 1 == springs_.contacts.size() || springs_.contacts[k + 1].a != c.a ||
                         springs_.contacts[k + 1].b != c.b;
    if (!is_last) continue;
    add(c.a, c.b, sum);
    sum.setZero();
  }
  for (std::size_t j = 0; j < springs_.joints.size(); ++j) {
    const double stiffness = state.joint_stiffness[static_cast<Eigen::Index>(j)];
    if (stiffness == 0.0) continue;
    for (const JointSpring::Part& row : springs_.joints[j].parts) {
      for (const JointSpring::Part& column : springs_.joints[j].parts) {
        const math::Matrix6d block = stiffness * row.wrench * column.wrench.transpose();
        if (blocks_) {
          blocks_->add(row.body / 6, column.body / 6, block);
        } else {
          dense_.block<6, 6>(row.body, column.body) += block;
        }
      }
    }
  }
  if (blocks_) return blocks_->factor();
  dense_lu_.compute(dense_);
  return dense_lu_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0.0;
}

VectorXd SpringTangent::backsubstitute(const VectorXd& right) const {
  if (!blocks_) return dense_lu_.solve(right);
  VectorXd x = right;
  blocks_->solve(x);
  return x;
}

VectorXd SpringTangent::product(const VectorXd& u) const {
  VectorXd out = anchor_ * u;
  for (int k = 0; k < springs_.size(); ++k) {
    const SpringSystem::Contact& c = springs_.contacts[static_cast<std::size_t>(k)];
    const math::Vector6d wrench =
        c.block.transpose() * (state_->stiffness[static_cast<std::size_t>(k)] * springs_.relative(k, u));
    if (c.b >= 0) out.segment<6>(c.b) += wrench;
    if (c.a >= 0) out.segment<6>(c.a) -= wrench;
  }
  for (std::size_t j = 0; j < springs_.joints.size(); ++j) {
    const JointSpring& joint = springs_.joints[j];
    const double force = state_->joint_stiffness[static_cast<Eigen::Index>(j)] * joint.displacement(u);
    for (const JointSpring::Part& part : joint.parts) out.segment<6>(part.body) += force * part.wrench;
  }
  return out;
}

std::optional<VectorXd> SpringTangent::solve(const VectorXd& right) const {
  // Share of the right side that may be missed: Newton's method corrects what is left.
  constexpr double kMissed = 1e-9;
  VectorXd x = backsubstitute(right);
  if (!x.allFinite()) return std::nullopt;
  const VectorXd missing = right - product(x);
  if (missing.lpNorm<Eigen::Infinity>() > kMissed * right.lpNorm<Eigen::Infinity>()) {
    const VectorXd refined = x + backsubstitute(missing);
    if (refined.allFinite() && (right - product(refined)).norm() < missing.norm()) x = refined;
  }
  return x;
}

}  // namespace prehend::stability
