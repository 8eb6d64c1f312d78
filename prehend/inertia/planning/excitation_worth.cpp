#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include <prehend/inertia/planning/excitation_worth.h>

namespace prehend::inertia {
namespace {

constexpr double kFrequencies[] = {0.1, 0.13, 0.16};          // [Hz] of the last three joints
constexpr double kAmplitude = 45.0 * std::numbers::pi / 180;  // [rad]

double log_determinant(const Matrix10d& information) {
  const Eigen::SelfAdjointEigenSolver<Matrix10d> solver(information, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().cwiseMax(1e-300).array().log().sum();
}

}  // namespace

MotionWorth worth_of(const model::JointChain& chain, const JointMotion& motion,
                     const ExcitationOptions& options) {
  MotionWorth worth;
  worth.trajectory = sample_motion(motion, options.rate);
  worth.information = information(sensor_motions(chain, worth.trajectory), options.noise);
  worth.condition = condition_number(worth.information);
  worth.std = predicted_deviation(worth.information, options.object.inertia_S());
  const int nodes =
      std::max(4000, static_cast<int>(std::min(200000.0, 400.0 * motion.duration * options.max_frequency)));
  worth.limits = check_limits(chain, motion, options.object, options.limits, nodes);
  return worth;
}

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
    rate[i] = 2.0 * std::numbers::pi * kFrequencies[i - first] * factor;
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

void add_baseline(const model::JointChain& chain, const ExcitationOptions& options,
                  const Eigen::VectorXd& start, Excitation& result) {
  bool is_first = true;
  for (const Eigen::VectorXd& centre : {middle_of_ranges(chain), start}) {
    const double factor = baseline_factor(chain, options, centre);
    MotionWorth worth = worth_of(chain, baseline_motion(chain, options, centre, factor), options);
    if (is_first || log_determinant(worth.information) > log_determinant(result.baseline.information)) {
      result.baseline = std::move(worth);
      result.baseline_speed = factor;
    }
    is_first = false;
  }
}

}  // namespace prehend::inertia
