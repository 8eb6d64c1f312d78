// Files of a segmentation: labels, samples of the parts, the tree.
#pragma once

#include <string>

#include <prehend/geometry/mesh.h>
#include <prehend/parts/segmentation.h>

namespace prehend::parts {

// `labels.ply` of a cloud: its points in order, colours where there are, vertex property `label` (int, -1: left out).
void write_labels(const std::string& path, const std::vector<Eigen::Vector3d>& points,
                  const Segmentation& segmentation);
// `labels.ply` of a mesh: its triangles in order with face property `label`.
void write_labels(const std::string& path, const geometry::TriangleMesh& mesh,
                  const Segmentation& segmentation);
// `parts.ply`: x, y, z, label, volume [m], [m^3]; what `identify --parts` reads.
void write_parts(const std::string& path, const Segmentation& segmentation);
// `hierarchy.json`: {"leaves":L,"merges":[[a,b,cost],...]}, merge k makes node L+k.
void write_hierarchy(const std::string& path, const Segmentation& segmentation);

}  // namespace prehend::parts
