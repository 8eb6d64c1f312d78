#include <algorithm>

#include <prehend/model/friction.h>

namespace prehend::model {
namespace {

const GeomPair* explicit_pair(const Scene& scene, GeomRef a, GeomRef b) {
  for (const GeomPair& pair : scene.geom_pairs) {
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)) return &pair;
  }
  return nullptr;
}

template <class Pair>
const Pair* body_pair(const std::vector<Pair>& pairs, BodyIndex a, BodyIndex b) {
  for (const Pair& pair : pairs) {
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)) return &pair;
  }
  return nullptr;
}

}  // namespace

double pair_friction(const Scene& scene, GeomRef a, GeomRef b) {
  if (const GeomPair* pair = explicit_pair(scene, a, b)) return pair->condim == 1 ? 0.0 : pair->friction;
  if (const BodyPair* pair = body_pair(scene.body_pairs, a.body, b.body)) return pair->friction;
  const Geom& geom_a = scene.geom(a);
  const Geom& geom_b = scene.geom(b);
  if (geom_a.priority != geom_b.priority) {
    const Geom& decides = geom_a.priority > geom_b.priority ? geom_a : geom_b;
    return decides.condim == 1 ? 0.0 : decides.friction;
  }
  if (std::max(geom_a.condim, geom_b.condim) == 1) return 0.0;
  return scene.smaller_friction ? std::min(geom_a.friction, geom_b.friction)
                                : std::max(geom_a.friction, geom_b.friction);
}

namespace {

std::vector<int> welded_groups(const Scene& scene) {
  Scene bare;
  bare.bodies.assign(scene.bodies.size(), Body());
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) bare.bodies[i].movable = scene.bodies[i].movable;
  bare.joints = scene.joints;
  for (Joint& joint : bare.joints) joint.motor = 0.0;
  return bare.rigid_groups();
}

}  // namespace

ContactFilter::ContactFilter(const Scene& scene)
    : scene_(scene), groups_(scene.rigid_groups()), welded_(welded_groups(scene)) {
  const auto join = [&](const Joint& joint) {
    const int a = welded_[joint.parent], b = welded_[joint.child];
    if (joint.type != JointType::free && a != b && a != 0 && b != 0)
      joined_.emplace_back(std::min(a, b), std::max(a, b));
  };
  for (const Joint& joint : scene.joints) join(joint);
  for (const Joint& joint : scene.loop_joints) join(joint);
  std::sort(joined_.begin(), joined_.end());
  if (scene.format != "urdf" && scene.format != "sdf") return;
  mechanisms_.resize(scene.bodies.size());
  for (std::size_t i = 0; i < mechanisms_.size(); ++i) mechanisms_[i] = static_cast<int>(i);
  for (std::size_t round = 0; round < scene.bodies.size();
       ++round) {  // parents come before children: one round, mostly
    bool changes = false;
    for (const Joint& joint : scene.joints) {
      if (joint.type == JointType::free || joint.parent == scene.world()) continue;
      int& child = mechanisms_[joint.child];
      changes = changes || child != mechanisms_[joint.parent];
      child = mechanisms_[joint.parent];
    }
    if (!changes) break;
  }
}

bool ContactFilter::may_touch(GeomRef a, GeomRef b) const {
  if (groups_[a.body] == groups_[b.body]) return false;
  if (explicit_pair(scene_, a, b)) return true;
  if (body_pair(scene_.excluded_pairs, a.body, b.body)) return false;
  const std::pair<int, int> sides = std::minmax(welded_[a.body], welded_[b.body]);
  if (std::binary_search(joined_.begin(), joined_.end(), sides)) return false;
  if (!mechanisms_.empty() && mechanisms_[a.body] == mechanisms_[b.body]) return false;
  const Geom& geom_a = scene_.geom(a);
  const Geom& geom_b = scene_.geom(b);
  return (geom_a.contype & geom_b.conaffinity) != 0 || (geom_b.contype & geom_a.conaffinity) != 0;
}

std::vector<GeomPair> pairs_of_smaller_friction(const Scene& scene) {
  std::vector<GeomPair> pairs;
  if (!scene.smaller_friction) return pairs;
  const ContactFilter filter(scene);
  std::vector<GeomRef> geoms;
  for (BodyIndex body(0); body < scene.bodies.size(); ++body)
    for (GeomIndex geom(0); geom < scene.bodies[body].geoms.size(); ++geom) geoms.push_back({body, geom});
  for (std::size_t i = 0; i < geoms.size(); ++i) {
    for (std::size_t j = i + 1; j < geoms.size(); ++j) {
      const GeomRef a = geoms[i], b = geoms[j];
      const bool differ = scene.geom(a).friction != scene.geom(b).friction;
      if (!differ || explicit_pair(scene, a, b) || body_pair(scene.body_pairs, a.body, b.body) ||
          !filter.may_touch(a, b))
        continue;
      pairs.push_back(
          {a, b, pair_friction(scene, a, b), std::max(scene.geom(a).condim, scene.geom(b).condim)});
    }
  }
  return pairs;
}

bool may_touch(const Scene& scene, GeomRef a, GeomRef b) { return ContactFilter(scene).may_touch(a, b); }

}  // namespace prehend::model
