#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

#include <prehend/model/scenes/scene_tree.h>

namespace prehend::model {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument("cannot write the scene: " + what);
}

void check_names(const Scene& scene) {
  std::set<std::string> bodies, joints;
  for (const Body& body : scene.bodies) {
    if (body.name.empty()) refuse("a body has no name");
    if (!bodies.insert(body.name).second) refuse("two bodies are named '" + body.name + "'");
  }
  for (const Joint& joint : scene.joints) {
    if (joint.name.empty()) refuse("a joint has no name");
    if (!joints.insert(joint.name).second) refuse("two joints are named '" + joint.name + "'");
    for (const BodyIndex body : {joint.parent, joint.child}) {
      if (!body.is_valid() || body >= scene.bodies.size())
        refuse("joint '" + joint.name + "' has no parent or child");
    }
  }
}

}  // namespace

Scene with_free_joints(Scene scene) {
  std::vector<bool> has_joint(scene.bodies.size(), false);
  std::set<std::string> names;
  for (Joint& joint : scene.joints) {
    names.insert(joint.name);
    if (!joint.child.is_valid() || joint.child >= scene.bodies.size()) continue;  // scene_tree names it
    has_joint[joint.child] = true;
    if (joint.type == JointType::free && joint.parent == scene.world())
      joint.X_PC = scene.bodies[joint.child].X_WB;
  }
  for (BodyIndex b(1); b < scene.bodies.size(); ++b) {
    if (!scene.bodies[b].movable || has_joint[b]) continue;
    Joint joint;
    joint.name = scene.bodies[b].name + "_free";
    while (!names.insert(joint.name).second) joint.name += "_";
    joint.type = JointType::free;
    joint.parent = scene.world();
    joint.child = b;
    joint.X_PC = scene.bodies[b].X_WB;
    scene.joints.push_back(joint);
  }
  return scene;
}

SceneTree scene_tree(const Scene& scene) {
  check_names(scene);
  SceneTree tree;
  tree.children.resize(scene.bodies.size());
  std::vector<BodyIndex> parent(scene.bodies.size(), scene.world());
  std::vector<std::vector<std::size_t>> joints(scene.bodies.size());
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const Joint& joint = scene.joints[j];
    if (joint.child == scene.world()) refuse("joint '" + joint.name + "' moves the world");
    if (!joints[joint.child].empty() && parent[joint.child] != joint.parent) {
      refuse("body '" + scene.bodies[joint.child].name + "' hangs on two bodies; a tree cannot hold loops");
    }
    parent[joint.child] = joint.parent;
    joints[joint.child].push_back(j);
  }
  for (std::size_t b = 1; b < scene.bodies.size(); ++b)
    tree.children[parent[b]].push_back({BodyIndex(b), joints[b]});
  std::vector<BodyIndex> reached{scene.world()};
  for (std::size_t i = 0; i < reached.size() && reached.size() <= scene.bodies.size(); ++i) {
    for (const SceneTree::Edge& edge : tree.children[reached[i]]) reached.push_back(edge.child);
  }
  if (reached.size() != scene.bodies.size()) refuse("its joints form a loop");
  std::set<std::string> used;
  for (const Body& body : scene.bodies) {
    for (const Geom& geom : body.geoms) {
      if (!geom.name.empty() && !used.insert(geom.name).second)
        refuse("two geoms are named '" + geom.name + "'");
    }
  }
  for (const Body& body : scene.bodies) {
    tree.geom_names.emplace_back();
    for (std::size_t g = 0; g < body.geoms.size(); ++g) {
      std::string name = body.geoms[g].name;
      if (name.empty()) {
        name = body.name + "_geom" + std::to_string(g);
        while (!used.insert(name).second) name += "_";
      }
      tree.geom_names.back().push_back(name);
    }
  }
  return tree;
}

std::string mesh_file_name(const std::string& stem, const std::string& geom_name,
                           std::vector<std::string>& used) {
  std::string safe;
  for (const char c : geom_name) {
    safe += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '_';
  }
  std::string name = stem + "_" + safe;
  while (std::find(used.begin(), used.end(), name) != used.end()) name += "_";
  used.push_back(name);
  return name + ".obj";
}

}  // namespace prehend::model
