// Pages for the tests, the benchmark and the picture in the docs.
#pragma once

#include <algorithm>
#include <limits>
#include <numbers>
#include <string>

#include <prehend/report/page.h>
#include <prehend/report/test/sample_meshes.h>

namespace prehend::report {

// Newtons that a push on the surface would need: weak near the top edges, unbounded where the body below
// holds it.
inline ScalarMap sample_map(const SceneBody& body, double strength) {
  ScalarMap map{"Robustness", "N", {}, {}, {}, false};
  map.labels = {"would slip", "would topple"};
  double low = 1e9, high = -1e9;
  for (const Eigen::Vector3d& v : body.mesh_B.vertices)
    low = std::min(low, v.z()), high = std::max(high, v.z());
  for (const Eigen::Vector3d& v : body.mesh_B.vertices) {
    const double share = (v.z() - low) / (high - low);
    const double wave = 1.0 + 0.25 * std::cos(40.0 * v.x()) * std::cos(40.0 * v.y());
    map.values.push_back(share < 1e-6 ? std::numeric_limits<double>::infinity()
                                      : strength * wave * (1.2 - share));
    map.label_of.push_back(share < 0.5 ? 0 : 1);
  }
  return map;
}

inline SceneBody sample_body(const std::string& name, geometry::TriangleMesh mesh,
                             const Eigen::Vector3d& p_WB, std::size_t colour) {
  SceneBody body;
  body.name = name;
  body.mesh_B = std::move(mesh);
  body.X_WB = math::Pose::translation(p_WB);
  body.colour = palette_colour(colour);
  return body;
}

inline Scene3d sample_scene() {
  Scene3d scene;
  scene.caption = "A stack on a table that is shaken sideways. Colours: the push that each point withstands.";
  SceneBody table = sample_body("table", sample_box({0.6, 0.42, 0.03}), {0.0, 0.0, -0.015}, 0);
  table.colour = colour_from_hex(kGrey);
  table.hover = "fixed";
  scene.add_body(std::move(table));
  scene.add_body(sample_body("lower block", sample_box({0.16, 0.12, 0.08}, 12), {-0.08, 0.0, 0.04}, 0));
  scene.add_body(sample_body("upper block", sample_box({0.12, 0.1, 0.06}, 12), {-0.06, 0.0, 0.11}, 1));
  scene.add_body(sample_body("ring", sample_torus(0.05, 0.018, 72, 36), {-0.06, 0.0, 0.158}, 2));
  scene.add_body(sample_body("ball", sample_ball(0.045, 48, 24), {0.15, 0.05, 0.045}, 3));
  const double masses[] = {0.0, 1.54, 0.72, 0.32, 0.38}, strength[] = {0.0, 8.0, 6.0, 5.0, 3.0};
  for (std::size_t k = 1; k < scene.bodies.size(); ++k) {
    scene.bodies[k].maps.push_back(sample_map(scene.bodies[k], strength[k]));
    scene.bodies[k].hover = "movable";
    scene.bodies[k].properties = {number_fact("mass", masses[k], "kg"), number_fact("friction", 0.6)};
  }
  // One place where the computation gave nothing.
  for (int k = 0; k < 30; ++k)
    scene.bodies[4].maps[0].values[static_cast<std::size_t>(5 * 48 + k)] =
        std::numeric_limits<double>::quiet_NaN();
  scene.frames.push_back({"W", math::Pose::translation({-0.26, -0.17, 0.0}), {}, 0.06});
  PointLayer contacts;
  contacts.name = "Contact points";
  contacts.body = BodyIndex(0);
  ArrowLayer forces;
  forces.name = "Contact forces";
  forces.unit = "N";
  for (const double x : {-0.15, -0.01})
    for (const double y : {-0.055, 0.055}) {
      contacts.points.emplace_back(x, y, 0.015);
      contacts.hover.push_back("table - lower block");
      forces.arrows.push_back({{x, y, 0.0}, {0.4, 0.2 * y, 5.0 + 20.0 * x}, "on lower block"});
    }
  scene.points.push_back(contacts);
  scene.arrows.push_back(forces);
  Polyline outline;
  outline.name = "Support polygon";
  outline.points = {{-0.16, -0.06, 0.016}, {0.0, -0.06, 0.016}, {0.0, 0.06, 0.016}, {-0.16, 0.06, 0.016}};
  outline.closed = true;
  outline.body = BodyIndex(0);
  outline.colour = colour_from_hex(kForceOrange);
  outline.hover = "on the table";
  scene.lines.push_back(outline);
  // A second line of the layer, on the upper block.
  for (Eigen::Vector3d& point : outline.points) point += Eigen::Vector3d(0.0, 0.0, 0.12);
  outline.hover = "higher up";
  scene.lines.push_back(outline);
  return scene;
}

// Four seconds of shaking: everything follows the table, the ball rolls.
inline Motion sample_recording(const Scene3d& scene, int frames) {
  Motion motion;
  motion.name = "Recording";
  ArrowTrack forces;
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) motion.tracks.push_back({BodyIndex(k), {}});
  for (int f = 0; f < frames; ++f) {
    const double t = 0.01 * f, grow = std::min(1.0, t / 2.0),
                 shift = 0.03 * grow * std::sin(2.0 * std::numbers::pi * t);
    motion.times.push_back(t);
    for (BodyTrack& track : motion.tracks) {
      const SceneBody& body = scene.bodies[track.body];
      const bool rolls = body.name == "ball";
      const double own = rolls ? 1.6 * shift : shift, turn = rolls                 ? own / 0.045
                                                             : body.name == "ring" ? 0.5 * grow * std::sin(t)
                                                                                   : 0.0;
      const Eigen::Vector3d axis = rolls ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
      track.X_WB.emplace_back(Eigen::Quaterniond(Eigen::AngleAxisd(turn, axis)),
                              body.X_WB.p() + Eigen::Vector3d(own, 0.0, 0.0));
    }
    std::vector<Arrow> arrows = scene.arrows[0].arrows;
    for (Arrow& arrow : arrows) {
      arrow.point.x() += shift;
      arrow.vector.x() = -80.0 * shift;
    }
    forces.arrows.push_back(std::move(arrows));
  }
  motion.arrow_tracks.push_back(std::move(forces));
  return motion;
}

