#include <cmath>
#include <numeric>
#include <stdexcept>

#include <Eigen/Core>

#include <prehend/inertia/methods/mass_distribution.h>
#include <prehend/inertia/methods/symmetric.h>

namespace prehend::inertia {
namespace {

using math::Vector10d;

constexpr int kRounds = 20;  // a bound on the time
// Directions of the moments' space that the points span less than this, relative to the widest, are left alone.
constexpr double kFlat = 1e-9;

}  // namespace

std::vector<double> evenest_masses(const Shape& shape, const math::SpatialInertia& body_O,
                                   double greatest_density) {
  const double volume = std::accumulate(shape.volumes.begin(), shape.volumes.end(), 0.0);
  if (!(body_O.mass > 0.0) || !(volume > 0.0) || shape.points.size() != shape.volumes.size())
    throw std::invalid_argument("a distribution needs a positive mass and points with volumes");
  // About the shape's centre and in units of its size, so that moments of all orders are comparable.
  const Eigen::Vector3d centre = shape.box.center();
  const double length = 0.5 * shape.box.diagonal().norm();
  const auto moments_at = [&](const Eigen::Vector3d& p) {
    return math::SpatialInertia::point_mass(1.0, (p - centre) / length).parameters();
  };
  math::SpatialInertia scaled = body_O;
  scaled.com = (body_O.com - centre) / length;
  scaled.I_com /= length * length;
  std::vector<double> masses(shape.points.size());
  std::vector<bool> is_empty(shape.points.size(), false), is_full(shape.points.size(), false);
  // A body that is denser on the mean has no place to be put.
  const bool is_bounded = body_O.mass < greatest_density * volume;
  for (int round = 0; round < kRounds; ++round) {
    Vector10d missing = scaled.parameters();
    math::Matrix10d spread = math::Matrix10d::Zero();
    for (std::size_t i = 0; i < masses.size(); ++i) {
      masses[i] = is_empty[i]  ? 0.0
                  : is_full[i] ? greatest_density * shape.volumes[i]
                               : body_O.mass * shape.volumes[i] / volume;
      if (is_empty[i]) continue;
      const Vector10d moments = moments_at(shape.points[i]);
      missing -= masses[i] * moments;
      if (is_full[i]) continue;
      spread += masses[i] * moments * moments.transpose();
    }
    const SymmetricSpectrum<10> axes = spectrum_of<10>(spread);
    const double widest = axes.values[9];
    Vector10d multiplier = Vector10d::Zero();
    for (int k = 0; k < 10; ++k)
      if (axes.values[k] > kFlat * widest)
        multiplier += axes.vectors.col(k) * (axes.vectors.col(k).dot(missing) / axes.values[k]);
    bool is_beyond = false;
    for (std::size_t i = 0; i < masses.size(); ++i) {
      if (is_full[i]) continue;
      masses[i] *= 1.0 + multiplier.dot(moments_at(shape.points[i]));
      const double most = greatest_density * shape.volumes[i];
      if (masses[i] < 0.0) {
        masses[i] = 0.0;
        is_empty[i] = is_beyond = true;
      } else if (is_bounded && masses[i] > most) {
        masses[i] = most;
        is_full[i] = is_beyond = true;
      }
    }
    if (!is_beyond) break;
  }
  return masses;
}

}  // namespace prehend::inertia
