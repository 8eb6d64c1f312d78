// prehend.stability: how hard may I push?
#include <cmath>

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include "stability_bindings.h"
#include <prehend/model/body_names.h>
#include <prehend/stability/robustness_map.h>

namespace prehend::python {
namespace {

using Name = std::variant<std::string, int>;  // of a body, or its index
using stability::RobustnessResult;

BodyIndex body_of(const Scene& scene, const Name& name) {
  if (const int* index = std::get_if<int>(&name)) {
    if (*index < 0 || static_cast<std::size_t>(*index) >= scene.bodies.size()) {
      throw std::out_of_range("the scene has no body " + std::to_string(*index));
    }
    return BodyIndex(*index);
  }
  const BodyIndex body = scene.find_body(std::get<std::string>(name));
  if (!body.is_valid()) throw nb::key_error(model::no_such_body(scene, std::get<std::string>(name)).c_str());
  return body;
}

void bind_answer(nb::module_& m) {
  auto answer = nb::class_<PushAnswer>(m, "PushAnswer", "How much of a load holds, and what fails beyond.");
  answer
      .def_prop_ro(
          "status", [](const PushAnswer& a) { return to_string(a.status); },
          "'ok', 'unstable' or 'undetermined'")
      .def_prop_ro(
          "robustness", [](const PushAnswer& a) { return a.robustness; },
          "[N], or [m/s^2] of transport; infinite when unbounded")
      .def_prop_ro(
          "lower", [](const PushAnswer& a) { return a.lower; }, "proven; nan where the method proves nothing")
      .def_prop_ro(
          "upper", [](const PushAnswer& a) { return a.upper; }, "proven; nan where the method proves nothing")
      .def_prop_ro("unbounded", [](const PushAnswer& a) { return a.unbounded; })
      .def_prop_ro(
          "mode", [](const PushAnswer& a) { return to_string(a.mode); },
          "'slip', 'topple', 'lift', 'mixed', 'unbounded', 'unstable' or 'undetermined'")
      .def_prop_ro(
          "moving", [](const PushAnswer& a) { return texts(a.moving_names); },
          "names of the bodies that move")
      .def_prop_ro("needs_prestress", [](const PushAnswer& a) { return a.needs_prestress; })
      .def_prop_ro(
          "without_prestress", [](const PushAnswer& a) { return a.without_prestress; },
          "what load-caused forces hold; nan when it was not asked for")
      .def_prop_ro(
          "load_caused_less", [](const PushAnswer& a) { return a.load_caused_less; },
          "without_prestress is less than 95 % of robustness")
      .def_prop_ro(
          "load_caused_low", [](const PushAnswer& a) { return a.load_caused_low; },
          "the least without_prestress for friction a tenth to a hundred times as stiff as the normal "
          "direction; nan without joints")
      .def_prop_ro(
          "load_caused_high", [](const PushAnswer& a) { return a.load_caused_high; }, "the largest of them")
      .def_prop_ro(
          "depends_on_stiffness", [](const PushAnswer& a) { return a.depends_on_stiffness; },
          "load_caused_low and load_caused_high differ by more than 2 %")
      .def_prop_ro(
          "guaranteed", [](const PushAnswer& a) { return a.guaranteed; },
          "what holds for all friction, masses and outlines within the margins; nan without margins")
      .def_prop_ro(
          "forces_W",
          [](const PushAnswer& a) { return a.proof ? a.proof->forces_W : std::vector<Vector3d>(); },
          "(contacts, 3) [N] forces on body b that hold the lower bound; empty without a proof")
      .def_prop_ro("note", [](const PushAnswer& a) { return text(a.note); });
  def_result(answer);
}

std::vector<double> values_of(const std::vector<stability::PushAnswer>& answers) {
  std::vector<double> values;
  for (const stability::PushAnswer& answer : answers) values.push_back(answer.robustness);
  return values;
}

void bind_robustness_result(nb::module_& m) {
  auto result = nb::class_<RobustnessResult>(m, "RobustnessResult", "How hard a scene may be pushed.");
  result
      .def_prop_ro(
          "status", [](const RobustnessResult& r) { return to_string(r.status); },
          "'ok', 'unstable' or 'undetermined'")
      .def_prop_ro("method", [](const RobustnessResult& r) { return to_string(r.method); })
      .def_prop_ro(
          "answers",
          [](const RobustnessResult& r) {
            std::vector<PushAnswer> answers;
            for (const stability::PushAnswer& answer : r.answers) answers.emplace_back(answer, r.body_names);
            return answers;
          },
          "in the order asked")
      .def_prop_ro(
          "bodies",
          [](const RobustnessResult& r) {
            std::vector<BodyIndex> bodies;
            for (const stability::Push& push : r.pushes) bodies.push_back(push.body);
            return texts(model::names_of(r.body_names, bodies));
          },
          "name of the pushed body, by push")
      .def_prop_ro(
          "points_W",
          [](const RobustnessResult& r) {
            std::vector<Vector3d> points;
            for (const stability::Push& push : r.pushes) points.push_back(push.p_W);
            return points;
          },
          "(n, 3) [m]")
      .def_prop_ro(
          "directions_W",
          [](const RobustnessResult& r) {
            std::vector<Vector3d> directions;
            for (const stability::Push& push : r.pushes) directions.push_back(push.d_W);
            return directions;
          },
          "(n, 3) unit")
      .def_prop_ro(
          "values", [](const RobustnessResult& r) { return values_of(r.answers); },
          "(n,) [N]; infinite: unbounded")
      .def_ro("cone_programs", &RobustnessResult::cone_programs)
      .def_ro("needs_prestress", &RobustnessResult::needs_prestress, "of the scene at rest")
      .def_prop_ro(
          "moving", [](const RobustnessResult& r) { return texts(model::names_of(r.body_names, r.moving)); },
          "what falls, when unstable")
      .def_prop_ro("problems", [](const RobustnessResult& r) { return texts(r.problems); });
  def_answer<RobustnessResult>(result);
}

void bind_robustness(nb::module_& m) {
  const stability::RobustnessOptions defaults;
  m.def(
      "robustness",
      [](const Scene& scene, const std::vector<std::tuple<Name, Vector3d, Vector3d>>& pushes,
         const std::string& method, double accuracy, std::optional<double> contact_tolerance,
         double fixed_above, const Vector3d& acceleration, bool check_points, bool check_prestress,
         bool together, bool load_caused, double margin_friction, double margin_mass, double margin_position,
         std::uint64_t seed, int threads) {
        std::vector<stability::Push> asked;
        for (const auto& [body, p_W, d_W] : pushes) asked.push_back({body_of(scene, body), p_W, d_W});
        stability::RobustnessOptions options;
        options.method = choice<stability::Method>("method", method);
        options.accuracy = accuracy;
        options.system = system_options(contact_tolerance, fixed_above, seed, threads, acceleration);
        options.check_points = check_points;
        options.check_prestress = check_prestress;
        options.together = together;
        options.load_caused = load_caused;
        options.margins.friction = margin_friction;
        options.margins.mass = margin_mass;
        options.margins.position = margin_position;
        options.threads = threads;
        return stability::robustness(scene, asked, options);
      },
      "scene"_a, "pushes"_a, nb::kw_only(), "method"_a = "exact", "accuracy"_a = defaults.accuracy,
      "contact_tolerance"_a = nb::none(), "fixed_above"_a = 0.0, "acceleration"_a = Vector3d(0, 0, 0),
      "check_points"_a = true, "check_prestress"_a = true, "together"_a = false, "load_caused"_a = false,
      "margin_friction"_a = 0.0, "margin_mass"_a = 0.0, "margin_position"_a = 0.0, "seed"_a = 0,
      "threads"_a = defaults.threads, Released(),
      R"(How hard may each push become before something moves? `pushes` lists (body, point, direction), in the world.

`acceleration`: of the ground [m/s^2]. With `together` they act at once, sizes in the proportion of their directions' lengths; with `load_caused` answers also say what
load-caused forces hold without internal stress.

Margins: friction may be less by that part, masses differ by that part, outlines of contacts be wrong by that much [m]; answers
then have `guaranteed`.

>>> import prehend
>>> stack = prehend.embedded_scene("scenes/stack.xml")
>>> result = prehend.robustness(stack, [("crate_small", [0, 0, 0.36], [1, 0, 0]), ("crate_small", [0.05, 0, 0.44], [0, 0, -1])])
>>> push, press = result.answers
>>> round(push.robustness, 2), push.mode, push.moving
(2.35, 'slip', ['crate_small'])
>>> press.unbounded
True
)");
}

void bind_robustness_map(nb::module_& m) {
  const stability::RobustnessMapOptions defaults;
  m.def(
      "robustness_map",
      [](const Scene& scene, int points, const std::string& method, double accuracy,
         std::optional<double> contact_tolerance, double fixed_above, const Vector3d& acceleration,
         bool covered, bool load_caused, std::uint64_t seed, int threads) {
        stability::RobustnessMapOptions options;
        options.points = points;
        options.seed = seed;
        options.covered = covered;
        options.accuracy = accuracy;
        options.robustness.method = choice<stability::Method>("method", method);
        options.robustness.system =
            system_options(contact_tolerance, fixed_above, seed, threads, acceleration);
        options.robustness.load_caused = load_caused;
        options.robustness.threads = threads;
        return stability::robustness_map(scene, options);
      },
      "scene"_a, "points"_a = defaults.points, nb::kw_only(), "method"_a = "exact",
      "accuracy"_a = defaults.accuracy, "contact_tolerance"_a = nb::none(), "fixed_above"_a = 0.0,
      "acceleration"_a = Vector3d(0, 0, 0), "covered"_a = false, "load_caused"_a = false, "seed"_a = 0,
      "threads"_a = defaults.robustness.threads, Released(),
      R"(Pushes all over what may move, uniform by area, along the inward normals. `covered`: also where bodies touch; `acceleration`: of the ground [m/s^2];
`load_caused`: answers have `without_prestress`, what load-caused forces hold.

>>> import prehend
>>> result = prehend.robustness_map(prehend.embedded_scene("scenes/stack.xml"), 500)
>>> weakest = result.values.argmin()
>>> result.bodies[weakest], bool(1.4 < result.values[weakest] < 2.0)
('crate_small', True)
)");
}

}  // namespace

void bind_stability(nb::module_& m) {
  bind_answer(m);
  bind_robustness_result(m);
  bind_robustness(m);
  bind_robustness_map(m);
  bind_questions(m);
}

}  // namespace prehend::python
