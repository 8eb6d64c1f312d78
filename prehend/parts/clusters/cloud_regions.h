// A cloud as a solid divided into small regions: what every method of this room starts from.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/house/cloud_solid.h>
#include <prehend/parts/clusters/point_graph.h>
#include <prehend/parts/merging/region_merging.h>

namespace prehend::parts {

struct CloudRegions {
  geometry::CloudSolid solid;
  std::vector<PointEdge> edges;
  std::vector<int> region_of;  // per point; -1: outside the solid
  int count{0};
  std::vector<int> leaf_of_tetrahedron;  // where tetrahedra, not points, were clustered; -1: left out
  std::vector<double> point_volumes;     // [m^3] a quarter of each tetrahedron around the point
};

// Points without duplicates. The first `seen` points were seen; the others close the unseen side, and no region consists of them
// alone. Every region has volume. `most` regions, more where the solid has more pieces.
CloudRegions cloud_regions(const std::vector<Eigen::Vector3d>& points,
                           const std::vector<Eigen::Vector3d>& colours, std::size_t seen, int most);
// The same with regions given by the caller, -1 for none; they are renumbered.
void use_regions(std::vector<int> region_of, std::size_t seen, CloudRegions& regions);

// Regions as leaves of a tree, with hulls, volumes and colours.
std::vector<Region> leaves_of(const std::vector<Eigen::Vector3d>& points,
                              const std::vector<Eigen::Vector3d>& colours, const CloudRegions& regions);
// Borders between regions: near pairs of points count most, pairs across the inside little.
void add_borders(const CloudRegions& regions, int first_leaf, RegionMerging& merging);

}  // namespace prehend::parts
