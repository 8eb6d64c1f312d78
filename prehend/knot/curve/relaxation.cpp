#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include <Eigen/SparseCholesky>

#include <prehend/knot/curve/edge_grid.h>
#include <prehend/knot/curve/relaxation.h>
#include <prehend/knot/curve/respacing.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>

namespace prehend::knot {
namespace {

using Eigen::Vector2d;
using Sparse = Eigen::SparseMatrix<double>;

// Sums weight |sum of coefficient * point|^2 into a matrix over all x, then all y.
class QuadraticEnergy {
 public:
  explicit QuadraticEnergy(int points) : points_(points) {
    for (int i = 0; i < 2 * points; ++i) entries_.emplace_back(i, i, 1.0);  // the step's own inertia
  }
  template <std::size_t N>
  void add(const std::array<std::pair<int, double>, N>& terms, double weight) {
    for (const auto& [i, a] : terms) {
      for (const auto& [j, b] : terms) entries_.emplace_back(i, j, weight * a * b);
    }
  }
  template <std::size_t N>
  void add_both(std::array<std::pair<int, double>, N> terms, double weight) {
    add(terms, weight);
    for (auto& term : terms) term.first += points_;
    add(terms, weight);
  }
  Sparse matrix() const {
    Sparse m(2 * points_, 2 * points_);
    m.setFromTriplets(entries_.begin(), entries_.end());
    return m;
  }

 private:
  int points_;
  std::vector<Eigen::Triplet<double>> entries_;
};

Sparse elastic_energy(const Diagram& diagram, const PlaneRope& rope, const RelaxationRound& round,
                      double stretching) {
  const int n = static_cast<int>(rope.points.size());
  QuadraticEnergy energy(n);
  const std::vector<int> path = path_of(rope);
  for (std::size_t k = 1; k + 1 < path.size(); ++k)
    energy.add_both(
        std::array<std::pair<int, double>, 3>{{{path[k - 1], 1}, {path[k], -2}, {path[k + 1], 1}}},
        round.bending);
  for (std::size_t k = 1; k < path.size(); ++k)
    energy.add_both(std::array<std::pair<int, double>, 2>{{{path[k - 1], 1}, {path[k], -1}}}, stretching);
  const PData& data = diagram.data();
  for (int over = 1; over <= data.passages(); ++over) {
    if (!data.is_over(over)) continue;
    const auto a = strand_through(rope, over), b = strand_through(rope, data.other(over));
    const double turn = data.sign(over);  // the under strand is the over strand turned to the left for plus
    energy.add(
        std::array<std::pair<int, double>, 4>{{{b[1], 1}, {b[0], -1}, {a[1] + n, turn}, {a[0] + n, -turn}}},
        round.right_angles);
    energy.add(
        std::array<std::pair<int, double>, 4>{{{b[1] + n, 1}, {b[0] + n, -1}, {a[1], -turn}, {a[0], turn}}},
        round.right_angles);
  }
  return energy.matrix();
}

// Relative to the clearance; far above rounding, far below anything seen.
constexpr double kNearest = 1e-6;

// How far apart two places may lie at most, along the drawing's strands, to count as the same strand; in edges.
constexpr int kHops = 8;

// Per point, the points within kHops edges along the strands, with the number of edges.
std::vector<std::vector<std::pair<int, int>>> neighbourhoods(const PlaneRope& rope) {
  std::vector<std::vector<int>> adjacent(rope.points.size());
  const std::vector<int> path = path_of(rope);
  for (std::size_t k = 1; k < path.size(); ++k) {
    adjacent[static_cast<std::size_t>(path[k])].push_back(path[k - 1]);
    adjacent[static_cast<std::size_t>(path[k - 1])].push_back(path[k]);
  }
  std::vector<std::vector<std::pair<int, int>>> near(rope.points.size());
  std::vector<int> seen(rope.points.size(), -1);
  for (std::size_t v = 0; v < near.size(); ++v) {
    auto& list = near[v];
    list.emplace_back(static_cast<int>(v), 0);
    seen[v] = static_cast<int>(v);
    for (std::size_t k = 0; k < list.size() && list[k].second < kHops; ++k) {
      for (const int w : adjacent[static_cast<std::size_t>(list[k].first)]) {
        if (seen[static_cast<std::size_t>(w)] == static_cast<int>(v)) continue;
        seen[static_cast<std::size_t>(w)] = static_cast<int>(v);
        list.emplace_back(w, list[k].second + 1);
      }
    }
  }
  return near;
}

class Relaxing {
 public:
  Relaxing(const Diagram& diagram, PlaneRope& rope, const RelaxationOptions& options,
           const RelaxationRound& round, double spacing)
      : rope_(rope), options_(options), near_(neighbourhoods(rope)), length_(round.rest_length * spacing) {
    solver_.compute(elastic_energy(diagram, rope, round, options.stretching));
    const std::vector<int> path = path_of(rope);
    for (std::size_t k = 1; k < path.size(); ++k) edges_.emplace_back(path[k - 1], path[k]);
    hops_.assign(rope.points.size(), kHops + 1);
  }

