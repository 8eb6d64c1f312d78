#include <algorithm>
#include <cmath>

#include <prehend/articulation/evidence/pose_between.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

// Rows on either side of one whose gaps differ by more than this factor do not tell how the way bends there: noise of the short one would be carried far.
constexpr double kEven = 2.5;
constexpr double kLargestTurn = 1.5;  // [rad] from row to row; beyond, turns are not known to be the shorter way

double middle_of(std::vector<double>& x) {
  if (x.empty()) return 0.0;
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

// The mean; where the two differ by far more than is usual the smaller one.
Eigen::Vector3d agreed(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double usual) {
  constexpr double kFarMore = 6.0;  // a Gaussian difference is that far from its median once in 10^5
  if ((a - b).norm() <= kFarMore * usual) return 0.5 * (a + b);
  return a.squaredNorm() < b.squaredNorm() ? a : b;
}

}  // namespace

PosesBetween::PosesBetween(std::vector<TimedPose> rows) : rows_(std::move(rows)), bends_(rows_.size()) {
  for (std::size_t k = 1; k + 1 < rows_.size(); ++k) {
    const TimedPose &a = rows_[k - 1], &b = rows_[k], &c = rows_[k + 1];
    const double h1 = b.t - a.t, h2 = c.t - b.t;
    if (!(h1 > 0) || !(h2 > 0) || h1 > kEven * h2 || h2 > kEven * h1 || std::max(h1, h2) > 2 * kLongestGap)
      continue;
    Bend bend;
    bend.shift = 2 * ((c.p_WP - b.p_WP) / h2 - (b.p_WP - a.p_WP) / h1) / (h1 + h2);
    if (a.q_WP && b.q_WP && c.q_WP) {
      const Eigen::Vector3d w1 = -math::log_so3(b.q_WP->conjugate() * *a.q_WP),
                            w2 = math::log_so3(b.q_WP->conjugate() * *c.q_WP);
      if (std::max(w1.norm(), w2.norm()) > kLargestTurn) continue;
      bend.turn = 2 * (w2 / h2 - w1 / h1) / (h1 + h2);
    }
    bends_[k] = bend;
  }
  find_usual_changes();
}

void PosesBetween::find_usual_changes() {
  std::vector<double> shifts, turns;
  for (std::size_t k = 1; k < bends_.size(); ++k) {
    if (!bends_[k - 1] || !bends_[k]) continue;
    shifts.push_back((bends_[k]->shift - bends_[k - 1]->shift).norm());
    turns.push_back((bends_[k]->turn - bends_[k - 1]->turn).norm());
  }
  usual_shift_ = middle_of(shifts);
  usual_turn_ = middle_of(turns);
}

std::optional<PosesBetween::Place> PosesBetween::place(double t) const {
  const auto next = std::ranges::lower_bound(rows_, t, {}, &TimedPose::t);
  if (next == rows_.end()) return std::nullopt;
  const std::size_t after = static_cast<std::size_t>(next - rows_.begin());
  if (next->t == t) return Place{after, after, 0.0};
  if (after == 0) return std::nullopt;
  const double gap = next->t - rows_[after - 1].t, u = (t - rows_[after - 1].t) / gap;
  constexpr double kRounding = 1e-9;  // of the times
  if (std::sqrt(std::max(0.0, u * (1 - u))) * gap > kLongestGap * (1 + kRounding)) return std::nullopt;
  return Place{after - 1, after, u};
}

TimedPose PosesBetween::at(double t, const Place& place) const {
  const TimedPose &a = rows_[place.before], &b = rows_[place.after];
  TimedPose result = a;
  result.t = t;
  if (place.before == place.after) return result;
  const double u = place.u, gap = b.t - a.t;
  result.p_WP = (1 - u) * a.p_WP + u * b.p_WP;
  result.q_WP.reset();
  if (a.q_WP && b.q_WP) result.q_WP = a.q_WP->slerp(u, *b.q_WP);
  const auto &bend_a = bends_[place.before], &bend_b = bends_[place.after];
  if (!bend_a || !bend_b) return result;
  const double chord = 0.5 * u * (1 - u) * gap * gap;  // [s^2] by which it lies behind an acceleration of 1
  result.p_WP -= chord * agreed(bend_a->shift, bend_b->shift, usual_shift_);
  if (result.q_WP)
    result.q_WP = *result.q_WP * math::exp_so3(Eigen::Vector3d(-chord * agreed(bend_a->turn, bend_b->turn, usual_turn_)));
  return result;
}

}  // namespace prehend::articulation
