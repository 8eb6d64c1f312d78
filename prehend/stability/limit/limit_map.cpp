#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>

#include <Eigen/Geometry>

#include <prehend/math/interrupt.h>
#include <prehend/stability/limit/limit_map.h>
#include <prehend/stability/limit/lower_hull.h>
#include <prehend/stability/statics/interface_points.h>

namespace prehend::stability {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// The tangent plane of a solved point: low + slope . (x - at).
struct Tangent {
  Vector2d at{Vector2d::Zero()}, slope{Vector2d::Zero()};
  double low{0.0};
  int motion{-1};  // -1: unbounded, no tangent

  double value(const Vector2d& x) const { return low + slope.dot(x - at); }
};

// Pushes on one body in one direction.
struct Family {
  int body{0};
  Vector3d d{Vector3d::Zero()}, u{Vector3d::Zero()}, v{Vector3d::Zero()};
  std::vector<int> loads;
  Vector2d low{Vector2d::Zero()}, high{Vector2d::Zero()};
  std::optional<LowerHull> hull;
  std::vector<Tangent> tangents;  // one per node of the hull

  Vector2d flat(const Vector3d& r) const { return {u.dot(r), v.dot(r)}; }
  Vector3d lifted(const Vector2d& x) const { return x.x() * u + x.y() * v; }
};

class Mapper {
 public:
  Mapper(std::span<const PointLoad> loads, double accuracy, double unbounded_below, const PointSolver& solve)
      : loads_(loads), accuracy_(accuracy), unbounded_below_(unbounded_below), solve_(solve) {
    result_.values.resize(loads.size());
    for (MapValue& value : result_.values) value.high = std::numeric_limits<double>::infinity();
    items_.at.resize(loads.size());
    items_.triangle.assign(loads.size(), -1);
  }

  MapValues run() {
    find_families();
    solve_small_families();
    solve_corners();
    while (refine()) {
      math::check_interrupt();
    }
    return std::move(result_);
  }

 private:
  // Fewer points than this are solved one by one: the four corners of their box would not pay.
  static constexpr std::size_t kSmallFamily = 16;
  // Gaps of solved points, in accuracies; two are promised. A point that stands for itself may use nearly all of that. One that others are
  // interpolated from uses an eighth, so that its own gap does not decide about refining.
  static constexpr double kAlone = 1.9, kShared = 0.25;

  void find_families() {
    // Directions that agree to rounding; normals of one face do.
    std::map<std::array<std::int64_t, 4>, int> known;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      const PointLoad& load = loads_[i];
      const auto key = [&](int axis) {
        return static_cast<std::int64_t>(std::floor(load.d[axis] * 1e9 + 0.5));
      };
      const auto [entry, is_new] =
          known.try_emplace({load.body, key(0), key(1), key(2)}, static_cast<int>(families_.size()));
      if (is_new) {
        const Eigen::Matrix3d frame = contact_frame(load.d);
        Family& family = families_.emplace_back();
        family.body = load.body;
        family.d = load.d;
        family.u = frame.col(0);
        family.v = frame.col(1);
        family.low = family.high = family.flat(load.r);
      }
      Family& family = families_[static_cast<std::size_t>(entry->second)];
      items_.at[i] = family.flat(load.r);
      family.loads.push_back(static_cast<int>(i));
      family.low = family.low.cwiseMin(items_.at[i]);
      family.high = family.high.cwiseMax(items_.at[i]);
    }
  }

  void ask(const PointLoad& load) { asked_.push_back(load); }
  void solve_asked(double gap) {
    replies_.assign(asked_.size(), {});
    if (!asked_.empty()) solve_(asked_, replies_, gap * accuracy_);
    result_.programs += static_cast<long>(asked_.size());
    asked_.clear();
  }

  // A load that was solved by itself.
  void settle(int load, const PointValue& reply, int motion) {
    MapValue& value = result_.values[static_cast<std::size_t>(load)];
    value.low = reply.low;
    value.high = reply.high;
    value.motion = motion;
    value.status = reply.failed      ? MapValue::Status::failed
                   : reply.unbounded ? MapValue::Status::unbounded
                                     : MapValue::Status::bounded;
  }
  int keep_motion(PointValue& reply) {
    if (reply.failed || reply.unbounded) return -1;
    result_.motions.push_back(std::move(reply.motion));
    return static_cast<int>(result_.motions.size()) - 1;
  }
  Tangent tangent_of(const Family& family, const Vector2d& at, const PointValue& reply, int motion) const {
    const Vector3d turn = family.d.cross(Vector3d(reply.twist.head<3>()));  // d(r x d . w)/dr = d x w
    return {at, {family.u.dot(turn), family.v.dot(turn)}, reply.low, motion};
  }

