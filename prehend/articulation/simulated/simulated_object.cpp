#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <prehend/articulation/fit/joint_motion.h>
#include <prehend/articulation/simulated/simulated_object.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/random.h>

namespace prehend::articulation {
namespace {

using model::JointType;

void require(bool holds, const std::string& sentence) {
  if (!holds) throw std::invalid_argument(sentence);
}

}  // namespace

int SimulatedObject::degrees_of_freedom() const {
  int count = 0;
  for (const SimulatedJoint& joint : joints)
    if (joint.follows < 0) count += state_count(joint.joint.type);
  return count;
}

void SimulatedObject::validate() const {
  require(!parts.empty(), "an object needs a part");
  require(joints.size() + 1 == parts.size(), "an object of " + std::to_string(parts.size()) +
                                                 " parts needs " + std::to_string(parts.size() - 1) +
                                                 " joints, it has " + std::to_string(joints.size()));
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const SimulatedJoint& joint = joints[j];
    const std::string who = "joint " + std::to_string(j);
    require(joint.joint.child.is_valid() && joint.joint.child.value() == static_cast<int>(j) + 1,
            who + " must move part " + std::to_string(j + 1));
    require(joint.joint.parent.is_valid() && joint.joint.parent.value() >= 0 &&
                joint.joint.parent.value() <= static_cast<int>(j),
            who + " must hang on a part of lower number than its own");
    const std::size_t states = static_cast<std::size_t>(state_count(joint.joint.type));
    require(joint.lower.size() == states && joint.upper.size() == states,
            who + " needs a range for each of its " + std::to_string(states) + " states");
    for (std::size_t s = 0; s < states; ++s)
      require(joint.lower[s] <= joint.upper[s], who + " has a range that ends before it begins");
    require(joint.follows < static_cast<int>(j), who + " follows a joint that comes after it");
    if (joint.follows >= 0)
      require(states == 1 && state_count(joints[static_cast<std::size_t>(joint.follows)].joint.type) == 1,
              who + " follows another: both must have one state");
  }
}

void RandomObjectOptions::validate() const {
  const math::OptionCheck check("RandomObjectOptions");
  check.between("parts", parts, 1, 1000);
  check.holds(!types.empty(), "types", "empty", "one joint type at least");
  check.at_least("spacing_min", spacing_min, 0, "m");
  check.at_least("spacing_max", spacing_max, spacing_min, "m");
  check.at_least("turn_min", turn_min, 0, "rad");
  check.at_least("turn_max", turn_max, turn_min, "rad");
  check.at_least("slide_min", slide_min, 0, "m");
  check.at_least("slide_max", slide_max, slide_min, "m");
  check.at_least("lever_max", lever_max, 0, "m");
  check.above("pitch_max", pitch_max, 0, "m/rad");
  check.between("chain", chain, 0, 1);
}

SimulatedObject random_object(const RandomObjectOptions& options) {
  options.validate();
  math::RandomStream random(options.seed, 0x0b1ec7);
  SimulatedObject object;
  object.name = "random";
  for (int i = 0; i < options.parts; ++i) {
    SimulatedPart part;
    part.name = "part" + std::to_string(i);
    for (int k = 0; k < 3; ++k) part.size[k] = random.uniform(0.3, 0.8) * options.spacing_min;
    object.parts.push_back(part);
    if (i == 0) continue;
    SimulatedJoint made;
    model::Joint& joint = made.joint;
    joint.type = options.types[random.below(static_cast<std::uint32_t>(options.types.size()))];
    const bool on_last = random.uniform() < options.chain;
    const int parent = on_last ? i - 1 : static_cast<int>(random.below(static_cast<std::uint32_t>(i)));
    joint.parent = model::BodyIndex(parent);
    joint.child = model::BodyIndex(i);
    joint.name = object.parts[static_cast<std::size_t>(parent)].name + "_" + part.name;
    // One draw per statement: the order of draws within an expression is the compiler's.
    const Eigen::Vector3d away = random.unit_vector();
    const double distance = random.uniform(options.spacing_min, options.spacing_max);
    joint.X_PC = math::Pose(random.rotation(), distance * away);
    joint.axis_C = random.unit_vector();
    joint.axis2_C = joint.axis_C.cross(random.unit_vector()).normalized();
    const double lever = random.uniform(0.0, options.lever_max);
    joint.p_CJ = lever * random.unit_vector();
    if (joint.type == JointType::screw) {
      const double pitch = random.uniform(0.2, 1.0) * options.pitch_max;
      joint.pitch = random.uniform() < 0.5 ? -pitch : pitch;
    }
    for (int s = 0; s < state_count(joint.type); ++s) {
      const double travel = is_angle(joint.type, s) ? random.uniform(options.turn_min, options.turn_max)
                                                    : random.uniform(options.slide_min, options.slide_max);
      made.lower.push_back(-0.5 * travel);
      made.upper.push_back(0.5 * travel);
    }
    if (!made.lower.empty()) {
      joint.lower = made.lower[0];
      joint.upper = made.upper[0];
    }
    object.joints.push_back(std::move(made));
  }
  return object;
}

}  // namespace prehend::articulation
