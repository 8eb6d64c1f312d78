#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include <Eigen/SVD>

#include <prehend/articulation/evidence/bend_evidence.h>
#include <prehend/articulation/evidence/candidate_sentence.h>
#include <prehend/articulation/evidence/common_clock.h>
#include <prehend/articulation/evidence/free_motion.h>
#include <prehend/articulation/evidence/fresh_noise.h>
#include <prehend/articulation/evidence/handedness.h>
#include <prehend/articulation/evidence/independent_frames.h>
#include <prehend/articulation/evidence/left_out_motion.h>
#include <prehend/articulation/evidence/marker_slip.h>
#include <prehend/articulation/evidence/mirrored_poses.h>
#include <prehend/articulation/evidence/remainder.h>
#include <prehend/articulation/evidence/stream_delay.h>
#include <prehend/articulation/evidence/track_motion.h>
#include <prehend/articulation/evidence/track_slips.h>
#include <prehend/articulation/evidence/uneven_noise.h>
#include <prehend/articulation/evidence/world_handedness.h>
#include <prehend/articulation/fit/likelihood.h>
#include <prehend/articulation/part_tracks.h>
#include <prehend/articulation/selection.h>
#include <prehend/math/angles.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

using model::JointType;

// Poses below which every type explains nearly any motion: a universal joint has 12 parameters and noise to find in four numbers of each.
constexpr int kLeastToChoose = 5;
// Poses below which whose noise it is cannot be told.
constexpr int kFramesForShare = 20;

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

std::string names(const std::vector<JointType>& types) {
  std::string text;
  for (const JointType type : types) text += std::string(text.empty() ? "" : " or ") + to_string(type);
  return text;
}

// Frames outside the noise, many in a row: a motion, not outliers.
int left_out_in_a_row(const JointFit& fit) {
  const int long_run = std::max(5, static_cast<int>(fit.weights.size()) / 20);
  int run = 0, count = 0;
  for (const double w : fit.weights) {
    run = w < 0.5 ? run + 1 : 0;
    if (run > long_run) count += run == long_run + 1 ? run : 1;
  }
  return count;
}

// Leaves what can be noise of a tracker, and leaves few frames out: flipped markers and lost parts are exceptions, and a
// door that stands still half of the time is not a wall with outliers.
bool is_plausible(const Candidate& c, const SelectionOptions& options) {
  // Of the frames; trackers of markers flip or lose fewer than one in ten, a door that rests half of the time would need a half.
  constexpr double kLargestOutlierShare = 0.25;
  if (c.type == JointType::rigid && left_out_in_a_row(c.fit) > 0) return false;  // however long the rest
  if (c.leaves_motion_out) return false;
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

// Slow errors that are larger for a while may be taken for outliers, all in a row: the same joint fitted to all frames, where it leaves no more than slow deviations
// are.
void take_slow_errors_in(Candidate& c, const Observations& observations, const SelectionOptions& options) {
  const bool is_simple = c.type == JointType::prismatic || c.type == JointType::revolute;
  if (!is_simple || !c.fit.has_orientation || left_out_in_a_row(c.fit) == 0) return;
  FitOptions all = options.fit;
  all.robust = false;
  all.noise_shape = NoiseShape::gaussian;
  all.radius_scale = options.radius_scale;
  all.start = c.fit.joint;
  JointFit fit = fit_joint(c.type, observations, all);
  if (fit.status == FitStatus::ok && fit.noise.position <= options.slow_noise.position &&
      fit.noise.angle <= options.slow_noise.angle)
    c.fit = std::move(fit);
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
    for (Candidate& c : candidates) {
      if (c.fit.status == FitStatus::failed) continue;
      weigh(c, *options.independence * c.fit.log_likelihood_independent, c.fit.log_prior,
            *options.independence * count, options);
      if (observations.covariances.empty()) c.independent_frames = *options.independence * count;
    }
    return *options.independence * count;
  }
  if (!best || options.fit.noise) return count;
  // Rounding and what files leave out change slowly as well; a hundredth of what slow deviations are is no deviation.
  constexpr double kNoDeviation = 0.01;
  if (best->fit.noise.position < kNoDeviation * options.slow_noise.position &&
      best->fit.noise.angle < kNoDeviation * options.slow_noise.angle)
    return count;
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
    take_slow_errors_in(c, observations, options);
    const JointFit fit = fit_joint(c.type, observations, known);
    weigh(c, frames / count * fit.log_likelihood_independent, fit.log_prior, frames, options);
    if (c.type != JointType::free)
      c.independent_frames = std::max(independent_frames(c.fit, observations), 2.0);
  }
  return frames;
}

// Candidates of another nature, with no more freedoms, that the motion does not refute.
Candidate* find(std::vector<Candidate>& candidates, JointType type) {
  const auto it = std::ranges::find(candidates, type, &Candidate::type);
  return it == candidates.end() ? nullptr : &*it;
}

// Types whose evidence integrate_bend makes comparable.
bool has_bend(JointType type) { return type == JointType::prismatic || type == JointType::revolute; }

std::string odds(double evidence) {
  char text[80];
  std::snprintf(text, sizeof text, "; the odds are %.2g to 1", std::exp(evidence));
  return text;
}

// Without orientation, where the way hardly bends: the circle's evidence from the line's and a Bayes factor, which leaves nothing for the
// criterion to take off. Returns whether that was so.
bool integrate_bend(std::vector<Candidate>& candidates, double frames, const Observations& observations,
                    const SelectionOptions& options) {
  Candidate* line = find(candidates, JointType::prismatic);
  Candidate* circle = find(candidates, JointType::revolute);
  if (observations.has_orientation || !line || !circle || !is_plausible(*line, options) ||
      !is_plausible(*circle, options))
    return false;
  const bool is_slow = frames < static_cast<double>(observations.poses.size());
  BendOptions bend;
  bend.radius_scale = options.radius_scale;
  bend.slow_noise = options.slow_noise.position;
  if (options.fit.noise) bend.known_noise = options.fit.noise->position;
  bend.known_independence = options.independence;
  if (is_slow) bend.slow_frames = line->independent_frames;
  const std::optional<double> factor = log_circle_over_line(line->fit, circle->fit, observations, bend);
  if (!factor) return false;
  // The one that explains more keeps its evidence, so that both stay comparable with what neither slides nor turns.
  Candidate& more = line->evidence > circle->evidence ? *line : *circle;
  Candidate& less = &more == line ? *circle : *line;
  const double difference = line->log_prior - *factor;
  less.evidence = more.evidence - (&more == line ? difference : -difference);
  for (Candidate* candidate : {line, circle})
    candidate->score = candidate->evidence - penalty(options.criterion, line->parameters, frames);
  return true;
}

// Whether a hinge moves far and turns by no more than slow errors do: a slide whose marker tilts on its way does as much.
bool hardly_turns(const Candidate& hinge, const SelectionOptions& options) {
  constexpr double kTurn = 4.0,
                   kShift =
                       10.0;  // of the noise; markers on drawers tilt by three deviations from end to end
  if (hinge.type != JointType::revolute || !options.independence || !options.fit.noise) return false;
  const double turn = hinge.fit.upper[0] - hinge.fit.lower[0];
  return turn < kTurn * options.fit.noise->angle &&
         turn * hinge.fit.joint.X_MJ.p().norm() > kShift * options.fit.noise->position;
}

