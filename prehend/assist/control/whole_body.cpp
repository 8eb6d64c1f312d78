#include <algorithm>
#include <cmath>

#include <prehend/assist/control/whole_body.h>
#include <prehend/math/angles.h>
#include <prehend/math/random.h>

namespace prehend::assist {
namespace {

// The base follows its command with a small error; what is commanded stays this far inside the limits, so that what happens does.
constexpr double kBaseSpeedShare = 0.9, kBaseAccelerationShare = 0.8;
constexpr int kBaseDirections =
    12;  // sides of the polygon inside the circle of base speeds: 3.4 % less at its flattest
// [rad] References stay this far from a joint's end: a push moves the joint past its reference.
constexpr double kEndMargin = 0.03;
// [rad/s], [rad/s^2] Joints that carry more than a quarter of the robot, and the others.
constexpr double kTrunkSpeed = 0.25, kTrunkDeceleration = 1.0, kLimbSpeed = 0.9, kLimbDeceleration = 5.0;
// Share of a motor's torque that holding a posture must leave for it to count when decelerations are chosen.
constexpr double kHeldRoom = 0.2;
// Distances: rows begin here, and closing speed falls to zero at the least distance.
constexpr double kNear = 0.12;         // [m]
constexpr double kLeastSelf = 0.025;   // [m]
constexpr double kNeverSelf = 0.01;    // [m] kept by the stopping reserve; the closing speed ends before it
constexpr double kLeastPerson = 0.03;  // [m]
constexpr double kNeverPerson = 0.01;  // [m] kept by the stopping reserve from where the person was seen
// [m] The same for the arm behind a palm and the part that the palm touches. A forearm lies beside what its palm lies on (1.2 cm off at the touch of a shoulder), and the references go on past the
// touch until it is noticed, up to 0.08 m/s x 0.15 s, while the arm itself stands: a reserve that begins there stops them before the load has grown.
constexpr double kNeverBesidePalm = 0.0;
constexpr double kWatched = 0.3;      // [m] further off than any part goes while it brakes
constexpr double kClosingRate = 2.0;  // [1/s] closing speed per metre that is left
constexpr double kRegularisation = 1e-3;

}  // namespace

WholeBody::WholeBody(const RobotModel& robot, const Setup& setup)
    : state_(robot), next_(robot), scratch_(robot), period_(setup.period), base_(setup.base) {
  const int n = robot.freedoms();
  const BaseLimits& base = setup.base;
  if (setup.camera >= 0) {
    camera_ = &robot.frames[static_cast<std::size_t>(setup.camera)];
    camera_R_ = camera_->X_SF.R();
  }
  for (const int joint : setup.neck)
    if (joint >= 0) is_neck_[static_cast<std::size_t>(joint + kBaseFreedoms)] = true;
  lower_.setConstant(n, -1e6), upper_.setConstant(n, 1e6);
  speed_.setZero(n), deceleration_.setZero(n), braking_.setZero(n), acceleration_.setZero(n);
  speed_[0] = speed_[1] = kBaseSpeedShare * base.speed;
  speed_[2] = kBaseSpeedShare * base.turn;
  deceleration_[0] = deceleration_[1] = kBaseAccelerationShare * base.acceleration;
  deceleration_[2] = kBaseAccelerationShare * base.turn_acceleration;
  for (int j = 0; j < robot.joint_count(); ++j) {
    const RobotJoint& joint = robot.joints[static_cast<std::size_t>(j)];
    const int i = j + kBaseFreedoms;
    const double margin = std::min(kEndMargin, 0.05 * (joint.upper - joint.lower));
    lower_[i] = joint.lower + margin, upper_[i] = joint.upper - margin;
    double carried = 0.0;
    for (std::size_t s = 0; s < robot.segments.size(); ++s)
      if (state_.moves(i, static_cast<int>(s))) carried += robot.segments[s].mass;
    const bool is_trunk = carried > 0.25 * robot.mass();
    is_trunk_[static_cast<std::size_t>(i)] = is_trunk;
    speed_[i] = std::min(0.8 * joint.speed, is_trunk ? kTrunkSpeed : kLimbSpeed);
    deceleration_[i] = is_trunk ? kTrunkDeceleration : kLimbDeceleration;
  }
  choose_decelerations(setup.upright);
  choose_pairs(setup.upright);
  near_person_.reserve(kMostNear);
  reserve_ = StoppingReserve(robot, deceleration_,
                             {.period = period_,
                              .base_deceleration = deceleration_[0] * std::cos(math::kPi / kBaseDirections),
                              .torque_share = kTorqueShare,
                              .tip_margin = kTipMargin,
                              .least_distance = kNeverSelf,
                              .support = base_.support,
                              .pairs = pairs_});
}

// Gravity and full braking of everything together shall leave the motors room, wherever the joints stand: a joint whose motor has little room brakes more gently, and so does
// what it carries. Postures that a motor cannot hold at all are left out: the stopping reserve keeps off them.
void WholeBody::choose_decelerations(const Freedoms& upright) {
  const int n = state_.freedoms();
  math::RandomStream random(1, 0);
  Freedoms share = Freedoms::Ones(n);
  for (int k = 0; k < 300; ++k) {
    Freedoms q = upright;
    for (int i = kBaseFreedoms; k > 0 && i < n; ++i) {
      const double low = std::max(lower_[i], -3.2), high = std::min(upper_[i], 3.2);
      q[i] = random.uniform(low, high);
    }
    state_.set(q, Freedoms::Zero(n));
    state_.compute_dynamics();
    for (int i = kBaseFreedoms; i < n; ++i) {
      const double all = kTorqueShare *
                         state_.robot().joints[static_cast<std::size_t>(i - kBaseFreedoms)].effort,
                   room = all - std::abs(state_.bias()[i]);
      const double need = state_.mass_matrix().row(i).cwiseAbs().dot(deceleration_.transpose());
      if (room < kHeldRoom * all || need <= room) continue;
      for (int j = kBaseFreedoms; j < n; ++j)
        if (j == i || state_.moves(i, j - kBaseFreedoms + 1))
          share[j] = std::min(share[j], std::max(0.1, room / need));
    }
  }
  for (int i = kBaseFreedoms; i < n; ++i) deceleration_[i] *= share[i];
  state_.set(upright, Freedoms::Zero(n));
  state_.compute_dynamics();
  com_B_ = state_.R(0).transpose() * (state_.com() - state_.p(0));
}

void WholeBody::choose_pairs(const Freedoms& upright) {
  const RobotModel& robot = state_.robot();
  state_.set(upright, Freedoms::Zero(state_.freedoms()));
  const auto parent_of = [&](int segment) {
    return segment == 0 ? -1 : robot.joints[static_cast<std::size_t>(segment - 1)].parent;
  };
  const auto is_near = [&](int a, int b) {
    if (a == b || parent_of(a) == b || parent_of(b) == a) return true;
    const int pa = parent_of(a), pb = parent_of(b);
    return (pa >= 0 && parent_of(pa) == b) || (pb >= 0 && parent_of(pb) == a);
  };
  const int count = static_cast<int>(robot.capsules.size());
  double trunk_mass = 0.25 * robot.mass();
  for (int c = 0; c < count; ++c) {
    double carried = 0.0;
    const int segment = robot.capsules[static_cast<std::size_t>(c)].segment;
    for (std::size_t s = 0; s < robot.segments.size(); ++s)
      if (segment > 0 && state_.moves(segment - 1 + kBaseFreedoms, static_cast<int>(s)))
        carried += robot.segments[s].mass;
    is_arm_.push_back(segment > 0 && carried < trunk_mass);
  }
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      const int sa = robot.capsules[static_cast<std::size_t>(a)].segment,
                sb = robot.capsules[static_cast<std::size_t>(b)].segment;
      if (is_near(sa, sb) || !(is_arm_[static_cast<std::size_t>(a)] || is_arm_[static_cast<std::size_t>(b)]))
        continue;
      const bool is_drawn_into = capsule_gap(capsule_W(a), capsule_W(b)).distance < 0.02;
      (is_drawn_into ? unwatched_ : pairs_).push_back({a, b});
    }
  }
}

