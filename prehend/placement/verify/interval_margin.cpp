#include <algorithm>
#include <cmath>

#include <prehend/placement/verify/interval_margin.h>

namespace prehend::placement {
namespace {

using stability::ContactSystem;
using stability::LimitAnalysis;

ContactSystem weighted(ContactSystem system, const std::vector<double>& factors) {
  for (std::size_t i = 0; i < system.bodies.size(); ++i) system.bodies[i].mass *= factors[i];
  return system;
}

double margin_of(ContactSystem system, const Eigen::Vector3d& up_W, double gravity, bool general_only) {
  const LimitAnalysis limits(std::move(system), {.keep_proofs = false, .general_only = general_only});
  if (limits.stability() != stability::Stability::stable) return 0.0;
  return shake_margin(limits, up_W, gravity).guaranteed_g;
}

// Under which acceleration the rest, weightless, still carries this body. Joints that hold by friction, motors or springs may not help.
double margin_alone(const ContactSystem& system, std::size_t body, const Eigen::Vector3d& up_W, double gravity) {
  std::vector<double> factors(system.bodies.size(), 0.0);
  factors[body] = 1.0;
  ContactSystem alone = weighted(system, factors);
  for (stability::JointRow& row : alone.joint_rows) {
    if (std::isfinite(row.lower)) row.lower = 0.0;
    if (std::isfinite(row.upper)) row.upper = 0.0;
  }
  return margin_of(std::move(alone), up_W, gravity, true);
}

}  // namespace

double interval_margin(const ContactSystem& system, const Eigen::Vector3d& up_W, double gravity,
                       const stability::MarginOptions& intervals) {
  const ContactSystem narrowed = stability::narrowed_system(system, intervals);
  std::vector<double> factors(system.bodies.size(), 1.0 - intervals.mass);
  const double lightest = margin_of(weighted(narrowed, factors), up_W, gravity, false);
  if (!(intervals.mass > 0.0) || lightest <= 0.0) return lightest;
  std::vector<std::size_t> ambiguous;
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    if (margin_alone(narrowed, i, up_W, gravity) < lightest) ambiguous.push_back(i);
  }
  if (static_cast<int>(ambiguous.size()) > intervals.max_ambiguous) return 0.0;
  double least = lightest;
  for (unsigned mask = 1; mask < (1u << ambiguous.size()) && least > 0.0; ++mask) {
    for (std::size_t i = 0; i < ambiguous.size(); ++i)
      factors[ambiguous[i]] = mask & (1u << i) ? 1.0 + intervals.mass : 1.0 - intervals.mass;
    least = std::min(least, margin_of(weighted(narrowed, factors), up_W, gravity, false));
  }
  return least;
}

}  // namespace prehend::placement
