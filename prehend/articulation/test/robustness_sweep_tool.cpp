// How often single joints survive bad poses, over many random joints: flipped markers, motions with two solutions, mirrored positions,
// quaternions in another order, doors that are barely opened. `robustness_sweep_tool [joints]` prints the counts that docs/articulation_validation.md states.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <prehend/articulation/selection.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using namespace testing;
using model::JointType;

// Poses of which every `step`-th is flipped about x of the moving part, and shifted: how many fits set exactly these apart?
int survive_flips(JointType type, std::size_t step, int joints) {
  int right = 0;
  for (int number = 0; number < joints; ++number) {
    math::RandomStream random(4000, number);
    const Joint joint = random_joint(type, random);
    Scenario scenario;
    scenario.moving = {0.002, 0.01};
    Observations seen = simulate(joint, scenario, random);
    flip_some(seen, step / 2, step);
    const JointFit fit = fit_joint(type, seen);
    bool exactly = fit.status == FitStatus::ok;
    for (std::size_t i = 0; i < fit.weights.size(); ++i)
      exactly = exactly && (fit.weights[i] < 0.5) == (i % step == step / 2);
    right += exactly;
  }
  return right;
}

// Universal joints moved about one axis and then about the other, or about both at once: how many list a second solution?
int with_two_solutions(bool one_after_the_other, int joints) {
  int two = 0;
  for (int number = 0; number < joints; ++number) {
    math::RandomStream random(5000, number);
    const Joint joint = random_joint(JointType::universal, random, 0.0);
    Scenario scenario;
    scenario.moving = {0.002, 0.01};
    const Observations seen =
        one_after_the_other ? one_axis_after_the_other(joint, random) : simulate(joint, scenario, random);
    two += !fit_joint(JointType::universal, seen).alternatives.empty();
  }
  return two;
}

struct Verdicts {
  int named{0}, ok{0}, ok_with_much_noise{0};
};
// Doors whose poses were spoiled in one way (0 to 2: an axis mirrored, 3: inverse quaternions, 4: x, y, z, w, 5: not at all).
Verdicts judged(int change, int joints) {
  Verdicts verdicts;
  const PoseNoise noise = change == 4 ? PoseNoise{0.0002, 0.001} : PoseNoise{0.002, 0.01};
  for (int number = 0; number < joints; ++number) {
    math::RandomStream random(6000, number);
    const Joint joint = random_joint(JointType::revolute, random);
    std::vector<math::Pose> poses;
    for (int i = 0; i < 80; ++i) {
      const math::Pose X = disturbed(joint.forward(State::Constant(1, i * kDegree)), noise, random);
      Eigen::Vector3d p = X.p();
      Eigen::Quaterniond q = X.q();
      if (change < 3) p[change] *= -1;
      if (change == 3) q = q.conjugate();
      if (change == 4) q = Eigen::Quaterniond(q.x(), q.y(), q.z(), q.w());
      poses.push_back(math::Pose(q, p));
    }
    const Selection selection = select_joint(observations_of(poses));
    verdicts.named += !selection.contradiction.empty();
    if (selection.status != SelectionStatus::ok) continue;
    ++verdicts.ok;
    verdicts.ok_with_much_noise +=
        selection.best().fit.noise.position > SelectionOptions().slow_noise.position;
  }
  return verdicts;
}

// Doors of half a metre, opened by `turn` [rad]: how many are told as what?
void open_barely(double turn, bool oriented, int joints) {
  int door = 0, drawer = 0, undetermined = 0;
  for (int number = 0; number < joints; ++number) {
    math::RandomStream random(12000, number);
    const Joint joint = random_joint(JointType::revolute, random, 0.5);
    Scenario scenario;
    scenario.frames = 100;
    scenario.moving = {0.003, 0.03};
    scenario.turn = turn;
    Observations seen = simulate(joint, scenario, random);
    seen.has_orientation = oriented;
    const Selection selection = select_joint(seen);
    const bool ok = selection.status == SelectionStatus::ok;
    undetermined += selection.status == SelectionStatus::undetermined;
    door += ok && selection.best().type == JointType::revolute;
    drawer += ok && selection.best().type == JointType::prismatic;
  }
  std::printf(
      "door opened by %.1f deg, %s orientation: undetermined %d, door %d, drawer %d, other (mostly at rest) "
      "%d\n",
      turn / kDegree, oriented ? "with" : "without", undetermined, door, drawer,
      joints - undetermined - door - drawer);
}

void run(int joints) {
  for (const std::size_t step : {10, 4})
    for (const JointType type :
         {JointType::rigid, JointType::prismatic, JointType::revolute, JointType::screw})
      std::printf("%s, one marker of %zu flipped: exactly these set apart in %d of %d\n", to_string(type),
                  step, survive_flips(type, step, joints), joints);
  std::printf("universal, one axis after the other: two solutions in %d of %d; both at once: in %d of %d\n",
              with_two_solutions(true, joints), joints, with_two_solutions(false, joints), joints);
  const char* const changes[] = {"x mirrored",          "y mirrored",    "z mirrored",
                                 "inverse quaternions", "order x y z w", "nothing changed"};
  for (int change = 0; change < 6; ++change) {
    const Verdicts verdicts = judged(change, joints);
    std::printf("door, %s: contradiction named in %d of %d, ok in %d (%d of them leave more than 5 mm)\n",
                changes[change], verdicts.named, joints, verdicts.ok, verdicts.ok_with_much_noise);
  }
  for (const bool oriented : {true, false})
    for (const double turn : {1.0, 1.5, 2.5, 4.0, 8.0}) open_barely(turn * kDegree, oriented, joints);
}

}  // namespace
}  // namespace prehend::articulation

int main(int argc, char** argv) {
  prehend::articulation::run(argc > 1 ? std::atoi(argv[1]) : 200);
  return 0;
}
