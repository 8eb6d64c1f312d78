// Which geoms may touch, and with which friction coefficient: MuJoCo's rules.
//
// Friction of a pair, first match: an explicit geom pair; an explicit body pair; the geom of higher priority;
// otherwise the larger of the two sliding coefficients, or the smaller (Scene::smaller_friction). A pair whose contact dimension is 1 (that of the
// higher priority, or else the larger of the two) is frictionless: 0.
#pragma once

#include <utility>
#include <vector>

#include <prehend/model/scene.h>

namespace prehend::model {

// [-] Coulomb coefficient. Cost: linear in the number of explicit pairs.
double pair_friction(const Scene& scene, GeomRef a, GeomRef b);

// Which geoms may touch. False for geoms of bodies that move as one (Scene::rigid_groups), of an excluded body pair, of a
// body and its joint parent (unless that parent is fixed), and where contype and conaffinity do not match; an explicit
// geom pair is always true. An explicit body pair names friction alone. Bodies of one URDF or SDF mechanism, connected by
// joints without the world, do not touch each other, as simulators take these formats.
class ContactFilter {
 public:
  explicit ContactFilter(const Scene& scene);  // keeps a reference
  bool may_touch(GeomRef a, GeomRef b) const;

 private:
  const Scene& scene_;
  std::vector<int> groups_;                  // by body: move as one, motors holding
  std::vector<int> welded_;                  // by body: move as one whatever motors do; 0: fixed
  std::vector<int> mechanisms_;              // by body; empty where the format has none
  std::vector<std::pair<int, int>> joined_;  // of welded_, on the two sides of a joint, smaller first, sorted
};
bool may_touch(const Scene& scene, GeomRef a, GeomRef b);

// What an engine that takes the larger coefficient must be told of a scene where the smaller one holds: geoms that may touch and differ. Empty
// for other scenes.
std::vector<GeomPair> pairs_of_smaller_friction(const Scene& scene);

}  // namespace prehend::model
