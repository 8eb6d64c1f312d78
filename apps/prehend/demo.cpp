// What Prehend can do today, on embedded data: look at objects, let scenes settle, find where things touch.
#include <string>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh_check.h>
#include <prehend/model/embedded_data.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/model/scene_reader.h>
#include <prehend/simulate/settle.h>

#include "verb.h"

namespace prehend::cli {
namespace {

struct DemoText {
  std::string text;
  model::JsonWriter json;
};

void show_object(const model::EmbeddedFile& file, DemoText& demo) {
  const model::MeshFile mesh = model::parse_mesh(file.text, model::MeshFormat::kObj, std::string(file.name));
  const geometry::MeshReport report = geometry::check_mesh(mesh.mesh);
  const geometry::MassProperties mass = geometry::mass_properties(mesh.mesh);
  char line[160];
  std::snprintf(line, sizeof line, "  %-22s %4d triangles  %s  %8.2f cm3  %8.2f cm2\n", std::string(file.name).c_str(),
                report.triangles, report.is_closed ? "closed" : "open  ", 1e6 * mass.volume, 1e4 * mass.area);
  demo.text += line;
  demo.json.object().field("file", file.name).field("closed", report.is_closed).field("volume_m3", mass.volume).end();
}

void show_scene(const model::EmbeddedFile& file, int threads, DemoText& demo) {
  const model::Scene scene = model::read_scene_text(std::string(file.text), model::SceneFormat::mjcf, std::string(file.name));
  geometry::ContactOptions options;
  options.threads = threads;
  const model::SceneContacts contacts = model::find_scene_contacts(scene, options);
  const simulate::SettleResult settled = simulate::settle(scene);
  demo.text += "\n" + std::string(file.name) + ": " + contacts.brief_report(scene);
  demo.text += "  in simulation: " + settled.brief_report() + "\n";
  demo.json.object()
      .field("file", file.name)
      .field("interfaces", contacts.interfaces.size())
      .field("settle_status", simulate::settle_status_name(settled.status))
      .end();
}

}  // namespace

Verb demo_verb() {
  return {"demo", "Show what Prehend can do, on embedded data", "prehend demo", nullptr, [](const Shared& shared) {
            const Stopwatch stopwatch;
            DemoText demo;
            demo.text = "Objects\n";
            demo.json.object().key("objects").array();
            for (const model::EmbeddedFile& file : model::embedded_files()) {
              if (file.name.ends_with(".obj")) show_object(file, demo);
            }
            demo.json.end().key("scenes").array();
            for (const model::EmbeddedFile& file : model::embedded_files()) {
              if (file.name.ends_with(".xml")) show_scene(file, shared.threads, demo);
            }
            demo.json.end().end();
            return Answer{kAnswer, "ok", stopwatch.milliseconds(), demo.json.text(), demo.text};
          }};
}

}  // namespace prehend::cli
