#include <algorithm>
#include <cstdio>

#include <prehend/math/angles.h>
#include <prehend/math/so3.h>
#include <prehend/observation/pages.h>

namespace prehend::observation {
namespace {

// [s] Between the poses and forces that the page keeps.
constexpr double kShown = 0.04;

std::string states_of(int from, int to) {
  return from == to ? "along " + std::to_string(to) : std::to_string(from) + " to " + std::to_string(to);
}

// The bodies where they truly are, the motion, and the force on the moving body at its middle.
report::SceneIndex add_execution(const BodyPair& pair, const Execution& done, report::Page& page) {
  report::Scene3d scene;
  report::SceneBody fixed, moving;
  fixed.name = "fixed part";
  fixed.mesh_B = pair.fixed().mesh();
  fixed.X_WB = done.errors.X_WF;
  fixed.colour = report::colour_from_hex(report::kGrey);
  fixed.opacity = 0.6;
  scene.add_body(std::move(fixed));
  moving.name = "moving part";
  moving.mesh_B = pair.moving().mesh();
  moving.X_WB = done.samples.back().X_WM;
  moving.colour = report::palette_colour(0);
  moving.opacity = 0.9;
  const report::BodyIndex body = scene.add_body(std::move(moving));
  report::ArrowLayer forces;
  forces.name = "contact force";
  forces.scale = 0.1 * pair.size();  // [m/N]
  scene.arrows.push_back(std::move(forces));
  report::Motion motion;
  motion.name = "execution";
  report::BodyTrack track{body, {}};
  report::ArrowTrack arrows;
  const geometry::Aabb box = geometry::bounding_box(pair.moving().vertices());
  const Eigen::Vector3d middle_M = 0.5 * (box.lower + box.upper);
  double next = 0.0;
  for (const ExecutionSample& sample : done.samples) {
    if (sample.t_s < next) continue;
    next = sample.t_s + kShown;
    motion.times.push_back(sample.t_s);
    track.X_WB.push_back(sample.X_WM);
    arrows.arrows.push_back({{sample.X_WM * middle_M, sample.f_W, ""}});
  }
  motion.tracks.push_back(std::move(track));
  motion.arrow_tracks.push_back(std::move(arrows));
  scene.initial_motion = scene.add_motion(std::move(motion));
  scene.caption =
      "The moving part in the engine, and the force that the fixed part exerts on it, drawn at its middle.";
  return page.add(std::move(scene));
}

report::Timeline steps_over_time(const Execution& done, report::SceneIndex scene) {
  report::Timeline strip;
  strip.caption = "Steps between the states, and why each ended. Outlines: blocked, and tried again.";
  strip.scene = scene;
  strip.rows = {{"states", {}}, {"ended by", {}}};
  for (const ExecutedStep& step : done.steps) {
    const report::Colour colour = report::palette_colour(static_cast<std::size_t>(step.step));
    const bool is_blocked = step.end == StepEnd::blocked;
    strip.rows[0].bars.push_back({states_of(step.from, step.to), step.t0_s, step.t1_s, colour, is_blocked});
    strip.rows[1].bars.push_back({to_string(step.end), step.t0_s, step.t1_s, colour, is_blocked});
  }
  return strip;
}

report::Plot force_plot(const Execution& done, report::SceneIndex scene) {
  report::Plot plot;
  plot.title = "Force on the moving part";
  plot.y_label = "force";
  plot.y_unit = "N";
  report::Series size, pressed;
  size.name = "size";
  pressed.name = "along the normals of the kept contacts";
  double next = 0.0;
  for (const ExecutionSample& sample : done.samples) {
    if (sample.t_s < next) continue;
    next = sample.t_s + kShown;
    plot.x.push_back(sample.t_s);
    size.y.push_back(sample.f_W.norm());
    pressed.y.push_back(sample.pressed_N);
  }
  plot.series = {std::move(pressed), std::move(size)};
  plot.scene = scene;
  return plot;
}

report::Table steps_table(const Execution& done) {
  report::Table table;
  table.caption = "Steps as they were done";
  table.columns = {{"states", "", 4, ""},
                   {"from", "s", 4, ""},
                   {"to", "s", 4, ""},
                   {"ended by", "", 4,
                    "contact: force rose against the motion; passed: the force on the kept contact fell; "
                    "reached: the end of the "
                    "trajectory; lost: none of these; blocked: force rose where none was to be"},
                   {"advance", "", 3, "of the planned way; above 1 the contact was farther than planned"},
                   {"peak", "N", 3, ""},
                   {"sub-skills", "", 4, ""}};
  for (const ExecutedStep& step : done.steps)
    table.rows.push_back({states_of(step.from, step.to), step.t0_s, step.t1_s, to_string(step.end),
                          step.advance, step.peak_N,
                          done.plan.steps[static_cast<std::size_t>(step.step)].skills.text()});
  return table;
}

report::Table trials_table(const ExecutionTrials& trials) {
  report::Table table;
  table.caption = "Trials: where the fixed part was, other than the robot took it to be, and what came of it";
  table.columns = {{"trial", "", 4, ""},
                   {"shifted", "mm", 3, ""},
                   {"turned", "deg", 3, ""},
                   {"status", "", 4, ""},
                   {"contacts within", "mm", 3, "of the last state, at the true poses"},
                   {"time", "s", 3, ""},
                   {"peak", "N", 3, ""},
                   {"repeated", "", 4, "steps"}};
  for (std::size_t k = 0; k < trials.trials.size(); ++k) {
    const TrialSummary& trial = trials.trials[k];
    table.rows.push_back({static_cast<double>(k), 1e3 * trial.errors.X_WF.p().norm(),
                          math::degrees(math::log_so3(trial.errors.X_WF.q()).norm()), to_string(trial.status),
                          1e3 * trial.end_gap_m, trial.duration_s, trial.peak_N,
                          static_cast<double>(trial.repeated)});
  }
  return table;
}

}  // namespace

report::Page execution_page(const BodyPair& pair, const ExecutionTrials& trials) {
  report::Page page("The demonstration, done again");
  if (trials.first.samples.empty()) {
    page.set_verdict(report::Verdict::bad, "Not executed: " + trials.reason + ".");
    return page;
  }
  char text[200];
  const TrialSummary& first = trials.trials.front();
  if (trials.trials.size() > 1)
    std::snprintf(text, sizeof text, "%d of %zu trials arrived.", trials.arrived, trials.trials.size());
  else
    std::snprintf(text, sizeof text,
                  "%s: the last state's contacts are within %.2f mm, the largest force was %.2f N.",
                  trials.arrived == 1 ? "Arrived" : "Did not arrive", 1e3 * first.end_gap_m, first.peak_N);
  page.set_verdict(trials.status == ExecutionStatus::ok ? report::Verdict::good : report::Verdict::bad, text);
  if (trials.status != ExecutionStatus::ok) page.add_text("Why: " + trials.reason + ".");
  for (const std::string& note : trials.notes) page.add_text("Note: " + note + ".");
  if (trials.trials.size() > 1) page.add_heading("The first trial");
  const report::SceneIndex scene = add_execution(pair, trials.first, page);
  page.add(steps_over_time(trials.first, scene));
  page.add(force_plot(trials.first, scene));
  page.add(steps_table(trials.first));
  if (trials.trials.size() > 1) page.add(trials_table(trials));
  return page;
}

}  // namespace prehend::observation
