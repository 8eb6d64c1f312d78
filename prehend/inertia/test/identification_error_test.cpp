#include <cmath>
#include <stdexcept>

#include <generated/identification_error.h>
#include <gtest/gtest.h>

#include "sample_maker.h"

namespace prehend::inertia {
namespace {

const Eigen::Vector3d kSides(0.1, 0.2, 0.4);

TEST(IdentificationError, IsZeroForTheTruth) {
  const math::SpatialInertia body = test::some_body();
  const IdentificationError error = identification_error(body, body, kSides);
  EXPECT_EQ(error.mass, 0.0);
  EXPECT_EQ(error.com_mean, 0.0);
  EXPECT_EQ(error.inertia_sensor_mean, 0.0);
  EXPECT_EQ(error.inertia_com_mean, 0.0);
  EXPECT_NEAR(error.riemannian.value(), 0.0, 1e-9);  // the printed sum of eigenvalues would give sqrt(2)
}

TEST(IdentificationError, ClosedForms) {
  const math::SpatialInertia box = math::SpatialInertia::solid_box(3.0, kSides);
  math::SpatialInertia found = box;
  found.mass = 3.3;
  EXPECT_NEAR(identification_error(found, box, kSides).mass, 10.0, 1e-12);

  found = box;
  found.com = {0.001, -0.005, 0.0};  // 1 %, 2.5 % of the sides
  IdentificationError error = identification_error(found, box, kSides);
  EXPECT_NEAR(error.com_mean, 3.5 / 3.0, 1e-12);
  EXPECT_NEAR(error.com[1], 2.5, 1e-12);
  EXPECT_NEAR(error.inertia_com_mean, 0.0, 1e-12);
  EXPECT_GT(error.inertia_sensor_mean, 0.0);

  // A full box of no inertia at all errs by 100 % in every moment; products are right.
  found = box;
  found.I_com.setZero();
  error = identification_error(found, box, kSides);
  EXPECT_NEAR(error.inertia_sensor_mean, 50.0, 1e-12);
  EXPECT_NEAR(error.inertia_com[0], 100.0, 1e-12);
  EXPECT_FALSE(error.riemannian);  // a point is a limit of bodies, at no finite distance

  found = box;
  found.I_com(0, 2) = found.I_com(2, 0) = 3.0 / 12.0 * 0.1 * 0.4;
  error = identification_error(found, box, kSides);
  EXPECT_NEAR(error.inertia_sensor[2], 100.0, 1e-12);
  EXPECT_NEAR(error.inertia_sensor_mean, 100.0 / 6.0, 1e-12);
}

TEST(IdentificationError, CentresCutToWholePercents) {
  const math::SpatialInertia box = math::SpatialInertia::solid_box(3.0, kSides);
  math::SpatialInertia found = box;
  found.com = {0.0019, 0.0019, 0.0139};  // 1.9 %, 0.95 %, 3.475 %
  EXPECT_NEAR(identification_error(found, box, kSides).com_mean_truncated, 4.0 / 3.0, 1e-12);
}

// J scaled by e: four eigenvalues e, distance sqrt(4/2). Invariant to the frame.
TEST(IdentificationError, GeodesicDistance) {
  const math::SpatialInertia body = test::some_body();
  math::SpatialInertia scaled = body;
  scaled.mass *= std::exp(1.0);
  scaled.I_com *= std::exp(1.0);
  EXPECT_NEAR(identification_error(scaled, body, kSides).riemannian.value(), std::sqrt(2.0), 1e-9);
  const math::Pose X(Eigen::Quaterniond(0.4, 0.5, -0.6, 0.2).normalized(), Eigen::Vector3d(1, 2, 3));
  const math::SpatialInertia other = test::some_body(0.9, 0.25);
  const double here = identification_error(other, body, kSides).riemannian.value();
  const double there =
      identification_error(other.expressed_in(X), body.expressed_in(X), kSides).riemannian.value();
  EXPECT_NEAR(here, there, 1e-6 * here);
}

TEST(IdentificationError, NeedsATruthAndABox) {
  const math::SpatialInertia body = test::some_body();
  EXPECT_THROW(identification_error(body, {}, kSides), std::invalid_argument);
  EXPECT_THROW(identification_error(body, body, {0.1, 0.0, 0.1}), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::inertia
