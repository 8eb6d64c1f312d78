// What a candidate of a selection explains, in one sentence. Not part of the public interface.
#pragma once

#include <prehend/articulation/selection.h>

namespace prehend::articulation {

// `best`: score of the candidate that won.
std::string candidate_sentence(const Candidate& candidate, double best);

}  // namespace prehend::articulation
