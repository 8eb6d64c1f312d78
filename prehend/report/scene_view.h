// A scene of ours as a 3D scene of a page: bodies with their facts, contact interfaces with points and normals.
#pragma once

#include <vector>

#include <prehend/model/scene.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/report/scene3d.h>
#include <prehend/report/table.h>

namespace prehend::report {

struct SceneView {
  Scene3d scene;
  // Where each body of the model stands in `scene.bodies`; invalid for bodies without geoms.
  std::vector<BodyIndex> bodies;
};

// Spheres, ellipsoids, cylinders and capsules are drawn round, however coarse their collision mesh is. Fixed bodies are backdrop; movable ones get a colour each and their mass and centre of mass as properties.
SceneView view_scene(const model::Scene& scene);

// Outlines, points and normals of the interfaces, in layers the reader can switch.
void add_contacts(SceneView& view, const model::Scene& scene, const model::SceneContacts& contacts);

// One row per interface, linked to body b.
Table contact_table(const model::Scene& scene, const model::SceneContacts& contacts, const SceneView& view,
                    SceneIndex index);

}  // namespace prehend::report
