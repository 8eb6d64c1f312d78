#include <algorithm>
#include <cmath>
#include <numbers>

#include <prehend/math/angles.h>
#include <prehend/math/progress.h>
#include <prehend/math/so3.h>
#include <prehend/stability/mending/closure_choice.h>

namespace prehend::stability {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Row = Eigen::Matrix<double, 12, 1>;

// Gaps and tilts beyond so many standard deviations are no hypotheses: one in a million.
constexpr double kGate = 5.0;
// [-] Odds that near features touch rather than not, before looking: things rest on things; beside each other they may stand apart.
constexpr double kSupportOdds = 20.0, kSideOdds = 3.0;
// [rad] Features that are not parallel by purpose are turned by anything up to this.
constexpr double kAnyTurn = math::kPi / 2.0;
// A residual whose variance has shrunk by this factor is determined by what closed before.
constexpr double kDetermined = 1e-6;

double normal_density(double x, double deviation) {
  const double t = x / deviation;
  return std::exp(-0.5 * t * t) / (deviation * std::sqrt(2.0 * math::kPi));
}

int rank_of(const PosedClosure& c) {
  switch (c.closure.kind) {
    case ClosureKind::flats:
      return 0;
    case ClosureKind::flat_line:
      return 1;
    case ClosureKind::lines:
      return c.rows.count == 2 ? 1 : 2;
    case ClosureKind::flat_point:
      return 2;
    case ClosureKind::line_point:
    case ClosureKind::points:
      break;
  }
  return 3;
}

class Chooser {
 public:
  explicit Chooser(const ChoiceProblem& problem)
      : problem_(problem),
        mean_(problem.observed_motion()),
        P_(MatrixXd::Identity(mean_.size(), mean_.size())) {}

