#include <map>
#include <numeric>

#include <prehend/articulation/fit/joint_motion.h>
#include <prehend/articulation/simulated/object_motion.h>
#include <prehend/model/json_writer.h>

namespace prehend::articulation {
namespace {

using model::JointType;

const char* noise_name(NoiseModel noise) {
  return noise == NoiseModel::uniform ? "uniform" : noise == NoiseModel::gaussian ? "gaussian" : "printed";
}

void write_joint(model::JsonWriter& json, const SimulatedMotion& motion, std::size_t j) {
  const SimulatedJoint& simulated = motion.object.joints[j];
  const model::Joint& joint = simulated.joint;
  json.object()
      .field("parent", motion.object.parts[joint.parent].name)
      .field("child", motion.object.parts[joint.child].name)
      .field("type", to_string(joint.type));
  const bool has_axis =
      joint.type != JointType::rigid && joint.type != JointType::spherical && joint.type != JointType::free;
  if (has_axis) json.field("axis", Eigen::Vector3d(joint.X_PC.q() * joint.axis_C));
  if (has_axis && joint.type != JointType::prismatic && joint.type != JointType::planar)
    json.field("point_m", joint.X_PC * joint.p_CJ);
  if (joint.type == JointType::spherical) json.field("point_m", joint.X_PC * joint.p_CJ);
  if (joint.type == JointType::universal)
    json.field("axis2", Eigen::Vector3d(joint.X_PC.q() * joint.axis2_C));
  if (joint.type == JointType::screw) json.field("pitch_m_per_rad", joint.pitch);
  json.field("X_PC", joint.X_PC).field("lower", simulated.lower).field("upper", simulated.upper);
  json.key("states").array();
  for (const std::vector<double>& states : motion.states[j]) {
    if (states.size() == 1) {
      json.value(states[0]);
    } else {
      json.value(states);
    }
  }
  json.end().end();
}

}  // namespace

std::string SimulatedMotion::truth_json() const {
  // Features of parts that rigid joints tie together are one group.
  std::vector<std::size_t> group(object.parts.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (const SimulatedJoint& joint : object.joints)
    if (joint.joint.type == JointType::rigid) group[joint.joint.child] = group[joint.joint.parent];
  std::map<std::size_t, std::vector<std::string>> names;
  for (const Feature& feature : features)
    names[group[static_cast<std::size_t>(feature.part)]].push_back(feature.name);

  model::JsonWriter json;
  json.object().field("object", object.name).field("seed", options.seed).key("joints").array();
  for (std::size_t j = 0; j < object.joints.size(); ++j) write_joint(json, *this, j);
  json.end().key("rigid_groups").array();
  for (const auto& [root, members] : names) json.value(members);
  json.end().key("loops").array();
  for (const SimulatedObject::Loop& loop : object.loops) {
    json.object()
        .field("a", object.parts[static_cast<std::size_t>(loop.part_a)].name)
        .field("b", object.parts[static_cast<std::size_t>(loop.part_b)].name)
        .field("type", to_string(loop.type))
        .end();
  }
  json.end().field("degrees_of_freedom", object.degrees_of_freedom());
  json.key("noise")
      .object()
      .field("model", noise_name(options.noise))
      .field("position_m", options.position_noise)
      .field("angle_rad", options.angle_noise)
      .end();
  json.key("features").array();
  for (const Feature& feature : features) {
    json.object()
        .field("name", feature.name)
        .field("part", object.parts[static_cast<std::size_t>(feature.part)].name)
        .field("X_PF", feature.X_PF)
        .end();
  }
  json.end().field("times_s", times).field("lost_rows", lost).key("flipped_rows").array();
  for (const std::size_t row : flipped_rows) json.value(row);
  return json.end().end().text();
}

std::string SimulatedMotion::brief_report() const {
  std::string text = "object '" + object.name + "': " + std::to_string(object.parts.size()) + " parts, " +
                     std::to_string(object.degrees_of_freedom()) + " degrees of freedom, " +
                     std::to_string(times.size()) + " frames, " + std::to_string(log.rows.size()) +
                     " poses\n";
  for (const SimulatedJoint& joint : object.joints) {
    text += "  " + object.parts[joint.joint.parent].name + " -> " + object.parts[joint.joint.child].name +
            "  " + to_string(joint.joint.type) + (joint.follows >= 0 ? " (coupled)" : "") + "\n";
  }
  if (lost > 0) text += std::to_string(lost) + " poses lost\n";
  if (!flipped_rows.empty()) text += std::to_string(flipped_rows.size()) + " poses flipped\n";
  return text;
}

}  // namespace prehend::articulation
