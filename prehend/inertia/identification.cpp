#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>

#include <prehend/inertia/diagnosis/answer_checks.h>
#include <prehend/inertia/diagnosis/diagnosis_checks.h>
#include <prehend/inertia/diagnosis/lasting_cause.h>
#include <prehend/inertia/diagnosis/lasting_residual.h>
#include <prehend/inertia/diagnosis/late_sensor.h>
#include <prehend/inertia/diagnosis/slow_noise.h>
#include <prehend/inertia/diagnosis/usable_rows.h>
#include <prehend/inertia/diagnosis/weight_check.h>
#include <prehend/inertia/estimator.h>
#include <prehend/inertia/identification.h>
#include <prehend/inertia/methods/fit_report.h>
#include <prehend/inertia/methods/least_squares.h>
#include <prehend/inertia/payload.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

bool takes_smoothed(Method method, const model::WrenchLog& log, Kinematics kinematics) {
  if (!log.has_acceleration() || !log.has_twist()) return true;
  if (kinematics == Kinematics::automatic) return method == Method::likelihood;
  return kinematics == Kinematics::smoothed;
}

// Of the wrench. What lasts draws the mass by up to as much, since seconds of recording hold few independent pieces of it. Right logs of identification_judge.py
// (seed 2, 8 of each kind) leave up to 0.036, those in which something else acts 0.048 and more. A drift that is left once the offset is taken out does
// less: a log with a share of 0.18 was 3 % off.
constexpr double kLastingShare = 0.04, kCalibratedShare = 0.1;
// A force of the surroundings that leaves so little may still carry a part of the weight: a hose of 0.5 N/m that is stretched by 0.7 m, ten times what its changes leave.
constexpr double kAskedShare = 0.003;
// By which a spring must stand out: where more lasts than right logs leave one is expected; below, errors of the motion resemble it.
constexpr double kDeviationsOfLarge = 3.0, kDeviationsOfSmall = 4.5;
// From this share on noise that lasts is a part of the deviations.
constexpr double kSlowNoise = 0.01;
// Beyond, what lasts is more than a sensor's noise: something that carries half of the weight for a quarter of the time leaves 0.2, a hose or noise of 1/f that put masses 9 % off 0.1 and more.
constexpr double kMostNoise = 0.1;
// Of the mass, and [m]: three deviations are a tenth of the mass and 30 mm.
constexpr double kMassKnown = 0.033, kCentreKnown = 0.01;

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
      return *(samples = calibrated(*calibration_));
    } else if (smoothed) {
      samples = smooth_samples(log_, options_.samples, options_.smoother);
    } else {
      samples = prepare_samples(log_, options_.samples);
    }
    if (options_.tool_S) samples = without_tool(*samples, *options_.tool_S);
    return *samples;
  }

  // What lasts beside the body, or, where the sensor's own errors (offset, latency, tilt) may be the reason, beside the best body with those.
  LastingResidual lasting(const Estimate& estimate, const Samples& samples) {
    const LastingResidual as_found =
        lasting_residual(estimate.inertia_S.parameters(), math::Vector6d::Zero(), samples.samples);
    if (calibration_) return as_found;
    if (!late_)
      late_ = late_sensor(log_, as_found,
                          {options_.samples, options_.calibration, options_.smoother, options_.tool_S,
                           estimate.inertia_S.parameters(), samples.samples});
    if (*late_) return (*late_)->left;
    if (as_found.share <= kLastingShare) return as_found;
    if (!corrected_) {
      corrected_ = LastingResidual{};
      try {
        const Calibration found = calibrate(log_, options_.samples, options_.calibration, options_.smoother);
        if (found.status != CalibrationStatus::failed) {
          const Samples corrected = calibrated_samples(log_, found, options_.samples, options_.smoother);
          corrected_ = lasting_residual(found.body.parameters(), math::Vector6d::Zero(), corrected.samples);
        }
      } catch (const std::invalid_argument&) {
        corrected_ = as_found;
      }
    }
    return corrected_->share < as_found.share ? *corrected_ : as_found;
  }

  // A delay of the wrenches that explains most of what lasts; after lasting().
  const LateSensor* late() const { return late_ && *late_ ? &**late_ : nullptr; }

  // What errors of the calibration add to the covariance of an estimate: the answers from calibrations that are displaced along
  // independent directions of its error.
  math::Matrix10d calibration_share(Method method, const Shape* shape, const Estimate& at) {
    CalibrationMatrix covariance = calibration_->covariance;
    // Without a gripper to subtract its body does not matter.
    if (!options_.empty) covariance.topRows<10>().setZero();
    if (!options_.empty) covariance.leftCols<10>().setZero();
    const CalibrationVector size = calibration_sizes(at);
    const CalibrationMatrix scaled =
        size.cwiseInverse().asDiagonal() * covariance * size.cwiseInverse().asDiagonal();
    const Eigen::LDLT<CalibrationMatrix> ldlt(scaled);
    const CalibrationMatrix lower = ldlt.matrixL();
    const math::Vector10d here = at.inertia_S.parameters();
    math::Matrix10d share = math::Matrix10d::Zero();
    for (int k = 0; k < CalibrationVector::RowsAtCompileTime; ++k) {
      const double variance = ldlt.vectorD()(k);
      if (!(variance > 0.0)) continue;
      math::check_interrupt();
      CalibrationVector along = ldlt.transpositionsP().transpose() * CalibrationVector(lower.col(k));
      along *= std::sqrt(variance);
      // Vast errors are followed a small way: answers are linear there.
      const double step = 1.0 / std::max(1.0, along.cwiseAbs().maxCoeff());
      const Samples samples = calibrated(changed(*calibration_, step * size.cwiseProduct(along)));
      const Estimate there = estimate(method, samples, shape, options_.estimator);
      if (there.status == Status::failed) continue;
      const math::Vector10d change = (there.inertia_S.parameters() - here) / step;
      share += change * change.transpose();
    }
    return share;
  }

 private:
  // Changes that are small for a body: a hundredth of its weight (at 0.1 m), a hundredth of a radian, two milliseconds, the filter of 16 Hz.
  CalibrationVector calibration_sizes(const Estimate& at) const {
    const double mass = std::max(std::abs(at.inertia_S.mass), 1e-6), weight = 9.81 * mass;
    CalibrationVector size;
    size << 0.01 * mass, Eigen::Vector3d::Constant(1e-3 * mass),
        Eigen::Matrix<double, 6, 1>::Constant(1e-4 * mass), Eigen::Vector3d::Constant(1e-3 * weight),
        Eigen::Vector3d::Constant(0.01 * weight), 0.01, 0.01, 2e-3, 1e-4;
    return size;
  }

  Samples calibrated(const Calibration& calibration) {
    if (!motion_) motion_ = smooth_motion(log_, options_.smoother);
    const math::SpatialInertia* gripper = options_.empty ? &calibration.body : nullptr;
    const Samples samples = calibrated_samples(log_, *motion_, calibration, options_.samples, gripper);
    return options_.tool_S ? without_tool(samples, *options_.tool_S) : samples;
  }

  const model::WrenchLog& log_;
  const IdentificationOptions& options_;
  const std::optional<Calibration>& calibration_;
  std::optional<Samples> recorded_, smoothed_;
  std::optional<SmoothedMotion> motion_;
  std::optional<LastingResidual> corrected_;
  std::optional<std::optional<LateSensor>> late_;  // sought or not
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

