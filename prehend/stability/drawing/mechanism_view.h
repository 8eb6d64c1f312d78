// Motions and forces of a contact system in a report: shared by the pages of this room.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <prehend/report/page.h>
#include <prehend/report/scene_view.h>
#include <prehend/stability/contact_system.h>

namespace prehend::stability {

// A limiting motion without its dilation: sliding contacts of a mechanism open by mu times the slip (that is what makes
// it a proof), which real ones do not. The nearest motion in which contacts that carry force, or slide, keep touching; the
// motion itself where nothing much would be left of it. `forces_W`: of the proof, one per contact, or empty.
std::vector<math::Vector6d> without_dilation(const ContactSystem& system,
                                             const std::vector<math::Vector6d>& motion,
                                             const std::vector<Eigen::Vector3d>& forces_W = {});

// A motion to be shown, the forces that belong to it (or none) and the bodies that move.
struct Mechanism {
  const std::vector<math::Vector6d>& motion;
  const std::vector<Eigen::Vector3d>& forces_W;
  const std::vector<model::BodyIndex>& moving;
};

// The bodies' first steps along the motion, easing in, to be played back and forth; the fastest point of what moves goes a
// quarter of the system's size, or half the size of the largest body that moves. Bodies that are not in `moving` stand still.
report::Motion mechanism_motion(const model::Scene& scene, const ContactSystem& system,
                                const report::SceneView& view, const Mechanism& mechanism);

// One arrow per contact that carries force, acting on body b.
std::vector<report::Arrow> force_arrows(const model::Scene& scene, const ContactSystem& system,
                                        const std::vector<Eigen::Vector3d>& forces_W);

// [m per N] at which the largest of the forces, or half the weight of everything, is a quarter of the system's size long.
double arrow_scale(const ContactSystem& system, const std::vector<Eigen::Vector3d>& forces_W);

// "'a', 'b' and 3 more".
std::string short_list(const model::Scene& scene, std::span<const model::BodyIndex> bodies);

}  // namespace prehend::stability
