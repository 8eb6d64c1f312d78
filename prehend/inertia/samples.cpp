#include <cstddef>
#include <stdexcept>
#include <vector>

#include <prehend/inertia/samples.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/se3.h>

namespace prehend::inertia {

const char* to_string(WrenchFrame frame) { return enum_text(frame); }

Samples prepare_samples(const model::WrenchLog& log, const SampleOptions& options) {
  if (!options.gravity_W.allFinite()) {
    throw std::invalid_argument("SampleOptions.gravity_W: a component is not a finite number");
  }
  if (!log.has_acceleration() || !log.has_twist()) {
    throw std::invalid_argument(std::string("the log has no ") +
                                (log.has_acceleration() ? "velocity" : "acceleration") +
                                " columns: smooth its poses first");
  }
  Samples result;
  result.samples.reserve(log.rows());
  for (std::size_t i = 0; i < log.rows(); ++i) {
    const Eigen::Matrix3d R_SW = log.X_WS[i].R().transpose();
    Sample sample;
    sample.t = log.t[i];
    sample.gravity = R_SW * options.gravity_W;
    sample.motion.a = R_SW * (log.a_WS_W[i] - options.gravity_W);
    sample.motion.w = R_SW * log.w_WS_W[i];
    sample.motion.al = R_SW * log.al_WS_W[i];
    const bool in_world = options.wrench_frame == WrenchFrame::world;
    sample.wrench.head<3>() = in_world ? (R_SW * log.tau_S[i]).eval() : log.tau_S[i];
    sample.wrench.tail<3>() = in_world ? (R_SW * log.f_S[i]).eval() : log.f_S[i];
    result.samples.push_back(sample);
  }
  if (log.has_object()) {
    std::vector<math::Pose> X_SO;
    X_SO.reserve(log.rows());
    for (std::size_t i = 0; i < log.rows(); ++i) X_SO.push_back(log.X_WS[i].inverse() * log.X_WO[i]);
    // No mean exists for orientations all over the sphere: an object that turns so far in the grasp has no pose in it.
    result.X_SO = math::mean_pose(X_SO);
  }
  return result;
}

}  // namespace prehend::inertia
