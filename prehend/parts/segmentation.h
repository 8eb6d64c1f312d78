// What is an object made of? A cloud of points on its surface, or a mesh, divided into parts of one material each.
//
// Clouds: the solid behind the points (geometry/cloud_solid.h), 40 small regions by geodesic distance inside it, then a
// tree of merges; of three divisions the mean. Two regions merge early when their union is nearly convex, no groove runs between them, their colours differ
// little against how much they vary inside, and one is small. Meshes: closed shells are the parts, with exact volumes; below them
// the same regions, above them the same merges. The whole tree is kept: any number of parts is a cut of it, and finer cuts lie
// inside coarser ones. `htc`: source N, algorithm 1 and (3.27), (3.28). Lengths are relative to
// the spacing of the points or the size of the object. Cost: some 50 us a point.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>

namespace prehend::parts {

enum class SegmentMethod {
  ours,
  htc,       // source N with initial clustering
  htc_cold,  // source N, every tetrahedron a cluster
};
const char* to_string(SegmentMethod method);          // "ours", "htc", "htc-cold"
SegmentMethod segment_method(std::string_view text);  // throws std::invalid_argument that lists them

struct SegmentOptions {
  // Exactly this many, from 1 to the leaves of the tree. None: one per shell of a mesh with several, else as many as the costs
  // of the merges suggest.
  std::optional<int> parts;
  SegmentMethod method{SegmentMethod::ours};
  // Plane n.x = d [m] that the object stands on (x, y, z, d; n points up, any length): closes the unseen side of a scan from above.
  std::optional<Eigen::Vector4d> support;

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

enum class SegmentStatus {
  undetermined,  // no parts: `reason` says why
  ok,
};
const char* to_string(SegmentStatus status);

// Merge k of two nodes makes node leaves + k. Costs do not fall along the list.
struct PartMerge {
  int a, b;
  double cost;
  double own;  // what this merge alone costs: `cost` unless an earlier one costs more
};
struct PartTree {
  int leaves{0};
  std::vector<PartMerge> merges;  // leaves - 1 of them
  // Per leaf the number of its part, from 0 in the order of the parts' first leaf. Throws std::invalid_argument unless parts is in
  // [1, leaves].
  std::vector<int> cut(int parts) const;
};

// A piece of the volume at one point.
struct VolumeSample {
  Eigen::Vector3d point;  // [m]
  double volume;          // [m^3] positive
  int leaf;
};

struct SegmentedPart {
  int label{0};
  int points{0};                                            // points of a cloud, triangles of a mesh
  double volume{0.0};                                       // [m^3]
  Eigen::Vector3d centroid{Eigen::Vector3d::Zero()};        // [m]
  Eigen::Matrix3d second_moments{Eigen::Matrix3d::Zero()};  // [m^5] integral of x x^T about the centroid
  Eigen::Vector3d colour{
      Eigen::Vector3d::Constant(-1.0)};  // mean red, green, blue in [0, 1]; negative without colours
};

struct Segmentation {
  SegmentStatus status{SegmentStatus::undetermined};
  std::string reason;  // when the status is not ok
  SegmentMethod method{SegmentMethod::ours};
  bool is_mesh{false};
  std::vector<SegmentedPart> parts;  // by falling volume
  std::vector<int> labels;           // per point or triangle, 0 to parts - 1; -1: left out
  double volume{0.0};                // [m^3]
  // The parts' centroids lie in one plane (four parts or more) or on one line (three): weight and centre of mass alone do not tell
  // all their masses.
  bool coplanar{false};
  int shells{0};  // parts that are closed shells of a mesh; 0 for clouds
  PartTree tree;
  std::vector<int> leaf_of;           // per point or triangle; -1: left out
  std::vector<VolumeSample> samples;  // reproduce every part's volume, centroid and second moments
  std::vector<std::string> problems;  // sentences
  std::string weighing_problem;  // that of them which this number of parts of a cloud brings; empty without
  std::vector<Eigen::Vector3d> colours;  // per point or triangle; empty without
  // Clouds: the solid's surface, for pictures, and the leaf of each of its triangles.
  geometry::TriangleMesh surface;
  std::vector<int> surface_leaf;

  // Another number of parts of the same tree: labels, parts, `coplanar` and `weighing_problem` anew. Throws std::invalid_argument unless count is in
  // [1, tree.leaves], and where there are no parts.
  void cut(int count);
  // Per leaf the label of its part.
  std::vector<int> leaf_labels() const;
  std::string brief_report() const;
  std::string to_json() const;
  std::string hierarchy_json() const;  // {"leaves":L,"merges":[[a,b,cost],...]}

 private:
  // `extent` [m] of the samples.
  std::string weighing_sentence(double extent) const;
};

// Points [m]; colours in [0, 1], one per point, or none. Throws std::invalid_argument for options out of range, coordinates that
// are not finite, and a number of colours that differs from that of the points.
Segmentation segment_cloud(const std::vector<Eigen::Vector3d>& points,
                           const std::vector<Eigen::Vector3d>& colours = {},
                           const SegmentOptions& options = {});
// Colours one per triangle, or none.
Segmentation segment_mesh(const geometry::TriangleMesh& mesh,
                          const std::vector<Eigen::Vector3d>& colours = {},
                          const SegmentOptions& options = {});

}  // namespace prehend::parts
