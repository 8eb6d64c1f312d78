#include <algorithm>
#include <memory>
#include <optional>

#include "output_folder.h"
#include "verb.h"
#include <prehend/inertia/pages/identification_page.h>
#include <prehend/model/files.h>
#include <prehend/model/inertial_element.h>
#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/scene_writer.h>
#include <prehend/report/write_report.h>

namespace prehend::cli {
namespace {

using inertia::Method;

struct State {
  std::string log, object, empty, into, body, wrench_frame{"world"}, kinematics{"automatic"};
  std::vector<std::string> parts, methods, gravity, tool;
  double unit{1.0}, shape_error{0.0};                                         // zero: the method's own
  double c1{0.0}, lambda{0.0}, alpha{inertia::EstimatorOptions{}.geo.alpha};  // zero: the method's own
  int repeat{1};
  bool calibrate{false};
};

inertia::IdentificationOptions options_of(const State& state) {
  inertia::IdentificationOptions options;
  if (!state.gravity.empty()) options.samples.gravity_W = vector_of("--gravity", state.gravity);
  if (state.wrench_frame == "sensor") {
    options.samples.wrench_frame = inertia::WrenchFrame::sensor;
  } else if (state.wrench_frame != "world") {
    throw UsageError("--wrench-frame is 'world' or 'sensor', not '" + state.wrench_frame + "'");
  }
  const auto kinematics = inertia::kinematics_from_name(state.kinematics);
  if (!kinematics)
    throw UsageError("--kinematics is 'automatic', 'recorded' or 'smoothed', not '" + state.kinematics + "'");
  options.kinematics = *kinematics;
  if (!state.methods.empty()) options.methods.clear();
  for (const std::string& name : state.methods) {
    const auto method = inertia::method_from_name(name);
    if (!method)
      throw UsageError("--method knows ols, rtls, geo, pmd, hps and likelihood, not '" + name + "'");
    options.methods.push_back(*method);
  }
  if (state.c1 != 0.0) options.estimator.pmd.c1 = state.c1;
  if (state.lambda != 0.0) {
    options.estimator.pmd.form = inertia::PointMassForm::printed_squared;
    options.estimator.pmd.lambda = state.lambda;
  }
  options.estimator.geo.alpha = state.alpha;
  if (state.shape_error != 0.0) options.estimator.likelihood.prior.surface_errors = {state.shape_error};
  options.repeat = state.repeat;
  options.calibrate = state.calibrate;
  if (!state.tool.empty()) {
    double mass = 0.0;
    try {
      mass = std::stod(state.tool[0]);
    } catch (const std::exception&) {
      throw UsageError("--tool: '" + state.tool[0] + "' is no mass");
    }
    options.tool_S = math::SpatialInertia::point_mass(mass, vector_of("--tool", state.tool, 1));
  }
  return options;
}

std::optional<inertia::Shape> shape_of(const State& state) {
  const inertia::ShapeOptions options{.unit = state.unit};
  if (!state.parts.empty()) return inertia::read_parts(state.parts, options);
  if (!state.object.empty()) return inertia::read_shape(state.object, options);
  return std::nullopt;
}

// The object's surface for the page and its model, where the file has one.
std::optional<geometry::TriangleMesh> surface_of(const State& state) {
  if (state.object.empty()) return std::nullopt;
  try {
    model::MeshFileOptions options;
    options.unit = state.unit;
    return model::read_mesh(state.object, options);
  } catch (const model::InputError&) {
    return std::nullopt;  // a cloud
  }
}

// The object as a model of its own: one body with its surface and the inertia found.
model::Scene model_of(const math::SpatialInertia& inertia_O,
                      const std::optional<geometry::TriangleMesh>& surface) {
  model::Scene scene;
  scene.name = "object";
  model::Body body;
  body.name = "object";
  body.movable = true;
  body.inertia = inertia_O;
  if (surface) {
    model::Geom geom;
    geom.name = "surface";
    geom.mesh = *surface;
    body.geoms.push_back(std::move(geom));
  }
  scene.bodies.push_back(std::move(body));
  model::Joint joint;
  joint.name = "free";
  joint.type = model::JointType::free;
  joint.parent = scene.world();
  joint.child = model::BodyIndex(1);
  scene.joints.push_back(std::move(joint));
  return scene;
}

// The first answer that a body can have, in the object's frame, or the sensor's where the log does not tell the object's.
const inertia::IdentifiedBody* writable(const inertia::Identification& result) {
  for (const inertia::IdentifiedBody& body : result.results)
    if (body.estimate.status == inertia::Status::ok && body.estimate.consistency.is_consistent())
      return &body;
  return nullptr;
}

void write_files(const State& state, const Shared& shared, const model::WrenchLog& log,
                 const std::optional<inertia::Shape>& shape, const inertia::Identification& result) {
  prepare_output_folder(shared.out);
  const std::optional<geometry::TriangleMesh> surface = surface_of(state);
  inertia::IdentificationView view;
  view.subtitle = state.log + (state.object.empty() ? "" : ", " + state.object);
  view.shape = shape ? &*shape : nullptr;
  view.mesh_O = surface ? &*surface : nullptr;
  report::Page page = inertia::identification_page(log, result, view);
  page.set_footer("Made by prehend " PREHEND_VERSION ".");
  report::write_report(page, shared.out + "/report.html");
  const inertia::IdentifiedBody* body = writable(result);
  if (body == nullptr) return;
  const math::SpatialInertia& found = body->inertia_O ? *body->inertia_O : body->estimate.inertia_S;
  if (state.into.empty()) {
    const model::Scene scene = model_of(found, surface);
    model::write_mjcf(scene, shared.out + "/object.xml");
    model::write_urdf(scene, shared.out + "/object.urdf");
  } else {
    const std::string name = state.into.substr(state.into.find_last_of('/') + 1);
    model::write_file(shared.out + "/" + name, model::with_inertial(state.into, state.body, found));
  }
}

Answer answer(const State& state, const Shared& shared) {
  if (state.log.empty()) throw UsageError("--log names the recording: prehend identify --log LOG.csv");
  if (!state.into.empty() && shared.out.empty())
    throw UsageError("--into needs --out: the model with its inertia is written to that folder");
  inertia::IdentificationOptions options = options_of(state);
  if (!shared.out.empty()) options.curve_points = 80;
  const model::WrenchLog log = model::read_wrench_log(state.log);
  const std::optional<inertia::Shape> shape = shape_of(state);
  if (!state.empty.empty())
    options.empty =
        inertia::calibrate(model::read_wrench_log(state.empty), options.samples, options.calibration);
  const Stopwatch stopwatch;
  inertia::Identification result;
  try {
    result = inertia::identify(log, shape ? &*shape : nullptr, options);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty()) write_files(state, shared, log, shape, result);
  const bool is_answer = result.status == inertia::Status::ok;
  Answer answer{is_answer ? ExitCode::answer : ExitCode::no_answer, to_string(result.status), time_ms,
                result.to_json(), result.brief_report()};
  if (!is_answer) {
    for (const std::string& problem : result.problems)
      answer.error += (answer.error.empty() ? "" : "; ") + problem;
    if (answer.error.empty()) answer.error = "the recording does not tell all parameters";
  }
  return answer;
}

}  // namespace

Verb identify_verb() {
  const auto state = std::make_shared<State>();
  return {
      "identify", "What does it weigh, and where is its mass?",
      "prehend identify --log data/logs/mallet.csv --parts data/logs/mallet_parts.ply",
      [state](Arguments& arguments) {
        arguments.option("--log", state->log, "Wrench log (CSV, gzip allowed)");
        arguments.option("--object", state->object,
                         "The object's shape: a mesh or a cloud, in its own frame");
        arguments.option("--parts", state->parts,
                         "Its homogeneous parts: a labelled cloud, or one closed mesh per part");
        arguments.option("--unit", state->unit, "Metres per unit of those files (0.001 for millimetres)");
        arguments.words("--gravity", "gx gy gz", state->gravity,
                        "In the log's world [m/s2]; 0 0 -9.81 without");
        arguments.option("--wrench-frame", state->wrench_frame, "Axes of the wrench: world or sensor");
        arguments.option("--method", state->methods,
                         "ols, rtls, geo, pmd, hps, likelihood (ours, alone without this option)");
        arguments.option(
            "--kinematics", state->kinematics,
            "recorded or smoothed accelerations; automatic: smoothed for likelihood and poses alone");
        arguments.flag("--calibrate", state->calibrate,
                       "Estimate sensor bias, gravity's direction and latency first");
        arguments.option("--empty", state->empty,
                         "Log of the empty gripper: its offsets are corrected and its weight is subtracted");
        arguments.words("--tool", "kg x y z", state->tool,
                        "Mass and place, in the sensor's frame, of a tool below the sensor to subtract");
        arguments.option("--c1", state->c1,
                         "pmd: dynamism at which the full model rules; from the data without");
        arguments.option("--lambda", state->lambda,
                         "pmd: the regularisation of Nadeau 2026 (0.1) and its objective, squared");
        arguments.option("--alpha", state->alpha, "geo: weight of the prior");
        arguments.option(
            "--shape-error", state->shape_error,
            "likelihood: how far the shape may be off, of each side of its box (0.01; scans 0.1 and more)");
        arguments.option("--repeat", state->repeat, "Solves per method; the time is their median");
        arguments.option("--into", state->into,
                         "URDF or MJCF of the object to write the inertia into (with --out)");
        arguments.option("--body", state->body, "Link or body of that file that gets it");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
