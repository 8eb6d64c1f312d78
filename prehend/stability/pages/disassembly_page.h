// The answer of disassemble() as a page: the order, played, with the score of every body at every step.
#pragma once

#include <prehend/report/page.h>
#include <prehend/stability/disassemble.h>

namespace prehend::stability {

report::Page disassembly_page(const model::Scene& scene, const DisassembleResult& result);

}  // namespace prehend::stability
