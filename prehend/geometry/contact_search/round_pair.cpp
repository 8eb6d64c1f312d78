#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/contact_pair.h>
#include <prehend/geometry/contact_search/face_patch.h>
#include <prehend/geometry/contact_search/flat_features.h>
#include <prehend/geometry/contact_search/round_contact.h>
#include <prehend/math/angles.h>

namespace prehend::geometry {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

struct PosedRound {
  const RoundShape& shape;
  math::Pose X;

  Vector3d axis() const { return X.R().col(2); }
  Vector3d support(const Vector3d& d) const { return X * shape.support(X.R().transpose() * d); }
  double distance(const Vector3d& p, Vector3d* n) const {
    Vector3d n_S;
    const double value = shape.distance(X.R().transpose() * (p - X.p()), &n_S);
    *n = X.R() * n_S;
    return value;
  }
  bool has_core() const { return shape.kind() == RoundKind::sphere || shape.kind() == RoundKind::capsule; }
};

struct Separation {
  double gap{-std::numeric_limits<double>::infinity()};  // [m] negative: overlap
  Vector3d n{Vector3d::UnitZ()};                         // from a to b
};

// A sphere or capsule is the points within its radius of a core: the distance of b is convex along the core, its slope rises.
Separation from_core(const PosedRound& a, const PosedRound& b) {
  const Vector3d half = a.shape.size()[1] * a.axis();
  double low = -1.0, high = 1.0;
  Vector3d n;
  for (int i = 0; i < 60 && low < high; ++i) {
    const double t = 0.5 * (low + high);
    b.distance(a.X.p() + t * half, &n);
    (n.dot(half) > 0.0 ? high : low) = t;
  }
  const double distance = b.distance(a.X.p() + 0.5 * (low + high) * half, &n);
  return {distance - a.shape.size()[0], -n};
}

// Bodies without a core: the direction of largest separation, sigma(n) = min n.b - max n.a. It is smooth but for directions along and square
// to the axes of cylinders, which are asked one by one.
class DirectionSearch {
 public:
  DirectionSearch(const PosedRound& a, const PosedRound& b) : a_(a), b_(b) {}

  Separation run() {
    const Vector3d between = b_.X.p() - a_.X.p();
    climb(between.norm() > 0.0 ? Vector3d(between.normalized()) : Vector3d::UnitZ());
    for (const PosedRound* round : {&a_, &b_}) {
      if (round->shape.kind() != RoundKind::cylinder) continue;
      offer(round->axis());
      offer(-round->axis());
      climb_around(round->axis());
    }
    const Vector3d common = a_.axis().cross(b_.axis());
    if (common.norm() > 1e-9) {
      offer(common.normalized());
      offer(-common.normalized());
    }
    climb(best_.n);
    return best_;
  }

 private:
  double sigma(const Vector3d& n) const { return n.dot(b_.support(-n) - a_.support(n)); }

  void offer(const Vector3d& n) {
    const double gap = sigma(n);
    if (gap > best_.gap) best_ = {gap, n};
  }

  // Directions square to an axis: one angle. The best of 64, then a golden section.
  void climb_around(const Vector3d& axis) {
    constexpr int kStarts = 64;  // one every 5.6 degrees
    const PlaneAxes plane(Vector3d::Zero(), axis);
    const auto direction = [&](double angle) {
      return Vector3d(std::cos(angle) * plane.u + std::sin(angle) * plane.v);
    };
    double best_angle = 0.0, best = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < kStarts; ++i) {
      const double angle = 2.0 * math::kPi * i / kStarts, gap = sigma(direction(angle));
      if (gap > best) {
        best = gap;
        best_angle = angle;
      }
    }
    constexpr double kGolden = 0.6180339887498949;
    double low = best_angle - 2.0 * math::kPi / kStarts, high = best_angle + 2.0 * math::kPi / kStarts;
    for (int i = 0; i < 60; ++i) {
      const double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
      (sigma(direction(left)) > sigma(direction(right)) ? high : low) =
          sigma(direction(left)) > sigma(direction(right)) ? right : left;
    }
    offer(direction(0.5 * (low + high)));
  }

