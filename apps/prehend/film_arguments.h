// The arguments of every verb that reads a film of ArUco markers.
#pragma once

#include <string>

#include "verb.h"
#include <prehend/model/pose_log.h>
#ifdef PREHEND_WITH_OPENCV
#include <prehend/articulation/markers/marker_tracks.h>
#endif

namespace prehend::cli {

struct FilmArguments {
  std::string calibration, dictionary{"5x5_100"};
  double marker_size{0.0}, frame_time{1.0 / 30.0};

  // `of_what` in each help text: " of a film" where a film is one input of several.
  void declare(Arguments& arguments, const std::string& of_what = "");
#ifdef PREHEND_WITH_OPENCV
  // A UsageError names what is missing; a wrong calibration is a model::InputError.
  articulation::MarkerTracks tracks(const std::string& film, bool smooth = false) const;
#endif
  // The poses alone; a NoAnswerError where there are none.
  model::PoseLog poses(const std::string& film) const;
};

}  // namespace prehend::cli
