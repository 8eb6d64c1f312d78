#include <algorithm>
#include <atomic>
#include <limits>

#include <prehend/stability/limit/lift_limits.h>
#include <prehend/stability/limit/limit_general.h>

namespace prehend::stability {
namespace {

using Eigen::VectorXd;

PushAnswer lift_answer(const SupportValue& value) {
  PushAnswer answer;
  answer.status = AnswerStatus::ok;
  if (value.status == LaneStatus::unbounded) {
    answer.unbounded = true;
    answer.mode = Mode::unbounded;
    answer.robustness = answer.lower = answer.upper = std::numeric_limits<double>::infinity();
    return answer;
  }
  answer.lower = 1.0 / value.high;
  answer.upper = 1.0 / value.low;
  answer.robustness = 0.5 * (answer.lower + answer.upper);
  return answer;
}

// A motion of fewer bodies, in the units of their system.
VectorXd restricted_motion(const VectorXd& motion, const std::vector<int>& old_body, double turn) {
  VectorXd kept(6 * static_cast<Eigen::Index>(old_body.size()));
  for (std::size_t i = 0; i < old_body.size(); ++i) {
    auto twist = kept.segment<6>(6 * static_cast<Eigen::Index>(i));
    twist = motion.segment<6>(6 * old_body[i]);
    twist.head<3>() *= turn;
  }
  return kept;
}

bool is_inside(const VectorXd& forces, int k) {
  const Eigen::Vector3d f = forces.segment<3>(3 * k);
  return f[0] > 0.0 && f[0] * f[0] - f[1] * f[1] - f[2] * f[2] > 0.0;
}

// Forces that balance what is left in the smallest way that their own metric 2 f f' - det(f) J allows, at the contacts of all bodies
// but one. False where the matrix is singular.
class Rebalancing {
 public:
  Rebalancing(const ScaledSystem& system, const BlockPattern& pattern, int without, const VectorXd& forces)
      : system_(system), pattern_(pattern), without_(without), matrix_(pattern) {
    metric_.resize(static_cast<std::size_t>(system.contacts()), Eigen::Matrix3d::Zero());
    for (int k = 0; k < system.contacts(); ++k) {
      if (is_gone(k)) continue;
      const Eigen::Vector3d f = forces.segment<3>(3 * k), reflection(1.0, -1.0, -1.0);
      const double det = f[0] * f[0] - f[1] * f[1] - f[2] * f[2];
      Eigen::Matrix3d& metric = metric_[static_cast<std::size_t>(k)];
      metric = 2.0 * f * f.transpose() - Eigen::Matrix3d((det * reflection).asDiagonal());
      matrix_.add_contact({position(system.a[k]), system.T_a[k]}, {position(system.b[k]), system.T_b[k]},
                          metric);
    }
    BlockMatrix::Side still{position(without), {}};  // the body itself: at rest, without load
    for (int half = 0; half < 2; ++half) {
      still.T.setZero();
      still.T.block<3, 3>(0, 3 * half).setIdentity();
      matrix_.add_contact({}, still, Eigen::Matrix3d::Identity());
    }
    is_sound_ = matrix_.factor();
  }
  bool is_sound() const { return is_sound_; }
  bool is_gone(int contact) const { return system_.a[contact] == without_ || system_.b[contact] == without_; }
  // What is unbalanced on the others.
  VectorXd residual(const VectorXd& forces) const {
    VectorXd wrench = system_.g + system_.wrenches(forces);
    wrench.segment<6>(6 * without_).setZero();
    return wrench;
  }
  void apply(VectorXd& forces) const {
    const VectorXd wrench = residual(forces);
    VectorXd ordered(wrench.size()), motion(wrench.size());
    for (int i = 0; i < system_.bodies; ++i) ordered.segment<6>(6 * position(i)) = wrench.segment<6>(6 * i);
    matrix_.solve(ordered);
    for (int i = 0; i < system_.bodies; ++i) motion.segment<6>(6 * i) = ordered.segment<6>(6 * position(i));
    const VectorXd velocities = system_.velocities(motion);
    for (int k = 0; k < system_.contacts(); ++k) {
      if (!is_gone(k))
        forces.segment<3>(3 * k) -= metric_[static_cast<std::size_t>(k)] * velocities.segment<3>(3 * k);
    }
  }

 private:
  int position(int body) const { return body < 0 ? -1 : pattern_.position[static_cast<std::size_t>(body)]; }

