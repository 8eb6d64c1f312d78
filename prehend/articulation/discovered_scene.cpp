#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include <prehend/articulation/discovered_files.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/house/option_check.h>

namespace prehend::articulation {
namespace {

using model::JointType;

// [m] How far apart the groups stand, at most, over a few frames.
double object_size(const Discovery& discovery) {
  double size = 0;
  const std::size_t step = std::max<std::size_t>(1, discovery.times.size() / 20);
  for (std::size_t t = 0; t < discovery.times.size(); t += step) {
    for (const PartTrack& a : discovery.tracks.parts)
      for (const PartTrack& b : discovery.tracks.parts)
        if (a.X_WP[t] && b.X_WP[t]) size = std::max(size, (a.X_WP[t]->p() - b.X_WP[t]->p()).norm());
  }
  return size > 0 ? size : 1.0;
}

math::Pose first_pose(const PartTrack& track) {
  for (const auto& X : track.X_WP)
    if (X) return *X;
  return {};
}

}  // namespace

void DiscoveredSceneOptions::validate() const {
  const math::OptionCheck check("DiscoveredSceneOptions");
  check.above("mass", mass, 0.0, "kg");
  check.above("box_share", box_share, 0.0);
}

model::Joint model_joint(const DiscoveredJoint& found, model::BodyIndex parent, model::BodyIndex child) {
  model::Joint joint;
  const Joint& from = found.joint;
  joint.type = from.type;
  joint.parent = parent;
  joint.child = child;
  joint.X_PC = from.X_FJ * from.X_MJ.inverse();
  joint.p_CJ = from.X_MJ.p();
  joint.pitch = from.pitch;
  const Eigen::Matrix3d R_CJ = from.X_MJ.R();
  joint.axis_C = R_CJ.col(2);
  joint.axis2_C = from.type == JointType::universal ? R_CJ.col(1) : R_CJ.col(0);
  if (found.lower.size() > 0 && from.type != JointType::spherical && from.type != JointType::free) {
    joint.lower = found.lower[0];
    joint.upper = found.upper[0];
  }
  return joint;
}

model::Scene discovered_scene(const Discovery& discovery, const DiscoveredSceneOptions& options) {
  options.validate();
  model::Scene scene;
  scene.name = "object";
  scene.format = "mjcf";
  const double side = options.box_share * object_size(discovery);
  std::set<std::string> taken{"world"};
  for (std::size_t g = 0; g < discovery.groups.size(); ++g) {
    model::Body body;
    body.name = discovery.name(static_cast<int>(g));
    while (!taken.insert(body.name).second) body.name += "_part";
    body.X_WB = first_pose(discovery.tracks.parts[g]);
    for (const int part : discovery.groups[g].parts) {
      model::Geom geom;
      geom.name = body.name + "__" + discovery.parts[part];
      // The part itself is drawn larger than the features that were found on it.
      const double length = part == discovery.groups[g].parts.front() ? side : 0.5 * side;
      geom.shape = model::Shape::box(Eigen::Vector3d::Constant(length));
      geom.X_BG = discovery.X_RP[part];
      geom.mesh = geometry::make_box(geom.shape.size);
      geom.contype = geom.conaffinity = 0;
      body.geoms.push_back(std::move(geom));
    }
    body.inertia = math::SpatialInertia::solid_box(options.mass, Eigen::Vector3d::Constant(side));
    scene.bodies.push_back(std::move(body));
  }
  for (const DiscoveredJoint& found : discovery.joints) {
    const model::BodyIndex parent(found.parent + 1), child(found.child + 1);
    model::Joint joint = model_joint(found, parent, child);
    joint.name = scene.bodies[parent].name + "_" + scene.bodies[child].name;
    if (joint.type == JointType::free) {
      // Engines let bodies move freely in the world only.
      joint.parent = scene.world();
      joint.X_PC = first_pose(discovery.tracks.parts[found.child]);
      joint.p_CJ.setZero();
      scene.bodies[child].movable = true;
      scene.bodies[child].X_WB = joint.X_PC;
    } else {
      scene.bodies[child].X_WB = scene.bodies[parent].X_WB * joint.X_PC;
    }
    scene.joints.push_back(std::move(joint));
  }
  return scene;
}

}  // namespace prehend::articulation
