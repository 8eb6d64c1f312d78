// Balance of bodies that lean on each other and can roll together: balls in a bowl, an egg against a cup.
//
// On twists that let no contact slide or open the weights must do no power: a balance that noise of a mesh or a pose upsets. Rolling moves a contact
// point by x, (K_a + K_b) x = (w_b - w_a) x n, and with contact forces f the power on twist i falls per unit of twist j by
//   K_ij = -sum over bodies of w_i . (sum over contacts of (v_j + x_j) x f + v_j x m g).
// Where K restores and no contact point has to move farther than its place is known (the distance at which bodies touch, half a facet), the group is
// in balance; elsewhere the gap itself must be rounding. Contact points are moved by what closes it.
#pragma once

#include <vector>

#include <prehend/model/scene.h>
#include <prehend/model/scene_interface.h>

namespace prehend::model {

// Moves contact points of such groups. `touching` [m]: bodies so close touch.
void balance_rolling_groups(const Scene& scene, double touching, std::vector<SceneInterface>& contacts);

}  // namespace prehend::model
