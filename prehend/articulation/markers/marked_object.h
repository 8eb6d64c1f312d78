// A simulated object with markers glued to it.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/simulated/simulated_object.h>
#include <prehend/math/pose.h>

namespace prehend::articulation {

struct PlacedMarker {
  int id{0};
  int part{0};
  math::Pose X_PM;  // marker frame in the part's
};

struct MarkingOptions {
  std::string dictionary{"5x5_100"};
  double size{0.05};  // [m] side of the black square; K's two inches
  // Faces of each part that carry a marker, as outward directions of the part's axes (unit, along an axis).
  std::vector<Eigen::Vector3d> faces{-Eigen::Vector3d::UnitY()};
  double margin{1.0};  // white rim around the black square, in cells; detectors need about one

  void validate() const;
};

struct MarkedObject {
  SimulatedObject object;
  MarkingOptions options;
  std::vector<PlacedMarker> markers;
};

// Markers are numbered part by part, face by face. Upright: y of the marker along z of the part, or along y where the face
// looks up or down. Throws std::invalid_argument when the dictionary has too few.
MarkedObject mark_object(const SimulatedObject& object, const MarkingOptions& options = {});

}  // namespace prehend::articulation
