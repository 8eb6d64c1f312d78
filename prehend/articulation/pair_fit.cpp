#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <prehend/articulation/joint_kind.h>
#include <prehend/articulation/likelihood.h>
#include <prehend/articulation/pair_fit.h>
#include <prehend/articulation/rigid_groups.h>

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
  frames.length = std::max(length, 1e-6 * (mean.norm() > 0 ? mean.norm() : 1.0));
  frames.weights.assign(frames.X.size(), 1.0);
  frames.fixed_share = share;
  return frames;
}

// States of angles made continuous, as the likelihood of their spread needs them.
std::vector<State> continuous_states(JointType type, const LikelihoodResult& result) {
  std::vector<int> angles;
  if (type == JointType::revolute || type == JointType::cylindrical) angles = {0};
  if (type == JointType::universal) angles = {0, 1};
  if (type == JointType::planar) angles = {2};
  std::vector<State> states;
  states.reserve(result.terms.size());
  for (std::size_t i = 0; i < result.terms.size(); ++i) {
    states.push_back(result.terms[i].q);
    if (i == 0) continue;
    for (const int k : angles)
      states[i][k] += 2 * M_PI * std::round((states[i - 1][k] - states[i][k]) / (2 * M_PI));
  }
  return states;
}

// Root mean square of whitened residuals over the directions that the joint leaves, far-out frames left out.
double misfit(JointType type, const LikelihoodResult& result) {
  double squared = 0, count = 0;
  for (std::size_t i = 0; i < result.terms.size(); ++i) {
    if (result.weights[i] < 0.5) continue;
    squared += result.terms[i].squared;
    count += 6.0 - freedoms(type);
  }
  // Where most frames are far out, nothing is explained.
  if (2 * count < static_cast<double>(result.terms.size()) * (6.0 - freedoms(type)))
    return std::numeric_limits<double>::infinity();
  return count > 0 ? std::sqrt(squared / count) : 0.0;
}

// [nats] Of motion that the joint leaves unexplained.
double motion_left(JointType type, const LikelihoodResult& result) {
  math::Matrix6d scatter = math::Matrix6d::Zero();
  double n = 0;
  for (std::size_t i = 0; i < result.terms.size(); ++i) {
    if (result.weights[i] < 0.5) continue;
    scatter += result.terms[i].residual * result.terms[i].residual.transpose();
    n += 1;
  }
  if (2 * n < static_cast<double>(result.terms.size())) return std::numeric_limits<double>::infinity();
  return gain_of_motion(scatter / n, n, freedoms(type));
}

// [nats] What a pitch would explain of a hinge's residuals: shifts along the axis, regressed on the angle. Its fitted axis keeps
// the shifts free of everything else, to first order.
double gain_of_pitch(const Frames& frames, const LikelihoodResult& hinge) {
  const Eigen::Matrix3d R_FJ = hinge.joint.X_FJ.R();
  const std::vector<State> states = continuous_states(JointType::revolute, hinge);
  double n = 0, q = 0, z = 0, qq = 0, zz = 0, qz = 0;
  const double q0 = states.front()[0];
  double z0 = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (hinge.weights[i] < 0.5) continue;
    const Motion& X = frames.X[i];
    double shift = R_FJ.col(2).dot(X.R * hinge.joint.X_MJ.p() + X.p - hinge.joint.X_FJ.p());
    if (n == 0) z0 = shift;
    shift -= z0;
    const double angle = states[i][0] - q0;
    n += 1, q += angle, z += shift;
    qq += angle * angle, zz += shift * shift, qz += angle * shift;
  }
  const double of_q = qq - q * q / n, of_z = zz - z * z / n, both = qz - q * z / n;
  if (n < 3 || !(of_q > 0) || !(of_z > 0)) return 0.0;
  return -0.5 * n * std::log(std::max(1 - both * both / (of_q * of_z), 1e-12));
}

}  // namespace

double penalty(Criterion criterion, JointType type, int frames) {
  const int k = parameters_with_zero(type) + nuisance_parameters(freedoms(type), 6);
  return criterion == Criterion::bic ? 0.5 * k * std::log(static_cast<double>(frames)) : k;
}

