#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Geometry>

#include <prehend/stability/limit/limiting_motion.h>

namespace prehend::stability {
namespace {

using Eigen::VectorXd;

// Smaller than this part of the fastest, a velocity is what the solver's gap (1e-4 to 1e-3) leaves of zero. Trades bodies that move a
// hundredth as fast as others against rounding that would be called motion.
constexpr double kNegligible = 0.01;

struct Spectrum {
  double low, high;  // distance to the cone's boundary, and to that of its opposite
};
Spectrum spectrum(const VectorXd& x, int k) {
  const double along = x[3 * k],
               across = std::sqrt(x[3 * k + 1] * x[3 * k + 1] + x[3 * k + 2] * x[3 * k + 2]);
  return {along - across, along + across};
}

// Velocity of a body's material at a contact's point, in the world's axes; zero for the ground.
Eigen::Vector3d velocity_at(const ScaledSystem& system, const VectorXd& motion, int k, int body) {
  if (body < 0) return Eigen::Vector3d::Zero();
  const Eigen::Vector3d w = motion.segment<3>(6 * body), v = motion.segment<3>(6 * body + 3);
  return v + w.cross(system.point[static_cast<std::size_t>(k)] -
                     system.reference[static_cast<std::size_t>(body)]);
}

// Of the velocity. Without friction the dual cone does not see sliding, so there it is measured itself.
Spectrum velocity_spectrum(const ScaledSystem& system, const VectorXd& motion, const VectorXd& velocities,
                           int k, bool is_slippery) {
  if (!is_slippery) return spectrum(velocities, k);
  const double along = velocities[3 * k];
  const Eigen::Vector3d v =
      velocity_at(system, motion, k, system.b[k]) - velocity_at(system, motion, k, system.a[k]);
  return {along, along + std::sqrt(std::max(0.0, v.squaredNorm() - along * along))};
}

enum class ContactMotion { stays, slides, opens };

// What each contact does; empty where nothing moves.
std::vector<ContactMotion> contact_motions(const ScaledSystem& system, const VectorXd& motion,
                                           const VectorXd& forces) {
  const int contacts = system.contacts();
  const VectorXd velocities = system.velocities(motion);
  const auto is_slippery = [&](int k) { return system.rows[static_cast<std::size_t>(k)].row(1).isZero(0.0); };
  double fastest = 0.0, strongest = 0.0;
  // Of bodies, too: where one rolls, all velocities at contacts are what the solver leaves of zero.
  for (int body = 0; body < system.bodies; ++body)
    fastest = std::max(fastest, motion.segment<3>(6 * body + 3).norm());
  for (int k = 0; k < contacts; ++k) {
    fastest = std::max(fastest, velocity_spectrum(system, motion, velocities, k, is_slippery(k)).high);
    strongest = std::max(strongest, spectrum(forces, k).high);
  }
  std::vector<ContactMotion> out;
  if (!(fastest > 0.0)) return out;
  // Forces are in weights of the system: when all vanish, as in lifting, their share of it is what to compare with.
  const double scale = std::max(strongest, 0.5 / contacts);
  for (int k = 0; k < contacts; ++k) {
    const Spectrum v = velocity_spectrum(system, motion, velocities, k, is_slippery(k)),
                   f = spectrum(forces, k);
    const double resists = is_slippery(k) ? 0.0 : f.low / scale;  // against sliding
    if (v.low / fastest > std::max(f.high / scale, kNegligible)) {
      out.push_back(ContactMotion::opens);
    } else if (v.high / fastest > std::max(resists, kNegligible)) {
      out.push_back(ContactMotion::slides);
    } else {
      out.push_back(ContactMotion::stays);
    }
  }
  return out;
}

// Turns slower than this share of the speed do not tip a body: its contacts beside a sliding one open because it leaves them. [-]
constexpr double kTips = 0.1;

// Whether a body that slides at contact k turns out of the contact's plane.
bool tips(const ScaledSystem& system, const VectorXd& motion, int k) {
  const Eigen::Vector3d n = system.rows[static_cast<std::size_t>(k)].row(0).transpose();
  for (const int body : {system.a[k], system.b[k]}) {
    if (body < 0) continue;
    const Eigen::Vector3d w = motion.segment<3>(6 * body);
    const double speed = velocity_at(system, motion, k, body).norm();
    if ((w - w.dot(n) * n).norm() > kTips * speed) return true;
  }
  return false;
}

// From the contacts of the bodies that move: what the rest of the scene does says nothing about them.
Mode mode_of(const ScaledSystem& system, const VectorXd& motion, const VectorXd& forces,
             const std::vector<char>& moves) {
  const std::vector<ContactMotion> contacts = contact_motions(system, motion, forces);
  int opening = 0, sliding = 0, staying = 0;
  bool tipping = false;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const int a = system.a[k], b = system.b[k];
    if (!(a >= 0 && moves[static_cast<std::size_t>(a)]) && !(b >= 0 && moves[static_cast<std::size_t>(b)]))
      continue;
    opening += contacts[k] == ContactMotion::opens;
    staying += contacts[k] == ContactMotion::stays;
    if (contacts[k] != ContactMotion::slides) continue;
    ++sliding;
    tipping = tipping || tips(system, motion, static_cast<int>(k));
  }
  if (opening == 0 && sliding == 0) {
    if (!system.joint_rows.empty()) return Mode::joint;
    return staying > 0 ? Mode::roll : Mode::undetermined;
  }
  // A body that slides without tipping opens only contacts that it leaves, as that with a wall behind it.
  if (opening == 0 || (sliding > 0 && staying == 0 && !tipping)) return Mode::slip;
  if (sliding == 0) return staying > 0 ? Mode::topple : Mode::lift;
  return Mode::mixed;
}

}  // namespace

