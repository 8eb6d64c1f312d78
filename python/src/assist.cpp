// prehend.assist: trials of physical assistance, and the controller tick by tick on one's own robot or simulator.
#include "bindings.h"
#include <prehend/assist/trial.h>

namespace prehend::python {
namespace {

using assist::Command;
using assist::Controller;
using assist::Scenario;
using assist::Sensors;
using assist::TrialResult;

Eigen::VectorXd values(const std::array<double, assist::kMostJoints>& array, int count) {
  return Eigen::Map<const Eigen::VectorXd>(array.data(), count);
}

void take(const Eigen::VectorXd& given, int joints, const char* name, std::array<double, assist::kMostJoints>& array) {
  if (given.size() != joints)
    throw std::invalid_argument(std::string(name) + " has " + std::to_string(given.size()) + " values; the robot has " + std::to_string(joints) + " joints");
  Eigen::Map<Eigen::VectorXd>(array.data(), joints) = given;
}

void bind_scenario(nb::module_& m) {
  nb::class_<Scenario>(m, "Scenario", "Robot, person, sensing, contacts, limits and faults of a trial.")
      .def_rw("seed", &Scenario::seed)
      .def_prop_ro("contacts", [](const Scenario& s) {
        std::vector<std::string> names;
        for (const auto& contact : s.contacts) names.push_back(contact.name);
        return texts(names);
      });
  m.def("read_scenario", [](const Path& path) { return assist::read_scenario(path.text); }, "path"_a, Released(), R"(A scenario file (docs/assist.md).

>>> import pathlib, tempfile
>>> from prehend.assist import read_scenario
>>> with tempfile.TemporaryDirectory() as folder:
...     path = pathlib.Path(folder) / "trial.yaml"
...     _ = path.write_text("version: 2")
...     read_scenario(path)
Traceback (most recent call last):
    ...
prehend.InputError: ...
)");
  m.def("default_scenario", &assist::default_scenario, R"(The trial of Bolotnikova et al. 2020, section IV.

>>> from prehend.assist import default_scenario
>>> default_scenario().contacts
['shoulder', 'hand']
)");
}

void bind_controller(nb::module_& m) {
  nb::class_<assist::PersonDetection>(m, "PersonDetection", "What a body tracker saw, in the camera's optical frame (z forward, x right).")
      .def(
          "__init__",
          [](assist::PersonDetection* self, double t, const math::Pose& pelvis, const Eigen::Vector3d& head, const Eigen::Vector3d& face,
             const std::vector<Eigen::Vector3d>& regions) {
            if (regions.size() != assist::kRegionCount) throw std::invalid_argument("regions must be four points: right shoulder, left shoulder, right hand, left hand");
            assist::PersonDetection detection{t, pelvis, head, face, {}};
            std::copy(regions.begin(), regions.end(), detection.regions_C.begin());
            new (self) assist::PersonDetection(detection);
          },
          "t"_a, "pelvis"_a, "head"_a, "face"_a, "regions"_a, "t [s]: when the picture was taken; points in metres, face a unit vector.");
  nb::class_<Command>(m, "Command", "References for the joints' servos and the base, from now on.")
      .def_prop_ro("state", [](const Command& c) { return to_string(c.state); })
      .def_prop_ro("outcome", [](const Command& c) { return to_string(c.outcome); })
      .def_prop_ro("qp", [](const Command& c) { return to_string(c.qp); })
      .def_prop_ro("stop", [](const Command& c) -> std::optional<std::string> { return c.stop ? std::optional<std::string>(to_string(*c.stop)) : std::nullopt; },
                   "why it stops; None: it does not")
      .def_prop_ro("q", [](const Command& c) { return values(c.q, assist::kMostJoints); }, "[rad] padded to 32")
      .def_prop_ro("v", [](const Command& c) { return values(c.v, assist::kMostJoints); }, "[rad/s]")
      .def_prop_ro("tau", [](const Command& c) { return values(c.tau, assist::kMostJoints); }, "[N m] feed-forward")
      .def_prop_ro("stiffness", [](const Command& c) { return values(c.stiffness, assist::kMostJoints); }, "share of the servo's own")
      .def_ro("base", &Command::base, "x, y [m], yaw [rad]")
      .def_ro("base_rate", &Command::base_rate)
      .def_prop_ro("say", [](const Command& c) { return text(std::string(c.say)); }, "new in this tick; empty: nothing")
      .def_prop_ro("show", [](const Command& c) { return text(std::string(c.show)); });
  nb::class_<Controller>(m, "Controller", R"(The controller alone: sensor values in, a command out; no clock, no file, no simulation.

>>> import numpy as np
>>> from prehend.assist import Controller, default_scenario
>>> controller = Controller(default_scenario())
>>> rest = np.zeros(len(controller.joints))
>>> controller.tick(0.0, rest, rest, rest, [0, 0, 0], [0, 0, 0]).state
'InitialPosture'
)")
      .def("__init__", [](Controller* self, const Scenario& scenario) { new (self) Controller(scenario, assist::observer_for(scenario)); }, "scenario"_a)
      .def_prop_ro("joints",
                   [](const Controller& c) {
                     std::vector<std::string> names;
                     for (int j = 0; j < c.joint_count(); ++j) names.emplace_back(c.joint_name(j));
                     return texts(names);
                   })
      .def_prop_ro("period", &Controller::period_s, "[s]")
      .def(
          "tick",
          [](Controller& controller, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& tau, const Eigen::Vector3d& base,
             const Eigen::Vector3d& base_rate, const std::optional<assist::PersonDetection>& person) {
            Sensors sensors;
            sensors.t_s = t;
            take(q, controller.joint_count(), "q", sensors.q), take(v, controller.joint_count(), "v", sensors.v);
            take(tau, controller.joint_count(), "tau", sensors.tau);
            sensors.base = base, sensors.base_rate = base_rate, sensors.person = person;
            return controller.tick(sensors);
          },
          "t"_a, "q"_a, "v"_a, "tau"_a, "base"_a, "base_rate"_a, "person"_a = nb::none(), "One tick; not-a-number in a sensor leads to a safe stop.");
}

void bind_trial(nb::module_& m) {
  auto result = nb::class_<TrialResult>(m, "TrialResult", "How a trial went, read from the simulation.");
  result.def_prop_ro("status", [](const TrialResult& r) { return to_string(r.outcome); })
      .def_prop_ro("outcome", [](const TrialResult& r) { return to_string(r.outcome); })
      .def_prop_ro("reason", [](const TrialResult& r) { return text(r.reason); })
      .def_ro("duration", &TrialResult::duration_s, "[s]")
      .def("traces", [](const TrialResult& r) { return text(r.trace.to_csv()); }, "One row per control tick, as CSV.")
      .def("brief_report", [](const TrialResult& r) { return text(r.brief_report()); })
      .def("to_json", [](const TrialResult& r) { return text(r.to_json()); }, "As the command line prints it with --json.");
  def_result(result);
  m.def(
      "run_trial", [](const Scenario& scenario) { return assist::run_trial(scenario); }, "scenario"_a, Released(),
      R"(The whole trial in simulation.

>>> from prehend.assist import default_scenario, run_trial
>>> run_trial(default_scenario()).outcome
'completed'
)");
}

}  // namespace

void bind_assist(nb::module_& m) {
  bind_scenario(m);
  bind_controller(m);
  bind_trial(m);
}

}  // namespace prehend::python
