// The object whose joints are sought, from a scene: its links with their inertias, and who hangs on whom.
//
// Joint types are ignored, also where the file says `fixed`: read the scene with SceneOptions::merge_welded off. The base is the
// body that hangs on nothing, on the world, or by a free joint. Links come in the order of the file, except that a link never
// comes before the one it hangs on.
#pragma once

#include <string>
#include <vector>

#include <prehend/model/scene.h>
#include <prehend/model/topology_log.h>
#include <prehend/topology/recording.h>

namespace prehend::topology {

// Throws model::InputError (with `file`): no joint, several bases, a loop, a link without mass.
ArticulatedObject object_of(const model::Scene& scene, const std::string& file = "scene");
// Body of each link, in the object's order.
std::vector<model::BodyIndex> bodies_of(const model::Scene& scene, const std::string& file = "scene");
// read_scene() and object_of(): MJCF, URDF or SDF.
ArticulatedObject read_object(const std::string& path);
// The scene behind read_object(): every link a body.
model::Scene read_object_scene(const std::string& path);

// A log as a recording of the object: the left wrench acts on the first link, the right on the last. Throws model::InputError
// (with `file`) when the log has another number of links, naming both.
Recording recording_of(const model::TopologyLog& log, const ArticulatedObject& object,
                       const std::string& file);

}  // namespace prehend::topology
