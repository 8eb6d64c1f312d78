#include <algorithm>
#include <cmath>

#include <prehend/assist/world/trial_world.h>
#include <prehend/math/angles.h>

namespace prehend::assist {
namespace {

constexpr double kEncoderNoise = 2e-4;   // [rad]
constexpr double kSpeedNoise = 2e-3;     // [rad/s]
constexpr double kOdometryNoise = 1e-4;  // [m], [rad]

Freedoms start_of(const Scenario& scenario, const RobotSetup& setup) {
  math::RandomStream random(scenario.seed, 3);
  Freedoms q = setup.whole_body.upright;
  for (int i = kBaseFreedoms; i < q.size(); ++i) {
    const RobotJoint& joint = setup.robot.joints[static_cast<std::size_t>(i - kBaseFreedoms)];
    const double off = random.uniform(-0.15, 0.15);
    q[i] = std::clamp(q[i] + off, joint.lower + 0.04, std::max(joint.lower + 0.04, joint.upper - 0.04));
  }
  return q;
}

}  // namespace

TrialWorld::TrialWorld(const Scenario& scenario)
    : scenario_(scenario),
      setup_(setup_robot(scenario_)),
      robot_(setup_.robot, servo_gains(setup_.robot, setup_.whole_body.upright),
             {start_of(scenario_, setup_), setup_.whole_body.period, physics_steps(setup_.whole_body.period),
              1, scenario.robot.acceleration_mps2, scenario.robot.turn_acceleration_radps2}),
      person_(scenario_.person, scenario_.seed),
      tracker_(scenario_.sensing, scenario_.seed),
      random_(scenario_.seed, 21),
      pairs_(std::make_unique<WholeBody>(setup_.robot, setup_.whole_body)),
      contacts_(scenario_.contacts.size()) {
  for (const FaultSpec& fault : scenario_.faults) faults_.push_back({.spec = fault});
}

math::Pose TrialWorld::camera() const {
  const RobotFrame& frame = setup_.robot.frames[static_cast<std::size_t>(setup_.camera)];
  const math::Pose X_WS(truth().R(frame.segment), truth().p(frame.segment));
  return X_WS * frame.X_SF;
}

Eigen::Vector3d TrialWorld::tablet() const {
  const RobotFrame& frame = setup_.robot.frames[static_cast<std::size_t>(setup_.tablet)];
  return truth().point(frame.segment, frame.X_SF.p());
}

std::vector<std::string> TrialWorld::notes() const {
  std::vector<std::string> notes = setup_.robot.notes;
  std::string names;
  for (const WholeBody::Pair& pair : pairs_->unwatched()) {
    const auto link = [&](int capsule) {
      return setup_.robot.capsules[static_cast<std::size_t>(capsule)].link;
    };
    const std::string both = link(pair.a) + " and " + link(pair.b);
    if (names.find(both) == std::string::npos) names += (names.empty() ? "" : ", ") + both;
  }
  if (!names.empty())
    notes.push_back("own parts that stand within 2 cm of each other upright are not kept apart: " + names);
  return notes;
}

double TrialWorld::self_distance() const {
  double least = 1.0;
  const auto capsule = [&](int k) {
    const RobotCapsule& own = setup_.robot.capsules[static_cast<std::size_t>(k)];
    return Capsule{truth().point(own.segment, own.a_S), truth().point(own.segment, own.b_S), own.radius};
  };
  for (const WholeBody::Pair& pair : pairs_->pairs())
    least = std::min(least, capsule_gap(capsule(pair.a), capsule(pair.b)).distance);
  return least;
}

Sensors TrialWorld::sense() {
  Sensors sensors;
  sensors.t_s = time();
  for (int j = 0; j < setup_.robot.joint_count(); ++j) {
    const std::size_t k = static_cast<std::size_t>(j);
    sensors.q[k] = truth().q()[j + kBaseFreedoms] + kEncoderNoise * random_.normal();
    sensors.v[k] = truth().v()[j + kBaseFreedoms] + kSpeedNoise * random_.normal();
    sensors.tau[k] = torque()[j + kBaseFreedoms];
  }
  for (int i = 0; i < kBaseFreedoms; ++i) {
    sensors.base[i] = truth().q()[i] + kOdometryNoise * random_.normal();
    sensors.base_rate[i] = truth().v()[i] + kOdometryNoise * random_.normal();
  }
  tracker_.look(time(), camera(), person_, tracker_faults_);
  sensors.person = tracker_.arrived(time());
  spoil(sensors);
  return sensors;
}

// The fault sensor_nan: the signal is named like the trace's column that shows its truth.
void TrialWorld::spoil(Sensors& sensors) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const FaultRun& fault : faults_) {
    if (!fault.is_on || fault.spec.kind != FaultKind::sensor_nan) continue;
    const std::string& signal = fault.spec.signal;
    for (int j = 0; j < setup_.robot.joint_count(); ++j) {
      const std::size_t k = static_cast<std::size_t>(j);
      const std::string& name = setup_.robot.joints[k].name;
      if (signal == "q_" + name) sensors.q[k] = nan;
      if (signal == "v_" + name) sensors.v[k] = nan;
      if (signal == "tau_" + name) sensors.tau[k] = nan;
    }
    const char* const base[] = {"base_x", "base_y", "base_yaw"};
    const char* const rate[] = {"base_vx", "base_vy", "base_wz"};
    for (int i = 0; i < 3; ++i) {
      if (signal == base[i]) sensors.base[i] = nan;
      if (signal == rate[i]) sensors.base_rate[i] = nan;
    }
    if (signal == "t") sensors.t_s = nan;
    for (std::size_t c = 0; c < scenario_.contacts.size(); ++c) {
      const ContactSpec& contact = scenario_.contacts[c];
      if (signal == "r_" + contact.name || signal == "rf_" + contact.name)
        sensors.q[static_cast<std::size_t>(setup_.contacts[c].watched)] = nan;
    }
    if (!sensors.person) continue;
    const bool is_head = signal.starts_with("head_"), is_face = signal == "tablet_angle";
    const bool is_pelvis = signal.starts_with("person_") || signal.starts_with("e_") || signal == "seen";
    if (is_head) sensors.person->head_C.setConstant(nan);
    if (is_face) sensors.person->face_C.setConstant(nan);
    if (is_pelvis) sensors.person->regions_C[0].setConstant(nan), sensors.person->head_C.setConstant(nan);
  }
}

