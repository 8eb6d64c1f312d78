// Writes an object and a recording of it for topology_cli_test.py: {"object": PATH.xml or .urdf, "log": PATH.csv, "kind": "prismatic",
// "revolute" or "sample", ...} on standard input; the truth on standard output.
#include <iostream>

#include <nlohmann/json.hpp>

#include <prehend/math/enum_text.h>
#include <prehend/model/files.h>
#include <prehend/model/scene_writer.h>
#include <prehend/topology/simulated/sample_object.h>
#include <prehend/topology/simulated/simulated_recording.h>
#include <prehend/topology/test/log_writer.h>
#include <prehend/topology/topology_options.h>

int main() {
  using namespace prehend;
  const nlohmann::json input = nlohmann::json::parse(std::cin);
  const std::string kind = input.value("kind", "sample");
  const auto seed = input.value("seed", std::uint64_t{0});
  const bool base_is_fixed = input.value("fixed", false);
  topology::RecordingOptions options;
  model::Scene scene;
  if (kind == "sample") {
    topology::SampleObjectOptions object;
    object.links = input.value("links", 3);
    object.chain = 1.0;
    object.base_is_fixed = base_is_fixed;
    object.seed = seed;
    if (input.contains("types")) {
      object.types.clear();
      for (const std::string name : input["types"])
        object.types.push_back(*from_string<model::JointType>(name));
    }
    scene = topology::sample_object(object);
    if (!base_is_fixed) options.grips.push_back({0});
    options.grips.push_back({object.links - 1});
  } else {
    const model::JointType type = *from_string<model::JointType>(kind);
    scene = topology::source_object(type, base_is_fixed);
    topology::Push push;
    push.link = 1;
    push.force_L = 0.2 * (kind == "prismatic" ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY());
    push.p_L = {0.25, 0.0, 0.0};
    push.frequency = 0.25;
    push.carried_weight = base_is_fixed ? 0.0 : kind == "prismatic" ? 1.0 : 0.7;
    options.pushes.push_back(push);
    if (!base_is_fixed) options.grips.push_back({0, 0.01, 0.05});
    if (base_is_fixed) options.lead_in = 0.0;
  }
  options.seed = seed;
  options.record_reaction = input.value("reaction", true);
  options.duration = input.value("duration", 5.0);
  options.pose_noise = {input.value("position_noise", 0.0), input.value("angle_noise", 0.0)};
  options.force_noise = input.value("force_noise", 0.0);
  options.torque_noise = input.value("torque_noise", 0.0);
  if (input.contains("stuck")) options.stuck = input["stuck"].get<std::vector<int>>();
  const topology::SimulatedRecording made = topology::record(scene, options);
  const std::string path = input.at("object");
  path.ends_with(".urdf") ? model::write_urdf(scene, path) : model::write_mjcf(scene, path);
  model::write_file(input.at("log"),
                    topology::log_text(made.recording, input.value("digits", 12), input.value("every", 1)));
  nlohmann::json truth = nlohmann::json::array();
  for (const topology::JointTruth& joint : made.joints) {
    const auto list = [](const Eigen::Vector3d& v) { return std::vector<double>{v.x(), v.y(), v.z()}; };
    truth.push_back({{"name", joint.name},
                     {"type", topology::hypothesis_name(joint.type)},
                     {"excited", joint.is_excited},
                     {"axis_P", list(joint.axis_P)},
                     {"point_P", list(joint.point_P)},
                     {"axis_C", list(joint.axis_C)},
                     {"point_C", list(joint.point_C)},
                     {"pitch", joint.pitch},
                     {"travel", joint.travel}});
  }
  std::cout
      << nlohmann::json{{"joints", truth}, {"friction", {made.friction_torque, made.friction_force}}}.dump()
      << "\n";
}
