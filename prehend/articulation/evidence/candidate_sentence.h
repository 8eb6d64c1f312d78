// One sentence for a candidate of a selection: how the part moves by it, what it leaves, and how far it is behind.
#pragma once

#include <string>

#include <prehend/articulation/joint_fit.h>

namespace prehend::articulation {

// `ahead` [nats]: its score less the best one's.
std::string candidate_sentence(const JointFit& fit, double ahead);

}  // namespace prehend::articulation
