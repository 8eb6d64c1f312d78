// Contact forces, robustness, transport, disassembly and mended scenes as pages of a report.
#pragma once

#include <prehend/report/page.h>
#include <prehend/report/scene_view.h>
#include <prehend/stability/contact_forces.h>
#include <prehend/stability/disassemble.h>
#include <prehend/stability/map_picture.h>
#include <prehend/stability/mend.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/transport.h>

namespace prehend::stability {

// The answer of contact_forces() as a page: arrows on the scene, a table, and how it falls when it does.
//
// `system`: the one that the result was computed from.
report::Page forces_page(const model::Scene& scene, const ContactSystem& system,
                         const ContactForcesResult& result);

// The answers of robustness() as a page: the surface coloured by how hard it may be pushed, the contact forces, and the
// limiting motions to be played.
//
// `picture`: the finished picture of a map; null for single pushes.
report::Page robustness_page(const model::Scene& scene, const RobustnessResult& result,
                             const MapPicture* picture = nullptr);

// Puts a finished picture onto the bodies of a view, as the map `robustness`, shown first. Point at the surface to read
// value, mode and what moves.
void add_robustness_map(const model::Scene& scene, const MapPicture& picture, report::SceneView& view);

// The answer of transport() as a page: largest accelerations as a polar plot, and what moves first.
report::Page transport_page(const model::Scene& scene, const TransportResult& result,
                            const TransportOptions& options);

// The answer of disassemble() as a page: the order, played, with the score of every body at every step.
//
// `options`: those of the result; they say how a scene falls that falls by itself.
report::Page disassembly_page(const model::Scene& scene, const DisassembleResult& result,
                              const DisassembleOptions& options = {});

// The answer of mend() as a page: the bodies where they were and where they are now, and how far each was moved.
report::Page mending_page(const model::Scene& before, const MendResult& result);

}  // namespace prehend::stability
