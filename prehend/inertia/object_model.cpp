#include <utility>

#include <prehend/inertia/object_model.h>
#include <prehend/model/files.h>
#include <prehend/model/scene_writer.h>
#include <prehend/model/scene_writer.h>

namespace prehend::inertia {

model::Scene object_model(const math::SpatialInertia& inertia_O,
                          const std::optional<geometry::TriangleMesh>& surface_O) {
  model::Scene scene;
  scene.name = "object";
  model::Body body;
  body.name = "object";
  body.movable = true;
  body.inertia = inertia_O;
  if (surface_O) {
    model::Geom geom;
    geom.name = "surface";
    geom.mesh = *surface_O;
    body.geoms.push_back(std::move(geom));
  }
  scene.bodies.push_back(std::move(body));
  model::Joint joint;
  joint.name = "free";
  joint.type = model::JointType::free;
  joint.parent = scene.world();
  joint.child = model::BodyIndex(1);
  scene.joints.push_back(std::move(joint));
  return scene;
}

std::vector<std::string> write_object_model(const Identification& result, const std::string& folder,
                                            const ObjectModelOptions& options) {
  const std::optional<math::SpatialInertia> body = result.usable_body();
  if (!body) return {};
  if (!options.into.empty()) {
    const std::string path = folder + "/" + options.into.substr(options.into.find_last_of('/') + 1);
    model::write_file(path, model::with_inertial(options.into, options.body, *body));
    return {path};
  }
  const model::Scene scene = object_model(*body, options.surface_O);
  const std::string mjcf = folder + "/object.xml", urdf = folder + "/object.urdf";
  model::write_mjcf(scene, mjcf);
  model::write_urdf(scene, urdf);
  return {mjcf, urdf};
}

}  // namespace prehend::inertia
