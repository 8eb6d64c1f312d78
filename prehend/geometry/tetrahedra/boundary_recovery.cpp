#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Geometry>

#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/tetrahedra/boundary_flips.h>
#include <prehend/geometry/tetrahedra/boundary_recovery.h>
#include <prehend/geometry/tetrahedra/tet_insertion.h>
#include <prehend/math/interrupt.h>

namespace prehend::geometry {
namespace {

using Edge = std::array<int, 2>;
using Eigen::Vector2d;
using Eigen::Vector3d;

// Steiner points sit at multiples of this fraction: with single-precision input (STL, most PLY) they are then
// exactly representable, so exactly on their edge or triangle.
constexpr double kFraction = 1.0 / 256.0;

double on_grid(double t) { return std::round(t / kFraction) * kFraction; }

class Recovery {
 public:
  Recovery(TetComplex& complex, SurfaceConstraints& constraints, const RecoveryLimits& limits)
      : complex_(complex),
        constraints_(constraints),
        max_steiner_(limits.max_steiner),
        planar_(complex, constraints, limits.flatness),
        flips_(complex, constraints, planar_) {}

  RecoveryResult run() {
    planar_.make_delaunay(constraints_.edges());
    std::vector<Edge> features = constraints_.edges();
    std::erase_if(features, [&](const Edge& edge) { return !planar_.is_feature(edge); });
    recover_edges(features, true);
    flips_.keep_planar_edges = true;
    recover_edges(constraints_.edges(), true);
    flips_.keep_faces = true;
    // New facets are appended while the old ones are worked on; stuck ones get a second chance before a
    // Steiner point.
    std::vector<int> stuck;
    for (std::size_t f = 0; f < constraints_.facets.size() && !stopped_; ++f) {
      math::check_interrupt();
      if (!recover_facet(static_cast<int>(f), false)) stuck.push_back(static_cast<int>(f));
      if (f + 1 == constraints_.facets.size()) {
        for (int again : stuck) {
          if (!stopped_) recover_facet(again, true);
        }
        stuck.clear();
      }
    }
    if (!stopped_) result_.status = RecoveryStatus::ok;
    return result_;
  }

 private:
  void stop(RecoveryStatus status, std::string message) {
    if (stopped_) return;
    stopped_ = true;
    result_.status = status;
    result_.message = std::move(message);
  }

  void stop_at_crossing(int first, int second) {
    const auto parent = [&](int facet) { return facet < 0 ? -1 : constraints_.facets[facet].input_triangle; };
    result_.triangles = {parent(first), parent(second)};
    stop(RecoveryStatus::self_intersecting, "the surface intersects itself: triangles " +
                                                std::to_string(result_.triangles[0]) + " and " +
                                                std::to_string(result_.triangles[1]) + " cross");
  }

  bool spend_steiner() {
    if (result_.edge_steiner + result_.triangle_steiner < max_steiner_) return true;
    stop(RecoveryStatus::steiner_limit, "the surface was not recovered with max_steiner = " +
                                            std::to_string(max_steiner_) + " Steiner points");
    return false;
  }

  // Flips first, for all; then again, for later flips may have cleared the way; then Steiner points.
  void recover_edges(std::vector<Edge> pending, bool count) {
    while (!pending.empty() && !stopped_) {
      std::vector<Edge> stuck, fresh;
      for (const Edge& edge : pending) {
        math::check_interrupt();
        if (stopped_) return;
        if (!constraints_.has_edge(edge[0], edge[1])) continue;
        if (flips_.keep_planar_edges && adopt_obstacle(edge, fresh)) continue;
        if (!flips_.keep_planar_edges && !planar_.is_feature(edge)) continue;
        const FlipReport report = flips_.recover_edge(edge[0], edge[1]);
        result_.flips += report.flips;
        if (count && (report.flips > 0 || report.outcome != FlipOutcome::present)) ++result_.missing_edges;
        if (report.outcome == FlipOutcome::stuck) stuck.push_back(edge);
        if (report.outcome == FlipOutcome::vertex) append(fresh, split_edge(edge, report.vertex));
        if (report.outcome == FlipOutcome::crossing) {
          stop_at_crossing(constraints_.facets_at(edge[0], edge[1]).front(), report.facet);
        }
      }
      count = false;
      // As long as flips help, repeat them for the rest.
      if (stuck.size() < pending.size() && !stuck.empty()) {
        append(fresh, stuck);
      } else {
        for (const Edge& edge : stuck) {
          if (stopped_) return;
          if (!constraints_.has_edge(edge[0], edge[1])) continue;
          if (!swap_coplanar(edge)) append(fresh, set_steiner_on_edge(edge));
        }
      }
      pending = std::move(fresh);
    }
  }

  static void append(std::vector<Edge>& list, const std::vector<Edge>& more) {
    list.insert(list.end(), more.begin(), more.end());
  }

  // Inside a planar face any division will do: where an edge of the complex lies across, take that one
  // instead.
  bool adopt_obstacle(const Edge& edge, std::vector<Edge>& fresh) {
    if (planar_.is_feature(edge)) return false;
    const SegmentPath path = walk_segment(complex_, edge[0], edge[1]);
    std::vector<Edge> candidates;
    if (path.end == SegmentPath::End::edge) candidates.push_back(path.edge);
    for (int code : path.faces) {
      const auto f = complex_.face(code);
      for (int i = 0; i < 3; ++i) candidates.push_back({f[i], f[(i + 1) % 3]});
    }
    for (const Edge& wanted : candidates) {
      append(fresh, planar_.adopt(edge, wanted));
      if (!constraints_.has_edge(edge[0], edge[1])) return true;
    }
    return false;
  }

