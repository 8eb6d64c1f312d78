#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/math/enum_text.h>
#include <prehend/observation/second/contact_pieces.h>
#include <prehend/observation/second/local_shape.h>

namespace prehend::observation {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Plane = Eigen::Matrix<double, 3, 2>;

enum class Primitive { vertex, edge, face, half_edge, half_face, quarter_face };

// [rad, or of the curvature] How far tangents may be off the tangent plane and curvatures off symmetry: three to four digits in a
// file. What is left is taken away before it is used.
constexpr double kFits = 1e-3;

// [1/m] Sharper than an atom.
constexpr double kSharpest = 1e9;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

bool is_face_like(Primitive p) {
  return p == Primitive::face || p == Primitive::half_face || p == Primitive::quarter_face;
}
bool is_edge_like(Primitive p) { return p == Primitive::edge || p == Primitive::half_edge; }

// Checks and completes the two sides of one contact.
class ContactReading {
 public:
  ContactReading(const Contact& contact, int index, std::vector<std::string>& notes)
      : contact_(contact), index_(index), notes_(notes) {
    read_type();
    const std::size_t count = contact.points_W.size();
    const bool is_pointed = (moving_ == Primitive::vertex && !is_face_like(fixed_)) ||
                            (fixed_ == Primitive::vertex && !is_face_like(moving_));
    if (is_pointed && !contact.is_singular() &&
        !(has_shape(contact.moving, moving_) && has_shape(contact.fixed, fixed_)))
      fail("one normal, but several planes separate a vertex from a vertex or an edge: give 'normals_W'");
    if (count > 1) along_ = contact.points_W.back() - contact.points_W.front();
    check_side(contact.moving, moving_, "moving");
    check_side(contact.fixed, fixed_, "fixed");
    say_what_is_flat();
  }

  // Pieces at the point of contact, in units of `length`; their place is left to the caller.
  std::vector<ContactPiece> pieces(double length) const {
    std::vector<ContactPiece> pieces;
    if (has_shape(contact_.moving, moving_) && has_shape(contact_.fixed, fixed_) &&
        (!contact_.moving.tangents_W.empty() || !contact_.fixed.tangents_W.empty() ||
         !contact_.moving.normals_W.empty() || !contact_.fixed.normals_W.empty())) {
      pieces = pieces_of_shapes(length);
    } else {
      for (const Vector3d& normal : contact_.normals_W) pieces.push_back(piece(normal.normalized(), length));
    }
    restrict_to_corners(pieces);
    for (const ContactPiece& piece : pieces) {
      if (const std::optional<double> bend = overlap_before_motion(piece))
        fail("the bodies overlap before they move: " + overlap_text() + " bend into each other by " +
             number(-*bend / length) + " /m");
    }
    return pieces;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw ContactError(static_cast<std::size_t>(index_), why);
  }
  void note(const std::string& text) const {
    notes_.push_back("contact " + std::to_string(index_) + ": " + text);
  }

  std::string overlap_text() const {
    return std::string("the moving ") + enum_text(moving_) + " and the fixed " + enum_text(fixed_);
  }

  void read_type() {
    const std::string& type = contact_.type;
    if (!type.empty()) {
      const std::size_t dash = type.find('-');
      const auto moving = from_string<Primitive>(std::string_view(type).substr(0, dash)),
                 fixed = dash == std::string::npos
                             ? std::nullopt
                             : from_string<Primitive>(std::string_view(type).substr(dash + 1));
      if (!moving || !fixed) fail("its type '" + type + "' names no two primitives, as in \"vertex-face\"");
      moving_ = *moving;
      fixed_ = *fixed;
      return;
    }
    const std::optional<Primitive> moving = guess(contact_.moving), fixed = guess(contact_.fixed);
    if (!moving && !fixed)
      fail(
          "it has neither 'type' nor curvatures: second order must know what touches what, as in "
          "\"type\":\"vertex-face\"");
    moving_ = moving.value_or(*fixed == Primitive::face ? Primitive::vertex : Primitive::face);
    fixed_ = fixed.value_or(*moving == Primitive::face ? Primitive::vertex : Primitive::face);
    note(std::string("taken as ") + enum_text(moving_) + "-" + enum_text(fixed_) +
         ", by what its sides give");
  }

  static std::optional<Primitive> guess(const ContactSide& side) {
    if (side.face_curvature_W) return Primitive::face;
    if (side.tangent_W || side.edge_curvature_W) return Primitive::edge;
    return std::nullopt;
  }