inline Motion sample_mechanism(const Scene3d& scene) {
  Motion motion;
  motion.name = "Limiting mechanism";
  motion.note = "The upper block topples over its right edge and takes the ring along.";
  motion.playback = Motion::Playback::back_and_forth;
  for (const std::size_t k : {2u, 3u}) motion.tracks.push_back({BodyIndex(k), {}});
  const Eigen::Vector3d edge(0.0, 0.0, 0.08);
  for (int f = 0; f <= 30; ++f) {
    motion.times.push_back(f / 30.0);
    const math::Pose X =
        math::Pose::translation(edge) *
        math::Pose::rotation(Eigen::Quaterniond(Eigen::AngleAxisd(0.012 * f, Eigen::Vector3d::UnitY()))) *
        math::Pose::translation(-edge);
    for (BodyTrack& track : motion.tracks) track.X_WB.push_back(X * scene.bodies[track.body].X_WB);
  }
  return motion;
}

inline Page sample_page(int frames = 401) {
  Page page("Will the stack hold?");
  page.set_subtitle(
      "Four objects on a table: contact forces, robustness and what happens when the table is shaken.");
  page.set_verdict(Verdict::good, "It holds. The weakest place is the ball: 0.2 N make it roll.");
  page.set_footer("Sample page of Prehend's report toolkit.");
  page.add(Facts{"",
                 {number_fact("Bodies", 5), number_fact("Contact points", 4),
                  number_fact("Smallest robustness", 0.2, "N"), number_fact("Total mass", 2.96, "kg"),
                  number_fact("Largest robustness", std::numeric_limits<double>::infinity(), "N")}});
  Scene3d scene = sample_scene();
  scene.initial_map = "Robustness";
  scene.initial_motion = scene.add_motion(sample_recording(scene, frames));
  const MotionIndex mechanism = scene.add_motion(sample_mechanism(scene));
  Plot heights;
  heights.title = "Sideways motion";
  heights.y_label = "x";
  heights.y_unit = "m";
  heights.x = scene.motions[0].times;
  for (std::size_t k = 0; k < 5; k += 2) {
    heights.series.push_back({scene.bodies[k].name, {}, {}, Series::Style::line, {}});
    for (const math::Pose& X : scene.motions[0].tracks[k].X_WB) heights.series.back().y.push_back(X.p().x());
  }
  Plot push;
  push.title = "Largest acceleration by direction";
  push.kind = Plot::Kind::polar;
  push.y_unit = "m/s²";
  push.series.push_back({"slip", {}, {}, Series::Style::line, {}});
  push.series.push_back({"topple", {}, {}, Series::Style::dashed, {}});
  for (int k = 0; k <= 72; ++k) {
    const double angle = k * std::numbers::pi / 36.0;
    push.x.push_back(angle);
    push.series[0].y.push_back(5.9);
    push.series[1].y.push_back(6.5 / std::max(std::abs(std::cos(angle)), 0.8 * std::abs(std::sin(angle))));
  }
  Plot path;
  path.title = "Centre of pressure";
  path.kind = Plot::Kind::xy;
  path.x_label = "x";
  path.x_unit = "m";
  path.y_label = "y";
  path.y_unit = "m";
  path.equal_axes = true;
  path.series.push_back({"path", {}, {}, Series::Style::line_and_points, {}});
  for (int k = 0; k < 60; ++k) {
    path.series[0].x.push_back(-0.08 + 0.03 * std::cos(0.21 * k) * k / 60.0);
    path.series[0].y.push_back(0.03 * std::sin(0.21 * k) * k / 60.0);
  }
  Table table;
  table.caption = "Weakest pushes";
  table.columns = {{"body", "", 4, ""},
                   {"robustness", "N", 3, "largest push that moves nothing"},
                   {"mode", "", 4, ""},
                   {"time", "ms", 3, ""}};
  table.rows = {{"ball", 0.2, "slip", 0.41},
                {"upper block", 1.2345678, "topple", 0.38},
                {"ring", 0.5, "slip", 0.33},
                {"lower block", std::numeric_limits<double>::infinity(), "-", 0.52},
                {"table", std::numeric_limits<double>::quiet_NaN(), {}, {}}};
  table.links = {{BodyIndex(4), {}},
                 {BodyIndex(2), mechanism},
                 {BodyIndex(3), {}},
                 {BodyIndex(1), {}},
                 {BodyIndex(0), {}}};
  const SceneIndex index = page.add(std::move(scene));
  heights.scene = index;
  table.scene = index;
  page.add(std::move(heights));
  Timeline phases;
  phases.caption = "Phases";
  phases.rows = {{"ball", {{"falls", 0.0, 1.0, palette_colour(0)}, {"rolls", 1.0, 4.0, palette_colour(1)}}},
                 {"touches", {{"", 1.0, 1.0, palette_colour(2), true}}}};
  phases.marks = {{"bounce", 1.5}};
  phases.scene = index;
  page.add(std::move(phases));
  page.add_heading("Pushes and accelerations");
  page.add_text(
      "Each row is the **weakest push** found on a body; choose a row to see it. The *upper block* topples, "
      "which the motion "
      "`Limiting mechanism` shows.\n\n- slip: every contact that moves slides\n- topple: some contacts stay, "
      "others open");
  page.add(std::move(table), Width::half);
  page.add(std::move(push), Width::half);
  page.add(std::move(path), Width::half);
  page.add(Facts{"Settings",
                 {{"method", "exact", "", ""},
                  number_fact("friction", 0.6),
                  {"gravity", "0, 0, -9.81", "m/s²", ""}}},
           Width::half);
  page.add_heading("Files");
  page.add(Downloads{{{"Results (CSV)", "results.csv", "text/csv", "body,robustness_N\nball,0.2\n"}}});
  return page;
}

