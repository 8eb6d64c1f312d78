#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <prehend/geometry/mesh_weld.h>
#include <prehend/math/house/option_check.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

std::uint64_t mix(std::uint64_t h) {
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93ull;
  h ^= h >> 29;
  h *= 0x9e3779b97f4a7c15ull;
  return h ^ (h >> 32);
}

std::uint64_t hash3(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return mix(x * 0x9e3779b97f4a7c15ull + std::rotl(y * 0xc2b2ae3d27d4eb4full, 23) +
             std::rotl(z * 0x165667b19e3779f9ull, 41));
}

// Open addressing; a slot holds the tail of the hash and an item. Several items may share a hash.
class HashTable {
 public:
  explicit HashTable(std::size_t items)
      : slots_(std::bit_ceil(items + items / 2 + 8)), mask_(slots_.size() - 1) {}

  // Calls accept(item) for items of this hash until it returns true; the accepted item, or -1.
  template <class Accept>
  int find(std::uint64_t hash, Accept&& accept) const {
    for (std::size_t i = hash & mask_; slots_[i].item >= 0; i = (i + 1) & mask_) {
      if (slots_[i].tag == tag(hash) && accept(slots_[i].item)) return slots_[i].item;
    }
    return -1;
  }
  void insert(std::uint64_t hash, int item) {
    std::size_t i = hash & mask_;
    while (slots_[i].item >= 0) i = (i + 1) & mask_;
    slots_[i] = {tag(hash), item};
  }

 private:
  struct Slot {
    std::uint32_t tag{0};
    int item{-1};
  };
  static std::uint32_t tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  std::vector<Slot> slots_;
  std::size_t mask_;
};

Aabb box_of_finite(const std::vector<Vector3d>& points) {
  Aabb box;
  for (const Vector3d& p : points) {
    if (!p.allFinite()) continue;
    if (box.is_empty()) box.lower = box.upper = p;
    box.lower = box.lower.cwiseMin(p);
    box.upper = box.upper.cwiseMax(p);
  }
  return box;
}

// Merges equal coordinates; returns the kept points and fills `vertex_of`.
std::vector<Vector3d> merge_equal(const std::vector<Vector3d>& points, std::vector<int>& vertex_of) {
  std::vector<Vector3d> kept;
  kept.reserve(points.size() / 4 + 16);
  vertex_of.resize(points.size());
  HashTable table(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) {
      vertex_of[i] = static_cast<int>(kept.size());
      kept.push_back(points[i]);
      continue;
    }
    // Adding 0 turns -0 into +0.
    const Vector3d p = points[i].array() + 0.0;
    const std::uint64_t hash = hash3(std::bit_cast<std::uint64_t>(p.x()), std::bit_cast<std::uint64_t>(p.y()),
                                     std::bit_cast<std::uint64_t>(p.z()));
    int item = table.find(hash, [&](int k) { return kept[k] == p; });
    if (item < 0) {
      item = static_cast<int>(kept.size());
      kept.push_back(points[i]);
      table.insert(hash, item);
    }
    vertex_of[i] = item;
  }
  return kept;
}

// Merges points within `tolerance` of an earlier kept one.
std::vector<Vector3d> merge_near(const std::vector<Vector3d>& points, const Vector3d& origin,
                                 double tolerance, std::vector<int>& vertex_of) {
  std::vector<Vector3d> kept;
  kept.reserve(points.size());
  vertex_of.resize(points.size());
  HashTable table(points.size());
  // Kept points are more than a tolerance apart, so a cell of 8 tolerances holds a bounded number of them
  // however the points are spread; and most points are further than a tolerance from the border of their
  // cell.
  const double per_cell = 1.0 / (8.0 * tolerance);
  const double margin = 0.125 * (1.0 + 1e-9);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector3d& p = points[i];
    if (!p.allFinite()) {
      vertex_of[i] = static_cast<int>(kept.size());
      kept.push_back(p);
      continue;
    }
    std::int64_t low[3], high[3], own[3];
    for (int axis = 0; axis < 3; ++axis) {
      const double x = (p[axis] - origin[axis]) * per_cell;
      low[axis] = static_cast<std::int64_t>(std::floor(x - margin));
      own[axis] = static_cast<std::int64_t>(std::floor(x));
      high[axis] = static_cast<std::int64_t>(std::floor(x + margin));
    }
    int item = -1;
    const auto is_near = [&](int k) { return (kept[k] - p).squaredNorm() <= tolerance * tolerance; };
    for (std::int64_t x = low[0]; x <= high[0]; ++x) {
      for (std::int64_t y = low[1]; y <= high[1]; ++y) {
        for (std::int64_t z = low[2]; z <= high[2]; ++z) {
          const int found = table.find(hash3(x, y, z), is_near);
          if (found >= 0 && (item < 0 || found < item)) item = found;
        }
      }
    }
    if (item < 0) {
      item = static_cast<int>(kept.size());
      kept.push_back(p);
      table.insert(hash3(own[0], own[1], own[2]), item);
    }
    vertex_of[i] = item;
  }
  return kept;
}

}  // namespace

WeldResult weld_vertices(const TriangleMesh& mesh, const WeldOptions& options) {
  math::OptionCheck("WeldOptions").between("relative_tolerance", options.relative_tolerance, 0.0, 0.1);
  WeldResult result;
  result.mesh.vertices = merge_equal(mesh.vertices, result.vertex_of);
  const std::size_t distinct = result.mesh.vertices.size();
  const Aabb box = box_of_finite(result.mesh.vertices);
  result.tolerance = options.relative_tolerance * box.diagonal();
  // Below 1e-16 of the size, coordinates in double are equal or further apart than the tolerance.
  if (options.relative_tolerance >= 1e-16 && result.tolerance > 0.0 && std::isfinite(result.tolerance)) {
    std::vector<int> near_of;
    result.mesh.vertices = merge_near(result.mesh.vertices, box.lower, result.tolerance, near_of);
    result.merged_within_tolerance = static_cast<int>(distinct - result.mesh.vertices.size());
    if (result.merged_within_tolerance > 0) {
      for (int& vertex : result.vertex_of) vertex = near_of[vertex];
    }
  }
  result.merged_vertices = static_cast<int>(mesh.vertices.size() - result.mesh.vertices.size());
  result.mesh.triangles = mesh.triangles;
  const auto count = static_cast<unsigned>(mesh.vertices.size());
  for (Eigen::Vector3i& t : result.mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      if (static_cast<unsigned>(t[k]) < count) t[k] = result.vertex_of[t[k]];
    }
  }
  return result;
}

}  // namespace prehend::geometry