void add_new(const std::vector<std::string>& from, std::vector<std::string>& to) {
  for (const std::string& sentence : from)
    if (std::find(to.begin(), to.end(), sentence) == to.end()) to.push_back(sentence);
}

// The mass comes from forces, the rest mostly from torques.
void count_persistence(const Samples& samples, bool calibrated, const std::optional<LastingNoise>& slow,
                       Estimate& estimate) {
  PersistenceOptions options;
  options.long_memory = !slow;
  // Offsets, and for forces also two tilts and the latency.
  if (calibrated) {
    options.force_unknowns += 6.0;
    options.torque_unknowns += 3.0;
  }
  const Persistence persistence = persistence_of(estimate.inertia_S, samples.samples, options);
  math::Vector10d factor = math::Vector10d::Constant(std::sqrt(persistence.torque));
  factor[0] = std::sqrt(persistence.force);
  const math::Matrix10d repeated = factor.asDiagonal() * estimate.covariance * factor.asDiagonal();
  if (!slow) {
    estimate.covariance = repeated;
    return;
  }
  const math::Matrix10d wide = widened(estimate.covariance, samples.samples, *slow);
  const math::Vector10d further =
      (repeated.diagonal().array() / wide.diagonal().array().max(1e-300)).max(1.0).sqrt().matrix();
  estimate.covariance = further.asDiagonal() * wide * further.asDiagonal();
}

bool uses_shape(Method method) { return method != Method::ols && method != Method::rtls; }

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

