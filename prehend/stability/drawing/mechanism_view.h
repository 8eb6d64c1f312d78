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

// One force per interface: the sum of its contacts' forces, at their centre of pressure. What turns about that point is left out
// of an arrow and said beside it.
struct InterfaceForce {
  InterfaceIndex interface;
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m]
  Eigen::Vector3d f_W{Eigen::Vector3d::Zero()};  // [N] on body b
  Eigen::Vector3d m_W{Eigen::Vector3d::Zero()};  // [N m] about p
  double normal{0.0}, tangential{0.0};           // [N] along and across the interface's normal
};
std::vector<InterfaceForce> interface_forces(const ContactSystem& system,
                                             const std::vector<Eigen::Vector3d>& forces_W);

// The layers "contact forces", one arrow per interface, and "single forces"; the first is shown where the second has more
// arrows than one can tell apart.
struct ForceLayers {
  std::size_t interfaces{0}, points{0};  // into Scene3d::arrows
};
ForceLayers add_force_layers(const model::Scene& scene, const ContactSystem& system,
                             const std::vector<Eigen::Vector3d>& forces_W, report::SceneView& view);
// The same layers while a motion is shown.
void add_force_tracks(const model::Scene& scene, const ContactSystem& system,
                      const std::vector<Eigen::Vector3d>& forces_W, const ForceLayers& layers,
                      report::Motion& motion);

// [m per N] at which the largest of the forces, or half the weight of everything, is a quarter of the system's size long.
double arrow_scale(const ContactSystem& system, const std::vector<Eigen::Vector3d>& forces_W);

// What falls, before it is played: the bodies of the motion in a warning colour, the others pale, and an arrow from where each moves
// most to where it goes.
void mark_falling(const model::Scene& scene, const report::Motion& motion,
                  std::span<const model::BodyIndex> moving, report::SceneView& view);
// " With 1.6 times the friction it would stand (0.48 instead of 0.3)."; that no friction would do; empty where bodies overlap, or the
// system is too large for the bisection, or it does not tell.
std::string friction_advice(const ContactSystem& system);

// "'a', 'b' and 3 more"; very long names are cut.
std::string short_list(const model::Scene& scene, std::span<const model::BodyIndex> bodies);

}  // namespace prehend::stability
