#include <algorithm>
#include <stdexcept>

#include <prehend/knot/curve/rope_tube.h>
#include <prehend/knot/pages.h>
#include <prehend/knot/pages/number_row.h>

namespace prehend::knot {

std::string number_row(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text.empty() ? "none" : text;
}

report::Pictures film_strip(std::span<const FilmFrame> frames, const DrawingOptions& options) {
  report::Pictures strip;
  for (const FilmFrame& frame : frames) {
    Drawing drawing = draw(frame.data, options);
    if (!drawing.drawn()) throw std::invalid_argument("film strip: " + drawing.problem);
    strip.pictures.push_back({frame.caption, std::move(drawing.svg)});
  }
  return strip;
}

report::Scene3d rope_scene(std::span<const Eigen::Vector3d> polyline, double radius) {
  report::Scene3d scene;
  report::SceneBody rope;
  rope.name = "rope";
  rope.mesh_B = tube_around(polyline, radius);
  rope.colour = report::colour_from_hex(0x2a5674);
  scene.add_body(std::move(rope));
  report::PointLayer end;
  end.name = "Selected end";
  end.points = {polyline.front()};
  end.colour = report::colour_from_hex(0xc8553d);
  end.radius = 1.4 * radius;
  scene.points.push_back(std::move(end));
  scene.view_direction = {0.0, -0.45, 1.0};
  return scene;
}

report::Page drawing_page(const PData& data, const Drawing& drawing, const std::string& name) {
  if (!drawing.drawn()) throw std::invalid_argument("drawing page: " + drawing.brief_report());
  report::Page page("What does this code look like?");
  page.set_subtitle(name);
  page.set_verdict(report::Verdict::note, drawing.brief_report() + ".");
  page.add(report::Pictures{{{"Seen from above; the dot marks the selected end.", drawing.svg}}},
           report::Width::half);
  double height = 0;
  for (const Eigen::Vector3d& p : drawing.polyline) height = std::max(height, p.z());
  // A straight rope has no height; the length then sets the thickness.
  if (height == 0) height = 0.02 * (drawing.polyline.back() - drawing.polyline.front()).norm();
  report::Scene3d scene = rope_scene(drawing.polyline, 0.55 * height);
  scene.caption = "The same rope in space.";
  page.add(std::move(scene), report::Width::half);
  page.add(report::Facts{"P-data",
                         {{"sigma", number_row(data.sigma), "", "the other number of each crossing"},
                          {"attr", number_row(data.attr), "", "1 over/-, 2 under/-, 3 over/+, 4 under/+"}}});
  page.add(report::Downloads{{{"The picture (SVG)", "drawing.svg", "image/svg+xml", drawing.svg}}});
  return page;
}

}  // namespace prehend::knot