// `bodies` tori of together `triangles` triangles that swing on their own ways for `frames` frames, and two
// plots.
inline Page large_page(int triangles, int bodies, int frames) {
  Page page("A large run");
  Scene3d scene;
  Motion motion;
  motion.name = "Run";
  const int around = std::max(3, static_cast<int>(std::sqrt(triangles / bodies))),
            across = std::max(3, triangles / bodies / 2 / around);
  for (int k = 0; k < bodies; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / bodies;
    const Eigen::Vector3d p(0.5 * std::cos(angle), 0.5 * std::sin(angle), 0.1);
    scene.add_body(sample_body("ring " + std::to_string(k), sample_torus(0.06, 0.02, around, across), p,
                               static_cast<std::size_t>(k)));
    scene.bodies.back().maps.push_back({"Height", "m", {}, {}, {}, false});
    for (const Eigen::Vector3d& v : scene.bodies.back().mesh_B.vertices)
      scene.bodies.back().maps[0].values.push_back(v.z() + 0.1);
    motion.tracks.push_back({BodyIndex(static_cast<std::size_t>(k)), {}});
  }
  Plot heights;
  heights.title = "Heights";
  heights.y_label = "z";
  heights.y_unit = "m";
  heights.series.resize(static_cast<std::size_t>(std::min(bodies, 4)));
  for (int f = 0; f < frames; ++f) {
    const double t = 0.001 * f;
    motion.times.push_back(t);
    for (int k = 0; k < bodies; ++k) {
      const double phase = 0.7 * k + (1.0 + 0.1 * k) * t * 6.0;
      const Eigen::Vector3d p = scene.bodies[static_cast<std::size_t>(k)].X_WB.p() +
                                Eigen::Vector3d(0.02 * std::cos(phase), 0.0, 0.05 * std::sin(phase));
      const Eigen::Quaterniond q(Eigen::AngleAxisd(phase, Eigen::Vector3d(0.3, 1.0, 0.1 * k).normalized()));
      motion.tracks[static_cast<std::size_t>(k)].X_WB.emplace_back(q, p);
      if (k < 4) heights.series[static_cast<std::size_t>(k)].y.push_back(p.z());
    }
  }
  for (std::size_t k = 0; k < heights.series.size(); ++k)
    heights.series[k].name = "ring " + std::to_string(k);
  heights.x = motion.times;
  scene.initial_motion = scene.add_motion(std::move(motion));
  heights.scene = page.add(std::move(scene));
  page.add(std::move(heights));
  return page;
}

