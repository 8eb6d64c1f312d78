#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <prehend/geometry/sampling.h>
#include <prehend/inertia/methods/surface_cloud.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/math/angles.h>
#include <prehend/math/random.h>

namespace prehend::inertia {
namespace {

using Eigen::Vector3d;

// Fewer points tell neither whether they lie on a surface nor what is inside.
constexpr std::size_t kFewest = 300;
// Neighbourhoods are judged among this many of the points: denser scans are rougher than their spacing.
constexpr std::size_t kJudged = 3000;
// Sources of the Gauss integral: the time grows with their square. 400 leave 5 % on pliers, 800 are no better than 600.
constexpr std::size_t kSources = 600;

// `most` of the points, chosen evenly at random, always the same.
std::vector<Vector3d> some_of(const std::vector<Vector3d>& points, std::size_t most) {
  if (points.size() <= most) return points;
  math::RandomStream random(0);
  std::vector<Vector3d> some;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double left = static_cast<double>(most - some.size());
    if (random.uniform() * static_cast<double>(points.size() - i) < left) some.push_back(points[i]);
  }
  return some;
}

std::vector<Vector3d> spread_of(const std::vector<Vector3d>& points) {
  const std::vector<Vector3d> some = some_of(points, kJudged);
  const auto count = static_cast<int>(std::min(some.size(), kSources));
  std::vector<Vector3d> spread;
  for (const int i : geometry::farthest_point_sampling(some, count, 0)) spread.push_back(some[i]);
  return spread;
}

// Squared distances of the nearest neighbours of one point, itself first, with their indices.
std::vector<std::pair<double, int>> neighbours(const std::vector<Vector3d>& points, const Vector3d& p,
                                               int count) {
  std::vector<std::pair<double, int>> near;
  near.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    near.emplace_back((points[i] - p).squaredNorm(), static_cast<int>(i));
  const auto end = near.begin() + std::min<std::ptrdiff_t>(count + 1, std::ssize(near));
  std::partial_sort(near.begin(), end, near.end());
  near.erase(end, near.end());
  return near;
}

// Median over points of the smallest by the middle spread of nine neighbours: 0 on a plane, about a half in a volume.
double flatness(const std::vector<Vector3d>& points) {
  constexpr std::size_t kProbes = 400;
  const std::size_t step = std::max<std::size_t>(1, points.size() / kProbes);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < points.size(); i += step) {
    const auto near = neighbours(points, points[i], 8);
    Vector3d mean = Vector3d::Zero();
    for (const auto& [square, k] : near) mean += points[k] / static_cast<double>(near.size());
    Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
    for (const auto& [square, k] : near) spread += (points[k] - mean) * (points[k] - mean).transpose();
    const SymmetricSpectrum<3> modes = spectrum_of<3>(spread);
    ratios.push_back(modes.values[1] > 0.0 ? modes.values[0] / modes.values[1] : 0.0);
  }
  const auto middle = ratios.begin() + std::ssize(ratios) / 2;
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

// The indicator chi of the solid inside points on its surface.
class GaussIndicator {
 public:
  explicit GaussIndicator(const std::vector<Vector3d>& sources) {
    const auto n = static_cast<Eigen::Index>(sources.size());
    place_.resize(3, n);
    width_.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Vector3d& p = sources[static_cast<std::size_t>(i)];
      place_.col(i) = p.cast<float>();
      // Nearer than its neighbours are, a source is a ball, no point.
      double sum = 0.0;
      const auto near = neighbours(sources, p, 6);
      for (std::size_t k = 1; k < near.size(); ++k) sum += std::sqrt(near[k].first);
      width_[i] = static_cast<float>(sum / static_cast<double>(near.size() - 1));
    }
    std::vector<float> widths(width_.begin(), width_.end());
    std::nth_element(widths.begin(), widths.begin() + n / 2, widths.end());
    width_ = width_.max(0.3F * widths[static_cast<std::size_t>(n / 2)]);
    solve();
  }

  float operator()(const Vector3d& x) const {
    const Eigen::Array3Xf away = place_.colwise() - x.cast<float>().array();
    const Eigen::ArrayXf r = away.matrix().colwise().norm().transpose().array().max(width_);
    return ((away * mu_).colwise().sum().transpose() / r.cube()).sum() * kPerArea;
  }
  // Mean of chi over the sources.
  float level() const { return level_; }

 private:
  static constexpr float kPerArea = static_cast<float>(0.25 / math::kPi);  // 1 / 4 pi