  Choice run() {
    find();
    force();
    close_by_evidence();
    if (!problem_.coarse) align_slivers();
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!is_closed_[i]) choice_.open.push_back(found_[i]);
    }
    return std::move(choice_);
  }

 private:
  struct Weight {
    double score{0.0};
    double strain{0.0};  // squares of the residuals of independent rows, in standard deviations
    double gap{0.0}, gap_deviation{0.0};  // [m] expected, before closing
    bool independent[3]{};
  };
  struct Saved {
    VectorXd mean;
    MatrixXd P;
  };

  void find() {
    for (const auto& [a, b] : problem_.pairs) {
      math::check_interrupt();
      std::vector<PosedClosure> of_pair;
      find_closures(a, b, problem_.bodies, problem_.gate(), of_pair);
      for (const PosedClosure& c : of_pair) {
        if (c.rows.width > least_width(c) && !is_part_of_another(c, of_pair) && !is_banned(c.closure))
          found_.push_back(c);
      }
    }
    is_closed_.assign(found_.size(), false);
  }

  // [m] Of what two features share: less may be noise.
  double least_width(const PosedClosure& c) const {
    if (c.rows.round && c.closure.kind != ClosureKind::flats) return 0.0;
    return problem_.coarse ? lateral(c) : 1e-5;
  }
  double lateral(const PosedClosure& c) const {
    return std::hypot(problem_.noise.position, problem_.noise.angle * lever(c));
  }
  double lever(const PosedClosure& c) const {
    double lever = 0.0;
    for (const int body : {c.closure.a, c.closure.b}) {
      const auto at = static_cast<std::size_t>(body);
      if (problem_.node[at] >= 0) lever = std::max(lever, (problem_.bodies[at].com() - c.rows.c).norm());
    }
    return lever;
  }
  // An edge or corner of faces that are hypotheses themselves.
  bool is_part_of_another(const PosedClosure& c, const std::vector<PosedClosure>& all) const {
    const int rank = rank_of(c);
    return std::any_of(all.begin(), all.end(), [&](const PosedClosure& other) {
      if (rank_of(other) >= rank || std::abs(other.rows.n.dot(c.rows.n)) < 0.9) return false;
      const double size = std::min(problem_.bodies[static_cast<std::size_t>(c.closure.a)].features->radius,
                                   problem_.bodies[static_cast<std::size_t>(c.closure.b)].features->radius);
      return (other.rows.c - c.rows.c).norm() < size;
    });
  }
  bool is_banned(const Closure& closure) const {
    return std::find(problem_.banned.begin(), problem_.banned.end(), closure) != problem_.banned.end();
  }

  // Row k of a closure in units of the noise: a's six, then b's.
  Row whitened(const ClosureRows& rows, int k) const {
    Row row;
    row << problem_.noise.angle * rows.J_a[k].head<3>(), problem_.noise.position * rows.J_a[k].tail<3>(),
        problem_.noise.angle * rows.J_b[k].head<3>(), problem_.noise.position * rows.J_b[k].tail<3>();
    return row;
  }
  // What linear equations leave out, as a standard deviation [m] or [rad].
  double slack(const PosedClosure& c, int k) const {
    const bool is_gap = k + 1 == c.rows.count;
    const double turn = 3.0 * problem_.noise.angle;
    if (!problem_.coarse) return is_gap ? 3e-7 : 1e-6;
    return is_gap ? std::max(1e-7, 0.5 * lever(c) * turn * turn) : std::max(1e-7, 0.5 * turn * turn);
  }

  Weight weigh(const PosedClosure& c) const {
    const int nodes[2] = {problem_.node[static_cast<std::size_t>(c.closure.a)],
                          problem_.node[static_cast<std::size_t>(c.closure.b)]};
    Eigen::Matrix<double, 12, 12> P = Eigen::Matrix<double, 12, 12>::Zero();
    Row mean = Row::Zero();
    for (int i = 0; i < 2; ++i) {
      if (nodes[i] < 0) continue;
      mean.segment<6>(6 * i) = mean_.segment<6>(6 * nodes[i]);
      for (int j = 0; j < 2; ++j) {
        if (nodes[j] >= 0) P.block<6, 6>(6 * i, 6 * j) = P_.block<6, 6>(6 * nodes[i], 6 * nodes[j]);
      }
    }
    Weight weight;
    const bool supports = std::abs(problem_.up_W.dot(c.rows.n)) > 0.7;
    weight.score = std::log(supports ? kSupportOdds : kSideOdds);
    const double reach = std::min(problem_.bodies[static_cast<std::size_t>(c.closure.a)].features->size,
                                  problem_.bodies[static_cast<std::size_t>(c.closure.b)].features->size);
    for (int k = 0; k < c.rows.count; ++k) {
      Row row = whitened(c.rows, k);
      for (int i = 0; i < 2; ++i) {
        if (nodes[i] < 0) row.segment<6>(6 * i).setZero();
      }
      const Row Pr = P * row;
      const double variance = std::max(0.0, row.dot(Pr)), floor = slack(c, k);
      const double r = c.rows.r[k] + row.dot(mean), s = std::sqrt(variance + floor * floor);
      const bool is_gap = k + 1 == c.rows.count;
      if (is_gap) {
        weight.gap = r;
        weight.gap_deviation = std::sqrt(variance);
      }
      weight.independent[k] = variance > kDetermined * row.squaredNorm() && variance > floor * floor;
      if (weight.independent[k]) weight.strain += r * r / (s * s);
      weight.score += row_score(r, s, weight.independent[k], is_gap, reach);
      P -= Pr * Pr.transpose() / (s * s);
      mean -= Pr * (r / (s * s));
    }
    return weight;
  }
  static double row_score(double r, double s, bool independent, bool is_gap, double reach) {
    const double t = r / s;
    if (!independent) return -0.5 * t * t;
    if (is_gap) {
      // Apart: any gap from zero to the size of the bodies, seen through the same noise.
      const double apart = 0.5 * std::erfc(-t / std::numbers::sqrt2) / reach;
      return -0.5 * t * t - std::log(s * std::sqrt(2.0 * math::kPi)) - std::log(std::max(apart, 1e-300));
    }
    // Apart: parallel as often as not.
    const double parallel = normal_density(r, s);
    return -0.5 * t * t - std::log(s * std::sqrt(2.0 * math::kPi)) -
           std::log(0.5 * parallel + 0.5 / kAnyTurn);
  }

  void close(std::size_t i, const Weight& weight) {
    const PosedClosure& c = found_[i];
    ChosenClosure chosen{c.closure, {}};
    const int nodes[2] = {problem_.node[static_cast<std::size_t>(c.closure.a)],
                          problem_.node[static_cast<std::size_t>(c.closure.b)]};
    for (int k = 0; k < c.rows.count; ++k) {
      chosen.independent[k] = weight.independent[k];
      const Row row = whitened(c.rows, k);
      VectorXd Pr = VectorXd::Zero(mean_.size());
      double r = c.rows.r[k];
      for (int j = 0; j < 2; ++j) {
        if (nodes[j] < 0) continue;
        Pr += P_.middleCols<6>(6 * nodes[j]) * row.segment<6>(6 * j);
        r += row.segment<6>(6 * j).dot(mean_.segment<6>(6 * nodes[j]));
      }
      double variance = 0.0;
      for (int j = 0; j < 2; ++j) {
        if (nodes[j] >= 0) variance += row.segment<6>(6 * j).dot(Pr.segment<6>(6 * nodes[j]));
      }
      const double floor = slack(c, k), s2 = std::max(variance, 0.0) + floor * floor;
      P_.noalias() -= Pr * (Pr / s2).transpose();
      mean_ -= Pr * (r / s2);
    }
    choice_.closed.push_back(chosen);
    is_closed_[i] = true;
  }

  void force() {
    for (const Closure& closure : problem_.forced) {
      math::check_interrupt();
      std::size_t i = 0;
      while (i < found_.size() && !(found_[i].closure == closure)) ++i;
      if (i == found_.size()) {
        const ClosureRows rows = closure_rows(closure, problem_.bodies);
        if (rows.count == 0) continue;
        found_.push_back({closure, rows});
        is_closed_.push_back(false);
      }
      if (!is_closed_[i]) close(i, weigh(found_[i]));
    }
  }

  // True where another pair would now overlap for certain that did not before.
  bool drives_others_together(std::size_t closed, const std::vector<Weight>& before) const {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (i == closed || is_closed_[i] || before[i].gap < -4.0 * before[i].gap_deviation) continue;
      if (!shares_body(found_[i].closure, found_[closed].closure)) continue;
      const Weight now = weigh(found_[i]);
      const double sure = 4.0 * now.gap_deviation + 4.0 * slack(found_[i], found_[i].rows.count - 1);
      if (now.gap < -sure) return true;
    }
    return false;
  }
  // Two columns of boxes side by side: b stands on t, a touches t's side, and b's noise lets it overhang a by a sliver. That b ends in the
  // plane between a and t is as likely a hypothesis as any; then it does not touch a.
  void align_slivers() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const PosedClosure sliver = found_[i];
      if (sliver.closure.kind != ClosureKind::flats ||
          sliver.rows.width > 2.5 * std::numbers::sqrt2 * lateral(sliver))
        continue;
      align(sliver, sliver.closure.a, sliver.closure.b);
      align(sliver, sliver.closure.b, sliver.closure.a);
    }
  }
  void align(const PosedClosure& sliver, int a, int b) {
    for (std::size_t k = 0; k < choice_.closed.size(); ++k) {
      const Closure side = choice_.closed[k].closure;
      if (side.kind != ClosureKind::flats || (side.a != a && side.b != a)) continue;
      const int t = side.a == a ? side.b : side.a, face = side.a == a ? side.feature_a : side.feature_b;
      const Vector3d n = world_normal(a, face);
      if (t == b || std::abs(n.dot(sliver.rows.n)) > 0.1 || !stands_on(b, t, sliver.rows.n)) continue;
      const auto& flats = problem_.bodies[static_cast<std::size_t>(b)].features->flats;
      for (std::size_t f = 0; f < flats.size(); ++f) {
        const Closure closure{ClosureKind::flats, a, b, face, static_cast<int>(f)};
        if (world_normal(b, static_cast<int>(f)).dot(n) > -0.99) continue;
        const PosedClosure aligned{closure, closure_rows(closure, problem_.bodies)};
        if (aligned.rows.count == 0 || std::abs(aligned.rows.gap()) > 5.0 * lateral(sliver)) continue;
        const Weight weight = weigh(aligned);
        if (weight.score <= 0.0 || is_among_closed(closure)) continue;
        found_.push_back(aligned);
        is_closed_.push_back(false);
        close(found_.size() - 1, weight);
        choice_.aligned.push_back(closure);
      }
    }
  }
  Vector3d world_normal(int body, int face) const {
    const PosedBody& posed = problem_.bodies[static_cast<std::size_t>(body)];
    return posed.X_WB.q() * posed.features->flats[static_cast<std::size_t>(face)].n;
  }
  // Closed faces between two bodies along this normal.
  bool stands_on(int b, int t, const Vector3d& n) const {
    return std::any_of(choice_.closed.begin(), choice_.closed.end(), [&](const ChosenClosure& c) {
      const Closure& x = c.closure;
      return x.kind == ClosureKind::flats && ((x.a == b && x.b == t) || (x.a == t && x.b == b)) &&
             std::abs(world_normal(x.a, x.feature_a).dot(n)) > 0.9;
    });
  }
  bool is_among_closed(const Closure& closure) const {
    return std::any_of(choice_.closed.begin(), choice_.closed.end(), [&](const ChosenClosure& c) {
      const Closure& x = c.closure;
      const Closure turned{closure.kind, closure.b, closure.a, closure.feature_b, closure.feature_a};
      return x == closure || x == turned;
    });
  }
  static bool shares_body(const Closure& x, const Closure& y) {
    return x.a == y.a || x.a == y.b || x.b == y.a || x.b == y.b;
  }

  void close_by_evidence() {
    std::vector<Weight> weights;
    for (const PosedClosure& c : found_) weights.push_back(weigh(c));
    std::vector<bool> vetoed(found_.size(), false);
    math::Progress progress("contacts to close", found_.size());
    while (true) {
      progress.advance();
      std::size_t best = found_.size();
      for (std::size_t i = 0; i < found_.size(); ++i) {
        if (is_closed_[i] || vetoed[i] || weights[i].score <= 0.0) continue;
        if (best == found_.size() || weights[i].score > weights[best].score) best = i;
      }
      if (best == found_.size()) return;
      const Saved saved{mean_, P_};
      close(best, weights[best]);
      if (drives_others_together(best, weights)) {
        mean_ = saved.mean;
        P_ = saved.P;
        is_closed_[best] = false;
        choice_.closed.pop_back();
        vetoed[best] = true;
        continue;
      }
      choice_.evidence += weights[best].score;
      choice_.strain += weights[best].strain;
      choice_.rows +=
          static_cast<int>(std::count(weights[best].independent, weights[best].independent + 3, true));
      for (std::size_t i = 0; i < found_.size(); ++i) {
        if (is_closed_[i]) continue;
        weights[i] = weigh(found_[i]);
        vetoed[i] = vetoed[i] && !shares_body(found_[i].closure, found_[best].closure);
      }
    }
  }

  const ChoiceProblem& problem_;
  VectorXd mean_;  // of the motion, in units of the noise
  MatrixXd P_;
  std::vector<PosedClosure> found_;
  std::vector<bool> is_closed_;
  Choice choice_;
};

}  // namespace

int ChoiceProblem::nodes() const {
  return static_cast<int>(std::count_if(node.begin(), node.end(), [](int n) { return n >= 0; }));
}

VectorXd ChoiceProblem::observed_motion() const {
  VectorXd motion(6 * nodes());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (node[b] < 0) continue;
    const Eigen::Quaterniond turn = observed[b].q() * bodies[b].X_WB.q().conjugate();
    motion.segment<3>(6 * node[b]) = math::log_so3(turn) / noise.angle;
    motion.segment<3>(6 * node[b] + 3) =
        (observed[b] * bodies[b].features->com - bodies[b].com()) / noise.position;
  }
  return motion;
}

ClosureGate ChoiceProblem::gate() const {
  double radius = 0.0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (node[b] >= 0) radius = std::max(radius, bodies[b].features->radius);
  }
  return {kGate * std::sqrt(2.0) * std::hypot(noise.position, noise.angle * radius),
          kGate * std::sqrt(2.0) * noise.angle};
}

Choice choose_closures(const ChoiceProblem& problem) { return Chooser(problem).run(); }

}  // namespace prehend::stability
