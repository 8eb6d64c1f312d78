// Drawings in reports: one code with its picture and the rope in 3D beside it, or several as a film strip.
#pragma once

#include <span>
#include <string>

#include <prehend/knot/drawing.h>
#include <prehend/report/page.h>

namespace prehend::knot {

struct FilmFrame {
  std::string caption;  // any text
  PData data;
};

// One picture per code, in order, all in one scale and turned so that the rope lies as it lay in the picture before. A code that cannot be drawn is a std::invalid_argument with its problem.
report::Pictures film_strip(std::span<const FilmFrame> frames, const DrawingOptions& options = {});

// The rope as a tube with its selected end marked.
report::Scene3d rope_scene(std::span<const Eigen::Vector3d> polyline, double radius);

// The drawing must be one (drawn()).
report::Page drawing_page(const PData& data, const Drawing& drawing, const std::string& name);

}  // namespace prehend::knot
