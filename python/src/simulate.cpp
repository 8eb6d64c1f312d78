// prehend.simulate: rigid-body physics of a scene.
#include <nanobind/stl/variant.h>

#include "bindings.h"
#include <prehend/simulate/settle.h>
#include <prehend/simulate/simulation.h>

namespace prehend::python {
namespace {

using model::BodyIndex;
using model::JointIndex;
using simulate::Simulation;
using simulate::SimulationOptions;
using Name = std::variant<std::string, int>;  // of a body or joint, or its index

// The index behind a name or number; KeyError, IndexError when there is none.
template <class Index, class Items>
Index find(const Items& items, const Name& name, const char* what) {
  if (const int* index = std::get_if<int>(&name)) {
    if (*index < 0 || static_cast<std::size_t>(*index) >= items.size()) {
      throw std::out_of_range("the scene has no " + std::string(what) + " " + std::to_string(*index));
    }
    return Index(*index);
  }
  const std::string& wanted = std::get<std::string>(name);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].name == wanted) return Index(i);
  }
  throw nb::key_error(("the scene has no " + std::string(what) + " '" + wanted + "'").c_str());
}
BodyIndex body(const Simulation& s, const Name& name) {
  return find<BodyIndex>(s.scene().bodies, name, "body");
}
JointIndex joint(const Simulation& s, const Name& name) {
  return find<JointIndex>(s.scene().joints, name, "joint");
}

SimulationOptions simulation_options(double timestep, double contact_time_constant,
                                     double friction_to_normal_impedance, bool exact_cone) {
  SimulationOptions options{timestep, contact_time_constant, friction_to_normal_impedance, exact_cone};
  options.validate();
  return options;
}

void bind_readings(nb::module_& m) {
  using simulate::SimulatedContact;
  nb::class_<SimulatedContact>(m, "SimulatedContact", "A contact of the physics engine.")
      .def_prop_ro("body_a", [](const SimulatedContact& c) { return c.a.body; })
      .def_prop_ro("body_b", [](const SimulatedContact& c) { return c.b.body; })
      .def_ro("p_W", &SimulatedContact::p_W, "[m]")
      .def_ro("n_W", &SimulatedContact::n_W, "unit, from a to b")
      .def_ro("f_W", &SimulatedContact::f_W, "[N] on b")
      .def_ro("gap", &SimulatedContact::gap, "[m] negative: penetration");
  nb::class_<Simulation::Snapshot>(m, "Snapshot", "Everything that decides the future of a simulation.")
      .def_ro("numbers", &Simulation::Snapshot::numbers);
}

nb::class_<Simulation> bind_simulation(nb::module_& m) {
  const SimulationOptions defaults;
  nb::class_<Simulation> simulation(
      m, "Simulation",
      R"(Step, read, push, remember and go back. Bodies and joints by name or index.

One simulation belongs to one thread at a time; different simulations run in parallel.

>>> import prehend
>>> scene = prehend.read_scene_text('''<mujoco><worldbody><body name="ball" pos="0 0 10"><freejoint/>
...   <geom type="sphere" size="0.1"/></body></worldbody></mujoco>''', "mjcf")
>>> simulation = prehend.Simulation(scene)
>>> simulation.run(1.0)
>>> bool(abs(simulation.X_WB("ball").p[2] - (10 - 9.81 / 2)) < 0.01)
True
)");
  simulation
      .def(
          "__init__",
          [](Simulation* self, const model::Scene& scene, double timestep, double contact_time_constant,
             double friction_to_normal_impedance, bool exact_cone) {
            new (self) Simulation(scene, simulation_options(timestep, contact_time_constant,
                                                            friction_to_normal_impedance, exact_cone));
          },
          "scene"_a, nb::kw_only(), "timestep"_a = defaults.timestep,
          "contact_time_constant"_a = defaults.contact_time_constant,
          "friction_to_normal_impedance"_a = defaults.friction_to_normal_impedance,
          "exact_cone"_a = defaults.exact_cone, Released())
      .def_prop_ro(
          "scene", [](const Simulation& s) { return model::Scene(s.scene()); }, "As it was given (a copy).")
      .def("scene_now", &Simulation::scene_now, "The scene with every body where it is now.")
      .def_prop_ro(
          "notes", [](const Simulation& s) { return texts(s.notes()); }, "How the engine's physics differs.")
      .def_prop_ro("time", &Simulation::time, "[s]")
      .def("step", &Simulation::step, "count"_a = 1, Released(), "Advances by `count` time steps.")
      .def("run", &Simulation::run, "seconds"_a, Released(), "Steps until that much time has passed.")
      .def_prop_ro("kinetic_energy", &Simulation::kinetic_energy, "[J]")
      .def("momentum", &Simulation::momentum)
      .def("snapshot", &Simulation::snapshot)
      .def("restore", &Simulation::restore, "snapshot"_a);
  return simulation;
}

