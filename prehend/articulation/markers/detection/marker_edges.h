// The four sides of a black square on white, to a small part of a pixel; see marker_detection.h.
#pragma once

#include <optional>

#include <Eigen/Core>

#include <prehend/articulation/markers/detection/square_pose.h>
#include <prehend/articulation/markers/grey_image.h>
#include <prehend/model/camera.h>

namespace prehend::articulation {

struct EdgeFit {
  SquareCorners square;
  Eigen::Matrix<double, 2, 4> corners;  // [px]
  double rms{0.0};                      // [px] of the edge points about their lines
};

struct EdgeOptions {
  int cells{7};               // of the marker per side: profiles stay within the black border
  double floor{0.02};         // [px] see DetectionOptions
  double min_contrast{15.0};  // [grey levels]
};

// `corners` [px]: a first guess, within about two pixels. Empty where a side shows too few clean profiles.
std::optional<EdgeFit> fit_marker_edges(const GreyImage& image, const model::CameraModel& camera,
                                        const Eigen::Matrix<double, 2, 4>& corners,
                                        const EdgeOptions& options);

}  // namespace prehend::articulation