Capsule WholeBody::capsule_W(int index) const {
  const RobotCapsule& own = state_.robot().capsules[static_cast<std::size_t>(index)];
  return {state_.point(own.segment, own.a_S), state_.point(own.segment, own.b_S), own.radius};
}

Freedoms WholeBody::braking(const Freedoms& v) const {
  Freedoms a = Freedoms::Zero(v.size());
  const double planar = std::hypot(v[0], v[1]);
  const double inside = deceleration_[0] * std::cos(math::kPi / kBaseDirections);
  const double share = planar > 0.0 ? std::min(1.0 / period_, inside / planar) : 0.0;
  a[0] = -share * v[0], a[1] = -share * v[1];
  for (int i = 2; i < v.size(); ++i) a[i] = std::clamp(-v[i] / period_, -deceleration_[i], deceleration_[i]);
  return a;
}

void WholeBody::add_diagonal(int freedom, double weight, double goal) {
  program_.H(freedom, freedom) += weight;
  program_.g(freedom) -= weight * goal;
}

void WholeBody::add_task_row(const Row& row, double weight, double goal, int first) {
  const int n = state_.freedoms();
  for (int i = first; i < n; ++i) {
    if (row[i] == 0.0) continue;
    const double scaled = weight * row[i];
    for (int j = first; j < n; ++j) program_.H(i, j) += scaled * row[j];
    program_.g(i) -= scaled * goal;
  }
}

