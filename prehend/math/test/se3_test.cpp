#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include <prehend/math/se3.h>
#include <prehend/math/so3.h>
#include <prehend/math/spatial.h>
#include <prehend/math/test/lie_cases.h>

namespace prehend::math {
namespace {

Eigen::Matrix4d hat(const Vector6d& V) {
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Zero();
  matrix.topLeftCorner<3, 3>() = skew(V.head<3>());
  matrix.topRightCorner<3, 1>() = V.tail<3>();
  return matrix;
}

TEST(Se3, ExpAgreesWithTheMatrixExponential) {
  for (const Vector6d& V : tangent_vectors()) {
    const Eigen::Matrix4d expected = hat(V).exp();
    EXPECT_LT((exp_se3(V).matrix() - expected).norm(), 2e-14 * (1 + V.norm())) << V.transpose();
  }
}

TEST(Se3, LogInvertsExp) {
  for (const Vector6d& V : tangent_vectors()) {
    // Near pi the logarithm magnifies rounding of the translation by (t/2) cot(t/2) -> 0, so no loss there either.
    const Vector6d back = log_se3(exp_se3(V));
    EXPECT_LE((back.head<3>() - V.head<3>()).norm(), 4e-15 * std::max(V.head<3>().norm(), 1e-290))
        << V.transpose();
    EXPECT_LE((back.tail<3>() - V.tail<3>()).norm(), 2e-14 * V.tail<3>().norm()) << V.transpose();
  }
}

TEST(Se3, GroupLaws) {
  const std::vector<Pose> poses = random_poses(30, 21);
  for (std::size_t i = 0; i + 2 < poses.size(); ++i) {
    const Pose &a = poses[i], &b = poses[i + 1], &c = poses[i + 2];
    EXPECT_TRUE((a * a.inverse()).is_approx(Pose::identity(), 1e-14));
    EXPECT_TRUE(((a * b) * c).is_approx(a * (b * c), 1e-14));
    EXPECT_LT(((a * b).matrix() - a.matrix() * b.matrix()).norm(), 1e-14);
    const Eigen::Vector3d point(0.3, -0.2, 0.9);
    EXPECT_LT(((a * b) * point - a * (b * point)).norm(), 1e-14);
  }
}

TEST(Se3, AdjointTransportsTwists) {
  const std::vector<Pose> poses = random_poses(20, 22);
  for (const Vector6d& V : tangent_vectors()) {
    const Pose& X = poses[static_cast<std::size_t>(1e3 * V.norm()) % poses.size()];
    EXPECT_LT((hat(adjoint(X) * V) - X.matrix() * hat(V) * X.inverse().matrix()).norm(),
              1e-13 * (1 + V.norm()));
    EXPECT_TRUE((X * exp_se3(V)).is_approx(exp_se3(adjoint(X) * V) * X, 1e-13 * (1 + V.norm())));
  }
}

TEST(Se3, LieBracketIsTheDerivativeOfTheAdjoint) {
  const Vector6d V = (Vector6d() << 0.3, -0.2, 0.5, 1.0, 0.1, -0.7).finished();
  const double h = 1e-6;
  const Matrix6d numerical = (adjoint(exp_se3(h * V)) - adjoint(exp_se3(-h * V))) / (2 * h);
  EXPECT_LT((lie_bracket(V) - numerical).norm(), 1e-9);
}

TEST(Se3, JacobiansAgreeWithNumericalDerivatives) {
  constexpr double h = 1e-6;
  for (const Vector6d& V : tangent_vectors()) {
    const Matrix6d left = left_jacobian_se3(V), right = right_jacobian_se3(V);
    for (int k = 0; k < 6; ++k) {
      const Vector6d d = h * Vector6d::Unit(k);
      const Pose plus = exp_se3(V + d), minus = exp_se3(V - d);
      EXPECT_LT((left.col(k) - log_se3(plus * minus.inverse()) / (2 * h)).norm(), 5e-9) << V.transpose();
      EXPECT_LT((right.col(k) - log_se3(minus.inverse() * plus) / (2 * h)).norm(), 5e-9) << V.transpose();
    }
    EXPECT_LT((left * inverse_left_jacobian_se3(V) - Matrix6d::Identity()).norm(), 1e-13 * (1 + V.norm()));
    EXPECT_LT((right * inverse_right_jacobian_se3(V) - Matrix6d::Identity()).norm(), 1e-13 * (1 + V.norm()));
    // Two routes: J_l = Ad(exp V) J_r.
    EXPECT_LT((left - adjoint(exp_se3(V)) * right).norm(), 1e-13 * (1 + V.norm()));
  }
}

TEST(Se3, InterpolationIsAScrewMotionAndFrameIndependent) {
  const std::vector<Pose> poses = random_poses(12, 23);
  for (std::size_t i = 0; i + 2 < poses.size(); ++i) {
    const Pose &a = poses[i], &b = poses[i + 1], &world = poses[i + 2];
    EXPECT_TRUE(interpolate(a, b, 0.0).is_approx(a, 1e-14));
    EXPECT_TRUE(interpolate(a, b, 1.0).is_approx(b, 1e-13));
    EXPECT_TRUE(interpolate(world * a, world * b, 0.3).is_approx(world * interpolate(a, b, 0.3), 1e-13));
    const Pose half = interpolate(a, b, 0.5);
    EXPECT_TRUE((a.inverse() * half).is_approx(half.inverse() * b, 1e-13));
    EXPECT_LT((interpolate_decoupled(a, b, 0.5).p() - 0.5 * (a.p() + b.p())).norm(), 1e-14);
  }
}

TEST(Se3, MeanPoseIsBiInvariantAndExactForPairs) {
  RandomStream random(24);
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::Quaterniond q = random.rotation();
    const Pose centre(q, random.normal3());
    std::vector<Pose> poses;
    for (int i = 0; i < 8; ++i) {
      poses.push_back(centre * exp_se3((Vector6d() << 0.3 * random.normal3(), random.normal3()).finished()));
    }
    const auto mean = mean_pose(poses);
    ASSERT_TRUE(mean);
    const Pose left = random_poses(1, 100 + trial)[0], right = random_poses(1, 200 + trial)[0];
    std::vector<Pose> moved;
    for (const Pose& pose : poses) moved.push_back(left * pose * right);
    const auto moved_mean = mean_pose(moved);
    ASSERT_TRUE(moved_mean);
    EXPECT_TRUE(moved_mean->is_approx(left * *mean * right, 1e-11));
    const Pose pair[] = {poses[0], poses[1]};
    EXPECT_TRUE(mean_pose(pair)->is_approx(interpolate(poses[0], poses[1], 0.5), 1e-12));
  }
  EXPECT_FALSE(mean_pose({}));
}

TEST(Pose, RefusesWhatIsNoRotation) {
  EXPECT_THROW(Pose(Eigen::Quaterniond(1, 0.1, 0, 0), Eigen::Vector3d::Zero()), std::invalid_argument);
  EXPECT_THROW(Pose(Eigen::Quaterniond(NAN, 0, 0, 0), Eigen::Vector3d::Zero()), std::invalid_argument);
  EXPECT_THROW(Pose(Eigen::Matrix3d(-Eigen::Matrix3d::Identity()), Eigen::Vector3d::Zero()),
               std::invalid_argument);
  EXPECT_THROW(Pose(Eigen::Quaterniond::Identity(), Eigen::Vector3d(0, INFINITY, 0)), std::invalid_argument);
  try {
    Pose(Eigen::Quaterniond(2, 0, 0, 0), Eigen::Vector3d::Zero());
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "Pose: quaternion has norm 2.000000; it must be 1 (to 1e-6)");
  }
}