  const ScaledSystem& system_;
  const BlockPattern& pattern_;
  int without_;
  BlockMatrix matrix_;
  std::vector<Eigen::Matrix3d> metric_;
  bool is_sound_{false};
};

}  // namespace

LiftLimits::LiftLimits(const ContactSystem& system, const LimitOptions& options)
    : options_(options), scaled_(scale_system(system)), known_(system.bodies.size()) {
  for (const SystemBody& body : system.bodies) bodies_.push_back(body.body);
}

std::unique_ptr<LiftLimits> LiftLimits::create(const ContactSystem& system, const LimitOptions& options) {
  if (options.general_only || !system.joints.empty() || !system.joint_rows.empty() || system.bodies.empty())
    return nullptr;
  std::unique_ptr<LiftLimits> made(new LiftLimits(system, options));
  const InnerMotion inner = find_inner_motion(made->scaled_);
  if (inner.status == InnerMotion::Status::interior)
    made->set_ = MotionSet::create(made->scaled_, inner.motion);
  return made->set_ ? std::move(made) : nullptr;
}

std::unique_ptr<LiftLimits> LiftLimits::of_rest(const ContactSystem& rest) const {
  if (rest.bodies.empty()) return nullptr;
  std::unique_ptr<LiftLimits> made(new LiftLimits(rest, options_));
  std::vector<int> old_body, new_body(bodies_.size(), -1), old_contact;
  for (const model::BodyIndex body : made->bodies_) {
    const auto at = std::find(bodies_.begin(), bodies_.end(), body);
    if (at == bodies_.end()) return nullptr;
    new_body[static_cast<std::size_t>(at - bodies_.begin())] = static_cast<int>(old_body.size());
    old_body.push_back(static_cast<int>(at - bodies_.begin()));
  }
  // Contacts come in the same order, without those of the bodies that are gone.
  const auto now = [&](int body) { return body < 0 ? -1 : new_body[static_cast<std::size_t>(body)]; };
  for (int k = 0; k < scaled_.contacts(); ++k) {
    const int a = scaled_.a[k], b = scaled_.b[k];
    if ((a >= 0 && now(a) < 0) || (b >= 0 && now(b) < 0)) continue;
    const auto next = old_contact.size();
    if (static_cast<int>(next) >= made->scaled_.contacts() || made->scaled_.a[next] != now(a) ||
        made->scaled_.b[next] != now(b))
      return create(rest, options_);
    old_contact.push_back(k);
  }
  if (static_cast<int>(old_contact.size()) != made->scaled_.contacts()) return create(rest, options_);
  made->set_ = MotionSet::create(made->scaled_, restricted_motion(set_->centre_motion(), old_body,
                                                                  made->scaled_.length / scaled_.length));
  if (!made->set_) return create(rest, options_);
  for (std::size_t i = 0; i < old_body.size(); ++i) {
    const Known& known = known_[static_cast<std::size_t>(old_body[i])];
    if (known.is_known) made->known_[i] = made->kept(known, *this, old_body, old_contact);
  }
  return made;
}

LiftLimits::Known LiftLimits::kept(const Known& known, const LiftLimits& before,
                                   const std::vector<int>& old_body,
                                   const std::vector<int>& old_contact) const {
  Known made;
  made.value.high = known.value.high;
  made.value.motion = restricted_motion(known.value.motion, old_body, scaled_.length / before.scaled_.length);
  const double resistance = -scaled_.g.dot(made.value.motion);
  made.is_known = resistance > 0.0;  // else all that resists it is gone
  made.value.motion /= resistance;
  made.value.forces.resize(3 * static_cast<Eigen::Index>(old_contact.size()));
  for (std::size_t k = 0; k < old_contact.size(); ++k) {
    made.value.forces.segment<3>(3 * static_cast<Eigen::Index>(k)) =
        before.scaled_.weight / scaled_.weight * known.value.forces.segment<3>(3 * old_contact[k]);
  }
  return made;
}

std::vector<std::optional<PushAnswer>> LiftLimits::ask(std::span<const Load> loads) {
  std::vector<std::optional<PushAnswer>> answers(loads.size());
  std::vector<std::size_t> known, open;
  for (std::size_t i = 0; i < loads.size(); ++i) (known_[i].is_known ? known : open).push_back(i);
  const MotionSet::Options options{options_.accuracy, options_.unbounded_above, options_.threads};
  const auto load_of = [&](std::size_t i) { return scaled_.load(loads[i]); };
  const auto keep = [&](std::size_t i, const SupportValue& value) {
    known_[i].is_known = value.status == LaneStatus::converged;
    if (known_[i].is_known) known_[i].value = value;
    if (value.status != LaneStatus::failed) answers[i] = lift_answer(value);
  };
  set_->prove(
      known.size(), options,
      [&](std::size_t q, Eigen::Ref<VectorXd> w, SupportValue& value) {
        w = load_of(known[q]);
        value = known_[known[q]].value;
      },
      [&](std::size_t q, const SupportValue& value) { keep(known[q], value); });
  for (const std::size_t i : known) {
    if (!answers[i]) open.push_back(i);
  }
  solved_ = static_cast<long>(open.size());
  std::sort(open.begin(), open.end());
  set_->support(
      open.size(), options, [&](std::size_t q, Eigen::Ref<VectorXd> w) { w = load_of(open[q]); },
      [&](std::size_t q, const SupportValue& value) { keep(open[q], value); });
  return answers;
}

bool LiftLimits::rest_without(NodeIndex body) const {
  // [weights of the system] of what may stay unbalanced: rounding, in systems of a thousand bodies.
  constexpr double kBalanced = 1e-10;
  const Known& known = known_[body];
  if (!known.is_known) return false;
  VectorXd forces = known.value.forces / known.value.high;
  const Rebalancing balance(scaled_, set_->pattern(), body.value(), forces);
  if (!balance.is_sound()) return false;
  for (int k = 0; k < scaled_.contacts(); ++k) {
    if (balance.is_gone(k)) forces.segment<3>(3 * k).setZero();
  }
  for (int round = 0; round < 2; ++round) balance.apply(forces);  // once more, for rounding
  if (!(balance.residual(forces).lpNorm<Eigen::Infinity>() <= kBalanced)) return false;
  for (int k = 0; k < scaled_.contacts(); ++k) {
    if (!balance.is_gone(k) && !is_inside(forces, k)) return false;
  }
  return true;
}

}  // namespace prehend::stability
