#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/articulation/discovered_files.h>
#include <prehend/articulation/pages.h>
#include <prehend/math/angles.h>

namespace prehend::articulation {
namespace {

using model::JointType;

std::string joint_name(const Discovery& discovery, const DiscoveredJoint& joint) {
  return discovery.name(joint.parent) + " - " + discovery.name(joint.child);
}

// Pose of each group in the world of the root's first pose, by the model where it knows, held where it does not.
report::Motion motion_of(const Discovery& discovery, const math::Pose& X_WRoot,
                         const std::vector<std::vector<report::BodyIndex>>& bodies) {
  report::Motion motion;
  motion.name = "as seen";
  motion.note = "Every part where its joints and states put it; the root stands still.";
  motion.times = discovery.times;
  motion.playback = report::Motion::Playback::loop;
  std::vector<math::Pose> last(discovery.groups.size());
  std::vector<std::vector<math::Pose>> X(discovery.groups.size());
  for (std::size_t t = 0; t < discovery.times.size(); ++t) {
    const auto placed = discovery.placed(static_cast<int>(t));
    for (std::size_t g = 0; g < last.size(); ++g) {
      if (placed[g]) last[g] = *placed[g];
      X[g].push_back(X_WRoot * last[g]);
    }
  }
  // A part that is not seen in the first frames begins where it is first seen.
  for (std::size_t g = 0; g < last.size(); ++g) {
    std::size_t first = 0;
    while (first < X[g].size() && !discovery.placed(static_cast<int>(first))[g]) ++first;
    for (std::size_t t = 0; t < first && first < X[g].size(); ++t) X[g][t] = X[g][first];
    for (std::size_t k = 0; k < bodies[g].size(); ++k) {
      report::BodyTrack track{bodies[g][k], {}};
      for (const math::Pose& pose : X[g])
        track.X_WB.push_back(pose * discovery.X_RP[discovery.groups[g].parts[k]]);
      motion.tracks.push_back(std::move(track));
    }
  }
  return motion;
}

// From each part to the joints that it carries: what holds on to what.
void add_links(report::Scene3d& scene, const Discovery& discovery,
               const std::vector<std::vector<report::BodyIndex>>& bodies) {
  for (const DiscoveredJoint& joint : discovery.joints) {
    if (joint.joint.type == JointType::free) continue;
    const auto add = [&](int group, const Eigen::Vector3d& to) {
      report::Polyline line;
      line.name = "links";
      line.points = {Eigen::Vector3d::Zero(), to};
      line.body = bodies[group].front();
      line.hover = discovery.name(group);
      line.colour = report::palette_colour(static_cast<std::size_t>(group));
      line.width_px = 5.0;
      if (to.norm() > 0) scene.lines.push_back(std::move(line));
    };
    add(joint.parent, joint.joint.point_F().value_or(joint.joint.X_FJ.p()));
    add(joint.child, joint.joint.point_M().value_or(joint.joint.X_MJ.p()));
  }
}

void add_axes(report::Scene3d& scene, const Discovery& discovery,
              const std::vector<std::vector<report::BodyIndex>>& bodies, double length) {
  for (std::size_t j = 0; j < discovery.joints.size(); ++j) {
    const DiscoveredJoint& joint = discovery.joints[j];
    const auto axis = joint.joint.axis_F();
    if (!axis) continue;
    const Eigen::Vector3d point = joint.joint.point_F().value_or(joint.joint.X_FJ.p());
    report::Polyline line;
    line.name = "axes";
    line.points = {point - 0.5 * length * *axis, point + 0.5 * length * *axis};
    line.body = bodies[joint.parent].front();
    line.hover = joint_name(discovery, joint) + ": " + to_string(joint.joint.type);
    line.colour = report::colour_from_hex(report::kForceOrange);
    line.width_px = 3.0;
    scene.lines.push_back(std::move(line));
  }
}

report::Table joint_table(const Discovery& discovery) {
  report::Table table;
  table.caption =
      "Joints; the margin is how far the type is ahead of the next one (3 nats: 20 to 1); the simplest joint "
      "keeps its "
      "place until another is clearly ahead";
  table.columns = {
      {"parent", "", 4, ""},
      {"child", "", 4, ""},
      {"type", "", 4, ""},
      {"travel", "", 4, "largest state seen less the smallest; the first where there are several"},
      {"leaves", "mm", 3, "root mean square per axis"},
      {"leaves", "deg", 3, "root mean square per axis"},
      {"margin", "nats", 4, ""},
      {"next type", "", 4, ""},
      {"axis known to", "deg", 3, "standard deviation, in the parent"},
      {"its place to", "mm", 3, "standard deviation, in the parent"},
      {"what is not determined", "", 4, ""}};
  for (const DiscoveredJoint& joint : discovery.joints) {
    const std::vector<StateName> names = state_names(joint.joint.type);
    report::Cell travel;
    if (!names.empty() && joint.lower.size() > 0) {
      const double range = joint.upper[0] - joint.lower[0];
      char text[60];
      std::snprintf(text, sizeof text, names[0].is_angle ? "%.4g deg" : "%.4g m",
                    names[0].is_angle ? math::degrees(range) : range);
      travel = std::string(text);
    }
    table.rows.push_back(
        {discovery.name(joint.parent), discovery.name(joint.child), std::string(to_string(joint.joint.type)),
         travel, 1e3 * joint.rms_position, math::degrees(joint.rms_angle), joint.margin,
         joint.types.size() > 1 ? report::Cell(std::string(to_string(joint.types[1].type))) : report::Cell(),
         joint.deviations.axis_F ? report::Cell(math::degrees(*joint.deviations.axis_F)) : report::Cell(),
         joint.deviations.point_F ? report::Cell(1e3 * *joint.deviations.point_F) : report::Cell(),
         joint.reason});
  }
  return table;
}

void add_plots(report::Page& page, const Discovery& discovery, report::SceneIndex scene) {
  std::vector<report::Plot> plots;
  for (const bool angles : {true, false}) {
    report::Plot plot;
    plot.title = angles ? "Angles" : "Shifts";
    plot.y_label = angles ? "angle" : "shift";
    plot.y_unit = angles ? "deg" : "m";
    plot.x = discovery.times;
    plot.scene = scene;
    for (const DiscoveredJoint& joint : discovery.joints) {
      const std::vector<StateName> names = state_names(joint.joint.type);
      for (std::size_t k = 0; k < names.size(); ++k) {
        if (names[k].is_angle != angles) continue;
        report::Series series;
        series.name = joint_name(discovery, joint) + (names.size() > 1 ? ", " + names[k].name : "");
        for (const auto& q : joint.states) {
          const double value = q ? (*q)[static_cast<Eigen::Index>(k)] * (angles ? math::degrees(1.0) : 1.0)
                                 : std::numeric_limits<double>::quiet_NaN();
          series.y.push_back(std::abs(value) < 1e-9 ? 0.0 : value);  // the first frame's zero
        }
        plot.series.push_back(std::move(series));
      }
    }
    if (!plot.series.empty()) plots.push_back(std::move(plot));
  }
  const report::Width width = plots.size() > 1 ? report::Width::half : report::Width::full;
  for (report::Plot& plot : plots) page.add(std::move(plot), width);
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

report::Scene3d scene_of(const Discovery& discovery) {
  // The same boxes as in the files.
  const model::Scene model_scene = discovered_scene(discovery);
  report::Scene3d scene;
  scene.caption =
      "The object as discovered; red lines are the axes of its joints, bars lead from each part to them.";
  std::vector<std::vector<report::BodyIndex>> bodies(discovery.groups.size());
  const math::Pose X_WRoot = model_scene.bodies[1].X_WB;
  double side = 0.1;
  for (std::size_t g = 0; g < discovery.groups.size(); ++g) {
    const model::Body& body = model_scene.bodies[g + 1];
    side = body.geoms.front().shape.size.x();
    for (std::size_t k = 0; k < body.geoms.size(); ++k) {
      report::SceneBody drawn;
      drawn.name = discovery.parts[discovery.groups[g].parts[k]];
      drawn.mesh_B = body.geoms[k].mesh;
      drawn.X_WB = body.X_WB * body.geoms[k].X_BG;
      drawn.colour = report::palette_colour(g);
      bodies[g].push_back(scene.add_body(std::move(drawn)));
    }
  }
  add_links(scene, discovery, bodies);
  add_axes(scene, discovery, bodies, 4 * side);
  if (!discovery.joints.empty() && discovery.times.size() > 1)
    scene.initial_motion = scene.add_motion(motion_of(discovery, X_WRoot, bodies));
  return scene;
}

report::Facts facts_of(const Discovery& discovery) {
  report::Facts facts;
  facts.facts = {
      report::number_fact("noise of a tracked position", 1e3 * discovery.noise.position, "mm"),
      report::number_fact("noise of a tracked orientation", math::degrees(discovery.noise.angle), "deg")};
  for (const RigidGroup& group : discovery.groups) {
    if (group.parts.size() < 2) continue;
    std::string names;
    for (const int part : group.parts) names += (names.empty() ? "" : ", ") + discovery.parts[part];
    facts.facts.push_back({"rigid group", names, "", "features that never move against each other"});
  }
  for (const Loop& loop : discovery.loops) {
    std::string names;
    for (const int group : loop.groups) names += (names.empty() ? "" : ", ") + discovery.name(group);
    facts.facts.push_back({"loop", names + "; closed by a " + to_string(loop.joint.type) + " joint", "",
                           "takes " + std::to_string(loop.constraints) + " freedoms away"});
  }
  return facts;
}

}  // namespace

report::Page discovery_page(const Discovery& discovery, const std::string& source) {
  report::Page page("How do its parts move?");
  page.set_subtitle(source);
  std::string verdict = counted(discovery.groups.size(), "part, ", "parts, ") +
                        counted(discovery.joints.size(), "joint, ", "joints, ") +
                        counted(static_cast<std::size_t>(discovery.degrees_of_freedom), "degree of freedom",
                                "degrees of freedom");
  if (!discovery.loops.empty())
    verdict += ", " + counted(discovery.loops.size(), "closed loop", "closed loops");
  for (const std::string& reason : discovery.reasons) verdict += "; " + reason;
  page.set_verdict(discovery.status == DiscoveryStatus::ok ? report::Verdict::good : report::Verdict::note,
                   verdict + ".");
  const report::SceneIndex index = page.add(scene_of(discovery));
  if (!discovery.joints.empty()) {
    page.add_heading("Joints");
    page.add(joint_table(discovery));
    page.add_heading("States over time");
    add_plots(page, discovery, index);
  }
  page.add_heading("What else was found");
  page.add(facts_of(discovery));
  std::string sentences;
  const auto add_sentence = [&](const std::string& sentence) { sentences += "- " + sentence + "\n"; };
  for (const std::string& sentence : loops_left_open_in_urdf(discovery))
    add_sentence("object.urdf: " + sentence);
  for (const std::string& note : discovery.notes) add_sentence(note);
  if (!sentences.empty()) page.add_text(sentences);
  return page;
}

}  // namespace prehend::articulation
