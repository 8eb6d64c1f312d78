#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include <prehend/articulation/handedness.h>
#include <prehend/articulation/likelihood.h>
#include <prehend/articulation/selection.h>
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

using model::JointType;

double penalty(Criterion criterion, int parameters, double frames) {
  return criterion == Criterion::bic ? 0.5 * parameters * std::log(frames) : parameters;
}

// [m] Largest distance slid, where the joint slides.
double travel(const JointFit& fit) {
  if (fit.lower.size() == 0) return 0.0;
  switch (fit.joint.type) {
    case JointType::prismatic:
      return fit.upper[0] - fit.lower[0];
    case JointType::cylindrical:
      return fit.upper[1] - fit.lower[1];
    case JointType::planar:
      return std::hypot(fit.upper[0] - fit.lower[0], fit.upper[1] - fit.lower[1]);
    case JointType::screw:
      return std::abs(fit.joint.pitch) * (fit.upper[0] - fit.lower[0]);
    default:
      return 0.0;
  }
}

bool turns_about_an_axis(JointType type) {
  return type == JointType::revolute || type == JointType::screw || type == JointType::cylindrical ||
         type == JointType::universal || type == JointType::spherical;
}

std::string motion_sentence(const JointFit& fit) {
  char text[200] = "";
  constexpr double kDegrees = 180 / M_PI;
  const auto range = [&](int k) { return fit.lower.size() > k ? fit.upper[k] - fit.lower[k] : 0.0; };
  const double lever = fit.joint.X_MJ.p().norm();
  switch (fit.joint.type) {
    case JointType::rigid:
      return "stands still";
    case JointType::prismatic:
      std::snprintf(text, sizeof text, "slides %.4g m", range(0));
      break;
    case JointType::revolute:
      std::snprintf(text, sizeof text, "turns %.4g deg at a radius of %.3g m", range(0) * kDegrees, lever);
      break;
    case JointType::screw:
      // Less than a tenth of a turn is no thread whose advance per turn means something.
      if (range(0) < 0.2 * M_PI)
        std::snprintf(text, sizeof text, "turns %.4g deg while sliding %.4g m", range(0) * kDegrees,
                      std::abs(fit.joint.pitch) * range(0));
      else
        std::snprintf(text, sizeof text, "turns %.4g deg, advancing %.4g mm per turn", range(0) * kDegrees,
                      2e3 * M_PI * fit.joint.pitch);
      break;
    case JointType::cylindrical:
      std::snprintf(text, sizeof text, "turns %.4g deg and slides %.4g m", range(0) * kDegrees, range(1));
      break;
    case JointType::universal:
      std::snprintf(text, sizeof text, "turns %.4g deg about one axis, %.4g deg about the other",
                    range(0) * kDegrees, range(1) * kDegrees);
      break;
    case JointType::spherical:
      std::snprintf(text, sizeof text, "turns about a centre %.3g m away", lever);
      break;
    case JointType::planar:
      std::snprintf(text, sizeof text, "slides %.3g m by %.3g m in a plane and turns %.4g deg", range(0),
                    range(1), range(2) * kDegrees);
      break;
    case JointType::free:
      return "moves without any constraint";
  }
  return text;
}

void explain(Candidate& candidate, double best) {
  if (candidate.fit.status == FitStatus::failed) {
    candidate.explanation =
        candidate.fit.problems.empty() ? "could not be fitted" : candidate.fit.problems.front();
    return;
  }
  char text[200];
  const JointFit& fit = candidate.fit;
  if (candidate.type == JointType::free)
    text[0] = '\0';
  else if (fit.has_orientation)
    std::snprintf(text, sizeof text, ", leaving %.3g mm and %.3g deg per axis", 1e3 * fit.rms_position,
                  fit.rms_angle * 180 / M_PI);
  else
    std::snprintf(text, sizeof text, ", leaving %.3g mm per axis", 1e3 * fit.rms_position);
  candidate.explanation = motion_sentence(fit) + text;
  if (fit.outliers > 0) candidate.explanation += ", " + std::to_string(fit.outliers) + " frames apart";
  const char* verdict = candidate.score < best   ? "; %.3g nats behind the best"
                        : candidate.score > best ? "; %.3g nats ahead, less than it takes"
                                                 : "; the best score";
  std::snprintf(text, sizeof text, verdict, std::abs(best - candidate.score));
  candidate.explanation += text;
}

std::string names(const std::vector<JointType>& types) {
  std::string text;
  for (const JointType type : types)
    text += std::string(text.empty() ? "" : " or ") + model::joint_type_name(type);
  return text;
}

