#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <prehend/articulation/pages.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/angles.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// What the best joint leaves of each time's pose; not a number where there is none.
struct Residuals {
  std::vector<double> position, angle, weight;  // [m], [rad], 0 to 1
};

Residuals residuals_of(const Selection& selection, const Observations& observations) {
  const JointFit& fit = selection.best().fit;
  const std::size_t count = observations.times.size();
  Residuals result{std::vector<double>(count, kNone), std::vector<double>(count, kNone),
                   std::vector<double>(count, kNone)};
  std::size_t fitted = 0;  // observations that were fitted: those with a state
  for (const Observation& observation : observations.poses) {
    const auto t = static_cast<std::size_t>(observation.time);
    if (t >= fit.states.size() || !fit.states[t]) continue;
    if (fitted < fit.weights.size()) result.weight[t] = fit.weights[fitted];
    if (selection.has_orientation) {
      const math::Pose left = fit.joint.forward(*fit.states[t]).inverse() * observation.X_FM;
      result.position[t] = left.p().norm();
      result.angle[t] = math::log_so3(left.q()).norm();
    } else if (fitted < fit.track_residuals.size()) {
      result.position[t] = fit.track_residuals[fitted].norm();
    }
    ++fitted;
  }
  return result;
}

bool is_fitted(const Selection& selection) {
  return !selection.candidates.empty() && selection.best().fit.status != FitStatus::failed;
}

std::string fixed_name(const Selection& selection) {
  return selection.fixed.empty() ? "world" : selection.fixed;
}

report::Table candidate_table(const Selection& selection) {
  report::Table table;
  table.caption =
      "Candidates; the score weighs how well a type explains the motion against its parameters, five nats "
      "are odds of "
      "150 to 1";
  table.columns = {{"type", "", 4, ""},
                   {"score", "nats", 6, "log likelihood and prior, less the penalty for parameters"},
                   {"behind", "nats", 4, "the first"},
                   {"parameters", "", 3, "counted by the penalty"},
                   {"leaves", "mm", 3, "root mean square per axis"},
                   {"leaves", "deg", 3, "root mean square per axis"},
                   {"explanation", "", 4, ""}};
  for (const Candidate& candidate : selection.candidates) {
    std::vector<report::Cell> row{std::string(to_string(candidate.type))};
    if (candidate.fit.status == FitStatus::failed)
      row.resize(6);
    else
      row.insert(row.end(), {candidate.score, selection.best().score - candidate.score,
                             static_cast<double>(candidate.parameters), 1e3 * candidate.fit.rms_position,
                             selection.has_orientation ? report::Cell(math::degrees(candidate.fit.rms_angle))
                                                       : report::Cell()});
    row.emplace_back(candidate.explanation);
    table.rows.push_back(std::move(row));
  }
  return table;
}

// The fixed part stands at the origin; the moving one goes where its joint puts it.
report::Scene3d scene_of(const Selection& selection, const Observations& observations) {
  const JointFit& fit = selection.best().fit;
  report::Scene3d scene;
  scene.caption =
      "'" + selection.moving + "' in the frame of '" + fixed_name(selection) +
      "': the red line is the joint's axis, the other one the way of the tracked origin as it was seen.";
  report::Polyline way;
  way.name = "as seen";
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = low;
  for (const Observation& observation : observations.poses) {
    way.points.push_back(observation.X_FM.p());
    low = low.cwiseMin(way.points.back());
    high = high.cwiseMax(way.points.back());
  }
  const double size = std::max((high - low).norm(), 1e-3), side = 0.08 * size;
  const auto body = [&](const std::string& name, const math::Pose& X, std::size_t colour) {
    report::SceneBody drawn;
    drawn.name = name;
    drawn.mesh_B = geometry::make_box(Eigen::Vector3d::Constant(side));
    drawn.X_WB = X;
    drawn.colour = report::palette_colour(colour);
    return scene.add_body(std::move(drawn));
  };
  body(fixed_name(selection), math::Pose(), 0);
  const report::BodyIndex moving = body(selection.moving, observations.poses.front().X_FM, 1);
  way.colour = report::palette_colour(1);
  scene.lines.push_back(std::move(way));
  if (const auto axis = fit.joint.axis_F()) {
    const Eigen::Vector3d point = fit.joint.point_F().value_or(fit.joint.X_FJ.p());
    report::Polyline line;
    line.name = "axis";
    line.points = {point - 0.4 * size * *axis, point + 0.4 * size * *axis};
    line.hover = std::string(to_string(fit.joint.type)) + " joint";
    line.colour = report::colour_from_hex(report::kForceOrange);
    line.width_px = 3.0;
    scene.lines.push_back(std::move(line));
  }
  if (observations.times.size() < 2) return scene;
  report::Motion motion;
  motion.name = "as fitted";
  motion.note = "The moving part where the joint puts it.";
  motion.times = observations.times;
  motion.playback = report::Motion::Playback::loop;
  report::BodyTrack track{moving, {}};
  math::Pose last = observations.poses.front().X_FM;
  for (std::size_t t = 0; t < observations.times.size(); ++t) {
    // Points that move freely have no pose of their own.
    if (t < fit.states.size() && fit.states[t] && fit.states[t]->size() == fit.joint.freedoms()) {
      const math::Pose X = fit.joint.forward(*fit.states[t]);
      last = selection.has_orientation ? X : math::Pose::translation(X.p());
    }
    track.X_WB.push_back(last);
  }
  motion.tracks.push_back(std::move(track));
  scene.initial_motion = scene.add_motion(std::move(motion));
  return scene;
}