std::vector<JointType> rivals_of(const Candidate& best, const std::vector<Candidate>& candidates,
                                 double frames, bool bend_is_integrated, const SelectionOptions& options) {
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
    if (bend_is_integrated && has_bend(best.type) && has_bend(other.type)) {
      if (best.evidence - other.evidence < options.margin) rivals.push_back(other.type);
      continue;
    }
    if (other.type == JointType::prismatic && hardly_turns(best, options)) {
      rivals.push_back(other.type);
      continue;
    }
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

std::string slip_sentence(const Slip& slip) {
  char text[200];
  std::snprintf(
      text, sizeof text,
      "the tracked point slips by %.3g mm between %.6g s and %.6g s: another point of the same part is "
      "seen from then on",
      1e3 * slip.size, slip.before_time, slip.after_time);
  return text;
}

// Types are compared by Gaussian likelihoods; the one that is answered takes the shape of its noise into account.
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

// Standard deviations count frames as independent: where residuals change slowly there are fewer.
void widen_for_slow_deviations(Candidate& chosen, const Observations& observations) {
  const double frames = std::max(independent_frames(chosen.fit, observations), 2.0);
  const double factor = std::sqrt(std::max(1.0, static_cast<double>(observations.poses.size()) / frames));
  FitDeviations& of = chosen.fit.deviations;
  for (std::optional<double>* one : {&of.axis_F, &of.axis_M, &of.axis2_M})
    if (*one) *one = std::min(factor * **one, math::kPi / 2);
  for (std::optional<double>* one : {&of.point_F, &of.point_M, &of.pitch})
    if (*one) *one = factor * **one;
}

// The fixed part's share of the angular noise. Wrongly taken as a half, the swing of the less well tracked part looks like a motion. Simple joints,
// each with the share that suits it: the most likely share counts, the `expected` one where others are not clearly better.
double likely_share(const Observations& observations, double expected, const SelectionOptions& options) {
  // Ratios of the parts' noise of 1/10, 1/5, 1/3, 1/2, 2, 3, 5 and 10.
  constexpr std::array kShares{0.01, 0.04, 0.1, 0.2, 0.8, 0.9, 0.96, 0.99};
  constexpr int kFrames = 150;  // as many tell a share to some hundredths
  Observations few = observations;
  const std::size_t stride = observations.poses.size() / kFrames + 1;
  if (stride > 1) {
    few.poses.clear();
    for (std::size_t i = 0; i < observations.poses.size(); i += stride)
      few.poses.push_back(observations.poses[i]);
  }
  double best = -std::numeric_limits<double>::infinity(), share = expected;
  FitOptions fit_options = options.fit;
  fit_options.noise_shape = NoiseShape::gaussian;
  fit_options.radius_scale = options.radius_scale;
  const double n = static_cast<double>(few.poses.size());
  for (const JointType type : {JointType::rigid, JointType::prismatic, JointType::revolute}) {
    const int k = parameters_with_zero(type, true) + nuisance_parameters(freedoms(type, true), 6);
    fit_options.fixed_share = expected;
    fit_options.start.reset();
    const JointFit plain = fit_joint(type, few, fit_options);
    if (plain.status != FitStatus::ok) continue;
    const double cost = penalty(options.criterion, k, n),
                 as_expected = plain.log_likelihood_independent - cost;
    if (as_expected > best) best = as_expected, share = expected;
    fit_options.start = plain.joint;
    for (const double other : kShares) {
      fit_options.fixed_share = other;
      const JointFit fit = fit_joint(type, few, fit_options);
      const double score = fit.log_likelihood_independent - cost;
      if (fit.status != FitStatus::ok || score < as_expected + options.margin || score <= best) continue;
      best = score;
      share = other;
    }
  }
  return share;
}

// Of exact poses, where noise falls to its floor at once, two axes may run away: again with noise that is known and becomes less, a hundredth each time, and
// from there as usual.
JointFit fitted_by_less_noise(JointType type, const Observations& observations, const FitOptions& options) {
  constexpr double kOfSize = 1e-3, kAngle = 1e-3,
                   kLess = 1e-2;  // [-, rad] more than errors of the closed form
  double size = 0;
  for (const Observation& one : observations.poses) size = std::max(size, one.X_FM.p().norm());
  FitOptions known = options;
  for (const double less : {1.0, kLess}) {
    known.noise = PoseNoise{less * kOfSize * std::max(size, 1e-3), less * kAngle};
    const JointFit fit = fit_joint(type, observations, known);
    if (fit.status != FitStatus::ok) break;
    known.start = fit.joint;
  }
  known.noise.reset();
  if (!known.start) return {};  // what remains is the fit as usual, which is known
  return fit_joint(type, observations, known);
}

Candidate fitted(JointType type, const Observations& observations, const SelectionOptions& options) {
  constexpr double kPriorMatters = -0.1;  // [nats] a prior above that changed nothing
  const int count = static_cast<int>(observations.poses.size());
  const bool oriented = observations.has_orientation;
  Candidate candidate;
  candidate.type = type;
  FitOptions fit_options = options.fit;
  fit_options.radius_scale = options.radius_scale;
  fit_options.noise_shape = NoiseShape::gaussian;
  candidate.fit = fit_joint(type, observations, fit_options);
  if (type == JointType::universal && candidate.fit.status == FitStatus::not_converged &&
      !fit_options.noise && oriented && observations.covariances.empty())
    if (JointFit again = fitted_by_less_noise(type, observations, fit_options);
        again.status == FitStatus::ok && again.outliers < candidate.fit.outliers)
      candidate.fit = std::move(again);
  candidate.parameters =
      parameters_with_zero(type, oriented) + nuisance_parameters(freedoms(type, oriented), oriented ? 6 : 3);
  weigh(candidate, candidate.fit.log_likelihood_independent, candidate.fit.log_prior, count, options);
  double plain = candidate.fit.log_likelihood_independent;
  if (options.wants_plain_score && turns_about_an_axis(type) && candidate.fit.log_prior < kPriorMatters) {
    FitOptions without = fit_options;
    without.radius_scale = std::numeric_limits<double>::infinity();
    plain = std::max(plain, fit_joint(type, observations, without).log_likelihood_independent);
  }
  candidate.independent_frames = count;
  candidate.plain_score = plain - penalty(options.criterion, candidate.parameters, count);
  return candidate;
}

// A slide or hinge that leaves a short motion out as outliers, again with the noise of slow deviations, to which the motion is none: where that takes it in
// and leaves no more than slow deviations are, it is the fit. Where the noise is known, with three times that, if it is then likelier.
void take_short_motion_in(Candidate& c, const Observations& observations, const SelectionOptions& options) {
  if (freedoms(c.type, true) != 1 || c.type == JointType::screw || c.fit.status == FitStatus::failed ||
      !leaves_motion_out(c.fit, observations))
    return;
  constexpr double kMore = 1.3;  // of what it left without those frames
  constexpr double kOfKnown = 3.0;
  const std::optional<PoseNoise> known = options.fit.noise;
  const PoseNoise most = known
                             ? PoseNoise{kOfKnown * known->position, kOfKnown * known->angle}
                             : PoseNoise{std::max(options.slow_noise.position, kMore * c.fit.noise.position),
                                         std::max(options.slow_noise.angle, kMore * c.fit.noise.angle)};
  SelectionOptions again = options;
  again.fit.noise = most;
  again.fit.radius_scale = options.radius_scale;
  const JointFit rough = fit_joint(c.type, observations, again.fit);
  if (rough.status != FitStatus::ok || leaves_motion_out(rough, observations)) return;
  again.fit.noise = known;
  again.fit.start = rough.joint;
  for (const bool robust : {true, false}) {
    again.fit.robust = robust;
    Candidate other = fitted(c.type, observations, again);
    const bool is_better = known ? other.evidence > c.evidence
                                 : other.fit.noise.position <= most.position &&
                                       other.fit.noise.angle <= most.angle &&
                                       !leaves_motion_out(other.fit, observations);
    if (other.fit.status == FitStatus::ok && is_better) {
      c = std::move(other);
      return;
    }
    if (known) return;
  }
}

// Rigid connections, slides and hinges that leave a short motion out, where another slide or hinge has it.
void find_motion_left_out(std::vector<Candidate>& candidates, const Observations& observations,
                          const SelectionOptions& options) {
  if (!observations.has_orientation) return;
  for (Candidate& c : candidates) take_short_motion_in(c, observations, options);
  const auto is_slide_or_hinge = [](const Candidate& c) {
    return c.type == JointType::prismatic || c.type == JointType::revolute;
  };
  for (Candidate& c : candidates) {
    if ((c.type != JointType::rigid && !is_slide_or_hinge(c)) || c.fit.status == FitStatus::failed ||
        !leaves_motion_out(c.fit, observations))
      continue;
    c.leaves_motion_out = std::ranges::any_of(candidates, [&](const Candidate& other) {
      return is_slide_or_hinge(other) && other.fit.status != FitStatus::failed &&
             other.fit.outliers < c.fit.outliers && !leaves_motion_out(other.fit, observations);
    });
  }
}

// A hinge that turns by little, or a slide, may end in another minimum than the best: again from the joints that contain it, without what they have beyond.
void start_from_richer(std::vector<Candidate>& candidates, const Observations& observations,
                       const SelectionOptions& options) {
  constexpr double kBetter = 0.1;  // [nats] more than rounding
  if (!observations.has_orientation || options.fit.method != FitMethod::likelihood) return;
  for (Candidate& simple : candidates) {
    if (simple.fit.status == FitStatus::failed || freedoms(simple.type, true) != 1) continue;
    for (const Candidate& rich : candidates) {
      // Joints of one axis that slide or turn about it: their frames are a simple joint's.
      const bool has_axis = rich.type == JointType::screw || rich.type == JointType::cylindrical ||
                            (rich.type == JointType::revolute && simple.type == JointType::screw);
      if (!has_axis || rich.type == simple.type || rich.fit.status == FitStatus::failed ||
          rich.fit.log_likelihood_independent < simple.fit.log_likelihood_independent + options.margin)
        continue;
      SelectionOptions again = options;
      again.fit.start = rich.fit.joint;
      again.fit.start->type = simple.type;
      if (simple.type != JointType::screw) again.fit.start->pitch = 0.0;
      Candidate other = fitted(simple.type, observations, again);
      if (other.fit.status == FitStatus::ok &&
          other.fit.log_likelihood_independent + other.fit.log_prior >
              simple.fit.log_likelihood_independent + simple.fit.log_prior + kBetter)
        simple = std::move(other);
    }
  }
}

std::string slow_note(const Selection& selection, int count, const SelectionOptions& options) {
  char note[160], angle[40] = "";
  if (selection.has_orientation)
    std::snprintf(angle, sizeof angle, " and %.3g deg", math::degrees(options.slow_noise.angle));
  std::snprintf(note, sizeof note,
                "deviations change slowly: %d frames count as %.0f, deviations up to %.3g mm%s are no motion",
                count, selection.independent_frames, 1e3 * options.slow_noise.position, angle);
  return note;
}

// Residuals far below the noise: that is at its floor, the poses are exact, and nothing is left for a further freedom to explain.
bool leaves_nothing(const Candidate& c) {
  constexpr double kFarBelow = 0.1;  // residuals of noise that was estimated are within a factor of two of it
  return c.fit.has_orientation && c.fit.rms_position <= kFarBelow * c.fit.noise.position &&
         c.fit.rms_angle <= kFarBelow * c.fit.noise.angle;
}

// A hinge that advances by less than twice the noise of a frame over all of its turn is no screw, nor is a slide that turns by less than three times that: rounding in a
// file, errors of the axis and of whose noise it is do as much. As in `discover`. Lengths that are off by some percent along one direction make a hinge advance by a
// hundredth of its way: that must stand out from what is left.
bool is_hardly_a_screw(const JointFit& screw, JointType simple, const SelectionOptions& options) {
  constexpr double kAdvance = 2.0, kTurn = 3.0;  // of the noise
  // Of what is left, of the arc, and of slow deviations, from end to end.
  constexpr double kStandsOut = 4.0, kOfWay = 0.02, kSlow = 2.0;
  const double turn = screw.upper[0] - screw.lower[0];
  if (simple == JointType::prismatic) return turn < kTurn * screw.noise.angle;
  const double advance = std::abs(screw.joint.pitch) * turn;
  return simple == JointType::revolute &&
         (advance < kAdvance * screw.noise.position ||
          (advance < kStandsOut * std::max(screw.noise.position, screw.rms_position) &&
           advance < kOfWay * screw.joint.X_MJ.p().norm() * turn &&
           advance < kSlow * options.slow_noise.position));
}

// Best first; but the simplest joint that the winner contains keeps the place unless it is clearly worse: by `margin`, and by a tenth of a nat in every
// frame for every further freedom where covariances are estimates. Variances that are off by a third along one direction are worth a hundredth to a freedom that follows it, axes that
// turn a few times that; a motion of twice the noise is worth half a nat.
void sort_candidates(std::vector<Candidate>& candidates, double independent_frames, bool noise_is_estimated,
                     const SelectionOptions& options) {
  constexpr double kPerFrame = 0.1;  // [nats]
  const auto margin = [&](const Candidate& c) {
    const int further = std::max(
        1, freedoms(candidates[0].type, c.fit.has_orientation) - freedoms(c.type, c.fit.has_orientation));
    return noise_is_estimated ? std::max(options.margin, kPerFrame * further * independent_frames)
                              : options.margin;
  };
  const bool some_plausible = std::any_of(candidates.begin(), candidates.end(),
                                          [&](const Candidate& c) { return is_plausible(c, options); });
  const double free_cost = options.free_margin * independent_frames;
  const auto rank = [&](const Candidate& c) {
    if (c.fit.status == FitStatus::failed) return -std::numeric_limits<double>::infinity();
    if (c.type == JointType::free) return c.score - (some_plausible ? free_cost : 0.0);
    return c.score - (is_plausible(c, options) ? 0.0 : 2 * free_cost);
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const Candidate& a, const Candidate& b) { return rank(a) > rank(b); });
  // A tie is the simpler joint's. Fits end within a tenth of a nat of their optimum, so that rounding would decide which of two comes first; odds of 1.1 to 1 are none.
  // What is said of either stays subject to `margin`.
  constexpr double kTie = 0.1;  // [nats]
  if (candidates.size() > 1 && rank(candidates[0]) - rank(candidates[1]) < kTie &&
      candidates[1].parameters < candidates[0].parameters)
    std::swap(candidates[0], candidates[1]);
  std::size_t chosen = 0;
  const auto without_prior = [&](const Candidate& c) { return rank(c) - c.log_prior; };
  const auto complexity = [&](const Candidate& c) {
    return 100 * freedoms(c.type, c.fit.has_orientation) + c.parameters;
  };
  // Errors that change slowly are followed by every further freedom: one must leave less than half of what the simpler joint leaves. As in `discover`.
  const auto follows_slow_errors = [&](const Candidate& rich, const Candidate& simple) {
    constexpr double kLeaves = 2.0;
    const auto left = [&](const Candidate& c) {
      return std::hypot(c.fit.noise.position / options.slow_noise.position,
                        c.fit.noise.angle / options.slow_noise.angle);
    };
    return independent_frames < static_cast<double>(rich.fit.weights.size()) && rich.fit.has_orientation &&
           !options.independence && simple.type != JointType::rigid && is_plausible(simple, options) &&
           simple.fit.noise.position <= options.slow_noise.position &&
           simple.fit.noise.angle <= options.slow_noise.angle && contains(rich.type, simple.type) &&
           left(simple) < kLeaves * left(rich);
  };
  for (std::size_t k = 1; k < candidates.size(); ++k) {
    const Candidate& c = candidates[k];
    // A planar joint has no radius: that the axis of a hinge is far away is nothing in its favour.
    if (follows_slow_errors(candidates[0], c)) {
      if (complexity(c) < complexity(candidates[chosen])) chosen = k;
      continue;
    }
    if (candidates[0].type == JointType::screw && is_hardly_a_screw(candidates[0].fit, c.type, options)) {
      chosen = k;
      break;
    }
    const double behind =
        candidates[0].type == JointType::planar
            ? std::min(rank(candidates[0]) - rank(c), without_prior(candidates[0]) - without_prior(c))
            : rank(candidates[0]) - rank(c);
    if ((c.type == JointType::rigid && !noise_is_estimated) || !is_plausible(c, options) ||
        !contains(candidates[0].type, c.type) || (behind > margin(c) && !leaves_nothing(c)))
      continue;
    if (complexity(c) < complexity(candidates[chosen])) chosen = k;
  }
  std::rotate(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(chosen),
              candidates.begin() + static_cast<std::ptrdiff_t>(chosen) + 1);
}

