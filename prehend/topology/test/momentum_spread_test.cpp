#include <utility>

#include <gtest/gtest.h>

#include <prehend/articulation/displaced_joint.h>
#include <prehend/topology/evidence/momentum_terms.h>
#include <prehend/topology/simulated/sample_object.h>
#include <prehend/topology/simulated/simulated_recording.h>

namespace prehend::topology {
namespace {

using model::JointType;

struct Hinge {
  SimulatedRecording made;
  MotionBlocks blocks;
  LinkBalance balance;
  RecordingNoise noise;
  articulation::JointFit fit;

  MomentumTerms terms(const std::vector<articulation::Joint>& joints) const {
    return momentum_terms(made.object, made.recording, blocks, balance, {joints}, noise);
  }
};

// Two links on a hinge, little noise: the wrenches know the axis better than the poses do.
Hinge recorded_hinge() {
  SampleObjectOptions object;
  object.links = 2;
  object.types = {JointType::revolute};
  object.seed = 5;
  const model::Scene scene = sample_object(object);
  RecordingOptions recording;
  recording.grips = sample_exploration(scene, 0.0, 5).grips;
  recording.pose_noise = {5e-5, 4e-4};
  recording.force_noise = 0.01;
  recording.torque_noise = 0.001;
  recording.duration = 3.0;
  recording.seed = 5;
  Hinge out;
  out.made = record(scene, recording);
  out.noise = measure_noise(out.made.recording);
  out.blocks = average_blocks(out.made.object, out.made.recording);
  out.balance = balance_links(out.made.object, out.made.recording, out.blocks, out.noise);
  out.fit = kinematic_evidence(out.made.object, out.blocks, 0, out.noise.pose, {JointType::revolute})
                .types.front()
                .fit;
  return out;
}

TEST(MomentumSpread, IsHowTheTermChangesWithTheJoint) {
  Hinge hinge = recorded_hinge();
  const int n = articulation::parameters(JointType::revolute);
  // One parameter open at a time, by a step that differences can check.
  const double step = 1e-4;
  for (int k = 0; k < n; ++k) {
    articulation::JointFit fit = hinge.fit;
    fit.covariance = Eigen::MatrixXd::Zero(n, n);
    fit.covariance(k, k) = step * step;
    const Eigen::MatrixXd spread =
        term_spread(hinge.made.object, hinge.blocks, hinge.balance, 0, fit, hinge.noise);
    const MomentumTerms terms = hinge.terms({fit.joint, articulation::displaced(fit.joint, k, step)});
    const Eigen::VectorXd change = terms.terms.col(1) - terms.terms.col(0);
    Eigen::Index largest = 0;
    spread.colwise().norm().maxCoeff(&largest);
    const double sign = spread.col(largest).dot(change) < 0.0 ? -1.0 : 1.0;
    EXPECT_LT((sign * spread.col(largest) - change).norm(), 0.02 * change.norm() + 1e-9) << k;
  }
}

TEST(MomentumSpread, AnAxisOffByWhatThePosesLeaveOpenIsNoEvidence) {
  const Hinge hinge = recorded_hinge();
  const double rows = 6.0 * static_cast<double>(hinge.balance.size());
  const Eigen::MatrixXd spread =
      term_spread(hinge.made.object, hinge.blocks, hinge.balance, 0, hinge.fit, hinge.noise);
  EXPECT_LT(hinge.terms({hinge.fit.joint}).joint_error(0, 0, spread), 1.3 * rows);
  // An axis that is off by 11 degrees, or by 30 mm, is seen by the wrenches, unless the poses leave as much open.
  for (const auto& [k, off] : {std::pair{0, 0.2}, std::pair{2, 0.03}}) {
    const MomentumTerms terms =
        hinge.terms({hinge.fit.joint, articulation::displaced(hinge.fit.joint, k, off)});
    EXPECT_GT(terms.joint_error(0, 1), terms.joint_error(0, 0) + 0.5 * rows) << k;
    EXPECT_GT(terms.joint_error(0, 1, spread), terms.joint_error(0, 0) + 0.5 * rows) << k;
    articulation::JointFit open = hinge.fit;
    open.covariance(k, k) += off * off;
    const Eigen::MatrixXd wide =
        term_spread(hinge.made.object, hinge.blocks, hinge.balance, 0, open, hinge.noise);
    EXPECT_LT(terms.joint_error(0, 1, wide), 1.3 * rows) << k;
  }
  // A slide in its place is no matter of where the axis lies.
  articulation::Joint slide = hinge.fit.joint;
  slide.type = JointType::prismatic;
  EXPECT_GT(hinge.terms({slide}).joint_error(0, 0, spread), 10.0 * rows);
}

}  // namespace
}  // namespace prehend::topology
