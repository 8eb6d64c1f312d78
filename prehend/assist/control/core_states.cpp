#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include <prehend/assist/control/core.h>
#include <prehend/math/angles.h>

namespace prehend::assist {
namespace {

std::size_t place(int index) { return static_cast<std::size_t>(index); }

constexpr double kNeckPosture = 0.02;   // of the posture's weight: the neck belongs to the eyes
constexpr double kTrunkPosture = 10.0;  // of the posture's weight: arms reach first, the trunk helps
// Share of the watched joint's stiffness while it waits for a hand, or moves towards one: it feels more and presses less. Chosen on 60 people other than those of the
// test; 0.38 noticed a hand on a palm near its own shoulder after 0.16 s.
constexpr double kSoftWaiting = 0.28, kSoftTouching = 0.6;
constexpr double kStiffArm = 20.0;  // of the posture's weight, for the arm that touches
constexpr double kStandOff = 0.08;  // [m] from the region before the approach
constexpr double kBeyond = 0.1;     // [m] past where the region was seen: further than its error
constexpr double kFreeSpeed = 0.22, kFreeAcceleration = 0.5;  // [m/s], [m/s^2] of a hand in the open
constexpr double kBackSpeed = 0.08;                           // [m/s] of a hand that leaves the person
constexpr double kOfferReach = 0.55;  // of a straight arm: nearer, the elbow comes to its end
constexpr double kClose = 0.012;      // [m] a hand has arrived
constexpr double kOfferClose = 0.03;  // [m] an offered hand: the person comes to it, wherever it stands
constexpr double kReadyTime = 5.0;  // [s] to the place beside the own chest, twice what the longest way takes
constexpr double kSettling = 0.25;  // [s] of a servo at its new stiffness
constexpr double kZeroTime =
    0.5;  // [s] in which the load's zero follows: five times as long as a touch takes to be noticed
constexpr int kImplausible =
    5;  // ticks that a load may look like no touch: the first instants of one are an impact, not a balance of torques
constexpr double kBeside =
    1.7;  // [rad] around the person from their front: the straight way would lead over their legs
constexpr double kArc = 0.5;  // [rad] to the next point of the circle
constexpr double kLeastRadius =
    0.95;  // [m] of the circle: the robot's own reach of 0.35 m, arms folded, and a seated person's of 0.5 m
constexpr double kSearchTurn =
    1.1;  // [rad] to each side: with half of the picture beyond, what is beside the robot
constexpr double kSearchStiffness =
    20.0;  // both sides within the five seconds: the neck turns as fast as it may
constexpr double kSearchLead =
    0.8;  // [rad] of the point that is looked at before the camera's axis: it stays in the picture
constexpr double kSearchRange = 2.0, kSeatedHead = 1.2;  // [m] away, above the floor
constexpr double kFirmLook = 2;                          // detections that say "looked"

constexpr char kThanks[] = "Thank you. I am moving away now.";
constexpr char kTakeHand[] = "Please take your hand back. I am removing my hands now.";
constexpr char kNoAnswer[] = "I see that this is not a good moment. I will not touch you and move away.";

}  // namespace

Eigen::Vector3d Controller::Core::in_base(const Eigen::Vector3d& p_B) const {
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  return {q[0] + c * p_B.x() - s * p_B.y(), q[1] + s * p_B.x() + c * p_B.y(), p_B.z()};
}

// Where the base shall stand: in front of the person and aside, turned to them. The source's (3) does not fit the convention of its (2): with
// poses composed as there, the error is (cXb*)^-1 cXb.
Eigen::Vector3d Controller::Core::base_target(double forward) const {
  double side = -1.0;  // the person's right
  for (const ContactRun& run : contacts) {
    const bool is_right =
        run.spec->region == BodyRegion::right_shoulder || run.spec->region == BodyRegion::right_hand;
    side = is_right ? -1.0 : 1.0;
    break;
  }
  const double aside = side * scenario.tuning.target_aside_m, yaw = track.yaw();
  const double c = std::cos(yaw), s = std::sin(yaw);
  const double x = track.pelvis().x() + c * forward - s * aside,
               y = track.pelvis().y() + s * forward + c * aside;
  // Facing a point of the chest between the middle and the near shoulder.
  const double chest = 0.08 * side;
  const double cx = track.pelvis().x() - s * chest, cy = track.pelvis().y() + c * chest;
  const double near = scenario.tuning.target_forward_m;
  const double nx = track.pelvis().x() + c * near - s * aside, ny = track.pelvis().y() + s * near + c * aside;
  return {x, y, std::atan2(cy - ny, cx - nx)};
}

void Controller::Core::choose_tasks() {
  const StateSettings& settings = scenario.tuning.states[place(static_cast<int>(state))];
  tasks.posture_stiffness = settings.posture_stiffness;
  for (int i = kBaseFreedoms; i < n; ++i)
    tasks.posture_weight[i] = settings.posture_weight * (is_trunk[place(i)] ? kTrunkPosture : 1.0);
  for (const int joint : setup.whole_body.neck)
    tasks.posture_weight[joint + kBaseFreedoms] = kNeckPosture * settings.posture_weight;
  tasks.posture = posture;
  if (state == StateName::MakeContact) {  // the watched joint moves the palm, the rest of its arm stays
    const ContactRun& run = contacts[place(contact)];
    for (int i = kBaseFreedoms; i < n; ++i)
      if (whole_body.state().moves(i, run.segment) && i != run.watched + kBaseFreedoms)
        tasks.posture_weight[i] *= kStiffArm;
  }
  tasks.base_weight = settings.base_weight, tasks.base_stiffness = settings.base_stiffness;
  tasks.com_weight = settings.com_weight, tasks.com_stiffness = settings.com_stiffness;
  tasks.base_brakes = base_stands;
  tasks.all_brake = false;
  tasks.look_weight = settings.look_weight, tasks.look_stiffness = settings.look_stiffness;
  choose_gaze();
  if (has_stopped) safe_stop();
  for (int h = 0; h < kMaxHands; ++h) {
    HandTask& hand = tasks.hands[place(h)];
    hand.is_on = hand_on[place(h)];
    hand.weight = settings.hand_weight, hand.stiffness = settings.hand_stiffness;
    hand.goal_W = goals[place(h)].p, hand.speed_W = goals[place(h)].v;
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ContactRun& run = contacts[k];
    tasks.hands[place(run.hand)].segment = run.segment;
    tasks.hands[place(run.hand)].p_S = run.p_S;
    const bool may_touch =
        (state == StateName::MakeContact && contact == static_cast<int>(k)) || (run.detected && !run.removed);
    around.touchable_by[static_cast<std::size_t>(part_of(run.spec->region))] = may_touch ? run.segment : -1;
  }
}

// At the person's head; where it is not seen, around where it was; nobody seen yet: to one side, then to the other.
void Controller::Core::choose_gaze() {
  const double blind = now - seen_at;
  const bool searches = blind > scenario.tuning.vision_short_s;
  tasks.looks = !has_stopped && (track.is_known() || searches);
  if (track.is_known()) {
    tasks.look_at_W = track.head();
    if (searches)
      tasks.look_at_W += 0.35 * std::sin(2.0 * blind) * Eigen::Vector3d(-std::sin(q[2]), std::cos(q[2]), 0.0);
  } else if (searches) {
    const RobotFrame& camera = robot.frames[place(setup.camera)];
    const Eigen::Vector3d ahead = whole_body.state().R(camera.segment) * camera.X_SF.R().col(2);
    const double side = blind < 0.45 * scenario.tuning.vision_long_s ? 1.0 : -1.0,
                 now_at = std::atan2(ahead.y(), ahead.x());
    const double turn =
        now_at + std::clamp(std::remainder(q[2] + side * kSearchTurn - now_at, 2.0 * math::kPi), -kSearchLead,
                            kSearchLead);
    tasks.look_stiffness = kSearchStiffness;
    tasks.look_at_W = {q[0] + kSearchRange * std::cos(turn), q[1] + kSearchRange * std::sin(turn),
                       kSeatedHead};
  }
}

void Controller::Core::run_state() {
  if (has_stopped) return;
  const bool is_late = now - state_at > table.row(state).timeout_s;
  if (is_late) {
    late();
    return;
  }
  switch (state) {
    case StateName::InitialPosture:
      return initial_posture();
    case StateName::NavigateToHuman:
      return navigate();
    case StateName::IntentCommunication:
      return communicate();
    case StateName::PreContact:
      return pre_contact();
    case StateName::MakeContact:
      return make_contact();
    case StateName::RemoveContacts:
      return remove_contacts();
    case StateName::MoveAway:
      return move_away();
    case StateName::SafeStop:
      return;
  }
}

// The time limit: ask again where the table says so, else what it says comes then.
void Controller::Core::late() {
  const StateRow& row = table.row(state);
  if (asked < row.retries) {
    const int again = asked + 1;
    command.ended = StateEnd::retry;
    enter(state, contact);
    asked = again;
    return;
  }
  if (row.late == StateName::SafeStop) {
    stop(StopCause::timeout);
    command.ended = StateEnd::timeout;
    return;
  }
  command.ended = StateEnd::timeout;
  declined = true;
  command.say = kNoAnswer;
  enter(row.late, -1);
}

void Controller::Core::finish(StateEnd end) {
  command.ended = end;
  const StateRow& row = table.row(state);
  if (row.after_done == Successor::completed) {
    command.outcome = declined ? TrialOutcome::declined : TrialOutcome::completed;
    return;
  }
  if (state == StateName::RemoveContacts && returns) {
    returns = false;
    for (ContactRun& run : contacts) run.detected = run.removed = false;
    enter(StateName::NavigateToHuman, -1);
    return;
  }
  if (row.after_done == Successor::next_contact) {
    const bool is_last = contact + 1 >= static_cast<int>(contacts.size());
    enter(is_last ? StateName::RemoveContacts : row.done, is_last ? -1 : contact + 1);
    return;
  }
  const bool has_contact = row.done == StateName::IntentCommunication || row.done == StateName::PreContact ||
                           row.done == StateName::MakeContact;
  enter(has_contact && contacts.empty() ? StateName::RemoveContacts : row.done,
        has_contact ? std::max(0, contact) : -1);
}

void Controller::Core::enter(StateName next, int next_contact) {
  state = next, contact = next_contact;
  state_at = now;
  asked = 0, looked = false;
  base_stands = true;
  posture = upright;
  for (ContactRun& run : contacts) run.phase_at = now;
  if (contact >= 0) contacts[place(contact)].phase = 0;
  if (state == StateName::RemoveContacts) {
    for (ContactRun& run : contacts) run.phase = 0;
    if (!returns && !declined) command.say = kTakeHand;
  }
  if (state == StateName::MoveAway) {
    const Eigen::Vector3d out(std::cos(track.yaw()), std::sin(track.yaw()), 0.0);
    away = Eigen::Vector3d(q[0], q[1], q[2]) + scenario.tuning.away_m * out;
    if (!declined) command.say = kThanks;
  }
}

void Controller::Core::initial_posture() {
  double most = 0.0;
  for (int i = kBaseFreedoms; i < n; ++i) {
    bool is_neck = false;
    for (const int joint : setup.whole_body.neck) is_neck = is_neck || joint + kBaseFreedoms == i;
    if (!is_neck) most = std::max(most, std::abs(upright[i] - q_measured[i]));
  }
  if (most < scenario.tuning.posture_done_rad && track.is_known()) finish(StateEnd::done);
}

// Aside first, then straight in: the way keeps off the person's legs.
void Controller::Core::navigate() {
  base_stands = now - seen_at > scenario.tuning.vision_short_s || !track.is_known();
  if (!track.is_known()) return;
  const Eigen::Vector3d goal = base_target(scenario.tuning.target_forward_m);
  const double c = std::cos(goal[2]), s = std::sin(goal[2]);
  const Eigen::Vector2d off(q_measured[0] - goal[0], q_measured[1] - goal[1]);
  const double turn = std::remainder(q_measured[2] - goal[2], 2.0 * math::kPi);
  command.navigation_error = Eigen::Vector3d(c * off.x() + s * off.y(), -s * off.x() + c * off.y(), turn);
  const double across = std::abs(-std::sin(track.yaw()) * off.x() + std::cos(track.yaw()) * off.y());
  const double far = std::min(0.45, 1.5 * std::max(0.0, across - 0.04));
  tasks.base_goal = base_target(scenario.tuning.target_forward_m + far);
  go_around();
  if (base_stands || off.norm() > scenario.tuning.navigation_done_m ||
      std::abs(turn) > scenario.tuning.navigation_done_rad)
    return;
  if (v.head<2>().norm() > 0.03 || std::abs(v[2]) > 0.1) return;
  anchor = track.pelvis();
  finish(StateEnd::done);
}

// From behind the person or beside them: on a circle around them to their front, facing them.
void Controller::Core::go_around() {
  const Eigen::Vector2d off = q_measured.head<2>() - track.pelvis().head<2>();
  const double angle =
      std::remainder(std::atan2(off.y(), off.x()) - track.yaw(), 2.0 * math::kPi);  // 0: before the person
  const Eigen::Vector2d front = (base_target(scenario.tuning.target_forward_m) - track.pelvis()).head<2>();
  const double goal = std::remainder(std::atan2(front.y(), front.x()) - track.yaw(), 2.0 * math::kPi);
  if (std::abs(angle) < kBeside) return;
  const double ahead =
                   track.yaw() + angle + std::copysign(kArc, std::remainder(goal - angle, 2.0 * math::kPi)),
               radius = std::clamp(off.norm(), kLeastRadius, kLeastRadius + 0.3);
  tasks.base_goal = {track.pelvis().x() + radius * std::cos(ahead),
                     track.pelvis().y() + radius * std::sin(ahead), ahead + math::kPi};
}

void Controller::Core::communicate() {
  ContactRun& run = contacts[place(contact)];
  if (run.phase == 0) {  // asked once per entry
    command.say = run.spec->say, command.show = run.spec->picture;
    goals[place(run.hand)] = {whole_body.state().point(run.segment, run.p_S), Eigen::Vector3d::Zero()};
    asked_at = now;
    run.phase = 1;
  }
  // A gesture: the hand that will act points at the tablet.
  const RobotFrame& tablet = robot.frames[place(setup.tablet)];
  const Eigen::Vector3d at_tablet =
      whole_body.state().R(0).transpose() *
      (whole_body.state().point(tablet.segment, tablet.X_SF.p()) - whole_body.state().p(0));
  hand_on[place(run.hand)] = true;
  goals[place(run.hand)].step(in_base(at_tablet + Eigen::Vector3d(0.14, 0.12 * run.side, -0.04)),
                              {kFreeSpeed, kFreeAcceleration}, period);
  if (command.tablet_angle && *command.tablet_angle < scenario.tuning.look_rad && now - asked_at > 0.3)
    run.phase = std::min(9, run.phase + 1);
  looked = looked || run.phase > kFirmLook;
  if (looked && now - state_at >= scenario.tuning.intent_s) finish(StateEnd::done);
}

// A trunk that bends after the other hand brings this arm's shoulder near its palm: then further out, half ahead and half to the arm's side, past the way of the
// person's hand.
Eigen::Vector3d Controller::Core::off_the_shoulder(const ContactRun& run, const Eigen::Vector3d& p_W) const {
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  const Eigen::Vector3d out = p_W - whole_body.state().p(run.root + 1);
  const Eigen::Vector3d way = Eigen::Vector3d(c - run.side * s, s + run.side * c, 0.0).normalized();
  const double along = out.dot(way), least = kOfferReach * run.reach,
               missing = least * least - out.squaredNorm();
  return missing > 0.0 ? Eigen::Vector3d(p_W + (std::sqrt(along * along + missing) - along) * way) : p_W;
}

// The way of the last centimetres: as the watched joint alone would move the palm, so that it feels the touch most; turned a little along the reach of
// the arm and down onto the region. Where the joint would move it the other way or hardly at all, along the reach and down.
void Controller::Core::plan_touch(ContactRun& run) {
  const Eigen::Vector3d centre = track.region(run.spec->region), root = whole_body.state().p(run.root + 1);
  const Eigen::Vector3d reach = (centre - root).normalized();
  Eigen::Vector3d down = -Eigen::Vector3d::UnitZ() + reach.z() * reach;
  down = down.norm() > 1e-3 ? down.normalized() : reach;
  const Eigen::Vector3d plain = (0.5 * reach + 0.866 * down).normalized();
  Eigen::Vector3d turned = Eigen::Vector3d::Zero();
  PointJacobian J;
  whole_body.state().point_jacobian(run.watched + 1, centre, J);
  if (J.col(run.watched + kBaseFreedoms).norm() > 0.05)
    turned = J.col(run.watched + kBaseFreedoms).normalized();
  const double along = turned.dot(plain);
  run.direction_W =
      std::abs(along) > 0.4
          ? Eigen::Vector3d((0.8 * (along > 0.0 ? 1.0 : -1.0) * turned + 0.2 * plain).normalized())
          : plain;
  const double thick =
      around.capsules[static_cast<std::size_t>(part_of(run.spec->region))].radius + run.palm_radius;
  const Eigen::Vector3d touch = centre - thick * run.direction_W;
  run.pre_W = touch - kStandOff * run.direction_W;
  run.end_W = touch + kBeyond * run.direction_W;
  if (run.spec->invites) {
    const double up = track.pelvis().z() + 0.155 * (track.head().z() - track.pelvis().z()) / 0.44;
    run.pre_W = off_the_shoulder(run, in_base({0.28, 0.14 * run.side, up}));
    run.end_W = run.pre_W;
    run.direction_W = -Eigen::Vector3d::UnitZ();
  }
}

void Controller::Core::pre_contact() {
  ContactRun& run = contacts[place(contact)];
  MovingGoal& goal = goals[place(run.hand)];
  if (!hand_on[place(run.hand)])
    goal = {whole_body.state().point(run.segment, run.p_S), Eigen::Vector3d::Zero()};
  hand_on[place(run.hand)] = true;
  plan_touch(run);
  if (now - seen_at > scenario.tuning.vision_short_s) {  // wait for the eyes
    goal.step(goal.p, {kFreeSpeed, kFreeAcceleration}, period);
    return;
  }
  // First beside the own chest and up, then out: never through the person's lap.
  const Eigen::Vector3d ready = in_base({0.22, 0.25 * run.side, std::clamp(run.pre_W.z() - 0.05, 0.6, 1.0)});
  const Eigen::Vector3d target = run.phase == 0 && !run.spec->invites ? ready : run.pre_W;
  goal.step(target, {kFreeSpeed, kFreeAcceleration}, period);
  const Eigen::Vector3d hand = whole_body.state().point(run.segment, run.p_S);
  const bool is_there = (hand - target).norm() < (run.phase == 0      ? 5.0 * kClose
                                                  : run.spec->invites ? kOfferClose
                                                                      : kClose);
  const bool stands = whole_body.state().point_velocity(run.segment, hand).norm() < 0.02;
  if (is_there && run.phase == 0) {
    run.phase = 1;
  } else if (is_there && stands) {
    finish(StateEnd::done);
  }
}

// speed x sqrt(stiffness x effective mass) stays below the force; the arm's mass as its hand shows it in that direction.
double Controller::Core::approach_speed(const ContactRun& run) {
  const RobotState& state_now = whole_body.state();
  PointJacobian J;
  state_now.point_jacobian(run.segment, state_now.point(run.segment, run.p_S), J);
  Freedoms row = J.transpose() * run.direction_W;
  const Freedoms moved = state_now.mass_matrix().llt().solve(row);
  const double mass = 1.0 / std::max(1e-6, row.dot(moved));
  const RegionLimits limits = region_limits(run.spec->region);
  const double together = mass * limits.effective_mass_kg / (mass + limits.effective_mass_kg);
  const double force = std::min(scenario.tuning.approach_force_N, 0.5 * run.spec->limit_N);
  return std::min(scenario.tuning.approach_speed_mps, force / std::sqrt(limits.stiffness_Npm * together));
}

void Controller::Core::make_contact() {
  ContactRun& run = contacts[place(contact)];
  MovingGoal& goal = goals[place(run.hand)];
  hand_on[place(run.hand)] = true;
  const bool sees = now - seen_at <= scenario.tuning.vision_short_s;
  if (run.phase == 0) {
    run.speed = approach_speed(run);
    watch.forget(run.watched);
    run.implausible = 0;
    share[place(run.watched)] = run.spec->invites ? kSoftWaiting : kSoftTouching;
    posture = q;
    run.phase = 1;
  }
  if (run.phase == 1) {
    const Eigen::Vector3d target = run.spec->invites || !sees ? goal.p : run.end_W;
    goal.step(target, {run.speed, 0.5}, period);
    const bool has_settled = now - state_at > kSettling;
    const double zero = std::min(1.0, period / (has_settled ? kZeroTime : 0.2 * kZeroTime));
    for (int i = kBaseFreedoms; i < n; ++i)
      if (!is_trunk[place(i)] && whole_body.state().moves(i, run.segment))
        watch.settle(i - kBaseFreedoms, share[place(i - kBaseFreedoms)], zero);
    if (!has_settled) return;
    const bool is_loaded = std::abs(watch.filtered_load(run.watched)) >= run.spec->threshold_rad;
    run.implausible = is_loaded && !is_touch_plausible(run) ? run.implausible + 1 : 0;
    if (run.implausible > kImplausible) return stop(StopCause::joint_stuck);
    if (!is_loaded || run.implausible > 0) return;
    if (!run.spec->invites && std::abs(touch_offset(run)) > touch_tolerance + run.hand_extent)
      return stop(StopCause::unexpected_contact);
    run.phase = 2;
    run.detected = true, run.removed = false;
    run.detected_at = now;
    goal = {whole_body.state().point(run.segment, run.p_S), 0.3 * goal.v};
  }
  goal.step(goal.p, {run.speed, 1.5}, period);
  if (run.gripper >= 0) {  // slightly, as a person would
    const RobotJoint& joint = robot.joints[place(run.gripper)];
    posture[run.gripper + kBaseFreedoms] =
        0.5 * (std::abs(joint.lower) > std::abs(joint.upper) ? joint.lower : joint.upper);
  }
  if (now - run.detected_at >= run.spec->hold_s) finish(StateEnd::done);
}

// [m] How much before the place where the region is seen the palm was stopped, along its way; below zero: after it. A tracker that is off, or another part of the person, shows here.
double Controller::Core::touch_offset(const ContactRun& run) const {
  const double thick =
      around.capsules[static_cast<std::size_t>(part_of(run.spec->region))].radius + run.palm_radius;
  return (track.region(run.spec->region) - whole_body.state().point(run.segment, run.p_S))
             .dot(run.direction_W) -
         thick;
}

// A touch at the palm loads all joints of the arm by their levers; a joint that is stuck shows alone.
bool Controller::Core::is_touch_plausible(const ContactRun& run) const {
  const RobotState& state_now = whole_body.state();
  PointJacobian J;
  state_now.point_jacobian(run.segment, state_now.point(run.segment, run.p_S), J);
  const int w = run.watched + kBaseFreedoms;
  const Freedoms lever = J.transpose() * run.direction_W;
  if (std::abs(lever[w]) < 0.02) return true;
  const double force =
      share[place(run.watched)] * gains.stiffness[w] * watch.filtered_load(run.watched) / lever[w];
  double seen = 0.0, expected = 0.0;
  for (int i = kBaseFreedoms; i < n; ++i) {
    if (i == w || is_trunk[place(i)]) continue;
    const double would = lever[i] * force / gains.stiffness[i];
    seen += would * watch.filtered_load(i - kBaseFreedoms), expected += would * would;
  }
  return expected < 1e-5 || seen > 0.25 * expected;
}

void Controller::Core::remove_contacts() {
  bool is_done = true;
  for (int k = static_cast<int>(contacts.size()) - 1; k >= 0; --k) {
    ContactRun& run = contacts[place(k)];
    if (!hand_on[place(run.hand)] && run.phase < 3) run.phase = 3;
    if (run.phase >= 3) {
      run.removed = true;
      share[place(run.watched)] = 1.0;
      continue;
    }
    is_done = false;
    MovingGoal& goal = goals[place(run.hand)];
    const bool touches = run.detected && !run.removed;
    const Eigen::Vector3d hand = whole_body.state().point(run.segment, run.p_S);
    if (run.phase == 0) {
      const Eigen::Vector3d back =
          run.spec->invites
              ? off_the_shoulder(run, run.pre_W + 0.18 * (in_base({0, 0, run.pre_W.z()}) - run.pre_W) -
                                          Eigen::Vector3d(0, 0, 0.06))
              : run.pre_W;
      const double wait = run.spec->invites && touches ? 1.5 : 0.3;  // for the person to take the hand away
      if (!touches) {
        run.phase = 1, run.phase_at = now;
      } else if (now - run.phase_at > wait) {
        goal.step(back, {kBackSpeed, 0.4}, period);
        if ((hand - back).norm() < 2.0 * kClose) run.phase = 1, run.phase_at = now;
      }
      break;
    }
    const Eigen::Vector3d ready = in_base(
        {0.22, 0.25 * run.side, std::clamp(run.pre_W.z() - 0.05, run.spec->invites ? 0.7 : 0.6, 1.0)});
    goal.step(ready, {kFreeSpeed, kFreeAcceleration}, period);
    // An arm at its joints' ends may not get there; off the person, its posture alone takes it home.
    if ((hand - ready).norm() < 4.0 * kClose || now - run.phase_at > kReadyTime) {
      run.phase = 3, run.removed = true;
      hand_on[place(run.hand)] = false;
    }
    for (int j = 0; j < k; ++j) contacts[place(j)].phase_at = now;
    break;  // one by one
  }
  double off = 0.0;
  for (int i = kBaseFreedoms; i < n; ++i)
    off = std::max(off, std::abs(posture[i] - q[i]) * (tasks.posture_weight[i] > 1.0));
  if (is_done && off < 0.25) finish(StateEnd::done);
}

void Controller::Core::move_away() {
  base_stands = now - seen_at > scenario.tuning.vision_short_s;
  tasks.base_goal = away;
  for (std::size_t h = 0; h < kMaxHands; ++h) hand_on[h] = false;
  if (std::hypot(q[0] - away.x(), q[1] - away.y()) < 0.05 && v.head<2>().norm() < 0.02)
    finish(StateEnd::done);
}

}  // namespace prehend::assist
