#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

#include <prehend/geometry/house/small_hull.h>
#include <prehend/geometry/sampling.h>
#include <prehend/math/progress.h>
#include <prehend/math/random.h>
#include <prehend/parts/clusters/cloud_regions.h>
#include <prehend/parts/clusters/prepared_cloud.h>
#include <prehend/parts/merging/part_count.h>
#include <prehend/parts/merging/tree_leaves.h>
#include <prehend/parts/segmentation.h>
#include <prehend/parts/shapes/mesh_pieces.h>
#include <prehend/parts/shapes/nearest_point.h>
#include <prehend/parts/shapes/own_frame.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;

constexpr int kMeshLeaves = 60;        // of all pieces together, by their share of the area
constexpr int kSurfaceSamples = 1000;  // the same: some 16 a leaf; most of the time goes by them

constexpr const char* kUnusedSupport = "a support plane closes clouds; for a mesh it was not used";

// One piece as points on its surface, divided into leaves.
struct PieceLeaves {
  std::vector<Vector3d> points, colours, normals;
  CloudRegions regions;  // region_of per point; count at least 1
};

// The triangles of a mesh in its own frame, in an order that does not depend on that of the file; corners likewise.
// `triangle`: per new triangle its place in the piece.
geometry::TriangleMesh in_own_order(const geometry::TriangleMesh& mesh, std::vector<int>& triangle) {
  std::vector<double> place;
  for (const Vector3d& p : mesh.vertices) place.push_back(own_rank(p));
  geometry::TriangleMesh ordered{mesh.vertices, {}};
  std::vector<double> key;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    int first = 0;
    for (int k = 1; k < 3; ++k)
      if (place[t[k]] < place[t[first]]) first = k;
    ordered.triangles.push_back({t[first], t[(first + 1) % 3], t[(first + 2) % 3]});
    key.push_back(place[t[0]] + place[t[1]] + place[t[2]]);
  }
  triangle.resize(key.size());
  std::iota(triangle.begin(), triangle.end(), 0);
  std::sort(triangle.begin(), triangle.end(), [&key](int a, int b) { return key[a] < key[b]; });
  std::vector<Eigen::Vector3i> sorted;
  for (const int t : triangle) sorted.push_back(ordered.triangles[t]);
  ordered.triangles = std::move(sorted);
  return ordered;
}

PieceLeaves sample_piece(const MeshPiece& piece, const std::vector<Vector3d>& colours, double share) {
  PieceLeaves leaves;
  math::RandomStream random(0);
  const int count = std::clamp(static_cast<int>(kSurfaceSamples * share), 60, kSurfaceSamples);
  std::vector<int> triangle;
  const geometry::TriangleMesh ordered = in_own_order(piece.mesh, triangle);
  for (const geometry::SurfaceSample& sample : geometry::sample_surface(ordered, count, random)) {
    leaves.points.push_back(sample.point);
    leaves.normals.push_back(sample.normal);
    if (!colours.empty()) leaves.colours.push_back(colours[piece.triangles[triangle[sample.triangle]]]);
  }
  return leaves;
}

// Leaves that no triangle is nearest to join the nearest one: a part without triangles would have nothing to show.
void absorb(const std::vector<char>& has_triangle, PieceLeaves& leaves) {
  std::vector<Vector3d> kept;
  std::vector<int> region;
  for (std::size_t i = 0; i < leaves.points.size(); ++i) {
    const int r = leaves.regions.region_of[i];
    if (r >= 0 && has_triangle[r]) kept.push_back(leaves.points[i]), region.push_back(r);
  }
  const NearestPoint nearest(kept);
  std::map<int, int> number;
  for (std::size_t i = 0; i < leaves.points.size(); ++i) {
    int& r = leaves.regions.region_of[i];
    if (r < 0 || !has_triangle[r]) r = region[nearest(leaves.points[i])];
  }
  for (const int r : region) number.try_emplace(r, 0);
  int next = 0;
  for (auto& [r, n] : number) n = next++;
  for (int& r : leaves.regions.region_of) r = number.at(r);
  leaves.regions.count = next;
}

