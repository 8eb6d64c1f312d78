#include <algorithm>

#include <prehend/math/random.h>
#include <prehend/topology/object_reader.h>
#include <prehend/topology/simulated/simulated_recording.h>

namespace prehend::topology {
namespace {

using model::JointType;

int freedoms(JointType type) { return type == JointType::rigid ? 0 : type == JointType::spherical ? 3 : 1; }
bool advances(JointType type) { return type == JointType::prismatic || type == JointType::screw; }

}  // namespace

Exploration sample_exploration(const model::Scene& scene, double stuck, std::uint64_t seed) {
  const ArticulatedObject object = object_of(scene);
  const std::size_t links = object.links.size();
  std::vector<JointType> types(links, JointType::rigid);
  for (const model::Joint& joint : scene.joints)
    if (joint.parent != scene.world()) types[joint.child - 1] = joint.type;
  std::vector<bool> is_leaf(links, true), is_held(links, false);
  for (const Link& link : object.links)
    if (link.parent >= 0) is_leaf[static_cast<std::size_t>(link.parent)] = false;
  // A fixed base is as good as held, but not by a hand.
  is_held[0] = true;
  // Freedoms, and slides and screws, since the last held link on the way from the base.
  std::vector<int> between(links, 0), advancing(links, 0);
  for (std::size_t i = 1; i < links; ++i) {
    const auto parent = static_cast<std::size_t>(object.links[i].parent);
    // A link between two slides along one line would run away.
    if (advances(types[i]) && advancing[parent] > 0) is_held[parent] = true;
    between[i] = (is_held[parent] ? 0 : between[parent]) + freedoms(types[i]);
    advancing[i] = (is_held[parent] ? 0 : advancing[parent]) + (advances(types[i]) ? 1 : 0);
    is_held[i] = is_leaf[i] || between[i] >= 6;
  }
  const auto hands = [&] {
    return std::count(is_held.begin(), is_held.end(), true) - (scene.bodies[1].movable ? 0 : 1);
  };
  math::RandomStream random(seed, 0x57c4);
  Exploration exploration;
  for (std::size_t i = 1; i < links; ++i) {
    if (!is_leaf[i]) continue;
    const bool sticks = random.uniform() < stuck, is_left = random.uniform() < 0.3;
    const bool beside_held = is_held[static_cast<std::size_t>(object.links[i].parent)];
    const bool swings = types[i] == JointType::revolute || types[i] == JointType::spherical;
    if (!beside_held || hands() < 2) continue;
    if (sticks && types[i] != JointType::rigid) {
      exploration.stuck.push_back(static_cast<int>(i) - 1);
      is_held[i] = false;
    } else if (swings && is_left) {
      is_held[i] = false;
    }
  }
  for (std::size_t i = scene.bodies[1].movable ? 0 : 1; i < links; ++i) {
    if (!is_held[i]) continue;
    Grip grip;
    grip.link = static_cast<int>(i);
    exploration.grips.push_back(grip);
  }
  return exploration;
}

}  // namespace prehend::topology
