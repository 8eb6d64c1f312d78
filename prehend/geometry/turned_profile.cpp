#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <prehend/geometry/turned_profile.h>
#include <prehend/math/angles.h>
#include <prehend/math/house/plane_vectors.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using math::cross;
using ProfileEdge = TurnedProfile::Edge;

// Corners that turn less are straight, those that turn more are corners. 16 degrees: 24 around, and a little for uneven steps.
constexpr double kLeastCurve = 0.05 * math::kDegree, kMostCurve = 16.0 * math::kDegree;
constexpr int kFewestInCurve = 3;
constexpr double kLongEdge = 2.5;  // [-] beside its neighbour
constexpr double kHalfTurn =
    0.75;  // [-] of the next corner's turn: less, and the edge beyond is tangent to the curve

ProfileEdge edge_between(const Vector2d& p, const Vector2d& q) {
  ProfileEdge edge;
  edge.p = p;
  edge.q = q;
  edge.length = (q - p).norm();
  edge.t = (q - p) / edge.length;
  edge.n = Vector2d(edge.t.y(), -edge.t.x());
  return edge;
}

// The edge on the other side of the axis.
ProfileEdge mirrored(const ProfileEdge& edge) {
  ProfileEdge other = edge_between(Vector2d(-edge.q.x(), edge.q.y()), Vector2d(-edge.p.x(), edge.p.y()));
  other.rise = edge.fall;
  other.fall = edge.rise;
  return other;
}

double turn(const ProfileEdge& before, const ProfileEdge& after) {
  return std::atan2(cross(before.t, after.t), before.t.dot(after.t));
}

// The share of the chord where the foot of p is.
double foot_share(const ProfileEdge& edge, const Vector2d& p) {
  const double x = edge.t.dot(p - edge.p) / edge.length;
  if (edge.is_straight()) return std::clamp(x, 0.0, 1.0);
  const double y = edge.n.dot(p - edge.p) / edge.length;
  double u = std::clamp(x, 0.0, 1.0);
  for (int i = 0; i < 12; ++i) {
    const double off = edge.height(u) - y, slope = edge.slope(u);
    const double gradient = u - x + off * slope;
    const double stiffness = std::max(0.05, 1.0 + slope * slope + off * edge.bend(u));
    const double next = std::clamp(u - gradient / stiffness, 0.0, 1.0);
    if (std::abs(next - u) < 1e-15) break;
    u = next;
  }
  return u;
}

// Shares of the chord where the slope is s and falls: the curve is farthest along a direction there.
std::vector<double> tops(const ProfileEdge& edge, double s) {
  const double a = 3.0 * (edge.rise - edge.fall), b = 2.0 * edge.fall - 4.0 * edge.rise, c = edge.rise - s;
  std::vector<double> roots;
  const double scale = std::abs(edge.rise) + std::abs(edge.fall);
  if (std::abs(a) <= 1e-9 * scale) {
    if (b != 0.0) roots.push_back(-c / b);
  } else {
    const double root = b * b - 4.0 * a * c;
    if (root < 0.0) return {};
    const double sum = -0.5 * (b + std::copysign(std::sqrt(root), b));
    roots.push_back(sum / a);
    if (sum != 0.0) roots.push_back(c / sum);
  }
  // An edge ends where the next begins: no direction falls between them by rounding.
  constexpr double kRounding = 1e-9;
  std::erase_if(roots, [&](double u) {
    return !(u >= -kRounding && u <= 1.0 + kRounding) || edge.bend(std::clamp(u, 0.0, 1.0)) >= 0.0;
  });
  for (double& u : roots) u = std::clamp(u, 0.0, 1.0);
  return roots;
}

}  // namespace

Vector2d ProfileEdge::at(double u) const { return p + length * (u * t + height(u) * n); }
Vector2d ProfileEdge::normal(double u) const { return (n - slope(u) * t).normalized(); }

TurnedProfile::TurnedProfile(std::vector<Vector2d> points, bool is_closed, double straight_within)
    : points_(std::move(points)), is_closed_(is_closed) {
  if (points_.size() < 3) throw std::invalid_argument("TurnedProfile: fewer than two edges");
  double extent = 0.0;
  for (const Vector2d& p : points_) {
    if (!p.allFinite() || p.x() < 0.0)
      throw std::invalid_argument("TurnedProfile: a point is not finite, or left of the axis");
    largest_radius_ = std::max(largest_radius_, p.x());
    extent = std::max({extent, p.x(), (p - points_.front()).norm()});
  }
  if (!is_closed && std::max(points_.front().x(), points_.back().x()) > 1e-9 * extent)
    throw std::invalid_argument("TurnedProfile: an open chain begins and ends on the axis");
  const std::size_t count = is_closed ? points_.size() : points_.size() - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const Vector2d &p = points_[i], &q = points_[(i + 1) % points_.size()];
    if ((q - p).norm() <= 1e-12 * extent)
      throw std::invalid_argument("TurnedProfile: an edge without length");
    edges_.push_back(edge_between(p, q));
  }
  find_curves(straight_within);
}