bool TrialWorld::is_active(FaultKind kind) const {
  return std::any_of(faults_.begin(), faults_.end(),
                     [&](const FaultRun& fault) { return fault.is_on && fault.spec.kind == kind; });
}

double TrialWorld::overrun_s() const {
  double delay = 0.0;
  for (const FaultRun& fault : faults_)
    if (fault.is_on && fault.spec.kind == FaultKind::tick_overrun)
      delay = std::max(delay, 1e-3 * fault.spec.delay_ms);
  return delay;
}

void TrialWorld::set_fault(FaultRun& fault, bool on) {
  fault.is_on = on;
  switch (fault.spec.kind) {
    case FaultKind::vision_lost:
      tracker_faults_.is_lost = on;
      break;
    case FaultKind::tracker_frozen:
      tracker_faults_.is_frozen = on;
      break;
    case FaultKind::tracker_jump: {
      // Away from the robot: the direction in which a robot that believes it drives into the person.
      Eigen::Vector3d out = person_.pelvis() - truth().p(0);
      out.z() = 0.0;
      tracker_faults_.jump_W =
          on ? Eigen::Vector3d(fault.spec.offset_m * out.normalized()) : Eigen::Vector3d::Zero();
      break;
    }
    case FaultKind::person_steps_back:
      if (on) person_.step_back(fault.spec.distance_m, fault.spec.speed_mps);
      break;
    case FaultKind::joint_stuck:
      robot_.set_stuck(setup_.robot.find_joint(fault.spec.joint), on);
      break;
    case FaultKind::person_pushes:
    case FaultKind::qp_infeasible:
    case FaultKind::sensor_nan:
    case FaultKind::tick_overrun:
      break;
  }
}

void TrialWorld::update_faults(const Command& command, std::vector<InjectedFault>& injected) {
  if (command.state != state_ || command.contact != contact_ || command.ended) {
    state_ = command.state, contact_ = command.contact, state_at_ = time();
    for (FaultRun& fault : faults_)
      if (fault.begins >= 0.0 && !fault.is_on) fault.begins = -1.0;  // its state ended before it began
  }
  for (FaultRun& fault : faults_) {
    if (fault.is_over) continue;
    if (fault.is_on) {
      if (fault.ends >= 0.0 && time() >= fault.ends) set_fault(fault, false), fault.is_over = true;
      continue;
    }
    const bool is_here = fault.spec.state == state_ &&
                         (fault.spec.contact.empty() ||
                          (contact_ >= 0 && scenario_.contacts[static_cast<std::size_t>(contact_)].name ==
                                                fault.spec.contact));
    if (!is_here || time() < state_at_ + fault.spec.after_s - 1e-9) continue;
    fault.begins = time();
    fault.ends = fault.spec.for_s ? time() + *fault.spec.for_s : -1.0;
    set_fault(fault, true);
    injected.push_back({fault.spec.kind, state_, time()});
  }
}

