// Algorithm 5 with another guide than the exact robustness, for comparisons (N, tables 4.2 and 4.3).
#pragma once

#include <prehend/placement/planning/candidate_source.h>
#include <prehend/placement/source/scene_points.h>

namespace prehend::placement {

std::unique_ptr<CandidateSource> algorithm5_source(const Problem& problem, const ScenePointOptions& options);

}  // namespace prehend::placement
