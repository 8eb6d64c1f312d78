#include <algorithm>
#include <cmath>

#include <prehend/assist/control/core.h>
#include <prehend/math/enum_text.h>

namespace prehend::assist {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// [m] Where a touch is felt differs from where it is seen by breath (1.5 mm), what the palm goes on until it is noticed, and the region's shape: -3 to 8 mm at twelve people other than those of the
// tests (seeds 6001 to 6012), 26 mm and more with a tracker that is 50 mm off in any direction. Per metre of the tracker's noise: 3.5 standard deviations of its running mean (0.16).
constexpr double kTouchPlace = 0.012, kTouchNoise = 3.5 * 0.16;

}  // namespace

const char* to_string(QpStatus status) { return enum_text(status); }
const char* to_string(StateEnd end) { return enum_text(end); }
const char* to_string(TrialOutcome outcome) { return enum_text(outcome); }

void MovingGoal::step(const Eigen::Vector3d& target, const Pace& pace, double dt) {
  const Eigen::Vector3d rest = target - p;
  const double distance = rest.norm();
  const Eigen::Vector3d wanted =
      distance > 1e-9
          ? Eigen::Vector3d(
                rest * (std::min({pace.speed, std::sqrt(1.6 * pace.acceleration * distance), distance / dt}) /
                        distance))
          : Eigen::Vector3d::Zero();
  Eigen::Vector3d change = wanted - v;
  const double most = pace.acceleration * dt;
  if (change.norm() > most) change *= most / change.norm();
  v += change;
  p += dt * v;
}

Controller::Core::Core(const Scenario& given, const ObserverModel& observer)
    : scenario(given),
      setup(setup_robot(scenario)),
      robot(setup.robot),
      joints(robot.joint_count()),
      n(robot.freedoms()),
      period(setup.whole_body.period),
      table(scenario.tuning),
      whole_body(robot, setup.whole_body),
      measured_state(robot),
      gains(servo_gains(robot, setup.whole_body.upright)),
      track(std::max(scenario.sensing.position_noise_m, scenario.sensing.close_range_noise_m)),
      watch(robot, observer, gains, scenario.tuning.median_ticks),
      contacts(setup.contacts) {
  upright = setup.whole_body.upright;
  posture = upright;
  q = upright, q_measured = upright;
  v = a = tau = v_measured = base_residual = Freedoms::Zero(n);
  tasks.posture = upright;
  tasks.posture_weight = Freedoms::Constant(n, 1.0);
  for (int i = kBaseFreedoms; i < n; ++i) {
    double carried = 0.0;
    for (int s = 0; s <= joints; ++s)
      if (whole_body.state().moves(i, s)) carried += robot.segments[at(s)].mass;
    is_trunk[at(i)] = carried > 0.25 * robot.mass();
  }
  touch_tolerance = kTouchPlace + kTouchNoise * std::max(scenario.sensing.position_noise_m,
                                                         scenario.sensing.close_range_noise_m);
  around.count = kBodyParts;
  around.touchable_by.fill(-1);
  command.stiffness.fill(1.0);
  share.fill(1.0);
}

const Command& Controller::Core::tick(const Sensors& sensors) noexcept {
  command.ended.reset();
  command.say = command.show = {};
  command.person_seen = false;
  command.navigation_error.reset();
  command.tablet_angle.reset();
  const bool is_valid = read_sensors(sensors);
  if (!is_valid && !has_stopped) stop(StopCause::sensor_invalid);
  see(sensors);
  compare();
  if (!has_stopped) watch_joints();
  if (!has_stopped) watch_forces();
  if (!has_stopped) watch_vision();
  if (!has_stopped) watch_person();
  run_state();
  act();
  write_command();
  advance();
  return command;
}