  // Whether anything still moved by more than a hundredth of the clearance.
  bool step() {
    const auto n = static_cast<Eigen::Index>(rope_.points.size());
    list_pairs();
    std::vector<Vector2d> push(rope_.points.size(), Vector2d::Zero());
    std::vector<double> limit(rope_.points.size(), 0.45 * options_.clearance);
    for (const Pair& pair : pairs_) meet(pair, push, limit);
    // The implicit part pulls every edge to nothing; this is what its own length adds.
    for (const auto& [a, b] : edges_) {
      const Vector2d along =
          rope_.points[static_cast<std::size_t>(b)] - rope_.points[static_cast<std::size_t>(a)];
      const double now = std::max(along.norm(), kNearest * length_);
      const Vector2d force = options_.stretching * length_ / now * along;
      push[static_cast<std::size_t>(b)] += force;
      push[static_cast<std::size_t>(a)] -= force;
    }
    Eigen::VectorXd aim(2 * n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Vector2d p = rope_.points[static_cast<std::size_t>(i)] + push[static_cast<std::size_t>(i)];
      aim[i] = p.x();
      aim[i + n] = p.y();
    }
    aim = solver_.solve(aim);
    double farthest = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      Vector2d& p = rope_.points[static_cast<std::size_t>(i)];
      Vector2d move = Vector2d(aim[i], aim[i + n]) - p;
      const double length = move.norm(), most = limit[static_cast<std::size_t>(i)];
      if (length > most) move *= most / length;
      p += move;
      farthest = std::max(farthest, std::min(length, most));
    }
    return farthest > 0.01 * options_.clearance;
  }

 private:
  // A point, an edge that it does not belong to, and how many edges lie between them along the strands.
  struct Pair {
    int point, from, to, hops;
  };

  // All pairs nearer than the clearance, and those that could come so near before the list is made again.
  void list_pairs() {
    const double slack = 0.4 * options_.clearance;
    bool fresh = !listed_at_.empty();
    for (std::size_t v = 0; fresh && v < listed_at_.size(); ++v)
      fresh = (rope_.points[v] - listed_at_[v]).squaredNorm() < 0.25 * slack * slack;
    if (fresh) return;
    listed_at_ = rope_.points;
    pairs_.clear();
    const double reach = options_.clearance + slack;
    const EdgeGrid grid(rope_.points, edges_, reach);
    std::vector<Vector2d> middle;
    std::vector<double> square_reach;
    for (const auto& [a, b] : edges_) {
      const Vector2d &from = rope_.points[static_cast<std::size_t>(a)],
                     &to = rope_.points[static_cast<std::size_t>(b)];
      middle.push_back(0.5 * (from + to));
      const double radius = reach + 0.5 * (to - from).norm();
      square_reach.push_back(radius * radius);
    }
    for (std::size_t v = 0; v < rope_.points.size(); ++v) {
      for (const auto& [w, hops] : near_[v]) hops_[static_cast<std::size_t>(w)] = hops;
      grid.for_each_near(rope_.points[v], [&](int e) {
        const auto edge = static_cast<std::size_t>(e);
        if ((rope_.points[v] - middle[edge]).squaredNorm() >= square_reach[edge]) return;
        const auto [a, b] = edges_[edge];
        const auto point = static_cast<int>(v);
        if (point == a || point == b) return;
        pairs_.push_back(
            {point, a, b, std::min(hops_[static_cast<std::size_t>(a)], hops_[static_cast<std::size_t>(b)])});
      });
      for (const auto& [w, hops] : near_[v]) hops_[static_cast<std::size_t>(w)] = kHops + 1;
    }
  }

