#include <algorithm>
#include <numeric>

#include <prehend/stability/limit/falling.h>

namespace prehend::stability {
namespace {

// Falls though the bodies in `is_held` do not move; an undecided answer counts as standing. What has fallen before holds
// nothing by its joints any more: `system` is without them (without_joints_of).
bool falls(const ContactSystem& system, const std::vector<bool>& is_held, const LimitOptions& options,
           std::vector<math::Vector6d>* motion = nullptr) {
  const LimitAnalysis analysis(with_bodies_held(system, is_held), options);
  if (analysis.stability() != Stability::unstable) return false;
  if (motion) {
    motion->assign(system.bodies.size(), math::Vector6d::Zero());
    std::size_t free = 0;
    for (std::size_t i = 0; i < is_held.size(); ++i) {
      if (!is_held[i]) (*motion)[i] = analysis.falling()[free++];
    }
  }
  return true;
}

// Holds as many of the free bodies as possible, larger groups first, so that what is left still falls.
void hold_all_but_one_set(const ContactSystem& system, const LimitOptions& options,
                          std::vector<bool>& is_held) {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < is_held.size(); ++i) {
    if (!is_held[i]) free.push_back(i);
  }
  for (std::size_t group = (free.size() + 1) / 2; group > 0; group = group > 1 ? (group + 1) / 2 : 0) {
    for (std::size_t first = 0; first < free.size();) {
      const std::size_t last = std::min(first + group, free.size());
      std::vector<bool> tried = is_held;
      for (std::size_t k = first; k < last; ++k) tried[free[k]] = true;
      if (last - first < free.size() && falls(system, tried, options)) {
        is_held = std::move(tried);
        free.erase(free.begin() + static_cast<long>(first), free.begin() + static_cast<long>(last));
      } else {
        first = last;
      }
    }
  }
}

void drop_joints_of(const std::vector<bool>& is_fallen, ContactSystem& system) {
  std::erase_if(system.joint_rows, [&](const JointRow& row) {
    return std::any_of(row.parts.begin(), row.parts.end(),
                       [&](const JointRow::Part& part) { return is_fallen[part.body]; });
  });
}

}  // namespace

ContactSystem with_bodies_held(const ContactSystem& system, const std::vector<bool>& is_held) {
  ContactSystem held = system;
  held.bodies.clear();
  held.contacts.clear();
  held.interfaces.clear();
  held.floating.clear();
  std::vector<NodeIndex> renumbered(system.bodies.size());
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    if (is_held[i]) continue;
    renumbered[i] = NodeIndex(held.bodies.size());
    held.bodies.push_back(system.bodies[i]);
  }
  const auto node = [&](NodeIndex before) { return before.is_valid() ? renumbered[before] : NodeIndex(); };
  for (NodeIndex& of_body : held.node_of_body) of_body = node(of_body);
  for (const SystemInterface& interface : system.interfaces) {
    if (!node(interface.a).is_valid() && !node(interface.b).is_valid()) continue;
    SystemInterface kept = interface;
    kept.a = node(interface.a);
    kept.b = node(interface.b);
    kept.first = static_cast<int>(held.contacts.size());
    for (int k = 0; k < interface.count; ++k) {
      SystemContact contact = system.contacts[static_cast<std::size_t>(interface.first + k)];
      contact.a = kept.a;
      contact.b = kept.b;
      contact.interface = InterfaceIndex(held.interfaces.size());
      held.contacts.push_back(contact);
    }
    held.interfaces.push_back(kept);
  }
  held.joint_rows.clear();
  for (JointRow row : system.joint_rows) {
    std::erase_if(row.parts, [&](const JointRow::Part& part) { return !renumbered[part.body].is_valid(); });
    for (JointRow::Part& part : row.parts) part.body = renumbered[part.body];
    if (!row.parts.empty()) held.joint_rows.push_back(std::move(row));
  }
  for (const NodeIndex body : system.floating) {
    if (renumbered[body].is_valid()) held.floating.push_back(renumbered[body]);
  }
  return held;
}

Falling find_falling(const ContactSystem& whole, const LimitOptions& options) {
  Falling result;
  ContactSystem system = whole;
  std::vector<bool> is_fallen(system.bodies.size(), false);
  while (falls(system, is_fallen, options)) {
    std::vector<bool> is_held = is_fallen;
    hold_all_but_one_set(system, options, is_held);
    std::vector<math::Vector6d> motion;
    if (!falls(system, is_held, options, &motion)) break;
    result.motion.resize(system.bodies.size(), math::Vector6d::Zero());
    for (std::size_t i = 0; i < motion.size(); ++i) {
      result.motion[i] += motion[i];
      if (is_held[i]) continue;
      is_fallen[i] = true;
      result.bodies.push_back(system.bodies[i].body);
    }
    drop_joints_of(is_fallen, system);
  }
  std::sort(result.bodies.begin(), result.bodies.end());
  // Sets that fall one after the other tear at their joints: one motion that all joints allow instead.
  if (!whole.joint_rows.empty() && !result.bodies.empty())
    result.motion = LimitAnalysis(whole, options).falling();
  return result;
}

}  // namespace prehend::stability
