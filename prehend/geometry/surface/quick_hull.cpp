#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/geometry/surface/quick_hull.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

// Of points of size 1. A point this little above a facet lies in it: planes are known to some 1e-15, those of slivers to 1e-13.
constexpr double kAbove = 1e-13;
// Of an edge of the finished hull: its triangles lie in one plane, or bend the wrong way, by this much.
constexpr double kFlatEdge = 1e-10;
// A triangle lower than this has no normal: rounding turns it by 1e-16 / height, and what it sees 1 away is off by that much.
constexpr double kLeastHeight = 1e-6;

struct HullFacet {
  std::array<int, 3> corners;
  std::array<int, 3> beside{-1, -1, -1};  // across the side from corner k to the next
  Vector3d n{Vector3d::Zero()};           // unit, outward
  double offset{0.0};                     // n . x on the plane
  int above{-1};                          // first of the points above it; the farthest
  double farthest{0.0};
  bool is_alive{true};

  double height(const Vector3d& p) const { return n.dot(p) - offset; }
};

class QuickHull {
 public:
  explicit QuickHull(const std::vector<Vector3d>& points)
      : points_(points), next_(points.size(), -1), rim_from_(points.size(), -1) {
    facets_.reserve(64);
  }

  bool build() {
    if (!start()) return false;
    while (!open_.empty()) {
      const int facet = open_.back();
      open_.pop_back();
      if (!facets_[facet].is_alive || facets_[facet].above < 0) continue;
      if (!add(facet)) return false;
    }
    return is_strict();
  }

  std::vector<Eigen::Vector3i> triangles() const {
    std::vector<Eigen::Vector3i> result;
    for (const HullFacet& facet : facets_) {
      if (facet.is_alive) result.emplace_back(facet.corners[0], facet.corners[1], facet.corners[2]);
    }
    return result;
  }

 private:
  // A side of the hole that a point tears into the hull, and the facet beyond it.
  struct RimSide {
    int from, to, beyond, side_beyond;
  };

  bool start();
  int make_facet(int a, int b, int c);  // -1: it has no normal
  void put(int facet, int point, double height);
  bool add(int facet);
  void find_visible(int facet, const Vector3d& eye);
  bool close_hole(int point);
  void hand_on_points(int point);
  bool is_strict() const;

  const std::vector<Vector3d>& points_;
  std::vector<HullFacet> facets_;
  std::vector<int> next_;      // by point: the next one above the same facet
  std::vector<int> rim_from_;  // by point: the side of the rim that starts there
  std::vector<int> open_;      // facets with points above them
  std::vector<int> visible_;   // dead by now; their places are taken by new ones
  std::vector<int> free_;      // places of dead facets
  std::vector<int> made_;      // by side of the rim
  std::vector<int> above_;     // points above the visible ones
  std::vector<RimSide> rim_;
};

// A tetrahedron of points far apart.
bool QuickHull::start() {
  const int count = static_cast<int>(points_.size());
  const auto farthest = [&](auto&& distance) {
    int best = 0;
    double most = -1.0;
    for (int i = 0; i < count; ++i) {
      const double d = distance(points_[i]);
      if (d > most) {
        most = d;
        best = i;
      }
    }
    return best;
  };
  const int a = farthest([&](const Vector3d& p) { return (p - points_[0]).squaredNorm(); });
  const int b = farthest([&](const Vector3d& p) { return (p - points_[a]).squaredNorm(); });
  const Vector3d along = points_[b] - points_[a];
  const int c = farthest([&](const Vector3d& p) { return along.cross(p - points_[a]).squaredNorm(); });
  const Vector3d n = along.cross(points_[c] - points_[a]);
  const int d = farthest([&](const Vector3d& p) { return std::abs(n.dot(p - points_[a])); });
  const bool is_below = n.dot(points_[d] - points_[a]) < 0.0;
  const int second = is_below ? b : c, third = is_below ? c : b;  // counter-clockwise seen from outside
  if (make_facet(a, second, third) < 0 || make_facet(a, d, second) < 0 || make_facet(second, d, third) < 0 ||
      make_facet(third, d, a) < 0)
    return false;
  facets_[0].beside = {1, 2, 3};
  facets_[1].beside = {3, 2, 0};
  facets_[2].beside = {1, 3, 0};
  facets_[3].beside = {2, 1, 0};
  for (int i = 0; i < count; ++i) {
    for (int f = 0; f < 4; ++f) {
      const double height = facets_[f].height(points_[i]);
      if (height <= kAbove) continue;
      put(f, i, height);
      break;
    }
  }
  for (int f = 0; f < 4; ++f) open_.push_back(f);
  return true;
}

int QuickHull::make_facet(int a, int b, int c) {
  HullFacet facet{{a, b, c}};
  const Vector3d ab = points_[b] - points_[a], ac = points_[c] - points_[a];
  facet.n = ab.cross(ac);
  const double area = facet.n.norm();  // twice
  const double longest = std::sqrt(std::max({ab.squaredNorm(), ac.squaredNorm(), (ac - ab).squaredNorm()}));
  if (!(area > kLeastHeight * longest)) return -1;
  facet.n /= area;
  facet.offset = facet.n.dot(points_[a]);
  if (free_.empty()) {
    facets_.push_back(facet);
    return static_cast<int>(facets_.size()) - 1;
  }
  const int place = free_.back();
  free_.pop_back();
  facets_[place] = facet;
  return place;
}