PairFit fit_pair(const Observations& observations, const std::optional<PairNoise>& noise,
                 const PairOptions& options) {
  PairFit result;
  result.frames = static_cast<int>(observations.poses.size());
  result.score = -std::numeric_limits<double>::infinity();
  result.misfit = std::numeric_limits<double>::infinity();
  constexpr int kLeastFrames = 4;  // 12 parameters and noise need more than three times five residuals
  if (result.frames < kLeastFrames) return result;
  const Frames frames = frames_of(observations, noise ? noise->fixed_share : 0.5, 1);
  const int stride = noise ? std::max(1, result.frames / options.look_frames) : 1;
  const Frames few = stride > 1 ? frames_of(observations, frames.fixed_share, stride) : Frames{};
  const Frames& look_at = stride > 1 ? few : frames;
  LikelihoodSettings settings;
  settings.noise = noise ? noise->noise : PoseNoise{0.01 * frames.length, 0.01};
  settings.noise_is_known = noise.has_value();
  settings.radius_scale = std::numeric_limits<double>::infinity();
  settings.tolerance = 0.1;
  const auto weigh = [&](JointType type, const LikelihoodResult& fit) {
    const LogLikelihood likelihood =
        log_likelihood(fit.terms, continuous_states(type, fit), fit.weights, frames.length, 6);
    double score = likelihood.independent * result.frames / static_cast<double>(fit.terms.size()) -
                   penalty(options.criterion, type, result.frames);
    if (type == JointType::free) score -= options.free_margin * result.frames;
    if (!(score > result.score)) return;
    result.score = score;
    result.type = type;
    result.misfit = noise ? misfit(type, fit) : 1.0;
    result.is_explained = noise && freedoms(type) <= 1 &&
                          motion_left(type, fit) < 0.5 * options.further_parameters *
                                                       std::log(static_cast<double>(fit.terms.size()));
    result.joint = fit.joint;
    result.noise = fit.noise;
  };
  // Whether a pitch is worth its parameter to a hinge that explains the motion so far.
  bool may_be_screw = true;
  const auto consider = [&](JointType type) {
    const JointKind& kind = joint_kind(type);
    std::vector<Joint> starts = kind.closed_form(look_at);
    settings.max_iterations = 0;
    // A look at the closed form over few frames; all frames, and the likelihood, only where it is near.
    LikelihoodResult fit = kind.refine(look_at, starts.front(), settings);
    if (noise && type != JointType::free) {
      if (misfit(type, fit) > options.hopeless) {
        if (freedoms(type) <= 1) weigh(type, fit);  // of more freedoms, `free` says as much
        return;
      }
      result.plausible.push_back(type);
      settings.max_iterations = options.max_iterations;
      if (stride > 1) starts = kind.closed_form(frames);
      fit = kind.refine(frames, starts.front(), settings);
      for (std::size_t k = 1; k < starts.size() && type == JointType::universal; ++k) {
        LikelihoodResult other = kind.refine(frames, starts[k], settings);
        if (other.cost < fit.cost) fit = std::move(other);
      }
      if (type == JointType::revolute)
        may_be_screw = gain_of_pitch(frames, fit) > 0.5 * std::log(static_cast<double>(result.frames));
    }
    weigh(type, fit);
  };
  for (const JointType type : {JointType::rigid, JointType::prismatic, JointType::revolute})
    if (allowed(options, type)) consider(type);
  if (noise && may_be_screw && allowed(options, JointType::screw)) consider(JointType::screw);
  if (!result.is_explained) {
    for (const JointType type : {JointType::cylindrical, JointType::planar, JointType::spherical})
      if (allowed(options, type)) consider(type);
    // Every universal joint is a spherical one that does not twist.
    const bool may_be_universal =
        !allowed(options, JointType::spherical) || result.type == JointType::spherical;
    if (noise && allowed(options, JointType::universal) && may_be_universal) consider(JointType::universal);
  }
  if (!result.is_explained || !noise) consider(JointType::free);
  return result;
}

}  // namespace prehend::articulation
