// A planned excitation as a page: the arm in motion, how close it comes to its limits, and how well it determines the object.
#pragma once

#include <prehend/inertia/excitation.h>
#include <prehend/model/joint_chain.h>
#include <prehend/model/scene.h>
#include <prehend/report/page.h>

namespace prehend::inertia {

report::Page excitation_page(const model::Scene& scene, const model::JointChain& chain,
                             const Excitation& plan, const ExcitationOptions& options);

// Bars of predicted standard deviations, planned beside baseline, on a logarithmic scale; SVG.
std::string deviation_bars_svg(const Excitation& plan);

// The arm and the object it holds, with its motion along the plan; adds bodies, the paths of the sensor and the motion.
report::Scene3d moving_arm(const model::Scene& scene, const model::JointChain& chain, const Excitation& plan,
                           const ExcitationOptions& options);

}  // namespace prehend::inertia
