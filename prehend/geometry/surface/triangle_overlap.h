// Do two triangles meet? Decided exactly on the coordinates as given.
//
// Triangles are closed sets: touching in a single point counts. Where they share mesh vertices, the shared
// vertex or edge itself does not count, only a common point beyond it (a fold onto the neighbour, an edge
// through the fan). Coplanar overlap counts. A triangle of zero area (three points on a line) meets nothing:
// it has no plane to decide by. Method: directions that separate the two with a margin dismiss nearly all
// pairs in plain double arithmetic; the rest is decided by the signs of predicates.h (edge against triangle
// in space, or in the common plane). Cost: about 20 ns for separated pairs, a microsecond or so for the
// others.
#pragma once

#include <Eigen/Core>

namespace prehend::geometry {

struct TriangleCorners {
  const Eigen::Vector3d* corner[3];
};

// `was_exact`, where given, is set to true when plain arithmetic did not decide: such a call may take a
// hundred times longer, so that a search over many pairs can keep a budget. No shared vertex.
bool triangles_meet(const TriangleCorners& a, const TriangleCorners& b, bool* was_exact = nullptr);
// corner[0] of both is the same vertex.
bool triangles_meet_beyond_vertex(const TriangleCorners& a, const TriangleCorners& b,
                                  bool* was_exact = nullptr);
// corner[0] and corner[1] of both are the same vertices (in this order for both).
bool triangles_meet_beyond_edge(const TriangleCorners& a, const TriangleCorners& b);

// The closed segment pq and the closed triangle have a common point.
bool segment_meets_triangle(const Eigen::Vector3d& p, const Eigen::Vector3d& q,
                            const TriangleCorners& triangle);

// The three corners lie on one line, exactly.
bool is_collinear(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c);

}  // namespace prehend::geometry
