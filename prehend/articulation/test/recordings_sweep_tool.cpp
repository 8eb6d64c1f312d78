// Recordings as they come, over many random joints: exact poses and nearly exact ones, wheels, too few poses, things at rest, doors that move
// late, pairs that no joint connects. `recordings_sweep_tool [joints] [seed] [exact|motions|clocks|coverage]` prints the counts that docs/articulation_validation.md states:
// right, undetermined, wrong (another type with status ok), accused (a contradiction is named), and answers with a number that is none.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <prehend/articulation/selection.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using namespace testing;
using model::JointType;

struct Counts {
  int right{0}, undetermined{0}, wrong{0}, accused{0}, not_finite{0};
  std::string others;  // what wrong answers were

  void print(const char* what) const {
    std::printf("%-58s right %4d  undetermined %4d  wrong %4d  accused %4d  not finite %4d%s\n", what, right,
                undetermined, wrong, accused, not_finite, others.c_str());
    std::fflush(stdout);
  }
};

bool is_finite(const Selection& selection) {
  constexpr double kLargest = 1e12;
  const auto sane = [](double x) { return std::isfinite(x) && std::abs(x) < kLargest; };
  for (const Candidate& c : selection.candidates) {
    if (c.fit.status == FitStatus::failed) continue;
    if (!sane(c.score) || !sane(c.plain_score) || !sane(c.evidence) || !sane(c.fit.rms_position) ||
        !sane(c.fit.noise.position) || !sane(c.fit.noise.angle))
      return false;
  }
  const FitDeviations& d = selection.best().fit.deviations;
  for (const auto& value : {d.axis_F, d.axis_M, d.axis2_M, d.point_F, d.point_M, d.pitch})
    if (value && !sane(*value)) return false;
  return true;
}

void judge(const Selection& selection, std::optional<JointType> truth, Counts& counts) {
  counts.not_finite += !is_finite(selection);
  if (!selection.contradiction.empty()) {
    ++counts.accused;
  } else if (selection.status != SelectionStatus::ok) {
    ++counts.undetermined;
  } else if (truth && selection.best().type == *truth) {
    ++counts.right;
  } else {
    ++counts.wrong;
    counts.others += std::string(" ") + to_string(selection.best().type);
  }
}

// Both parts in the world, the fixed one carried about or at rest.
model::PoseLog log_of(const std::vector<math::Pose>& X_FM, bool carried, const PoseNoise& noise,
                      math::RandomStream& random) {
  model::PoseLog log;
  log.parts = {"fixed", "moving"};
  const math::Pose X_WF(random.rotation(), random.unit_vector());
  const Eigen::Vector3d axis = random.unit_vector(), way = random.unit_vector();
  for (std::size_t i = 0; i < X_FM.size(); ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(X_FM.size());
    const math::Pose X = carried ? X_WF * math::Pose(math::exp_so3(Eigen::Vector3d(std::sin(4 * s) * axis)),
                                                     Eigen::Vector3d(0.4 * std::sin(6 * s) * way))
                                 : X_WF;
    const math::Pose poses[] = {X, X * X_FM[i]};
    for (int part = 0; part < 2; ++part) {
      const math::Pose seen = disturbed(poses[part], noise, random);
      model::PoseRow row;
      row.t = 0.033 * static_cast<double>(i);
      row.part = part;
      row.p_WP = seen.p();
      row.q_WP = seen.q();
      row.line = static_cast<int>(log.rows.size()) + 2;
      log.rows.push_back(row);
    }
  }
  return log;
}

// Smooth motions of every freedom with frequencies of their own.
std::vector<math::Pose> smooth_motion(const Joint& joint, int frames, double turn, double shift,
                                      math::RandomStream& random) {
  State amplitude = random_state(joint, random, 0, 0), phase = amplitude, speed = amplitude;
  Joint unit = joint;
  for (int k = 0; k < amplitude.size(); ++k) {
    const bool slides = joint.type == JointType::prismatic ||
                        (joint.type == JointType::cylindrical && k == 1) ||
                        (joint.type == JointType::planar && k < 2);
    amplitude[k] = 0.5 * (slides ? shift : turn);
    phase[k] = random.uniform(0, 6);
    speed[k] = random.uniform(4, 14);
  }
  std::vector<math::Pose> poses;
  for (int i = 0; i < frames; ++i) {
    State q = amplitude;
    for (int k = 0; k < q.size(); ++k) q[k] *= std::sin(phase[k] + speed[k] * i / frames);
    poses.push_back(unit.forward(q));
  }
  return poses;
}

constexpr JointType kTypes[] = {JointType::prismatic,   JointType::revolute,  JointType::screw,
                                JointType::cylindrical, JointType::universal, JointType::spherical,
                                JointType::planar};

