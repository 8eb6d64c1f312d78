#include <algorithm>
#include <utility>

#include <prehend/geometry/surface/edge_table.h>

namespace prehend::geometry {

EdgeTable build_edge_table(const TriangleMesh& mesh, const std::vector<char>& use) {
  std::vector<int> bucket(mesh.vertices.size() + 1, 0);
  const int triangles = static_cast<int>(mesh.triangles.size());
  for (int t = 0; t < triangles; ++t) {
    if (!use[t]) continue;
    const Eigen::Vector3i& v = mesh.triangles[t];
    ++bucket[std::min(v[0], v[1]) + 1];
    ++bucket[std::min(v[1], v[2]) + 1];
    ++bucket[std::min(v[2], v[0]) + 1];
  }
  for (std::size_t i = 1; i < bucket.size(); ++i) bucket[i] += bucket[i - 1];

  struct Entry {
    int high, half_edge;
    bool operator<(const Entry& other) const {
      return high != other.high ? high < other.high : half_edge < other.half_edge;
    }
  };
  std::vector<Entry> entries(bucket.back());
  std::vector<int> fill(bucket.begin(), bucket.end() - 1);
  for (int t = 0; t < triangles; ++t) {
    if (!use[t]) continue;
    const Eigen::Vector3i& v = mesh.triangles[t];
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(v[k], v[k == 2 ? 0 : k + 1]);
      entries[fill[low]++] = {high, 3 * t + k};
    }
  }

  EdgeTable table;
  table.edges.reserve(entries.size() / 2 + 1);
  table.half_edges.resize(entries.size());
  for (std::size_t low = 0; low + 1 < bucket.size(); ++low) {
    const int begin = bucket[low], end = bucket[low + 1];
    std::sort(entries.begin() + begin, entries.begin() + end);
    for (int i = begin; i < end; ++i) {
      table.half_edges[i] = entries[i].half_edge;
      if (i == begin || entries[i].high != entries[i - 1].high) {
        table.edges.push_back({static_cast<int>(low), entries[i].high, i, 0});
      }
      ++table.edges.back().count;
    }
  }
  return table;
}

}  // namespace prehend::geometry
