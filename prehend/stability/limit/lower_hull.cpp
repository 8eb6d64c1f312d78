#include <algorithm>
#include <cmath>
#include <tuple>

#include <prehend/math/house/plane_vectors.h>
#include <prehend/stability/limit/lower_hull.h>

namespace prehend::stability {
namespace {

using Eigen::Vector2d;

using math::cross;

}  // namespace

LowerHull::LowerHull(const Vector2d& low, const Vector2d& high, const double (&heights)[4]) {
  const Vector2d corners[4] = {low, {high.x(), low.y()}, high, {low.x(), high.y()}};
  for (int i = 0; i < 4; ++i) nodes_.push_back({corners[i], heights[i]});
  // The diagonal that lies lower.
  if (heights[0] + heights[2] <= heights[1] + heights[3]) {
    triangles_.push_back({{0, 1, 2}, {-1, 1, -1}, {}});
    triangles_.push_back({{0, 2, 3}, {-1, -1, 0}, {}});
  } else {
    triangles_.push_back({{1, 2, 3}, {-1, 1, -1}, {}});
    triangles_.push_back({{1, 3, 0}, {-1, -1, 0}, {}});
  }
}

double LowerHull::area(int a, int b, int c) const {
  const Vector2d& origin = nodes_[static_cast<std::size_t>(a)].at;
  return cross(nodes_[static_cast<std::size_t>(b)].at - origin,
               nodes_[static_cast<std::size_t>(c)].at - origin);
}

void LowerHull::add_item(int item, Items& items) {
  const Vector2d& at = items.at[static_cast<std::size_t>(item)];
  const Triangle& first = triangles_[0];
  const Vector2d origin = nodes_[static_cast<std::size_t>(first.corners[0])].at;
  const Vector2d diagonal = nodes_[static_cast<std::size_t>(first.corners[2])].at - origin;
  const int triangle = cross(diagonal, at - origin) <= 0.0 ? 0 : 1;
  triangles_[static_cast<std::size_t>(triangle)].items.push_back(item);
  items.triangle[static_cast<std::size_t>(item)] = triangle;
}

LowerHull::Plane LowerHull::plane(int triangle) const {
  const Triangle& t = triangles_[static_cast<std::size_t>(triangle)];
  const Node &a = nodes_[static_cast<std::size_t>(t.corners[0])],
             &b = nodes_[static_cast<std::size_t>(t.corners[1])],
             &c = nodes_[static_cast<std::size_t>(t.corners[2])];
  const Vector2d ab = b.at - a.at, ac = c.at - a.at;
  const double rise_b = b.height - a.height, rise_c = c.height - a.height, inverse = 1.0 / cross(ab, ac);
  const Vector2d slope(inverse * (rise_b * ac.y() - rise_c * ab.y()),
                       inverse * (rise_c * ab.x() - rise_b * ac.x()));
  return {a.height - slope.dot(a.at), slope};
}

void LowerHull::give(int triangle, int item, Items& items) {
  triangles_[static_cast<std::size_t>(triangle)].items.push_back(item);
  items.triangle[static_cast<std::size_t>(item)] = triangle;
}

// The neighbour's pointer to `old` becomes one to `other`.
void LowerHull::link(int triangle, int side, int other, int old) {
  triangles_[static_cast<std::size_t>(triangle)].neighbours[side] = other;
  if (other < 0) return;
  for (int& neighbour : triangles_[static_cast<std::size_t>(other)].neighbours) {
    if (neighbour == old) neighbour = triangle;
  }
}

int LowerHull::insert(int triangle, const Vector2d& at, double value, Items& items) {
  if (value > height(triangle, at)) return -1;
  const Triangle old = triangles_[static_cast<std::size_t>(triangle)];
  const double size = std::abs(area(old.corners[0], old.corners[1], old.corners[2]));
  const int node = static_cast<int>(nodes_.size());
  nodes_.push_back({at, value});
  for (int i = 0; i < 3; ++i) {
    if (area(node, old.corners[i], old.corners[(i + 1) % 3]) <
        1e-9 * size) {  // on a side: slivers would follow
      nodes_.pop_back();
      return -1;
    }
  }
  const int second = static_cast<int>(triangles_.size()), third = second + 1;
  const auto [a, b, c] = std::tuple(old.corners[0], old.corners[1], old.corners[2]);
  triangles_[static_cast<std::size_t>(triangle)] = {{node, b, c}, {-1, second, third}, {}};
  triangles_.push_back({{node, c, a}, {-1, third, triangle}, {}});
  triangles_.push_back({{node, a, b}, {-1, triangle, second}, {}});
  link(triangle, 0, old.neighbours[0], triangle);
  link(second, 0, old.neighbours[1], triangle);
  link(third, 0, old.neighbours[2], triangle);
  // By the sector, seen from the new node, between its spokes to the old corners.
  const Vector2d to_a = nodes_[static_cast<std::size_t>(a)].at - at,
                 to_b = nodes_[static_cast<std::size_t>(b)].at - at,
                 to_c = nodes_[static_cast<std::size_t>(c)].at - at;
  for (const int item : old.items) {
    const Vector2d x = items.at[static_cast<std::size_t>(item)] - at;
    const bool past_a = cross(to_a, x) >= 0.0, past_b = cross(to_b, x) >= 0.0, past_c = cross(to_c, x) >= 0.0;
    give(past_b && !past_c ? triangle : past_c && !past_a ? second : third, item, items);
  }
  for (const int fresh : {triangle, second, third}) legalise(fresh, items);
  return node;
}

// The new node is corner 0; the side opposite is flipped while the surface over it is not convex.
void LowerHull::legalise(int triangle, Items& items) {
  const Triangle& t = triangles_[static_cast<std::size_t>(triangle)];
  const int across = t.neighbours[0];
  if (across < 0) return;
  const Triangle& u = triangles_[static_cast<std::size_t>(across)];
  int tip = 0;
  while (u.neighbours[tip] != triangle) ++tip;
  const int n = t.corners[0], b = t.corners[1], c = t.corners[2], d = u.corners[tip];
  const Node& far = nodes_[static_cast<std::size_t>(d)];
  const double plane = height(triangle, far.at);
  if (!(plane - far.height > 1e-12 * std::abs(plane))) return;
  const double quad = area(n, b, c) + area(d, c, b);
  if (area(n, b, d) < 1e-9 * quad || area(n, d, c) < 1e-9 * quad) return;  // not a convex quadrilateral
  // (n, b, c) and (d, c, b) become (n, b, d) and (n, d, c). u runs d, c, b.
  const int beyond_c = u.neighbours[(tip + 2) % 3];  // across d-c
  const int beyond_b = u.neighbours[(tip + 1) % 3];  // across b-d
  const int beside_b = t.neighbours[2], beside_c = t.neighbours[1];
  std::vector<int> moved = t.items;
  moved.insert(moved.end(), u.items.begin(), u.items.end());
  triangles_[static_cast<std::size_t>(triangle)] = {{n, b, d}, {-1, across, beside_b}, {}};
  triangles_[static_cast<std::size_t>(across)] = {{n, d, c}, {-1, beside_c, triangle}, {}};
  link(triangle, 0, beyond_b, across);
  link(across, 0, beyond_c, across);
  link(across, 1, beside_c, triangle);
  const Vector2d origin = nodes_[static_cast<std::size_t>(n)].at,
                 spoke = nodes_[static_cast<std::size_t>(d)].at - origin;
  for (const int item : moved) {
    const bool past = cross(spoke, items.at[static_cast<std::size_t>(item)] - origin) >= 0.0;
    give(past ? across : triangle, item, items);
  }
  legalise(triangle, items);
  legalise(across, items);
}

}  // namespace prehend::stability
