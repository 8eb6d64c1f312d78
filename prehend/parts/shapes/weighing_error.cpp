#include <cmath>

#include <Eigen/Dense>

#include <prehend/parts/shapes/weighing_error.h>

namespace prehend::parts {
namespace {

// Many samples at rest: the mass to 1e-4, the centre of mass to 3e-4 of the extent, some 0.1 mm of a tool.
constexpr double kMassNoise = 1e-4, kCentreNoise = 3e-4;

}  // namespace

double weighing_error(std::span<const WeighedPart> parts, double error, double extent) {
  const auto count = static_cast<Eigen::Index>(parts.size());
  if (count < 2 || !(extent > 0.0)) return 0.0;
  double volume = 0.0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (const WeighedPart& part : parts) volume += part.volume, centre += part.volume * part.centroid;
  centre /= volume;
  // Shares of the mass, and what a kilogram of each adds to half the trace of the inertia.
  Eigen::VectorXd mass(count), lever(count);
  Eigen::Matrix<double, 4, Eigen::Dynamic> rows(4, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const WeighedPart& part = parts[static_cast<std::size_t>(i)];
    const Eigen::Vector3d arm = part.centroid - centre;
    mass[i] = part.volume / volume;
    lever[i] = part.spread + arm.squaredNorm();
    rows.col(i) << 1.0, arm / extent;
  }
  const Eigen::Matrix<double, 4, Eigen::Dynamic> weighted = rows * mass.cwiseAbs2().asDiagonal();
  Eigen::Matrix4d data = weighted * rows.transpose();
  data.diagonal() += Eigen::Vector4d(kMassNoise * kMassNoise, kCentreNoise * kCentreNoise,
                                     kCentreNoise * kCentreNoise, kCentreNoise * kCentreNoise);
  const Eigen::Vector4d moved = data.inverse() * Eigen::Vector4d(weighted * lever);
  return error / extent * mass.norm() * moved.tail<3>().norm() / mass.dot(lever);
}

}  // namespace prehend::parts
