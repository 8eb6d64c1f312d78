// L, figures A.6, A.7 and A.10: trajectories between the states of the peg, from aligned and unaligned starts.
#include <cstdio>
#include <filesystem>

#include "peg_insertion.h"
#include "recorded_data.h"
#include "reproduction.h"
#include <prehend/math/angles.h>
#include <prehend/model/json_writer.h>
#include <prehend/observation/contact_trajectory.h>
#include <prehend/observation/watch.h>

namespace prehend::reproduce {
namespace {

using observation::ContactTrajectory;

constexpr int kPoses = 50;

void tell(const ContactTrajectory& path, const std::string& name, Reproduction& result, model::JsonWriter& json, bool& agrees) {
  const bool is_good = path.status == observation::TrajectoryStatus::ok && path.kept_m <= 1e-9;
  agrees = agrees && is_good;
  char line[240];
  std::snprintf(line, sizeof line, "  %s: %s, turn %.2f deg about %d axes, shift %.2f mm, relation kept to %.1e m%s%s\n", name.c_str(),
                to_string(path.status), math::degrees(path.turn_rad), path.turns, 1e3 * path.shift_m, path.kept_m,
                path.note.empty() ? "" : "; ", path.note.c_str());
  result.text += line;
  json.object().field("transition", name).field("status", to_string(path.status)).field("turn_deg", math::degrees(path.turn_rad));
  json.field("shift_mm", 1e3 * path.shift_m).field("kept_m", path.kept_m).field("axes", path.turns).end();
}

void add_to_scene(const ContactTrajectory& path, const std::string& name, report::BodyIndex body, report::Scene3d& scene) {
  if (path.X_FM.empty()) return;
  report::Motion motion;
  motion.name = name;
  for (std::size_t i = 0; i < path.X_FM.size(); ++i) motion.times.push_back(0.04 * static_cast<double>(i));
  motion.tracks.push_back({body, path.X_FM});
  scene.add_motion(std::move(motion));
}

// Each transition starts where the former ended.
Reproduction planned(const std::string& id, double roll, std::size_t first, std::size_t last) {
  const observation::BodyPair pair(geometry::Polyhedron::from_mesh(peg_mesh()), geometry::Polyhedron::from_mesh(hole_mesh()));
  const std::vector<PegState> states = peg_states(roll);
  Reproduction result;
  result.page = report::Page("From one contact state to the next");
  result.page.set_subtitle("Takamatsu 2004, figure " + id.substr(4) + ", and here");
  model::JsonWriter json;
  json.object().field("id", id).key("trajectories").array();
  report::Scene3d scene;
  report::SceneBody fixed, moving;
  fixed.name = "hole";
  fixed.mesh_B = hole_mesh();
  fixed.opacity = 0.6;
  scene.add_body(std::move(fixed));
  moving.name = "peg";
  moving.mesh_B = peg_mesh();
  moving.colour = report::palette_colour(0);
  const report::BodyIndex body = scene.add_body(std::move(moving));
  bool agrees = true;
  math::Pose here = states[first].X_FM;
  for (std::size_t i = first; i < last; ++i) {
    const auto contacts_of = [&](std::size_t k) { return pair.contacts_at(states[k].X_FM, pair.touch_tolerance()); };
    const std::string name = std::string(1, states[i].name) + " to " + states[i + 1].name;
    const ContactTrajectory path = plan_trajectory(pair, {contacts_of(i), here}, {contacts_of(i + 1), states[i + 1].X_FM}, kPoses);
    tell(path, name, result, json, agrees);
    add_to_scene(path, name, body, scene);
    if (!path.X_FM.empty()) here = path.X_FM.back();
  }
  if (!scene.motions.empty()) scene.initial_motion = report::MotionIndex(0);
  result.page.add(std::move(scene));
  result.page.set_verdict(agrees ? report::Verdict::good : report::Verdict::bad,
                          agrees ? "Every transition has a path that keeps its contacts." : "A transition has no path.");
  result.json = json.end().field("agrees", agrees).end().text();
  return result;
}

}  // namespace

Reproduction figure_a_6(const ReproduceOptions& options) {
  options.validate();
  return planned("fig-A.6", 0.0, 0, 7);
}

Reproduction figure_a_10(const ReproduceOptions& options) {
  options.validate();
  return planned("fig-A.10", 0.3, 0, 2);
}

Reproduction figure_a_7(const ReproduceOptions& options) {
  options.validate();
  Reproduction result = planned("fig-A.7", 0.0, 4, 5);
  const std::string folder = recorded_data(options.data);
  if (!std::filesystem::exists(folder + "/peg_in_hole/peg_in_hole.pose.list")) {
    result.text += "The published recording is not in " + folder + "/peg_in_hole: --data names its folder\n";
    return result;
  }
  const observation::BodyPair pair(geometry::Polyhedron::from_mesh(peg_mesh()), geometry::Polyhedron::from_mesh(hole_mesh()));
  observation::WatchOptions watch_options;
  watch_options.plan = kPoses;
  const observation::Watched watched = observation::watch(pair, recorded_insertion(folder), watch_options);
  for (std::size_t i = 0; i < watched.states.size() && i < watched.trajectories.size(); ++i) {
    if (watched.states[i].freedom.eight_numbers() != "120 120 22") continue;
    const int seen = watched.states[i].last_frame - watched.states[i].first_frame + 1;
    result.text += "From the recording: " + std::to_string(seen) + " scenes observed in the state before, " +
                   std::to_string(watched.trajectories[i].X_FM.size()) + " poses planned to the next\n";
  }
  return result;
}

}  // namespace prehend::reproduce
