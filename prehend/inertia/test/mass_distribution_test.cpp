#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/geometry/primitives.h>
#include <prehend/inertia/methods/mass_distribution.h>

namespace prehend::inertia {
namespace {

Shape filled_box() {
  geometry::TriangleMesh mesh = geometry::make_box({0.1, 0.3, 0.06});
  for (Eigen::Vector3d& v : mesh.vertices) v += Eigen::Vector3d(0.4, 0.0, -0.2);
  return shape_of_mesh(mesh, "box");
}

math::Vector10d moments_of(const Shape& shape, const std::vector<double>& masses) {
  math::Vector10d sum = math::Vector10d::Zero();
  for (std::size_t i = 0; i < masses.size(); ++i)
    sum += math::SpatialInertia::point_mass(masses[i], shape.points[i]).parameters();
  return sum;
}

TEST(MassDistribution, HasTheMomentsAskedFor) {
  const Shape shape = filled_box();
  // A head at one end of the box: twice the density beyond y = 0.05.
  std::vector<double> heavy(shape.points.size());
  for (std::size_t i = 0; i < heavy.size(); ++i)
    heavy[i] = shape.volumes[i] * (shape.points[i].y() > 0.05 ? 4000.0 : 2000.0);
  const math::SpatialInertia body = math::SpatialInertia::from_parameters(moments_of(shape, heavy));
  const std::vector<double> masses = evenest_masses(shape, body);
  EXPECT_LT((moments_of(shape, masses) - body.parameters()).norm(), 1e-9 * body.parameters().norm());
  double far = 0.0, near = 0.0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    EXPECT_GE(masses[i], 0.0);
    (shape.points[i].y() > 0.1 ? far : near) +=
        shape.points[i].y() > 0.1 || shape.points[i].y() < -0.1 ? masses[i] : 0.0;
  }
  EXPECT_GT(far, 1.5 * near);
}

TEST(MassDistribution, HomogeneousStaysSo) {
  const Shape shape = filled_box();
  std::vector<double> even(shape.points.size());
  for (std::size_t i = 0; i < even.size(); ++i) even[i] = 1200.0 * shape.volumes[i];
  const std::vector<double> masses =
      evenest_masses(shape, math::SpatialInertia::from_parameters(moments_of(shape, even)));
  for (std::size_t i = 0; i < even.size(); ++i) EXPECT_NEAR(masses[i], even[i], 1e-9 * even[i]);
}

TEST(MassDistribution, NeverNegativeEvenForMomentsAtTheEdge) {
  const Shape shape = filled_box();
  // Nearly all at the far end: least squares alone would hang negative masses on the other.
  const math::SpatialInertia body = math::SpatialInertia::solid_box(1.0, {0.09, 0.02, 0.05})
                                        .expressed_in(math::Pose::translation({0.4, 0.13, -0.2}));
  double total = 0.0, low = 0.0;
  const std::vector<double> masses = evenest_masses(shape, body);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    ASSERT_GE(masses[i], 0.0);
    total += masses[i];
    if (shape.points[i].y() < 0.0) low += masses[i];
  }
  EXPECT_NEAR(total, 1.0, 0.05);
  EXPECT_LT(low, 0.05);
}

TEST(MassDistribution, RefusesWhatHasNoMass) {
  EXPECT_THROW(evenest_masses(filled_box(), math::SpatialInertia{}), std::invalid_argument);
  EXPECT_THROW(evenest_masses(Shape{}, math::SpatialInertia::solid_sphere(1.0, 0.1)), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::inertia