void divide_piece(int wanted, PieceLeaves& leaves) {
  if (wanted > 1) leaves.regions = cloud_regions(leaves.points, leaves.colours, leaves.points.size(), wanted);
  if (wanted <= 1 || leaves.regions.count == 0 ||
      leaves.regions.solid.status != geometry::CloudSolidStatus::ok) {
    leaves.regions = {};
    leaves.regions.region_of.assign(leaves.points.size(), 0);
    leaves.regions.count = 1;
  }
}

class MeshTree {
 public:
  MeshTree(const geometry::TriangleMesh& mesh, const std::vector<Vector3d>& colours, MeshPieces& pieces)
      : mesh_(mesh), pieces_(pieces) {
    double area = 0.0;
    for (const MeshPiece& piece : pieces.pieces) area += piece.area;
    math::Progress progress("segmentation", pieces.pieces.size());
    for (std::size_t p = 0; p < pieces.pieces.size(); ++p) {
      progress.advance();
      const double share = pieces.pieces[p].area / area;
      leaves_.push_back(sample_piece(pieces.pieces[p], colours, share));
      divide_piece(static_cast<int>(std::lround(kMeshLeaves * share)), leaves_.back());
    }
  }

  void fill(Segmentation& result) {
    result.leaf_of.assign(mesh_.triangles.size(), -1);
    std::vector<Region> regions;
    math::Progress progress("parts", leaves_.size() + 1);
    for (std::size_t p = 0; p < leaves_.size(); ++p) {
      progress.advance();
      first_.push_back(static_cast<int>(regions.size()));
      assign_triangles(p, result.leaf_of);
      assign_samples(p, result);
      add_regions(p, regions);
    }
    for (std::size_t t = 0; t < pieces_.repeat_of.size(); ++t)
      if (pieces_.repeat_of[t] >= 0) result.leaf_of[t] = result.leaf_of[pieces_.repeat_of[t]];
    const int count = static_cast<int>(regions.size());
    double elements = 0.0;
    for (const Region& region : regions) elements += region.elements;
    RegionMerging merging(std::move(regions), our_cost(elements));
    for (std::size_t p = 0; p < leaves_.size(); ++p) add_borders(leaves_[p].regions, first_[p], merging);
    merging.merge_neighbours(0.0);
    join_inside(count, merging);
    add_borders_between(merging);
    merging.merge_neighbours(1.0);
    join_pieces(merging, 1.0);
    result.tree = {count, merging.merges()};
  }

 private:
  void assign_triangles(std::size_t p, std::vector<int>& leaf_of) {
    PieceLeaves& leaves = leaves_[p];
    const std::vector<int>& triangles = pieces_.pieces[p].triangles;
    if (leaves.regions.count > 1) {
      const NearestPoint nearest(leaves.points);
      std::vector<int> sample(triangles.size());
      std::vector<char> has_triangle(leaves.regions.count, 0);
      for (std::size_t k = 0; k < triangles.size(); ++k) {
        const Eigen::Vector3i& t = mesh_.triangles[triangles[k]];
        sample[k] = nearest((mesh_.vertices[t[0]] + mesh_.vertices[t[1]] + mesh_.vertices[t[2]]) / 3.0);
        if (const int r = leaves.regions.region_of[sample[k]]; r >= 0) has_triangle[r] = 1;
      }
      if (std::count(has_triangle.begin(), has_triangle.end(), 1) == 0) has_triangle[0] = 1;
      absorb(has_triangle, leaves);
      for (std::size_t k = 0; k < triangles.size(); ++k)
        leaf_of[triangles[k]] = first_[p] + leaves.regions.region_of[sample[k]];
    } else {
      for (const int t : triangles) leaf_of[t] = first_[p];
    }
  }

  void assign_samples(std::size_t p, Segmentation& result) {
    const NearestPoint nearest(leaves_[p].points);
    std::vector<VolumeSample>& samples = pieces_.pieces[p].samples;
    std::vector<int> count(leaves_[p].regions.count, 0);
    for (VolumeSample& sample : samples) {
      sample.leaf = leaves_[p].regions.region_of[nearest(sample.point)];
      ++count[sample.leaf];
    }
    // A leaf too small for the samples takes over the nearest of a leaf with several.
    for (int leaf = 0; leaf < std::ssize(count); ++leaf) {
      if (count[leaf] > 0) continue;
      const auto& of = leaves_[p].regions.region_of;
      const Vector3d& at = leaves_[p].points[std::find(of.begin(), of.end(), leaf) - of.begin()];
      VolumeSample* best = nullptr;
      for (VolumeSample& sample : samples)
        if (count[sample.leaf] > 1 &&
            (!best || (sample.point - at).squaredNorm() < (best->point - at).squaredNorm()))
          best = &sample;
      if (best == nullptr) continue;
      --count[best->leaf];
      best->leaf = leaf;
      count[leaf] = 1;
    }
    for (VolumeSample sample : samples) {
      sample.leaf += first_[p];
      result.samples.push_back(sample);
    }
  }

