// Contact interfaces between posed, possibly non-convex polyhedra and round bodies.
//
// Two bodies touch where their surfaces come within a gap tolerance of each other, with material on opposite
// sides: faces on faces, edges and corners on faces, crossing edges, blunt touches (contact_patch.h,
// ContactPatch). Patches of two bodies that lie in one plane and share the normal form one interface. The
// side of the material is read from the faces around each feature, not from a body's centre, so notches,
// holes and bowls work. Bodies that interpenetrate by more than the tolerance are listed in `penetrations`;
// faces that deep are not contact. A sphere, capsule, cylinder or ellipsoid touches with its true surface: in
// points, lines and discs with exact normals.
//
// Assumptions: outward oriented surfaces; every part of a body thicker than twice the gap tolerance. Cost:
// output-sensitive (box trees per pair, sweep and prune between bodies).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/contact_patch.h>
#include <prehend/geometry/polyhedron.h>
#include <prehend/geometry/round_shape.h>
#include <prehend/math/pose.h>

namespace prehend::geometry {

// Contact of two shapes; throws std::invalid_argument for invalid options. Exchanging a and b turns the
// normals and nothing else.
PairContacts find_pair_contacts(const Polyhedron& a, const math::Pose& X_WA, const Polyhedron& b,
                                const math::Pose& X_WB, const ContactOptions& options = {});

struct PosedPolyhedron {
  const Polyhedron* shape{nullptr};  // not owned, not null
  math::Pose X_WS;                   // shape in the world
  ContactBodyIndex body;             // shapes of one body do not touch each other
  // The true surface that the polyhedron stands for, where there is one; not owned.
  const RoundShape* round{nullptr};
  // [m] How far its facets lie below that surface: one who drew it on its facets did not mean an overlap.
  double facet_depth{0.0};
  // [m] Shapes that do not touch otherwise do so where they are no farther apart than the sum of their margins.
  double margin{0.0};
};

struct Penetration {
  ContactBodyIndex body_a, body_b;
  double depth_m{0.0};
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m]
  double tolerance_m{0.0};                       // that they may overlap
};

enum class ContactStatus { not_computed, ok };
const char* to_string(ContactStatus status);

struct ContactResult {
  ContactStatus status{ContactStatus::not_computed};
  std::vector<ContactInterface>
      interfaces;  // by body_a, body_b, then faces before edges before points, large before small
  std::vector<Penetration> penetrations;  // by body_a, body_b; the deepest of each pair
  // Pairs that may overlap unseen, depth 0: their boxes overlap by more than the tolerance, no edge was seen to pierce a face, and they share no
  // face or have edges shorter than 32 tolerances, beside which an edge cannot be seen to pierce. proximity() can tell.
  std::vector<Penetration> unsettled;
  int candidate_pairs{0};  // pairs of shapes whose boxes came near
  std::string brief_report() const;
};

// True for two bodies whose contact does not matter (both fixed).
using SkipPair = std::function<bool(ContactBodyIndex, ContactBodyIndex)>;

// All interfaces of a scene. Throws std::invalid_argument for invalid options, a null shape or an invalid
// body.
ContactResult find_contacts(std::span<const PosedPolyhedron> shapes, const ContactOptions& options = {},
                            const SkipPair& skip = {});

}  // namespace prehend::geometry
