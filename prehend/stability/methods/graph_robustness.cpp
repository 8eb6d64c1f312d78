// The source's method: slipping by max flow (4.4.2), toppling over feasible cuts (4.4.3), the smaller one counts.
//
// What does not depend on the push is computed once: the forces at rest; per pushed body the super-objects, each with
// its axes and torques; per direction the max flow.
//
// With `graph_combined` (the default) every cut is asked for its weakest motion of all, and that alone counts: the
// forces at rest are one guess among many, and where bodies are held in several ways it is a poor one (the smallest
// forces press neighbours apart and call their friction used up: half the true limit, or less, in a wall of bricks).
// Slipping and toppling then serve to name the motion, and the flow's cut to choose a set when time is short. The
// answer is never below the limit of `exact`; it is above it where bodies move differently.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <prehend/math/interrupt.h>
#include <prehend/stability/methods/combined_motion.h>
#include <prehend/stability/methods/form_closure.h>
#include <prehend/stability/methods/robustness_methods.h>
#include <prehend/stability/methods/slip_robustness.h>
#include <prehend/stability/methods/source_methods.h>
#include <prehend/stability/methods/topple_robustness.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/statics/force_distribution.h>

namespace prehend::stability {
namespace {

using Clock = std::chrono::steady_clock;
using Eigen::Vector3d;

// Two limits this close, relative, are the same motion, found twice: a hundred times the accuracy of the cone programs (1e-8).
constexpr double kSame = 1e-6;

class GraphMethod {
 public:
  GraphMethod(const ContactSystem& system, std::vector<Vector3d> resting_f_W,
              const RobustnessOptions& options)
      : system_(system),
        options_(options),
        graph_(make_contact_graph(system)),
        resting_f_W_(std::move(resting_f_W)),
        slip_(system, graph_, resting_f_W_),
        corners_(interface_corners(system)) {}

  // Pushes on one body; stops at the deadline.
  void answer(NodeIndex body, std::span<UnitPush> pushes, Clock::time_point deadline) const {
    add_slipping(body, pushes);
    SuperObjectSearch search(graph_, body);
    BodySet set;
    bool is_complete = true;
    while (search.next(set)) {
      const SuperObject object = make_super_object(system_, resting_f_W_, corners_, set);
      if (object.contacts.empty() || is_form_closed(system_, object)) continue;
      add_toppling(object, pushes);
      if (options_.graph_combined) add_combined(object, pushes);
      math::check_interrupt();
      if (Clock::now() < deadline) continue;
      if (options_.graph_combined) add_flow_cuts(pushes);
      const std::string note = "stopped at the time limit of the graph method after " +
                               std::to_string(search.found()) + " sets of bodies; others may move under less";
      for (UnitPush& push : pushes) push.note = note;
      is_complete = false;
      break;
    }
    if (options_.graph_combined) prefer_combined(pushes, is_complete);
  }

 private:
  void add_slipping(NodeIndex body, std::span<UnitPush> pushes) const {
    std::map<std::array<double, 3>, SlipAnswer> by_direction;
    for (UnitPush& push : pushes) {
      const auto [found, is_new] = by_direction.try_emplace({push.e_W.x(), push.e_W.y(), push.e_W.z()});
      if (is_new) found->second = slip_.ask(body, push.e_W);
      const SlipAnswer& slip = found->second;
      push.limit = {slip.robustness, slip.opens ? Mode::lift : Mode::slip, slip.moving};
      push.slipping = slip.moving;
    }
  }

  void add_toppling(const SuperObject& object, std::span<UnitPush> pushes) const {
    std::vector<ToppleAxis> axes = topple_axes(system_, object);
    if (options_.graph_combined) {
      std::erase_if(axes, [](const ToppleAxis& axis) { return axis.has_friction; });
    }
    for (UnitPush& push : pushes) {
      for (const ToppleAxis& axis : axes) {
        const double limit = topple_push(axis, push.p_W, push.e_W);
        // Pulled straight off, a body lifts before it topples: a tie stays what it was.
        if (limit < (1.0 - kSame) * push.limit.robustness)
          push.limit = {limit, Mode::topple, members(object)};
      }
    }
  }

