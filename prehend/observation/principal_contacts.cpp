#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <prehend/math/enum_text.h>
#include <prehend/observation/principal_contacts.h>
#include <prehend/observation/relations/placed_pair.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;

// Faces and edges that a feature belongs to, itself included.
std::vector<FeatureRef> upward(const BodyFeatures& body, const FeatureRef& feature) {
  std::vector<FeatureRef> all = {feature};
  if (feature.kind == FeatureKind::edge) {
    all.push_back({FeatureKind::face, body.edges[at(feature.index)].left});
    all.push_back({FeatureKind::face, body.edges[at(feature.index)].right});
  } else if (feature.kind == FeatureKind::vertex) {
    for (const int e : body.corner_edges[at(feature.index)]) all.push_back({FeatureKind::edge, e});
    for (const int f : body.corner_faces[at(feature.index)]) all.push_back({FeatureKind::face, f});
  }
  return all;
}

// Collects principal contacts, larger features first; those that bound a known one are left out.
class ContactCollection {
 public:
  ContactCollection(const PairFeatures& pair, const math::Pose& X_FM, double tolerance)
      : pair_(pair), placed_(pair, X_FM), tolerance_(tolerance) {}

  PrincipalContacts collect() {
    if (!boxes_meet()) return {};
    add_faces();
    add_edges_on_faces(placed_.moving, true);
    add_edges_on_faces(placed_.fixed, false);
    add_edges_in_grooves(placed_.moving, true);
    add_edges_in_grooves(placed_.fixed, false);
    add_edges_along();
    add_edge_crossings();
    add_corners(placed_.moving, true);
    add_corners(placed_.fixed, false);
    add_corners_on_corners();
    std::sort(found_.begin(), found_.end());
    return found_;
  }

 private:
  using Kind = FeatureKind;

  bool boxes_meet() const {
    Eigen::AlignedBox3d box;
    for (const Vector3d& p : placed_.moving.corners) box.extend(p);
    box.min().array() -= tolerance_;
    box.max().array() += tolerance_;
    return box.intersects(pair_.fixed.box);
  }

  void add(FeatureRef moving, FeatureRef fixed, bool is_parallel = false) {
    for (const FeatureRef& a : upward(pair_.moving, moving))
      for (const FeatureRef& b : upward(pair_.fixed, fixed))
        for (const PrincipalContact& known : found_)
          if (known.moving == a && known.fixed == b) return;
    found_.push_back({moving, fixed, is_parallel});
  }

  void add_faces() {
    const PlacedSide& side = placed_.moving;
    for (int a = 0; a < static_cast<int>(side.of.faces.size()); ++a) {
      const FaceFeature& face = side.of.faces[at(a)];
      const Vector3d normal = side.R * face.normal;
      for (int b = 0; b < static_cast<int>(side.on.faces.size()); ++b) {
        if (normal.dot(side.on.faces[at(b)].normal) > -0.9) continue;
        const bool is_flat = std::all_of(face.corners.begin(), face.corners.end(),
                                         [&](int c) { return std::abs(side.heights(c, b)) <= tolerance_; });
        if (is_flat && face_overlap(side, a, b, tolerance_) == FaceOverlap::area)
          add({Kind::face, a}, {Kind::face, b});
      }
    }
  }

  void add_edges_on_faces(const PlacedSide& side, bool is_moving) {
    for (int e = 0; e < static_cast<int>(side.of.edges.size()); ++e) {
      const EdgeFeature& edge = side.of.edges[at(e)];
      if (!edge.is_convex) continue;
      for (int f = 0; f < static_cast<int>(side.on.faces.size()); ++f) {
        if (!side.has_edge_in_plane(edge, f, tolerance_)) continue;
        const InsideShare share = inside_share(side.on.faces[at(f)], side.corners[at(edge.start)],
                                               side.corners[at(edge.end)], tolerance_);
        if (!(share.length > tolerance_)) continue;
        const FeatureRef of{Kind::edge, e}, on{Kind::face, f};
        is_moving ? add(of, on) : add(on, of);
      }
    }
  }

  void add_on_face(const FeatureRef& of, int face, bool is_moving) {
    const FeatureRef on{Kind::face, face};
    is_moving ? add(of, on) : add(on, of);
  }

