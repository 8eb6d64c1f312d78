// L, figure 5.18: the bowline with the wrong end selected in frames 3, 6 and 7.
#include "knot_figures.h"
#include <prehend/knot/named_knots.h>

namespace prehend::reproduce {

Reproduction figure_5_18(const ReproduceOptions& options) {
  options.validate();
  const std::vector<knot::PData>& right = knot::named_knot("bowline").tying_states;
  std::vector<knot::PData> recorded = right;
  for (const std::size_t frame : {3U, 6U, 7U}) recorded[frame - 1] = knot::swapped_ends(recorded[frame - 1]);
  const knot::Recognition recognition = knot::recognise(recorded);
  KnotFigure figure{
      "fig-5.18", "figure 5.18: the bowline, the wrong end selected in frames 3, 6 and 7", {}, "", false};
  figure.source = {"",
                   "cannot be decided: P3 reads the same from both ends",
                   "",
                   "",
                   "the end of P6 is wrong",
                   "the end of P7 is wrong",
                   ""};
  bool agrees = recognition.states == right && !recognition.first_swapped && recorded[2] == right[2];
  for (std::size_t t = 0; t < recognition.transitions.size(); ++t)
    agrees = agrees && recognition.transitions[t].swapped == (t + 2 == 6 || t + 2 == 7);
  figure.agrees = agrees;
  figure.conclusion = std::string("frames 6 and 7 are turned round, frame 3 reads the same either way: ") +
                      (agrees ? "as in Takamatsu 2004" : "not as in Takamatsu 2004");
  return sequence_figure(figure, recognition);
}

}  // namespace prehend::reproduce
