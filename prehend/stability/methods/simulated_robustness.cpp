// Source N, algorithm 3, in this project's engine: push, wait, look whether anything moves, halve the interval.
//
// The source applies the force for one time step. In an engine with soft contacts one step moves nothing: the push must
// act until what holds has come to rest again and what fails has gathered speed, `simulate_steps` steps. Every round
// starts from the same settled state.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <prehend/math/number_text.h>
#include <prehend/stability/methods/robustness_methods.h>
#include <prehend/math/progress.h>
#include <prehend/stability/robustness.h>

namespace prehend::stability {
namespace {

// Nothing moved at this many weights of all movable bodies: called unbounded. Contacts are soft; far above, bodies are
// pressed into each other and what moves then says nothing about the scene.
constexpr double kUnboundedWeights = 100.0;
// [s] A scene that is not quiet by then does not rest. Contacts settle within some of their time constants (0.02 s).
constexpr double kSettleTime = 2.0;
// Bisection ends at this relative width, far below what the engine's soft contacts are worth.
constexpr double kWidth = 1e-4;

struct Experiment {
  const RobustnessOptions& options;
  simulate::Simulation simulation;
  simulate::Simulation::Snapshot rest;

  // Whether the push, of this size [N], leaves anything in motion.
  bool moves(const Push& push, double size) {
    simulation.restore(rest);
    simulation.apply_wrench(push.body, {Eigen::Vector3d::Zero(), size * push.d_W.normalized()}, push.p_W);
    try {
      simulation.step(options.simulate_steps);
    } catch (const simulate::SimulationError&) {
      return true;  // it exploded: far beyond rest
    }
    return simulation.kinetic_energy() > options.simulate_energy;
  }
};

// Runs until the kinetic energy stays a hundredth of the threshold for a tenth of a second; false: it does not.
bool settle(simulate::Simulation& simulation, double energy) {
  double quiet_since = simulation.time();
  while (simulation.time() < kSettleTime) {
    simulation.run(0.01);
    if (simulation.kinetic_energy() > 0.01 * energy) quiet_since = simulation.time();
    if (simulation.time() - quiet_since >= 0.1) return true;
  }
  return false;
}

PushAnswer bisect(Experiment& experiment, const Push& push, double weight) {
  PushAnswer answer;
  answer.status = AnswerStatus::ok;
  double holds = 0.0, moves = experiment.options.simulate_upper;
  while (!experiment.moves(push, moves)) {
    holds = moves;
    if (holds >= kUnboundedWeights * weight) {
      answer.unbounded = true;
      answer.robustness = std::numeric_limits<double>::infinity();
      answer.mode = Mode::unbounded;
      answer.note = "nothing moved at " + math::number_text(holds, 3) + " N";
      return answer;
    }
    moves *= 2.0;
  }
  for (int round = 0; round < experiment.options.simulate_rounds && moves - holds > kWidth * moves; ++round) {
    const double middle = 0.5 * (holds + moves);
    (experiment.moves(push, middle) ? moves : holds) = middle;
  }
  answer.robustness = 0.5 * (holds + moves);
  if (holds == 0.0) answer.note = "it moved at every push that was tried";
  return answer;
}

}  // namespace

std::vector<PushAnswer> simulated_robustness(const model::Scene& scene, const ContactSystem& system,
                                             std::span<const Push> pushes, const RobustnessOptions& options) {
  for (const Push& push : pushes) push_load(scene, system, push);  // names what is wrong with a push
  std::vector<PushAnswer> answers(pushes.size());
  simulate::Simulation first(scene, options.simulation);
  if (!settle(first, options.simulate_energy)) {
    for (PushAnswer& answer : answers) {
      answer.status = AnswerStatus::unstable;
      answer.mode = Mode::unstable;
      answer.note = "the scene does not come to rest within " + math::number_text(kSettleTime) + " s";
    }
    return answers;
  }
  const simulate::Simulation::Snapshot rest = first.snapshot();
  std::string notes;
  for (const std::string& note : first.notes()) notes += (notes.empty() ? "" : " ") + note;

  // Every push starts from the same state, so neither order nor number of threads matters.
  math::Progress progress("simulated pushes", pushes.size());
  const auto ask = [&](Experiment& experiment, std::size_t i) {
    answers[i] = bisect(experiment, pushes[i], system.weight);
    if (!notes.empty()) answers[i].note += (answers[i].note.empty() ? "" : "; ") + notes;
    progress.advance();
  };
  if (options.threads == 1) {
    Experiment experiment{options, std::move(first), rest};
    for (std::size_t i = 0; i < pushes.size(); ++i) ask(experiment, i);
    return answers;
  }
  constexpr std::size_t kRun =
      16;  // pushes per simulation: trades engines to be built against an even load of the threads
  tbb::task_arena arena(options.threads == 0 ? tbb::task_arena::automatic : options.threads);
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, (pushes.size() + kRun - 1) / kRun, [&](std::size_t run) {
      Experiment experiment{options, simulate::Simulation(scene, options.simulation), rest};
      for (std::size_t i = run * kRun; i < std::min(pushes.size(), (run + 1) * kRun); ++i) ask(experiment, i);
    });
  });
  return answers;
}

}  // namespace prehend::stability
