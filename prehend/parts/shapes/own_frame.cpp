#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Dense>

#include <prehend/parts/shapes/own_frame.h>

namespace prehend::parts {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Shares below this are a symmetry: far above rounding (1e-12 for a tool 2 km from the origin, 1e-7 in single precision), far below what
// chance makes of some thousand points (1e-2).
constexpr double kEqual = 1e-6;
// Frames times points that are compared: some 0.1 s. Beyond that, the first along a direction of the given frame.
constexpr std::size_t kMostCompared = 20'000'000;

// Points about their mean at a diagonal of about 1, weights that add up to 1.
class Spread {
 public:
  Spread(std::vector<Vector3d> points, std::vector<double> weights)
      : at_(std::move(points)), weight_(std::move(weights)) {
    for (std::size_t i = 0; i < at_.size(); ++i) covariance_ += weight_[i] * at_[i] * at_[i].transpose();
  }

  const Matrix3d& covariance() const { return covariance_; }

  // The direction, turned towards the longer tail; both where the tails are alike.
  std::vector<Vector3d> signs(const Vector3d& direction) const {
    double cubes = 0.0, sizes = 0.0;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const double x = direction.dot(at_[i]), cube = weight_[i] * x * x * x;
      cubes += cube, sizes += std::abs(cube);
    }
    if (std::abs(cubes) > kEqual * sizes) return {cubes > 0.0 ? direction : Vector3d(-direction)};
    return {direction, -direction};
  }

  // Unit directions across `axis` (zero: all) to the points that are farthest that way.
  std::vector<Vector3d> farthest(const Vector3d& axis) const {
    const auto across = [&](const Vector3d& p) { return Vector3d(p - axis.dot(p) * axis); };
    double most = 0.0;
    for (const Vector3d& p : at_) most = std::max(most, across(p).squaredNorm());
    std::vector<Vector3d> found;
    if (!(most > 0.0)) return found;
    for (const Vector3d& p : at_)
      if (const Vector3d d = across(p); d.squaredNorm() >= (1.0 - kEqual) * most)
        found.push_back(d.normalized());
    // Points that share a direction give one frame; the order does not depend on that of the points.
    std::sort(found.begin(), found.end(),
              [](const Vector3d& a, const Vector3d& b) { return own_rank(a) < own_rank(b); });
    found.erase(std::unique(found.begin(), found.end(),
                            [](const Vector3d& a, const Vector3d& b) { return (a - b).norm() < kEqual; }),
                found.end());
    return found;
  }

  // A sum over all points that tells frames apart unless they are copies of each other; `k` chooses one of several.
  double signature(const Matrix3d& axes, int k) const {
    constexpr std::array<double, 4> kWave[4] = {
        {7.1, 3.3, 5.9, 0.7}, {-4.7, 8.3, 2.9, 0.4}, {3.1, -5.3, 9.7, 1.1}, {8.9, 6.1, -3.7, 0.2}};
    // Finer and finer: over a polygon of many corners a smooth sum does not tell a turn by half a corner from none.
    const Vector3d wave = std::pow(6.0, k) * (axes * Vector3d(kWave[k][0], kWave[k][1], kWave[k][2]));
    double sum = 0.0;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const double t = wave.dot(at_[i]) + kWave[k][3];
      sum += weight_[i] * t / (1.0 + t * t);
    }
    return sum;
  }
  static constexpr int kSignatures = 4;

  std::size_t size() const { return at_.size(); }

 private:
  std::vector<Vector3d> at_;
  std::vector<double> weight_;
  Matrix3d covariance_{Matrix3d::Zero()};
};

Matrix3d right_handed(const Vector3d& x, const Vector3d& y) {
  Matrix3d axes;
  axes << x, y, x.cross(y);
  return axes;
}

