#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include <Eigen/Dense>

#include <prehend/geometry/mesh.h>
#include <prehend/math/angles.h>
#include <prehend/math/number_text.h>
#include <prehend/parts/clusters/prepared_cloud.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;

// Points in cells over the support plane, for neighbours seen from above.
class SeenFromAbove {
 public:
  SeenFromAbove(const std::vector<Vector3d>& points, const Vector3d& up, double cell) : cell_(cell) {
    u_ = up.unitOrthogonal();
    v_ = up.cross(u_);
    for (std::size_t i = 0; i < points.size(); ++i) {
      at_.push_back({u_.dot(points[i]), v_.dot(points[i])});
      height_.push_back(up.dot(points[i]));
      cells_[key(column(at_[i][0]), column(at_[i][1]))].push_back(static_cast<int>(i));
    }
  }

  // Whether the surface ends at the point: no other that is as high lies in a third of the directions around it.
  bool is_rim(int i, double drop) const {
    std::vector<double> angles;
    const int x = column(at_[i][0]), y = column(at_[i][1]);
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy) {
        const auto found = cells_.find(key(x + dx, y + dy));
        if (found == cells_.end()) continue;
        for (const int j : found->second) {
          const double du = at_[j][0] - at_[i][0], dv = at_[j][1] - at_[i][1];
          if (j == i || height_[j] < height_[i] - drop || std::hypot(du, dv) > cell_) continue;
          if (du != 0.0 || dv != 0.0) angles.push_back(std::atan2(dv, du));
        }
      }
    if (angles.size() < 2) return true;
    std::sort(angles.begin(), angles.end());
    double gap = angles.front() + 2.0 * math::kPi - angles.back();
    for (std::size_t k = 1; k < angles.size(); ++k) gap = std::max(gap, angles[k] - angles[k - 1]);
    return gap > 2.0 * math::kPi / 3.0;
  }

 private:
  int column(double x) const { return static_cast<int>(std::floor(x / cell_)); }
  static std::int64_t key(int x, int y) {
    return (static_cast<std::int64_t>(x) << 32) ^ static_cast<std::uint32_t>(y);
  }

  double cell_;
  Vector3d u_, v_;
  std::vector<std::array<double, 2>> at_;
  std::vector<double> height_;
  std::unordered_map<std::int64_t, std::vector<int>> cells_;
};

// [m] Typical distance of neighbours, also where all points lie in one plane; 0: nothing to close.
double spacing_above(const std::vector<Vector3d>& points, const Vector3d& up, double offset) {
  const geometry::CloudSolid solid = geometry::cloud_solid(points);
  if (solid.status == geometry::CloudSolidStatus::ok) return solid.spacing;
  std::vector<Vector3d> with_feet = points;
  for (const Vector3d& p : points) with_feet.push_back(p - (up.dot(p) - offset) * up);
  return geometry::cloud_solid(with_feet).spacing;
}

void say_support(double lowest, int below, std::size_t seen, PreparedCloud& cloud) {
  cloud.problems.push_back(
      "the unseen side is closed by the support plane: straight down from what was seen");
  const std::vector<Vector3d> points(cloud.points.begin(), cloud.points.begin() + seen);
  // Seen from above, the sides of a thing on a table end near the table or where they turn under.
  if (lowest > 0.5 * geometry::bounding_box(points).diagonal())
    cloud.problems.push_back(
        "the support plane lies " + math::number_text(lowest) +
        " m below the lowest point; what is between counts as the object's: check its offset");
  if (below * 50 > static_cast<int>(seen))
    cloud.problems.push_back(std::to_string(below) +
                             " points lie below the support plane; check its offset and "
                             "the direction of its normal");
}

// The frame from points in a fixed order, so that a shuffled input gives the same to the last digit.
void to_own_frame(PreparedCloud& cloud) {
  cloud.frame = own_frame(cloud.points);
  for (Vector3d& p : cloud.points) p = cloud.frame.to_own(p);
  std::vector<double> rank;
  for (const Vector3d& p : cloud.points) rank.push_back(own_rank(p));
  std::vector<int> order(rank.size()), place(rank.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&rank](int a, int b) { return rank[a] < rank[b]; });
  const PreparedCloud before = cloud;
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[order[k]] = static_cast<int>(k);
    cloud.points[k] = before.points[order[k]];
    if (!cloud.colours.empty()) cloud.colours[k] = before.colours[order[k]];
  }
  for (int& point : cloud.point_of) point = place[point];
}

