#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/box_tree.h>
#include <prehend/geometry/contact_search/contact_pair.h>
#include <prehend/geometry/contact_search/face_patch.h>
#include <prehend/geometry/contact_search/flat_features.h>
#include <prehend/geometry/contact_search/round_contact.h>
#include <prehend/math/angles.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

struct PosedTurned {
  const RoundShape& shape;
  math::Pose X;

  Vector3d axis() const { return X.R().col(2); }
  // A ball has every axis.
  bool has_axis() const { return shape.kind() != RoundKind::sphere && shape.kind() != RoundKind::ellipsoid; }
  double distance(const Vector3d& p, Vector3d* n = nullptr) const {
    Vector3d n_S;
    const double value = shape.distance(X.R().transpose() * (p - X.p()), &n_S);
    if (n != nullptr) *n = X.R() * n_S;
    return value;
  }
  std::vector<RoundFeature> features(const Vector3d& d, double sine) const {
    std::vector<RoundFeature> found = shape.features(X.R().transpose() * d, sine);
    for (RoundFeature& f : found) {
      const bool has_normal = f.kind == RoundFeature::Kind::disc || f.kind == RoundFeature::Kind::ring;
      f.p = X * f.p;
      f.q = has_normal ? Vector3d(X.R() * f.q) : Vector3d(X * f.q);
    }
    return found;
  }
};

// What two features share in the plane of a contact.
struct Shared {
  Polygon2 area;
  std::vector<std::array<Vector2d, 2>> lines;
  std::vector<Vector2d> points;
};

class FeaturePlane {
 public:
  FeaturePlane(const PosedTurned& posed, const RoundFeature& feature, const PlaneAxes& axes)
      : feature_(feature), axes_(axes) {
    p_ = axes.flat(feature.p);
    using Kind = RoundFeature::Kind;
    if (feature.kind == Kind::line) q_ = axes.flat(feature.q);
    if (feature.kind == Kind::disc || feature.kind == Kind::ring) {
      add_circle(posed, feature.radius, true);
      if (feature.hole > 0.0) add_circle(posed, feature.hole, false);
    }
  }
  RoundFeature::Kind kind() const { return feature_.kind; }
  const Polygon2& area() const { return area_; }
  double radius() const { return feature_.radius; }
  const Vector2d& centre() const { return p_; }
  // Lines, and rings as the sides of their polygon.
  std::vector<FlatFeature> lines() const {
    std::vector<FlatFeature> all;
    const auto add = [&](const Vector2d& p, const Vector2d& q) {
      FlatFeature line;
      line.kind = RoundFeature::Kind::line;
      line.p = p;
      line.q = q;
      all.push_back(line);
    };
    if (kind() == RoundFeature::Kind::line) add(p_, q_);
    if (kind() == RoundFeature::Kind::ring) {
      const Loop2& loop = area_.loops.front();
      for (std::size_t i = 0; i < loop.size(); ++i) add(loop[i], loop[(i + 1) % loop.size()]);
    }
    return all;
  }
  // [m] Over the plane.
  double height(const Vector2d& x) const {
    if (kind() == RoundFeature::Kind::disc || kind() == RoundFeature::Kind::ring)
      return feature_.q.dot(feature_.p - axes_.lifted(x)) / feature_.q.dot(axes_.n);
    const double start = axes_.n.dot(feature_.p - axes_.origin);
    const Vector2d way = q_ - p_;
    if (kind() == RoundFeature::Kind::point || way.squaredNorm() == 0.0) return start;
    return start + axes_.n.dot(feature_.q - feature_.p) * way.dot(x - p_) / way.squaredNorm();
  }

 private:
  void add_circle(const PosedTurned& posed, double radius, bool is_outer) {
    const double mean = 2.0 * radius / (1.0 + std::cos(math::kPi / kDiscCorners));
    Loop2& loop = area_.loops.emplace_back();
    for (int i = 0; i < kDiscCorners; ++i) {
      const double angle = 2.0 * math::kPi * i / kDiscCorners;
      loop.push_back(axes_.flat(
          feature_.p + mean * (std::cos(angle) * posed.X.R().col(0) + std::sin(angle) * posed.X.R().col(1))));
    }
    if ((signed_area(loop) < 0.0) == is_outer) std::reverse(loop.begin(), loop.end());
  }

  RoundFeature feature_;
  const PlaneAxes& axes_;
  Vector2d p_, q_{Vector2d::Zero()};
  Polygon2 area_;
};

