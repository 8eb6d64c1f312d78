// prehend.knot: drawings, moves between states, plans.
#include "bindings.h"
#include <prehend/knot/drawing.h>
#include <prehend/knot/moves_json.h>
#include <prehend/knot/plan.h>
#include <prehend/knot/recognition.h>
#include <prehend/knot/seen_states.h>

namespace prehend::python {
namespace {

using knot::PData;

void bind_drawing(nb::module_& m) {
  using knot::Drawing;
  auto result = nb::class_<Drawing>(m, "Drawing", "A picture of P-data, and a rope that lies like it.");
  result
      .def_prop_ro(
          "status", [](const Drawing& d) { return to_string(d.status); },
          "'ok', 'too_many_crossings', 'not_drawn'")
      .def_ro("problem", &Drawing::problem, "why not, in a sentence")
      .def_ro("outer_face", &Drawing::outer_face)
      .def_ro("polyline", &Drawing::polyline, "(n, 3) from the selected end; a read-only view")
      .def_ro("least_crossing_distance", &Drawing::least_crossing_distance, "relative to the width")
      .def_prop_ro("svg", [](const Drawing& d) { return text(d.svg); })
      .def("to_json", &Drawing::to_json, "As `prehend knot draw --json` prints it.")
      .def("brief_report", &Drawing::brief_report);
  def_result(result);
  m.def(
      "draw",
      [](const PData& data, std::optional<int> outer_face, bool crossing_numbers) {
        knot::DrawingOptions options;
        options.outer_face = outer_face;
        options.crossing_numbers = crossing_numbers;
        return knot::draw(data, options);
      },
      "p_data"_a, nb::kw_only(), "outer_face"_a = nb::none(), "crossing_numbers"_a = false, Released(),
      R"(Draws P-data: SVG, and a centre line that reads back as the same code.

>>> from prehend import knot
>>> bowline = knot.named_knot("bowline").p_data
>>> drawing = knot.draw(bowline)
>>> drawing.status, knot.project_rope(drawing.polyline).p_data == bowline
('ok', True)
)");
}

void bind_moves(nb::module_& m) {
  using knot::Move;
  nb::class_<Move>(m, "Move", "Reidemeister I, II, III or a cross move of an end.")
      .def_prop_ro(
          "move", [](const Move& move) { return to_string(move.kind); }, "'R1', 'R2', 'R3', 'cross'")
      .def_ro("adds", &Move::adds, "crossings")
      .def("to_json",
           [](const Move& move) {
             model::JsonWriter json;
             knot::write_json(json, move);
             return json.text();
           })
      .def_static(
          "from_json", [](const std::string& json) { return knot::parse_move(json, "move"); }, "json"_a,
          "Reads what to_json writes.")
      .def("__eq__",
           [](const Move& a, nb::handle b) { return nb::isinstance<Move>(b) && a == nb::cast<Move>(b); })
      .def("__repr__", [](const Move& move) { return "<Move: " + knot::to_text(move) + ">"; });
  m.def("candidates", &knot::candidates, "before"_a, "after"_a, Released(),
        R"(Every single move that turns one state into the other.

>>> from prehend.knot import PData, candidates
>>> sorted({move.move for move in candidates(PData(), PData([2, 1], [3, 4]))})
['R1', 'cross']
)");
  m.def("apply", &knot::apply, "state"_a, "move"_a, Released(),
        R"(The state after a move; ValueError when the state does not allow it.

>>> from prehend.knot import Move, PData, apply, plan_knot
>>> state = PData()
>>> for move in plan_knot(PData([4, 5, 6, 1, 2, 3], [3, 4, 3, 4, 3, 4])).moves:
...     state = apply(state, Move.from_json(move.to_json()))
>>> state
<PData: sigma 4 5 6 1 2 3, attr 3 4 3 4 3 4>
)");
}

void bind_recognition(nb::module_& m) {
  using knot::Recognition;
  auto recognition =
      nb::class_<Recognition>(m, "Recognition", "What was done to a rope from state to state.");
  recognition.def_prop_ro("status", [](const Recognition& r) { return to_string(r.status); })
      .def_ro("first_swapped", &Recognition::first_swapped)
      .def_ro("swaps", &Recognition::swaps, "states read from their other end")
      .def_prop_ro(
          "states", [](const Recognition& r) { return r.states; }, "as read")
      .def("to_json", &Recognition::to_json, "As `prehend knot moves --json` prints it.")
      .def("brief_report", &Recognition::brief_report);
  def_result(recognition);
  m.def(
      "recognise", [](const std::vector<PData>& states) { return knot::recognise(states); }, "states"_a,
      Released(),
      R"(The moves between successive states, with wrongly chosen ends repaired.

>>> from prehend.knot import named_knot, recognise
>>> result = recognise(named_knot("overhand").tying_states)
>>> result.status, len(result.to_dict()["transitions"]) == len(result.states) - 1
('ok', True)
)");
  m.def(
      "recognise_recording",
      [](const knot::RecordingResult& recording) { return knot::recognise_recording(recording); },
      "recording"_a, Released(),
      R"(The moves of a recorded rope, each between two frames (and times, where the recording has them).

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "rope.csv")
...     straight = "0,0,0,0,0\n0,0,2,0,0\n"
...     loop = "1,0.5,0,0,0\n1,0.5,2,0,0\n1,0.5,2,1,0.5\n1,0.5,1,1,1\n1,0.5,1,-1,1\n"
...     _ = open(path, "w").write("frame,t,x,y,z\n" + straight + loop)
...     log = prehend.model.read_rope_log(path)
>>> moves = prehend.knot.recognise_recording(prehend.knot.project_recording(log)).to_dict()
>>> [(move["t0_s"], move["t1_s"], move["moves"]) for move in moves["transitions"]]
[(0.0, 0.5, 1)]
)");
}

void bind_plans(nb::module_& m) {
  using knot::KnotPlan;
  auto plan = nb::class_<KnotPlan>(m, "KnotPlan", "How a knot is tied from a straight rope.");
  plan.def_prop_ro("status", [](const KnotPlan& p) { return to_string(p.status); })
      .def_prop_ro("moves", [](const KnotPlan& p) { return p.moves; })
      .def_prop_ro(
          "states", [](const KnotPlan& p) { return p.states; }, "one more than moves")
      .def_ro("proven_shortest", &KnotPlan::proven_shortest)
      .def_ro("lower_bound", &KnotPlan::lower_bound)
      .def("to_json", &KnotPlan::to_json, "As `prehend knot plan --json` prints it.")
      .def("brief_report", &KnotPlan::brief_report);
  def_result(plan);
  m.def(
      "plan_knot", [](const PData& wanted) { return knot::plan_knot(wanted); }, "wanted"_a, Released(),
      R"(The fewest moves that tie a knot.

>>> from prehend.knot import PData, plan_knot
>>> plan = plan_knot(PData([4, 5, 6, 1, 2, 3], [3, 4, 3, 4, 3, 4]))
>>> len(plan.states) == len(plan.moves) + 1, plan.states[-1].crossings
(True, 3)
)");
}

}  // namespace

void bind_knot_moves(nb::module_& m) {
  bind_drawing(m);
  bind_moves(m);
  bind_recognition(m);
  bind_plans(m);
}

}  // namespace prehend::python