TEST(Spatial, PowerDoesNotDependOnPointOrFrame) {
  RandomStream random(25);
  const std::vector<Pose> poses = random_poses(20, 26);
  for (const Pose& X_AB : poses) {
    const Twist V{random.normal3(), random.normal3()};
    const Wrench F{random.normal3(), random.normal3()};
    const Eigen::Vector3d p_PQ = random.normal3();
    EXPECT_NEAR(power(F, V), power(F.at(p_PQ), V.at(p_PQ)), 1e-12);
    EXPECT_NEAR(power(F, V), power(F.expressed(X_AB.R()), V.expressed(X_AB.R())), 1e-12);
    EXPECT_NEAR(power(F, V), (wrench_adjoint(X_AB) * F.vector()).dot(adjoint(X_AB) * V.vector()), 1e-12);
  }
  // A unit force along y at x = 2 turns about z with moment 2.
  const Wrench lever = Wrench::from_force({0, 1, 0}, {2, 0, 0});
  EXPECT_EQ(lever.moment, Eigen::Vector3d(0, 0, 2));
  EXPECT_EQ(lever.at({2, 0, 0}).moment, Eigen::Vector3d::Zero());
}

TEST(Pose, EqualityIsThatOfTheMotion) {
  const Pose X(Eigen::Quaterniond(0.5, 0.5, 0.5, 0.5), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(Pose(), Pose());
  EXPECT_EQ(X, Pose(Eigen::Quaterniond(-0.5, -0.5, -0.5, -0.5), Eigen::Vector3d(1, 2, 3)));
  EXPECT_NE(X, Pose(Eigen::Quaterniond(0.5, 0.5, 0.5, 0.5), Eigen::Vector3d(1, 2, std::nextafter(3.0, 4.0))));
  EXPECT_NE(X, Pose::translation({1, 2, 3}));
}

TEST(Pose, ComesFromItsMatrix) {
  const Pose X(Eigen::Quaterniond(0.5, 0.5, 0.5, 0.5), Eigen::Vector3d(1, 2, 3));
  EXPECT_TRUE(Pose::from_matrix(X.matrix()).is_approx(X, 1e-15));
  Eigen::Matrix4d bad = X.matrix();
  bad(3, 0) = 0.25;
  try {
    Pose::from_matrix(bad);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "Pose: the last row of the 4x4 matrix differs from 0 0 0 1 by 0.250000");
  }
  bad = X.matrix();
  bad(0, 0) = 2.0;
  EXPECT_THROW(Pose::from_matrix(bad), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::math
