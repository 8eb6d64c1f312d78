#include "knot_figures.h"

#include <prehend/knot/moves_json.h>
#include <prehend/knot/p_data_json.h>
#include <prehend/knot/pages.h>

namespace prehend::reproduce {

Reproduction sequence_figure(const KnotFigure& figure, const knot::Recognition& recognition) {
  Reproduction result;
  result.page = knot::recognition_page(recognition);
  result.page.set_subtitle(std::string("Takamatsu 2004, ") + figure.title);
  model::JsonWriter json;
  json.object().field("id", figure.id).key("states").array();
  for (const knot::PData& state : recognition.states) knot::write_json(json, state);
  json.end().field("first_swapped", recognition.first_swapped).key("transitions").array();
  result.text = std::string(figure.title) + "\nP1: " + to_text(recognition.states.front()) + "\n";
  for (std::size_t t = 0; t < recognition.transitions.size(); ++t) {
    const knot::Transition& transition = recognition.transitions[t];
    result.text += "P" + std::to_string(t + 2) + ": " + to_text(recognition.states[t + 1]) +
                   (transition.swapped ? "  (other end than recorded)" : "") + "\n";
    json.object().field("swapped", transition.swapped).key("candidates").array();
    for (const knot::Move& move : transition.candidates) {
      result.text += "    " + to_text(move) + "\n";
      write_json(json, move);
    }
    json.end();
    const std::string source = t < figure.source.size() ? figure.source[t] : "";
    if (!source.empty()) result.text += "    Takamatsu 2004: " + source + "\n";
    json.field("source", source).end();
  }
  json.end().field("agrees", figure.agrees).field("conclusion", figure.conclusion).end();
  result.text += figure.conclusion + "\n";
  result.page.add_text(figure.conclusion);
  result.json = json.text();
  return result;
}

}  // namespace prehend::reproduce