// Every type at one size of noise [m, rad]; `place` 0: the moving origin anywhere, 1: on the axis, 2: both origins on it, axis along z.
void exact(double noise, int place, int joints, int seed) {
  for (const bool in_log : {false, true}) {
    Counts counts;
    for (const JointType type : kTypes)
      for (int number = 0; number < joints; ++number) {
        math::RandomStream random(seed + 100 * static_cast<int>(type), number);
        Joint joint = random_joint(type, random);
        if (place >= 1) joint.X_MJ = math::Pose(joint.X_MJ.q(), Eigen::Vector3d::Zero());
        if (place == 2) joint.X_FJ = joint.X_MJ = math::Pose();
        const std::vector<math::Pose> poses =
            smooth_motion(joint, 80, 80 * kDegree, type == JointType::prismatic ? 0.3 : 0.1, random);
        Counts one;
        if (in_log) {
          judge(select_joint(log_of(poses, number % 2 == 0, {noise, noise}, random), "log"), type, one);
        } else {
          std::vector<math::Pose> seen;
          for (const math::Pose& X : poses) seen.push_back(disturbed(X, {noise, noise}, random));
          judge(select_joint(observations_of(seen)), type, one);
        }
        counts.right += one.right, counts.undetermined += one.undetermined, counts.wrong += one.wrong;
        counts.accused += one.accused, counts.not_finite += one.not_finite;
        if (one.right == 0)
          counts.others += std::string(" [") + to_string(type) +
                           (one.accused ? " accused"
                            : one.wrong ? one.others
                                        : " ?") +
                           "]";
      }
    char what[100];
    std::snprintf(what, sizeof what, "all types, noise %.0e, origins %s, %s", noise,
                  place == 0   ? "anywhere"
                  : place == 1 ? "M on axis"
                               : "both at joint",
                  in_log ? "two parts" : "in the world");
    counts.print(what);
  }
}

void wheels(double turns, int joints, int seed) {
  Counts counts;
  for (int number = 0; number < joints; ++number) {
    math::RandomStream random(seed, number);
    const Joint joint = random_joint(JointType::revolute, random, number % 3 == 0 ? 0.0 : 0.2);
    const double noise = std::pow(10.0, random.uniform(-4, -2.3));
    const int frames = 60 + 40 * (number % 5);
    std::vector<math::Pose> poses;
    for (int i = 0; i < frames; ++i)
      poses.push_back(joint.forward(State::Constant(1, turns * 2 * M_PI * i / frames)));
    if (number % 2 == 0) {
      judge(select_joint(log_of(poses, number % 4 == 0, {noise, 2 * noise}, random), "log"),
            JointType::revolute, counts);
      continue;
    }
    for (math::Pose& X : poses) X = disturbed(X, {noise, 2 * noise}, random);
    judge(select_joint(observations_of(poses)), JointType::revolute, counts);
  }
  char what[80];
  std::snprintf(what, sizeof what, "wheels, %.1f turns", turns);
  counts.print(what);
}

// A door, drawer or lid that moves in the last `share` of the frames.
void late(double share, JointType type, int joints, int seed) {
  Counts counts;
  for (int number = 0; number < joints; ++number) {
    math::RandomStream random(seed, number);
    const Joint joint = random_joint(type, random, 0.4);
    const PoseNoise noise{random.uniform(0.0005, 0.003), random.uniform(0.002, 0.01)};
    const int frames = 200;
    const double range = type == JointType::revolute ? random.uniform(0.6, 1.6) : random.uniform(0.15, 0.4);
    std::vector<math::Pose> poses;
    for (int i = 0; i < frames; ++i) {
      const double s = std::max(0.0, (i - (1 - share) * frames) / (share * frames));
      poses.push_back(disturbed(joint.forward(State::Constant(1, range * s)), noise, random));
    }
    judge(select_joint(observations_of(poses)), type, counts);
  }
  char what[80];
  std::snprintf(what, sizeof what, "%s, moves in the last %.0f %%", to_string(type), 100 * share);
  counts.print(what);
}

