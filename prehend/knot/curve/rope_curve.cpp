#include <algorithm>

#include <prehend/knot/curve/edge_grid.h>
#include <prehend/knot/curve/respacing.h>
#include <prehend/knot/curve/rope_curve.h>
#include <prehend/math/house/plane_vectors.h>

namespace prehend::knot {
namespace {

using Eigen::Vector2d;

using math::cross;

// Also when they only touch.
bool meet(const Vector2d& a, const Vector2d& b, const Vector2d& c, const Vector2d& d) {
  const Vector2d low = a.cwiseMin(b), high = a.cwiseMax(b);
  if ((c.cwiseMax(d).array() < low.array()).any() || (c.cwiseMin(d).array() > high.array()).any())
    return false;
  const double c_side = cross(b - a, c - a), d_side = cross(b - a, d - a);
  const double a_side = cross(d - c, a - c), b_side = cross(d - c, b - c);
  return !((c_side > 0 && d_side > 0) || (c_side < 0 && d_side < 0) || (a_side > 0 && b_side > 0) ||
           (a_side < 0 && b_side < 0));
}

}  // namespace

Vector2d CubicPiece::at(double t) const {
  const double s = 1 - t;
  return s * s * s * from + 3 * s * s * t * first_handle + 3 * s * t * t * second_handle + t * t * t * to;
}

RopePolyline polyline_of(const PlaneRope& rope) {
  RopePolyline line;
  const auto at = [&rope](int p) { return rope.points[static_cast<std::size_t>(p)]; };
  const int passages = static_cast<int>(rope.segments.size()) - 1;
  for (int s = 1; s <= passages + 1; ++s) {
    const std::vector<int>& segment = rope.segments[static_cast<std::size_t>(s) - 1];
    const std::size_t first = s == 1 ? 0 : 1, last = s == passages + 1 ? segment.size() : segment.size() - 1;
    for (std::size_t k = first; k < last; ++k) line.points.push_back(at(segment[k]));
    if (s == passages + 1) break;
    const Vector2d c = at(segment.back());
    const auto [before, after] = strand_through(rope, s);
    const Vector2d direction = (at(after) - at(before)).normalized();
    const double reach = 0.2 * std::min((at(after) - c).norm(), (at(before) - c).norm());
    line.passage_edges.push_back(static_cast<int>(line.points.size()));
    line.points.push_back(c - reach * direction);
    line.points.push_back(c + reach * direction);
  }
  return line;
}

RopeCurve curve_through(const RopePolyline& line, double roundness) {
  const std::vector<Vector2d>& p = line.points;
  std::vector<Vector2d> tangent(p.size());
  tangent.front() = (p[1] - p[0]).normalized();
  tangent.back() = (p[p.size() - 1] - p[p.size() - 2]).normalized();
  for (std::size_t k = 1; k + 1 < p.size(); ++k) {
    const Vector2d before = p[k] - p[k - 1], after = p[k + 1] - p[k];
    // The nearer neighbour weighs more, as for a circle through the three.
    const double lb = before.norm(), la = after.norm();
    tangent[k] = (before / lb * la + after / la * lb).normalized();
  }
  for (const int e : line.passage_edges) {
    const auto k = static_cast<std::size_t>(e);
    tangent[k] = tangent[k + 1] = (p[k + 1] - p[k]).normalized();
  }
  RopeCurve curve;
  curve.passage_pieces = line.passage_edges;
  for (std::size_t k = 0; k + 1 < p.size(); ++k) {
    const double handle = roundness * (p[k + 1] - p[k]).norm() / 3;
    curve.pieces.push_back({p[k], p[k] + handle * tangent[k], p[k + 1] - handle * tangent[k + 1], p[k + 1]});
  }
  return curve;
}

RopePolyline flattened(const RopeCurve& curve, int parts) {
  RopePolyline line;
  line.points.push_back(curve.pieces.front().from);
  std::size_t passage = 0;
  for (std::size_t k = 0; k < curve.pieces.size(); ++k) {
    const bool crossing =
        passage < curve.passage_pieces.size() && curve.passage_pieces[passage] == static_cast<int>(k);
    if (crossing) {
      ++passage;
      line.passage_edges.push_back(static_cast<int>(line.points.size()) - 1);
    }
    for (int j = 1; j < parts && !crossing; ++j) line.points.push_back(curve.pieces[k].at(double(j) / parts));
    line.points.push_back(curve.pieces[k].to);
  }
  return line;
}

bool shows(const RopePolyline& line, const PData& data) {
  const std::vector<Vector2d>& p = line.points;
  std::vector<std::pair<int, int>> edges;
  double mean = 0;
  for (std::size_t k = 1; k < p.size(); ++k) {
    edges.emplace_back(static_cast<int>(k) - 1, static_cast<int>(k));
    mean += (p[k] - p[k - 1]).norm() / static_cast<double>(p.size());
  }
  std::vector<int> partner(edges.size(), -1);
  for (int i = 1; i <= data.passages(); ++i) {
    const auto own = static_cast<std::size_t>(line.passage_edges[static_cast<std::size_t>(i) - 1]);
    const auto other =
        static_cast<std::size_t>(line.passage_edges[static_cast<std::size_t>(data.other(i)) - 1]);
    partner[own] = static_cast<int>(other);
    if (!meet(p[own], p[own + 1], p[other], p[other + 1])) return false;
    const double turn = cross(p[own + 1] - p[own], p[other + 1] - p[other]) * (data.is_over(i) ? 1 : -1);
    if (!(turn * data.sign(i) > 0)) return false;
  }
  const EdgeGrid grid(p, edges, 2 * mean);
  bool plain = true;
  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    const Vector2d &a = p[static_cast<std::size_t>(e)], &b = p[static_cast<std::size_t>(e) + 1];
    // Edges are filed with a margin, so the cell of the edge's middle may do for short ones; the box always does.
    grid.for_each_in_box(a.cwiseMin(b), a.cwiseMax(b), [&](int f) {
      if (f <= e + 1 || partner[static_cast<std::size_t>(e)] == f) return;
      if (meet(a, b, p[static_cast<std::size_t>(f)], p[static_cast<std::size_t>(f) + 1])) plain = false;
    });
    if (!plain) return false;
  }
  return true;
}

}  // namespace prehend::knot