  // An edge along a concave one touches both faces that meet there, though inside neither.
  void add_edges_in_grooves(const PlacedSide& side, bool is_moving) {
    for (int b = 0; b < static_cast<int>(side.on.edges.size()); ++b) {
      const EdgeFeature& groove = side.on.edges[at(b)];
      if (groove.is_convex) continue;
      for (int a = 0; a < static_cast<int>(side.of.edges.size()); ++a) {
        const EdgeFeature& edge = side.of.edges[at(a)];
        if (!edge.is_convex || !side.has_edge_in_plane(edge, groove.left, tolerance_)) continue;
        const SharedLine line =
            shared_line(side.corners[at(edge.start)], side.corners[at(edge.end)],
                        side.on.corners[at(groove.start)], side.on.corners[at(groove.end)], tolerance_);
        if (!line.is_common || !(line.end - line.begin > tolerance_)) continue;
        for (const int face : {groove.left, groove.right}) add_on_face({Kind::edge, a}, face, is_moving);
      }
    }
  }

  void add_edges_along() {
    const PlacedSide& side = placed_.moving;
    for (int a = 0; a < static_cast<int>(side.of.edges.size()); ++a) {
      const EdgeFeature& edge = side.of.edges[at(a)];
      if (!edge.is_convex) continue;
      for (int b = 0; b < static_cast<int>(side.on.edges.size()); ++b) {
        const EdgeFeature& other = side.on.edges[at(b)];
        if (!other.is_convex || !side.has_edge_in_plane(edge, other.left, tolerance_)) continue;
        const SharedLine line =
            shared_line(side.corners[at(edge.start)], side.corners[at(edge.end)],
                        side.on.corners[at(other.start)], side.on.corners[at(other.end)], tolerance_);
        if (line.is_common && line.end - line.begin > tolerance_) add({Kind::edge, a}, {Kind::edge, b}, true);
      }
    }
  }

  void add_edge_crossings() {
    const PlacedSide& side = placed_.moving;
    for (int a = 0; a < static_cast<int>(side.of.edges.size()); ++a) {
      const EdgeFeature& edge = side.of.edges[at(a)];
      if (!edge.is_convex) continue;
      const Vector3d &a0 = side.corners[at(edge.start)], &a1 = side.corners[at(edge.end)];
      for (int b = 0; b < static_cast<int>(side.on.edges.size()); ++b) {
        const EdgeFeature& other = side.on.edges[at(b)];
        if (!other.is_convex) continue;
        const Vector3d &b0 = side.on.corners[at(other.start)], &b1 = side.on.corners[at(other.end)];
        const LineMeeting meeting = meeting_of(a0, a1, b0, b1);
        if (meeting.is_parallel || meeting.distance > tolerance_) continue;
        const double ma = tolerance_ / (a1 - a0).norm(), mb = tolerance_ / (b1 - b0).norm();
        if (meeting.s > ma && meeting.s < 1.0 - ma && meeting.t > mb && meeting.t < 1.0 - mb)
          add({Kind::edge, a}, {Kind::edge, b});
      }
    }
  }

  void add_corners(const PlacedSide& side, bool is_moving) {
    for (int c = 0; c < static_cast<int>(side.corners.size()); ++c) {
      const Vector3d& p = side.corners[at(c)];
      const FeatureRef of{Kind::vertex, c};
      for (int f = 0; f < static_cast<int>(side.on.faces.size()); ++f) {
        if (std::abs(side.heights(c, f)) > tolerance_ || !(side.on.faces[at(f)].depth_of(p) > tolerance_))
          continue;
        add_on_face(of, f, is_moving);
      }
      for (int e = 0; e < static_cast<int>(side.on.edges.size()); ++e) {
        const EdgeFeature& edge = side.on.edges[at(e)];
        if (std::abs(side.heights(c, edge.left)) > 2.0 * tolerance_) continue;
        const SharedLine line =
            shared_line(p, p, side.on.corners[at(edge.start)], side.on.corners[at(edge.end)], tolerance_);
        const double length = (side.on.corners[at(edge.end)] - side.on.corners[at(edge.start)]).norm();
        if (!line.is_common || !(line.begin > tolerance_) || !(line.end < length - tolerance_)) continue;
        if (!edge.is_convex) {  // both faces of the groove
          for (const int face : {edge.left, edge.right}) add_on_face(of, face, is_moving);
          continue;
        }
        const FeatureRef on{Kind::edge, e};
        is_moving ? add(of, on) : add(on, of);
      }
    }
  }

  // A corner in a hollow, where all edges are concave, touches the faces around it.
  static bool is_hollow(const BodyFeatures& body, int corner) {
    const std::vector<int>& edges = body.corner_edges[at(corner)];
    return std::none_of(edges.begin(), edges.end(), [&](int e) { return body.edges[at(e)].is_convex; });
  }

