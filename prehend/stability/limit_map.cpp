#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <unordered_map>

#include <Eigen/Geometry>

#include <prehend/stability/interface_points.h>
#include <prehend/stability/limit_map.h>

namespace prehend::stability {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// A solved point of a family of pushes, with its tangent plane low + slope . (x - at).
struct Node {
  Vector2d at{Vector2d::Zero()};
  double low{0.0}, high{0.0};
  Vector2d slope{Vector2d::Zero()};
  bool failed{false}, unbounded{false};
  int motion{-1};

  double tangent(const Vector2d& x) const { return low + slope.dot(x - at); }
};

struct Triangle {
  int family{0};
  int corners[3];              // nodes
  std::vector<int> open;       // loads inside whose bounds do not agree yet
};

// Pushes on one body in one direction.
struct Family {
  int body{0};
  Vector3d d{Vector3d::Zero()};
  Vector3d u{Vector3d::Zero()}, v{Vector3d::Zero()};
  std::vector<int> loads;
  Vector2d low{Vector2d::Constant(std::numeric_limits<double>::infinity())};
  Vector2d high{Vector2d::Constant(-std::numeric_limits<double>::infinity())};

  Vector2d flat(const Vector3d& r) const { return {u.dot(r), v.dot(r)}; }
  Vector3d lifted(const Vector2d& x) const { return x.x() * u + x.y() * v; }
};

class Mapper {
 public:
  Mapper(std::span<const PointLoad> loads, double accuracy, double unbounded_below, const PointSolver& solve)
      : loads_(loads), accuracy_(accuracy), unbounded_below_(unbounded_below), solve_(solve) {
    result_.values.resize(loads.size());
    at_.resize(loads.size());
  }

  MapValues run() {
    find_families();
    std::vector<Triangle> triangles = first_triangles();
    while (!triangles.empty()) triangles = refine(std::move(triangles));
    solve_singles();
    return std::move(result_);
  }

 private:
  // Below this many open points a triangle is not halved: each is solved by itself.
  static constexpr std::size_t kFewPoints = 2;
  static constexpr std::size_t kSmallFamily = 6;

  void find_families() {
    // Directions that agree to rounding; normals of one face do.
    std::map<std::array<long, 4>, int> known;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      const PointLoad& load = loads_[i];
      const auto key = [&](int axis) { return std::lround(load.d[axis] * 1e9); };
      const auto [entry, is_new] = known.try_emplace({load.body, key(0), key(1), key(2)}, static_cast<int>(families_.size()));
      if (is_new) {
        const Eigen::Matrix3d frame = contact_frame(load.d);
        families_.push_back({load.body, load.d, frame.col(0), frame.col(1), {}, {}, {}});
        families_.back().low.setConstant(std::numeric_limits<double>::infinity());
        families_.back().high.setConstant(-std::numeric_limits<double>::infinity());
      }
      Family& family = families_[static_cast<std::size_t>(entry->second)];
      at_[i] = family.flat(load.r);
      family.loads.push_back(static_cast<int>(i));
      family.low = family.low.cwiseMin(at_[i]);
      family.high = family.high.cwiseMax(at_[i]);
    }
  }

  // Two triangles over the box around each family's points; small families are solved point by point.
  std::vector<Triangle> first_triangles() {
    std::vector<Triangle> triangles;
    for (std::size_t f = 0; f < families_.size(); ++f) {
      const Family& family = families_[f];
      const Vector2d size = family.high - family.low;
      if (family.loads.size() < kSmallFamily || !(size.minCoeff() > 0.0)) {
        singles_.insert(singles_.end(), family.loads.begin(), family.loads.end());
        continue;
      }
      const int first = static_cast<int>(nodes_.size());
      for (const Vector2d& corner : {family.low, Vector2d(family.high.x(), family.low.y()), family.high,
                                     Vector2d(family.low.x(), family.high.y())}) {
        add_node(static_cast<int>(f), corner);
      }
      Triangle lower{static_cast<int>(f), {first + 1, first, first + 2}, {}};
      Triangle upper{static_cast<int>(f), {first + 3, first + 2, first}, {}};
      for (const int load : family.loads) {
        const Vector2d x = (at_[static_cast<std::size_t>(load)] - family.low).cwiseQuotient(size);
        (x.x() >= x.y() ? lower : upper).open.push_back(load);
      }
      triangles.push_back(std::move(lower));
      triangles.push_back(std::move(upper));
    }
    solve_pending();
    std::vector<Triangle> open;
    for (Triangle& triangle : triangles) keep_open(std::move(triangle), {0, 1, 2}, open);
    return open;
  }

