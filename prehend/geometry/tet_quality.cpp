#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <prehend/geometry/tetrahedra.h>
#include <prehend/math/angles.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

double radius_edge(const std::array<Vector3d, 4>& p) {
  // The circumcentre c relative to p0 solves 2 (p_i - p0) . c = |p_i - p0|^2.
  Eigen::Matrix3d rows;
  Vector3d squared;
  double shortest = (p[1] - p[2]).norm();
  for (int i = 1; i < 4; ++i) {
    rows.row(i - 1) = (p[i] - p[0]).transpose();
    squared[i - 1] = (p[i] - p[0]).squaredNorm();
    shortest = std::min({shortest, std::sqrt(squared[i - 1]), (p[i] - p[i % 3 + 1]).norm()});
  }
  const Vector3d a = rows.row(0), b = rows.row(1), c = rows.row(2);
  const Vector3d numerator = squared[0] * b.cross(c) + squared[1] * c.cross(a) + squared[2] * a.cross(b);
  return numerator.norm() / (2.0 * std::abs(a.dot(b.cross(c)))) / shortest;
}

}  // namespace

std::array<double, 6> dihedral_angles(const std::array<Vector3d, 4>& p) {
  static constexpr int kEdges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                       {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
  std::array<double, 6> angle;
  for (int e = 0; e < 6; ++e) {
    const Vector3d axis = p[kEdges[e][1]] - p[kEdges[e][0]];
    const Vector3d m = axis.cross(p[kEdges[e][2]] - p[kEdges[e][0]]),
                   n = axis.cross(p[kEdges[e][3]] - p[kEdges[e][0]]);
    angle[e] = std::atan2(m.cross(n).norm(), m.dot(n));
  }
  return angle;
}

double mean_ratio(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const Vector3d u = b - a, v = c - a, w = d - a;
  const double squares = u.squaredNorm() + v.squaredNorm() + w.squaredNorm() + (c - b).squaredNorm() +
                         (d - b).squaredNorm() + (d - c).squaredNorm();
  const double mean = squares / 6.0;
  return mean > 0.0 ? std::numbers::sqrt2 * u.cross(v).dot(w) / (mean * std::sqrt(mean)) : 0.0;
}

TetQualityReport tet_quality(std::span<const Vector3d> vertices,
                             std::span<const Eigen::Vector4i> tetrahedra) {
  TetQualityReport report;
  report.count = static_cast<int>(tetrahedra.size());
  if (tetrahedra.empty()) return report;
  constexpr double kSliver = 5.0 * math::kDegree;  // smallest dihedral angle of what is counted as a sliver
  report.min_dihedral = math::kPi;
  report.min_mean_ratio = 1.0;
  report.smallest_volume = std::numeric_limits<double>::infinity();
  std::vector<double> ratios;
  ratios.reserve(tetrahedra.size());
  for (const Eigen::Vector4i& t : tetrahedra) {
    const std::array<Vector3d, 4> p{vertices[t[0]], vertices[t[1]], vertices[t[2]], vertices[t[3]]};
    const auto angles = dihedral_angles(p);
    const auto [low, high] = std::minmax_element(angles.begin(), angles.end());
    report.min_dihedral = std::min(report.min_dihedral, *low);
    report.max_dihedral = std::max(report.max_dihedral, *high);
    report.slivers += *low < kSliver || *high > math::kPi - kSliver;
    report.min_mean_ratio = std::min(report.min_mean_ratio, mean_ratio(p[0], p[1], p[2], p[3]));
    const double volume = (p[1] - p[0]).cross(p[2] - p[0]).dot(p[3] - p[0]) / 6.0;
    report.smallest_volume = std::min(report.smallest_volume, volume);
    report.total_volume += volume;
    for (int i = 0; i < 4; ++i) {
      for (int j = i + 1; j < 4; ++j)
        report.longest_edge = std::max(report.longest_edge, (p[j] - p[i]).norm());
    }
    ratios.push_back(radius_edge(p));
  }
  std::sort(ratios.begin(), ratios.end());
  const double percentile[4] = {0.5, 0.9, 0.99, 1.0};
  for (int k = 0; k < 4; ++k) {
    report.radius_edge[k] = ratios[static_cast<std::size_t>(percentile[k] * (ratios.size() - 1))];
  }
  return report;
}

std::string TetQualityReport::brief_report() const {
  char text[400];
  std::snprintf(
      text, sizeof text,
      "%d tetrahedra, volume %.6g m^3, longest edge %.4g m; dihedral angles %.3g to %.5g deg, %d slivers; "
      "radius-edge ratio %.3g median, %.3g at 99 %%, %.3g worst",
      count, total_volume, longest_edge, math::degrees(min_dihedral), math::degrees(max_dihedral), slivers,
      radius_edge[0], radius_edge[2], radius_edge[3]);
  return text;
}

}  // namespace prehend::geometry
