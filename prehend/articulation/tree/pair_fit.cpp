#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Eigenvalues>

#include <prehend/articulation/fit/likelihood.h>
#include <prehend/articulation/fit/likelihood_engine.h>
#include <prehend/articulation/fit/pose_covariances.h>
#include <prehend/articulation/fit/start_search.h>
#include <prehend/articulation/joints/joint_kind.h>
#include <prehend/articulation/tree/pair_fit.h>
#include <prehend/articulation/tree/rigid_groups.h>
#include <prehend/math/angles.h>
#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

using model::JointType;

bool allowed(const PairOptions& options, JointType type) {
  return options.types.empty() ||
         std::find(options.types.begin(), options.types.end(), type) != options.types.end();
}

// Every `stride`-th observation.
Frames frames_of(const Observations& observations, double share, std::size_t stride) {
  Frames frames;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  frames.X.reserve(observations.poses.size() / stride + 1);
  for (std::size_t i = 0; i < observations.poses.size(); i += stride) {
    const math::Pose& X_FM = observations.poses[i].X_FM;
    frames.X.push_back({X_FM.R(), X_FM.p()});
    mean += X_FM.p();
  }
  mean /= static_cast<double>(frames.X.size());
  double length = 0;
  for (const Motion& X : frames.X) length = std::max(length, (X.p - mean).norm());
  frames.length = std::max({length, 0.01 * mean.norm(), 1e-3});  // as fit_joint has it
  frames.weights.assign(frames.X.size(), 1.0);
  frames.fixed_share = share;
  if (!observations.covariances.empty()) {
    std::vector<math::Matrix6d> covariances;
    for (std::size_t i = 0; i < observations.poses.size(); i += stride)
      covariances.push_back(observations.covariances[i]);
    frames.pose_weights = pose_weights(covariances);
  }
  return frames;
}

// Standard deviations that stand for the poses' covariances: as large a determinant, on the whole.
PoseNoise equivalent_noise(const std::vector<PoseWeight>& weights) {
  double log_determinant = 0;
  for (const PoseWeight& weight : weights) log_determinant += weight.log_determinant;
  const PoseNoise typical = typical_noise(weights);
  const double product = std::exp(log_determinant / (6 * static_cast<double>(weights.size())));
  const double factor = std::sqrt(product / (typical.position * typical.angle));
  return {factor * typical.position, factor * typical.angle};
}

// Root mean square of whitened residuals over the directions that the joint leaves, far-out frames left out; or, `truncated`, taken as three
// standard deviations off.
double misfit(JointType type, const LikelihoodResult& result, bool truncated = false) {
  double squared = 0, count = 0, far = 0;
  if (!std::isnan(result.median_misfit)) return result.median_misfit;
  for (std::size_t i = 0; i < result.terms.size(); ++i) {
    if (result.weights[i] < 0.5) {
      far += 6.0 - freedoms(type);
      continue;
    }
    squared += result.terms[i].squared;
    count += 6.0 - freedoms(type);
  }
  // Where most frames are far out, nothing is explained.
  if (2 * count < static_cast<double>(result.terms.size()) * (6.0 - freedoms(type)))
    return std::numeric_limits<double>::infinity();
  if (truncated) squared += 9 * far, count += far;
  return count > 0 ? std::sqrt(squared / count) : 0.0;
}

// [nats] Of motion that the joint leaves unexplained.
double motion_left(JointType type, const LikelihoodResult& result, double independence) {
  math::Matrix6d scatter = math::Matrix6d::Zero();
  double n = 0;
  for (std::size_t i = 0; i < result.terms.size(); ++i) {
    if (result.weights[i] < 0.5) continue;
    scatter += result.terms[i].residual * result.terms[i].residual.transpose();
    n += 1;
  }
  // A frame in fifty may be a flipped marker, where errors are slow one in ten; more are motion, however rare.
  const double most_left_out = independence < 1 ? 0.1 : 0.02;
  if (n < (1 - most_left_out) * static_cast<double>(result.terms.size()))
    return std::numeric_limits<double>::infinity();
  return gain_of_motion(scatter / n, independence * n, freedoms(type));
}