  // Two coplanar facets cover the same area with the other diagonal.
  bool swap_coplanar(const Edge& edge) {
    const auto other = planar_.other_diagonal(edge);
    if (!other || flips_.recover_edge((*other)[0], (*other)[1]).outcome != FlipOutcome::present) return false;
    constraints_.swap_edge(edge[0], edge[1]);
    return true;
  }

  // Where the parts lie in one plane with their neighbours, well-shaped ones are easier to recover; but once
  // planar faces follow the complex's own division, that stays.
  std::vector<Edge> split_edge(const Edge& edge, int s) {
    const std::vector<Edge> fresh = constraints_.split_edge(edge[0], edge[1], s);
    return flips_.keep_planar_edges ? fresh : planar_.make_delaunay(fresh);
  }

  std::optional<int> place(const Vector3d& p, int hint) {
    const int s = complex_.add_point(p);
    if (s < SurfaceConstraints::kMostVertices && insert_constrained(complex_, constraints_, s, hint))
      return s;
    complex_.points.pop_back();
    return std::nullopt;
  }

  // Where the segment crosses what obstructs it, closest to its middle; the middle when all is near the ends.
  double splitting_fraction(const Edge& edge, const SegmentPath& path) const {
    const auto& x = complex_.points;
    const Vector3d a = x[edge[0]], d = x[edge[1]] - a;
    double best = 0.5, distance = 0.4;
    for (int code : path.faces) {
      const auto f = complex_.face(code);
      const Vector3d normal = (x[f[1]] - x[f[0]]).cross(x[f[2]] - x[f[0]]);
      const double slope = normal.dot(d);
      const double t = slope == 0.0 ? 0.5 : normal.dot(x[f[0]] - a) / slope;
      if (std::abs(t - 0.5) < distance) {
        distance = std::abs(t - 0.5);
        best = t;
      }
    }
    return on_grid(best);
  }

  std::vector<Edge> set_steiner_on_edge(const Edge& edge) {
    if (!spend_steiner()) return {};
    const SegmentPath path = walk_segment(complex_, edge[0], edge[1]);
    if (path.end == SegmentPath::End::present) return {};
    const int hint = complex_.some_cell_of(edge[0]);
    const Vector3d a = complex_.points[edge[0]], b = complex_.points[edge[1]];
    for (double t : {splitting_fraction(edge, path), 0.5, 0.25, 0.75, 0.375, 0.625, 0.125, 0.875}) {
      if (const auto s = place(a + t * (b - a), hint)) {
        ++result_.edge_steiner;
        return split_edge(edge, *s);
      }
    }
    stop(RecoveryStatus::failed, "no Steiner point fits on the edge between vertices " +
                                     std::to_string(edge[0]) + " and " + std::to_string(edge[1]));
    return {};
  }

  // False when it is missing and flips alone do not help; with `insist` a Steiner point is set.
  bool recover_facet(int facet, bool insist) {
    if (!constraints_.facets[facet].alive) return true;
    const auto t = constraints_.facets[facet].vertex;
    const FlipReport report = flips_.recover_triangle(t);
    result_.flips += report.flips;
    if (!insist && (report.flips > 0 || report.outcome != FlipOutcome::present)) ++result_.missing_triangles;
    if (report.outcome == FlipOutcome::present) return true;
    if (report.outcome == FlipOutcome::crossing) {
      stop_at_crossing(facet, report.facet);
    } else if (report.outcome == FlipOutcome::vertex) {
      recover_edges(constraints_.split_facet(facet, report.vertex), false);
    } else if (insist) {
      set_steiner_in_facet(facet, report);
    } else {
      return false;
    }
    return true;
  }

  void set_steiner_in_facet(int facet, const FlipReport& report) {
    if (!spend_steiner()) return;
    const auto t = constraints_.facets[facet].vertex;
    const auto& x = complex_.points;
    const Vector3d a = x[t[0]], ab = x[t[1]] - a, ac = x[t[2]] - a, normal = ab.cross(ac);
    Vector2d best(1.0 / 3.0, 1.0 / 3.0);
    double most_central = 0.05;
    for (const auto& [u, v] : report.piercing) {
      const Vector3d d = x[v] - x[u];
      const double slope = normal.dot(d);
      if (slope == 0.0) continue;
      const Vector3d at = x[u] + normal.dot(a - x[u]) / slope * d - a;
      const Vector2d weight(normal.dot(at.cross(ac)) / normal.squaredNorm(),
                            normal.dot(ab.cross(at)) / normal.squaredNorm());
      const double central = std::min({weight[0], weight[1], 1.0 - weight.sum()});
      if (central > most_central) {
        most_central = central;
        best = weight;
      }
    }
    const int hint = complex_.some_cell_of(t[0]);
    for (const Vector2d& weight : {best, Vector2d(0.375, 0.3125), Vector2d(0.25, 0.5), Vector2d(0.5, 0.25),
                                   Vector2d(0.25, 0.25), Vector2d(0.125, 0.125)}) {
      if (const auto s = place(a + on_grid(weight[0]) * ab + on_grid(weight[1]) * ac, hint)) {
        ++result_.triangle_steiner;
        recover_edges(constraints_.split_facet(facet, *s), false);
        return;
      }
    }
    stop(RecoveryStatus::failed,
         "no Steiner point fits into triangle " + std::to_string(constraints_.facets[facet].input_triangle));
  }

  TetComplex& complex_;
  SurfaceConstraints& constraints_;
  const int max_steiner_;
  PlanarFaces planar_;
  BoundaryFlips flips_;
  RecoveryResult result_;
  bool stopped_{false};
};

}  // namespace

RecoveryResult recover_boundary(TetComplex& complex, SurfaceConstraints& constraints,
                                const RecoveryLimits& limits) {
  return Recovery(complex, constraints, limits).run();
}

}  // namespace prehend::geometry
