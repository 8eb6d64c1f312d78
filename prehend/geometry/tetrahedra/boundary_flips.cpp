#include <algorithm>
#include <set>

#include <Eigen/Geometry>

#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/tetrahedra/boundary_flips.h>

namespace prehend::geometry {
namespace {

// Each round removes at least one obstruction; a segment with more than this many is better split.
constexpr int kMostRounds = 200;

}  // namespace

bool BoundaryFlips::is_kept(int u, int v) const {
  return constraints_.has_edge(u, v) && (keep_planar_edges || planar_.is_feature({u, v}));
}

bool BoundaryFlips::may_remove(int u, int v, const EdgeRing& ring) const {
  for (int p : ring.link) {
    if (p == kGhost || (keep_faces && constraints_.has_face(u, v, p))) return false;
  }
  return true;
}

bool BoundaryFlips::clear_edge_of_segment(int u, int v, int a, int b) {
  if (is_kept(u, v)) return false;
  const int cell = complex_.find_edge(u, v);
  if (cell < 0) return false;
  const EdgeRing ring = complex_.ring(u, v, cell);
  if (!may_remove(u, v, ring)) return false;
  const auto meets = [&](int x, int y, int z) {
    return segment_meets_triangle(complex_, a, b, {x, y, z}) ? 1.0 : 0.0;
  };
  RingObjective objective;
  for (int p : ring.link) objective.below += meets(u, v, p);
  if (objective.below == 0.0) return false;
  objective.triangle = [&](int p, int q, int r) { return meets(p, q, r); };
  objective.diagonal = [&](int p, int q) { return meets(p, q, u) + meets(p, q, v); };
  return complex_.remove_edge(u, v, ring, objective);
}

bool BoundaryFlips::clear_face_of_segment(int face_code, int a, int b) {
  const auto f = complex_.face(face_code);
  const int above = complex_.apex(face_code), below = complex_.apex(complex_.across(face_code));
  if (above == kGhost || below == kGhost) return false;
  for (int x : f) {
    if (segment_meets_triangle(complex_, a, b, {above, below, x})) return false;
  }
  return complex_.flip_face(face_code);
}

bool BoundaryFlips::unblock_segment(const SegmentPath& path, int a, int b) {
  for (int code : path.faces) {
    if (clear_face_of_segment(code, a, b)) return true;
  }
  if (path.end == SegmentPath::End::edge && clear_edge_of_segment(path.edge[0], path.edge[1], a, b))
    return true;
  std::set<std::array<int, 2>> tried;
  for (int code : path.faces) {
    const auto f = complex_.face(code);
    for (int i = 0; i < 3; ++i) {
      const int u = std::min(f[i], f[(i + 1) % 3]), v = std::max(f[i], f[(i + 1) % 3]);
      if (tried.insert({u, v}).second && clear_edge_of_segment(u, v, a, b)) return true;
    }
  }
  return false;
}

FlipReport BoundaryFlips::recover_edge(int a, int b) {
  FlipReport report;
  for (int round = 0; round < kMostRounds; ++round) {
    report.path = walk_segment(complex_, a, b);
    const SegmentPath& path = report.path;
    if (path.end == SegmentPath::End::present) {
      report.outcome = FlipOutcome::present;
      return report;
    }
    for (int code : path.faces) {
      const auto f = complex_.face(code);
      if (!constraints_.has_face(f[0], f[1], f[2])) continue;
      report.outcome = FlipOutcome::crossing;
      for (int facet : constraints_.facets_at(f[0], f[1])) {
        if (constraints_.apex(facet, f[0], f[1]) == f[2]) report.facet = facet;
      }
      return report;
    }
    if (path.end == SegmentPath::End::vertex) {
      report.outcome = FlipOutcome::vertex;
      report.vertex = path.vertex;
      return report;
    }
    if (path.end == SegmentPath::End::edge && is_kept(path.edge[0], path.edge[1])) {
      report.outcome = FlipOutcome::crossing;
      report.facet = constraints_.facets_at(path.edge[0], path.edge[1]).front();
      return report;
    }
    if (!unblock_segment(path, a, b)) break;
    ++report.flips;
  }
  report.path = walk_segment(complex_, a, b);
  if (report.path.end == SegmentPath::End::present) report.outcome = FlipOutcome::present;
  return report;
}

// All edges that pierce the triangle, from the cells around its first edge outwards. False when it is
// present.
bool BoundaryFlips::find_piercing(const std::array<int, 3>& t, int cell, FlipReport& report) const {
  const EdgeRing ring = complex_.ring(t[0], t[1], cell);
  std::vector<int> queue;
  std::set<int> seen;
  for (int c : ring.cells) {
    if (complex_.local_index(c, t[2]) >= 0) return false;
    queue.push_back(c);
    seen.insert(c);
  }
  std::set<std::array<int, 2>> found;
  const auto& p = complex_.points;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    const auto v = complex_.cells[queue[k]].vertex;
    for (int i = 0; i < 4; ++i) {
      if (v[i] == kGhost) continue;
      for (int j = i + 1; j < 4; ++j) {
        if (v[j] == kGhost) continue;
        const std::array<int, 2> edge{std::min(v[i], v[j]), std::max(v[i], v[j])};
        if (found.contains(edge) || !edge_pierces_triangle(complex_, v[i], v[j], t)) continue;
        found.insert(edge);
        for (int next : complex_.ring(v[i], v[j], queue[k]).cells) {
          if (seen.insert(next).second) queue.push_back(next);
        }
      }
    }
  }
  report.piercing.assign(found.begin(), found.end());
  if (!found.empty()) return true;
  // Nothing pierces it, and yet it is not there: a vertex lies on it, seen from its first edge.
  for (int w : ring.link) {
    if (w == kGhost || orient3d(p[t[0]], p[t[1]], p[t[2]], p[w]) != 0) continue;
    bool inside = true;
    for (int i = 0; i < 3 && inside; ++i) {
      // w and the third vertex on the same side of the edge, judged by a point off the plane.
      const int u = t[i], v = t[(i + 1) % 3], far = t[(i + 2) % 3];
      const Eigen::Vector3d normal = (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]);
      const Eigen::Vector3d off = p[u] + normal;
      inside = orient3d(p[u], p[v], off, p[w]) * orient3d(p[u], p[v], off, p[far]) > 0;
    }
    if (inside) report.vertex = w;
  }
  return true;
}

