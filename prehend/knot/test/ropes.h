// Ropes for tests: closed forms and random ones.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/random.h>

namespace prehend::knot {

using Points = std::vector<Eigen::Vector3d>;

inline Points sampled(const std::function<Eigen::Vector3d(double)>& curve, double first, double last,
                      int count) {
  Points points;
  for (int i = 0; i < count; ++i) points.push_back(curve(first + (last - first) * i / (count - 1)));
  return points;
}

// Polynomial knots: a trefoil with three crossings seen from above, and a figure-eight.
inline Eigen::Vector3d trefoil_curve(double t) {
  return {t * t * t - 3 * t, t * t * t * t - 4 * t * t, std::pow(t, 5) - 10 * t};
}
inline Eigen::Vector3d figure_eight_curve(double t) {
  const double u = t * t;
  return {0.4 * t * (u - 7) * (u - 10), u * u - 13 * u, 0.1 * t * (u - 4) * (u - 9) * (u - 12)};
}

// A smooth random curve: some waves of random amplitude in every coordinate, tilted out of symmetry.
inline std::function<Eigen::Vector3d(double)> random_curve(math::RandomStream& random, int waves = 5) {
  std::vector<Eigen::Vector3d> cosine, sine;
  for (int k = 0; k < waves; ++k) {
    cosine.push_back(random.normal3() / (1 + 0.5 * k));
    sine.push_back(random.normal3() / (1 + 0.5 * k));
  }
  const Eigen::Vector3d drift = random.normal3();
  return [=](double t) {
    Eigen::Vector3d p = drift * t;
    for (std::size_t k = 0; k < cosine.size(); ++k) {
      const double angle = (static_cast<double>(k) + 1) * t * 6;
      p += cosine[k] * std::cos(angle) + sine[k] * std::sin(angle);
    }
    return p;
  };
}

inline Points random_walk(math::RandomStream& random, int steps) {
  Points points{Eigen::Vector3d::Zero()};
  for (int i = 0; i < steps; ++i) points.push_back(points.back() + random.unit_vector());
  return points;
}

}  // namespace prehend::knot