void WholeBody::add_tasks(const Tasks& tasks) {
  const Freedoms &q = state_.q(), &v = state_.v();
  const double k = tasks.posture_stiffness, damping = 2.0 * std::sqrt(k);
  for (int i = kBaseFreedoms; i < q.size(); ++i) {
    add_diagonal(i, kRegularisation, -2.0 * v[i]);
    const double goal = tasks.all_brake ? braking_[i] : k * (tasks.posture[i] - q[i]) - damping * v[i];
    add_diagonal(i, tasks.posture_weight[i], goal);
  }
  const double base_k = tasks.base_stiffness, base_damping = 2.0 * std::sqrt(base_k);
  for (int i = 0; i < kBaseFreedoms; ++i) {
    double error = tasks.base_goal[i] - q[i];
    if (i == 2) error = std::remainder(error, 2.0 * math::kPi);
    add_diagonal(i, tasks.base_weight + kRegularisation,
                 tasks.base_brakes ? braking_[i] : base_k * error - base_damping * v[i]);
  }
  if (!tasks.all_brake) add_com(tasks);
  if (tasks.looks && camera_ != nullptr) add_look(tasks);
  for (const HandTask& hand : tasks.hands)
    if (hand.is_on) add_hand(hand);
}

// The centre of mass over the same place of the base as upright.
void WholeBody::add_com(const Tasks& tasks) {
  PointJacobian J;
  state_.com_jacobian(J);
  const Eigen::Vector3d goal = state_.p(0) + state_.R(0) * com_B_, at = state_.com();
  const Eigen::Vector3d speed = J * state_.v(), bias = state_.com_bias();
  const double k = tasks.com_stiffness;
  for (int axis = 0; axis < 2; ++axis) {
    Row row = J.row(axis);
    const double base = row[axis];
    row[axis] = 0.0;  // relative to the base
    row[2] = 0.0;
    const double relative = speed[axis] - base * state_.v()[axis];
    add_task_row(row, tasks.com_weight,
                 k * (goal[axis] - at[axis]) - 2.0 * std::sqrt(k) * relative - bias[axis], 0);
  }
}

// Image-based servoing: (X/Z, Y/Z) of the point to the middle of the picture, by the neck alone. The source prints the head's translation in the
// camera as the error, which never becomes zero.
void WholeBody::add_look(const Tasks& tasks) {
  const RobotFrame& camera = *camera_;
  const Eigen::Vector3d p = state_.point(camera.segment, camera.X_SF.p());
  const Eigen::Matrix3d R = state_.R(camera.segment) * camera_R_;
  const Eigen::Vector3d X = R.transpose() * (tasks.look_at_W - p);
  if (X.z() < 0.1) return;
  const double x = X.x() / X.z(), y = X.y() / X.z(), z = X.z();
  Eigen::Matrix<double, 2, 6> L;
  L << -1 / z, 0, x / z, x * y, -(1 + x * x), y, 0, -1 / z, y / z, 1 + y * y, -x * y, -x;
  PointJacobian Jv, Jw;
  state_.point_jacobian(camera.segment, p, Jv);
  state_.angular_jacobian(camera.segment, Jw);
  Eigen::Matrix<double, 2, 3> Lv = L.leftCols<3>() * R.transpose(), Lw = L.rightCols<3>() * R.transpose();
  const double k = tasks.look_stiffness;
  for (int axis = 0; axis < 2; ++axis) {
    Row row = Lv.row(axis) * Jv + Lw.row(axis) * Jw;
    const double rate = row * state_.v();
    for (int i = 0; i < row.size(); ++i)
      if (!is_neck_[static_cast<std::size_t>(i)]) row[i] = 0.0;
    const double s = axis == 0 ? x : y;
    add_task_row(row, tasks.look_weight, -k * s - 2.0 * std::sqrt(k) * rate, kBaseFreedoms);
  }
}

