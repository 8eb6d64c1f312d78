#include <cmath>
#include <stdexcept>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sample_maker.h"
#include <prehend/inertia/methods/least_squares.h>

namespace prehend::inertia {
namespace {

using Names = std::vector<std::string>;

TEST(LeastSquares, ReturnsTheBodyBehindTheSamplesAtAnyScale) {
  for (const double size : {2e-4, 0.2, 200.0}) {
    const double mass = 0.7 * std::pow(size / 0.2, 3);
    const math::SpatialInertia body = test::some_body(mass, size);
    // Motion at the speed that goes with the size: accelerations of g, angular ones of g per size.
    Samples samples = test::make_samples(body, 40, 1.0, 1);
    for (Sample& sample : samples.samples) {
      sample.motion.al *= 0.2 / size;
      sample.motion.w *= std::sqrt(0.2 / size);
      sample.wrench = wrench_of(body, sample.motion);
    }
    const Estimate found = least_squares(samples.samples);
    ASSERT_EQ(found.status, Status::ok) << size;
    EXPECT_NEAR(found.inertia_S.mass / mass, 1.0, 1e-12);
    EXPECT_LT((found.inertia_S.com - body.com).norm(), 1e-11 * size);
    EXPECT_LT((found.inertia_S.I_com - body.I_com).norm(), 1e-9 * body.I_com.norm());
    EXPECT_TRUE(found.consistency.is_consistent());
    EXPECT_EQ(found.rank, 10);
    EXPECT_EQ(found.samples, 40);
  }
}

TEST(LeastSquares, IsTheOrthogonalProjectionOfTheStackedRows) {
  Samples samples = test::make_samples(test::some_body(), 30, 2.0, 2);
  test::add_noise(samples, {.force = 0.3, .torque = 0.05}, 3);
  Eigen::MatrixXd A(180, 10);
  Eigen::VectorXd b(180);
  const RowWeights weights{2.0, 5.0};
  for (int i = 0; i < 30; ++i) {
    const Sample& sample = samples.samples[static_cast<std::size_t>(i)];
    A.middleRows<6>(6 * i) = wrench_regressor(sample.motion);
    b.segment<6>(6 * i) = sample.wrench;
    A.middleRows<3>(6 * i) *= weights.torque;
    b.segment<3>(6 * i) *= weights.torque;
    A.middleRows<3>(6 * i + 3) *= weights.force;
    b.segment<3>(6 * i + 3) *= weights.force;
  }
  const Estimate found = least_squares(samples.samples, {.weights = weights});
  const math::Vector10d phi = A.colPivHouseholderQr().solve(b);
  EXPECT_LT((found.inertia_S.parameters() - phi).norm(), 1e-11 * phi.norm());

  const Eigen::MatrixXd scaled = A * A.colwise().norm().cwiseInverse().asDiagonal();
  const Eigen::VectorXd sigma = scaled.jacobiSvd().singularValues();
  EXPECT_NEAR(found.condition, sigma[0] / sigma[9], 1e-6 * found.condition);

  const Eigen::VectorXd residual = A * phi - b;
  double force = 0, torque = 0;
  for (int i = 0; i < 30; ++i) {
    torque += residual.segment<3>(6 * i).squaredNorm() / 25.0;
    force += residual.segment<3>(6 * i + 3).squaredNorm() / 4.0;
  }
  EXPECT_NEAR(found.residual_torque, std::sqrt(torque / 90), 1e-12);
  EXPECT_NEAR(found.residual_force, std::sqrt(force / 90), 1e-12);
}

// The covariance that one run reports, averaged, is the scatter of many runs; forces and torques of unlike noise.
TEST(LeastSquares, CovarianceIsTheScatterOfManyRuns) {
  const math::SpatialInertia body = test::some_body();
  const Samples clean = test::make_samples(body, 25, 3.0, 7);
  for (const RowWeights& weights : {RowWeights{}, RowWeights{1.0 / 0.3, 1.0 / 0.01}}) {
    constexpr int kRuns = 3000;
    math::Matrix10d scatter = math::Matrix10d::Zero(), reported = math::Matrix10d::Zero();
    Eigen::Vector3d com_scatter = Eigen::Vector3d::Zero(), com_reported = Eigen::Vector3d::Zero();
    for (int run = 0; run < kRuns; ++run) {
      Samples samples = clean;
      test::add_noise(samples, {.force = 0.3, .torque = 0.01}, static_cast<std::uint64_t>(run));
      const Estimate found = least_squares(samples.samples, {.weights = weights});
      const math::Vector10d error = found.inertia_S.parameters() - body.parameters();
      scatter += error * error.transpose() / kRuns;
      reported += found.covariance / kRuns;
      com_scatter += (found.inertia_S.com - body.com).cwiseAbs2() / kRuns;
      com_reported += found.std_com().cwiseAbs2() / kRuns;
    }
    // Whitened by the scatter, the reported covariance is the identity: 3000 runs tell that to 2/sqrt(3000) per entry.
    const Eigen::LLT<math::Matrix10d> llt(scatter);
    const math::Matrix10d half = llt.matrixL().solve(reported);
    const math::Matrix10d ratio = llt.matrixL().solve(half.transpose());
    EXPECT_LT((ratio - math::Matrix10d::Identity()).cwiseAbs().maxCoeff(), 0.12);
    EXPECT_LT((com_reported.cwiseQuotient(com_scatter) - Eigen::Vector3d::Ones()).cwiseAbs().maxCoeff(),
              0.12);
  }
}

TEST(LeastSquares, NamesWhatTheDataCannotTell) {
  const math::SpatialInertia body = test::some_body();
  Samples samples = test::make_samples(body, 12, 0.0, 1);  // still, in many orientations
  Estimate found = least_squares(samples.samples);
  EXPECT_EQ(found.status, Status::undetermined);
  EXPECT_EQ(found.rank, 4);
  EXPECT_EQ(found.undetermined, (Names{"I_xx", "I_xy", "I_xz", "I_yy", "I_yz", "I_zz"}));
  EXPECT_TRUE(std::isinf(found.condition));
  EXPECT_NEAR(found.inertia_S.mass, body.mass, 1e-12);
  EXPECT_LT((found.inertia_S.com - body.com).norm(), 1e-12);
  EXPECT_NE(found.brief_report().find("the data do not determine I_xx, I_xy"), std::string::npos);

  // Still in one orientation: nothing tells how far along gravity the centre is.
  samples.samples.assign(5, samples.samples[0]);
  for (Sample& sample : samples.samples) {
    sample.motion.a = {0, 0, 9.81};
    sample.wrench = wrench_of(body, sample.motion);
  }
  found = least_squares(samples.samples);
  EXPECT_EQ(found.rank, 3);
  EXPECT_EQ(found.undetermined, (Names{"com_z", "I_xx", "I_xy", "I_xz", "I_yy", "I_yz", "I_zz"}));
  EXPECT_NEAR(found.inertia_S.com.x(), body.com.x(), 1e-12);

  // Turning about z only, z vertical: moments about x and y, and the height of the centre, stay hidden.
  samples = test::make_samples(body, 20, 1.0, 3);
  for (Sample& sample : samples.samples) {
    sample.motion.a = {0, 0, 9.81};
    sample.motion.w.head<2>().setZero();
    sample.motion.al.head<2>().setZero();
    sample.wrench = wrench_of(body, sample.motion);
  }
  found = least_squares(samples.samples);
  EXPECT_EQ(found.undetermined, (Names{"com_z", "I_xx", "I_xy", "I_yy"}));
  EXPECT_EQ(found.rank, 6);
}

// Rounding of a log's digits is no excitation.
TEST(LeastSquares, RoundingTellsNothing) {
  Samples samples = test::make_samples(test::some_body(), 50, 0.0, 1);
  test::add_noise(samples, {.w = 1e-10, .al = 1e-9}, 2);
  EXPECT_EQ(least_squares(samples.samples).rank, 4);
}

TEST(LeastSquares, SaysWhenThereIsNothing) {
  const Estimate found = least_squares(std::span<const Sample>{});
  EXPECT_EQ(found.status, Status::failed);
  EXPECT_EQ(found.problems, Names{"there are no samples"});
  const std::vector<Sample> falling(5);  // no motion, no weight, no wrench
  const Estimate empty = least_squares(falling);
  EXPECT_EQ(empty.status, Status::failed);
  EXPECT_EQ(empty.rank, 0);
  EXPECT_EQ(empty.problems, Names{"no mass was found, so there is no centre of mass"});
}

TEST(LeastSquares, SaysWhenTheResultIsNoBody) {
  Samples samples = test::make_samples(test::some_body(), 30, 0.1, 4);
  test::add_noise(samples, {.force = 0.3, .torque = 0.05}, 3);
  const Estimate found = least_squares(samples.samples);
  EXPECT_EQ(found.status, Status::ok);
  EXPECT_FALSE(found.consistency.is_consistent());
}

TEST(LeastSquares, OptionsAreChecked) {
  try {
    least_squares(std::span<const Sample>{}, {.weights = {1.0, -2.0}});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "LeastSquaresOptions::weights.torque is -2 1/(N m); it must be finite and above 0 1/(N m)");
  }
  EXPECT_THROW(least_squares(std::span<const Sample>{}, {.rank_tolerance = 2.0}), std::invalid_argument);
  EXPECT_THROW(parameter_name(10), std::invalid_argument);
  EXPECT_STREQ(parameter_name(9), "I_zz");
}

}  // namespace
}  // namespace prehend::inertia
