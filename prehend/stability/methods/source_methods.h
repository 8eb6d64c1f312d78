// What the source's two methods, graph and isolated, have in common: unit pushes by body, and answers from limits.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include <prehend/stability/robustness.h>
#include <prehend/stability/statics/force_distribution.h>

namespace prehend::stability {

struct PushLimit {
  double robustness{0.0};  // [N]; may be infinite
  Mode mode{Mode::undetermined};
  std::vector<bool> moving;  // by NodeIndex
};

struct UnitPush {
  std::size_t asked{0};  // place in the caller's list
  NodeIndex node;
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};
  Eigen::Vector3d e_W{Eigen::Vector3d::Zero()};  // unit
  PushLimit limit;
  PushLimit combined{std::numeric_limits<double>::infinity(), Mode::undetermined, {}};  // graph alone
  std::vector<bool> slipping;  // graph alone: the cut of the flow, by NodeIndex; empty when none is finite
  std::string note;
};

// Sorted by body. Throws std::invalid_argument as push_load does.
std::vector<UnitPush> unit_pushes(const model::Scene& scene, const ContactSystem& system,
                                  std::span<const Push> pushes);
std::vector<std::span<UnitPush>> group_by_body(std::vector<UnitPush>& sorted);
// In the caller's order.
std::vector<PushAnswer> push_answers(const ContactSystem& system, const std::vector<UnitPush>& pushes,
                                     const RobustnessOptions& options);
// No forces balance the weights: unstable, or no answer.
std::vector<PushAnswer> answers_without_rest(const ForceDistribution& resting, std::size_t count);

}  // namespace prehend::stability
