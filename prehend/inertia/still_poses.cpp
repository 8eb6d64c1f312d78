#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <prehend/inertia/methods/symmetric.h>
#include <prehend/inertia/planning/baseline.h>
#include <prehend/inertia/planning/excitation_search.h>
#include <prehend/inertia/planning/rest_moves.h>
#include <prehend/inertia/still_poses.h>
#include <prehend/math/house/infinity.h>
#include <prehend/math/house/limited_memory_bfgs.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/math/progress.h>
#include <prehend/math/random.h>
#include <prehend/model/house/chain_sweep.h>

namespace prehend::inertia {
namespace {

using math::kInfinity;
// Weight of the mean squared spread of the joints, in shares of their ranges. Against a log determinant: a joint that
// runs through half of its range for all poses costs 0.0025, less than any direction is worth.
constexpr double kSpread = 0.01;
// Weight of the barriers of ranges and room against the same determinant: trades closeness to them for a smooth search; below
// the least weight of motions (excitation.cpp), because poses have few freedoms.
constexpr double kBarrier = 1e-3;

// Poses, one after another, in one vector.
class StillCost {
 public:
  StillCost(const model::JointChain& chain, int count, const ExcitationOptions& options)
      : chain_(chain), options_(options), bounds_(joint_bounds(chain, options.limits)), count_(count) {
    const double m = options.object.mass, L = options.object.size;
    columns_ << m, Eigen::Vector3d::Constant(m * L);
    rows_ << Eigen::Vector3d::Constant(1.0 / options.noise.torque),
        Eigen::Vector3d::Constant(1.0 / options.noise.force);
    sweeps_.assign(static_cast<std::size_t>(count), model::ChainSweep(chain, -chain.gravity_W));
    range_ = (bounds_.upper - bounds_.lower).unaryExpr([](double x) { return std::isfinite(x) ? x : 6.0; });
  }

  double operator()(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    math::check_interrupt();
    const int n = chain_.size();
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n);
    const Eigen::Map<const Eigen::MatrixXd> Q(x.data(), n, count_);
    gradient.setZero(x.size());
    Eigen::Map<Eigen::MatrixXd> slope(gradient.data(), n, count_);
    double cost = spread(Q, slope);
    std::vector<Eigen::Matrix<double, 6, 4>> A(static_cast<std::size_t>(count_));
    Eigen::Matrix<double, 6, 4> mean = Eigen::Matrix<double, 6, 4>::Zero();
    for (int k = 0; k < count_; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const model::FrameMotion& motion = sweeps_[at].forward(Q.col(k), zero, zero);
      A[at] = rows_.asDiagonal() * wrench_regressor({.a = motion.a}).leftCols<4>() * columns_.asDiagonal();
      mean += A[at] / count_;
    }
    if (!options_.noise.has_bias) mean.setZero();
    Eigen::Matrix4d M = Eigen::Matrix4d::Zero();
    for (auto& rows : A) M += (rows - mean).transpose() * (rows - mean);
    const Cholesky<4> factor(M);
    if (!factor.is_positive()) return kInfinity;
    cost -= factor.log_determinant();
    const Eigen::Matrix4d inverse = factor.inverse();
    Eigen::VectorXd qd = zero, qdd = zero;
    for (int k = 0; k < count_; ++k) {
      const auto at = static_cast<std::size_t>(k);
      Regressor G = Regressor::Zero();
      G.leftCols<4>() = -2.0 * rows_.asDiagonal() * ((A[at] - mean) * inverse) * columns_.asDiagonal();
      model::FrameGradient of;
      of.motion.a = regressor_gradient(G, {.a = sweeps_[at].motion().a}).a;
      cost += room(at, of);
      if (!std::isfinite(cost)) return kInfinity;
      sweeps_[at].backward(of, slope.col(k), qd, qdd);
    }
    return cost;
  }

