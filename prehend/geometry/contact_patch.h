// What a contact search is asked and what it finds: options, patches, interfaces. contact.h finds them.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/index.h>

namespace prehend::geometry {

struct ContactOptions {
  // [m] Surfaces this close touch, apart or overlapping. The design's --contact-tolerance. Overlaps of faces
  // narrower than this are not established by positions known no better, and are left out (unless the face
  // itself is that small).
  double gap_tolerance{1e-4};
  // [-] Large bodies touch within this share of the smaller one's diagonal where that is more, but within a tenth of its thinnest side: a
  // block of a metre is not cut and set to a tenth of a millimetre. 0: gap_tolerance alone.
  double size_share{5e-4};
  // [rad] Faces (or an edge and a face) this parallel touch in that part of their overlap that is within the
  // gap tolerance.
  double angle_tolerance{1e-3};
  // [rad] Up to this tilt they still touch as faces when their whole overlap is within the gap tolerance:
  // small facets of round bodies.
  double tilt_limit{0.2};
  // [rad] See the blunt touches of ContactPatch. 0.35 admits balls and cylinders from 9 sides on and leaves out the corners
  // of boxes.
  double normal_spread{0.35};
  // Threads over pairs of shapes; 0 for as many as there are cores. The answer does not depend on it.
  int threads{1};

  // The tolerance alone, whatever the size of the bodies; none: the defaults above.
  void set_tolerance(std::optional<double> tolerance_m) {
    if (!tolerance_m) return;
    gap_tolerance = *tolerance_m;
    size_share = 0.0;
  }
};

enum class ContactKind { point, edge, face };
const char* to_string(ContactKind kind);

// One connected piece of contact, in world coordinates. Most extended first; what one kind covers, a later one does not
// repeat:
// - face and face: overlap polygons (with holes) of faces that look at each other; normal: mean of both.
// - edge and face: the part of an edge that lies along a face; normal: the face's.
// - vertex and face: a corner that stands on a face; normal: the face's. In a groove it touches both its sides.
// - edge and edge: two edges that cross; normal: their cross product.
// - blunt touches: vertex and edge, vertex and vertex, parallel edges, as between faceted balls; normal: the
//   mean normal of the blunter one, provided its faces deviate from it by at most `normal_spread`.
// A sharp edge that touches a sharp edge alongside it (boxes diagonally adjacent in a wall), or a sharp corner on a
// sharp edge, has no definite normal and carries no definite load: it is not an interface.
struct ContactPatch {
  ContactKind kind{ContactKind::point};
  Eigen::Vector3d n_W{Eigen::Vector3d::Zero()};  // unit, from a to b
  double area_m2{0.0};
  double gap_min_m{0.0}, gap_max_m{0.0};  // along n; negative where the bodies overlap
  // face: loops with the material to the left seen against n_W, holes clockwise; edge: one list of two;
  // point: one of one. Midway between the two surfaces. [m]
  std::vector<std::vector<Eigen::Vector3d>> loops_W;
};

struct PairContacts {
  std::vector<ContactPatch> patches;
  bool penetrating{false};  // beyond the gap tolerance
  double depth_m{0.0};      // estimate: how far an edge goes on behind the face it pierces
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m] a point where they do
};

// The caller's number of a body; several shapes may form one.
using ContactBodyIndex = math::Index<struct ContactBodyTag>;

struct ContactInterface {
  ContactBodyIndex body_a, body_b;               // body_a < body_b
  ContactKind kind{ContactKind::point};          // of its most extended patch
  Eigen::Vector3d n_W{Eigen::Vector3d::Zero()};  // unit, from a to b
  double area_m2{0.0};
  double gap_min_m{0.0}, gap_max_m{0.0};
  std::vector<Eigen::Vector3d> points_W;  // [m] all vertices of all patches, each once
  std::vector<int> hull;  // those that span the rest, counter-clockwise about n_W; indices into points_W
  std::vector<std::vector<Eigen::Vector3d>>
      loops_W;  // [m] outlines of the face patches; holes clockwise about n_W
  std::vector<std::array<Eigen::Vector3d, 2>> lines_W;  // [m] edge patches
};

}  // namespace prehend::geometry
