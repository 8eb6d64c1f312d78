// prehend.topology: which joints does an object have, from poses and wrenches?
#include "bindings.h"
#include <prehend/topology/felt_topology.h>
#include <prehend/topology/object_reader.h>
#include <prehend/topology/simulated/sample_object.h>
#include <prehend/topology/simulated/simulated_recording.h>
#include <prehend/topology/source_algorithm.h>
#include <prehend/topology/topology_json.h>

namespace prehend::python {
namespace {

using Eigen::Vector3d;
using Released = nb::call_guard<nb::gil_scoped_release>;
using topology::ArticulatedObject;
using topology::FeltTopology;
using topology::FoundJoint;
using topology::JointHypothesis;
using topology::Recording;

model::JointType type_of(const std::string& name) {
  for (const model::JointType type : topology::TopologyOptions{}.types)
    if (name == topology::hypothesis_name(type)) return type;
  throw std::invalid_argument("types are fixed, prismatic, revolute, screw and spherical, not '" + name +
                              "'");
}

int link_of(const ArticulatedObject& object, const std::string& name) {
  for (std::size_t i = 0; i < object.links.size(); ++i)
    if (object.links[i].name == name) return static_cast<int>(i);
  throw std::invalid_argument("the object has no link '" + name + "'");
}

// What Python keeps together.
struct TopologyAnswer {
  ArticulatedObject object;
  FeltTopology felt;
};

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
      "read_object", [](const Path& path) { return topology::read_object(path.text); }, "path"_a, Released(),
      R"(Links and inertias of an MJCF, URDF or SDF; its joint types are ignored.

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

void bind_recording(nb::module_& m) {
  nb::class_<Recording>(m, "Recording", "Poses of all links and wrenches on the held ones.")
      .def_ro("t", &Recording::t, "[s]")
      .def_ro("base_is_fixed", &Recording::base_is_fixed)
      .def_ro("gravity", &Recording::gravity_W, "[m/s^2]")
      .def("__len__", &Recording::rows);
  m.def(
      "read_recording",
      [](const Path& path, const ArticulatedObject& object, const Vector3d& gravity, bool base_is_fixed,
         const std::vector<std::string>& held) {
        Recording recording = topology::recording_of(model::read_topology_log(path.text), object, path.text);
        recording.gravity_W = gravity;
        recording.base_is_fixed = base_is_fixed;
        if (!held.empty() && held.size() != recording.held.size())
          throw std::invalid_argument("held names " + std::to_string(held.size()) + " links, the log has " +
                                      std::to_string(recording.held.size()) + " wrenches");
        for (std::size_t h = 0; h < held.size(); ++h) recording.held[h].link = link_of(object, held[h]);
        topology::validate(object, recording);
        return recording;
      },
      "path"_a, "object"_a, nb::kw_only(), "gravity"_a = Vector3d(0.0, 0.0, -9.81), "base_is_fixed"_a = false,
      "held"_a = std::vector<std::string>{},
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
      .def_ro("parent", &FoundJoint::parent, "link")
      .def_ro("child", &FoundJoint::child, "link")
      .def_prop_ro(
          "type",
          [](const FoundJoint& j) {
            return j.status == topology::TopologyStatus::ok ? topology::hypothesis_name(j.type)
                                                            : "undetermined";
          },
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
  auto answer = nb::class_<TopologyAnswer>(m, "Topology", "Which joints the object has.");
  answer
      .def_prop_ro(
          "status", [](const TopologyAnswer& a) { return to_string(a.felt.result.status); },
          "'ok', 'undetermined' or 'failed'")
      .def_prop_ro("joints", [](const TopologyAnswer& a) { return a.felt.result.joints; })
      .def_prop_ro(
          "score", [](const TopologyAnswer& a) { return a.felt.result.score; }, "[nats]")
      .def_prop_ro("balance", [](const TopologyAnswer& a) { return a.felt.result.balance; })
      .def_prop_ro("problems", [](const TopologyAnswer& a) { return texts(a.felt.result.problems); })
      .def_prop_ro("notes", [](const TopologyAnswer& a) { return texts(a.felt.result.notes); })
      .def(
          "to_json",
          [](const TopologyAnswer& a) {
            return text(topology::topology_json(a.felt.result, a.object, a.felt.recording));
          },
          "As the command line prints it with --json.")
      .def(
          "brief_report",
          [](const TopologyAnswer& a) { return text(topology::topology_table(a.felt.result, a.object)); },
          "A readable table.");
  def_result(answer);
}

void bind_functions(nb::module_& m) {
  m.def(
      "estimate_topology",
      [](const ArticulatedObject& object, const Recording& recording, const std::vector<std::string>& types,
         double friction_torque, double friction_force, int threads) {
        topology::TopologyOptions options;
        if (!types.empty()) options.types.clear();
        for (const std::string& name : types) options.types.push_back(type_of(name));
        options.largest_friction_torque = friction_torque;
        options.largest_friction_force = friction_force;
        options.threads = threads;
        return TopologyAnswer{object, topology::feel_topology(object, recording, options)};
      },
      "object"_a, "recording"_a, nb::kw_only(), "types"_a = std::vector<std::string>{},
      "friction_torque"_a = 0.1, "friction_force"_a = 1.0, "threads"_a = 0, Released(),
      R"(Which joints does the object have? Wrongly read recordings are named and leave every joint undetermined.

>>> from prehend.topology import estimate_topology, simulate_recording
>>> made = simulate_recording("revolute", seed=1)
>>> [joint.type for joint in estimate_topology(made.object, made.recording).joints]
['revolute']
)");
  m.def(
      "source_algorithm",
      [](const ArticulatedObject& object, const Recording& recording) {
        const topology::SourceResult result = topology::source_algorithm(object, recording);
        if (result.status != topology::SourceStatus::ok) throw std::invalid_argument(result.reason);
        nb::list joints;
        for (const topology::SourceJoint& joint : result.joints) {
          nb::dict entry;
          entry["name"] = text(joint.name);
          entry["type"] = to_string(joint.type);
          entry["prismatic"] = joint.prismatic_error;
          entry["revolute"] = joint.revolute_error;
          joints.append(entry);
        }
        return joints;
      },
      "object"_a, "recording"_a, R"(Algorithm 1 of Tirupachuri et al.: errors of both hypotheses, per joint.

>>> from prehend.topology import simulate_recording, source_algorithm
>>> made = simulate_recording("prismatic", seed=1)
>>> source_algorithm(made.object, made.recording)[0]["type"]
'prismatic'
)");
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
        topology::RecordingOptions options;
        model::Scene scene;
        if (kind == "sample") {
          topology::SampleObjectOptions object;
          object.links = links;
          object.seed = seed;
          scene = topology::sample_object(object);
          options.grips = topology::sample_exploration(scene, 0.0, seed).grips;
        } else {
          const auto type = model::joint_type_from_name(kind);
          if (!type)
            throw std::invalid_argument("kind must be 'prismatic', 'revolute' or 'sample', not '" + kind +
                                        "'");
          scene = topology::source_object(*type, false);
          const Vector3d force = *type == model::JointType::prismatic ? Vector3d::UnitX() : Vector3d::UnitY();
          options.pushes.push_back(
              {1, 0.2 * force, {0.25, 0.0, 0.0}, 0.3, 0.0, *type == model::JointType::prismatic ? 1.0 : 0.7});
          options.grips.push_back({0, 0.01, 0.05});
        }
        options.duration = duration;
        options.seed = seed;
        return topology::record(scene, options);
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
  bind_functions(m);
}

}  // namespace prehend::python
