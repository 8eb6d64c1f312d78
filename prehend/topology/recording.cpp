#include <cmath>
#include <stdexcept>

#include <prehend/topology/recording.h>

namespace prehend::topology {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

void check_tree(const ArticulatedObject& object) {
  if (object.links.size() < 2)
    refuse("an object needs at least two links, this one has " + std::to_string(object.links.size()));
  for (std::size_t i = 0; i < object.links.size(); ++i) {
    const Link& link = object.links[i];
    const bool is_base = i == 0;
    if (is_base != (link.parent < 0) || link.parent >= static_cast<int>(i))
      refuse("link '" + link.name + "' must hang on a link before it; only the first is the base");
    if (!(link.inertia.mass >= 0.0) || !link.inertia.com.allFinite() || !link.inertia.I_com.allFinite())
      refuse("the inertia of link '" + link.name + "' is not a number or negative");
  }
}

bool is_finite(const math::Pose& X) { return X.matrix().allFinite(); }

}  // namespace

bool Recording::is_complete() const {
  if (!base_is_fixed) return true;
  for (const HeldLink& hand : held)
    if (hand.link == 0) return true;
  return false;
}

void validate(const ArticulatedObject& object, const Recording& recording) {
  check_tree(object);
  const std::size_t rows = recording.rows();
  if (rows < 3) refuse("a recording needs at least three rows, this one has " + std::to_string(rows));
  for (std::size_t k = 0; k < rows; ++k)
    if (!std::isfinite(recording.t[k]) || (k > 0 && recording.t[k] <= recording.t[k - 1]))
      refuse("time must increase: row " + std::to_string(k + 1));
  if (recording.X_WL.size() != object.links.size())
    refuse("the object has " + std::to_string(object.links.size()) + " links, the recording has poses of " +
           std::to_string(recording.X_WL.size()));
  for (std::size_t i = 0; i < recording.X_WL.size(); ++i) {
    const std::string& name = object.links[i].name;
    if (recording.X_WL[i].size() != rows) refuse("link '" + name + "' does not have one pose per row");
    for (const math::Pose& X : recording.X_WL[i])
      if (!is_finite(X)) refuse("a pose of link '" + name + "' is not finite");
  }
  if (recording.held.empty()) refuse("no wrench is recorded: at least one link must be held");
  std::vector<bool> is_held(object.links.size(), false);
  for (const HeldLink& held : recording.held) {
    if (held.link < 0 || held.link >= static_cast<int>(object.links.size()))
      refuse("held link " + std::to_string(held.link) + " is none of the object's");
    const std::string& name = object.links[static_cast<std::size_t>(held.link)].name;
    if (is_held[static_cast<std::size_t>(held.link)])
      refuse("link '" + name + "' is held twice: add its wrenches up");
    is_held[static_cast<std::size_t>(held.link)] = true;
    if (held.F_L.size() != rows) refuse("link '" + name + "' does not have one wrench per row");
    for (const math::Wrench& F : held.F_L)
      if (!F.vector().allFinite()) refuse("a wrench on link '" + name + "' is not finite");
  }
  if (!recording.gravity_W.allFinite()) refuse("gravity is not finite");
}

}  // namespace prehend::topology
