// prehend.stability: how hard may I push?
#include <cmath>

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include "stability_results.h"
#include <prehend/stability/robustness.h>
#include <prehend/stability/surface_pushes.h>

namespace prehend::python {
namespace {

using Name = std::variant<std::string, int>;  // of a body, or its index
using NamedRobustness = Named<stability::RobustnessResult>;

BodyIndex body_of(const Scene& scene, const Name& name) {
  if (const int* index = std::get_if<int>(&name)) {
    if (*index < 0 || static_cast<std::size_t>(*index) >= scene.bodies.size()) {
      throw std::out_of_range("the scene has no body " + std::to_string(*index));
    }
    return BodyIndex(*index);
  }
  const BodyIndex body = scene.find_body(std::get<std::string>(name));
  if (!body.is_valid())
    throw nb::key_error(("the scene has no body '" + std::get<std::string>(name) + "'").c_str());
  return body;
}

void bind_answer(nb::module_& m) {
  auto answer =
      nb::class_<NamedAnswer>(m, "PushAnswer", "How much of a load holds, and what gives way beyond.");
  answer.def_prop_ro("status", [](const NamedAnswer& a) { return to_string(a.status); })
      .def_prop_ro(
          "robustness", [](const NamedAnswer& a) { return a.robustness; },
          "[N], or [m/s^2] of transport; infinite when unbounded")
      .def_prop_ro(
          "lower", [](const NamedAnswer& a) { return a.lower; },
          "proven; nan where the method proves nothing")
      .def_prop_ro(
          "upper", [](const NamedAnswer& a) { return a.upper; },
          "proven; nan where the method proves nothing")
      .def_prop_ro("unbounded", [](const NamedAnswer& a) { return a.unbounded; })
      .def_prop_ro(
          "mode", [](const NamedAnswer& a) { return to_string(a.mode); },
          "'slip', 'topple', 'lift', 'mixed', 'unbounded', 'unstable' or 'undetermined'")
      .def_prop_ro(
          "moving", [](const NamedAnswer& a) { return texts(a.names); }, "names of the bodies that move")
      .def_prop_ro("needs_prestress", [](const NamedAnswer& a) { return a.needs_prestress; })
      .def_prop_ro(
          "without_prestress", [](const NamedAnswer& a) { return a.without_prestress; },
          "what load-caused forces hold; nan when it was not asked for")
      .def_prop_ro(
          "guaranteed", [](const NamedAnswer& a) { return a.guaranteed; },
          "what holds for all friction, masses and outlines within the margins; nan without margins")
      .def_prop_ro(
          "forces_W",
          [](const NamedAnswer& a) { return a.proof ? a.proof->forces_W : std::vector<Vector3d>(); },
          "(contacts, 3) [N] forces on body b that hold the lower bound; empty without a proof")
      .def_prop_ro("note", [](const NamedAnswer& a) { return text(a.note); });
  def_result(answer);
}

std::vector<double> values_of(const std::vector<stability::PushAnswer>& answers) {
  std::vector<double> values;
  for (const stability::PushAnswer& answer : answers) values.push_back(answer.robustness);
  return values;
}

void bind_robustness(nb::module_& m) {
  auto result = nb::class_<NamedRobustness>(m, "RobustnessResult", "How hard a scene may be pushed.");
  result
      .def_prop_ro(
          "status", [](const NamedRobustness& r) { return to_string(r.status); },
          "'ok', 'unstable' or 'no_answer'")
      .def_prop_ro("method", [](const NamedRobustness& r) { return to_string(r.method); })
      .def_prop_ro(
          "answers",
          [](const NamedRobustness& r) {
            std::vector<NamedAnswer> answers;
            for (const stability::PushAnswer& answer : r.answers)
              answers.push_back(named(answer, r.body_names));
            return answers;
          },
          "in the order asked")
      .def_prop_ro(
          "bodies",
          [](const NamedRobustness& r) {
            std::vector<BodyIndex> bodies;
            for (const stability::Push& push : r.pushes) bodies.push_back(push.body);
            return r.names_of(bodies);
          },
          "name of the pushed body, by push")
      .def_prop_ro(
          "points_W",
          [](const NamedRobustness& r) {
            std::vector<Vector3d> points;
            for (const stability::Push& push : r.pushes) points.push_back(push.p_W);
            return points;
          },
          "(n, 3) [m]")
      .def_prop_ro(
          "directions_W",
          [](const NamedRobustness& r) {
            std::vector<Vector3d> directions;
            for (const stability::Push& push : r.pushes) directions.push_back(push.d_W);
            return directions;
          },
          "(n, 3) unit")
      .def_prop_ro(
          "values", [](const NamedRobustness& r) { return values_of(r.answers); },
          "(n,) [N]; infinite: unbounded")
      .def_prop_ro("cone_programs", [](const NamedRobustness& r) { return r.cone_programs; })
      .def_prop_ro(
          "needs_prestress", [](const NamedRobustness& r) { return r.needs_prestress; },
          "of the scene at rest")
      .def_prop_ro(
          "moving", [](const NamedRobustness& r) { return r.names_of(r.moving); },
          "what falls, when unstable")
      .def_prop_ro("problems", [](const NamedRobustness& r) { return texts(r.problems); });
  def_named<decltype(result), NamedRobustness>(result);

  const stability::RobustnessOptions defaults;
  const double tolerance = geometry::ContactOptions{}.gap_tolerance;
  m.def(
      "robustness",
      [](const Scene& scene, const std::vector<std::tuple<Name, Vector3d, Vector3d>>& pushes,
         const std::string& method, double accuracy, double contact_tolerance, double fixed_above,
         bool check_points, bool check_prestress, double margin_friction, double margin_mass,
         double margin_position, std::uint64_t seed, int threads) {
        std::vector<stability::Push> asked;
        for (const auto& [body, p_W, d_W] : pushes) asked.push_back({body_of(scene, body), p_W, d_W});
        stability::RobustnessOptions options;
        options.method = stability::method_from_name(method);
        options.accuracy = accuracy;
        options.system = system_options(contact_tolerance, fixed_above, seed, threads);
        options.check_points = check_points;
        options.check_prestress = check_prestress;
        options.margins.friction = margin_friction;
        options.margins.mass = margin_mass;
        options.margins.position = margin_position;
        options.threads = threads;
        return NamedRobustness(stability::robustness(scene, asked, options), scene);
      },
      "scene"_a, "pushes"_a, nb::kw_only(), "method"_a = "exact", "accuracy"_a = defaults.accuracy,
      "contact_tolerance"_a = tolerance, "fixed_above"_a = 0.0, "check_points"_a = true,
      "check_prestress"_a = true, "margin_friction"_a = 0.0, "margin_mass"_a = 0.0, "margin_position"_a = 0.0,
      "seed"_a = 0, "threads"_a = defaults.threads, Released(),
      R"(How hard may each push become before something moves? `pushes` lists (body, point, direction), in the world.

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
  m.def(
      "robustness_map",
      [](const Scene& scene, int points, const std::string& method, double accuracy, double contact_tolerance,
         double fixed_above, bool covered, std::uint64_t seed, int threads) {
        stability::RobustnessOptions options;
        options.method = stability::method_from_name(method);
        options.map_accuracy = accuracy;
        options.system = system_options(contact_tolerance, fixed_above, seed, threads);
        options.check_points = false;
        options.threads = threads;
        const stability::SurfacePushOptions surface{points, seed, covered, fixed_above};
        const std::vector<stability::Push> asked = stability::surface_pushes(
            scene, model::find_scene_contacts(scene, options.system.contact), surface);
        return NamedRobustness(stability::robustness(scene, asked, options), scene);
      },
      "scene"_a, "points"_a = stability::SurfacePushOptions{}.points, nb::kw_only(), "method"_a = "exact",
      "accuracy"_a = 1e-3, "contact_tolerance"_a = tolerance, "fixed_above"_a = 0.0, "covered"_a = false,
      "seed"_a = 0, "threads"_a = defaults.threads, Released(),
      R"(Pushes all over what may move, uniform by area, along the inward normals. `covered`: also where bodies touch.

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
  bind_robustness(m);
  bind_questions(m);
}

}  // namespace prehend::python
