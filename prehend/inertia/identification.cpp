#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <prehend/inertia/estimator.h>
#include <prehend/inertia/identification.h>
#include <prehend/inertia/methods/least_squares.h>
#include <prehend/inertia/payload.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/math/option_check.h>

namespace prehend::inertia {
namespace {

bool takes_smoothed(Method method, const model::WrenchLog& log, Kinematics kinematics) {
  if (!log.has_acceleration() || !log.has_twist()) return true;
  if (kinematics == Kinematics::automatic) return method == Method::likelihood;
  return kinematics == Kinematics::smoothed;
}

// The samples of the log, made once for each kind of kinematics.
class SampleSource {
 public:
  SampleSource(const model::WrenchLog& log, const IdentificationOptions& options,
               const std::optional<Calibration>& calibration)
      : log_(log), options_(options), calibration_(calibration) {}

  const Samples& get(bool smoothed) {
    std::optional<Samples>& samples = smoothed ? smoothed_ : recorded_;
    if (samples) return *samples;
    if (calibration_) {
      const math::SpatialInertia* gripper = options_.empty ? &options_.empty->body : nullptr;
      samples = calibrated_samples(log_, *calibration_, options_.samples, options_.smoother, gripper);
    } else if (smoothed) {
      samples = smooth_samples(log_, options_.samples, options_.smoother);
    } else {
      samples = prepare_samples(log_, options_.samples);
    }
    if (options_.tool_S) samples = without_tool(*samples, *options_.tool_S);
    return *samples;
  }

