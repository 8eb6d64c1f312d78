// Which features of two polyhedra touch: principal contacts, the largest pairs of faces, edges and corners whose inner points share
// a point (Xiao and Ji 2001).
//
// A face lying on a face is one principal contact whatever corners and crossings bound the common polygon, so a relation does not change
// while the body slides with an overhang. The relation of two bodies is the sorted list of its principal contacts.
// Poses are X_FM: the moving body in the fixed body's frame.
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <vector>

#include <prehend/geometry/polyhedron.h>
#include <prehend/math/pose.h>

namespace prehend::observation {

enum class FeatureKind { vertex, edge, face };
const char* to_string(FeatureKind kind);

struct FeatureRef {
  FeatureKind kind{FeatureKind::vertex};
  int index{0};  // among the body's corners, its convex and concave edges, or its faces, in the polyhedron's order
  auto operator<=>(const FeatureRef&) const = default;
};

struct PrincipalContact {
  FeatureRef moving, fixed;
  bool is_parallel{false};  // of two edges: one lies along the other
  auto operator<=>(const PrincipalContact&) const = default;

  // More than one plane separates: corner or edge on corner or on an edge along it.
  bool is_singular() const;
  std::string type() const;  // "edge-face"
  std::string text() const;  // "edge 3 on face 7"
};

using PrincipalContacts = std::vector<PrincipalContact>;  // sorted; empty: the body is free

struct PairFeatures;

// Two closed polyhedra made ready for questions about their contacts. Immutable; copies share the data.
class BodyPair {
 public:
  // Throws std::invalid_argument where a polyhedron is not closed, or has no faces.
  BodyPair(const geometry::Polyhedron& moving, const geometry::Polyhedron& fixed);

  const geometry::Polyhedron& moving() const;
  const geometry::Polyhedron& fixed() const;
  double size() const;  // [m] diagonal of the smaller body

  // What touches at a pose that is good to the tolerance [m].
  PrincipalContacts contacts_at(const math::Pose& X_FM, double tolerance) const;
  // Whether the features, with their borders, touch within the tolerance.
  bool touches(const PrincipalContact& contact, const math::Pose& X_FM, double tolerance) const;
  // Whether a point of one body lies inside the other by more than the tolerance.
  bool overlaps(const math::Pose& X_FM, double tolerance) const;

  // Whether a point of the fixed body's frame lies on both features of a contact.
  bool is_on(const Eigen::Vector3d& p_F, const PrincipalContact& contact, const math::Pose& X_FM,
             double tolerance) const;
  // All contacts touch, and nothing overlaps.
  bool is_possible(const PrincipalContacts& contacts, const math::Pose& X_FM, double touch_tolerance,
                   double overlap_tolerance) const;
  // Features closer than this count as touching, bodies deeper than that as overlapping, at poses that were solved for [m].
  double touch_tolerance() const { return 3e-5 * size(); }
  double overlap_tolerance() const { return 2e-6 * size(); }

  const PairFeatures& features() const { return *features_; }

 private:
  std::shared_ptr<const PairFeatures> features_;
};

}  // namespace prehend::observation
