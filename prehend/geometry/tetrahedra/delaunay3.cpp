#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <tuple>

#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/mesh.h>
#include <prehend/geometry/tetrahedra/delaunay3.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

constexpr int kHilbertBits = 16;

// Position along the Hilbert curve of a cell of the 2^16 grid (Skilling, AIP Conference Proceedings 707,
// 2004): undo the rotations of each level, Gray-encode, interleave the bits.
std::uint64_t hilbert_position(std::array<std::uint32_t, 3> x) {
  for (std::uint32_t q = 1u << (kHilbertBits - 1); q > 1; q >>= 1) {
    for (int i = 0; i < 3; ++i) {
      if (x[i] & q) {
        x[0] ^= q - 1;
      } else {
        const std::uint32_t t = (x[0] ^ x[i]) & (q - 1);
        x[0] ^= t;
        x[i] ^= t;
      }
    }
  }
  for (int i = 1; i < 3; ++i) x[i] ^= x[i - 1];
  std::uint32_t t = 0;
  for (std::uint32_t q = 1u << (kHilbertBits - 1); q > 1; q >>= 1) {
    if (x[2] & q) t ^= q - 1;
  }
  std::uint64_t position = 0;
  for (int bit = kHilbertBits - 1; bit >= 0; --bit) {
    for (int i = 0; i < 3; ++i) position = 2 * position + (((x[i] ^ t) >> bit) & 1u);
  }
  return position;
}

// Four points that span a volume, positively oriented; empty when there are none. Tries spread-out ones
// first.
std::vector<int> first_tetrahedron(const std::vector<Eigen::Vector3d>& p) {
  const int n = static_cast<int>(p.size());
  if (n < 4) return {};
  const auto farthest = [&](auto&& measure) {
    int best = 0;
    double most = -1.0;
    for (int i = 0; i < n; ++i) {
      const double value = measure(p[i]);
      if (value > most) {
        most = value;
        best = i;
      }
    }
    return best;
  };
  const int a = 0;
  const int b = farthest([&](const Eigen::Vector3d& q) { return (q - p[a]).squaredNorm(); });
  if (p[b] == p[a]) return {};
  const Eigen::Vector3d axis = p[b] - p[a];
  const int c = farthest([&](const Eigen::Vector3d& q) { return axis.cross(q - p[a]).squaredNorm(); });
  const Eigen::Vector3d normal = axis.cross(p[c] - p[a]);
  const int d = farthest([&](const Eigen::Vector3d& q) { return std::abs(normal.dot(q - p[a])); });
  int side = orient3d(p[a], p[b], p[c], p[d]);
  if (side > 0) return {a, b, c, d};
  if (side < 0) return {a, c, b, d};
  // Rounding hid the volume, or there is none: search exactly for a point off the line, then one off the
  // plane.
  const auto on_line = [&](const Eigen::Vector3d& q) {
    const auto flat = [](const Eigen::Vector3d& v, int i, int j) { return Eigen::Vector2d(v[i], v[j]); };
    for (const auto& [i, j] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 2)}) {
      if (orient2d(flat(p[a], i, j), flat(p[b], i, j), flat(q, i, j)) != 0) return false;
    }
    return true;
  };
  for (int k = 0; k < n; ++k) {
    if (on_line(p[k])) continue;
    for (int l = 0; l < n; ++l) {
      side = orient3d(p[a], p[b], p[k], p[l]);
      if (side > 0) return {a, b, k, l};
      if (side < 0) return {a, k, b, l};
    }
    return {};
  }
  return {};
}

}  // namespace

std::vector<int> insertion_order(std::span<const Eigen::Vector3d> points) {
  const Aabb box = bounding_box({points.begin(), points.end()});
  const double extent = std::max((box.upper - box.lower).maxCoeff(), 1e-300);
  math::RandomStream random(20);
  std::vector<std::tuple<int, std::uint64_t, int>> keys(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::array<std::uint32_t, 3> cell;
    for (int k = 0; k < 3; ++k) {
      const double t = (points[i][k] - box.lower[k]) / extent;
      cell[k] = static_cast<std::uint32_t>(std::clamp(t, 0.0, 1.0) * ((1u << kHilbertBits) - 1));
    }
    // A point goes into the last round with probability 1/2, into the one before with 1/4, and so on.
    int round = 0;
    for (std::uint32_t bits = random(); (bits & 1u) && round < 20; bits >>= 1) --round;
    keys[i] = {round, hilbert_position(cell), static_cast<int>(i)};
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> order(points.size());
  std::transform(keys.begin(), keys.end(), order.begin(), [](const auto& key) { return std::get<2>(key); });
  return order;
}

bool build_delaunay(TetComplex& complex, std::vector<int>& representative) {
  const auto& p = complex.points;
  representative.resize(p.size());
  std::iota(representative.begin(), representative.end(), 0);
  std::vector<int> by_place = representative;
  const auto less = [&](int i, int j) {
    for (int k = 0; k < 3; ++k) {
      if (p[i][k] != p[j][k]) return p[i][k] < p[j][k];
    }
    return i < j;
  };
  std::sort(by_place.begin(), by_place.end(), less);
  for (std::size_t k = 1; k < by_place.size(); ++k) {
    if (p[by_place[k]] == p[by_place[k - 1]]) representative[by_place[k]] = representative[by_place[k - 1]];
  }
  std::vector<int> first = first_tetrahedron(p);
  if (first.empty()) return false;
  for (int& v : first) v = representative[v];
  complex.cells.reserve(8 * p.size());
  complex.start(first[0], first[1], first[2], first[3]);
  for (int v : insertion_order(p)) {
    math::check_interrupt();
    if (representative[v] == v && std::find(first.begin(), first.end(), v) == first.end()) {
      complex.insert_delaunay(v, complex.last_cell());
    }
  }
  return true;
}

}  // namespace prehend::geometry
