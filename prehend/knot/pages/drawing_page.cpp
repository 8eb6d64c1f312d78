#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/knot/curve/rope_tube.h>
#include <prehend/knot/diagram.h>
#include <prehend/knot/layout/drawing_svg.h>
#include <prehend/knot/pages.h>
#include <prehend/knot/pages/number_row.h>
#include <prehend/math/angles.h>

namespace prehend::knot {

std::string number_row(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text.empty() ? "none" : text;
}

namespace {

// Points along the rope at equal parts of its length, about the middle of the drawing's box, in the plane.
Eigen::Matrix2Xd samples_of(const Drawing& drawing) {
  constexpr int kSamples = 64;
  const auto& line = drawing.polyline;
  std::vector<double> s{0.0};
  Eigen::Vector2d low = line.front().head<2>(), high = low;
  for (std::size_t i = 0; i < line.size(); ++i) {
    low = low.cwiseMin(line[i].head<2>());
    high = high.cwiseMax(line[i].head<2>());
    if (i > 0) s.push_back(s.back() + (line[i] - line[i - 1]).head<2>().norm());
  }
  Eigen::Matrix2Xd samples(2, kSamples);
  std::size_t at = 1;
  for (int k = 0; k < kSamples; ++k) {
    const double wanted = s.back() * k / (kSamples - 1);
    while (at + 1 < s.size() && s[at] < wanted) ++at;
    const double step = s[at] - s[at - 1],
                 t = step > 0.0 ? std::clamp((wanted - s[at - 1]) / step, 0.0, 1.0) : 0.0;
    samples.col(k) = (1.0 - t) * line[at - 1].head<2>() + t * line[at].head<2>() - 0.5 * (low + high);
  }
  return samples;
}

struct Pose2 {
  double angle{0.0};  // [rad] counter-clockwise
  double apart{0.0};  // mean square distance of the samples from those before
  Eigen::Matrix2Xd samples;
};

// The turn that brings the rope nearest to where it lay in the picture before.
Pose2 pose_after(const Eigen::Matrix2Xd& before, const Eigen::Matrix2Xd& samples) {
  Pose2 pose{0.0, 0.0, samples};
  if (before.cols() == 0) return pose;
  // The selected end counts as much as half the rope: what it does is what a reader follows.
  Eigen::ArrayXd weight = Eigen::ArrayXd::Ones(samples.cols());
  weight[0] = 0.5 * static_cast<double>(samples.cols());
  double along = 0.0, across = 0.0;
  for (Eigen::Index k = 0; k < samples.cols(); ++k) {
    along += weight[k] * before.col(k).dot(samples.col(k));
    across += weight[k] * (samples(0, k) * before(1, k) - samples(1, k) * before(0, k));
  }
  pose.angle = std::atan2(across, along);
  pose.samples = Eigen::Rotation2Dd(pose.angle).toRotationMatrix() * samples;
  pose.apart = (pose.samples - before).colwise().squaredNorm().mean();
  return pose;
}

std::vector<int> end_faces(const PData& data) {
  const Diagram diagram(data);
  return {diagram.face_of(Diagram::dart(1, true)), diagram.face_of(Diagram::dart(data.segments(), true))};
}

// The same picture turned by the angle, in a square of one size: pictures of a film share unit and middle.
std::string posed_svg(const Drawing& drawing, const PData& data, double angle) {
  constexpr double kSide = 750.0;  // the diagonal of a square drawing with its rim
  std::array<char, 512> head{};
  std::snprintf(
      head.data(), head.size(),
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
      "role=\"img\">\n<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" rx=\"12\" "
      "fill=\"#fbfaf7\"/>\n"
      "<g transform=\"translate(%.2f %.2f) rotate(%.2f) translate(%.2f %.2f)\">\n",
      kSide, kSide, kSide, kSide, svg_title(data).c_str(), 0.5 * kSide, 0.5 * kSide, -math::degrees(angle),
      -0.5 * drawing.svg_size.x(), -0.5 * drawing.svg_size.y());
  return head.data() + drawing.svg_elements + "</g>\n</svg>\n";
}

}  // namespace

report::Pictures film_strip(std::span<const FilmFrame> frames, const DrawingOptions& options) {
  report::Pictures strip;
  Eigen::Matrix2Xd before;
  for (const FilmFrame& frame : frames) {
    Drawing best = draw(frame.data, options);
    if (!best.drawn()) throw std::invalid_argument("film strip: " + best.problem);
    Pose2 pose = pose_after(before, samples_of(best));
    for (const int face :
         options.outer_face || before.cols() == 0 ? std::vector<int>{} : end_faces(frame.data)) {
      if (face == best.outer_face) continue;
      DrawingOptions other = options;
      other.outer_face = face;
      Drawing drawing = draw(frame.data, other);
      if (!drawing.drawn()) continue;
      const Pose2 turned = pose_after(before, samples_of(drawing));
      if (turned.apart >= 0.5 * pose.apart) continue;  // clearly nearer: else the picture that reads best
      pose = turned;
      best = std::move(drawing);
    }
    before = pose.samples;
    strip.pictures.push_back({frame.caption, posed_svg(best, frame.data, pose.angle)});
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
  page.set_verdict(report::Verdict::good, drawing.brief_report() + ".");
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
