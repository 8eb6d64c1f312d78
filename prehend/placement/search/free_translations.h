// Where, on one plane and with one orientation, the object penetrates nothing: exactly, by slices of Minkowski differences.
//
// Two convex parts P (scene) and Q (object) meet for translations t in P - Q. The slice of that set in which the object keeps its height is
// convex, and its corners come from slices of P and Q at the heights of their vertices. The free translations are what these slices,
// and the half planes of a region, leave.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include <prehend/placement/search/convex_part.h>
#include <prehend/placement/search/plane_polygons.h>
#include <prehend/placement/search/support_plane.h>

namespace prehend::placement {

// A convex part in a plane's coordinates: corners by height above the plane.
struct PlanePart {
  std::vector<Eigen::Vector3d> points;  // (u, v, height)
  const std::vector<std::array<int, 2>>* edges{nullptr};
  double low{0.0}, high{0.0};                                                      // [m]
  Eigen::Vector2d lower{Eigen::Vector2d::Zero()}, upper{Eigen::Vector2d::Zero()};  // box in the plane

  Corners2 slice(double height) const;
  Corners2 slab(double from, double to) const;  // seen from above, what lies between two heights
};
PlanePart plane_part(const ConvexPart& part, const SupportPlane& plane);

class FreeTranslations {
 public:
  // No translation of Q within `gap` [m] of P, beside it or above and below.
  void exclude(const PlanePart& P, const PlanePart& Q, double gap);
  // a . t <= b.
  void bound(const Eigen::Vector2d& a, double b);

  bool is_free(const Eigen::Vector2d& t) const;
  // Free stretches of t0 + s along, low <= s <= high, in order: pairs of ends.
  std::vector<std::pair<double, double>> stretches(const Eigen::Vector2d& t0, const Eigen::Vector2d& along,
                                                   double low, double high) const;
  // Free points: those given that are free; of others, and where `thorough`, feet on and crossings of the outlines.
  std::vector<Eigen::Vector2d> near(const std::vector<Eigen::Vector2d>& wanted, bool thorough) const;
  // [m] To the nearest outline or bound; negative: not free.
  double clearance(const Eigen::Vector2d& t) const;
  // A free point moved away from outlines until `wanted` [m] clear, or in the middle of what there is.
  Eigen::Vector2d eased(Eigen::Vector2d t, double wanted) const;

 private:
  struct Outline {
    Corners2 corners;
    Eigen::Vector2d lower, upper;
  };
  struct HalfPlane {
    Eigen::Vector2d a;
    double b;
  };
  std::vector<Outline> blocked_;
  std::vector<HalfPlane> bounds_;
};

}  // namespace prehend::placement
