#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/observation/second/local_shape.h>

namespace prehend::observation {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using LocalPlane = Eigen::Matrix<double, 3, 2>;

// [rad] Directions this close to a plane lie in it; files with a few digits stay below.
constexpr double kInPlane = 1e-5;

Matrix3d curvature_or_flat(const std::vector<Matrix3d>& curvatures, std::size_t i) {
  return i < curvatures.size() ? curvatures[i] : Matrix3d::Zero().eval();
}

// k p in the plane of the two normals, with which the edge stays on both faces.
Vector3d edge_bend(const Vector3d& tangent, const Vector3d& n1, const Matrix3d& m1, const Vector3d& n2,
                   const Matrix3d& m2) {
  const double a = -tangent.dot(m1 * tangent), b = -tangent.dot(m2 * tangent), cosine = n1.dot(n2),
               square = 1.0 - cosine * cosine;
  return (n1 * (a - b * cosine) + n2 * (b - a * cosine)) / square;
}

Vector3d into_face(const LocalShape& edge, std::size_t i) {
  const Vector3d inward = edge.normals[i].cross(edge.tangents[0]);
  return inward.dot(edge.normals[1 - i]) < 0.0 ? inward : Vector3d(-inward);
}

Vector2d in_plane(const LocalPlane& plane, const Vector3d& a) { return (plane.transpose() * a).normalized(); }

void add_row(Rows& rows, const Vector2d& row) {
  rows.conservativeResize(rows.rows() + 1, Eigen::NoChange);
  rows.bottomRows(1) = row.transpose();
}

// The part of the shape that lies in the plane of n to first order.
TouchingFeature feature_on(const LocalShape& shape, const Vector3d& n, const LocalPlane& plane, double sign) {
  if (shape.kind == LocalShape::Kind::face) return face_feature(plane, shape.curvatures[0]);
  if (shape.kind == LocalShape::Kind::edge) {
    for (std::size_t i = 0; i < 2; ++i) {
      const Vector3d inward = into_face(shape, i);
      if (std::abs(inward.dot(n)) > kInPlane) continue;
      TouchingFeature feature = face_feature(plane, shape.curvatures[i]);
      add_row(feature.at_least, in_plane(plane, inward));
      return feature;
    }
    return edge_feature(plane, shape.tangents[0], shape.bends[0].dot(n), sign, false);
  }
  std::vector<std::size_t> flat;
  for (std::size_t i = 0; i < shape.tangents.size(); ++i)
    if (std::abs(shape.tangents[i].dot(n)) <= kInPlane) flat.push_back(i);
  if (flat.empty()) return vertex_feature();
  if (flat.size() == 1)
    return edge_feature(plane, shape.tangents[flat[0]], shape.bends[flat[0]].dot(n), sign, true);
  // A quarter face: w1, w2 >= 0 in r = w1 t1 + w2 t2.
  std::size_t face = 0;
  for (std::size_t i = 0; i < shape.normals.size(); ++i)
    if (std::abs(shape.normals[i].dot(n)) > std::abs(shape.normals[face].dot(n))) face = i;
  TouchingFeature feature = face_feature(plane, shape.curvatures[face]);
  add_quarter(feature, in_plane(plane, shape.tangents[flat[0]]), in_plane(plane, shape.tangents[flat[1]]));
  return feature;
}

}  // namespace

void add_quarter(TouchingFeature& feature, const Vector2d& t1, const Vector2d& t2) {
  // w1 and w2 of r = w1 t1 + w2 t2 have the signs of r x t2 and t1 x r, times that of t1 x t2.
  const double sign = t1.x() * t2.y() - t1.y() * t2.x() > 0.0 ? 1.0 : -1.0;
  add_row(feature.at_least, sign * Vector2d(t2.y(), -t2.x()));
  add_row(feature.at_least, sign * Vector2d(-t1.y(), t1.x()));
}

LocalShape LocalShape::face(const Vector3d& normal, const Matrix3d& curvature) {
  LocalShape shape;
  shape.kind = Kind::face;
  shape.normals = {normal.normalized()};
  shape.curvatures = {curvature};
  return shape;
}

LocalShape LocalShape::edge(const std::vector<Vector3d>& normals, const std::vector<Matrix3d>& curvatures) {
  if (normals.size() != 2) throw std::invalid_argument("an edge must have two face normals");
  LocalShape shape;
  shape.kind = Kind::edge;
  for (const Vector3d& n : normals) shape.normals.push_back(n.normalized());
  const Vector3d along = shape.normals[0].cross(shape.normals[1]);
  if (along.norm() < kInPlane) throw std::invalid_argument("the two face normals of an edge are parallel");
  shape.curvatures = {curvature_or_flat(curvatures, 0), curvature_or_flat(curvatures, 1)};
  shape.tangents = {along.normalized()};
  shape.bends = {edge_bend(shape.tangents[0], shape.normals[0], shape.curvatures[0], shape.normals[1],
                           shape.curvatures[1])};
  return shape;
}

