#include <algorithm>
#include <cstdio>

#include <prehend/math/angles.h>
#include <prehend/observation/pages.h>
#include <prehend/observation/polyhedron_contacts.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;

std::string letter(std::size_t state) {
  return state < 26 ? std::string(1, static_cast<char>('A' + state)) : std::to_string(state);
}

// A bar per state with its letter, another with its eight numbers; critical transitions are marked.
report::Timeline strip_of(const Watched& watched, report::SceneIndex scene) {
  report::Timeline strip;
  strip.caption =
      "States over time: maintaining, detaching, constraining freedoms in translation and in rotation, then "
      "restricted in both. Outlines: passed between two frames (inferred). Question marks: doubtful.";
  strip.scene = scene;
  strip.rows = {{"state", {}}, {"freedoms", {}}};
  for (std::size_t i = 0; i < watched.states.size(); ++i) {
    const WatchedState& state = watched.states[i];
    const double end = std::max(state.t0_s, state.t1_s);
    strip.rows[0].bars.push_back({letter(i) + (state.doubt.empty() ? "" : "?"), state.t0_s, end,
                                  report::palette_colour(i), state.inferred});
    strip.rows[1].bars.push_back(
        {state.freedom.eight_numbers(), state.t0_s, end, report::palette_colour(i), state.inferred});
  }
  for (const int transition : watched.critical) {
    const WatchedState &a = watched.states[static_cast<std::size_t>(transition)],
                       &b = watched.states[static_cast<std::size_t>(transition) + 1];
    strip.marks.push_back({"critical", 0.5 * (a.t1_s + b.t0_s)});
  }
  return strip;
}

report::Motion motion_of(const std::string& name, report::BodyIndex body, const std::vector<double>& times,
                         const std::vector<math::Pose>& poses) {
  report::Motion motion;
  motion.name = name;
  motion.times = times;
  motion.tracks.push_back({body, poses});
  return motion;
}

// Contact points with their normals, frame by frame.
report::ArrowTrack contact_arrows(const BodyPair& pair, const Watched& watched, double length) {
  report::ArrowTrack track;
  for (const WatchedFrame& frame : watched.frames) {
    std::vector<report::Arrow> arrows;
    const bool touches =
        frame.state >= 0 && !watched.states[static_cast<std::size_t>(frame.state)].contacts.empty();
    if (touches && frame.status == CorrectionStatus::ok) {
      for (const Contact& contact :
           find_contacts(pair.moving(), frame.X_FM, pair.fixed(), math::Pose()).relation.contacts)
        for (const Vector3d& point : contact.points_W)
          for (const Vector3d& normal : contact.normals_W)
            arrows.push_back({point, length * normal, contact.type});
    }
    track.arrows.push_back(std::move(arrows));
  }
  return track;
}

report::SceneIndex add_scene(const BodyPair& pair, const Watched& watched, report::Page& page,
                             std::vector<std::optional<report::MotionIndex>>& of_trajectories) {
  report::Scene3d scene;
  report::SceneBody fixed;
  fixed.name = "fixed part";
  fixed.mesh_B = pair.fixed().mesh();
  fixed.colour = report::colour_from_hex(report::kGrey);
  fixed.opacity = 0.6;
  scene.add_body(std::move(fixed));
  report::SceneBody moving;
  moving.name = "moving part";
  moving.mesh_B = pair.moving().mesh();
  moving.X_WB = watched.frames.back().X_FM;
  moving.colour = report::palette_colour(0);
  moving.opacity = 0.9;
  const report::BodyIndex body = scene.add_body(std::move(moving));
  std::vector<double> times;
  std::vector<math::Pose> corrected, as_seen;
  for (const WatchedFrame& frame : watched.frames) {
    times.push_back(frame.t_s);
    corrected.push_back(frame.X_FM);
    as_seen.push_back(frame.X_FM_seen);
  }
  report::ArrowLayer normals;
  normals.name = "contact normals";
  normals.unit = "";
  normals.colour = report::colour_from_hex(report::kContactGold);
  normals.scale = 1.0;
  scene.arrows.push_back(std::move(normals));
  report::Motion main = motion_of("corrected", body, times, corrected);
  main.arrow_tracks.push_back(contact_arrows(pair, watched, 0.15 * pair.size()));
  scene.initial_motion = scene.add_motion(std::move(main));
  scene.add_motion(motion_of("as seen", body, times, as_seen));
  for (const WatchedTrajectory& trajectory : watched.trajectories) {
    if (trajectory.X_FM.empty()) {
      of_trajectories.push_back(std::nullopt);
      continue;
    }
    std::vector<double> clock;
    for (std::size_t i = 0; i < trajectory.X_FM.size(); ++i)
      clock.push_back(2.0 * static_cast<double>(i) / static_cast<double>(trajectory.X_FM.size() - 1));
    of_trajectories.push_back(
        scene.add_motion(motion_of("planned: " + letter(static_cast<std::size_t>(trajectory.from)) + " to " +
                                       letter(static_cast<std::size_t>(trajectory.to)),
                                   body, clock, trajectory.X_FM)));
  }
  scene.caption =
      "The demonstration, corrected or as it was seen; arrows are the normals of the fixed part's contacts.";
  return page.add(std::move(scene));
}

// A single state has no rival, and an inferred one no frames.
report::Cell margin_of(const Watched& watched, const WatchedState& state) {
  if (state.inferred || watched.states.size() == 1 || watched.method == WatchMethod::source)
    return std::string();
  constexpr double kAny = 100.0;  // [nats] certain, whatever more
  if (state.margin > kAny) return std::string("> 100");
  return state.margin;
}