// Frames that the moments do not tell apart; the longest axis first.
std::vector<Matrix3d> candidate_frames(const Spread& spread) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(spread.covariance());
  const Vector3d& values = eigen.eigenvalues();
  const Matrix3d& vectors = eigen.eigenvectors();
  const bool low_equal = values[1] - values[0] < kEqual * values[2],
             high_equal = values[2] - values[1] < kEqual * values[2];
  std::vector<Matrix3d> frames;
  if (!low_equal && !high_equal) {
    for (const Vector3d& x : spread.signs(vectors.col(2)))
      for (const Vector3d& y : spread.signs(vectors.col(1))) frames.push_back(right_handed(x, y));
    return frames;
  }
  const std::vector<Vector3d> first = low_equal && high_equal ? spread.farthest(Vector3d::Zero())
                                                              : spread.signs(vectors.col(low_equal ? 2 : 0));
  for (const Vector3d& x : first) {
    for (const Vector3d& y : spread.farthest(x)) {
      frames.push_back(right_handed(x, y));
      if (frames.size() * spread.size() > kMostCompared) return frames;
    }
  }
  return frames;
}

Matrix3d own_axes(const Spread& spread) {
  std::vector<Matrix3d> frames = candidate_frames(spread);
  if (frames.empty()) return Matrix3d::Identity();  // all points on one line
  for (int k = 0; k < Spread::kSignatures && frames.size() > 1; ++k) {
    std::vector<double> value;
    for (const Matrix3d& axes : frames) value.push_back(spread.signature(axes, k));
    const double most = *std::max_element(value.begin(), value.end());
    std::vector<Matrix3d> kept;
    for (std::size_t i = 0; i < frames.size(); ++i)
      if (value[i] > most - 0.1 * kEqual) kept.push_back(frames[i]);
    frames = std::move(kept);
  }
  // Copies of each other: the one that lies most along the given frame, in a measure that no two share.
  Matrix3d along;
  along << 0.93, 0.31, 0.17, 0.23, 0.71, 0.13, 0.11, 0.29, 0.53;
  return *std::max_element(frames.begin(), frames.end(), [&along](const Matrix3d& a, const Matrix3d& b) {
    return a.cwiseProduct(along).sum() < b.cwiseProduct(along).sum();
  });
}

// Weights need not add up to 1.
OwnFrame frame_of(std::vector<Vector3d> points, std::vector<double> weights) {
  OwnFrame frame;
  const geometry::Aabb box = geometry::bounding_box(points);
  const double diagonal = box.diagonal();
  double sum = 0.0;
  for (const double w : weights) sum += w;
  if (!(diagonal > 0.0) || !std::isfinite(diagonal) || !(sum > 0.0) || !std::isfinite(sum)) return frame;
  // About the middle of the box first: sums of coordinates far from the origin lose digits.
  const Vector3d middle = 0.5 * (box.lower + box.upper);
  Vector3d mean = Vector3d::Zero();
  for (std::size_t i = 0; i < points.size(); ++i) {
    weights[i] /= sum;
    mean += weights[i] * (points[i] - middle);
  }
  double squares = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = (points[i] - middle - mean) / diagonal;
    squares += weights[i] * points[i].squaredNorm();
  }
  // A size that turns with the points, unlike the box: four root mean squares are about a diagonal.
  for (Vector3d& p : points) p /= 4.0 * std::sqrt(squares);
  frame.origin = middle + mean;
  frame.axes = own_axes(Spread(std::move(points), std::move(weights)));
  return frame;
}

}  // namespace

double own_rank(const Vector3d& p) {
  return p.dot(Vector3d(0.7548776662466927, 0.5698402909980532, 0.3247179572447460));
}

OwnFrame own_frame(const std::vector<Vector3d>& points) {
  return frame_of(points, std::vector<double>(points.size(), 1.0));
}

OwnFrame own_frame(const geometry::TriangleMesh& mesh) {
  std::vector<Vector3d> points;
  std::vector<double> weights;
  const int count = static_cast<int>(mesh.vertices.size());
  for (const Eigen::Vector3i& t : mesh.triangles) {
    if (t.minCoeff() < 0 || t.maxCoeff() >= count) continue;
    const Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const double area = (b - a).cross(c - a).norm();
    if (!(area > 0.0) || !std::isfinite(area)) continue;
    points.push_back((a + b + c) / 3.0);
    weights.push_back(area);
  }
  return frame_of(std::move(points), std::move(weights));
}

}  // namespace prehend::parts
