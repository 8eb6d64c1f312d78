#include <algorithm>
#include <stdexcept>

#include <prehend/model/joint_chain.h>

namespace prehend::model {
namespace {

bool has_one_freedom(JointType type) {
  return type == JointType::revolute || type == JointType::prismatic || type == JointType::screw;
}

math::Vector6d motion_of(const Joint& joint) {
  math::Vector6d S = math::Vector6d::Zero();
  if (joint.type != JointType::prismatic) {
    S.head<3>() = joint.axis_C;
    S.tail<3>() = joint.p_CJ.cross(joint.axis_C);
  }
  if (joint.type == JointType::prismatic) S.tail<3>() = joint.axis_C;
  if (joint.type == JointType::screw) S.tail<3>() += joint.pitch * joint.axis_C;
  return S;
}

// Joints by child body, in the scene's order.
std::vector<std::vector<JointIndex>> joints_by_child(const Scene& scene) {
  std::vector<std::vector<JointIndex>> incoming(scene.bodies.size());
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    incoming[scene.joints[j].child].push_back(JointIndex(j));
  return incoming;
}

// Bodies from the first one that hangs on the fixed world (or floats) to `body`.
std::vector<BodyIndex> path_to(const Scene& scene, const std::vector<std::vector<JointIndex>>& incoming,
                               BodyIndex body) {
  std::vector<BodyIndex> path;
  while (body != scene.world()) {
    path.push_back(body);
    if (path.size() > scene.bodies.size()) throw std::invalid_argument("the joints form a loop");
    if (incoming[body].empty()) break;
    const Joint& joint = scene.joints[incoming[body].front()];
    if (joint.type == JointType::free) break;
    body = joint.parent;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

int freedoms(const Scene& scene, const std::vector<std::vector<JointIndex>>& incoming, BodyIndex body) {
  int count = 0;
  for (const BodyIndex at : path_to(scene, incoming, body)) {
    for (const JointIndex j : incoming[at]) count += has_one_freedom(scene.joints[j].type) ? 1 : 0;
  }
  return count;
}

std::string list_of_bodies(const Scene& scene) {
  std::string names;
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    if (b > 20) return names + ", ...";
    names += (b > 1 ? ", '" : "'") + scene.bodies[b].name + "'";
  }
  return names.empty() ? "none" : names;
}

// The last body of the longest chain: of those that carry the most freedoms, the one farthest from the base.
BodyIndex longest_chain_end(const Scene& scene, const std::vector<std::vector<JointIndex>>& incoming) {
  struct End {
    int freedoms{0};
    std::size_t depth{0};
    BodyIndex body;
  };
  std::vector<End> ends;
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    ends.push_back({freedoms(scene, incoming, BodyIndex(b)), path_to(scene, incoming, BodyIndex(b)).size(),
                    BodyIndex(b)});
  }
  const auto longer = [](const End& a, const End& b) {
    return std::pair(a.freedoms, a.depth) > std::pair(b.freedoms, b.depth);
  };
  std::stable_sort(ends.begin(), ends.end(), longer);
  if (ends.empty() || ends.front().freedoms == 0) {
    throw std::invalid_argument("'" + scene.name + "' has no movable joint: nothing can be excited");
  }
  if (ends.size() > 1 && !longer(ends[0], ends[1])) {
    throw std::invalid_argument("'" + scene.bodies[ends[0].body].name + "' and '" +
                                scene.bodies[ends[1].body].name +
                                "' end equally long chains of joints; name the link that carries the sensor");
  }
  return ends.front().body;
}

}  // namespace

JointChain joint_chain(const Scene& scene, std::string_view link, const math::Pose& X_LE) {
  const std::vector<std::vector<JointIndex>> incoming = joints_by_child(scene);
  JointChain chain;
  chain.gravity_W = scene.gravity_W;
  chain.link = link.empty() ? longest_chain_end(scene, incoming) : scene.find_body(link);
  if (!chain.link.is_valid()) {
    throw std::invalid_argument("there is no link named '" + std::string(link) +
                                "'; the model has: " + list_of_bodies(scene));
  }
  chain.link_name = scene.bodies[chain.link].name;
  math::Pose X;  // of the body at hand in the child of the last movable joint; at first in the world
  for (const BodyIndex body : path_to(scene, incoming, chain.link)) {
    const auto& joints = incoming[body];
    const bool floats = !joints.empty() && scene.joints[joints.front()].type == JointType::free;
    if (floats) {
      chain.notes.push_back("the base '" + scene.bodies[body].name +
                            "' floats; it is taken as fixed where the model puts it");
    }
    X = floats || joints.empty() ? X * scene.bodies[body].X_WB : X * scene.joints[joints.front()].X_PC;
    for (const JointIndex index : joints) {
      const Joint& joint = scene.joints[index];
      if (joint.type == JointType::rigid || joint.type == JointType::free) continue;
      if (!has_one_freedom(joint.type)) {
        throw std::invalid_argument("joint '" + joint.name + "' on the way to '" + chain.link_name + "' is " +
                                    to_string(joint.type) +
                                    "; only revolute, prismatic and screw joints are driven");
      }
      chain.joints.push_back({joint.name, index, joint.type, X, motion_of(joint), joint.reference,
                              joint.lower, joint.upper, joint.speed_limit});
      X = math::Pose();
    }
  }
  if (chain.joints.empty()) {
    throw std::invalid_argument("no movable joint lies between the base and '" + chain.link_name + "'");
  }
  chain.X_JE = X * X_LE;
  return chain;
}

}  // namespace prehend::model
