#include <cmath>
#include <numbers>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/knot/curve/rope_view.h>
#include <prehend/knot/projection.h>
#include <prehend/math/number_text.h>

namespace prehend::knot {
namespace {

using Eigen::Vector3d;
using math::number_text;

void check(const ProjectionOptions& options) {
  const auto refuse = [](const std::string& name, double value, const std::string& bound) {
    throw std::invalid_argument(name + " is " + number_text(value) + "; it must be " + bound);
  };
  if (options.view_W && (!options.view_W->allFinite() || !(options.view_W->norm() > 0)))
    throw std::invalid_argument("the view is not a direction; give three numbers that are not all zero");
  if (!(options.max_tilt > 0 && options.max_tilt <= 0.5))
    refuse("max_tilt", options.max_tilt, "above 0, at most 0.5 rad");
  if (options.tilts < 0 || options.tilts > 10000) refuse("tilts", options.tilts, "between 0 and 10000");
  if (!(options.plane_tolerance >= 1e-12 && options.plane_tolerance <= 1e-2))
    refuse("plane_tolerance", options.plane_tolerance, "between 1e-12 (above rounding) and 0.01");
  if (!(options.height_tolerance >= 1e-12 && options.height_tolerance <= 1e-1))
    refuse("height_tolerance", options.height_tolerance, "between 1e-12 (above rounding) and 0.1");
  if (!(options.bulge_fraction >= 0 && options.bulge_fraction <= 10))
    refuse("bulge_fraction", options.bulge_fraction, "between 0 and 10");
  if (options.max_crossings < 1) refuse("max_crossings", options.max_crossings, "at least 1");
}

void check(std::span<const Vector3d> points_W) {
  if (points_W.size() < 2)
    throw std::invalid_argument("the rope has " + std::to_string(points_W.size()) +
                                " points; it needs at least two");
  for (std::size_t i = 0; i < points_W.size(); ++i) {
    if (!points_W[i].allFinite())
      throw std::invalid_argument("point " + std::to_string(i + 1) + " of the rope is not finite");
  }
}

// The k-th view, 0 being the wanted one: tilts grow to the largest while their direction turns by the golden angle, so
// that no two tilts are alike.
Vector3d tilted_view(const ProjectionOptions& options, int k, double& tilt) {
  const Vector3d wanted = options.view_W ? options.view_W->normalized() : Vector3d(0, 0, -1);
  tilt = 0.0;
  if (k == 0) return wanted;
  const double part = static_cast<double>(k) / options.tilts;
  tilt = options.max_tilt * part * part;
  const double azimuth = k * std::numbers::pi * (3 - std::sqrt(5.0));
  return Vector3d(std::sin(tilt) * std::cos(azimuth), std::sin(tilt) * std::sin(azimuth), -std::cos(tilt));
}

std::string tilt_note(const Vector3d& view_W, double tilt, const std::string& reason) {
  return "straight down the view is degenerate (" + reason + "); looked along " + number_text(view_W.x(), 4) +
         " " + number_text(view_W.y(), 4) + " " + number_text(view_W.z(), 4) + " instead, tilted by " +
         number_text(tilt * 180 / std::numbers::pi, 3) + " degrees";
}

}  // namespace

const char* to_string(ProjectionStatus status) {
  switch (status) {
    case ProjectionStatus::not_run:
      return "not_run";
    case ProjectionStatus::generic:
      return "ok";
    case ProjectionStatus::degenerate_view:
      return "degenerate_view";
    case ProjectionStatus::touching:
      return "touching";
    case ProjectionStatus::too_coarse:
      return "too_coarse";
    case ProjectionStatus::no_rope:
      return "no_rope";
  }
  return "";
}

RecordingResult project_recording(const model::RopeLog& log, const ProjectionOptions& options) {
  check(options);
  RecordingResult result;
  std::vector<Rope> ropes;
  for (const model::RopeFrame& frame : log.frames) {
    check(frame.points_W);
    ropes.push_back(make_rope(frame.points_W, options.plane_tolerance));
    result.numbers.push_back(frame.frame);
    if (frame.t) result.times.push_back(*frame.t);
  }
  std::string first_reason;
  const int views = options.view_W ? 1 : 1 + options.tilts;
  for (int k = 0; k < views; ++k) {
    double tilt = 0.0;
    const Vector3d view_W = tilted_view(options, k, tilt);
    std::vector<ProjectionResult> frames;
    std::string degenerate;
    for (const Rope& rope : ropes) {
      frames.push_back(project_along(rope, view_W, options));
      frames.back().tilt = tilt;
      if (degenerate.empty() && frames.back().status == ProjectionStatus::degenerate_view) {
        degenerate = frames.back().reason;
        if (ropes.size() > 1)
          degenerate = "frame " + std::to_string(result.numbers[frames.size() - 1]) + ": " + degenerate;
        if (k > 0) break;
      }
    }
    if (k == 0) first_reason = degenerate;
    if (k > 0 && !degenerate.empty()) continue;
    result.frames = std::move(frames);
    result.view_W = view_W;
    result.tilt = tilt;
    if (degenerate.empty()) break;
  }
  if (result.tilt > 0) result.notes.push_back(tilt_note(result.view_W, result.tilt, first_reason));
  result.status = ProjectionStatus::generic;
  for (std::size_t i = 0; i < result.frames.size(); ++i) {
    ProjectionResult& frame = result.frames[i];
    frame.notes.insert(frame.notes.begin(), ropes[i].notes.begin(), ropes[i].notes.end());
    if (frame.status == ProjectionStatus::degenerate_view) {
      frame.reason +=
          options.view_W ? "; give another view" : "; and no view near it sees all frames clearly";
    }
    if (frame.status == ProjectionStatus::generic || result.status != ProjectionStatus::generic) continue;
    result.status = frame.status;
    result.reason =
        (ropes.size() > 1 ? "frame " + std::to_string(result.numbers[i]) + ": " : "") + frame.reason;
  }
  return result;
}

ProjectionResult project_rope(std::span<const Vector3d> points_W, const ProjectionOptions& options) {
  check(points_W);
  model::RopeLog log;
  log.frames.push_back({0, {points_W.begin(), points_W.end()}});
  RecordingResult recording = project_recording(log, options);
  ProjectionResult result = std::move(recording.frames.front());
  result.notes.insert(result.notes.begin(), recording.notes.begin(), recording.notes.end());
  return result;
}

}  // namespace prehend::knot
