#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include <Eigen/Dense>

#include <prehend/geometry/delaunay_tetrahedra.h>
#include <prehend/geometry/house/cloud_slits.h>
#include <prehend/geometry/house/cloud_solid.h>
#include <prehend/geometry/mesh.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/interrupt.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;
constexpr double kNever = std::numeric_limits<double>::infinity();
// The face opposite each vertex, outward for a positively oriented tetrahedron.
constexpr int kFace[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

// Radii of the ball that are tried: from 0.9 spacings in steps of 15 %.
constexpr int kSteps = 14,
              kUsual = 7;  // 2.4 spacings: no ball of that size leaks into a cloud of random points
// Per tetrahedron the first step that leaves it inside; kSteps: none does; kSliver: it lies between points of a plane face.
using Steps = std::vector<signed char>;
constexpr signed char kSliver = kSteps + 1;
double reach_of(int step, double spacing) { return spacing * 0.9 * std::pow(1.15, step); }

double circumradius(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const Vector3d u = b - a, v = c - a, w = d - a;
  const double determinant = u.dot(v.cross(w));
  if (determinant == 0.0) return kNever;
  return (u.squaredNorm() * v.cross(w) + v.squaredNorm() * w.cross(u) + w.squaredNorm() * u.cross(v)).norm() /
         (2.0 * std::abs(determinant));
}

// What noise lets a ball into: the two sides of a layer of noisy points pass for the two walls of a vessel, and where few points lie is its opening.
// Of what a ball empties that way much is wider than the opening: tetrahedra with a circumsphere this many times as large as the ball that got there.
// A gap between two arms is about as wide all along. A ball that empties more of that than this share of the solid is too small.
constexpr double kWider = 1.3, kHollow = 0.1;

// Of a facet the least of its corners': a stray point does not count.
double sparseness_at(const std::vector<double>& sparseness, int i, int j, int k) {
  const double a = sparseness[i], b = sparseness[j], c = sparseness[k];
  return std::min({a, b, c});
}

class Carving {
 public:
  Carving(std::span<const Vector3d> points, const DelaunayTetrahedra& delaunay, double spacing,
          const std::vector<double>& sparseness)
      : points_(points), delaunay_(delaunay), sparseness_(sparseness), radius_(delaunay.tetrahedra.size()) {
    for (int i = 0; i < kSteps; ++i) reach_[i] = reach_of(i, spacing);
    for (std::size_t t = 0; t < radius_.size(); ++t) {
      const auto& v = delaunay.tetrahedra[t];
      radius_[t] = circumradius(at(v[0]), at(v[1]), at(v[2]), at(v[3]));
    }
  }

  // The widest balls first: a tetrahedron is inside from the step on whose ball does not reach it any more. Slivers are outside.
  void carve(Steps& steps) const {
    std::array<std::vector<int>, kSteps + 1> queue;  // by step
    std::vector<char> is_done(steps.size(), 0);
    const auto visit = [&](int t, int step) {
      is_done[t] = 1;
      for (int k = 0; k < 4; ++k) {
        const int next = delaunay_.neighbours[t][k];
        if (next >= 0 && !is_done[next] && steps[next] != kSliver)
          queue[gate_step(t, k, step)].push_back(next);
      }
    };
    for (int t = 0; t < std::ssize(steps); ++t) {
      if (steps[t] == kSliver) {
        visit(t, kSteps);
        continue;
      }
      for (int k = 0; k < 4; ++k)
        if (delaunay_.neighbours[t][k] < 0) queue[gate_step(t, k, kSteps)].push_back(t);
    }
    for (int step = kSteps; step >= 0; --step) {
      math::check_interrupt();
      while (!queue[step].empty()) {
        const int t = queue[step].back();
        queue[step].pop_back();
        if (is_done[t]) continue;
        steps[t] = static_cast<signed char>(step);
        visit(t, step);
      }
    }
  }

  // Per step, relative to the solid of the widest ball: what the ball empties, a wider one does not, and is wider than where it came in.
  std::array<double, kSteps> hollows(const Steps& steps, const std::vector<double>& volumes,
                                     double spacing) const {
    std::array<double, kSteps> result{};
    double all = 0.0;
    for (std::size_t t = 0; t < steps.size(); ++t) {
      if (steps[t] >= kSteps) continue;
      all += volumes[t];
      if (steps[t] == 0 || radius_[t] < kWider * reach_of(steps[t] - 1, spacing)) continue;
      for (int i = 0; i < steps[t]; ++i) result[i] += volumes[t];
    }
    for (double& share : result) share /= std::max(all, 1e-300);
    return result;
  }

 private:
  const Vector3d& at(int i) const { return points_[i]; }

  // Of the balls that pass the facet, and got here by one of `most`: the first step whose ball does not.
  int gate_step(int t, int k, int most) const {
    if (most == 0) return 0;
    const auto& v = delaunay_.tetrahedra[t];
    const double ball =
        gate(t, k) / sparseness_at(sparseness_, v[kFace[k][0]], v[kFace[k][1]], v[kFace[k][2]]);
    return static_cast<int>(std::lower_bound(reach_.begin(), reach_.begin() + most, ball) - reach_.begin());
  }

  // Radius of the smallest ball through the corners of facet k of t that holds no other point.
  double gate(int t, int k) const {
    const auto& v = delaunay_.tetrahedra[t];
    const int next = delaunay_.neighbours[t][k];
    const Vector3d& a = at(v[kFace[k][0]]);
    const Vector3d b = at(v[kFace[k][1]]) - a, c = at(v[kFace[k][2]]) - a, n = b.cross(c);
    const double among = std::min(radius_[t], next >= 0 ? radius_[next] : kNever);
    if (among <= reach_[0]) return among;  // the smallest step, and the smallest ball is no larger
    if (!(n.squaredNorm() > 0.0)) return among;
    const Vector3d centre =
        (c.squaredNorm() * n.cross(b) + b.squaredNorm() * c.cross(n)) / (2.0 * n.squaredNorm());
    const double own = centre.norm();
    const auto is_outside = [&](int tetrahedron) {
      for (int i = 0; i < 4; ++i) {
        const int p = delaunay_.tetrahedra[tetrahedron][i];
        if (p == v[kFace[k][0]] || p == v[kFace[k][1]] || p == v[kFace[k][2]]) continue;
        return (at(p) - a - centre).norm() >= own * (1.0 - 1e-9);
      }
      return true;
    };
    return is_outside(t) && (next < 0 || is_outside(next)) ? own : among;
  }

  std::span<const Vector3d> points_;
  const DelaunayTetrahedra& delaunay_;
  const std::vector<double>& sparseness_;
  std::array<double, kSteps> reach_;  // [m]
  std::vector<double> radius_;        // [m]
};

// How far apart the points are.
struct Spacing {
  double median{0.0};  // [m] of the distance to the sixth neighbour among those that share a Delaunay edge
  std::vector<double> sparseness;  // CloudSolid::sparseness
};

// Distances relative to their median. Of points spread evenly by chance one in a thousand lies beyond the first, and its neighbours do not: up to
// there points count as evenly spread, and from the second on by their own distance.
constexpr double kEvenSpacing = 1.7, kSparseSpacing = 2.4;

double sparseness_of(double distance) {
  if (distance > kSparseSpacing) return distance;
  return 1.0 +
         (kSparseSpacing - 1.0) * std::max(0.0, distance - kEvenSpacing) / (kSparseSpacing - kEvenSpacing);
}

Spacing spacing_of(std::span<const Vector3d> points, const DelaunayTetrahedra& delaunay, const Steps& steps) {
  constexpr int kRank = 6;
  struct Nearest {
    std::array<std::pair<double, int>, kRank> list;  // squared distance and point, ascending
    int count{0};
  };
  std::vector<Nearest> nearest(points.size());
  const auto add = [&](int i, int j, double square) {
    Nearest& near = nearest[i];
    if (near.count == kRank && square >= near.list[kRank - 1].first) return;
    for (int k = 0; k < near.count; ++k)
      if (near.list[k].second == j) return;  // an edge has several tetrahedra
    int k = near.count < kRank ? near.count++ : kRank - 1;
    for (; k > 0 && near.list[k - 1].first > square; --k) near.list[k] = near.list[k - 1];
    near.list[k] = {square, j};
  };
  for (std::size_t t = 0; t < steps.size(); ++t) {
    if (steps[t] == kSliver) continue;
    const auto& v = delaunay.tetrahedra[t];
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) {
        const double square = (points[v[i]] - points[v[j]]).squaredNorm();
        add(v[i], v[j], square);
        add(v[j], v[i], square);
      }
  }
  const auto farthest = [&nearest](int i) {
    const Nearest& near = nearest[i];
    return near.count > 0 ? near.list[near.count - 1].first : 0.0;
  };
  Spacing result;
  result.sparseness.assign(points.size(), 1.0);
  std::vector<double> sixth;
  for (int i = 0; i < std::ssize(points); ++i)
    if (nearest[i].count > 0) sixth.push_back(farthest(i));
  if (sixth.empty()) return result;
  std::nth_element(sixth.begin(), sixth.begin() + sixth.size() / 2, sixth.end());
  result.median = std::sqrt(sixth[sixth.size() / 2]);
  for (int i = 0; i < std::ssize(points); ++i) {
    std::array<double, kRank> around;  // a stray point has neighbours that are not sparse
    const int count = nearest[i].count;
    for (int k = 0; k < count; ++k) around[k] = farthest(nearest[i].list[k].second);
    if (count == 0) continue;
    std::nth_element(around.begin(), around.begin() + 3 * count / 4, around.begin() + count);
    result.sparseness[i] =
        sparseness_of(std::sqrt(std::min(farthest(i), around[3 * count / 4])) / result.median);
  }
  return result;
}