FlipReport BoundaryFlips::recover_triangle(const std::array<int, 3>& t) {
  FlipReport report;
  for (int round = 0; round < kMostRounds; ++round) {
    const int cell = complex_.find_edge(t[0], t[1]);
    if (cell < 0) return report;
    report.piercing.clear();
    if (!find_piercing(t, cell, report)) {
      report.outcome = FlipOutcome::present;
      return report;
    }
    if (report.piercing.empty()) {
      report.outcome = report.vertex >= 0 ? FlipOutcome::vertex : FlipOutcome::stuck;
      return report;
    }
    bool changed = false;
    for (const auto& [u, v] : report.piercing) {
      if (constraints_.has_edge(u, v)) {
        report.outcome = FlipOutcome::crossing;
        report.facet = constraints_.facets_at(u, v).front();
        return report;
      }
      const EdgeRing ring = complex_.ring(u, v, complex_.find_edge(u, v));
      if (!may_remove(u, v, ring)) continue;
      RingObjective objective;
      objective.diagonal = [&](int p, int q) { return edge_pierces_triangle(complex_, p, q, t) ? 1.0 : 0.0; };
      objective.below = 1.0;
      if (complex_.remove_edge(u, v, ring, objective)) {
        changed = true;
        ++report.flips;
        break;
      }
    }
    if (!changed) return report;
  }
  return report;
}

}  // namespace prehend::geometry
