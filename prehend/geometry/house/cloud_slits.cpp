#include <algorithm>
#include <utility>

#include <Eigen/Geometry>

#include <prehend/geometry/house/cloud_slits.h>
#include <prehend/math/interrupt.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;
constexpr int kFacet[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

class Slits {
 public:
  Slits(std::span<const Vector3d> points, const DelaunayTetrahedra& delaunay, const SlitOptions& options,
        std::vector<signed char>& steps)
      : points_(points),
        delaunay_(delaunay),
        options_(options),
        steps_(steps),
        first_(points.size() + 1, 0),
        is_marked_(steps.size(), 0),
        is_listed_(points.size(), 0) {
    for (const auto& v : delaunay.tetrahedra)
      for (const int i : v) ++first_[i + 1];
    for (std::size_t i = 0; i < points.size(); ++i) first_[i + 1] += first_[i];
    around_.resize(first_.back());
    std::vector<int> next(first_.begin(), first_.end() - 1);
    for (int t = 0; t < std::ssize(delaunay.tetrahedra); ++t)
      for (const int i : delaunay.tetrahedra[t]) around_[next[i]++] = t;
  }

  void open() {
    // Those with nothing but the inside around them.
    std::vector<char> is_within(points_.size(), 0);
    for (int t = 0; t < std::ssize(steps_); ++t)
      if (is_inside(t))
        for (const int i : delaunay_.tetrahedra[t]) is_within[i] = 1;
    for (int t = 0; t < std::ssize(steps_); ++t)
      for (int k = 0; k < 4; ++k)
        if (!is_inside(t) || delaunay_.neighbours[t][k] < 0)
          for (const int corner : kFacet[k]) is_within[delaunay_.tetrahedra[t][corner]] = 0;
    for (int i = 0; i < std::ssize(points_); ++i)
      if (is_within[i]) swallowed_.push_back(i);
    for (int step = options_.last - 1; step >= 0 && !swallowed_.empty(); --step) {
      std::fill(is_marked_.begin(), is_marked_.end(), 0);
      for (const int i : swallowed_) {
        math::check_interrupt();
        for (int k = first_[i]; k < first_[i + 1]; ++k)
          if (is_emptied(around_[k], step) && !is_marked_[around_[k]]) attempt(around_[k], step);
      }
      std::erase_if(swallowed_, [this](int i) { return standing(i) != Standing::swallowed; });
    }
  }

 private:
  enum class Standing { surface, swallowed, folded };

  bool is_inside(int t) const { return steps_[t] <= options_.last; }
  // By the smaller ball.
  bool is_emptied(int t, int step) const { return is_inside(t) && steps_[t] > step; }

  Standing standing(int i) const {
    Vector3d sum = Vector3d::Zero();
    double area = 0.0;
    bool is_used = false;
    for (int n = first_[i]; n < first_[i + 1]; ++n) {
      const int t = around_[n];
      if (!is_inside(t)) continue;
      is_used = true;
      const auto& v = delaunay_.tetrahedra[t];
      for (int k = 0; k < 4; ++k) {
        if (v[k] == i) continue;
        const int next = delaunay_.neighbours[t][k];
        if (next >= 0 && is_inside(next)) continue;
        const Vector3d& a = points_[v[kFacet[k][0]]];
        const Vector3d normal = (points_[v[kFacet[k][1]]] - a).cross(points_[v[kFacet[k][2]]] - a);
        sum += normal, area += normal.norm();
      }
    }
    if (!is_used) return Standing::folded;
    if (area == 0.0) return Standing::swallowed;
    return sum.norm() < 0.5 * area ? Standing::folded : Standing::surface;
  }

  // The whole piece of which `first` is one tetrahedron.
  void attempt(int first, int step) {
    std::vector<int> piece{first}, touched;
    is_marked_[first] = 1;
    bool is_open = false;
    for (std::size_t n = 0; n < piece.size(); ++n) {
      const int t = piece[n];
      for (int k = 0; k < 4; ++k) {
        const int next = delaunay_.neighbours[t][k];
        is_open = is_open || next < 0 || !is_inside(next);
        if (next < 0 || is_marked_[next] || !is_emptied(next, step)) continue;
        is_marked_[next] = 1;
        piece.push_back(next);
      }
      for (const int i : delaunay_.tetrahedra[t])
        if (!std::exchange(is_listed_[i], 1)) touched.push_back(i);
    }
    const auto cost = [&] {
      int sum = 0;
      for (const int i : touched) {
        const Standing now = standing(i);
        sum += now == Standing::swallowed ? 1 : now == Standing::folded ? options_.folded : 0;
      }
      return sum;
    };
    const int before = cost();
    std::vector<signed char> kept;
    for (const int t : piece) kept.push_back(std::exchange(steps_[t], options_.outside));
    if (!is_open || cost() >= before)
      for (std::size_t n = 0; n < piece.size(); ++n) steps_[piece[n]] = kept[n];
    for (const int i : touched) is_listed_[i] = 0;
  }

  std::span<const Vector3d> points_;
  const DelaunayTetrahedra& delaunay_;
  SlitOptions options_;
  std::vector<signed char>& steps_;
  std::vector<int> first_, around_;  // tetrahedra around each point
  std::vector<char> is_marked_, is_listed_;
  std::vector<int> swallowed_;
};

}  // namespace

void open_slits(std::span<const Vector3d> points, const DelaunayTetrahedra& delaunay,
                const SlitOptions& options, std::vector<signed char>& steps) {
  Slits(points, delaunay, options, steps).open();
}

}  // namespace prehend::geometry
