// prehend.stability: will it hold, how fast may I drive, what may I take first?
#include "stability_bindings.h"
#include <prehend/model/body_names.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/stability/contact_forces.h>
#include <prehend/stability/critical_friction.h>
#include <prehend/stability/disassemble.h>
#include <prehend/stability/mend.h>
#include <prehend/stability/transport.h>

namespace prehend::python {
namespace {

using stability::ContactForcesResult;
using stability::CriticalFriction;
using stability::DisassembleResult;
using stability::TransportResult;

// Contacts of another scene would name bodies that are not there.
void check_contacts(const Scene& scene, const model::SceneContacts& contacts) {
  if (contacts.body_names != model::body_names(scene))
    throw std::invalid_argument(
        "contacts: their bodies are not those of the scene; find or read them for this scene");
}

void bind_forces_question(nb::module_& m) {
  m.def(
      "forces",
      [](const Scene& scene, const std::string& method, int sides, std::optional<double> contact_tolerance,
         double fixed_above, const Vector3d& acceleration, bool critical_friction,
         const model::SceneContacts* contacts, int threads) {
        stability::ContactForcesOptions options;
        options.method = choice<stability::ForceMethod>("method", method);
        options.critical_friction = critical_friction;
        options.pyramid_sides = sides;
        options.system = system_options(contact_tolerance, fixed_above, 0, threads, acceleration);
        if (contacts == nullptr) return stability::contact_forces(scene, options);
        check_contacts(scene, *contacts);
        return stability::contact_forces(stability::build_contact_system(scene, *contacts, options.system),
                                         options);
      },
      "scene"_a, nb::kw_only(), "method"_a = "cones",
      "sides"_a = stability::ContactForcesOptions{}.pyramid_sides, "contact_tolerance"_a = nb::none(),
      "fixed_above"_a = 0.0, "acceleration"_a = Vector3d(0, 0, 0), "critical_friction"_a = false,
      "contacts"_a = nb::none(), "threads"_a = 1, Released(),
      R"(Which forces do the contacts carry, and does the scene stand at all? `acceleration`: of the ground [m/s^2]; `contacts`: these instead of
those that the geometry gives, e.g. of `prehend.model.read_stored_contacts`.

>>> import prehend
>>> result = prehend.forces(prehend.embedded_scene("scenes/stack.xml"))
>>> result.status, round(sum(float(c.f_W[2]) for c in result.contacts if c.body_a == 0), 2)
('stable', 49.38)
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
  auto result = nb::class_<ContactForcesResult>(m, "ContactForcesResult",
                                                "Forces that balance a scene, or how it falls.");
  result
      .def_prop_ro(
          "status", [](const ContactForcesResult& r) { return to_string(r.status); },
          "'stable', 'unstable' or 'undetermined'")
      .def_prop_ro("method", [](const ContactForcesResult& r) { return to_string(r.method); })
      .def_ro("contacts", &ContactForcesResult::contacts)
      .def_ro("needs_prestress", &ContactForcesResult::needs_prestress)
      .def_ro("equilibrium_residual", &ContactForcesResult::equilibrium_residual, "of all weights")
      .def_ro("cone_violation", &ContactForcesResult::cone_violation, "of all weights")
      .def_ro("critical_friction", &ContactForcesResult::critical_friction, "None where it was not asked for")
      .def_prop_ro(
          "moving",
          [](const ContactForcesResult& r) { return texts(model::names_of(r.body_names, r.moving)); },
          "what falls, when unstable")
      .def_prop_ro("note", [](const ContactForcesResult& r) { return text(r.note); })
      .def_prop_ro("problems", [](const ContactForcesResult& r) { return texts(r.problems); });
  def_answer<ContactForcesResult>(result);
  bind_forces_question(m);
}

void bind_transport(nb::module_& m) {
  auto result = nb::class_<TransportResult>(m, "TransportResult", "How fast the ground may accelerate.");
  result
      .def_prop_ro(
          "status", [](const TransportResult& r) { return to_string(r.status); },
          "'ok', 'unstable' or 'undetermined'")
      .def_prop_ro(
          "answers",
          [](const TransportResult& r) {
            std::vector<PushAnswer> answers;
            for (const stability::TransportAnswer& answer : r.answers)
              answers.emplace_back(answer.limit, r.body_names);
            return answers;
          },
          "by direction; robustness in m/s^2")
      .def_prop_ro(
          "directions_W",
          [](const TransportResult& r) {
            std::vector<Vector3d> directions;
            for (const stability::TransportAnswer& answer : r.answers) directions.push_back(answer.d_W);
            return directions;
          },
          "(n, 3) unit")
      .def_prop_ro(
          "values",
          [](const TransportResult& r) {
            std::vector<double> values;
            for (const stability::TransportAnswer& answer : r.answers)
              values.push_back(answer.limit.robustness);
            return values;
          },
          "(n,) [m/s^2]; infinite: unbounded")
      .def_prop_ro(
          "moving", [](const TransportResult& r) { return texts(model::names_of(r.body_names, r.moving)); },
          "what falls, when unstable")
      .def_prop_ro("problems", [](const TransportResult& r) { return texts(r.problems); });
  def_answer<TransportResult>(result);
  const stability::TransportOptions defaults;
  m.def(
      "transport",
      [](const Scene& scene, int directions, const Vector3d& normal, std::optional<double> contact_tolerance,
         double fixed_above, bool load_caused, int threads) {
        stability::TransportOptions options;
        options.load_caused = load_caused;
        options.directions = directions;
        options.normal_W = normal;
        options.system = system_options(contact_tolerance, fixed_above, 0, threads);
        options.limit.threads = threads;
        return stability::transport(scene, options);
      },
      "scene"_a, nb::kw_only(), "directions"_a = defaults.directions, "normal"_a = defaults.normal_W,
      "contact_tolerance"_a = nb::none(), "fixed_above"_a = 0.0, "load_caused"_a = false, "threads"_a = 1,
      Released(),
      R"(The largest acceleration of the ground, by direction, at which nothing on it moves. `load_caused`: answers have `without_prestress`.

>>> import prehend
>>> result = prehend.transport(prehend.embedded_scene("scenes/stack.xml"), directions=4)
>>> [(a.mode, round(float(v), 2)) for a, v in zip(result.answers, result.values)][2]
('topple', 5.01)
)");
}

void bind_disassembly(nb::module_& m) {
  auto result =
      nb::class_<DisassembleResult>(m, "DisassembleResult", "In which order bodies can be taken away.");
  result
      .def_prop_ro(
          "status", [](const DisassembleResult& r) { return to_string(r.status); },
          "'ok', 'incomplete', 'unstable' or 'undetermined'")
      .def_prop_ro(
          "order", [](const DisassembleResult& r) { return texts(model::names_of(r.body_names, r.order)); },
          "names")
      .def_prop_ro(
          "scores",
          [](const DisassembleResult& r) {
            nb::typed<nb::list, nb::typed<nb::dict, nb::str, float>> steps;
            for (const stability::DisassembleStep& step : r.steps) {
              nb::typed<nb::dict, nb::str, float> scores;
              for (const auto& candidate : step.candidates)
                scores[text(model::name_of(r.body_names, candidate.body))] = candidate.score;
              steps.append(scores);
            }
            return steps;
          },
          "by step: upward pull that moves something, in weights of the body, by name")
      .def_prop_ro("note", [](const DisassembleResult& r) { return text(r.note); });
  def_answer<DisassembleResult>(result);
  m.def(
      "disassemble",
      [](const Scene& scene, std::optional<double> contact_tolerance, double fixed_above,
         const Vector3d& acceleration, bool load_caused, int threads) {
        stability::DisassembleOptions options;
        options.load_caused = load_caused;
        options.system = system_options(contact_tolerance, fixed_above, 0, threads, acceleration);
        options.limit.threads = threads;
        return stability::disassemble(scene, options);
      },
      "scene"_a, nb::kw_only(), "contact_tolerance"_a = nb::none(), "fixed_above"_a = 0.0,
      "acceleration"_a = Vector3d(0, 0, 0), "load_caused"_a = false, "threads"_a = 1, Released(),
      R"(The order in which bodies can be lifted off without anything else moving. `load_caused`: candidates have `without_prestress_N`.
`acceleration`: of the ground [m/s^2].

>>> import prehend
>>> prehend.disassemble(prehend.embedded_scene("scenes/stack.xml")).order
['crate_small', 'crate_medium', 'crate_large']
)");
}

void bind_mend(nb::module_& m) {
  using stability::MendResult;
  auto result =
      nb::class_<MendResult>(m, "MendResult", "A scene that neither overlaps nor floats, or why not.");
  const auto named = [](const MendResult& r, const auto& pairs) {
    std::vector<std::pair<std::string, std::string>> names;
    for (const auto& [a, b] : pairs)
      names.emplace_back(model::name_of(r.body_names, a), model::name_of(r.body_names, b));
    return names;
  };
  result.def_prop_ro(
            "status", [](const MendResult& r) { return to_string(r.status); }, "'ok' or 'failed'")
      .def_ro("scene", &MendResult::scene, "with the new poses")
      .def_prop_ro(
          "noise", [](const MendResult& r) { return std::pair(r.noise.position, r.noise.angle); },
          "[m], [rad] per axis; given or found")
      .def_prop_ro(
          "moved",
          [](const MendResult& r) {
            nb::typed<nb::dict, nb::str, float> moved;
            for (const stability::MendedBody& body : r.bodies)
              moved[text(model::name_of(r.body_names, body.body))] = body.moved;
            return moved;
          },
          "[m] of each movable body's centre of mass, by name")
      .def_prop_ro(
          "turned",
          [](const MendResult& r) {
            nb::typed<nb::dict, nb::str, float> turned;
            for (const stability::MendedBody& body : r.bodies)
              turned[text(model::name_of(r.body_names, body.body))] = body.turned;
            return turned;
          },
          "[rad] of each movable body, by name")
      .def_prop_ro(
          "closed", [named](const MendResult& r) { return named(r, r.closed); },
          "pairs of names that touch now and did not before")
      .def_prop_ro(
          "opened", [named](const MendResult& r) { return named(r, r.opened); },
          "pairs of names that overlapped before")
      .def_ro("holds", &MendResult::holds, "by the statics, as it now stands")
      .def_prop_ro("problems", [](const MendResult& r) { return texts(r.problems); });
  def_answer<MendResult>(result);
  m.def(
      "mend",
      [](const Scene& scene, std::optional<std::pair<double, double>> noise, double most,
         std::optional<double> contact_tolerance) {
        stability::MendOptions options;
        if (noise) options.noise = stability::PoseNoise{noise->first, noise->second};
        options.most = most;
        options.contact.set_tolerance(contact_tolerance);
        return stability::mend(scene, options);
      },
      "scene"_a, nb::kw_only(), "noise"_a = nb::none(), "most"_a = stability::MendOptions{}.most,
      "contact_tolerance"_a = nb::none(), Released(),
      R"(The nearest scene that neither overlaps nor floats. `noise`: (metres, radians) per axis; found where it is not given.

>>> import prehend
>>> result = prehend.mend(prehend.embedded_scene("scenes/seen_stack.xml"))
>>> result.status, result.holds, max(result.moved.values()) < 0.005
('ok', True, True)
)");
}

void bind_critical_friction(nb::module_& m) {
  auto result = nb::class_<CriticalFriction>(m, "CriticalFriction", "How little friction would do.");
  result
      .def_prop_ro(
          "status", [](const CriticalFriction& r) { return to_string(r.status); },
          "'ok', 'holds_without', 'never_holds' or 'undetermined'")
      .def_ro("below", &CriticalFriction::below, "factor on the scene's friction at which it falls")
      .def_ro("above", &CriticalFriction::above, "factor at which it stands")
      .def_ro("coefficient_below", &CriticalFriction::coefficient_below,
              "nan unless all interfaces are alike")
      .def_ro("coefficient_above", &CriticalFriction::coefficient_above,
              "nan unless all interfaces are alike")
      .def(
          "to_json", [](const CriticalFriction& r) { return text(r.to_json()); },
          "As `prehend forces --critical-friction --json` prints it.")
      .def("brief_report", &CriticalFriction::brief_report);
  def_result(result);
  m.def(
      "critical_friction",
      [](const Scene& scene, std::optional<double> contact_tolerance, double fixed_above) {
        const stability::ContactSystem system =
            stability::build_contact_system(scene, system_options(contact_tolerance, fixed_above, 0, 1));
        if (!system.penetrations.empty()) throw std::invalid_argument(system.problems.front());
        return stability::critical_friction(system);
      },
      "scene"_a, nb::kw_only(), "contact_tolerance"_a = nb::none(), "fixed_above"_a = 0.0, Released(),
      R"(The factor on all friction coefficients below which the scene falls by itself. Overlapping bodies are a ValueError.

>>> import prehend
>>> prehend.stability.critical_friction(prehend.embedded_scene("scenes/stack.xml")).status
'holds_without'
)");
}

}  // namespace

void bind_questions(nb::module_& m) {
  bind_critical_friction(m);
  bind_forces(m);
  bind_transport(m);
  bind_disassembly(m);
  bind_mend(m);
}

}  // namespace prehend::python
