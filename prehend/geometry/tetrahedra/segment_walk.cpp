#include <algorithm>

#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/tetrahedra/segment_walk.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// In the triangle's own plane, seen along a coordinate axis in which it is not a line.
bool meets_in_plane(const Vector3d& a, const Vector3d& b, const Vector3d (&t)[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto flat = [&](const Vector3d& v) { return Vector2d(v[(axis + 1) % 3], v[(axis + 2) % 3]); };
    const Vector2d p = flat(t[0]), q = flat(t[1]), r = flat(t[2]), u = flat(a), v = flat(b);
    const int turn = orient2d(p, q, r);
    if (turn == 0) continue;
    // Separating lines of a segment and a triangle: the triangle's sides and the segment itself. Touching
    // along a line means they share at most a vertex.
    const auto beyond = [&](const Vector2d& x, const Vector2d& y) {
      return turn * orient2d(x, y, u) <= 0 && turn * orient2d(x, y, v) <= 0;
    };
    if (beyond(p, q) || beyond(q, r) || beyond(r, p)) return false;
    const int sp = orient2d(u, v, p), sq = orient2d(u, v, q), sr = orient2d(u, v, r);
    return !((sp >= 0 && sq >= 0 && sr >= 0) || (sp <= 0 && sq <= 0 && sr <= 0));
  }
  return false;
}

}  // namespace

SegmentPath walk_segment(const TetComplex& complex, int a, int b) {
  const auto& points = complex.points;
  const Vector3d &pa = points[a], &pb = points[b];
  const auto side = [&](int x, int y) { return orient3d(pa, pb, points[x], points[y]); };
  SegmentPath path;
  const std::vector<int> star = complex.star(a);
  for (int cell : star) {
    if (complex.local_index(cell, b) >= 0) {
      path.end = SegmentPath::End::present;
      path.cell = cell;
      return path;
    }
  }
  int code = -1;
  for (int cell : star) {
    if (complex.is_ghost(cell)) continue;
    const int candidate = 4 * cell + complex.local_index(cell, a);
    const auto f = complex.face(candidate);
    int sign[3], zeros = 0;
    bool outside = false;
    for (int i = 0; i < 3 && !outside; ++i) {
      sign[i] = side(f[i], f[(i + 1) % 3]);
      outside = sign[i] > 0;
      zeros += sign[i] == 0;
    }
    if (outside) continue;
    path.cell = cell;
    if (zeros == 2) {
      for (int i = 0; i < 3; ++i) {
        if (sign[i] == 0 && sign[(i + 1) % 3] == 0) path.vertex = f[(i + 1) % 3];
      }
      path.end = SegmentPath::End::vertex;
      return path;
    }
    if (zeros == 1) {
      const int i = sign[0] == 0 ? 0 : sign[1] == 0 ? 1 : 2;
      path.edge = {f[i], f[(i + 1) % 3]};
      path.end = SegmentPath::End::edge;
      return path;
    }
    code = candidate;
    break;
  }
  if (code < 0) return path;
  while (path.faces.size() < complex.cells.size()) {
    path.faces.push_back(code);
    const auto f = complex.face(code);
    const int other = complex.across(code);
    const int cell = other / 4, apex = complex.apex(other);
    if (apex == kGhost) return path;
    if (apex == b) {
      path.end = SegmentPath::End::reached;
      return path;
    }
    int sign[3];
    for (int i = 0; i < 3; ++i) sign[i] = side(apex, f[i]);
    int exit = -1;
    for (int i = 0; i < 3; ++i) {
      if (sign[i] <= 0 && sign[(i + 1) % 3] >= 0) exit = i;
    }
    if (exit < 0) return path;
    const int x = f[exit], y = f[(exit + 1) % 3], z = f[(exit + 2) % 3];
    const int sx = sign[exit], sy = sign[(exit + 1) % 3];
    path.cell = cell;
    if (sx == 0 && sy == 0) {
      path.vertex = apex;
      path.end = SegmentPath::End::vertex;
      return path;
    }
    if (sx == 0 || sy == 0) {
      path.edge = {apex, sx == 0 ? x : y};
      path.end = SegmentPath::End::edge;
      return path;
    }
    code = 4 * cell + complex.local_index(cell, z);
  }
  return path;
}

bool segment_meets_triangle(const TetComplex& complex, int a, int b, const std::array<int, 3>& f) {
  const auto& points = complex.points;
  const Vector3d t[3] = {points[f[0]], points[f[1]], points[f[2]]};
  const bool has_a = std::find(f.begin(), f.end(), a) != f.end();
  const bool has_b = std::find(f.begin(), f.end(), b) != f.end();
  if (has_a && has_b) return false;
  const int sa = has_a ? 0 : orient3d(t[0], t[1], t[2], points[a]);
  const int sb = has_b ? 0 : orient3d(t[0], t[1], t[2], points[b]);
  if (sa == 0 && sb == 0) return meets_in_plane(points[a], points[b], t);
  if (sa * sb >= 0) return false;
  int positive = 0, negative = 0;
  for (int i = 0; i < 3; ++i) {
    const int s = orient3d(points[a], points[b], t[i], t[(i + 1) % 3]);
    positive += s > 0;
    negative += s < 0;
  }
  return positive == 0 || negative == 0;
}

bool edge_pierces_triangle(const TetComplex& complex, int u, int v, const std::array<int, 3>& f) {
  if (u == kGhost || v == kGhost) return false;
  for (int w : f) {
    if (w == u || w == v) return false;
  }
  const auto& points = complex.points;
  const Vector3d t[3] = {points[f[0]], points[f[1]], points[f[2]]};
  if (orient3d(t[0], t[1], t[2], points[u]) * orient3d(t[0], t[1], t[2], points[v]) >= 0) return false;
  int sum = 0;
  for (int i = 0; i < 3; ++i) sum += orient3d(points[u], points[v], t[i], t[(i + 1) % 3]);
  return sum == 3 || sum == -3;
}

}  // namespace prehend::geometry
