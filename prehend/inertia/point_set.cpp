#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <prehend/geometry/sampling.h>
#include <prehend/inertia/methods/shape_moments.h>
#include <prehend/inertia/point_set.h>
#include <prehend/inertia/shape.h>
#include <prehend/math/house/option_check.h>

namespace prehend::inertia {
namespace {

int nearest(const std::vector<Eigen::Vector3d>& centres, const Eigen::Vector3d& p) {
  int best = 0;
  double distance = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < centres.size(); ++k) {
    const double d = (centres[k] - p).squaredNorm();
    if (d < distance) {
      distance = d;
      best = static_cast<int>(k);
    }
  }
  return best;
}

}  // namespace

void PointSetOptions::validate() const {
  const math::OptionCheck check("PointSetOptions");
  check.above("density", density, 0.0, "1/m^3");
  check.between("min_points", min_points, 1, 10000);
  check.between("max_points", max_points, min_points, 10000);
}

Shape resample_points(const Shape& shape, const PointSetOptions& options) {
  options.validate();
  const int available = static_cast<int>(shape.points.size());
  if (available <= options.keep_up_to) return shape;
  const double volume = total_volume(shape);
  const int by_density = static_cast<int>(std::min(1e6, std::ceil(options.density * volume)));
  const int count = std::min(std::clamp(by_density, options.min_points, options.max_points), available);

  // Starting from the point farthest from the centroid keeps the extremities in the set.
  int start = 0;
  for (int i = 1; i < available; ++i)
    if ((shape.points[i] - shape.of_unit_mass.com).squaredNorm() >
        (shape.points[start] - shape.of_unit_mass.com).squaredNorm())
      start = i;
  std::vector<Eigen::Vector3d> centres;
  for (const int i : geometry::farthest_point_sampling(shape.points, count, start))
    centres.push_back(shape.points[i]);

  std::vector<int> cell(available, -1);
  constexpr int kRounds = 30;  // trades time for evenness; ends earlier where no point changes its cell
  for (int round = 0; round < kRounds; ++round) {
    bool changed = false;
    std::vector<Eigen::Vector3d> sum(count, Eigen::Vector3d::Zero());
    std::vector<double> weight(count, 0.0);
    for (int i = 0; i < available; ++i) {
      const int k = nearest(centres, shape.points[i]);
      changed |= k != cell[i];
      cell[i] = k;
      sum[k] += shape.volumes[i] * shape.points[i];
      weight[k] += shape.volumes[i];
    }
    for (int k = 0; k < count; ++k)
      if (weight[k] > 0.0) centres[k] = sum[k] / weight[k];
    if (!changed) break;
  }

  Shape few = shape;
  few.points.clear();
  few.volumes.clear();
  few.labels.clear();
  std::vector<int> chosen(count, -1);
  std::vector<double> weight(count, 0.0);
  for (int i = 0; i < available; ++i) {
    const int k = cell[i];
    weight[k] += shape.volumes[i];
    if (chosen[k] < 0 ||
        (shape.points[i] - centres[k]).squaredNorm() < (shape.points[chosen[k]] - centres[k]).squaredNorm())
      chosen[k] = i;
  }
  for (int k = 0; k < count; ++k) {
    if (chosen[k] < 0) continue;
    few.points.push_back(shape.points[chosen[k]]);
    few.volumes.push_back(weight[k]);
    if (!shape.labels.empty()) few.labels.push_back(shape.labels[chosen[k]]);
  }
  return few;
}

}  // namespace prehend::inertia
