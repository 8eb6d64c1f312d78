#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <prehend/inertia/excitation.h>
#include <prehend/inertia/planning/excitation_search.h>
#include <prehend/inertia/planning/excitation_worth.h>
#include <prehend/math/infinity.h>
#include <prehend/math/limited_memory_bfgs.h>
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
constexpr std::size_t kRefined = 3;
constexpr int kFineNodes = 24;  // for each harmonic and period

constexpr const char* kCannotTell =
    "this chain cannot tell all ten parameters, however it moves: its joints turn the object about too few "
    "axes";

struct Found {
  Eigen::VectorXd x;
  double cost{kInfinity};
  int iterations{0};
  bool lost_rank{false};  // there is room to move, but some parameters cannot be told
};

void descend(ExcitationCost& cost, double mu, int iterations, Found& found) {
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
Found begin(ExcitationCost& cost, const model::JointChain& chain, const ExcitationOptions& options,
            int functions, std::uint64_t task) {
  constexpr int kPoses = 200, kPosesForRank = 3, kHalvings = 20;
  math::RandomStream random(options.seed, task);
  const JointBounds bounds = joint_bounds(chain, options.limits);
  Found found;
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
SeriesCoefficients drawn_together(const model::JointChain& chain, const ExcitationOptions& options,
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

}  // namespace

void ExcitationOptions::validate(const model::JointChain& chain) const {
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw std::invalid_argument(what);
  };
  const auto text = [](double value) { return math::number_text(value); };
  limits.validate();
  noise.validate();
  require(object.mass > 0.0 && std::isfinite(object.mass),
          "expected mass is " + text(object.mass) + " kg; it must be positive and finite");
  require(object.size > 0.0 && std::isfinite(object.size),
          "expected size is " + text(object.size) + " m; it must be positive and finite");
  require(object.centre().allFinite(), "the object's centre is not finite");
  require(max_frequency > 0.0 && std::isfinite(max_frequency),
          "highest frequency is " + text(max_frequency) + " Hz; it must be positive and finite");
  require(rate >= 2.0 * max_frequency && std::isfinite(rate),
          "sample rate is " + text(rate) + " Hz; it must be at least twice the highest frequency, " +
              text(max_frequency) + " Hz");
  require(std::isfinite(duration) && duration * max_frequency >= 2.0 - 1e-9,
          "duration is " + text(duration) + " s; at up to " + text(max_frequency) +
              " Hz it must be at least " + text(2.0 / max_frequency) +
              " s, or no joint can start and stop at rest");
  require(duration * rate <= 1e6,
          "duration is " + text(duration) + " s; that makes more than a million samples");
  require(max_harmonics >= 4 && max_harmonics <= 100,
          "max_harmonics is " + std::to_string(max_harmonics) + "; it must be from 4 to 100");
  require(starts >= 1, "starts is " + std::to_string(starts) + "; it must be at least 1");
  require(threads >= 0, "threads is " + std::to_string(threads) + "; it must not be negative");
  const JointBounds bounds = joint_bounds(chain, limits);
  if (!start) return;
  require(start->size() == chain.size(), "the start has " + std::to_string(start->size()) +
                                             " joint positions; the chain has " +
                                             std::to_string(chain.size()) + " joints");
  for (int i = 0; i < chain.size(); ++i) {
    require((*start)[i] > bounds.lower[i] && (*start)[i] < bounds.upper[i],
            "start of joint '" + chain.joints[static_cast<std::size_t>(i)].name + "' is " +
                text((*start)[i]) + "; with its margin it must lie between " + text(bounds.lower[i]) +
                " and " + text(bounds.upper[i]));
  }
}

Excitation plan_excitation(const model::JointChain& chain, const ExcitationOptions& options) {
  options.validate(chain);
  Excitation result;
  for (const model::ChainJoint& joint : chain.joints) result.joints.push_back(joint.name);
  result.notes = chain.notes;
  result.passes = std::max(
      1,
      static_cast<int>(std::ceil(options.duration * options.max_frequency / options.max_harmonics - 1e-9)));
  const double period = options.duration / result.passes;
  const FourierBasis basis(period, static_cast<int>(std::floor(period * options.max_frequency + 1e-9)));

  std::vector<Found> found(static_cast<std::size_t>(options.starts));
  tbb::task_arena arena(options.threads > 0
                            ? std::min(options.threads, tbb::this_task_arena::max_concurrency())
                            : tbb::task_arena::automatic);
  const auto in_parallel = [&](std::size_t count, const auto& work) {
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, work); });
  };
  math::Progress progress("search for a motion", found.size() + kRefined);
  in_parallel(found.size(), [&](std::size_t task) {
    ExcitationCost cost(chain, options, basis);
    found[task] = begin(cost, chain, options, basis.size(), task);
    progress.advance();
    if (!std::isfinite(found[task].cost)) return;
    // The sum of variances is ruled by what is known least; it leads out of the many poor optima of the determinant, in
    // which some joints rest: from the same starts 5 to 15 more in log det.
    cost.set_criterion(Criterion::a_optimal);
    for (const double mu : kRoughWeights) descend(cost, mu, kRoughIterations, found[task]);
    cost.set_criterion(options.criterion);
    Eigen::VectorXd gradient;
    cost(found[task].x, kRoughWeights[1], gradient);
    found[task].cost = cost.criterion();
  });
  const bool lost_rank =
      std::any_of(found.begin(), found.end(), [](const Found& one) { return one.lost_rank; });
  std::erase_if(found, [](const Found& one) { return !std::isfinite(one.cost); });
  const auto better = [](const Found& a, const Found& b) { return a.cost < b.cost; };
  std::stable_sort(found.begin(), found.end(), better);
  if (found.empty()) {
    if (lost_rank) {
      result.problems.push_back(kCannotTell);
      return result;
    }
    result.problems.push_back(
        options.start ? "no motion from the given start keeps all limits: there the object is outside of its "
                        "room, or too close to its bounds"
                      : "no motion that keeps all limits was found: in 200 poses from each of " +
                            std::to_string(options.starts) + " starts the object was outside of its room");
    return result;
  }
  if (found.size() > kRefined) found.resize(kRefined);
  in_parallel(found.size(), [&](std::size_t i) {
    progress.advance();
    ExcitationCost cost(chain, options, basis, kFineNodes);
    Eigen::VectorXd gradient;
    // A limit may be broken between the coarse nodes.
    for (int halving = 0; halving < 20 && !std::isfinite(cost(found[i].x, 1.0, gradient)); ++halving) {
      SeriesCoefficients series = cost.unpack(found[i].x);
      series.C *= 0.95;
      found[i].x = cost.pack(series);
    }
    if (!std::isfinite(cost(found[i].x, 1.0, gradient))) return;
    cost.set_criterion(Criterion::a_optimal);
    for (const double mu : kFineWeights) descend(cost, mu, kFineIterations, found[i]);
    if (options.criterion == Criterion::a_optimal) return;
    // Down from the other criterion's optimum, so never worse than that.
    cost.set_criterion(options.criterion);
    descend(cost, kFineWeights[2], 2 * kFineIterations, found[i]);
  });
  std::stable_sort(found.begin(), found.end(), better);
  for (const Found& one : found) result.iterations += one.iterations;

  double factor = 1.0;
  const SeriesCoefficients series = drawn_together(
      chain, options, basis, ExcitationCost(chain, options, basis).unpack(found.front().x), factor);
  result.motion = series_motion(basis, series, result.passes);
  result.plan = worth_of(chain, result.motion, options);
  add_baseline(chain, options, series.start, result);
  result.problems = result.plan.limits.broken();
  if (!std::isfinite(result.plan.condition)) {
    result.problems.push_back(kCannotTell);
  }
  result.status = result.problems.empty() ? ExcitationStatus::planned : ExcitationStatus::failed;
  if (factor < 1.0) {
    result.notes.push_back("drawn together by " + math::number_text(100.0 * (1.0 - factor), 2) +
                           " % so that every limit holds between the nodes of the search");
  }
  if (result.passes > 1) {
    result.notes.push_back("one period of " + math::number_text(period, 4) + " s, " +
                           std::to_string(result.passes) + " times");
  }
  return result;
}

}  // namespace prehend::inertia
