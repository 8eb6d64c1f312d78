// Markers in one picture, with corners to a few hundredths of a pixel and how sure they are.
//
// ArUco finds and names the markers. Its corners are then measured again along the edges: across each side, the place where black
// turns to white is found in some tens of profiles (where the integral of the grey level puts the step, whatever the blur), taken
// through the lens model, and a line is fitted to each side; corners are intersections of lines, and their covariance follows
// from the lines'. A corner detector would use a few pixels at the corner and be drawn inwards by blur.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/markers/detection/square_pose.h>
#include <prehend/articulation/markers/grey_image.h>
#include <prehend/articulation/markers/marker_options.h>
#include <prehend/model/camera.h>

namespace prehend::articulation {

struct MarkerDetection {
  int id{0};
  Eigen::Matrix<double, 2, 4> corners;  // [px] in the picture, order as in SquareCorners
  SquareCorners square;                 // the same through the lens model
  double edge_rms{0.0};                 // [px] of the edge points about their lines
  bool from_edges{false};               // false: ArUco's corners, a covariance of half a pixel
};

// By number. A marker seen twice in one picture is left out: it is a mirror image, a mistake, or two of the same.
std::vector<MarkerDetection> detect_markers(const GreyImage& image, const model::CameraModel& camera,
                                            const DetectionOptions& options = {});

}  // namespace prehend::articulation
