#include <algorithm>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/box_tree.h>
#include <prehend/geometry/contact_search/contact_pair.h>
#include <prehend/math/angles.h>

namespace prehend::geometry {

using Eigen::Vector2d;
using Eigen::Vector3d;

PlaneAxes::PlaneAxes(const Vector3d& at, const Vector3d& normal) : origin(at), n(normal) {
  int smallest = 0;
  n.cwiseAbs().minCoeff(&smallest);
  u = n.cross(Vector3d::Unit(smallest)).normalized();
  v = n.cross(u);
}

Polygon2 flat_face(const ContactSide& side, FaceIndex face, const PlaneAxes& axes, bool reversed) {
  Polygon2 polygon;
  const int loops = side.shape->faces()[face].loop_count;
  polygon.loops.reserve(loops);
  for (int k = 0; k < loops; ++k) {
    const auto corners = side.shape->corners(face, k);
    if (corners.size() < 3) continue;
    Loop2& loop = polygon.loops.emplace_back();
    loop.reserve(corners.size());
    for (const VertexIndex v : corners) loop.push_back(axes.flat(side.vertex(v)));
    if (reversed) std::reverse(loop.begin(), loop.end());
  }
  return polygon;
}

Vector3d point_of(const ContactSide& side, FaceIndex face) {
  const auto loop = side.shape->loop(face, 0);
  return loop.empty() ? Vector3d(side.offset(face) * side.normal(face)) : side.vertex(loop.front());
}

FaceOutline::FaceOutline(const ContactSide& side, FaceIndex face)
    : axes(point_of(side, face), side.normal(face)), offset(side.offset(face)) {
  for (int k = 0; k < side.shape->faces()[face].loop_count; ++k) {
    Loop2& loop = polygon.loops.emplace_back();
    std::vector<EdgeKind>& loop_kinds = kinds.emplace_back();
    for (const VertexIndex v : side.shape->loop(face, k)) loop.push_back(axes.flat(side.vertex(v)));
    for (const EdgeIndex e : side.shape->loop_edges(face, k))
      loop_kinds.push_back(side.shape->edges()[e].kind);
  }
}

bool FaceOutline::holds(const Vector2d& x, double margin, double reach) const {
  bool near_convex = false, near_concave = false;
  for (std::size_t k = 0; k < polygon.loops.size(); ++k) {
    const Loop2& loop = polygon.loops[k];
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const double distance = distance_to_segment(x, loop[i], loop[(i + 1) % loop.size()]);
      if (kinds[k][i] == EdgeKind::concave) {
        near_concave = near_concave || distance <= reach;
      } else {
        near_convex = near_convex || distance <= margin;
      }
    }
  }
  return !near_convex && (near_concave || contains(polygon, x));
}

Wedge::Wedge(const ContactSide& side, EdgeIndex index) {
  const PolyhedronEdge& edge = side.shape->edges()[index];
  start = side.vertex(edge.start);
  end = side.vertex(edge.end);
  length = (end - start).norm();
  along = length > 0.0 ? Vector3d((end - start) / length) : Vector3d::Zero();
  kind = edge.kind;
  faces[0] = edge.left;
  normals[0] = side.normal(edge.left);
  inwards[0] = normals[0].cross(along);
  face_count = 1;
  if (edge.right.is_valid()) {
    faces[1] = edge.right;
    normals[1] = side.normal(edge.right);
    inwards[1] = along.cross(normals[1]);
    face_count = 2;
    spread = 0.5 * std::abs(math::kPi - edge.interior_angle);
  }
}

bool Wedge::lies_behind(const Vector3d& d, double slack) const {
  if (kind == EdgeKind::concave || mean_normal().dot(d) <= 0.0) return false;
  for (int i = 0; i < face_count; ++i) {
    if (inwards[i].dot(d) > slack) return false;
  }
  return true;
}

void PairSearch::Touched::close() {
  std::sort(keys_.begin(), keys_.end());
  keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
}

bool PairSearch::Touched::contains(int first, int second) const {
  return std::binary_search(keys_.begin(), keys_.end(), key(first, second));
}

PairSearch::PairSearch(const Polyhedron& a, const math::Pose& X_WA, const Polyhedron& b,
                       const math::Pose& X_WB, const ContactOptions& options)
    : options_(options),
      X_WA_(X_WA),
      gap_(options.gap_tolerance),
      sin_angle_(std::sin(options.angle_tolerance)),
      cos_angle_(std::cos(options.angle_tolerance)),
      sin_tilt_(std::sin(options.tilt_limit)),
      cos_tilt_(std::cos(options.tilt_limit)),
      margin_(std::min(1e-6 * std::min(a.size(), b.size()), 0.1 * gap_)) {
  const math::Pose X_AB = X_WA.inverse() * X_WB;
  a_.shape = &a;
  b_.shape = &b;
  b_.is_a = false;
  b_.R_PS = X_AB.R();
  b_.p_PS = X_AB.p();
  near_ = BoxTree::find_near_pairs(a.face_tree(), b.face_tree(), X_AB, gap_);
}

PairContacts PairSearch::run() {
  find_faces();
  touched_faces_.close();
  find_edges_on_faces(a_, b_);
  find_edges_on_faces(b_, a_);
  for (Touched& touched : touched_edge_face_) touched.close();
  find_vertices_on_faces(a_, b_);
  find_vertices_on_faces(b_, a_);
  for (Touched& touched : touched_vertex_face_) touched.close();
  find_crossing_edges();
  find_blunt_touches();
  find_piercing_edges(a_, b_);
  find_piercing_edges(b_, a_);
  if (!result_.penetrating) find_enclosure();

  const Eigen::Matrix3d R_WA = X_WA_.R();
  for (ContactPatch& patch : result_.patches) {
    patch.n_W = R_WA * patch.n_W;
    for (auto& loop : patch.loops_W) {
      for (Vector3d& p : loop) p = X_WA_.p() + R_WA * p;
    }
  }
  result_.p_W = X_WA_.p() + R_WA * result_.p_W;
  return std::move(result_);
}

void PairSearch::add_line(const Vector3d& n, const Vector3d& p, const Vector3d& q, double gap_p,
                          double gap_q) {
  ContactPatch patch;
  patch.kind = ContactKind::edge;
  patch.n_W = n;
  patch.gap_min_m = std::min(gap_p, gap_q);
  patch.gap_max_m = std::max(gap_p, gap_q);
  patch.loops_W = {{p, q}};
  result_.patches.push_back(std::move(patch));
}

void PairSearch::add_point(const Vector3d& n, const Vector3d& p, double gap) {
  ContactPatch patch;
  patch.kind = ContactKind::point;
  patch.n_W = n;
  patch.gap_min_m = patch.gap_max_m = gap;
  patch.loops_W = {{p}};
  result_.patches.push_back(std::move(patch));
}

}  // namespace prehend::geometry
