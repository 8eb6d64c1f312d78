// A 3D scene of a page: bodies, frames, points, arrows, lines, maps on surfaces and motions, as plain data.
//
// Everything stands in the world frame W, z up, metres, unless it names a body: then it stands in that body's
// frame B and moves with it. The viewer lets the reader orbit, hide layers, colour surfaces by a map, select
// a body and play the motions. Geometry must be finite: write_report refuses a NaN and names the body. A map
// may hold NaN ("no value", grey) and infinities ("unbounded", hatched).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>
#include <prehend/math/index.h>
#include <prehend/math/pose.h>
#include <prehend/report/colour.h>

namespace prehend::report {

using BodyIndex = math::Index<struct ReportBodyTag>;      // into Scene3d::bodies
using MotionIndex = math::Index<struct ReportMotionTag>;  // into Scene3d::motions

// One line of a list of facts: a name, what it is, and its unit.
struct Fact {
  std::string name;
  std::string value;
  std::string unit;
  std::string hint;  // shown when the reader points at it
};

// A number as a fact, with that many significant digits; "n/a" for NaN, "unbounded" for an infinity.
Fact number_fact(const std::string& name, double value, const std::string& unit = "", int digits = 4);

// Values on the vertices of a body's mesh. Maps of the same name on several bodies share one legend and one
// range.
struct ScalarMap {
  std::string name;
  std::string unit;
  std::vector<double> values;   // one per vertex
  std::optional<double> lower;  // ends of the colour scale; the finite values decide where absent
  std::optional<double> upper;
  // Equal ratios get equal steps of colour; for values over several decades. Needs positive finite values.
  bool logarithmic{false};
  // A second line under the value the reader points at: labels[label_of[vertex]]. Both empty: none.
  std::vector<std::string> labels{};
  std::vector<int> label_of{};  // one per vertex
};

struct SceneBody {
  std::string name;
  geometry::TriangleMesh mesh_B;
  math::Pose X_WB;
  Colour colour;
  double opacity{1.0};
  std::string hover;             // a second line under the name
  std::vector<Fact> properties;  // shown when the body is selected
  std::vector<ScalarMap> maps;
  // Scenery: drawn quietly, left out when the view is fitted (a floor, a wall).
  bool backdrop{false};
};

struct SceneFrame {
  std::string name;
  math::Pose X_PF;                // P: the body, or the world without one
  std::optional<BodyIndex> body;  // the frame moves with it
  double length{0.0};             // [m] of each axis; 0: the viewer picks a share of the scene's size
};

// Layers carry a name; the reader switches them on and off by it.
struct PointLayer {
  std::string name;
  std::vector<Eigen::Vector3d> points;  // [m]
  std::optional<BodyIndex> body;
  Colour colour{colour_from_hex(kContactGold)};
  double radius{0.0};              // [m]; 0: a share of the scene's size
  std::vector<std::string> hover;  // one per point, or empty
  // Coloured by these values when given, with the legend of the map of that name.
  std::optional<ScalarMap> map;
  bool visible{true};
};

struct Arrow {
  Eigen::Vector3d point;   // [m] where it acts
  Eigen::Vector3d vector;  // in the layer's unit
  std::string hover;
};

struct ArrowLayer {
  std::string name;
  std::string unit{"N"};
  std::vector<Arrow> arrows;  // at rest, or the same for all times
  std::optional<BodyIndex> body;
  Colour colour{colour_from_hex(kForceOrange)};
  // [m per unit]; 0: the longest arrow becomes a quarter of the scene's size. The reader can rescale.
  double scale{0.0};
  // The arrow ends at the point (a force pressing on a surface) instead of starting there.
  bool ends_at_point{false};
  bool visible{true};
};

// Lines of the same name are one layer, switched together.
struct Polyline {
  std::string name;
  std::vector<Eigen::Vector3d> points;  // [m]
  std::optional<BodyIndex> body;
  std::string hover;  // which line of its layer this is
  Colour colour{colour_from_hex(kGrey)};
  double width_px{2.0};
  bool closed{false};
  bool visible{true};
};

// Poses of one body, one per time of the motion.
struct BodyTrack {
  BodyIndex body;
  std::vector<math::Pose> X_WB;
};

// Arrows that change in time: one list per time of the motion, or a single one for all times, in place of the layer's
// own while the motion is shown.
struct ArrowTrack {
  std::size_t layer{0};  // into Scene3d::arrows
  std::vector<std::vector<Arrow>> arrows;
};

// A body that is there only while a motion shows its frames `first` to `last`: a rope changes its shape from frame to frame.
struct BodySpan {
  BodyIndex body;
  std::size_t first{0}, last{0};  // into the motion's times
};

// A recording, or a small named movement such as the mechanism by which a pile would fail. Bodies without a
// track stand still.
struct Motion {
  enum class Playback { once, loop, back_and_forth };
  std::string name;
  std::string note;
  std::vector<double> times;  // [s], rising
  std::vector<BodyTrack> tracks;
  std::vector<ArrowTrack> arrow_tracks;
  std::vector<BodySpan> spans{};  // at rest those of the first motion's last frame are shown
  Playback playback{Playback::once};
};

struct Scene3d {
  std::string caption;
  std::vector<SceneBody> bodies;
  std::vector<SceneFrame> frames;
  std::vector<PointLayer> points;
  std::vector<ArrowLayer> arrows;
  std::vector<Polyline> lines;
  std::vector<Motion> motions;
  // The map shown first; empty: the bodies' own colours.
  std::string initial_map;
  // The motion shown first; none: the scene at rest.
  std::optional<MotionIndex> initial_motion;
  // Where the grid lies [m]; without a value just below the lowest body.
  std::optional<double> ground_height;
  // From the scene to the camera, any length; the view is fitted around the bodies.
  Eigen::Vector3d view_direction{0.62, -1.0, 0.52};

  BodyIndex add_body(SceneBody body);
  MotionIndex add_motion(Motion motion);
};

}  // namespace prehend::report
