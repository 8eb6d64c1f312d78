#include <algorithm>
#include <cmath>

#include <prehend/inertia/joint_motion.h>
#include <prehend/model/house/chain_sweep.h>
#include <prehend/model/text_scan.h>

namespace prehend::inertia {

std::string Trajectory::csv(const std::vector<std::string>& joints) const {
  std::string text = "t";
  for (const char* const kind : {"", "_vel", "_acc"}) {
    for (const std::string& joint : joints) {
      // A name with a comma or a quote would break the header.
      std::string name = joint;
      for (char& c : name) c = c == ',' || c == '"' || c == '\n' || c == '#' ? '_' : c;
      text += "," + name + kind;
    }
  }
  text += "\n";
  for (Eigen::Index row = 0; row < t.size(); ++row) {
    text += model::exact_number(t[row]);
    for (const Eigen::MatrixXd* part : {&q, &qd, &qdd}) {
      for (Eigen::Index j = 0; j < part->cols(); ++j) text += "," + model::exact_number((*part)(row, j));
    }
    text += "\n";
  }
  return text;
}

Trajectory sample_motion(const JointMotion& motion, double rate) {
  const auto rows = static_cast<Eigen::Index>(std::floor(motion.duration * rate + 1e-9)) + 1;
  Trajectory trajectory;
  trajectory.t.resize(rows);
  JointState state;
  for (Eigen::Index row = 0; row < rows; ++row) {
    trajectory.t[row] = static_cast<double>(row) / rate;
    motion.at(std::min(trajectory.t[row], motion.duration), state);
    if (row == 0) {
      for (Eigen::MatrixXd* part : {&trajectory.q, &trajectory.qd, &trajectory.qdd})
        part->resize(rows, state.q.size());
    }
    trajectory.q.row(row) = state.q.transpose();
    trajectory.qd.row(row) = state.qd.transpose();
    trajectory.qdd.row(row) = state.qdd.transpose();
  }
  return trajectory;
}

std::vector<Motion> sensor_motions(const model::JointChain& chain, const Trajectory& trajectory) {
  model::ChainSweep sweep(chain, -chain.gravity_W);
  std::vector<Motion> motions;
  motions.reserve(static_cast<std::size_t>(trajectory.t.size()));
  for (Eigen::Index row = 0; row < trajectory.t.size(); ++row) {
    const model::FrameMotion& m =
        sweep.forward(trajectory.q.row(row).transpose(), trajectory.qd.row(row).transpose(),
                      trajectory.qdd.row(row).transpose());
    motions.push_back({m.a, m.w, m.al});
  }
  return motions;
}

}  // namespace prehend::inertia
