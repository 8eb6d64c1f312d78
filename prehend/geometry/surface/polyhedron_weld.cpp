#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <prehend/geometry/surface/polyhedron_build.h>

namespace prehend::geometry {
namespace {

// Points by cell of a grid four welding distances wide. Most points are near no cell wall and look into one
// cell.
class PointGrid {
 public:
  PointGrid(const Eigen::Vector3d& origin, double distance, std::size_t expected)
      : origin_(origin), distance_(distance), cell_(4.0 * distance) {
    std::size_t slots = 16;
    while (slots < 2 * expected) slots *= 2;
    heads_.assign(slots, -1);
  }

  // The first point stored within the distance, or a new one.
  int find_or_add(const Eigen::Vector3d& point, std::vector<Eigen::Vector3d>& points) {
    const Eigen::Vector3d scaled = (point - origin_) / cell_;
    Eigen::Matrix<std::int64_t, 3, 1> low, high, home;
    for (int k = 0; k < 3; ++k) {
      home[k] = static_cast<std::int64_t>(std::floor(scaled[k]));
      low[k] = static_cast<std::int64_t>(std::floor(scaled[k] - 0.25));
      high[k] = static_cast<std::int64_t>(std::floor(scaled[k] + 0.25));
    }
    int best = -1;
    for (std::int64_t x = low[0]; x <= high[0]; ++x) {
      for (std::int64_t y = low[1]; y <= high[1]; ++y) {
        for (std::int64_t z = low[2]; z <= high[2]; ++z) {
          for (int i = heads_[slot(x, y, z)]; i >= 0; i = chain_[i]) {
            if ((best < 0 || i < best) && (points[i] - point).squaredNorm() <= distance_ * distance_)
              best = i;
          }
        }
      }
    }
    if (best >= 0) return best;
    int& head = heads_[slot(home[0], home[1], home[2])];
    chain_.push_back(head);
    head = static_cast<int>(points.size());
    points.push_back(point);
    return head;
  }

 private:
  std::size_t slot(std::int64_t x, std::int64_t y, std::int64_t z) const {
    std::uint64_t hash = static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15ULL;
    hash = (hash ^ (hash >> 29)) + static_cast<std::uint64_t>(y) * 0xBF58476D1CE4E5B9ULL;
    hash = (hash ^ (hash >> 31)) + static_cast<std::uint64_t>(z) * 0x94D049BB133111EBULL;
    return (hash ^ (hash >> 30)) & (heads_.size() - 1);
  }

  Eigen::Vector3d origin_;
  double distance_, cell_;
  std::vector<int> heads_, chain_;
};

std::string counted(int count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

void check_input(const TriangleMesh& input) {
  for (std::size_t i = 0; i < input.vertices.size(); ++i) {
    if (!input.vertices[i].allFinite()) {
      throw std::invalid_argument("Polyhedron: vertex " + std::to_string(i) + " is not finite");
    }
  }
  const int vertex_count = static_cast<int>(input.vertices.size());
  for (std::size_t i = 0; i < input.triangles.size(); ++i) {
    if ((input.triangles[i].array() < 0).any() || (input.triangles[i].array() >= vertex_count).any()) {
      throw std::invalid_argument("Polyhedron: triangle " + std::to_string(i) +
                                  " names a vertex that is not among the " + std::to_string(vertex_count) +
                                  " there are");
    }
  }
}

}  // namespace

void PolyhedronBuilder::weld(const TriangleMesh& input) {
  check_input(input);
  const Aabb box = bounding_box(input.vertices);
  result.size_ = box.diagonal();
  weld_distance = options.weld_distance_rel * result.size_;
  flatness_distance = options.flatness_distance_rel * result.size_;

  std::vector<int> new_name(input.vertices.size(), -1);
  PointGrid grid(box.lower, std::max(weld_distance, 1e-300), input.vertices.size());
  TriangleMesh& mesh = result.mesh_;
  mesh.triangles.reserve(input.triangles.size());
  int degenerate = 0;
  for (const Eigen::Vector3i& triangle : input.triangles) {  // vertices that no triangle uses vanish
    Eigen::Vector3i welded;
    for (int k = 0; k < 3; ++k) {
      int& name = new_name[triangle[k]];
      if (name < 0) name = grid.find_or_add(input.vertices[triangle[k]], mesh.vertices);
      welded[k] = name;
    }
    if (welded[0] == welded[1] || welded[1] == welded[2] || welded[2] == welded[0]) {
      ++degenerate;
    } else {
      mesh.triangles.push_back(welded);
    }
  }
  if (degenerate > 0) {
    result.problems_.push_back(counted(degenerate, "triangle has", "triangles have") +
                               " two corners in one place; left out");
  }

  drop_duplicates();
}

// Same three corners in the same sense of rotation: a duplicate. The lists per smallest vertex are short.
void PolyhedronBuilder::drop_duplicates() {
  TriangleMesh& mesh = result.mesh_;
  std::vector<int> start(mesh.vertices.size() + 1, 0), order(mesh.triangles.size());
  for (const Eigen::Vector3i& t : mesh.triangles) ++start[t.minCoeff() + 1];
  for (std::size_t v = 1; v < start.size(); ++v) start[v] += start[v - 1];
  std::vector<int> fill(start.begin(), start.end() - 1);
  std::vector<std::array<int, 2>> others(mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Eigen::Vector3i& t = mesh.triangles[i];
    int k = 0;
    const int smallest = t.minCoeff(&k);
    others[i] = {t[(k + 1) % 3], t[(k + 2) % 3]};
    order[fill[smallest]++] = static_cast<int>(i);
  }
  std::vector<char> is_duplicate(mesh.triangles.size(), 0);
  int duplicates = 0, reversed = 0;
  for (std::size_t v = 0; v + 1 < start.size(); ++v) {
    const auto first = order.begin() + start[v], last = order.begin() + start[v + 1];
    const auto unordered = [&](int i) { return std::minmax(others[i][0], others[i][1]); };
    std::sort(first, last, [&](int i, int j) {
      const auto a = unordered(i), b = unordered(j);
      return a != b ? a < b : i < j;
    });
    for (auto i = first; i != last; ++i) {
      for (auto j = i; j != first && unordered(*(j - 1)) == unordered(*i) && !is_duplicate[*i]; --j) {
        if (others[*(j - 1)] == others[*i]) {
          is_duplicate[*i] = 1;
          ++duplicates;
        } else if (j == i) {
          ++reversed;
        }
      }
    }
  }
  if (duplicates > 0) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      if (!is_duplicate[i]) mesh.triangles[kept++] = mesh.triangles[i];
    }
    mesh.triangles.resize(kept);
    result.problems_.push_back(counted(duplicates, "triangle stands", "triangles stand") +
                               " there more than once; one is kept");
  }
  if (reversed > 0) {
    result.problems_.push_back(counted(reversed, "triangle lies", "triangles lie") +
                               " back to back with its twin: no material between");
  }
}

