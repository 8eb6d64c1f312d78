#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include <prehend/assist/robot/capsules.h>

namespace prehend::assist {
namespace {

// Radius over that of the points about the axis: wide enough that its round ends stand out by half as much as those of the narrowest capsule around a box.
constexpr double kWider = 1.1;

// Along column `along` of the rotation R_WA.
Capsule capsule_along(std::span<const Eigen::Vector3d> points, const Eigen::Matrix3d& R_WA, int along) {
  Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Eigen::Vector3d& p : points) {
    const Eigen::Vector3d p_A = R_WA.transpose() * p;
    low = low.cwiseMin(p_A), high = high.cwiseMax(p_A);
  }
  const Eigen::Vector3d centre_A = 0.5 * (low + high);
  const auto off_axis = [&](const Eigen::Vector3d& p) {  // along the axis, and squared across it
    const Eigen::Vector3d d = R_WA.transpose() * p - centre_A;
    return std::pair(d[along], d.squaredNorm() - d[along] * d[along]);
  };
  double across = 0.0;
  for (const Eigen::Vector3d& p : points) across = std::max(across, off_axis(p).second);
  const double radius = kWider * std::sqrt(across) + 1e-9;
  double reach = 0.0;
  for (const Eigen::Vector3d& p : points) {
    const auto [s, squared] = off_axis(p);
    reach = std::max(reach, std::abs(s) - std::sqrt(std::max(0.0, radius * radius - squared)));
  }
  const Eigen::Vector3d centre = R_WA * centre_A, axis = reach * R_WA.col(along);
  return {centre - axis, centre + axis, radius};
}

}  // namespace

Capsule capsule_around(std::span<const Eigen::Vector3d> points) {
  if (points.empty()) return {};
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& p : points) mean += p / static_cast<double>(points.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Eigen::Vector3d& p : points) spread += (p - mean) * (p - mean).transpose();
  const Eigen::Matrix3d principal = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors();
  Capsule best;
  double least = std::numeric_limits<double>::infinity();
  for (const Eigen::Matrix3d& R_WA : {Eigen::Matrix3d(Eigen::Matrix3d::Identity()), principal}) {
    for (int along = 0; along < 3; ++along) {
      const Capsule capsule = capsule_along(points, R_WA, along);
      const double volume =
          capsule.radius * capsule.radius * ((capsule.b - capsule.a).norm() + 4.0 / 3.0 * capsule.radius);
      if (volume < least * (1.0 - 1e-9)) least = volume, best = capsule;
    }
  }
  return best;
}

CapsuleGap capsule_gap(const Capsule& first, const Capsule& second) {
  const Eigen::Vector3d d1 = first.b - first.a, d2 = second.b - second.a, r = first.a - second.a;
  const double a = d1.squaredNorm(), e = d2.squaredNorm(), f = d2.dot(r);
  constexpr double kPoint = 1e-14;  // [m^2] ends nearer than a tenth of a micrometre are one: a ball
  double s = 0.0, t = 0.0;
  if (a <= kPoint) {
    t = e <= kPoint ? 0.0 : std::clamp(f / e, 0.0, 1.0);
  } else {
    const double c = d1.dot(r);
    if (e <= kPoint) {
      s = std::clamp(-c / a, 0.0, 1.0);
    } else {
      const double b = d1.dot(d2), denominator = a * e - b * b;
      if (denominator > 1e-12 * a * e) s = std::clamp((b * f - c * e) / denominator, 0.0, 1.0);
      t = (b * s + f) / e;
      if (t < 0.0) {
        t = 0.0, s = std::clamp(-c / a, 0.0, 1.0);
      } else if (t > 1.0) {
        t = 1.0, s = std::clamp((b - c) / a, 0.0, 1.0);
      }
    }
  }
  CapsuleGap gap;
  gap.p_first = first.a + s * d1;
  gap.p_second = second.a + t * d2;
  const Eigen::Vector3d apart = gap.p_first - gap.p_second;
  const double length = apart.norm();
  if (length > 1e-12) gap.n = apart / length;
  gap.distance = length - first.radius - second.radius;
  return gap;
}

}  // namespace prehend::assist
