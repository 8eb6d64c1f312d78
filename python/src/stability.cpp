// prehend.stability: will it hold, how hard may I push, how fast may I drive, what may I take first?
#include <cmath>

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include "bindings.h"
#include <prehend/stability/contact_forces.h>
#include <prehend/stability/disassemble.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/surface_pushes.h>
#include <prehend/stability/transport.h>

namespace prehend::python {
namespace {

using Eigen::Vector3d;
using model::BodyIndex;
using model::Scene;
using Released = nb::call_guard<nb::gil_scoped_release>;
using Name = std::variant<std::string, int>;  // of a body, or its index

// A result with its readable forms and the bodies' names, made while the scene is at hand.
template <class Result>
struct Named : Result {
  Named(Result result, const Scene& scene)
      : Result(std::move(result)), json(this->to_json(scene)), report(this->brief_report(scene)) {
    for (const model::Body& body : scene.bodies) body_names.push_back(body.name);
  }
  std::string json, report;
  std::vector<std::string> body_names;

  Texts names_of(const std::vector<BodyIndex>& bodies) const {
    Texts list;
    for (const BodyIndex body : bodies) list.append(text(body_names[body]));
    return list;
  }
};
using NamedRobustness = Named<stability::RobustnessResult>;
using NamedForces = Named<stability::ContactForcesResult>;
using NamedTransport = Named<stability::TransportResult>;
using NamedDisassembly = Named<stability::DisassembleResult>;

template <class Class, class Result>
void def_named(Class& c) {
  c.def(
       "to_json", [](const Result& r) { return text(r.json); }, "As the command line prints it with --json.")
      .def("brief_report", [](const Result& r) { return text(r.report); }, "A readable table.");
  def_result(c);
}

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

stability::ContactSystemOptions system_options(double contact_tolerance, double fixed_above,
                                               std::uint64_t seed, int threads) {
  stability::ContactSystemOptions options;
  options.contact.gap_tolerance = contact_tolerance;
  options.contact.threads = threads;
  options.fixed_above = fixed_above;
  options.seed = seed;
  return options;
}

// One answer, and the names of what moves.
struct NamedAnswer : stability::PushAnswer {
  std::vector<std::string> names;
};

NamedAnswer named(const stability::PushAnswer& answer, const std::vector<std::string>& body_names) {
  NamedAnswer result{answer, {}};
  for (const BodyIndex body : answer.moving) result.names.push_back(body_names[body]);
  return result;
}

void bind_answer(nb::module_& m) {
  auto answer =
      nb::class_<NamedAnswer>(m, "PushAnswer", "How much of a load holds, and what gives way beyond.");
  answer.def_prop_ro("status", [](const NamedAnswer& a) { return stability::answer_status_name(a.status); })
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
          "mode", [](const NamedAnswer& a) { return stability::mode_name(a.mode); },
          "'slip', 'topple', 'lift', 'mixed', 'unbounded', 'unstable' or 'undetermined'")
      .def_prop_ro(
          "moving", [](const NamedAnswer& a) { return texts(a.names); }, "names of the bodies that move")
      .def_prop_ro("needs_prestress", [](const NamedAnswer& a) { return a.needs_prestress; })
      .def_prop_ro(
          "without_prestress", [](const NamedAnswer& a) { return a.without_prestress; },
          "what load-caused forces hold; nan when it was not asked for")
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
          "status", [](const NamedRobustness& r) { return stability::robustness_status_name(r.status); },
          "'ok', 'unstable' or 'no_answer'")
      .def_prop_ro("method", [](const NamedRobustness& r) { return stability::method_name(r.method); })
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
         bool check_points, bool check_prestress, std::uint64_t seed, int threads) {
        std::vector<stability::Push> asked;
        for (const auto& [body, p_W, d_W] : pushes) asked.push_back({body_of(scene, body), p_W, d_W});
        stability::RobustnessOptions options;
        options.method = stability::method_from_name(method);
        options.accuracy = accuracy;
        options.system = system_options(contact_tolerance, fixed_above, seed, threads);
        options.check_points = check_points;
        options.check_prestress = check_prestress;
        options.threads = threads;
        return NamedRobustness(stability::robustness(scene, asked, options), scene);
      },
      "scene"_a, "pushes"_a, nb::kw_only(), "method"_a = "exact", "accuracy"_a = defaults.accuracy,
      "contact_tolerance"_a = tolerance, "fixed_above"_a = 0.0, "check_points"_a = true,
      "check_prestress"_a = true, "seed"_a = 0, "threads"_a = defaults.threads, Released(),
      R"(How hard may each push become before something moves? `pushes` lists (body, point, direction), in the world.

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

