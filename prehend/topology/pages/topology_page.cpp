#include <algorithm>
#include <cmath>
#include <cstdio>

#include <prehend/math/angles.h>
#include <prehend/topology/evidence/error_history.h>
#include <prehend/topology/pages.h>

namespace prehend::topology {
namespace {

using model::JointType;

// Frames of the film: enough for 30 a second over ten seconds.
constexpr std::size_t kMostFrames = 300;

std::vector<std::size_t> film_rows(const Recording& recording) {
  const std::size_t step = std::max<std::size_t>(1, recording.rows() / kMostFrames);
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < recording.rows(); k += step) rows.push_back(k);
  return rows;
}

struct DrawnObject {
  report::Scene3d scene;
  std::vector<report::BodyIndex> first;  // of each link
  double size{0.1};                      // [m]
};

DrawnObject draw(const model::Scene& found, const ArticulatedObject& object, const Recording& recording,
                 const std::vector<std::size_t>& rows) {
  DrawnObject drawn;
  report::Motion motion;
  motion.name = "as recorded";
  motion.note = "Every link where its recorded pose puts it.";
  motion.playback = report::Motion::Playback::loop;
  for (const std::size_t k : rows) motion.times.push_back(recording.t[k]);
  for (std::size_t i = 0; i < object.links.size(); ++i) {
    const model::Body& body = found.bodies[i + 1];
    for (std::size_t g = 0; g < body.geoms.size(); ++g) {
      report::SceneBody part;
      part.name = g == 0 ? body.name : body.name + " " + std::to_string(g + 1);
      part.mesh_B = body.geoms[g].mesh;
      part.X_WB = recording.X_WL[i].front() * body.geoms[g].X_BG;
      part.colour = report::palette_colour(i);
      part.opacity = 0.85;
      part.properties = {report::number_fact("mass of the link", object.links[i].inertia.mass, "kg")};
      report::BodyTrack track{drawn.scene.add_body(std::move(part)), {}};
      if (g == 0) drawn.first.push_back(track.body);
      for (const std::size_t k : rows) track.X_WB.push_back(recording.X_WL[i][k] * body.geoms[g].X_BG);
      motion.tracks.push_back(std::move(track));
    }
    for (const geometry::Aabb box = geometry::bounding_box(body.geoms[0].mesh.vertices); !box.is_empty();) {
      drawn.size = std::max(drawn.size, (box.upper - box.lower).norm());
      break;
    }
  }
  // Forces of the hands, at the origins of the links they hold.
  for (const bool is_force : {true, false}) {
    report::ArrowLayer layer;
    layer.name = is_force ? "forces of the hands" : "moments of the hands";
    layer.unit = is_force ? "N" : "N m";
    layer.colour = report::colour_from_hex(is_force ? report::kForceOrange : report::kContactGold);
    layer.visible = is_force;
    report::ArrowTrack track{drawn.scene.arrows.size(), {}};
    for (const std::size_t k : rows) {
      std::vector<report::Arrow> arrows;
      for (const HeldLink& held : recording.held) {
        const math::Pose& X = recording.X_WL[static_cast<std::size_t>(held.link)][k];
        const math::Wrench F_W = held.F_L[k].expressed(X.R());
        arrows.push_back({X.p(), is_force ? F_W.force : F_W.moment,
                          "hand on " + object.links[static_cast<std::size_t>(held.link)].name});
      }
      if (track.arrows.empty()) layer.arrows = arrows;
      track.arrows.push_back(std::move(arrows));
    }
    motion.arrow_tracks.push_back(std::move(track));
    drawn.scene.arrows.push_back(std::move(layer));
  }
  drawn.scene.initial_motion = drawn.scene.add_motion(std::move(motion));
  return drawn;
}

// Lines and points stand in the frame of the link's first drawn part.
void add_axes(DrawnObject& drawn, const model::Scene& found, const TopologyResult& result) {
  for (const FoundJoint& joint : result.joints) {
    if (joint.status != TopologyStatus::ok || joint.type == JointType::rigid) continue;
    const auto parent = static_cast<std::size_t>(joint.parent);
    const math::Pose X_GP = found.bodies[parent + 1].geoms[0].X_BG.inverse();
    const articulation::Joint& model = joint.best().joint;
    const Eigen::Vector3d point = model.point_F().value_or(model.X_FJ.p());
    const std::string hover = joint.name + ": " + joint.type_text();
    if (const auto axis = model.axis_F()) {
      report::Polyline line;
      line.name = "axes";
      const Eigen::Vector3d half = 0.6 * drawn.size * *axis;
      line.points = {X_GP * (point - half), X_GP * (point + half)};
      line.body = drawn.first[parent];
      line.hover = hover;
      line.colour = report::colour_from_hex(report::kForceOrange);
      line.width_px = 3.0;
      drawn.scene.lines.push_back(std::move(line));
    } else {
      report::PointLayer centre;
      centre.name = "centres of balls";
      centre.points = {X_GP * point};
      centre.body = drawn.first[parent];
      centre.hover = {hover};
      drawn.scene.points.push_back(std::move(centre));
    }
  }
}

report::Table evidence_table(const TopologyResult& result) {
  report::Table table;
  table.caption =
      "What the wrenches add. Evidence in nats behind the best hypothesis of its kind (3 nats: 20 to 1); the "
      "poses alone, the balance of the "
      "total momentum, and what the joint transmits.";
  table.columns = {
      {"joint", "", 4, ""},
      {"hypothesis", "", 4, ""},
      {"by poses alone", "", 4, "probability with the poses alone"},
      {"with wrenches", "", 4, "probability with all evidence"},
      {"poses", "nats", 4, ""},
      {"momentum", "nats", 4, ""},
      {"transmitted", "nats", 4, ""},
      {"error", "", 5, "sum over samples of |wrench - momentum rate|, (14) and (15) of Tirupachuri et al."}};
  for (const FoundJoint& joint : result.joints) {
    double poses = -1e300, momentum = -1e300, transmitted = -1e300;
    for (const JointHypothesis& h : joint.hypotheses) {
      poses = std::max(poses, h.kinematic);
      momentum = std::max(momentum, h.momentum);
      transmitted = std::max(transmitted, h.transmitted);
    }
    for (const JointHypothesis& h : joint.hypotheses)
      table.rows.push_back({joint.name, std::string(hypothesis_name(h.type)), h.kinematic_posterior,
                            h.posterior, h.kinematic - poses, h.momentum - momentum,
                            h.transmitted - transmitted, h.error});
  }
  return table;
}

report::Table joint_table(const TopologyResult& result, const ArticulatedObject& object) {
  report::Table table;
  table.columns = {{"joint", "", 4, ""},
                   {"parent", "", 4, ""},
                   {"child", "", 4, ""},
                   {"type", "", 4, ""},
                   {"posterior", "", 5, ""},
                   {"travel", "", 4, ""},
                   {"axis uncertain by", "deg", 3, "standard deviation"},
                   {"point uncertain by", "mm", 3, "standard deviation"}};
  for (const FoundJoint& joint : result.joints) {
    char travel[60] = "";
    if (joint.status == TopologyStatus::ok && joint.type != JointType::rigid)
      std::snprintf(travel, sizeof travel, joint.type == JointType::prismatic ? "%.4g m" : "%.4g deg",
                    joint.type == JointType::prismatic ? joint.travel : math::degrees(joint.travel));
    table.rows.push_back({joint.name, object.links[static_cast<std::size_t>(joint.parent)].name,
                          object.links[static_cast<std::size_t>(joint.child)].name, joint.type_text(),
                          joint.best().posterior, std::string(travel), math::degrees(joint.axis_deviation),
                          1e3 * joint.point_deviation});
  }
  return table;
}

void add_errors(report::Page& page, const ErrorHistory& history, const TopologyResult& result,
                report::SceneIndex scene) {
  page.add_heading("Errors over time");
  if (history.t.empty()) {
    page.add_text(
        "What the world exerts on the fixed base is not recorded, so the momentum of the whole object says "
        "nothing.");
    return;
  }
  page.add_text(
      "Sum over the samples so far of the gap between wrench and rate of momentum, per hypothesis, the other "
      "joints at their likeliest: "
      "the right hypothesis stays low.");
  for (std::size_t j = 0; j < result.joints.size(); ++j) {
    report::Plot plot;
    plot.title = result.joints[j].name;
    plot.y_label = "error";
    plot.logarithmic_y = true;  // some hypotheses are off by powers of ten
    plot.x = history.t;
    plot.scene = scene;
    for (std::size_t m = 0; m < history.error[j].size(); ++m)
      plot.series.push_back(
          {hypothesis_name(result.joints[j].hypotheses[m].type),
           {},
           history.error[j][m],
           report::Series::Style::line,
           report::palette_colour(static_cast<std::size_t>(result.joints[j].hypotheses[m].type))});
    page.add(std::move(plot), report::Width::half);
  }
}

void add_states(report::Page& page, const TopologyResult& result, const Recording& recording,
                const std::vector<std::size_t>& rows, report::SceneIndex scene) {
  std::vector<report::Plot> plots;
  for (const bool angles : {true, false}) {
    report::Plot plot;
    plot.title = angles ? "Angles" : "Shifts";
    plot.y_label = angles ? "angle" : "shift";
    plot.y_unit = angles ? "deg" : "m";
    plot.scene = scene;
    for (const std::size_t k : rows) plot.x.push_back(recording.t[k]);
    for (const FoundJoint& joint : result.joints) {
      if (joint.status != TopologyStatus::ok || joint.states.empty()) continue;
      if (angles == (joint.type == JointType::prismatic)) continue;
      report::Series series;
      series.name = joint.name;
      for (const std::size_t k : rows)
        series.y.push_back(angles ? math::degrees(joint.states[k]) : joint.states[k]);
      plot.series.push_back(std::move(series));
    }
    if (!plot.series.empty()) plots.push_back(std::move(plot));
  }
  if (plots.empty()) return;
  page.add_heading("States over time");
  for (report::Plot& plot : plots)
    page.add(std::move(plot), plots.size() > 1 ? report::Width::half : report::Width::full);
}

void add_wrenches(report::Page& page, const ArticulatedObject& object, const Recording& recording,
                  const std::vector<std::size_t>& rows, report::SceneIndex scene) {
  page.add_heading("Wrenches of the hands");
  for (const bool is_force : {true, false}) {
    report::Plot plot;
    plot.title = is_force ? "Forces" : "Moments about the link's origin";
    plot.y_label = is_force ? "force" : "moment";
    plot.y_unit = is_force ? "N" : "N m";
    plot.scene = scene;
    for (const std::size_t k : rows) plot.x.push_back(recording.t[k]);
    for (const HeldLink& held : recording.held) {
      for (int a = 0; a < 3; ++a) {
        report::Series series;
        series.name = object.links[static_cast<std::size_t>(held.link)].name + " " + "xyz"[a];
        for (const std::size_t k : rows)
          series.y.push_back(is_force ? held.F_L[k].force[a] : held.F_L[k].moment[a]);
        plot.series.push_back(std::move(series));
      }
    }
    page.add(std::move(plot), report::Width::half);
  }
}

}  // namespace

