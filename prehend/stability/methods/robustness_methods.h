// The methods behind robustness() other than exact, each in its own file.
#pragma once

#include <span>
#include <vector>

#include <prehend/stability/robustness.h>

namespace prehend::stability {

// The system must have been built with the points they want (ContactPoints::sampled; simulate: corners).
std::vector<PushAnswer> graph_robustness(const model::Scene& scene, const ContactSystem& system,
                                         std::span<const Push> pushes, const RobustnessOptions& options);
std::vector<PushAnswer> isolated_robustness(const model::Scene& scene, const ContactSystem& system,
                                            std::span<const Push> pushes, const RobustnessOptions& options);
std::vector<PushAnswer> linear_robustness(const model::Scene& scene, const ContactSystem& system,
                                          std::span<const Push> pushes, const RobustnessOptions& options);
std::vector<PushAnswer> simulated_robustness(const model::Scene& scene, const ContactSystem& system,
                                             std::span<const Push> pushes, const RobustnessOptions& options);

}  // namespace prehend::stability