Shared shared_by(const FeaturePlane& a, const FeaturePlane& b, double sine, double margin, double near) {
  using Kind = RoundFeature::Kind;
  Shared out;
  const auto take = [&](const FlatFeature& line, const std::vector<std::array<double, 2>>& parts) {
    for (const auto& part : parts) {
      const Vector2d p = line.p + part[0] * (line.q - line.p), q = line.p + part[1] * (line.q - line.p);
      if ((q - p).norm() <= margin) {
        out.points.push_back(p);
      } else {
        out.lines.push_back({p, q});
      }
    }
  };
  if (a.kind() == Kind::disc && b.kind() == Kind::disc) {
    out.area = intersect(a.area(), b.area()).polygon;
    return out;
  }
  if (a.kind() == Kind::disc || b.kind() == Kind::disc) {
    const FeaturePlane &disc = a.kind() == Kind::disc ? a : b, &other = a.kind() == Kind::disc ? b : a;
    for (const FlatFeature& line : other.lines()) take(line, clip_line(line.p, line.q, disc.area(), margin));
    if (other.kind() == Kind::point && holds(disc.area(), other.centre(), margin))
      out.points.push_back(other.centre());
    return out;
  }
  if (a.kind() == Kind::ring && b.kind() == Kind::ring) {
    // One on the other all around, or where they cross.
    const double apart = (a.centre() - b.centre()).norm();
    if (apart + std::abs(a.radius() - b.radius()) <= near) {
      for (const FlatFeature& line : a.lines()) out.lines.push_back({line.p, line.q});
      return out;
    }
    const double along = (apart * apart + a.radius() * a.radius() - b.radius() * b.radius()) / (2.0 * apart);
    const double squared = a.radius() * a.radius() - along * along;
    if (squared < 0.0) return out;
    const Vector2d u = (b.centre() - a.centre()) / apart, v(-u.y(), u.x());
    for (const double side : {-1.0, 1.0})
      out.points.push_back(a.centre() + along * u + side * std::sqrt(squared) * v);
    return out;
  }
  if (a.kind() == Kind::point || b.kind() == Kind::point) {
    const FeaturePlane &point = a.kind() == Kind::point ? a : b, &other = a.kind() == Kind::point ? b : a;
    bool is_near = other.kind() == Kind::point && (other.centre() - point.centre()).norm() <= near;
    for (const FlatFeature& line : other.lines()) {
      const Vector2d way = line.q - line.p;
      const double t = std::clamp(way.dot(point.centre() - line.p) / way.squaredNorm(), 0.0, 1.0);
      is_near = is_near || (line.p + t * way - point.centre()).norm() <= near;
    }
    if (is_near) out.points.push_back(point.centre());
    return out;
  }
  for (const FlatFeature& line : a.lines()) {
    for (const FlatFeature& other : b.lines()) take(line, shared_part(line, other, sine, margin));
  }
  return out;
}

class TurnedPairSearch {
 public:
  TurnedPairSearch(const PosedTurned& a, const PosedTurned& b, const ContactOptions& options)
      : a_(a),
        b_(b),
        gap_(options.gap_tolerance),
        sine_(std::sin(options.angle_tolerance)),
        reach_(std::min(a.shape.diagonal(), b.shape.diagonal())) {}

  PairContacts run() {
    if (is_coaxial()) {
      touch_around();
    } else {
      touch_beside();
    }
    std::vector<Vector3d> axes;
    for (const PosedTurned* posed : {&a_, &b_}) {
      if (!posed->has_axis()) continue;
      const bool is_known = std::any_of(axes.begin(), axes.end(), [&](const Vector3d& axis) {
        return axis.cross(posed->axis()).norm() <= sine_;
      });
      if (!is_known) axes.push_back(posed->axis());
    }
    for (const Vector3d& axis : axes) {
      touch_flat(axis, std::nullopt);
      touch_flat(-axis, std::nullopt);
    }
    return std::move(result_);
  }

 private:
  void report_penetration(const Vector3d& p, double depth) {
    if (depth <= gap_ || (result_.penetrating && depth <= result_.depth_m)) return;
    result_.penetrating = true;
    result_.depth_m = depth;
    result_.p_W = p;
  }

  void add(ContactKind kind, std::vector<Vector3d> points, const Vector3d& n, double low, double high) {
    ContactPatch patch;
    patch.kind = kind;
    patch.n_W = n;
    patch.gap_min_m = low;
    patch.gap_max_m = high;
    patch.loops_W.push_back(std::move(points));
    result_.patches.push_back(std::move(patch));
  }