void WholeBody::add_hand(const HandTask& hand) {
  const Eigen::Vector3d p = state_.point(hand.segment, hand.p_S);
  PointJacobian J;
  state_.point_jacobian(hand.segment, p, J);
  const Eigen::Vector3d speed = J * state_.v(), bias = state_.point_bias(hand.segment, p);
  const double k = hand.stiffness;
  const Eigen::Vector3d goal = k * (hand.goal_W - p) + 2.0 * std::sqrt(k) * (hand.speed_W - speed) - bias;
  for (int axis = 0; axis < 3; ++axis) add_task_row(J.row(axis), hand.weight, goal[axis], kBaseFreedoms);
}

// Position with braking distance: q + (v + v') dt/2 + v'^2/(2 D) + D dt^2/8 <= end, solved for the next speed v'. The last term covers
// that the last period of braking is not a whole one; with it, braking keeps the row in the next tick (docs/assist_control.md).
void WholeBody::add_bounds() {
  const int n = state_.freedoms();
  const double dt = period_;
  const auto most_speed = [&](double room, double v, double D) {
    const double rest = room - 0.5 * v * dt - D * dt * dt / 8.0;
    const double b = 0.5 * dt, discriminant = b * b + 2.0 * rest / D;
    return discriminant <= 0.0 ? -1e9 : D * (std::sqrt(discriminant) - b);
  };
  for (int i = 2; i < n; ++i) {
    const double v = state_.v()[i], D = deceleration_[i];
    double high = speed_[i], low = -speed_[i];
    if (i >= kBaseFreedoms) {
      // Standing still inside the limits is always allowed.
      const double up = upper_[i] - state_.q()[i], down = state_.q()[i] - lower_[i];
      high = std::min(high, std::max(most_speed(up, v, D), up >= 0.0 ? 0.0 : -1e9));
      low = std::max(low, -std::max(most_speed(down, -v, D), down >= 0.0 ? 0.0 : -1e9));
    }
    const double most = std::min(D, (high - v) / dt), least = std::max(-D, (low - v) / dt);
    program_.add_row(least)[i] = 1.0;
    program_.add_row(-most)[i] = -1.0;
  }
}

void WholeBody::add_base_rows() {
  const double inside = std::cos(math::kPi / kBaseDirections);
  for (int k = 0; k < kBaseDirections; ++k) {
    const double angle = 2.0 * math::kPi * k / kBaseDirections, c = std::cos(angle), s = std::sin(angle);
    const double along = c * state_.v()[0] + s * state_.v()[1];
    const double most = std::min(deceleration_[0] * inside, (speed_[0] * inside - along) / period_);
    double* row = program_.add_row(-most);
    row[0] = -c, row[1] = -s;
  }
}

void WholeBody::add_torque_rows() {
  const int n = state_.freedoms();
  for (int i = kBaseFreedoms; i < n; ++i) {
    const double most =
        kTorqueShare * state_.robot().joints[static_cast<std::size_t>(i - kBaseFreedoms)].effort;
    const double scale = 1.0 / most;
    double* low = program_.add_row(scale * (-most - state_.bias()[i]));
    for (int j = 0; j < n; ++j) low[j] = scale * state_.mass_matrix()(i, j);
    double* high = program_.add_row(scale * (state_.bias()[i] - most));
    for (int j = 0; j < n; ++j) high[j] = -scale * state_.mass_matrix()(i, j);
  }
}

