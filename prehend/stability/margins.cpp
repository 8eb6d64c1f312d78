// Why the ends of the masses suffice: the limit R is concave in the weights, and of degree one in them, hence superadditive. A
// body whose weight the rest could carry alone (all other bodies weightless) can only help by being heavier. For the others
// concavity puts the minimum at an end of their interval.
#include <algorithm>
#include <cmath>

#include <prehend/geometry/polygon2.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/stability/margins.h>

namespace prehend::stability {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Corners of the patch, drawn in by `distance`; empty when nothing is left.
std::vector<Vector3d> drawn_in(const ContactSystem& system, const SystemInterface& interface,
                               double distance) {
  std::vector<Vector3d> points;
  for (int k = interface.first; k < interface.first + interface.count; ++k) {
    points.push_back(system.contacts[static_cast<std::size_t>(k)].p_W);
  }
  if (points.size() < 2) return points;
  if (points.size() == 2) {
    const Vector3d along = points[1] - points[0];
    if (along.norm() <= 2.0 * distance) return {};
    return {points[0] + distance * along.normalized(), points[1] - distance * along.normalized()};
  }
  const Eigen::Matrix3d& R = system.contacts[static_cast<std::size_t>(interface.first)].R_WC;
  const Vector3d origin = points.front();
  geometry::Loop2 loop;
  for (const Vector3d& p : points) loop.push_back((R.transpose() * (p - origin)).head<2>());
  if (geometry::signed_area(loop) < 0.0) std::reverse(loop.begin(), loop.end());
  geometry::Polygon2 polygon{{loop}};
  for (std::size_t i = 0; i < loop.size() && !polygon.is_empty(); ++i) {
    const Vector2d side = loop[(i + 1) % loop.size()] - loop[i];
    const Vector2d outward = Vector2d(side.y(), -side.x()).normalized();
    polygon = geometry::clip_to_half_plane(polygon, outward, outward.dot(loop[i]) - distance);
  }
  std::vector<Vector3d> corners;
  for (const geometry::Loop2& piece : polygon.loops) {
    for (const Vector2d& x : piece) corners.push_back(origin + R.leftCols<2>() * x);
  }
  return corners;
}

ContactSystem with_masses(ContactSystem system, const std::vector<double>& factors) {
  for (std::size_t i = 0; i < system.bodies.size(); ++i) system.bodies[i].mass *= factors[i];
  return system;
}

// Whether the rest, weightless, can carry this body.
bool is_carried_alone(const ContactSystem& system, std::size_t body) {
  std::vector<double> factors(system.bodies.size(), 0.0);
  factors[body] = 1.0;
  // Friction, motors and springs of joints are forces of their own, as weights are: they may not help here.
  ContactSystem alone = with_masses(system, factors);
  for (JointRow& row : alone.joint_rows) {
    if (std::isfinite(row.lower)) row.lower = 0.0;
    if (std::isfinite(row.upper)) row.upper = 0.0;
  }
  return LimitAnalysis(std::move(alone), {.general_only = true}).stability() == Stability::stable;
}

}  // namespace

void MarginOptions::validate() const {
  const math::OptionCheck check("MarginOptions");
  check.between("friction", friction, 0.0, 1.0);
  check.between("mass", mass, 0.0, 0.999);
  check.between("position", position, 0.0, 1e6, "m");
  check.between("max_ambiguous", max_ambiguous, 0, 20);
}

const char* to_string(MarginStatus status) { return enum_text(status); }

ContactSystem narrowed_system(const ContactSystem& system, const MarginOptions& margins) {
  margins.validate();
  ContactSystem narrowed = system;
  narrowed.contacts.clear();
  narrowed.interfaces.clear();
  for (const SystemInterface& interface : system.interfaces) {
    const std::vector<Vector3d> points = drawn_in(system, interface, margins.position);
    if (points.empty()) continue;
    SystemInterface smaller = interface;
    smaller.mu *= 1.0 - margins.friction;
    smaller.first = static_cast<int>(narrowed.contacts.size());
    smaller.count = static_cast<int>(points.size());
    SystemContact contact = system.contacts[static_cast<std::size_t>(interface.first)];
    contact.interface = InterfaceIndex(narrowed.interfaces.size());
    contact.mu = smaller.mu;
    for (const Vector3d& p : points) {
      contact.p_W = p;
      narrowed.contacts.push_back(contact);
    }
    narrowed.interfaces.push_back(smaller);
  }
  return narrowed;
}

GuaranteedLimits guaranteed_limits(const ContactSystem& system, std::span<const Load> loads,
                                   const MarginOptions& margins, const LimitOptions& options) {
  GuaranteedLimits result;
  result.limits.assign(loads.size(), std::numeric_limits<double>::infinity());
  const ContactSystem narrowed = narrowed_system(system, margins);
  std::vector<std::size_t> ambiguous;
  for (std::size_t i = 0; margins.mass > 0.0 && i < system.bodies.size(); ++i) {
    math::check_interrupt();
    if (is_carried_alone(narrowed, i)) continue;
    ambiguous.push_back(i);
    result.ambiguous.push_back(system.bodies[i].body);
  }
  if (static_cast<int>(ambiguous.size()) > margins.max_ambiguous) {
    result.status = MarginStatus::undetermined;
    result.note = std::to_string(ambiguous.size()) +
                  " bodies hold only together with others; with masses uncertain that is "
                  "2^" +
                  std::to_string(ambiguous.size()) + " combinations, more than allowed";
    return result;
  }
  LimitOptions bare = options;
  bare.keep_proofs = false;
  for (unsigned mask = 0; mask < (1u << ambiguous.size()); ++mask) {
    math::check_interrupt();
    std::vector<double> factors(system.bodies.size(), 1.0 - margins.mass);
    for (std::size_t i = 0; i < ambiguous.size(); ++i) {
      if (mask & (1u << i)) factors[ambiguous[i]] = 1.0 + margins.mass;
    }
    const LimitAnalysis analysis(with_masses(narrowed, factors), bare);
    ++result.combinations;
    if (analysis.stability() != Stability::stable) {
      const bool falls = analysis.stability() == Stability::unstable;
      result.status = falls ? MarginStatus::may_fall : MarginStatus::undetermined;
      result.note = falls ? "within the margins the scene may fall by itself" : analysis.note();
      result.limits.assign(loads.size(), falls ? 0.0 : PushAnswer::kUnknown);
      return result;
    }
    const std::vector<PushAnswer> answers = analysis.ask(loads);
    for (std::size_t i = 0; i < loads.size(); ++i) {
      if (answers[i].status != AnswerStatus::ok) {
        result.status = MarginStatus::undetermined;
        result.note = answers[i].note;
        result.limits.assign(loads.size(), PushAnswer::kUnknown);
        return result;
      }
      result.limits[i] = std::min(result.limits[i], answers[i].lower);
    }
  }
  result.status = MarginStatus::ok;
  return result;
}

}  // namespace prehend::stability
