#include <algorithm>

#include <prehend/knot/curve/plane_chain.h>

namespace prehend::knot {
namespace {

struct Box {
  Eigen::Vector2d low, high;
  bool overlaps(const Box& other) const {
    return low.x() <= other.high.x() && other.low.x() <= high.x() && low.y() <= other.high.y() &&
           other.low.y() <= high.y();
  }
};

// A rope's neighbouring segments lie close together, so boxes around runs of them make a good tree as they stand.
class ChainTree {
 public:
  ChainTree(const PlaneChain& chain, const std::function<bool(std::size_t, std::size_t)>& visit)
      : visit_(visit), count_(chain.segments.size()) {
    const Eigen::Vector2d margin = Eigen::Vector2d::Constant(chain.tolerance);
    for (const PlaneSegment& s : chain.segments)
      boxes_.push_back({s.from.cwiseMin(s.to) - margin, s.from.cwiseMax(s.to) + margin});
    while (leaves_ * kLeaf < count_) leaves_ *= 2;
    nodes_.resize(2 * leaves_);
    build(1, 0, leaves_);
  }

  bool within(std::size_t node) {
    if (!used(node)) return true;
    if (node >= leaves_) {
      const auto [first, last] = range(node);
      for (std::size_t a = first; a < last; ++a) {
        for (std::size_t b = a + 1; b < last; ++b) {
          if (boxes_[a].overlaps(boxes_[b]) && !visit_(a, b)) return false;
        }
      }
      return true;
    }
    return within(2 * node) && within(2 * node + 1) && between(2 * node, 2 * node + 1);
  }

 private:
  static constexpr std::size_t kLeaf = 4;  // segments; fewer cost more boxes, more cost more pairs

  std::pair<std::size_t, std::size_t> range(std::size_t leaf) const {
    const std::size_t first = (leaf - leaves_) * kLeaf;
    return {std::min(first, count_), std::min(first + kLeaf, count_)};
  }
  bool used(std::size_t node) const { return nodes_[node].low.x() <= nodes_[node].high.x(); }

  void build(std::size_t node, std::size_t first, std::size_t size) {
    const double far = std::numeric_limits<double>::infinity();
    Box box{Eigen::Vector2d::Constant(far), Eigen::Vector2d::Constant(-far)};
    const auto add = [&box](const Box& other) {
      box.low = box.low.cwiseMin(other.low);
      box.high = box.high.cwiseMax(other.high);
    };
    if (size == 1) {
      const auto [from, to] = range(node);
      for (std::size_t s = from; s < to; ++s) add(boxes_[s]);
    } else {
      build(2 * node, first, size / 2);
      build(2 * node + 1, first + size / 2, size / 2);
      add(nodes_[2 * node]);
      add(nodes_[2 * node + 1]);
    }
    nodes_[node] = box;
  }

  // Segments of node a come before those of node b; both are on the same level.
  bool between(std::size_t a, std::size_t b) {
    if (!used(a) || !used(b) || !nodes_[a].overlaps(nodes_[b])) return true;
    if (a >= leaves_) {
      const auto [first_a, last_a] = range(a);
      const auto [first_b, last_b] = range(b);
      for (std::size_t i = first_a; i < last_a; ++i) {
        if (!boxes_[i].overlaps(nodes_[b])) continue;
        for (std::size_t j = first_b; j < last_b; ++j) {
          if (boxes_[i].overlaps(boxes_[j]) && !visit_(i, j)) return false;
        }
      }
      return true;
    }
    return between(2 * a, 2 * b) && between(2 * a, 2 * b + 1) && between(2 * a + 1, 2 * b) &&
           between(2 * a + 1, 2 * b + 1);
  }

  const std::function<bool(std::size_t, std::size_t)>& visit_;
  std::size_t count_;
  std::size_t leaves_{1};
  std::vector<Box> boxes_;
  std::vector<Box>
      nodes_;  // a complete binary tree; node 1 is the root, the children of k are 2 k and 2 k + 1
};

}  // namespace

PlaneChain make_plane_chain(std::span<const Eigen::Vector3d> points_W, const Eigen::Matrix3d& R_VW,
                            double tolerance) {
  PlaneChain chain;
  chain.tolerance = tolerance;
  // Against the first point, so that a rope far from the origin keeps its digits.
  std::size_t last = 0;
  Eigen::Vector2d last_V = Eigen::Vector2d::Zero();
  double last_height = 0.0, along = 0.0;
  for (std::size_t i = 1; i < points_W.size(); ++i) {
    const Eigen::Vector3d p_V = R_VW * (points_W[i] - points_W[0]);
    const double step = (p_V.head<2>() - last_V).norm();
    if (step <= 4 * tolerance) {  // the same point in the view, perhaps higher or lower
      last = i;
      last_height = p_V.z();
      continue;
    }
    chain.segments.push_back({last_V, p_V.head<2>(), last_height, p_V.z(), last, i});
    chain.start.push_back(along);
    along += step;
    last = i;
    last_V = p_V.head<2>();
    last_height = p_V.z();
  }
  return chain;
}

void for_each_close_pair(const PlaneChain& chain,
                         const std::function<bool(std::size_t, std::size_t)>& visit) {
  if (chain.segments.size() >= 2) ChainTree(chain, visit).within(1);
}

}  // namespace prehend::knot
