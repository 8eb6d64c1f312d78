// What every planner of this room is: a source of poses to try. place() verifies each and tells the source what became of it.
//
//   while (pose = source->next()) { verdict = verifier.check(*pose); source->observe(verdict); ... }
//
// A source draws random numbers from the seed of the options alone, and never looks at the clock: the same seed, the same poses.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <prehend/placement/planning/problem.h>
#include <prehend/placement/planning/verdict.h>

namespace prehend::placement {

class CandidateSource {
 public:
  virtual ~CandidateSource() = default;
  // The next pose X_WO to try; none: there is nothing more to propose.
  virtual std::optional<math::Pose> next() = 0;
  // What became of the last one; a source may steer by it.
  virtual void observe(const Verdict& /*verdict*/) {}
  // Poses that the source discarded by checks of its own, by reason; they count as attempts.
  virtual std::map<std::string, long> rejected() const { return {}; }
  // A sentence for those who got no answer.
  virtual std::string tried() const = 0;
  // That there is no placement at all; empty where that is not proven.
  virtual std::string proof() const { return {}; }
};

// One function per planner, each in a file of its own folder: search/ (automatic), baselines/ (drop, heightmap, chance); robustness and uniform
// in source/algorithm5.h. The problem outlives the source.
std::unique_ptr<CandidateSource> automatic_source(const Problem& problem);
std::unique_ptr<CandidateSource> drop_source(const Problem& problem, bool slowly);
std::unique_ptr<CandidateSource> heightmap_source(const Problem& problem);
std::unique_ptr<CandidateSource> chance_source(const Problem& problem);

std::unique_ptr<CandidateSource> make_source(const Problem& problem);  // by the options' planner

}  // namespace prehend::placement