  void add_corners_on_corners() {
    const PlacedSide& side = placed_.moving;
    for (int a = 0; a < static_cast<int>(side.corners.size()); ++a) {
      for (int b = 0; b < static_cast<int>(side.on.corners.size()); ++b) {
        if ((side.corners[at(a)] - side.on.corners[at(b)]).norm() > tolerance_) continue;
        if (is_hollow(side.on, b)) {
          for (const int face : side.on.corner_faces[at(b)]) add_on_face({Kind::vertex, a}, face, true);
        } else if (is_hollow(side.of, a)) {
          for (const int face : side.of.corner_faces[at(a)]) add_on_face({Kind::vertex, b}, face, false);
        } else {
          add({Kind::vertex, a}, {Kind::vertex, b});
        }
      }
    }
  }

  const PairFeatures& pair_;
  PlacedPair placed_;
  double tolerance_;
  PrincipalContacts found_;
};

// The moving body's part first.
struct Ends {
  Vector3d start, end;
};
Ends ends_of(const std::vector<Vector3d>& corners, const EdgeFeature& edge) {
  return {corners[at(edge.start)], corners[at(edge.end)]};
}

bool touches_face(const PlacedSide& side, const FeatureRef& of, int face, double tolerance) {
  const FaceFeature& on = side.on.faces[at(face)];
  if (of.kind == FeatureKind::vertex)
    return std::abs(side.heights(of.index, face)) <= tolerance &&
           on.depth_of(side.corners[at(of.index)]) >= -tolerance;
  if (of.kind == FeatureKind::edge) {
    const EdgeFeature& edge = side.of.edges[at(of.index)];
    return side.has_edge_in_plane(edge, face, tolerance) &&
           inside_share(on, side.corners[at(edge.start)], side.corners[at(edge.end)], tolerance).is_touching;
  }
  const FaceFeature& a = side.of.faces[at(of.index)];
  return (side.R * a.normal).dot(on.normal) < 0.0 &&
         std::all_of(
             a.corners.begin(), a.corners.end(),
             [&](int c) { return std::abs(side.heights(c, face)) <= tolerance; }) &&
         face_overlap(side, of.index, face, tolerance) != FaceOverlap::apart;
}

bool touches_edge(const PlacedSide& side, const FeatureRef& of, int e, bool is_parallel, double tolerance) {
  const Ends on = ends_of(side.on.corners, side.on.edges[at(e)]);
  if (of.kind == FeatureKind::vertex || is_parallel) {
    const Ends a = of.kind == FeatureKind::vertex
                       ? Ends{side.corners[at(of.index)], side.corners[at(of.index)]}
                       : ends_of(side.corners, side.of.edges[at(of.index)]);
    const SharedLine line = shared_line(a.start, a.end, on.start, on.end, tolerance);
    return line.is_common && line.end - line.begin >= -tolerance;
  }
  const Ends a = ends_of(side.corners, side.of.edges[at(of.index)]);
  const LineMeeting meeting = meeting_of(a.start, a.end, on.start, on.end);
  if (meeting.is_parallel) {  // crossing edges in the limit
    const SharedLine line = shared_line(a.start, a.end, on.start, on.end, tolerance);
    return line.is_common && line.end - line.begin >= -tolerance;
  }
  const double ma = tolerance / (a.end - a.start).norm(), mb = tolerance / (on.end - on.start).norm();
  return meeting.distance <= tolerance && meeting.s >= -ma && meeting.s <= 1.0 + ma && meeting.t >= -mb &&
         meeting.t <= 1.0 + mb;
}

// Whether some stretch of an edge lies inside the other body: between where it meets faces, borders included.
bool has_edge_inside(const PlacedSide& side, double tolerance) {
  Eigen::AlignedBox3d box = side.on.box;
  box.min().array() += tolerance;
  box.max().array() -= tolerance;
  std::vector<double> cuts;
  for (const EdgeFeature& edge : side.of.edges) {
    const Vector3d &a = side.corners[at(edge.start)], &b = side.corners[at(edge.end)];
    if (!Eigen::AlignedBox3d(a.cwiseMin(b), a.cwiseMax(b)).intersects(box)) continue;
    const double length = (b - a).norm();
    cuts = {0.0, 1.0};
    for (Eigen::Index f = 0; f < side.heights.cols(); ++f) {
      const double ha = side.heights(edge.start, f), hb = side.heights(edge.end, f);
      if ((ha > 0.0) != (hb > 0.0)) cuts.push_back(ha / (ha - hb));
    }
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      if ((cuts[i + 1] - cuts[i]) * length <= tolerance) continue;
      if (side.on.contains(a + 0.5 * (cuts[i] + cuts[i + 1]) * (b - a), tolerance)) return true;
    }
  }
  return false;
}

bool has_face_point_inside(const PlacedSide& side, double tolerance) {
  return std::any_of(side.of.faces.begin(), side.of.faces.end(), [&](const FaceFeature& face) {
    return side.on.contains(side.corners[0] + side.R * (face.inner_point - side.of.corners[0]), tolerance);
  });
}

