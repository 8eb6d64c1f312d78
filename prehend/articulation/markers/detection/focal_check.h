// Do the markers' own pictures agree with the calibration's focal length?
//
// A square seen at an angle shows by its perspective how long the lens is: with a wrong focal length no pose fits its four
// corners. The misfit of all squares is asked for focal lengths from half to twice the calibration's. Markers that are small or
// head-on show nothing; then the gain is small and nothing is claimed.
#pragma once

#include <span>

#include <prehend/articulation/markers/detection/square_pose.h>

namespace prehend::articulation {

struct FocalCheck {
  double best_scale{1.0};  // of the focal length
  double gain{
      0.0};  // fall of the misfit from the calibration's to the best, in units of the best's per degree of freedom
  int squares{0};  // that were asked

  // The data contradict the calibration: more than 8 % off, and a gain that chance does not give (a standard normal of 6).
  bool contradicts() const { return gain > 36.0 && (best_scale > 1.08 || best_scale < 1 / 1.08); }
};

// At most `limit` squares are asked, equally spaced.
FocalCheck check_focal_length(std::span<const SquareCorners> squares, double size, int limit = 100);

}  // namespace prehend::articulation