// The floor's moment about each edge of the wheels' polygon holds the robot up: n.(-m_y, m_x) >= margin f_z, about a point of the edge.
void WholeBody::add_tipping_rows() {
  const auto& rows = state_.momentum_rows();
  const SpatialVector& bias = state_.floor_bias();
  const int n = state_.freedoms();
  const std::size_t corners = base_.support.size();
  const double scale = 1.0 / (state_.robot().mass() * 9.81);
  for (std::size_t k = 0; k < corners; ++k) {
    const Eigen::Vector2d a = base_.support[k], b = base_.support[(k + 1) % corners];
    const Eigen::Vector2d along = (b - a).normalized();
    const Eigen::Vector3d inward = state_.R(0) * Eigen::Vector3d(-along.y(), along.x(), 0.0);
    const Eigen::Vector3d e = state_.p(0) + state_.R(0) * Eigen::Vector3d(a.x(), a.y(), 0.0);
    // Moment about e: m - e x f.
    const auto value = [&](const Eigen::Vector3d& m, const Eigen::Vector3d& f) {
      const Eigen::Vector3d about = m - e.cross(f);
      return -inward.x() * about.y() + inward.y() * about.x() - kTipMargin * f.z();
    };
    double* row = program_.add_row(-scale * value(bias.w, bias.v));
    for (int j = 0; j < n; ++j) row[j] = scale * value(rows.col(j).head<3>(), rows.col(j).tail<3>());
  }
}

void WholeBody::add_distance_row(const CapsuleGap& gap, int segment_a, int segment_b, double closest,
                                 double rate) {
  // n.(v_a - v_b) after the period must not close faster than rate (d - closest).
  double speed = gap.n.dot(state_.point_velocity(segment_a, gap.p_first));
  double bias = gap.n.dot(state_.point_bias(segment_a, gap.p_first));
  if (segment_b >= 0) {
    speed -= gap.n.dot(state_.point_velocity(segment_b, gap.p_second));
    bias -= gap.n.dot(state_.point_bias(segment_b, gap.p_second));
  }
  if (program_.rows() + 2 >= kMaxRows)
    return;  // room for the fault's two; distances are kept by the reserve, these rows make them smooth
  double* row = program_.add_row((-rate * (gap.distance - closest) - speed) / period_ - bias);
  state_.add_point_row(segment_a, gap.p_first, gap.n, 1.0, row);
  if (segment_b >= 0) state_.add_point_row(segment_b, gap.p_second, gap.n, -1.0, row);
}

// A link of the arm that holds the palm, not the trunk below it.
bool WholeBody::carries(int segment, int palm) const {
  return segment > 0 && !is_trunk_[static_cast<std::size_t>(segment - 1 + kBaseFreedoms)] &&
         state_.moves(segment - 1 + kBaseFreedoms, palm);
}

void WholeBody::add_distance_rows(const Surroundings& around) {
  const RobotModel& robot = state_.robot();
  const int count = static_cast<int>(robot.capsules.size());
  std::array<CapsuleBall, kMaxCapsules> balls;
  for (int c = 0; c < count; ++c) {
    capsules_[static_cast<std::size_t>(c)] = capsule_W(c);
    balls[static_cast<std::size_t>(c)] = ball_around(capsules_[static_cast<std::size_t>(c)]);
  }
  std::array<CapsuleBall, kMaxPersonCapsules> person;
  for (int k = 0; k < around.count; ++k)
    person[static_cast<std::size_t>(k)] = ball_around(around.capsules[static_cast<std::size_t>(k)]);
  self_distance_ = 1.0;
  for (const Pair& pair : pairs_) {
    const Capsule &a = capsules_[static_cast<std::size_t>(pair.a)],
                  &b = capsules_[static_cast<std::size_t>(pair.b)];
    if (are_apart(balls[static_cast<std::size_t>(pair.a)], balls[static_cast<std::size_t>(pair.b)],
                  std::max(self_distance_, kNear)))
      continue;
    const CapsuleGap gap = capsule_gap(a, b);
    self_distance_ = std::min(self_distance_, gap.distance);
    if (gap.distance < kNear)
      add_distance_row(gap, robot.capsules[static_cast<std::size_t>(pair.a)].segment,
                       robot.capsules[static_cast<std::size_t>(pair.b)].segment, kLeastSelf, kClosingRate);
  }
  near_person_.clear();
  for (int c = 0; c < count; ++c) {
    const int segment = robot.capsules[static_cast<std::size_t>(c)].segment;
    for (int k = 0; k < around.count; ++k) {
      if (!around.is_on[static_cast<std::size_t>(k)]) continue;
      const int toucher = around.touchable_by[static_cast<std::size_t>(k)];
      const int parent = segment > 0 ? robot.joints[static_cast<std::size_t>(segment - 1)].parent : -1;
      if (toucher >= 0 && (toucher == segment || toucher == parent)) continue;
      const Capsule &own = capsules_[static_cast<std::size_t>(c)],
                    &other = around.capsules[static_cast<std::size_t>(k)];
      const CapsuleBall &mine = balls[static_cast<std::size_t>(c)],
                        &theirs = person[static_cast<std::size_t>(k)];
      if (are_apart(mine, theirs, kWatched)) continue;
      if (near_person_.size() < kMostNear)
        near_person_.push_back(
            {c, other, toucher >= 0 && carries(segment, toucher) ? kNeverPerson - kNeverBesidePalm : 0.0});
      if (are_apart(mine, theirs, kNear)) continue;
      const CapsuleGap gap = capsule_gap(own, other);
      if (gap.distance < kNear) add_distance_row(gap, segment, -1, kLeastPerson, kClosingRate);
    }
  }
}

