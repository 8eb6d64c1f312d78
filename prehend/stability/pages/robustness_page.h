// The answers of robustness() as a page: the surface coloured by how hard it may be pushed, the contact forces, and the
// limiting motions to be played.
#pragma once

#include <prehend/report/page.h>
#include <prehend/report/scene_view.h>
#include <prehend/stability/pages/map_picture.h>
#include <prehend/stability/robustness.h>

namespace prehend::stability {

// `picture`: the finished picture of a map; null for single pushes.
report::Page robustness_page(const model::Scene& scene, const RobustnessResult& result,
                             const MapPicture* picture = nullptr);

// Puts a finished picture onto the bodies of a view, as the map `robustness`, shown first. Point at the surface to read
// value, mode and what moves.
void add_robustness_map(const model::Scene& scene, const MapPicture& picture, report::SceneView& view);

}  // namespace prehend::stability