 private:
  // Joint ranges as barriers, and the cost of moving joints at all.
  double spread(const Eigen::Map<const Eigen::MatrixXd>& Q, Eigen::Map<Eigen::MatrixXd>& slope) const {
    double cost = 0.0;
    const Eigen::VectorXd mean = Q.rowwise().mean();
    for (int k = 0; k < count_; ++k) {
      for (int i = 0; i < chain_.size(); ++i) {
        const double off = (Q(i, k) - mean[i]) / range_[i];
        cost += kSpread / count_ * off * off;
        slope(i, k) += 2.0 * kSpread / count_ * off / range_[i];
        for (const double slack : {Q(i, k) - bounds_.lower[i], bounds_.upper[i] - Q(i, k)}) {
          if (!(slack > 0.0)) return kInfinity;
          if (std::isfinite(slack)) cost -= kBarrier / count_ * std::log(slack / range_[i]);
        }
        slope(i, k) -=
            kBarrier / count_ * (1.0 / (Q(i, k) - bounds_.lower[i]) - 1.0 / (bounds_.upper[i] - Q(i, k)));
      }
    }
    return cost;
  }

  double room(std::size_t k, model::FrameGradient& of) const {
    const MotionLimits& limits = options_.limits;
    if (!limits.workspace_W && limits.keep_out_W.empty()) return 0.0;
    const math::Pose X_WE = sweeps_[k].X_WE();
    const Eigen::Vector3d c = options_.object.centre(), p = X_WE * c;
    const double r = options_.object.radius(), weight = kBarrier / count_;
    if (!(clearance(p, r, limits) > 0.0)) return kInfinity;
    double cost = 0.0;
    Eigen::Vector3d by_p = Eigen::Vector3d::Zero();
    for (int axis = 0; axis < 3 && limits.workspace_W; ++axis) {
      const double below = p[axis] - r - limits.workspace_W->min()[axis],
                   above = limits.workspace_W->max()[axis] - r - p[axis];
      if (std::isfinite(below)) cost -= weight * std::log(below), by_p[axis] -= weight / below;
      if (std::isfinite(above)) cost -= weight * std::log(above), by_p[axis] += weight / above;
    }
    for (const Eigen::AlignedBox3d& box : limits.keep_out_W) {
      const Eigen::Vector3d away = p - p.cwiseMax(box.min()).cwiseMin(box.max());
      const double slack = away.squaredNorm() - r * r;
      cost -= weight * std::log(slack);
      by_p -= 2.0 * weight / slack * away;
    }
    of.shift = X_WE.q().conjugate() * by_p;
    of.turn = c.cross(of.shift);
    return cost;
  }

