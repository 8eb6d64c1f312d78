// A tree of regions: the two neighbours of least cost merge until one is left.
//
// Regions keep the corners of their hulls, so that the hull of a union is made of few points. Costs do not fall as that hull grows: a pair
// waits in the queue under the cost of a smaller hull, first of the larger of the two, then of some of the corners, and the hull
// itself is made for pairs that come to the front. The result is that of all hulls.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include <Eigen/Core>

#include <prehend/parts/segmentation.h>

namespace prehend::parts {

struct Region {
  std::vector<Eigen::Vector3d> corners;  // [m] of the hull
  std::vector<Eigen::Vector3d> outline;  // some of them: those farthest along 26 directions
  double hull{0.0}, volume{0.0};         // [m^3]
  double elements{0.0};                  // points, triangles or tetrahedra
  Eigen::Vector3d colour_sum{Eigen::Vector3d::Zero()};
  double colour_squares{0.0};  // sum of squared lengths
};

// Sums over the pairs of points along a border.
struct Border {
  double weight{0.0};
  double groove{0.0};  // of how much the surface bends inwards, 0 to 1
};

struct Union {
  const Region &a, &b;
  const Border& border;
  double hull;  // [m^3] of both together
};
// Must not fall as the hull grows.
using MergeCost = std::function<double(const Union&)>;

// Corners that a hull is kept with: farthest along one direction every 16 degrees; a ball's hull from them has 96 % of its volume.
inline constexpr std::size_t kHullCorners = 160;

// At most about so many of the corners of a hull: those farthest along as many fixed directions. The hull of a union of thinned hulls is
// the same as that of the union, thinned, along these directions.
std::vector<Eigen::Vector3d> thinned_corners(std::vector<Eigen::Vector3d> corners,
                                             std::size_t most = kHullCorners);

class RegionMerging {
 public:
  RegionMerging(std::vector<Region> leaves, MergeCost cost, std::size_t corners = kHullCorners);
  void add_border(int a, int b, const Border& border);
  // Merges neighbours until there are none. `offset` is added to the costs, which never fall from one merge to the next.
  void merge_neighbours(double offset);
  // The merges of a tree of these leaves, in its order, with their costs; `offset` is added where two have no border.
  void merge_as(const PartTree& tree, double offset);
  // Regions that are alive.
  const std::set<int>& alive() const { return alive_; }
  const Region& region(int node) const { return regions_[node]; }
  const std::vector<PartMerge>& merges() const { return merges_; }

 private:
  enum class Bound { larger_hull, outline, exact };
  struct Candidate {
    double cost;
    int a, b;
    Bound bound;
    std::vector<Eigen::Vector3d> corners;          // when exact
    double hull;                                   // [m^3] a lower bound unless exact
    bool operator<(const Candidate& other) const;  // for a heap with the least cost on top
  };
  void propose(int a, int b);
  void sharpen(Candidate& candidate) const;
  void push(Candidate candidate);
  Candidate pop();
  double cost_of(const Candidate& candidate) const;
  void merge(Candidate chosen, double cost);

  std::vector<Region> regions_;
  std::vector<std::map<int, Border>> borders_;
  std::set<int> alive_;
  std::vector<Candidate> candidates_;  // a heap
  std::vector<PartMerge> merges_;
  MergeCost cost_;
  std::size_t corners_;
};

// Weights of our own criterion, unit-free: the best of 60 random ones on 26 generated tools with and without colours (seeds 1 and 2 of
// generated_tools.h), rounded; docs/parts_validation.md has the figures on other seeds and on recorded tools.
struct CostWeights {
  double growth{1.0};  // of the hull beyond the two hulls, as a share
  double hollow{1.6};  // share of the union's hull that is no material
  double groove{5.0}, groove_scale{1.6};
  double colour{3.0};
  double variation{1.0};  // standard deviations inside the regions that a step of colour is compared with
  double faint{
      0.012};  // step of colour that counts half where the regions have one colour each: 3 grey levels
  double plain{0.09};  // of any merge
  double size{0.43};   // exponent of the smaller region's share of the elements
};
// `elements` and `volume` of the whole.
MergeCost our_cost(double elements, const CostWeights& weights = {});
// Source N, (3.27), with volumes as shares of the whole: the printed 1 would depend on the unit. A union that is convex to within
// 1e-6 of the whole counts as convex: printed is c > 0, which rounding decides.
MergeCost source_cost(double elements, double volume);

}  // namespace prehend::parts