// A hinge or slide whose state changes smoothly while its residuals are new in every frame, along all directions, leaves noise alone, whatever its size
// and directions: what a further freedom would follow is no motion. As in `discover`
// (tree/pair_fit.h).
bool leaves_fresh_noise(const Candidate& simple, const Observations& observations) {
  // Of fewer frames the largest of six variances is twice the mean one by chance alone.
  constexpr std::size_t kLeastFrames = 40;
  // Variance of the state over the part that is new in every frame. A second motion as lively as the first would show this ratio in residuals, too, where noise
  // has one. Chosen on a door at 7.5 frames a second (9.3); 30 frames a second have 100 and more.
  constexpr double kSmooth = 4.0;
  // The same of residuals is one for noise; the largest of six directions by chance 1 + 6 / sqrt(frames) in one of a thousand.
  constexpr double kByChance = 8.0;
  std::vector<math::Vector6d> rest;
  double mean = 0, squared = 0, fresh = 0, last = 0;
  math::Matrix6d scatter = math::Matrix6d::Zero(), floor = scatter;
  for (std::size_t i = 0; i < observations.poses.size(); ++i) {
    if (simple.fit.weights[i] < 0.5) continue;
    const State& q = *simple.fit.states[observations.poses[i].time];
    const math::Pose& X = observations.poses[i].X_FM;
    const math::Pose Y = simple.fit.joint.forward(q);
    math::Vector6d e;
    e << math::log_so3(Y.q().conjugate() * X.q()) / simple.fit.noise.angle,
        (X.p() - Y.p()) / simple.fit.noise.position;
    if (!rest.empty()) {
      fresh += 0.5 * (q[0] - last) * (q[0] - last);
      floor += 0.5 * (e - rest.back()) * (e - rest.back()).transpose();
    }
    mean += q[0], squared += q[0] * q[0], last = q[0];
    scatter += e * e.transpose();
    rest.push_back(e);
  }
  const double n = static_cast<double>(rest.size());
  if (rest.size() < kLeastFrames || 10 * rest.size() < 9 * observations.poses.size()) return false;
  if (!(squared - mean * mean / n > kSmooth * fresh)) return false;
  scatter /= n;
  floor /= n - 1;
  floor.diagonal().array() += 1e-3 * scatter.trace();  // directions that the state has taken
  const Eigen::VectorXd l = math::spectrum(scatter, floor).values;
  return l.size() == 6 && l[5] < 1 + kByChance / std::sqrt(n);
}

