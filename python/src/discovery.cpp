// prehend.articulation: which parts does an object have, and which joints connect them?
#include <limits>
#include <memory>

#include "bindings.h"
#include <prehend/articulation/discovered_files.h>
#include <prehend/articulation/discovery.h>
#include <prehend/math/enum_text.h>

namespace prehend::python {
namespace {

using articulation::DiscoveredJoint;
using articulation::Discovery;
using Table = nb::ndarray<double, nb::numpy, nb::shape<-1, -1>, nb::c_contig>;

// One row per frame, one column per freedom; not-a-number where a part is lost.
Table states_of(const DiscoveredJoint& joint) {
  const std::size_t rows = joint.states.size(), columns = static_cast<std::size_t>(joint.joint.freedoms());
  auto numbers = std::make_unique<double[]>(rows * columns + 1);
  for (std::size_t t = 0; t < rows; ++t)
    for (std::size_t k = 0; k < columns; ++k)
      numbers[t * columns + k] = joint.states[t] ? (*joint.states[t])[static_cast<Eigen::Index>(k)]
                                                 : std::numeric_limits<double>::quiet_NaN();
  double* data = numbers.release();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return Table(data, {rows, columns}, owner);
}

std::vector<model::JointType> types_of(const std::vector<std::string>& names) {
  std::vector<model::JointType> types;
  for (const std::string& name : names) {
    const auto type = from_string<model::JointType>(name);
    if (!type) throw std::invalid_argument("no joint type is called '" + name + "'");
    types.push_back(*type);
  }
  return types;
}

void bind_discovered_joint(nb::module_& m) {
  auto joint = nb::class_<DiscoveredJoint>(m, "DiscoveredJoint", "A joint between two groups of parts.");
  joint.def_ro("parent", &DiscoveredJoint::parent, "index into Discovery.groups")
      .def_ro("child", &DiscoveredJoint::child)
      .def_prop_ro("type", [](const DiscoveredJoint& j) { return to_string(j.joint.type); })
      .def_prop_ro(
          "axis", [](const DiscoveredJoint& j) { return j.joint.axis_F(); }, "in the parent's frame, or None")
      .def_prop_ro(
          "point", [](const DiscoveredJoint& j) { return j.joint.point_F(); },
          "[m] in the parent's frame, or None")
      .def_prop_ro(
          "pitch", [](const DiscoveredJoint& j) { return j.joint.pitch; }, "[m/rad] of a screw")
      .def_prop_ro("states", &states_of, nb::rv_policy::move,
                   "(frames, freedoms) [rad, m]; not-a-number where a part is lost")
      .def_ro("score", &DiscoveredJoint::score, "[nats] of the type")
      .def_ro("margin", &DiscoveredJoint::margin, "[nats] ahead of the next type")
      .def_prop_ro(
          "std_axis", [](const DiscoveredJoint& j) { return j.deviations.axis_F; },
          "[rad] standard deviation of the axis in the parent, or None")
      .def_prop_ro(
          "std_point", [](const DiscoveredJoint& j) { return j.deviations.point_F; },
          "[m] of its place, across the axis, or None")
      .def_ro("rms_position", &DiscoveredJoint::rms_position, "[m] per axis, of what remains")
      .def_ro("rms_angle", &DiscoveredJoint::rms_angle, "[rad]")
      .def_ro("outliers", &DiscoveredJoint::outliers, "frames far outside the noise")
      .def_prop_ro(
          "reason", [](const DiscoveredJoint& j) { return text(j.reason); },
          "Where the type is not determined.");
  def_result(joint);
}

void bind_discovery_result(nb::module_& m) {
  auto result = nb::class_<Discovery>(m, "Discovery", "An object's parts and joints.");
  result
      .def_prop_ro(
          "status", [](const Discovery& d) { return to_string(d.status); }, "'ok' or 'undetermined'")
      .def_ro("times", &Discovery::times, "[s] of the frames")
      .def_prop_ro(
          "groups",
          [](const Discovery& d) {
            nb::typed<nb::list, Texts> groups;
            for (const articulation::RigidGroup& group : d.groups) {
              Texts names;
              for (const int part : group.parts) names.append(text(d.parts[part]));
              groups.append(names);
            }
            return groups;
          },
          "names of the parts that move as one, the root's first")
      .def_ro("joints", &Discovery::joints, "parents before children")
      .def_prop_ro(
          "loops", [](const Discovery& d) { return static_cast<int>(d.loops.size()); },
          "closed loops; to_dict() has them in full")
      .def_ro("degrees_of_freedom", &Discovery::degrees_of_freedom)
      .def_prop_ro(
          "noise_position", [](const Discovery& d) { return d.noise.position; }, "[m] of one pose, per axis")
      .def_prop_ro("noise_angle", [](const Discovery& d) { return d.noise.angle; }, "[rad]");
  def_texts(result, "parts", &Discovery::parts, "Names, in the order of the log.");
  def_texts(result, "reasons", &Discovery::reasons, "Sentences: why there is no full answer.");
  def_texts(result, "notes", &Discovery::notes, "Sentences that explain.");
  result
      .def(
          "to_json", [](const Discovery& d) { return text(d.to_json()); },
          "As the command line prints it with --json.")
      .def(
          "brief_report", [](const Discovery& d) { return text(d.brief_report()); }, "A readable table.")
      .def(
          "mjcf", [](const Discovery& d) { return text(articulation::discovered_mjcf(d)); },
          "The object as MJCF; joint coordinates are the states, loops are equalities.")
      .def(
          "urdf", [](const Discovery& d) { return text(articulation::discovered_urdf(d)); },
          "The object as URDF, a tree.");
  def_result(result);
}

}  // namespace

void bind_discovery(nb::module_& m) {
  bind_discovered_joint(m);
  bind_discovery_result(m);
  m.def(
      "discover",
      [](const model::PoseLog& log, const std::vector<std::string>& types, const std::string& criterion,
         bool merge_rigid, const std::vector<std::vector<std::string>>& same_part,
         const std::optional<std::pair<double, double>>& least_noise) {
        articulation::DiscoveryOptions options;
        if (least_noise && !(least_noise->first > 0 && least_noise->second > 0))
          throw std::invalid_argument("least_noise must be two positive numbers: metres and radians");
        if (least_noise) options.least_noise = {least_noise->first, least_noise->second};
        options.types = types_of(types);
        const auto known = from_string<articulation::Criterion>(criterion);
        if (!known)
          throw std::invalid_argument("criterion must be " + enum_choices<articulation::Criterion>() +
                                      ", not '" + criterion + "'");
        options.criterion = *known;
        options.merge_rigid = merge_rigid;
        options.same_part = same_part;
        return articulation::discover(log, "log", options);
      },
      "log"_a, nb::kw_only(), "types"_a = std::vector<std::string>{}, "criterion"_a = "bic",
      "merge_rigid"_a = true, "same_part"_a = std::vector<std::vector<std::string>>{},
      "least_noise"_a = nb::none(), Released(),
      R"(Which parts does it have, and which joints connect them?

same_part: lists of markers that sit on one part, [["door", "door_low"]]. least_noise: poses are not known better than (metres, radians).

>>> import math, os, prehend, tempfile
>>> rows = ["t,part,x,y,z,qw,qx,qy,qz"]
>>> for t in range(40):
...     rows += [f"{t},frame,0,0,0,1,0,0,0", f"{t},door,1,0,0,{math.cos(0.02 * t)},0,0,{math.sin(0.02 * t)}"]
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "door.csv")
...     _ = open(path, "w").write("\n".join(rows) + "\n")
...     found = prehend.articulation.discover(prehend.model.read_pose_log(path))
>>> found.status, found.joints[0].type, [round(float(x), 6) + 0.0 for x in found.joints[0].point[:2]]
('ok', 'revolute', [1.0, 0.0])
)");
}

}  // namespace prehend::python