// Facets between inside and outside.
template <class Inside, class Visit>
void for_each_surface_facet(const DelaunayTetrahedra& delaunay, const Inside& is_inside, const Visit& visit) {
  for (std::size_t t = 0; t < delaunay.tetrahedra.size(); ++t) {
    if (!is_inside(static_cast<int>(t))) continue;
    const auto& v = delaunay.tetrahedra[t];
    for (int k = 0; k < 4; ++k) {
      const int next = delaunay.neighbours[t][k];
      if (next < 0 || !is_inside(next))
        visit(Eigen::Vector3i(v[kFace[k][0]], v[kFace[k][1]], v[kFace[k][2]]));
    }
  }
}

// How a point meets the surface, for one radius after the other: what begins and what ends with it.
struct PointChanges {
  std::array<Vector3d, kSteps> sum;
  std::array<double, kSteps> area;
  std::array<int, kSteps> facets;
  int first_inside;  // step from which on a tetrahedron at the point is inside
};

struct Covering {
  double folded{0.0};     // share of points whose facets face both ways, or that have none and lie outside
  double swallowed{0.0};  // share of points inside
};

// A facet is on the surface from the step at which one of its tetrahedra is inside until the other is too.
std::array<Covering, kSteps> coverings(std::span<const Vector3d> points, const DelaunayTetrahedra& delaunay,
                                       const Steps& step) {
  PointChanges none;
  none.sum.fill(Vector3d::Zero());
  none.area.fill(0.0);
  none.facets.fill(0);
  none.first_inside = kSteps;
  std::vector<PointChanges> changes(points.size(), none);
  for (std::size_t t = 0; t < step.size(); ++t) {
    if (step[t] >= kSteps) continue;
    const auto& v = delaunay.tetrahedra[t];
    for (const int i : v) changes[i].first_inside = std::min<int>(changes[i].first_inside, step[t]);
    for (int k = 0; k < 4; ++k) {
      const int next = delaunay.neighbours[t][k], end = next < 0 ? kSteps : std::min<int>(kSteps, step[next]);
      if (end <= step[t]) continue;
      const int a = v[kFace[k][0]], b = v[kFace[k][1]], c = v[kFace[k][2]];
      const Vector3d n = (points[b] - points[a]).cross(points[c] - points[a]);
      const double area = n.norm();
      for (const int i : {a, b, c}) {
        PointChanges& at = changes[i];
        at.sum[step[t]] += n, at.area[step[t]] += area, ++at.facets[step[t]];
        if (end < kSteps) at.sum[end] -= n, at.area[end] -= area, --at.facets[end];
      }
    }
  }
  std::array<Covering, kSteps> result;
  const double share = 1.0 / static_cast<double>(points.size());
  for (const PointChanges& at : changes) {
    Vector3d sum = Vector3d::Zero();
    double area = 0.0;
    int facets = 0;
    for (int i = 0; i < kSteps; ++i) {
      sum += at.sum[i], area += at.area[i], facets += at.facets[i];
      const bool is_used = at.first_inside <= i;
      if (is_used && facets == 0) {
        result[i].swallowed += share;
      } else if (!is_used || sum.norm() < 0.5 * area) {
        result[i].folded += share;
      }
    }
  }
  return result;
}