// What leaves noise alone comes before what follows that noise by further freedoms.
void prefer_what_leaves_noise(std::vector<Candidate>& candidates, const Observations& observations,
                              const SelectionOptions& options) {
  const Candidate& best = candidates.front();
  if (!observations.has_orientation || options.fit.noise || freedoms(best.type, true) < 2 ||
      best.type == JointType::free)
    return;
  for (std::size_t k = 1; k < candidates.size(); ++k) {
    const Candidate& c = candidates[k];
    if (freedoms(c.type, true) != 1 || c.type == JointType::screw || !contains(best.type, c.type) ||
        !is_plausible(c, options) || !leaves_fresh_noise(c, observations))
      continue;
    std::rotate(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(k),
                candidates.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    return;
  }
}

// Whether a joint of one freedom is followed from frame to frame: a further freedom would move smoothly as well, and what is new in every frame is none.
bool moves_smoothly(const JointFit& fit) {
  constexpr double kSmooth = 4.0;  // variance of the state over the part that is new in every frame, as above
  double n = 0, mean = 0, squared = 0, fresh = 0, last = 0, first = 0;
  for (std::size_t i = 0; i < fit.states.size(); ++i) {
    if (!fit.states[i] || fit.states[i]->size() != 1) continue;
    const double q = (*fit.states[i])[0];
    if (n == 0) first = q;
    if (n > 0) fresh += 0.5 * (q - last) * (q - last);
    mean += q - first, squared += (q - first) * (q - first), last = q, n += 1;
  }
  return n > 1 && squared - mean * mean / n > kSmooth * fresh;
}

// Whether what a simple joint leaves beyond noise that is new in every frame is so little that play, bending and slow errors of trackers are as large; a freedom
// that is used moves further.
bool leaves_little(const Candidate& c, const Observations& observations) {
  // [m, rad] Standard deviation along the worst direction: 7 mm and 4 deg from end to end; and of the motion, which slow deviations of wood and
  // sheet metal are a twentieth of.
  constexpr PoseNoise kLittle{0.002, 0.02};
  constexpr double kOfMotion = 0.05, kWhite = 0.5;
  // Of a variance of n residuals that are new in every frame, the part that seems slow is 1 / sqrt(n) by chance.
  constexpr double kByChance = 2.0;
  const Remainder left = remainder_of(c.fit, observations);
  // [m] Of a hinge through the moving part's origin nothing but the turning shows how large things are.
  const double reach =
      std::sqrt(3.0) * std::hypot(left.motion.position, c.fit.joint.X_FJ.p().norm() * left.motion.angle);
  const double turning = std::sqrt(3.0) * left.motion.angle;
  const double chance = std::sqrt(kByChance / std::sqrt(left.frames));
  return left.slow_worst.position <
             std::min(std::hypot(kLittle.position, chance * left.worst.position), kOfMotion * reach) &&
         left.slow_worst.angle < std::hypot(kLittle.angle, chance * left.worst.angle) &&
         (c.type == JointType::prismatic || left.slow_worst.angle < kOfMotion * turning) &&
         (moves_smoothly(c.fit) || independent_frames(c.fit, observations) < kWhite * left.frames);
}

// Whether a pitch explains less than half of what a hinge or slide leaves beyond noise that is new in every frame.
bool pitch_follows_errors(const Candidate& screw, const Candidate& simple, const Observations& observations) {
  constexpr double kLeaves = 2.0;
  // Of a variance of n residuals that are new in every frame, the part that seems slow is 1 / sqrt(n) by chance.
  constexpr double kByChance = 3.0;
  const Remainder all = remainder_of(screw.fit, observations), left = remainder_of(simple.fit, observations);
  const bool shifts = simple.type == JointType::revolute;
  const double rest = shifts ? all.slow.position : all.slow.angle;
  const double noise = shifts ? screw.fit.rms_position : screw.fit.rms_angle;
  return rest * rest > kByChance / std::sqrt(all.frames) * noise * noise &&
         (shifts ? left.slow.position : left.slow.angle) < kLeaves * rest;
}

// Simple joints that leave little come before those that follow it by a pitch or further freedoms. Returns a sentence where one does.
std::string prefer_what_leaves_little(std::vector<Candidate>& candidates, const Observations& observations,
                                      const SelectionOptions& options) {
  constexpr double kLeftOut = 0.05;  // of the frames
  const Candidate& best = candidates.front();
  const bool is_screw = best.type == JointType::screw;
  if (!observations.has_orientation || best.fit.status == FitStatus::failed || best.type == JointType::free ||
      (freedoms(best.type, true) < 2 && !is_screw))
    return "";
  for (const JointType type : {JointType::prismatic, JointType::revolute, JointType::universal}) {
    const auto c = std::ranges::find(candidates, type, &Candidate::type);
    if (c == candidates.end() || type == best.type || !contains(best.type, type) ||
        !is_plausible(*c, options) ||
        c->fit.outliers > kLeftOut * static_cast<double>(c->fit.weights.size()) ||
        !(is_screw ? pitch_follows_errors(best, *c, observations) : leaves_little(*c, observations)))
      continue;
    const std::string note = std::string("a ") + to_string(best.type) +
                             " joint would leave less; what it explains changes slowly, and is as little as "
                             "play, bending and errors of trackers are";
    std::rotate(candidates.begin(), c, c + 1);
    return note;
  }
  return "";
}

// What turns may be a hinge whose positions and orientations do not belong together; a hinge itself where it leaves more than slow
// deviations are known to be.
bool may_contradict(const Selection& selection, const Observations& observations,
                    const SelectionOptions& options) {
  const Candidate& best = selection.best();
  const bool leaves_much = selection.independent_frames >= static_cast<double>(observations.poses.size()) ||
                           best.fit.noise.position > options.slow_noise.position ||
                           best.fit.noise.angle > options.slow_noise.angle;
  return best.type != JointType::rigid && best.type != JointType::prismatic &&
         (best.type != JointType::revolute || leaves_much);
}

bool is_rich(JointType type) { return freedoms(type, true) > 1; }

// What a joint leaves, in position [m] or orientation [rad]: over all frames, from one frame to the next, and how far the part moves.
struct Left {
  double all{0}, fresh{0}, rough{0},
      motion{0};  // per axis; `rough` by second differences, which smooth motion hardly has
  // `unrepeated`: see Unrepeated.
  bool is_much(double slow, JointType type, bool changes_slowly, bool is_ordered, double unrepeated) const {
    // Noise is new in every frame; three times that is not noise. A twentieth of the motion, and less than slow deviations are, is bending.
    constexpr double kOfFresh = 3.0, kOfMotion = 0.05;
    // Slow errors of a tracker come with noise that is new in every frame: in 23 recordings of kitchen doors they are 1 to 7 times that. What is
    // smooth to a twentieth is motion, from a fifth of slow deviations on.
    constexpr double kSmooth = 20.0, kMatters = 0.2;
    // A joint of several freedoms has followed what is slow already: what it still leaves beyond noise is motion that it does not have. Of 25 such
    // joints none left slow residuals; two hinges whose axes pass 8 to 24 mm apart leave 1.2 to 1.5 times what is rough as a spherical joint.
    constexpr double kOfRough = 1.6, kOfRoughWhereSlow = 1.1, kOfRichMotion = 0.01;
    const double of_rough = changes_slowly ? kOfRoughWhereSlow : kOfRough;
    // A screw follows what a hinge and a slide leave, too, but slow errors of a thing on a thread are errors: from slow deviations on.
    const double matters = is_rich(type)              ? kMatters * slow
                           : type == JointType::screw ? slow
                                                      : std::numeric_limits<double>::infinity();
    // Motion that a joint does not have repeats as its state does: of what is slow in positions, 0.3 at most is no function of the state for 10 pairs of hinges
    // whose axes pass 1 to 10 mm apart (0.43 in orientations), and more than 0.5 in 10 of 14 recordings with flexing links and wandering errors.
    constexpr double kWanders = 0.5;
    if (all > kOfRichMotion * motion && all > matters && all > of_rough * rough && unrepeated < kWanders)
      return true;
    if (all < kOfMotion * motion) return false;
    // Poses taken one by one, each far from the one before: what is new in every frame is motion as well as noise. Twice what slow errors of trackers are.
    if (!is_ordered && all > 2.0 * slow) return true;
    // What is slow of it: twice what slow deviations are known to be, and twice what is rough.
    constexpr double kTwice = 2.0;
    const double smooth = std::sqrt(std::max(0.0, all * all - rough * rough));
    return (all > slow && all > kOfFresh * fresh) || (all > kMatters * slow && all > kSmooth * rough) ||
           smooth > kTwice * std::max(slow, rough);
  }
};

// Residual against noise: a sentence where the joint leaves far more than changes from frame to frame, in metres and degrees that matter.
std::string left_unexplained(const Candidate& best, const Observations& observations,
                             const SelectionOptions& options) {
  if (best.type == JointType::free || !best.fit.has_orientation || options.fit.noise) return "";
  Left position, angle;
  std::vector<Eigen::Vector3d> p, a, way;
  std::vector<Eigen::Quaterniond> turned;
  Eigen::Matrix3d R = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < observations.poses.size(); ++i) {
    if (best.fit.weights[i] < 0.5) continue;
    const math::Pose& X = observations.poses[i].X_FM;
    const math::Pose Y = best.fit.joint.forward(*best.fit.states[observations.poses[i].time]);
    p.push_back(X.p() - Y.p());
    a.push_back(math::log_so3(Y.q().conjugate() * X.q()));
    way.push_back(X.p());
    turned.push_back(X.q());
    R += X.R();
  }
  if (p.size() < 5) return "";
  // Of all frames: markers that are flipped or hidden for a while are fewer.
  constexpr double kMostInARow = 0.1;
  if (const int away = left_out_in_a_row(best.fit);
      away > kMostInARow * static_cast<double>(best.fit.weights.size()))
    return "no joint explains the motion: the best, " + std::string(to_string(best.type)) + ", leaves out " +
           std::to_string(away) + " frames in a row or in few rows";
  if (leaves_motion_out(best.fit, observations))
    return "no joint explains the motion: the best, " + std::string(to_string(best.type)) +
           ", leaves frames out in which the part moves";
  const double n = static_cast<double>(p.size());
  const auto spread = [&](const std::vector<Eigen::Vector3d>& v, bool about_mean) {
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    double sum = 0;
    for (const Eigen::Vector3d& e : v) mean += e / n * (about_mean ? 1.0 : 0.0);
    for (const Eigen::Vector3d& e : v) sum += (e - mean).squaredNorm();
    return std::sqrt(sum / (3 * n));
  };
  const auto fresh = [&](const std::vector<Eigen::Vector3d>& v) {
    double sum = 0;
    for (std::size_t i = 1; i < v.size(); ++i) sum += (v[i] - v[i - 1]).squaredNorm();
    return std::sqrt(sum / (6 * (n - 1)));
  };
  const auto rough = [&](const std::vector<Eigen::Vector3d>& v) {
    double sum = 0;
    for (std::size_t i = 2; i < v.size(); ++i) sum += (v[i] - 2 * v[i - 1] + v[i - 2]).squaredNorm();
    return std::sqrt(sum / (18 * (n - 2)));
  };
  position = {spread(p, false), fresh(p), rough(p), spread(way, true)};
  const double turning2 = 3 - Eigen::JacobiSVD<Eigen::Matrix3d>(R / n).singularValues().sum();
  angle = {spread(a, false), fresh(a), rough(a), std::sqrt(std::max(turning2, 0.0) / 3)};
  // Motion that is followed from frame to frame changes by little beside its spread; of poses taken one by one both are alike.
  constexpr double kFollowed = 0.5;
  constexpr std::size_t kMany =
      40;  // poses: of so many the likelihood tells noise of any size from motion that no joint has
  double turns_between = 0;
  for (std::size_t i = 1; i < turned.size(); ++i)
    turns_between += math::log_so3(turned[i - 1].conjugate() * turned[i]).squaredNorm() / (6 * (n - 1));
  const bool is_ordered = p.size() >= kMany || fresh(way) < kFollowed * position.motion ||
                          std::sqrt(turns_between) < kFollowed * angle.motion;
  constexpr double kWhite = 0.5;  // independent frames of all; as in allow_for_slow_deviations
  bool is_slow = false;
  Unrepeated wanders;
  if (is_rich(best.type) || best.type == JointType::screw) {
    const double frames = independent_frames(best.fit, observations);
    is_slow = frames < kWhite * n;
    if (is_slow) wanders = unrepeated_share(best.fit, observations, frames);
  }
  if (!position.is_much(options.slow_noise.position, best.type, is_slow, is_ordered, wanders.position) &&
      !angle.is_much(options.slow_noise.angle, best.type, is_slow, is_ordered, wanders.angle))
    return "";
  char text[240];
  std::snprintf(text, sizeof text,
                "no joint explains the motion: the best, %s, leaves %.3g mm and %.3g deg where poses change "
                "by %.3g mm and "
                "%.3g deg from frame to frame",
                to_string(best.type), 1e3 * position.all, math::degrees(angle.all), 1e3 * position.fresh,
                math::degrees(angle.fresh));
  return text;
}