bool do_touch(const PlacedPair& placed, const PrincipalContact& contact, double tolerance) {
  if (contact.fixed.kind == FeatureKind::face)
    return touches_face(placed.moving, contact.moving, contact.fixed.index, tolerance);
  if (contact.moving.kind == FeatureKind::face)
    return touches_face(placed.fixed, contact.fixed, contact.moving.index, tolerance);
  if (contact.fixed.kind == FeatureKind::edge)
    return touches_edge(placed.moving, contact.moving, contact.fixed.index, contact.is_parallel, tolerance);
  if (contact.moving.kind == FeatureKind::edge)
    return touches_edge(placed.fixed, contact.fixed, contact.moving.index, false, tolerance);
  return (placed.moving.corners[at(contact.moving.index)] - placed.fixed.of.corners[at(contact.fixed.index)])
             .norm() <= tolerance;
}

bool is_on_feature(const BodyFeatures& body, const FeatureRef& feature, const Vector3d& p, double tolerance) {
  if (feature.kind == FeatureKind::vertex) return (body.corners[at(feature.index)] - p).norm() <= tolerance;
  if (feature.kind == FeatureKind::edge) {
    const Ends ends = ends_of(body.corners, body.edges[at(feature.index)]);
    const SharedLine line = shared_line(p, p, ends.start, ends.end, tolerance);
    return line.is_common && line.end - line.begin >= -tolerance;
  }
  const FaceFeature& face = body.faces[at(feature.index)];
  return std::abs(face.normal.dot(p) - face.offset) <= tolerance && face.depth_of(p) >= -tolerance;
}

bool do_overlap(const PlacedPair& placed, double tolerance) {
  return has_edge_inside(placed.moving, tolerance) || has_edge_inside(placed.fixed, tolerance) ||
         has_face_point_inside(placed.moving, tolerance) || has_face_point_inside(placed.fixed, tolerance);
}

}  // namespace

const char* to_string(FeatureKind kind) { return enum_text(kind); }

bool PrincipalContact::is_singular() const {
  return moving.kind != FeatureKind::face && fixed.kind != FeatureKind::face &&
         (moving.kind == FeatureKind::vertex || fixed.kind == FeatureKind::vertex || is_parallel);
}

std::string PrincipalContact::type() const {
  return std::string(to_string(moving.kind)) + "-" + to_string(fixed.kind);
}

std::string PrincipalContact::text() const {
  return std::string(to_string(moving.kind)) + " " + std::to_string(moving.index) +
         (is_parallel ? " along " : " on ") + to_string(fixed.kind) + " " + std::to_string(fixed.index);
}

BodyPair::BodyPair(const geometry::Polyhedron& moving, const geometry::Polyhedron& fixed) {
  for (const geometry::Polyhedron* body : {&moving, &fixed}) {
    const std::string which = body == &moving ? "the moving body's mesh" : "the fixed body's mesh";
    if (body->faces().empty()) throw std::invalid_argument(which + " has no faces");
    if (!body->is_closed())
      throw std::invalid_argument(which + " is not closed: inside and outside are undefined");
  }
  features_ = std::make_shared<PairFeatures>(moving, fixed);
}

const geometry::Polyhedron& BodyPair::moving() const { return features_->moving_body; }
const geometry::Polyhedron& BodyPair::fixed() const { return features_->fixed_body; }
double BodyPair::size() const { return features_->size; }

PrincipalContacts BodyPair::contacts_at(const math::Pose& X_FM, double tolerance) const {
  return ContactCollection(*features_, X_FM, tolerance).collect();
}

bool BodyPair::touches(const PrincipalContact& contact, const math::Pose& X_FM, double tolerance) const {
  return do_touch(PlacedPair(*features_, X_FM), contact, tolerance);
}

bool BodyPair::is_on(const Vector3d& p_F, const PrincipalContact& contact, const math::Pose& X_FM,
                     double tolerance) const {
  return is_on_feature(features_->fixed, contact.fixed, p_F, tolerance) &&
         is_on_feature(features_->moving, contact.moving, X_FM.inverse() * p_F, tolerance);
}

bool BodyPair::is_possible(const PrincipalContacts& contacts, const math::Pose& X_FM, double touch_tolerance,
                           double overlap_tolerance) const {
  const PlacedPair placed(*features_, X_FM);
  for (const PrincipalContact& contact : contacts)
    if (!do_touch(placed, contact, touch_tolerance)) return false;
  return !do_overlap(placed, overlap_tolerance);
}

bool BodyPair::overlaps(const math::Pose& X_FM, double tolerance) const {
  return do_overlap(PlacedPair(*features_, X_FM), tolerance);
}

}  // namespace prehend::observation