// Share of points off the surface, with the best ball, beyond which it is noisy. On 52 generated tools (seeds 501 to 504): up to 0.11 without noise,
// 0.22 in the median with noise of 0.2 % of the diagonal, 0.39 with 0.6 %.
constexpr double kNoisy = 0.2;

struct ChosenBall {
  int last{kSteps};  // the last step that is inside with it; kSteps: the hull stands for the solid
  bool is_noisy{false};
  bool is_widened{false};  // so that it leaves no hollow behind narrow openings
};

// Every point was seen on the surface once. A ball too small leaks in between the points, and what it empties is folded: its facets
// face both ways. One too large swallows points in slits. The radius where both are least; a leak counts three times, since it
// empties a whole part, and six times where noise swallows points at any radius: a leak would bring many of them out (with 4, six of 104
// generated tools lost a fifth to half of their volume to noise of 0.3 and 0.6 % of the diagonal, seeds 521 to 528; with 6 none).
ChosenBall choose_ball(const std::array<Covering, kSteps>& tried, const std::array<double, kSteps>& hollow,
                       bool has_walls) {
  const auto best_with = [&tried](double leak) {
    const auto cost = [&](int i) { return leak * tried[i].folded + tried[i].swallowed; };
    int best = 0;
    for (int i = 1; i < kSteps; ++i)
      if (cost(i) < cost(best) - 1e-12) best = i;
    return best;
  };
  ChosenBall ball{best_with(3.0), false};
  ball.is_noisy = !has_walls && tried[ball.last].folded + tried[ball.last].swallowed > kNoisy;
  if (ball.is_noisy) {
    ball.last = best_with(6.0);
    for (; ball.last + 1 < kSteps && hollow[ball.last] > kHollow; ++ball.last) ball.is_widened = true;
  }
  // No ball leaves a solid: a smooth surface seen from one side, or a handful of points. Their hull, then.
  if (tried[ball.last].folded > 0.5) ball.last = kSteps;
  return ball;
}