void WholeBody::widen(int first, int& count) {
  const int n = state_.freedoms();
  for (int k = first; k < program_.rows(); ++k) {
    const double* row = program_.row(k);
    double reached = 0.0;
    for (int i = 0; i < n; ++i) reached += row[i] * braking_[i];
    if (reached >= program_.bound(k)) continue;
    if (program_.bound(k) - reached > 1e-9) ++count;
    program_.bound(k) = reached;
  }
}

struct WholeBody::NextRoom {
  StoppingReserve::Room own;
  StoppingReserve::GapRoom person;
  bool holds() const { return own.holds() && person.proved >= kNeverPerson; }
  // Outside, at the start or because a person came nearer, what is no worse than braking is free: the way back.
  bool is_no_less_than(const NextRoom& braked) const {
    return own.is_no_less_than(braked.own) &&
           (person.proved >= kNeverPerson ||
            (braked.person.proved < kNeverPerson && person.seen >= braked.person.seen));
  }
};

WholeBody::NextRoom WholeBody::room_after(const Freedoms& a) {
  const Freedoms q = state_.q() + period_ * state_.v() + 0.5 * period_ * period_ * a,
                 v = state_.v() + period_ * a;
  next_.set(q, Freedoms::Zero(q.size()));
  return {reserve_.room(next_, v), near_person_.empty()
                                       ? StoppingReserve::GapRoom{}
                                       : reserve_.gap_room(next_, v, near_person_, kNeverPerson, scratch_)};
}

// The next state must be one from which braking breaks nothing. Every hard row holds for the solution and for braking, and so for all between.
void WholeBody::keep_reserve() {
  const NextRoom wanted = room_after(acceleration_);
  if (wanted.holds()) return;
  const Freedoms solution = acceleration_;
  for (const double share : {0.5, 0.2}) {
    acceleration_ = braking_ + share * (solution - braking_);
    if (!room_after(acceleration_).holds()) continue;
    ++drawn_back_;
    return;
  }
  const NextRoom braked = room_after(braking_);
  const bool is_way_back = wanted.is_no_less_than(braked);
  drawn_back_ += !is_way_back;
  acceleration_ = is_way_back ? solution : braking_;
}

ProgramStatus WholeBody::solve(const Freedoms& q, const Freedoms& v, const Tasks& tasks,
                               const Surroundings& around, bool infeasible) {
  state_.set(q, v);
  state_.compute_dynamics();
  braking_ = braking(v);
  program_.clear(state_.freedoms());
  add_tasks(tasks);
  add_bounds();
  add_base_rows();
  widen(0, widened_.other);
  int first = program_.rows();
  add_torque_rows();
  widen(first, widened_.torque);
  first = program_.rows();
  add_tipping_rows();
  widen(first, widened_.tipping);
  first = program_.rows();
  add_distance_rows(around);
  widen(first, widened_.distance);
  if (infeasible) {
    program_.add_row(1.0)[0] = 1.0;
    program_.add_row(1.0)[0] = -1.0;
  }
  ProgramStatus status = program_.solve();
  // Braking is a solution of every row, so a program that is given up (once in some 30 000 ticks of random tasks) is one of rounding: the same again, drawn towards braking.
  for (const double drawn : {1.0, 100.0}) {
    if (status == ProgramStatus::solved || infeasible) break;
    for (int i = 0; i < state_.freedoms(); ++i) add_diagonal(i, drawn, braking_[i]);
    status = program_.solve();
  }
  for (int i = 0; i < state_.freedoms(); ++i)
    acceleration_[i] = status == ProgramStatus::solved ? program_.x()[i] : braking_[i];
  if (status == ProgramStatus::solved) keep_reserve();
  return status;
}

}  // namespace prehend::assist