ProfileEdge TurnedProfile::before(std::size_t i) const {
  if (i > 0) return edges_[i - 1];
  return is_closed_ ? edges_.back() : mirrored(edges_.front());
}

ProfileEdge TurnedProfile::after(std::size_t i) const {
  if (i + 1 < edges_.size()) return edges_[i + 1];
  return is_closed_ ? edges_.front() : mirrored(edges_.back());
}

// Corner i lies between edge i - 1 and edge i, so an open chain has one more than edges. The chain goes on beyond the axis as its mirror image, so
// that a pole is a corner like others.
void TurnedProfile::find_curves(double straight_within) {
  const int edge_count = static_cast<int>(edges_.size());
  const int corners = is_closed_ ? edge_count : edge_count + 1;
  // Index of a corner or an edge beyond the ends of the chain.
  const auto fold = [&](int i, int last) {
    if (is_closed_) return (i % edge_count + edge_count) % edge_count;
    if (i < 0) i = last == edge_count ? -i : -i - 1;
    return i > last ? (last == edge_count ? 2 * last - i : 2 * last + 1 - i) : i;
  };
  const auto corner = [&](int i) { return static_cast<std::size_t>(fold(i, edge_count)); };
  const auto length = [&](int i) { return edges_[static_cast<std::size_t>(fold(i, edge_count - 1))].length; };
  std::vector<double> turns;
  for (int i = 0; i < corners; ++i) {
    const auto k = static_cast<std::size_t>(i);
    turns.push_back(i < edge_count ? turn(before(k), edges_[k]) : turn(edges_[k - 1], after(k - 1)));
  }
  const auto curves = [&](int i) {
    const double size = std::abs(turns[corner(i)]);
    return size > kLeastCurve && size <= kMostCurve;
  };
  const auto run = [&](int i) {  // corners in a row
    int count = 1;
    for (int k = i - 1; count < kFewestInCurve && curves(k); --k) ++count;
    for (int k = i + 1; count < kFewestInCurve && curves(k); ++k) ++count;
    return count;
  };
  std::vector<char> is_curve(static_cast<std::size_t>(corners), 0);
  for (int i = 0; i < corners; ++i)
    is_curve[static_cast<std::size_t>(i)] = curves(i) && run(i) >= kFewestInCurve;
  // The turn at corner i that belongs to the edge `step` away from it (-1: before, 0: after).
  const auto share = [&](int i, int step) {
    const double t = turns[corner(i)], before = length(i - 1), after = length(i);
    if (before > kLongEdge * after) return step == 0 ? t : 0.0;
    if (after > kLongEdge * before) return step == 0 ? 0.0 : t;
    // Where the curve ends at this corner and joins a straight edge, the corner turns half as much as the next.
    const bool ends_before = !is_curve[corner(i - 1)], ends_after = !is_curve[corner(i + 1)];
    if (ends_before && !ends_after && std::abs(t) < kHalfTurn * std::abs(turns[corner(i + 1)]))
      return step == 0 ? t : 0.0;
    if (ends_after && !ends_before && std::abs(t) < kHalfTurn * std::abs(turns[corner(i - 1)]))
      return step == 0 ? 0.0 : t;
    return t * (step == 0 ? after : before) / (before + after);
  };
  for (int i = 0; i < edge_count; ++i) {
    ProfileEdge& edge = edges_[static_cast<std::size_t>(i)];
    const bool starts = is_curve[corner(i)] != 0, ends = is_curve[corner(i + 1)] != 0;
    if (!starts && !ends) continue;
    double rise = starts ? std::tan(share(i, 0)) : 0.0, fall = ends ? std::tan(share(i + 1, -1)) : 0.0;
    // Up to a sharp corner the curve goes on as it came; where the chain goes straight on, so does the tangent.
    if (!starts && std::abs(turns[corner(i)]) > kLeastCurve) rise = fall;
    if (!ends && std::abs(turns[corner(i + 1)]) > kLeastCurve) fall = rise;
    // A cubic bulges by an eighth of its slopes' sum at most, where they are alike.
    if (0.125 * edge.length * (std::abs(rise) + std::abs(fall)) < straight_within) continue;
    edge.rise = rise;
    edge.fall = fall;
  }
}

double TurnedProfile::largest_bulge() const {
  double most = 0.0;
  for (const ProfileEdge& edge : edges_) {
    for (const double u : {0.25, 0.5, 0.75}) most = std::max(most, edge.length * std::abs(edge.height(u)));
  }
  return most;
}

// By Pappus: each edge sweeps pi (r^2 dz); the bulge adds its area times the way of its middle.
double TurnedProfile::volume() const {
  double sum = 0.0;
  for (const ProfileEdge& e : edges_) {
    const double r = e.p.x(), s = e.q.x();
    sum += math::kPi / 3.0 * (r * r + r * s + s * s) * (e.q.y() - e.p.y());
    sum += math::kPi * (r + s) * e.length * e.length * (e.rise + e.fall) / 12.0;
  }
  return sum;
}

