// P-data to a drawing of the rope (source L, 5.1.3 and 5.4.1): where the crossings lie, how the strands run between them, a
// 3D line that reads back as the same code, and the picture as SVG.
//
// The code fixes the drawing on the sphere; which face becomes the outer one of the plane is free (Diagram::face numbers
// them). The whole drawing is first put on a grid, then relaxed like an elastic rope that cannot pass through itself, then
// smoothed. Every result is checked: the drawn curves have the code's crossings with their signs and no others. Where the
// relaxed one fails that, the grid's drawing with rounded corners is the result.
//
// Seen from above (z towards the viewer), in the plane x to the right, y up; signs as in p_data.h, so never mirrored.
// Cost: about 10 ms for 30 crossings, linear to quadratic in their number.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/knot/p_data.h>

namespace prehend::knot {

struct DrawingOptions {
  // Which of the code's faces lies outside; without one, the one with the most corners, first of those that hold an end.
  std::optional<int> outer_face;
  // The drawing's longer side, of the picture's plane; in the unit that the caller likes.
  double width{1.0};
  // How far above and below the plane strands pass a crossing; relative to the width.
  double height{0.02};
  // Beyond this a picture says nothing any more, and time grows.
  int most_crossings{500};
  // The line's thickness, relative to the width; 0: as thick as reads well.
  double line_width{0.0};
  // Passage numbers beside the crossings.
  bool crossing_numbers{false};
  // Off: the grid's drawing with rounded corners.
  bool relax{true};

  void validate() const;
};

enum class DrawingStatus {
  not_computed,
  ok,
  too_many_crossings,  // more than most_crossings
  not_drawn            // the code is that of no drawing
};
const char* to_string(DrawingStatus status);

struct Drawing {
  DrawingStatus status{DrawingStatus::not_computed};
  std::string problem;  // why not, in one sentence; empty when ok
  int outer_face{-1};
  bool relaxed{false};
  std::vector<Eigen::Vector2d> crossings;  // in the order of their first passages
  std::vector<int> crossing_of;            // of passage i at i - 1: index into crossings
  // Per segment of the code, from passage to passage; the crossings (or free ends) are the first and last points.
  std::vector<std::vector<Eigen::Vector2d>> segments;
  // Per face of the code, its outline with the face on the left (the outer one's runs clockwise).
  std::vector<std::vector<Eigen::Vector2d>> faces;
  // The rope from its selected end. Crossings lie inside edges, above and below the plane by `height`.
  std::vector<Eigen::Vector3d> polyline;
  double least_crossing_distance{
      0.0};  // between two crossings, relative to the width; infinite with fewer than two
  std::string svg;
  // What it shows without the frame, and the size of the frame: for pictures of several drawings.
  std::string svg_elements;
  Eigen::Vector2d svg_size{Eigen::Vector2d::Zero()};

  bool drawn() const { return status == DrawingStatus::ok; }
  // "7 crossings, 8 faces, outer face 2; nearest crossings 0.083 of the width apart"
  std::string brief_report() const;
  std::string to_json() const;
};

// A code that cannot be drawn is answered with its problem; std::invalid_argument for options out of bounds.
Drawing draw(const PData& data, const DrawingOptions& options = {});

// The face that draw() puts outside by itself.
int suggested_outer_face(const PData& data);

}  // namespace prehend::knot