  const model::JointChain& chain_;
  const ExcitationOptions& options_;
  JointBounds bounds_;
  int count_;
  Eigen::Vector4d columns_;
  math::Vector6d rows_;
  Eigen::VectorXd range_;
  std::vector<model::ChainSweep> sweeps_;
};

struct Found {
  Eigen::MatrixXd poses;  // joints x count
  double cost{kInfinity};
  int iterations{0};
};

Found search(const model::JointChain& chain, int count, const ExcitationOptions& options,
             std::uint64_t task) {
  constexpr int kTries = 200;  // random sets of poses: a bound on the time where limits leave little room
  math::RandomStream random(options.seed, task);
  const JointBounds bounds = joint_bounds(chain, options.limits);
  StillCost cost(chain, count, options);
  model::ChainSweep sweep(chain);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(chain.size());
  Found found;
  found.poses.resize(chain.size(), count);
  for (int k = 0; k < count; ++k) {
    bool fits = false;
    for (int attempt = 0; attempt < kTries && !fits; ++attempt) {
      for (int i = 0; i < chain.size(); ++i) {
        const double lower =
            std::isfinite(bounds.lower[i]) ? bounds.lower[i] : std::min(-3.0, bounds.upper[i] - 6.0);
        const double upper =
            std::isfinite(bounds.upper[i]) ? bounds.upper[i] : std::max(3.0, bounds.lower[i] + 6.0);
        found.poses(i, k) = lower + random.uniform(0.1, 0.9) * (upper - lower);
      }
      sweep.forward(found.poses.col(k), zero, zero);
      fits = clearance(sweep.X_WE() * options.object.centre(), options.object.radius(), options.limits) > 0.0;
    }
    if (!fits) return found;
  }
  Eigen::VectorXd gradient;
  const Eigen::VectorXd start = found.poses.reshaped();
  if (!std::isfinite(cost(start, gradient))) return found;
  const math::LimitedMemoryBfgsResult result = math::limited_memory_bfgs(
      std::ref(cost), start,
      {.max_iterations = 400, .gradient_tolerance = 1e-7, .decrease_tolerance = 1e-10});
  found.poses = result.x.reshaped(chain.size(), count);
  found.cost = result.value;
  found.iterations = result.iterations;
  return found;
}

struct StopAndGo {
  JointMotion motion;
  std::vector<std::pair<double, double>> stills;
  bool has_room{true};
};

StopAndGo stop_and_go(const model::JointChain& chain, const Eigen::MatrixXd& poses,
                      const ExcitationOptions& options) {
  StopAndGo plan;
  std::vector<RestMove> moves;
  std::vector<double> begins;
  double t = 0.0;
  const auto add = [&](RestMove move) {
    plan.has_room = plan.has_room && move.has_room;
    begins.push_back(t);
    t += move.duration;
    moves.push_back(std::move(move));
  };
  for (Eigen::Index k = 0; k < poses.cols(); ++k) {
    if (k > 0) add(rest_move(chain, poses.col(k - 1), poses.col(k), options));
    if (k == 0 && options.start) add(rest_move(chain, *options.start, poses.col(0), options));
    plan.stills.emplace_back(t, t + options.dwell);
    t += options.dwell;
  }
  const Eigen::VectorXd first = poses.col(0);
  plan.motion = {t, [=](double time, JointState& state) {
                   const auto next = std::upper_bound(begins.begin(), begins.end(), time);
                   if (next == begins.begin()) {
                     state.q = first;
                     state.qd = state.qdd = Eigen::VectorXd::Zero(first.size());
                     return;
                   }
                   const auto move = static_cast<std::size_t>(next - begins.begin()) - 1;
                   moves[move].at(time - begins[move], state);
                 }};
  return plan;
}

// Of the still samples alone.
MotionWorth still_worth(const model::JointChain& chain, const StopAndGo& plan,
                        const ExcitationOptions& options) {
  MotionWorth worth = worth_of(chain, plan.motion, options);
  const std::vector<Motion> all = sensor_motions(chain, worth.trajectory);
  std::vector<Motion> still;
  std::size_t row = 0;
  for (const auto& [from, to] : plan.stills) {
    for (; row < all.size() && worth.trajectory.t[static_cast<Eigen::Index>(row)] < to - 1e-9; ++row) {
      if (worth.trajectory.t[static_cast<Eigen::Index>(row)] >= from - 1e-9) still.push_back(all[row]);
    }
  }
  worth.information = information(still, options.noise);
  worth.condition = still_condition_number(worth.information);
  worth.std = predicted_still_deviation(worth.information, options.object.inertia_S());
  return worth;
}

// The poses in the order of least travel, or none when there is no way through them inside the room.
Eigen::MatrixXd in_order(const model::JointChain& chain, const Eigen::MatrixXd& poses,
                         const ExcitationOptions& options) {
  Eigen::MatrixXd all = poses;
  if (options.start) {
    all.resize(poses.rows(), poses.cols() + 1);
    all << *options.start, poses;
  }
  Eigen::MatrixXd durations = Eigen::MatrixXd::Zero(all.cols(), all.cols());
  for (Eigen::Index a = 0; a < all.cols(); ++a) {
    for (Eigen::Index b = 0; b < a; ++b) {
      const RestMove move = rest_move(chain, all.col(a), all.col(b), options);
      durations(a, b) = durations(b, a) = move.has_room ? move.duration : kInfinity;
    }
  }
  std::vector<int> order = visiting_order(durations, options.start ? 0 : -1);
  if (options.start && !order.empty()) order.erase(order.begin());
  Eigen::MatrixXd ordered(poses.rows(), static_cast<Eigen::Index>(order.size()));
  for (std::size_t k = 0; k < order.size(); ++k)
    ordered.col(static_cast<Eigen::Index>(k)) = all.col(order[k]);
  return ordered;
}

// Stops on (3.14), equally spaced in time.
Baseline still_baseline(const model::JointChain& chain, int count, const ExcitationOptions& options) {
  Baseline baseline;
  const Eigen::VectorXd centre = middle_of_ranges(chain);
  baseline.speed = baseline_factor(chain, options, centre);
  ExcitationOptions free = options;
  free.start.reset();
  const JointMotion sinusoids = baseline_motion(chain, options, centre, baseline.speed);
  Eigen::MatrixXd stops(chain.size(), count);
  JointState state;
  for (int k = 0; k < count; ++k) {
    sinusoids.at(sinusoids.duration * (k + 0.5) / count, state);
    stops.col(k) = state.q;
  }
  baseline.worth = still_worth(chain, stop_and_go(chain, stops, free), free);
  return baseline;
}

}  // namespace