// Takes over what is finite; false when something is not.
bool Controller::Core::read_sensors(const Sensors& sensors) {
  const bool has_time =
      std::isfinite(sensors.t_s) &&
      (is_first || sensors.t_s > last_tick);  // a clock that stands or runs back ends no state
  now = has_time ? sensors.t_s : last_tick + period;
  bool is_valid = has_time;
  for (int j = 0; j < joints; ++j) {
    const double angle = sensors.q[at(j)], rate = sensors.v[at(j)], torque = sensors.tau[at(j)];
    if (std::isfinite(angle)) q_measured[j + kBaseFreedoms] = angle;
    if (std::isfinite(rate)) v_measured[j + kBaseFreedoms] = rate;
    is_valid = is_valid && std::isfinite(angle) && std::isfinite(rate) && std::isfinite(torque);
  }
  if (sensors.base.allFinite()) q_measured.head<3>() = sensors.base;
  if (sensors.base_rate.allFinite()) v_measured.head<3>() = sensors.base_rate;
  is_valid = is_valid && sensors.base.allFinite() && sensors.base_rate.allFinite();
  if (is_first) {
    q = q_measured;
    for (int i = kBaseFreedoms; i < n; ++i) q[i] = std::clamp(q[i], whole_body.lower(i), whole_body.upper(i));
    is_first = false;
    state_at = seen_at = now;
    last_tick = now - period;
  }
  gap = now - last_tick;
  // One late tick is bridged by the servos; more than one lost period is not.
  if (gap > 2.5 * period && !has_stopped) {
    q = q_measured;
    for (int i = kBaseFreedoms; i < n; ++i) q[i] = std::clamp(q[i], whole_body.lower(i), whole_body.upper(i));
    for (int i = 0; i < n; ++i)
      v[i] = std::clamp(v_measured[i], -whole_body.speed_limit(i), whole_body.speed_limit(i));
    stop(StopCause::overrun);
  }
  last_tick = now;
  was_valid = is_valid;
  return is_valid;
}

void Controller::Core::see(const Sensors& sensors) {
  measured_state.set(q_measured, v_measured);
  const RobotFrame& camera = robot.frames[at(setup.camera)];
  const Eigen::Matrix3d R = measured_state.R(camera.segment) * camera.X_SF.q().toRotationMatrix();
  track.remember_camera(now, R, measured_state.point(camera.segment, camera.X_SF.p()));
  if (!sensors.person) return;
  const DetectionVerdict verdict = track.consider(*sensors.person, now);
  if (verdict == DetectionVerdict::invalid) {
    // One broken message is dropped, a third in a row is a broken tracker.
    if (++bad_detections >= 3 && !has_stopped) stop(StopCause::sensor_invalid);
    return;
  }
  bad_detections = 0;
  if (verdict != DetectionVerdict::accepted) return;
  command.person_seen = true;
  seen_at = now;
  const Eigen::Vector3d hip = track.pelvis();
  const double height = std::clamp((track.head().z() - hip.z()) / 0.44, 1.2, 2.2);
  const Eigen::AngleAxisd turn(track.yaw(), Eigen::Vector3d::UnitZ());
  const Eigen::Matrix3d R_WP = turn.toRotationMatrix();
  std::array<Eigen::Vector3d, 2> hands;
  hands[0] = R_WP.transpose() * (track.region(BodyRegion::right_hand) - hip);
  hands[1] = R_WP.transpose() * (track.region(BodyRegion::left_hand) - hip);
  const SeatedFigure figure = seated_figure(height, hip.z(), hands);
  for (int k = 0; k < kBodyParts; ++k) {
    const Capsule& part = figure.parts_P[at(k)];
    around.capsules[at(k)] = {hip + R_WP * part.a, hip + R_WP * part.b, part.radius};
    around.is_on[at(k)] = true;
  }
  const RobotFrame& tablet = robot.frames[at(setup.tablet)];
  const Eigen::Vector3d to_tablet = measured_state.point(tablet.segment, tablet.X_SF.p()) - track.head();
  command.tablet_angle = std::acos(std::clamp(track.face().dot(to_tablet.normalized()), -1.0, 1.0));
}

