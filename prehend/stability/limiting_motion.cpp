#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/stability/limiting_motion.h>

namespace prehend::stability {
namespace {

using Eigen::VectorXd;

// Smaller than this part of the fastest, a velocity is what the solver's gap leaves of zero.
constexpr double kNegligible = 0.01;

struct Spectrum {
  double low, high;  // distance to the cone's boundary, and to that of its opposite
};
Spectrum spectrum(const VectorXd& x, int k) {
  const double along = x[3 * k], across = std::sqrt(x[3 * k + 1] * x[3 * k + 1] + x[3 * k + 2] * x[3 * k + 2]);
  return {along - across, along + across};
}

Mode mode_of(const VectorXd& velocities, const VectorXd& forces, int contacts) {
  double fastest = 0.0, strongest = 0.0;
  for (int k = 0; k < contacts; ++k) {
    fastest = std::max(fastest, spectrum(velocities, k).high);
    strongest = std::max(strongest, spectrum(forces, k).high);
  }
  if (!(fastest > 0.0)) return Mode::undetermined;
  int opening = 0, sliding = 0, staying = 0;
  for (int k = 0; k < contacts; ++k) {
    const Spectrum v = spectrum(velocities, k), f = spectrum(forces, k);
    // Forces are in weights of the system: when all vanish, as in lifting, their share of it is what to compare with.
    const double scale = std::max(strongest, 0.5 / contacts);
    if (v.low / fastest > std::max(f.high / scale, kNegligible)) {
      ++opening;
    } else if (v.high / fastest > std::max(f.low / scale, kNegligible)) {
      ++sliding;
    } else {
      ++staying;
    }
  }
  if (opening == 0 && sliding == 0) return Mode::undetermined;
  if (opening == 0) return Mode::slip;
  if (sliding == 0) return staying > 0 ? Mode::topple : Mode::lift;
  return Mode::mixed;
}

}  // namespace

LimitingMotion classify_motion(const ScaledSystem& system, const VectorXd& motion, const VectorXd& forces) {
  LimitingMotion result;
  const VectorXd velocities = system.velocities(motion);
  result.mode = mode_of(velocities, forces, system.contacts());
  // A body's speed: the larger of its translation at its own contacts, seen from the ground.
  std::vector<double> speed(static_cast<std::size_t>(system.bodies), 0.0);
  double fastest = 0.0;
  for (int k = 0; k < system.contacts(); ++k) {
    const auto add = [&](int body, const Matrix36d& T) {
      if (body < 0) return;
      const double v = (T * motion.segment<6>(6 * body)).norm();
      speed[static_cast<std::size_t>(body)] = std::max(speed[static_cast<std::size_t>(body)], v);
      fastest = std::max(fastest, v);
    };
    add(system.a[k], system.T_a[k]);
    add(system.b[k], system.T_b[k]);
  }
  for (int body = 0; body < system.bodies; ++body) {
    const double translation = motion.segment<3>(6 * body + 3).norm();
    const bool touches_nothing = speed[static_cast<std::size_t>(body)] == 0.0 && translation > 0.0;
    if (touches_nothing || speed[static_cast<std::size_t>(body)] > kNegligible * fastest) result.bodies.push_back(body);
  }
  return result;
}

}  // namespace prehend::stability
