#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/observation/cones/polyhedral_cone.h>
#include <prehend/observation/local/local_cones.h>
#include <prehend/observation/polyhedron_contacts.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;
using geometry::Polyhedron;

// A polyhedron in the world.
struct Placed {
  const Polyhedron& body;
  std::vector<Vector3d> vertices;

  Placed(const Polyhedron& polyhedron, const math::Pose& X) : body(polyhedron) {
    for (const Vector3d& p : polyhedron.vertices()) vertices.push_back(X * p);
  }
  Vector3d at(geometry::VertexIndex vertex) const {
    return vertices[static_cast<std::size_t>(vertex.value())];
  }
};

struct Segment {
  Vector3d start, end;
};

Segment segment_of(const Placed& placed, const geometry::PolyhedronEdge& edge) {
  return {placed.at(edge.start), placed.at(edge.end)};
}

// Where two edges cross within the tolerance; nothing for parallel ones, whose ends are vertices on an edge.
std::optional<Vector3d> crossing(const Segment& a, const Segment& b, double tolerance) {
  const Vector3d da = a.end - a.start, db = b.end - b.start, between = b.start - a.start;
  const Vector3d normal = da.cross(db);
  const double sine = normal.norm() / (da.norm() * db.norm());
  if (!(sine > kConeTolerance)) return std::nullopt;
  const double s = between.cross(db).dot(normal) / normal.squaredNorm();
  const double t = between.cross(da).dot(normal) / normal.squaredNorm();
  const double margin_a = tolerance / da.norm(), margin_b = tolerance / db.norm();
  if (s < -margin_a || s > 1.0 + margin_a || t < -margin_b || t > 1.0 + margin_b) return std::nullopt;
  const Vector3d p = a.start + s * da, q = b.start + t * db;
  if ((p - q).norm() > tolerance) return std::nullopt;
  return 0.5 * (p + q);
}

void add_point(std::vector<Vector3d>& points, const Vector3d& p, double tolerance) {
  const bool is_known = std::any_of(points.begin(), points.end(),
                                    [&](const Vector3d& q) { return (p - q).norm() <= 2.0 * tolerance; });
  if (!is_known) points.push_back(p);
}

// Rows of the cone that a set of vectors generates.
Rows rows_of_generated(const Normals& generators, const Eigen::Matrix3d& R, double sign) {
  Rows vectors(static_cast<Eigen::Index>(generators.size()), 3);
  for (std::size_t i = 0; i < generators.size(); ++i)
    vectors.row(static_cast<Eigen::Index>(i)) = sign * (R * generators[i]).transpose();
  const ConeRays dual = rays_of(vectors);
  Rows rows(dual.rays.cols() + 2 * dual.lineality.cols(), 3);
  rows << dual.rays.transpose(), dual.lineality.transpose(), -dual.lineality.transpose();
  return rows;
}

bool has_same_normals(const Contact& a, const Contact& b) {
  if (a.normals_W.size() != b.normals_W.size()) return false;
  return std::all_of(a.normals_W.begin(), a.normals_W.end(), [&](const Vector3d& n) {
    return std::any_of(b.normals_W.begin(), b.normals_W.end(),
                       [&](const Vector3d& m) { return (n - m).norm() <= 10.0 * kConeTolerance; });
  });
}

bool is_same(const Contact& a, const Contact& b) {
  return (a.points_W[0] - b.points_W[0]).norm() <= 0.0 && has_same_normals(a, b);
}

// All candidate points: vertices of each body near the other's box, and crossings of edges.
std::vector<Vector3d> contact_points(const Placed& moving, const math::Pose& X_WM, const Placed& fixed,
                                     const math::Pose& X_WF, double tolerance) {
  Eigen::AlignedBox3d boxes[2];
  for (const Vector3d& p : moving.vertices) boxes[0].extend(p);
  for (const Vector3d& p : fixed.vertices) boxes[1].extend(p);
  Eigen::AlignedBox3d common = boxes[0].intersection(boxes[1]);
  common.min().array() -= tolerance;
  common.max().array() += tolerance;
  std::vector<Vector3d> points;
  if ((common.min().array() > common.max().array()).any()) return points;
  const auto add_vertices = [&](const Placed& of, const Placed& on, const math::Pose& X) {
    for (std::size_t v = 0; v < of.vertices.size(); ++v) {
      const bool is_corner = of.body.is_corner(geometry::VertexIndex(static_cast<int>(v)));
      if (is_corner && common.contains(of.vertices[v]) &&
          feature_at(on.body, X.inverse() * of.vertices[v], tolerance))
        add_point(points, of.vertices[v], tolerance);
    }
  };
  add_vertices(moving, fixed, X_WF);
  add_vertices(fixed, moving, X_WM);
  const auto segments_in = [&](const Placed& placed) {
    std::vector<Segment> segments;
    for (const geometry::PolyhedronEdge& edge : placed.body.edges()) {
      if (!is_contact_edge(edge)) continue;
      const Segment segment = segment_of(placed, edge);
      Eigen::AlignedBox3d box(segment.start.cwiseMin(segment.end), segment.start.cwiseMax(segment.end));
      if (box.intersects(common)) segments.push_back(segment);
    }
    return segments;
  };
  const std::vector<Segment> of_fixed = segments_in(fixed);
  for (const Segment& a : segments_in(moving)) {
    for (const Segment& b : of_fixed)
      if (const auto p = crossing(a, b, tolerance)) add_point(points, *p, tolerance);
  }
  return points;
}

