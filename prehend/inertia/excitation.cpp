#include <algorithm>
#include <cmath>
#include <utility>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <prehend/inertia/excitation.h>
#include <prehend/inertia/planning/baseline.h>
#include <prehend/inertia/planning/excitation_search.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/infinity.h>
#include <prehend/math/house/limited_memory_bfgs.h>
#include <prehend/math/number_text.h>
#include <prehend/math/progress.h>
#include <prehend/math/random.h>

namespace prehend::inertia {
namespace {

using math::kInfinity;
// Weights of the barriers: first a rough shape for all starts, then the best few close to the limits. At 0.003 and some
// thirty limits the criterion is within about 0.1 of what the limits allow: half a percent in each standard deviation.
constexpr double kRoughWeights[] = {1.0, 0.1};
constexpr double kFineWeights[] = {0.03, 0.01, 0.003};
constexpr int kRoughIterations = 50, kFineIterations = 150;
constexpr std::size_t kRefined = 3;  // of the rough optima, the best ones
constexpr int kFineNodes = 24;       // for each harmonic and period

// Bounds on the time that a start takes to begin: poses tried in the room, poses tried when it is rank that lacks, and halvings
// of a motion that breaks a limit (a millionth of its size at last).
constexpr int kPoses = 200, kPosesForRank = 3, kHalvings = 20;

constexpr const char* kLacksRank =
    "this chain cannot identify all ten parameters, however it moves: its joints turn the object about too "
    "few axes";

struct FoundMotion {
  Eigen::VectorXd x;
  double cost{kInfinity};
  int iterations{0};
  bool lost_rank{false};  // there is room to move, but some parameters have no information
};

void descend(ExcitationCost& cost, double mu, int iterations, FoundMotion& found) {
  const auto function = [&](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    return cost(x, mu, gradient);
  };
  const math::LimitedMemoryBfgsResult result = math::limited_memory_bfgs(
      function, found.x,
      {.max_iterations = iterations, .gradient_tolerance = 1e-5, .decrease_tolerance = 1e-10});
  found.x = result.x;
  found.iterations += result.iterations;
  Eigen::VectorXd gradient;
  cost(found.x, mu, gradient);
  found.cost = cost.criterion();
}

// A small random motion inside all limits; infinite cost when none is found.
FoundMotion begin(ExcitationCost& cost, const model::JointChain& chain, const ExcitationOptions& options,
                  int functions, std::uint64_t task) {
  math::RandomStream random(options.seed, task);
  const JointBounds bounds = joint_bounds(chain, options.limits);
  FoundMotion found;
  Eigen::VectorXd gradient;
  for (int pose = 0; pose < kPoses; ++pose) {
    SeriesCoefficients series;
    series.start.resize(chain.size());
    for (int i = 0; i < chain.size(); ++i) {
      const double lower =
          std::isfinite(bounds.lower[i]) ? bounds.lower[i] : std::min(-3.0, bounds.upper[i] - 6.0);
      const double upper =
          std::isfinite(bounds.upper[i]) ? bounds.upper[i] : std::max(3.0, bounds.lower[i] + 6.0);
      const double share = task == 0 && pose == 0 ? 0.5 : random.uniform(0.1, 0.9);
      series.start[i] = lower + share * (upper - lower);
    }
    if (options.start) series.start = *options.start;
    model::ChainSweep sweep(chain);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(chain.size());
    sweep.forward(series.start, zero, zero);
    const bool has_room =
        clearance(sweep.X_WE() * options.object.centre(), options.object.radius(), options.limits) > 0.0;
    if (!has_room && options.start) return found;
    if (!has_room) continue;
    series.C.resize(functions, chain.size());
    for (double& value : series.C.reshaped()) value = 0.3 * random.normal();
    for (int halving = 0; halving < kHalvings; ++halving, series.C *= 0.5) {
      found.x = cost.pack(series);
      found.cost = cost(found.x, 1.0, gradient);
      if (std::isfinite(found.cost)) return found;
      found.lost_rank = found.lost_rank || cost.lost_rank();
    }
    if (found.lost_rank && (pose >= kPosesForRank || options.start)) break;
  }
  found.cost = kInfinity;
  return found;
}

// Towards its start until every limit holds between the nodes, too.
SeriesCoefficients scaled_into_limits(const model::JointChain& chain, const ExcitationOptions& options,
                                      const FourierBasis& basis, const SeriesCoefficients& series,
                                      double& factor) {
  const auto scaled = [&](double by) { return SeriesCoefficients{series.start, by * series.C}; };
  const auto holds = [&](double by) {
    return check_limits(chain, series_motion(basis, scaled(by), 1), options.object, options.limits).hold();
  };
  factor = 1.0;
  if (holds(1.0)) return series;
  double low = 0.0, high = 1.0;
  for (double guess : {0.999, 0.99, 0.9}) {
    if (holds(guess)) {
      low = guess;
      break;
    }
    high = guess;
  }
  for (int i = 0; i < 20 && high - low > 1e-4; ++i) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? low : high) = middle;
  }
  factor = low;
  return scaled(low);
}

// The motion's period and how often it is played: at most max_harmonics of the highest frequency in one.
struct Periods {
  int passes;
  FourierBasis basis;
};

Periods periods_of(const ExcitationOptions& options) {
  const int passes = std::max(
      1,
      static_cast<int>(std::ceil(options.duration * options.max_frequency / options.max_harmonics - 1e-9)));
  const double period = options.duration / passes;
  return {passes, FourierBasis(period, static_cast<int>(std::floor(period * options.max_frequency + 1e-9)))};
}

