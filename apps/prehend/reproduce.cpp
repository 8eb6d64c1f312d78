#include <memory>

#include <reproduce/reproduction.h>

#include "output_folder.h"
#include "verb.h"
#include <prehend/model/json_writer.h>
#include <prehend/report/write_report.h>

namespace prehend::cli {
namespace {

Answer list_entries() {
  Answer answer{ExitCode::answer, "ok", 0.0, "", ""};
  model::JsonWriter json;
  json.object().field("status", "ok").key("reproductions").array();
  for (const reproduce::Entry& entry : reproduce::entries()) {
    json.object().field("id", entry.id).field("title", entry.title).end();
    answer.text +=
        std::string(entry.id) + std::string(16 - std::string(entry.id).size(), ' ') + entry.title + "\n";
  }
  answer.document = json.end().end().text();
  return answer;
}

}  // namespace

Verb reproduce_verb() {
  struct State {
    std::string id;
    reproduce::ReproduceOptions options;
  };
  const auto state = std::make_shared<State>();
  return {"reproduce", "Compute a published table or figure again, theirs and ours side by side",
          "prehend reproduce fig-4.17",
          [state](Arguments& arguments) {
            arguments.optional("ID", state->id, "Which; without it, what there is");
            arguments.option("--runs", state->options.runs, "Repetitions of what is fast");
            arguments.option("--points", state->options.points, "Points of a surface map");
            arguments.option("--data", state->options.data,
                             "Folder of recorded data, for tables that need it");
          },
          [state](const Shared& shared) {
            if (state->id.empty()) return list_entries();
            const reproduce::Entry& entry = reproduce::entry(state->id);
            state->options.seed = shared.seed;
            // Times are of one core unless asked otherwise.
            state->options.threads = shared.threads == 0 ? 1 : shared.threads;
            if (!shared.out.empty()) prepare_output_folder(shared.out);
            const Stopwatch stopwatch;
            reproduce::Reproduction result = entry.run(state->options);
            const double time_ms = stopwatch.milliseconds();
            if (!shared.out.empty()) {
              result.page.set_footer("Made by prehend " PREHEND_VERSION ".");
              report::write_report(result.page, shared.out + "/report.html");
            }
            return Answer{ExitCode::answer, "ok", time_ms, result.json, result.text};
          }};
}

}  // namespace prehend::cli
