#include <limits>
#include <stdexcept>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sample_maker.h"
#include <prehend/inertia/methods/normal_equations.h>

namespace prehend::inertia {
namespace {

Samples noisy_samples(int count) {
  Samples samples = test::make_samples(test::some_body(), count, 2.0, 5);
  test::add_noise(samples, {.a = 0.1, .w = 0.1, .al = 0.1, .force = 0.2, .torque = 0.1}, 6);
  return samples;
}

// All rows [A b], weighted, written out.
Eigen::MatrixXd stacked(const Samples& samples, const RowWeights& weights = {}) {
  Eigen::MatrixXd rows(6 * samples.samples.size(), 11);
  Eigen::Index at = 0;
  for (const Sample& sample : samples.samples) {
    rows.block<6, 10>(at, 0) = wrench_regressor(sample.motion);
    rows.block<6, 1>(at, 10) = sample.wrench;
    rows.middleRows<3>(at) *= weights.torque;
    rows.middleRows<3>(at + 3) *= weights.force;
    at += 6;
  }
  return rows;
}

TEST(NormalEquations, HoldTheGramMatrixOfAllRows) {
  const Samples samples = noisy_samples(21);
  NormalEquations sums;
  sums.add(samples.samples);
  const RowWeights weights{3.0, 0.7};
  const Eigen::MatrixXd rows = stacked(samples, weights);
  const Matrix11d gram = rows.transpose() * rows;
  const Matrix11d R = sums.factor(weights);
  EXPECT_TRUE(R.isUpperTriangular(0.0));
  EXPECT_LT((R.transpose() * R - gram).norm(), 1e-13 * gram.norm());
  const Eigen::MatrixXd plain = stacked(samples);
  const math::Matrix10d plain_gram = plain.leftCols<10>().transpose() * plain.leftCols<10>();
  EXPECT_LT((sums.force_gram() + sums.torque_gram() - plain_gram).norm(), 1e-13 * plain_gram.norm());

  const math::Vector10d phi = test::some_body(0.9).parameters();
  const Eigen::VectorXd residual = plain.leftCols<10>() * phi - plain.col(10);
  EXPECT_NEAR(sums.squared_force_residual(phi) + sums.squared_torque_residual(phi), residual.squaredNorm(),
              1e-12 * residual.squaredNorm());
}

TEST(NormalEquations, OneByOneByBlocksAndMergedAreTheSame) {
  const Samples samples = noisy_samples(37);
  NormalEquations blocks, single, first, second;
  blocks.add(samples.samples);
  for (std::size_t i = 0; i < samples.samples.size(); ++i) {
    single.add(samples.samples[i]);
    (i < 20 ? first : second).add(samples.samples[i]);
  }
  first.add(second);
  EXPECT_EQ(blocks.samples(), 37);
  EXPECT_EQ(first.samples(), 37);
  const Matrix11d R = blocks.factor();
  for (const NormalEquations& other : {single, first}) {
    const Matrix11d other_R = other.factor();
    EXPECT_LT((other_R.transpose() * other_R - R.transpose() * R).norm(), 1e-13 * R.squaredNorm());
  }
}

TEST(NormalEquations, AWeightOfTwoIsFourSamples) {
  const Samples samples = noisy_samples(3);
  NormalEquations weighted, repeated;
  for (const Sample& sample : samples.samples) {
    weighted.add(sample, 2.0);
    for (int i = 0; i < 4; ++i) repeated.add(sample);
  }
  const Matrix11d a = weighted.factor(), b = repeated.factor();
  EXPECT_LT((a.transpose() * a - b.transpose() * b).norm(), 1e-13 * a.squaredNorm());
}

TEST(NormalEquations, RefuseWhatWouldSpoilThem) {
  NormalEquations sums;
  Sample sample;
  sample.motion.al.y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(sums.add(sample), std::invalid_argument);
  EXPECT_THROW(sums.add(std::span<const Sample>(&sample, 1)), std::invalid_argument);
  EXPECT_THROW(sums.add(Sample{}, -1.0), std::invalid_argument);
  EXPECT_EQ(sums.samples(), 0);
}

}  // namespace
}  // namespace prehend::inertia