  // Not for vertices and edges with several planes: their normal is none of the body's own.
  void check_in_plane(const Vector3d& a, const std::string& what) const {
    if (!(a.norm() > 0.0) || !std::isfinite(a.norm())) fail(what + " is zero or not finite");
    if (contact_.is_singular()) return;
    const double off = std::abs(a.normalized().dot(contact_.normals_W[0].normalized()));
    if (off > kFits)
      fail(what + " is " + number(math::degrees(std::asin(std::min(1.0, off)))) +
           " deg off the tangent plane; it must be orthogonal to the normal");
  }

  void check_curvature(const Matrix3d& m, const Vector3d& n, const std::string& what) const {
    if (!(m.cwiseAbs().maxCoeff() <= kSharpest)) fail(what + " is not finite, or beyond 1e9 /m");
    if ((m - m.transpose()).norm() > kFits * m.norm())
      fail(what + " is not symmetric (off by " + number((m - m.transpose()).cwiseAbs().maxCoeff()) + " /m)");
    if ((m * n).norm() > kFits * m.norm())
      fail(what + " has a part along the normal (" + number((m * n).norm()) + " /m); it must be zero there");
  }

  void check_side(const ContactSide& side, Primitive primitive, const std::string& name) {
    const std::string whose = "'" + name + ".", is = std::string(enum_text(primitive));
    const Vector3d n = contact_.normals_W[0].normalized();
    if (is_face_like(primitive)) {
      if (side.edge_curvature_W)
        fail(whose + "curvature_W_1pm' has three numbers; that of a " + is + " is a 3x3 matrix");
      if (side.face_curvature_W) check_curvature(*side.face_curvature_W, n, whose + "curvature_W_1pm'");
    } else if (side.face_curvature_W) {
      fail(whose + "curvature_W_1pm' is a matrix; " +
           (is_edge_like(primitive) ? "that of an edge is a vector" : "a vertex has no curvature"));
    }
    if (primitive == Primitive::vertex && side.edge_curvature_W)
      fail(whose + "curvature_W_1pm' is given, but a vertex has no curvature");
    if (primitive == Primitive::half_face) {
      if (!side.inward_W) fail(whose + "inward_W' is missing: from the edge into the half_face");
      check_in_plane(*side.inward_W, whose + "inward_W'");
    }
    if (primitive == Primitive::quarter_face) {
      if (side.tangents_W.size() != 2)
        fail(whose + "tangents_W' must hold the two edges of the quarter_face, away from its vertex");
      for (const Vector3d& t : side.tangents_W) check_in_plane(t, whose + "tangents_W'");
      if (side.tangents_W[0].normalized().cross(side.tangents_W[1].normalized()).norm() < kFits)
        fail("the two edges of the " + name + " quarter_face are parallel");
    }
    if (is_edge_like(primitive)) check_edge(side, primitive, whose);
    check_faces(side, primitive, whose);
    for (const Vector3d& a : side.normals_W)
      if (!a.allFinite() || !(a.norm() > 0.0)) fail(whose + "normals_W' has one that is zero or not finite");
    if (primitive == Primitive::edge && !side.normals_W.empty() && side.normals_W.size() != 2)
      fail(whose + "normals_W' must hold the normals of the edge's two faces");
  }

  // Curvatures of the faces around a vertex or an edge.
  void check_faces(const ContactSide& side, Primitive primitive, const std::string& whose) const {
    const std::size_t faces = primitive == Primitive::vertex ? side.tangents_W.size() : side.normals_W.size();
    if (!side.curvatures_W.empty() && side.curvatures_W.size() != faces)
      fail(whose + "curvatures_W_1pm' has " + std::to_string(side.curvatures_W.size()) + " matrices for " +
           std::to_string(faces) + " faces");
    for (const Matrix3d& m : side.curvatures_W) {
      if (!(m.cwiseAbs().maxCoeff() <= kSharpest))
        fail(whose + "curvatures_W_1pm' is not finite, or beyond 1e9 /m");
      if ((m - m.transpose()).norm() > kFits * m.norm()) fail(whose + "curvatures_W_1pm' is not symmetric");
    }
  }

  void check_edge(const ContactSide& side, Primitive primitive, const std::string& whose) const {
    const std::optional<Vector3d> tangent = tangent_of(side);
    if (!tangent) {
      if (contact_.is_singular()) return;
      fail(whose + "tangent_W' is missing: the direction of the " + enum_text(primitive));
    }
    check_in_plane(*tangent, whose + "tangent_W'");
    if (!side.edge_curvature_W) return;
    const Vector3d& kp = *side.edge_curvature_W;
    if (!(kp.cwiseAbs().maxCoeff() <= kSharpest))
      fail(whose + "curvature_W_1pm' is not finite, or beyond 1e9 /m");
    if (std::abs(kp.dot(tangent->normalized())) > kFits * kp.norm())
      fail(whose + "curvature_W_1pm' has a part along the edge; it must be orthogonal to 'tangent_W'");
  }