report::Table states_table(const Watched& watched) {
  report::Table table;
  table.caption = "States, and what was done from each to the next (A is state 0 of the answer, B state 1)";
  table.columns = {
      {"state", "", 4, ""},
      {"from", "s", 4, ""},
      {"to", "s", 4, ""},
      {"contacts", "", 4, "feature of the moving part, then of the fixed one"},
      {"freedoms", "", 4,
       "maintaining, detaching, constraining in translation and in rotation; restricted in both"},
      {"kind", "", 4, ""},
      {"margin", "nats", 2,
       "by how much less probable the best sequence without this state is; 6 nats: 400 times"},
      {"then", "", 4, "sub-skills that lead to the next state"}};
  for (std::size_t i = 0; i < watched.states.size(); ++i) {
    const WatchedState& state = watched.states[i];
    std::string kind = state.freedom.singular ? "singular" : "";
    if (state.inferred) kind += kind.empty() ? "inferred" : ", inferred";
    if (!state.doubt.empty()) kind += kind.empty() ? "doubtful" : ", doubtful";
    table.rows.push_back(
        {letter(i), state.t0_s, state.t1_s, state.contacts_text(), state.freedom.eight_numbers(), kind,
         margin_of(watched, state),
         i < watched.transitions.size() ? watched.transitions[i].skills.text() : std::string()});
  }
  return table;
}

// "8 states, from free to face-face, face-face; critical: from F to G"
std::string headline_of(const Watched& watched) {
  if (watched.states.empty()) return "No state was found";
  if (watched.states.size() == 1) return "One state: " + watched.states.front().contacts_text();
  std::string text = std::to_string(watched.states.size()) + " states, from " +
                     watched.states.front().contacts_text() + " to " + watched.states.back().contacts_text();
  for (std::size_t i = 0; i < watched.critical.size(); ++i) {
    const auto from = static_cast<std::size_t>(watched.critical[i]);
    text += (i == 0 ? "; critical: from " : ", from ") + letter(from) + " to " + letter(from + 1);
  }
  return text;
}

report::Plot corrections_plot(const Watched& watched, report::SceneIndex scene, bool is_turn) {
  report::Plot plot;
  plot.title = is_turn ? "Turned by the correction" : "Moved by the correction";
  plot.y_label = is_turn ? "turn" : "shift";
  plot.y_unit = is_turn ? "deg" : "mm";
  report::Series series;
  series.name = plot.y_label;
  for (const WatchedFrame& frame : watched.frames) {
    plot.x.push_back(frame.t_s);
    series.y.push_back(is_turn ? math::degrees(frame.turned_rad) : 1e3 * frame.moved_m);
  }
  plot.series.push_back(std::move(series));
  plot.scene = scene;
  return plot;
}

}  // namespace

report::Page watch_page(const BodyPair& pair, const Watched& watched) {
  report::Page page("What did the person assemble?");
  if (watched.status == WatchStatus::overlapping) {
    page.set_verdict(report::Verdict::bad, watched.reason);
    return page;
  }
  const bool is_sure = watched.status == WatchStatus::ok;
  page.set_verdict(is_sure ? report::Verdict::good : report::Verdict::note,
                   headline_of(watched) +
                       (is_sure ? "." : "; doubtful: other states explain the recording about as well."));
  for (std::size_t i = 0; i < watched.states.size(); ++i)
    if (!watched.states[i].doubt.empty())
      page.add_text("State " + letter(i) + " is doubtful: " + watched.states[i].doubt + ".");
  for (const std::string& doubt : watched.doubts) page.add_text("The sequence is doubtful: " + doubt + ".");
  std::vector<std::optional<report::MotionIndex>> motions;
  const report::SceneIndex scene = add_scene(pair, watched, page, motions);
  page.add(strip_of(watched, scene));
  page.add(states_table(watched));
  if (!watched.trajectories.empty()) {
    report::Table table;
    table.caption = "Planned trajectories: choose one to see it";
    table.columns = {{"from", "", 4, ""}, {"to", "", 4, ""}, {"poses", "", 4, ""}, {"note", "", 4, ""}};
    for (std::size_t i = 0; i < watched.trajectories.size(); ++i) {
      const WatchedTrajectory& path = watched.trajectories[i];
      table.rows.push_back({letter(static_cast<std::size_t>(path.from)),
                            letter(static_cast<std::size_t>(path.to)), static_cast<double>(path.X_FM.size()),
                            path.note});
      report::RowLink link;
      link.motion = motions[i];
      table.links.push_back(link);
    }
    table.scene = scene;
    page.add(std::move(table));
  }
  page.add_heading("Corrections");
  page.add(corrections_plot(watched, scene, false), report::Width::half);
  page.add(corrections_plot(watched, scene, true), report::Width::half);
  char text[160];
  std::snprintf(text, sizeof text, "Noise per axis, %s: %.3g mm and %.3g degrees.",
                watched.noise_was_given ? "as given" : "estimated", 1e3 * watched.noise.position,
                math::degrees(watched.noise.angle));
  page.add_text(text);
  if (watched.noise_axes)
    page.add_text("The noise differs by direction: " + watched.noise_axes->text() + ".");
  if (watched.offset) {
    std::snprintf(
        text, sizeof text,
        "The track is off by %.3g mm and %.3g degrees all along, as contacts show; that was taken out.",
        1e3 * watched.offset->shift_M.norm(), math::degrees(watched.offset->turn_M.norm()));
    page.add_text(text);
  }
  for (const std::string& note : watched.notes) page.add_text(note);
  return page;
}

}  // namespace prehend::observation
