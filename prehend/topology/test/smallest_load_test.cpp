#include <cmath>

#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/topology/evidence/smallest_load.h>

namespace prehend::topology {
namespace {

TransmittedWrench random_wrenches(int count, double noise) {
  math::RandomStream random(4);
  TransmittedWrench wrench;
  for (int k = 0; k < count; ++k) {
    math::Vector6d F;
    F << random.normal3(), 5.0 * random.normal3();
    wrench.F_P.push_back(F);
    wrench.covariance.push_back(noise * noise * math::Matrix6d::Identity());
    wrench.V_P.push_back(math::Vector6d::Zero());
  }
  return wrench;
}

TEST(SmallestLoad, FindsTheAxisAndTheDirectionThatNobodyLoaded) {
  math::RandomStream random(9);
  for (int trial = 0; trial < 5; ++trial) {
    const Eigen::Vector3d a = random.unit_vector(), d = random.unit_vector(), p = 0.1 * random.normal3();
    TransmittedWrench turning = random_wrenches(40, 1e-6), sliding = turning;
    for (math::Vector6d& F : turning.F_P) {
      const double load = a.dot(F.head<3>() - p.cross(Eigen::Vector3d(F.tail<3>())));
      F.head<3>() -= load * a;
    }
    for (math::Vector6d& F : sliding.F_P) F.tail<3>() -= d * d.dot(F.tail<3>());
    const SmallestLoad turn = smallest_load(turning, Eigen::Vector3d::Zero(), 0.5);
    EXPECT_LT(turn.torque, 0.05);
    EXPECT_GT(std::abs(turn.axis_P.dot(a)), 0.999);
    EXPECT_LT(a.cross(turn.point_P - p).norm(), 0.02);
    EXPECT_GT(turn.force, 5.0);
    const SmallestLoad slide = smallest_load(sliding, Eigen::Vector3d::Zero(), 0.5);
    EXPECT_LT(slide.force, 0.1);
    EXPECT_GT(std::abs(slide.direction_P.dot(d)), 0.999);
    EXPECT_GT(slide.torque, 0.5);
  }
}

// Force and moment that cancel along one screw: every slide and every hinge is loaded, the screw is not.
TEST(SmallestLoad, FindsTheScrewThatNobodyLoaded) {
  math::RandomStream random(10);
  for (int trial = 0; trial < 5; ++trial) {
    const Eigen::Vector3d a = random.unit_vector(), p = 0.1 * random.normal3();
    const double pitch = (trial % 2 == 0 ? 1 : -1) * random.uniform(0.02, 0.06);
    TransmittedWrench wrench = random_wrenches(60, 1e-6);
    for (math::Vector6d& F : wrench.F_P) {
      const Eigen::Vector3d f = F.tail<3>();
      F.head<3>() -= a * a.dot(F.head<3>() - p.cross(f) + pitch * f);
    }
    const SmallestLoad found = smallest_load(wrench, Eigen::Vector3d::Zero(), 0.5);
    EXPECT_GT(found.force, 5.0);
    EXPECT_GT(found.torque, 2.0 * found.screw + 0.05);
    EXPECT_LT(found.screw, 0.05);
    EXPECT_GT(std::abs(found.screw_axis_P.dot(a)), 0.999);
    EXPECT_NEAR(found.screw_pitch, pitch, 5e-3);
  }
}

TEST(SmallestLoad, NoRandomLineIsLoadedLess) {
  const TransmittedWrench wrench = random_wrenches(30, 0.0);
  const double reach = 0.4;
  const SmallestLoad found = smallest_load(wrench, Eigen::Vector3d::Zero(), reach);
  math::RandomStream random(2);
  for (int k = 0; k < 100000; ++k) {
    const Eigen::Vector3d a = random.unit_vector(),
                          p = reach * std::cbrt(random.uniform()) * random.unit_vector();
    double turn = 0.0, slide = 0.0;
    for (const math::Vector6d& F : wrench.F_P) {
      turn = std::max(turn, std::abs(a.dot(F.head<3>() - p.cross(Eigen::Vector3d(F.tail<3>())))));
      slide = std::max(slide, std::abs(a.dot(F.tail<3>())));
    }
    ASSERT_GT(turn, 0.97 * found.torque);
    ASSERT_GT(slide, 0.97 * found.force);
  }
}

}  // namespace
}  // namespace prehend::topology
