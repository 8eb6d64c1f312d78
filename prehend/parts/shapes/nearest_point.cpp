#include <algorithm>
#include <limits>
#include <numeric>

#include <prehend/math/interrupt.h>
#include <prehend/parts/shapes/nearest_point.h>

namespace prehend::parts {

using Eigen::Vector3d;

namespace {
constexpr int kLeaf = 8;  // points that are looked at one by one
}

NearestPoint::NearestPoint(std::span<const Vector3d> points) : points_(points), splits_(points.size()) {
  order_.resize(points.size());
  std::iota(order_.begin(), order_.end(), 0);
  divide(0, static_cast<int>(order_.size()));
  places_.reserve(order_.size());
  for (const int i : order_) places_.push_back(points_[i]);
}

void NearestPoint::divide(int first, int last) {
  if (last - first <= kLeaf) return;
  Vector3d lower = points_[order_[first]], upper = lower;
  for (int k = first + 1; k < last; ++k) {
    lower = lower.cwiseMin(points_[order_[k]]);
    upper = upper.cwiseMax(points_[order_[k]]);
  }
  int axis = 0;
  (upper - lower).maxCoeff(&axis);
  const int middle = (first + last) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last, [&](int a, int b) {
    return points_[a][axis] != points_[b][axis] ? points_[a][axis] < points_[b][axis] : a < b;
  });
  splits_[middle] = {axis, points_[order_[middle]][axis]};
  divide(first, middle);
  divide(middle, last);
}

void NearestPoint::search(int first, int last, const Vector3d& p, Best& best) const {
  if (last - first <= kLeaf) {
    for (int k = first; k < last; ++k) {
      const double square = (places_[k] - p).squaredNorm();
      if (square < best.square || (square == best.square && order_[k] < best.index))
        best = {square, order_[k]};
    }
    return;
  }
  const int middle = (first + last) / 2;
  const double beyond = p[splits_[middle].axis] - splits_[middle].at;
  if (beyond < 0.0) {
    search(first, middle, p, best);
    if (beyond * beyond <= best.square) search(middle, last, p, best);
  } else {
    search(middle, last, p, best);
    if (beyond * beyond <= best.square) search(first, middle, p, best);
  }
}

int NearestPoint::operator()(const Vector3d& p) const {
  math::check_interrupt();  // asked for every point, triangle or sample of an object
  Best best{std::numeric_limits<double>::infinity(), -1};
  search(0, static_cast<int>(order_.size()), p, best);
  return best.index;
}

}  // namespace prehend::parts
