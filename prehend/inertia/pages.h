// An identification and a planned excitation as pages of a report.
#pragma once

#include <string>

#include <prehend/geometry/mesh.h>
#include <prehend/inertia/excitation.h>
#include <prehend/inertia/identification.h>
#include <prehend/model/joint_chain.h>
#include <prehend/model/scene.h>
#include <prehend/report/page.h>
#include <prehend/report/scene3d.h>

namespace prehend::inertia {

// The answer of identify() as a page: the object with its mass in 3D, the wrench it explains, how sure that is.
struct IdentificationView {
  std::string subtitle;         // what was weighed
  const Shape* shape{nullptr};  // in O
  const geometry::TriangleMesh* mesh_O{
      nullptr};  // the object's surface; its points' hull is drawn without one
};

report::Page identification_page(const model::WrenchLog& log, const Identification& result,
                                 const IdentificationView& view);

// The object of an identification in 3D, in its own frame: surface, where the mass is, and how well that is known. Moves as recorded, with the
// force on it, where the log has poses.
report::Scene3d identification_scene(const model::WrenchLog& log, const Identification& result,
                                     const IdentificationView& view);

// The region that holds the centre of mass with 95 %, as a mesh around it, in the frame of `inertia_S`.
geometry::TriangleMesh com_ellipsoid(const Estimate& estimate);

// A planned excitation as a page: the arm in motion, how close it comes to its limits, and how well it determines the object.
report::Page excitation_page(const model::Scene& scene, const model::JointChain& chain,
                             const Excitation& plan, const ExcitationOptions& options);

// Bars of predicted standard deviations, planned beside baseline, on a logarithmic scale; SVG.
std::string deviation_bars_svg(const Excitation& plan);

// The arm and the object it holds, with its motion along the plan; adds bodies, the paths of the sensor and the motion.
report::Scene3d moving_arm(const model::Scene& scene, const model::JointChain& chain, const Excitation& plan,
                           const ExcitationOptions& options);

}  // namespace prehend::inertia
