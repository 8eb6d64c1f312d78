// The extension module: one submodule per room, and C++ errors as Python exceptions with the same sentences.
#include <nanobind/stl/tuple.h>

#include "bindings.h"
#include <prehend/math/progress.h>
#include <prehend/model/input_error.h>
#include <prehend/simulate/simulation.h>

namespace prehend::python {

void bind_parts(nb::module_& m);

namespace {

// The Python classes live for the whole process; the extension keeps a reference to each.
struct ErrorClasses {
  PyObject* input;
  PyObject* simulation;
};

void translate(const std::exception_ptr& pointer, void* payload) {
  const ErrorClasses& classes = *static_cast<ErrorClasses*>(payload);
  try {
    std::rethrow_exception(pointer);
  } catch (const math::Interrupted&) {
    // Python's own handler saw the signal, too: it raises KeyboardInterrupt in the main thread, or does what the user
    // told it to. Elsewhere, or where it raised nothing, the call still ends with an exception.
    if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const model::InputError& error) {
    const nb::object line = error.line() > 0 ? nb::object(nb::int_(error.line())) : nb::object(nb::none());
    PyErr_SetObject(classes.input, nb::make_tuple(text(error.file()), line, text(error.message())).ptr());
  } catch (const simulate::SimulationError& error) {
    PyErr_SetObject(classes.simulation, text(error.what()).ptr());
  }
}

}  // namespace
}  // namespace prehend::python

NB_MODULE(_core, m) {
  namespace nb = nanobind;
  using namespace prehend::python;
  const nb::object errors = nb::module_::import_("prehend._errors");
  static ErrorClasses classes;
  classes.input = nb::object(errors.attr("InputError")).release().ptr();
  classes.simulation = nb::object(errors.attr("SimulationError")).release().ptr();
  nb::register_exception_translator(&translate, &classes);

  m.attr("version") = PREHEND_VERSION;
  m.def(
      "_request_interrupt",
      [] {
        const prehend::math::InterruptOnSignal only_where_others_run;
        prehend::math::request_interrupt();
      },
      "Ends the long calls that run in other threads, as Ctrl-C does.");
  m.def(
      "_progress",
      []() -> std::optional<std::tuple<double, const char*>> {
        const auto now = prehend::math::current_progress();
        if (!now) return std::nullopt;
        return std::tuple(now->fraction, now->what);
      },
      "How far the call that began first is, from 0 to 1, and what it does; None while there is none.");
  nb::module_ math = m.def_submodule("math", "Poses, rotations, inertia, random numbers, solvers.");
  bind_math(math);
  bind_inertia(math);
  bind_solvers(math);
  nb::module_ geometry = m.def_submodule("geometry", "Meshes, polyhedra, hulls, rays, distances, contact.");
  bind_geometry(geometry);
  bind_proximity(geometry);
  bind_contact(geometry);
  bind_tetrahedra(geometry);
  nb::module_ model = m.def_submodule("model", "Scenes, bodies, joints, logs and their files.");
  bind_model(model);
  bind_inspection(model);
  bind_logs(model);
  nb::module_ simulate = m.def_submodule("simulate", "Rigid-body physics of a scene.");
  bind_simulate(simulate);
  nb::module_ inertia = m.def_submodule("inertia", "What does it weigh? Estimators, streaming, payloads.");
  bind_identification(inertia);
  nb::module_ parts = m.def_submodule("parts", "What is it made of?");
  bind_parts(parts);
  nb::module_ articulation = m.def_submodule("articulation", "How do its parts move?");
  bind_joints(articulation);
  bind_discovery(articulation);
  nb::module_ topology = m.def_submodule("topology", "Which joints does it have? From poses and wrenches.");
  bind_topology(topology);
  nb::module_ stability =
      m.def_submodule("stability", "Will it hold? Forces, pushes, accelerations, orders.");
  bind_stability(stability);
  nb::module_ placement = m.def_submodule("placement", "Where can it go?");
  bind_placement(placement);
  nb::module_ observation = m.def_submodule("observation", "How may a body move that touches another?");
  bind_observation(observation);
  nb::module_ knot = m.def_submodule("knot", "Ropes, their codes, names, moves, drawings and plans.");
  bind_knot(knot);
  bind_knot_moves(knot);
  nb::module_ assist = m.def_submodule("assist", "How do I touch a person safely?");
  bind_assist(assist);
}
