// prehend.articulation: which joint connects two parts, from arrays of poses or positions?
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <nanobind/stl/tuple.h>

#include "bindings.h"
#include <prehend/articulation/pose_input.h>
#include <prehend/articulation/selection.h>
#include <prehend/math/enum_text.h>

namespace prehend::python {
namespace {

using articulation::Candidate;
using articulation::JointFit;
using articulation::Observations;
using articulation::Selection;
using Array = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<double, nb::numpy, nb::shape<-1, -1>, nb::c_contig>;

Table table(std::size_t rows, std::size_t columns, const auto& entry) {
  auto numbers = std::make_unique<double[]>(rows * columns + 1);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < columns; ++k) numbers[i * columns + k] = entry(i, k);
  double* data = numbers.release();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return Table(data, {rows, columns}, owner);
}

std::vector<double> numbers(const articulation::State& state) {
  return {state.data(), state.data() + state.size()};
}

Table states_of(const JointFit& fit) {
  const auto columns = static_cast<std::size_t>(articulation::freedoms(fit.joint.type, fit.has_orientation));
  return table(fit.states.size(), columns, [&](std::size_t i, std::size_t k) {
    return fit.states[i] ? (*fit.states[i])[static_cast<Eigen::Index>(k)]
                         : std::numeric_limits<double>::quiet_NaN();
  });
}

Table covariance_of(const JointFit& fit) {
  const auto n = static_cast<std::size_t>(fit.covariance.rows());
  return table(n, n, [&](std::size_t i, std::size_t k) {
    return fit.covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
  });
}

[[noreturn]] void bad_row(std::size_t row, const std::string& what) {
  throw std::invalid_argument("poses[" + std::to_string(row) + "]: " + what);
}

math::Pose pose_of(const double* x, bool homogeneous, std::size_t row) {
  constexpr double kOff = 1e-3;  // rounding to a few digits passes, a mistake does not
  if (!homogeneous) {
    const Eigen::Quaterniond q(x[3], x[4], x[5], x[6]);
    if (!(std::abs(q.norm() - 1) < kOff))
      bad_row(row, "the quaternion (w, x, y, z) has norm " + std::to_string(q.norm()) + ", expected 1");
    return {q.normalized(), Eigen::Vector3d(x[0], x[1], x[2])};
  }
  const Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>> X(x);
  const Eigen::Matrix3d R = X.topLeftCorner<3, 3>();
  if (!((R.transpose() * R - Eigen::Matrix3d::Identity()).norm() < kOff) || R.determinant() < 0)
    bad_row(row, "the upper left 3x3 block is no rotation");
  if (!((X.row(3) - Eigen::RowVector4d(0, 0, 0, 1)).norm() < kOff))
    bad_row(row, "the last row is not 0 0 0 1");
  return {Eigen::Quaterniond(R).normalized(), X.topRightCorner<3, 1>()};
}

Observations observed(const Array& poses, const std::optional<std::vector<double>>& times,
                      bool fixed_is_measured) {
  const bool homogeneous = poses.ndim() == 3 && poses.shape(1) == 4 && poses.shape(2) == 4;
  const bool rows = poses.ndim() == 2 && (poses.shape(1) == 7 || poses.shape(1) == 3);
  if (!homogeneous && !rows)
    throw std::invalid_argument(
        "poses must be (n, 4, 4) homogeneous matrices, (n, 7) x y z qw qx qy qz or (n, 3) positions");
  const std::size_t count = poses.shape(0), width = homogeneous ? 16 : poses.shape(1);
  Observations seen;
  seen.moving = "moving";
  seen.has_orientation = width != 3;
  seen.fixed_is_measured = fixed_is_measured;
  if (times && times->size() != count)
    throw std::invalid_argument("times has " + std::to_string(times->size()) + " entries for " +
                                std::to_string(count) + " poses");
  for (std::size_t i = 0; i < count; ++i) {
    const double time = times ? (*times)[i] : static_cast<double>(i);
    if (!std::isfinite(time) || (i > 0 && !(time > seen.times.back())))
      throw std::invalid_argument("times[" + std::to_string(i) + "] is not above the one before");
    seen.times.push_back(time);
    const double* x = poses.data() + i * width;
    bool lost = false;
    for (std::size_t k = 0; k < width; ++k) {
      lost = lost || std::isnan(x[k]);
      if (std::isinf(x[k])) bad_row(i, "a number is infinite");
    }
    if (lost) continue;
    const math::Pose X = seen.has_orientation ? pose_of(x, homogeneous, i)
                                              : math::Pose::translation(Eigen::Vector3d(x[0], x[1], x[2]));
    seen.poses.push_back({static_cast<int>(i), X});
  }
  return seen;
}

// The enumerator of that name; `what` names the argument.
template <class Enum>
Enum choice(const char* what, const std::string& name) {
  const auto value = from_string<Enum>(name);
  if (!value)
    throw std::invalid_argument(std::string(what) + " must be " + enum_choices<Enum>() + ", not '" + name +
                                "'");
  return *value;
}

model::JointType type_of(const std::string& name) {
  const auto type = from_string<model::JointType>(name);
  if (!type) throw std::invalid_argument("no joint type is called '" + name + "'");
  return *type;
}

void bind_joint_fit(nb::module_& m) {
  auto fit = nb::class_<JointFit>(m, "JointFit",
                                  "One type of joint fitted to poses of a moving part M in a fixed part F.");
  const auto joint = [&](const char* name, auto get, const char* doc) {
    fit.def_prop_ro(name, [get](const JointFit& f) { return get(f.joint); }, doc);
  };
  fit.def_prop_ro(
         "status", [](const JointFit& f) { return to_string(f.status); },
         "'ok', 'not_converged' or 'failed'; problems say why")
      .def_prop_ro("type", [](const JointFit& f) { return to_string(f.joint.type); });
  joint("axis_F", [](const articulation::Joint& j) { return j.axis_F(); }, "unit axis in F, or None");
  joint("axis_M", [](const articulation::Joint& j) { return j.axis_M(); }, "the same in M");
  joint(
      "axis2_M", [](const articulation::Joint& j) { return j.axis2_M(); },
      "second axis of a universal joint");
  joint(
      "point_F", [](const articulation::Joint& j) { return j.point_F(); }, "[m] of the axis, or the centre");
  joint("point_M", [](const articulation::Joint& j) { return j.point_M(); }, "[m] the same in M");
  joint("pitch", [](const articulation::Joint& j) { return j.pitch; }, "[m/rad] of a screw");
  fit.def_prop_ro("states", &states_of, nb::rv_policy::move,
                  "(frames, freedoms) [rad, m]; not-a-number where the part is lost")
      .def_prop_ro(
          "lower", [](const JointFit& f) { return numbers(f.lower); }, "least states seen [rad, m]")
      .def_prop_ro(
          "upper", [](const JointFit& f) { return numbers(f.upper); }, "greatest states seen [rad, m]")
      .def_prop_ro(
          "noise_position", [](const JointFit& f) { return f.noise.position; },
          "[m] of the relative pose, per axis")
      .def_prop_ro(
          "noise_angle", [](const JointFit& f) { return f.noise.angle; }, "[rad]")
      .def_ro("rms_position", &JointFit::rms_position, "[m] per axis, of what remains")
      .def_ro("rms_angle", &JointFit::rms_angle, "[rad]")
      .def_ro("weights", &JointFit::weights, "one per observed frame, 0 to 1")
      .def_ro("noise_has_sizes", &JointFit::noise_has_sizes, "frames differ in how well they were measured")
      .def_ro("outliers", &JointFit::outliers, "frames far outside the noise");
  const auto deviation = [&](const char* name, auto member, const char* doc) {
    fit.def_prop_ro(name, [member](const JointFit& f) { return f.deviations.*member; }, doc);
  };
  using articulation::FitDeviations;
  deviation("std_axis_F", &FitDeviations::axis_F, "[rad] standard deviation, or None");
  deviation("std_axis_M", &FitDeviations::axis_M, "[rad]");
  deviation("std_axis2_M", &FitDeviations::axis2_M, "[rad]");
  deviation("std_point_F", &FitDeviations::point_F, "[m]");
  deviation("std_point_M", &FitDeviations::point_M, "[m]");
  deviation("std_pitch", &FitDeviations::pitch, "[m/rad]");
  fit.def_prop_ro("covariance", &covariance_of, nb::rv_policy::move,
                  "of the local parameters, in the order of the type's free directions")
      .def_ro("log_likelihood", &JointFit::log_likelihood, "[nats] states integrated out")
      .def_ro("iterations", &JointFit::iterations)
      .def_prop_ro(
          "alternatives", [](const JointFit& f) { return f.alternatives.size(); },
          "how many other joints of this type explain the motion as well");
  def_texts(fit, "problems", &JointFit::problems, "Sentences.");
  fit.def("brief_report", [](const JointFit& f) { return text(f.brief_report()); }, "One line.");
  def_result(fit);
}

void bind_selection(nb::module_& m) {
  auto candidate = nb::class_<Candidate>(m, "JointCandidate", "A type that was tried.");
  candidate.def_prop_ro("type", [](const Candidate& c) { return to_string(c.type); })
      .def_ro("fit", &Candidate::fit)
      .def_ro("evidence", &Candidate::evidence, "[nats] log likelihood and log prior")
      .def_ro("score", &Candidate::score, "[nats] evidence less the parameters' penalty")
      .def_ro("plain_score", &Candidate::plain_score, "[nats] what the criterion alone would say")
      .def_ro("parameters", &Candidate::parameters, "counted by the penalty")
      .def_prop_ro("explanation", [](const Candidate& c) { return text(c.explanation); }, "one sentence");
  def_result(candidate);
  auto selected = nb::class_<Selection>(m, "JointSelection", "Which type of joint, and where it sits.");
  selected
      .def_prop_ro(
          "status", [](const Selection& s) { return to_string(s.status); },
          "'ok' or 'undetermined'; reason says why")
      .def_prop_ro(
          "type", [](const Selection& s) { return to_string(s.best().type); },
          "the best; only where the status is 'ok' it is the answer")
      .def_prop_ro(
          "fit", [](const Selection& s) -> const JointFit& { return s.best().fit; },
          nb::rv_policy::reference_internal, "of the best type")
      .def_prop_ro(
          "candidates", [](const Selection& s) -> const std::vector<Candidate>& { return s.candidates; },
          nb::rv_policy::reference_internal, "best score first")
      .def_prop_ro(
          "rivals",
          [](const Selection& s) {
            Texts names;
            for (const model::JointType type : s.rivals) names.append(to_string(type));
            return names;
          },
          "types that explain the motion as well")
      .def_prop_ro(
          "independent_frames", [](const Selection& s) { return s.independent_frames; },
          "what the frames are worth")
      .def_prop_ro(
          "slips",
          [](const Selection& s) {
            std::vector<std::tuple<double, double, double>> slips;
            for (const articulation::Slip& slip : s.slips)
              slips.emplace_back(slip.before_time, slip.after_time, slip.size);
            return slips;
          },
          "(last time before, first time after [s], size [m]) of every slip of a point tracked without "
          "orientation")
      .def_prop_ro("reason", [](const Selection& s) { return text(s.reason); })
      .def_prop_ro(
          "contradiction", [](const Selection& s) { return text(s.contradiction); },
          "a sentence where positions and orientations contradict each other; else empty")
      .def_prop_ro("notes", [](const Selection& s) { return texts(s.notes); })
      .def(
          "to_json", [](const Selection& s) { return text(s.to_json()); },
          "As the command line prints it with --json.")
      .def("brief_report", [](const Selection& s) { return text(s.brief_report()); }, "A readable table.");
  def_result(selected);
}

articulation::SelectionOptions selection_options(const std::vector<std::string>& types,
                                                 const std::string& criterion, double radius_scale,
                                                 double travel_scale, double margin) {
  articulation::SelectionOptions options;
  for (const std::string& name : types) options.types.push_back(type_of(name));
  options.criterion = choice<articulation::Criterion>("criterion", criterion);
  options.radius_scale = radius_scale;
  options.travel_scale = travel_scale;
  options.margin = margin;
  return options;
}

void bind_fit_function(nb::module_& m) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  m.def(
      "fit_joint",
      [](const std::string& type, const Array& poses, const std::optional<std::vector<double>>& times,
         bool fixed_is_measured, const std::optional<std::pair<double, double>>& noise, bool robust,
         const std::string& method, double radius_scale, const std::string& noise_shape) {
        articulation::FitOptions options;
        if (noise) options.noise = {noise->first, noise->second};
        options.robust = robust;
        options.method = choice<articulation::FitMethod>("method", method);
        options.radius_scale = radius_scale;
        options.noise_shape = choice<articulation::NoiseShape>("noise_shape", noise_shape);
        const model::JointType kind = type_of(type);
        const Observations seen = observed(poses, times, fixed_is_measured);
        const LongCall released;
        return articulation::fit_joint(kind, seen, options);
      },
      "type"_a, "poses"_a, nb::kw_only(), "times"_a = nb::none(), "fixed_is_measured"_a = false,
      "noise"_a = nb::none(), "robust"_a = true, "method"_a = "likelihood", "radius_scale"_a = kInfinite,
      "noise_shape"_a = "estimated", R"(The most likely joint of one type.

poses of the moving part in the fixed one: (n, 4, 4) matrices, (n, 7) x y z qw qx qy qz, or (n, 3) positions alone; a row with
not-a-number is a lost frame. noise: (position [m], angle [rad]) per axis where it is known. noise_shape: 'estimated' (frames of less
noise count for more where residuals tell that they differ) or 'gaussian'.

>>> import numpy as np, prehend
>>> angle = np.linspace(0, 1, 50)
>>> poses = np.c_[np.cos(angle), np.sin(angle), 0 * angle, np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)]
>>> fit = prehend.articulation.fit_joint("revolute", poses)
>>> fit.status, np.round(abs(fit.axis_F), 6).tolist(), round(float(np.ptp(fit.states)), 6)
('ok', [0.0, 0.0, 1.0], 1.0)
)");
}