  void solve_small_families() {
    std::vector<int> loads;
    for (const Family& family : families_) {
      if (is_large(family)) continue;
      for (const int load : family.loads) {
        loads.push_back(load);
        ask(loads_[static_cast<std::size_t>(load)]);
      }
    }
    solve_asked(kAlone);
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const int motion = keep_motion(replies_[i]);
      settle(loads[i], replies_[i], motion);
    }
  }
  static bool is_large(const Family& family) {
    return family.loads.size() >= kSmallFamily && (family.high - family.low).minCoeff() > 0.0;
  }

  void solve_corners() {
    for (const Family& family : families_) {
      if (!is_large(family)) continue;
      const Vector2d &low = family.low, &high = family.high;
      for (const Vector2d& corner : {low, Vector2d(high.x(), low.y()), high, Vector2d(low.x(), high.y())}) {
        ask({family.body, family.lifted(corner), family.d});
      }
    }
    solve_asked(kShared);
    std::size_t next = 0;
    for (std::size_t f = 0; f < families_.size(); ++f) {
      Family& family = families_[f];
      if (!is_large(family)) continue;
      double heights[4];
      bool is_sound = true;
      PointValue* const corners = &replies_[next];
      next += 4;
      for (int i = 0; i < 4; ++i) {
        heights[i] = corners[i].high;
        is_sound = is_sound && !corners[i].failed;
      }
      family.hull.emplace(family.low, family.high, heights);
      for (int i = 0; i < 4; ++i) {
        family.tangents.push_back(tangent_of(family, family.hull->nodes()[static_cast<std::size_t>(i)].at,
                                             corners[i], keep_motion(corners[i])));
      }
      if (!is_sound) {  // rare; answered one by one in the next wave
        for (const int load : family.loads) left_over_.push_back(load);
        continue;
      }
      for (const int load : family.loads) family.hull->add_item(load, items_);
      for (int t = 0; t < 2; ++t) tighten(family, t);
    }
  }

  // Bounds of a triangle's loads from its corners; those that agree are settled.
  void tighten(Family& family, int triangle) {
    LowerHull::Triangle& t = family.hull->triangle(triangle);
    if (!t.changed) return;
    t.changed = false;
    std::vector<int>& items = t.items;
    if (items.empty()) return;
    const LowerHull::Plane plane = family.hull->plane(triangle);
    std::size_t kept = 0;
    for (const int load : items) {
      const Vector2d& x = items_.at[static_cast<std::size_t>(load)];
      MapValue& value = result_.values[static_cast<std::size_t>(load)];
      if (value.status != MapValue::Status::open) continue;  // solved by itself
      value.high = std::min(value.high, plane.height(x));
      for (const int corner : t.corners) {
        const Tangent& tangent = family.tangents[static_cast<std::size_t>(corner)];
        if (tangent.motion < 0) continue;
        const double low = tangent.value(x);
        if (value.motion < 0 || low > value.low) {
          value.low = low;
          value.motion = tangent.motion;
        }
      }
      if (value.high <= unbounded_below_) {
        value.status = MapValue::Status::unbounded;
      } else if (value.motion >= 0 && value.high - value.low <= 2.0 * accuracy_ * value.low) {
        value.status = MapValue::Status::bounded;
      } else {
        items[kept++] = load;
      }
    }
    items.resize(kept);
  }

  double gap_of(int load) const {
    const MapValue& value = result_.values[static_cast<std::size_t>(load)];
    return value.motion < 0 ? std::numeric_limits<double>::infinity() : value.high - value.low;
  }

  // Solves the least certain load of every triangle; false when nothing is open.
  bool refine() {
    struct Choice {
      int family, load;
    };
    std::vector<Choice> choices;
    for (const int load : left_over_) choices.push_back({-1, load});
    left_over_.clear();
    for (std::size_t f = 0; f < families_.size(); ++f) {
      if (!families_[f].hull) continue;
      for (const LowerHull::Triangle& t : families_[f].hull->triangles()) {
        if (t.items.empty()) continue;
        const auto worst = std::max_element(t.items.begin(), t.items.end(),
                                            [&](int a, int b) { return gap_of(a) < gap_of(b); });
        choices.push_back({static_cast<int>(f), *worst});
      }
    }
    if (choices.empty()) return false;
    for (const Choice& choice : choices) ask(loads_[static_cast<std::size_t>(choice.load)]);
    solve_asked(kShared);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      PointValue& reply = replies_[i];
      const int motion = keep_motion(reply);
      settle(choices[i].load, reply, motion);
      if (choices[i].family < 0 || reply.failed) continue;
      insert(families_[static_cast<std::size_t>(choices[i].family)], choices[i].load, reply, motion);
    }
    for (Family& family : families_) {
      if (!family.hull) continue;
      for (std::size_t t = 0; t < family.hull->triangles().size(); ++t) tighten(family, static_cast<int>(t));
    }
    return true;
  }

  void insert(Family& family, int load, const PointValue& reply, int motion) {
    LowerHull& hull = *family.hull;
    const int triangle = items_.triangle[static_cast<std::size_t>(load)];
    const Vector2d at = items_.at[static_cast<std::size_t>(load)];
    const Tangent tangent = tangent_of(family, at, reply, motion);
    if (hull.insert(triangle, at, reply.high, items_) >= 0) {
      family.tangents.push_back(tangent);
    } else {
      if (motion >= 0) improve_low(hull.triangle(triangle).items, tangent);
      hull.triangle(triangle).changed = true;  // the load itself leaves
    }
  }
  void improve_low(const std::vector<int>& items, const Tangent& tangent) {
    for (const int load : items) {
      MapValue& value = result_.values[static_cast<std::size_t>(load)];
      const double low = tangent.value(items_.at[static_cast<std::size_t>(load)]);
      if (value.status == MapValue::Status::open && (value.motion < 0 || low > value.low)) {
        value.low = low;
        value.motion = tangent.motion;
      }
    }
  }

  std::span<const PointLoad> loads_;
  double accuracy_, unbounded_below_;
  const PointSolver& solve_;
  MapValues result_;
  LowerHull::Items items_;
  std::vector<Family> families_;
  std::vector<PointLoad> asked_;
  std::vector<PointValue> replies_;
  std::vector<int> left_over_;
};

}  // namespace

MapValues map_loads(std::span<const PointLoad> loads, double accuracy, double unbounded_below,
                    const PointSolver& solve) {
  return Mapper(loads, accuracy, unbounded_below, solve).run();
}

}  // namespace prehend::stability
