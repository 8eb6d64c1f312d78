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

bool is_frame(const model::Scene& scene, BodyIndex body) {
  if (scene.bodies[body].inertia.mass > 0.0) return false;
  return std::any_of(scene.joints.begin(), scene.joints.end(), [&](const model::Joint& joint) {
    return joint.type == model::JointType::rigid && (joint.child == body || joint.parent == body);
  });
}

// Without frames: bodies without mass that are fixed to another one. A frame at the root hands its place to the only link that is fixed to
// it; one with several would be a link of its own, and keeps its message.
std::vector<bool> frames_of(const model::Scene& scene, Parents& parents) {
  std::vector<bool> is_left_out(scene.bodies.size(), false);
  for (bool again = true; again;) {
    again = false;
    for (BodyIndex b(1); b < scene.bodies.size(); ++b) {
      if (is_left_out[b] || !is_frame(scene, b)) continue;
      std::vector<BodyIndex> children;
      for (BodyIndex c(1); c < scene.bodies.size(); ++c)
        if (!is_left_out[c] && parents.parent[c] == b) children.push_back(c);
      if (parents.parent[b] == scene.world() && children.size() != 1) continue;
      for (const BodyIndex c : children) parents.parent[c] = parents.parent[b];
      is_left_out[b] = again = true;
    }
  }
  return is_left_out;
}

std::string names_of(const ArticulatedObject& object) {
  std::string text;
  for (const Link& link : object.links) text += (text.empty() ? "" : ", ") + link.name;
  return text;
}

std::size_t links_of(const model::Scene& scene) {
  std::size_t links = 0;
  for (BodyIndex b(1); b < scene.bodies.size(); ++b) links += scene.bodies[b].inertia.mass > 0.0 ? 1 : 0;
  return links;
}

// What is on a fixed joint becomes part of what it is fixed to, and a frame.
model::Scene with_fixed_joints_closed(model::Scene scene, const std::string& file) {
  std::vector<BodyIndex> order = bodies_of(scene, file);
  std::reverse(order.begin(), order.end());  // children before their parents
  for (const BodyIndex b : order) {
    const auto joint = std::find_if(scene.joints.begin(), scene.joints.end(), [&](const model::Joint& j) {
      return j.child == b && j.type == model::JointType::rigid && j.parent != scene.world();
    });
    if (joint == scene.joints.end()) continue;
    model::Body &part = scene.bodies[b], &whole = scene.bodies[joint->parent];
    const math::Pose X_BC = whole.X_WB.inverse() * part.X_WB;
    if (part.inertia.mass > 0.0) {
      const math::SpatialInertia carried = part.inertia.expressed_in(X_BC);
      whole.inertia = whole.inertia.mass > 0.0 ? whole.inertia + carried : carried;
    }
    for (model::Geom& geom : part.geoms) {
      geom.X_BG = X_BC * geom.X_BG;
      whole.geoms.push_back(std::move(geom));
    }
    part.inertia = {};
    part.geoms.clear();
  }
  return scene;
}

}  // namespace

std::vector<BodyIndex> bodies_of(const model::Scene& scene, const std::string& file) {
  Parents parents = parents_of(scene, file);
  const std::vector<bool> is_left_out = frames_of(scene, parents);
  std::vector<BodyIndex> waiting, ordered;
  BodyIndex base;
  for (BodyIndex b(1); b < scene.bodies.size(); ++b) {
    if (is_left_out[b]) continue;
    waiting.push_back(b);
    if (parents.parent[b] != scene.world()) continue;
    if (base.is_valid()) {
      throw model::InputError(file, scene.bodies[b].line,
                              "links '" + scene.bodies[base].name + "' and '" + scene.bodies[b].name +
                                  "' both hang on no other link; the object must be one chain or tree");
    }
    base = b;
  }
  if (waiting.size() < 2) {
    const std::size_t links = waiting.size();
    std::string frames;
    for (BodyIndex b(1); b < scene.bodies.size(); ++b)
      if (is_left_out[b])
        frames +=
            "; link '" + scene.bodies[b].name + "' has no inertia and counts as part of what it is fixed to";
    throw model::InputError(file, 0,
                            "the object has " + std::to_string(links) + (links == 1 ? " link" : " links") +
                                "; two at least are needed, with a joint between" + frames);
  }
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
  Parents parents = parents_of(scene, file);
  const std::vector<bool> is_left_out = frames_of(scene, parents);
  const std::vector<BodyIndex> bodies = bodies_of(scene, file);
  std::vector<int> link_of(scene.bodies.size(), -1);
  ArticulatedObject object;
  object.name = scene.name;
  std::string fixed;
  for (BodyIndex b(1); b < scene.bodies.size(); ++b)
    if (is_left_out[b]) fixed += (fixed.empty() ? "'" : ", '") + scene.bodies[b].name + "'";
  if (!fixed.empty())
    object.notes.push_back("Fixed to other links, and no links of their own: " + fixed + ".");
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

model::Scene read_object_scene(const std::string& path, std::optional<std::size_t> links_in_log) {
  model::SceneOptions options;
  options.merge_welded = false;
  options.without_missing_meshes = true;
  model::Scene scene = model::read_scene(path, options);
  if (!links_in_log || scene.bodies.size() <= *links_in_log + 1) return scene;
  if (bodies_of(scene, path).size() <= *links_in_log) return scene;
  model::Scene whole = with_fixed_joints_closed(scene, path);
  return links_of(whole) == *links_in_log ? whole : scene;
}

ArticulatedObject read_object(const std::string& path, std::optional<std::size_t> links_in_log) {
  return object_of(read_object_scene(path, links_in_log), path);
}

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
