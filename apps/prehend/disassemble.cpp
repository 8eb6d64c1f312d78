#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/stability/pages.h>

namespace prehend::cli {
namespace {

Answer answer(StabilityArguments& arguments, const Shared& shared) {
  stability::DisassembleOptions options;
  options.system = arguments.system(shared);
  options.limit.threads = shared.threads;
  const model::Scene scene = arguments.read();
  const Stopwatch stopwatch;
  const stability::DisassembleResult result = stability::disassemble(scene, options);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty())
    write_page(stability::disassembly_page(scene, result, options), shared.out, arguments.file);
  Answer answer{ExitCode::answer, to_string(result.status), time_ms, result.to_json(), result.brief_report()};
  if (result.status == stability::DisassembleStatus::ok) return answer;
  answer.code = ExitCode::no_answer;
  answer.error = result.note;
  return answer;
}

}  // namespace

Verb disassemble_verb() {
  const auto state = std::make_shared<StabilityArguments>();
  return {"disassemble", "In which order can the bodies be taken away?",
          "prehend disassemble data/scenes/stack.xml",
          [state](Arguments& arguments) { state->declare(arguments); },
          [state](const Shared& shared) { return state->mend.told(answer(*state, shared)); }};
}

}  // namespace prehend::cli
