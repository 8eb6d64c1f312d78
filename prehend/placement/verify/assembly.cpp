#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <prehend/placement/verify/assembly.h>
#include <prehend/placement/verify/interval_margin.h>

namespace prehend::placement {
namespace {

using model::BodyIndex;

// Pushes that are all asked, and while a planner searches.
constexpr std::size_t kAskAll = 2000, kAskAllQuick = 200;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

int root_of(std::vector<int>& parent, int i) {
  while (parent[static_cast<std::size_t>(i)] != i) i = parent[static_cast<std::size_t>(i)];
  return i;
}

}  // namespace

GroupStrength weaker(const GroupStrength& a, const GroupStrength& b) {
  GroupStrength both = b.min_sr < a.min_sr ? b : a;
  both.margin = {std::min(a.margin.least_g, b.margin.least_g),
                 std::min(a.margin.guaranteed_g, b.margin.guaranteed_g)};
  both.robustness = std::min(a.robustness, b.robustness);
  both.is_determined = a.is_determined && b.is_determined;
  both.is_exact = a.is_exact && b.is_exact;
  both.is_jammed = a.is_jammed || b.is_jammed;
  return both;
}

Assembly::Assembly(const Problem& problem) : problem_(problem), corners_(problem), scene_(problem.bare) {
  find_groups();
}

void Assembly::find_groups() {
  const std::size_t count = problem_.scene.bodies.size();
  std::vector<int> parent(count);
  std::iota(parent.begin(), parent.end(), 0);
  const auto join = [&](BodyIndex a, BodyIndex b) {
    if (problem_.is_movable(a) && problem_.is_movable(b))
      parent[static_cast<std::size_t>(root_of(parent, a.value()))] = root_of(parent, b.value());
  };
  for (const model::SceneInterface& i : problem_.contacts.interfaces) join(i.body_a, i.body_b);
  has_joints_ = std::any_of(problem_.scene.joints.begin(), problem_.scene.joints.end(),
                            [](const model::Joint& j) {
                              return j.type != model::JointType::free && j.type != model::JointType::rigid;
                            }) ||
                !problem_.scene.loop_joints.empty();
  std::vector<int> group_of(count, -1);
  for (BodyIndex b(0); b < count; ++b) {
    if (!problem_.is_movable(b) || b == problem_.object) continue;
    const int root = has_joints_ ? 0 : root_of(parent, b.value());
    int& number = group_of[static_cast<std::size_t>(root)];
    if (number < 0) {
      number = static_cast<int>(groups_.size());
      groups_.push_back({std::vector<bool>(count, false), false, false, {}, nullptr});
    }
    groups_[static_cast<std::size_t>(number)].bodies[b] = true;
  }
}

std::vector<bool> Assembly::with_object(const std::vector<bool>& touched) const {
  std::vector<bool> bodies(touched.size(), false);
  for (const Group& group : groups_) {
    bool joins = has_joints_;
    for (std::size_t b = 0; b < touched.size(); ++b) joins = joins || (touched[b] && group.bodies[b]);
    for (std::size_t b = 0; joins && b < touched.size(); ++b) bodies[b] = bodies[b] || group.bodies[b];
  }
  bodies[problem_.object] = true;
  return bodies;
}

stability::ContactSystem Assembly::system(const math::Pose& X_WO, const model::SceneContacts& all,
                                          const std::vector<bool>& bodies) const {
  scene_.bodies[problem_.object].X_WB = X_WO;
  for (BodyIndex b(0); b < bodies.size(); ++b)
    scene_.bodies[b].movable = problem_.scene.bodies[b].movable && bodies[b];
  model::SceneContacts own;
  own.status = all.status;
  for (const model::SceneInterface& i : all.interfaces) {
    if (bodies[i.body_a] || bodies[i.body_b]) own.interfaces.push_back(i);
  }
  stability::ContactSystem system = stability::build_contact_system(scene_, own, {});
  for (BodyIndex b(0); b < bodies.size(); ++b) scene_.bodies[b].movable = problem_.scene.bodies[b].movable;
  return system;
}

stability::LimitAnalysis Assembly::limits(const math::Pose& X_WO, const model::SceneContacts& all,
                                          const std::vector<bool>& bodies) const {
  return stability::LimitAnalysis(system(X_WO, all, bodies), {});
}

ShakeMargin Assembly::margin(const stability::LimitAnalysis& limits) const {
  ShakeMargin margin = shake_margin(limits, problem_.up_W, problem_.gravity);
  if (!problem_.options.intervals.is_zero() && margin.guaranteed_g > 0.0)
    margin.guaranteed_g =
        interval_margin(limits.system(), problem_.up_W, problem_.gravity, problem_.options.intervals);
  return margin;
}

double Assembly::guaranteed_push(const math::Pose& X_WO, const model::SceneContacts& all,
                                 const std::vector<bool>& bodies) const {
  std::vector<std::vector<bool>> groups{bodies};
  for (Group& group : groups_) {
    if (counts_beside(group, bodies)) groups.push_back(group.bodies);
  }
  double least = kUnbounded;
  for (const std::vector<bool>& group : groups) {
    const stability::ContactSystem asked = system(X_WO, all, group);
    std::vector<stability::Load> loads;
    for (const stability::PointPush& push : corners_.pushes(scene_, asked, all.interfaces))
      loads.push_back({{push.body, asked.force_wrench(push.d_W.normalized(), push.p_W)}});
    const stability::GuaranteedLimits limits =
        stability::guaranteed_limits(asked, loads, problem_.options.intervals);
    if (limits.status != stability::MarginStatus::ok) return Placement::kUnknown;
    for (const double limit : limits.limits) least = std::min(least, limit);
  }
  return least;
}

GroupStrength Assembly::weakest_of(const stability::LimitAnalysis& limits,
                                   const std::vector<stability::PointPush>& pushes, bool quick) const {
  const LeastPush least = weakest_push(limits, pushes, quick ? kAskAllQuick : kAskAll);
  GroupStrength strength;
  strength.min_sr = least.force;
  strength.is_determined = least.determined || least.push >= 0;
  // Of very many, motions are followed either way.
  strength.is_exact = !quick || pushes.size() <= kAskAllQuick || pushes.size() > kAskAll;
  if (least.push >= 0) {
    const stability::PointPush& push = pushes[static_cast<std::size_t>(least.push)];
    strength.weakest = {limits.system().bodies[push.body].body, push.p_W, push.d_W.normalized(), least.mode};
  }
  return strength;
}

GroupStrength Assembly::own_strength(const math::Pose& X_WO, const stability::LimitAnalysis& limits,
                                     const model::SceneContacts& all) const {
  scene_.bodies[problem_.object].X_WB = X_WO;
  std::vector<stability::PointPush> pushes = corners_.pushes(scene_, limits.system(), all.interfaces);
  const stability::NodeIndex object = limits.system().node_of_body[problem_.object];
  std::erase_if(pushes, [&](const stability::PointPush& push) { return push.body != object; });
  return weakest_of(limits, pushes, true);
}

GroupStrength Assembly::strength(const math::Pose& X_WO, const stability::LimitAnalysis& limits,
                                 const model::SceneContacts& all, bool quick) const {
  scene_.bodies[problem_.object].X_WB = X_WO;
  GroupStrength strength =
      weakest_of(limits, corners_.pushes(scene_, limits.system(), all.interfaces), quick);
  const AxisRobustness along_axes = axis_robustness(limits, limits.system().node_of_body[problem_.object]);
  strength.robustness = along_axes.least;
  strength.is_jammed = along_axes.is_jammed;
  return strength;
}

bool Assembly::counts_beside(Group& group, const std::vector<bool>& bodies) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (group.bodies[b]) return !bodies[b] && !is_loose(group);
  }
  return false;
}