  // Up the slope of sigma over the sphere of directions. The slope is the vector between the farthest points, less its part along n.
  void climb(Vector3d n) {
    double step = 0.5, gap = sigma(n);
    for (int i = 0; i < 400 && step > 1e-13; ++i) {
      const Vector3d between = b_.support(-n) - a_.support(n);
      const Vector3d slope = between - n.dot(between) * n;
      if (slope.norm() <= 1e-15 * between.norm()) break;
      const Vector3d next = (n + step * slope.normalized()).normalized();
      const double next_gap = sigma(next);
      if (next_gap > gap) {
        n = next;
        gap = next_gap;
        step = std::min(0.5, 1.6 * step);
      } else {
        step *= 0.4;
      }
    }
    offer(n);
  }

  const PosedRound &a_, &b_;
  Separation best_;
};

// The feature along d in the axes of the plane.
struct Placed {
  FlatFeature flat;
  RoundFeature feature;  // in the world
};

class RoundPairSearch {
 public:
  RoundPairSearch(const PosedRound& a, const PosedRound& b, const ContactOptions& options)
      : a_(a),
        b_(b),
        gap_(options.gap_tolerance),
        sine_(std::sin(options.angle_tolerance)),
        margin_(1e-6 * std::min(a.shape.diagonal(), b.shape.diagonal())) {}

  PairContacts run() {
    Separation separation;
    if (a_.has_core()) {
      separation = from_core(a_, b_);
    } else if (b_.has_core()) {
      separation = from_core(b_, a_);
      separation.n = -separation.n;
    } else {
      separation = DirectionSearch(a_, b_).run();
    }
    PairContacts result;
    if (separation.gap > gap_) return result;
    if (separation.gap < -gap_) {
      result.penetrating = true;
      result.depth_m = -separation.gap;
      result.p_W = a_.support(separation.n) + 0.5 * separation.gap * separation.n;
    }
    touch(separation, result);
    return result;
  }

 private:
  Placed placed(const PosedRound& round, const Vector3d& d, const PlaneAxes& axes) const {
    Placed out;
    out.feature = round.shape.feature(round.X.R().transpose() * d, sine_);
    out.feature.p = round.X * out.feature.p;
    out.flat.kind = out.feature.kind;
    out.flat.p = axes.flat(out.feature.p);
    if (out.feature.kind == RoundFeature::Kind::disc) {
      out.feature.q = round.X.R() * out.feature.q;
      const double radius = 2.0 * out.feature.radius / (1.0 + std::cos(math::kPi / kDiscCorners));
      Loop2& loop = out.flat.area.loops.emplace_back();
      for (int i = 0; i < kDiscCorners; ++i) {
        const double angle = 2.0 * math::kPi * i / kDiscCorners;
        loop.push_back(axes.flat(out.feature.p + radius * (std::cos(angle) * round.X.R().col(0) +
                                                           std::sin(angle) * round.X.R().col(1))));
      }
      if (signed_area(loop) < 0.0) std::reverse(loop.begin(), loop.end());
    } else {
      out.feature.q = round.X * out.feature.q;
      out.flat.q = axes.flat(out.feature.q);
    }
    return out;
  }

  // Height of the feature over a point of the plane: features are straight or flat and nearly square to n.
  static double height(const Placed& placed, const PlaneAxes& axes, const Vector2d& x) {
    const RoundFeature& f = placed.feature;
    if (f.kind == RoundFeature::Kind::disc) {
      const double along = f.q.dot(axes.n);
      return f.q.dot(f.p - axes.lifted(x)) / along;
    }
    const double start = axes.n.dot(f.p - axes.origin);
    if (f.kind == RoundFeature::Kind::point) return start;
    const Vector2d way = placed.flat.q - placed.flat.p;
    return start + axes.n.dot(f.q - f.p) * way.dot(x - placed.flat.p) / way.squaredNorm();
  }

