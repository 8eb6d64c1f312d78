// The vertex, edge or face of a polyhedron that a point lies on.
#pragma once

#include <optional>
#include <string>

#include <Eigen/Core>

#include <prehend/geometry/polyhedron.h>

namespace prehend::observation {

// What of the body a point lies on.
struct Feature {
  enum class Kind { face, edge, vertex };
  Kind kind{Kind::face};
  int index{0};
};
const char* name_of(Feature::Kind kind);
// "v3", "e5", "f1".
std::string feature_name(const Feature& feature);

// Edges between faces of different planes.
bool is_contact_edge(const geometry::PolyhedronEdge& edge);
// The smallest feature within the tolerance [m] of a point in the body's frame: vertex before edge before face.
std::optional<Feature> feature_at(const geometry::Polyhedron& body, const Eigen::Vector3d& p_B,
                                  double tolerance);

}  // namespace prehend::observation
