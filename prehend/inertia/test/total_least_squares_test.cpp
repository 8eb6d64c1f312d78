#include <cmath>
#include <stdexcept>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sample_maker.h"
#include <prehend/inertia/methods/least_squares.h>
#include <prehend/inertia/methods/total_least_squares.h>

namespace prehend::inertia {
namespace {

Eigen::MatrixXd stacked(const Samples& samples, const SampleNoise& noise) {
  Eigen::MatrixXd rows(6 * samples.samples.size(), 11);
  Eigen::Index at = 0;
  for (const Sample& sample : samples.samples) {
    rows.block<6, 10>(at, 0) = wrench_regressor(sample.motion);
    rows.block<6, 1>(at, 10) = sample.wrench;
    rows.middleRows<3>(at) /= noise.torque;
    rows.middleRows<3>(at + 3) /= noise.force;
    at += 6;
  }
  return rows;
}

Samples noisy_samples(const SampleNoise& noise, int count = 200) {
  Samples samples = test::make_samples(test::some_body(), count, 2.0, 1);
  test::add_noise(samples, noise, 2);
  return samples;
}

// Per sample, in rows divided by the wrench's noise: what the regressor's errors add to each column's square.
Eigen::VectorXd column_noise(const SampleNoise& noise) {
  const double f = 1.0 / (noise.force * noise.force), t = 1.0 / (noise.torque * noise.torque);
  const double a = noise.a * noise.a, al = noise.al * noise.al;
  Eigen::VectorXd squares(11);
  squares[0] = 3 * a * f;
  squares.segment<3>(1).setConstant(2 * al * f + 2 * a * t);
  squares.segment<6>(4) << al * t, 2 * al * t, 2 * al * t, al * t, 2 * al * t, al * t;
  squares[10] = 6.0;
  return squares;
}

// Independent route: singular values of the whole stacked matrix, columns divided by their noise.
TEST(TotalLeastSquares, IsTheSmallestSingularVectorOfAllRows) {
  const SampleNoise noise{.a = 0.1, .w = 0.0, .al = 0.3, .force = 0.2, .torque = 0.02};
  const Samples samples = noisy_samples(noise);
  const Eigen::VectorXd scale = column_noise(noise).cwiseSqrt();
  const Eigen::MatrixXd scaled = stacked(samples, noise) * scale.cwiseInverse().asDiagonal();
  const Eigen::VectorXd v = scaled.jacobiSvd(Eigen::ComputeThinU | Eigen::ComputeThinV).matrixV().col(10);
  const Eigen::VectorXd w = v.cwiseQuotient(scale);
  const math::Vector10d phi = -w.head<10>() / w[10];
  const Estimate found = total_least_squares(samples.samples, {.expected = noise});
  ASSERT_EQ(found.status, Status::ok);
  EXPECT_LT((found.inertia_S.parameters() - phi).norm(), 1e-9 * phi.norm());
  // Only proportions of the noise matter.
  const SampleNoise tenfold{.a = 1.0, .w = 0.0, .al = 3.0, .force = 2.0, .torque = 0.2};
  const Estimate same = total_least_squares(samples.samples, {.expected = tenfold});
  EXPECT_LT((same.inertia_S.parameters() - phi).norm(), 1e-9 * phi.norm());
}

// Exact angular accelerations make the columns of inertia exact: least squares on those, total on the rest (mixed LS-TLS
// by QR, Van Huffel and Vandewalle 1991, algorithm 3.2).
TEST(TotalLeastSquares, TakesExactColumnsAsExact) {
  const SampleNoise noise{.a = 0.3, .w = 0.0, .al = 0.0, .force = 0.2, .torque = 0.02};
  const Samples samples = noisy_samples(noise);
  const Eigen::VectorXd scale = column_noise(noise).cwiseSqrt();
  Eigen::MatrixXd ordered(6 * samples.samples.size(), 11);
  const Eigen::MatrixXd rows = stacked(samples, noise);
  ordered.leftCols<6>() = rows.middleCols<6>(4);
  for (int k = 0; k < 4; ++k) ordered.col(6 + k) = rows.col(k) / scale[k];
  ordered.col(10) = rows.col(10) / scale[10];
  const Eigen::MatrixXd R =
      Eigen::MatrixXd(ordered.householderQr().matrixQR().topRows<11>().triangularView<Eigen::Upper>());
  Eigen::VectorXd v = R.bottomRightCorner<5, 5>().jacobiSvd(Eigen::ComputeFullV).matrixV().col(4);
  v /= -v[4] / scale[10];
  math::Vector10d phi;
  phi.tail<6>() = R.topLeftCorner<6, 6>().triangularView<Eigen::Upper>().solve(-R.topRightCorner<6, 5>() * v);
  phi.head<4>() = v.head<4>().cwiseQuotient(scale.head<4>());
  const Estimate found = total_least_squares(samples.samples, {.expected = noise});
  EXPECT_LT((found.inertia_S.parameters() - phi).norm(), 1e-9 * phi.norm());
}

TEST(TotalLeastSquares, WithAnExactRegressorItIsWeightedLeastSquares) {
  const SampleNoise noise{.force = 0.2, .torque = 0.02};
  const Samples samples = noisy_samples(noise);
  const math::Vector10d total =
      total_least_squares(samples.samples, {.expected = noise}).inertia_S.parameters();
  const math::Vector10d ordinary =
      least_squares(samples.samples, {.weights = {1 / 0.2, 1 / 0.02}}).inertia_S.parameters();
  EXPECT_LT((total - ordinary).norm(), 1e-10 * ordinary.norm());
}

// Least squares shrinks what noisy accelerations multiply, and more samples do not help; total least squares converges.
TEST(TotalLeastSquares, IsFreeOfTheShrinkingOfLeastSquares) {
  const math::SpatialInertia body = test::some_body();
  for (const double w : {0.0, 0.2}) {
    const SampleNoise noise{.a = 0.05, .w = w, .al = 2.0, .force = 0.05, .torque = 0.005};
    const Samples samples = noisy_samples(noise, 60000);
    const double truth = body.parameters()[4];
    const double total = total_least_squares(samples.samples, {.expected = noise}).inertia_S.parameters()[4];
    const double ordinary = least_squares(samples.samples).inertia_S.parameters()[4];
    EXPECT_LT(ordinary / truth, 0.7) << w;
    EXPECT_NEAR(total / truth, 1.0, 0.03) << w;
  }
}

TEST(TotalLeastSquares, CovarianceIsTheScatterOfManyRuns) {
  const math::SpatialInertia body = test::some_body();
  const SampleNoise noise{.a = 0.05, .w = 0.0, .al = 0.3, .force = 0.3, .torque = 0.02};
  const Samples clean = test::make_samples(body, 60, 2.0, 7);
  constexpr int kRuns = 1500;
  math::Matrix10d scatter = math::Matrix10d::Zero(), reported = math::Matrix10d::Zero();
  for (int run = 0; run < kRuns; ++run) {
    Samples samples = clean;
    test::add_noise(samples, noise, static_cast<std::uint64_t>(run));
    const Estimate found = total_least_squares(samples.samples, {.expected = noise});
    const math::Vector10d error = found.inertia_S.parameters() - body.parameters();
    scatter += error * error.transpose() / kRuns;
    reported += found.covariance / kRuns;
  }
  // First order, one variance for all rows of a kind: right to a quarter of the variance here.
  for (int k = 0; k < 10; ++k) EXPECT_NEAR(reported(k, k) / scatter(k, k), 1.0, 0.25) << parameter_name(k);
}

TEST(TotalLeastSquares, EdgeCases) {
  Samples samples = test::make_samples(test::some_body(), 40, 2.0, 1);
  Estimate found = total_least_squares(samples.samples);  // free of noise
  EXPECT_EQ(found.status, Status::ok);
  EXPECT_LT((found.inertia_S.parameters() - test::some_body().parameters()).norm(), 1e-10);
  samples = test::make_samples(test::some_body(), 40, 0.0, 1);  // still
  test::add_noise(samples, {.force = 0.1, .torque = 0.01}, 4);
  found = total_least_squares(samples.samples);
  EXPECT_EQ(found.status, Status::undetermined);
  EXPECT_NEAR(found.inertia_S.mass, 0.7, 0.01);
  EXPECT_EQ(total_least_squares({}).status, Status::failed);
  try {
    TotalLeastSquares({.expected = {.force = 0.0, .torque = 1.0}});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "TotalLeastSquaresOptions::expected.force is 0 N; it must be finite and above 0 N");
  }
}

}  // namespace
}  // namespace prehend::inertia
