#include <algorithm>
#include <cmath>
#include <utility>

#include <prehend/inertia/methods/symmetric.h>
#include <prehend/inertia/planning/baseline.h>
#include <prehend/math/angles.h>

namespace prehend::inertia {
namespace {

// (3.14) of source N.
constexpr double kFrequencies[] = {0.1, 0.13, 0.16};  // [Hz] of the last three joints
constexpr double kAmplitude = 45.0 * math::kDegree;   // [rad]

double log_determinant(const math::Matrix10d& information) {
  return eigenvalues_of<10>(information).cwiseMax(1e-300).array().log().sum();
}

}  // namespace

Eigen::VectorXd middle_of_ranges(const model::JointChain& chain) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(chain.size());
  for (int i = 0; i < chain.size(); ++i) {
    const model::ChainJoint& joint = chain.joints[static_cast<std::size_t>(i)];
    if (std::isfinite(joint.lower) && std::isfinite(joint.upper)) q[i] = 0.5 * (joint.lower + joint.upper);
  }
  return q;
}

JointMotion baseline_motion(const model::JointChain& chain, const ExcitationOptions& options,
                            const Eigen::VectorXd& centre, double factor) {
  const JointBounds bounds = joint_bounds(chain, options.limits);
  const int first = std::max(0, chain.size() - 3);
  Eigen::VectorXd amplitude = Eigen::VectorXd::Zero(chain.size()), rate = amplitude;
  for (int i = first; i < chain.size(); ++i) {
    amplitude[i] =
        std::max(0.0, std::min({kAmplitude, centre[i] - bounds.lower[i], bounds.upper[i] - centre[i]}));
    rate[i] = 2.0 * math::kPi * kFrequencies[i - first] * factor;
  }
  return {options.duration, [=](double t, JointState& state) {
            const Eigen::ArrayXd phase = rate.array() * t;
            state.q = centre + (amplitude.array() * phase.sin()).matrix();
            state.qd = (amplitude.array() * rate.array() * phase.cos()).matrix();
            state.qdd = -(amplitude.array() * rate.array().square() * phase.sin()).matrix();
          }};
}

double baseline_factor(const model::JointChain& chain, const ExcitationOptions& options,
                       const Eigen::VectorXd& centre) {
  // Room and joint positions do not depend on the speed: a baseline that breaks them is reported, not changed.
  const auto is_slow_enough = [&](double factor) {
    const LimitReport report = check_limits(chain, baseline_motion(chain, options, centre, factor),
                                            options.object, options.limits, 1000);
    double margin = report.tool_speed.margin;
    for (const auto* uses : {&report.speed, &report.acceleration}) {
      for (const LimitUse& use : *uses) margin = std::min(margin, use.margin);
    }
    return margin >= 0.0;
  };
  double low = 0.0, high = options.max_frequency / kFrequencies[2];
  if (is_slow_enough(high)) return high;
  for (int i = 0; i < 24; ++i) {
    const double middle = 0.5 * (low + high);
    (is_slow_enough(middle) ? low : high) = middle;
  }
  return low;
}

Baseline best_baseline(const model::JointChain& chain, const ExcitationOptions& options,
                       const Eigen::VectorXd& start) {
  Baseline best;
  bool is_first = true;
  for (const Eigen::VectorXd& centre : {middle_of_ranges(chain), start}) {
    const double factor = baseline_factor(chain, options, centre);
    MotionWorth worth = worth_of(chain, baseline_motion(chain, options, centre, factor), options);
    if (is_first || log_determinant(worth.information) > log_determinant(best.worth.information))
      best = {std::move(worth), factor};
    is_first = false;
  }
  return best;
}

}  // namespace prehend::inertia
