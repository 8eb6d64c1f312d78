// Files of a segmentation: what is segmented; labels, samples of the parts, the tree.
#pragma once

#include <string>

#include <prehend/geometry/mesh.h>
#include <prehend/parts/segmentation.h>

namespace prehend::parts {

// A mesh with a colour per triangle, or a cloud with a colour per point: then without triangles. No colours where the file has none.
struct SegmentInput {
  geometry::TriangleMesh mesh;  // [m]
  std::vector<Eigen::Vector3d> colours;
  std::vector<std::string> notes{};  // of the file, as far as they concern colours and sizes: sentences
};
// A mesh (STL, OBJ, PLY, glTF) or a cloud (PLY, PCD, XYZ) in units of `unit` [m]. Where a mesh has colours at its vertices, a triangle has the one nearest to the other two.
// Throws model::InputError.
SegmentInput read_segment_input(const std::string& path, double unit = 1.0);
Segmentation segment(const SegmentInput& input, const SegmentOptions& options = {});

// `labels.ply` of a cloud: its points in order, colours where there are, vertex property `label` (int, -1: left out).
void write_labels(const std::string& path, const std::vector<Eigen::Vector3d>& points,
                  const Segmentation& segmentation);
// `labels.ply` of a mesh: its triangles in order with face property `label`.
void write_labels(const std::string& path, const geometry::TriangleMesh& mesh,
                  const Segmentation& segmentation);
// `surface.ply` of a cloud: the surface of the solid behind it [m], as a mesh with face property `label`.
void write_surface(const std::string& path, const Segmentation& segmentation);
// `parts.ply`: x, y, z, label, volume [m], [m^3]; what `identify --parts` reads.
void write_parts(const std::string& path, const Segmentation& segmentation);
// `hierarchy.json`: {"leaves":L,"merges":[[a,b,cost],...]}, merge k makes node L+k.
void write_hierarchy(const std::string& path, const Segmentation& segmentation);

struct SegmentFiles {
  std::string labels, parts, hierarchy;  // paths
  std::string surface;                   // of a cloud; empty for a mesh
};
// All of them into a folder that exists.
SegmentFiles write_segmentation(const std::string& folder, const SegmentInput& input,
                                const Segmentation& segmentation);

}  // namespace prehend::parts