struct BodiesAt {
  const Polyhedron& moving;
  const math::Pose& X_WM;
  const Polyhedron& fixed;
  const math::Pose& X_WF;
  double tolerance;  // [m]
};

struct PointContacts {
  std::vector<Contact> contacts;
  bool overlaps{false};
};

// One contact for each pair of local cones that touch there.
PointContacts contacts_at_point(const BodiesAt& bodies, const Vector3d& p) {
  PointContacts here;
  // Crossings lie within the tolerance of both edges, vertices of the other body; twice that finds the feature again.
  const auto on_moving = feature_at(bodies.moving, bodies.X_WM.inverse() * p, 2.0 * bodies.tolerance),
             on_fixed = feature_at(bodies.fixed, bodies.X_WF.inverse() * p, 2.0 * bodies.tolerance);
  if (!on_moving || !on_fixed) return here;
  for (const Normals& of_fixed : local_cones(bodies.fixed, *on_fixed)) {
    const Rows inside_fixed = rows_of_generated(of_fixed, bodies.X_WF.R(), 1.0);
    for (const Normals& of_moving : local_cones(bodies.moving, *on_moving)) {
      const Rows inside_moving = rows_of_generated(of_moving, bodies.X_WM.R(), -1.0);
      Rows both(inside_fixed.rows() + inside_moving.rows(), 3);
      both << inside_fixed, inside_moving;
      const ConeRays planes = rays_of(both);
      Contact contact{std::string(name_of(on_moving->kind)) + "-" + name_of(on_fixed->kind), {p}, {}};
      for (Eigen::Index k = 0; k < planes.rays.cols(); ++k) contact.normals_W.push_back(planes.rays.col(k));
      here.overlaps = here.overlaps || contact.normals_W.empty();
      if (contact.normals_W.empty()) continue;
      if (std::none_of(here.contacts.begin(), here.contacts.end(),
                       [&](const Contact& other) { return is_same(contact, other); }))
        here.contacts.push_back(std::move(contact));
    }
  }
  return here;
}

// Ends of an edge along an edge: the same planes at both, and in the middle. Points along one line come as one contact.
void join_lines(const BodiesAt& bodies, ContactRelation& relation) {
  std::vector<Contact>& contacts = relation.contacts;
  for (std::size_t a = 0; a < contacts.size(); ++a) {
    for (std::size_t b = a + 1; b < contacts.size();) {
      const Contact &one = contacts[a], &other = contacts[b];
      const Vector3d &p = one.points_W[0], &q = other.points_W[0];
      bool is_line = one.normals_W.size() == 2 && has_same_normals(one, other);
      for (const Vector3d& n : one.normals_W)
        is_line = is_line && std::abs(n.dot(q - p)) <= 2.0 * bodies.tolerance;
      if (is_line) {
        const PointContacts middle = contacts_at_point(bodies, 0.5 * (p + q));
        is_line = std::any_of(middle.contacts.begin(), middle.contacts.end(),
                              [&](const Contact& here) { return has_same_normals(one, here); });
      }
      if (!is_line) {
        ++b;
        continue;
      }
      contacts[a].type = "edge-edge";
      contacts[a].points_W.push_back(q);
      contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(b));
    }
  }
}

// Normals that are equal or opposite but for the rounding of meshes are made so: walls on both sides of a body leave no sliver of freedom between them.
void align_normals(ContactRelation& relation, double angle) {
  std::vector<Vector3d> known;
  for (Contact& contact : relation.contacts) {
    for (Vector3d& normal : contact.normals_W) {
      const auto like = std::find_if(known.begin(), known.end(), [&](const Vector3d& other) {
        return other.cross(normal).norm() <= angle;
      });
      if (like == known.end())
        known.push_back(normal);
      else
        normal = like->dot(normal) > 0.0 ? *like : Vector3d(-*like);
    }
  }
}

}  // namespace

void PolyhedronContactOptions::validate() const {
  const math::OptionCheck check("PolyhedronContactOptions");
  check.above("tolerance_rel", tolerance_rel, 0.0);
  check.holds(tolerance_rel < 0.1, "tolerance_rel", math::number_text(tolerance_rel), "below 0.1");
}

PolyhedronContacts find_contacts(const Polyhedron& moving, const math::Pose& X_WM, const Polyhedron& fixed,
                                 const math::Pose& X_WF, const PolyhedronContactOptions& options) {
  options.validate();
  if (!moving.is_closed() || !fixed.is_closed())
    throw std::invalid_argument(std::string("the ") + (moving.is_closed() ? "fixed" : "moving") +
                                " body's mesh is not closed: inside and outside are undefined");
  const double tolerance = options.tolerance_rel * std::min(moving.size(), fixed.size());
  const BodiesAt bodies{moving, X_WM, fixed, X_WF, tolerance};
  PolyhedronContacts found;
  for (const Vector3d& p : contact_points(Placed(moving, X_WM), X_WM, Placed(fixed, X_WF), X_WF, tolerance)) {
    const PointContacts here = contacts_at_point(bodies, p);
    if (here.overlaps)
      found.problems.push_back("at (" + math::number_text(p.x()) + ", " + math::number_text(p.y()) + ", " +
                               math::number_text(p.z()) +
                               ") no plane separates the bodies: they overlap there");
    found.relation.contacts.insert(found.relation.contacts.end(), here.contacts.begin(), here.contacts.end());
  }
  if (options.joins_lines) join_lines(bodies, found.relation);
  align_normals(found.relation, options.tolerance_rel);
  return found;
}

}  // namespace prehend::observation
