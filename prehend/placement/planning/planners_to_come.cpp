// Planners that are not built yet refuse instead of answering. Each definition goes when the planner's own file comes.
#include <stdexcept>

#include <prehend/placement/planning/candidate_source.h>

namespace prehend::placement {
namespace {

std::unique_ptr<CandidateSource> refused(const char* name) {
  throw std::invalid_argument(std::string("the planner '") + name + "' is not built yet; take auto");
}

}  // namespace

std::unique_ptr<CandidateSource> algorithm5_source(const Problem& /*problem*/, bool by_robustness) {
  return refused(by_robustness ? "robustness" : "uniform");
}
std::unique_ptr<CandidateSource> drop_source(const Problem& /*problem*/) { return refused("drop"); }
std::unique_ptr<CandidateSource> heightmap_source(const Problem& /*problem*/) { return refused("heightmap"); }
std::unique_ptr<CandidateSource> chance_source(const Problem& /*problem*/) { return refused("chance"); }

}  // namespace prehend::placement
