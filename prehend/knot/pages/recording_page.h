// A rope recording as a page: the rope in 3D with its crossings, the view it was read from beside it, and every frame's code.
#pragma once

#include <prehend/knot/projection.h>
#include <prehend/report/page.h>

namespace prehend::knot {

// `result` is project_recording's of that log.
report::Page recording_page(const model::RopeLog& log, const RecordingResult& result);

}  // namespace prehend::knot
