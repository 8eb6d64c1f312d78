#include <gtest/gtest.h>

#include <prehend/math/angles.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/math/test/lie_cases.h>

namespace prehend::math {
namespace {

TEST(So3, ExpAgreesWithAngleAxis) {
  for (const Eigen::Vector3d& w : rotation_vectors()) {
    const double angle = w.norm();
    if (angle < 1e-150) continue;  // AngleAxis needs a normalisable axis
    const Eigen::Quaterniond expected(Eigen::AngleAxisd(angle, w.normalized()));
    EXPECT_LT((exp_so3(w).coeffs() - expected.coeffs()).norm(), 1e-15) << w.transpose();
  }
}

TEST(So3, LogInvertsExpToFullRelativePrecision) {
  for (const Eigen::Vector3d& w : rotation_vectors()) {
    const Eigen::Quaterniond q = exp_so3(w);
    EXPECT_NEAR(q.norm(), 1.0, 1e-15);
    EXPECT_LE((log_so3(q) - w).norm(), 4e-15 * std::max(w.norm(), 1e-290)) << w.transpose();
    EXPECT_LE((log_so3(Eigen::Quaterniond(-q.coeffs())) - w).norm(), 4e-15 * std::max(w.norm(), 1e-290));
  }
}

TEST(So3, LogOfHalfTurnsHasAngleOfPi) {
  for (const Eigen::Vector3d& axis :
       {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 1, 0), Eigen::Vector3d(0, 0, -1)}) {
    const Eigen::Matrix3d R = 2.0 * axis * axis.transpose() - Eigen::Matrix3d::Identity();
    const Eigen::Vector3d w = log_so3(R);
    EXPECT_NEAR(w.norm(), kPi, 1e-15);
    EXPECT_NEAR(w.cross(axis).norm(), 0.0, 1e-15);
  }
}

TEST(So3, JacobiansAgreeWithNumericalDerivatives) {
  constexpr double h = 1e-6;  // central differences: truncation 1e-12, rounding 1e-10
  for (const Eigen::Vector3d& w : rotation_vectors()) {
    const Eigen::Matrix3d left = left_jacobian_so3(w), right = right_jacobian_so3(w);
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d d = h * Eigen::Vector3d::Unit(k);
      const Eigen::Quaterniond plus = exp_so3(w + d), minus = exp_so3(w - d);
      const Eigen::Vector3d left_column = log_so3(plus * minus.conjugate()) / (2 * h);
      const Eigen::Vector3d right_column = log_so3(minus.conjugate() * plus) / (2 * h);
      EXPECT_LT((left.col(k) - left_column).norm(), 1e-9) << w.transpose();
      EXPECT_LT((right.col(k) - right_column).norm(), 1e-9) << w.transpose();
    }
    EXPECT_LT((left * inverse_left_jacobian_so3(w) - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    EXPECT_LT((right * inverse_right_jacobian_so3(w) - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    EXPECT_LT((right - left.transpose()).norm(), 1e-15);
  }
}

TEST(So3, SeriesAndClosedFormsMeet) {
  // The coefficients are continuous where the evaluation switches; a wrong series term would show as a step.
  const double below = 0.25 * (1 - 1e-14), above = 0.25 * (1 + 1e-14);
  using Term = double (*)(double);
  for (Term term : {Term(detail::sinc_term), Term(detail::cosc_term), Term(detail::cubic_term),
                    Term(detail::quartic_term), Term(detail::quintic_term), Term(detail::inverse_term)}) {
    // The closed form of the quintic term loses two digits for each power of theta^2 at theta = 1/2.
    EXPECT_NEAR(term(below) / term(above), 1.0, 2e-12);
  }
  EXPECT_DOUBLE_EQ(detail::cubic_term(0), 1.0 / 6);
  EXPECT_DOUBLE_EQ(detail::quartic_term(0), 1.0 / 24);
  EXPECT_DOUBLE_EQ(detail::quintic_term(0), 1.0 / 120);
}

TEST(So3, NearestRotationUndoesSmallNoiseAndReflections) {
  RandomStream random(3);
  for (int i = 0; i < 100; ++i) {
    const Eigen::Matrix3d R = random.rotation().toRotationMatrix();
    Eigen::Matrix3d stretch = Eigen::Vector3d(1.1, 0.9, 0.7).asDiagonal();
    EXPECT_LT((nearest_rotation(R * stretch) - R).norm(), 1e-13);  // polar decomposition
    const Eigen::Matrix3d reflected = nearest_rotation(-R);
    EXPECT_NEAR(reflected.determinant(), 1.0, 1e-13);
  }
}

TEST(So3, MeansOfSymmetricPairsAreTheMiddle) {
  RandomStream random(4);
  for (int i = 0; i < 50; ++i) {
    const Eigen::Quaterniond middle = random.rotation();
    const Eigen::Vector3d d = random.uniform(0.01, 1.4) * random.unit_vector();
    // q and -q name one rotation: signs are mixed on purpose.
    const Eigen::Quaterniond pair[] = {middle * exp_so3(d),
                                       Eigen::Quaterniond(-(middle * exp_so3(-d)).coeffs())};
    for (const auto& mean : {chordal_mean(pair), geodesic_mean(pair)}) {
      ASSERT_TRUE(mean);
      EXPECT_NEAR(middle.angularDistance(*mean), 0.0, 1e-7);
    }
    const double weights[] = {3.0, 1.0};
    const auto weighted = geodesic_mean(pair, weights);
    ASSERT_TRUE(weighted);
    EXPECT_LT((log_so3(middle.conjugate() * *weighted) - 0.5 * d).norm(), 1e-12);
  }
}

TEST(So3, MeansThatAreNotUniqueAreRefused) {
  const Eigen::Quaterniond opposite[] = {exp_so3({0, 0, 0}), exp_so3({kPi, 0, 0})};
  EXPECT_FALSE(chordal_mean(opposite));
  EXPECT_FALSE(chordal_mean({}));
  const double negative[] = {1.0, -1.0};
  EXPECT_FALSE(chordal_mean(opposite, negative));
}

// Digits of the cosine say nothing about the angle there.
TEST(So3, RotationBetweenNearlyOppositeDirections) {
  const Eigen::Vector3d from = Eigen::Vector3d(0.3, -2.0, 1.1).normalized(), across = from.unitOrthogonal();
  for (const double angle : {1.0, 0.1, 1e-3, 1e-5, 1.7e-6, 1.3e-6, 1e-7, 1e-9, 1e-13, 0.0}) {
    const Eigen::Vector3d to = -std::cos(angle) * from + std::sin(angle) * across;
    const Eigen::Quaterniond q = rotation_between(from, to);
    EXPECT_NEAR(q.norm(), 1.0, 1e-14) << angle;
    EXPECT_LE((q * from - to).norm(), 1e-13) << angle;
    EXPECT_NEAR(log_so3(q).norm(), std::numbers::pi - angle, 1e-9) << angle;
  }
}

TEST(So3, RotationBetweenTurnsOneDirectionIntoTheOther) {
  const Eigen::Vector3d from(0.3, -2.0, 1.1);
  for (const Eigen::Vector3d& to :
       {Eigen::Vector3d(1, 2, 3), Eigen::Vector3d(from), Eigen::Vector3d(-2.0 * from)}) {
    const Eigen::Quaterniond q = rotation_between(from, to);
    EXPECT_NEAR(q.norm(), 1.0, 1e-14);
    EXPECT_LE((q * from.normalized() - to.normalized()).norm(), 1e-12);
    // The smallest such rotation: its angle is the one between the two.
    EXPECT_NEAR(log_so3(q).norm(), std::acos(std::clamp(from.normalized().dot(to.normalized()), -1.0, 1.0)),
                1e-7);
  }
}

}  // namespace
}  // namespace prehend::math