void bind_joints_of(nb::class_<Simulation>& simulation) {
  simulation
      .def(
          "joint_state", [](const Simulation& s, const Name& name) { return s.joint_state(joint(s, name)); },
          "joint"_a, "[rad] or [m]")
      .def(
          "joint_velocity",
          [](const Simulation& s, const Name& name) { return s.joint_velocity(joint(s, name)); }, "joint"_a)
      .def(
          "set_joint_state",
          [](Simulation& s, const Name& name, double state, double velocity) {
            s.set_joint_state(joint(s, name), state, velocity);
          },
          "joint"_a, "state"_a, "velocity"_a = 0.0)
      .def(
          "set_joint_force",
          [](Simulation& s, const Name& name, double force) { s.set_joint_force(joint(s, name), force); },
          "joint"_a, "force"_a, "Acts until changed: [N m] or [N].");
}

void bind_bodies_of(nb::class_<Simulation>& simulation) {
  simulation
      .def(
          "X_WB", [](const Simulation& s, const Name& name) { return s.X_WB(body(s, name)); }, "body"_a)
      .def(
          "velocity", [](const Simulation& s, const Name& name) { return s.velocity(body(s, name)); },
          "body"_a, "Of the body's origin, in the world's axes.")
      .def(
          "set_pose",
          [](Simulation& s, const Name& name, const math::Pose& X) { s.set_pose(body(s, name), X); },
          "body"_a, "X_WB"_a)
      .def(
          "set_velocity",
          [](Simulation& s, const Name& name, const math::Twist& V) { s.set_velocity(body(s, name), V); },
          "body"_a, "V_WB_W"_a)
      .def(
          "apply_wrench",
          [](Simulation& s, const Name& name, const math::Wrench& F, const Eigen::Vector3d& p) {
            s.apply_wrench(body(s, name), F, p);
          },
          "body"_a, "F_W"_a, "p_W"_a, "Acts until cleared; moment about the point p_W, in the world's axes.")
      .def("clear_wrenches", &Simulation::clear_wrenches)
      .def("contacts", &Simulation::contacts)
      .def(
          "contact_wrench",
          [](const Simulation& s, const Name& name) { return s.contact_wrench(body(s, name)); }, "body"_a)
      .def(
          "parent_wrench",
          [](const Simulation& s, const Name& name) { return s.parent_wrench(body(s, name)); }, "body"_a,
          "What a force-torque sensor between the body and its parent would measure.");
}

void bind_settle(nb::module_& m) {
  nb::class_<simulate::BodyMotion>(m, "BodyMotion", "How far a body moved.")
      .def_ro("body", &simulate::BodyMotion::body)
      .def_ro("distance", &simulate::BodyMotion::distance, "[m] of the centre of mass")
      .def_ro("angle", &simulate::BodyMotion::angle, "[rad]");
  using simulate::SettleResult;
  auto result = nb::class_<SettleResult>(m, "SettleResult", "Where the bodies of a scene ended up.");
  result
      .def_prop_ro(
          "status", [](const SettleResult& r) { return to_string(r.status); },
          "'settled', 'still_moving', 'fell' or 'exploded'")
      .def_prop_ro(
          "message", [](const SettleResult& r) { return text(r.message); }, "why, when not settled")
      .def_ro("time", &SettleResult::time, "[s] simulated")
      .def_ro("scene", &SettleResult::scene, "bodies where they ended")
      .def_ro("motions", &SettleResult::motions, "of the movable bodies");
  def_texts(result, "notes", &SettleResult::notes, "Of the simulation.");
  result.def("brief_report", [](const SettleResult& r) { return text(r.brief_report()); });
  def_result(result);
  const simulate::SettleOptions defaults;
  m.def(
      "settle",
      [](const model::Scene& scene, double max_time, double rest_time, double rest_speed, double fall_limit,
         double timestep, double contact_time_constant, double friction_to_normal_impedance,
         bool exact_cone) {
        simulate::SettleOptions options;
        options.simulation =
            simulation_options(timestep, contact_time_constant, friction_to_normal_impedance, exact_cone);
        options.max_time = max_time;
        options.rest_time = rest_time;
        options.rest_speed = rest_speed;
        options.fall_limit = fall_limit;
        return simulate::settle(scene, options);
      },
      "scene"_a, nb::kw_only(), "max_time"_a = defaults.max_time, "rest_time"_a = defaults.rest_time,
      "rest_speed"_a = defaults.rest_speed, "fall_limit"_a = defaults.fall_limit,
      "timestep"_a = defaults.simulation.timestep,
      "contact_time_constant"_a = defaults.simulation.contact_time_constant,
      "friction_to_normal_impedance"_a = defaults.simulation.friction_to_normal_impedance,
      "exact_cone"_a = defaults.simulation.exact_cone, Released(),
      R"(Lets a scene come to rest: where do the bodies end up, and did they stay where they were put?

>>> import prehend
>>> result = prehend.settle(prehend.embedded_scene("scenes/stack.xml"))
>>> result.status
'settled'
)");
}

}  // namespace

void bind_simulate(nb::module_& m) {
  bind_readings(m);
  nb::class_<Simulation> simulation = bind_simulation(m);
  bind_bodies_of(simulation);
  bind_joints_of(simulation);
  bind_settle(m);
}

}  // namespace prehend::python