void add_surface(std::span<const Vector3d> points, const DelaunayTetrahedra& delaunay, const Steps& steps,
                 int last, CloudSolid& solid) {
  solid.normals.assign(points.size(), Vector3d::Zero());
  std::vector<double> around(points.size(), 0.0);  // area of a point's facets
  double area = 0.0, bridged = 0.0;
  for_each_surface_facet(
      delaunay, [&](int t) { return steps[t] <= last; },
      [&](const Eigen::Vector3i& facet) {
        solid.surface.push_back(facet);
        const Vector3d a = points[facet[1]] - points[facet[0]], b = points[facet[2]] - points[facet[0]],
                       n = a.cross(b);
        const double twice = n.norm();
        for (const int i : facet) solid.normals[i] += n, around[i] += twice;
        area += twice;
        const double usual = solid.spacing * std::min({solid.sparseness[facet[0]], solid.sparseness[facet[1]],
                                                       solid.sparseness[facet[2]]});
        if (a.norm() * b.norm() * (a - b).norm() > 2.0 * twice * 1.3 * usual) bridged += twice;
      });
  if (area > 0.0) solid.bridged = bridged / area, solid.thickness = 4.0 * solid.volume / area;
  int off = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double length = solid.normals[i].norm();
    off += !(length > 0.0) || length < 0.5 * around[i];
    if (length > 0.0) solid.normals[i].normalize();
  }
  solid.off_surface = static_cast<double>(off) / static_cast<double>(points.size());
}