VectorXd motion_of_loaded(const ScaledSystem& system, const VectorXd& motion,
                          const std::vector<int>& loaded) {
  std::vector<int> leader(static_cast<std::size_t>(system.bodies));
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int body) {
    while (leader[static_cast<std::size_t>(body)] != body) {
      int& next = leader[static_cast<std::size_t>(body)];
      next = leader[static_cast<std::size_t>(next)];
      body = next;
    }
    return body;
  };
  for (int k = 0; k < system.contacts(); ++k) {
    if (system.a[k] >= 0 && system.b[k] >= 0)
      leader[static_cast<std::size_t>(find(system.a[k]))] = find(system.b[k]);
  }
  for (const ScaledRow& row : system.joint_rows) {
    for (std::size_t i = 1; i < row.parts.size(); ++i)
      leader[static_cast<std::size_t>(find(row.parts[i].first))] = find(row.parts[0].first);
  }
  std::vector<char> is_loaded(static_cast<std::size_t>(system.bodies), 0);
  for (const int body : loaded) is_loaded[static_cast<std::size_t>(find(body))] = 1;
  VectorXd out = motion;
  for (int body = 0; body < system.bodies; ++body) {
    if (!is_loaded[static_cast<std::size_t>(find(body))]) out.segment<6>(6 * body).setZero();
  }
  return out;
}

LimitingMotion classify_motion(const ScaledSystem& system, const VectorXd& motion, const VectorXd& forces) {
  LimitingMotion result;
  // A body's speed: that of its fastest contact point or its centre of mass, seen from the ground.
  std::vector<double> speed(static_cast<std::size_t>(system.bodies), 0.0);
  double fastest = 0.0;
  for (int body = 0; body < system.bodies; ++body) {
    speed[static_cast<std::size_t>(body)] = motion.segment<3>(6 * body + 3).norm();
    fastest = std::max(fastest, speed[static_cast<std::size_t>(body)]);
  }
  for (int k = 0; k < system.contacts(); ++k) {
    for (const int body : {system.a[k], system.b[k]}) {
      if (body < 0) continue;
      const double v = velocity_at(system, motion, k, body).norm();
      speed[static_cast<std::size_t>(body)] = std::max(speed[static_cast<std::size_t>(body)], v);
      fastest = std::max(fastest, v);
    }
  }
  // What hangs on joints may touch nothing: its centre of mass, or its turning, tells.
  for (int body = 0; body < system.bodies && !system.joint_rows.empty(); ++body) {
    double& own = speed[static_cast<std::size_t>(body)];
    if (own == 0.0) own = motion.segment<6>(6 * body).norm();
    fastest = std::max(fastest, own);
  }
  std::vector<char> moves(static_cast<std::size_t>(system.bodies), 0);
  for (int body = 0; body < system.bodies; ++body) {
    if (!(speed[static_cast<std::size_t>(body)] > kNegligible * fastest)) continue;
    result.bodies.push_back(body);
    moves[static_cast<std::size_t>(body)] = 1;
  }
  result.mode = mode_of(system, motion, forces, moves);
  return result;
}

}  // namespace prehend::stability
