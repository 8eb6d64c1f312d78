#include <algorithm>
#include <cmath>

#include <prehend/stability/statics/contact_springs.h>

namespace prehend::stability {
namespace {

// [-] of a contact's stiffness. Bearings and limits are rigid against contacts; dry friction and motors with bounds give way before they slip as
// contacts do. Of 110 random mechanisms (joints_test.py, seeds 4001 and 4002) a hundred times softer bearings change limits by up to 12 %, ten times
// softer or a thousand times stiffer friction one limit, by 7 and 11 %.
constexpr double kBearing = 1e3;

double stiffness_of(const JointSpring& joint) {
  return std::isfinite(joint.lower) && std::isfinite(joint.upper) ? joint.dry_friction : kBearing;
}

}  // namespace

JointSpring::Response JointSpring::respond(double q, double force) const {
  const double low = lower / force, high = upper / force;
  // Between two bounds the joint rests in the middle: what a spring of the file exerts.
  const double middle = std::isfinite(low) && std::isfinite(high) ? 0.5 * (low + high) : 0.0;
  const double held = stiffness_of(*this), tried = middle - held * q;
  Response out;
  out.force = std::clamp(tried, low, high);
  if (out.force == tried && low < high) out.stiffness = held;
  out.energy = out.force * (tried - 0.5 * out.force) / held;
  return out;
}

double JointSpring::displacement(const Eigen::VectorXd& u) const {
  double q = 0.0;
  for (const Part& part : parts) q += part.wrench.dot(u.segment<6>(part.body));
  return q;
}

double JointSpring::held_stiffness() const { return lower < upper ? stiffness_of(*this) : 0.0; }

std::vector<JointSpring> joint_springs(const ContactSystem& system) {
  std::vector<JointSpring> out;
  for (const JointRow& row : system.joint_rows) {
    JointSpring made;
    double square = 0.0;
    for (const JointRow::Part& part : row.parts) {
      math::Vector6d wrench = part.wrench;
      wrench.head<3>() /= system.length;
      square += wrench.squaredNorm();
      made.parts.push_back({6 * part.body.value(), wrench});
    }
    made.unit = std::sqrt(square);
    if (made.unit > 0.0) {
      for (JointSpring::Part& part : made.parts) part.wrench /= made.unit;
    } else {
      made.unit = 1.0;
    }
    made.lower = row.lower * made.unit;
    made.upper = row.upper * made.unit;
    out.push_back(std::move(made));
  }
  return out;
}

}  // namespace prehend::stability
