// The object of an identification in 3D, in its own frame: surface, where the mass is, and how well that is known.
#pragma once

#include <prehend/inertia/pages/identification_page.h>
#include <prehend/report/scene3d.h>

namespace prehend::inertia {

// Moves as recorded, with the force on it, where the log has poses.
report::Scene3d identification_scene(const model::WrenchLog& log, const Identification& result,
                                     const IdentificationView& view);

// The region that holds the centre of mass with 95 %, as a mesh around it, in the frame of `inertia_S`.
geometry::TriangleMesh com_ellipsoid(const Estimate& estimate);

}  // namespace prehend::inertia
