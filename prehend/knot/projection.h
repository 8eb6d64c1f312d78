// A rope's centre line, seen from one direction, as P-data (source L, 5.1).
//
// The rope is the polyline through its points, from the selected end, without the noise that shows in them. The view plane V has e_z towards the viewer (against
// the looking direction) and, from above, e_x and e_y as the world's; the code does not change when V turns about e_z. A
// view is generic when strands only cross, two at a time, clearly one above the other, and no end lies on a strand. What is
// closer than the tolerances to anything else is not guessed: status and reason say what it is and where. All tolerances
// are parts of the rope's size (diagonal of its bounding box), far above rounding.
//
// Cost: O(n log n + crossings) for smooth ropes, by boxes around pieces of the polyline.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/knot/p_data.h>
#include <prehend/model/rope_log.h>

namespace prehend::knot {

struct ProjectionOptions {
  // Looking direction. One that is given is never changed; without one the view is down -z, tilted if that is degenerate.
  std::optional<Eigen::Vector3d> view_W{};
  // Largest tilt of the default view [rad]: 6 degrees shifts crossings little, and a rope lying on a table still looks so.
  double max_tilt{0.1};
  // Tilted views tried; each fails only by chance, so few are needed.
  int tilts{24};
  // Strands, points and ends closer than this in the view plane coincide, as a part of the rope's size. A million times the
  // rounding of doubles, and below what any camera or simulation resolves.
  double plane_tolerance{1e-9};
  // Strands closer than this in height touch, as a part of the rope's size: no camera resolves 10 nm in a metre, and ropes
  // without thickness, which come that close by chance, are still read. Give the rope's radius where it is known.
  double height_tolerance{1e-8};
  // A rope sampled from a smooth curve bulges between its points by about length x turn / 8 (the shorter of two steps).
  // Heights that differ by less than this part of the bulge are too close to call (too coarse sampling). 1: nothing that a
  // smooth rope through the same points might change; 0: the polyline is the rope. Corners (turns above half a radian) are
  // taken as drawn. 0.1 refuses few ropes and misreads none of random_ropes_test.cpp.
  double bulge_fraction{0.1};
  // [m] White noise of the points, per axis. Without it, noise that shows in the points is estimated over all frames and smoothed
  // away, and single points that jump are put between their neighbours; notes say so. 0: the points are exact.
  std::optional<double> noise{};
  // More crossings than this are not a rope.
  int max_crossings{200000};
  // The rope is a loop: its last point joins the first, or is the same (ends_meet). A loop is cut next to its first point, where
  // nothing else lies between: its code is that of a rope whose ends border one face.
  bool closed{false};
  // Recordings: to_json() also has the codes (codes.h) of every frame's rope closed over everything.
  bool closed_codes{false};

  void validate() const;
};

enum class ProjectionStatus {
  not_computed,
  ok,               // generic: the code is that of the view
  degenerate_view,  // another view may help
  touching,         // two strands, or an end and a strand, meet: no view helps
  too_coarse,       // over and under are closer than the sampling resolves
  no_rope,          // all points the same, or too many crossings
};
const char* to_string(ProjectionStatus status);

struct RopeCrossing {
  int over_passage{0}, under_passage{0};  // numbers in the P-data
  int sign{0};
  Eigen::Vector2d p_V;                  // [m] in the view plane, from the rope's first point
  Eigen::Vector3d p_over_W, p_under_W;  // [m]
  double s_over{0}, s_under{0};         // [m] along the rope from its selected end
  double gap() const { return (p_over_W - p_under_W).norm(); }  // [m]
};

struct ProjectionResult {
  ProjectionStatus status{ProjectionStatus::not_computed};
  std::string reason;                   // a sentence, unless ok
  PData p_data;                         // when ok
  std::vector<RopeCrossing> crossings;  // by their first passage; when ok
  Eigen::Vector3d view_W{0, 0, -1};     // looking direction, unit; as used
  double tilt{0};                       // [rad] of the view used against the one wanted
  double length{0};                     // [m] of the rope
  bool closed{false};                   // a loop, cut next to its first point
  // The rope as it was read, where points were moved (ProjectionOptions::noise); else empty: the points as given.
  std::vector<Eigen::Vector3d> line_W;
  double noise{0}, noise_left{0};  // [m] per axis: smoothed away, and what is left of it
  std::vector<std::string> notes;  // repeated points, a tilted view, coarse sampling

  std::string brief_report() const;
};

// A crossing exactly at a point of the polyline is accepted where both strands go on clearly through each other.
// Throws std::invalid_argument: fewer than two points, a point or option that is not finite, a bound broken.
ProjectionResult project_rope(std::span<const Eigen::Vector3d> points_W,
                              const ProjectionOptions& options = {});

struct RecordingResult {
  ProjectionStatus status{ProjectionStatus::not_computed};  // ok when every frame is
  std::string reason;                                       // of the first frame that is not
  Eigen::Vector3d view_W{0, 0, -1};  // one for all frames, so that frames can be compared
  double tilt{0};                    // [rad]
  std::vector<int> numbers;          // of the frames in the file
  std::vector<double> times;         // [s] of the frames; empty when the recording has none
  std::vector<ProjectionResult> frames;
  double noise{0};                 // [m] per axis, smoothed away
  std::vector<std::string> notes;  // also those of the file
  bool closed_codes{false};        // to_json() has the codes of the closed ropes, too

  std::string brief_report() const;
  std::string to_json() const;
};

// Whether the last point of a rope is its first: the usual way to write a loop down. As a rope it cannot be read, its ends touch.
bool ends_meet(std::span<const Eigen::Vector3d> points_W);

// Whether a file's name is that of a recording (CSV, plain or gzip) rather than of codes (p_data_json.h).
bool is_rope_recording(std::string_view path);

// All frames of a recording from one view.
RecordingResult project_recording(const model::RopeLog& log, const ProjectionOptions& options = {});

}  // namespace prehend::knot