// What the person does about what they see and hear.
void TrialWorld::react(const Command& command) {
  person_.set_tablet(tablet());
  if (command.state == StateName::IntentCommunication && asked_contact_ != command.contact)
    asked_contact_ = command.contact, asked_ = time();
  const bool is_asked = command.state == StateName::IntentCommunication && asked_ >= 0.0;
  const auto& looks = scenario_.person.looks_at_tablet_s;
  person_.look_at(is_asked && looks && time() - asked_ >= *looks);
  if (command.state != StateName::MakeContact) make_at_ = -1.0;
  if (command.state == StateName::MakeContact && make_at_ < 0.0) make_at_ = time();
  for (std::size_t c = 0; c < scenario_.contacts.size(); ++c) {
    const ContactSpec& spec = scenario_.contacts[c];
    if (!spec.invites) continue;
    const int hand = spec.region == BodyRegion::right_hand ? 0 : 1;
    const bool is_offered = command.state == StateName::MakeContact && command.contact == static_cast<int>(c);
    const auto& gives = scenario_.person.gives_hand_s;
    if (is_offered && gives && time() - asked_ >= *gives && time() - make_at_ > 0.3 && !command.touching[c]) {
      const ContactRun& run = setup_.contacts[c];
      person_.give_hand(hand, truth().point(run.segment, run.p_S), run.palm_radius);
    }
    const bool is_over = command.state == StateName::RemoveContacts || command.state == StateName::MoveAway ||
                         command.state == StateName::SafeStop || command.state == StateName::NavigateToHuman;
    if (is_over && time() - state_at_ > 0.6) person_.take_hand_back(hand);
  }
}

void TrialWorld::physics_step() {
  const std::vector<Touch>& touches = person_.touch(truth());
  for (ContactTruth& contact : contacts_) contact.touches = false, contact.force_W.setZero();
  for (const Touch& touch : touches) {
    robot_.add_force(touch.segment, touch.point_W, touch.force_W);
    bool is_other = true;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const ContactRun& run = setup_.contacts[c];
      const bool is_hand =
          touch.segment == run.segment ||
          (touch.segment > 0 &&
           setup_.robot.joints[static_cast<std::size_t>(touch.segment - 1)].parent == run.segment);
      if (!is_hand || touch.part != part_of(run.spec->region)) continue;
      is_other = false;
      ContactTruth& contact = contacts_[c];
      contact.touches = true;
      contact.force_W += touch.force_W, contact.point_W = touch.point_W;
      contact.f = std::max(contact.f, touch.normal_N), contact.peak = std::max(contact.peak, touch.normal_N);
      if (contact.touched_at < 0.0) contact.touched_at = time();
      contact.last_at = time();
    }
    if (is_other) other_ = std::max(other_, touch.normal_N);
  }
  for (const FaultRun& fault : faults_) {
    if (!fault.is_on || fault.spec.kind != FaultKind::person_pushes) continue;
    const RobotFrame& frame =
        setup_.robot.frames[static_cast<std::size_t>(setup_.robot.find_frame(fault.spec.link))];
    const Eigen::Vector3d at = truth().point(frame.segment, frame.X_SF.p());
    Eigen::Vector3d away = at - person_.pelvis();
    away.z() = 0.0;
    robot_.add_force(frame.segment, at, fault.spec.force_N * away.normalized());
    push_ = std::max(push_, fault.spec.force_N);
  }
  robot_.step();
  person_.step(robot_.timestep());
}

void TrialWorld::run(const Command& command, double delay_s, double duration_s) {
  for (ContactTruth& contact : contacts_) contact.f = 0.0;
  other_ = push_ = 0.0;
  const int steps = static_cast<int>(std::lround(duration_s / robot_.timestep()));
  const int late = std::min(steps, static_cast<int>(std::lround(delay_s / robot_.timestep())));
  for (int k = 0; k < steps; ++k) {
    if (k == late) robot_.command(command);
    physics_step();
  }
  if (late == steps) robot_.command(command);
}

Eigen::Vector3d TrialWorld::navigation_error() const {
  double side = -1.0;
  if (!scenario_.contacts.empty()) {
    const BodyRegion region = scenario_.contacts.front().region;
    side = region == BodyRegion::right_shoulder || region == BodyRegion::right_hand ? -1.0 : 1.0;
  }
  const double c = std::cos(person_.yaw()), s = std::sin(person_.yaw());
  const double forward = scenario_.tuning.target_forward_m, aside = side * scenario_.tuning.target_aside_m,
               chest = 0.08 * side;
  const Eigen::Vector2d pelvis = person_.pelvis().head<2>();
  const Eigen::Vector2d goal(pelvis.x() + c * forward - s * aside, pelvis.y() + s * forward + c * aside);
  const Eigen::Vector2d faced(pelvis.x() - s * chest, pelvis.y() + c * chest);
  const double yaw = std::atan2(faced.y() - goal.y(), faced.x() - goal.x());
  const Eigen::Vector2d off = truth().q().head<2>() - goal;
  return {std::cos(yaw) * off.x() + std::sin(yaw) * off.y(),
          -std::sin(yaw) * off.x() + std::cos(yaw) * off.y(),
          std::remainder(truth().q()[2] - yaw, 2.0 * math::kPi)};
}

}  // namespace prehend::assist