// Over the middle of an edge a surface with these normals stands (n_j - n_i).(p_j - p_i) / 8 high (d^2 / 8 R on a sphere). The quadratic surface
// over a facet that is that high over its three edges holds a third of the sum of the heights, times its area.
void add_bulges(std::span<const Vector3d> points, CloudSolid& solid) {
  solid.bulges.assign(points.size(), 0.0);
  for (const Eigen::Vector3i& facet : solid.surface) {
    double heights = 0.0;
    for (int k = 0; k < 3; ++k) {
      const int i = facet[k], j = facet[(k + 1) % 3];
      heights += (solid.normals[j] - solid.normals[i]).dot(points[j] - points[i]) / 8.0;
    }
    const Vector3d& a = points[facet[0]];
    const double area = 0.5 * (points[facet[1]] - a).cross(points[facet[2]] - a).norm();
    for (const int i : facet) solid.bulges[i] += area * heights / 9.0;
  }
}

// Share of the extent by which points are moved: a thousand times the rounding of a tool 2 km from the origin, and little against the spacing
// also where two things lie fifty times their size apart.
constexpr double kMove = 1e-8;

// Points on plane faces and round bars lie on common planes and spheres up to rounding, where every sign has to be decided exactly,
// a hundred times slower than elsewhere, and where rounding decides which tetrahedra there are. Moved by up to half of this, by
// their number in the list, they do not: the same points in the same order, wherever they lie, have the same tetrahedra.
std::vector<Vector3d> in_general_position(std::span<const Vector3d> points, double extent) {
  std::vector<Vector3d> moved(points.begin(), points.end());
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&points](int i) { return std::tie(points[i].x(), points[i].y(), points[i].z()); };
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
  for (std::size_t k = 0, first = 0; k < order.size(); ++k) {
    if (k > 0 && key(order[k]) != key(order[first])) first = k;  // duplicates stay together
    std::uint64_t state = 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(order[first]) + 1);
    for (int axis = 0; axis < 3; ++axis) {
      state = (state ^ (state >> 29)) * 0x94d049bb133111ebu + 0x2545f4914f6cdd1du;
      moved[order[k]][axis] += kMove * extent * (static_cast<double>(state >> 11) * 0x1p-53 - 0.5);
    }
  }
  return moved;
}

// Points on a plane face of the hull, moved as above, have slivers between their own triangles and the hull's. Which ones is chance, and
// with it which points are neighbours: they count as outside.
void open_slivers(std::span<const Vector3d> points, const DelaunayTetrahedra& delaunay,
                  const std::vector<double>& volumes, double extent, Steps& steps) {
  const auto is_sliver = [&](int t) {
    const auto& v = delaunay.tetrahedra[t];
    double longest = 0.0;  // squared
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j)
        longest = std::max(longest, (points[v[i]] - points[v[j]]).squaredNorm());
    // As high as the moves at most, on a triangle of at most 0.43 of its longest edge squared.
    return volumes[t] < 0.2 * kMove * extent * longest;
  };
  std::vector<int> queue;
  const auto open = [&](int t) {
    if (steps[t] == kSliver || !is_sliver(t)) return;
    steps[t] = kSliver;
    queue.push_back(t);
  };
  for (int t = 0; t < std::ssize(steps); ++t)
    if ((delaunay.neighbours[t].array() < 0).any()) open(t);
  while (!queue.empty()) {
    const int t = queue.back();
    queue.pop_back();
    for (const int next : delaunay.neighbours[t])
      if (next >= 0) open(next);
  }
}

