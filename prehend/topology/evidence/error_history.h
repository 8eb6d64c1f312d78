// Hypothesis errors as they grow over the recording: T (14) and (15) up to each time, in the weak form.
#pragma once

#include <vector>

#include <prehend/topology/found_joint.h>
#include <prehend/topology/recording.h>

namespace prehend::topology {

struct ErrorHistory {
  std::vector<double> t;  // [s] centres of the windows
  std::vector<std::vector<std::vector<double>>>
      error;  // [joint][hypothesis as in the result][window], summed up to there
};

// The other joints at their likeliest type. Empty where the momentum of the whole says nothing.
ErrorHistory error_history(const ArticulatedObject& object, const Recording& recording,
                           const std::vector<FoundJoint>& joints);

}  // namespace prehend::topology
