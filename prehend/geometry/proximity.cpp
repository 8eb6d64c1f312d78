#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/convex_penetration.h>
#include <prehend/geometry/hull.h>
#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/proximity.h>
#include <prehend/geometry/surface/edge_table.h>
#include <prehend/geometry/surface/triangle_distance.h>
#include <prehend/geometry/surface/triangle_hierarchy.h>
#include <prehend/geometry/surface/triangle_overlap.h>
#include <prehend/geometry/triangle_tree.h>
#include <prehend/math/enum_text.h>

namespace prehend::geometry {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct ProximityShape::Data {
  explicit Data(const TriangleMesh& mesh) : tree(mesh) {
    DisjointSets pieces(static_cast<int>(mesh.vertices.size()));
    std::vector<char> used(mesh.vertices.size(), 0);
    for (const Eigen::Vector3i& t : mesh.triangles) {
      for (int k = 0; k < 3; ++k) {
        used[t[k]] = 1;
        pieces.unite(t[0], t[k]);
      }
    }
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      if (!used[i]) continue;
      vertices.push_back(mesh.vertices[i]);
      if (pieces.find(static_cast<int>(i)) == static_cast<int>(i)) one_per_piece.push_back(mesh.vertices[i]);
    }
    const HullResult hull = convex_hull(vertices);
    if (hull.status != HullStatus::ok) return;
    hull_vertices = hull.mesh.vertices;
    const MassProperties own = mass_properties(mesh), whole = mass_properties(hull.mesh);
    is_convex = own.status == MassStatus::ok && std::abs(whole.volume - own.volume) <= 1e-9 * whole.volume;
  }

  TriangleTree tree;
  std::vector<Vector3d> vertices;       // in use
  std::vector<Vector3d> one_per_piece;  // one vertex of each connected piece
  std::vector<Vector3d> hull_vertices;  // empty when flat
  bool is_convex{false};
};

ProximityShape::ProximityShape(const TriangleMesh& mesh_B) : data_(std::make_shared<const Data>(mesh_B)) {}

bool ProximityShape::is_convex() const { return data_->is_convex; }

// Surfaces nearer than this, in sizes of a, touch: well above the rounding of turned coordinates.
constexpr double kTouching = 1e-9;
// Corners of a non-convex body that are asked where surfaces touch.
constexpr std::size_t kMostCorners = 100;

// One pair of shapes. Coordinates called local are those of a's hierarchy.
class ProximityQuery {
 public:
  ProximityQuery(const ProximityShape& a, const ProximityShape& b, const math::Pose& X_AB)
      : a_(*a.data_),
        b_(*b.data_),
        tree_a_(a_.tree.hierarchy().bvh),
        tree_b_(b_.tree.hierarchy().bvh),
        X_AB_(X_AB) {
    rotation_ = X_AB.R() * (tree_b_.unit / tree_a_.unit);
    absolute_ = rotation_.cwiseAbs();
    offset_ = (X_AB * tree_b_.origin - tree_a_.origin) / tree_a_.unit;
    b_boxes_.resize(tree_b_.nodes.size());
  }

  // Surfaces that cross, or a piece of one body inside the other.
  bool overlaps() {
    stop_at_first_ = true;
    best2_ = 0.0;
    visit(0, 0);
    return crossing_ || is_one_inside();
  }

  Proximity run(const math::Pose& X_WA) {
    // A good first bound: from the middle of b's first triangle to a.
    const ClosestPoint start = a_.tree.closest_point(X_AB_ * b_.vertices.front());
    best2_ = std::pow(start.distance / tree_a_.unit, 2) * (1.0 + 1e-9) + 1e-30;
    p_a_ = tree_a_.to_local(start.point);
    p_b_ = tree_a_.to_local(X_AB_ * b_.vertices.front());
    visit(0, 0);
    Proximity result;
    const bool touches = (p_b_ - p_a_).norm() < kTouching;
    if (crossing_ || is_one_inside() || (touches && shares_volume())) {
      result = penetration();
    } else {
      result.p_WA = tree_a_.to_world(p_a_);
      result.p_WB = tree_a_.to_world(p_b_);
      result.distance = tree_a_.unit * (p_b_ - p_a_).norm();
      if (result.distance > 0.0) result.n_W = (p_b_ - p_a_).normalized();
    }
    result.p_WA = X_WA * result.p_WA;
    result.p_WB = X_WA * result.p_WB;
    result.n_W = X_WA.q() * result.n_W;
    return result;
  }