bool spans_volume(std::span<const Vector3d> points) {
  Vector3d mean = Vector3d::Zero();
  for (const Vector3d& p : points) mean += p / static_cast<double>(points.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vector3d& p : points) spread += (p - mean) * (p - mean).transpose();
  const Vector3d values = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvalues();
  return values[0] > 1e-12 * values[2];  // a sheet thicker than a millionth of its extent
}

}  // namespace

const char* to_string(CloudSolidStatus status) { return enum_text(status); }

CloudSolid cloud_solid(std::span<const Vector3d> given, const CloudSolidOptions& options) {
  CloudSolid solid;
  const bool is_finite = std::all_of(given.begin(), given.end(),
                                     [](const Vector3d& p) { return (p.array().abs() <= 1e50).all(); });
  if (!is_finite) {
    solid.status = CloudSolidStatus::not_finite;
    solid.message = "a coordinate is not finite, or beyond 1e50";
    return solid;
  }
  if (given.size() < 4 || !spans_volume(given)) {
    solid.status = CloudSolidStatus::degenerate;
    solid.message = "the " + std::to_string(given.size()) + " points span no volume";
    return solid;
  }
  const double extent = bounding_box({given.begin(), given.end()}).diagonal();
  const std::vector<Vector3d> points = in_general_position(given, extent);
  DelaunayTetrahedra delaunay = delaunay_tetrahedra(points);
  if (delaunay.status != DelaunayStatus::ok) {
    solid.status = delaunay.status == DelaunayStatus::not_finite   ? CloudSolidStatus::not_finite
                   : delaunay.status == DelaunayStatus::degenerate ? CloudSolidStatus::degenerate
                                                                   : CloudSolidStatus::failed;
    solid.message = delaunay.message;
    return solid;
  }
  std::vector<double> volumes;
  volumes.reserve(delaunay.tetrahedra.size());
  for (const auto& v : delaunay.tetrahedra) {
    const Vector3d& a = points[v[0]];
    volumes.push_back(std::max(0.0, (points[v[1]] - a).cross(points[v[2]] - a).dot(points[v[3]] - a) / 6.0));
  }
  Steps steps(volumes.size(), 0);
  open_slivers(points, delaunay, volumes, extent, steps);
  Spacing spacing = spacing_of(points, delaunay, steps);
  solid.spacing = spacing.median;
  solid.sparseness = std::move(spacing.sparseness);
  const Carving carving(points, delaunay, solid.spacing, solid.sparseness);
  carving.carve(steps);
  const std::array<Covering, kSteps> tried = coverings(points, delaunay, steps);
  const ChosenBall ball =
      choose_ball(tried, carving.hollows(steps, volumes, solid.spacing), options.has_walls);
  const int last = ball.last;
  solid.folded = tried[kUsual].folded;
  solid.reach = last < kSteps ? reach_of(last, solid.spacing) : kNever;
  double inside = 0.0;
  for (std::size_t t = 0; t < volumes.size(); ++t)
    if (steps[t] <= last) inside += volumes[t];
  const SlitOptions slits{last, kSteps, ball.is_noisy ? 8 : 3, solid.spacing,
                          ball.is_widened ? kHollow * inside : kNever};
  if (last < kSteps)
    for (const int t : open_slits(points, delaunay, slits, steps)) solid.slits += volumes[t];
  for (std::size_t t = 0; t < volumes.size(); ++t) {
    if (steps[t] > last) continue;
    solid.tetrahedra.push_back(delaunay.tetrahedra[t]);
    solid.volumes.push_back(volumes[t]);
    solid.volume += volumes[t];
  }
  add_surface(points, delaunay, steps, last, solid);
  add_bulges(points, solid);
  solid.representative = std::move(delaunay.representative);
  solid.status = CloudSolidStatus::ok;
  return solid;
}

}  // namespace prehend::geometry