// The plane n.x = d of the given coordinates.
Eigen::Vector4d in_frame(const Eigen::Vector4d& plane, const OwnFrame& frame) {
  const Vector3d n = plane.head<3>(), turned = frame.axes.transpose() * n;
  return {turned.x(), turned.y(), turned.z(), plane[3] - n.dot(frame.origin)};
}

}  // namespace

std::vector<Vector3d> usable_colours(const std::vector<Vector3d>& colours,
                                     std::vector<std::string>& problems) {
  double least = 0.0, most = 0.0;
  bool is_finite = true;
  for (const Vector3d& c : colours) {
    is_finite = is_finite && c.allFinite();
    least = std::min(least, c.minCoeff());
    most = std::max(most, c.maxCoeff());
  }
  if (is_finite && least >= 0.0 && most <= 1.0) return colours;
  // Up to 2 is neither: black in 0 to 255, too bright in 0 to 1.
  if (!is_finite || least < 0.0 || most > 255.0 || most < 2.0) {
    problems.push_back("the colours go from " + math::number_text(least) + " to " + math::number_text(most) +
                       ", out of range (0 to 1, or 0 to 255), and were not used");
    return {};
  }
  problems.push_back("the colours go up to " + math::number_text(most) + " and were divided by 255");
  std::vector<Vector3d> scaled = colours;
  for (Vector3d& c : scaled) c /= 255.0;
  return scaled;
}

void say_size(const std::vector<Vector3d>& points, std::vector<std::string>& problems) {
  const double diagonal = geometry::bounding_box(points).diagonal();
  if (diagonal > 20.0)
    problems.push_back("the object is " + std::to_string(static_cast<long long>(diagonal)) +
                       " m across; a file in millimetres needs --unit mm");
}

std::optional<SupportGap> close_by_support(const Eigen::Vector4d& support, PreparedCloud& cloud) {
  const Vector3d up = support.head<3>().normalized();
  const double offset = support[3] / support.head<3>().norm();
  const double step = spacing_above(cloud.points, up, offset);
  if (!(step > 0.0)) return std::nullopt;
  const SeenFromAbove above(cloud.points, up, 2.0 * step);
  int below = 0;
  double lowest = std::numeric_limits<double>::infinity(), wanted = 0.0;
  const std::size_t seen = cloud.points.size();
  std::vector<double> height(seen);
  std::vector<char> is_rim(seen, 0);
  for (std::size_t i = 0; i < seen; ++i) {
    height[i] = up.dot(cloud.points[i]) - offset;
    below += height[i] < -step;
    lowest = std::min(lowest, height[i]);
    is_rim[i] = height[i] >= 0.5 * step && above.is_rim(static_cast<int>(i), 1.5 * step);
    if (is_rim[i]) wanted += height[i] / step;
  }
  // Walls are as dense as the points, but ten times as many points are no scan of a thing on a table.
  const double wall_step = step * std::max(1.0, wanted / (10.0 * static_cast<double>(seen)));
  for (std::size_t i = 0; i < seen; ++i) {
    if (height[i] < 0.5 * step) continue;
    const int steps = is_rim[i] ? std::max(1, static_cast<int>(std::round(height[i] / wall_step))) : 1;
    for (int k = 1; k <= steps; ++k) {
      cloud.points.push_back(cloud.points[i] - height[i] * k / steps * up);
      if (!cloud.colours.empty()) cloud.colours.push_back(cloud.colours[i]);
    }
  }
  return SupportGap{lowest, below};
}

PreparedCloud prepare_cloud(const std::vector<Vector3d>& points, const std::vector<Vector3d>& colours,
                            const std::optional<Eigen::Vector4d>& support) {
  PreparedCloud cloud;
  const std::vector<Vector3d> used = usable_colours(colours, cloud.problems);
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int i) { return std::array<double, 3>{points[i].x(), points[i].y(), points[i].z()}; };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const auto ka = key(a), kb = key(b);
    if (ka != kb) return ka < kb;
    if (used.empty()) return a < b;
    return std::lexicographical_compare(used[a].begin(), used[a].end(), used[b].begin(), used[b].end());
  });
  cloud.point_of.resize(points.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || points[order[k]] != points[order[k - 1]]) {
      cloud.points.push_back(points[order[k]]);
      if (!used.empty()) cloud.colours.push_back(used[order[k]]);
    }
    cloud.point_of[order[k]] = static_cast<int>(cloud.points.size()) - 1;
  }
  cloud.seen = cloud.points.size();
  to_own_frame(cloud);
  if (support && !cloud.points.empty())
    if (const auto gap = close_by_support(in_frame(*support, cloud.frame), cloud))
      say_support(gap->lowest, gap->below, cloud.seen, cloud);
  return cloud;
}

}  // namespace prehend::parts
