#include <algorithm>
#include <cmath>

#include <prehend/geometry/surface/triangle_bvh.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

constexpr int kBins = 16;      // of the surface-area heuristic: trades building time against tighter boxes
constexpr int kMaxLeaf = 4;    // triangles: trades boxes against triangles to be tested
constexpr int kMaxDepth = 48;  // beyond it, halve by count: bounds the depth for any input

struct Box {
  float lower[3]{HUGE_VALF, HUGE_VALF, HUGE_VALF};
  float upper[3]{-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
  void add(const float* low, const float* high) {
    for (int k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], low[k]);
      upper[k] = std::max(upper[k], high[k]);
    }
  }
  // Half the surface area.
  float area() const {
    const float x = upper[0] - lower[0], y = upper[1] - lower[1], z = upper[2] - lower[2];
    return x < 0.0f ? 0.0f : x * y + y * z + z * x;
  }
};

struct Item {
  float lower[3];
  float upper[3];
  int triangle;
  float centre(int axis) const { return lower[axis] + upper[axis]; }  // twice the centre
};

float rounded_down(double x) { return static_cast<float>(x - 2e-7 * std::abs(x) - 1e-30); }
float rounded_up(double x) { return static_cast<float>(x + 2e-7 * std::abs(x) + 1e-30); }

class Builder {
 public:
  Builder(TriangleBvh& bvh, std::vector<Item>& items) : bvh_(bvh), items_(items) {}

  void build() {
    bvh_.nodes.reserve(items_.size());
    bvh_.nodes.emplace_back();
    split(0, 0, static_cast<int>(items_.size()), 0);
  }

 private:
  void split(int node, int begin, int end, int depth) {
    Box box, centres;
    for (int i = begin; i < end; ++i) {
      const Item& item = items_[i];
      box.add(item.lower, item.upper);
      const float centre[3] = {item.centre(0), item.centre(1), item.centre(2)};
      centres.add(centre, centre);
    }
    TriangleBvh::Node& n = bvh_.nodes[node];
    for (int k = 0; k < 3; ++k) {
      n.lower[k] = box.lower[k];
      n.upper[k] = box.upper[k];
    }
    const int count = end - begin;
    if (count <= kMaxLeaf) {
      n.first = begin;
      n.count = count;
      return;
    }
    const int middle = partition(begin, end, centres, depth);
    const int left = static_cast<int>(bvh_.nodes.size());
    n.first = left;
    n.count = 0;
    bvh_.nodes.emplace_back();  // invalidates n
    bvh_.nodes.emplace_back();
    split(left, begin, middle, depth + 1);
    split(left + 1, middle, end, depth + 1);
  }

  int partition(int begin, int end, const Box& centres, int depth) {
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
      if (centres.upper[k] - centres.lower[k] > centres.upper[axis] - centres.lower[axis]) axis = k;
    }
    const float low = centres.lower[axis], extent = centres.upper[axis] - low;
    const int middle = begin + (end - begin) / 2;
    if (!(extent > 0.0f)) return middle;  // all centres in one place: any split is as good
    if (depth >= kMaxDepth || end - begin <= 2 * kMaxLeaf) {
      std::nth_element(items_.begin() + begin, items_.begin() + middle, items_.begin() + end,
                       [axis](const Item& a, const Item& b) {
                         return a.centre(axis) != b.centre(axis) ? a.centre(axis) < b.centre(axis)
                                                                 : a.triangle < b.triangle;
                       });
      return middle;
    }
    const float to_bin = kBins * (1.0f - 1e-6f) / extent;
    const auto bin_of = [&](const Item& item) {
      return std::clamp(static_cast<int>((item.centre(axis) - low) * to_bin), 0, kBins - 1);
    };
    Box boxes[kBins];
    int counts[kBins] = {};
    for (int i = begin; i < end; ++i) {
      const int bin = bin_of(items_[i]);
      boxes[bin].add(items_[i].lower, items_[i].upper);
      ++counts[bin];
    }
    float cost_left[kBins];
    Box sweep;
    for (int bin = 0, count = 0; bin < kBins - 1; ++bin) {
      sweep.add(boxes[bin].lower, boxes[bin].upper);
      count += counts[bin];
      cost_left[bin] = sweep.area() * static_cast<float>(count);
    }
    sweep = Box();
    int best = -1;
    float best_cost = HUGE_VALF;
    for (int bin = kBins - 1, count = 0; bin > 0; --bin) {
      sweep.add(boxes[bin].lower, boxes[bin].upper);
      count += counts[bin];
      const float cost = cost_left[bin - 1] + sweep.area() * static_cast<float>(count);
      if (cost < best_cost && count < end - begin && count > 0) {
        best_cost = cost;
        best = bin;
      }
    }
    if (best < 0) return middle;
    const auto first_right = std::partition(items_.begin() + begin, items_.begin() + end,
                                            [&](const Item& item) { return bin_of(item) < best; });
    return static_cast<int>(first_right - items_.begin());
  }

  TriangleBvh& bvh_;
  std::vector<Item>& items_;
};

}  // namespace

TriangleBvh build_triangle_bvh(const TriangleMesh& mesh) {
  return build_triangle_bvh(mesh, std::vector<char>(mesh.triangles.size(), 1));
}

TriangleBvh build_triangle_bvh(const TriangleMesh& mesh, const std::vector<char>& use) {
  TriangleBvh bvh;
  const auto vertex_count = static_cast<unsigned>(mesh.vertices.size());
  std::vector<char> is_finite(mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) is_finite[i] = mesh.vertices[i].allFinite();
  std::vector<int> usable;
  usable.reserve(mesh.triangles.size());
  Vector3d lower = Vector3d::Constant(HUGE_VAL), upper = -lower;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Eigen::Vector3i& t = mesh.triangles[i];
    bool good = use[i];
    for (int k = 0; k < 3; ++k) good = good && static_cast<unsigned>(t[k]) < vertex_count && is_finite[t[k]];
    if (!good) continue;
    usable.push_back(static_cast<int>(i));
    for (int k = 0; k < 3; ++k) {
      lower = lower.cwiseMin(mesh.vertices[t[k]]);
      upper = upper.cwiseMax(mesh.vertices[t[k]]);
    }
  }
  if (usable.empty()) return bvh;
  bvh.origin = 0.5 * lower + 0.5 * upper;
  const double size = (0.5 * upper - 0.5 * lower).maxCoeff();
  bvh.unit = size > 1e-300 && size < 1e300 ? std::exp2(std::ceil(std::log2(size))) : 1.0;

  std::vector<Item> items(usable.size());
  for (std::size_t i = 0; i < usable.size(); ++i) {
    const Eigen::Vector3i& t = mesh.triangles[usable[i]];
    const Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Vector3d low = bvh.to_local(a.cwiseMin(b).cwiseMin(c)),
                   high = bvh.to_local(a.cwiseMax(b).cwiseMax(c));
    for (int k = 0; k < 3; ++k) {
      items[i].lower[k] = rounded_down(low[k]);
      items[i].upper[k] = rounded_up(high[k]);
    }
    items[i].triangle = usable[i];
  }
  Builder(bvh, items).build();
  bvh.order.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) bvh.order[i] = items[i].triangle;
  return bvh;
}

}  // namespace prehend::geometry