// Two hinges in a row, skew to each other, seen at base and tip: no single joint.
void skew(double distance, int joints, int seed) {
  Counts counts;
  for (int number = 0; number < joints; ++number) {
    math::RandomStream random(seed, number);
    Joint first = random_joint(JointType::revolute, random),
          second = random_joint(JointType::revolute, random);
    second.X_FJ = math::Pose(second.X_FJ.q(), distance * random.unit_vector());
    const PoseNoise noise{0.001, 0.005};
    const std::vector<math::Pose> a = smooth_motion(first, 150, 1.5, 0, random),
                                  b = smooth_motion(second, 150, 1.5, 0, random);
    std::vector<math::Pose> poses;
    for (std::size_t i = 0; i < a.size(); ++i) poses.push_back(disturbed(a[i] * b[i], noise, random));
    const Selection selection = select_joint(observations_of(poses));
    if (selection.status == SelectionStatus::ok && selection.best().type != JointType::free &&
        selection.best().fit.rms_position < 0.005)
      ++counts.right;  // as good as such a joint
    else
      judge(selection, JointType::free, counts);
  }
  char what[80];
  std::snprintf(what, sizeof what, "two skew hinges, %.2f m apart (right: free or < 5 mm)", distance);
  counts.print(what);
}

// Rigid pairs, carried or still, and two poses.
void at_rest(bool carried, double noise, int joints, int seed) {
  Counts counts;
  for (int number = 0; number < joints; ++number) {
    math::RandomStream random(seed, number);
    const math::Pose X(random.rotation(), 0.3 * random.unit_vector());
    const std::vector<math::Pose> poses(60, X);
    judge(select_joint(log_of(poses, carried, {noise, 3 * noise}, random), "log"), JointType::rigid, counts);
  }
  char what[80];
  std::snprintf(what, sizeof what, "%s, noise %.0e",
                carried ? "carried together (rigid)" : "still (undetermined)", noise);
  counts.print(what);
}

void few_poses(int frames, double turn, int joints, int seed) {
  Counts counts;
  for (int number = 0; number < joints; ++number) {
    math::RandomStream random(seed, number);
    const Joint joint = random_joint(JointType::revolute, random);
    std::vector<math::Pose> poses;
    for (int i = 0; i < frames; ++i)
      poses.push_back(
          disturbed(joint.forward(State::Constant(1, turn * i / (frames - 1))), {0.001, 0.005}, random));
    judge(select_joint(observations_of(poses)), JointType::revolute, counts);
  }
  char what[80];
  std::snprintf(what, sizeof what, "%d poses over %.0f deg", frames, turn / kDegree);
  counts.print(what);
}

// Parts that are carried about, each with a clock of its own: a hinge, slide or rigid pair whose moving part is stamped `offset` [s] off the fixed
// one's frames (true times), and `late` [s] later than it was seen.
void clocks(double offset, double late, int joints, int seed) {
  Counts counts;
  double worst = 0;
  for (int number = 0; number < joints; ++number) {
    math::RandomStream random(seed, number);
    constexpr JointType kSimple[] = {JointType::revolute, JointType::prismatic, JointType::rigid};
    const JointType type = kSimple[number % 3];
    const Joint joint = random_joint(type, random);
    const PoseNoise noise{random.uniform(0.0005, 0.002), random.uniform(0.002, 0.008)};
    const math::Pose X_WF(random.rotation(), random.unit_vector());
    const Eigen::Vector3d axis = random.unit_vector(), way = random.unit_vector();
    const double speed = random.uniform(3, 8), swing = random.uniform(2, 5), phase = random.uniform(0, 6);
    model::PoseLog log;
    log.parts = {"fixed", "moving"};
    for (int i = 0; i < 240; ++i) {
      for (int part = 0; part < 2; ++part) {
        const double stamp = i / 30.0 + (part == 1 ? offset : 0.0), t = stamp - (part == 1 ? late : 0.0);
        const math::Pose X =
            X_WF * math::Pose(math::exp_so3(Eigen::Vector3d(0.6 * std::sin(0.4 * speed * t) * axis)),
                              Eigen::Vector3d(0.2 * std::sin(0.5 * speed * t) * way));
        const double q = (type == JointType::prismatic ? 0.12 : 0.6) * std::sin(phase + 0.5 * swing * t);
        const math::Pose there =
            part == 0 ? X : X * joint.forward(type == JointType::rigid ? State(0) : State::Constant(1, q));
        const math::Pose seen = disturbed(there, noise, random);
        log.rows.push_back({stamp, part, seen.p(), seen.q(), static_cast<int>(log.rows.size()) + 2});
      }
    }
    const Selection selection = select_joint(log, "log");
    judge(selection, type, counts);
    if (selection.delay != 0.0) worst = std::max(worst, std::abs(selection.delay - late));
  }
  char what[100];
  std::snprintf(what, sizeof what, "carried pairs, stamps %.1f ms apart, %.0f ms late (worst %.1f ms)",
                1e3 * offset, 1e3 * late, 1e3 * worst);
  counts.print(what);
}

