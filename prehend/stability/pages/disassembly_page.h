// The answer of disassemble() as a page: the order, played, with the score of every body at every step.
#pragma once

#include <prehend/report/page.h>
#include <prehend/stability/disassemble.h>

namespace prehend::stability {

// `options`: those of the result; they say how a scene falls that falls by itself.
report::Page disassembly_page(const model::Scene& scene, const DisassembleResult& result,
                              const DisassembleOptions& options = {});

}  // namespace prehend::stability