  // Their volumes by the tetrahedra of the points, which turn with the piece; the samples inside are for the answer.
  void add_regions(std::size_t p, std::vector<Region>& regions) {
    CloudRegions& own = leaves_[p].regions;
    const double volume = pieces_.pieces[p].moments.volume;
    if (own.count > 1 && own.solid.volume > 0.0) {
      for (double& part : own.point_volumes) part *= volume / own.solid.volume;
    } else {
      own.point_volumes.assign(leaves_[p].points.size(),
                               volume / static_cast<double>(leaves_[p].points.size()));
    }
    const std::vector<Region> added = leaves_of(leaves_[p].points, leaves_[p].colours, own);
    regions.insert(regions.end(), added.begin(), added.end());
  }

  // Leaves of one piece that no border joins.
  void join_inside(int leaves, RegionMerging& merging) {
    std::vector<int> piece(leaves + merging.merges().size(), -1);
    for (std::size_t p = 0; p < first_.size(); ++p)
      for (int r = 0; r < leaves_[p].regions.count; ++r) piece[first_[p] + r] = static_cast<int>(p);
    for (std::size_t k = 0; k < merging.merges().size(); ++k)
      piece[leaves + k] = piece[merging.merges()[k].a];
    std::map<int, int> first;
    bool any = false;
    for (const int node : merging.alive()) {
      const auto [at, is_new] = first.try_emplace(piece[node], node);
      if (is_new) continue;
      merging.add_border(at->second, node, {1.0, 1.0});
      any = true;
    }
    if (any) merging.merge_neighbours(0.0);
  }

  // Where surfaces of two pieces come close; alive are whole pieces now.
  void add_borders_between(RegionMerging& merging) {
    std::vector<int> node(leaves_.size(), -1), up;
    const int leaves = first_.back() + leaves_.back().regions.count;
    up.assign(leaves + merging.merges().size(), -1);
    for (std::size_t k = 0; k < merging.merges().size(); ++k)
      up[merging.merges()[k].a] = up[merging.merges()[k].b] = leaves + static_cast<int>(k);
    for (std::size_t p = 0; p < leaves_.size(); ++p) {
      node[p] = first_[p];
      while (up[node[p]] >= 0) node[p] = up[node[p]];
    }
    double area = 0.0, count = 0.0;
    for (std::size_t p = 0; p < leaves_.size(); ++p)
      area += pieces_.pieces[p].area, count += static_cast<double>(leaves_[p].points.size());
    const double near = 2.0 * std::sqrt(area / count);  // [m] two spacings
    for (std::size_t p = 0; p < leaves_.size(); ++p) {
      const NearestPoint nearest(leaves_[p].points);
      for (std::size_t q = 0; q < leaves_.size(); ++q) {
        if (p == q) continue;
        Border border;
        for (std::size_t i = 0; i < leaves_[q].points.size(); ++i) {
          const int j = nearest(leaves_[q].points[i]);
          const Vector3d along = leaves_[q].points[i] - leaves_[p].points[j];
          const double length = along.norm();
          if (length > near) continue;
          const double bend =
              length > 0.0 ? -(leaves_[q].normals[i] - leaves_[p].normals[j]).dot(along) / (2.0 * length)
                           : 0.0;
          border.weight += 1.0;
          border.groove += std::max(0.0, bend);
        }
        if (border.weight > 0.0) merging.add_border(node[p], node[q], border);
      }
    }
  }

  const geometry::TriangleMesh& mesh_;
  MeshPieces& pieces_;
  std::vector<PieceLeaves> leaves_;
  std::vector<int> first_;  // leaf of each piece
};