 private:
  struct Box {
    Vector3d centre, half;
    bool is_known{false};
  };

  static Box box_of(const TriangleBvh::Node& node) {
    const Vector3d lower(node.lower[0], node.lower[1], node.lower[2]),
        upper(node.upper[0], node.upper[1], node.upper[2]);
    return {0.5 * (lower + upper), 0.5 * (upper - lower), true};
  }
  // The box of b's node, turned and boxed again along a's axes.
  const Box& b_box(int node) {
    Box& box = b_boxes_[node];
    if (!box.is_known) {
      const Box own = box_of(tree_b_.nodes[node]);
      box = {rotation_ * own.centre + offset_, absolute_ * own.half, true};
      box.half.array() += 1e-14 * (1.0 + offset_.lpNorm<Eigen::Infinity>());  // the rounding of the turn
    }
    return box;
  }
  double gap2(const TriangleBvh::Node& node_a, int node_b) {
    const Box a = box_of(node_a);
    const Box& b = b_box(node_b);
    return ((a.centre - b.centre).cwiseAbs() - a.half - b.half).cwiseMax(0.0).squaredNorm();
  }

  void visit(int i, int j) {
    const TriangleBvh::Node &a = tree_a_.nodes[i], &b = tree_b_.nodes[j];
    if (stop_at_first_ && crossing_) return;
    if (gap2(a, j) > best2_) return;
    if (a.is_leaf() && b.is_leaf()) {
      for (int k = a.first; k < a.first + a.count; ++k) {
        for (int l = b.first; l < b.first + b.count; ++l) compare(k, l);
      }
      return;
    }
    const bool split_a = b.is_leaf() || (!a.is_leaf() && box_of(a).half.sum() >= b_box(j).half.sum());
    const int near = split_a ? a.first : b.first;
    const double first = split_a ? gap2(tree_a_.nodes[near], j) : gap2(a, near);
    const double second = split_a ? gap2(tree_a_.nodes[near + 1], j) : gap2(a, near + 1);
    for (int k = 0; k < 2; ++k) {
      const int child = near + (first <= second ? k : 1 - k);
      if (split_a) {
        visit(child, j);
      } else {
        visit(i, child);
      }
    }
  }

  void compare(int k, int l) {
    const TriangleHierarchy::Corners &s = a_.tree.hierarchy().corners[k], &t = b_.tree.hierarchy().corners[l];
    const Vector3d a[3] = {s.a, s.b, s.c};
    const Vector3d b[3] = {rotation_ * t.a + offset_, rotation_ * t.b + offset_, rotation_ * t.c + offset_};
    const Vector3d a_low = a[0].cwiseMin(a[1]).cwiseMin(a[2]), a_high = a[0].cwiseMax(a[1]).cwiseMax(a[2]);
    const Vector3d b_low = b[0].cwiseMin(b[1]).cwiseMin(b[2]), b_high = b[0].cwiseMax(b[1]).cwiseMax(b[2]);
    const double bound = (a_low - b_high).cwiseMax(b_low - a_high).cwiseMax(0.0).squaredNorm();
    if (bound > best2_) return;
    if (bound == 0.0 && triangles_meet({{&a[0], &a[1], &a[2]}}, {{&b[0], &b[1], &b[2]}})) {
      crossing_ = true;
      best2_ = 0.0;
      // A hundred crossings are enough to look for depth along edges.
      if (crossing_a_.size() < 100) {
        crossing_a_.push_back(k);
        crossing_b_.push_back(l);
      } else {
        stop_at_first_ = true;
      }
      return;
    }
    if (crossing_ || stop_at_first_) return;
    const TriangleDistance found = triangle_distance(a, b);
    if (found.squared_distance < best2_) {
      best2_ = found.squared_distance;
      p_a_ = found.p_a;
      p_b_ = found.p_b;
    }
  }

