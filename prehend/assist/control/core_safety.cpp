#include <algorithm>
#include <cmath>

#include <prehend/assist/control/core.h>

namespace prehend::assist {
namespace {

std::size_t slot(int index) { return static_cast<std::size_t>(index); }

// [rad] Residuals that no free motion shows (largest in 1000 of them: docs/assist_validation.md), for limbs and for what carries them.
constexpr double kLimbResidual = 0.045, kTrunkResidual = 0.02;
// [m], [rad] The base is pushed off its reference.
constexpr double kBaseResidual = 0.008, kBaseTurnResidual = 0.03;
// [m], [rad] What is left of it once the base has stopped for a push: 24 N, which a base of 88 kg with its wheels' motors gives back as 0.27 m/s^2.
constexpr double kBaseYield = 0.008;
// [rad] A tracking error beyond all this is none that a touch explains.
constexpr double kLost = 0.35;
// [rad] A joint that has moved less than this while its reference went on is stuck.
constexpr double kStands = 0.0025, kGoesOn = 0.012, kStuckResidual = 0.012;
// Times the learned dry friction, where that is more than the figures above: within it a joint rests while its reference goes on, and shows up to twice of it when it turns round.
constexpr double kStuckFriction = 1.8, kPushFriction = 3.0;
// [N] On a hand that touches on purpose; less where the contact's limit is small.
constexpr double kMostForce = 15.0;
// [N] Below this the estimate cannot tell a force from friction and the trunk's motion: 4.9 N were estimated on a hand that held with 1 N.
constexpr double kLeastForce = 6.5;
// Share of an arm's torques that no force at its hand explains: a joint that is stuck.
constexpr double kNoForce = 0.45;

}  // namespace

bool Controller::Core::is_contact_arm(int joint) const {
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ContactRun& run = contacts[k];
    const bool is_about = (state == StateName::MakeContact && static_cast<int>(k) == contact) ||
                          (run.detected && !run.removed) ||
                          (state == StateName::RemoveContacts && run.detected && now - state_at < 1.0);
    if (is_about && whole_body.state().moves(joint + kBaseFreedoms, run.segment) &&
        !is_trunk[slot(joint + kBaseFreedoms)])
      return true;
  }
  return false;
}

// The reference has gone on for a quarter of a second, the joint has not moved. An arm that reaches for a person is stopped by them: is_touch_plausible() asks there.
bool Controller::Core::is_stuck(int joint) const {
  const double goes_on = std::max(kGoesOn, kStuckFriction * watch.friction(joint));
  if (state == StateName::MakeContact && is_contact_arm(joint)) return false;
  for (const int ticks : {5, kRemembered}) {  // fast motions show it sooner
    double low = 1e9, high = -1e9;
    for (int k = 1; k <= ticks; ++k) {
      const double value = past_measured[slot((past + kRemembered - k) % kRemembered)][slot(joint)];
      low = std::min(low, value), high = std::max(high, value);
    }
    const double oldest = past_reference[slot((past + kRemembered - ticks) % kRemembered)][slot(joint)];
    if (high - low < (ticks < kRemembered ? 0.5 : 1.0) * kStands &&
        std::abs(q[joint + kBaseFreedoms] - oldest) > goes_on)
      return true;
  }
  // A slow reference takes longer than that: since the joint last moved. A hand on a person stands for their sake, and a push loads more than one joint.
  for (int other = 0; other < joints; ++other)
    if (other != joint && std::abs(watch.filtered(other)) * share[slot(other)] > kStuckResidual) return false;
  return !is_contact_arm(joint) &&
         std::abs(q[joint + kBaseFreedoms] - reference_when_moved[slot(joint)]) > goes_on;
}

// Where the reference was when the joint last moved: a joint that stands while its reference creeps away from there is stuck.
void Controller::Core::remember_moves() {
  for (int j = 0; j < joints; ++j) {
    const double measured = q_measured[j + kBaseFreedoms];
    const bool has_moved = std::abs(measured - moved_to[slot(j)]) > kStands;
    if (has_moved || is_contact_arm(j))
      moved_to[slot(j)] = measured, reference_when_moved[slot(j)] = q[j + kBaseFreedoms];
  }
}

