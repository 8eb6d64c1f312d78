#include <prehend/placement/planning/candidate_source.h>
#include <prehend/placement/source/algorithm5.h>

namespace prehend::placement {

std::unique_ptr<CandidateSource> make_source(const Problem& problem) {
  switch (problem.options.planner) {
    case Planner::automatic:
      break;
    case Planner::robustness:
      return algorithm5_source(problem, true);
    case Planner::uniform:
      return algorithm5_source(problem, false);
    case Planner::drop:
      return drop_source(problem, false);
    case Planner::slow_drop:
      return drop_source(problem, true);
    case Planner::heightmap:
      return heightmap_source(problem);
    case Planner::chance:
      return chance_source(problem);
  }
  return automatic_source(problem);
}

}  // namespace prehend::placement