// Half of the mean square of successive differences: the part of a variance that is new in every frame.
math::Matrix6d fresh_scatter(const std::vector<const FrameTerms*>& used) {
  math::Matrix6d fresh = math::Matrix6d::Zero();
  for (std::size_t i = 1; i < used.size(); ++i) {
    const math::Vector6d d = used[i]->residual - used[i - 1]->residual;
    fresh += d * d.transpose();
  }
  return fresh / (2.0 * static_cast<double>(used.size() - 1));
}

// Of a joint of one freedom in a recording: see PairFit::leaves_noise.
bool leaves_noise_alone(JointType type, const LikelihoodResult& result) {
  // Of fewer frames the largest of six variances is twice the mean one by chance alone.
  constexpr std::size_t kLeastFrames = 40;
  constexpr double kSmooth = 10.0;  // variance of the state over the part that is new in every frame
  // The same of residuals is one for noise; the largest of six directions by chance 1 + 6 / sqrt(frames) in one of a thousand.
  constexpr double kByChance = 8.0;
  if (freedoms(type) != 1) return false;
  const std::vector<State> states = continuous_states(type, result);
  std::vector<const FrameTerms*> used;
  double mean = 0, squared = 0, fresh = 0, last = 0;
  math::Matrix6d scatter = math::Matrix6d::Zero();
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (result.weights[i] < 0.5) continue;
    const double q = states[i][0];
    if (!used.empty()) fresh += 0.5 * (q - last) * (q - last);
    mean += q, squared += q * q, last = q;
    scatter += result.terms[i].residual * result.terms[i].residual.transpose();
    used.push_back(&result.terms[i]);
  }
  const double n = static_cast<double>(used.size());
  if (used.size() < kLeastFrames || 10 * used.size() < 9 * states.size()) return false;
  if (!(squared - mean * mean / n > kSmooth * fresh)) return false;
  scatter /= n;
  math::Matrix6d floor = fresh_scatter(used);
  floor.diagonal().array() += 1e-3 * scatter.trace();  // directions that the state has taken
  const Eigen::VectorXd l = math::spectrum(scatter, floor).values;
  return l.size() == 6 && l[5] < 1 + kByChance / std::sqrt(n);
}

// A slide that turns by less than the noise of a frame is a slide: such turns are what noise of unequal parts and bending make.
bool is_hardly_a_screw(const LikelihoodResult& screw, const PoseNoise& noise) {
  constexpr double kOfNoise = 3.0;  // [standard deviations of a frame]
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const State& q : continuous_states(JointType::screw, screw))
    least = std::min(least, q[0]), most = std::max(most, q[0]);
  // Nor is a hinge that advances by less than twice the noise of a frame over all of its turn a screw: errors of the axis and of whose noise it is do as
  // much, and a thread that matters moves further.
  constexpr double kAdvance = 2.0;
  return most - least < kOfNoise * noise.angle ||
         std::abs(screw.joint.pitch) * (most - least) < kAdvance * noise.position;
}

// Share of independent frames: one over the residuals' integrated autocorrelation time, summed until correlation has died away.
double independence(const LikelihoodResult& result) {
  const std::vector<FrameTerms>& e = result.terms;
  double variance = 0, time = 1.0;
  for (const FrameTerms& term : e) variance += term.residual.squaredNorm();
  if (e.size() < 8 || !(variance > 0)) return 1.0;
  for (std::size_t lag = 1; lag < e.size() / 4; ++lag) {
    double covariance = 0;
    for (std::size_t i = lag; i < e.size(); ++i) covariance += e[i].residual.dot(e[i - lag].residual);
    if (covariance < 0.1 * variance) break;
    time += 2 * covariance / variance;
  }
  return 1.0 / time;
}