TurnedProfile::Foot TurnedProfile::nearest(const Vector2d& p) const {
  double best = std::numeric_limits<double>::infinity(), best_u = 0.0;
  std::size_t best_edge = 0;
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const ProfileEdge& edge = edges_[i];
    if (!edge.is_straight()) {  // the curve lies within a quarter of its slopes of the chord
      const double x = std::clamp(edge.t.dot(p - edge.p), 0.0, edge.length);
      const double chord = (p - edge.p - x * edge.t).norm();
      if (chord - 0.25 * edge.length * (std::abs(edge.rise) + std::abs(edge.fall)) > best) continue;
    }
    const double u = foot_share(edge, p), distance = (p - edge.at(u)).norm();
    if (distance >= best) continue;
    best = distance;
    best_u = u;
    best_edge = i;
  }
  const ProfileEdge& edge = edges_[best_edge];
  Foot foot;
  foot.edge = static_cast<int>(best_edge);
  foot.p = edge.at(best_u);
  foot.n_before = foot.n_after = edge.normal(best_u);
  // A corner that was computed from one of its edges lies on it but for rounding.
  constexpr double kEnd = 1e-9;
  if (best_u <= kEnd) foot.n_before = before(best_edge).normal(1.0);
  if (best_u >= 1.0 - kEnd) foot.n_after = after(best_edge).normal(0.0);
  Vector2d out = foot.n_before + foot.n_after;
  if (out.squaredNorm() < 1e-12) out = edge.t * (best_u <= kEnd ? -1.0 : 1.0);  // a needle
  out.normalize();
  const Vector2d away = p - foot.p;
  const double sign = away.dot(out) < 0.0 ? -1.0 : 1.0;
  foot.distance = sign * best;
  foot.n = best > 1e-12 * (largest_radius_ + edge.length) ? Vector2d(sign * away / best) : out;
  return foot;
}

std::vector<TurnedProfile::Extreme> TurnedProfile::extremes(const Vector2d& d, double sine) const {
  std::vector<Extreme> found;
  const auto add = [&](const Vector2d& p, const Vector2d& q, int edge) {
    const double same = 1e-9 * largest_radius_;
    for (const Extreme& other : found)
      if ((other.p - p).norm() <= same && (other.q - q).norm() <= same) return;
    found.push_back({p, q, edge});
  };
  const auto faces = [&](const ProfileEdge& edge) {
    return edge.is_straight() && edge.n.dot(d) > 0.0 && std::abs(cross(edge.n, d)) <= sine;
  };
  const auto look_at_corner = [&](const ProfileEdge& a, const ProfileEdge& b, const Vector2d& p, int edge) {
    if (faces(a) || faces(b)) return;
    const Vector2d na = a.normal(1.0), nb = b.normal(0.0);
    constexpr double kRounding = 1e-12;
    if (cross(na, nb) <= kRounding && na.dot(nb) > -1.0 + kRounding) return;  // a hollow, or no corner
    if (cross(na, d) < -kRounding || cross(d, nb) < -kRounding) return;
    add(p, p, edge);
  };
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const ProfileEdge& edge = edges_[i];
    const int index = static_cast<int>(i);
    look_at_corner(before(i), edge, edge.p, index);
    if (edge.is_straight()) {
      if (faces(edge)) add(edge.p, edge.q, index);
    } else if (const double across = edge.n.dot(d); across > 0.0) {
      for (const double u : tops(edge, -edge.t.dot(d) / across)) add(edge.at(u), edge.at(u), index);
    }
    if (!is_closed_ && i + 1 == edges_.size()) look_at_corner(edge, after(i), edge.q, index);
  }
  // A curve that leaves a straight edge smoothly begins with that edge's end.
  const auto is_end = [&](const Extreme& point) {
    if (point.p != point.q) return false;
    return std::any_of(found.begin(), found.end(), [&](const Extreme& line) {
      const double same = 1e-9 * largest_radius_;
      return line.p != line.q && std::min((line.p - point.p).norm(), (line.q - point.p).norm()) <= same;
    });
  };
  std::vector<Extreme> kept;
  for (const Extreme& part : found) {
    if (!is_end(part)) kept.push_back(part);
  }
  return kept;
}

Vector2d TurnedProfile::support(const Vector2d& d) const {
  Vector2d best = points_.front();
  const auto offer = [&](const Vector2d& p) {
    if (d.dot(p) > d.dot(best)) best = p;
  };
  for (const Vector2d& p : points_) offer(p);
  for (const ProfileEdge& edge : edges_) {
    const double across = edge.n.dot(d);
    if (edge.is_straight() || across <= 0.0) continue;
    for (const double u : tops(edge, -edge.t.dot(d) / across)) offer(edge.at(u));
  }
  return best;
}

}  // namespace prehend::geometry
