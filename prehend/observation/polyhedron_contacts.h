// The contact relation of two polyhedra, convex or not, from their poses.
//
// Contact points are corners of the contact: vertices of one body on the other, and crossings of edges; lines and faces that touch are
// given by these. Around a point each body is a union of convex cones (one at a convex edge or corner, one half-space per face at a
// concave one). Each pair of such cones, one per body, touches at the point, and the planes that separate it have the normals in
// (normals of the fixed cone) and minus (normals of the moving cone): one extreme ray is an ordinary contact, several a singular one.
//
// Poses must be good to the tolerance; noisy ones are corrected first. Cost: all pairs of features with overlapping boxes.
#pragma once

#include <string>
#include <vector>

#include <prehend/geometry/polyhedron.h>
#include <prehend/math/pose.h>
#include <prehend/observation/contact_relation.h>

namespace prehend::observation {

struct PolyhedronContactOptions {
  // [of the smaller body's diagonal] Features this close touch. Poses and coordinates of doubles are good to 1e-12 of it, meshes in
  // single precision to 1e-7.
  double tolerance_rel{1e-5};
  // An edge along an edge, which several planes separate, comes as one contact with all its points: one plane must serve the whole line, or the motion is
  // judged between its ends. False: each point by itself.
  bool joins_lines{true};

  void validate() const;
};

struct PolyhedronContacts {
  ContactRelation
      relation;  // one contact per point, or line of several planes, and pair of cones; equal planes at one point once
  std::vector<std::string> problems;  // sentences: points where no plane separates the bodies (they overlap)
};

// Throws std::invalid_argument where a polyhedron is not closed: inside and outside are undefined.
PolyhedronContacts find_contacts(const geometry::Polyhedron& moving, const math::Pose& X_WM,
                                 const geometry::Polyhedron& fixed, const math::Pose& X_WF,
                                 const PolyhedronContactOptions& options = {});

}  // namespace prehend::observation
