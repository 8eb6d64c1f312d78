// L, figure 5.19: the bow, with Reidemeister II in the fourth, sixth and seventh transition. The figure's codes are
// pictures; the sequence is rebuilt from a drawn bow.
#include "knot_figures.h"
#include <prehend/knot/named_knots.h>
#include <prehend/knot/plan.h>

namespace prehend::reproduce {

Reproduction figure_5_19(const ReproduceOptions& options) {
  options.validate();
  const knot::NamedKnot& bow = knot::named_knot("bow_tie");
  const knot::Recognition recognition = knot::recognise(bow.tying_states);
  const knot::KnotPlan plan = knot::plan_knot(bow.p_data);
  KnotFigure figure{"fig-5.19", "figure 5.19: the bow", {}, "", recognition.transitions.size() == 7};
  for (std::size_t t = 0; t < recognition.transitions.size(); ++t) {
    const auto& found = recognition.transitions[t].candidates;
    const bool second = t == 3 || t == 5 || t == 6;
    figure.source.push_back(second ? "Reidemeister II" : "one crossing more");
    figure.agrees = figure.agrees && !found.empty() && (found.front().kind == knot::MoveKind::r2) == second;
  }
  figure.conclusion = std::string("Reidemeister II ties the fourth, sixth and seventh transition: ") +
                      (figure.agrees ? "as in Takamatsu 2004" : "not as in Takamatsu 2004") +
                      "; the fewest moves that tie it are " + std::to_string(plan.moves.size()) +
                      (plan.proven_shortest ? " (proven)" : " (not proven)");
  return sequence_figure(figure, recognition);
}

}  // namespace prehend::reproduce
