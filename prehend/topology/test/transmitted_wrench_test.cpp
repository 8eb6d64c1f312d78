#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <prehend/math/spatial.h>
#include <prehend/simulate/simulation.h>
#include <prehend/topology/evidence/momentum_terms.h>
#include <prehend/topology/evidence/transmitted_wrench.h>
#include <prehend/topology/object_reader.h>
#include <prehend/topology/simulated/sample_object.h>

namespace prehend::topology {
namespace {

struct Pushed {
  ArticulatedObject object;
  Recording recording;
  std::vector<std::vector<math::Vector6d>>
      parent_wrench_P;                     // [joint][row] in the parent's axes about its origin
  std::vector<math::Vector6d> momentum_W;  // [row] about the world's origin
};

// A chain of three, pushed at its last link, without gravity; wrenches between the links as the engine knows them.
Pushed push_a_chain(std::vector<model::JointType> types, std::uint64_t seed) {
  SampleObjectOptions options;
  options.links = 3;
  options.chain = 1.0;
  options.types = std::move(types);
  options.seed = seed;
  model::Scene scene = sample_object(options);
  scene.gravity_W.setZero();
  Pushed pushed;
  pushed.object = object_of(scene);
  Recording& r = pushed.recording;
  r.gravity_W.setZero();
  r.X_WL.resize(3);
  r.held = {{2, {}}};
  pushed.parent_wrench_P.resize(2);
  simulate::SimulationOptions physics;
  physics.timestep = 0.0005;
  simulate::Simulation simulation(scene, physics);
  for (int k = 0; k < 3000; ++k) {
    const double t = k * physics.timestep;
    const math::Pose X_last = simulation.X_WB(model::BodyIndex(3));
    const Eigen::Vector3d f_L(2.0 * std::sin(6.0 * t), 1.5 * std::cos(5.0 * t), std::sin(9.0 * t));
    const math::Wrench F_L{{0.05 * std::cos(7.0 * t), 0.0, 0.04 * std::sin(8.0 * t)}, f_L};
    simulation.clear_wrenches();
    simulation.apply_wrench(model::BodyIndex(3), F_L.expressed(X_last.R()), X_last.p());
    if (k % 2 == 0) {
      r.t.push_back(t);
      r.held[0].F_L.push_back(F_L);
      for (std::size_t i = 0; i < 3; ++i) r.X_WL[i].push_back(simulation.X_WB(model::BodyIndex(i + 1)));
      pushed.momentum_W.push_back(simulation.momentum().vector());
      for (std::size_t j = 0; j < 2; ++j) {
        const math::Pose X_P = r.X_WL[j].back(), X_C = r.X_WL[j + 1].back();
        const math::Wrench at_parent =
            simulation.parent_wrench(model::BodyIndex(j + 2)).at(X_P.p() - X_C.p());
        pushed.parent_wrench_P[j].push_back(at_parent.expressed(X_P.R().transpose()).vector());
      }
    }
    simulation.step();
  }
  return pushed;
}

math::Vector6d over_window(const std::vector<math::Vector6d>& rows, const MotionBlocks& blocks,
                           const LinkBalance& balance, std::size_t k) {
  return balance.average(
      [&](int b) {
        math::Vector6d sum = math::Vector6d::Zero();
        for (int r = 0; r < blocks.rows_per_block; ++r)
          sum += rows[static_cast<std::size_t>(b * blocks.rows_per_block + r)];
        return math::Vector6d(sum / blocks.rows_per_block);
      },
      balance.windows[k]);
}

TEST(TransmittedWrench, IsWhatTheEngineSaysThatTheParentExerts) {
  for (const auto& types : {std::vector{model::JointType::revolute}, std::vector{model::JointType::prismatic},
                            std::vector{model::JointType::rigid}, std::vector{model::JointType::spherical}}) {
    const Pushed pushed = push_a_chain(types, 3);
    const RecordingNoise noise{{1e-7, 1e-7}, 1e-4, 1e-4};
    const MotionBlocks blocks = average_blocks(pushed.object, pushed.recording);
    const LinkBalance balance = balance_links(pushed.object, pushed.recording, blocks, noise);
    ASSERT_GT(balance.size(), 10u);
    for (int j = 0; j < 2; ++j) {
      const TransmittedWrench wrench =
          transmitted_wrench(pushed.object, pushed.recording, blocks, balance, j, noise);
      double gap = 0.0, size = 0.0;
      for (std::size_t k = 0; k < balance.size(); ++k) {
        const math::Vector6d truth =
            over_window(pushed.parent_wrench_P[static_cast<std::size_t>(j)], blocks, balance, k);
        gap = std::max(gap, (wrench.F_P[k] - truth).norm());
        size = std::max(size, truth.norm());
      }
      EXPECT_LT(gap, 0.01 * size) << to_string(types.front()) << " joint " << j;
    }
  }
}

TEST(MomentumTerms, OfTheTrueTypesMakeUpTheEnginesMomentum) {
  for (const model::JointType type :
       {model::JointType::revolute, model::JointType::prismatic, model::JointType::screw,
        model::JointType::spherical, model::JointType::rigid}) {
    const Pushed pushed = push_a_chain({type}, 3);
    const RecordingNoise noise{{1e-7, 1e-7}, 1e-4, 1e-4};
    const MotionBlocks blocks = average_blocks(pushed.object, pushed.recording);
    const LinkBalance balance = balance_links(pushed.object, pushed.recording, blocks, noise);
    const std::vector<model::JointType> types{model::JointType::rigid, type};
    std::vector<std::vector<articulation::Joint>> joints(2);
    for (int j = 0; j < 2; ++j)
      for (const TypeEvidence& evidence :
           kinematic_evidence(pushed.object, blocks, j, noise.pose, types).types)
        joints[static_cast<std::size_t>(j)].push_back(evidence.fit.joint);
    const MomentumTerms terms =
        momentum_terms(pushed.object, pushed.recording, blocks, balance, joints, noise);
    // Rate of the engine's momentum about the blocks' origin, by differences of rows inside the average.
    std::vector<math::Vector6d> rate(pushed.momentum_W.size(), math::Vector6d::Zero());
    for (std::size_t k = 1; k + 1 < rate.size(); ++k) {
      const math::Vector6d d = (pushed.momentum_W[k + 1] - pushed.momentum_W[k - 1]) /
                               (pushed.recording.t[k + 1] - pushed.recording.t[k - 1]);
      rate[k] << d.head<3>() - blocks.origin.cross(Eigen::Vector3d(d.tail<3>())), d.tail<3>();
    }
    double gap = 0.0, size = 0.0;
    for (std::size_t k = 0; k < balance.size(); ++k) {
      math::Vector6d known = math::Vector6d::Zero();
      for (std::size_t i = 0; i < 3; ++i) known += balance.known[i][k];
      const Eigen::Index row = static_cast<Eigen::Index>(6 * k);
      const math::Vector6d ours = terms.constant.segment<6>(row) + known +
                                  terms.terms.col(1).segment<6>(row) + terms.terms.col(3).segment<6>(row);
      const math::Vector6d truth = over_window(rate, blocks, balance, k);
      gap = std::max(gap, (ours - truth).norm());
      size = std::max(size, truth.norm());
    }
    EXPECT_LT(gap, 0.01 * size) << to_string(type);

    // The Gram matrix gives the error that the whitened residual has.
    const CombinationProblem problem = terms.problem();
    for (const std::vector<int>& choice :
         {std::vector{0, 0}, std::vector{1, 0}, std::vector{0, 1}, std::vector{1, 1}}) {
      const Eigen::VectorXd residual =
          terms.constant + terms.terms.col(choice[0]) + terms.terms.col(2 + choice[1]);
      double direct = 0.0;
      for (std::size_t k = 0; k < balance.size(); ++k)
        direct += terms.whitening[k]
                      .triangularView<Eigen::Lower>()
                      .solve(residual.segment<6>(static_cast<Eigen::Index>(6 * k)))
                      .squaredNorm();
      EXPECT_NEAR(problem.error(choice), direct, 1e-9 * problem.gram.diagonal().maxCoeff());
    }
  }
}

}  // namespace
}  // namespace prehend::topology
