#include <algorithm>
#include <limits>

#include <prehend/geometry/primitives.h>
#include <prehend/knot/curve/rope_tube.h>
#include <prehend/knot/curve/rope_view.h>
#include <prehend/knot/pages.h>
#include <prehend/math/number_text.h>

namespace prehend::knot {
namespace {

using Eigen::Vector3d;

// Frames on the slider.
constexpr std::size_t kMostFrames = 60;

std::string numbers_text(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

// A tube of at most this many points: a film of thirty is still a small page.
constexpr std::size_t kMostPoints = 400;

report::SceneBody rope_body(const model::RopeFrame& frame, double radius) {
  std::vector<Vector3d> line;
  const std::size_t step = 1 + (frame.points_W.size() - 1) / kMostPoints;
  for (std::size_t i = 0; i < frame.points_W.size(); i += step) line.push_back(frame.points_W[i]);
  if ((frame.points_W.size() - 1) % step != 0) line.push_back(frame.points_W.back());
  report::SceneBody body;
  body.name = "frame " + std::to_string(frame.frame);
  // A rope that is one point is shown as one.
  const bool is_point =
      std::all_of(line.begin(), line.end(), [&](const Vector3d& p) { return p == line.front(); });
  body.mesh_B = is_point ? geometry::transformed(geometry::make_icosphere(radius, 2),
                                                 math::Pose::translation(line.front()))
                         : tube_around(line, radius, 8);
  body.colour = report::colour_from_hex(0x2a5674);
  return body;
}

void add_marks(const model::RopeFrame& frame, const ProjectionResult& seen, report::BodyIndex body,
               double radius, report::Scene3d& scene) {
  report::PointLayer crossings, end;
  crossings.name = "crossings";
  crossings.body = end.body = body;
  crossings.radius = end.radius = 1.6 * radius;
  for (const RopeCrossing& c : seen.crossings) {
    crossings.points.insert(crossings.points.end(), {c.p_over_W, c.p_under_W});
    const std::string sign = c.sign > 0 ? "plus" : "minus";
    crossings.hover.push_back("passage " + std::to_string(c.over_passage) + ", over, " + sign);
    crossings.hover.push_back("passage " + std::to_string(c.under_passage) + ", under, " + sign);
  }
  end.name = "selected end";
  end.colour = report::colour_from_hex(0xc8553d);
  end.points = {frame.points_W.front()};
  end.hover = {"selected end"};
  if (!crossings.points.empty()) scene.points.push_back(std::move(crossings));
  scene.points.push_back(std::move(end));
}

// Every frame is a body that is there while the slider shows it.
report::Scene3d rope_scene(const model::RopeLog& log, const RecordingResult& result, std::size_t shown) {
  report::Scene3d scene;
  scene.caption = "The rope; gold: its crossings in this view, on both strands.";
  scene.view_direction = Vector3d(0.3, -0.6, 1.0);
  Vector3d low = log.frames.front().points_W.front(), high = low;
  for (const model::RopeFrame& frame : log.frames) {
    for (const Vector3d& p : frame.points_W) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
  }
  const double radius = std::max(0.006 * (high - low).norm(), 1e-9);
  // A long recording shows some of its frames.
  const std::size_t step = 1 + (log.frames.size() - 1) / kMostFrames;
  report::Motion film;
  film.name = "the recording";
  film.note = result.times.empty() ? "Ten frames a second; the recording has no times." : "";
  for (std::size_t i = 0; i < log.frames.size(); ++i) {
    if (i % step != 0 && i != shown && i + 1 != log.frames.size()) continue;
    const report::BodyIndex body = scene.add_body(rope_body(log.frames[i], radius));
    add_marks(log.frames[i], result.frames[i], body, radius, scene);
    film.spans.push_back({body, film.times.size(), film.times.size()});
    film.times.push_back(result.times.empty() ? 0.1 * static_cast<double>(i) : result.times[i]);
  }
  if (film.times.size() > 1) scene.initial_motion = scene.add_motion(std::move(film));
  return scene;
}

// The rope in the view plane, with a gap where it passes under.
report::Plot view_plot(const model::RopeFrame& frame, const ProjectionResult& result) {
  const Rope rope = make_rope(frame.points_W, ProjectionOptions{}.plane_tolerance);
  const Eigen::Matrix3d R_VW = view_rotation(result.view_W);
  report::Plot plot;
  plot.title = "As seen from the viewer";
  plot.kind = report::Plot::Kind::xy;
  plot.x_label = "right";
  plot.y_label = "up";
  plot.x_unit = plot.y_unit = "m";
  plot.equal_axes = true;
  report::Series strands{"rope", {}, {}, report::Series::Style::line, report::colour_from_hex(report::kGrey)};
  const auto put = [&](const Vector3d& p_W) {
    const Vector3d p_V = R_VW * p_W;
    strands.x.push_back(p_V.x());
    strands.y.push_back(p_V.y());
  };
  const auto at = [&](double s) {
    const auto after = std::upper_bound(rope.s.begin(), rope.s.end(), s);
    const std::size_t to =
        std::clamp<std::size_t>(static_cast<std::size_t>(after - rope.s.begin()), 1, rope.s.size() - 1);
    const double step = rope.s[to] - rope.s[to - 1];
    const double t = step > 0 ? std::clamp((s - rope.s[to - 1]) / step, 0.0, 1.0) : 0.0;
    return Vector3d(rope.points_W[to - 1] + t * (rope.points_W[to] - rope.points_W[to - 1]));
  };
  std::vector<double> under;
  for (const RopeCrossing& c : result.crossings) under.push_back(c.s_under);
  std::sort(under.begin(), under.end());
  const double half_gap = 0.006 * result.length;
  double begin = 0.0;
  std::size_t point = 0;
  for (std::size_t k = 0; k <= under.size(); ++k) {
    const double end = k < under.size() ? under[k] - half_gap : result.length;
    if (end > begin) {
      put(at(begin));
      while (point < rope.s.size() && rope.s[point] <= begin) ++point;
      for (; point < rope.s.size() && rope.s[point] < end; ++point) put(rope.points_W[point]);
      put(at(end));
      strands.x.push_back(strands.x.back());
      strands.y.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    if (k < under.size()) begin = std::max(begin, under[k] + half_gap);
  }
  plot.series.push_back(std::move(strands));
  const Vector3d end_V = R_VW * frame.points_W.front();
  plot.series.push_back({"selected end", {end_V.x()}, {end_V.y()}, report::Series::Style::points, {}});
  return plot;
}

model::RopeLog as_read(const model::RopeLog& log, const RecordingResult& result) {
  model::RopeLog read = log;
  for (std::size_t i = 0; i < result.frames.size(); ++i)
    if (!result.frames[i].line_W.empty()) read.frames[i].points_W = result.frames[i].line_W;
  return read;
}

}  // namespace

report::Page recording_page(const model::RopeLog& given, const RecordingResult& result) {
  const model::RopeLog log = as_read(given, result);
  report::Page page("What was tied?");
  // The last frame that could be read is shown; where there is none, the last.
  std::size_t shown = result.frames.size() - 1;
  while (shown > 0 && result.frames[shown].status != ProjectionStatus::ok) --shown;
  if (result.frames[shown].status != ProjectionStatus::ok) shown = result.frames.size() - 1;
  const ProjectionResult& frame = result.frames[shown];
  const std::string number = std::to_string(result.numbers[shown]);
  if (result.status == ProjectionStatus::ok) {
    page.set_verdict(report::Verdict::good,
                     "Frame " + number + " has " + std::to_string(frame.p_data.crossings()) +
                         (frame.p_data.crossings() == 1 ? " crossing." : " crossings."));
  } else {
    page.set_verdict(report::Verdict::bad, "Not every frame can be read: " + result.reason + ".");
  }
  page.add(rope_scene(log, result, shown), report::Width::half);
  page.add(view_plot(log.frames[shown], frame), report::Width::half);
  report::Facts facts{"Frame " + number, {}};
  facts.facts.push_back({"looking along",
                         math::number_text(result.view_W.x(), 4) + " " +
                             math::number_text(result.view_W.y(), 4) + " " +
                             math::number_text(result.view_W.z(), 4),
                         "", ""});
  facts.facts.push_back(report::number_fact("length", frame.length, "m"));
  page.add(std::move(facts));
  report::Table table;
  table.caption = "P-data of every frame: 1 over/minus, 2 under/minus, 3 over/plus, 4 under/plus";
  for (const char* name : {"frame", "crossings", "sigma", "attr", "remarks"})
    table.columns.push_back({name, "", 6, ""});
  for (std::size_t i = 0; i < result.frames.size(); ++i) {
    const ProjectionResult& f = result.frames[i];
    std::string remarks = f.reason;
    for (const std::string& note : f.notes) remarks += (remarks.empty() ? "" : "; ") + note;
    std::vector<report::Cell> row{static_cast<double>(result.numbers[i]), {}, {}, {}, remarks};
    if (f.status == ProjectionStatus::ok) {
      row[1] = static_cast<double>(f.p_data.crossings());
      row[2] = numbers_text(f.p_data.sigma);
      row[3] = numbers_text(f.p_data.attr);
    }
    table.rows.push_back(std::move(row));
  }
  page.add(std::move(table));
  std::string notes;
  for (const std::string& note : result.notes) notes += "- " + note + "\n";
  if (!notes.empty()) page.add_text(notes);
  return page;
}

}  // namespace prehend::knot
