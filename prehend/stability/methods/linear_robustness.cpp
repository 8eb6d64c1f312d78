#include <stdexcept>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <prehend/math/interrupt.h>
#include <prehend/stability/methods/linear_limit.h>
#include <prehend/stability/methods/robustness_methods.h>
#include <prehend/stability/robustness.h>

namespace prehend::stability {
namespace {

PushAnswer push_answer(const LinearAnswer& found) {
  PushAnswer answer;
  answer.status = found.status;
  answer.note = found.note;
  if (found.status == AnswerStatus::unstable) {
    answer.mode = Mode::unstable;
    answer.note = "the weights alone cannot be balanced by forces inside the pyramids at the sampled points";
  }
  if (found.status != AnswerStatus::ok) return answer;
  answer.robustness = answer.lower = found.limit;  // forces inside the pyramids are inside the cones: a proof
  answer.unbounded = found.unbounded;
  if (found.unbounded) answer.mode = Mode::unbounded;
  return answer;
}

}  // namespace

std::vector<PushAnswer> linear_robustness(const model::Scene& scene, const ContactSystem& system,
                                          std::span<const Push> pushes, const RobustnessOptions& options) {
  if (options.method != Method::lp4 && options.method != Method::lp8) {
    throw std::invalid_argument("linear_robustness answers for the methods lp4 and lp8");
  }
  LinearLimitOptions limit_options;
  limit_options.sides = options.method == Method::lp4 ? 4 : 8;
  limit_options.unbounded_above = options.unbounded_above;
  std::vector<Load> loads;
  loads.reserve(pushes.size());
  for (const Push& push : pushes) loads.push_back(push_load(scene, system, push));

  // A solver per run of neighbours, whose answers start from each other: the runs, and so the last digits, do not
  // depend on the number of threads.
  constexpr std::size_t kRun = 250;
  std::vector<PushAnswer> answers(pushes.size());
  const auto solve_run = [&](std::size_t run) {
    LinearLimit limit(system, limit_options);
    for (std::size_t i = run * kRun; i < std::min(pushes.size(), (run + 1) * kRun); ++i) {
      math::check_interrupt();
      answers[i] = push_answer(limit.ask_warm(loads[i]));
    }
  };
  const std::size_t runs = (pushes.size() + kRun - 1) / kRun;
  if (options.threads == 1) {
    for (std::size_t run = 0; run < runs; ++run) solve_run(run);
  } else {
    tbb::task_arena arena(options.threads == 0 ? tbb::task_arena::automatic : options.threads);
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, runs, solve_run); });
  }
  return answers;
}

}  // namespace prehend::stability
