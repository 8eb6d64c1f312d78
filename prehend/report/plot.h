// Curves of a page: time series with a cursor linked to a scene's clock, x-y and polar plots; what happened when, as bars over time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prehend/math/index.h>
#include <prehend/report/colour.h>
#include <prehend/report/scene3d.h>

namespace prehend::report {

using SceneIndex = math::Index<struct ReportSceneTag>;  // given by Page::add

struct Series {
  enum class Style { line, dashed, points, line_and_points };
  std::string name;
  std::vector<double> x;  // empty: the plot's own x
  std::vector<double> y;  // NaN: a gap
  Style style{Style::line};
  std::optional<Colour> colour;  // the palette's next without one
};

struct Plot {
  // time: x rises, curves share one cursor. xy: any points. polar: x is an angle [rad], y a radius.
  enum class Kind { time, xy, polar };
  std::string title;
  Kind kind{Kind::time};
  std::string x_label{"time"};
  std::string x_unit{"s"};
  std::string y_label;
  std::string y_unit;
  std::vector<double> x;  // finite; rising for time
  std::vector<Series> series;
  bool logarithmic_y{false};
  bool equal_axes{false};  // xy: one metre is as long on both axes
  // time: the cursor follows the clock of this scene while that motion is shown, and sets it when dragged.
  std::optional<SceneIndex> scene;
  MotionIndex motion{0};
};

// What happened when: rows of bars over one axis of time, with moments marked across all rows. Its cursor is the clock of the scene, as in a plot over time.
struct Timeline {
  struct Bar {
    std::string label;  // inside the bar where it fits, else shown on hovering
    double from_s{0.0};
    double to_s{0.0};  // not before from_s; a moment is drawn as a narrow bar
    Colour colour;
    bool hollow{false};  // an outline: not seen, concluded
  };
  struct Row {
    std::string name;
    std::vector<Bar> bars;
  };
  struct Mark {
    std::string label;
    double t_s{0.0};
  };
  std::string caption;
  std::vector<Row> rows;
  std::vector<Mark> marks;
  std::optional<SceneIndex> scene;
  MotionIndex motion{0};
};

}  // namespace prehend::report
