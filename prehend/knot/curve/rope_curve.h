// A drawing's rope as one smooth plane curve: cubic pieces through the drawing's points, straight through crossings.
//
// Around a crossing at c the curve runs along the line c - reach u ... c + reach u of each strand's direction u, so the two
// strands meet in exactly one point, inside one piece of each. Elsewhere tangents follow the neighbouring points; `roundness`
// scales the handles from 1 (smooth) to 0 (the polyline itself).
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/knot/layout/orthogonal_drawing.h>

namespace prehend::knot {

struct CubicPiece {
  Eigen::Vector2d from, first_handle, second_handle, to;
  Eigen::Vector2d at(double t) const;
};

struct RopeCurve {
  std::vector<CubicPiece> pieces;   // along the rope
  std::vector<int> passage_pieces;  // the straight piece of passage i at i - 1
};

// The rope's points as they are: polyline[k] to polyline[k + 1] is a straight piece.
struct RopePolyline {
  std::vector<Eigen::Vector2d> points;
  std::vector<int> passage_edges;  // the edge that holds passage i, at i - 1
};

RopePolyline polyline_of(const PlaneRope& rope);
RopeCurve curve_through(const RopePolyline& polyline, double roundness);
// Every piece divided into `parts` chords (the straight ones at crossings stay whole).
RopePolyline flattened(const RopeCurve& curve, int parts);

// Whether the polyline has the code's crossings, with their signs, and no other contact of its edges.
bool shows(const RopePolyline& polyline, const PData& data);

}  // namespace prehend::knot