// PairFit::way.
double way_of(JointType type, const LikelihoodResult& fit, const PoseNoise& noise) {
  if (freedoms(type) != 1) return PairFit::kStill;
  const double unit = type == JointType::prismatic ? noise.position : noise.angle;
  const std::vector<State> states = continuous_states(type, fit);
  double way = 0;
  std::optional<double> place;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (fit.weights[i] < 0.5) continue;
    const double q = states[i][0] / unit;
    if (!place) place = q;
    if (std::abs(q - *place) < PairFit::kStill) continue;
    way += std::abs(q - *place);
    place = q;
  }
  return std::max(way, PairFit::kStill);
}

// [nats] What a linear relation between two quantities explains, over the frames that count.
class Regression {
 public:
  void add(double x, double y) {
    if (n_ == 0) x0_ = x, y0_ = y;
    x -= x0_, y -= y0_;
    n_ += 1, x_ += x, y_ += y;
    xx_ += x * x, yy_ += y * y, xy_ += x * y;
  }
  double gain() const {
    const double xx = xx_ - x_ * x_ / n_, yy = yy_ - y_ * y_ / n_, xy = xy_ - x_ * y_ / n_;
    if (n_ < 3 || !(xx > 0) || !(yy > 0)) return 0.0;
    return -0.5 * n_ * std::log(std::max(1 - xy * xy / (xx * yy), 1e-12));
  }

 private:
  double n_{0}, x0_{0}, y0_{0}, x_{0}, y_{0}, xx_{0}, yy_{0}, xy_{0};
};

// [nats] What a screw would explain beyond a hinge: shifts along its axis that go with the angle. The fitted axis keeps
// them free of everything else, to first order.
double gain_of_shift(const Frames& frames, const LikelihoodResult& hinge) {
  const std::vector<State> states = continuous_states(JointType::revolute, hinge);
  const math::Pose &X_FJ = hinge.joint.X_FJ, &X_MJ = hinge.joint.X_MJ;
  const Eigen::Vector3d axis = X_FJ.R().col(2);
  Regression regression;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (hinge.weights[i] >= 0.5)
      regression.add(states[i][0], axis.dot(frames.X[i].R * X_MJ.p() + frames.X[i].p - X_FJ.p()));
  return regression.gain();
}

// [nats] What a hinge or screw would explain beyond a slide: turns, about any axis, that go with the shift.
double gain_of_turn(const Frames& frames, const LikelihoodResult& slide) {
  const Eigen::Matrix3d R_JF = slide.joint.X_FJ.R().transpose(), R_MJ = slide.joint.X_MJ.R();
  std::array<Regression, 3> regressions;
  for (std::size_t i = 0; i < frames.X.size(); ++i) {
    if (slide.weights[i] < 0.5) continue;
    const Eigen::Vector3d turn = math::log_so3(Eigen::Matrix3d(R_JF * frames.X[i].R * R_MJ));
    for (int k = 0; k < 3; ++k) regressions[k].add(slide.terms[i].q[0], turn[k]);
  }
  return regressions[0].gain() + regressions[1].gain() + regressions[2].gain();
}

// [nats] Half-normal prior on the distance from M's origin to the axis or centre.
double log_prior(const Joint& joint, double scale) {
  std::optional<Eigen::Vector3d> point = joint.point_M();
  if (!point) return 0.0;
  const bool has_centre = joint.type == JointType::universal || joint.type == JointType::spherical;
  if (!has_centre) *point -= joint.axis_M()->dot(*point) * *joint.axis_M();
  return -0.5 * point->squaredNorm() / (scale * scale);
}

constexpr double kFarBehind = 1.5;  // three nats a frame

