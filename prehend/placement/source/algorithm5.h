// Algorithm 5 (N): poses from pairs of feature points, drawn by the robustness of the places or evenly.
#pragma once

#include <prehend/placement/planning/candidate_source.h>
#include <prehend/placement/source/scene_points.h>

namespace prehend::placement {

std::unique_ptr<CandidateSource> algorithm5_source(const Problem& problem, bool by_robustness);
// With another guide than the exact robustness, for comparisons (N, tables 4.2 and 4.3).
std::unique_ptr<CandidateSource> algorithm5_source(const Problem& problem, const ScenePointOptions& options);

}  // namespace prehend::placement