void Controller::Core::watch_joints() {
  remember_moves();
  if (now - state_at < 0.1 && state == StateName::InitialPosture) return;
  for (int j = 0; j < joints; ++j) {
    const int i = j + kBaseFreedoms;
    const double residual = std::abs(watch.filtered(j)) * share[slot(j)];
    if (residual > std::max(kStuckResidual, kStuckFriction * watch.friction(j)) && is_stuck(j))
      return stop(StopCause::joint_stuck);
    const double most =
        std::max(is_trunk[slot(i)] ? kTrunkResidual : kLimbResidual, kPushFriction * watch.friction(j));
    if (residual < most) continue;
    if (residual > kLost) return stop(StopCause::tracking);
    if (!is_contact_arm(j) && !(is_trunk[slot(i)] && residual < most + touch_residual(i)))
      return stop(StopCause::unexpected_contact);
  }
  if (std::hypot(base_residual[0], base_residual[1]) > kBaseResidual ||
      std::abs(base_residual[2]) > kBaseTurnResidual)
    stop(StopCause::unexpected_contact);
}

Controller::Core::HandForce Controller::Core::estimated_force(const ContactRun& run) const {
  const RobotState& state_now = whole_body.state();
  PointJacobian J;
  state_now.point_jacobian(run.segment, state_now.point(run.segment, run.p_S), J);
  // Least squares over the arm's torques, any direction: the largest component of J F = K r.
  Eigen::Matrix3d A = 1e-4 * Eigen::Matrix3d::Identity();
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  for (int i = kBaseFreedoms; i < n; ++i) {
    if (is_trunk[slot(i)] || !state_now.moves(i, run.segment)) continue;
    A += J.col(i) * J.col(i).transpose();
    b += J.col(i) * (share[slot(i - kBaseFreedoms)] * gains.stiffness[i] * watch.filtered(i - kBaseFreedoms));
  }
  const Eigen::Vector3d force = A.inverse() * b;
  double unexplained = 0.0, all = 0.0;
  for (int i = kBaseFreedoms; i < n; ++i) {
    if (is_trunk[slot(i)] || !state_now.moves(i, run.segment)) continue;
    const double torque =
        share[slot(i - kBaseFreedoms)] * gains.stiffness[i] * watch.filtered(i - kBaseFreedoms);
    all += torque * torque, unexplained += std::pow(torque - J.col(i).dot(force), 2);
  }
  return {force.norm(), std::sqrt(unexplained / std::max(1e-12, all))};
}

bool Controller::Core::is_about_to_touch(std::size_t k) const {
  return (state == StateName::MakeContact && static_cast<int>(k) == contact) ||
         (contacts[k].detected && !contacts[k].removed);
}

// [rad] What the touches of the hands may show at a joint of the trunk, as the arms' own joints estimate them: a trunk with weak motors bends under a hand that touches as it shall.
double Controller::Core::touch_residual(int freedom) const {
  double sum = 0.0;
  PointJacobian J;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ContactRun& run = contacts[k];
    if (!is_about_to_touch(k) || !whole_body.state().moves(freedom, run.segment)) continue;
    whole_body.state().point_jacobian(run.segment, whole_body.state().point(run.segment, run.p_S), J);
    sum += estimated_force(run).newtons * J.col(freedom).norm() / gains.stiffness[freedom];
  }
  return sum;
}

void Controller::Core::watch_forces() {
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ContactRun& run = contacts[k];
    if (!is_about_to_touch(k)) continue;
    const HandForce force = estimated_force(run);
    if (force.newtons < std::clamp(0.6 * run.spec->limit_N, kLeastForce, kMostForce)) continue;
    return stop(force.unexplained > kNoForce ? StopCause::joint_stuck : StopCause::force_limit);
  }
}

void Controller::Core::watch_vision() {
  if (table.row(state).needs_person && now - seen_at > scenario.tuning.vision_long_s)
    stop(StopCause::vision_lost);
}