  int add_node(int family, const Vector2d& at) {
    nodes_.push_back({});
    nodes_.back().at = at;
    const Family& f = families_[static_cast<std::size_t>(family)];
    pending_.push_back({f.body, f.lifted(at), f.d});
    pending_family_.push_back(family);
    return static_cast<int>(nodes_.size()) - 1;
  }

  // Solves the nodes added since the last call.
  void solve_pending() {
    if (pending_.empty()) return;
    pending_values_.assign(pending_.size(), {});
    solve_(pending_, pending_values_);
    result_.programs += static_cast<long>(pending_.size());
    const std::size_t first = nodes_.size() - pending_.size();
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      Node& node = nodes_[first + i];
      PointValue& value = pending_values_[i];
      const Family& family = families_[static_cast<std::size_t>(pending_family_[i])];
      node.failed = value.failed;
      node.unbounded = value.unbounded;
      node.low = value.low;
      node.high = value.high;
      const Vector3d turn = family.d.cross(Vector3d(value.twist.head<3>()));  // d(r x d . w)/dr = d x w
      node.slope = Vector2d(family.u.dot(turn), family.v.dot(turn));
      if (!value.unbounded && !value.failed) {
        node.motion = static_cast<int>(result_.motions.size());
        result_.motions.push_back(std::move(value.motion));
      }
    }
    pending_.clear();
    pending_family_.clear();
  }

  // Tightens the bounds of a triangle's loads by the named corners; keeps those that are still open.
  void keep_open(Triangle triangle, std::initializer_list<int> new_corners, std::vector<Triangle>& into) {
    const Node& a = nodes_[static_cast<std::size_t>(triangle.corners[0])];
    const Node& b = nodes_[static_cast<std::size_t>(triangle.corners[1])];
    const Node& c = nodes_[static_cast<std::size_t>(triangle.corners[2])];
    if (a.failed || b.failed || c.failed) {
      singles_.insert(singles_.end(), triangle.open.begin(), triangle.open.end());
      return;
    }
    const Vector2d ab = b.at - a.at, ac = c.at - a.at;
    const double inverse = 1.0 / (ab.x() * ac.y() - ab.y() * ac.x());
    std::size_t kept = 0;
    for (const int load : triangle.open) {
      const Vector2d& x = at_[static_cast<std::size_t>(load)];
      MapValue& value = result_.values[static_cast<std::size_t>(load)];
      const Vector2d ax = x - a.at;
      const double share_b = (ax.x() * ac.y() - ax.y() * ac.x()) * inverse;
      const double share_c = (ab.x() * ax.y() - ab.y() * ax.x()) * inverse;
      value.high = a.high + share_b * (b.high - a.high) + share_c * (c.high - a.high);
      for (const int corner : new_corners) {
        const Node& node = nodes_[static_cast<std::size_t>(triangle.corners[corner])];
        if (node.unbounded) continue;
        const double tangent = node.tangent(x);
        if (value.motion < 0 || tangent > value.low) {
          value.low = tangent;
          value.motion = node.motion;
        }
      }
      if (value.high <= unbounded_below_) {
        value.status = MapValue::Status::unbounded;
      } else if (value.motion >= 0 && value.high - value.low <= 2.0 * accuracy_ * value.low) {
        value.status = MapValue::Status::bounded;
      } else {
        triangle.open[kept++] = load;
      }
    }
    triangle.open.resize(kept);
    if (kept == 0) return;
    if (kept <= kFewPoints) {
      singles_.insert(singles_.end(), triangle.open.begin(), triangle.open.end());
    } else {
      into.push_back(std::move(triangle));
    }
  }

  // Halves every triangle at the middle of its longest side.
  std::vector<Triangle> refine(std::vector<Triangle> triangles) {
    std::vector<int> middles(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      Triangle& triangle = triangles[t];
      int longest = 0;
      double length = -1.0;
      for (int i = 0; i < 3; ++i) {
        const double side = (nodes_[static_cast<std::size_t>(triangle.corners[(i + 1) % 3])].at -
                             nodes_[static_cast<std::size_t>(triangle.corners[(i + 2) % 3])].at).squaredNorm();
        if (side > length * (1.0 + 1e-9)) {
          length = side;
          longest = i;
        }
      }
      std::rotate(triangle.corners, triangle.corners + longest, triangle.corners + 3);
      const int p = triangle.corners[1], q = triangle.corners[2];
      const std::uint64_t key = (static_cast<std::uint64_t>(std::min(p, q)) << 32) | static_cast<std::uint64_t>(std::max(p, q));
      const auto [entry, is_new] = middle_of_.try_emplace(key, -1);
      if (is_new) {
        entry->second = add_node(triangle.family, 0.5 * (nodes_[static_cast<std::size_t>(p)].at + nodes_[static_cast<std::size_t>(q)].at));
      }
      middles[t] = entry->second;
    }
    solve_pending();
    std::vector<Triangle> halves;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      Triangle& triangle = triangles[t];
      const int tip = triangle.corners[0];
      Triangle first{triangle.family, {tip, triangle.corners[1], middles[t]}, {}};
      Triangle second{triangle.family, {tip, middles[t], triangle.corners[2]}, {}};
      const Vector2d origin = nodes_[static_cast<std::size_t>(tip)].at;
      const Vector2d cut = nodes_[static_cast<std::size_t>(middles[t])].at - origin;
      const Vector2d side = nodes_[static_cast<std::size_t>(triangle.corners[1])].at - origin;
      const double sign = cut.x() * side.y() - cut.y() * side.x();
      for (const int load : triangle.open) {
        const Vector2d x = at_[static_cast<std::size_t>(load)] - origin;
        ((cut.x() * x.y() - cut.y() * x.x()) * sign >= 0.0 ? first : second).open.push_back(load);
      }
      if (!first.open.empty()) keep_open(std::move(first), {2}, halves);
      if (!second.open.empty()) keep_open(std::move(second), {1}, halves);
    }
    return halves;
  }

  void solve_singles() {
    std::vector<PointLoad> loads;
    for (const int load : singles_) loads.push_back(loads_[static_cast<std::size_t>(load)]);
    std::vector<PointValue> values(loads.size());
    solve_(loads, values);
    result_.programs += static_cast<long>(loads.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      MapValue& value = result_.values[static_cast<std::size_t>(singles_[i])];
      if (values[i].failed) {
        value.status = MapValue::Status::failed;
        continue;
      }
      value.status = values[i].unbounded ? MapValue::Status::unbounded : MapValue::Status::bounded;
      value.low = values[i].low;
      value.high = values[i].high;
      value.motion = static_cast<int>(result_.motions.size());
      result_.motions.push_back(std::move(values[i].motion));
    }
  }

  std::span<const PointLoad> loads_;
  double accuracy_, unbounded_below_;
  const PointSolver& solve_;
  MapValues result_;
  std::vector<Vector2d> at_;
  std::vector<Family> families_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, int> middle_of_;
  std::vector<PointLoad> pending_;
  std::vector<int> pending_family_;
  std::vector<PointValue> pending_values_;
  std::vector<int> singles_;
};

}  // namespace

MapValues map_loads(std::span<const PointLoad> loads, double accuracy, double unbounded_below, const PointSolver& solve) {
  return Mapper(loads, accuracy, unbounded_below, solve).run();
}

}  // namespace prehend::stability
