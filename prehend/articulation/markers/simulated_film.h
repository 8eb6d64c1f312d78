// A film of a simulated motion, as a camera would take it: markers on all parts, one camera that sees all of it always.
#pragma once

#include <string>

#include <prehend/articulation/markers/marked_object.h>
#include <prehend/articulation/simulated/object_motion.h>
#include <prehend/math/pose.h>
#include <prehend/model/camera.h>

namespace prehend::articulation {

enum class FilmFormat { avi, images };

struct SimulatedFilm {
  std::string name;  // of the film in the folder
  MarkedObject marked;
  model::CameraModel lens;
  math::Pose X_CW;

  std::string markers_json() const;  // dictionary, size, camera, and where each marker sits
};

// Writes film, `calibration.yaml` and `markers.json` into the folder. A random object has markers on every side.
SimulatedFilm write_film(const SimulatedMotion& motion, FilmFormat format, const std::string& folder);

// The options made so that a camera can follow: the root stands, parts move smoothly; within less than three seconds not over the whole
// travel, which would be a blur.
MotionOptions before_a_camera(MotionOptions options);

}  // namespace prehend::articulation