  // The way from the nearest place of an edge, and where on the edge (0 to 1) that is.
  static std::pair<Vector2d, double> from_edge(const Vector2d& p, const Vector2d& a, const Vector2d& b) {
    const Vector2d along = b - a;
    const double t =
        std::clamp((p - a).dot(along) / std::max(along.squaredNorm(), kNearest * kNearest), 0.0, 1.0);
    return {p - (a + t * along), t};
  }

  void meet(const Pair& pair, std::vector<Vector2d>& push, std::vector<double>& limit) const {
    const auto v = static_cast<std::size_t>(pair.point), a = static_cast<std::size_t>(pair.from),
               b = static_cast<std::size_t>(pair.to);
    const auto [away, t] = from_edge(rope_.points[v], rope_.points[a], rope_.points[b]);
    const double square = away.squaredNorm();
    if (square >= options_.clearance * options_.clearance) return;
    const double distance = std::sqrt(square);
    // What has come so near that rounding might decide who is where stays as it is.
    const double most = distance > kNearest * options_.clearance ? 0.45 * distance : 0.0;
    for (const std::size_t i : {v, a, b}) limit[i] = std::min(limit[i], most);
    if (most == 0.0) return;
    // Along a straight strand, or at a right-angled crossing, no two places are nearer than 0.7 of the way between them.
    const double way = length_ * (pair.hops + (t > 0 && t < 1 ? 0.5 : 0.0));
    const double wanted = std::min(options_.clearance, 0.65 * way);
    if (distance >= wanted) return;
    const Vector2d force = options_.push * (wanted / distance - 1) * away;
    push[v] += force;
    push[a] -= (1 - t) * force;
    push[b] -= t * force;
  }

  PlaneRope& rope_;
  const RelaxationOptions& options_;
  Eigen::SimplicialLDLT<Sparse> solver_;
  std::vector<std::pair<int, int>> edges_;
  std::vector<std::vector<std::pair<int, int>>> near_;
  std::vector<int> hops_;  // from the point in hand
  std::vector<Pair> pairs_;
  std::vector<Vector2d> listed_at_;
  double length_;  // of an edge at rest
};

void validate(const RelaxationOptions& o) {
  const math::OptionCheck check("RelaxationOptions");
  check.above("clearance", o.clearance, 0);
  check.at_least("stretching", o.stretching, 0);
  check.at_least("push", o.push, 0);
  check.at_least("iterations", o.iterations, 0);
  check.at_least("points_per_crossing", o.points_per_crossing, 1);
  for (const RelaxationRound& round : o.rounds) {
    check.above("rounds.spacing", round.spacing, 0);
    // Loops and double strands need inner points to be distinguished.
    check.at_least("rounds.least_inner", round.least_inner, 1);
    check.above("rounds.rest_length", round.rest_length, 0);
    check.at_least("rounds.bending", round.bending, 0);
    check.at_least("rounds.right_angles", round.right_angles, 0);
  }
}

double length_of(const PlaneRope& rope) {
  const std::vector<int> path = path_of(rope);
  double length = 0;
  for (std::size_t k = 1; k < path.size(); ++k)
    length +=
        (rope.points[static_cast<std::size_t>(path[k])] - rope.points[static_cast<std::size_t>(path[k - 1])])
            .norm();
  return length;
}

}  // namespace

std::optional<PlaneRope> relax(const Diagram& diagram, PlaneRope rope, const RelaxationOptions& options) {
  validate(options);
  const double most_points = 100 + options.points_per_crossing * diagram.data().crossings();
  for (const RelaxationRound& round : options.rounds) {
    const double spacing = std::max(round.spacing, length_of(rope) / most_points);
    if (spacing > 1.5 * options.clearance) return std::nullopt;
    rope = respaced(rope, spacing, round.least_inner);
    Relaxing relaxing(diagram, rope, options, round, spacing);
    for (int k = 0; k < options.iterations && relaxing.step(); ++k) math::check_interrupt();
  }
  return rope;
}

}  // namespace prehend::knot
