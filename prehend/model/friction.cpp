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
  return std::max(geom_a.friction, geom_b.friction);
}

bool may_touch(const Scene& scene, GeomRef a, GeomRef b) {
  if (a.body == b.body) return false;
  if (!scene.bodies[a.body].movable && !scene.bodies[b.body].movable) return false;
  if (explicit_pair(scene, a, b)) return true;
  if (body_pair(scene.excluded_pairs, a.body, b.body)) return false;
  for (const Joint& joint : scene.joints) {
    if (joint.parent == scene.world()) continue;
    if ((joint.parent == a.body && joint.child == b.body) ||
        (joint.parent == b.body && joint.child == a.body)) {
      return false;
    }
  }
  const Geom& geom_a = scene.geom(a);
  const Geom& geom_b = scene.geom(b);
  return (geom_a.contype & geom_b.conaffinity) != 0 || (geom_b.contype & geom_a.conaffinity) != 0;
}

}  // namespace prehend::model
