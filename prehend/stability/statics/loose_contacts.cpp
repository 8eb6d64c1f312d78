#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <prehend/stability/statics/loose_contacts.h>
#include <prehend/stability/statics/spring_tangent.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// [-] of the largest normal force between a body and one of its neighbours: two bodies that press each other by less than this part of
// both their largest may be pressed by the others' giving way alone. Three balls and one of 0.7 to 1.3 times their size: 0.1 to 2.2 %.
constexpr double kNeedless = 0.05;
// Of weak springs to the ground: motions that nothing else resists are as long as the load over this.
constexpr double kFreeAnchor = 1e-12;
// [-] Part of the load's square that works on free motions; elastic ones leave 1e-8 in walls of 200 bricks.
constexpr double kWorks = 1e-5;

// [-] of the largest normal force of all contacts: one that carries less is as good as open. Those that carry more and slip are left as they are: cans
// in a V, whose friction turns under a push, have states that Newton's method does not find from the edge of the cone.
constexpr double kUnpressed = 1e-3;

using PressedPair = std::pair<int, int>;

// Bodies that press each other by less than `part` of what their other neighbours do.
std::vector<bool> lightly_pressed(const SpringSystem& springs, const VectorXd& forces, double part) {
  std::map<PressedPair, double> pressed;
  for (std::size_t k = 0; k < springs.contacts.size(); ++k) {
    pressed[{springs.contacts[k].a, springs.contacts[k].b}] += forces[static_cast<Eigen::Index>(3 * k + 2)];
  }
  std::map<int, double> largest;
  for (const auto& [pair, force] : pressed) {
    for (const int body : {pair.first, pair.second}) largest[body] = std::max(largest[body], force);
  }
  std::vector<bool> light(springs.contacts.size(), false);
  for (std::size_t k = 0; k < light.size(); ++k) {
    const SpringSystem::Contact& c = springs.contacts[k];
    const double force = pressed[{c.a, c.b}];
    const bool first = c.a < 0 || force < part * largest[c.a];
    const bool second = c.b < 0 || force < part * largest[c.b];
    light[k] = force > 0.0 && first && second;
  }
  return light;
}

}  // namespace

std::optional<LooseRest> loosen_contacts(const SpringSystem& springs, const SpringSearchOptions& options,
                                         const VectorXd& rest) {
  const CoulombLaw law(springs.mu, options.tangential_ratio);
  const std::vector<bool> light = lightly_pressed(springs, springs.forces(rest, law), kNeedless);
  if (std::find(light.begin(), light.end(), true) == light.end()) return std::nullopt;
  LooseRest out{springs, rest};
  out.springs.slack.assign(light.size(), Vector3d::Zero());
  // First out of reach: farther apart than anything moves.
  for (std::size_t k = 0; k < light.size(); ++k) {
    if (light[k]) out.springs.slack[k].z() = 1e12 * springs.force;
  }
  SpringOptions newton;
  newton.tolerance = 1e-13;
  newton.anchor_stiffness = kFreeAnchor;
  newton.max_iterations = 40;
  out.u = balance_springs(out.springs, law, rest, newton).u;
  SpringState without;
  without.evaluate(out.springs, law, out.u);
  if (!(spring_imbalance(out.springs, without) <= options.tolerance)) return std::nullopt;
  // Then where they just touch, apart by less than anything that counts.
  for (std::size_t k = 0; k < light.size(); ++k) {
    if (!light[k]) continue;
    out.springs.slack[k] =
        springs.force * (Vector3d(0.0, 0.0, 1e-12) - springs.relative(static_cast<int>(k), out.u));
  }
  return out;
}

void forget_slip(SpringSystem& springs, const SpringSearchOptions& options, const VectorXd& u) {
  double largest = 0.0;
  for (int k = 0; k < springs.size(); ++k) largest = std::max(largest, -springs.displacement(k, u).z());
  for (int k = 0; k < springs.size(); ++k) {
    const Vector3d d = springs.displacement(k, u);
    const double most = springs.mu[static_cast<std::size_t>(k)] * std::max(0.0, -d.z()),
                 tried = options.tangential_ratio * d.head<2>().norm();
    if (tried <= most || -d.z() > kUnpressed * largest) continue;
    if (springs.slack.empty()) springs.slack.assign(springs.contacts.size(), Vector3d::Zero());
    springs.slack[static_cast<std::size_t>(k)].head<2>() +=
        springs.force * (most / tried - 1.0) * d.head<2>();
  }
}

bool moves_freely(const SpringSystem& springs, const SpringSearchOptions& options, const VectorXd& rest) {
  SpringState state;
  state.evaluate(springs, CoulombLaw(springs.mu, options.tangential_ratio), rest);
  SpringTangent tangent(springs, kFreeAnchor);
  const std::optional<VectorXd> u = tangent.factor(state) ? tangent.solve(springs.load) : std::nullopt;
  return u && kFreeAnchor * springs.load.dot(*u) > kWorks * springs.load.squaredNorm();
}

}  // namespace prehend::stability