// Many frames in a row that a part at rest cannot explain: a motion, however long the rest.
bool moves_away(const JointFit& fit) {
  const int long_run = std::max(5, static_cast<int>(fit.weights.size()) / 20);
  int run = 0;
  for (const double w : fit.weights) {
    run = w < 0.5 ? run + 1 : 0;
    if (run > long_run) return true;
  }
  return false;
}

// Leaves what can be noise of a tracker, and leaves few frames out: flipped markers and lost parts are exceptions, and a
// door that stands still half of the time is not a wall with outliers.
bool is_plausible(const Candidate& c, const SelectionOptions& options) {
  constexpr double kLargestOutlierShare = 0.25;
  if (c.type == JointType::rigid && moves_away(c.fit)) return false;
  return c.fit.outliers <= kLargestOutlierShare * static_cast<double>(c.fit.weights.size()) &&
         c.type != JointType::free && c.fit.status != FitStatus::failed &&
         c.fit.noise.position <= options.largest_noise.position &&
         c.fit.noise.angle <= options.largest_noise.angle;
}

void weigh(Candidate& candidate, double log_likelihood, double radius_prior, double frames,
           const SelectionOptions& options) {
  const double slid = travel(candidate.fit) / options.travel_scale;
  candidate.log_prior = radius_prior - 0.5 * slid * slid;
  candidate.evidence = log_likelihood + candidate.log_prior;
  candidate.score = candidate.evidence - penalty(options.criterion, candidate.parameters, frames);
}

// Frames over the integrated autocorrelation time of the residuals, in units of their noise, summed until correlation has
// died away.
double independent_frames(const JointFit& fit, const Observations& observations) {
  std::vector<math::Vector6d> e;
  double variance = 0;
  for (std::size_t i = 0; i < observations.poses.size(); ++i) {
    if (fit.weights[i] < 0.5) continue;
    const math::Pose& X = observations.poses[i].X_FM;
    const math::Pose Y = fit.joint.forward(*fit.states[observations.poses[i].time]);
    math::Vector6d residual = math::Vector6d::Zero();
    if (fit.has_orientation && fit.noise.angle > 0)
      residual.head<3>() = math::log_so3(Y.q().conjugate() * X.q()) / fit.noise.angle;
    if (fit.noise.position > 0) residual.tail<3>() = (X.p() - Y.p()) / fit.noise.position;
    e.push_back(residual);
    variance += residual.squaredNorm();
  }
  const double n = static_cast<double>(e.size());
  if (e.size() < 4 || !(variance > 0)) return n;
  double time = 1.0;
  for (std::size_t lag = 1; lag < e.size() / 2; ++lag) {
    double covariance = 0;
    for (std::size_t i = lag; i < e.size(); ++i) covariance += e[i].dot(e[i - lag]);
    if (covariance < 0.05 * variance) break;
    time += 2 * covariance / variance;
  }
  return n / time;
}

// Where even the best candidate's residuals change slowly: everything again with the noise of slow deviations, counted as
// the frames that they are worth. Returns that number.
double allow_for_slow_deviations(std::vector<Candidate>& candidates, const Observations& observations,
                                 const SelectionOptions& options) {
  const double count = static_cast<double>(observations.poses.size());
  const Candidate* best = nullptr;
  for (const Candidate& c : candidates)
    if (is_plausible(c, options) && (!best || c.score > best->score)) best = &c;
  if (options.independence) {
    for (Candidate& c : candidates)
      if (c.fit.status != FitStatus::failed)
        weigh(c, *options.independence * c.fit.log_likelihood_independent, c.fit.log_prior,
              *options.independence * count, options);
    return *options.independence * count;
  }
  if (!best || options.fit.noise) return count;
  double frames = std::max(independent_frames(best->fit, observations), 2.0);
  // Without orientation a circle takes up the bend of a line, and leaves white noise: what counts is what the line leaves.
  if (!observations.has_orientation)
    for (const Candidate& c : candidates)
      if (c.type == JointType::prismatic && is_plausible(c, options) &&
          c.fit.noise.position <= options.slow_noise.position)
        frames = std::min(frames, std::max(independent_frames(c.fit, observations), 2.0));
  if (frames > 0.5 * count) return count;
  FitOptions known = options.fit;
  known.noise = {std::max(options.slow_noise.position, best->fit.noise.position),
                 std::max(options.slow_noise.angle, best->fit.noise.angle)};
  known.radius_scale = options.radius_scale;
  for (Candidate& c : candidates) {
    if (c.fit.status == FitStatus::failed) continue;
    const JointFit fit = fit_joint(c.type, observations, known);
    weigh(c, frames / count * fit.log_likelihood_independent, fit.log_prior, frames, options);
    if (c.type != JointType::free)
      c.independent_frames = std::max(independent_frames(c.fit, observations), 2.0);
  }
  return frames;
}