void add_plots(report::Page& page, const Selection& selection, const Observations& observations,
               report::SceneIndex scene) {
  const JointFit& fit = selection.best().fit;
  const Residuals residuals = residuals_of(selection, observations);
  const auto plot = [&](const std::string& title, const std::string& label, const std::string& unit) {
    report::Plot made;
    made.title = title;
    made.y_label = label;
    made.y_unit = unit;
    made.x = observations.times;
    made.scene = scene;
    return made;
  };
  const std::vector<StateName> names = state_names(fit.joint.type);
  const auto freedom = static_cast<std::size_t>(freedoms(fit.joint.type, fit.has_orientation));
  for (std::size_t k = 0; k < names.size() && names.size() == freedom; ++k) {
    report::Plot states = plot("State: " + names[k].name, names[k].name, names[k].is_angle ? "deg" : "m");
    report::Series series;
    series.name = names[k].name;
    for (const auto& q : fit.states) {
      const double value = q ? (*q)[static_cast<Eigen::Index>(k)] : kNone;
      series.y.push_back(names[k].is_angle ? math::degrees(value) : value);
    }
    states.series.push_back(std::move(series));
    page.add(std::move(states), names.size() > 1 ? report::Width::half : report::Width::full);
  }
  page.add_heading("Residuals over time");
  const auto left = [&](const char* title, const char* unit, const std::vector<double>& values,
                        double scale) {
    report::Plot made = plot(title, "residual", unit);
    report::Series series;
    series.name = "left by the joint";
    series.style = report::Series::Style::points;
    for (const double value : values) series.y.push_back(scale * value);
    made.series.push_back(std::move(series));
    page.add(std::move(made), selection.has_orientation ? report::Width::half : report::Width::full);
  };
  left("Position", "mm", residuals.position, 1e3);
  if (selection.has_orientation) left("Orientation", "deg", residuals.angle, math::degrees(1.0));
}

report::Facts facts_of(const Selection& selection, const Observations& observations) {
  const JointFit& fit = selection.best().fit;
  report::Facts facts;
  facts.facts = {
      report::number_fact("frames", static_cast<double>(observations.poses.size())),
      report::number_fact("worth independent frames", selection.independent_frames),
      report::number_fact("frames apart from the joint", fit.outliers),
      report::number_fact("noise of the relative position", 1e3 * fit.noise.position, "mm"),
  };
  if (selection.has_orientation)
    facts.facts.push_back(
        report::number_fact("noise of the relative orientation", math::degrees(fit.noise.angle), "deg"));
  if (fit.deviations.axis_F)
    facts.facts.push_back(
        report::number_fact("standard deviation of the axis", math::degrees(*fit.deviations.axis_F), "deg"));
  if (fit.deviations.point_F)
    facts.facts.push_back(
        report::number_fact("standard deviation of its place", 1e3 * *fit.deviations.point_F, "mm"));
  if (fit.joint.type == model::JointType::screw)
    facts.facts.push_back(report::number_fact("pitch", 1e3 * fit.joint.pitch, "mm/rad"));
  return facts;
}

}  // namespace

report::Page joint_page(const Selection& selection, const Observations& observations,
                        const std::string& source) {
  report::Page page("How does one part move in another?");
  page.set_subtitle(source);
  const bool fitted = is_fitted(selection);
  std::string verdict = "'" + selection.moving + "' in '" + fixed_name(selection) + "': ";
  if (selection.status == SelectionStatus::ok)
    verdict += std::string("a ") + to_string(selection.best().type) + " joint";
  else
    verdict += "not determined; " + selection.reason;
  page.set_verdict(selection.status == SelectionStatus::ok ? report::Verdict::good : report::Verdict::note,
                   verdict + ".");
  std::optional<report::SceneIndex> scene;
  if (fitted) scene = page.add(scene_of(selection, observations));
  page.add_heading("Candidates");
  page.add(candidate_table(selection));
  if (fitted) {
    page.add_heading("States over time");
    add_plots(page, selection, observations, *scene);
    page.add_heading("What else was found");
    page.add(facts_of(selection, observations));
  }
  std::string sentences;
  for (const std::string& note : selection.notes) sentences += "- " + note + "\n";
  if (!sentences.empty()) page.add_text(sentences);
  return page;
}

std::string joint_states_csv(const Selection& selection, const Observations& observations) {
  const auto number = [](double value) { return std::isfinite(value) ? math::number_text(value, 17) : ""; };
  if (!is_fitted(selection)) return "t\n";
  const JointFit& fit = selection.best().fit;
  const int freedom = freedoms(fit.joint.type, fit.has_orientation);
  std::string csv = "t";
  for (int k = 0; k < freedom; ++k) csv += ",q" + std::to_string(k);
  csv += selection.has_orientation ? ",residual_m,residual_rad,weight\n" : ",residual_m,weight\n";
  const Residuals residuals = residuals_of(selection, observations);
  for (std::size_t t = 0; t < observations.times.size(); ++t) {
    csv += math::number_text(observations.times[t], 17);
    for (int k = 0; k < freedom; ++k)
      csv += "," + (t < fit.states.size() && fit.states[t] ? number((*fit.states[t])[k]) : std::string());
    csv += "," + number(residuals.position[t]);
    if (selection.has_orientation) csv += "," + number(residuals.angle[t]);
    csv += "," + number(residuals.weight[t]) + "\n";
  }
  return csv;
}

}  // namespace prehend::articulation
