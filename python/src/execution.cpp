// prehend.observation: a demonstration done again in the physics engine.
#include <stdexcept>
#include <utility>

#include "bindings.h"
#include <prehend/math/enum_text.h>
#include <prehend/observation/execution.h>

namespace prehend::python {
namespace {

using observation::Execution;
using observation::ExecutionTrials;
using Bounds = std::pair<double, double>;

ExecutionTrials execute_watched(const geometry::TriangleMesh& moving, const geometry::TriangleMesh& fixed,
                                const observation::Watched& watched, const Bounds& pose_error, const Bounds& grasp_error,
                                int trials, const std::string& feedback, double push, double friction, double clearance,
                                double stiffness, std::uint64_t seed) {
  observation::ExecutionOptions options;
  const auto known = from_string<observation::Feedback>(feedback);
  if (!known)
    throw std::invalid_argument("feedback is '" + feedback + "'; it must be " + enum_choices<observation::Feedback>());
  options.feedback = *known;
  options.push_N = push;
  options.friction = friction;
  options.clearance_m = clearance;
  options.stiffness_Npm = stiffness;
  options.seed = seed;
  observation::TrialOptions bounds;
  bounds.count = trials;
  bounds.fixed = {pose_error.first, pose_error.second};
  bounds.grasp = {grasp_error.first, grasp_error.second};
  const observation::BodyPair pair(geometry::Polyhedron::from_mesh(moving), geometry::Polyhedron::from_mesh(fixed));
  return observation::execute_trials(pair, watched, options, bounds);
}

}  // namespace

void bind_execution(nb::module_& m) {
  auto result = nb::class_<ExecutionTrials>(m, "ExecutionTrials", "Executions of a demonstration in the physics engine.");
  result.def_prop_ro("status", [](const ExecutionTrials& e) { return to_string(e.status); })
      .def_prop_ro("notes", [](const ExecutionTrials& e) { return texts(e.notes); })
      .def_ro("arrived", &ExecutionTrials::arrived, "trials that ended in the last state's contacts")
      .def_prop_ro("reason", [](const ExecutionTrials& e) { return text(e.reason); }, "why not all arrived")
      .def_prop_ro(
          "times", [](const ExecutionTrials& e) {
            std::vector<double> times;
            for (const observation::ExecutionSample& sample : e.first.samples) times.push_back(sample.t_s);
            return times;
          },
          "[s] of the first trial's poses and forces")
      .def_prop_ro(
          "poses", [](const ExecutionTrials& e) {
            std::vector<math::Pose> poses;
            for (const observation::ExecutionSample& sample : e.first.samples) poses.push_back(sample.X_WM);
            return poses;
          },
          "true poses of the moving part in the first trial, where the robot takes the fixed part to stand at the origin")
      .def_prop_ro(
          "forces", [](const ExecutionTrials& e) {
            std::vector<Eigen::Vector3d> forces;
            for (const observation::ExecutionSample& sample : e.first.samples) forces.push_back(sample.f_W);
            return forces;
          },
          "[N] on the moving part, as the hand's sensor read them")
      .def_prop_ro(
          "ends", [](const ExecutionTrials& e) {
            std::vector<std::string> ends;
            for (const observation::ExecutedStep& step : e.first.steps) ends.push_back(to_string(step.end));
            return texts(ends);
          },
          "why each step of the first trial ended")
      .def("brief_report", [](const ExecutionTrials& e) { return text(e.brief_report()); })
      .def("to_json", [](const ExecutionTrials& e) { return text(e.to_json()); }, "As the command line prints it with --json.");
  def_result(result);
  const observation::ExecutionOptions defaults;
  m.def("execute", &execute_watched, "moving"_a, "fixed"_a, "watched"_a, nb::kw_only(), "pose_error"_a = Bounds{0.0, 0.0},
        "grasp_error"_a = Bounds{0.0, 0.0}, "trials"_a = 1, "feedback"_a = "wrench", "push"_a = defaults.push_N,
        "friction"_a = defaults.friction, "clearance"_a = defaults.clearance_m, "stiffness"_a = defaults.stiffness_Npm,
        "seed"_a = 0, Released(),
        R"(What was demonstrated, done again in the physics engine with force feedback. `watched` is what `watch` found for the same
meshes; `pose_error` and `grasp_error`: how far the parts may be [m], [rad] from where the robot takes them to be.

>>> import prehend
>>> from prehend.observation import execute, watch
>>> block = prehend.geometry.make_box([0.04, 0.04, 0.04])
>>> heights = [0.1, 0.09, 0.08, 0.07, 0.06, 0.05, 0.04, 0.04, 0.04, 0.04, 0.04, 0.04]
>>> poses = [[0, 0, z, 1, 0, 0, 0] for height in heights for z in (0, height)]
>>> log = prehend.model.PoseLog(t=[i // 2 for i in range(24)], poses=poses, part=[0, 1] * 12, parts=["a", "b"])
>>> seen = watch(block, block, log, moving_part="b", fixed_part="a", noise=(1e-4, 1e-3))
>>> execute(block, block, seen, pose_error=(1e-3, 0.01)).status
'ok'
)");
}

}  // namespace prehend::python