  std::optional<Vector3d> tangent_of(const ContactSide& side) const {
    if (side.tangent_W) return side.tangent_W;
    if (side.normals_W.size() == 2) return side.normals_W[0].cross(side.normals_W[1]);
    if (along_.norm() > 0.0) return along_;
    return std::nullopt;
  }

  void say_what_is_flat() const {
    std::string flat;
    const auto add = [&](const ContactSide& side, Primitive primitive, const char* name) {
      const bool has_none =
          (is_face_like(primitive) && !side.face_curvature_W && side.curvatures_W.empty()) ||
          (is_edge_like(primitive) && !side.edge_curvature_W && side.curvatures_W.empty());
      if (has_none)
        flat += (flat.empty() ? "the " : " and the ") + std::string(name) + " " + enum_text(primitive);
    };
    add(contact_.moving, moving_, "moving");
    add(contact_.fixed, fixed_, "fixed");
    if (!flat.empty()) note("no curvature given, taken as flat: " + flat);
  }

  bool has_shape(const ContactSide& side, Primitive primitive) const {
    if (primitive == Primitive::vertex) return side.tangents_W.size() >= 3;
    if (primitive == Primitive::edge) return side.normals_W.size() == 2;
    return primitive == Primitive::face && !contact_.is_singular();
  }

  LocalShape shape_of(const ContactSide& side, Primitive primitive, const Vector3d& own_normal,
                      double length) const {
    std::vector<Matrix3d> curvatures;
    for (const Matrix3d& m : side.curvatures_W) curvatures.push_back(length * m);
    try {
      if (primitive == Primitive::vertex) return LocalShape::vertex(side.tangents_W, curvatures);
      if (primitive == Primitive::edge) {
        LocalShape edge = LocalShape::edge(side.normals_W, curvatures);
        if (side.edge_curvature_W && curvatures.empty()) edge.bends[0] = length * *side.edge_curvature_W;
        return edge;
      }
    } catch (const std::invalid_argument& error) {
      fail(error.what());
    }
    return LocalShape::face(own_normal, length * side.face_curvature_W.value_or(Matrix3d::Zero()));
  }

  std::vector<ContactPiece> pieces_of_shapes(double length) const {
    const Vector3d n = contact_.normals_W[0].normalized();
    const LocalShape moving = shape_of(contact_.moving, moving_, -n, length),
                     fixed = shape_of(contact_.fixed, fixed_, n, length);
    std::vector<ContactPiece> pieces = separating_pieces(moving, fixed);
    if (pieces.empty()) fail("no plane separates the two bodies: they overlap");
    if (contact_.points_W.size() == 1 && touches_along_a_line(moving, fixed))
      fail("edges in line touch along a line: give the two ends of it as points");
    for (const Vector3d& given : contact_.normals_W) {
      const bool is_found = std::any_of(pieces.begin(), pieces.end(), [&](const ContactPiece& piece) {
        return (piece.n - given.normalized()).norm() <= kFits;
      });
      if (!is_found || pieces.size() != contact_.normals_W.size())
        fail(
            "its normals are not the extreme planes that separate the bodies its sides describe: those are " +
            std::to_string(pieces.size()) + ", the first with normal (" + number(pieces[0].n.x()) + ", " +
            number(pieces[0].n.y()) + ", " + number(pieces[0].n.z()) + ")");
    }
    return pieces;
  }

  // Features as the type names them.
  TouchingFeature feature(const ContactSide& side, Primitive primitive, const ContactPiece& piece,
                          double length, double sign) const {
    if (primitive == Primitive::vertex) return vertex_feature();
    if (is_edge_like(primitive)) {
      const Vector3d bend = length * side.edge_curvature_W.value_or(Vector3d::Zero());
      return edge_feature(piece.plane, *tangent_of(side), bend.dot(piece.n), sign,
                          primitive == Primitive::half_edge);
    }
    const Matrix3d m = length * side.face_curvature_W.value_or(Matrix3d::Zero());
    TouchingFeature feature = face_feature(piece.plane, 0.5 * (m + m.transpose()));
    if (primitive == Primitive::half_face) {
      feature.at_least = (piece.plane.transpose() * *side.inward_W).normalized().transpose();
    } else if (primitive == Primitive::quarter_face) {
      add_quarter(feature, (piece.plane.transpose() * side.tangents_W[0]).normalized(),
                  (piece.plane.transpose() * side.tangents_W[1]).normalized());
    }
    return feature;
  }