// A mesh away from its body's origin, turned at rest and in motion; markers stand where its centre must be
// seen.
inline Page turned_page() {
  const Eigen::Vector3d arm(0.2, 0.1, 0.05);
  const auto turned = [](double angle, const Eigen::Vector3d& axis) {
    return math::Pose(Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized())),
                      Eigen::Vector3d(0.1, 0.0, 0.3));
  };
  Scene3d scene;
  SceneBody body = sample_body("turned", sample_box({0.05, 0.04, 0.03}), {0, 0, 0}, 0);
  for (Eigen::Vector3d& v : body.mesh_B.vertices) v += arm;
  body.X_WB = turned(1.2, {1.0, -2.0, 0.5});
  const math::Pose X_later = turned(-2.3, {0.3, 1.0, 2.0});
  scene.add_body(sample_body("at rest", sample_box({0.01, 0.01, 0.01}), body.X_WB * arm, 1));
  scene.add_body(sample_body("later", sample_box({0.01, 0.01, 0.01}), X_later * arm, 2));
  const BodyIndex moving = scene.add_body(std::move(body));
  Motion motion;
  motion.name = "turn";
  motion.times = {0.0, 1.0};
  motion.tracks.push_back({moving, {X_later, X_later}});
  scene.add_motion(std::move(motion));
  Page page("Turned");
  page.add(std::move(scene));
  return page;
}

// Names that try to break out of the page: closing tags, scripts, quotes, control characters, invalid UTF-8,
// bidi overrides.
inline Page hostile_page() {
  const std::string evil =
      "</script><script>window.broken=1</script><img src=x onerror=\"window.broken=2\">'\"&\\ \xff\xc0\xaf "
      "\xed\xa0\x80 \xe2\x80\xae";
  Page page("</title>" + evil + std::string(1, '\0') + "\x01");
  page.set_subtitle(evil).set_verdict(Verdict::bad, evil).set_footer("<!--" + evil);
  page.add_text(evil + " [link](javascript:window.broken=3) **" + evil + "**");
  Scene3d scene;
  SceneBody body = sample_body(evil, sample_box({1, 1, 1}), {0, 0, 0.5}, 0);
  body.hover = evil;
  body.properties = {{evil, evil, evil, evil}};
  body.maps.push_back({evil, evil, std::vector<double>(body.mesh_B.vertices.size(), 1.0), {}, {}, false});
  body.maps.back().labels = {evil};
  body.maps.back().label_of.assign(body.mesh_B.vertices.size(), 0);
  scene.add_body(std::move(body));
  scene.caption = evil;
  scene.initial_map = evil;
  scene.frames.push_back({evil, math::Pose(), BodyIndex(0), 0.0});
  page.add(std::move(scene));
  Plot plot;
  plot.title = plot.x_label = plot.y_label = plot.x_unit = plot.y_unit = evil;
  plot.x = {0, 1};
  plot.series.push_back({evil, {}, {0, std::numeric_limits<double>::quiet_NaN()}, Series::Style::line, {}});
  page.add(plot);
  plot.kind = Plot::Kind::xy;
  page.add(plot);
  page.add(Table{evil,
                 {{evil, evil, 4, evil}, {"=1+1", "", 4, ""}},
                 {{evil, "=cmd()"}, {1.0, std::monostate()}},
                 {},
                 {}});
  page.add(Timeline{evil, {{evil, {{evil, 0.0, 1.0, {}}}}}, {{evil, 0.5}}, {}, {}});
  page.add(Downloads{{{evil, "a.txt", "text/html", evil}}});
  page.add(Pictures{
      {{evil,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\" onload=\"window.broken=1\">"
        "<script>parent.broken=1;window.broken=1</script><rect width=\"40\" height=\"20\"/></svg>"}}});
  return page;
}

}  // namespace prehend::report
