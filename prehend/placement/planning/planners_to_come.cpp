// Planners that are not built yet refuse instead of answering. Each definition goes when the planner's own file comes.
#include <stdexcept>

#include <prehend/placement/planning/candidate_source.h>

namespace prehend::placement {

std::unique_ptr<CandidateSource> heightmap_source(const Problem& /*problem*/) {
  throw std::invalid_argument("the planner 'heightmap' is not built yet; take auto");
}

}  // namespace prehend::placement
