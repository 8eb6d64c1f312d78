// A polyhedron near one of its points, as a union of convex cones, each by the outward normals of its faces.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/polyhedron.h>
#include <prehend/observation/local/feature_at.h>

namespace prehend::observation {

using Normals = std::vector<Eigen::Vector3d>;  // of one convex cone {d : n.d <= 0}

// The largest convex cones bounded by faces at the feature, whose union is the body there. At a vertex with convex and concave edges:
// every smallest set of its faces' half-spaces that lies inside the body.
std::vector<Normals> local_cones(const geometry::Polyhedron& body, const Feature& feature);

}  // namespace prehend::observation