// The person moved off: arms back, then approach again.
void Controller::Core::watch_person() {
  const bool is_close = state == StateName::IntentCommunication || state == StateName::PreContact ||
                        state == StateName::MakeContact;
  if (!is_close || (track.pelvis() - anchor).head<2>().norm() < scenario.tuning.person_left_m) return;
  if (++approaches > scenario.tuning.approaches) return stop(StopCause::person_left);
  command.ended = StateEnd::retry;
  returns = true;
  enter(StateName::RemoveContacts, -1);
}

void Controller::Core::stop(StopCause why) {
  for (std::size_t k = 0; k < contacts.size(); ++k)
    contacts[k].goes_back = is_about_to_touch(k) && (contacts[k].detected || !contacts[k].spec->invites);
  has_stopped = true;
  cause = why;
  command.ended = StateEnd::fault;
  command.outcome = TrialOutcome::safe_stop;
  command.say = "I stop now.";
  base_stands = true;
  // Where motion cannot be trusted, or something pushes, the arms go soft: they follow a push and do not spring back.
  is_soft = why != StopCause::vision_lost && why != StopCause::timeout && why != StopCause::person_left;
  state = StateName::SafeStop;
  contact = -1;
  state_at = now;
  posture = q;
  if (why == StopCause::unexpected_contact)
    q.head<kBaseFreedoms>() = q_measured.head<kBaseFreedoms>();  // a pushed base stays where it is
  for (ContactRun& run : contacts) {
    const bool was_near = run.detected || hand_on[slot(run.hand)];
    if (!was_near) continue;
    goals[slot(run.hand)] = {whole_body.state().point(run.segment, run.p_S), Eigen::Vector3d::Zero()};
    run.phase = run.phase > 0 && !run.removed ? 1 : 0;
  }
}

// Everything brakes; a hand that touches, or was about to, goes back the way it came.
void Controller::Core::safe_stop() {
  tasks.base_brakes = true;
  tasks.all_brake = true;
  for (ContactRun& run : contacts) {
    if (!run.goes_back) hand_on[slot(run.hand)] = false;
    if (!run.goes_back || run.phase == 0) continue;
    hand_on[slot(run.hand)] = true;
    Eigen::Vector3d back = run.pre_W;
    if (run.spec->invites) back -= Eigen::Vector3d(0.0, 0.0, 0.07);
    goals[slot(run.hand)].step(back, {0.08, 0.8}, period);
  }
}

// Limbs follow a push with their weight held; base and trunk brake. Uses no program.
void Controller::Core::soften() {
  command.qp = infeasible ? QpStatus::infeasible : QpStatus::not_used;
  a = whole_body.braking(v);
  const double dt = std::clamp(gap, period, 10.0 * period);
  for (int i = 0; i < n; ++i) a[i] = std::clamp(a[i], -std::abs(v[i]) / dt, std::abs(v[i]) / dt);
  Freedoms rest = Freedoms::Zero(n), now_q = q;
  for (int i = kBaseFreedoms; i < n; ++i) {
    if (is_trunk[slot(i)]) continue;
    now_q[i] = q[i] = std::clamp(q_measured[i], whole_body.lower(i), whole_body.upper(i));
    v[i] = 0.0, a[i] = 0.0;
  }
  if (cause ==
      StopCause::
          unexpected_contact)  // a base that is pushed goes along: its drives press back by no more than this deflection
    for (int i = 0; i < kBaseFreedoms; ++i)
      q[i] = q_measured[i] + std::clamp(q[i] - q_measured[i], -kBaseYield, kBaseYield);
  if (cause ==
      StopCause::
          overrun) {  // commands arrive late: the base's drives stop by their own ramp, from where they will be then
    q.head<kBaseFreedoms>() = q_measured.head<kBaseFreedoms>() + gap * v_measured.head<kBaseFreedoms>();
    v.head<kBaseFreedoms>().setZero(), a.head<kBaseFreedoms>().setZero();
  }
  whole_body.state().set(now_q, rest);
  whole_body.state().compute_dynamics();
  tau = whole_body.state().bias();
  const Freedoms moved = whole_body.state().mass_matrix() * a;
  for (int i = 0; i < n; ++i)
    if (i < kBaseFreedoms || is_trunk[slot(i)]) tau[i] += moved[i];
}

}  // namespace prehend::assist
