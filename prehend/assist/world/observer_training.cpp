#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include <prehend/assist/contact_observer.h>
#include <prehend/assist/world/free_motions.h>
#include <prehend/model/embedded_data.h>

namespace prehend::assist {

ObserverTraining train_observer(const Scenario& scenario, int motions, std::uint64_t seed) {
  const FreeMotions free(scenario);
  ObserverTraining training;
  training.motions = motions;
  using Normal = Eigen::Matrix<double, 5, 5>;
  const int joints = free.joint_count();
  std::vector<Normal> A(static_cast<std::size_t>(joints), 1e-9 * Normal::Identity());
  std::vector<Eigen::Matrix<double, 5, 1>> b(static_cast<std::size_t>(joints), Eigen::Matrix<double, 5, 1>::Zero());
  for (int k = 0; k < motions; ++k) {
    free.run(seed, k, [&](int joint, const ContactWatch::Error& error, const FreeMotions::Features& features) {
      A[static_cast<std::size_t>(joint)] += features * features.transpose();
      b[static_cast<std::size_t>(joint)] += error.position * features;
      ++training.samples;
    });
  }
  for (int j = 0; j < joints; ++j) {
    const Eigen::Matrix<double, 5, 1> c = A[static_cast<std::size_t>(j)].ldlt().solve(b[static_cast<std::size_t>(j)]);
    training.model.joints.push_back({free.joint_name(j), c[0], c[1], c[2], c[3], c[4]});
  }
  double before = 0.0, after = 0.0;
  int count = 0;
  for (int k = 0; k < std::max(2, motions / 5); ++k) {
    free.run(seed + 1000003, k, [&](int joint, const ContactWatch::Error& error, const FreeMotions::Features& features) {
      const ObserverModel::Joint& m = training.model.joints[static_cast<std::size_t>(joint)];
      const double rest = error.position - (m.constant * features[0] + m.direction * features[1] + m.speed * features[2] + m.acceleration * features[3] + m.torque * features[4]);
      before += error.position * error.position, after += rest * rest, ++count;
      training.largest_rad = std::max(training.largest_rad, std::abs(rest));
    });
  }
  training.rms_before_rad = std::sqrt(before / std::max(1, count)), training.rms_after_rad = std::sqrt(after / std::max(1, count));
  return training;
}

ObserverModel observer_for(const Scenario& scenario) {
  if (!scenario.observer.empty()) return read_observer(scenario.observer);
  if (scenario.robot.urdf.empty()) return parse_observer(std::string(model::embedded_file("assist/observer.csv")), "observer.csv");
  return train_observer(scenario, 20, 1).model;
}

}  // namespace prehend::assist
