#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <prehend/knot/move_search.h>
#include <prehend/knot/moves_json.h>
#include <prehend/knot/p_data_json.h>
#include <prehend/knot/plan.h>
#include <prehend/knot/search/move_bound.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/model/json_writer.h>

namespace prehend::knot {
namespace {

struct Step {
  PData state;
  int parent;
  Move move;  // from the parent to this state: takes crossings away, or slides
  int score;
};

int moves_to_straight(const PData& state) { return least_moves(count_crossings(state), {}); }

// Level by level until the rope is straight; one of the first of its moves that get there.
KnotPlan beam_plan(const PData& wanted, int width) {
  std::vector<std::vector<Step>> levels{{Step{wanted, -1, {}, moves_to_straight(wanted)}}};
  const auto straight = [](const Step& step) { return step.state.passages() == 0; };
  std::set<std::pair<std::vector<int>, std::vector<int>>> seen;
  while (std::none_of(levels.back().begin(), levels.back().end(), straight)) {
    std::vector<Step> next;
    const std::vector<Step>& level = levels.back();
    for (std::size_t at = 0; at < level.size(); ++at) {
      math::check_interrupt();
      std::vector<Move> moves = removing_moves(level[at].state);
      const std::vector<Move> slides = sliding_moves(Diagram(level[at].state));
      moves.insert(moves.end(), slides.begin(), slides.end());
      for (const Move& move : moves) {
        PData state = apply_listed(level[at].state, move);
        if (!seen.insert({state.sigma, state.attr}).second) continue;
        const int score = moves_to_straight(state);
        next.push_back({std::move(state), static_cast<int>(at), move, score});
      }
    }
    // Fewest moves left at best; then fewest crossings, and then those that R2 can take at once.
    std::stable_sort(next.begin(), next.end(), [](const Step& a, const Step& b) {
      return std::tuple(a.score, a.state.passages()) < std::tuple(b.score, b.state.passages());
    });
    if (next.size() > static_cast<std::size_t>(width)) next.resize(static_cast<std::size_t>(width));
    levels.push_back(std::move(next));
  }
  KnotPlan plan;
  int at = static_cast<int>(std::find_if(levels.back().begin(), levels.back().end(), straight) -
                            levels.back().begin());
  for (std::size_t depth = levels.size(); depth-- > 0;) {
    const Step& step = levels[depth][static_cast<std::size_t>(at)];
    plan.states.push_back(step.state);
    if (depth > 0) plan.moves.push_back(inverse(step.move));
    at = step.parent;
  }
  return plan;
}

}  // namespace

const char* to_string(PlanStatus status) { return enum_text(status); }

void PlanOptions::validate() const {
  const math::OptionCheck check("PlanOptions");
  check.at_least("beam_width", beam_width, 1);
  check.at_least("max_states", static_cast<double>(max_states), 2);
}

KnotPlan plan_knot(const PData& wanted, const PlanOptions& options) {
  options.validate();
  if (const std::string problem = find_problem(wanted); !problem.empty())
    throw std::invalid_argument(problem);
  KnotPlan plan = beam_plan(wanted, options.beam_width);
  const int length = static_cast<int>(plan.moves.size());
  plan.lower_bound = moves_to_straight(wanted);
  if (plan.lower_bound < length) {
    MovePath path = find_moves({}, wanted, {.max_moves = length - 1, .max_states = options.max_states});
    plan.visited = path.visited;
    plan.lower_bound = path.lower_bound;
    if (path.status == SearchStatus::ok) {
      plan.moves = std::move(path.moves);
      plan.states = std::move(path.states);
    }
  }
  plan.status = PlanStatus::ok;
  plan.proven_shortest = plan.lower_bound == static_cast<int>(plan.moves.size());
  return plan;
}

std::string KnotPlan::brief_report() const {
  std::string text;
  for (std::size_t k = 0; k < moves.size(); ++k)
    text += std::to_string(k + 1) + ". " + to_text(moves[k]) + "\n   " + to_text(states[k + 1]) + "\n";
  const std::string count = std::to_string(moves.size()) + (moves.size() == 1 ? " move" : " moves");
  if (proven_shortest) return text + count + "; no shorter sequence exists\n";
  return text + count + "; a shorter sequence is not ruled out (at least " + std::to_string(lower_bound) +
         " are needed)\n";
}

std::string KnotPlan::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status)).key("moves").array();
  for (const Move& move : moves) write_json(json, move);
  json.end().key("states").array();
  for (const PData& state : states) write_json(json, state);
  json.end().field("proven_shortest", proven_shortest).field("lower_bound", lower_bound);
  return json.end().text();
}

}  // namespace prehend::knot
