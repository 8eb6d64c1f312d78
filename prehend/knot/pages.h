// Drawings, recordings, sequences of moves and names as pages of a report.
#pragma once

#include <span>
#include <string>

#include <Eigen/Core>

#include <prehend/knot/drawing.h>
#include <prehend/knot/naming.h>
#include <prehend/knot/plan.h>
#include <prehend/knot/projection.h>
#include <prehend/knot/recognition.h>
#include <prehend/report/page.h>

namespace prehend::knot {

// One state of a film strip.
struct FilmFrame {
  std::string caption;  // any text
  PData data;
};

// One picture per code, in order, all in one scale and turned so that the rope lies as it lay in the picture before. A code that cannot be
// drawn is a std::invalid_argument with its problem.
report::Pictures film_strip(std::span<const FilmFrame> frames, const DrawingOptions& options = {});

// The rope as a tube with its selected end marked.
report::Scene3d rope_scene(std::span<const Eigen::Vector3d> polyline, double radius);

// One code with its picture and the rope in 3D beside it. The drawing must be one (drawn()).
report::Page drawing_page(const PData& data, const Drawing& drawing, const std::string& name);

// A rope recording as a page: the rope in 3D with its crossings, the view it was read from beside it, and every frame's code.
//
// `result` is project_recording's of that log.
report::Page recording_page(const model::RopeLog& log, const RecordingResult& result);

// Sequences of states as a film strip: one drawing per state, what was done between them.
//
// Pictures by film_strip(). A sequence with a state that cannot be drawn (too many crossings) has a sentence instead.
// Moves of a recording have frames and times.
report::Page recognition_page(const Recognition& recognition);
report::Page plan_page(const KnotPlan& plan);

// A name in a report: the rope, the loop it was closed to, what is left of the loop when it is reduced, and the invariants.
//
// `centre_line` is the recorded rope [m], shown in 3D; empty: the drawing of the code is. `source` names where it came from.
report::Page naming_page(const PData& rope, const RopeName& name,
                         std::span<const Eigen::Vector3d> centre_line, const std::string& source);

}  // namespace prehend::knot