  bool is_one_inside() const {
    const auto b_in_a = [&](const Vector3d& p_B) { return a_.tree.contains(X_AB_ * p_B); };
    const math::Pose X_BA = X_AB_.inverse();
    const auto a_in_b = [&](const Vector3d& p_A) { return b_.tree.contains(X_BA * p_A); };
    return std::any_of(b_.one_per_piece.begin(), b_.one_per_piece.end(), b_in_a) ||
           std::any_of(a_.one_per_piece.begin(), a_.one_per_piece.end(), a_in_b);
  }

  // Of surfaces that touch: with flush faces neither do surfaces cross nor need the one corner of a piece that is asked lie inside.
  bool shares_volume() const {
    if (a_.is_convex && b_.is_convex) {
      std::vector<Vector3d> hull_a, hull_b;
      for (const Vector3d& p : a_.hull_vertices) hull_a.push_back(tree_a_.to_local(p));
      for (const Vector3d& p : b_.hull_vertices) hull_b.push_back(tree_a_.to_local(X_AB_ * p));
      const ConvexPenetration hulls = convex_penetration(hull_a, hull_b);
      return hulls.status != ConvexPenetrationStatus::apart &&
             hulls.status != ConvexPenetrationStatus::failed && hulls.depth_lower > kTouching;
    }
    const auto is_deep = [&](const TriangleTree& tree, const Vector3d& p) {
      return tree.contains(p) && tree.closest_point(p).distance > kTouching * tree_a_.unit;
    };
    const math::Pose X_BA = X_AB_.inverse();
    const std::size_t stride_a = 1 + a_.vertices.size() / kMostCorners,
                      stride_b = 1 + b_.vertices.size() / kMostCorners;
    for (std::size_t i = 0; i < b_.vertices.size(); i += stride_b) {
      if (is_deep(a_.tree, X_AB_ * b_.vertices[i])) return true;
    }
    for (std::size_t i = 0; i < a_.vertices.size(); i += stride_a) {
      if (is_deep(b_.tree, X_BA * a_.vertices[i])) return true;
    }
    return false;
  }

  Proximity penetration() const {
    Proximity result;
    result.status = ProximityStatus::overlapping;
    result.depth_upper.reset();
    if (!a_.hull_vertices.empty() && !b_.hull_vertices.empty()) {
      std::vector<Vector3d> hull_a, hull_b;
      for (const Vector3d& p : a_.hull_vertices) hull_a.push_back(tree_a_.to_local(p));
      for (const Vector3d& p : b_.hull_vertices) hull_b.push_back(tree_a_.to_local(X_AB_ * p));
      const ConvexPenetration hulls = convex_penetration(hull_a, hull_b);
      if (hulls.status == ConvexPenetrationStatus::apart) {
        result.depth_upper = 0.0;  // surfaces that touch within rounding
      } else if (hulls.status != ConvexPenetrationStatus::failed) {
        result.depth_upper = tree_a_.unit * hulls.depth_upper;
        if (a_.is_convex && b_.is_convex) {
          result.distance = -tree_a_.unit * hulls.depth_lower;
          result.n_W = hulls.normal;
          result.p_WA = tree_a_.to_world(hulls.p_a);
          result.p_WB = tree_a_.to_world(hulls.p_b);
          return result;
        }
      }
    }
    deepest_point(result);
    return result;
  }

