#include <algorithm>
#include <cstdint>
#include <utility>

#include <prehend/geometry/surface/self_intersection.h>
#include <prehend/geometry/surface/triangle_overlap.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>

namespace prehend::geometry {
namespace {

class Search {
 public:
  Search(const TriangleMesh& mesh, const TriangleBvh& bvh, const SelfIntersectionOptions& options)
      : mesh_(mesh), bvh_(bvh), options_(options) {}

  SelfIntersections run() {
    if (!bvh_.nodes.empty()) within(0);
    result_.is_complete = !stopped_;
    std::sort(result_.pairs.begin(), result_.pairs.end());
    return std::move(result_);
  }

 private:
  void within(int node) {
    if (stopped_) return;
    math::check_interrupt();
    const TriangleBvh::Node& n = bvh_.nodes[node];
    if (n.is_leaf()) {
      for (int i = 0; i < n.count; ++i) {
        for (int j = i + 1; j < n.count; ++j) test(bvh_.order[n.first + i], bvh_.order[n.first + j]);
      }
      return;
    }
    within(n.first);
    within(n.first + 1);
    between(n.first, n.first + 1);
  }

  void between(int i, int j) {
    const TriangleBvh::Node &a = bvh_.nodes[i], &b = bvh_.nodes[j];
    if (!overlap(a, b) || stopped_) return;
    if (a.is_leaf() && b.is_leaf()) {
      for (int k = 0; k < a.count; ++k) {
        for (int l = 0; l < b.count; ++l) test(bvh_.order[a.first + k], bvh_.order[b.first + l]);
      }
    } else if (b.is_leaf() || (!a.is_leaf() && extent(a) >= extent(b))) {
      between(a.first, j);
      between(a.first + 1, j);
    } else {
      between(i, b.first);
      between(i, b.first + 1);
    }
  }

  static float extent(const TriangleBvh::Node& n) {
    return n.upper[0] - n.lower[0] + n.upper[1] - n.lower[1] + n.upper[2] - n.lower[2];
  }

  void test(int s, int t) {
    const Eigen::Vector3i &a = mesh_.triangles[s], &b = mesh_.triangles[t];
    if (stopped_) return;
    // Work in units of one plain test: looking at boxes costs about a tenth, exact arithmetic about a
    // hundred.
    tenths_ += 1;
    if (boxes_apart(a, b)) {
      stopped_ = tenths_ / 10 > options_.max_tests;
      return;
    }
    ++result_.tests;
    bool was_exact = false;
    const bool found = meet(a, b, was_exact);
    tenths_ += was_exact ? 1000 : 10;
    if (tenths_ / 10 > options_.max_tests) stopped_ = true;
    if (!found) return;
    if (static_cast<int>(result_.pairs.size()) >= options_.max_pairs) {
      stopped_ = true;
      return;
    }
    result_.pairs.push_back({std::min(s, t), std::max(s, t)});
  }

  bool boxes_apart(const Eigen::Vector3i& a, const Eigen::Vector3i& b) const {
    for (int axis = 0; axis < 3; ++axis) {
      const double a0 = mesh_.vertices[a[0]][axis], a1 = mesh_.vertices[a[1]][axis],
                   a2 = mesh_.vertices[a[2]][axis];
      const double b0 = mesh_.vertices[b[0]][axis], b1 = mesh_.vertices[b[1]][axis],
                   b2 = mesh_.vertices[b[2]][axis];
      if (std::max(std::max(a0, a1), a2) < std::min(std::min(b0, b1), b2)) return true;
      if (std::max(std::max(b0, b1), b2) < std::min(std::min(a0, a1), a2)) return true;
    }
    return false;
  }

  bool meet(const Eigen::Vector3i& a, const Eigen::Vector3i& b, bool& was_exact) const {
    if (has_repeated_corner(a) || has_repeated_corner(b)) return false;
    // Shared vertices first, in the same order in both.
    int own[3] = {a[0], a[1], a[2]}, other[3] = {b[0], b[1], b[2]};
    int shared = 0;
    for (int k = 0; k < 3; ++k) {
      for (int l = shared; l < 3; ++l) {
        if (own[k] != other[l]) continue;
        std::swap(own[shared], own[k]);
        std::swap(other[shared], other[l]);
        ++shared;
        break;
      }
    }
    const TriangleCorners ca = corners(own), cb = corners(other);
    switch (shared) {
      case 0:
        return triangles_meet(ca, cb, &was_exact);
      case 1:
        return triangles_meet_beyond_vertex(ca, cb, &was_exact);
      case 2:
        return triangles_meet_beyond_edge(ca, cb);
      default:
        return false;
    }
  }

  static bool has_repeated_corner(const Eigen::Vector3i& t) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
  }

  TriangleCorners corners(const int (&t)[3]) const {
    return {{&mesh_.vertices[t[0]], &mesh_.vertices[t[1]], &mesh_.vertices[t[2]]}};
  }

  const TriangleMesh& mesh_;
  const TriangleBvh& bvh_;
  const SelfIntersectionOptions& options_;
  SelfIntersections result_;
  std::int64_t tenths_{0};  // of a plain test
  bool stopped_{false};
};

}  // namespace

SelfIntersections find_self_intersections(const TriangleMesh& mesh, const SelfIntersectionOptions& options) {
  return find_self_intersections(mesh, build_triangle_bvh(mesh), options);
}

SelfIntersections find_self_intersections(const TriangleMesh& mesh, const TriangleBvh& bvh,
                                          const SelfIntersectionOptions& options) {
  const math::OptionCheck check("SelfIntersectionOptions");
  check.at_least("max_pairs", options.max_pairs, 1);
  check.at_least("max_tests", static_cast<double>(options.max_tests), 1);
  return Search(mesh, bvh, options).run();
}

}  // namespace prehend::geometry
