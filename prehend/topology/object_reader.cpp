#include <algorithm>
#include <stdexcept>

#include <prehend/model/input_error.h>
#include <prehend/model/scene_reader.h>
#include <prehend/topology/object_reader.h>

namespace prehend::topology {
namespace {

using model::BodyIndex;

struct Parents {
  std::vector<BodyIndex> parent;  // by body; the world: the base
  std::vector<std::string> joint;
};

Parents parents_of(const model::Scene& scene, const std::string& file) {
  Parents found{std::vector<BodyIndex>(scene.bodies.size(), scene.world()),
                std::vector<std::string>(scene.bodies.size())};
  for (const model::Joint& joint : scene.joints) {
    if (joint.parent == scene.world()) continue;
    const model::Body& child = scene.bodies[joint.child];
    if (found.parent[joint.child] != scene.world()) {
      throw model::InputError(file, child.line,
                              "link '" + child.name + "' hangs on two joints, '" + found.joint[joint.child] +
                                  "' and '" + joint.name + "'; the object must be a chain or a tree");
    }
    found.parent[joint.child] = joint.parent;
    found.joint[joint.child] = joint.name;
  }
  return found;
}

std::string names_of(const ArticulatedObject& object) {
  std::string text;
  for (const Link& link : object.links) text += (text.empty() ? "" : ", ") + link.name;
  return text;
}

}  // namespace

std::vector<BodyIndex> bodies_of(const model::Scene& scene, const std::string& file) {
  const Parents parents = parents_of(scene, file);
  std::vector<BodyIndex> waiting, ordered;
  BodyIndex base;
  for (BodyIndex b(1); b < scene.bodies.size(); ++b) {
    waiting.push_back(b);
    if (parents.parent[b] != scene.world()) continue;
    if (base.is_valid()) {
      throw model::InputError(file, scene.bodies[b].line,
                              "links '" + scene.bodies[base].name + "' and '" + scene.bodies[b].name +
                                  "' both hang on no other link; the object must be one chain or tree");
    }
    base = b;
  }
  if (waiting.size() < 2)
    throw model::InputError(file, 0,
                            "the object has " + std::to_string(waiting.size()) +
                                " links; two at least are needed, with a joint between");
  std::stable_sort(waiting.begin(), waiting.end(),
                   [&](BodyIndex a, BodyIndex b) { return scene.bodies[a].line < scene.bodies[b].line; });
  std::vector<bool> placed(scene.bodies.size(), false);
  placed[0] = true;
  while (!waiting.empty()) {
    const auto next =
        std::find_if(waiting.begin(), waiting.end(), [&](BodyIndex b) { return placed[parents.parent[b]]; });
    if (next == waiting.end())
      throw model::InputError(file, scene.bodies[waiting.front()].line,
                              "the joints form a loop; the object must be a chain or a tree");
    placed[*next] = true;
    ordered.push_back(*next);
    waiting.erase(next);
  }
  return ordered;
}

ArticulatedObject object_of(const model::Scene& scene, const std::string& file) {
  const Parents parents = parents_of(scene, file);
  const std::vector<BodyIndex> bodies = bodies_of(scene, file);
  std::vector<int> link_of(scene.bodies.size(), -1);
  ArticulatedObject object;
  object.name = scene.name;
  for (const BodyIndex b : bodies) {
    const model::Body& body = scene.bodies[b];
    if (!(body.inertia.mass > 0.0)) {
      throw model::InputError(
          file, body.line,
          "link '" + body.name +
              "' has no inertia; momentum needs mass, centre of mass and inertia of every link");
    }
    link_of[b] = static_cast<int>(object.links.size());
    const int parent = parents.parent[b] == scene.world() ? -1 : link_of[parents.parent[b]];
    object.links.push_back({body.name, body.inertia, parent, parents.joint[b]});
  }
  return object;
}

model::Scene read_object_scene(const std::string& path) {
  model::SceneOptions options;
  options.merge_welded = false;
  return model::read_scene(path, options);
}

ArticulatedObject read_object(const std::string& path) { return object_of(read_object_scene(path), path); }

Recording recording_of(const model::TopologyLog& log, const ArticulatedObject& object,
                       const std::string& file) {
  if (log.links() != object.links.size()) {
    throw model::InputError(file, 0,
                            "the log has poses of " + std::to_string(log.links()) + " links (l" +
                                std::to_string(log.first_number) + " to l" +
                                std::to_string(log.first_number + static_cast<int>(log.links()) - 1) +
                                "), the object has " + std::to_string(object.links.size()) + ": " +
                                names_of(object));
  }
  Recording recording;
  recording.t = log.t;
  recording.X_WL = log.X_WL;
  const auto hold = [&](int link, const std::vector<Eigen::Vector3d>& f,
                        const std::vector<Eigen::Vector3d>& tau) {
    if (f.empty()) return;
    HeldLink held;
    held.link = link;
    for (std::size_t k = 0; k < f.size(); ++k) held.F_L.push_back({tau[k], f[k]});
    recording.held.push_back(std::move(held));
  };
  hold(0, log.f_left_L, log.tau_left_L);
  hold(static_cast<int>(object.links.size()) - 1, log.f_right_R, log.tau_right_R);
  return recording;
}

Recording read_recording(const std::string& path, const ArticulatedObject& object,
                         const RecordingSetting& setting) {
  Recording recording = recording_of(model::read_topology_log(path), object, path);
  recording.gravity_W = setting.gravity_W;
  recording.base_is_fixed = setting.base_is_fixed;
  if (!setting.held.empty() && setting.held.size() != recording.held.size())
    throw std::invalid_argument("held names " + std::to_string(setting.held.size()) + " links, the log has " +
                                std::to_string(recording.held.size()) + " wrenches");
  for (std::size_t h = 0; h < setting.held.size(); ++h) {
    const auto link = std::find_if(object.links.begin(), object.links.end(),
                                   [&](const Link& l) { return l.name == setting.held[h]; });
    if (link == object.links.end())
      throw std::invalid_argument("held: the object has no link '" + setting.held[h] +
                                  "'; it has: " + names_of(object));
    recording.held[h].link = static_cast<int>(link - object.links.begin());
  }
  try {
    validate(object, recording);
  } catch (const std::invalid_argument& error) {
    throw model::InputError(path, 0, error.what());
  }
  return recording;
}

}  // namespace prehend::topology
