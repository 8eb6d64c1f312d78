#include <algorithm>
#include <cmath>

#include <prehend/assist/control/core.h>
#include <prehend/math/angles.h>
#include <prehend/math/number_text.h>

namespace prehend::assist {
namespace {

// [m] The approach overshoots by more than this, so a hand that comes as near as this will touch.
constexpr double kNearEnough = 0.03;

// [m] Before its target: from here the base drives in and the arms keep off the person's lap as they will.
constexpr double kDriveIn = 0.5;

// A controller that knows the person without having seen them, standing shortly before where navigation would end.
void place_before_person(Controller::Core& core, const PersonSpec& spec) {
  const auto camera = Eigen::Matrix3d::Identity();
  core.track.remember_camera(0.0, camera, Eigen::Vector3d::Zero());
  PersonDetection detection;
  const Eigen::AngleAxisd turn(spec.yaw_rad, Eigen::Vector3d::UnitZ());
  const Eigen::Vector3d pelvis(spec.x_m, spec.y_m, spec.seat_height_m);
  detection.X_CP = math::Pose(Eigen::Quaterniond(turn), pelvis);
  detection.head_C = pelvis + turn * head_centre(spec.height_m);
  for (std::size_t r = 0; r < kRegionCount; ++r) detection.regions_C[r] = pelvis + turn * region_centre(spec.height_m, static_cast<BodyRegion>(r));
  core.track.consider(detection, 0.0);
  const std::array<Eigen::Vector3d, 2> hands{region_centre(spec.height_m, BodyRegion::right_hand), region_centre(spec.height_m, BodyRegion::left_hand)};
  const SeatedFigure figure = seated_figure(spec.height_m, spec.seat_height_m, hands);
  for (int k = 0; k < kBodyParts; ++k) {
    const Capsule& part = figure.parts_P[static_cast<std::size_t>(k)];
    core.around.capsules[static_cast<std::size_t>(k)] = {pelvis + turn * part.a, pelvis + turn * part.b, part.radius};
    core.around.is_on[static_cast<std::size_t>(k)] = true;
  }
  core.q.head<3>() = core.base_target(core.scenario.tuning.target_forward_m + kDriveIn);
}

// [m] How far from its target the base ends, by the program itself on references alone.
double drive_in(Controller::Core& core) {
  const Eigen::Vector3d goal = core.base_target(core.scenario.tuning.target_forward_m);
  core.state = StateName::NavigateToHuman;
  core.base_stands = false;
  core.tasks.base_goal = goal;
  const double most = 4.0 + 1.5 * kDriveIn / core.scenario.robot.speed_mps;  // [s]
  const auto off = [&] { return (core.q.head<2>() - goal.head<2>()).norm(); };
  for (double t = 0.0; t < most && (off() > 0.02 || core.v.head<2>().norm() > 0.01); t += core.period) {
    core.choose_tasks();
    core.whole_body.solve(core.q, core.v, core.tasks, core.around, false);
    core.a = core.whole_body.acceleration();
    core.advance();
  }
  core.state = StateName::PreContact;
  core.base_stands = true;
  return off();
}

// [m] How near the palm comes to where it shall touch, by the program itself on references alone.
double missing(Controller::Core& core, ContactRun& run, double period) {
  core.whole_body.state().set(core.q, core.v);
  core.hand_on[static_cast<std::size_t>(run.hand)] = true;
  const auto hand = [&] { return core.whole_body.state().point(run.segment, run.p_S); };
  core.goals[static_cast<std::size_t>(run.hand)] = {hand(), Eigen::Vector3d::Zero()};
  for (int leg = 0; leg < 3; ++leg) {
    const int ticks = static_cast<int>(4.0 / period);
    for (int k = 0; k < ticks; ++k) {
      core.whole_body.state().set(core.q, core.v);
      core.plan_touch(run);
      const Eigen::Vector3d ready = core.in_base({0.22, 0.25 * run.side, std::clamp(run.pre_W.z() - 0.05, 0.6, 1.0)});
      const Eigen::Vector3d touch = run.spec->invites ? run.pre_W : Eigen::Vector3d(run.pre_W + 0.08 * run.direction_W);
      const Eigen::Vector3d target = leg == 0 && !run.spec->invites ? ready : leg == 1 ? run.pre_W : touch;
      core.goals[static_cast<std::size_t>(run.hand)].step(target, {0.25, 0.6}, period);
      core.choose_tasks();
      core.whole_body.solve(core.q, core.v, core.tasks, core.around, false);
      core.a = core.whole_body.acceleration();
      core.advance();
      if (leg == 2 && (hand() - touch).norm() < 0.5 * kNearEnough) return 0.0;
    }
  }
  const Eigen::Vector3d touch = run.spec->invites ? run.pre_W : Eigen::Vector3d(run.pre_W + 0.08 * run.direction_W);
  return (hand() - touch).norm();
}

}  // namespace

std::string out_of_reach(const Scenario& scenario) {
  // Where the base would go from the start, and whether a minute is enough.
  Controller::Core arrived(scenario, {});
  place_before_person(arrived, scenario.person);
  const double short_of = drive_in(arrived);
  for (std::size_t c = 0; c < scenario.contacts.size(); ++c) {
    Controller::Core core(scenario, {});
    place_before_person(core, scenario.person);
    core.state = StateName::PreContact;
    core.q = arrived.q;
    const double way = std::hypot(core.q[0], core.q[1]);
    const double most = 0.85 * scenario.robot.speed_mps * scenario.tuning.states[static_cast<std::size_t>(StateName::NavigateToHuman)].timeout_s;
    if (way > most)
      return "the person is out of reach: " + math::number_text(way, 3) + " m to drive, at most " + math::number_text(most, 3) +
             " m in the time of NavigateToHuman";
    if (short_of > scenario.tuning.navigation_done_m)
      return "the person is out of reach: on its way to where it would stand the robot comes too near to them, " + math::number_text(short_of, 2) + " m before";
    ContactRun& run = core.contacts[c];
    run.detected = true;  // may touch
    const double gap = missing(core, run, core.period);
    if (gap > kNearEnough)
      return "contact '" + run.spec->name + "' is out of reach: from where the base stands, the palm ends " + math::number_text(gap, 2) +
             " m from " + (run.spec->invites ? "where it is offered" : std::string("the ") + to_string(run.spec->region));
  }
  return {};
}

}  // namespace prehend::assist
