// prehend.inertia: which motion of the arm determines the object in its hand best?
#include <cmath>

#include "bindings.h"
#include <prehend/inertia/excitation.h>
#include <prehend/inertia/still_poses.h>
#include <prehend/math/enum_text.h>
#include <prehend/model/joint_chain.h>
#include <prehend/model/scene.h>

namespace prehend::python {
namespace {

using Eigen::Vector3d;
using inertia::Excitation;
using inertia::ExcitationOptions;
using inertia::Trajectory;
using Box = std::pair<Vector3d, Vector3d>;

void bind_results(nb::module_& m) {
  nb::class_<Trajectory>(m, "Trajectory", "Joint positions over time, one row per instant.")
      .def_ro("t", &Trajectory::t, "[s]")
      .def_ro("q", &Trajectory::q, "(n, joints) [rad or m]")
      .def_ro("qd", &Trajectory::qd, "[per s]")
      .def_ro("qdd", &Trajectory::qdd, "[per s^2]");
  auto plan =
      nb::class_<Excitation>(m, "Excitation", "A planned motion and how well it determines the object.");
  plan.def_prop_ro(
          "status", [](const Excitation& e) { return to_string(e.status); }, "'ok' or 'infeasible'")
      .def_prop_ro(
          "link", [](const Excitation& e) { return text(e.link); }, "that carries the sensor")
      .def_prop_ro(
          "trajectory", [](const Excitation& e) -> const Trajectory& { return e.plan.trajectory; },
          nb::rv_policy::reference_internal)
      .def_ro("poses", &Excitation::poses, "stop-and-go: (poses, joints) where it stands still")
      .def_prop_ro("duration", [](const Excitation& e) { return e.motion.duration; }, "[s]");
  def_texts(plan, "joints", &Excitation::joints, "Names, base to hand.");
  def_texts(plan, "problems", &Excitation::problems, "Why there is no plan.");
  def_texts(plan, "notes", &Excitation::notes, "Sentences that explain.");
  plan.def(
          "csv", [](const Excitation& e) { return text(e.plan.trajectory.csv(e.joints)); },
          "The trajectory as trajectory.csv of the command line.")
      .def(
          "to_json", [](const Excitation& e) { return text(e.to_json()); },
          "As the command line prints it with --json.")
      .def("brief_report", [](const Excitation& e) { return text(e.brief_report()); }, "A readable table.");
  def_result(plan);
}

void bind_plan(nb::module_& m) {
  const ExcitationOptions defaults;
  m.def(
      "plan_excitation",
      [](const model::Scene& robot, const std::string& link, int still, const Vector3d& sensor, double mass,
         double size, const std::optional<Vector3d>& centre, double duration, double dwell, double rate,
         double frequency, double speed, double joint_speed, double joint_acceleration,
         const std::optional<double>& floor, const std::optional<Box>& workspace,
         const std::vector<Box>& keep_out, double force_noise, double torque_noise, bool bias,
         const std::optional<Eigen::VectorXd>& start, const std::string& criterion, int starts,
         std::uint64_t seed, int threads) {
        ExcitationOptions options;
        options.object = {mass, size, centre};
        options.limits.tool_speed = speed;
        options.limits.joint_speed = joint_speed;
        options.limits.joint_acceleration = joint_acceleration;
        const auto box_of = [](const Box& box) { return Eigen::AlignedBox3d(box.first, box.second); };
        if (workspace) options.limits.workspace_W = box_of(*workspace);
        if (floor) options.limits.keep_above(*floor);
        for (const Box& box : keep_out) options.limits.keep_out_W.push_back(box_of(box));
        options.noise = {force_noise, torque_noise, bias};
        const auto chosen = from_string<inertia::Criterion>(criterion + "_optimal");
        if (!chosen) throw std::invalid_argument("criterion must be 'd' or 'a', not '" + criterion + "'");
        options.criterion = *chosen;
        options.duration = duration;
        options.dwell = dwell;
        options.rate = rate;
        options.max_frequency = frequency;
        options.start = start;
        options.starts = starts;
        options.seed = seed;
        options.threads = threads;
        const model::JointChain chain = model::joint_chain(robot, link, math::Pose::translation(sensor));
        return still != 0 ? inertia::plan_still_poses(chain, still, options)
                          : inertia::plan_excitation(chain, options);
      },
      "robot"_a, "link"_a = "", nb::kw_only(), "still"_a = 0, "sensor"_a = Vector3d(0, 0, 0),
      "mass"_a = defaults.object.mass, "size"_a = defaults.object.size, "centre"_a = nb::none(),
      "duration"_a = defaults.duration, "dwell"_a = defaults.dwell, "rate"_a = defaults.rate,
      "frequency"_a = defaults.max_frequency, "speed"_a = defaults.limits.tool_speed,
      "joint_speed"_a = defaults.limits.joint_speed,
      "joint_acceleration"_a = defaults.limits.joint_acceleration, "floor"_a = nb::none(),
      "workspace"_a = nb::none(), "keep_out"_a = std::vector<Box>{}, "force_noise"_a = defaults.noise.force,
      "torque_noise"_a = defaults.noise.torque, "bias"_a = false, "start"_a = nb::none(), "criterion"_a = "d",
      "starts"_a = defaults.starts, "seed"_a = 0, "threads"_a = 0, Released(),
      R"(Which motion of the robot's joints determines the object in its hand best? Arguments are the options of `prehend excite`.

>>> import prehend
>>> robot = prehend.read_scene_text(prehend.embedded_file("robots/arm6.urdf"), "urdf", "arm6")
>>> plan = prehend.inertia.plan_excitation(robot, still=3, starts=2)
>>> plan.status, plan.poses.shape
('ok', (3, 6))
)");
}

}  // namespace

void bind_excitation(nb::module_& m) {
  bind_results(m);
  bind_plan(m);
}

}  // namespace prehend::python
