#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <prehend/geometry/primitives.h>
#include <prehend/topology/evidence/floating_base.h>
#include <prehend/topology/found_scene.h>

namespace prehend::topology {

using model::JointType;

model::Joint model_joint(const FoundJoint& found, const math::Pose& X_PC_start) {
  model::Joint joint;
  joint.name = found.name;
  joint.parent = model::BodyIndex(found.parent + 1);
  joint.child = model::BodyIndex(found.child + 1);
  joint.X_PC = X_PC_start;
  if (found.status != TopologyStatus::ok || found.hypotheses.empty()) return joint;
  const articulation::Joint& from = found.best().joint;
  joint.type = from.type;
  joint.X_PC = from.X_FJ * from.X_MJ.inverse();
  joint.p_CJ = from.X_MJ.p();
  joint.axis_C = from.X_MJ.R().col(2);
  joint.axis2_C = from.X_MJ.R().col(0);
  if (joint.type == JointType::screw) joint.pitch = from.pitch;
  if (!found.states.empty() && joint.type != JointType::rigid) {
    const auto [low, high] = std::minmax_element(found.states.begin(), found.states.end());
    joint.lower = *low;
    joint.upper = *high;
  }
  return joint;
}

InertiaBox inertia_box(const math::SpatialInertia& inertia) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inertia.I_com);
  const Eigen::Vector3d I = solver.eigenvalues();
  Eigen::Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
  InertiaBox box;
  const double sum = 0.5 * I.sum();
  // I_x = m (b^2 + c^2) / 12; a point or a rod still shows.
  for (int k = 0; k < 3; ++k) box.size[k] = std::sqrt(std::max(0.0, 12.0 * (sum - I[k]) / inertia.mass));
  const double floor = std::max(1e-3, 0.02 * box.size.maxCoeff());
  box.size = box.size.cwiseMax(floor);
  box.X_LB = math::Pose(Eigen::Quaterniond(axes).normalized(), inertia.com);
  return box;
}

model::Scene found_scene(const model::Scene& scene, const ArticulatedObject& object,
                         const Recording& recording, const std::vector<FoundJoint>& joints) {
  model::Scene found;
  found.name = object.name.empty() ? "object" : object.name;
  found.format = "mjcf";
  found.gravity_W = recording.gravity_W;
  for (const Link& link : object.links) {
    model::Body body;
    body.name = link.name;
    body.inertia = link.inertia;
    const model::BodyIndex original = scene.find_body(link.name);
    if (original.is_valid()) body.geoms = scene.bodies[original].geoms;
    if (body.geoms.empty()) {
      const InertiaBox box = inertia_box(link.inertia);
      model::Geom geom;
      geom.name = link.name + "_inertia_box";
      geom.shape = model::Shape::box(box.size);
      geom.X_BG = box.X_LB;
      geom.mesh = geometry::make_box(box.size);
      geom.contype = geom.conaffinity = 0;
      body.geoms.push_back(std::move(geom));
    }
    found.bodies.push_back(std::move(body));
  }
  found.bodies[1].X_WB = recording.X_WL[0].front();
  for (const FoundJoint& joint : joints) {
    const auto parent = static_cast<std::size_t>(joint.parent), child = static_cast<std::size_t>(joint.child);
    model::Joint made =
        model_joint(joint, recording.X_WL[parent].front().inverse() * recording.X_WL[child].front());
    found.bodies[made.child].X_WB = found.bodies[made.parent].X_WB * made.X_PC;
    // Neighbours overlap where their joint is.
    found.excluded_pairs.push_back({made.parent, made.child});
    found.joints.push_back(std::move(made));
  }
  if (!recording.base_is_fixed) float_base(found);
  return found;
}

}  // namespace prehend::topology
