// From a mesh about z to the meridian it was turned from: rings of vertices at one radius and height, and which rings facets lead between.
// Internal to the room.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <prehend/geometry/mesh.h>
#include <prehend/geometry/turned_profile.h>

namespace prehend::geometry {

struct MeridianRing {
  Eigen::Vector2d p{Eigen::Vector2d::Zero()};  // [m] mean radius and height
  bool is_pole{false};                         // on the axis
  std::vector<int> vertices;
  double widest_step{0.0};  // [rad] between neighbours
  double deviation{0.0};    // [m] of a vertex from p, at most
};

// None unless every vertex stands in a ring whose steps are at most kWidestStep. Vertices within the tolerance [m] of each other are in one.
// Rings in a row so near to each other become one where they may; else there are none.
std::optional<std::vector<MeridianRing>> meridian_rings(const TriangleMesh& mesh, double tolerance,
                                                        bool may_merge = false);

class MeridianGraph {
 public:
  MeridianGraph(const TriangleMesh& mesh, const std::vector<MeridianRing>& rings, double tolerance);

  // None unless the facets form one surface of revolution. An inside-out mesh has its material where its facets look to.
  std::optional<TurnedProfile> profile(bool is_inside_out);

  double widest_step() const;  // [rad] in any ring
  double deviation() const;    // [m] of a vertex from its ring, at most
  double uncertainty() const;  // [m] of a ring
  // Triangles that lead between rings, some of each kind.
  std::vector<int> samples() const;

 private:
  struct Band {
    double area{0.0};                                 // [m^2] twice
    Eigen::Vector2d normal{Eigen::Vector2d::Zero()};  // [m^2] likewise, in the meridian
    std::vector<int> samples;
  };
  bool take_triangles();
  bool close_flat_parts();
  // Whether twice the area [m^2] is that of the surface between two rings, with so many bands of facets.
  bool has_area(double area, const Eigen::Vector2d& p, const Eigen::Vector2d& q, std::size_t bands) const;
  std::optional<std::vector<int>> chain() const;
  void add(int a, int b, const Band& band);
  // The chain without what lies on straight lines.
  std::vector<Eigen::Vector2d> simplified(const std::vector<int>& chain, bool is_closed) const;

  const TriangleMesh& mesh_;
  std::vector<MeridianRing> rings_;  // and the middles of flat ends
  double tolerance_;                 // [m]
  std::vector<int> ring_of_;
  std::map<std::pair<int, int>, Band> bands_;
  std::vector<int> flat_;                    // per ring: another one that it shares a flat part with
  std::vector<std::pair<int, Band>> flats_;  // by one of its rings
};

}  // namespace prehend::geometry