LocalShape LocalShape::vertex(const std::vector<Vector3d>& tangents,
                              const std::vector<Matrix3d>& curvatures) {
  if (tangents.size() < 3) throw std::invalid_argument("a vertex must have three edges at least");
  LocalShape shape;
  shape.kind = Kind::vertex;
  for (const Vector3d& t : tangents) shape.tangents.push_back(t.normalized());
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& t : shape.tangents) middle += t;
  const std::size_t count = shape.tangents.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Vector3d &before = shape.tangents[(i + count - 1) % count], &t = shape.tangents[i];
    Vector3d n = before.cross(t);
    if (n.norm() < kInPlane) throw std::invalid_argument("successive edges of a vertex are parallel");
    n.normalize();
    if (n.dot(middle) > 0.0) n = -n;
    for (const Vector3d& other : shape.tangents)
      if (n.dot(other) > kInPlane)
        throw std::invalid_argument("the edges of a vertex are not convex, or not in order around it");
    shape.normals.push_back(n);
    shape.curvatures.push_back(curvature_or_flat(curvatures, i));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = (i + 1) % count;
    if (shape.normals[i].cross(shape.normals[next]).norm() < kInPlane)
      throw std::invalid_argument("two neighbouring faces of a vertex lie in one plane");
    shape.bends.push_back(edge_bend(shape.tangents[i], shape.normals[i], shape.curvatures[i],
                                    shape.normals[next], shape.curvatures[next]));
  }
  return shape;
}

std::vector<Vector3d> LocalShape::generators() const {
  if (kind == Kind::vertex) return tangents;
  if (kind == Kind::edge) return {tangents[0], -tangents[0], into_face(*this, 0), into_face(*this, 1)};
  const LocalPlane plane = tangent_plane(normals[0]);
  return {plane.col(0), -plane.col(0), plane.col(1), -plane.col(1), -normals[0]};
}

LocalPlane tangent_plane(const Vector3d& n) {
  LocalPlane plane;
  plane.col(0) = n.unitOrthogonal();
  plane.col(1) = n.cross(plane.col(0)).normalized();
  return plane;
}

TouchingFeature vertex_feature() {
  TouchingFeature feature;
  feature.equal = Eigen::Matrix2d::Identity();
  return feature;
}

TouchingFeature edge_feature(const LocalPlane& plane, const Vector3d& tangent, double bend_along_normal,
                             double sign, bool is_half) {
  const Vector2d t = in_plane(plane, tangent);
  TouchingFeature feature;
  add_row(feature.equal, Vector2d(-t.y(), t.x()));
  if (is_half) add_row(feature.at_least, t);
  feature.bend = sign * bend_along_normal * t * t.transpose();
  return feature;
}

TouchingFeature face_feature(const LocalPlane& plane, const Matrix3d& curvature) {
  TouchingFeature feature;
  feature.bend = plane.transpose() * curvature * plane;
  return feature;
}

std::vector<ContactPiece> separating_pieces(const LocalShape& moving, const LocalShape& fixed) {
  const std::vector<Vector3d> a = moving.generators(), b = fixed.generators();
  Rows rows(static_cast<Eigen::Index>(a.size() + b.size()), 3);
  for (std::size_t i = 0; i < a.size(); ++i) rows.row(static_cast<Eigen::Index>(i)) = a[i];
  for (std::size_t i = 0; i < b.size(); ++i) rows.row(static_cast<Eigen::Index>(a.size() + i)) = -b[i];
  const ConeRays cone = rays_of(rows);
  std::vector<ContactPiece> pieces;
  if (cone.lineality.cols() > 0) return pieces;
  for (Eigen::Index k = 0; k < cone.rays.cols(); ++k) {
    ContactPiece& piece = pieces.emplace_back();
    piece.n = cone.rays.col(k);
    piece.plane = tangent_plane(piece.n);
    piece.moving = feature_on(moving, piece.n, piece.plane, 1.0);
    piece.fixed = feature_on(fixed, piece.n, piece.plane, -1.0);
  }
  return pieces;
}

bool touches_along_a_line(const LocalShape& moving, const LocalShape& fixed) {
  if (separating_pieces(moving, fixed).size() < 2) return false;
  for (const Vector3d& t : moving.tangents) {
    for (const Vector3d& T : fixed.tangents) {
      const bool is_parallel = t.cross(T).norm() <= kInPlane;
      // Half edges that leave in opposite directions share the vertex alone.
      const bool both_half =
          moving.kind == LocalShape::Kind::vertex && fixed.kind == LocalShape::Kind::vertex;
      if (is_parallel && (!both_half || t.dot(T) > 0.0)) return true;
    }
  }
  return false;
}

}  // namespace prehend::observation