report::Page topology_page(const model::Scene& found, const ArticulatedObject& object,
                           const Recording& recording, const TopologyResult& result,
                           const std::string& source) {
  report::Page page("Which joints does it have?");
  page.set_subtitle(source);
  std::string verdict;
  for (const FoundJoint& joint : result.joints)
    verdict += (verdict.empty() ? "" : ", ") + joint.name + ": " + joint.type_text();
  if (!result.problems.empty()) verdict += "; " + result.problems.front();
  page.set_verdict(!result.problems.empty() && result.status != TopologyStatus::ok ? report::Verdict::bad
                   : result.status == TopologyStatus::ok                           ? report::Verdict::good
                                                                                   : report::Verdict::note,
                   verdict + ".");
  const std::vector<std::size_t> rows = film_rows(recording);
  DrawnObject drawn = draw(found, object, recording, rows);
  add_axes(drawn, found, result);
  drawn.scene.caption =
      "The object as recorded; arrows are what the hands exert on it, orange lines the axes that were found.";
  const report::SceneIndex scene = page.add(std::move(drawn.scene));
  page.add_heading("Joints");
  page.add(joint_table(result, object));
  std::string reasons;
  for (const FoundJoint& joint : result.joints)
    if (!joint.reason.empty()) reasons += "- **" + joint.name + "**: " + joint.reason + ".\n";
  if (!reasons.empty()) page.add_text("Why a joint is undetermined:\n\n" + reasons);
  page.add(evidence_table(result));
  add_errors(page, error_history(object, recording, result.joints), result, scene);
  add_states(page, result, recording, rows, scene);
  add_wrenches(page, object, recording, rows, scene);
  page.add_heading("What else was found");
  report::Facts facts;
  facts.facts = {
      report::number_fact("noise of a pose's position", 1e3 * result.pose_noise.position, "mm", 3),
      report::number_fact("noise of a pose's orientation", math::degrees(result.pose_noise.angle), "deg", 3),
      report::number_fact("noise of a force", result.force_noise, "N", 3),
      report::number_fact("noise of a moment", result.torque_noise, "N m", 3),
      report::number_fact("balance", result.balance, "", 3),
      report::number_fact("ahead of the next combination", result.score, "nats", 4)};
  for (const std::string& sentence : result.problems) facts.facts.push_back({"problem", sentence, "", ""});
  for (const std::string& sentence : result.notes) facts.facts.push_back({"note", sentence, "", ""});
  page.add(std::move(facts));
  return page;
}

}  // namespace prehend::topology