Excitation plan_still_poses(const model::JointChain& chain, int count, const ExcitationOptions& options) {
  options.validate(chain);
  const int least = options.noise.has_bias ? 3 : 2;
  if (count < least || count > 100) {
    throw std::invalid_argument("number of still poses is " + std::to_string(count) + "; it must be from " +
                                std::to_string(least) +
                                (options.noise.has_bias ? " (the bias is unknown)" : "") + " to 100");
  }
  if (!(options.dwell * options.rate >= 1.0) || !(options.dwell * options.rate * count <= 1e6)) {
    throw std::invalid_argument(
        "dwell is " + math::number_text(options.dwell) + " s; it must hold at least one sample, " +
        math::number_text(1.0 / options.rate) + " s, and all stops at most a million");
  }
  Excitation result;
  result.link = chain.link_name;
  for (const model::ChainJoint& joint : chain.joints) result.joints.push_back(joint.name);
  result.notes = chain.notes;
  std::vector<Found> found(static_cast<std::size_t>(options.starts));
  tbb::task_arena arena(options.threads > 0
                            ? std::min(options.threads, tbb::this_task_arena::max_concurrency())
                            : tbb::task_arena::automatic);
  math::Progress progress("search for still poses", found.size());
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, found.size(), [&](std::size_t task) {
      found[task] = search(chain, count, options, task);
      progress.advance();
    });
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.cost < b.cost; });
  std::erase_if(found, [](const Found& one) { return !std::isfinite(one.cost); });
  if (found.empty()) {
    result.problems.push_back(
        "no still poses that keep all limits were found, or gravity takes too few directions there");
    return result;
  }
  for (const Found& one : found) {
    result.iterations += one.iterations;
    if (result.poses.size() > 0) continue;
    result.poses = in_order(chain, one.poses, options).transpose();
  }
  if (result.poses.size() == 0) {
    result.problems.push_back(
        "no way through the poses found keeps the object in its room on straight lines of the joint space");
    return result;
  }
  StopAndGo plan = stop_and_go(chain, result.poses.transpose(), options);
  result.motion = plan.motion;
  result.stills = plan.stills;
  result.plan = still_worth(chain, plan, options);

  Baseline baseline = still_baseline(chain, count, options);
  result.baseline = std::move(baseline.worth);
  result.baseline_speed = baseline.speed;
  result.problems = result.plan.limits.broken();
  if (!std::isfinite(result.plan.condition)) {
    result.problems.push_back(
        "this chain cannot identify mass and centre of mass standing still: gravity keeps its direction in "
        "the sensor");
  }
  result.status = result.problems.empty() ? ExcitationStatus::ok : ExcitationStatus::infeasible;
  return result;
}

}  // namespace prehend::inertia
