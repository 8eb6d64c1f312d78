#include <cmath>

#include <Eigen/Dense>

#include <prehend/parts/shapes/volume_samples.h>

namespace prehend::parts {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// f(A) for a symmetric matrix, eigenvalues below zero (rounding) as zero.
template <class Function>
Matrix3d of_symmetric(const Matrix3d& a, Function f) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(a);
  const Vector3d values = eigen.eigenvalues().cwiseMax(0.0).unaryExpr(f);
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace

std::array<Vector3d, 4> degree_two_points(const std::array<Vector3d, 4>& corners) {
  // (5 + 3 sqrt 5) / 20 and (5 - sqrt 5) / 20 (Hammer, Marlowe, Stroud 1956).
  const double near = (5.0 + 3.0 * std::sqrt(5.0)) / 20.0, far = (5.0 - std::sqrt(5.0)) / 20.0;
  const Vector3d sum = corners[0] + corners[1] + corners[2] + corners[3];
  std::array<Vector3d, 4> points;
  for (int k = 0; k < 4; ++k) points[k] = far * sum + (near - far) * corners[k];
  return points;
}

std::vector<VolumeSample> samples_with_moments(const std::vector<Vector3d>& points,
                                               const SolidMoments& moments) {
  const double count = static_cast<double>(points.size());
  const Matrix3d root = of_symmetric(moments.covariance, [](double x) { return std::sqrt(x); });
  std::vector<VolumeSample> samples;
  if (points.size() >= 12) {
    Vector3d mean = Vector3d::Zero();
    for (const Vector3d& p : points) mean += p;
    mean /= count;
    Matrix3d covariance = Matrix3d::Zero();
    for (const Vector3d& p : points) covariance += (p - mean) * (p - mean).transpose();
    covariance /= count;
    // The symmetric map A with A covariance A = moments.covariance.
    const Matrix3d between = root * covariance * root;
    const Vector3d values = Eigen::SelfAdjointEigenSolver<Matrix3d>(between).eigenvalues();
    if (values[0] > 1e-12 * values[2]) {
      const Matrix3d map = root * of_symmetric(between, [](double x) { return 1.0 / std::sqrt(x); }) * root;
      for (const Vector3d& p : points)
        samples.push_back({moments.centroid + map * (p - mean), moments.volume / count, 0});
      return samples;
    }
  }
  const double s = 1.0;  // corners of a cube: a regular tetrahedron with covariance 1
  for (const Vector3d& corner :
       {Vector3d(s, s, s), Vector3d(s, -s, -s), Vector3d(-s, s, -s), Vector3d(-s, -s, s)})
    samples.push_back({moments.centroid + root * corner, 0.25 * moments.volume, 0});
  return samples;
}

}  // namespace prehend::parts
