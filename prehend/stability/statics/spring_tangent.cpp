#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include <prehend/stability/statics/spring_tangent.h>

namespace prehend::stability {

using Eigen::VectorXd;

namespace {

// Sums of wrenches on two bodies, written when the bodies change: contacts of one patch stand together.
struct PairSum {
  double wrench[8], size[8];

  void clear() { *this = {}; }
  void write(const SpringSystem::Contact& c, double* pull, double* sizes) const {
    for (int i = 0; i < 6; ++i) {
      if (c.b >= 0) pull[c.b + i] += wrench[i];
      if (c.a >= 0) pull[c.a + i] -= wrench[i];
      if (!sizes) continue;
      if (c.b >= 0) sizes[c.b + i] += size[i];
      if (c.a >= 0) sizes[c.a + i] += size[i];
    }
  }
};

// One pass over all contacts: what each sees of the bodies' displacements u, what it answers (`answer(k, d, f)`), and the sum of the answers on the bodies;
// `sizes` may be null. Plain loops of a register's length, so that the compiler vectorises them for whatever calls them.
template <typename Answer>
[[gnu::always_inline]] inline void pass_contacts(const SpringSystem& springs, const double* u, Answer answer,
                                                 double* pull, double* sizes) {
  const std::size_t count = springs.contacts.size();
  double between[6] = {};
  PairSum sum;
  for (std::size_t k = 0; k < count; ++k) {
    const SpringSystem::Contact& c = springs.contacts[k];
    const SpringSystem::Packed& p = springs.packed[k];
    if (k == 0 || c.a != springs.contacts[k - 1].a || c.b != springs.contacts[k - 1].b) {
      if (k > 0) sum.write(springs.contacts[k - 1], pull, sizes);
      sum.clear();
      for (int i = 0; i < 6; ++i) between[i] = (c.b >= 0 ? u[c.b + i] : 0.0) - (c.a >= 0 ? u[c.a + i] : 0.0);
    }
    double d[4] = {}, f[3];
    for (int j = 0; j < 6; ++j) {
      for (int i = 0; i < 4; ++i) d[i] += p.column[j][i] * between[j];
    }
    if (!answer(k, d, f)) continue;
    for (int j = 0; j < 8; ++j) {
      const double w = p.row[0][j] * f[0] + p.row[1][j] * f[1] + p.row[2][j] * f[2];
      sum.wrench[j] += w;
      sum.size[j] += std::abs(w);
    }
  }
  if (count > 0) sum.write(springs.contacts.back(), pull, sizes);
}

template <typename Law>
[[gnu::always_inline]] inline void answer_contacts(const SpringSystem& springs, const Law& law,
                                                   const double* u, SpringState& out) {
  double energy = 0.0;
  double* forces = out.forces.data();
  const bool has_slack = !springs.slack.empty();
  pass_contacts(
      springs, u,
      [&](std::size_t k, const double* d, double* f) {
        Eigen::Vector3d moved(d[0], d[1], d[2]);
        if (has_slack) moved += springs.slack[k] / springs.force;
        const SpringResponse one = law.respond(static_cast<int>(k), moved);
        energy += one.energy;
        out.stiffness[k] = one.stiffness;
        for (int i = 0; i < 3; ++i) f[i] = forces[3 * k + static_cast<std::size_t>(i)] = one.force[i];
        return f[0] != 0.0 || f[1] != 0.0 || f[2] != 0.0;
      },
      out.pull.data(), out.sizes.data());
  out.energy = energy;
}

[[gnu::always_inline]] inline void multiply_contacts(const SpringSystem& springs, const SpringState& state,
                                                     const double* u, double* out) {
  pass_contacts(
      springs, u,
      [&](std::size_t k, const double* d, double* f) {
        const double* s = state.stiffness[k].data();
        if (s[0] == 0.0 && s[4] == 0.0 && s[8] == 0.0) return false;  // open
        for (int i = 0; i < 3; ++i) f[i] = s[i] * d[0] + s[3 + i] * d[1] + s[6 + i] * d[2];
        return true;
      },
      out, nullptr);
}

void answer_coulomb_baseline(const SpringSystem& springs, const CoulombLaw& law, const double* u,
                             SpringState& out) {
  answer_contacts(springs, law, u, out);
}
void multiply_baseline(const SpringSystem& springs, const SpringState& state, const double* u, double* out) {
  multiply_contacts(springs, state, u, out);
}
#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void answer_coulomb_avx2(const SpringSystem& springs, const CoulombLaw& law,
                                                     const double* u, SpringState& out) {
  answer_contacts(springs, law, u, out);
}
[[gnu::target("avx2,fma")]] void multiply_avx2(const SpringSystem& springs, const SpringState& state,
                                               const double* u, double* out) {
  multiply_contacts(springs, state, u, out);
}
#endif

}  // namespace

void SpringState::evaluate(const SpringSystem& springs, const SpringLaw& law, const VectorXd& u) {
  forces.resize(springs.forces_size());
  stiffness.resize(springs.contacts.size());
  pull.setZero(springs.unknowns());
  sizes.setZero(springs.unknowns());
  if (const auto* coulomb = dynamic_cast<const CoulombLaw*>(&law)) {
#if defined(__x86_64__)
    (has_wide_registers() ? answer_coulomb_avx2 : answer_coulomb_baseline)(springs, *coulomb, u.data(),
                                                                           *this);
#else
    answer_coulomb_baseline(springs, *coulomb, u.data(), *this);
#endif
  } else {
    answer_contacts(springs, law, u.data(), *this);
  }
  joint_stiffness.resize(static_cast<Eigen::Index>(springs.joints.size()));
  for (Eigen::Index j = 0; j < joint_stiffness.size(); ++j) {
    const JointSpring& joint = springs.joints[static_cast<std::size_t>(j)];
    const JointSpring::Response one = joint.respond(joint.displacement(u), springs.force);
    energy += one.energy;
    forces[3 * springs.size() + j] = one.force;
    joint_stiffness[j] = one.stiffness;
    for (const JointSpring::Part& part : joint.parts) {
      pull.segment<6>(part.body) += one.force * part.wrench;
      sizes.segment<6>(part.body) += std::abs(one.force) * part.wrench.cwiseAbs();
    }
  }
}

double spring_imbalance(const SpringSystem& springs, const SpringState& state, double multiple) {
  // [-] of all weights and the load: a body that carries less is measured against this, else rounding alone would unbalance it.
  constexpr double kLightest = 1e-4;
  const double all = std::max(1.0, multiple);
  double worst = 0.0;
  for (Eigen::Index i = 0; i < state.pull.size(); i += 6) {
    const math::Vector6d weights = springs.weights.segment<6>(i),
                         load = multiple * springs.load.segment<6>(i);
    const math::Vector6d rest = state.pull.segment<6>(i) + weights + load;
    const double size = (state.sizes.segment<6>(i) + weights.cwiseAbs() + load.cwiseAbs()).maxCoeff();
    const double here = rest.lpNorm<Eigen::Infinity>() / std::clamp(size, kLightest * all, all);
    if (!std::isfinite(here)) return std::numeric_limits<double>::infinity();  // a maximum would pass over it
    worst = std::max(worst, here);
  }
  return worst;
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
#if defined(__x86_64__)
  (has_wide_registers() ? multiply_avx2 : multiply_baseline)(springs_, *state_, u.data(), out.data());
#else
  multiply_baseline(springs_, *state_, u.data(), out.data());
#endif
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