// Types fitted with the poses' covariances, those left out that only follow errors of the tracker: these depend on where the parts are, and no number of
// frames averages them out. A type with further freedoms must leave less than half of what the simpler one that it contains leaves. Whether
// anything moves at all may be asked frame by frame where the residuals are as good as white.
struct WeightedFit {
  JointType type;
  LikelihoodResult result;
};
std::vector<WeightedFit> weighted_fits(const Frames& frames, LikelihoodSettings settings,
                                       const std::optional<PairNoise>& noise, const PairOptions& options) {
  const bool slow = !noise || noise->independence < 0.5;
  constexpr double kLeaves =
      2.0;  // times the misfit: a joint of more freedoms must leave less than half of what a simpler one leaves
  constexpr double kPlain = 1.5;  // nothing of more freedoms leaves half of this
  settings.max_iterations = options.max_iterations;
  std::vector<WeightedFit> fits;
  const auto add = [&](JointType type) {
    if (!allowed(options, type)) return;
    Frames all = frames;
    std::vector<Joint> alternatives;
    fits.push_back({type, most_likely(joint_kind(type), all, settings, alternatives)});
  };
  for (const JointType type : {JointType::rigid, JointType::prismatic, JointType::revolute, JointType::screw})
    add(type);
  const auto least = [&] {
    double least_misfit = std::numeric_limits<double>::infinity();
    for (const WeightedFit& fit : fits) least_misfit = std::min(least_misfit, misfit(fit.type, fit.result));
    return least_misfit;
  };
  if (!(noise && least() < kPlain))
    for (const JointType type :
         {JointType::cylindrical, JointType::planar, JointType::spherical, JointType::universal})
      add(type);
  std::vector<WeightedFit> kept;
  for (WeightedFit& fit : fits) {
    const bool follows_errors = std::any_of(fits.begin(), fits.end(), [&](const WeightedFit& simple) {
      return simple.type != fit.type && (slow || simple.type != JointType::rigid) &&
             contains(fit.type, simple.type) &&
             misfit(simple.type, simple.result) < kLeaves * misfit(fit.type, fit.result);
    });
    if (!follows_errors) kept.push_back(fit);
  }
  fits = std::move(kept);
  add(JointType::free);
  return fits;
}

// Types tried one after the other for one pair, each only as far as it can matter.
class PairSearch {
 public:
  PairSearch(const Observations& observations, const std::optional<PairNoise>& noise,
             const PairOptions& options)
      : observations_(observations),
        noise_(noise),
        options_(options),
        frames_(frames_of(observations, noise ? noise->fixed_share : options.fixed_share, 1)),
        // Closed forms know nothing of covariances: then all is for the likelihood.
        weighted_(!frames_.pose_weights.empty()) {
    result_.frames = static_cast<int>(observations.poses.size());
    result_.score = -kInfinite;
    result_.misfit = kInfinite;
    stride_ = noise && !weighted_ ? std::max(1, result_.frames / options.look_frames) : 1;
    if (stride_ > 1) few_ = frames_of(observations, frames_.fixed_share, static_cast<std::size_t>(stride_));
    settings_.noise = noise ? noise->noise : PoseNoise{0.01 * frames_.length, 0.01};
    settings_.noise_is_known = noise.has_value();
    settings_.covariance_scale = 1.0;
    settings_.radius_scale = radius_scale(observations, options);
    settings_.tolerance = 0.1;  // [standard deviations] shifts a score by hundredths of a nat
    parameter_worth_ = 0.5 * std::log(static_cast<double>(result_.frames));
  }

  PairFit run() {
    if (weighted_)
      try_with_covariances();
    else
      try_types();
    return std::move(result_);
  }

 private:
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();

  // Errors that change slowly are followed by every further freedom, pitch or none: a type that contains a simpler one must leave
  // less than half of what that leaves. Whether anything moves at all is for the likelihood of independent frames to say.
  bool follows_errors(JointType type, const LikelihoodResult& fit) const {
    constexpr double kLeaves = 2.0;
    if (!is_slow() || !result_.joint || type == JointType::free) return false;
    const double most = kLeaves * misfit(type, fit, true);
    if (result_.type != JointType::rigid && contains(type, result_.type) && result_.misfit < most)
      return true;
    // Nor may it be better than a simpler one only because that one is not the best so far.
    return freedoms(type) > 1 && std::ranges::any_of(refined_, [&](const auto& other) {
             return other.first != type && freedoms(other.first) == 1 && contains(type, other.first) &&
                    other.second < most;
           });
  }
  bool is_slow() const { return !weighted_ && noise_ && noise_->independence < 1; }

