#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/geometry/polygon2.h>
#include <prehend/math/house/plane_vectors.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;

enum class Operation { intersection, union_of_both };

using math::cross;

struct Extent {
  Vector2d low{Vector2d::Constant(std::numeric_limits<double>::infinity())}, high{-low};
  double size() const { return (high - low).norm(); }
};

Extent extent_of(const Polygon2& polygon) {
  Extent extent;
  for (const Loop2& loop : polygon.loops) {
    for (const Vector2d& p : loop) {
      extent.low = extent.low.cwiseMin(p);
      extent.high = extent.high.cwiseMax(p);
    }
  }
  return extent;
}

// Sutherland & Hodgman 1974: one side of the clipping polygon after another.
Polygon2 clip_convex(const Loop2& subject, const Loop2& clip, double snap) {
  Loop2 current = subject, next;
  for (std::size_t i = 0; i < clip.size() && !current.empty(); ++i) {
    const Vector2d& start = clip[i];
    const Vector2d side = clip[(i + 1) % clip.size()] - start;
    const double length = side.norm();
    if (length <= snap) continue;
    const Vector2d direction = side / length;
    next.clear();
    Vector2d before = current.back();
    double height_before = cross(direction, before - start);
    for (const Vector2d& point : current) {
      const double height = cross(direction, point - start);
      if ((height > snap && height_before < -snap) || (height < -snap && height_before > snap)) {
        next.push_back(before + height_before / (height_before - height) * (point - before));
      }
      if (height >= -snap) next.push_back(point);
      before = point;
      height_before = height;
    }
    std::swap(current, next);
  }
  Polygon2 result;
  if (current.size() >= 3 && signed_area(current) > 0.0) result.loops.push_back(std::move(current));
  return result;
}

// All boundaries of two polygons, cut where they meet.
class Arrangement {
 public:
  Arrangement(const Polygon2& a, const Polygon2& b, double snap) : polygons_{&a, &b}, snap_(snap) {
    for (int which = 0; which < 2; ++which) {
      for (const Loop2& loop : polygons_[which]->loops) {
        std::vector<int> names;
        for (const Vector2d& p : loop) names.push_back(name_of(p));
        for (std::size_t i = 0; i < names.size(); ++i) {
          const int from = names[i], to = names[(i + 1) % names.size()];
          if (from != to) sides_[which].push_back({from, to, {}});
        }
      }
    }
    cut();
  }

  BooleanResult result(Operation operation) const {
    const std::vector<Piece> kept = select(operation);
    BooleanResult answer;
    answer.is_closed = chain(kept, answer.polygon);
    if (!answer.is_closed) answer.polygon.loops.clear();
    return answer;
  }

 private:
  struct Side {
    int from, to;
    std::vector<int> cuts;
  };
  struct Piece {
    int from, to;
  };
  struct Net {  // how often a and b run from `low` to `high`, minus the way back
    int low, high;
    int count[2];
  };