  // Least mu with chi = 1/2 at the sources: A A^T z = 1/2, mu = A^T z, with half of the diagonal added, since points are off the
  // surface (1.5 times the diagonal: of 1.2 to 2 equal within a percent on boxes and tools).
  void solve() {
    constexpr float kSoftness = 0.5F, kSmall = 1e-4F;
    constexpr int kMostSteps = 100;  // 20 are usual
    const Eigen::Index n = width_.size();
    std::array<Eigen::MatrixXf, 3> A;
    for (int axis = 0; axis < 3; ++axis) A[static_cast<std::size_t>(axis)].resize(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const Eigen::Array3Xf away = (-place_).colwise() + place_.col(k);
      const Eigen::ArrayXf r = away.matrix().colwise().norm().transpose().array().max(width_[k]);
      for (int axis = 0; axis < 3; ++axis)
        A[static_cast<std::size_t>(axis)].col(k) = away.row(axis).transpose() * kPerArea / r.cube();
    }
    Eigen::VectorXf extra = Eigen::VectorXf::Zero(n);
    for (const Eigen::MatrixXf& one : A) extra += one.rowwise().squaredNorm();
    const Eigen::VectorXf scale = ((1.0F + kSoftness) * extra).cwiseInverse();
    extra *= kSoftness;
    Eigen::VectorXf z = Eigen::VectorXf::Zero(n), rest = Eigen::VectorXf::Constant(n, 0.5F);
    Eigen::VectorXf along = scale.cwiseProduct(rest);
    float square = rest.dot(along);
    const float enough = kSmall * rest.norm();
    for (int step = 0; step < kMostSteps && rest.norm() > enough; ++step) {
      Eigen::VectorXf image = extra.cwiseProduct(along);
      for (const Eigen::MatrixXf& one : A) image += one * (one.transpose() * along);
      const float length = square / along.dot(image);
      z += length * along;
      rest -= length * image;
      const Eigen::VectorXf scaled = scale.cwiseProduct(rest);
      const float next = rest.dot(scaled);
      along = scaled + (next / square) * along;
      square = next;
    }
    mu_.resize(3, n);
    Eigen::VectorXf chi = Eigen::VectorXf::Zero(n);
    for (int axis = 0; axis < 3; ++axis) {
      const Eigen::MatrixXf& one = A[static_cast<std::size_t>(axis)];
      const Eigen::VectorXf row = one.transpose() * z;
      mu_.row(axis) = row.transpose().array();
      chi += one * row;
    }
    level_ = chi.mean();
  }

  Eigen::Array3Xf place_;  // [m] about the centre of all points
  Eigen::ArrayXf width_;   // [m]
  Eigen::Array3Xf mu_;     // [m^2]
  float level_{0.5F};
};

}  // namespace

bool lies_on_surface(const std::vector<Vector3d>& points) {
  // Surfaces of boxes and of the recorded tools: 0.00 to 0.19; points all through them: 0.41 and more.
  constexpr double kFlat = 0.3;
  if (points.size() < kFewest) return false;
  return flatness(some_of(points, kJudged)) < kFlat || flatness(spread_of(points)) < kFlat;
}

SolidFill fill_surface(const std::vector<Vector3d>& points, int wanted) {
  SolidFill fill;
  if (points.size() < kFewest) return fill;
  std::vector<Vector3d> sources = spread_of(points);
  const Vector3d centre =
      std::accumulate(sources.begin(), sources.end(), Vector3d(Vector3d::Zero())) / std::ssize(sources);
  Vector3d low = Vector3d::Zero(), high = low;
  for (Vector3d& p : sources) {
    p -= centre;
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const GaussIndicator chi(sources);
  // As fill_interior of shape_mesh.cpp: an additive sequence, no face of the object along a layer of it.
  constexpr double kG = 1.2207440846057595;
  const Vector3d step(1.0 / kG, 1.0 / (kG * kG), 1.0 / (kG * kG * kG));
  std::int64_t tries = 0;
  for (const std::int64_t most = 5LL * wanted; tries < most && std::ssize(fill.points) < wanted; ++tries) {
    const Eigen::Array3d u = 0.5 + static_cast<double>(tries) * step.array();
    const Vector3d p = low + ((u - u.floor()) * (high - low).array()).matrix();
    if (chi(p) > chi.level()) fill.points.push_back(centre + p);
  }
  fill.volume = (high - low).prod() * static_cast<double>(fill.points.size()) /
                static_cast<double>(std::max<std::int64_t>(tries, 1));
  return fill;
}

}  // namespace prehend::inertia