  ContactPiece piece(const Vector3d& n, double length) const {
    ContactPiece piece;
    piece.n = n;
    piece.plane = tangent_plane(n);
    if (contact_.is_singular()) {
      singular_features(piece, length);
      return piece;
    }
    piece.moving = feature(contact_.moving, moving_, piece, length, 1.0);
    piece.fixed = feature(contact_.fixed, fixed_, piece, length, -1.0);
    if (is_edge_like(moving_) && is_edge_like(fixed_) && contact_.points_W.size() == 1) {
      const double sine =
          tangent_of(contact_.moving)->normalized().cross(tangent_of(contact_.fixed)->normalized()).norm();
      if (sine < kFits)
        fail(
            "the edges are parallel: they touch along a line, not at a crossing (give its two ends as "
            "points)");
    }
    return piece;
  }

  // Planes without the faces and edges they belong to: each as a face of the fixed body, or of the moving one where that has the edge.
  void singular_features(ContactPiece& piece, double length) const {
    const bool edge_moves = is_edge_like(moving_) && !is_edge_like(fixed_);
    const ContactSide& side = edge_moves ? contact_.moving : contact_.fixed;
    TouchingFeature plane;
    if (side.tangent_W && side.edge_curvature_W)
      plane.bend = edge_feature(piece.plane, *side.tangent_W, length * side.edge_curvature_W->dot(piece.n),
                                edge_moves ? 1.0 : -1.0, false)
                       .bend;
    piece.moving = edge_moves ? plane : vertex_feature();
    piece.fixed = edge_moves ? vertex_feature() : plane;
    note(
        std::string(
            "the edges and faces at the point are not given; each of its planes is taken as a face of the ") +
        (edge_moves ? "moving" : "fixed") + " body");
  }

  // A corner of a line or face contact: no search along the contact.
  void restrict_to_corners(std::vector<ContactPiece>& pieces) const {
    if (contact_.points_W.size() < 2) return;
    for (ContactPiece& piece : pieces) {
      Eigen::Matrix2d spread = Eigen::Matrix2d::Zero();
      for (const Vector3d& p : contact_.points_W) {
        const Eigen::Vector2d away = piece.plane.transpose() * (p - contact_.points_W[0]);
        spread += away * away.transpose();
      }
      const PlaneAxes extent = plane_axes(spread);
      if (!(extent.values[1] > 0.0)) continue;
      Rows& equal = is_face_like(moving_) && !is_face_like(fixed_) ? piece.fixed.equal : piece.moving.equal;
      const Eigen::Matrix2d bend = piece.moving.bend + piece.fixed.bend;
      for (int k = 0; k < 2; ++k) {
        if (extent.values[k] <= 1e-12 * extent.values[1]) continue;  // squared lengths
        const Eigen::Vector2d axis = extent.axes.col(k);
        equal.conservativeResize(equal.rows() + 1, Eigen::NoChange);
        equal.bottomRows(1) = axis.transpose();
        if (std::abs(axis.dot(bend * axis)) > 1e-6)
          note("its bodies bend apart along the contact; between its corners they do not touch as given");
      }
      if (bend.norm() > 1e-9)
        note(
            "a curved line contact is judged at its ends; a motion that turns it about the normal may close "
            "it between them");
    }
  }

  const Contact& contact_;
  int index_;
  std::vector<std::string>& notes_;
  Primitive moving_{Primitive::vertex}, fixed_{Primitive::face};
  Vector3d along_{Vector3d::Zero()};
};

}  // namespace

PreparedContacts::PreparedContacts(const ContactRelation& relation)
    : planes(relation), contact_count(static_cast<int>(relation.contacts.size())) {
  for (std::size_t i = 0; i < relation.contacts.size(); ++i) {
    const Contact& contact = relation.contacts[i];
    const ContactReading reading(contact, static_cast<int>(i), notes);
    const std::vector<ContactPiece> pieces = reading.pieces(planes.length);
    for (std::size_t k = 0; k < contact.points_W.size(); ++k) {
      JudgedPoint& point = points.emplace_back();
      point.contact = static_cast<int>(i);
      point.point = static_cast<int>(k);
      point.pieces = pieces;
      for (ContactPiece& piece : point.pieces)
        piece.p = (contact.points_W[k] - planes.centre_W) / planes.length;
    }
  }
  std::vector<std::string> once;
  for (const std::string& text : notes)
    if (std::find(once.begin(), once.end(), text) == once.end()) once.push_back(text);
  notes = std::move(once);
}

}  // namespace prehend::observation
