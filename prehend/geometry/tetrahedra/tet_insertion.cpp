#include <algorithm>
#include <set>
#include <unordered_set>

#include <prehend/geometry/tetrahedra/tet_insertion.h>

namespace prehend::geometry {
namespace {

using OrderedEdge = std::pair<int, int>;
OrderedEdge ordered(int u, int v) { return u < v ? OrderedEdge(u, v) : OrderedEdge(v, u); }

class Cavity {
 public:
  Cavity(const TetComplex& complex, const SurfaceConstraints& constraints, int vertex, int seed)
      : complex_(complex), constraints_(constraints), p_(complex.points[vertex]), seed_(seed) {}

  // The final list of cells; empty when the point lies on a constrained edge or facet.
  std::vector<int> cells() {
    if (!find_core()) return {};
    grow();
    while (true) {
      const std::vector<int> list = connected();
      std::vector<int> drop = unseen(list);
      if (drop.empty()) drop = losing(list);
      if (drop.empty()) return list;
      for (int cell : drop) {
        if (core_.contains(cell)) return core_list();
        inside_.erase(cell);
      }
    }
  }

 private:
  bool blocked(int face_code) const {
    const auto f = complex_.face(face_code);
    return f[0] == kGhost || f[1] == kGhost || f[2] == kGhost || constraints_.has_face(f[0], f[1], f[2]);
  }

  // The cells whose closure holds the point: one, two at a face, a ring at an edge. They see it from all
  // sides, so they are a cavity by themselves, the last resort.
  bool find_core() {
    std::vector<int> queue{seed_};
    core_.insert(seed_);
    for (std::size_t k = 0; k < queue.size(); ++k) {
      for (int i = 0; i < 4; ++i) {
        const int code = 4 * queue[k] + i;
        if (complex_.orient_face(code, p_) != 0) continue;
        const int next = complex_.across(code) / 4;
        if (blocked(code) || complex_.is_ghost(next)) return false;
        if (core_.insert(next).second) queue.push_back(next);
      }
    }
    return true;
  }

  // Unless the edge that holds the point is constrained.
  std::vector<int> core_list() {
    inside_ = {core_.begin(), core_.end()};
    const std::vector<int> list(core_.begin(), core_.end());
    return unseen(list).empty() && losing(list).empty() ? list : std::vector<int>{};
  }

  void grow() {
    std::vector<int> queue(core_.begin(), core_.end());
    inside_ = {core_.begin(), core_.end()};
    for (std::size_t k = 0; k < queue.size(); ++k) {
      for (int i = 0; i < 4; ++i) {
        const int next = complex_.across(4 * queue[k] + i) / 4;
        if (inside_.contains(next) || complex_.is_ghost(next) || blocked(4 * queue[k] + i)) continue;
        if (!complex_.in_conflict(next, p_)) continue;
        inside_.insert(next);
        queue.push_back(next);
      }
    }
  }

  // What can be reached from the seed; the rest is dropped.
  std::vector<int> connected() {
    std::vector<int> queue{seed_};
    std::unordered_set<int> reached{seed_};
    for (std::size_t k = 0; k < queue.size(); ++k) {
      for (int i = 0; i < 4; ++i) {
        const int next = complex_.across(4 * queue[k] + i) / 4;
        if (!inside_.contains(next) || reached.contains(next) || blocked(4 * queue[k] + i)) continue;
        reached.insert(next);
        queue.push_back(next);
      }
    }
    inside_ = std::move(reached);
    return queue;
  }

  bool is_wall(int face_code) const {
    return !inside_.contains(complex_.across(face_code) / 4) || blocked(face_code);
  }

  std::vector<int> unseen(const std::vector<int>& list) const {
    std::vector<int> drop;
    for (int cell : list) {
      for (int i = 0; i < 4; ++i) {
        const int code = 4 * cell + i;
        // A facet with cavity on both sides would be swallowed: one of the two has to go, the later one.
        const bool swallowed = inside_.contains(complex_.across(code) / 4) && blocked(code);
        const int other = complex_.across(code) / 4;
        if (swallowed && !core_.contains(cell) && (cell > other || core_.contains(other))) {
          drop.push_back(cell);
          break;
        }
        if (!swallowed && is_wall(code) && complex_.orient_face(code, p_) <= 0) {
          drop.push_back(cell);
          break;
        }
      }
    }
    return drop;
  }

  // Cells that keep a vertex or a constrained edge from staying on the cavity's wall.
  std::vector<int> losing(const std::vector<int>& list) const {
    std::set<OrderedEdge> wall_edges;
    std::set<int> wall_vertices;
    for (int cell : list) {
      for (int i = 0; i < 4; ++i) {
        if (!is_wall(4 * cell + i)) continue;
        const auto f = complex_.face(4 * cell + i);
        for (int k = 0; k < 3; ++k) {
          wall_edges.insert(ordered(f[k], f[(k + 1) % 3]));
          wall_vertices.insert(f[k]);
        }
      }
    }
    std::vector<int> candidates;
    for (int cell : list) {
      const auto& v = complex_.cells[cell].vertex;
      bool loses = false;
      for (int i = 0; i < 4 && !loses; ++i) {
        loses = !wall_vertices.contains(v[i]);
        for (int j = i + 1; j < 4 && !loses; ++j) {
          loses = !wall_edges.contains(ordered(v[i], v[j])) && constraints_.has_edge(v[i], v[j]);
        }
      }
      if (!loses) continue;
      if (!core_.contains(cell) && leaves_seen_walls(cell)) return {cell};
      candidates.push_back(cell);
    }
    // Rather one that is not in the core; if only core cells are left, the caller gives up.
    for (int cell : candidates) {
      if (!core_.contains(cell)) return {cell};
    }
    return candidates;
  }

  bool leaves_seen_walls(int cell) const {
    for (int i = 0; i < 4; ++i) {
      const int back = complex_.across(4 * cell + i);
      if (inside_.contains(back / 4) && complex_.orient_face(back, p_) <= 0) return false;
    }
    return true;
  }

  const TetComplex& complex_;
  const SurfaceConstraints& constraints_;
  const Eigen::Vector3d p_;
  const int seed_;
  std::set<int> core_;  // ordered, so that the result does not depend on a hash
  std::unordered_set<int> inside_;
};

}  // namespace

bool insert_constrained(TetComplex& complex, const SurfaceConstraints& constraints, int vertex, int hint) {
  const Eigen::Vector3d p = complex.points[vertex];
  const int seed = complex.locate(p, hint);
  if (seed < 0 || complex.is_ghost(seed)) return false;
  for (int v : complex.cells[seed].vertex) {
    if (complex.points[v] == p) return false;
  }
  const std::vector<int> cavity = Cavity(complex, constraints, vertex, seed).cells();
  if (cavity.empty()) return false;
  complex.fill_cavity(cavity, vertex);
  return true;
}

}  // namespace prehend::geometry