// What speaks against an answer goes to its problems; false where it cannot stand.
// `for_offset`: samples in which a sensor's offset is looked for, null where it is known.
bool judge_answer(const Samples& samples, const Shape* shape, const Samples* for_offset,
                  const std::optional<LastingNoise>& slow, Estimate& estimate) {
  bool stands = true;
  const auto object = [&](const std::optional<std::string>& sentence, bool spoils) {
    if (!sentence) return;
    estimate.problems.push_back(*sentence);
    stands = stands && !spoils;
  };
  const bool rests_on_shape =
      estimate.method == Method::geo || estimate.method == Method::pmd || estimate.method == Method::hps;
  // likelihood sets such a shape aside by itself.
  if (rests_on_shape) object(oversized_shape(estimate, shape), true);
  object(too_heavy(estimate, shape), true);
  if (for_offset != nullptr && estimate.status != Status::failed)
    if (const std::optional<SensorOffset> offset =
            sensor_offset(for_offset->samples, slow ? &*slow : nullptr)) {
      if (offset->matters) {
        object(offset->sentence, true);
      } else {
        // What it changes is part of the deviations.
        estimate.notes.push_back(offset->sentence);
        estimate.covariance += offset->change * offset->change.transpose();
      }
    }
  // With an offset no body fits: one cause, one sentence.
  if (stands) object(poor_fit(estimate, samples, shape), true);
  object(impossible_body(estimate), false);
  return stands;
}

// A late sensor is named; what its delay changes is part of the deviations, or the reason why the answer does not stand.
bool allow_for_delay(const LateSensor& late, Estimate& estimate) {
  if (late.matters()) {
    estimate.problems.push_back(late.sentence());
    return false;
  }
  const math::Vector10d change = late.corrected - late.as_it_is;
  estimate.covariance += change * change.transpose();
  estimate.notes.push_back(late.sentence());
  return true;
}

std::string lasting_sentence(const LastingResidual& lasting) {
  return math::number_text(lasting.force, 2) + " N and " + math::number_text(lasting.torque, 2) +
         " N m of the wrench last and are no rigid body's, nor a sensor's offset or delay (most at about t "
         "= " +
         math::number_text(lasting.at, 3) +
         " s): the object touched something, is not held firmly, or the poses do not belong to these "
         "wrenches";
}

// What lasts and is neither a force of the surroundings nor large beside the wrench is taken for the sensor's own noise, of which deviations tell.
bool allow_for_slow_noise(const model::WrenchLog& log, const Samples& samples, const LastingResidual& lasting,
                          const std::optional<LastingNoise>& slow, Estimate& estimate) {
  if (slow)
    if (const std::optional<std::string> cause = lasting_cause(log, samples.samples, slow->force)) {
      estimate.problems.push_back(*cause + " (" + math::number_text(lasting.force, 2) +
                                  " N of the wrench last and are no rigid body's)");
      return false;
    }
  if (slow)
    if (const auto spring =
            hidden_spring(log, samples.samples, slow->force, estimate.inertia_S.mass, kDeviationsOfLarge)) {
      estimate.problems.push_back(*spring);
      return false;
    }
  if (!slow || lasting.share > kMostNoise) {
    estimate.problems.push_back(lasting_sentence(lasting));
    return false;
  }
  const std::string sentence =
      math::number_text(lasting.force, 2) + " N and " + math::number_text(lasting.torque, 2) +
      " N m of the wrench last a tenth of a second and more, as noise of a sensor does";
  if (estimate.std_mass() > kMassKnown * estimate.inertia_S.mass ||
      (estimate.undetermined.empty() && estimate.std_com().maxCoeff() > kCentreKnown)) {
    estimate.problems.push_back(sentence + ": mass and centre are known to " +
                                math::number_text(100.0 * estimate.std_mass() / estimate.inertia_S.mass, 2) +
                                " % and " + math::number_text(1e3 * estimate.std_com().maxCoeff(), 2) +
                                " mm only; a longer log tells more");
    return false;
  }
  estimate.notes.push_back(sentence + "; standard deviations allow for it");
  return true;
}