// Where the best candidate leaves motion unexplained and another explains it, that one comes first, however the likelihood takes what is left
// for noise.
void prefer_what_explains(std::vector<Candidate>& candidates, const Observations& observations,
                          const SelectionOptions& options) {
  constexpr double kFarLess = 1.0 / 3;  // of what the best leaves, per axis
  const Candidate& best = candidates.front();
  if (best.fit.status == FitStatus::failed || left_unexplained(best, observations, options).empty()) return;
  // A spherical joint follows any error of a universal one's orientations.
  const bool is_little = is_rich(best.type) && leaves_little(best, observations);
  for (std::size_t k = 1; k < candidates.size(); ++k) {
    const Candidate& c = candidates[k];
    if (!is_plausible(c, options) || c.fit.outliers > best.fit.outliers ||
        (is_little && contains(c.type, best.type)) ||
        c.fit.noise.position > std::max(kFarLess * best.fit.noise.position, options.slow_noise.position) ||
        c.fit.noise.angle > std::max(kFarLess * best.fit.noise.angle, options.slow_noise.angle) ||
        !left_unexplained(c, observations, options).empty())
      continue;
    std::rotate(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(k),
                candidates.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    return;
  }
}

// A hinge or slide that leaves more than slow deviations are known to be, where a joint that contains it leaves far less: errors are in all directions, and no pitch or
// freedom takes most of them.
void prefer_what_leaves_far_less(std::vector<Candidate>& candidates, const Observations& observations,
                                 const SelectionOptions& options) {
  constexpr double kFar = 1.0 / 4, kAsMuch = 1.2;  // of what the simple one leaves, per axis
  const Candidate& best = candidates.front();
  const PoseNoise& left = best.fit.noise;
  const bool shifts = left.position > options.slow_noise.position,
             turns = left.angle > options.slow_noise.angle;
  if (!observations.has_orientation || options.fit.noise || freedoms(best.type, true) != 1 ||
      best.fit.status == FitStatus::failed || shifts == turns)
    return;
  for (const JointType type : {JointType::screw, JointType::cylindrical}) {
    const auto c = std::ranges::find(candidates, type, &Candidate::type);
    if (c == candidates.end() || type == best.type || !contains(type, best.type) ||
        !is_plausible(*c, options) || c->fit.outliers > best.fit.outliers ||
        c->fit.noise.position > (shifts ? kFar : kAsMuch) * left.position ||
        c->fit.noise.angle > (turns ? kFar : kAsMuch) * left.angle)
      continue;
    std::rotate(candidates.begin(), c, c + 1);
    return;
  }
}

// Where every joint leaves far more than errors of trackers are, without jumps, the parts are moved apart: `free`, however the likelihood takes what is left for noise.
void prefer_free_motion(std::vector<Candidate>& candidates, const Observations& observations,
                        const SelectionOptions& options) {
  const auto free = std::ranges::find(candidates, JointType::free, &Candidate::type);
  if (free == candidates.begin() || free == candidates.end() || free->fit.status == FitStatus::failed ||
      options.fit.noise)
    return;
  if (std::ranges::all_of(candidates, [&](const Candidate& c) {
        return c.type == JointType::free || c.fit.status == FitStatus::failed ||
               leaves_free_motion(c.fit, observations, options.slow_noise);
      }))
    std::rotate(candidates.begin(), free, free + 1);
}

// A hinge that turns by little beside slow errors: it leaves less than half of the worst turns of a rigid connection, and turns far and smoothly beside what it leaves; slow
// errors tilt a marker about two axes alike. As tree/error_floor has it, where the numbers were chosen.
void prefer_small_hinge(std::vector<Candidate>& candidates, const Observations& observations,
                        const SelectionOptions& options) {
  constexpr double kLeaves = 0.5, kTurns = 8.0;  // of the worst turns: before; the whole turn, after
  const Candidate& best = candidates.front();
  const auto hinge = std::ranges::find(candidates, JointType::revolute, &Candidate::type);
  if (!observations.has_orientation || best.type != JointType::rigid || hinge == candidates.end() ||
      !is_plausible(*hinge, options) || hinge->fit.outliers > best.fit.outliers ||
      !moves_smoothly(hinge->fit))
    return;
  const double left = remainder_of(hinge->fit, observations).worst.angle;
  if (left < kLeaves * remainder_of(best.fit, observations).worst.angle &&
      hinge->fit.upper[0] - hinge->fit.lower[0] > kTurns * left)
    std::rotate(candidates.begin(), hinge, hinge + 1);
}

// What goes before the scores.
void reorder(Selection& selection, const Observations& observations, const SelectionOptions& options) {
  std::vector<Candidate>& candidates = selection.candidates;
  prefer_what_leaves_noise(candidates, observations, options);
  prefer_what_leaves_far_less(candidates, observations, options);
  const std::string note = prefer_what_leaves_little(candidates, observations, options);
  const JointType type = candidates.front().type;
  prefer_what_explains(candidates, observations, options);
  if (!note.empty() && candidates.front().type == type) selection.notes.push_back(note);
  prefer_free_motion(candidates, observations, options);
  prefer_small_hinge(candidates, observations, options);
}

// Why the best candidate of several is not the answer; empty: it is.
std::string doubt_about_best(Selection& selection, const Observations& observations, bool bend_is_integrated,
                             const SelectionOptions& options) {
  const Candidate& best = selection.best();
  if (may_contradict(selection, observations, options)) {
    selection.contradiction = contradiction(observations, best.fit.log_likelihood);
    if (!selection.contradiction.empty()) return selection.contradiction;
  }
  if (const std::string left = left_unexplained(best, observations, options); !left.empty()) return left;
  selection.rivals =
      rivals_of(best, selection.candidates, selection.independent_frames, bend_is_integrated, options);
  // What leaves motion unexplained is no rival of what explains it.
  std::erase_if(selection.rivals, [&](JointType type) {
    return !left_unexplained(*find(selection.candidates, type), observations, options).empty();
  });
  if (selection.rivals.empty()) return "";
  std::vector<JointType> all{best.type};
  all.insert(all.end(), selection.rivals.begin(), selection.rivals.end());
  std::string reason = "not enough motion to tell: it may be " + names(all);
  if (bend_is_integrated && all.size() == 2 && has_bend(best.type) && has_bend(all[1]))
    reason += odds(best.evidence - find(selection.candidates, all[1])->evidence);
  return reason;
}

// A joint of several freedoms, or a pitch, follows a marker that slipped on its part: two hinges or slides, one before and one after a sudden step, are likelier.
std::string doubt_about_slip(const Selection& selection, const Observations& observations,
                             const SelectionOptions& options) {
  const Candidate& best = selection.best();
  if ((!is_rich(best.type) && best.type != JointType::screw) || best.type == JointType::free ||
      options.fit.noise)
    return "";
  const double n = static_cast<double>(observations.poses.size());
  for (const Candidate& c : selection.candidates) {
    if (c.type != JointType::prismatic && c.type != JointType::revolute) continue;
    FitOptions fit_options = options.fit;
    fit_options.radius_scale = options.radius_scale;
    fit_options.noise_shape = NoiseShape::gaussian;
    const std::optional<MarkerSlip> slip = marker_slip(c.fit, observations, fit_options);
    if (!slip || slip->log_likelihood - penalty(options.criterion, slip->parameters, n) <
                     best.fit.log_likelihood_independent - penalty(options.criterion, best.parameters, n) +
                         options.margin)
      continue;
    char text[200];
    std::snprintf(text, sizeof text,
                  "a marker may have slipped at %.6g s: %s joints before and after explain the motion better "
                  "than one %s joint",
                  slip->time, to_string(slip->type), to_string(best.type));
    return text;
  }
  return "";
}

// Why a part that hardly moves against its noise does not determine its joint.
std::string doubt_about_stillness(Selection& selection, const Observations& observations,
                                  bool bend_is_integrated, const SelectionOptions& options) {
  const double best = selection.candidates.front().score;
  for (const Candidate& candidate : selection.candidates) {
    if (candidate.type == JointType::rigid && best - candidate.score < options.margin)
      return "nothing moves: any joint would look like this";
  }
  const std::string doubt = doubt_about_best(selection, observations, bend_is_integrated, options);
  return doubt.empty() ? "hardly anything moves: the motion does not stand out from the noise" : doubt;
}

}  // namespace