 private:
  const model::WrenchLog& log_;
  const IdentificationOptions& options_;
  const std::optional<Calibration>& calibration_;
  std::optional<Samples> recorded_, smoothed_;
};

std::vector<CurvePoint> curve_of(Method method, const Samples& samples, const Shape* shape,
                                 const IdentificationOptions& options) {
  std::vector<CurvePoint> curve;
  const auto estimator =
      make_streaming_estimator(method, {shape, samples.X_SO, samples.noise}, options.estimator);
  const std::size_t rows = samples.samples.size();
  const std::size_t step = std::max<std::size_t>(1, rows / static_cast<std::size_t>(options.curve_points));
  for (std::size_t k = 0; k < rows; ++k) {
    estimator->add(samples.samples[k]);
    if ((k + 1) % step != 0 && k + 1 != rows) continue;
    math::check_interrupt();
    const Estimate estimate = estimator->estimate();
    if (estimate.status != Status::ok) continue;
    curve.push_back({samples.samples[k].t - samples.samples.front().t, estimate.inertia_S.mass,
                     estimate.std_mass(), estimate.inertia_S.com, estimate.std_com()});
  }
  return curve;
}

IdentifiedBody identify_by(Method method, const Samples& samples, const Shape* shape,
                           const IdentificationOptions& options) {
  IdentifiedBody body;
  std::vector<double> times;
  for (int k = 0; k < options.repeat; ++k) {
    math::check_interrupt();
    const auto start = std::chrono::steady_clock::now();
    body.estimate = estimate(method, samples, shape, options.estimator);
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  body.time_ms = times[times.size() / 2];
  if (body.estimate.status != Status::failed && samples.X_SO)
    body.inertia_O = body.estimate.inertia_S.expressed_in(samples.X_SO->inverse());
  if (options.curve_points > 0 && body.estimate.status != Status::failed)
    body.curve = curve_of(method, samples, shape, options);
  return body;
}

// A body cannot be heavier than its box full of the densest metal: the bound holds for every shape, scan or drawing.
std::optional<std::string> too_heavy(const Estimate& estimate, const Shape* shape) {
  if (shape == nullptr || shape->box.isEmpty() || estimate.status == Status::failed) return std::nullopt;
  const double most = DiagnosisOptions{}.greatest_density * shape->box.volume();
  if (!(estimate.inertia_S.mass - 3.0 * estimate.std_mass() > most)) return std::nullopt;
  return "a mass of " + math::number_text(estimate.inertia_S.mass, 3) +
         " kg does not fit into the shape: its box full of the densest metal has " +
         math::number_text(most, 3) +
         " kg; forces and torques are not in N and N m, or the shape is in other units";
}

// Masses at points or parts of another object fit badly, and nothing in them says so; ten free parameters do. Right shapes,
// scanned ones too (the twenty published tools), leave some thousandths of the force, and of the torque some hundredths of that
// force at an arm of the object's size.
constexpr double kForceMisfit = 0.05, kTorqueMisfit = 0.1, kTimesTheFreeFit = 3.0;

std::optional<std::string> wrong_shape(const Estimate& estimate, const Samples& samples, const Shape* shape) {
  const bool rests_on_shape =
      estimate.method == Method::geo || estimate.method == Method::pmd || estimate.method == Method::hps;
  if (!rests_on_shape || shape == nullptr || estimate.status == Status::failed) return std::nullopt;
  NormalEquations sums;
  sums.add(samples.samples);
  double squares = 0.0;
  for (const Sample& sample : samples.samples) squares += sample.wrench.tail<3>().squaredNorm();
  const double force = std::sqrt(squares / (3.0 * static_cast<double>(samples.samples.size())));
  const Estimate free = least_squares(sums);
  if (free.status == Status::failed) return std::nullopt;
  const auto misfit = [](double residual, double of_free, double size, double share) {
    return residual > share * size && residual > kTimesTheFreeFit * of_free;
  };
  if (!misfit(estimate.residual_force, free.residual_force, force, kForceMisfit) &&
      !misfit(estimate.residual_torque, free.residual_torque, force * shape->box.diagonal().norm(),
              kTorqueMisfit))
    return std::nullopt;
  return "the wrenches do not fit the given shape (residuals of " +
         math::number_text(estimate.residual_force, 2) + " N and " +
         math::number_text(estimate.residual_torque, 2) + " N m, " +
         math::number_text(free.residual_force, 2) + " and " + math::number_text(free.residual_torque, 2) +
         " without it): is it this object, in metres, and posed as the log says?";
}

void add_new(const std::vector<std::string>& from, std::vector<std::string>& to) {
  for (const std::string& sentence : from)
    if (std::find(to.begin(), to.end(), sentence) == to.end()) to.push_back(sentence);
}

bool has_prior(Method method, const Shape* shape) {
  return method == Method::geo || method == Method::pmd || (method == Method::likelihood && shape != nullptr);
}

// What the motion does not determine, however full of noise the recorded accelerations are: methods without a prior have no
// answer then, those with one say what comes from it, and masses of parts come from still samples alone.
void apply_excitation(const Finding& untold, const Shape* shape, Estimate& estimate) {
  if (estimate.method == Method::hps || estimate.status == Status::failed) return;
  const auto names = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  std::vector<std::string> all;
  for (int i = 0; i < 10; ++i) {
    const std::string name = parameter_name(i);
    if (names(untold.parameters, name) || names(estimate.undetermined, name)) all.push_back(name);
  }
  estimate.undetermined = all;
  if (has_prior(estimate.method, shape) && !names(all, "mass")) {
    // Said once, with names, in place of the method's own words.
    std::erase_if(estimate.notes, [](const std::string& note) {
      return note.find("come from the prior") != std::string::npos ||
             note.find("come from the shape alone") != std::string::npos;
    });
    estimate.notes.push_back(untold.sentence + "; those come from the shape");
    return;
  }
  estimate.status = Status::undetermined;
  estimate.problems.push_back(untold.sentence);
}

}  // namespace

const char* to_string(Kinematics kinematics) { return enum_text(kinematics); }

void IdentificationOptions::validate() const {
  const math::OptionCheck check("IdentificationOptions");
  check.holds(!methods.empty(), "methods", "empty", "a list of at least one method");
  check.at_least("repeat", repeat, 1);
  check.at_least("curve_points", curve_points, 0);
  check.holds(!(calibrate && empty), "calibrate", "true beside a calibration of the empty gripper",
              "false then: offsets come from the log itself or from the empty gripper's, not from both");
  smoother.validate();
  calibration.validate();
  estimator.validate();
}

std::optional<math::SpatialInertia> Identification::usable_body() const {
  for (const IdentifiedBody& body : results)
    if (body.estimate.status == Status::ok && body.estimate.consistency.is_consistent())
      return body.inertia_O ? *body.inertia_O : body.estimate.inertia_S;
  return std::nullopt;
}

std::string Identification::why_no_answer() const {
  std::string text;
  for (const std::string& problem : problems) text += (text.empty() ? "" : "; ") + problem;
  return text.empty() ? "the recording does not determine all parameters" : text;
}

Identification identify(const model::WrenchLog& log, const Shape* shape,
                        const IdentificationOptions& options) {
  options.validate();
  if (options.kinematics == Kinematics::recorded && !(log.has_acceleration() && log.has_twist()))
    throw std::invalid_argument(
        "recorded kinematics are asked for, but the log has no velocities and accelerations");
  Identification result;
  result.findings = diagnose(log, options.samples);
  const bool blocked =
      std::any_of(result.findings.begin(), result.findings.end(),
                  [](const Finding& finding) { return finding.severity == Severity::blocks; });
  // A still log is a right log for methods that need no motion: excitation is judged by method.
  std::vector<Finding> about_log;
  const Finding* untold = nullptr;
  for (const Finding& finding : result.findings)
    finding.kind == FindingKind::no_excitation ? static_cast<void>(untold = &finding)
                                               : about_log.push_back(finding);
  add_new(sentences(about_log), result.problems);
  if (options.calibrate) {
    result.calibration = calibrate(log, options.samples, options.calibration, options.smoother);
    for (const std::string& sentence : result.calibration->undetermined) result.problems.push_back(sentence);
  } else if (options.empty) {
    result.calibration = options.empty;
  }
  SampleSource source(log, options, result.calibration);
  result.status = Status::ok;
  for (const Method method : options.methods) {
    const bool smoothed = result.calibration || takes_smoothed(method, log, options.kinematics);
    const Samples& samples = source.get(smoothed);
    if (result.results.empty()) result.samples = samples;
    IdentifiedBody body = identify_by(method, samples, shape, options);
    body.smoothed = smoothed;
    const std::optional<std::string> heavy = too_heavy(body.estimate, shape),
                                     misfit = wrong_shape(body.estimate, samples, shape);
    if (heavy) body.estimate.problems.push_back(*heavy);
    if (misfit) body.estimate.problems.push_back(*misfit);
    if ((blocked || heavy || misfit) && body.estimate.status == Status::ok)
      body.estimate.status = Status::undetermined;
    // What estimators complain of in a log that is read wrongly is a consequence.
    std::vector<std::string> problems = sentences(about_log);
    if (!blocked) add_new(body.estimate.problems, problems);
    body.estimate.problems = problems;
    if (untold != nullptr) apply_excitation(*untold, shape, body.estimate);
    add_new(body.estimate.problems, result.problems);
    result.status = std::min(result.status, body.estimate.status);
    result.results.push_back(std::move(body));
  }
  return result;
}

}  // namespace prehend::inertia
