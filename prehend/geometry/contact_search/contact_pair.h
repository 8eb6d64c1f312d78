// The search for contact between two shapes, feature by feature. Internal to the room.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <prehend/geometry/contact_patch.h>
#include <prehend/geometry/polygon2.h>
#include <prehend/geometry/polyhedron.h>
#include <prehend/math/pose.h>

namespace prehend::geometry {

// One of the two shapes, seen in the frame P of the pair: the axes and origin of shape a.
struct ContactSide {
  const Polyhedron* shape{nullptr};
  bool is_a{true};
  Eigen::Matrix3d R_PS{Eigen::Matrix3d::Identity()};
  Eigen::Vector3d p_PS{Eigen::Vector3d::Zero()};

  Eigen::Vector3d turned(const Eigen::Vector3d& d_S) const {
    return is_a ? d_S : Eigen::Vector3d(R_PS * d_S);
  }
  Eigen::Vector3d vertex(VertexIndex v) const {
    const Eigen::Vector3d& p_S = shape->vertices()[v];
    return is_a ? p_S : Eigen::Vector3d(p_PS + R_PS * p_S);
  }
  Eigen::Vector3d normal(FaceIndex f) const { return turned(shape->faces()[f].normal); }
  // Of the face's plane along its normal, in P.
  double offset(FaceIndex f) const {
    const PolyhedronFace& face = shape->faces()[f];
    return is_a ? face.offset : face.offset + (R_PS * face.normal).dot(p_PS);
  }
  // Mean width of a face [m].
  double width(FaceIndex f) const {
    const PolyhedronFace& face = shape->faces()[f];
    return face.perimeter > 0.0 ? 2.0 * face.area / face.perimeter : 0.0;
  }
};

// A plane with axes; n = u x v.
struct PlaneAxes {
  Eigen::Vector3d origin, u, v, n;
  PlaneAxes(const Eigen::Vector3d& at, const Eigen::Vector3d& normal);
  Eigen::Vector2d flat(const Eigen::Vector3d& p) const { return {u.dot(p - origin), v.dot(p - origin)}; }
  Eigen::Vector3d lifted(const Eigen::Vector2d& x, double height = 0.0) const {
    return origin + x.x() * u + x.y() * v + height * n;
  }
};

// Corners only; `reversed` for a face that looks against the plane's normal.
Polygon2 flat_face(const ContactSide& side, FaceIndex face, const PlaneAxes& axes, bool reversed);

// A point in the face's plane: its first corner where it has any.
Eigen::Vector3d point_of(const ContactSide& side, FaceIndex face);

// A face in its own plane, with what lies beyond each side of its outline.
struct FaceOutline {
  PlaneAxes axes;
  double offset;
  Polygon2 polygon;
  std::vector<std::vector<EdgeKind>> kinds;  // of the side from loops[k][i] to the next
  FaceOutline(const ContactSide& side, FaceIndex face);
  double height(const Eigen::Vector3d& p) const { return axes.n.dot(p) - offset; }
  // Inside, `margin` away from every convex side; or within `reach` of a concave side (a corner in a groove).
  bool holds(const Eigen::Vector2d& x, double margin, double reach) const;
};

// An edge with the two half planes of material boundary that leave it.
struct Wedge {
  Eigen::Vector3d start, end, along;  // along is unit
  double length{0.0};
  FaceIndex faces[2];
  int face_count{0};
  Eigen::Vector3d normals[2], inwards[2];  // inwards: in the face, square to the edge
  EdgeKind kind{EdgeKind::boundary};
  double spread{0.0};  // [rad] of a face normal from the mean
  Wedge(const ContactSide& side, EdgeIndex edge);
  Eigen::Vector3d mean_normal() const {
    return face_count == 2 ? Eigen::Vector3d((normals[0] + normals[1]).normalized()) : normals[0];
  }
  // The material near the edge lies where d . x <= 0, seen from the edge.
  bool lies_behind(const Eigen::Vector3d& d, double slack) const;
};

class PairSearch {
 public:
  PairSearch(const Polyhedron& a, const math::Pose& X_WA, const Polyhedron& b, const math::Pose& X_WB,
             const ContactOptions& options);
  PairContacts run();

 private:
  // Found so far, as pairs of feature numbers.
  class Touched {
   public:
    void add(int first, int second) { keys_.push_back(key(first, second)); }
    void close();  // sorts; contains() may be asked from then on
    bool contains(int first, int second) const;
    bool is_empty() const { return keys_.empty(); }

