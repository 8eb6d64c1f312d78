// What Prehend can do, on embedded data: every question it answers, once, in one report that a person likes to read.
#include "demo_page.h"
#include "output_folder.h"
#include "verb.h"
#include <prehend/math/progress.h>
#include <prehend/report/write_report.h>

namespace prehend::cli {
namespace {

Answer demo_answer(const Shared& shared) {
  const Stopwatch stopwatch;
  const std::string folder = shared.out.empty() ? "out/demo" : shared.out;
  prepare_output_folder(folder);
  Demo demo;
  math::Progress progress("objects", 6 + static_cast<int>(answer_sections().size()));
  demo.page.set_subtitle(
      "The questions that Prehend answers, each on an object, a scene or a recording that comes with it.");
  demo.json.object().field("status", "ok");
  show_objects(demo);
  demo.json.key("scenes").array();
  for (const model::EmbeddedFile& file : model::embedded_files()) {
    if (!file.name.ends_with(".xml") || file.name == "scenes/seen_stack.xml")
      continue;  // that one is to be mended first
    progress.advance();
    progress.begin("scenes");
    show_scene(file, shared.threads, demo);
  }
  demo.json.end();
  progress.advance();
  progress.begin("weighing");
  show_weighing(demo);
  progress.advance();
  progress.begin("robustness");
  show_robustness(shared.threads, demo);
  demo.json.key("answers").array();
  for (const DemoSection& section : answer_sections()) {
    progress.advance();
    progress.begin(section.name);
    section.show(demo);
  }
  demo.json.end();
  progress.advance();
  progress.begin("report");
  demo.page.set_footer("Made by prehend " PREHEND_VERSION " from embedded data.");
  const std::string path = folder + "/report.html";
  report::write_report(demo.page, path);
  demo.json.key("files").object().field("report", path).end().end();
  demo.text += "\nThe report is " + path + ": open it in a browser, or run  prehend view " + folder + "\n";
  return {ExitCode::answer, "ok", stopwatch.milliseconds(), demo.json.text(), demo.text};
}

}  // namespace

Verb demo_verb() {
  return {"demo", "Show what Prehend can do, on embedded data, and leave a report", "prehend demo --out demo",
          nullptr, demo_answer};
}

}  // namespace prehend::cli
