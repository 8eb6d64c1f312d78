#include <cmath>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <prehend/math/inertia.h>
#include <prehend/math/test/lie_cases.h>

namespace prehend::math {
namespace {

// Monte-Carlo-free truth: a body as many point masses, summed.
SpatialInertia sum_of_points(const std::vector<std::pair<double, Eigen::Vector3d>>& points) {
  SpatialInertia sum;
  for (const auto& [mass, p] : points) sum = sum + SpatialInertia::point_mass(mass, p);
  return sum;
}

std::vector<std::pair<double, Eigen::Vector3d>> random_points(std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<std::pair<double, Eigen::Vector3d>> points;
  for (int i = 0; i < 6; ++i) {
    const double mass = random.uniform(0.1, 2.0);
    points.emplace_back(mass, random.normal3());
  }
  return points;
}

TEST(SpatialInertia, SumOfPointsAgreesWithTheDefinition) {
  const auto points = random_points(1);
  double mass = 0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d I_origin = Eigen::Matrix3d::Zero();
  Eigen::Matrix4d J = Eigen::Matrix4d::Zero();
  for (const auto& [m, p] : points) {
    mass += m;
    first += m * p;
    I_origin += m * (p.squaredNorm() * Eigen::Matrix3d::Identity() - p * p.transpose());
    J += m * p.homogeneous() * p.homogeneous().transpose();
  }
  const SpatialInertia body = sum_of_points(points);
  EXPECT_NEAR(body.mass, mass, 1e-14);
  EXPECT_LT((body.com - first / mass).norm(), 1e-14);
  EXPECT_LT((body.inertia_about(Eigen::Vector3d::Zero()) - I_origin).norm(), 1e-13);
  EXPECT_LT((body.pseudo_inertia() - J).norm(), 1e-13);
  const Vector10d phi = body.parameters();
  EXPECT_NEAR(phi[5], I_origin(0, 1), 1e-13);
  EXPECT_NEAR(phi[6], I_origin(0, 2), 1e-13);
  EXPECT_NEAR(phi[7], I_origin(1, 1), 1e-13);
}

TEST(SpatialInertia, ParametersAndPseudoInertiaRoundTrip) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SpatialInertia body = sum_of_points(random_points(seed));
    for (const SpatialInertia& back : {SpatialInertia::from_parameters(body.parameters()),
                                       SpatialInertia::from_pseudo_inertia(body.pseudo_inertia())}) {
      EXPECT_NEAR(back.mass, body.mass, 1e-13);
      EXPECT_LT((back.com - body.com).norm(), 1e-13);
      EXPECT_LT((back.I_com - body.I_com).norm(), 1e-12);
    }
  }
}

TEST(SpatialInertia, ChangeOfFrameKeepsPhysics) {
  const auto points = random_points(4);
  const SpatialInertia body_F = sum_of_points(points);
  for (const Pose& X_AF : random_poses(10, 5)) {
    auto moved = points;
    for (auto& [mass, p] : moved) p = X_AF * p;
    const SpatialInertia expected = sum_of_points(moved), body_A = body_F.expressed_in(X_AF);
    EXPECT_LT((body_A.com - expected.com).norm(), 1e-13);
    EXPECT_LT((body_A.I_com - expected.I_com).norm(), 1e-12);
    // Kinetic energy is the same number in both frames, by two formulas.
    const Vector6d V_F = (Vector6d() << 0.3, -1, 2, 0.5, 0.1, -0.4).finished(), V_A = adjoint(X_AF) * V_F;
    EXPECT_NEAR(body_F.kinetic_energy(V_F), body_A.kinetic_energy(V_A), 1e-11);
    EXPECT_NEAR(body_F.kinetic_energy(V_F), 0.5 * V_F.dot(body_F.spatial_matrix() * V_F), 1e-11);
  }
}

// Each solid against a fine midpoint sum over its bounding box.
template <class Inside>
SpatialInertia by_voxels(double mass, const Eigen::Vector3d& half, Inside inside) {
  constexpr int n = 60;
  double count = 0;
  Eigen::Vector3d second = Eigen::Vector3d::Zero();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Eigen::Vector3d p =
            ((Eigen::Vector3d(i, j, k).array() + 0.5) / n * 2 - 1).matrix().cwiseProduct(half);
        if (!inside(p)) continue;
        count += 1;
        second += p.cwiseAbs2();
      }
  SpatialInertia inertia;
  inertia.mass = mass;
  second *= mass / count;
  inertia.I_com =
      Eigen::Vector3d(second.y() + second.z(), second.x() + second.z(), second.x() + second.y()).asDiagonal();
  return inertia;
}

