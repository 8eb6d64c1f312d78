#include <prehend/topology/evidence/error_history.h>
#include <prehend/topology/evidence/momentum_terms.h>

namespace prehend::topology {

ErrorHistory error_history(const ArticulatedObject& object, const Recording& recording,
                           const std::vector<FoundJoint>& joints) {
  const RecordingNoise noise = measure_noise(recording);
  const MotionBlocks blocks = average_blocks(object, recording);
  const LinkBalance balance = balance_links(object, recording, blocks, noise);
  std::vector<std::vector<articulation::Joint>> hypotheses;
  for (const FoundJoint& joint : joints) {
    hypotheses.emplace_back();
    for (const JointHypothesis& h : joint.hypotheses) hypotheses.back().push_back(h.joint);
  }
  const MomentumTerms terms = momentum_terms(object, recording, blocks, balance, hypotheses, noise);
  ErrorHistory history;
  const std::size_t windows = terms.whitening.size();
  if (windows == 0) return history;
  for (std::size_t w = 0; w < windows; ++w)
    history.t.push_back(blocks.t[static_cast<std::size_t>(balance.windows[w].centre)]);
  const double rows = static_cast<double>(recording.rows()) / static_cast<double>(windows);
  Eigen::VectorXd best = terms.constant;
  Eigen::Index first = 0;
  for (const int options : terms.options) {
    best += terms.terms.col(first);
    first += options;
  }
  first = 0;
  for (const FoundJoint& joint : joints) {
    history.error.emplace_back();
    for (std::size_t m = 0; m < joint.hypotheses.size(); ++m) {
      const Eigen::VectorXd residual =
          best - terms.terms.col(first) + terms.terms.col(first + static_cast<Eigen::Index>(m));
      std::vector<double> grown;
      double sum = 0.0;
      for (std::size_t w = 0; w < windows; ++w) {
        sum += rows * residual.segment<6>(static_cast<Eigen::Index>(6 * w)).norm();
        grown.push_back(sum);
      }
      history.error.back().push_back(std::move(grown));
    }
    first += static_cast<Eigen::Index>(joint.hypotheses.size());
  }
  return history;
}

}  // namespace prehend::topology
