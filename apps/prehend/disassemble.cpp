#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/stability/pages.h>

namespace prehend::cli {
namespace {

struct DisassembleState {
  StabilityArguments stability;
  bool load_caused{false};
};

Answer answer(DisassembleState& state, const Shared& shared) {
  StabilityArguments& arguments = state.stability;
  stability::DisassembleOptions options;
  options.system = arguments.system(shared);
  options.limit.threads = shared.threads;
  options.load_caused = state.load_caused;
  const model::Scene scene = arguments.read();
  const Stopwatch stopwatch;
  const stability::DisassembleResult result = stability::disassemble(scene, options);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty())
    write_page(stability::disassembly_page(scene, result, options), shared.out, arguments.file);
  return answer_of(result, time_ms, result.note);
}

}  // namespace

Verb disassemble_verb() {
  const auto state = std::make_shared<DisassembleState>();
  return {
      "disassemble", "In which order can the bodies be taken away?",
      "prehend disassemble data/scenes/stack.xml",
      [state](Arguments& arguments) {
        state->stability.declare(arguments);
        arguments.flag("--load-caused", state->load_caused,
                       "Also the pull that load-caused forces hold without internal stress");
      },
      [state](const Shared& shared) { return state->stability.mend.with_repairs(answer(*state, shared)); }};
}

}  // namespace prehend::cli
