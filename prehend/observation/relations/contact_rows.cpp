#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/observation/relations/contact_rows.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;
using Row = ContactRow;

void add_plane(std::vector<Row>& rows, Row::Kind kind, const Vector3d& point, const Vector3d& normal,
               double offset) {
  Row row;
  row.kind = kind;
  row.point = point;
  row.normal = normal;
  row.offset = offset;
  rows.push_back(row);
}

// A point on a line: two planes through it.
void add_line(std::vector<Row>& rows, Row::Kind kind, const Vector3d& point, const Vector3d& line_point,
              const Vector3d& direction) {
  const Vector3d u = direction.unitOrthogonal(), v = direction.normalized().cross(u);
  add_plane(rows, kind, point, u, u.dot(line_point));
  add_plane(rows, kind, point, v, v.dot(line_point));
}

// Three corners of a face that span it best.
std::vector<int> spanning_corners(const BodyFeatures& body, const FaceFeature& face) {
  const Vector3d& first = body.corners[at(face.corners[0])];
  int far = face.corners[0], high = face.corners[0];
  double length = -1.0, height = -1.0;
  for (const int c : face.corners) {
    const double here = (body.corners[at(c)] - first).norm();
    if (here > length) {
      length = here;
      far = c;
    }
  }
  const Vector3d along = (body.corners[at(far)] - first).normalized();
  for (const int c : face.corners) {
    const double here = (body.corners[at(c)] - first).cross(along).norm();
    if (here > height) {
      height = here;
      high = c;
    }
  }
  return {face.corners[0], far, high};
}

// Corners of the feature that have to lie on the other's plane or line.
std::vector<int> bearing_corners(const BodyFeatures& body, const FeatureRef& feature) {
  if (feature.kind == FeatureKind::vertex) return {feature.index};
  if (feature.kind == FeatureKind::edge)
    return {body.edges[at(feature.index)].start, body.edges[at(feature.index)].end};
  return spanning_corners(body, body.faces[at(feature.index)]);
}

}  // namespace

void append_rows(const PairFeatures& pair, const PrincipalContact& contact, std::vector<Row>& rows) {
  const BodyFeatures &m = pair.moving, &f = pair.fixed;
  if (contact.fixed.kind == FeatureKind::face) {
    const FaceFeature& face = f.faces[at(contact.fixed.index)];
    for (const int c : bearing_corners(m, contact.moving))
      add_plane(rows, Row::Kind::point_on_fixed, m.corners[at(c)], face.normal, face.offset);
  } else if (contact.moving.kind == FeatureKind::face) {
    const FaceFeature& face = m.faces[at(contact.moving.index)];
    for (const int c : bearing_corners(f, contact.fixed))
      add_plane(rows, Row::Kind::point_on_moving, f.corners[at(c)], face.normal, face.offset);
  } else if (contact.fixed.kind == FeatureKind::edge &&
             (contact.moving.kind == FeatureKind::vertex || contact.is_parallel)) {
    const EdgeFeature& edge = f.edges[at(contact.fixed.index)];
    const Vector3d& start = f.corners[at(edge.start)];
    for (const int c : bearing_corners(m, contact.moving))
      add_line(rows, Row::Kind::point_on_fixed, m.corners[at(c)], start, f.corners[at(edge.end)] - start);
  } else if (contact.moving.kind == FeatureKind::edge && contact.fixed.kind == FeatureKind::vertex) {
    const EdgeFeature& edge = m.edges[at(contact.moving.index)];
    const Vector3d& start = m.corners[at(edge.start)];
    add_line(rows, Row::Kind::point_on_moving, f.corners[at(contact.fixed.index)], start,
             m.corners[at(edge.end)] - start);
  } else if (contact.moving.kind == FeatureKind::vertex) {
    const Vector3d& corner = f.corners[at(contact.fixed.index)];
    for (int axis = 0; axis < 3; ++axis)
      add_plane(rows, Row::Kind::point_on_fixed, m.corners[at(contact.moving.index)], Vector3d::Unit(axis),
                corner[axis]);
  } else {
    const EdgeFeature &a = m.edges[at(contact.moving.index)], &b = f.edges[at(contact.fixed.index)];
    Row row;
    row.kind = Row::Kind::crossing;
    row.point = m.corners[at(a.start)];
    row.normal = (m.corners[at(a.end)] - row.point).normalized();
    row.other_point = f.corners[at(b.start)];
    row.other_direction = (f.corners[at(b.end)] - row.other_point).normalized();
    rows.push_back(row);
  }
}

std::vector<Row> rows_of(const PairFeatures& pair, const PrincipalContacts& contacts) {
  std::vector<Row> rows;
  for (const PrincipalContact& contact : contacts) append_rows(pair, contact, rows);
  return rows;
}

RowValue evaluate(const Row& row, const Eigen::Matrix3d& R, const Vector3d& p, const Vector3d& centre) {
  RowValue value;
  if (row.kind == Row::Kind::point_on_fixed) {
    const Vector3d x = R * row.point + p;
    value.gap = row.normal.dot(x) - row.offset;
    value.slope << (x - centre).cross(row.normal).transpose(), row.normal.transpose();
  } else if (row.kind == Row::Kind::point_on_moving) {
    const Vector3d n = R * row.normal;
    value.gap = n.dot(row.point - p) - row.offset;
    value.slope << -(row.point - centre).cross(n).transpose(), -n.transpose();
  } else {
    const Vector3d a = R * row.point + p, da = R * row.normal, between = row.other_point - a;
    Vector3d normal = da.cross(row.other_direction);
    const double sine = normal.norm();
    if (!(sine > 1e-9)) return value;  // parallel lines have no common normal; the step is left to other rows
    normal /= sine;
    const double s = between.cross(row.other_direction).dot(normal) / sine;
    value.gap = -normal.dot(between);
    value.slope << (a + s * da - centre).cross(normal).transpose(), normal.transpose();
  }
  return value;
}

ShortestStep shortest_step(const std::vector<RowVector6d>& slopes, const std::vector<double>& values,
                           double tolerance) {
  // Gram-Schmidt with the largest rest first: rows = L Q, y = L^-1 values, x = Q^T y.
  ShortestStep step;
  const std::size_t count = std::min(slopes.size(), kMostRows);
  std::array<RowVector6d, kMostRows> rest;
  std::array<double, kMostRows> open, size, scale;
  std::array<bool, kMostRows> is_used;
  for (std::size_t i = 0; i < count; ++i) {
    rest[i] = slopes[i];
    open[i] = values[i];
    size[i] = scale[i] = slopes[i].squaredNorm();
    is_used[i] = !(scale[i] > 0.0);
  }
  while (step.rank < 6) {
    std::size_t best = count;
    double share = tolerance * tolerance;
    for (std::size_t i = 0; i < count; ++i) {
      if (is_used[i] || !(size[i] > share * scale[i])) continue;
      share = size[i] / scale[i];
      best = i;
    }
    if (best == count) break;
    const double length = std::sqrt(size[best]);
    const RowVector6d q = rest[best] / length;
    const double y = open[best] / length;
    step.x += y * q.transpose();
    is_used[best] = true;
    step.used[static_cast<std::size_t>(step.rank++)] = static_cast<int>(best);
    for (std::size_t i = 0; i < count; ++i) {
      if (is_used[i]) continue;
      const double along = rest[i].dot(q);
      rest[i] -= along * q;
      open[i] -= along * y;
      size[i] = rest[i].squaredNorm();
    }
  }
  return step;
}

}  // namespace prehend::observation
