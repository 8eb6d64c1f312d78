// Where bodies rest that touch in one point.
//
// A body that rests on one point of curved surfaces is in balance where its centre of mass stands over that point. Poses, meshes and engines know the
// place to some accuracy only. With h the height of the centre over the point and K the curvatures of both surfaces together, an offset e closes by
// rolling, which moves the point by (1 - h K)^-1 e. Along directions in which that is positive (an egg's side, a ball in a bowl) the point may move by
// the distance at which bodies touch, or half a facet of a mesh. Otherwise (a ball on a floor) the offset itself must be rounding, but for half a facet
// along the profile of a turned mesh, whose curves know the place no better.
#pragma once

#include <vector>

#include <prehend/model/scene.h>
#include <prehend/model/scene_interface.h>

namespace prehend::model {

// Moves contact points under the centres of bodies that rest on them. `touching` [m]: bodies so close touch.
void rest_on_points(const Scene& scene, double touching, std::vector<SceneInterface>& contacts);

}  // namespace prehend::model
