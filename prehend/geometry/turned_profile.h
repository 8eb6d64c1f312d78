// The meridian of a surface of revolution about z: what a bowl, a bottle, a cone or a ring is turned from.
//
// A chain of points (r, z), r >= 0, with the material to its left. An open chain begins and ends on the axis, a closed one leads around a
// ring. Edges are straight, or cubics through their ends where the chain is the polygon of a curve: three or more corners in a row that turn by at
// most 16 degrees. A cubic differs from an arc of 15 degrees by 4e-5 of its radius. An edge more than 2.5 times as long as the next one is straight: the
// side of a can beside its rounded rim.
//
// Distances are exact and may be asked anywhere, also in hollows.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace prehend::geometry {

class TurnedProfile {
 public:
  // std::invalid_argument for fewer than two edges, points that are not finite or left of the axis, or an open chain that does not begin and end
  // on it. Edges that would be curved by less than `straight_within` [m] are straight.
  TurnedProfile(std::vector<Eigen::Vector2d> points, bool is_closed, double straight_within = 0.0);

  const std::vector<Eigen::Vector2d>& points() const { return points_; }
  bool is_closed() const { return is_closed_; }
  double largest_radius() const { return largest_radius_; }  // [m]
  // [m] How far a curved edge goes beyond its chord, at most.
  double largest_bulge() const;
  // [m^3] enclosed by the surface.
  double volume() const;

  // What is nearest to a point.
  struct Foot {
    double distance{0.0};                        // [m] from the surface, negative in the material
    Eigen::Vector2d p{Eigen::Vector2d::Zero()};  // [m] on the surface
    Eigen::Vector2d n{Eigen::Vector2d::Zero()};  // unit, out of the material: the gradient of the distance
    int edge{-1};
    // At a corner: the outward normals of both its edges, else both `n`.
    Eigen::Vector2d n_before{Eigen::Vector2d::Zero()}, n_after{Eigen::Vector2d::Zero()};
  };
  Foot nearest(const Eigen::Vector2d& p) const;

  // A part of the chain that no neighbouring part exceeds along d: a point (p = q), or a straight edge square to d within the angle of that sine.
  struct Extreme {
    Eigen::Vector2d p, q;
    int edge{-1};
  };
  std::vector<Extreme> extremes(const Eigen::Vector2d& d, double sine) const;
  // The farthest point along d of all.
  Eigen::Vector2d support(const Eigen::Vector2d& d) const;

  struct Edge {
    Eigen::Vector2d p, q;  // [m] its ends
    Eigen::Vector2d t, n;  // unit, along the chord, and square to it out of the material
    double length{0.0};    // [m]
    // [-] Slopes over the chord where the edge leaves p, and where it comes down to q; 0: straight.
    double rise{0.0}, fall{0.0};
    bool is_straight() const { return rise == 0.0 && fall == 0.0; }
    // At the share u of the chord: the curve, and its outward normal.
    Eigen::Vector2d at(double u) const;
    Eigen::Vector2d normal(double u) const;
    double height(double u) const { return u * (1.0 - u) * (rise * (1.0 - u) + fall * u); }
    double slope(double u) const { return rise * (1.0 - u) * (1.0 - 3.0 * u) + fall * u * (2.0 - 3.0 * u); }
    double bend(double u) const { return rise * (6.0 * u - 4.0) + fall * (2.0 - 6.0 * u); }
  };
  const std::vector<Edge>& edges() const { return edges_; }

 private:
  void find_curves(double straight_within);
  // The edge before edge i, and after; mirrored at the axis.
  Edge before(std::size_t i) const;
  Edge after(std::size_t i) const;

  std::vector<Eigen::Vector2d> points_;
  bool is_closed_;
  double largest_radius_{0.0};
  std::vector<Edge> edges_;
};

}  // namespace prehend::geometry