// Candidates of another nature, with no more freedoms, that the motion does not refute.
std::vector<JointType> rivals_of(const Candidate& best, const std::vector<Candidate>& candidates,
                                 double frames, const SelectionOptions& options) {
  std::vector<JointType> rivals;
  // Slow deviations beyond what they are known to be: their size is what the best candidate leaves, as few independent numbers tell it.
  const bool oriented = best.fit.has_orientation;
  const double count = static_cast<double>(best.fit.weights.size());
  const bool noise_is_guessed = !options.fit.noise && frames < count &&
                                (best.fit.noise.position > options.slow_noise.position ||
                                 best.fit.noise.angle > options.slow_noise.angle);
  const double numbers = std::max(
      1.0, frames * ((oriented ? 6 : 3) - freedoms(best.type, oriented)) - parameters(best.type, oriented));
  for (const Candidate& other : candidates) {
    if (other.type == best.type || !is_plausible(other, options) || contains(other.type, best.type)) continue;
    if (freedoms(other.type, other.fit.has_orientation) > freedoms(best.type, best.fit.has_orientation))
      continue;
    const double priors = best.log_prior - other.log_prior;
    // Deviations that refute the other are deviations from it: they count as often as they are independent.
    double likelihoods = (best.evidence - other.evidence - priors) * other.independent_frames / frames;
    if (noise_is_guessed && likelihoods > 0)
      likelihoods = 0.5 * numbers * std::log1p(2 * likelihoods / numbers);
    // Half a nat for each further parameter is what noise alone gives.
    likelihoods += 0.5 * (other.parameters - best.parameters);
    if (likelihoods + priors < options.margin) rivals.push_back(other.type);
  }
  return rivals;
}

// Types are compared by Gaussian likelihoods; the one that is told takes the shape of its noise into account.
void refine_noise(Candidate& chosen, const Observations& observations, const SelectionOptions& options) {
  if (options.fit.noise_shape == NoiseShape::gaussian || options.fit.method != FitMethod::likelihood ||
      chosen.fit.status != FitStatus::ok || !chosen.fit.has_orientation || options.fit.noise)
    return;
  FitOptions again = options.fit;
  again.radius_scale = options.radius_scale;
  again.start = chosen.fit.joint;
  JointFit fit = fit_joint(chosen.type, observations, again);
  if (fit.status != FitStatus::ok || !fit.noise_has_sizes) return;
  fit.alternatives = std::move(chosen.fit.alternatives);
  chosen.fit = std::move(fit);
}

}  // namespace

const char* selection_status_name(SelectionStatus status) {
  switch (status) {
    case SelectionStatus::failed:
      return "failed";
    case SelectionStatus::undetermined:
      return "undetermined";
    case SelectionStatus::ok:
      return "ok";
  }
  return "failed";
}

void SelectionOptions::validate() const {
  fit.validate();
  for (const auto& [value, name] :
       {std::pair{radius_scale, "radius_scale"}, std::pair{travel_scale, "travel_scale"}})
    if (!(value > 0.0))
      throw std::invalid_argument(std::string("SelectionOptions::") + name + " is " + std::to_string(value) +
                                  " m; it must be positive");
  if (!(free_margin >= 0.0) || !(largest_noise.position > 0.0) || !(largest_noise.angle > 0.0))
    throw std::invalid_argument(
        "SelectionOptions::free_margin must be at least 0 and largest_noise positive");
  if (!(slow_noise.position > 0.0) || !(slow_noise.angle > 0.0))
    throw std::invalid_argument("SelectionOptions::slow_noise is " + std::to_string(slow_noise.position) +
                                " m, " + std::to_string(slow_noise.angle) + " rad; both must be positive");
  if (!(margin >= 0.0) || !std::isfinite(margin))
    throw std::invalid_argument("SelectionOptions::margin is " + std::to_string(margin) +
                                " nats; it must be at least 0");
}

