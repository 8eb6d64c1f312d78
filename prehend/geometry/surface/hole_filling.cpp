#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include <prehend/geometry/surface/edge_table.h>
#include <prehend/geometry/surface/hole_filling.h>
#include <prehend/math/house/option_check.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

// Loops of boundary half-edges, each followed by the one that starts where it ends. A vertex with several
// outgoing ones makes a loop ambiguous: those come back empty.
std::vector<std::vector<int>> boundary_loops(const TriangleMesh& mesh) {
  const EdgeTable table = build_edge_table(mesh, std::vector<char>(mesh.triangles.size(), 1));
  std::unordered_map<int, int>
      next;  // vertex -> end of its outgoing boundary half-edge, -1 when there are several
  for (const EdgeTable::Edge& edge : table.edges) {
    if (edge.count != 1) continue;
    const int h = table.half_edges[edge.first];
    const auto [entry, is_new] = next.try_emplace(start_of(mesh, h), end_of(mesh, h));
    if (!is_new) entry->second = -1;
  }
  std::vector<int> starts;
  for (const auto& [vertex, end] : next) starts.push_back(vertex);
  std::sort(starts.begin(), starts.end());  // the same order on every platform
  std::vector<std::vector<int>> loops;
  std::unordered_map<int, bool> visited;
  for (int start : starts) {
    if (visited[start]) continue;
    std::vector<int> loop;
    int vertex = start;
    while (true) {
      const auto step = next.find(vertex);
      if (step == next.end() || step->second < 0) {
        loop.clear();
        break;
      }
      if (visited[vertex]) {
        if (vertex != start) loop.clear();
        break;
      }
      visited[vertex] = true;
      loop.push_back(vertex);
      vertex = step->second;
    }
    visited[start] = true;
    loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace

HoleFilling fill_holes(TriangleMesh& mesh, int max_edges) {
  math::OptionCheck("fill_holes").between("max_edges", max_edges, 0, 100);
  HoleFilling result;
  for (const std::vector<int>& loop : boundary_loops(mesh)) {
    const int n = static_cast<int>(loop.size());
    if (n < 3 || n > max_edges) {
      ++result.open_holes;
      continue;
    }
    // cost[i][j]: least area that closes the chain i..j with the edge j-i; split[i][j]: its third corner.
    std::vector<double> cost(n * n, 0.0);
    std::vector<int> split(n * n, -1);
    const auto area = [&](int i, int j, int k) {
      const Vector3d& a = mesh.vertices[loop[i]];
      return 0.5 * (mesh.vertices[loop[j]] - a).cross(mesh.vertices[loop[k]] - a).norm();
    };
    for (int length = 2; length < n; ++length) {
      for (int i = 0; i + length < n; ++i) {
        const int j = i + length;
        cost[i * n + j] = std::numeric_limits<double>::infinity();
        for (int k = i + 1; k < j; ++k) {
          const double candidate = cost[i * n + k] + cost[k * n + j] + area(i, k, j);
          if (candidate < cost[i * n + j]) {
            cost[i * n + j] = candidate;
            split[i * n + j] = k;
          }
        }
      }
    }
    // The hole's half-edges run against those of the surface, hence the order j, k, i.
    std::vector<std::pair<int, int>> open{{0, n - 1}};
    while (!open.empty()) {
      const auto [i, j] = open.back();
      open.pop_back();
      if (j - i < 2) continue;
      const int k = split[i * n + j];
      mesh.triangles.emplace_back(loop[j], loop[k], loop[i]);
      ++result.added_triangles;
      open.emplace_back(i, k);
      open.emplace_back(k, j);
    }
    ++result.filled_holes;
    result.added_area += cost[n - 1];
  }
  return result;
}

}  // namespace prehend::geometry
