// Flips of a TetComplex: replacing the cells around a face or an edge by others over the same space.
#include <algorithm>
#include <limits>
#include <utility>

#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/tetrahedra/tet_complex.h>

namespace prehend::geometry {
namespace {

// Local vertices k, l such that i, j, k, l is an even permutation.
std::pair<int, int> even_rest(int i, int j) {
  int k = 0;
  while (k == i || k == j) ++k;
  const int l = 6 - i - j - k;
  const int order[4] = {i, j, k, l};
  int inversions = 0;
  for (int a = 0; a < 4; ++a) {
    for (int b = a + 1; b < 4; ++b) inversions += order[a] > order[b];
  }
  return inversions % 2 == 0 ? std::pair(k, l) : std::pair(l, k);
}

std::array<int, 3> sorted(std::array<int, 3> f) {
  if (f[0] > f[1]) std::swap(f[0], f[1]);
  if (f[1] > f[2]) std::swap(f[1], f[2]);
  if (f[0] > f[1]) std::swap(f[0], f[1]);
  return f;
}

constexpr double kInvalid = std::numeric_limits<double>::infinity();
// Beyond this the search costs more than another way round the obstacle.
constexpr int kLargestRing = 16;

}  // namespace

EdgeRing TetComplex::ring(int u, int v, int cell) const {
  EdgeRing ring;
  const auto [k, l] = even_rest(local_index(cell, u), local_index(cell, v));
  int behind = cells[cell].vertex[k], ahead = cells[cell].vertex[l];
  const int first = cell;
  do {
    ring.cells.push_back(cell);
    ring.link.push_back(behind);
    const int code = cells[cell].adjacent[local_index(cell, behind)];
    cell = code / 4;
    behind = ahead;
    ahead = cells[cell].vertex[code % 4];
  } while (cell != first);
  return ring;
}

bool TetComplex::one_region(const std::vector<int>& list) const {
  return std::all_of(list.begin(), list.end(),
                     [&](int cell) { return cells[cell].region == cells[list[0]].region; });
}

void TetComplex::replace(const std::vector<int>& old_cells, const std::vector<FreshCell>& fresh) {
  struct Side {
    std::array<int, 3> key;
    int code;
  };
  std::vector<Side> open;
  for (int cell : old_cells) {
    for (int i = 0; i < 4; ++i) {
      const int outer = cells[cell].adjacent[i];
      if (std::find(old_cells.begin(), old_cells.end(), outer / 4) == old_cells.end()) {
        open.push_back({sorted(face(4 * cell + i)), outer});
      }
    }
  }
  for (int cell : old_cells) kill(cell);
  for (const auto& [vertices, region] : fresh) {
    const int cell = new_cell();
    cells[cell].vertex = vertices;
    cells[cell].region = region;
    for (int i = 0; i < 4; ++i) {
      if (vertices[i] != kGhost) vertex_cell_[vertices[i]] = cell;
      const auto key = sorted(face(4 * cell + i));
      const auto mate =
          std::find_if(open.begin(), open.end(), [&](const Side& side) { return side.key == key; });
      if (mate == open.end()) {
        open.push_back({key, 4 * cell + i});
      } else {
        cells[cell].adjacent[i] = mate->code;
        cells[mate->code / 4].adjacent[mate->code % 4] = 4 * cell + i;
        *mate = open.back();
        open.pop_back();
      }
    }
  }
}

bool TetComplex::flip_face(int face_code) {
  const int other = across(face_code);
  const int above = apex(face_code), below = apex(other);
  const int region = cells[other / 4].region;
  if (is_ghost(face_code / 4) || is_ghost(other / 4) || cells[face_code / 4].region != region) return false;
  const auto f = face(face_code);
  std::vector<FreshCell> fresh;
  for (int i = 0; i < 3; ++i) {
    const std::array<int, 4> cell{f[i], f[(i + 1) % 3], below, above};
    const Eigen::Vector3d &a = points[cell[0]], &b = points[cell[1]], &c = points[cell[2]],
                          &d = points[cell[3]];
    if (orient3d(a, b, c, d) <= 0) return false;
    fresh.push_back({cell, region});
  }
  replace({face_code / 4, other / 4}, fresh);
  return true;
}

bool TetComplex::remove_edge(int u, int v, const EdgeRing& ring, const RingObjective& objective) {
  const int n = static_cast<int>(ring.link.size());
  if (n < 3 || n > kLargestRing || !one_region(ring.cells)) return false;
  const int region = cells[ring.cells[0]].region;
  for (int p : ring.link) {
    if (p == kGhost) return false;
  }
  // best[i][j]: cheapest triangulation of the link polygon i, i+1, ..., j; choice: its triangle at chord i,
  // j.
  double best[kLargestRing][kLargestRing];
  int choice[kLargestRing][kLargestRing];
  const double nothing = objective.additive ? 0.0 : -kInvalid;
  const auto combine = [&](double a, double b) { return objective.additive ? a + b : std::max(a, b); };
  for (int i = 0; i + 1 < n; ++i) best[i][i + 1] = nothing;
  for (int span = 2; span < n; ++span) {
    for (int i = 0; i + span < n; ++i) {
      const int j = i + span;
      best[i][j] = kInvalid;
      for (int k = i + 1; k < j; ++k) {
        const double parts = combine(best[i][k], best[k][j]);
        if (parts >= best[i][j] || parts >= objective.below) continue;
        const int p = ring.link[i], q = ring.link[k], r = ring.link[j];
        if (orient3d(points[p], points[q], points[r], points[v]) <= 0 ||
            orient3d(points[p], points[q], points[r], points[u]) >= 0) {
          continue;
        }
        const double cost = combine(parts, objective.triangle ? objective.triangle(p, q, r) : 0.0);
        if (cost < best[i][j]) {
          best[i][j] = cost;
          choice[i][j] = k;
        }
      }
      if (span < n - 1 && best[i][j] < kInvalid && objective.diagonal) {
        best[i][j] = combine(best[i][j], objective.diagonal(ring.link[i], ring.link[j]));
      }
    }
  }
  if (!(best[0][n - 1] < objective.below)) return false;
  std::vector<FreshCell> fresh;
  std::vector<std::pair<int, int>> chords{{0, n - 1}};
  while (!chords.empty()) {
    const auto [i, j] = chords.back();
    chords.pop_back();
    if (j - i < 2) continue;
    const int k = choice[i][j];
    fresh.push_back({{ring.link[i], ring.link[k], ring.link[j], v}, region});
    fresh.push_back({{ring.link[i], ring.link[j], ring.link[k], u}, region});
    chords.emplace_back(i, k);
    chords.emplace_back(k, j);
  }
  replace(ring.cells, fresh);
  return true;
}

bool TetComplex::move_vertex(int vertex, const Eigen::Vector3d& to) {
  const Eigen::Vector3d from = points[vertex];
  points[vertex] = to;
  for (int cell : star(vertex)) {
    const auto& v = cells[cell].vertex;
    if (is_ghost(cell) || orient3d(points[v[0]], points[v[1]], points[v[2]], points[v[3]]) <= 0) {
      points[vertex] = from;
      return false;
    }
  }
  return true;
}

bool TetComplex::split_edge(int u, int v, int vertex, int cell_at_edge) {
  if (vertex_cell_.size() < points.size()) vertex_cell_.resize(points.size(), -1);
  const EdgeRing around = ring(u, v, cell_at_edge);
  std::vector<FreshCell> fresh;
  const int n = static_cast<int>(around.link.size());
  for (int i = 0; i < n; ++i) {
    const int p = around.link[i], q = around.link[(i + 1) % n];
    for (const std::array<int, 4>& cell : {std::array{u, vertex, p, q}, std::array{vertex, v, p, q}}) {
      if (p != kGhost && q != kGhost &&
          orient3d(points[cell[0]], points[cell[1]], points[cell[2]], points[cell[3]]) <= 0) {
        return false;
      }
      fresh.push_back({cell, cells[around.cells[i]].region});
    }
  }
  replace(around.cells, fresh);
  return true;
}

}  // namespace prehend::geometry