// The methods of source N know points: those on the mesh stand for it, and each triangle is where its nearest point is.
Segmentation by_points(const geometry::TriangleMesh& mesh, const std::vector<Vector3d>& colours,
                       const SegmentOptions& options) {
  constexpr int kPoints = 2000;  // as in source N
  math::RandomStream random(0);
  std::vector<Vector3d> points, point_colours;
  std::vector<int> triangle;
  const geometry::TriangleMesh ordered = in_own_order(mesh, triangle);
  for (const geometry::SurfaceSample& sample : geometry::sample_surface(ordered, kPoints, random)) {
    points.push_back(sample.point);
    if (!colours.empty()) point_colours.push_back(colours[triangle[sample.triangle]]);
  }
  SegmentOptions any = options;
  any.parts.reset();
  any.support.reset();
  Segmentation result = segment_cloud(points, point_colours, any);
  if (result.status != SegmentStatus::ok) return result;
  const NearestPoint nearest(points);
  std::vector<int> leaf_of;
  std::vector<char> is_shown(result.tree.leaves, 0);
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const int near = nearest((mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3.0);
    leaf_of.push_back(result.leaf_of[near]);
    if (leaf_of.back() >= 0) is_shown[leaf_of.back()] = 1;
  }
  if (std::count(is_shown.begin(), is_shown.end(), 1) == 0) is_shown[0] = 1;
  const TreeLeaves kept = without_leaves(result.tree, is_shown);  // a part has triangles
  for (int& leaf : leaf_of) leaf = leaf < 0 ? -1 : kept.leaf_of[leaf];
  for (VolumeSample& sample : result.samples) sample.leaf = kept.leaf_of[sample.leaf];
  for (int& leaf : result.surface_leaf) leaf = kept.leaf_of[leaf];
  result.tree = kept.tree;
  result.leaf_of = std::move(leaf_of);
  result.is_mesh = true;
  result.colours = colours;
  result.problems.push_back("this method knows points only: 2000 on the surface stand for the mesh");
  if (options.support) result.problems.push_back(kUnusedSupport);
  result.cut(options.parts.value_or(std::min(static_cast<int>(result.parts.size()), kept.tree.leaves)));
  return result;
}

// A mesh in its own frame.
Segmentation by_shells(const geometry::TriangleMesh& mesh, const std::vector<Vector3d>& colours,
                       const SegmentOptions& options) {
  Segmentation result;
  result.is_mesh = true;
  result.method = options.method;
  result.colours = usable_colours(colours, result.problems);
  if (options.method != SegmentMethod::ours) return by_points(mesh, result.colours, options);
  MeshPieces pieces = mesh_pieces(mesh);
  result.problems.insert(result.problems.end(), pieces.problems.begin(), pieces.problems.end());
  if (pieces.pieces.empty()) {
    result.reason = "the mesh encloses no volume; expected at least one closed shell";
    return result;
  }
  say_size(mesh.vertices, result.problems);
  if (options.support) result.problems.push_back(kUnusedSupport);
  result.shells = static_cast<int>(pieces.pieces.size());
  MeshTree(mesh, result.colours, pieces).fill(result);
  for (const VolumeSample& sample : result.samples) result.volume += sample.volume;
  result.cut(options.parts.value_or(result.shells > 1 ? result.shells : suggested_parts(result.tree)));
  result.status = SegmentStatus::ok;
  return result;
}

}  // namespace

Segmentation segment_mesh(const geometry::TriangleMesh& mesh, const std::vector<Vector3d>& colours,
                          const SegmentOptions& options) {
  options.validate();
  if (!colours.empty() && colours.size() != mesh.triangles.size())
    throw std::invalid_argument("segment_mesh: " + std::to_string(colours.size()) + " colours for " +
                                std::to_string(mesh.triangles.size()) +
                                " triangles; expected one each, or none");
  const OwnFrame frame = own_frame(mesh);
  geometry::TriangleMesh own = mesh;
  for (Vector3d& p : own.vertices) p = frame.to_own(p);
  Segmentation result = by_shells(own, colours, options);
  for (VolumeSample& sample : result.samples) sample.point = frame.from_own(sample.point);
  for (Vector3d& p : result.surface.vertices) p = frame.from_own(p);
  if (result.status == SegmentStatus::ok) result.cut(static_cast<int>(result.parts.size()));
  return result;
}

}  // namespace prehend::parts