  // The deepest corner, or middle of an edge piece, of one surface inside the other body.
  void deepest_point(Proximity& result) const {
    double depth = 0.0;
    // Where nothing lies inside: any common point.
    result.p_WA = result.p_WB = tree_a_.to_world(p_a_);
    if (!crossing_a_.empty())
      result.p_WA = result.p_WB = tree_a_.to_world(a_.tree.hierarchy().corners[crossing_a_[0]].a);
    const math::Pose X_BA = X_AB_.inverse();
    const auto try_a = [&](const Vector3d& p_A) {
      const Vector3d p_B = X_BA * p_A;
      const ClosestPoint closest = b_.tree.closest_point(p_B);
      if (closest.distance <= depth || !b_.tree.contains(p_B)) return;
      depth = closest.distance;
      result.p_WA = p_A;
      result.p_WB = X_AB_ * closest.point;
    };
    const auto try_b = [&](const Vector3d& p_B) {
      const Vector3d p_A = X_AB_ * p_B;
      const ClosestPoint closest = a_.tree.closest_point(p_A);
      if (closest.distance <= depth || !a_.tree.contains(p_A)) return;
      depth = closest.distance;
      result.p_WA = closest.point;
      result.p_WB = p_A;
    };
    for (const Vector3d& p_A : a_.vertices) try_a(p_A);
    for (const Vector3d& p_B : b_.vertices) try_b(p_B);
    for (int k : crossing_a_) {
      try_edges(a_.tree, k, b_.tree, [&](const Vector3d& p) { return X_BA * p; }, try_a);
    }
    for (int l : crossing_b_) {
      try_edges(b_.tree, l, a_.tree, [&](const Vector3d& p) { return X_AB_ * p; }, try_b);
    }
    result.distance = -depth;
    if (depth > 0.0) result.n_W = (result.p_WA - result.p_WB) / depth;
  }

  template <class ToOther, class Try>
  static void try_edges(const TriangleTree& own, int triangle, const TriangleTree& other, ToOther&& to_other,
                        Try&& try_point) {
    const TriangleHierarchy::Corners& t = own.hierarchy().corners[triangle];
    const Vector3d corner[3] = {own.hierarchy().bvh.to_world(t.a), own.hierarchy().bvh.to_world(t.b),
                                own.hierarchy().bvh.to_world(t.c)};
    for (int k = 0; k < 3; ++k) {
      const Vector3d &p = corner[k], &q = corner[(k + 1) % 3];
      const Vector3d from = to_other(p), along = to_other(q) - from;
      if (along.isZero(0.0)) continue;
      double last = 0.0;
      for (const RayHit& hit : other.all_hits({from, along, 0.0, 1.0})) {
        try_point(p + 0.5 * (last + hit.t) * (q - p));
        last = hit.t;
      }
      try_point(p + 0.5 * (last + 1.0) * (q - p));
    }
  }

  const ProximityShape::Data &a_, &b_;
  const TriangleBvh &tree_a_, &tree_b_;
  math::Pose X_AB_;
  Matrix3d rotation_, absolute_;  // from b's local coordinates to a's, with the ratio of units
  Vector3d offset_;
  std::vector<Box> b_boxes_;
  double best2_{0.0};  // squared, local
  Vector3d p_a_{Vector3d::Zero()}, p_b_{Vector3d::Zero()};
  bool crossing_{false}, stop_at_first_{false};
  std::vector<int> crossing_a_, crossing_b_;
};

Proximity proximity(const ProximityShape& a, const math::Pose& X_WA, const ProximityShape& b,
                    const math::Pose& X_WB) {
  return ProximityQuery(a, b, X_WA.inverse() * X_WB).run(X_WA);
}

bool overlaps(const ProximityShape& a, const math::Pose& X_WA, const ProximityShape& b,
              const math::Pose& X_WB) {
  return ProximityQuery(a, b, X_WA.inverse() * X_WB).overlaps();
}

const char* to_string(ProximityStatus status) { return enum_text(status); }

std::string Proximity::brief_report() const {
  char text[160];
  if (status == ProximityStatus::apart) {
    std::snprintf(text, sizeof(text), "apart by %.6g m", distance);
  } else if (!depth_upper) {
    std::snprintf(text, sizeof(text), "overlapping, at least %.6g m deep", -distance);
  } else if (*depth_upper <= -distance * (1.0 + 1e-6)) {
    std::snprintf(text, sizeof(text), "overlapping, %.6g m deep", -distance);
  } else {
    std::snprintf(text, sizeof(text), "overlapping, between %.6g and %.6g m deep", -distance, *depth_upper);
  }
  return text;
}

}  // namespace prehend::geometry
