#include "demo_page.h"

#include <cstdio>
#include <stdexcept>
#include <string_view>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh_check.h>
#include <prehend/inertia/pages.h>
#include <prehend/math/number_text.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/point_cloud.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/model/scene_reader.h>
#include <prehend/report/scene_view.h>
#include <prehend/simulate/settle.h>
#include <prehend/stability/pages.h>
#include <prehend/stability/surface_pushes.h>

namespace prehend::cli {

void show_objects(Demo& demo) {
  demo.text = "Objects\n";
  demo.json.key("objects").array();
  report::Scene3d gallery;
  gallery.caption = "The embedded objects, side by side.";
  report::Table table;
  table.caption = "Exact properties of the solids";
  table.columns = {{"object", "", 4, ""},
                   {"triangles", "", 6, ""},
                   {"closed", "", 4, ""},
                   {"volume", "cm³", 4, ""},
                   {"area", "cm²", 4, ""}};
  double place = 0.0;
  for (const model::EmbeddedFile& file : model::embedded_files()) {
    if (!file.name.starts_with("objects/")) continue;
    const std::string name(
        file.name.substr(file.name.find('/') + 1, file.name.size() - file.name.find('/') - 5));
    const model::MeshFile mesh = model::parse_mesh(file.text, model::MeshFormat::obj, std::string(file.name));
    const geometry::MeshReport report = geometry::check_mesh(mesh.mesh);
    const geometry::MassProperties mass = geometry::mass_properties(mesh.mesh);
    char line[160];
    std::snprintf(line, sizeof line, "  %-10s %4d triangles  %s  %8.2f cm3  %8.2f cm2\n", name.c_str(),
                  report.triangles, report.is_closed ? "closed" : "open  ", 1e6 * mass.volume,
                  1e4 * mass.area);
    demo.text += line;
    demo.json.object()
        .field("file", file.name)
        .field("closed", report.is_closed)
        .field("volume_m3", mass.volume)
        .end();
    const geometry::Aabb box = geometry::bounding_box(mesh.mesh.vertices);
    report::SceneBody body;
    body.name = name;
    body.mesh_B = mesh.mesh;
    body.X_WB = math::Pose::translation(
        {place - box.lower.x(), -0.5 * (box.lower.y() + box.upper.y()), -box.lower.z()});
    body.colour = report::palette_colour(gallery.bodies.size());
    body.properties = {report::number_fact("volume", 1e6 * mass.volume, "cm³"),
                       report::number_fact("area", 1e4 * mass.area, "cm²")};
    report::RowLink link;
    link.body = gallery.add_body(std::move(body));
    table.rows.push_back({name, static_cast<double>(report.triangles),
                          std::string(report.is_closed ? "yes" : "no"), 1e6 * mass.volume, 1e4 * mass.area});
    table.links.push_back(link);
    place += box.upper.x() - box.lower.x() + 0.03;
  }
  demo.json.end();
  demo.page.add_heading("What is it?");
  demo.page.add_text(
      "Three objects that come with the library, read, checked for holes and flipped triangles, and measured "
      "exactly.");
  table.scene = demo.page.add(std::move(gallery), report::Width::half);
  demo.page.add(std::move(table), report::Width::half);
}

namespace {

// Every movable body a little above its place, higher ones more: what settling looks like.
model::Scene lifted(model::Scene scene) {
  for (model::Body& body : scene.bodies) {
    if (!body.movable) continue;
    body.X_WB =
        math::Pose(body.X_WB.q(), body.X_WB.p() + Eigen::Vector3d(0, 0, 0.01 + 0.15 * body.X_WB.p().z()));
  }
  return scene;
}

void record_fall(const model::Scene& scene, report::SceneView& view, report::Plot& plot) {
  simulate::Simulation simulation(lifted(scene));
  report::Motion motion;
  motion.name = "dropped from a little above";
  constexpr double kFrame = 1.0 / 60.0;
  std::vector<model::BodyIndex> movable;
  for (model::BodyIndex b(0); b < scene.bodies.size(); ++b) {
    if (!scene.bodies[b].movable) continue;
    movable.push_back(b);
    motion.tracks.push_back({view.bodies[b], {}});
    plot.series.push_back({scene.bodies[b].name, {}, {}, report::Series::Style::line, {}});
  }
  for (int frame = 0; frame < 90; ++frame) {
    motion.times.push_back(simulation.time());
    for (std::size_t i = 0; i < movable.size(); ++i) {
      const math::Pose X = simulation.X_WB(movable[i]);
      motion.tracks[i].X_WB.push_back(X);
      plot.series[i].y.push_back(1e3 * (X.p() - scene.bodies[movable[i]].X_WB.p()).norm());
    }
    simulation.run(kFrame);
  }
  plot.x = motion.times;
  plot.title = "How far from its place";
  plot.y_label = "distance";
  plot.y_unit = "mm";
  plot.motion = view.scene.add_motion(std::move(motion));
}

}  // namespace

void show_scene(const model::EmbeddedFile& file, int threads, Demo& demo) {
  const model::Scene scene =
      model::read_scene_text(std::string(file.text), model::SceneFormat::mjcf, std::string(file.name));
  geometry::ContactOptions options;
  options.threads = threads;
  const model::SceneContacts contacts = model::find_scene_contacts(scene, options);
  const simulate::SettleResult settled = simulate::settle(scene);
  demo.text += "\n" + std::string(file.name) + ": " + contacts.brief_report() +
               "  in simulation: " + settled.brief_report() + "\n";
  demo.json.object()
      .field("file", file.name)
      .field("interfaces", contacts.interfaces.size())
      .field("settle_status", to_string(settled.status))
      .end();

  report::SceneView view = report::view_scene(scene);
  report::add_contacts(view, scene, contacts);
  report::Plot plot;
  record_fall(scene, view, plot);
  view.scene.caption = "Choose a body, switch layers, or play the fall with the space bar.";
  demo.page.add_heading(scene.name == "stack" ? "Where do the crates touch?"
                                              : "A table, and a wedge with a block on it");
  demo.page.add_text(std::to_string(contacts.interfaces.size()) +
                     " contact interfaces; in simulation the scene **" + settled.brief_report() + "**.");
  const report::SceneIndex index = demo.page.add(report::Scene3d(view.scene));
  demo.page.add(report::contact_table(scene, contacts, view, index), report::Width::half);
  plot.scene = index;
  demo.page.add(std::move(plot), report::Width::half);
}

// The stack in the colours of its robustness.
void show_robustness(int threads, Demo& demo) {
  const std::string name = "scenes/stack.xml";
  const model::Scene scene =
      model::read_scene_text(std::string(model::embedded_file(name)), model::SceneFormat::mjcf, name);
  stability::RobustnessOptions options;
  options.map_accuracy = 1e-3;
  options.threads = threads;
  options.check_points = false;
  const std::vector<stability::Push> pushes =
      stability::surface_pushes(scene, model::find_scene_contacts(scene));
  const stability::RobustnessResult result = stability::robustness(scene, pushes, options);
  if (result.answers.empty()) throw std::logic_error("the embedded stack has no robustness");
  std::size_t weakest = 0;
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    if (result.answers[i].robustness < result.answers[weakest].robustness) weakest = i;
  }
  const stability::PushAnswer& answer = result.answers[weakest];
  const std::string body = scene.bodies[result.pushes[weakest].body].name;
  const std::string newtons = math::number_text(answer.robustness, 3) + " N";
  demo.text += "\n" + name + ": " + result.brief_report();
  demo.json.key("robustness")
      .object()
      .field("file", name)
      .field("pushes", pushes.size())
      .field("weakest_N", answer.robustness)
      .field("body", body)
      .field("mode", to_string(answer.mode))
      .end();