void bind_select_functions(nb::module_& m) {
  m.def(
      "select_joint",
      [](const Array& poses, const std::optional<std::vector<double>>& times, bool fixed_is_measured,
         const std::vector<std::string>& types, const std::string& criterion, double radius_scale,
         double travel_scale, double margin) {
        const articulation::SelectionOptions options =
            selection_options(types, criterion, radius_scale, travel_scale, margin);
        const Observations seen = observed(poses, times, fixed_is_measured);
        const LongCall released;
        return articulation::select_joint(seen, options);
      },
      "poses"_a, nb::kw_only(), "times"_a = nb::none(), "fixed_is_measured"_a = false,
      "types"_a = std::vector<std::string>{}, "criterion"_a = "bic",
      "radius_scale"_a = articulation::SelectionOptions{}.radius_scale,
      "travel_scale"_a = articulation::SelectionOptions{}.travel_scale,
      "margin"_a = articulation::SelectionOptions{}.margin, R"(Which type of joint? Poses as for fit_joint.

>>> import numpy as np, prehend
>>> rng = np.random.default_rng(1)
>>> angle = np.linspace(0, 1.5, 80)
>>> door = 0.4 * np.c_[np.cos(angle), np.sin(angle), 0 * angle] + 0.002 * rng.standard_normal((80, 3))
>>> found = prehend.articulation.select_joint(door)       # positions alone
>>> found.status, found.type, round(float(np.linalg.norm(found.fit.point_F)), 1)
('ok', 'revolute', 0.0)
>>> found.candidates[0].explanation.startswith("turns")
True
)");
  m.def(
      "select_joint",
      [](const model::PoseLog& log, const std::string& fixed, const std::string& moving,
         const std::vector<std::vector<std::string>>& same_part, const std::vector<std::string>& types,
         const std::string& criterion, double radius_scale, double travel_scale, double margin) {
        const articulation::SelectionOptions options =
            selection_options(types, criterion, radius_scale, travel_scale, margin);
        const LongCall released;
        return articulation::select_joint(articulation::markers_as_one(log, "log", same_part), "log",
                                          {fixed, moving}, options);
      },
      "log"_a, nb::kw_only(), "fixed"_a = "", "moving"_a = "",
      "same_part"_a = std::vector<std::vector<std::string>>{}, "types"_a = std::vector<std::string>{},
      "criterion"_a = "bic", "radius_scale"_a = articulation::SelectionOptions{}.radius_scale,
      "travel_scale"_a = articulation::SelectionOptions{}.travel_scale,
      "margin"_a = articulation::SelectionOptions{}.margin,
      R"(Which type of joint connects two parts of a log? As the command line answers.

fixed, moving: names of the parts; without, the first of two in the file is fixed. same_part: lists of markers that sit on one part,
[["door", "door_low"]]; the first stands for it. Where positions and orientations contradict each
other, the status is 'undetermined' and `contradiction` says why.

>>> import math, os, prehend, tempfile
>>> rows = ["t,part,x,y,z,qw,qx,qy,qz"]
>>> for t in range(40):
...     rows += [f"{t},frame,0,0,0,1,0,0,0", f"{t},door,1,0,0,{math.cos(0.02 * t)},0,0,{math.sin(0.02 * t)}"]
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "door.csv")
...     _ = open(path, "w").write("\n".join(rows) + "\n")
...     found = prehend.articulation.select_joint(prehend.articulation.read_poses(path), moving="door", fixed="frame")
>>> found.status, found.type
('ok', 'revolute')
)");
  m.def(
      "read_poses", [](const Path& path) { return articulation::read_poses(path.text); }, "path"_a,
      Released(),
      R"(Tracked poses from a pose log (CSV) or a track (rows of 3 or 7 numbers).

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "handle.log")
...     _ = open(path, "w").write("0 0 0\n0.1 0 0\n0.2 0 0\n")
...     len(prehend.articulation.read_poses(path))
3
)");
}

}  // namespace

void bind_joints(nb::module_& m) {
  bind_joint_fit(m);
  bind_selection(m);
  bind_fit_function(m);
  bind_select_functions(m);
}

}  // namespace prehend::python