void bind_forces(nb::module_& m) {
  using stability::ContactForce;
  auto force = nb::class_<ContactForce>(m, "ContactForce", "What a contact point carries.");
  force.def_ro("body_a", &ContactForce::body_a, "index into Scene.bodies")
      .def_ro("body_b", &ContactForce::body_b)
      .def_ro("p_W", &ContactForce::p_W, "[m]")
      .def_ro("n_W", &ContactForce::n_W, "unit, from a to b")
      .def_ro("f_W", &ContactForce::f_W, "[N] on body b")
      .def_ro("mu", &ContactForce::mu);
  def_result(force);
  auto result =
      nb::class_<NamedForces>(m, "ContactForcesResult", "Forces that balance a scene, or how it falls.");
  result
      .def_prop_ro(
          "status", [](const NamedForces& r) { return stability::contact_forces_status_name(r.status); },
          "'stable', 'unstable' or 'undetermined'")
      .def_prop_ro("method", [](const NamedForces& r) { return stability::force_method_name(r.method); })
      .def_prop_ro(
          "contacts", [](const NamedForces& r) -> const auto& { return r.contacts; },
          nb::rv_policy::reference_internal)
      .def_prop_ro("needs_prestress", [](const NamedForces& r) { return r.needs_prestress; })
      .def_prop_ro(
          "equilibrium_residual", [](const NamedForces& r) { return r.equilibrium_residual; },
          "of all weights")
      .def_prop_ro(
          "cone_violation", [](const NamedForces& r) { return r.cone_violation; }, "of all weights")
      .def_prop_ro(
          "moving", [](const NamedForces& r) { return r.names_of(r.moving); }, "what falls, when unstable")
      .def_prop_ro("note", [](const NamedForces& r) { return text(r.note); })
      .def_prop_ro("problems", [](const NamedForces& r) { return texts(r.problems); });
  def_named<decltype(result), NamedForces>(result);
  m.def(
      "forces",
      [](const Scene& scene, const std::string& method, int sides, double contact_tolerance,
         double fixed_above, int threads) {
        stability::ContactForcesOptions options;
        options.method = stability::force_method_from_name(method);
        options.pyramid_sides = sides;
        options.system = system_options(contact_tolerance, fixed_above, 0, threads);
        return NamedForces(stability::contact_forces(scene, options), scene);
      },
      "scene"_a, nb::kw_only(), "method"_a = "cones",
      "sides"_a = stability::ContactForcesOptions{}.pyramid_sides,
      "contact_tolerance"_a = geometry::ContactOptions{}.gap_tolerance, "fixed_above"_a = 0.0,
      "threads"_a = 1, Released(),
      R"(Which forces do the contacts carry, and does the scene stand at all?

>>> import prehend
>>> result = prehend.forces(prehend.embedded_scene("scenes/stack.xml"))
>>> result.status, round(sum(float(c.f_W[2]) for c in result.contacts if c.body_a == 0), 2)
('stable', 49.38)
)");
}

