// The answer of place() as a page: the object where it goes, ghosts of the alternatives, patches, load polygon, robustness map.
#pragma once

#include <prehend/placement/placement_result.h>
#include <prehend/report/page.h>

namespace prehend::placement {

// `scene` and `object` as they were given to place(), with the same options.
report::Page placement_page(const model::Scene& scene, model::BodyIndex object, const PlacementResult& result,
                            const PlacementOptions& options = {});

}  // namespace prehend::placement