  void touch(const Separation& separation, PairContacts& result) const {
    const Vector3d n = separation.n;
    const PlaneAxes axes(a_.support(n), n);
    const Placed a = placed(a_, n, axes), b = placed(b_, -n, axes);
    using Kind = RoundFeature::Kind;
    Polygon2 area;
    std::vector<Vector2d> points;
    const auto take = [&](const FlatFeature& line, const std::vector<std::array<double, 2>>& parts) {
      for (const auto& part : parts)
        for (const double t : part) points.push_back(line.p + t * (line.q - line.p));
    };
    if (a.flat.kind == Kind::point || b.flat.kind == Kind::point) {
      points.push_back(a.flat.kind == Kind::point ? a.flat.p : b.flat.p);
    } else if (a.flat.kind == Kind::disc && b.flat.kind == Kind::disc) {
      area = intersect(a.flat.area, b.flat.area).polygon;
    } else if (a.flat.kind == Kind::line && b.flat.kind == Kind::line) {
      take(a.flat, shared_part(a.flat, b.flat, sine_, margin_));
    } else {
      const FlatFeature& line = a.flat.kind == Kind::line ? a.flat : b.flat;
      take(line, clip_line(line.p, line.q, (a.flat.kind == Kind::disc ? a : b).flat.area, margin_));
    }
    const auto gap_at = [&](const Vector2d& x) { return height(b, axes, x) - height(a, axes, x); };
    const auto middle = [&](const Vector2d& x) {
      return axes.lifted(x, 0.5 * (height(a, axes, x) + height(b, axes, x)));
    };
    if (!area.is_empty()) {
      add_area(area, n, gap_at, middle, result);
      return;
    }
    std::erase_if(points, [&](const Vector2d& x) { return std::abs(gap_at(x)) > gap_; });
    if (points.empty()) {
      // Nearly parallel lines or discs whose shared part opens beyond the tolerance: the nearest points remain.
      if (std::abs(separation.gap) > gap_) return;
      add({a_.support(n) + 0.5 * separation.gap * n}, n, {separation.gap}, result);
    } else if (points.size() == 1 || (points[0] - points[1]).norm() <= margin_) {
      add({middle(points[0])}, n, {gap_at(points[0])}, result);
    } else {
      add({middle(points[0]), middle(points[1])}, n, {gap_at(points[0]), gap_at(points[1])}, result);
    }
  }

  static void add(std::vector<Vector3d> points, const Vector3d& n, const std::vector<double>& gaps,
                  PairContacts& result) {
    ContactPatch patch;
    patch.kind = points.size() == 2 ? ContactKind::edge : ContactKind::point;
    patch.n_W = n;
    patch.gap_min_m = *std::min_element(gaps.begin(), gaps.end());
    patch.gap_max_m = *std::max_element(gaps.begin(), gaps.end());
    patch.loops_W.push_back(std::move(points));
    result.patches.push_back(std::move(patch));
  }

  template <class Gap, class Middle>
  void add_area(const Polygon2& whole, const Vector3d& n, const Gap& gap_at, const Middle& middle,
                PairContacts& result) const {
    const Polygon2 area = simplified(part_within(whole, gap_at, gap_), margin_);
    if (!area.is_empty()) result.patches.push_back(face_patch(area, n, gap_at, middle));
  }

  const PosedRound &a_, &b_;
  double gap_, sine_;
  double margin_;  // [m] closer points are one
};

}  // namespace

PairContacts find_round_contacts(const RoundShape& a, const math::Pose& X_WA, const RoundShape& b,
                                 const math::Pose& X_WB, const ContactOptions& options) {
  const PosedRound posed_a{a, X_WA}, posed_b{b, X_WB};
  return RoundPairSearch(posed_a, posed_b, options).run();
}

}  // namespace prehend::geometry
