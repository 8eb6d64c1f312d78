// prehend.topology: which joints does an object have, from poses and wrenches?
#include "bindings.h"
#include <prehend/topology/diagnosed_topology.h>
#include <prehend/topology/found_scene.h>
#include <prehend/topology/object_reader.h>
#include <prehend/topology/simulated/simulated_recording.h>
#include <prehend/topology/source_algorithm.h>

namespace prehend::python {
namespace {

using Eigen::Vector3d;
using topology::ArticulatedObject;
using topology::DiagnosedTopology;
using topology::FoundJoint;
using topology::JointHypothesis;
using topology::Recording;

void bind_object(nb::module_& m) {
  auto link = nb::class_<topology::Link>(m, "Link", "One rigid link.");
  link.def_prop_ro("name", [](const topology::Link& l) { return text(l.name); })
      .def_ro("inertia", &topology::Link::inertia, "in the link's frame")
      .def_ro("parent", &topology::Link::parent, "index; -1: the base")
      .def_prop_ro("joint", [](const topology::Link& l) { return text(l.joint); });
  auto object = nb::class_<ArticulatedObject>(m, "ArticulatedObject", "Links whose joints are not known.");
  object.def_prop_ro("name", [](const ArticulatedObject& o) { return text(o.name); })
      .def_ro("links", &ArticulatedObject::links)
      .def("__len__", [](const ArticulatedObject& o) { return o.links.size(); });
  m.def(
      "read_object",
      [](const Path& path, std::optional<std::size_t> links_in_log) {
        return topology::read_object(path.text, links_in_log);
      },
      "path"_a, nb::kw_only(), "links_in_log"_a = nb::none(), Released(),
      R"(Links and inertias of an MJCF, URDF or SDF; its joint types are ignored. A log with fewer links has those on fixed joints as one.

>>> import pathlib, tempfile
>>> from prehend.topology import read_object
>>> mass = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
>>> path = pathlib.Path(tempfile.mkdtemp()) / "pliers.urdf"
>>> _ = path.write_text(f'<robot name="pliers"><link name="a">{mass}</link><link name="b">{mass}</link>'
...                     '<joint name="pin" type="fixed"><parent link="a"/><child link="b"/></joint></robot>')
>>> [link.name for link in read_object(path).links]
['a', 'b']
)");
}

void init_recording(Recording* self, const std::vector<double>& t, const std::vector<Eigen::MatrixXd>& poses,
                    const std::vector<int>& held, const std::vector<Eigen::MatrixXd>& wrenches,
                    const Vector3d& gravity, bool base_is_fixed) {
  const auto refuse = [](const std::string& what) { throw std::invalid_argument(what); };
  const auto rows = static_cast<Eigen::Index>(t.size());
  Recording recording;
  recording.t = t;
  recording.gravity_W = gravity;
  recording.base_is_fixed = base_is_fixed;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const std::string which = "poses[" + std::to_string(i) + "]";
    if (poses[i].rows() != rows || poses[i].cols() != 7)
      refuse(which + " must have a row x y z qw qx qy qz for every time, (" + std::to_string(rows) + ", 7)");
    std::vector<math::Pose>& of_link = recording.X_WL.emplace_back();
    for (Eigen::Index k = 0; k < rows; ++k) {
      const Eigen::Quaterniond q(poses[i](k, 3), poses[i](k, 4), poses[i](k, 5), poses[i](k, 6));
      if (!(std::abs(q.norm() - 1.0) <= 0.01))  // as in files
        refuse(which + ", row " + std::to_string(k) + ": the quaternion's norm must be 1");
      of_link.emplace_back(q.normalized(), Vector3d(poses[i].row(k).head<3>()));
    }
  }
  if (held.size() != wrenches.size())
    refuse("held names " + std::to_string(held.size()) + " links, wrenches has " +
           std::to_string(wrenches.size()) + " arrays");
  for (std::size_t h = 0; h < held.size(); ++h) {
    if (wrenches[h].rows() != rows || wrenches[h].cols() != 6)
      refuse("wrenches[" + std::to_string(h) + "] must have a row tx ty tz fx fy fz for every time, (" +
             std::to_string(rows) + ", 6)");
    topology::HeldLink link{held[h], {}};
    for (Eigen::Index k = 0; k < rows; ++k)
      link.F_L.push_back({Vector3d(wrenches[h].row(k).head<3>()), Vector3d(wrenches[h].row(k).tail<3>())});
    recording.held.push_back(std::move(link));
  }
  new (self) Recording(std::move(recording));
}

void bind_recording(nb::module_& m) {
  nb::class_<Recording>(m, "Recording", "Poses of all links and wrenches on the held ones.")
      .def(
          "__init__", &init_recording, nb::kw_only(), "t"_a, "poses"_a, "held"_a, "wrenches"_a,
          "gravity"_a = Vector3d(0.0, 0.0, -9.81), "base_is_fixed"_a = false,
          R"(From arrays: times [s]; per link of the object, in its order, rows x y z qw qx qy qz; per link in `held` (numbers from 0) what the
hand exerts on it, in the link's own axes about its origin, moment [N m] first.

>>> from prehend.topology import Recording
>>> still = [[0, 0, 0, 1, 0, 0, 0]] * 2
>>> len(Recording(t=[0, 0.01], poses=[still, still], held=[1], wrenches=[[[0, 0, 0, 0, 0, 9.81]] * 2]))
2
)")
      .def_ro("t", &Recording::t, "[s]")
      .def_ro("base_is_fixed", &Recording::base_is_fixed)
      .def_ro("gravity", &Recording::gravity_W, "[m/s^2]")
      .def("__len__", &Recording::rows);
  m.def(
      "read_recording",
      [](const Path& path, const ArticulatedObject& object, const Vector3d& gravity, bool base_is_fixed,
         const std::vector<std::string>& held) {
        return topology::read_recording(path.text, object, {gravity, base_is_fixed, held});
      },
      "path"_a, "object"_a, nb::kw_only(), "gravity"_a = Vector3d(0.0, 0.0, -9.81), "base_is_fixed"_a = false,
      "held"_a = std::vector<std::string>{}, Released(),
      R"(A topology log (CSV); `held` names the links of its wrenches where they are not the first and the last.

>>> from prehend import InputError
>>> from prehend.topology import read_recording, simulate_recording
>>> try:
...     read_recording("nowhere.csv", simulate_recording("revolute", duration=0.1).object)
... except InputError as error:
...     print(error.file)
nowhere.csv
)");
}

void bind_answer(nb::module_& m) {
  auto hypothesis = nb::class_<JointHypothesis>(m, "JointHypothesis", "One type of one joint.");
  hypothesis.def_prop_ro("type", [](const JointHypothesis& h) { return topology::hypothesis_name(h.type); })
      .def_ro("error", &JointHypothesis::error, "(14), (15) of Tirupachuri et al.")
      .def_ro("posterior", &JointHypothesis::posterior)
      .def_ro("kinematic_posterior", &JointHypothesis::kinematic_posterior, "of the poses alone")
      .def_ro("kinematic", &JointHypothesis::kinematic, "[nats]")
      .def_ro("momentum", &JointHypothesis::momentum, "[nats]")
      .def_ro("transmitted", &JointHypothesis::transmitted, "[nats]")
      .def_prop_ro("explanation", [](const JointHypothesis& h) { return text(h.explanation); });
  auto joint = nb::class_<FoundJoint>(m, "FoundJoint", "What is said of one joint.");
  joint.def_prop_ro("name", [](const FoundJoint& j) { return text(j.name); })
      .def_prop_ro("status", [](const FoundJoint& j) { return to_string(j.status); })
      .def_ro("parent", &FoundJoint::parent, "link")
      .def_ro("child", &FoundJoint::child, "link")
      .def_prop_ro(
          "type", [](const FoundJoint& j) { return text(j.type_text()); },
          "'fixed', 'prismatic', 'revolute', 'screw', 'spherical' or 'undetermined'")
      .def_ro("hypotheses", &FoundJoint::hypotheses, "likeliest first")
      .def_prop_ro("reason", [](const FoundJoint& j) { return text(j.reason); })
      .def_prop_ro(
          "axis_F", [](const FoundJoint& j) { return j.best().joint.axis_F(); },
          "in the parent's frame, or None")
      .def_prop_ro(
          "point_F", [](const FoundJoint& j) { return j.best().joint.point_F(); }, "[m] or None")
      .def_prop_ro(
          "axis_M", [](const FoundJoint& j) { return j.best().joint.axis_M(); },
          "in the child's frame, or None")
      .def_prop_ro(
          "point_M", [](const FoundJoint& j) { return j.best().joint.point_M(); }, "[m] or None")
      .def_prop_ro(
          "pitch", [](const FoundJoint& j) { return j.best().joint.pitch; }, "[m/rad] of a screw")
      .def_ro("travel", &FoundJoint::travel, "[rad], prismatic [m]")
      .def_ro("states", &FoundJoint::states, "per row, of joints with one freedom");
  def_result(joint);
  auto answer = nb::class_<DiagnosedTopology>(m, "Topology", "Which joints the object has.");
  answer
      .def_prop_ro(
          "status", [](const DiagnosedTopology& a) { return to_string(a.result.status); },
          "'ok' or 'undetermined'")
      .def_prop_ro(
          "reason", [](const DiagnosedTopology& a) { return text(a.reason()); }, "a sentence, unless ok")
      .def_prop_ro("joints", [](const DiagnosedTopology& a) { return a.result.joints; })
      .def_prop_ro(
          "score", [](const DiagnosedTopology& a) { return a.result.score; }, "[nats]")
      .def_prop_ro("balance", [](const DiagnosedTopology& a) { return a.result.balance; })
      .def_prop_ro("problems", [](const DiagnosedTopology& a) { return texts(a.result.problems); })
      .def_prop_ro("notes", [](const DiagnosedTopology& a) { return texts(a.result.notes); })
      .def(
          "to_json", [](const DiagnosedTopology& a) { return text(a.to_json()); },
          "As the command line prints it with --json.")
      .def(
          "brief_report", [](const DiagnosedTopology& a) { return text(a.brief_report()); },
          "A readable table.");
  def_result(answer);
}

void bind_estimate(nb::module_& m) {
  m.def(
      "estimate_topology",
      [](const ArticulatedObject& object, const Recording& recording, const std::vector<std::string>& types,
         double friction_torque, double friction_force, int threads, bool online) {
        topology::TopologyOptions options;
        if (!types.empty()) options.types = topology::hypothesis_types(types);
        options.largest_friction_torque = friction_torque;
        options.largest_friction_force = friction_force;
        options.threads = threads;
        DiagnosedTopology made = topology::diagnose_and_estimate(object, recording, options);
        topology::OnlineTopologyOptions online_options;
        online_options.topology = options;
        if (online) made.online = topology::replay_topology(object, made.recording, online_options);
        return made;
      },
      "object"_a, "recording"_a, nb::kw_only(), "types"_a = std::vector<std::string>{},
      "friction_torque"_a = 0.1, "friction_force"_a = 1.0, "threads"_a = 0, "online"_a = false, Released(),
      R"(Which joints does the object have? Wrongly read recordings are named and leave every joint undetermined.
With online, also row by row: when each joint was identified, and what to push next.

>>> from prehend.topology import estimate_topology, simulate_recording
>>> made = simulate_recording("revolute", seed=1)
>>> [joint.type for joint in estimate_topology(made.object, made.recording).joints]
['revolute']
)");
}

void bind_found_scene(nb::module_& m) {
  m.def(
      "found_scene",
      [](const Path& path, const ArticulatedObject& object, const DiagnosedTopology& found) {
        return topology::found_scene(topology::read_object_scene(path.text, object.links.size()), object,
                                     found.recording, found.result.joints);
      },
      "path"_a, "object"_a, "found"_a, Released(),
      R"(The object of that file with the joints that were found, as `prehend topology --out` writes it: for write_urdf() and write_mjcf().

>>> import pathlib, tempfile
>>> from prehend.topology import estimate_topology, found_scene, read_object, simulate_recording
>>> mass = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
>>> path = pathlib.Path(tempfile.mkdtemp()) / "pliers.urdf"
>>> _ = path.write_text(f'<robot name="pliers"><link name="a">{mass}</link><link name="b">{mass}</link>'
...                     '<joint name="pin" type="fixed"><parent link="a"/><child link="b"/></joint></robot>')
>>> made = simulate_recording("revolute", seed=1)
>>> found = estimate_topology(made.object, made.recording)
>>> [body.name for body in found_scene(path, read_object(path), found).bodies]
['world', 'a', 'b']
)");
}

void bind_source_algorithm(nb::module_& m) {
  using topology::SourceJoint;
  using topology::SourceResult;
  nb::class_<SourceJoint>(m, "SourceJoint", "Errors of both hypotheses of one joint.")
      .def_prop_ro("name", [](const SourceJoint& j) { return text(j.name); })
      .def_prop_ro("type", [](const SourceJoint& j) { return to_string(j.type); })
      .def_ro("prismatic_error", &SourceJoint::prismatic_error)
      .def_ro("revolute_error", &SourceJoint::revolute_error);
  auto result = nb::class_<SourceResult>(m, "SourceResult", "What Algorithm 1 of Tirupachuri et al. finds.");
  result
      .def_prop_ro(
          "status", [](const SourceResult& r) { return to_string(r.status); }, "'ok' or 'undetermined'")
      .def_prop_ro(
          "reason", [](const SourceResult& r) { return text(r.reason); }, "a sentence, unless ok")
      .def_prop_ro("joints", [](const SourceResult& r) { return r.joints; })
      .def_ro("score", &SourceResult::score)
      .def(
          "to_json", [](const SourceResult& r) { return text(r.to_json()); },
          "As `prehend topology --method source --json` prints it.")
      .def("brief_report", [](const SourceResult& r) { return text(r.brief_report()); });
  def_result(result);
  m.def(
      "source_algorithm",
      [](const ArticulatedObject& object, const Recording& recording) {
        return topology::source_algorithm(object, recording);
      },
      "object"_a, "recording"_a, Released(),
      R"(Algorithm 1 of Tirupachuri et al.: errors of both hypotheses, per joint.

>>> from prehend.topology import simulate_recording, source_algorithm
>>> made = simulate_recording("prismatic", seed=1)
>>> source_algorithm(made.object, made.recording).joints[0].type
'prismatic'
)");
}

void bind_simulated(nb::module_& m) {
  auto made =
      nb::class_<topology::SimulatedRecording>(m, "SimulatedRecording", "A recording in simulated hands.");
  made.def_ro("object", &topology::SimulatedRecording::object)
      .def_ro("recording", &topology::SimulatedRecording::recording)
      .def_prop_ro(
          "types",
          [](const topology::SimulatedRecording& r) {
            std::vector<std::string> types;
            for (const topology::JointTruth& joint : r.joints)
              types.push_back(topology::hypothesis_name(joint.type));
            return texts(types);
          },
          "true types");
  m.def(
      "simulate_recording",
      [](const std::string& kind, int links, std::uint64_t seed, double duration) {
        return topology::sample_recording(kind, links, duration, seed);
      },
      "kind"_a, nb::kw_only(), "links"_a = 3, "seed"_a = 0, "duration"_a = 3.0, Released(),
      R"(The objects of Tirupachuri et al. ('prismatic', 'revolute') or a random one ('sample'), floating in the hands.

>>> from prehend.topology import simulate_recording
>>> made = simulate_recording("sample", links=4, duration=0.5)
>>> len(made.object), len(made.types), len(made.recording)
(4, 3, 501)
)");
}

}  // namespace

void bind_topology(nb::module_& m) {
  bind_object(m);
  bind_recording(m);
  bind_answer(m);
  bind_estimate(m);
  bind_found_scene(m);
  bind_source_algorithm(m);
  bind_simulated(m);
}

}  // namespace prehend::python