std::vector<BodyIndex> Assembly::loose_bodies() const {
  std::vector<BodyIndex> loose;
  for (Group& group : groups_) {
    if (has_joints_ || !is_loose(group)) continue;
    for (BodyIndex b(0); b < group.bodies.size(); ++b) {
      if (group.bodies[b]) loose.push_back(b);
    }
  }
  return loose;
}

const Assembly::Group& Assembly::with_margin(Group& group) const {
  if (group.has_margin) return group;
  group.has_margin = true;
  group.limits =
      std::make_shared<const stability::LimitAnalysis>(limits(math::Pose(), problem_.contacts, group.bodies));
  group.strength.margin = margin(*group.limits);
  return group;
}

const Assembly::Group& Assembly::with_strength(Group& group) const {
  with_margin(group);
  if (group.has_strength) return group;
  group.has_strength = true;
  const ShakeMargin margin = group.strength.margin;
  group.strength = strength(math::Pose(), *group.limits, problem_.contacts, false);
  group.strength.margin = margin;
  return group;
}

ShakeMargin Assembly::margin_beside(const std::vector<bool>& bodies) const {
  ShakeMargin least{kUnbounded, kUnbounded};
  for (Group& group : groups_) {
    if (!counts_beside(group, bodies)) continue;
    const ShakeMargin& own = with_margin(group).strength.margin;
    least = {std::min(least.least_g, own.least_g), std::min(least.guaranteed_g, own.guaranteed_g)};
  }
  return least;
}

GroupStrength Assembly::strength_beside(const std::vector<bool>& bodies) const {
  GroupStrength least;
  least.margin = {kUnbounded, kUnbounded};
  least.min_sr = least.robustness = kUnbounded;
  for (Group& group : groups_) {
    if (counts_beside(group, bodies)) least = weaker(least, with_strength(group).strength);
  }
  return least;
}

}  // namespace prehend::placement
