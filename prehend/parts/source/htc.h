// Source N, 3.2.3: hierarchical tetrahedral clustering, with or without initial clustering of the points (algorithm 1).
//
// Mended against the print: line 5 loops over C_j and merges C_j into C_i; (3.27) takes volumes as shares of the whole, since the
// printed "+ 1" depends on the unit, and needs a tolerance on c > 0; (3.28) has colours in [0, 1] and positions at a diagonal
// of 1, which its weights 10, 1, 1 belong to. The threshold starts at the median of the least dissimilarity between neighbours
// (Lin et al. 2018). The solid is ours (geometry/cloud_solid.h) in place of ball pivoting and TetGen, so that both methods see the
// same volume.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/parts/clusters/cloud_regions.h>
#include <prehend/parts/segmentation.h>

namespace prehend::parts {

// Replaces the regions by the method's initial clusters, and merges them by (3.27). Cold: all tetrahedra merge by (3.27), and the leaves
// are what is there when 60 are left; a point belongs to the one that most of the volume around it does.
PartTree source_tree(const std::vector<Eigen::Vector3d>& points, const std::vector<Eigen::Vector3d>& colours,
                     std::size_t seen, SegmentMethod method, CloudRegions& regions);

// Algorithm 1, part 1: clusters of points, `wanted` of them or fewer. -1 for points without edges.
std::vector<int> bottom_up_clusters(const std::vector<Eigen::Vector3d>& points,
                                    const std::vector<Eigen::Vector3d>& colours, const CloudRegions& regions,
                                    int wanted);

}  // namespace prehend::parts
