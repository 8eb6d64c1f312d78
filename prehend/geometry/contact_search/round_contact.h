// Contact of round bodies with their true surface, against polyhedra and against each other.
//
// Round against polyhedron, by the polyhedron's features; each is a local minimum of the distance, so a ball in a groove touches both
// sides. Face: the part of the round surface that is farthest towards it (point, line or disc) cut with the face's outline. Edge:
// the distance from the round surface is convex along it, and its minimum counts where the surface leaves both faces. Corner: likewise. A
// line and an edge along it, or an edge across a disc, touch in a line.
//
// Round against round: the direction n of largest separation, then the intersection of the two features that are farthest along n and -n.
//
// A disc enters as a polygon of `kDiscCorners` corners whose radius is right in the mean: levers are off by at most 0.1 %.
#pragma once

#include <prehend/geometry/contact.h>
#include <prehend/geometry/round_shape.h>

namespace prehend::geometry {

// 52: a regular polygon between its in- and circumcircle deviates by +-(1 - cos(pi / 52)) / 2 = 0.09 %.
inline constexpr int kDiscCorners = 52;

// Normals point from the round shape to the polyhedron.
PairContacts find_round_contacts(const RoundShape& round, const math::Pose& X_WR,
                                 const Polyhedron& polyhedron, const math::Pose& X_WB,
                                 const ContactOptions& options);
// From a to b.
PairContacts find_round_contacts(const RoundShape& a, const math::Pose& X_WA, const RoundShape& b,
                                 const math::Pose& X_WB, const ContactOptions& options);
// From a, which is turned, to b: on the same axis in rings and discs; else in the points, lines and areas about the places where the gap over
// a's surface is smallest. Hollows count: a ball in a bowl.
PairContacts find_turned_contacts(const RoundShape& a, const math::Pose& X_WA, const RoundShape& b,
                                  const math::Pose& X_WB, const ContactOptions& options);

}  // namespace prehend::geometry
