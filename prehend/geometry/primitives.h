// Meshes of the usual solids: closed, outward oriented, centred at the origin, axes of revolution along z.
//
// Round shapes are inscribed: every vertex lies on the true surface, so the mesh is a little smaller than the
// solid. The *_deviation() functions bound the distance [m] from the true surface to the mesh. Every vertex
// is a corner of the polyhedron (caps have no centre vertex), apart from make_torus, whose quads are not
// plane. Sizes in metres; a size that is not positive and finite, or a resolution out of range, throws
// std::invalid_argument naming the value and the bound.
#pragma once

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>

namespace prehend::geometry {

// 8 vertices, 12 triangles.
TriangleMesh make_box(const Eigen::Vector3d& full_size);

// Icosahedron whose edges are halved `subdivisions` times (0 to 9): 20 * 4^subdivisions triangles of nearly
// equal size.
TriangleMesh make_icosphere(double radius, int subdivisions);

// The icosphere stretched along the axes.
TriangleMesh make_ellipsoid(const Eigen::Vector3d& radii, int subdivisions);

// `segments` >= 3 flat sides; the first vertex of each rim lies in the half plane y = 0, x > 0.
TriangleMesh make_cylinder(double radius, double length, int segments);

// Two hemispheres around a cylinder of `length` (without the caps, as in MJCF and
// math::SpatialInertia::solid_capsule; 0 gives a ball of latitudes and longitudes). Each cap has max(1,
// round(segments / 4)) rings.
TriangleMesh make_capsule(double radius, double length, int segments);

// Base disc at z = -length/2, apex at z = +length/2. The centroid is at z = -length/4, not at the origin.
TriangleMesh make_cone(double radius, double length, int segments);

// A tube of `minor_radius` around a circle of `major_radius` > minor_radius in the plane z = 0.
TriangleMesh make_torus(double major_radius, double minor_radius, int major_segments, int minor_segments);

// An open rectangle in the plane z = 0 with normal +z: 4 vertices, 2 triangles. Encloses nothing.
TriangleMesh make_plane_patch(const Eigen::Vector2d& full_size);

// Largest distance between a circle and its inscribed polygon, hence of cylinders and cones: r (1 -
// cos(pi/n)).
double circle_deviation(double radius, int segments);
// The fewest segments (3 to 100000) whose circle_deviation is at most `deviation`; 100000 where none suffices.
int segments_for_deviation(double radius, double deviation);
// Exact for the icosphere; an upper bound for an ellipsoid whose largest semi-axis is `radius`.
double sphere_deviation(double radius, int subdivisions);
// Upper bounds.
double capsule_deviation(double radius, int segments);
double torus_deviation(double major_radius, double minor_radius, int major_segments, int minor_segments);

}  // namespace prehend::geometry
