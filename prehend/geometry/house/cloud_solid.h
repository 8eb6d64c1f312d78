// The solid behind points that were seen on its surface, without normals: Delaunay tetrahedra inside or outside.
//
// A ball of radius `reach` rolls in from outside and takes away every tetrahedron it gets to without touching a point; what is left
// is the alpha shape (Edelsbrunner, Mücke 1994) with its hollows filled. The widest ball that gets to each tetrahedron is found
// once for all radii (a widest path over the facets' gates). The radius, from 0.9 point spacings up, is the one that leaves most points
// on the surface once: a smaller ball leaks in between the points, a larger one swallows points in slits. Sheets thinner than the
// spacing keep their volume, since no ball gets between their sides. Slits are opened with smaller balls (cloud_slits.h). Cost: some times Delaunay's.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace prehend::geometry {

enum class CloudSolidStatus {
  failed,
  ok,
  not_finite,  // a coordinate is NaN, infinite or beyond 1e50
  degenerate,  // fewer than four points that span a volume
};
const char* to_string(CloudSolidStatus status);

struct CloudSolid {
  CloudSolidStatus status{CloudSolidStatus::failed};
  std::string message;  // the reason when the status is not ok
  double spacing{0.0};  // [m] median distance of a point to its sixth neighbour
  // Per point: how many spacings its sixth neighbour is away, and its neighbours' from them, where that is far more than one; else 1. What the
  // ball fits through, and what counts as a gap, is larger by it.
  std::vector<double> sparseness;
  double reach{0.0};  // [m] radius of the ball; infinite where the hull had to stand for the solid
  std::vector<Eigen::Vector4i> tetrahedra;  // positively oriented
  std::vector<double> volumes;              // [m^3] of the tetrahedra
  double volume{0.0};                       // [m^3]
  double slits{0.0};                        // [m^3] of slits narrower than the spacing, which were opened
  // Outward, unit; zero where no facet of the surface meets the point.
  std::vector<Eigen::Vector3d> normals;
  // [m^3] per point: a third of what lies between its facets and a surface that bends between their corners as the normals do. Facets between
  // points cut the curves and edges of a convex solid off, and fill those of a hollow; it belongs to no tetrahedron.
  std::vector<double> bulges;
  // Share of points whose facets face both ways with a ball of 2.4 spacings: few on the surface of a solid, most on a surface that was
  // seen from one side only.
  double folded{0.0};
  // Share of the surface's area in facets whose circle is wider than 1.3 spacings: random points all around leave next to none; what
  // closes an unseen side or a slit has them.
  double bridged{0.0};
  // Share of points that the surface does not show once: inside, or with facets that face both ways. Few without noise.
  double off_surface{0.0};
  double thickness{0.0};                 // [m] twice the volume by the area: that of a sheet
  std::vector<Eigen::Vector3i> surface;  // triangles, counter-clockwise from outside
  std::vector<int> representative;       // the first point at the same place; itself unless it is a duplicate
};

struct CloudSolidOptions {
  bool has_walls{false};  // points were added that close an unseen side: those inside are no noise
};
CloudSolid cloud_solid(std::span<const Eigen::Vector3d> points, const CloudSolidOptions& options = {});

}  // namespace prehend::geometry