// Tracking errors against what was learned.
void Controller::Core::compare() {
  for (int j = 0; j < joints; ++j) {
    const int i = j + kBaseFreedoms;
    watch.add(j, {q[i] - q_measured[i], v[i] - v_measured[i]}, {v[i], a[i], tau[i]}, share[at(j)]);
    past_measured[at(past)][at(j)] = q_measured[i];
    past_reference[at(past)][at(j)] = q[i];
  }
  watch.next_tick();
  past = (past + 1) % kRemembered;
  for (int i = 0; i < kBaseFreedoms; ++i) base_residual[i] += 0.3 * (q[i] - q_measured[i] - base_residual[i]);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    command.residual[k] = watch.load(contacts[k].watched);
    command.filtered[k] = watch.filtered_load(contacts[k].watched);
    command.touching[k] = contacts[k].detected && !contacts[k].removed;
  }
}

void Controller::Core::act() {
  if (is_soft) {
    soften();
    return;
  }
  choose_tasks();
  const ProgramStatus status = whole_body.solve(q, v, tasks, around, infeasible);
  command.qp = status == ProgramStatus::solved       ? QpStatus::solved
               : status == ProgramStatus::infeasible ? QpStatus::infeasible
                                                     : QpStatus::unsolved;
  a = whole_body.acceleration();  // full braking where there is no solution
  if (status != ProgramStatus::solved && !has_stopped) stop(StopCause::qp_infeasible);
  if (status != ProgramStatus::solved && has_stopped) is_soft = true;
  tau = whole_body.state().mass_matrix() * a + whole_body.state().bias();
}

void Controller::Core::write_command() {
  for (int j = 0; j < joints; ++j) {
    const int i = j + kBaseFreedoms;
    const double effort = robot.joints[at(j)].effort;
    command.q[at(j)] = q[i], command.v[at(j)] = v[i], command.a[at(j)] = a[i];
    command.tau[at(j)] = std::clamp(tau[i], -effort, effort);
    const bool is_limb = !is_trunk[at(i)];
    command.stiffness[at(j)] = !is_limb ? 1.0 : is_soft ? 0.04 : share[at(j)];
  }
  command.base = q.head<3>(), command.base_rate = v.head<3>(), command.base_acceleration = a.head<3>();
  command.base_force = tau.head<3>();
  command.state = state;
  command.contact = contact;
  if (has_stopped) command.stop = cause;
  command.is_at_rest = v.cwiseAbs().maxCoeff() < 2e-3;
}

void Controller::Core::advance() {
  const double dt =
      is_soft ? std::clamp(gap, period, 10.0 * period) : period;  // soft after late ticks: they may stay late
  q += dt * v + 0.5 * dt * dt * a;
  v += dt * a;
  if (!is_soft) return;
  // Soft limbs: the reference is where the joint is.
  for (int i = kBaseFreedoms; i < n; ++i)
    if (!is_trunk[at(i)])
      q[i] = std::clamp(q_measured[i], whole_body.lower(i), whole_body.upper(i)), v[i] = 0.0;
}

Controller::Controller(const Scenario& scenario, const ObserverModel& observer)
    : core_(std::make_unique<Core>(scenario, observer)) {}
Controller::~Controller() = default;
Controller::Controller(Controller&&) noexcept = default;
Controller& Controller::operator=(Controller&&) noexcept = default;

const Command& Controller::tick(const Sensors& sensors) noexcept { return core_->tick(sensors); }
int Controller::joint_count() const { return core_->joints; }
std::string_view Controller::joint_name(int joint) const { return core_->robot.joints[at(joint)].name; }
double Controller::period_s() const { return core_->period; }
int Controller::variables() const { return core_->whole_body.variables(); }
int Controller::rows() const { return core_->whole_body.rows(); }
std::array<int, 4> Controller::widened_rows() const {
  const WidenedRows& rows = core_->whole_body.widened();
  return {rows.torque, rows.tipping, rows.distance, rows.other};
}
double Controller::self_distance_m() const { return core_->whole_body.self_distance(); }
void Controller::make_infeasible(bool infeasible) { core_->infeasible = infeasible; }

}  // namespace prehend::assist
