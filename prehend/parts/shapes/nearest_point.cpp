#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/geometry/mesh.h>
#include <prehend/parts/shapes/nearest_point.h>

namespace prehend::parts {

using Eigen::Vector3d;
using Eigen::Vector3i;

NearestPoint::NearestPoint(std::span<const Vector3d> points) : points_(points) {
  const geometry::Aabb box = geometry::bounding_box({points.begin(), points.end()});
  lower_ = box.lower;
  const Vector3d extent = box.upper - box.lower;
  const double longest = std::max(extent.maxCoeff(), 1e-300);
  // Points lie on surfaces: the number of cells along the longest side grows with the root of their number.
  const int along = std::clamp(static_cast<int>(std::sqrt(points.size() / 2.0)), 1, 200);
  size_ = longest / along;
  for (int k = 0; k < 3; ++k) count_[k] = static_cast<int>(extent[k] / size_) + 1;
  first_.assign(static_cast<std::size_t>(count_.prod()) + 1, 0);
  std::vector<int> cell(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    cell[i] = number(cell_of(points[i]));
    ++first_[cell[i] + 1];
  }
  for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
  members_.resize(points.size());
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < points.size(); ++i) members_[next[cell[i]]++] = static_cast<int>(i);
}

Vector3i NearestPoint::cell_of(const Vector3d& p) const {
  Vector3i cell;
  for (int k = 0; k < 3; ++k)
    cell[k] = static_cast<int>(std::clamp((p[k] - lower_[k]) / size_, 0.0, count_[k] - 1.0));
  return cell;
}

int NearestPoint::operator()(const Vector3d& p) const {
  const Vector3i middle = cell_of(p);
  // Cells of ring r and beyond are at least this far away.
  const Vector3d low = p - lower_ - size_ * middle.cast<double>();
  const double outside = std::max(0.0, std::max((low.array() - size_).maxCoeff(), (-low.array()).maxCoeff()));
  const double inner = std::max(0.0, std::min(low.minCoeff(), (size_ - low.array()).minCoeff()));
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int ring = 0; ring <= count_.maxCoeff(); ++ring) {
    const double reach = outside > 0.0 ? (ring - 1) * size_ : inner + (ring - 1) * size_;
    if (best >= 0 && reach > 0.0 && reach * reach > least) break;
    const Vector3i from = (middle.array() - ring).max(0),
                   to = (middle.array() + ring).min(count_.array() - 1);
    for (int z = from[2]; z <= to[2]; ++z)
      for (int y = from[1]; y <= to[1]; ++y)
        for (int x = from[0]; x <= to[0]; ++x) {
          const Vector3i cell(x, y, z);
          if ((cell - middle).cwiseAbs().maxCoeff() != ring) continue;
          for (int k = first_[number(cell)]; k < first_[number(cell) + 1]; ++k) {
            const double d = (points_[members_[k]] - p).squaredNorm();
            if (d < least || (d == least && members_[k] < best)) least = d, best = members_[k];
          }
        }
  }
  return best;
}

}  // namespace prehend::parts