void bind_transport(nb::module_& m) {
  auto result = nb::class_<NamedTransport>(m, "TransportResult", "How fast the ground may accelerate.");
  result
      .def_prop_ro(
          "status",
          [](const NamedTransport& r) {
            return r.status == stability::TransportStatus::answered
                       ? "ok"
                       : stability::transport_status_name(r.status);
          },
          "'ok', 'unstable' or 'no_answer'")
      .def_prop_ro(
          "answers",
          [](const NamedTransport& r) {
            std::vector<NamedAnswer> answers;
            for (const stability::TransportAnswer& answer : r.answers)
              answers.push_back(named(answer.limit, r.body_names));
            return answers;
          },
          "by direction; robustness in m/s^2")
      .def_prop_ro(
          "directions_W",
          [](const NamedTransport& r) {
            std::vector<Vector3d> directions;
            for (const stability::TransportAnswer& answer : r.answers) directions.push_back(answer.d_W);
            return directions;
          },
          "(n, 3) unit")
      .def_prop_ro(
          "values",
          [](const NamedTransport& r) {
            std::vector<double> values;
            for (const stability::TransportAnswer& answer : r.answers)
              values.push_back(answer.limit.robustness);
            return values;
          },
          "(n,) [m/s^2]; infinite: unbounded")
      .def_prop_ro(
          "moving", [](const NamedTransport& r) { return r.names_of(r.moving); }, "what falls, when unstable")
      .def_prop_ro("problems", [](const NamedTransport& r) { return texts(r.problems); });
  def_named<decltype(result), NamedTransport>(result);
  const stability::TransportOptions defaults;
  m.def(
      "transport",
      [](const Scene& scene, int directions, const Vector3d& normal, double contact_tolerance,
         double fixed_above, int threads) {
        stability::TransportOptions options;
        options.directions = directions;
        options.normal_W = normal;
        options.system = system_options(contact_tolerance, fixed_above, 0, threads);
        options.limit.threads = threads;
        return NamedTransport(stability::transport(scene, options), scene);
      },
      "scene"_a, nb::kw_only(), "directions"_a = defaults.directions, "normal"_a = defaults.normal_W,
      "contact_tolerance"_a = geometry::ContactOptions{}.gap_tolerance, "fixed_above"_a = 0.0,
      "threads"_a = 1, Released(),
      R"(The largest acceleration of the ground, by direction, at which nothing on it moves.

>>> import prehend
>>> result = prehend.transport(prehend.embedded_scene("scenes/stack.xml"), directions=4)
>>> [(a.mode, round(float(v), 2)) for a, v in zip(result.answers, result.values)][2]
('topple', 5.01)
)");
}

void bind_disassembly(nb::module_& m) {
  auto result =
      nb::class_<NamedDisassembly>(m, "DisassembleResult", "In which order bodies can be taken away.");
  result
      .def_prop_ro(
          "status",
          [](const NamedDisassembly& r) {
            return r.status == stability::DisassembleStatus::complete
                       ? "ok"
                       : stability::disassemble_status_name(r.status);
          },
          "'ok', 'incomplete', 'unstable' or 'no_answer'")
      .def_prop_ro(
          "order", [](const NamedDisassembly& r) { return r.names_of(r.order); }, "names")
      .def_prop_ro(
          "scores",
          [](const NamedDisassembly& r) {
            nb::typed<nb::list, nb::typed<nb::dict, nb::str, float>> steps;
            for (const stability::DisassembleStep& step : r.steps) {
              nb::typed<nb::dict, nb::str, float> scores;
              for (const auto& candidate : step.candidates)
                scores[text(r.body_names[candidate.body])] = candidate.score;
              steps.append(scores);
            }
            return steps;
          },
          "by step: upward pull that moves something, in weights of the body, by name")
      .def_prop_ro("note", [](const NamedDisassembly& r) { return text(r.note); });
  def_named<decltype(result), NamedDisassembly>(result);
  m.def(
      "disassemble",
      [](const Scene& scene, double contact_tolerance, double fixed_above, int threads) {
        stability::DisassembleOptions options;
        options.system = system_options(contact_tolerance, fixed_above, 0, threads);
        options.limit.threads = threads;
        return NamedDisassembly(stability::disassemble(scene, options), scene);
      },
      "scene"_a, nb::kw_only(), "contact_tolerance"_a = geometry::ContactOptions{}.gap_tolerance,
      "fixed_above"_a = 0.0, "threads"_a = 1, Released(),
      R"(The order in which bodies can be lifted off without anything else moving.

>>> import prehend
>>> prehend.disassemble(prehend.embedded_scene("scenes/stack.xml")).order
['crate_small', 'crate_medium', 'crate_large']
)");
}

}  // namespace

void bind_stability(nb::module_& m) {
  bind_answer(m);
  bind_robustness(m);
  bind_forces(m);
  bind_transport(m);
  bind_disassembly(m);
}

}  // namespace prehend::python