// Carried joints of all types, nothing late: no delay may be found.
void in_time(int joints, int seed) {
  Counts counts;
  int delayed = 0;
  for (const JointType type : kTypes)
    for (int number = 0; number < joints; ++number) {
      math::RandomStream random(seed + 100 * static_cast<int>(type), number);
      const Joint joint = random_joint(type, random);
      const PoseNoise noise{0.001, 0.004};
      const Selection selection = select_joint(
          log_of(smooth_motion(joint, 150, 80 * kDegree, 0.2, random), true, noise, random), "log");
      judge(selection, type, counts);
      delayed += selection.delay != 0.0;
    }
  char what[100];
  std::snprintf(what, sizeof what, "all types, carried, in time (a delay found in %d)", delayed);
  counts.print(what);
}

// Deviations of doors, lids and drawers that are opened little: share of errors within 1.96 stated deviations.
void coverage(JointType type, double range, const PoseNoise& noise, int joints, int seed) {
  int within[2] = {0, 0}, far = 0;
  double square[2] = {0, 0};
  for (int number = 0; number < joints; ++number) {
    math::RandomStream random(seed, number);
    const Joint joint = random_joint(type, random, 0.5);
    Scenario scenario;
    scenario.frames = 100;
    scenario.moving = noise;
    if (number % 2 == 0) scenario.fixed = noise;
    scenario.turn = scenario.shift = range;
    FitOptions options;
    options.radius_scale = SelectionOptions().radius_scale;
    const JointFit fit = fit_joint(type, simulate(joint, scenario, random), options);
    if (fit.status == FitStatus::failed || !fit.deviations.axis_F) continue;
    const double error = angle_between_lines(*fit.joint.axis_F(), *joint.axis_F()) / *fit.deviations.axis_F;
    within[number % 2] += error < 1.96;
    square[number % 2] += error * error / (joints / 2);
    far += error > 4;
  }
  std::printf(
      "%-10s %6.3f %s, noise %.4f m %.4f rad: within 1.96 deviations %d and %d of %d each (both parts "
      "measured, one), "
      "mean square %.2f and %.2f, beyond 4 %d\n",
      to_string(type), type == JointType::revolute ? range / kDegree : range,
      type == JointType::revolute ? "deg" : "m", noise.position, noise.angle, within[0], within[1],
      joints / 2, square[0], square[1], far);
  std::fflush(stdout);
}

void run_clocks(int joints, int seed) {
  for (const double offset : {0.0, 0.0007, 0.011, 0.0166}) clocks(offset, 0.0, joints, seed);
  for (const double late : {0.01, 0.03, 0.05, 0.12}) clocks(0.0, late, joints, seed + 1);
  clocks(0.0007, 0.05, joints, seed + 2);
  in_time(joints, seed + 3);
}

void run_coverage(int joints, int seed) {
  for (const PoseNoise& noise : {PoseNoise{0.0005, 0.002}, PoseNoise{0.002, 0.01}, PoseNoise{0.003, 0.03}}) {
    for (const double degrees : {1.0, 2.0, 4.0, 8.0, 20.0, 60.0})
      coverage(JointType::revolute, degrees * kDegree, noise, joints, seed);
    for (const double range : {0.005, 0.02, 0.1}) coverage(JointType::prismatic, range, noise, joints, seed);
  }
}

void run_exact(int joints, int seed) {
  for (const double noise : {0.0, 1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4})
    for (const int place : {0, 1, 2}) exact(noise, place, std::max(2, joints / 10), seed);
}

void run_motions(int joints, int seed) {
  for (const double turns : {0.5, 1.0, 1.5, 3.0, 10.0, 25.3}) wheels(turns, joints, seed + 10000);
  for (const double share : {0.2, 0.1, 0.05, 0.03})
    for (const JointType type : {JointType::revolute, JointType::prismatic})
      late(share, type, joints, seed + 20000);
  for (const double distance : {0.05, 0.1, 0.3}) skew(distance, joints, seed + 30000);
  for (const double noise : {0.0, 1e-9, 1e-6, 1e-3})
    for (const bool carried : {true, false}) at_rest(carried, noise, joints, seed + 40000);
  for (const int frames : {2, 3, 4, 6, 10}) few_poses(frames, 69 * kDegree, joints, seed + 50000);
}

void run(int joints, int seed, const std::string& what) {
  const auto asked = [&](const char* section) { return what.empty() || what == section; };
  if (asked("exact")) run_exact(joints, seed);
  if (asked("motions")) run_motions(joints, seed);
  if (asked("clocks")) run_clocks(joints, seed + 60000);
  if (asked("coverage")) run_coverage(joints, seed + 70000);
}

}  // namespace
}  // namespace prehend::articulation

int main(int argc, char** argv) {
  prehend::articulation::run(argc > 1 ? std::atoi(argv[1]) : 100, argc > 2 ? std::atoi(argv[2]) : 1,
                             argc > 3 ? argv[3] : "");
  return 0;
}