// From one start, roughly.
FoundMotion search_roughly(const model::JointChain& chain, const ExcitationOptions& options,
                           const FourierBasis& basis, std::uint64_t task) {
  ExcitationCost cost(chain, options, basis);
  FoundMotion found = begin(cost, chain, options, basis.size(), task);
  if (!std::isfinite(found.cost)) return found;
  // The sum of variances is ruled by what is known least; it leads out of the many poor optima of the determinant, in
  // which some joints rest: from the same starts 5 to 15 more in log det.
  cost.set_criterion(Criterion::a_optimal);
  for (const double mu : kRoughWeights) descend(cost, mu, kRoughIterations, found);
  cost.set_criterion(options.criterion);
  Eigen::VectorXd gradient;
  cost(found.x, kRoughWeights[1], gradient);
  found.cost = cost.criterion();
  return found;
}

// On more nodes and closer to the limits.
void refine(const model::JointChain& chain, const ExcitationOptions& options, const FourierBasis& basis,
            FoundMotion& found) {
  ExcitationCost cost(chain, options, basis, kFineNodes);
  Eigen::VectorXd gradient;
  // A limit may be broken between the coarse nodes.
  for (int halving = 0; halving < 20 && !std::isfinite(cost(found.x, 1.0, gradient)); ++halving) {
    SeriesCoefficients series = cost.unpack(found.x);
    series.C *= 0.95;
    found.x = cost.pack(series);
  }
  if (!std::isfinite(cost(found.x, 1.0, gradient))) return;
  cost.set_criterion(Criterion::a_optimal);
  for (const double mu : kFineWeights) descend(cost, mu, kFineIterations, found);
  if (options.criterion == Criterion::a_optimal) return;
  // Down from the other criterion's optimum, so never worse than that.
  cost.set_criterion(options.criterion);
  descend(cost, kFineWeights[2], 2 * kFineIterations, found);
}

// The best of all starts first; empty where none keeps the limits with full rank.
struct Starts {
  std::vector<FoundMotion> found;
  bool lost_rank{false};
};

Starts search(const model::JointChain& chain, const ExcitationOptions& options, const FourierBasis& basis) {
  Starts starts;
  std::vector<FoundMotion>& found = starts.found;
  found.resize(static_cast<std::size_t>(options.starts));
  tbb::task_arena arena(options.threads > 0
                            ? std::min(options.threads, tbb::this_task_arena::max_concurrency())
                            : tbb::task_arena::automatic);
  const auto in_parallel = [&](std::size_t count, const auto& work) {
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, work); });
  };
  const auto better = [](const FoundMotion& a, const FoundMotion& b) { return a.cost < b.cost; };
  math::Progress progress("search for a motion", found.size() + kRefined);
  in_parallel(found.size(), [&](std::size_t task) {
    found[task] = search_roughly(chain, options, basis, task);
    progress.advance();
  });
  starts.lost_rank =
      std::any_of(found.begin(), found.end(), [](const FoundMotion& one) { return one.lost_rank; });
  std::erase_if(found, [](const FoundMotion& one) { return !std::isfinite(one.cost); });
  std::stable_sort(found.begin(), found.end(), better);
  if (found.size() > kRefined) found.resize(kRefined);
  in_parallel(found.size(), [&](std::size_t i) {
    refine(chain, options, basis, found[i]);
    progress.advance();
  });
  std::stable_sort(found.begin(), found.end(), better);
  return starts;
}

std::string why_none(const ExcitationOptions& options, bool lost_rank) {
  if (lost_rank) return kLacksRank;
  if (options.start)
    return "no motion from the given start keeps all limits: there the object is outside of its room, or too "
           "close to its bounds";
  return "no motion that keeps all limits was found: in " + std::to_string(kPoses) + " poses from each of " +
         std::to_string(options.starts) + " starts the object was outside of its room";
}

}  // namespace

const char* to_string(ExcitationStatus status) { return enum_text(status); }

Excitation plan_excitation(const model::JointChain& chain, const ExcitationOptions& options) {
  options.validate(chain);
  Excitation result;
  result.link = chain.link_name;
  for (const model::ChainJoint& joint : chain.joints) result.joints.push_back(joint.name);
  result.notes = chain.notes;
  const Periods periods = periods_of(options);
  const FourierBasis& basis = periods.basis;
  result.passes = periods.passes;
  const Starts starts = search(chain, options, basis);
  if (starts.found.empty()) {
    result.problems.push_back(why_none(options, starts.lost_rank));
    return result;
  }
  for (const FoundMotion& one : starts.found) result.iterations += one.iterations;

  double factor = 1.0;
  const SeriesCoefficients series = scaled_into_limits(
      chain, options, basis, ExcitationCost(chain, options, basis).unpack(starts.found.front().x), factor);
  result.motion = series_motion(basis, series, result.passes);
  result.plan = worth_of(chain, result.motion, options);
  Baseline baseline = best_baseline(chain, options, series.start);
  result.baseline = std::move(baseline.worth);
  result.baseline_speed = baseline.speed;
  result.problems = result.plan.limits.broken();
  if (!std::isfinite(result.plan.condition)) result.problems.push_back(kLacksRank);
  result.status = result.problems.empty() ? ExcitationStatus::ok : ExcitationStatus::infeasible;
  if (factor < 1.0) {
    result.notes.push_back("scaled down by " + math::number_text(100.0 * (1.0 - factor), 2) +
                           " % so that every limit holds between the nodes of the search");
  }
  if (result.passes > 1) {
    result.notes.push_back("one period of " + math::number_text(basis.period(), 4) + " s, " +
                           std::to_string(result.passes) + " times");
  }
  return result;
}

}  // namespace prehend::inertia