  // a is turned; the axis of b, or its centre where it is a ball, lies in that of a.
  bool is_coaxial() const {
    const Vector3d apart = b_.X.p() - a_.X.p();
    if (apart.cross(a_.axis()).norm() > gap_) return false;
    if (b_.shape.kind() == RoundKind::sphere) return true;
    if (!b_.has_axis()) return false;
    return a_.axis().cross(b_.axis()).norm() * reach_ <= gap_;
  }

  // The gap over a point of a's meridian.
  double gap_over(const TurnedProfile::Edge& edge, double u, Vector3d* n = nullptr) const {
    const Vector2d p = edge.at(u);
    return b_.distance(a_.X * Vector3d(p.x(), 0.0, p.y()), n);
  }

  // Rings all around, where the gap along a's meridian is smallest. Flat ones are left to touch_flat().
  void touch_around() {
    constexpr int kParts = 16;
    struct Sample {
      const TurnedProfile::Edge* edge;
      double u, gap;
    };
    std::vector<Sample> chain;
    for (const TurnedProfile::Edge& edge : a_.shape.profile().edges()) {
      for (int i = 0; i <= kParts; ++i) {
        const double u = static_cast<double>(i) / kParts;
        chain.push_back({&edge, u, gap_over(edge, u)});
      }
    }
    const double same = 1e-7 * reach_;
    const std::size_t count = chain.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Sample& here = chain[i];
      const Sample &before = chain[(i + count - 1) % count], &after = chain[(i + 1) % count];
      if (here.gap > before.gap + same || here.gap > after.gap + same) continue;
      // Inside a stretch that is near all along: its ends count.
      const bool is_level = std::abs(here.gap - before.gap) <= same && std::abs(here.gap - after.gap) <= same;
      if (is_level && here.u > 0.0 && here.u < 1.0 && here.gap <= gap_) {
        const Sample &far = chain[(i + count - 2) % count], &beyond = chain[(i + 2) % count];
        if (std::abs(here.gap - far.gap) <= same && std::abs(here.gap - beyond.gap) <= same) continue;
      }
      double from = std::max(0.0, here.u - 1.0 / kParts), to = std::min(1.0, here.u + 1.0 / kParts);
      constexpr double kGolden = 0.6180339887498949;
      for (int step = 0; step < 60; ++step) {
        const double left = to - kGolden * (to - from), right = from + kGolden * (to - from);
        if (gap_over(*here.edge, left) > gap_over(*here.edge, right)) {
          from = left;
        } else {
          to = right;
        }
      }
      double u = 0.5 * (from + to);
      if (gap_over(*here.edge, u) >= here.gap - 1e-3 * same) u = here.u;
      add_around(*here.edge, u);
    }
  }

  void add_around(const TurnedProfile::Edge& edge, double u) {
    Vector3d n;
    const double gap = gap_over(edge, u, &n);
    const Vector2d p = edge.at(u);
    report_penetration(a_.X * Vector3d(p.x(), 0.0, p.y()), -gap);
    if (std::abs(gap) > gap_) return;
    const Vector3d n_A = -(a_.X.R().transpose() * n);  // from a to b, in the meridian
    if (!looks_along(p, {n_A.x(), n_A.z()})) return;   // corner to corner, as two rims of the same radius
    if (std::abs(n_A.x()) <= sine_) {
      if (p.x() <= 2e-3 * a_.shape.size()[0] && std::abs(n_A.z()) > 0.5)
        add(ContactKind::point, {a_.X * Vector3d(p.x(), 0.0, p.y()) - 0.5 * gap * n}, -n, gap, gap);
      return;
    }
    const double mean = 2.0 / (1.0 + std::cos(math::kPi / kDiscCorners));
    for (int i = 0; i < kDiscCorners; ++i) {
      const Eigen::AngleAxisd turn(2.0 * math::kPi * i / kDiscCorners, Vector3d::UnitZ());
      const Vector3d at(mean * p.x() + 0.5 * gap * n_A.x(), 0.0, p.y() + 0.5 * gap * n_A.z());
      add(ContactKind::point, {a_.X * (turn * at)}, a_.X.R() * (turn * n_A), gap, gap);
    }
  }

  // Whether a's surface at a point of its meridian looks along n, a corner anywhere between its sides.
  bool looks_along(const Vector2d& p, const Vector2d& n) const {
    constexpr double kSine = 0.01;  // of normals at the places of smallest gap
    const TurnedProfile::Foot foot = a_.shape.profile().nearest(p);
    const auto cross = [](const Vector2d& x, const Vector2d& y) { return x.x() * y.y() - x.y() * y.x(); };
    return cross(foot.n_before, n) >= -kSine && cross(n, foot.n_after) >= -kSine &&
           n.dot(foot.n_before + foot.n_after) > 0.0;
  }

  // Places of a's surface from which the gap falls to its minima.
  std::vector<Vector3d> seeds() const {
    constexpr int kAround = 48;
    constexpr std::size_t kMostSeeds = 48;
    const Aabb box = b_.shape.box();
    const double near = gap_ + 0.1 * reach_;
    std::vector<std::pair<double, Vector3d>> found;
    const auto offer = [&](const Vector3d& p) {
      const Vector3d p_B = b_.X.R().transpose() * (p - b_.X.p());
      if (((p_B - box.upper).array() > near).any() || ((box.lower - p_B).array() > near).any()) return;
      const double gap = b_.distance(p);
      if (gap <= near) found.emplace_back(gap, p);
    };
    for (const TurnedProfile::Edge& edge : a_.shape.profile().edges()) {
      const int parts = std::clamp(static_cast<int>(std::ceil(8.0 * edge.length / reach_)), 1, 64);
      for (int k = 0; k <= parts; ++k) {
        const Vector2d p = edge.at(static_cast<double>(k) / parts);
        for (int i = 0; i < kAround; ++i) {
          const double angle = 2.0 * math::kPi * i / kAround;
          offer(a_.X * Vector3d(p.x() * std::cos(angle), p.x() * std::sin(angle), p.y()));
        }
      }
    }
    std::sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    std::vector<Vector3d> kept;
    for (const auto& [gap, p] : found) {
      if (kept.size() == kMostSeeds) break;
      const auto is_near = [&](const Vector3d& other) { return (other - p).norm() < 0.05 * reach_; };
      if (std::none_of(kept.begin(), kept.end(), is_near)) kept.push_back(p);
    }
    return kept;
  }

  // Down the slope of the gap over a's surface.
  Vector3d nearest_from(Vector3d p) const {
    Vector3d n_a, n_b;
    double gap = b_.distance(p, &n_b), step = 0.05 * reach_;
    for (int i = 0; i < 200 && step > 1e-12 * reach_; ++i) {
      a_.distance(p, &n_a);
      const Vector3d slope = n_b - n_b.dot(n_a) * n_a;
      if (slope.norm() <= 1e-12) break;
      Vector3d next = p - step * slope.normalized();
      const double off = a_.distance(next, &n_a);
      next -= off * n_a;
      Vector3d next_n;
      const double next_gap = b_.distance(next, &next_n);
      if (next_gap < gap) {
        p = next;
        gap = next_gap;
        n_b = next_n;
        step *= 1.5;
      } else {
        step *= 0.4;
      }
    }
    return p;
  }

  void touch_beside() {
    std::vector<std::pair<Vector3d, Vector3d>> done;  // places and normals
    for (const Vector3d& seed : seeds()) {
      const Vector3d p = nearest_from(seed);
      Vector3d n_b;
      const double gap = b_.distance(p, &n_b);
      report_penetration(p, -gap);
      if (std::abs(gap) > gap_) continue;
      const Vector3d n = normal_at(p, n_b);
      if (n.isZero()) continue;
      const auto is_known = [&](const auto& other) {
        return (other.first - p).norm() <= 1e-3 * reach_ && other.second.dot(n) > 1.0 - 1e-6;
      };
      if (std::any_of(done.begin(), done.end(), is_known)) continue;
      done.emplace_back(p, n);
      if (is_along_axis(n)) continue;  // touch_flat() finds all of it
      if (!touch_flat(n, p)) add(ContactKind::point, {p - 0.5 * gap * n_b}, n, gap, gap);
    }
  }

  bool is_along_axis(const Vector3d& n) const {
    for (const PosedTurned* posed : {&a_, &b_})
      if (posed->has_axis() && posed->axis().cross(n).norm() <= sine_) return true;
    return false;
  }

  // From a to b; where two sharp rings cross, square to both. Zero where the surfaces do not face each other.
  Vector3d normal_at(const Vector3d& p, const Vector3d& n_b) const {
    Vector3d n_a;
    a_.distance(p - 1e-7 * reach_ * n_b,
                &n_a);  // a little towards b: the normal of a corner is the one that looks there
    if (n_a.dot(n_b) < -1.0 + 1e-4) return -n_b;
    const auto around = [&](const PosedTurned& posed) {
      return Vector3d(posed.axis().cross(p - posed.X.p()));
    };
    const Vector3d square = around(a_).cross(around(b_));
    if (square.norm() > 1e-9 * reach_ * reach_) {
      const Vector3d n = square.normalized() * (square.dot(n_a - n_b) < 0.0 ? -1.0 : 1.0);
      if (n.dot(n_b) < 0.0 && n.dot(n_a) > -1e-6) return n;
    }
    return n_a.dot(n_b) < -0.9 ? Vector3d(-n_b) : Vector3d(Vector3d::Zero());
  }

  // What the features along n share; where a place is given, only what lies there. True where anything is.
  bool touch_flat(const Vector3d& n, const std::optional<Vector3d>& place) {
    bool found = false;
    for (const RoundFeature& fa : a_.features(n, sine_)) {
      const PlaneAxes axes(fa.p, n);
      const FeaturePlane flat_a(a_, fa, axes);
      for (const RoundFeature& fb : b_.features(-n, sine_)) {
        const FeaturePlane flat_b(b_, fb, axes);
        const auto gap_at = [&](const Vector2d& x) { return flat_b.height(x) - flat_a.height(x); };
        if (std::abs(gap_at(flat_a.centre())) > 4.0 * gap_ + 4.0 * sine_ * reach_) continue;
        Shared shared = shared_by(flat_a, flat_b, sine_, 1e-6 * reach_, std::max(gap_, 1e-6 * reach_));
        if (place && !holds_place(shared, axes.flat(*place))) continue;
        found = add_shared(shared, axes, flat_a, flat_b, n) || found;
      }
    }
    return found;
  }

  bool holds_place(const Shared& shared, const Vector2d& x) const {
    const double near = std::max(gap_, 1e-3 * reach_);
    if (!shared.area.is_empty() && holds(shared.area, x, near)) return true;
    for (const auto& [p, q] : shared.lines) {
      const double t = std::clamp((q - p).dot(x - p) / (q - p).squaredNorm(), 0.0, 1.0);
      if ((p + t * (q - p) - x).norm() <= near) return true;
    }
    return std::any_of(shared.points.begin(), shared.points.end(),
                       [&](const Vector2d& p) { return (p - x).norm() <= near; });
  }

  bool add_shared(const Shared& shared, const PlaneAxes& axes, const FeaturePlane& a, const FeaturePlane& b,
                  const Vector3d& n) {
    const auto gap_at = [&](const Vector2d& x) { return b.height(x) - a.height(x); };
    const auto middle = [&](const Vector2d& x) { return axes.lifted(x, 0.5 * (a.height(x) + b.height(x))); };
    const auto touches = [&](const Vector2d& x) { return std::abs(gap_at(x)) <= gap_; };
    bool found = false;
    for (const Vector2d& x : shared.points) {
      if (!touches(x)) continue;
      add(ContactKind::point, {middle(x)}, n, gap_at(x), gap_at(x));
      found = true;
    }
    for (const auto& [p, q] : shared.lines) {
      if (!touches(p) && !touches(q)) continue;
      if (touches(p) && touches(q)) {
        add(ContactKind::edge, {middle(p), middle(q)}, n, std::min(gap_at(p), gap_at(q)),
            std::max(gap_at(p), gap_at(q)));
      } else {
        const Vector2d& x = touches(p) ? p : q;
        add(ContactKind::point, {middle(x)}, n, gap_at(x), gap_at(x));
      }
      found = true;
    }
    if (shared.area.is_empty()) return found;
    const Polygon2 area = simplified(part_within(shared.area, gap_at, gap_), 1e-6 * reach_);
    if (area.is_empty() || geometry::area(area) <= 0.0) return found;
    result_.patches.push_back(face_patch(area, n, gap_at, middle));
    return true;
  }

  const PosedTurned &a_, &b_;
  double gap_, sine_;
  double reach_;  // [m] of the smaller one
  PairContacts result_;
};

}  // namespace

PairContacts find_turned_contacts(const RoundShape& a, const math::Pose& X_WA, const RoundShape& b,
                                  const math::Pose& X_WB, const ContactOptions& options) {
  const PosedTurned posed_a{a, X_WA}, posed_b{b, X_WB};
  return TurnedPairSearch(posed_a, posed_b, options).run();
}

}  // namespace prehend::geometry
