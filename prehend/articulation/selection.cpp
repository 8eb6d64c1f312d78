#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include <prehend/articulation/handedness.h>
#include <prehend/articulation/likelihood.h>
#include <prehend/articulation/selection.h>

namespace prehend::articulation {
namespace {

using model::JointType;

double penalty(Criterion criterion, int parameters, int observations) {
  return criterion == Criterion::bic ? 0.5 * parameters * std::log(static_cast<double>(observations))
                                     : parameters;
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
  return type == JointType::revolute || type == JointType::screw || type == JointType::cylindrical;
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

// Candidates of another nature, with no more freedoms, that the motion does not refute.
std::vector<JointType> rivals_of(const Candidate& best, const std::vector<Candidate>& candidates,
                                 const SelectionOptions& options) {
  std::vector<JointType> rivals;
  const double evidence = best.fit.log_likelihood + best.fit.log_prior;
  for (const Candidate& other : candidates) {
    if (other.type == best.type || other.fit.status == FitStatus::failed || contains(other.type, best.type))
      continue;
    if (freedoms(other.type, other.fit.has_orientation) > freedoms(best.type, best.fit.has_orientation))
      continue;
    if (evidence - (other.fit.log_likelihood + other.fit.log_prior) < options.margin)
      rivals.push_back(other.type);
  }
  return rivals;
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
    candidate.fit = fit_joint(type, observations, fit_options);
    const int dimension = observations.has_orientation ? 6 : 3;
    candidate.parameters = parameters_with_zero(type, observations.has_orientation) +
                           nuisance_parameters(freedoms(type, observations.has_orientation), dimension);
    const double cost = penalty(options.criterion, candidate.parameters, count);
    const double slid = travel(candidate.fit) / options.travel_scale;
    candidate.fit.log_prior -= 0.5 * slid * slid;
    candidate.score = candidate.fit.log_likelihood + candidate.fit.log_prior - cost;
    double plain = candidate.fit.log_likelihood_independent;
    if (turns_about_an_axis(type) && std::isfinite(options.radius_scale)) {
      FitOptions without = options.fit;
      without.radius_scale = std::numeric_limits<double>::infinity();
      plain = std::max(plain, fit_joint(type, observations, without).log_likelihood_independent);
    }
    candidate.plain_score = plain - cost;
    selection.candidates.push_back(std::move(candidate));
  }
  const auto is_plausible = [&](const Candidate& c) {
    return c.type != JointType::free && c.fit.status != FitStatus::failed &&
           c.fit.noise.position <= options.largest_noise.position &&
           c.fit.noise.angle <= options.largest_noise.angle;
  };
  const bool some_plausible =
      std::any_of(selection.candidates.begin(), selection.candidates.end(), is_plausible);
  const auto rank = [&](const Candidate& c) {
    if (c.fit.status == FitStatus::failed) return -std::numeric_limits<double>::infinity();
    if (c.type == JointType::free) return c.score - (some_plausible ? options.free_margin * count : 0.0);
    return c.score - (is_plausible(c) ? 0.0 : 2 * options.free_margin * count);
  };
  std::stable_sort(selection.candidates.begin(), selection.candidates.end(),
                   [&](const Candidate& a, const Candidate& b) { return rank(a) > rank(b); });
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
  // Three freedoms or more may be a simple joint whose positions and orientations do not belong together.
  if (types.size() > 1 && freedoms(best.type, best.fit.has_orientation) >= 3) {
    selection.contradiction = contradiction(observations, best.fit.log_likelihood);
    if (!selection.contradiction.empty()) {
      selection.reason = selection.contradiction;
      return selection;
    }
  }
  if (types.size() > 1) selection.rivals = rivals_of(best, selection.candidates, options);
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
