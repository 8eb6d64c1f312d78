#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include <prehend/assist/control/stopping_reserve.h>

namespace prehend::assist {
namespace {

constexpr double kEarth = 9.81;  // [m/s^2]
constexpr int kToRest = 1 << 20;
// Periods of braking between two looks: limbs stand after some 15, trunk after 21, the base after 32, its turn after 63.
constexpr std::array<int, 5> kLooks{4, 5, 7, 16, kToRest};

// Segments hang on their joint: freedom s + 2 moves segment s.
int segment_of(int freedom) { return std::max(0, freedom - 2); }
int parent_of(const RobotModel& robot, int segment) {
  return segment == 0 ? -1 : robot.joints[static_cast<std::size_t>(segment - 1)].parent;
}
bool hangs_on(const RobotModel& robot, int segment, int ancestor) {
  while (segment > ancestor) segment = parent_of(robot, segment);
  return segment == ancestor;
}

// [m] How far a joint may shift what hangs on it, at most.
double extension(const RobotJoint& joint) { return joint.is_prismatic ? std::max(std::abs(joint.lower), std::abs(joint.upper)) : 0.0; }

// Longest lever of a point of `segment` about a joint, over all postures: the first stretch counts by its distance from the axis, the rest may stand across it.
double longest_lever(const RobotModel& robot, int freedom, int segment, const Eigen::Vector3d& p_S) {
  const int top = segment_of(freedom);
  double length = 0.0;
  Eigen::Vector3d stretch = p_S;
  for (int s = segment; s != top; s = parent_of(robot, s)) {
    const RobotJoint& joint = robot.joints[static_cast<std::size_t>(s - 1)];
    length += stretch.norm() + extension(joint);
    stretch = joint.X_PC.p();
  }
  const Eigen::Vector3d& axis = robot.joints[static_cast<std::size_t>(top - 1)].axis_C;
  return length + (stretch - stretch.dot(axis) * axis).norm();
}

}  // namespace

bool StoppingReserve::Room::is_no_less_than(const Room& other) const {
  return torque >= std::min(0.0, other.torque) && tipping >= std::min(0.0, other.tipping) && distance >= std::min(0.0, other.distance);
}

double StoppingReserve::stopping_distance(double v, double D, double period) {
  const double step = D * period, speed = std::abs(v), whole = std::floor(speed / step);
  // A chord of v^2/(2D) from whole * step to the next: slope (2 whole + 1) period / 2.
  return 0.5 * period * (whole * whole * step + (2.0 * whole + 1.0) * (speed - whole * step));
}

StoppingReserve::StoppingReserve(const RobotModel& robot, const Freedoms& deceleration, const Setup& setup)
    : n_(robot.freedoms()), deceleration_(deceleration), setup_(setup), mass_(robot.mass()) {
  for (std::size_t s = 0; s < robot.segments.size(); ++s)
    spin_[s] = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(robot.segments[s].I_com, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  for (std::size_t k = 0; k < setup.support.size(); ++k) {
    const Eigen::Vector2d from = setup.support[k], along = (setup.support[(k + 1) % setup.support.size()] - from).normalized();
    edges_.push_back({from, {-along.y(), along.x()}});
  }
  find_pair_bounds(robot);
}

// The nearer end of a capsule moves about freedom i by no more than its farthest point; freedoms that move both do not change their distance.
void StoppingReserve::find_pair_bounds(const RobotModel& robot) {
  for (const Pair& pair : setup_.pairs) {
    Freedoms slope = Freedoms::Zero(n_);
    for (int i = kBaseFreedoms; i < n_; ++i) {
      const bool is_straight = robot.joints[static_cast<std::size_t>(i - kBaseFreedoms)].is_prismatic;
      const auto reach = [&](int index) {
        const RobotCapsule& capsule = robot.capsules[static_cast<std::size_t>(index)];
        if (!hangs_on(robot, capsule.segment, segment_of(i))) return 0.0;
        if (is_straight) return 1.0;
        return std::max(longest_lever(robot, i, capsule.segment, capsule.a_S), longest_lever(robot, i, capsule.segment, capsule.b_S));
      };
      const double a = reach(pair.a), b = reach(pair.b);
      if ((a > 0.0) != (b > 0.0)) slope[i] = a + b;
    }
    pair_slope_.push_back(slope);
  }
}

StoppingReserve::Stop StoppingReserve::stop_of(const Freedoms& v) const {
  Stop stop{Freedoms::Zero(n_), Freedoms::Zero(n_), Freedoms::Zero(n_)};
  for (int i = 2; i < n_; ++i) {
    stop.speed[i] = std::abs(v[i]);
    stop.brake[i] = std::min(deceleration_[i], stop.speed[i] / setup_.period);
    if (i >= kBaseFreedoms) stop.way[i] = stopping_distance(v[i], deceleration_[i], setup_.period);
  }
  stop.brake[0] = std::min(deceleration_[0], std::hypot(v[0], v[1]) / setup_.period);  // x and y as one straight motion
  return stop;
}

// One link's share, from its own joint up to the base's yaw. Without braking its centre of mass accelerates by sum_jk |v_j| |v_k| (lever of the deeper of j and k).
void StoppingReserve::add_link(const RobotState& posture, const Stop& stop, int segment, Loads& loads) const {
  const RobotModel& robot = posture.robot();
  const RobotSegment& link = robot.segments[static_cast<std::size_t>(segment)];
  const Eigen::Vector3d c = posture.point(segment, link.com);
  std::array<double, kMaxJoints + 1> lever, shifted;
  double all_speed = 0.0, all_way = 0.0, all_brake = 0.0;
  for (int s = segment; s >= 0; s = parent_of(robot, s)) all_speed += stop.speed[s + 2], all_way += stop.way[s + 2], all_brake += stop.brake[s + 2];
  double acceleration = stop.brake[0], below = 0.0, above = all_speed;
  for (int s = segment; s >= 0; s = parent_of(robot, s)) {  // freedom s + 2 moves segment s; for the base that is yaw
    const std::size_t k = static_cast<std::size_t>(s);
    const bool is_straight = s > 0 && robot.joints[k - 1].is_prismatic;
    const Eigen::Vector3d axis = s > 0 ? Eigen::Vector3d(posture.R(s) * robot.joints[k - 1].axis_C) : Eigen::Vector3d::UnitZ();
    lever[k] = is_straight ? 1.0 : axis.cross(c - posture.p(s)).norm() + below;
    above -= stop.speed[s + 2];
    acceleration += lever[k] * (stop.brake[s + 2] + stop.speed[s + 2] * (stop.speed[s + 2] + 2.0 * above));
    below += lever[k] * stop.way[s + 2];
    shifted[k] = below;
  }
  const double spin = spin_[static_cast<std::size_t>(segment)] * (all_brake + 2.0 * all_speed * all_speed);
  double way_above = all_way;
  for (int s = segment; s > 0; s = parent_of(robot, s)) {
    const std::size_t k = static_cast<std::size_t>(s);
    way_above -= stop.way[s + 2];
    // Gravity's torque: joints below shift the link, joints above turn gravity as seen from here.
    loads.torque[s + 2] += link.mass * (lever[k] * acceleration + kEarth * (shifted[k] + lever[k] * way_above)) + (robot.joints[k - 1].is_prismatic ? 0.0 : spin);
  }
  loads.com_way += link.mass * below;
  const Eigen::Vector3d c_B = posture.R(0).transpose() * (c - posture.p(0));
  for (std::size_t k = 0; k < edges_.size(); ++k) {
    const double from_edge = std::hypot(edges_[k].inward.dot(c_B.head<2>() - edges_[k].from) - setup_.tip_margin, c_B.z()) + below;
    loads.tipping[static_cast<Eigen::Index>(k)] += link.mass * from_edge * acceleration + spin;
  }
}

double StoppingReserve::torque_room(const RobotState& posture, const Loads& loads) const {
  const RobotModel& robot = posture.robot();
  const int segments = robot.joint_count() + 1;
  std::array<double, kMaxJoints + 1> mass{};
  std::array<Eigen::Vector3d, kMaxJoints + 1> moment;
  for (int s = 0; s < segments; ++s) {
    const RobotSegment& own = robot.segments[static_cast<std::size_t>(s)];
    mass[static_cast<std::size_t>(s)] = own.mass;
    moment[static_cast<std::size_t>(s)] = own.mass * posture.point(s, own.com);
  }
  double least = 1.0;
  for (int s = segments - 1; s > 0; --s) {
    const std::size_t own = static_cast<std::size_t>(s), up = static_cast<std::size_t>(parent_of(robot, s));
    const RobotJoint& joint = robot.joints[own - 1];
    const Eigen::Vector3d axis = posture.R(s) * joint.axis_C, lever = moment[own] - mass[own] * posture.p(s);
    // axis . (lever x g e_z)
    const double gravity = kEarth * (joint.is_prismatic ? mass[own] * axis.z() : axis.x() * lever.y() - axis.y() * lever.x());
    least = std::min(least, setup_.torque_share - (std::abs(gravity) + loads.torque[s + 2]) / joint.effort);
    mass[up] += mass[own];
    moment[up] += moment[own];
  }
  return least;
}

double StoppingReserve::tipping_room(const RobotState& posture, const Loads& loads) const {
  const RobotModel& robot = posture.robot();
  Eigen::Vector3d com = Eigen::Vector3d::Zero();
  for (int s = 0; s <= robot.joint_count(); ++s) com += robot.segments[static_cast<std::size_t>(s)].mass * posture.point(s, robot.segments[static_cast<std::size_t>(s)].com);
  const Eigen::Vector3d com_B = posture.R(0).transpose() * (com / mass_ - posture.p(0));
  double least = 1e3;
  for (std::size_t k = 0; k < edges_.size(); ++k) {
    const double inside = edges_[k].inward.dot(com_B.head<2>() - edges_[k].from) - setup_.tip_margin;
    least = std::min(least, inside - (loads.com_way + loads.tipping[static_cast<Eigen::Index>(k)] / kEarth) / mass_);
  }
  return least;
}

double StoppingReserve::distance_room(const RobotState& posture, const Stop& stop) const {
  const RobotModel& robot = posture.robot();
  std::array<Capsule, kMaxCapsules> capsules;
  std::array<CapsuleBall, kMaxCapsules> balls;
  for (std::size_t c = 0; c < robot.capsules.size(); ++c) {
    const RobotCapsule& own = robot.capsules[c];
    capsules[c] = {posture.point(own.segment, own.a_S), posture.point(own.segment, own.b_S), own.radius};
    balls[c] = ball_around(capsules[c]);
  }
  double least = 0.2;  // [m] more is not asked for
  for (std::size_t k = 0; k < setup_.pairs.size(); ++k) {
    const Capsule &a = capsules[static_cast<std::size_t>(setup_.pairs[k].a)], &b = capsules[static_cast<std::size_t>(setup_.pairs[k].b)];
    const double used = setup_.least_distance + pair_slope_[k].dot(stop.way);
    if (are_apart(balls[static_cast<std::size_t>(setup_.pairs[k].a)], balls[static_cast<std::size_t>(setup_.pairs[k].b)], used + std::max(0.0, least))) continue;
    least = std::min(least, capsule_gap(a, b).distance - used);
  }
  return least;
}

// Everything brakes for some periods; `way`: how far each freedom went, the planar base as one in the first.
void StoppingReserve::brake(Freedoms& q, Freedoms& v, Freedoms& way, int ticks) const {
  const auto slowed = [&](double speed, double deceleration) { return std::max(0.0, speed - ticks * deceleration * setup_.period); };
  const auto distance = [&](double speed, double slow, double deceleration) { return stopping_distance(speed, deceleration, setup_.period) - stopping_distance(slow, deceleration, setup_.period); };
  const double planar = std::hypot(v[0], v[1]), slow = slowed(planar, setup_.base_deceleration);
  way[0] = distance(planar, slow, setup_.base_deceleration), way[1] = 0.0;
  for (int i = 0; i < 2 && planar > 0.0; ++i) q[i] += way[0] * v[i] / planar, v[i] *= slow / planar;
  for (int i = 2; i < n_; ++i) {
    const double speed = std::abs(v[i]), next = slowed(speed, deceleration_[i]);
    way[i] = distance(speed, next, deceleration_[i]);
    q[i] += std::copysign(way[i], v[i]), v[i] = std::copysign(next, v[i]);
  }
}

// [m] How far either end of a capsule may go, levers taken as in add_link.
double StoppingReserve::swept(const RobotState& posture, const Freedoms& way, int capsule) const {
  const RobotModel& robot = posture.robot();
  const RobotCapsule& own = robot.capsules[static_cast<std::size_t>(capsule)];
  const Eigen::Vector3d a = posture.point(own.segment, own.a_S), b = posture.point(own.segment, own.b_S);
  double below = 0.0;
  for (int s = own.segment; s >= 0; s = parent_of(robot, s)) {
    if (way[s + 2] == 0.0) continue;
    const bool is_straight = s > 0 && robot.joints[static_cast<std::size_t>(s - 1)].is_prismatic;
    const Eigen::Vector3d axis = s > 0 ? Eigen::Vector3d(posture.R(s) * robot.joints[static_cast<std::size_t>(s - 1)].axis_C) : Eigen::Vector3d::UnitZ();
    const double lever = std::sqrt(std::max(axis.cross(a - posture.p(s)).squaredNorm(), axis.cross(b - posture.p(s)).squaredNorm()));
    below += (is_straight ? 1.0 : lever + below) * way[s + 2];
  }
  return below + way[0];
}

StoppingReserve::GapRoom StoppingReserve::gap_room(const RobotState& posture, const Freedoms& v, std::span<const Near> near, double enough, RobotState& scratch) const {
  const auto shape = [&](const RobotState& at, int capsule) {
    const RobotCapsule& own = at.robot().capsules[static_cast<std::size_t>(capsule)];
    return Capsule{at.point(own.segment, own.a_S), at.point(own.segment, own.b_S), own.radius};
  };
  Freedoms q = posture.q(), speed = v, way = Freedoms::Zero(n_);
  brake(q, speed, way, kToRest);
  GapRoom room;
  std::array<std::size_t, kMostNear> close;
  std::array<double, kMostNear> before;
  std::size_t count = 0;
  CapsuleBall ball;
  double sweep = 0.0;
  for (std::size_t k = 0; k < near.size(); ++k) {
    if (k == 0 || near[k].capsule != near[k - 1].capsule) sweep = swept(posture, way, near[k].capsule), ball = ball_around(shape(posture, near[k].capsule));
    if (are_apart(ball, ball_around(near[k].other), enough + sweep)) continue;
    const double distance = capsule_gap(shape(posture, near[k].capsule), near[k].other).distance + near[k].nearer;
    room.seen = std::min(room.seen, distance), room.proved = std::min(room.proved, distance - sweep);
    if (distance - sweep < enough) close[count] = k, before[count++] = distance;
  }
  if (count == 0) return room;
  room.proved = 1.0;
  q = posture.q(), speed = v;
  scratch.set(q, Freedoms::Zero(n_));
  std::array<double, kMostNear> sweeps;
  for (const int ticks : kLooks) {
    brake(q, speed, way, ticks);
    for (std::size_t k = 0; k < count; ++k)
      sweeps[k] = k > 0 && near[close[k]].capsule == near[close[k - 1]].capsule ? sweeps[k - 1] : swept(scratch, way, near[close[k]].capsule);
    scratch.set(q, Freedoms::Zero(n_));
    for (std::size_t k = 0; k < count; ++k) {
      const double after = capsule_gap(shape(scratch, near[close[k]].capsule), near[close[k]].other).distance + near[close[k]].nearer;
      room.seen = std::min(room.seen, after);
      room.proved = std::min(room.proved, 0.5 * (before[k] + after - sweeps[k]));
      before[k] = after;
    }
    if (speed.isZero(0.0)) break;
  }
  return room;
}

StoppingReserve::Room StoppingReserve::room(const RobotState& posture, const Freedoms& v) const {
  const Stop stop = stop_of(v);
  Loads loads;
  loads.torque.setZero(n_), loads.tipping.setZero(static_cast<Eigen::Index>(edges_.size()));
  for (int s = 0; s <= posture.robot().joint_count(); ++s) add_link(posture, stop, s, loads);
  return {torque_room(posture, loads), tipping_room(posture, loads), distance_room(posture, stop)};
}

}  // namespace prehend::assist
