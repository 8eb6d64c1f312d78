#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <prehend/inertia/planning/rest_moves.h>
#include <prehend/math/house/infinity.h>
#include <prehend/model/house/chain_sweep.h>

namespace prehend::inertia {
namespace {

using math::kInfinity;
constexpr int kNodes = 200;         // along a move; its speed is smooth, so the largest is met to 1e-4
constexpr double kReserve = 1.002;  // for what lies between them
constexpr double kPeakSpeed = 1.875, kPeakAcceleration = 5.773502691896258;  // of s(x)
constexpr int kExact = 12;  // poses up to which all orders are considered

double length(const Eigen::MatrixXd& durations, const std::vector<int>& order) {
  double sum = 0.0;
  for (std::size_t i = 1; i < order.size(); ++i) sum += durations(order[i - 1], order[i]);
  return sum;
}

// Dynamic programming over sets of visited poses (Held and Karp 1962): 2^n n^2.
std::vector<int> exact_order(const Eigen::MatrixXd& durations, int first) {
  const int n = static_cast<int>(durations.rows());
  const std::size_t sets = std::size_t{1} << n;
  std::vector<double> best(sets * static_cast<std::size_t>(n), kInfinity);
  std::vector<int> before(best.size(), -1);
  const auto at = [n](std::size_t set, int last) {
    return set * static_cast<std::size_t>(n) + static_cast<std::size_t>(last);
  };
  for (int i = 0; i < n; ++i) {
    if (first < 0 || i == first) best[at(std::size_t{1} << i, i)] = 0.0;
  }
  for (std::size_t set = 1; set < sets; ++set) {
    for (int last = 0; last < n; ++last) {
      const double so_far = best[at(set, last)];
      if (!std::isfinite(so_far)) continue;
      for (int next = 0; next < n; ++next) {
        if ((set >> next & 1) != 0) continue;
        const std::size_t to = at(set | (std::size_t{1} << next), next);
        if (so_far + durations(last, next) < best[to]) {
          best[to] = so_far + durations(last, next);
          before[to] = last;
        }
      }
    }
  }
  int last = 0;
  for (int i = 1; i < n; ++i) {
    if (best[at(sets - 1, i)] < best[at(sets - 1, last)]) last = i;
  }
  std::vector<int> order;
  if (!std::isfinite(best[at(sets - 1, last)])) return order;
  for (std::size_t set = sets - 1; last >= 0;) {
    order.push_back(last);
    const int earlier = before[at(set, last)];
    set &= ~(std::size_t{1} << last);
    last = earlier;
  }
  std::reverse(order.begin(), order.end());
  return order;
}

// Nearest neighbour, then reversals of pieces while they shorten the way.
std::vector<int> local_order(const Eigen::MatrixXd& durations, int first) {
  const int n = static_cast<int>(durations.rows());
  std::vector<int> order{std::max(first, 0)};
  std::vector<bool> seen(static_cast<std::size_t>(n), false);
  seen[static_cast<std::size_t>(order[0])] = true;
  while (static_cast<int>(order.size()) < n) {
    int nearest = -1;
    for (int i = 0; i < n; ++i) {
      if (seen[static_cast<std::size_t>(i)]) continue;
      if (nearest < 0 || durations(order.back(), i) < durations(order.back(), nearest)) nearest = i;
    }
    seen[static_cast<std::size_t>(nearest)] = true;
    order.push_back(nearest);
  }
  const std::ptrdiff_t fixed = first >= 0 ? 1 : 0;
  for (bool improved = true; improved;) {
    improved = false;
    for (std::ptrdiff_t i = fixed; i + 1 < n; ++i) {
      for (std::ptrdiff_t j = i + 1; j < n; ++j) {
        std::vector<int> other = order;
        std::reverse(other.begin() + i, other.begin() + j + 1);
        if (length(durations, other) < length(durations, order) - 1e-12) {
          order = std::move(other);
          improved = true;
        }
      }
    }
  }
  return std::isfinite(length(durations, order)) ? order : std::vector<int>{};
}

}  // namespace

void RestMove::at(double t, JointState& state) const {
  const double x = duration > 0.0 ? std::clamp(t / duration, 0.0, 1.0) : 1.0,
               T = duration > 0.0 ? duration : 1.0;
  const Eigen::VectorXd way = to - from;
  state.q = from + x * x * x * (10.0 + x * (-15.0 + 6.0 * x)) * way;
  state.qd = 30.0 * x * x * (1.0 - x) * (1.0 - x) / T * way;
  state.qdd = 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / (T * T) * way;
}

RestMove rest_move(const model::JointChain& chain, const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                   const ExcitationOptions& options) {
  const JointBounds bounds = joint_bounds(chain, options.limits);
  const Eigen::VectorXd way = to - from, zero = Eigen::VectorXd::Zero(way.size());
  const Eigen::ArrayXd size = way.array().abs();
  RestMove move{from, to, 1.0, true};
  const Eigen::Vector3d centre = options.object.centre();
  model::ChainSweep sweep(chain);
  JointState state;
  double fastest = 0.0;  // of the tool, were the move to last one second
  for (int node = 0; node <= kNodes; ++node) {
    move.at(static_cast<double>(node) / kNodes, state);
    const model::FrameMotion& m = sweep.forward(state.q, state.qd, zero);
    fastest =
        std::max({fastest, m.v.norm(),
                  std::sqrt(squared_ball_speed(m.v + m.w.cross(centre), m.w, options.object.radius()))});
    move.has_room =
        move.has_room && clearance(sweep.X_WE() * centre, options.object.radius(), options.limits) >= 0.0;
  }
  const double by_speed = (kPeakSpeed * size / bounds.speed.array()).maxCoeff();
  const double by_acceleration = (kPeakAcceleration * size / bounds.acceleration.array()).sqrt().maxCoeff();
  move.duration = kReserve * std::max({fastest / options.limits.tool_speed, by_speed, by_acceleration});
  return move;
}

std::vector<int> visiting_order(const Eigen::MatrixXd& durations, int first) {
  if (durations.rows() == 0) return {};
  return durations.rows() <= kExact ? exact_order(durations, first) : local_order(durations, first);
}

}  // namespace prehend::inertia