TEST(SpatialInertia, SolidsAgreeWithVoxelSums) {
  const Eigen::Vector3d size(0.3, 0.2, 0.5), radii(0.2, 0.3, 0.4);
  const double r = 0.2, l = 0.6;
  const auto expect_close = [](const SpatialInertia& a, const SpatialInertia& b) {
    EXPECT_LT((a.I_com - b.I_com).norm() / b.I_com.norm(), 5e-3);  // 60^3 voxels
    EXPECT_TRUE(check_consistency(a).is_consistent());
  };
  expect_close(SpatialInertia::solid_box(2, size), by_voxels(2, size / 2, [](const auto&) { return true; }));
  expect_close(SpatialInertia::solid_ellipsoid(2, radii), by_voxels(2, radii, [&](const Eigen::Vector3d& p) {
                 return p.cwiseQuotient(radii).norm() < 1;
               }));
  expect_close(SpatialInertia::solid_cylinder(2, r, l),
               by_voxels(2, {r, r, l / 2}, [&](const Eigen::Vector3d& p) { return p.head<2>().norm() < r; }));
  expect_close(SpatialInertia::solid_capsule(2, r, l),
               by_voxels(2, {r, r, l / 2 + r}, [&](const Eigen::Vector3d& p) {
                 const double z = std::max(std::abs(p.z()) - l / 2, 0.0);
                 return std::hypot(p.x(), p.y(), z) < r;
               }));
  EXPECT_DOUBLE_EQ(SpatialInertia::solid_sphere(5, 0.1).I_com(0, 0), 0.4 * 5 * 0.01);
}

TEST(Consistency, BodiesPassAndTheirLimitsToo) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_TRUE(check_consistency(sum_of_points(random_points(seed))).is_consistent());
  }
  EXPECT_TRUE(check_consistency(SpatialInertia::point_mass(1, {1, 2, 3})).is_consistent());
  EXPECT_TRUE(check_consistency(SpatialInertia::solid_box(1, {1, 1, 0})).is_consistent());  // a plate
  EXPECT_TRUE(check_consistency(SpatialInertia::solid_box(1, {1, 0, 0})).is_consistent());  // a rod
}

TEST(Consistency, AgreesWithTheSignOfThePseudoInertia) {
  RandomStream random(8);
  int inconsistent = 0;
  for (int i = 0; i < 500; ++i) {
    SpatialInertia body;
    body.mass = random.uniform(-0.2, 1.0);
    body.com = random.normal3();
    const Eigen::Matrix3d R = random.rotation().toRotationMatrix();
    const Eigen::Vector3d moments(random.uniform(-0.1, 1), random.uniform(0, 1), random.uniform(0, 1));
    body.I_com = R * moments.asDiagonal() * R.transpose();
    const double smallest =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(body.pseudo_inertia()).eigenvalues()[0];
    if (std::abs(smallest) < 1e-6) continue;
    EXPECT_EQ(check_consistency(body).is_consistent(), smallest > 0) << smallest;
    inconsistent += smallest < 0;
  }
  EXPECT_GT(inconsistent, 50);
}

TEST(Consistency, SaysWhatIsWrong) {
  SpatialInertia body = SpatialInertia::solid_box(-1, {1, 1, 1});
  EXPECT_NE(check_consistency(body).brief_report().find("the mass -1 kg is not positive"), std::string::npos);
  body = SpatialInertia::solid_box(1, {1, 1, 1});
  body.I_com = Eigen::Vector3d(1, 1, 3).asDiagonal();
  EXPECT_EQ(check_consistency(body).brief_report(),
            "physically inconsistent: the principal moments 1, 1, 3 kg m^2 break the triangle inequality (1 "
            "+ 1 < 3)");
  body.I_com(0, 1) = 0.5;
  EXPECT_NE(check_consistency(body).brief_report().find("not symmetric"), std::string::npos);
  body.com.x() = NAN;
  EXPECT_EQ(check_consistency(body).brief_report(),
            "physically inconsistent: a parameter is not a finite number");
}

}  // namespace
}  // namespace prehend::math
