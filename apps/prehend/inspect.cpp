#include <map>
#include <memory>
#include <set>

#include "output_folder.h"
#include "verb.h"
#include <prehend/model/inspection.h>
#include <prehend/model/text_table.h>
#include <prehend/report/scene_view.h>

namespace prehend::cli {
namespace {

report::Table body_table(const model::Scene& scene, const report::SceneView& view) {
  report::Table table;
  table.caption = "Bodies";
  table.columns = {{"body", "", 4, ""},
                   {"", "", 4, ""},
                   {"shapes", "", 4, ""},
                   {"mass", "kg", 4, ""},
                   {"friction", "", 3, ""}};
  for (const model::BodyIndex b : scene.listed_bodies()) {
    const model::Body& body = scene.bodies[b];
    std::map<std::string, int> kinds;
    std::set<double> frictions;
    for (const model::Geom& geom : body.geoms) {
      ++kinds[to_string(geom.shape.kind)];
      frictions.insert(geom.friction);
    }
    std::string shapes;
    for (const auto& [kind, count] : kinds)
      shapes += (shapes.empty() ? "" : ", ") + (count > 1 ? std::to_string(count) + " " : "") + kind;
    table.rows.push_back({body.name, std::string(body.movable ? "movable" : "fixed"), shapes,
                          body.inertia.mass > 0.0 ? report::Cell{body.inertia.mass} : report::Cell{},
                          frictions.size() == 1 ? report::Cell{*frictions.begin()} : report::Cell{}});
    report::RowLink link;
    if (view.bodies[b].is_valid()) link.body = view.bodies[b];
    table.links.push_back(link);
  }
  return table;
}

// What the file shows: a scene or a mesh. Of clouds and logs the table on the terminal says all there is.
report::Page inspection_page(const model::Inspection& inspection, const std::string& file,
                             const model::InspectOptions& options) {
  report::Page page("What is in it?");
  const std::size_t count = inspection.problems.size();
  page.set_verdict(count == 0 ? report::Verdict::good : report::Verdict::note,
                   count == 0   ? "A " + inspection.kind + " that reads well."
                   : count == 1 ? "One thing to look at."
                                : std::to_string(count) + " things to look at.");
  std::string text = model::problem_lines(inspection.problems, "- ");
  for (const std::string& note : inspection.notes) text += "- *" + note + "*\n";
  if (!text.empty()) page.add_text(text);
  if (const auto* scene = std::get_if<model::Scene>(&inspection.summary)) {
    page.set_subtitle(scene->name);
    report::SceneView view = report::view_scene(*scene);
    const report::SceneIndex index = page.add(report::Scene3d(view.scene));
    report::Table table = body_table(*scene, view);
    table.scene = index;
    page.add(std::move(table));
  } else if (const auto* mesh = std::get_if<model::MeshSummary>(&inspection.summary)) {
    report::Scene3d shown;
    report::SceneBody body;
    body.name = "mesh";
    body.mesh_B = model::read_mesh(file, options.mesh);
    body.colour = report::palette_colour(0);
    shown.add_body(std::move(body));
    page.add(std::move(shown));
    report::Facts facts;
    facts.facts = {{"faces", std::to_string(mesh->faces), "", "polygons: coplanar neighbours count once"},
                   report::number_fact("surface", mesh->mass.area, "m²"),
                   report::number_fact("volume", mesh->mass.volume, "m³")};
    page.add(std::move(facts));
  } else {
    throw UsageError("inspect writes a report of scenes and meshes; leave --out away for a " +
                     inspection.kind);
  }
  return page;
}

}  // namespace

Verb inspect_verb() {
  struct State {
    std::string file, unit{"m"};
    SceneArguments scene;
    MendFlag mend;
  };
  const auto state = std::make_shared<State>();
  return {"inspect", "Say what is in a mesh, cloud, scene or log, and what is wrong with it",
          "prehend inspect data/scenes/stack.xml",
          [state](Arguments& arguments) {
            arguments.positional("FILE", state->file,
                                 "Mesh (STL, OBJ, PLY, glTF), cloud (PLY, PCD, XYZ), scene (MJCF, URDF, SDF, "
                                 "COMPAS JSON) or log (CSV)");
            arguments.option("--unit", state->unit,
                             "Unit of a mesh's coordinates: m, cm, mm, in, or metres as a number");
            state->mend.declare(arguments);
            state->scene.declare(arguments);
          },
          [state](const Shared& shared) {
            model::InspectOptions options;
            options.mesh.unit = metres_of("--unit", state->unit);
            options.scene = state->scene.options();
            const Stopwatch stopwatch;
            model::Inspection inspection = model::inspect_file(state->file, options);
            if (auto* scene = std::get_if<model::Scene>(&inspection.summary)) {
              *scene = state->mend.mended(std::move(*scene), "");
            } else if (state->mend.asked) {
              throw UsageError("--mend: only a scene can be mended, and this is a " + inspection.kind);
            }
            const double time_ms = stopwatch.milliseconds();
            if (!shared.out.empty())
              write_page(inspection_page(inspection, state->file, options), shared.out, state->file);
            return state->mend.with_repairs(Answer{ExitCode::answer, to_string(inspection.status), time_ms,
                                                   inspection.to_json(), inspection.brief_report()});
          }};
}

}  // namespace prehend::cli
