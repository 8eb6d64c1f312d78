#include <cmath>
#include <optional>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/knot/curve/point_noise.h>
#include <prehend/knot/curve/rope_view.h>
#include <prehend/knot/projection.h>
#include <prehend/math/angles.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>

namespace prehend::knot {
namespace {

using Eigen::Vector3d;
using math::number_text;

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
  const double azimuth = k * math::kPi * (3 - std::sqrt(5.0));
  return Vector3d(std::sin(tilt) * std::cos(azimuth), std::sin(tilt) * std::sin(azimuth), -std::cos(tilt));
}

std::string tilt_note(const Vector3d& view_W, double tilt, const std::string& reason) {
  return "straight down the view is degenerate (" + reason + "); looked along " + number_text(view_W.x(), 4) +
         " " + number_text(view_W.y(), 4) + " " + number_text(view_W.z(), 4) + " instead, tilted by " +
         number_text(math::degrees(tilt), 3) + " degrees";
}

// Of the first step of a loop that is cut; small beside everything else, and far above the plane's tolerance.
constexpr double kCut = 1e-3;

// [m] Points closer than this are one.
double least_step(std::span<const Vector3d> points_W, double tolerance) {
  Vector3d low = points_W[0], high = points_W[0];
  for (const Vector3d& p : points_W) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return tolerance * (high - low).norm();
}

// A loop whose last point repeats the first, without it.
RopeLine without_end(const RopeLine& points_W) {
  RopeLine loop = points_W;
  while (loop.size() > 2 && loop.back() == loop.front()) loop.pop_back();
  return loop;
}

// A loop as a rope whose last end stops short of its first point; nothing for a rope.
std::optional<std::vector<Vector3d>> cut_loop(std::span<const Vector3d> points_W,
                                              const ProjectionOptions& options) {
  if (!options.closed) return {};
  const double same = least_step(points_W, options.plane_tolerance);
  std::vector<Vector3d> rope(points_W.begin(), points_W.end());
  while (rope.size() > 2 && (rope.back() - rope.front()).norm() <= same) rope.pop_back();
  if (rope.size() < 3) return {};
  rope.push_back(rope.front() + kCut * (rope.back() - rope.front()));
  return rope;
}

// The ropes of a recording without noise, and as loops where they are; `ropes` look into the others and into the log.
struct Lines {
  QuietLines quiet;
  std::vector<std::optional<RopeLine>> loops;
  std::vector<Rope> ropes;
};

Lines lines_of(const model::RopeLog& log, const ProjectionOptions& options) {
  std::vector<RopeLine> given;
  for (const model::RopeFrame& frame : log.frames) {
    check(frame.points_W);
    given.push_back(options.closed ? without_end(frame.points_W) : frame.points_W);
  }
  Lines made{without_noise(given, options.closed, options.noise), {}, {}};
  const auto line = [&](std::size_t i) -> const RopeLine& {
    return made.quiet.changed ? made.quiet.lines[i] : log.frames[i].points_W;
  };
  for (std::size_t i = 0; i < log.frames.size(); ++i) made.loops.push_back(cut_loop(line(i), options));
  for (std::size_t i = 0; i < log.frames.size(); ++i)
    made.ropes.push_back(make_rope(made.loops[i] ? *made.loops[i] : line(i), options.plane_tolerance));
  return made;
}

void hand_over(QuietLines& quiet, RecordingResult& result) {
  for (std::size_t i = 0; quiet.changed && i < result.frames.size(); ++i) {
    result.frames[i].noise = quiet.noise.deviation;
    result.frames[i].noise_left = quiet.noise.left;
    result.frames[i].line_W = std::move(quiet.lines[i]);
  }
  result.notes.insert(result.notes.end(), quiet.notes.begin(), quiet.notes.end());
}

}  // namespace

const char* to_string(ProjectionStatus status) { return enum_text(status); }

void ProjectionOptions::validate() const {
  const math::OptionCheck check("ProjectionOptions");
  check.holds(!view_W || (view_W->allFinite() && view_W->norm() > 0), "view_W", "not a direction",
              "three numbers that are not all zero");
  if (noise) check.at_least("noise", *noise, 0, "m");
  check.above("max_tilt", max_tilt, 0, "rad");
  check.between("max_tilt", max_tilt, 0, 0.5, "rad");
  check.between("tilts", tilts, 0, 10000);
  check.between("plane_tolerance", plane_tolerance, 1e-12, 1e-2);  // above rounding
  check.between("height_tolerance", height_tolerance, 1e-12, 1e-1);
  check.between("bulge_fraction", bulge_fraction, 0, 10);
  check.at_least("max_crossings", max_crossings, 1);
}

bool ends_meet(std::span<const Vector3d> points_W) {
  return points_W.size() > 3 && (points_W.back() - points_W.front()).norm() <=
                                    least_step(points_W, ProjectionOptions{}.plane_tolerance);
}

bool is_rope_recording(std::string_view path) { return path.ends_with(".csv") || path.ends_with(".csv.gz"); }

RecordingResult project_recording(const model::RopeLog& log, const ProjectionOptions& options) {
  options.validate();
  RecordingResult result;
  result.closed_codes = options.closed_codes;
  Lines lines = lines_of(log, options);
  const std::vector<Rope>& ropes = lines.ropes;
  result.noise = lines.quiet.noise.deviation;
  for (const model::RopeFrame& frame : log.frames) {
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
      math::check_interrupt();
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
  result.status = ProjectionStatus::ok;
  for (std::size_t i = 0; i < result.frames.size(); ++i) {
    ProjectionResult& frame = result.frames[i];
    frame.notes.insert(frame.notes.begin(), ropes[i].notes.begin(), ropes[i].notes.end());
    frame.closed = lines.loops[i].has_value();
    if (frame.closed) frame.notes.emplace_back("a closed loop, cut next to its first point");
    if (frame.status == ProjectionStatus::degenerate_view) {
      frame.reason +=
          options.view_W ? "; give another view" : "; and no view near it sees all frames clearly";
    }
    if (frame.status == ProjectionStatus::ok || result.status != ProjectionStatus::ok) continue;
    result.status = frame.status;
    result.reason =
        (ropes.size() > 1 ? "frame " + std::to_string(result.numbers[i]) + ": " : "") + frame.reason;
  }
  hand_over(lines.quiet, result);
  result.notes.insert(result.notes.end(), log.notes.begin(), log.notes.end());
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