void QuickHull::put(int f, int point, double height) {
  HullFacet& facet = facets_[f];
  if (facet.above < 0 || height > facet.farthest) {
    next_[point] = facet.above;
    facet.above = point;
    facet.farthest = height;
  } else {
    next_[point] = next_[facet.above];
    next_[facet.above] = point;
  }
}

// The facets that the point sees, from one of them on, and the sides around them.
void QuickHull::find_visible(int facet, const Vector3d& eye) {
  visible_.assign(1, facet);
  rim_.clear();
  facets_[facet].is_alive = false;
  for (std::size_t i = 0; i < visible_.size(); ++i) {
    const HullFacet seen = facets_[visible_[i]];
    for (int k = 0; k < 3; ++k) {
      HullFacet& beyond = facets_[seen.beside[k]];
      if (!beyond.is_alive) continue;
      if (beyond.height(eye) > kAbove) {
        beyond.is_alive = false;
        visible_.push_back(seen.beside[k]);
        continue;
      }
      const int side = static_cast<int>(std::find(beyond.beside.begin(), beyond.beside.end(), visible_[i]) -
                                        beyond.beside.begin());
      rim_.push_back({seen.corners[k], seen.corners[(k + 1) % 3], seen.beside[k], side});
    }
  }
}

// A cone from the rim to the point. False where the rim is not one simple loop.
bool QuickHull::close_hole(int point) {
  const int count = static_cast<int>(rim_.size());
  for (int i = 0; i < count; ++i) {
    if (rim_from_[rim_[i].from] >= 0) return false;
    rim_from_[rim_[i].from] = i;
  }
  int walked = 1, last = rim_.front().to;
  for (; last != rim_.front().from && walked <= count && rim_from_[last] >= 0; ++walked)
    last = rim_[rim_from_[last]].to;
  if (walked != count || last != rim_.front().from) return false;
  made_.clear();
  for (const RimSide& side : rim_) {
    if (side.side_beyond > 2) return false;
    const int made = make_facet(side.from, side.to, point);
    if (made < 0) return false;
    made_.push_back(made);
    facets_[made].beside[0] = side.beyond;
    facets_[side.beyond].beside[side.side_beyond] = made;
  }
  for (int i = 0; i < count; ++i) {
    const int after = made_[rim_from_[rim_[i].to]];
    facets_[made_[i]].beside[1] = after;
    facets_[after].beside[2] = made_[i];
  }
  for (const RimSide& side : rim_) rim_from_[side.from] = -1;
  return true;
}

// Points above facets that are gone go to the new one that they are highest above.
void QuickHull::hand_on_points(int point) {
  for (const int p : above_) {
    if (p == point) continue;
    double most = kAbove;
    int best = -1;
    for (const int f : made_) {
      const double height = facets_[f].height(points_[p]);
      if (height <= most) continue;
      most = height;
      best = f;
    }
    if (best >= 0) put(best, p, most);
  }
  for (const int f : made_) {
    if (facets_[f].above >= 0) open_.push_back(f);
  }
}

bool QuickHull::add(int facet) {
  const int point = facets_[facet].above;
  find_visible(facet, points_[point]);
  above_.clear();
  for (const int gone : visible_) {
    for (int p = facets_[gone].above; p >= 0; p = next_[p]) above_.push_back(p);
  }
  free_.insert(free_.end(), visible_.begin(), visible_.end());
  if (!close_hole(point)) return false;
  hand_on_points(point);
  return true;
}

// Convex at every edge, and three bends at every vertex: no vertex lies inside a face or an edge.
bool QuickHull::is_strict() const {
  std::vector<int> bends(points_.size(), -1);
  for (const HullFacet& facet : facets_) {
    if (!facet.is_alive) continue;
    for (int k = 0; k < 3; ++k) {
      const HullFacet& beyond = facets_[facet.beside[k]];
      const int from = facet.corners[k], to = facet.corners[(k + 1) % 3];
      int opposite = -1;
      for (int j = 0; j < 3; ++j) {
        if (beyond.corners[j] == to && beyond.corners[(j + 1) % 3] == from)
          opposite = beyond.corners[(j + 2) % 3];
      }
      if (opposite < 0 || !beyond.is_alive) return false;
      const double above = facet.height(points_[opposite]);
      if (above > kFlatEdge) return false;
      if (bends[from] < 0) bends[from] = 0;
      if (above < -kFlatEdge) ++bends[from];
    }
  }
  return std::none_of(bends.begin(), bends.end(), [](int count) { return count >= 0 && count < 3; });
}

}  // namespace

std::vector<Eigen::Vector3i> quick_hull(const std::vector<Eigen::Vector3d>& points) {
  if (points.size() < 4) return {};
  QuickHull hull(points);
  return hull.build() ? hull.triangles() : std::vector<Eigen::Vector3i>{};
}

}  // namespace prehend::geometry