Selection select_joint(const Observations& observations, const SelectionOptions& options) {
  options.validate();
  Selection selection;
  selection.notes = observations.notes;
  std::vector<JointType> types = options.types;
  if (types.empty()) {
    const auto all = joint_types(observations.has_orientation);
    types.assign(all.begin(), all.end());
  }
  const int count = static_cast<int>(observations.poses.size());
  for (const JointType type : types) {
    Candidate candidate;
    candidate.type = type;
    FitOptions fit_options = options.fit;
    fit_options.radius_scale = options.radius_scale;
    fit_options.noise_shape = NoiseShape::gaussian;
    candidate.fit = fit_joint(type, observations, fit_options);
    const int dimension = observations.has_orientation ? 6 : 3;
    candidate.parameters = parameters_with_zero(type, observations.has_orientation) +
                           nuisance_parameters(freedoms(type, observations.has_orientation), dimension);
    weigh(candidate, candidate.fit.log_likelihood_independent, candidate.fit.log_prior, count, options);
    double plain = candidate.fit.log_likelihood_independent;
    // A prior that is not felt changed nothing.
    if (turns_about_an_axis(type) && candidate.fit.log_prior < -0.1) {
      FitOptions without = fit_options;
      without.radius_scale = std::numeric_limits<double>::infinity();
      plain = std::max(plain, fit_joint(type, observations, without).log_likelihood_independent);
    }
    candidate.independent_frames = count;
    candidate.plain_score = plain - penalty(options.criterion, candidate.parameters, count);
    selection.candidates.push_back(std::move(candidate));
  }
  std::vector<Candidate>& candidates = selection.candidates;
  selection.independent_frames =
      types.size() > 1 ? allow_for_slow_deviations(candidates, observations, options) : count;
  if (selection.independent_frames < count) {
    char note[160];
    std::snprintf(note, sizeof note,
                  "deviations change slowly: %d frames count as %.0f, deviations up to %.3g mm and %.3g deg "
                  "are no motion",
                  count, selection.independent_frames, 1e3 * options.slow_noise.position,
                  options.slow_noise.angle * 180 / M_PI);
    selection.notes.push_back(note);
  }
  const bool some_plausible = std::any_of(candidates.begin(), candidates.end(),
                                          [&](const Candidate& c) { return is_plausible(c, options); });
  const double free_cost = options.free_margin * selection.independent_frames;
  const auto rank = [&](const Candidate& c) {
    if (c.fit.status == FitStatus::failed) return -std::numeric_limits<double>::infinity();
    if (c.type == JointType::free) return c.score - (some_plausible ? free_cost : 0.0);
    return c.score - (is_plausible(c, options) ? 0.0 : 2 * free_cost);
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const Candidate& a, const Candidate& b) { return rank(a) > rank(b); });
  // The simplest joint that the winner contains, unless it is clearly worse.
  std::size_t chosen = 0;
  const auto complexity = [&](const Candidate& c) {
    return 100 * freedoms(c.type, c.fit.has_orientation) + c.parameters;
  };
  for (std::size_t k = 1; k < candidates.size(); ++k) {
    const Candidate& c = candidates[k];
    if (c.type == JointType::rigid || !is_plausible(c, options) || !contains(candidates[0].type, c.type) ||
        rank(c) < rank(candidates[0]) - options.margin)
      continue;
    if (complexity(c) < complexity(candidates[chosen])) chosen = k;
  }
  std::rotate(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(chosen),
              candidates.begin() + static_cast<std::ptrdiff_t>(chosen) + 1);
  refine_noise(candidates.front(), observations, options);
  const Candidate& best = selection.best();
  for (Candidate& candidate : selection.candidates) explain(candidate, best.score);
  if (best.fit.status == FitStatus::failed) {
    selection.reason = best.fit.problems.empty() ? "no joint could be fitted" : best.fit.problems.front();
    return selection;
  }
  selection.status = SelectionStatus::undetermined;
  if (types.size() > 1 && best.type == JointType::rigid && !observations.something_moves) {
    selection.reason = "nothing moves: any joint would look like this";
    return selection;
  }
  // What turns may be a hinge whose positions and orientations do not belong together; a hinge itself where it leaves more than slow
  // deviations are known to be.
  const bool is_hinge = best.type == JointType::revolute;
  const bool leaves_much = selection.independent_frames >= count ||
                           best.fit.noise.position > options.slow_noise.position ||
                           best.fit.noise.angle > options.slow_noise.angle;
  if (types.size() > 1 && best.type != JointType::rigid && best.type != JointType::prismatic &&
      (!is_hinge || leaves_much)) {
    selection.contradiction = contradiction(observations, best.fit.log_likelihood);
    if (!selection.contradiction.empty()) {
      selection.reason = selection.contradiction;
      return selection;
    }
  }
  if (types.size() > 1)
    selection.rivals = rivals_of(best, selection.candidates, selection.independent_frames, options);
  if (!selection.rivals.empty()) {
    std::vector<JointType> all{best.type};
    all.insert(all.end(), selection.rivals.begin(), selection.rivals.end());
    selection.reason = "not enough motion to tell: it may be " + names(all);
    return selection;
  }
  if (!best.fit.alternatives.empty()) {
    selection.reason = std::string("the motion fits ") + std::to_string(best.fit.alternatives.size() + 1) +
                       " different " + model::joint_type_name(best.type) + " joints: move both axes at once";
    return selection;
  }
  selection.status = SelectionStatus::ok;
  return selection;
}

}  // namespace prehend::articulation
