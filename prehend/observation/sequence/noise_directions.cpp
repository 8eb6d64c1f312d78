#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <prehend/math/so3.h>
#include <prehend/observation/sequence/noise_directions.h>

namespace prehend::observation {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Of a median of |x| for a normal x, and of a third difference of numbers of variance 1.
constexpr double kMedian = 0.67449, kThird = 20.0;

struct ThirdDifferences {
  std::vector<Vector3d> turns, shifts;  // in the tracker's axes
};

// Weights of four values that a parabola in time leaves nothing of, with squares that add up to 20; of even times 1, -3, 3, -1.
Eigen::Vector4d weights_of(const std::vector<double>& t_s, std::size_t first) {
  if (t_s.empty()) return {-1.0, 3.0, -3.0, 1.0};
  Eigen::Vector4d weights;
  for (std::size_t k = 0; k < 4; ++k) {
    double product = 1.0;
    for (std::size_t j = 0; j < 4; ++j)
      if (j != k) product *= t_s[first + k] - t_s[first + j];
    weights[static_cast<Eigen::Index>(k)] = 1.0 / product;
  }
  return weights * (std::sqrt(kThird) / weights.norm());
}

ThirdDifferences third_differences(const std::vector<math::Pose>& track, const std::vector<double>& t_s,
                                   const std::vector<Eigen::Quaterniond>& q_WF, const Vector3d& point_M) {
  ThirdDifferences found;
  for (std::size_t i = 0; i + 3 < track.size(); ++i) {
    const Eigen::Quaterniond q = q_WF.empty() ? Eigen::Quaterniond::Identity() : q_WF[i + 1];
    const Eigen::Vector4d weights = weights_of(t_s, i);
    const Vector3d start = track[i] * point_M;
    Vector3d turn = Vector3d::Zero(), shift = Vector3d::Zero(), turned = Vector3d::Zero();
    for (std::size_t k = 1; k < 4; ++k) {
      turned += math::log_so3(track[i + k].q() * track[i + k - 1].q().conjugate());
      turn += weights[static_cast<Eigen::Index>(k)] * turned;
      shift += weights[static_cast<Eigen::Index>(k)] * (track[i + k] * point_M - start);
    }
    found.turns.push_back(q * turn);
    found.shifts.push_back(q * shift);
  }
  return found;
}

// Most probable scatter under Student's t.
Matrix3d scatter_of(const std::vector<Vector3d>& values) {
  constexpr double kTails = 3.0;
  constexpr int kRounds = 40;
  std::vector<double> squares;
  for (const Vector3d& value : values) squares.push_back(value.squaredNorm());
  std::nth_element(squares.begin(), squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2),
                   squares.end());
  const double middle = squares[squares.size() / 2] / 3.0;
  Matrix3d scatter = middle * Matrix3d::Identity();
  if (!(middle > 0.0)) return Matrix3d::Identity();
  for (int round = 0; round < kRounds; ++round) {
    const Matrix3d inverse = scatter.inverse();
    Matrix3d next = 1e-6 * middle * Matrix3d::Identity();
    for (const Vector3d& value : values)
      next += (kTails + 3.0) / (kTails + value.dot(inverse * value)) / static_cast<double>(values.size()) *
              value * value.transpose();
    scatter = next;
  }
  return scatter;
}

// Symmetric root of a scatter with determinant 1; none where it is about the same in all directions.
bool root_of(const Matrix3d& scatter, std::size_t count, Matrix3d& root) {
  // [nats, doubled] For five degrees of freedom normal noise passes it once in ten thousand recordings. Third differences overlap: 2.3 of them say as much
  // as one. Of 132 recordings without directions of tests/watch_judge.py (seeds 5000 and 5001: plain, drift, filtered) none passed 15. Motion has directions
  // too: between the 41 scenes of the published recording, which lie far apart, it comes to 23.
  constexpr double kTells = 25.7, kOverlap = 2.3;
  // [standard deviations] Less makes no difference; more than this between the directions may be rounding.
  constexpr double kLeastRatio = 1.5, kMostRatio = 10.0;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(scatter);
  Vector3d sizes = axes.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  sizes = sizes.cwiseMax(sizes[2] / kMostRatio);
  const double mean2 = sizes.squaredNorm() / 3.0, product = sizes.prod();
  const double tells =
      static_cast<double>(count) / kOverlap * (3.0 * std::log(mean2) - 2.0 * std::log(product));
  if (!(tells > kTells) || sizes[2] < kLeastRatio * sizes[0]) return false;
  root = axes.eigenvectors() * (sizes / std::cbrt(product)).asDiagonal() * axes.eigenvectors().transpose();
  return true;
}

double spread_of(const std::vector<Vector3d>& values, const Matrix3d& root) {
  const Matrix3d inverse = root.inverse();
  std::vector<double> sizes;
  for (const Vector3d& value : values) {
    const Vector3d even = inverse * value;
    for (int axis = 0; axis < 3; ++axis) sizes.push_back(std::abs(even[axis]));
  }
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle / (kMedian * std::sqrt(kThird));
}

}  // namespace

DirectedNoise directed_noise(const std::vector<math::Pose>& track, const std::vector<double>& t_s,
                             const std::vector<Eigen::Quaterniond>& q_WF, const Vector3d& point_M) {
  DirectedNoise noise{{}, {0.0, 0.0}};
  if (track.size() < 16) return noise;
  const ThirdDifferences found = third_differences(track, t_s, q_WF, point_M);
  NoiseDirections& directions = noise.directions_W;
  const bool differ_shifts = root_of(scatter_of(found.shifts), found.shifts.size(), directions.position),
             differ_turns = root_of(scatter_of(found.turns), found.turns.size(), directions.angle);
  directions.is_even = !differ_shifts && !differ_turns;
  // Axes are those of the eigenvectors, or any: the even case is measured in the file's, as ever.
  noise.jitter = {spread_of(found.shifts, directions.position), spread_of(found.turns, directions.angle)};
  return noise;
}

NoiseDirections turned_by(const NoiseDirections& directions, const Eigen::Quaterniond& q) {
  if (directions.is_even) return directions;
  const Matrix3d R = q.toRotationMatrix();
  return {false, R * directions.position * R.transpose(), R * directions.angle * R.transpose()};
}

}  // namespace prehend::observation
