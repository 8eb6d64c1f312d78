#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <utility>

#include <prehend/articulation/fit/likelihood.h>
#include <prehend/articulation/fit/likelihood_engine.h>
#include <prehend/articulation/fit/pose_covariances.h>
#include <prehend/articulation/fit/small_motion.h>
#include <prehend/articulation/fit/start_search.h>
#include <prehend/articulation/fit/track_fit.h>
#include <prehend/articulation/joint_fit.h>
#include <prehend/articulation/joints/joint_kind.h>
#include <prehend/articulation/joints/local_directions.h>
#include <prehend/math/angles.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>

namespace prehend::articulation {
namespace {

using model::JointType;

// [m] Largest distance from the median position: the size of what is seen.
double length_of(const Observations& observations) {
  constexpr std::size_t kMost = 255;  // a median of few frames serves as well
  const std::size_t stride = observations.poses.size() / kMost + 1;
  std::vector<double> x;
  x.reserve(kMost);
  Eigen::Vector3d median;
  for (int k = 0; k < 3; ++k) {
    x.clear();
    for (std::size_t i = 0; i < observations.poses.size(); i += stride)
      x.push_back(observations.poses[i].X_FM.p()[k]);
    std::nth_element(x.begin(), x.begin() + x.size() / 2, x.end());
    median[k] = x[x.size() / 2];
  }
  double squared = 0;
  for (const Observation& o : observations.poses)
    squared = std::max(squared, (o.X_FM.p() - median).squaredNorm());
  // Where the origin hardly moves (it lies on the axis, as is usual in URDF), a hundredth of the parts' distance, a millimetre at least: what
  // rounding moves it by is not the size of anything.
  constexpr double kOfDistance = 0.01, kLeast = 1e-3;
  return std::max({std::sqrt(squared), kOfDistance * median.norm(), kLeast});
}

// [m] Largest distance of the two parts.
double farthest(const Observations& observations) {
  double squared = 0;
  for (const Observation& o : observations.poses) squared = std::max(squared, o.X_FM.p().squaredNorm());
  return std::sqrt(squared);
}

double root(const Eigen::MatrixXd& covariance, std::initializer_list<int> entries) {
  double sum = 0;
  for (const int k : entries) {
    if (k < 0) return std::numeric_limits<double>::infinity();
    sum += covariance(k, k);
  }
  return std::sqrt(std::max(sum, 0.0));
}

FitDeviations deviations_of(const JointKind& kind, const LikelihoodResult& result) {
  FitDeviations out;
  const auto of = [&](int a, int b) -> std::optional<double> {
    const int i = kind.parameter_of(a), j = kind.parameter_of(b);
    if (i < 0 || j < 0) return std::nullopt;
    return root(result.covariance, {i, j});
  };
  const JointType type = kind.type();
  if (result.joint.axis_F()) {
    out.axis_F = of(kWPx, kWPy);
    // The first axis of a universal joint is not fixed to M.
    if (type == JointType::universal)
      out.axis2_M = of(kWCx, kWCz);
    else
      out.axis_M = of(kWCx, kWCy);
  }
  if (type == JointType::universal || type == JointType::spherical) {
    out.point_F =
        root(result.covariance, {kind.parameter_of(kVPx), kind.parameter_of(kVPy), kind.parameter_of(kVPz)});
    out.point_M =
        root(result.covariance, {kind.parameter_of(kVCx), kind.parameter_of(kVCy), kind.parameter_of(kVCz)});
  } else if (result.joint.point_F()) {
    out.point_F = of(kVPx, kVPy);
    out.point_M = of(kVCx, kVCy);
  }
  if (type == JointType::screw) out.pitch = root(result.covariance, {kind.parameter_of(kPitch)});
  // What nothing tells has no deviation; no axis is off by more than a right angle.
  for (std::optional<double>* axis : {&out.axis_F, &out.axis_M, &out.axis2_M})
    if (*axis) *axis = std::min(**axis, math::kPi / 2);
  for (std::optional<double>* any : {&out.point_F, &out.point_M, &out.pitch})
    if (*any && !std::isfinite(**any)) any->reset();
  return out;
}

FitDeviations track_deviations(JointType type, const LikelihoodResult& result) {
  FitDeviations out;
  if (type == JointType::prismatic) out.axis_F = root(result.covariance, {0, 1});
  if (type == JointType::revolute) {
    out.axis_F = root(result.covariance, {0, 1});
    out.point_F = root(result.covariance, {2, 3});
  }
  return out;
}

Frames frames_of(const Observations& observations, double share, double length) {
  Frames frames;
  frames.X.reserve(observations.poses.size());
  for (const Observation& o : observations.poses) frames.X.push_back({o.X_FM.R(), o.X_FM.p()});
  frames.weights.assign(frames.X.size(), 1.0);
  frames.fixed_share = share;
  frames.length = length;
  frames.least_position = observations.resolution.position;
  frames.least_angle = observations.resolution.angle;
  if (!observations.covariances.empty()) frames.pose_weights = pose_weights(observations.covariances);
  return frames;
}

// Squared residuals of orientation and position, of frames that count.
std::array<std::vector<double>, 2> squared_residuals(const LikelihoodResult& result, std::size_t most) {
  std::array<std::vector<double>, 2> squared;
  const std::size_t stride = (result.terms.size() + most - 1) / most;
  for (std::size_t i = 0; i < result.terms.size(); i += stride) {
    if (result.weights[i] < 0.5) continue;
    squared[0].push_back(result.terms[i].residual.head<3>().squaredNorm());
    squared[1].push_back(result.terms[i].residual.tail<3>().squaredNorm());
  }
  return squared;
}

// Correlation of residuals from frame to frame: deviations that change slowly say nothing about how well their frames were measured.
double correlation(const LikelihoodResult& result) {
  double products = 0, squares = 0;
  for (std::size_t i = 1; i < result.terms.size(); ++i) {
    if (result.weights[i] < 0.5 || result.weights[i - 1] < 0.5) continue;
    products += result.terms[i].residual.dot(result.terms[i - 1].residual);
    squares += result.terms[i].residual.squaredNorm();
  }
  return squares > 0 ? products / squares : 0.0;
}

// Where the residuals of a Gaussian fit tell that frames differ in noise: the joint that this makes more likely, and true.
bool allow_for_sizes(const JointKind& kind, const Frames& frames, LikelihoodSettings settings,
                     LikelihoodResult& result) {
  // [nats] Amplitudes that are uniform gain three per hundred residuals of one freedom; Gaussian noise has one in one case of ten.
  constexpr double kLeastGain = 1.0, kGainPerFrame = 0.01;
  constexpr double kMostCorrelation =
      0.3;  // from frame to frame: slow errors are no mixture of independent ones
  constexpr std::size_t kFirstLook = 200;  // frames; Gaussian noise is recognised by these, and most is
  constexpr int kRounds = 3;               // of sizes and joint in turn
  const std::array freedoms{result.angle_freedoms, result.shift_freedoms};
  settings.noise = result.noise;
  settings.noise_is_known = true;
  for (int round = -1; round < kRounds; ++round) {
    const bool looks = round < 0;
    const auto squared = squared_residuals(result, looks ? kFirstLook : result.terms.size());
    std::array<NoiseSizes, 2> sizes;
    double gain = 0;
    for (int k = 0; k < 2; ++k) {
      const SizesFit found = estimate_sizes(squared[k], freedoms[k], looks ? 12 : 30);
      sizes[k] = found.sizes;
      gain += found.gain;
    }
    if (round <= 0 && gain < std::max(kLeastGain, kGainPerFrame * static_cast<double>(squared[0].size())))
      return false;
    if (looks && correlation(result) > kMostCorrelation) return false;
    if (looks) continue;
    settings.sizes = sizes;
    LikelihoodResult next = refine(kind, frames, result.joint, settings);
    if (!next.converged) return round > 0;
    next.noise = result.noise;
    next.noise_factor = result.noise_factor;
    next.covariance *= result.noise_factor;
    next.iterations += result.iterations;
    result = std::move(next);
  }
  return true;
}

LikelihoodSettings settings_of(const FitOptions& options, double length) {
  LikelihoodSettings settings;
  settings.noise_is_known = options.noise.has_value();
  settings.noise =
      options.noise.value_or(PoseNoise{0.01 * length, 0.01});  // a start: the passes find their own
  settings.robust = options.robust;
  settings.radius_scale = options.radius_scale;
  settings.max_iterations = options.method == FitMethod::closed_form ? 0 : options.max_iterations;
  settings.tolerance = options.tolerance;
  settings.covariance_tails = options.covariance_tails;
  return settings;
}

// Frames that a fit needs: noise needs residuals beyond the parameters; the free hypothesis has none at all.
int frames_needed(JointType type, bool oriented, bool noise_is_known) {
  const int d = freedoms(type, oriented), dimension = oriented ? 6 : 3;
  const int needed =
      d < dimension ? (parameters(type, oriented) + (noise_is_known ? 0 : 2)) / (dimension - d) + 1 : 2;
  return std::max(needed, 2);
}

// What a fit of poses or of positions leaves, before it is put into words.
struct Fitted {
  LikelihoodResult result;
  std::vector<State> states;  // continuous in time
  LogLikelihood likelihood;
};

// Noise that is given is what slow deviations are, mostly: no place of rest is known by it but the one where half of the frames are.
Fitted measured(LikelihoodResult result, const FitOptions& options, double length, int dimension) {
  const JointType type = result.joint.type;
  Fitted fitted{std::move(result), {}, {}};
  fitted.states = continuous_states(type, fitted.result);
  fitted.likelihood = log_likelihood(fitted.result.terms, fitted.states, fitted.result.weights,
                                     {type, length, dimension, options.noise.has_value()});
  return fitted;
}

// Entry of a shift in a type's state, or -1.
int shift_entry(JointType type) {
  if (type == JointType::prismatic || type == JointType::screw || type == JointType::planar) return 0;
  return type == JointType::cylindrical ? 1 : -1;
}

// [-] By how much states that shift change from frame to frame, less their smooth way, over what they are measured with: squares of second differences.
double roughness(JointType type, const Fitted& fitted) {
  constexpr double kOfWhite = 6.0;  // the variance of a second difference of white noise
  constexpr std::size_t kLeastFrames = 20;
  const int k = shift_entry(type);
  std::vector<double> squares, measured;
  for (std::size_t i = 2; i < fitted.states.size(); ++i) {
    if (fitted.result.weights[i] < 0.5) continue;
    squares.push_back(
        std::pow(fitted.states[i][k] - 2 * fitted.states[i - 1][k] + fitted.states[i - 2][k], 2));
    measured.push_back(fitted.result.terms[i].state_covariance(k, k));
  }
  if (squares.size() < kLeastFrames) return 0.0;
  // Medians: frames outside the noise have neighbours. Of a Gaussian's square it is 0.455 variances.
  const auto median = [](std::vector<double>& x) {
    std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
    return x[x.size() / 2];
  };
  const double c = median(measured);
  return c > 0 ? median(squares) / (0.455 * kOfWhite * c) : 0.0;
}

// A slide along the line between two tracked parts follows all that tells the noise of positions, which may come out as nothing. How the states jitter
// tells it, too: again with as much noise, where that is more likely with the states integrated out.
void allow_for_jitter(const JointKind& kind, const Frames& frames, LikelihoodSettings settings,
                      const FitOptions& options, Fitted& fitted) {
  constexpr double kClearly = 2.0;  // variances; second differences of 100 frames scatter by a fourth
  if (shift_entry(kind.type()) < 0 || !(frames.fixed_share > 0 && frames.fixed_share < 1) ||
      !fitted.result.converged || !frames.pose_weights.empty())
    return;
  const double ratio = roughness(kind.type(), fitted);
  if (ratio < kClearly) return;
  settings.noise_is_known = true;
  settings.noise = {std::sqrt(ratio) * fitted.result.noise.position, fitted.result.noise.angle};
  LikelihoodResult again = refine(kind, frames, fitted.result.joint, settings);
  if (!again.converged) return;
  Fitted other = measured(std::move(again), options, frames.length, 6);
  if (other.likelihood.independent > fitted.likelihood.independent) fitted = std::move(other);
}

Fitted fit_poses(JointType type, const Observations& observations, const FitOptions& options, double length,
                 JointFit& fit) {
  const LikelihoodSettings settings = settings_of(options, length);
  Frames frames = frames_of(observations, fit.fixed_share, length);
  const JointKind& kind = joint_kind(type);
  LikelihoodResult result;
  if (options.start) {
    result = refine(kind, frames, *options.start, settings);
  } else if (options.method == FitMethod::closed_form) {
    const std::vector<Joint> starts = kind.closed_form(frames);
    result = refine(kind, frames, starts[static_cast<std::size_t>(options.start_number) % starts.size()],
                    settings);
  } else {
    result = most_likely(kind, frames, settings, fit.alternatives);
  }
  Fitted fitted = measured(std::move(result), options, length, 6);
  if (!options.noise && options.method == FitMethod::likelihood)
    allow_for_jitter(kind, frames, settings, options, fitted);
  const bool has_parameters = kind.parameters() > 0;
  if (options.noise_shape == NoiseShape::estimated && !options.noise && fitted.result.converged &&
      has_parameters && kind.freedoms() < 6 && frames.pose_weights.empty()) {
    fit.noise_has_sizes = allow_for_sizes(kind, frames, settings, fitted.result);
    if (fit.noise_has_sizes) fitted.states = continuous_states(type, fitted.result);
  }
  if (options.method == FitMethod::likelihood && has_parameters) {
    if (frames.pose_weights.empty()) widen_for_small_motion(kind, frames, settings, fitted.result);
    fit.deviations = deviations_of(kind, fitted.result);
  }
  return fitted;
}

Fitted fit_positions(JointType type, const Observations& observations, const FitOptions& options,
                     double length, JointFit& fit) {
  LikelihoodSettings settings = settings_of(options, length);
  settings.holds = observations.holds;
  std::vector<Eigen::Vector3d> p;
  p.reserve(observations.poses.size());
  for (const Observation& o : observations.poses) p.push_back(o.X_FM.p());
  LikelihoodResult result = fit_track(type, p, length, settings, observations.resolution.position);
  fit.track_residuals = std::move(result.track_residuals);
  fit.deviations = track_deviations(type, result);
  return measured(std::move(result), options, length, 3);
}

// States by time, their limits, and outliers.
void set_states(JointFit& fit, const Observations& observations, const Fitted& fitted) {
  const std::vector<State>& states = fitted.states;
  const int d = freedoms(fit.joint.type, fit.has_orientation);
  fit.states.assign(observations.times.size(), std::nullopt);
  for (std::size_t i = 0; i < observations.poses.size(); ++i) {
    fit.states[observations.poses[i].time] = states[i];
    if (fitted.result.weights[i] < 0.5) {
      ++fit.outliers;
      continue;
    }
    if (fit.lower.size() != d) fit.lower = fit.upper = states[i];
    for (int entry = 0; entry < d; ++entry) {
      fit.lower[entry] = std::min(fit.lower[entry], states[i][entry]);
      fit.upper[entry] = std::max(fit.upper[entry], states[i][entry]);
    }
  }
}

void set_status(JointFit& fit, const LikelihoodResult& result, const FitOptions& options) {
  const int count = static_cast<int>(result.weights.size());
  fit.status =
      result.converged || options.method == FitMethod::closed_form ? FitStatus::ok : FitStatus::not_converged;
  if (fit.status == FitStatus::not_converged)
    fit.problems.push_back("the likelihood had not settled after " + std::to_string(result.iterations) +
                           " iterations");
  if (2 * fit.outliers > count && fit.status == FitStatus::ok) {
    fit.status = FitStatus::not_converged;
    fit.problems.push_back(std::to_string(fit.outliers) + " of " + std::to_string(count) +
                           " frames lie outside the noise: no such joint explains most of them");
  }
}

}  // namespace

void FitOptions::validate() const {
  const math::OptionCheck check("FitOptions");
  if (noise) {
    check.above("noise.position", noise->position, 0.0, "m");
    check.above("noise.angle", noise->angle, 0.0, "rad");
  }
  if (fixed_share) check.between("fixed_share", *fixed_share, 0.0, 1.0);
  check.holds(radius_scale > 0.0, "radius_scale", math::number_text(radius_scale) + " m", "positive");
  check.above("covariance_tails", covariance_tails, 0.0);
  check.above("tolerance", tolerance, 0.0, "standard deviations");
  check.at_least("max_iterations", max_iterations, 1);
  check.at_least("start_number", start_number, 0);
}

const char* to_string(FitStatus status) { return enum_text(status); }

JointFit fit_joint(JointType type, const Observations& observations, const FitOptions& options) {
  options.validate();
  const bool oriented = observations.has_orientation;
  if (options.start && (options.start->type != type || !oriented))
    throw std::invalid_argument(std::string("FitOptions::start is a joint of type '") +
                                to_string(options.start->type) +
                                "'; it must be of the type that is fitted, to poses with orientation");
  JointFit fit;
  fit.joint.type = type;
  fit.has_orientation = oriented;
  const int count = static_cast<int>(observations.poses.size());
  const int needed = frames_needed(type, oriented, options.noise.has_value());
  if (count < needed) {
    fit.problems.push_back(std::string("a joint of type '") + to_string(type) + "' needs at least " +
                           std::to_string(needed) + " frames, there are " + std::to_string(count));
    return fit;
  }
  fit.fixed_share =
      !oriented ? 0.0 : options.fixed_share.value_or(observations.fixed_is_measured ? 0.5 : 0.0);
  const double length = length_of(observations);
  Fitted fitted = oriented ? fit_poses(type, observations, options, length, fit)
                           : fit_positions(type, observations, options, length, fit);
  LikelihoodResult& result = fitted.result;
  fit.joint = result.joint;
  fit.iterations = result.iterations;
  fit.noise = {result.noise.position * std::sqrt(result.noise_factor),
               result.noise.angle * std::sqrt(result.noise_factor)};
  fit.rms_position = result.rms_position;
  fit.rms_angle = result.rms_angle;
  fit.covariance = result.covariance;
  fit.log_likelihood = fitted.likelihood.smooth;
  fit.log_likelihood_independent = fitted.likelihood.independent;
  set_states(fit, observations, fitted);
  set_status(fit, result, options);
  fit.weights = std::move(result.weights);
  // A joint that ran away leaves numbers that mean nothing.
  constexpr double kFarthest = 1e6;  // of what is seen
  const bool makes_sense =
      std::isfinite(fit.log_likelihood) && std::isfinite(fit.log_likelihood_independent) &&
      fit.rms_position < kFarthest * length && fit.rms_angle < kFarthest &&
      fit.joint.X_FJ.p().norm() < kFarthest * (length + 1.0 + farthest(observations)) &&
      (fit.lower.size() == 0 || (fit.upper - fit.lower).cwiseAbs().maxCoeff() < kFarthest);
  if (!makes_sense) {
    fit = JointFit();
    fit.joint.type = type;
    fit.has_orientation = oriented;
    fit.problems.push_back(std::string("a joint of type '") + to_string(type) +
                           "' does not come near the poses");
    return fit;
  }
  if (std::isfinite(options.radius_scale) && fit.joint.point_M()) {
    const double radius = fit.joint.X_MJ.p().norm() / options.radius_scale;  // level with M's origin
    fit.log_prior = -0.5 * radius * radius;
  }
  return fit;
}

std::string JointFit::brief_report() const {
  char text[400], residual_angle[40] = "", noise_angle[40] = "";
  if (has_orientation) {
    std::snprintf(residual_angle, sizeof residual_angle, ", %.3g deg", math::degrees(rms_angle));
    std::snprintf(noise_angle, sizeof noise_angle, ", %.3g deg", math::degrees(noise.angle));
  }
  std::snprintf(
      text, sizeof text,
      "%s joint (%s): residual %.3g mm%s; noise %.3g mm%s per axis; %d outliers of %zu; %d iterations\n",
      to_string(joint.type), to_string(status), 1e3 * rms_position, residual_angle, 1e3 * noise.position,
      noise_angle, outliers, weights.size(), iterations);
  std::string report = text;
  const auto add = [&](const char* name, const std::optional<Eigen::Vector3d>& v, double scale,
                       const char* unit) {
    if (!v) return;
    std::snprintf(text, sizeof text, "  %-8s %10.5g %10.5g %10.5g %s\n", name, scale * v->x(), scale * v->y(),
                  scale * v->z(), unit);
    report += text;
  };
  add("axis_F", joint.axis_F(), 1, "");
  add("point_F", joint.point_F(), 1, "m");
  if (has_orientation) {
    add("axis_M", joint.axis_M(), 1, "");
    add("axis2_M", joint.axis2_M(), 1, "");
    add("point_M", joint.point_M(), 1, "m");
  }
  for (const std::string& problem : problems) report += "  " + problem + "\n";
  return report;
}

}  // namespace prehend::articulation
