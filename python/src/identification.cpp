// prehend.inertia: what does it weigh, and where? Batch, streaming, and the wrench that a known load causes.
#include <memory>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>

#include "bindings.h"
#include "length_unit.h"
#include <prehend/inertia/estimator.h>
#include <prehend/inertia/identification.h>
#include <prehend/inertia/motion_filter.h>
#include <prehend/inertia/object_model.h>
#include <prehend/inertia/payload.h>
#include <prehend/math/enum_text.h>

namespace prehend::python {

void bind_excitation(nb::module_& m);  // excitation.cpp

namespace {

using Eigen::Vector3d;
using inertia::Estimate;
using inertia::Identification;
using inertia::IdentifiedBody;
using inertia::Shape;

template <class Enum>
Enum choice_of(const char* name, const std::string& text) {
  const std::optional<Enum> choice = from_string<Enum>(text);
  if (!choice)
    throw std::invalid_argument(std::string(name) + " must be " + enum_choices<Enum>() + ", not '" + text +
                                "'");
  return *choice;
}

inertia::Method method_of(const std::string& name) { return choice_of<inertia::Method>("method", name); }

void bind_shape(nb::module_& m) {
  auto shape = nb::class_<Shape>(m, "Shape", "What is known of an object's shape, in its own frame.");
  shape.def_ro("points", &Shape::points, "(n, 3) [m]")
      .def_ro("volumes", &Shape::volumes, "(n,) [m^3]")
      .def_ro("labels", &Shape::labels, "(n,) part of each point; empty without parts")
      .def_prop_ro(
          "parts",
          [](const Shape& s) {
            Texts names;
            for (const inertia::Part& part : s.parts) names.append(text(part.name));
            return names;
          },
          "names")
      .def_ro("of_unit_mass", &Shape::of_unit_mass, "the homogeneous object of 1 kg");
  def_texts(shape, "notes", &Shape::notes, "What was assumed on reading.");
  m.def(
      "read_shape",
      [](const Path& path, const LengthUnit& unit) {
        return inertia::read_shape(path.text, {.unit = metres(unit)});
      },
      "path"_a, nb::kw_only(), "unit"_a = "m", Released(),
      R"(A mesh or cloud in the object's frame; `unit` is "m", "cm", "mm", "in", or metres.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "box.obj")
...     prehend.write_mesh(path, prehend.geometry.make_box([100, 200, 300]))
...     shape = prehend.inertia.read_shape(path, unit="mm")
>>> round(float(shape.volumes.sum()), 6)
0.006
)");
  m.def(
      "read_parts",
      [](const std::vector<Path>& paths, const LengthUnit& unit) {
        std::vector<std::string> names;
        for (const Path& path : paths) names.push_back(path.text);
        return inertia::read_parts(names, {.unit = metres(unit)});
      },
      "paths"_a, nb::kw_only(), "unit"_a = "m", Released(),
      R"(One labelled cloud, or one closed mesh per part.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "parts.ply")
...     _ = open(path, "w").write(prehend.embedded_file("logs/mallet_parts.ply"))
...     len(prehend.inertia.read_parts([path]).parts)
2
)");
}

void bind_estimate(nb::module_& m) {
  auto estimate =
      nb::class_<Estimate>(m, "Estimate", "A body as one estimator sees it, about the sensor's origin.");
  estimate.def_prop_ro("method", [](const Estimate& e) { return to_string(e.method); })
      .def_prop_ro(
          "status", [](const Estimate& e) { return to_string(e.status); }, "'ok', 'undetermined' or 'failed'")
      .def_ro("inertia_S", &Estimate::inertia_S, "in the sensor's frame")
      .def_prop_ro(
          "mass", [](const Estimate& e) { return e.inertia_S.mass; }, "[kg]")
      .def_prop_ro(
          "com", [](const Estimate& e) { return e.inertia_S.com; }, "[m] in the sensor's frame")
      .def_prop_ro("std_mass", &Estimate::std_mass, "[kg]")
      .def_prop_ro("std_com", &Estimate::std_com, "[m]")
      .def_prop_ro(
          "covariance", [](const Estimate& e) { return Eigen::MatrixXd(e.covariance); },
          "(10, 10) of inertia_S.parameters()")
      .def_prop_ro("consistent", [](const Estimate& e) { return e.consistency.is_consistent(); })
      .def_ro("condition", &Estimate::condition, "of the scaled regressor")
      .def_ro("rank", &Estimate::rank, "of 10")
      .def_ro("residual_force", &Estimate::residual_force, "[N] root mean square")
      .def_ro("residual_torque", &Estimate::residual_torque, "[N m]")
      .def_ro("samples", &Estimate::samples)
      .def_ro("masses", &Estimate::masses, "[kg] of points (pmd) or parts (hps)")
      .def_ro("points_S", &Estimate::points_S, "(n, 3) [m] where they are");
  def_texts(estimate, "undetermined", &Estimate::undetermined, "Parameters the data do not determine.");
  def_texts(estimate, "problems", &Estimate::problems, "Sentences to read before using the numbers.");
  def_texts(estimate, "notes", &Estimate::notes, "Sentences that explain.");
  estimate.def("brief_report", [](const Estimate& e) { return text(e.brief_report()); });
  def_result(estimate);
}

void bind_identify_function(nb::module_& m) {
  m.def(
      "identify",
      [](const model::WrenchLog& log, const Shape* shape, const std::vector<std::string>& methods,
         const Vector3d& gravity, const std::string& wrench_frame, const std::string& kinematics,
         bool calibrate, const std::optional<math::SpatialInertia>& tool, const model::WrenchLog* empty,
         const std::optional<double>& c1, const std::optional<double>& lambda, double alpha,
         const std::optional<double>& shape_error, int repeat) {
        inertia::IdentificationOptions options;
        options.samples = {gravity, choice_of<inertia::WrenchFrame>("wrench_frame", wrench_frame)};
        options.methods.clear();
        for (const std::string& name : methods) options.methods.push_back(method_of(name));
        options.kinematics = choice_of<inertia::Kinematics>("kinematics", kinematics);
        options.calibrate = calibrate;
        options.tool_S = tool;
        if (empty) options.empty = inertia::calibrate(*empty, options.samples, options.calibration);
        options.estimator.pmd.c1 = c1;
        if (lambda) options.estimator.pmd.use_printed(*lambda);
        options.estimator.geo.alpha = alpha;
        if (shape_error) options.estimator.likelihood.prior.set_shape_error(*shape_error);
        options.repeat = repeat;
        return inertia::identify(log, shape, options);
      },
      "log"_a, "shape"_a = nb::none(), nb::kw_only(), "methods"_a = std::vector<std::string>{"likelihood"},
      "gravity"_a = Vector3d(0, 0, -9.81), "wrench_frame"_a = "world", "kinematics"_a = "automatic",
      "calibrate"_a = false, "tool"_a = nb::none(), "empty"_a = nb::none(), "c1"_a = nb::none(),
      "lambda_"_a = nb::none(), "alpha"_a = inertia::GeometricOptions{}.alpha, "shape_error"_a = nb::none(),
      "repeat"_a = 1, Released(),
      R"(What does it weigh, and where is its mass?

>>> import numpy as np, os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     parts = os.path.join(folder, "parts.ply"); log = os.path.join(folder, "log.csv")
...     _ = open(parts, "w").write(prehend.embedded_file("logs/mallet_parts.ply"))
...     _ = open(log, "w").write(prehend.embedded_file("logs/mallet.csv"))
...     result = prehend.identify(prehend.model.read_wrench_log(log), prehend.inertia.read_parts([parts]))
>>> result.status, round(result.results[0].estimate.mass, 2)
('ok', 1.22)
)");
  m.def(
      "write_object_model",
      [](const Identification& result, const Path& folder,
         const std::optional<geometry::TriangleMesh>& surface, const std::optional<Path>& into,
         const std::string& body) {
        return inertia::write_object_model(result, folder.text,
                                           {surface, into ? into->text : std::string(), body});
      },
      "result"_a, "folder"_a, nb::kw_only(), "surface"_a = nb::none(), "into"_a = nb::none(), "body"_a = "",
      R"(Writes the identified object as object.xml and object.urdf, or fills in the inertia of a model (`into`).

Returns the paths; none where no result is a body.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     log = os.path.join(folder, "log.csv")
...     _ = open(log, "w").write(prehend.embedded_file("logs/mallet.csv"))
...     result = prehend.identify(prehend.model.read_wrench_log(log))
...     paths = prehend.inertia.write_object_model(result, folder)
>>> [os.path.basename(path) for path in paths]
['object.xml', 'object.urdf']
)");
}

void bind_identify(nb::module_& m) {
  auto body = nb::class_<IdentifiedBody>(m, "IdentifiedBody", "One method's answer.");
  body.def_ro("estimate", &IdentifiedBody::estimate)
      .def_ro("inertia_O", &IdentifiedBody::inertia_O, "in the object's frame, or None")
      .def_ro("smoothed", &IdentifiedBody::smoothed, "motion smoothed, not as recorded")
      .def_ro("time_ms", &IdentifiedBody::time_ms);
  def_result(body);
  auto result =
      nb::class_<Identification>(m, "Identification", "What an object weighs, by every method asked.");
  result
      .def_prop_ro(
          "status", [](const Identification& r) { return to_string(r.status); },
          "'ok', 'undetermined' or 'failed'")
      .def_ro("results", &Identification::results);
  def_texts(result, "problems", &Identification::problems, "Sentences, worst first.");
  result
      .def(
          "to_json", [](const Identification& r) { return text(r.to_json()); },
          "As the command line prints it with --json.")
      .def(
          "brief_report", [](const Identification& r) { return text(r.brief_report()); },
          "A readable table.");
  def_result(result);
  bind_identify_function(m);
}

void bind_streaming(nb::module_& m) {
  using inertia::StreamingEstimator;
  nb::class_<StreamingEstimator>(m, "StreamingEstimator", "Takes samples one by one, in constant memory.")
      .def(
          "add",
          [](StreamingEstimator& estimator, const math::Pose& X_WS, const Vector3d& w_W, const Vector3d& a_W,
             const Vector3d& al_W, const Vector3d& force_W, const Vector3d& torque_W,
             const Vector3d& gravity_W) {
            const Eigen::Matrix3d R_SW = X_WS.R().transpose();
            inertia::Sample sample;
            sample.motion = {R_SW * (a_W - gravity_W), R_SW * w_W, R_SW * al_W};
            sample.wrench << R_SW * torque_W, R_SW * force_W;
            sample.gravity = R_SW * gravity_W;
            estimator.add(sample);
          },
          "X_WS"_a, "w_W"_a, "a_W"_a, "al_W"_a, "force_W"_a, "torque_W"_a,
          "gravity_W"_a = Vector3d(0, 0, -9.81),
          "Motion and wrench of the sensor at one instant, in the world's axes.")
      .def("estimate", &StreamingEstimator::estimate, Released(), "What the samples so far determine.");
  m.def(
      "streaming_estimator",
      [](const std::string& method, const Shape* shape, const std::optional<math::Pose>& X_SO) {
        return inertia::make_streaming_estimator(method_of(method), {shape, X_SO, std::nullopt});
      },
      "method"_a = "ols", "shape"_a = nb::none(), "X_SO"_a = nb::none(), nb::keep_alive<0, 2>(),
      R"(An estimator for samples as they arrive. geo, pmd and hps need the shape and the object's pose `X_SO` in the sensor.

>>> import prehend
>>> estimator = prehend.inertia.streaming_estimator("ols")
>>> estimator.estimate().status
'failed'
)");
  m.def(
      "payload_wrench",
      [](const math::SpatialInertia& load_S, const math::Pose& X_WS, const Vector3d& gravity_W) {
        return inertia::payload_wrench(load_S, X_WS, gravity_W);
      },
      "load_S"_a, "X_WS"_a, "gravity_W"_a = Vector3d(0, 0, -9.81),
      R"([torque; force] that the sensor reads because of a load at rest; subtract it to see contact forces.

>>> import prehend
>>> load = prehend.SpatialInertia.point_mass(2.0, [0.1, 0, 0])
>>> [round(float(x), 3) for x in prehend.inertia.payload_wrench(load, prehend.Pose())]
[0.0, -1.962, 0.0, 0.0, 0.0, 19.62]
)");
}

void bind_motion_filter(nb::module_& m) {
  using inertia::FilteredMotion;
  using inertia::LinearAngular;
  using inertia::MotionFilter;
  using Pair = std::optional<std::pair<Vector3d, Vector3d>>;
  nb::class_<FilteredMotion>(m, "FilteredMotion", "What is known of the motion now, in the world's axes.")
      .def_ro("X_WS", &FilteredMotion::X_WS)
      .def_prop_ro(
          "v_W", [](const FilteredMotion& f) { return f.twist.linear; }, "[m/s]")
      .def_prop_ro(
          "w_W", [](const FilteredMotion& f) { return f.twist.angular; }, "[rad/s]")
      .def_prop_ro(
          "a_W", [](const FilteredMotion& f) { return f.acceleration.linear; }, "[m/s^2]")
      .def_prop_ro(
          "al_W", [](const FilteredMotion& f) { return f.acceleration.angular; }, "[rad/s^2]")
      .def_ro("std_a", &FilteredMotion::std_a, "[m/s^2]")
      .def_ro("std_w", &FilteredMotion::std_w, "[rad/s]")
      .def_ro("std_al", &FilteredMotion::std_al, "[rad/s^2]");
  nb::class_<MotionFilter>(m, "MotionFilter",
                           R"(Accelerations from poses while they come, for `streaming_estimator`.

>>> import prehend
>>> filter = prehend.inertia.MotionFilter(step=0.01, position=1e-4, rotation=1e-3, linear_jerk=10.0, angular_jerk=50.0)
>>> for k in range(40):
...     filter.add(0.01 * k, prehend.Pose([1, 0, 0, 0], [0.5 * (0.01 * k) ** 2, 0, 0]))
>>> filter.ready, abs(float(filter.motion().a_W[0]) - 1.0) < 0.1
(True, True)
)")
      .def(
          "__init__",
          [](MotionFilter* self, double step, double position, double rotation, double linear_jerk,
             double angular_jerk, std::optional<double> linear_velocity,
             std::optional<double> angular_velocity, std::optional<double> linear_acceleration,
             std::optional<double> angular_acceleration) {
            inertia::MotionNoise noise;
            noise.position = position;
            noise.rotation = rotation;
            noise.linear_jerk = linear_jerk;
            noise.angular_jerk = angular_jerk;
            noise.linear_velocity = linear_velocity;
            noise.angular_velocity = angular_velocity;
            noise.linear_acceleration = linear_acceleration;
            noise.angular_acceleration = angular_acceleration;
            new (self) MotionFilter(noise, step);
          },
          nb::kw_only(), "step"_a, "position"_a, "rotation"_a, "linear_jerk"_a, "angular_jerk"_a,
          "linear_velocity"_a = nb::none(), "angular_velocity"_a = nb::none(),
          "linear_acceleration"_a = nb::none(), "angular_acceleration"_a = nb::none(),
          "Usual time between rows [s]; noise of poses [m] [rad], jerks [m/s^2.5] [rad/s^2.5], and of the "
          "twists and accelerations that will be given.")
      .def(
          "add",
          [](MotionFilter& filter, double t, const math::Pose& X_WS, const Pair& twist,
             const Pair& acceleration) {
            const auto both = [](const Pair& pair) {
              return pair ? std::optional<LinearAngular>({pair->first, pair->second}) : std::nullopt;
            };
            filter.add(t, X_WS, both(twist), both(acceleration));
          },
          "t"_a, "X_WS"_a, "twist"_a = nb::none(), "acceleration"_a = nb::none(),
          "One row; `twist` and `acceleration` are pairs (linear, angular) in the world's axes.")
      .def_prop_ro("ready", &MotionFilter::ready, "pose, twist and acceleration are determined")
      .def("motion", &MotionFilter::motion, "Meaningful when ready.");
}

}  // namespace

void bind_identification(nb::module_& m) {
  bind_motion_filter(m);
  bind_shape(m);
  bind_estimate(m);
  bind_identify(m);
  bind_streaming(m);
  bind_excitation(m);
}

}  // namespace prehend::python
