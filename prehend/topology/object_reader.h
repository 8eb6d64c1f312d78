// The object whose joints are sought, from a scene: its links with their inertias, and who hangs on whom.
//
// Joint types are ignored, also where the file says `fixed`: read the scene with SceneOptions::merge_welded off. The base is the
// body that hangs on nothing, on the world, or by a free joint. Links come in the order of the file, except that a link never
// comes before the one it hangs on. A link without mass on a fixed joint is a frame (a tool point, a root), not a link: what hangs on
// it hangs on what it is fixed to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/model/scene.h>
#include <prehend/model/topology_log.h>
#include <prehend/topology/recording.h>

namespace prehend::topology {

// Throws model::InputError (with `file`): no joint, several bases, a loop, a link without mass.
ArticulatedObject object_of(const model::Scene& scene, const std::string& file = "scene");
// Body of each link, in the object's order.
std::vector<model::BodyIndex> bodies_of(const model::Scene& scene, const std::string& file = "scene");
// read_scene() and object_of(): MJCF, URDF or SDF.
ArticulatedObject read_object(const std::string& path, std::optional<std::size_t> links_in_log = {});
// The scene behind read_object(): every link a body, its shapes as far as their files exist. Simulators (Gazebo) make what is on fixed joints
// one link: where the object has more links than the log, and as many once that is done, so does this.
model::Scene read_object_scene(const std::string& path, std::optional<std::size_t> links_in_log = {});

// A log as a recording of the object: the left wrench acts on the first link, the right on the last. Throws model::InputError
// (with `file`) when the log has another number of links, naming both.
Recording recording_of(const model::TopologyLog& log, const ArticulatedObject& object,
                       const std::string& file);

// What a log does not say of itself.
struct RecordingSetting {
  Eigen::Vector3d gravity_W{0.0, 0.0, -9.81};  // [m/s^2] in the log's world
  bool base_is_fixed{false};
  std::vector<std::string> held;  // links that the log's wrenches act on, in its order; empty: first and last
};

// The log as a recording that validate() accepts; model::InputError where it does not, std::invalid_argument where `held` names
// another number of links than the log has wrenches, or a link that is none.
Recording read_recording(const std::string& path, const ArticulatedObject& object,
                         const RecordingSetting& setting = {});

}  // namespace prehend::topology
