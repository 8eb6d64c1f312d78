#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/articulation/likelihood.h>
#include <prehend/articulation/pair_fit.h>

namespace prehend::articulation {
namespace {

using model::JointType;

bool allowed(const PairOptions& options, JointType type) {
  return options.types.empty() || std::find(options.types.begin(), options.types.end(), type) != options.types.end();
}

}  // namespace

double misfit(const JointFit& fit, const Observations& observations, const PairNoise& noise) {
  double lever2 = 0;
  for (const Observation& o : observations.poses)
    lever2 += o.X_FM.p().squaredNorm() / static_cast<double>(observations.poses.size());
  const double s = noise.fixed_share;
  // Two of three directions lie across the lever.
  const double position2 = noise.noise.position * noise.noise.position +
                           2.0 / 3.0 * s * (1 - s) * noise.noise.angle * noise.noise.angle * lever2;
  const double angle2 = noise.noise.angle * noise.noise.angle;
  // States take their share of the six directions away.
  const double left = 6.0 - freedoms(fit.joint.type);
  if (left <= 0) return 0.0;
  return std::sqrt(3 * (fit.rms_angle * fit.rms_angle / angle2 + fit.rms_position * fit.rms_position / position2) / left);
}

double penalty(Criterion criterion, JointType type, int frames) {
  const int k = parameters_with_zero(type) + nuisance_parameters(freedoms(type), 6);
  return criterion == Criterion::bic ? 0.5 * k * std::log(static_cast<double>(frames)) : k;
}

PairFit fit_pair(const Observations& observations, const std::optional<PairNoise>& noise, const PairOptions& options) {
  PairFit result;
  result.frames = static_cast<int>(observations.poses.size());
  result.score = -std::numeric_limits<double>::infinity();
  result.misfit = std::numeric_limits<double>::infinity();
  FitOptions fit_options;
  if (noise) {
    fit_options.noise = noise->noise;
    fit_options.fixed_share = noise->fixed_share;
  }
  const auto consider = [&](JointType type, FitMethod method) {
    fit_options.method = method;
    fit_options.max_iterations = 10;
    fit_options.tolerance = 0.1;
    JointFit fit = fit_joint(type, observations, fit_options);
    if (fit.status == FitStatus::failed) return;
    double score = fit.log_likelihood_independent - penalty(options.criterion, type, result.frames);
    if (type == JointType::free) score -= options.free_margin * result.frames;
    if (score <= result.score) return;
    result.score = score;
    result.type = type;
    result.misfit = noise ? misfit(fit, observations, *noise) : 1.0;
    result.fit = std::move(fit);
  };
  for (const JointType type : {JointType::rigid, JointType::prismatic, JointType::revolute})
    if (allowed(options, type)) consider(type, noise ? FitMethod::likelihood : FitMethod::closed_form);
  const bool is_explained = noise && result.misfit < options.explained;
  if (!is_explained && noise) {
    for (const JointType type : {JointType::screw, JointType::cylindrical, JointType::planar, JointType::spherical, JointType::universal}) {
      if (!allowed(options, type)) continue;
      if (type != JointType::universal) {
        fit_options.method = FitMethod::closed_form;
        const JointFit look = fit_joint(type, observations, fit_options);
        if (look.status == FitStatus::failed || misfit(look, observations, *noise) > options.hopeless) continue;
      } else if (result.type != JointType::spherical) {
        continue;  // every universal joint is a spherical one that does not twist
      }
      consider(type, FitMethod::likelihood);
    }
  }
  if (!is_explained && (options.types.empty() || allowed(options, JointType::free) || !result.fit))
    consider(JointType::free, FitMethod::closed_form);
  return result;
}

}  // namespace prehend::articulation
