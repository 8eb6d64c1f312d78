// A scene at rest whose needless contacts just touch: what rolling bodies are pushed against.
//
// Springs press contacts that the weights do not need, because the others give way a little: three balls on a floor that carry a fourth
// touch each other with 1 to 2 % of what the floor carries. How much that is, and whether it is anything, depends on the ratio of
// stiffnesses and on gaps far below what is known of a scene; its friction would yet be all that keeps the balls from rolling. So where
// bodies that such contacts are taken from can move without any loaded contact slipping or opening, and the load works on that motion,
// these contacts touch without force at rest: they carry what the load presses on them and nothing beforehand.
#pragma once

#include <optional>

#include <Eigen/Core>

#include <prehend/stability/statics/contact_springs.h>
#include <prehend/stability/statics/spring_search.h>

namespace prehend::stability {

struct LooseRest {
  SpringSystem springs;  // with the slack of its needless contacts
  Eigen::VectorXd u;     // at rest, in units of the force of the system given
};

// Nothing where every contact carries its share, or the scene does not rest without those that do not. `rest`: a state without the load.
std::optional<LooseRest> loosen_contacts(const SpringSystem& springs, const SpringSearchOptions& options,
                                         const Eigen::VectorXd& rest);

// Contacts that are open in a state, or nearly so, `u` in units of the system's force, answer from there on what moves them farther: a door does not lift
// the box that it is pushed against because that has settled on its floor before. Forces of the state stay as they are.
void forget_slip(SpringSystem& springs, const SpringSearchOptions& options, const Eigen::VectorXd& u);

// Whether the load of `springs` works on a motion that no contact loaded at `rest` resists.
bool moves_freely(const SpringSystem& springs, const SpringSearchOptions& options,
                  const Eigen::VectorXd& rest);

}  // namespace prehend::stability
