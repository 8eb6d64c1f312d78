// A rope seen in a view: the polyline's segments in the plane with their heights, and which pairs of them come close.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace prehend::knot {

struct PlaneSegment {
  Eigen::Vector2d from, to;                // [m]
  double from_height{0}, to_height{0};     // [m] towards the viewer
  std::size_t from_point{0}, to_point{0};  // of the rope; neighbours unless points fall together in the view
};

struct PlaneChain {
  // Each begins where the last one ends; points closer than the tolerance in the plane are one. A piece of rope along the
  // looking direction is a jump in height between two segments.
  std::vector<PlaneSegment> segments;
  std::vector<double> start;  // [m] along the chain in the plane, per segment
  double tolerance{0};        // [m]
};

// R_VW: rows e_x, e_y, e_z of the view.
PlaneChain make_plane_chain(std::span<const Eigen::Vector3d> points_W, const Eigen::Matrix3d& R_VW,
                            double tolerance);

// Calls visit(a, b), a < b, for every pair of segments whose boxes are closer than the tolerance; stops when it returns false.
void for_each_close_pair(const PlaneChain& chain, const std::function<bool(std::size_t, std::size_t)>& visit);

}  // namespace prehend::knot