void PolyhedronBuilder::pair_half_edges() {
  const std::vector<Eigen::Vector3i>& triangles = result.mesh_.triangles;
  const int count = 3 * static_cast<int>(triangles.size());
  twin.assign(count, kNoTwin);
  std::vector<int> begin(result.mesh_.vertices.size() + 1, 0), order(count);
  for (int h = 0; h < count; ++h) ++begin[std::min(start(h), end(h)) + 1];
  for (std::size_t v = 1; v < begin.size(); ++v) begin[v] += begin[v - 1];
  std::vector<int> fill(begin.begin(), begin.end() - 1);
  for (int h = 0; h < count; ++h) order[fill[std::min(start(h), end(h))]++] = h;

  open_edges = crowded_edges = disagreeing_edges = 0;
  for (std::size_t v = 0; v + 1 < begin.size(); ++v) {
    const auto first = order.begin() + begin[v], last = order.begin() + begin[v + 1];
    const auto far_end = [&](int h) { return std::max(start(h), end(h)); };
    std::sort(first, last,
              [&](int a, int b) { return far_end(a) != far_end(b) ? far_end(a) < far_end(b) : a < b; });
    for (auto group = first; group != last;) {
      auto group_end = group + 1;
      while (group_end != last && far_end(*group_end) == far_end(*group)) ++group_end;
      const auto members = group_end - group;
      if (members == 1) {
        ++open_edges;
      } else if (members == 2 && start(group[0]) != start(group[1])) {
        twin[group[0]] = group[1];
        twin[group[1]] = group[0];
      } else {
        ++(members == 2 ? disagreeing_edges : crowded_edges);
        for (auto h = group; h != group_end; ++h) twin[*h] = kNonManifold;
      }
      group = group_end;
    }
  }
  result.is_manifold_ = crowded_edges == 0 && disagreeing_edges == 0;
  result.is_closed_ = result.is_manifold_ && open_edges == 0 && count > 0;
}

void PolyhedronBuilder::name_open_edges() {
  std::vector<std::string>& problems = result.problems_;
  if (twin.empty()) problems.push_back("there is no triangle");
  if (open_edges > 0)
    problems.push_back("open: " + counted(open_edges, "edge has", "edges have") + " one triangle only");
  if (crowded_edges > 0) {
    problems.push_back("not a surface: " + counted(crowded_edges, "edge has", "edges have") +
                       " more than two triangles");
  }
  if (disagreeing_edges > 0) {
    problems.push_back("the triangles at " + counted(disagreeing_edges, "edge", "edges") +
                       " disagree about which side is outside");
  }
}

void PolyhedronBuilder::turn_if_inside_out() {
  if (!result.is_closed_ || !options.turn_inside_out) return;
  double volume = 0.0;  // six times
  const Eigen::Vector3d origin = point(0);
  for (const Eigen::Vector3i& t : result.mesh_.triangles) {
    volume += (point(t[0]) - origin).dot((point(t[1]) - origin).cross(point(t[2]) - origin));
  }
  if (volume >= 0.0) return;
  for (Eigen::Vector3i& t : result.mesh_.triangles) std::swap(t[1], t[2]);
  result.problems_.push_back("the closed mesh was inside out; its triangles were turned");
  pair_half_edges();  // half-edges were renumbered
}

}  // namespace prehend::geometry
