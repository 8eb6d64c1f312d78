// A triangulation of plane points that carry heights of a convex function, kept as their lower convex hull.
//
// The surface over the triangles is the lowest that convexity allows through the heights, so it bounds the function from
// above as tightly as the points can. Points are inserted one by one; edges over which the surface is not convex are
// flipped. Loads that still wait for an answer travel along with the triangle that holds them.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace prehend::stability {

class LowerHull {
 public:
  struct Node {
    Eigen::Vector2d at;
    double height;
  };
  struct Triangle {
    int corners[3];          // nodes, counter-clockwise
    int neighbours[3];       // triangle across the side opposite the corner; -1: the border
    std::vector<int> items;  // of the caller
    bool changed{true};      // since the caller last reset it
  };
  // What travels along, by the caller's number: where, and (kept by the hull) in which triangle.
  struct Items {
    std::vector<Eigen::Vector2d> at;
    std::vector<int> triangle;
  };

  // Two triangles over a box; `heights` of its corners, counter-clockwise from the lower left.
  LowerHull(const Eigen::Vector2d& low, const Eigen::Vector2d& high, const double (&heights)[4]);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Triangle>& triangles() const { return triangles_; }
  void add_item(int item, Items& items);
  Triangle& triangle(int index) { return triangles_[static_cast<std::size_t>(index)]; }

  // The plane of a triangle: height = offset + slope . at.
  struct Plane {
    double offset;
    Eigen::Vector2d slope;
    double height(const Eigen::Vector2d& at) const { return offset + slope.dot(at); }
  };
  Plane plane(int triangle) const;
  double height(int triangle, const Eigen::Vector2d& at) const { return plane(triangle).height(at); }

  // A point inside the triangle, with its height. Returns its node, or -1 when it lies on a side or above the surface
  // (then nothing changes).
  int insert(int triangle, const Eigen::Vector2d& at, double height, Items& items);

 private:
  double area(int a, int b, int c) const;
  void link(int triangle, int side, int other, int old);
  void give(int triangle, int item, Items& items);
  void legalise(int triangle, Items& items);

  std::vector<Node> nodes_;
  std::vector<Triangle> triangles_;
};

}  // namespace prehend::stability