// A weight that something else carries in part is named; where weight and accelerations tell different masses, the difference is part of the
// deviations: a sensor's filter that the calibration's model does not hold damps what accelerations say.
bool allow_for_weight(const model::WrenchLog& log, const Samples& samples, const Eigen::Vector3d& gravity_W,
                      Estimate& estimate) {
  constexpr double kDiffers = 3.0;  // deviations
  const auto by_weight = carried_weight(log, samples.samples, gravity_W);
  if (!by_weight) return true;
  if (!by_weight->sentence.empty()) {
    estimate.problems.push_back(by_weight->sentence);
    return false;
  }
  const double change = by_weight->mass - estimate.inertia_S.mass;
  if (std::abs(change) > kDiffers * by_weight->std_mass) {
    math::Vector10d along = math::Vector10d::Zero();
    along << 1.0, estimate.inertia_S.com, Eigen::Matrix<double, 6, 1>::Zero();
    estimate.covariance += change * change * along * along.transpose();
  }
  return true;
}

// What the body leaves of the wrench.
struct Rest {
  const LastingResidual& lasting;
  const std::optional<LastingNoise>& slow;
  const LateSensor* late;
  bool calibrated, smoothed;
  Eigen::Vector3d gravity_W;
};

// False where something else acts on the object.
bool stands_beside_the_rest(const model::WrenchLog& log, const Samples& samples, const Rest& rest,
                            Estimate& estimate) {
  const auto object = [&](const std::optional<std::string>& sentence) {
    if (sentence) estimate.problems.push_back(*sentence);
    return sentence.has_value();
  };
  if (rest.lasting.share > (rest.calibrated ? kCalibratedShare : kLastingShare)) {
    if (!allow_for_slow_noise(log, samples, rest.lasting, rest.slow, estimate)) return false;
  } else if (rest.late != nullptr) {
    if (!allow_for_delay(*rest.late, estimate)) return false;
  } else if (rest.lasting.share > kAskedShare && !rest.calibrated) {
    const SlowNoise noise =
        rest.slow ? rest.slow->force
                  : fit_slow_noise(noisy_rows(samples.samples, math::Vector6d::Zero(), WrenchKind::force));
    if (object(hidden_spring(log, samples.samples, noise, estimate.inertia_S.mass, kDeviationsOfSmall)))
      return false;
  }
  return !rest.smoothed ||
         allow_for_weight(log, rest.late != nullptr ? rest.late->samples : samples, rest.gravity_W, estimate);
}

bool is_usable(const IdentifiedBody& body) {
  return body.estimate.status == Status::ok && body.estimate.consistency.is_consistent();
}

bool is_blocked(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::blocks; });
}

// What a late, tilted or displaced sensor looks like.
bool may_be_the_sensor(const std::vector<Finding>& findings) {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.severity != Severity::blocks || finding.kind == FindingKind::units ||
           finding.kind == FindingKind::object_moved || finding.kind == FindingKind::wrong_gravity;
  });
}

// Findings about the log as it is, or, where that is blocked, as the calibration leaves it: a late or displaced sensor looks
// like wrong units or a moved object.
std::vector<Finding> findings_of(const model::WrenchLog& log, const IdentificationOptions& options,
                                 const std::optional<Calibration>& calibration) {
  std::vector<Finding> findings = diagnose(log, options.samples);
  if (!is_blocked(findings) || !may_be_the_sensor(findings)) return findings;
  const bool unasked = !calibration;
  std::optional<Calibration> found = calibration;
  try {
    if (unasked) found = calibrate(log, options.samples, options.calibration, options.smoother);
  } catch (const std::invalid_argument&) {
    return findings;
  }
  if (found->status == CalibrationStatus::failed) return findings;
  // Gravity that the calibration moved farther than calibrations do is a wrong gravity, which the findings name.
  const double turned = std::atan2(found->gravity_W.cross(options.samples.gravity_W).norm(),
                                   found->gravity_W.dot(options.samples.gravity_W));
  if (turned > DiagnosisOptions{}.gravity_angle) return findings;
  SampleOptions samples = options.samples;
  samples.gravity_W = found->gravity_W;
  std::vector<Finding> corrected =
      diagnose(calibrated_log(log, *found, options.samples.wrench_frame), samples);
  if (is_blocked(corrected)) return findings;
  if (unasked)
    corrected.insert(corrected.begin(), {findings.front().kind, Severity::blocks,
                                         "the wrenches fit once the sensor's own errors are taken out (" +
                                             found->brief_report() + "): run with --calibrate",
                                         findings.front().evidence});
  return corrected;
}