   private:
    static std::uint64_t key(int first, int second) {
      return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32) |
             static_cast<std::uint32_t>(second);
    }
    std::vector<std::uint64_t> keys_;
  };
  struct StandingVertex {
    VertexIndex vertex;
    FaceIndex face;
    Eigen::Vector3d p;
    double gap;
  };

  // contact_faces.cpp
  void find_faces();
  void touch_faces(FaceIndex fa, FaceIndex fb, double cosine);
  void check_same_side(FaceIndex fa, FaceIndex fb);
  Polygon2 overlap(FaceIndex fa, FaceIndex fb, const PlaneAxes& axes, bool opposite) const;
  // contact_edges.cpp; x carries the edge or vertex, y the face
  void find_edges_on_faces(const ContactSide& x, const ContactSide& y);
  void find_crossing_edges();
  void touch_edges(EdgeIndex ea, EdgeIndex eb);
  // contact_points.cpp
  void find_vertices_on_faces(const ContactSide& x, const ContactSide& y);
  void keep_shallowest(const ContactSide& y, std::vector<StandingVertex>& standing) const;
  bool vertex_lies_behind(const ContactSide& side, VertexIndex v, const Eigen::Vector3d& d) const;
  double vertex_spread(const ContactSide& side, VertexIndex v) const;
  // contact_blunt.cpp
  void find_blunt_touches();
  void touch_vertex_edge(const ContactSide& x, VertexIndex v, const ContactSide& y, EdgeIndex e);
  void touch_vertices(VertexIndex va, VertexIndex vb);
  void touch_parallel_edges(EdgeIndex ea, EdgeIndex eb);
  bool is_covered(const ContactSide& x, VertexIndex v, std::span<const FaceIndex> faces) const;
  // contact_penetration.cpp
  void find_piercing_edges(const ContactSide& x, const ContactSide& y);
  void find_enclosure();
  void report_penetration(const Eigen::Vector3d& p, double depth);

  // Edges that x's face owns, so that each edge meets each face once; likewise vertices.
  template <class Visit>
  static void for_own_edges(const ContactSide& side, FaceIndex f, Visit&& visit);
  template <class Visit>
  static void for_own_vertices(const ContactSide& side, FaceIndex f, Visit&& visit);
  std::pair<FaceIndex, FaceIndex> of(const ContactSide& x, const std::pair<int, int>& near) const {
    return x.is_a ? std::pair(FaceIndex(near.first), FaceIndex(near.second))
                  : std::pair(FaceIndex(near.second), FaceIndex(near.first));
  }
  bool faces_touch(const ContactSide& x, FaceIndex fx, FaceIndex fy) const {
    return x.is_a ? touched_faces_.contains(fx.value(), fy.value())
                  : touched_faces_.contains(fy.value(), fx.value());
  }
  void add_line(const Eigen::Vector3d& n, const Eigen::Vector3d& p, const Eigen::Vector3d& q, double gap_p,
                double gap_q);
  void add_point(const Eigen::Vector3d& n, const Eigen::Vector3d& p, double gap);

  ContactOptions options_;
  ContactSide a_, b_;
  math::Pose X_WA_;
  double gap_, sin_angle_, cos_angle_, sin_tilt_, cos_tilt_;
  double margin_;                          // [m] below which a position counts as exactly on
  std::vector<std::pair<int, int>> near_;  // faces
  Touched touched_faces_;
  Touched touched_edge_face_[2], touched_vertex_face_[2];  // [0]: the edge or vertex is a's
  PairContacts result_;                                    // in P until run() ends
};

template <class Visit>
void PairSearch::for_own_edges(const ContactSide& side, FaceIndex f, Visit&& visit) {
  for (int k = 0; k < side.shape->faces()[f].loop_count; ++k) {
    const auto vertices = side.shape->loop(f, k);
    const auto edges = side.shape->loop_edges(f, k);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const PolyhedronEdge& edge = side.shape->edges()[edges[i]];
      if (edge.left == f && edge.start == vertices[i]) visit(edges[i]);
    }
  }
}

template <class Visit>
void PairSearch::for_own_vertices(const ContactSide& side, FaceIndex f, Visit&& visit) {
  for (int k = 0; k < side.shape->faces()[f].loop_count; ++k) {
    for (const VertexIndex v : side.shape->loop(f, k)) {
      if (side.shape->is_corner(v) && side.shape->vertex_faces(v).front() == f) visit(v);
    }
  }
}

}  // namespace prehend::geometry