  // Whether the type is the best so far, and what that means for those to come.
  void weigh(JointType type, const LikelihoodResult& fit) {
    const LogLikelihood likelihood =
        log_likelihood(fit.terms, continuous_states(type, fit), fit.weights, {type, frames_.length, 6, true});
    const double frames_worth = (noise_ ? noise_->independence : 1.0) * result_.frames;
    double score = likelihood.independent * frames_worth / static_cast<double>(fit.terms.size()) -
                   penalty(options_.criterion, type, frames_worth) +
                   log_prior(fit.joint, settings_.radius_scale);
    if (type == JointType::free) score -= options_.free_margin * frames_worth;
    if (!(score > result_.score) || follows_errors(type, fit)) return;
    result_.score = score;
    result_.type = type;
    result_.misfit = noise_ || weighted_ ? misfit(type, fit, is_slow()) : 1.0;
    left_ = noise_ && freedoms(type) <= 1 ? motion_left(type, fit, noise_->independence) : kInfinite;
    result_.leaves_noise = noise_ && !weighted_ && leaves_noise_alone(type, fit);
    result_.is_explained = result_.leaves_noise || left_ < options_.further_parameters * parameter_worth_;
    result_.joint = fit.joint;
    if (is_slow()) result_.way = way_of(type, fit, noise_->noise);
    if (weighted_) result_.independence = independence(fit);
    result_.noise = weighted_ ? equivalent_noise(frames_.pose_weights) : fit.noise;
  }

  void try_with_covariances() {
    const std::vector<WeightedFit> fits = weighted_fits(frames_, settings_, noise_, options_);
    for (const WeightedFit& fit : fits) weigh(fit.type, fit.result);
    for (const WeightedFit& fit : fits)
      if (noise_ && fit.type != JointType::free && misfit(fit.type, fit.result) < kFarBehind * result_.misfit)
        result_.plausible.push_back(fit.type);
  }

  void try_types() {
    const bool moves =
        noise_ && std::isfinite(options_.rigid.slow_noise[0]) &&
        motion_evidence(observations_, noise_->noise, noise_->fixed_share, options_.rigid, true) > 0;
    for (const JointType type :
         {JointType::rigid, JointType::prismatic, JointType::revolute, JointType::screw}) {
      if (moves && type == JointType::rigid) continue;
      if (!allowed(options_, type) || (!may_turn_ && type == JointType::revolute)) continue;
      if (type != JointType::screw || (noise_ && may_turn_ && may_be_screw_)) consider(type);
    }
    if (!result_.is_explained) {
      for (const JointType type : {JointType::cylindrical, JointType::planar, JointType::spherical})
        if (allowed(options_, type)) consider(type);
      // Every universal joint is a spherical one that does not twist.
      const bool may_be_universal =
          !allowed(options_, JointType::spherical) || result_.type == JointType::spherical;
      if (noise_ && allowed(options_, JointType::universal) && may_be_universal)
        consider(JointType::universal);
    }
    if (!result_.is_explained || !noise_) consider(JointType::free);
    for (const auto& [type, left_over] : refined_)
      if ((!result_.is_explained || left_over < kFarBehind * result_.misfit) &&
          !((is_slow() || (result_.leaves_noise && freedoms(type) > freedoms(result_.type))) &&
            type != result_.type && result_.type != JointType::rigid && contains(type, result_.type)))
        result_.plausible.push_back(type);
  }

