// prehend.knot: P-data, ropes, codes, names.
#include "bindings.h"
#include <prehend/knot/closure.h>
#include <prehend/knot/codes.h>
#include <prehend/knot/named_knots.h>
#include <prehend/knot/naming.h>
#include <prehend/knot/p_data_json.h>
#include <prehend/knot/projection.h>
#include <prehend/knot/rope_shape.h>
#include <prehend/math/enum_text.h>

namespace prehend::python {
namespace {

using knot::PData;
using Numbers = nb::typed<nb::list, nb::int_>;

// Codes are short and compared with lists: lists, not arrays.
template <class Integer>
Numbers numbers(const std::vector<Integer>& values) {
  Numbers list;
  for (const Integer value : values) list.append(value);
  return list;
}

knot::Closure closure_of(const std::string& word) {
  if (const auto closure = from_string<knot::Closure>(word)) return *closure;
  throw std::invalid_argument("closure is '" + word + "'; it must be " + enum_choices<knot::Closure>());
}

void bind_p_data(nb::module_& m) {
  auto data = nb::class_<PData>(m, "PData",
                                R"(The code of a rope's drawing: the other passage of each passage's crossing,
and 1 over/-, 2 under/-, 3 over/+, 4 under/+. A code that cannot be drawn raises ValueError.

>>> from prehend.knot import PData
>>> trefoil = PData([4, 5, 6, 1, 2, 3], [3, 4, 3, 4, 3, 4])
>>> trefoil.crossings, trefoil.mirrored().attr
(3, [2, 1, 2, 1, 2, 1])
)");
  data.def(
          "__init__",
          [](PData* self, std::vector<int> sigma, std::vector<int> attr) {
            PData made{std::move(sigma), std::move(attr)};
            if (const std::string problem = knot::find_problem(made); !problem.empty())
              throw std::invalid_argument(problem);
            new (self) PData(std::move(made));
          },
          "sigma"_a = std::vector<int>{}, "attr"_a = std::vector<int>{})
      .def_prop_ro(
          "sigma", [](const PData& d) { return numbers(d.sigma); },
          "The other passage of each crossing, from 1.")
      .def_prop_ro(
          "attr", [](const PData& d) { return numbers(d.attr); }, "1 over/-, 2 under/-, 3 over/+, 4 under/+.")
      .def_prop_ro("crossings", &PData::crossings)
      .def("swapped_ends", &knot::swapped_ends, "Read from the other end.")
      .def(
          "mirrored", [](const PData& d) { return knot::mirrored(d); }, "Over becomes under, signs change.")
      .def("seen_from_below", &knot::seen_from_below, "Over becomes under, signs stay.")
      .def("canonical", &knot::canonical, "The smaller of the code and its swapped one.")
      .def(
          "to_json", [](const PData& d) { return knot::to_json(d); }, "As files hold it.")
      .def("__eq__",
           [](const PData& a, nb::handle b) { return nb::isinstance<PData>(b) && a == nb::cast<PData>(b); })
      .def("__hash__", [](const PData& d) { return std::hash<std::string>{}(knot::to_text(d)); })
      .def("__reduce__",
           [](nb::handle self) {
             return nb::make_tuple(self.type(), nb::make_tuple(self.attr("sigma"), self.attr("attr")));
           })
      .def("__repr__", [](const PData& d) { return "<PData: " + knot::to_text(d) + ">"; });
  m.def(
      "read_p_data", [](const Path& path) { return knot::read_p_data(path.text); }, "path"_a,
      R"(P-data of a JSON file.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "loop.json")
...     _ = open(path, "w").write('{"sigma":[2,1],"attr":[3,4]}')
...     prehend.knot.read_p_data(path)
<PData: sigma 2 1, attr 3 4>
)");
  m.def(
      "read_p_data_sequence", [](const Path& path) { return knot::read_p_data_sequence(path.text); },
      "path"_a,
      R"(The states of a JSON file, or the frames that `prehend knot read --json` printed.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "states.json")
...     _ = open(path, "w").write('{"states":[{"sigma":[],"attr":[]},{"sigma":[2,1],"attr":[3,4]}]}')
...     len(prehend.knot.read_p_data_sequence(path))
2
)");
}

knot::ProjectionOptions view_options(const std::optional<Eigen::Vector3d>& view, bool closed,
                                     std::optional<double> noise) {
  knot::ProjectionOptions options;
  options.view_W = view;
  options.closed = closed;
  options.noise = noise;
  return options;
}

void bind_ropes(nb::module_& m) {
  using knot::ProjectionResult;
  auto result =
      nb::class_<ProjectionResult>(m, "ProjectionResult", "A rope's drawing from one view, as P-data.");
  result
      .def_prop_ro(
          "status", [](const ProjectionResult& r) { return to_string(r.status); },
          "'ok', 'degenerate_view', 'touching', 'too_coarse', 'no_rope'")
      .def_ro("reason", &ProjectionResult::reason, "a sentence, unless ok")
      .def_ro("p_data", &ProjectionResult::p_data)
      .def_ro("view_W", &ProjectionResult::view_W, "looking direction, as used")
      .def_ro("tilt", &ProjectionResult::tilt, "[rad] of the view used against the one wanted")
      .def_ro("length", &ProjectionResult::length, "[m] of the rope")
      .def_ro("closed", &ProjectionResult::closed, "a loop, cut next to its first point")
      .def_ro("noise", &ProjectionResult::noise, "[m] per axis, smoothed away")
      .def_prop_ro(
          "line_W", [](const ProjectionResult& r) { return r.line_W; },
          "the rope as read, where noise or jumps were taken out; else empty")
      .def("brief_report", &ProjectionResult::brief_report);
  def_texts(result, "notes", &ProjectionResult::notes, "Repeated points, a tilted view, coarse sampling.");
  def_result(result);
  m.def(
      "project_rope",
      [](const PointRows& points, const std::optional<Eigen::Vector3d>& view, bool closed,
         std::optional<double> noise) {
        return knot::project_rope(points.of("points_W"), view_options(view, closed, noise));
      },
      "points_W"_a, nb::kw_only(), "view_W"_a = nb::none(), "closed"_a = false, "noise"_a = nb::none(),
      Released(),
      R"(The P-data of a rope's centre line. Noise of the points [m] is estimated and smoothed away; 0: the points are exact.

>>> from prehend import knot
>>> rope = knot.named_knot("overhand").centre_line
>>> result = knot.project_rope(rope)
>>> result.status, result.p_data.crossings
('ok', 3)
)");
}

void bind_recordings(nb::module_& m) {
  using knot::RecordingResult;
  auto recording =
      nb::class_<RecordingResult>(m, "RecordingResult", "All frames of a recording from one view.");
  recording
      .def_prop_ro(
          "status", [](const RecordingResult& r) { return to_string(r.status); }, "'ok' when every frame is")
      .def_ro("reason", &RecordingResult::reason)
      .def_ro("view_W", &RecordingResult::view_W)
      .def_ro("noise", &RecordingResult::noise, "[m] per axis, smoothed away")
      .def_prop_ro(
          "numbers", [](const RecordingResult& r) { return numbers(r.numbers); }, "of the frames in the file")
      .def_prop_ro(
          "times", [](const RecordingResult& r) { return r.times; },
          "[s] of the frames; empty when there are none")
      .def_prop_ro(
          "frames", [](const RecordingResult& r) -> const auto& { return r.frames; },
          nb::rv_policy::reference_internal)
      .def("to_json", &RecordingResult::to_json, "As `prehend knot read --json` prints it.")
      .def("brief_report", &RecordingResult::brief_report);
  def_result(recording);
  m.def(
      "project_recording",
      [](const model::RopeLog& log, const std::optional<Eigen::Vector3d>& view, bool closed,
         bool closed_codes, std::optional<double> noise) {
        knot::ProjectionOptions options = view_options(view, closed, noise);
        options.closed_codes = closed_codes;
        return knot::project_recording(log, options);
      },
      "log"_a, nb::kw_only(), "view_W"_a = nb::none(), "closed"_a = false, "closed_codes"_a = false,
      "noise"_a = nb::none(), Released(),
      R"(The P-data of every frame of a recorded rope; with closed_codes, to_json() has the codes of the closed ropes, too.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "rope.csv")
...     _ = open(path, "w").write("frame,x,y,z\n0,0,0,0\n0,1,0,0\n")
...     log = prehend.model.read_rope_log(path)
>>> [frame.p_data.crossings for frame in prehend.knot.project_recording(log).frames]
[0]
)");
}

void bind_named_knots(nb::module_& m) {
  using knot::NamedKnot;
  nb::class_<NamedKnot>(m, "NamedKnot", "A knot of the books, as a rope and as P-data.")
      .def_ro("name", &NamedKnot::name)
      .def_ro("title", &NamedKnot::title)
      .def_ro("note", &NamedKnot::note)
      .def_ro("p_data", &NamedKnot::p_data)
      .def_prop_ro(
          "tying_states", [](const NamedKnot& k) { return k.tying_states; }, "from the straight rope")
      .def_prop_ro("centre_line", [](const NamedKnot& k) { return knot::centre_line(k); }, "(n, 3) [m]");
  m.def(
      "named_knots",
      [] {
        std::vector<std::string> names;
        for (const NamedKnot& one : knot::named_knots()) names.push_back(one.name);
        return texts(names);
      },
      R"(Names of the knots that come with the library.

>>> from prehend import knot
>>> "bowline" in knot.named_knots()
True
)");
  m.def(
      "named_knot", [](const std::string& name) { return knot::named_knot(name); }, "name"_a, R"(One of them.

>>> from prehend import knot
>>> knot.name_knot(knot.named_knot("bowline").p_data).name
'6_3'
)");
  m.def(
      "names_of", [](const PData& data) { return texts(knot::names_of(data)); }, "p_data"_a,
      R"(The knots that come with the library whose code this is, smoothed, from either end, mirrored or seen from below.

>>> from prehend import knot
>>> knot.names_of(knot.named_knot("bowline").p_data.mirrored())
['bowline']
)");
  using knot::RopeShape;
  nb::class_<RopeShape>(m, "RopeShape", "Which of the named knots a rope in space is.")
      .def_prop_ro("names", [](const RopeShape& s) { return texts(s.names); })
      .def_ro("p_data", &RopeShape::p_data, "smoothed, in the view that decided")
      .def_ro("view_W", &RopeShape::view_W, "looking direction of that view")
      .def_ro("moves", &RopeShape::moves, "Reidemeister moves from that code to the named one's")
      .def_ro("from_flattest", &RopeShape::from_flattest, "[rad] between that view and the flattest");
  m.def(
      "find_shape",
      [](const PointRows& points, std::optional<double> noise) {
        knot::RopeShapeOptions options;
        options.noise = noise;
        return knot::find_shape(points.of("points_W"), options);
      },
      "points_W"_a, nb::kw_only(), "noise"_a = nb::none(), Released(),
      R"(Which of the named knots a rope is, from whichever side it lies.

>>> from prehend import knot
>>> rope = knot.named_knot("bowline").centre_line
>>> knot.find_shape(rope[:, [2, 0, 1]]).names  # standing on its edge
['bowline']
)");
}

void bind_codes(nb::module_& m) {
  const auto closed = [](const PData& rope, const std::string& closure) {
    return closure_of(closure) == knot::Closure::over ? knot::closed_over(rope) : knot::closed_under(rope);
  };
  m.def(
      "gauss_code",
      [closed](const PData& rope, const std::string& closure) {
        return knot::to_text(knot::gauss_code(closed(rope, closure)));
      },
      "p_data"_a, nb::kw_only(), "closure"_a = "over",
      R"(Signed Gauss code of the rope, closed over or under everything.

>>> from prehend.knot import PData, gauss_code
>>> gauss_code(PData([4, 5, 6, 1, 2, 3], [3, 4, 3, 4, 3, 4]))
'O1+U2+O3+U1+O2+U3+'
)");
  m.def(
      "dt_code",
      [closed](const PData& rope, const std::string& closure) {
        return numbers(knot::dt_code(closed(rope, closure)));
      },
      "p_data"_a, nb::kw_only(), "closure"_a = "over", R"(Dowker-Thistlethwaite code of the closed rope.

>>> from prehend.knot import PData, dt_code
>>> dt_code(PData([4, 5, 6, 1, 2, 3], [3, 4, 3, 4, 3, 4]))
[4, 6, 2]
)");
  m.def(
      "pd_code",
      [closed](const PData& rope, const std::string& closure) {
        nb::typed<nb::list, Numbers> crossings;
        for (const auto& x : knot::pd_code(closed(rope, closure)))
          crossings.append(numbers(std::vector<int>(x.begin(), x.end())));
        return crossings;
      },
      "p_data"_a, nb::kw_only(), "closure"_a = "over",
      R"(Planar diagram code of the closed rope, for other programs.

>>> from prehend.knot import PData, pd_code
>>> len(pd_code(PData([4, 5, 6, 1, 2, 3], [3, 4, 3, 4, 3, 4])))
3
)");
  m.def(
      "from_pd",
      [](const std::vector<std::vector<int>>& crossings) {
        knot::PdCode code;
        for (const auto& x : crossings) {
          if (x.size() != 4)
            throw std::invalid_argument("a crossing has " + std::to_string(x.size()) + " edges, must be 4");
          code.push_back({x[0], x[1], x[2], x[3]});
        }
        return knot::opened(knot::from_pd(code));
      },
      "crossings"_a, R"(A closed diagram, cut open, from its planar diagram code.

>>> from prehend.knot import from_pd, name_knot
>>> name_knot(from_pd([[1, 5, 2, 4], [3, 1, 4, 6], [5, 3, 6, 2]])).name
'3_1'
)");
  m.def(
      "from_dt", [](const std::vector<int>& code) { return knot::opened(knot::from_dt(code)); }, "code"_a,
      R"(A closed diagram, cut open, from its Dowker-Thistlethwaite code.

>>> from prehend.knot import from_dt, name_knot
>>> name_knot(from_dt([4, 6, 8, 2])).name
'4_1'
)");
}

knot::RopeName name_points(const PointRows& given, const std::optional<Eigen::Vector3d>& view,
                           std::optional<bool> closed, std::optional<double> noise) {
  const std::vector<Eigen::Vector3d>& points = given.of("points_W");
  const knot::ProjectionOptions options = view_options(view, closed.value_or(knot::ends_meet(points)), noise);
  const knot::ProjectionResult seen = knot::project_for_naming(points, options);
  if (seen.status != knot::ProjectionStatus::ok)
    throw std::invalid_argument(std::string(to_string(seen.status)) + ": " + seen.reason);
  knot::RopeName name = knot::name_rope(seen.p_data);
  if (seen.closed) name.rope_knots.clear();
  name.doubts = knot::naming_doubts(points, seen, options);
  return name;
}

void bind_naming(nb::module_& m) {
  using knot::KnotName;
  auto result = nb::class_<KnotName>(m, "KnotName", "Which knot a closed rope is, and how surely.");
  result
      .def_prop_ro(
          "status", [](const KnotName& k) { return to_string(k.status); },
          "'ok', 'ambiguous', 'outside', 'too_large'")
      .def_ro("name", &KnotName::name, "Rolfsen's; sums as '3_1#4_1'; '' when not named")
      .def_ro("proved", &KnotName::proved)
      .def_ro("reason", &KnotName::reason)
      .def_prop_ro("alexander", [](const KnotName& k) { return numbers(k.values.alexander.coefficients); })
      .def_prop_ro("jones",
                   [](const KnotName& k) { return k.values.jones_known ? k.values.jones.to_text() : ""; })
      .def_prop_ro("signature", [](const KnotName& k) { return k.values.signature; })
      .def_prop_ro("determinant", [](const KnotName& k) { return k.values.determinant; })
      .def_ro("writhe", &KnotName::writhe, "of the rope's own drawing")
      .def_ro("closed_crossings", &KnotName::closed_crossings)
      .def_ro("reduced_crossings", &KnotName::reduced_crossings)
      .def("to_json", &KnotName::to_json)
      .def("brief_report", &KnotName::brief_report);
  def_texts(result, "names", &KnotName::names, "All that fit.");
  def_texts(result, "prime_components", &KnotName::prime_components, "Of the name; none for the unknot.");
  def_result(result);
  using knot::RopeName;
  auto both = nb::class_<RopeName>(m, "RopeName", "A rope's own name, and those of both its closures.");
  both.def_prop_ro("status", &RopeName::status,
                   "of the closure over everything; 'doubtful' for 'ok' where `doubts` says why")
      .def_ro("over", &RopeName::over, "closed over everything")
      .def_ro("under", &RopeName::under, "closed under everything")
      .def("differ", &RopeName::differ, "Whether the closures differ in name or invariants.")
      .def("to_json", &RopeName::to_json, "As `prehend knot name --json` prints it.")
      .def("brief_report", &RopeName::brief_report);
  def_texts(both, "rope_knots", &RopeName::rope_knots,
            "Named knots whose code the rope's is, or a few Reidemeister moves away.");
  def_texts(both, "doubts", &RopeName::doubts, "Why a rope in space may be another knot.");
  both.def_ro("rope_knot_moves", &RopeName::rope_knot_moves,
              "from the rope's code to theirs; 0: it is theirs");
  def_result(both);
  m.def(
      "name_rope", [](const PData& rope) { return knot::name_rope(rope); }, "p_data"_a, Released(),
      R"(Which knot a rope is: by its own code, and by those of both closures.

>>> from prehend import knot
>>> bowline = knot.name_rope(knot.named_knot("bowline").p_data)
>>> bowline.rope_knots, bowline.over.name, bowline.under.name
(['bowline'], '6_3', '8_20')
)");
  m.def(
      "name_rope", &name_points, "points_W"_a, nb::kw_only(), "view_W"_a = nb::none(),
      "closed"_a = nb::none(), "noise"_a = nb::none(), Released(),
      R"(Which knot a rope in space is, from its points (n, 3) [m], as `prehend knot name ROPE.csv` says it. Without `closed`, it is a
loop where its ends meet; `noise` as in project_rope. A rope that cannot be read raises ValueError.

>>> from prehend import knot
>>> knot.name_rope(knot.named_knot("overhand").centre_line).rope_knots
['overhand']
)");
  m.def(
      "name_knot",
      [](const PData& rope, const std::string& closure, int max_crossings) {
        knot::NamingOptions options;
        options.closure = closure_of(closure);
        options.max_crossings = max_crossings;
        return knot::name_knot(rope, options);
      },
      "p_data"_a, nb::kw_only(), "closure"_a = "over",
      "max_crossings"_a = knot::NamingOptions{}.max_crossings, Released(),
      R"(Which knot the rope is once its ends are joined over (or under) everything.

>>> from prehend.knot import PData, name_knot
>>> trefoil = name_knot(PData([4, 5, 6, 1, 2, 3], [3, 4, 3, 4, 3, 4]))
>>> trefoil.name, trefoil.proved, trefoil.jones, trefoil.signature
('3_1', True, 't + t^3 - t^4', -2)
)");
}

}  // namespace

void bind_knot(nb::module_& m) {
  bind_p_data(m);
  bind_ropes(m);
  bind_recordings(m);
  bind_named_knots(m);
  bind_codes(m);
  bind_naming(m);
}

}  // namespace prehend::python
