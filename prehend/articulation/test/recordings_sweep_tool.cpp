// Recordings as they come, over many random joints: exact poses and nearly exact ones, wheels, too few poses, things at rest, doors that move
// late, pairs that no joint connects. `recordings_sweep_tool [joints] [seed]` prints the counts that docs/articulation_validation.md states:
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

void run(int joints, int seed) {
  for (const double noise : {0.0, 1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4})
    for (const int place : {0, 1, 2}) exact(noise, place, std::max(2, joints / 10), seed);
  for (const double turns : {0.5, 1.0, 1.5, 3.0, 10.0, 25.3}) wheels(turns, joints, seed + 10000);
  for (const double share : {0.2, 0.1, 0.05, 0.03})
    for (const JointType type : {JointType::revolute, JointType::prismatic})
      late(share, type, joints, seed + 20000);
  for (const double distance : {0.05, 0.1, 0.3}) skew(distance, joints, seed + 30000);
  for (const double noise : {0.0, 1e-9, 1e-6, 1e-3})
    for (const bool carried : {true, false}) at_rest(carried, noise, joints, seed + 40000);
  for (const int frames : {2, 3, 4, 6, 10}) few_poses(frames, 69 * kDegree, joints, seed + 50000);
}

}  // namespace
}  // namespace prehend::articulation

int main(int argc, char** argv) {
  prehend::articulation::run(argc > 1 ? std::atoi(argv[1]) : 100, argc > 2 ? std::atoi(argv[2]) : 1);
  return 0;
}
