#include <stdexcept>

#include <prehend/knot/pages.h>

namespace prehend::knot {
namespace {

report::Table code_table(const std::vector<PData>& states, const std::string& caption) {
  report::Table table{
      caption, {{"state", "", 3, ""}, {"crossings", "", 3, ""}, {"P-data", "", 4, ""}}, {}, {}, {}};
  for (std::size_t k = 0; k < states.size(); ++k) {
    table.rows.push_back({static_cast<double>(k + 1), static_cast<double>(states[k].crossings()),
                          states[k].crossings() == 0 ? std::string("straight") : to_text(states[k])});
  }
  return table;
}

// `done[k]` led to state k + 2.
void add_film(const std::vector<PData>& states, const std::vector<std::string>& done, report::Page& page) {
  page.add_heading("The rope, state by state");
  std::vector<FilmFrame> frames;
  for (std::size_t k = 0; k < states.size(); ++k) {
    frames.push_back(
        {std::to_string(k + 1) + (k > 0 && !done[k - 1].empty() ? ": " + done[k - 1] : ""), states[k]});
  }
  try {
    page.add(film_strip(frames));
  } catch (const std::invalid_argument& error) {
    page.add_text(std::string("No pictures: ") + error.what() + ".");
  }
  page.add(code_table(states, "Codes"));
}

}  // namespace

report::Page recognition_page(const Recognition& recognition) {
  const std::vector<SeenState>& seen = recognition.seen;
  report::Page page("What was done to the rope?");
  int unknown = 0, moves = 0;
  std::vector<std::string> done;
  report::Table table{"Transitions",
                      {{"from state", "", 3, ""},
                       {"to state", "", 3, ""},
                       {"other end", "", 3, "the state after is read from its other end"},
                       {"moves", "", 3, ""},
                       {"what fits", "", 3, ""}},
                      {},
                      {},
                      {}};
  if (!seen.empty())
    table.columns.push_back({"when", "", 3, "last frame of the state before, first of the state after"});
  for (std::size_t t = 0; t < recognition.transitions.size(); ++t) {
    const Transition& transition = recognition.transitions[t];
    const bool found = transition.status == SearchStatus::ok;
    unknown += found ? 0 : 1;
    moves += transition.moves;
    std::string fits = found ? "" : "nothing found";
    const bool one = !transition.candidates.empty();
    for (const Move& move : one ? transition.candidates : transition.path)
      fits += (fits.empty() ? "" : one ? "; or " : "; then ") + to_text(move);
    table.rows.push_back({static_cast<double>(t + 1), static_cast<double>(t + 2),
                          std::string(transition.swapped ? "yes" : "no"),
                          found ? report::Cell(static_cast<double>(transition.moves)) : report::Cell(),
                          fits});
    if (!seen.empty()) table.rows.back().push_back(when_text(seen[t], seen[t + 1]));
    done.push_back(transition.path.size() == 1 ? to_text(transition.path.front())
                   : found                     ? std::to_string(transition.path.size()) + " moves"
                                               : "nothing found");
  }
  if (unknown > 0) {
    page.set_verdict(report::Verdict::bad,
                     std::to_string(unknown) + " of the transitions have no explanation within the limits.");
  } else {
    std::string text = std::to_string(moves) + (moves == 1 ? " move" : " moves");
    if (recognition.swaps > 0)
      text += "; " + std::to_string(recognition.swaps) + (recognition.swaps == 1 ? " state" : " states") +
              " had to be read from the other end";
    page.set_verdict(report::Verdict::good, text + ".");
  }
  page.add(std::move(table));
  std::string notes;
  for (const std::string& note : recognition.notes) notes += "- " + note + "\n";
  if (!notes.empty()) page.add_text(notes);
  add_film(recognition.states, done, page);
  return page;
}

report::Page plan_page(const KnotPlan& plan) {
  report::Page page("How is it tied?");
  page.set_verdict(
      plan.proven_shortest ? report::Verdict::good : report::Verdict::note,
      std::to_string(plan.moves.size()) + (plan.proven_shortest ? " moves; there is no shorter way."
                                                                : " moves; a shorter way is not ruled out."));
  report::Table table{"Moves", {{"to state", "", 3, ""}, {"move", "", 3, ""}}, {}, {}, {}};
  for (std::size_t k = 0; k < plan.moves.size(); ++k)
    table.rows.push_back({static_cast<double>(k + 2), to_text(plan.moves[k])});
  page.add(std::move(table));
  std::vector<std::string> done;
  for (const Move& move : plan.moves) done.push_back(to_text(move));
  add_film(plan.states, done, page);
  return page;
}

}  // namespace prehend::knot