  void consider(JointType type) {
    const JointKind& kind = joint_kind(type);
    const Frames& look_at = stride_ > 1 ? few_ : frames_;
    std::vector<Joint> starts = kind.closed_form(look_at);
    settings_.max_iterations = 0;
    // A look at the closed form over few frames; all frames, and the likelihood, only where it is near.
    LikelihoodResult fit = refine(kind, look_at, starts.front(), settings_);
    if (noise_ && type != JointType::free) {
      // Beside a joint that explains everything, one that the likelihood cannot bring there is as hopeless.
      const double hopeless =
          result_.is_explained ? std::min(kHopelessBeside, options_.hopeless) : options_.hopeless;
      if (misfit(type, fit) > hopeless) {
        if (freedoms(type) <= 1) weigh(type, fit);  // of more freedoms, `free` says as much
        return;
      }
      fit = most_likely_of(kind, std::move(starts));
      if (type == JointType::screw && is_hardly_a_screw(fit, noise_->noise)) return;
      refined_.emplace_back(type, misfit(type, fit, is_slow()));
    }
    weigh(type, fit);
    if (result_.type != type || !result_.is_explained) return;
    if (type == JointType::prismatic)
      may_turn_ = left_ > 2 * parameter_worth_ || gain_of_turn(frames_, fit) > parameter_worth_;
    if (type == JointType::revolute) may_be_screw_ = gain_of_shift(frames_, fit) > parameter_worth_;
  }

  LikelihoodResult most_likely_of(const JointKind& kind, std::vector<Joint> starts) {
    const bool universal = kind.type() == JointType::universal;
    settings_.max_iterations = options_.max_iterations;
    // Few frames will do for the many starts of a universal joint.
    if (stride_ > 1 && !universal) starts = kind.closed_form(frames_);
    LikelihoodResult fit = refine(kind, frames_, starts.front(), settings_);
    for (std::size_t k = 1; k < starts.size() && universal; ++k) {
      LikelihoodResult other = refine(kind, frames_, starts[k], settings_);
      if (other.cost < fit.cost) fit = std::move(other);
    }
    return fit;
  }

  // [noise] The likelihood halves a closed form's misfit at most, and 1.05 is explained.
  static constexpr double kHopelessBeside = 2.1;

  const Observations& observations_;
  const std::optional<PairNoise>& noise_;
  const PairOptions& options_;
  const Frames frames_;
  const bool weighted_;
  int stride_{1};
  Frames few_;  // every stride_-th
  LikelihoodSettings settings_;
  double parameter_worth_{0};  // [nats]
  PairFit result_;
  double left_{kInfinite};  // [nats] of motion, by the best type so far
  // What lies beyond a slide or hinge that explains the motion, as its residuals show.
  bool may_turn_{true}, may_be_screw_{true};
  std::vector<std::pair<JointType, double>> refined_;  // with their misfits
};

}  // namespace

double penalty(Criterion criterion, JointType type, double frames) {
  const int k = parameters_with_zero(type) + nuisance_parameters(freedoms(type), 6);
  return criterion == Criterion::bic ? 0.5 * k * std::log(std::max(frames, 2.0)) : k;
}

double radius_scale(const Observations& observations, const PairOptions& options) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  double distance = 0, travel = 0;
  const double count = static_cast<double>(observations.poses.size());
  for (const Observation& one : observations.poses) {
    mean += one.X_FM.p() / count;
    distance += one.X_FM.p().norm() / count;
  }
  for (const Observation& one : observations.poses) travel = std::max(travel, (one.X_FM.p() - mean).norm());
  return options.radius_scale * (distance + travel);
}

PairFit fit_pair(const Observations& observations, const std::optional<PairNoise>& noise,
                 const PairOptions& options) {
  constexpr int kLeastFrames = 4;  // 12 parameters and noise need more than three times five residuals
  if (static_cast<int>(observations.poses.size()) >= kLeastFrames)
    return PairSearch(observations, noise, options).run();
  PairFit none;
  none.frames = static_cast<int>(observations.poses.size());
  none.score = -std::numeric_limits<double>::infinity();
  none.misfit = std::numeric_limits<double>::infinity();
  return none;
}

}  // namespace prehend::articulation