  report::SceneView view = report::view_scene(scene);
  stability::add_robustness_map(scene, stability::draw_map_picture(scene, options), view);
  view.scene.caption = "Point at a crate to read how hard it may be pushed there before something moves.";
  demo.page.add_heading("How hard may I push the stack?");
  demo.page.add_text(
      "Of " + std::to_string(pushes.size()) + " pushes all over the crates the weakest is **" + newtons +
      "** on " + body + " (" + to_string(answer.mode) +
      "). Hatched areas may be pushed as hard as you like. Every number is proven from both sides, by "
      "contact forces "
      "that hold and by a motion that nothing stops: `prehend robustness SCENE --map --out DIR`.");
  demo.page.add(std::move(view.scene));
}

// The mallet, weighed from its recording.
void show_weighing(Demo& demo) {
  const model::WrenchLog log =
      model::parse_wrench_log(model::embedded_file("logs/mallet.csv"), "logs/mallet.csv");
  const std::string parts = "logs/mallet_parts.ply";
  const inertia::Shape shape =
      inertia::shape_of_cloud(model::parse_cloud(model::embedded_file(parts), parts), parts);
  inertia::IdentificationOptions options;
  options.methods = {inertia::Method::likelihood, inertia::Method::pmd, inertia::Method::ols};
  const inertia::Identification result = inertia::identify(log, &shape, options);
  const inertia::Estimate& estimate = result.results.front().estimate;
  demo.text += "\nlogs/mallet.csv: " + estimate.brief_report() + "\n";
  demo.json.key("weighing")
      .object()
      .field("file", "logs/mallet.csv")
      .field("mass_kg", estimate.inertia_S.mass)
      .end();
  demo.page.add_heading("What does it weigh?");
  demo.page.add_text("A robot turns a mallet and feels **" + math::number_text(estimate.inertia_S.mass, 4) +
                     " kg** (± " + math::number_text(estimate.std_mass(), 2) +
                     "). Points show where that mass sits; press play to see the recording: `prehend "
                     "identify --log LOG --parts "
                     "PARTS --out DIR`.");
  inertia::IdentificationView view;
  view.shape = &shape;
  demo.page.add(inertia::identification_scene(log, result, view));
}

}  // namespace prehend::cli
