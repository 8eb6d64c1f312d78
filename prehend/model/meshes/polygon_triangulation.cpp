#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/model/meshes/polygon_triangulation.h>

namespace prehend::model {

bool PolygonTriangulator::project(std::span<const int> corners, std::span<const Eigen::Vector3d> points) {
  const int n = static_cast<int>(corners.size());
  const Eigen::Vector3d& origin = points[corners[0]];
  // Coordinates relative to a corner and to the size: a small face far from the origin keeps its digits, and
  // no product overflows.
  double size = 0;
  for (int c : corners) size = std::max(size, (points[c] - origin).lpNorm<Eigen::Infinity>());
  if (!(size > 0) || !std::isfinite(size)) return false;
  const auto relative = [&](int i) -> Eigen::Vector3d { return (points[corners[i]] - origin) / size; };
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  for (int i = 1; i + 1 < n; ++i) normal += relative(i).cross(relative(i + 1));
  if (!(normal.squaredNorm() > 0)) return false;
  const Eigen::Vector3d u = normal.unitOrthogonal();
  const Eigen::Vector3d v = normal.normalized().cross(u);
  flat_.resize(n);
  for (int i = 0; i < n; ++i) flat_[i] = {u.dot(relative(i)), v.dot(relative(i))};
  return true;
}

// Twice the signed area of corners a, b, c; values within rounding of zero are zero.
double PolygonTriangulator::turn(int a, int b, int c) const {
  const Eigen::Vector2d d = flat_[b] - flat_[a], e = flat_[c] - flat_[a];
  const double area = d.x() * e.y() - d.y() * e.x();
  // Coordinates are of order one with rounding of 1e-16 each; projected straight edges are straight to that.
  const double rounding = 8e-16 * (d.lpNorm<1>() + e.lpNorm<1>());
  return std::abs(area) <= rounding ? 0.0 : area;
}

bool PolygonTriangulator::is_strictly_convex() const {
  const int n = static_cast<int>(flat_.size());
  for (int i = 0; i < n; ++i) {
    if (turn(i, (i + 1) % n, (i + 2) % n) <= 0) return false;
    if (i >= 1 && i + 1 < n && turn(0, i, i + 1) <= 0) return false;
  }
  return true;
}

bool PolygonTriangulator::is_ear(int b) {
  const int a = previous_[b], c = next_[b];
  budget_ -= std::min<std::size_t>(budget_, 1);
  if (turn(a, b, c) <= 0) return false;
  budget_ -= std::min(budget_, blockers_.size());
  for (int p : blockers_) {
    if (p == a || p == b || p == c) continue;
    // Bridges to holes repeat a corner's place: a blocker at the same place as a or c does not block by
    // itself.
    if (flat_[p] == flat_[a] || flat_[p] == flat_[c]) continue;
    if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
  }
  return true;
}

void PolygonTriangulator::start_ring() {
  const int n = static_cast<int>(flat_.size());
  previous_.resize(n);
  next_.resize(n);
  blocker_slot_.assign(n, -1);
  blockers_.clear();
  for (int i = 0; i < n; ++i) {
    previous_[i] = (i + n - 1) % n;
    next_[i] = (i + 1) % n;
  }
  for (int i = 0; i < n; ++i) {
    if (turn(previous_[i], i, next_[i]) > 0) continue;
    blocker_slot_[i] = static_cast<int>(blockers_.size());
    blockers_.push_back(i);
  }
}

void PolygonTriangulator::unblock(int i) {
  if (blocker_slot_[i] < 0) return;
  blockers_[blocker_slot_[i]] = blockers_.back();
  blocker_slot_[blockers_.back()] = blocker_slot_[i];
  blockers_.pop_back();
  blocker_slot_[i] = -1;
}

void PolygonTriangulator::cut(int i, std::span<const int> corners, std::vector<Eigen::Vector3i>& triangles) {
  triangles.emplace_back(corners[previous_[i]], corners[i], corners[next_[i]]);
  next_[previous_[i]] = next_[i];
  previous_[next_[i]] = previous_[i];
  unblock(i);
  // Cutting an ear only opens its neighbours' inner angles towards convex.
  for (int k : {previous_[i], next_[i]}) {
    if (turn(previous_[k], k, next_[k]) > 0) unblock(k);
  }
}

int PolygonTriangulator::straight_corner(int at, int left) {
  int straight = -1;
  for (int k = 0, i = at; k < left && straight < 0; ++k, i = next_[i]) {
    if (turn(previous_[i], i, next_[i]) == 0) straight = i;
  }
  budget_ -= std::min<std::size_t>(budget_, left);
  return straight;
}

PolygonTriangulator::Status PolygonTriangulator::clip_ears(std::span<const int> corners,
                                                           std::vector<Eigen::Vector3i>& triangles) {
  const int n = static_cast<int>(corners.size());
  start_ring();
  int left = n;
  int at = 0;       // the corner looked at
  int refused = 0;  // corners looked at since the last cut
  while (left > 3) {
    if (budget_ == 0) {
      triangles.resize(triangles.size() - (n - left));
      return Status::too_complex;
    }
    if (is_ear(at)) {
      cut(at, corners, triangles);
      --left;
      refused = 0;
      // Going on past the next corner spreads the cuts and avoids slivers around one corner.
      at = next_[next_[at]];
      continue;
    }
    at = next_[at];
    if (++refused < left) continue;
    // No strict ear is left: straight corners go now, without area; otherwise the polygon crosses itself.
    const int straight = straight_corner(at, left);
    if (straight < 0) break;
    at = next_[straight];
    cut(straight, corners, triangles);
    --left;
    refused = 0;
  }
  const bool crossed = left > 3 || turn(previous_[at], at, next_[at]) < 0;
  const int apex = at;
  for (int i = next_[apex]; next_[i] != apex; i = next_[i]) {
    triangles.emplace_back(corners[apex], corners[i], corners[next_[i]]);
  }
  return crossed ? Status::not_simple : Status::ok;
}

PolygonTriangulator::Status PolygonTriangulator::triangulate(std::span<const int> corners,
                                                             std::span<const Eigen::Vector3d> points,
                                                             std::vector<Eigen::Vector3i>& triangles) {
  const int n = static_cast<int>(corners.size());
  const bool flat = n == 3 || project(corners, points);
  if (flat && n > 3 && !is_strictly_convex()) return clip_ears(corners, triangles);
  for (int i = 1; i + 1 < n; ++i) triangles.emplace_back(corners[0], corners[i], corners[i + 1]);
  return flat ? Status::ok : Status::not_simple;
}

}  // namespace prehend::model