const char* to_string(SelectionStatus status) { return enum_text(status); }

void SelectionOptions::validate() const {
  fit.validate();
  const math::OptionCheck check("SelectionOptions");
  // Infinite scales are no prior at all.
  const auto positive = [&](const char* field, double value, const char* unit) {
    check.holds(value > 0.0, field, math::number_text(value) + " " + unit, "positive");
  };
  positive("radius_scale", radius_scale, "m");
  positive("travel_scale", travel_scale, "m");
  check.at_least("free_margin", free_margin, 0.0, "nats per frame");
  positive("largest_noise.position", largest_noise.position, "m");
  positive("largest_noise.angle", largest_noise.angle, "rad");
  check.above("slow_noise.position", slow_noise.position, 0.0, "m");
  check.above("slow_noise.angle", slow_noise.angle, 0.0, "rad");
  check.at_least("margin", margin, 0.0, "nats");
}

namespace {

// `noise_is_estimated`: covariances were found from the poses themselves (evidence/uneven_noise.h), to a third or so. `share`: of the fixed part in the
// angular noise, as far as that is known.
Selection select_among(const Observations& given, const SelectionOptions& asked, bool noise_is_estimated,
                       double share = 0.5) {
  asked.validate();
  SelectionOptions options = asked;
  if (given.fixed_is_measured && given.has_orientation && given.covariances.empty() &&
      !options.fit.fixed_share && !options.fit.noise && options.types.empty() &&
      static_cast<int>(given.poses.size()) >= kFramesForShare)
    options.fit.fixed_share = likely_share(given, share, options);
  Selection selection;
  selection.fixed = given.fixed;
  selection.moving = given.moving;
  selection.has_orientation = given.has_orientation;
  selection.frames = static_cast<int>(given.poses.size());
  selection.notes = given.notes;
  std::optional<HeldTrack> track;
  if (!given.has_orientation && options.fit.robust) {
    FitOptions fit_options = options.fit;
    fit_options.radius_scale = options.radius_scale;
    track = hold_apart(given, fit_options, 2 * options.slow_noise.position);
    selection.slips = track->slips;
    for (const Slip& slip : track->slips) selection.notes.push_back(slip_sentence(slip));
  }
  const Observations& observations = track ? track->observations : given;
  const int count = static_cast<int>(observations.poses.size());
  std::vector<JointType> types = options.types;
  if (types.empty()) {
    const auto all = joint_types(observations.has_orientation);
    types.assign(all.begin(), all.end());
  }
  std::vector<Candidate>& candidates = selection.candidates;
  for (const JointType type : types) candidates.push_back(fitted(type, observations, options));
  if (types.size() > 1) {
    start_from_richer(candidates, observations, options);
    find_motion_left_out(candidates, observations, options);
  }
  selection.independent_frames =
      types.size() > 1 ? allow_for_slow_deviations(candidates, observations, options) : count;
  const bool bend_is_integrated =
      integrate_bend(candidates, selection.independent_frames, observations, options);
  if (selection.independent_frames < count) selection.notes.push_back(slow_note(selection, count, options));
  sort_candidates(candidates, selection.independent_frames, noise_is_estimated, options);
  if (types.size() > 1) reorder(selection, observations, options);
  refine_noise(candidates.front(), observations, options);
  if (selection.independent_frames < count) widen_for_slow_deviations(candidates.front(), observations);
  const JointFit& best = selection.best().fit;
  for (Candidate& candidate : candidates)
    candidate.explanation = candidate_sentence(candidate.fit, candidate.score - selection.best().score);
  selection.status = SelectionStatus::undetermined;
  if (best.status == FitStatus::failed) {
    selection.reason = best.problems.empty() ? "no joint could be fitted" : best.problems.front();
    return selection;
  }
  if (types.size() > 1 && !given.something_moves)
    selection.reason = doubt_about_stillness(selection, observations, bend_is_integrated, options);
  else if (types.size() > 1 && given.has_orientation && count < kLeastToChoose)
    selection.reason = std::to_string(count) +
                       " frames are too few to tell joints apart: " + std::to_string(kLeastToChoose) +
                       " at least";
  else if (types.size() > 1)
    selection.reason = doubt_about_best(selection, observations, bend_is_integrated, options);
  const bool is_still =
      types.size() > 1 && given.has_orientation && best.joint.type == JointType::rigid &&
      !is_carried({given.carried.position, given.carried.angle}, {best.rms_position, best.rms_angle});
  if (selection.reason.empty() && is_still)
    selection.reason = "nothing moves by more than it deviates: any joint would look like this";
  if (selection.reason.empty() && !best.alternatives.empty())
    selection.reason = "the motion fits " + std::to_string(best.alternatives.size() + 1) + " different " +
                       to_string(best.joint.type) + " joints: move both axes at once";
  if (selection.reason.empty() && types.size() > 1)
    selection.reason = doubt_about_slip(selection, observations, options);
  if (selection.reason.empty()) selection.status = SelectionStatus::ok;
  return selection;
}

// The fixed part's share of the angular noise, by what is new in every frame of each part.
double known_share(const model::PoseLog& log, const Observations& seen) {
  constexpr double kHalf = 0.5;
  if (seen.fixed.empty() || !seen.has_orientation) return kHalf;
  const auto noise = [&](const std::string& part) {
    std::vector<double> times;
    std::vector<math::Pose> poses;
    for (const model::PoseRow* row : log.track(*log.find_part(part))) {
      times.push_back(row->t);
      poses.emplace_back(row->q_WP->normalized(), row->p_WP);
    }
    return fresh_noise(fresh_deviations(times, poses));
  };
  return fresh_share(noise(seen.fixed), noise(seen.moving), kHalf);
}

// Where noise is larger along some directions, by covariances that say so; where deviations are then still slow, as before, but nothing that may be
// noise's doing is an answer.
Selection select_by_direction(const model::PoseLog& log, Observations seen, const SelectionOptions& options) {
  constexpr double kWhite = 0.5;  // independent frames of all; as in allow_for_slow_deviations
  std::vector<math::Matrix6d> covariances;
  if (options.types.empty() && !options.fit.noise && seen.something_moves)
    covariances = uneven_covariances(log, seen);
  const double share = known_share(log, seen);
  if (covariances.empty()) return select_among(seen, options, false, share);
  Selection plain = select_among(seen, options, false, share);
  seen.covariances = std::move(covariances);
  // Simple joints and what it seems to be without, before all types are fitted: most slow errors show there.
  SelectionOptions few = options;
  few.types = {JointType::rigid, JointType::prismatic, JointType::revolute};
  if (std::ranges::find(few.types, plain.best().type) == few.types.end() &&
      plain.best().type != JointType::free)
    few.types.push_back(plain.best().type);
  Selection directed = select_among(seen, few, true);
  const auto is_white = [&] { return directed.independent_frames >= kWhite * directed.frames; };
  if (is_white()) directed = select_among(seen, options, true);
  if (is_white()) {
    directed.notes.push_back(
        "noise is larger along some directions than along others: each pose counts by its own");
    return directed;
  }
  const bool richer = freedoms(plain.best().type, true) > std::max(1, freedoms(directed.best().type, true));
  if (plain.status == SelectionStatus::ok && richer) {
    plain.status = SelectionStatus::undetermined;
    plain.reason =
        std::string("noise is larger along some directions than along others, and changes slowly: the ") +
        to_string(plain.best().type) + " joint may be its doing";
  }
  return plain;
}

// Of two parts of a log, as they are stamped.
Selection select_as_stamped(const model::PoseLog& log, const std::string& name,
                            const ObservationOptions& parts, const SelectionOptions& options) {
  const Observations observations = observe(log, name, parts);
  Selection selection = select_by_direction(log, observations, options);
  if (!selection.contradiction.empty() || !options.types.empty() || !observations.fixed_is_measured ||
      !observations.has_orientation || !observations.something_moves)
    return selection;
  const PartTracks tracks = part_tracks(log, name);
  const auto index = [&](const std::string& part) {
    return static_cast<int>(std::ranges::find(tracks.parts, part, &PartTrack::name) - tracks.parts.begin());
  };
  selection.contradiction = world_contradiction(tracks, index(observations.fixed), index(observations.moving),
                                                selection.best().type);
  if (selection.contradiction.empty()) return selection;
  selection.status = SelectionStatus::undetermined;
  selection.reason = selection.contradiction;
  return selection;
}

bool is_simple(const Selection& selection) {
  if (selection.status != SelectionStatus::ok) return false;
  const JointType type = selection.best().type;
  return type == JointType::rigid || type == JointType::prismatic || type == JointType::revolute;
}

std::string delay_sentence(const std::string& part, const std::string& other, double delay) {
  char text[200];
  std::snprintf(text, sizeof text, "'%s' is stamped %.3g ms %s than '%s': its poses are taken as so much %s",
                part.c_str(), 1e3 * std::abs(delay), delay > 0 ? "later" : "earlier", other.c_str(),
                delay > 0 ? "earlier" : "later");
  return text;
}

Selection select_in_time(const model::PoseLog& log, const std::string& name, const ObservationOptions& parts,
                         const SelectionOptions& options) {
  Selection selection = select_as_stamped(log, name, parts, options);
  if (!options.types.empty() || selection.fixed.empty() || !selection.has_orientation) return selection;
  const int moving = *log.find_part(selection.moving);
  const std::optional<PairDelay> late = pair_delay(log, *log.find_part(selection.fixed), moving);
  if (!late || late->delay == 0.0) return selection;
  Selection again = select_as_stamped(made_earlier(log, moving, late->delay), name, parts, options);
  // Nor may it explain less than a joint of more freedoms does without.
  constexpr double kAsLikely = 0.5;  // [nats per frame] what each further freedom takes of the noise
  const auto per_frame = [](const Selection& one) {
    return one.best().fit.log_likelihood_independent / std::max(1, one.frames);
  };
  if (!is_simple(again)) return selection;
  if (per_frame(again) < per_frame(selection) || !late->is_believed) {
    // Joints of more freedoms follow what is late.
    if (selection.status == SelectionStatus::ok && freedoms(selection.best().type, true) > 1 &&
        per_frame(again) > per_frame(selection) - kAsLikely) {
      selection.status = SelectionStatus::undetermined;
      selection.reason = std::string("it may be ") + to_string(again.best().type) + " where " +
                         delay_sentence(selection.moving, selection.fixed, late->delay);
    }
    return selection;
  }
  again.delay = late->delay;
  again.notes.push_back(delay_sentence(selection.moving, selection.fixed, late->delay));
  return again;
}

}  // namespace

Selection select_joint(const Observations& given, const SelectionOptions& asked) {
  return select_among(given, asked, false);
}

Selection select_joint(const model::PoseLog& log, const std::string& name, const ObservationOptions& parts,
                       const SelectionOptions& options) {
  std::vector<std::string> notes;
  Selection selection = select_in_time(with_mirrored_undone(log, notes), name, parts, options);
  selection.notes.insert(selection.notes.begin(), notes.begin(), notes.end());
  return selection;
}

model::PoseLog as_selected(const model::PoseLog& log, const Selection& selection) {
  std::vector<std::string> notes;
  model::PoseLog corrected = with_mirrored_undone(log, notes);
  if (selection.delay == 0.0) return corrected;
  return made_earlier(corrected, *log.find_part(selection.moving), selection.delay);
}

}  // namespace prehend::articulation