// All of identify() but the choice of rows.
Identification identify_usable(const model::WrenchLog& log, const Shape* shape,
                               const IdentificationOptions& options) {
  Identification result;
  if (options.calibrate)
    result.calibration = calibrate(log, options.samples, options.calibration, options.smoother);
  else
    result.calibration = options.empty;
  result.findings = findings_of(log, options, result.calibration);
  const bool blocked = is_blocked(result.findings);
  // A still log is a right log for methods that need no motion: excitation is judged by method.
  std::vector<Finding> about_log;
  const Finding* untold = nullptr;
  for (const Finding& finding : result.findings)
    finding.kind == FindingKind::no_excitation ? static_cast<void>(untold = &finding)
                                               : about_log.push_back(finding);
  add_new(sentences(about_log), result.problems);
  if (options.calibrate)
    for (const std::string& sentence : result.calibration->undetermined) result.problems.push_back(sentence);
  SampleSource source(log, options, result.calibration);
  result.status = Status::ok;
  for (const Method method : options.methods) {
    const bool smoothed = result.calibration || takes_smoothed(method, log, options.kinematics);
    const Samples& samples = source.get(smoothed);
    if (result.results.empty()) result.samples = samples;
    IdentifiedBody body = identify_by(method, samples, shape, options);
    body.smoothed = smoothed;
    const bool failed = body.estimate.status == Status::failed;
    const LastingResidual lasting = failed ? LastingResidual{} : source.lasting(body.estimate, samples);
    std::optional<LastingNoise> slow;
    if (lasting.share > kSlowNoise && !result.calibration) slow = fit_lasting_noise(samples.samples);
    if (smoothed && !failed) count_persistence(samples, options.calibrate, slow, body.estimate);
    // Calibrations allow for residuals that last by themselves.
    if (result.calibration && !failed)
      body.estimate.covariance += source.calibration_share(method, shape, body.estimate);
    // What the shape is known by: a scan that was filled, a mesh with a hole.
    if (shape != nullptr && uses_shape(method)) add_new(shape->notes, body.estimate.notes);
    const LateSensor* late = source.late();
    // A late sensor seems to have an offset: that is asked once the delay is taken out.
    const Samples* for_offset = result.calibration ? nullptr : late ? &late->samples : &samples;
    // Where less lasts, an offset is judged as in any log: a weak spring looks like one, too.
    const auto beside_noise = lasting.share > kLastingShare ? slow : std::optional<LastingNoise>{};
    bool stands = judge_answer(samples, shape, for_offset, beside_noise, body.estimate);
    if (stands && !failed)
      stands = stands_beside_the_rest(
          log, samples,
          {lasting, slow, late, result.calibration.has_value(), smoothed,
           result.calibration ? result.calibration->gravity_W : options.samples.gravity_W},
          body.estimate);
    if ((blocked || !stands) && body.estimate.status == Status::ok)
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

// Rows that were left out are no gaps of the log: its own gaps, and why rows are missing, in place of those found without them.
void say_lost_rows(const model::WrenchLog& log, std::vector<Finding> lost, Identification& result) {
  std::vector<std::string> gaps;
  std::erase_if(result.findings, [&](const Finding& finding) {
    if (finding.kind == FindingKind::dropped_samples) gaps.push_back(finding.sentence);
    return finding.kind == FindingKind::dropped_samples;
  });
  const auto replace = [&](std::vector<std::string>& problems) {
    std::erase_if(problems, [&](const std::string& sentence) {
      return std::find(gaps.begin(), gaps.end(), sentence) != gaps.end();
    });
    add_new(sentences(lost), problems);
  };
  for (Finding& finding : check_times(log)) lost.push_back(std::move(finding));
  replace(result.problems);
  for (IdentifiedBody& body : result.results) replace(body.estimate.problems);
  for (Finding& finding : lost) result.findings.push_back(std::move(finding));
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

const IdentifiedBody* Identification::headline() const {
  const IdentifiedBody* best = nullptr;
  int worth = 0;
  for (const IdentifiedBody& body : results) {
    if (body.estimate.status == Status::failed) continue;
    const bool recommended = body.estimate.method == Method::likelihood;
    const int here = 1 + (is_usable(body) ? 2 : 0) + (recommended ? 1 : 0);
    if (here <= worth) continue;
    worth = here;
    best = &body;
  }
  return best;
}

std::optional<math::SpatialInertia> Identification::usable_body() const {
  const IdentifiedBody* body = headline();
  if (body == nullptr || !is_usable(*body)) return std::nullopt;
  return body->inertia_O ? *body->inertia_O : body->estimate.inertia_S;
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
  UsableRows rows = usable_rows(log, options.samples.wrench_frame);
  if (rows.log) {
    Identification result = identify_usable(*rows.log, shape, options);
    say_lost_rows(log, rows.findings, result);
    return result;
  }
  return identify_usable(log, shape, options);
}

}  // namespace prehend::inertia
