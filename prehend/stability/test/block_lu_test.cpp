// Systems of 6x6 blocks against a dense solver, and balances of forces that are not numbers.
#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "contact_scenes.h"
#include <prehend/math/random.h>
#include <prehend/stability/statics/block_lu.h>
#include <prehend/stability/statics/spring_tangent.h>

namespace prehend::stability {
namespace {

using math::Matrix6d;

Matrix6d random_block(math::RandomStream& random) {
  Matrix6d block;
  for (int i = 0; i < 36; ++i) block.data()[i] = random.uniform(-1.0, 1.0);
  return block;
}

TEST(BlockLu, SolvesUnsymmetricSystemsAsADenseSolverDoes) {
  constexpr int kBodies = 14;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    math::RandomStream random(seed, 3);
    std::vector<std::pair<int, int>> edges;
    for (int b = 1; b < kBodies; ++b) {
      for (int more = 0; more < 2; ++more)
        edges.emplace_back(static_cast<int>(random.below(static_cast<std::uint32_t>(b))), b);
    }
    const BlockPattern pattern = find_block_pattern(kBodies, edges);
    BlockLu lu(pattern);
    constexpr double kDiagonal = 20.0;  // more than what the blocks of a body add up to
    lu.set_diagonal(kDiagonal);
    Eigen::MatrixXd dense = kDiagonal * Eigen::MatrixXd::Identity(6 * kBodies, 6 * kBodies);
    for (const auto& [a, b] : edges) {
      const Matrix6d between = random_block(random), one = random_block(random), other = random_block(random);
      lu.add_between(a, b, between);
      lu.add(a, b, one);
      lu.add(b, a, other);
      dense.block<6, 6>(6 * a, 6 * a) += between;
      dense.block<6, 6>(6 * b, 6 * b) += between;
      dense.block<6, 6>(6 * a, 6 * b) += one - between;
      dense.block<6, 6>(6 * b, 6 * a) += other - between;
    }
    ASSERT_TRUE(lu.factor());
    Eigen::VectorXd right(6 * kBodies);
    for (double& entry : right) entry = random.uniform(-1.0, 1.0);
    Eigen::VectorXd x = right;
    lu.solve(x);
    EXPECT_LT((dense * x - right).lpNorm<Eigen::Infinity>(), 1e-12) << "seed " << seed;
  }
}

TEST(SpringImbalance, ForcesThatAreNotNumbersNeverBalance) {
  model::Scene scene;
  box_scenes::add_floor(scene, 0.5);
  box_scenes::add_box(scene, {.name = "box", .X_WB = math::Pose::translation({0, 0, 0.5})});
  const ContactSystem system = build_contact_system(scene);
  const SpringSystem springs(system, {}, 0.0);
  const CoulombLaw law(springs.mu, 1.0);
  SpringState state;
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    state.evaluate(springs, law, Eigen::VectorXd::Constant(springs.unknowns(), bad));
    EXPECT_FALSE(spring_imbalance(springs, state) <= 0.5) << bad;
    state.evaluate(springs, law, Eigen::VectorXd::Zero(springs.unknowns()));
    EXPECT_FALSE(spring_imbalance(springs, state, bad) <= 0.5) << bad;
  }
}

}  // namespace
}  // namespace prehend::stability
