#include <memory>
#include <optional>

#include "choice.h"
#include "output_folder.h"
#include "verb.h"
#include <prehend/inertia/object_model.h>
#include <prehend/inertia/pages.h>

namespace prehend::cli {
namespace {

struct IdentifyState {
  std::string log, object, empty, into, body, unit{"m"}, wrench_frame{"world"}, kinematics{"automatic"};
  std::vector<std::string> parts, methods, gravity, tool;
  double c1{0.0}, lambda{0.0}, shape_error{0.0};  // zero: the method's own
  double alpha{inertia::GeometricOptions{}.alpha};
  int repeat{1};
  bool calibrate{false};
};

inertia::IdentificationOptions options_of(const IdentifyState& state) {
  inertia::IdentificationOptions options;
  if (!state.gravity.empty()) options.samples.gravity_W = vector_of("--gravity", state.gravity);
  options.samples.wrench_frame = choice_of<inertia::WrenchFrame>("--wrench-frame", state.wrench_frame);
  options.kinematics = choice_of<inertia::Kinematics>("--kinematics", state.kinematics);
  if (!state.methods.empty()) options.methods.clear();
  for (const std::string& name : state.methods)
    options.methods.push_back(choice_of<inertia::Method>("--method", name));
  if (state.c1 != 0.0) options.estimator.pmd.c1 = state.c1;
  if (state.lambda != 0.0) options.estimator.pmd.use_printed(state.lambda);
  options.estimator.geo.alpha = state.alpha;
  if (state.shape_error != 0.0) options.estimator.likelihood.prior.set_shape_error(state.shape_error);
  options.repeat = state.repeat;
  options.calibrate = state.calibrate;
  if (!state.tool.empty())
    options.tool_S = math::SpatialInertia::point_mass(number_of("--tool", state.tool[0]),
                                                      vector_of("--tool", state.tool, 1));
  return options;
}

void write_files(const IdentifyState& state, const Shared& shared, const model::WrenchLog& log,
                 const std::optional<inertia::Shape>& shape, inertia::Identification& result) {
  const auto surface = inertia::read_surface(state.object, {.unit = metres_of("--unit", state.unit)});
  inertia::IdentificationView view;
  view.subtitle = state.log + (state.object.empty() ? "" : ", " + state.object);
  view.shape = shape ? &*shape : nullptr;
  view.mesh_O = surface ? &*surface : nullptr;
  if (!result.usable_body())
    result.problems.push_back(
        "no model (object.urdf, object.xml) was written: no result is both determined and a body that can "
        "exist");
  write_page(inertia::identification_page(log, result, view), shared.out, state.log);
  inertia::write_object_model(result, shared.out,
                              {.surface_O = surface, .into = state.into, .body = state.body});
}

Answer answer(const IdentifyState& state, const Shared& shared) {
  if (state.log.empty()) throw UsageError("name the recording: prehend identify LOG.csv");
  if (!state.into.empty() && shared.out.empty())
    throw UsageError("--into needs --out: the model with its inertia is written to that folder");
  inertia::IdentificationOptions options = options_of(state);
  if (!shared.out.empty()) options.curve_points = 80;
  const model::WrenchLog log = model::read_wrench_log(state.log);
  const auto shape =
      inertia::read_object_shape(state.object, state.parts, {.unit = metres_of("--unit", state.unit)});
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
  return answer_of(result, time_ms, result.why_no_answer());
}

void declare(Arguments& arguments, IdentifyState& state) {
  arguments.option("LOG,--log", state.log, "Wrench log (CSV, gzip allowed); with or without --log");
  arguments.option("--object", state.object, "The object's shape: a mesh or a cloud, in its own frame");
  arguments.option("--parts", state.parts,
                   "Its homogeneous parts: a labelled cloud, or one closed mesh per part");
  arguments.option("--unit", state.unit, "Unit of those files: m, cm, mm, in, or metres as a number");
  arguments.words("--gravity", "gx gy gz", state.gravity, "In the log's world [m/s2]; 0 0 -9.81 without");
  arguments.option("--wrench-frame", state.wrench_frame, "Axes of the wrench: world or sensor");
  arguments.option("--method", state.methods,
                   "ols, rtls, geo, pmd, hps, likelihood (ours, alone without this option)");
  arguments.option("--kinematics", state.kinematics,
                   "recorded or smoothed accelerations; automatic: smoothed for likelihood and poses alone");
  arguments.flag("--calibrate", state.calibrate,
                 "Estimate sensor bias, gravity's direction and latency first");
  arguments.option("--empty", state.empty,
                   "Log of the empty gripper: its offsets are corrected and its weight is subtracted");
  arguments.words("--tool", "kg x y z", state.tool,
                  "Mass and place, in the sensor's frame, of a tool below the sensor to subtract");
  arguments.option("--c1", state.c1, "pmd: dynamism at which the full model rules; from the data without");
  arguments.option("--lambda", state.lambda,
                   "pmd: the regularisation of Nadeau 2026 (0.1) and its objective, squared");
  arguments.option("--alpha", state.alpha, "geo: weight of the prior");
  arguments.option(
      "--shape-error", state.shape_error,
      "likelihood: how far the shape is off, of each side of its box; found from the log without");
  arguments.option("--repeat", state.repeat, "Solves per method; the time is their median");
  arguments.option("--into", state.into, "URDF or MJCF of the object to write the inertia into (with --out)");
  arguments.option("--body", state.body, "Link or body of that file that gets it");
}

}  // namespace

Verb identify_verb() {
  const auto state = std::make_shared<IdentifyState>();
  return {"identify", "What does it weigh, and where is its mass?",
          "prehend identify --log data/logs/mallet.csv --parts data/logs/mallet_parts.ply",
          [state](Arguments& arguments) { declare(arguments, *state); },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
