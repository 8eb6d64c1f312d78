#include "modular_trials.h"

#include <algorithm>

#include <generated/generated_motion.h>

#include <prehend/inertia/motion_smoother.h>

namespace prehend::reproduce {

using namespace inertia;

int figure_runs(const ReproduceOptions& options) { return std::max(1, options.runs / 5); }

WristTrial wrist_trial(const ModularObject& object, const WristTrialOptions& options,
                       math::RandomStream stream) {
  const Eigen::Vector3d gravity(0.0, 0.0, -9.81);
  WristMotionOptions motion;
  motion.mean_speed = options.speed;
  motion.duration = options.duration;
  motion.start = stream.uniform(0.0, 20.0);
  model::WrenchLog log = record_motion(wrist_motion(motion), object.truth.body_S, object.X_SO, gravity);
  add_noise(log, source_noise_levels()[options.noise].noise, stream);
  SampleOptions sample_options;
  sample_options.gravity_W = gravity;
  WristTrial trial;
  trial.raw = prepare_samples(log, sample_options);
  if (options.smooth) trial.smoothed = smooth_samples(log, sample_options);
  return trial;
}

const std::vector<FigureMethod>& figure_methods() {
  static const std::vector<FigureMethod> kMethods{{"ols", Method::ols},
                                                  {"rtls", Method::rtls},
                                                  {"geo", Method::geo},
                                                  {"pmd", Method::pmd},
                                                  {"likelihood", Method::likelihood}};
  return kMethods;
}

Estimate figure_estimate(Method method, const WristTrial& trial, const ModularObject& object,
                         double seconds) {
  Samples samples = method == Method::likelihood ? trial.smoothed : trial.raw;
  std::erase_if(samples.samples, [seconds](const Sample& sample) { return sample.t >= seconds - 1e-9; });
  return estimate(method, samples, &object.shape);
}

}  // namespace prehend::reproduce