  void add_combined(const SuperObject& object, std::span<UnitPush> pushes) const {
    // A share of the pushes for each thread, with a solver of its own; every push is solved from scratch, so that the
    // answer does not depend on who solves it.
    const auto solve_share = [&](std::size_t first, std::size_t last) {
      CombinedMotion motion(system_, object);
      for (UnitPush& push : pushes.subspan(first, last - first)) add_combined(object, motion, push);
    };
    const std::size_t threads = options_.threads == 0
                                    ? static_cast<std::size_t>(tbb::this_task_arena::max_concurrency())
                                    : static_cast<std::size_t>(options_.threads);
    constexpr std::size_t kWorthwhile = 64;  // a solver takes as long to set up as some pushes to solve
    const std::size_t shares = std::min(threads, (pushes.size() + kWorthwhile - 1) / kWorthwhile);
    if (shares <= 1) return solve_share(0, pushes.size());
    tbb::task_arena arena(std::min(static_cast<int>(threads), tbb::this_task_arena::max_concurrency()));
    arena.execute([&] {
      tbb::parallel_for(std::size_t{0}, shares, [&](std::size_t i) {
        solve_share(i * pushes.size() / shares, (i + 1) * pushes.size() / shares);
      });
    });
  }

  void add_combined(const SuperObject& object, CombinedMotion& motion, UnitPush& push) const {
    math::check_interrupt();
    const CombinedAnswer answer = motion.ask(system_.force_wrench(push.e_W, push.p_W));
    if (answer.status == CombinedAnswer::Status::failed) {
      push.note = "the combined motion of a set of bodies was not found; others may move under less";
    }
    if (answer.status != CombinedAnswer::Status::bounded) return;
    if (answer.robustness >= (1.0 - kSame) * push.combined.robustness) return;
    push.combined = {answer.robustness, motion.mode(answer.twist), members(object)};
  }

  // Time is up: at least the sets that the flow thinks weakest, however large.
  void add_flow_cuts(std::span<UnitPush> pushes) const {
    std::map<BodySet, std::vector<UnitPush*>> by_set;
    for (UnitPush& push : pushes) {
      if (!push.slipping.empty()) by_set[with_riders(graph_, push.slipping)].push_back(&push);
    }
    for (const auto& [set, members_of_set] : by_set) {
      const SuperObject object = make_super_object(system_, resting_f_W_, corners_, set);
      CombinedMotion motion(system_, object);
      for (UnitPush* push : members_of_set) add_combined(object, motion, *push);
    }
  }

  // A combined motion that needs as much as plain slipping or toppling is one of these. No motion at all is an answer
  // only when all sets were asked; until then the forces at rest have the word.
  static void prefer_combined(std::span<UnitPush> pushes, bool is_complete) {
    for (UnitPush& push : pushes) {
      if (std::abs(push.combined.robustness - push.limit.robustness) <= kSame * push.limit.robustness)
        continue;
      if (std::isinf(push.combined.robustness) && !is_complete) continue;
      push.limit = push.combined;
    }
  }

  std::vector<bool> members(const SuperObject& object) const {
    std::vector<bool> set(system_.bodies.size(), false);
    for (const NodeIndex body : object.bodies) set[body] = true;
    return set;
  }

  const ContactSystem& system_;
  const RobustnessOptions& options_;
  ContactGraph graph_;
  std::vector<Vector3d> resting_f_W_;
  SlipAnalysis slip_;
  std::vector<bool> corners_;
};

}  // namespace

std::vector<PushAnswer> graph_robustness(const model::Scene& scene, const ContactSystem& system,
                                         std::span<const Push> pushes, const RobustnessOptions& options) {
  std::vector<UnitPush> units = unit_pushes(scene, system, pushes);
  const ForceDistribution resting = least_cone_forces(system);
  if (resting.status != DistributionStatus::balanced) return answers_without_rest(resting, units.size());
  const GraphMethod method(system, resting.forces_W, options);

  const Clock::time_point start = Clock::now();
  std::vector<std::span<UnitPush>> groups = group_by_body(units);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    // Every body gets its share of what is left.
    Clock::time_point deadline = Clock::time_point::max();
    if (options.graph_time_limit > 0.0) {
      const double used = std::chrono::duration<double>(Clock::now() - start).count();
      const double share = (options.graph_time_limit - used) / static_cast<double>(groups.size() - i);
      deadline =
          Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(share));
    }
    method.answer(groups[i].front().node, groups[i], deadline);
  }
  return push_answers(system, units, options);
}

}  // namespace prehend::stability