  int name_of(const Vector2d& point) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if ((points_[i] - point).cwiseAbs().maxCoeff() <= snap_) return static_cast<int>(i);
    }
    points_.push_back(point);
    return static_cast<int>(points_.size()) - 1;
  }

  // An end of another side that lies on this one cuts it.
  bool cut_at(Side& side, int point) const {
    if (point == side.from || point == side.to) return true;
    if (distance_to_segment(points_[point], points_[side.from], points_[side.to]) > snap_) return false;
    side.cuts.push_back(point);
    return true;
  }

  void cut() {
    for (Side& a : sides_[0]) {
      const Vector2d p = points_[a.from], q = points_[a.to];
      const Vector2d low = p.cwiseMin(q).array() - snap_, high = p.cwiseMax(q).array() + snap_;
      for (Side& b : sides_[1]) {
        const Vector2d r = points_[b.from], s = points_[b.to];
        if ((r.cwiseMax(s).array() < low.array()).any() || (r.cwiseMin(s).array() > high.array()).any())
          continue;
        bool meets_at_end = cut_at(a, b.from);
        meets_at_end |= cut_at(a, b.to);
        meets_at_end |= cut_at(b, a.from);
        meets_at_end |= cut_at(b, a.to);
        if (meets_at_end) continue;
        const double hr = cross(q - p, r - p), hs = cross(q - p, s - p);
        const double hp = cross(s - r, p - r), hq = cross(s - r, q - r);
        if ((hr > 0.0) == (hs > 0.0) || (hp > 0.0) == (hq > 0.0)) continue;
        const int name = name_of(p + hp / (hp - hq) * (q - p));
        a.cuts.push_back(name);
        b.cuts.push_back(name);
      }
    }
  }

  std::vector<Net> nets() const {
    std::vector<Net> all;
    for (int which = 0; which < 2; ++which) {
      for (const Side& side : sides_[which]) {
        const Vector2d start = points_[side.from], along = points_[side.to] - start;
        std::vector<int> stops = side.cuts;
        std::sort(stops.begin(), stops.end(), [&](int i, int j) {
          const double ti = along.dot(points_[i] - start), tj = along.dot(points_[j] - start);
          return ti != tj ? ti < tj : i < j;
        });
        stops.push_back(side.to);
        int from = side.from;
        for (const int to : stops) {
          if (to == from) continue;
          Net net{std::min(from, to), std::max(from, to), {0, 0}};
          net.count[which] = from < to ? 1 : -1;
          all.push_back(net);
          from = to;
        }
      }
    }
    std::sort(all.begin(), all.end(),
              [](const Net& x, const Net& y) { return x.low != y.low ? x.low < y.low : x.high < y.high; });
    std::vector<Net> joined;
    for (const Net& net : all) {
      if (!joined.empty() && joined.back().low == net.low && joined.back().high == net.high) {
        joined.back().count[0] += net.count[0];
        joined.back().count[1] += net.count[1];
      } else {
        joined.push_back(net);
      }
    }
    return joined;
  }

  std::vector<Piece> select(Operation operation) const {
    std::vector<Piece> kept;
    for (const Net& net : nets()) {
      const int a = net.count[0], b = net.count[1];
      int direction = 0;
      if (a != 0 && b != 0) {
        direction = (a > 0) == (b > 0) ? a : 0;  // opposite: material on both sides, or on none
      } else if (a != 0 || b != 0) {
        const Vector2d middle = 0.5 * (points_[net.low] + points_[net.high]);
        const bool inside_other = contains(*polygons_[a != 0 ? 1 : 0], middle);
        if (inside_other == (operation == Operation::intersection)) direction = a + b;
      }
      if (direction > 0) kept.push_back({net.low, net.high});
      if (direction < 0) kept.push_back({net.high, net.low});
    }
    return kept;
  }

  // At a point where several loops touch, the sharpest left turn keeps them apart.
  bool chain(const std::vector<Piece>& pieces, Polygon2& polygon) const {
    std::vector<std::vector<int>> leaving(points_.size());
    std::vector<int> balance(points_.size(), 0);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      leaving[pieces[i].from].push_back(static_cast<int>(i));
      ++balance[pieces[i].from];
      --balance[pieces[i].to];
    }
    if (std::any_of(balance.begin(), balance.end(), [](int b) { return b != 0; })) return false;
    std::vector<char> used(pieces.size(), 0);
    for (std::size_t first = 0; first < pieces.size(); ++first) {
      if (used[first]) continue;
      Loop2 loop;
      for (int i = static_cast<int>(first); i >= 0;) {
        used[i] = 1;
        loop.push_back(points_[pieces[i].from]);
        const int here = pieces[i].to;
        if (here == pieces[first].from) break;
        const Vector2d in = points_[here] - points_[pieces[i].from];
        int best = -1;
        double best_turn = -10.0;
        for (const int j : leaving[here]) {
          if (used[j]) continue;
          const Vector2d out = points_[pieces[j].to] - points_[here];
          const double turn = std::atan2(cross(in, out), in.dot(out));
          if (turn > best_turn) {
            best_turn = turn;
            best = j;
          }
        }
        i = best;
      }
      if (loop.size() >= 3) polygon.loops.push_back(std::move(loop));
    }
    return true;
  }

  const Polygon2* polygons_[2];
  double snap_;
  std::vector<Vector2d> points_;
  std::vector<Side> sides_[2];
};

BooleanResult combine(const Polygon2& a, const Polygon2& b, double snap, Operation operation) {
  BooleanResult result;
  if (a.is_empty() || b.is_empty()) {
    result.is_closed = true;
    if (operation == Operation::union_of_both) result.polygon = a.is_empty() ? b : a;
    return result;
  }
  const Extent extent_a = extent_of(a), extent_b = extent_of(b);
  if (!(snap > 0.0)) snap = 1e-11 * std::min(extent_a.size(), extent_b.size());
  if ((extent_a.high.array() < extent_b.low.array() - snap).any() ||
      (extent_b.high.array() < extent_a.low.array() - snap).any()) {
    result.is_closed = true;
    if (operation == Operation::union_of_both) {
      result.polygon = a;
      result.polygon.loops.insert(result.polygon.loops.end(), b.loops.begin(), b.loops.end());
    }
    return result;
  }
  if (operation == Operation::intersection && is_convex(a) && is_convex(b)) {
    result.is_closed = true;
    result.polygon = clip_convex(a.loops[0], b.loops[0], snap);
    return result;
  }
  // Where boundaries run closer than rounding can tell, a coarser snap joins them.
  for (int attempt = 0; attempt < 3 && !result.is_closed; ++attempt, snap *= 30.0) {
    result = Arrangement(a, b, snap).result(operation);
  }
  return result;
}

}  // namespace

BooleanResult intersect(const Polygon2& a, const Polygon2& b, double snap) {
  return combine(a, b, snap, Operation::intersection);
}

BooleanResult unite(const Polygon2& a, const Polygon2& b, double snap) {
  return combine(a, b, snap, Operation::union_of_both);
}

}  // namespace prehend::geometry
