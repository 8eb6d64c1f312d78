#include <algorithm>
#include <limits>

#include <prehend/stability/methods/source_methods.h>

namespace prehend::stability {

std::vector<UnitPush> unit_pushes(const model::Scene& scene, const ContactSystem& system,
                                  std::span<const Push> pushes) {
  std::vector<UnitPush> units;
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    const Load load = push_load(scene, system, pushes[i]);
    UnitPush& unit = units.emplace_back();
    unit.asked = i;
    unit.node = load.front().body;
    unit.p_W = pushes[i].p_W;
    unit.e_W = pushes[i].d_W.normalized();
  }
  std::stable_sort(units.begin(), units.end(),
                   [](const UnitPush& x, const UnitPush& y) { return x.node < y.node; });
  return units;
}

std::vector<std::span<UnitPush>> group_by_body(std::vector<UnitPush>& sorted) {
  std::vector<std::span<UnitPush>> groups;
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t last = first;
    while (last < sorted.size() && sorted[last].node == sorted[first].node) ++last;
    groups.push_back(std::span(sorted).subspan(first, last - first));
    first = last;
  }
  return groups;
}

std::vector<PushAnswer> push_answers(const ContactSystem& system, const std::vector<UnitPush>& pushes,
                                     const RobustnessOptions& options) {
  std::vector<PushAnswer> answers(pushes.size());
  for (const UnitPush& push : pushes) {
    PushAnswer& answer = answers[push.asked];
    answer.status = AnswerStatus::ok;
    answer.note = push.note;
    answer.robustness = push.limit.robustness;
    if (answer.robustness > options.unbounded_above * system.weight) {
      answer.robustness = std::numeric_limits<double>::infinity();
      answer.unbounded = true;
      answer.mode = Mode::unbounded;
      continue;
    }
    answer.mode = push.limit.mode;
    for (NodeIndex i(0); i < push.limit.moving.size(); ++i) {
      if (push.limit.moving[i]) answer.moving.push_back(system.bodies[i].body);
    }
  }
  return answers;
}

std::vector<PushAnswer> answers_without_rest(const ForceDistribution& resting, std::size_t count) {
  PushAnswer answer;
  if (resting.status == DistributionStatus::unstable) {
    answer.status = AnswerStatus::unstable;
    answer.mode = Mode::unstable;
    answer.note = "no contact forces hold the scene at rest";
  } else {
    answer.status = AnswerStatus::undetermined;
    answer.note = resting.note;
  }
  return std::vector<PushAnswer>(count, answer);
}

}  // namespace prehend::stability
