// L, figure 5.17: the bowline, frame by frame, with every move that fits. The figure's codes are pictures; the
// sequence is rebuilt from a drawn bowline, whose end is led on by one crossing at a time.
#include <algorithm>

#include "knot_figures.h"
#include <prehend/knot/named_knots.h>

namespace prehend::reproduce {

Reproduction figure_5_17(const ReproduceOptions& options) {
  options.validate();
  const knot::NamedKnot& bowline = knot::named_knot("bowline");
  const knot::Recognition recognition = knot::recognise(bowline.tying_states);
  KnotFigure figure{
      "fig-5.17", "figure 5.17: the bowline, the right end selected in every frame", {}, "", true};
  for (std::size_t t = 0; t < recognition.transitions.size(); ++t) {
    const auto& found = recognition.transitions[t].candidates;
    const bool several = t == 0 || t == 3;
    figure.source.push_back(several ? "more than one move fits" : t < 6 ? "one move fits" : "");
    const bool right = std::find(found.begin(), found.end(), bowline.tying_moves[t]) != found.end();
    figure.agrees = figure.agrees && right && (found.size() > 1) == several;
  }
  figure.conclusion =
      std::string(
          "every move is among the candidates, and only the first and fourth transitions have several: ") +
      (figure.agrees ? "as in Takamatsu 2004" : "not as in Takamatsu 2004");
  return sequence_figure(figure, recognition);
}

}  // namespace prehend::reproduce
