// Point masses and homogeneous parts: the solver against another, recovery, streaming, parts that cannot be told apart.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "in_hull.h"
#include <prehend/inertia/estimator.h>
#include <prehend/inertia/methods/homogeneous_parts.h>
#include <prehend/inertia/methods/noise_meter.h>
#include <prehend/inertia/methods/nonnegative_masses.h>
#include <prehend/inertia/methods/point_masses.h>
#include <prehend/model/point_cloud.h>
#include <prehend/math/nonnegative_least_squares.h>
#include <prehend/math/random.h>

namespace prehend::inertia {
namespace {

using Eigen::Vector3d;

// Parts of unit density factor at given centres, small cubes of points.
Shape shape_of_parts(const std::vector<Vector3d>& centres, double side = 0.02) {
  model::PointCloud cloud;
  for (std::size_t k = 0; k < centres.size(); ++k)
    for (int corner = 0; corner < 8; ++corner) {
      cloud.points.push_back(
          centres[k] + 0.5 * side * Vector3d(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1));
      cloud.labels.push_back(static_cast<int>(k));
    }
  return shape_of_cloud(cloud, "parts");
}

math::SpatialInertia body_of(const Shape& shape, const std::vector<double>& masses) {
  math::Vector10d phi = math::Vector10d::Zero();
  for (std::size_t k = 0; k < masses.size(); ++k) phi += masses[k] * shape.parts[k].of_unit_mass.parameters();
  return math::SpatialInertia::from_parameters(phi);
}

// Stop and go: half a second of each, gravity from all sides; `noise` scales the high level of table 3.7.
std::vector<Sample> recording(const math::SpatialInertia& body, int count, double noise, std::uint64_t seed) {
  math::RandomStream random(seed);
  std::vector<Sample> samples;
  for (int k = 0; k < count; ++k) {
    const double t = 0.01 * k;
    Sample sample;
    sample.t = t;
    sample.gravity =
        9.81 * Vector3d(std::sin(1.3 * t), std::cos(1.7 * t), std::sin(0.9 * t + 1)).normalized();
    Vector3d a = Vector3d::Zero();
    if (k / 50 % 2 == 1) {
      a = Vector3d(std::sin(9 * t), std::cos(8 * t), std::sin(7 * t));
      sample.motion.w = Vector3d(std::cos(5 * t), 1.5 * std::sin(4 * t), std::sin(6 * t));
      sample.motion.al = 5 * Vector3d(std::sin(5 * t), std::cos(4 * t), std::cos(6 * t));
    }
    sample.motion.a = a - sample.gravity;
    sample.wrench = wrench_of(body, sample.motion);
    sample.motion.a += noise * 0.1 * random.normal3();
    sample.motion.al += noise * random.normal3();
    sample.wrench.head<3>() += noise * 0.0067 * random.normal3();
    sample.wrench.tail<3>() += noise * 0.33 * random.normal3();
    samples.push_back(sample);
  }
  return samples;
}

const std::vector<Vector3d> kTetrahedron{{0.1, 0, 0}, {-0.1, 0.02, 0}, {0, 0.08, 0.03}, {0.02, -0.05, 0.09}};
const std::vector<Vector3d> kRow{{-0.1, 0, 0}, {-0.03, 0, 0}, {0.05, 0, 0}, {0.12, 0, 0}};

TEST(NonnegativeMassesTest, SameAsTheGeneralSolver) {
  math::RandomStream random(4);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + static_cast<int>(random.below(80));
    MassProblem problem;
    problem.Q = MassData::NullaryExpr(10, n, [&] { return random.normal(); });
    if (trial % 3 == 0) problem.Q.bottomRows(6).setZero();
    problem.Q.row(0).array() *= 100.0;
    problem.r = math::Vector10d::NullaryExpr([&] { return 10.0 * random.normal(); });
    problem.d = Eigen::VectorXd::NullaryExpr(n, [&] { return std::exp(2.0 * random.normal()); });
    problem.m0 = Eigen::VectorXd::NullaryExpr(n, [&] { return trial % 2 ? random.uniform() : 0.0; });
    const MassSolution ours = solve_masses(problem);
    ASSERT_TRUE(ours.converged);
    Eigen::MatrixXd A(10 + n, n);
    A << Eigen::MatrixXd(problem.Q), Eigen::MatrixXd(problem.d.cwiseSqrt().asDiagonal());
    Eigen::VectorXd b(10 + n);
    b << problem.r, problem.d.cwiseSqrt().cwiseProduct(problem.m0);
    const auto other = math::solve_nonnegative_least_squares(A, b);
    ASSERT_EQ(other.status, math::SolverStatus::optimal);
    EXPECT_NEAR(ours.objective, other.objective, 1e-9 * (1.0 + other.objective)) << "trial " << trial;
    EXPECT_LT((ours.m - other.x).norm(), 1e-6 * (1.0 + other.x.norm()));
  }
}

TEST(NoiseMeterTest, FindsTheDeviationUnderMotion) {
  for (const double deviation : {1e-4, 0.3, 50.0}) {
    NoiseMeter meter;
    math::RandomStream random(1);
    for (int k = 0; k < 2000; ++k)
      meter.add(deviation *
                (random.normal3() + 20.0 * Vector3d(std::sin(0.03 * k), std::cos(0.02 * k), k / 500 % 2)));
    EXPECT_NEAR(meter.deviation() / deviation, 1.0, 0.1);
  }
  EXPECT_EQ(NoiseMeter().deviation(), 0.0);
}

TEST(PointMassesTest, RecoversAndIsConsistent) {
  const Shape shape = shape_of_parts(kTetrahedron);
  const math::SpatialInertia body = body_of(shape, {0.3, 0.1, 0.05, 0.2});
  const PointMassFit clean = point_masses(recording(body, 300, 0.0, 1), shape, math::Pose());
  ASSERT_EQ(clean.estimate.status, Status::ok);
  EXPECT_NEAR(clean.estimate.inertia_S.mass, body.mass, 1e-6 * body.mass);
  EXPECT_LT((clean.estimate.inertia_S.com - body.com).norm(), 1e-5);
  EXPECT_LT((clean.estimate.inertia_S.I_com - body.I_com).norm(), 1e-2 * body.I_com.norm());
  EXPECT_EQ(clean.estimate.rank, 10);
  for (const PointMassForm form :
       {PointMassForm::noise_weighted, PointMassForm::printed_squared, PointMassForm::printed_norms}) {
    PointMassOptions options;
    options.form = form;
    const PointMassFit fit = point_masses(recording(body, 150, 1.0, 2), shape, math::Pose(), options);
    ASSERT_EQ(fit.estimate.status, Status::ok);
    EXPECT_TRUE(fit.estimate.consistency.is_consistent()) << fit.estimate.consistency.brief_report();
    EXPECT_NEAR(fit.estimate.inertia_S.mass, body.mass, 0.03 * body.mass);
    EXPECT_TRUE(is_in_hull(shape.points, fit.estimate.inertia_S.com));
    EXPECT_EQ(fit.estimate.masses.size(), shape.points.size());
  }
}

// c1 follows the noise with its square and vanishes without it.
TEST(PointMassesTest, ChoosesC1FromTheNoise) {
  const Shape shape = shape_of_parts(kTetrahedron);
  const math::SpatialInertia body = body_of(shape, {0.3, 0.1, 0.05, 0.2});
  const double high = point_masses(recording(body, 2000, 1.0, 1), shape, math::Pose()).c1;
  const double low = point_masses(recording(body, 2000, 0.25, 1), shape, math::Pose()).c1;
  EXPECT_NEAR(high / PointMassOptions().noise_ratio, 3.0 * (1.0 + 0.01), 0.6);
  EXPECT_NEAR(high / low, 16.0, 3.0);
  EXPECT_LT(point_masses(recording(body, 2000, 0.0, 1), shape, math::Pose()).c1, 0.01);
}

TEST(PointMassesTest, StandardDeviationsAreHonest) {
  const Shape shape = shape_of_parts(kTetrahedron);
  const math::SpatialInertia body = body_of(shape, {0.2, 0.15, 0.1, 0.2});
  int within = 0;
  const int runs = 200;
  for (int seed = 0; seed < runs; ++seed) {
    PointMassOptions options;
    options.c1 = 0.0;
    const Estimate e =
        point_masses(recording(body, 150, 1.0, 100 + seed), shape, math::Pose(), options).estimate;
    within += std::abs(e.inertia_S.mass - body.mass) < 1.96 * e.std_mass();
  }
  EXPECT_GT(within, 0.88 * runs);
}

TEST(PointMassesTest, BadOptionsAndDataAreNamed) {
  const Shape shape = shape_of_parts(kTetrahedron);
  PointMassOptions options;
  options.c1 = -1.0;
  try {
    PointMasses(shape, math::Pose(), options);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("c1 is -1"), std::string::npos) << error.what();
  }
  EXPECT_THROW(PointMasses(Shape{}, math::Pose()), std::invalid_argument);
  const PointMassFit nothing = PointMasses(shape, math::Pose()).fit();
  EXPECT_EQ(nothing.estimate.status, Status::failed);
  EXPECT_FALSE(nothing.estimate.problems.empty());
  // The wrong sign of gravity.
  std::vector<Sample> samples = recording(body_of(shape, {0.3, 0.1, 0.05, 0.2}), 200, 0.1, 1);
  for (Sample& s : samples) {
    s.motion.a += 2.0 * s.gravity;
    s.gravity = -s.gravity;
  }
  const PointMassFit wrong = point_masses(samples, shape, math::Pose());
  EXPECT_EQ(wrong.estimate.status, Status::failed);
  ASSERT_FALSE(wrong.estimate.problems.empty());
  EXPECT_NE(wrong.estimate.problems.front().find("sign of gravity"), std::string::npos);
}

TEST(HomogeneousPartsTest, FourPartsAreTold) {
  const Shape shape = shape_of_parts(kTetrahedron);
  const std::vector<double> masses{0.3, 0.1, 0.05, 0.2};
  for (const bool printed : {false, true}) {
    HomogeneousPartsOptions options;
    options.printed = printed;
    const PartsFit fit =
        homogeneous_parts(recording(body_of(shape, masses), 400, 0.0, 1), shape, math::Pose(), options);
    ASSERT_EQ(fit.estimate.status, Status::ok) << fit.estimate.brief_report();
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(fit.estimate.masses[k], masses[k], printed ? 1e-9 : 1e-4);
    EXPECT_TRUE(fit.estimate.notes.empty());
    EXPECT_EQ(fit.estimate.rank, 4);
  }
}

// Parts in a row: mass and first moment are two numbers for four masses. The printed problem zeroes parts; ours keeps
// densities equal as far as the data allow, and says which.
TEST(HomogeneousPartsTest, PartsInARowAreNotZeroed) {
  const Shape shape = shape_of_parts(kRow);
  const std::vector<double> masses{0.1, 0.1, 0.1, 0.2};
  const math::SpatialInertia body = body_of(shape, masses);
  const std::vector<Sample> samples = recording(body, 400, 1.0, 1);
  HomogeneousPartsOptions printed;
  printed.printed = true;
  const PartsFit lazy = homogeneous_parts(samples, shape, math::Pose(), printed);
  EXPECT_LE(*std::min_element(lazy.estimate.masses.begin(), lazy.estimate.masses.end()), 0.0);
  EXPECT_FALSE(lazy.estimate.notes.empty());
  const PartsFit fit = homogeneous_parts(samples, shape, math::Pose());
  ASSERT_EQ(fit.estimate.status, Status::ok);
  for (const double m : fit.estimate.masses) EXPECT_GT(m, 0.03);
  EXPECT_EQ(fit.separated, 2);
  ASSERT_FALSE(fit.estimate.notes.empty());
  EXPECT_NE(fit.estimate.notes.front().find("The data separate 2 of 4 masses"), std::string::npos)
      << fit.estimate.notes.front();
  const auto error = [&](const PartsFit& f) { return (f.estimate.inertia_S.I_com - body.I_com).norm(); };
  EXPECT_LT(error(fit), error(lazy));
}

// Seven parts of one density: more than four unknowns, and still the right answer.
TEST(HomogeneousPartsTest, MoreThanFourParts) {
  std::vector<Vector3d> centres = kTetrahedron;
  centres.insert(centres.end(), {{0.05, 0.05, 0.05}, {-0.05, 0.03, 0.02}, {0.08, -0.08, 0.1}});
  const Shape shape = shape_of_parts(centres);
  const std::vector<double> masses(7, 0.1);
  const PartsFit fit = homogeneous_parts(recording(body_of(shape, masses), 400, 0.0, 1), shape, math::Pose());
  ASSERT_EQ(fit.estimate.status, Status::ok);
  for (const double m : fit.estimate.masses) EXPECT_NEAR(m, 0.1, 1e-3);
  EXPECT_EQ(fit.separated, 4);
  EXPECT_FALSE(fit.estimate.notes.empty());
  HomogeneousPartsOptions moving;
  moving.use_motion = true;
  std::vector<double> uneven{0.1, 0.2, 0.05, 0.1, 0.3, 0.1, 0.15};
  const PartsFit told =
      homogeneous_parts(recording(body_of(shape, uneven), 400, 0.0, 1), shape, math::Pose(), moving);
  EXPECT_EQ(told.separated, 7);
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(told.estimate.masses[k], uneven[k], 0.01);
}

TEST(HomogeneousPartsTest, NoStopsAndOneOrientation) {
  const Shape shape = shape_of_parts(kTetrahedron);
  std::vector<Sample> samples = recording(body_of(shape, {0.3, 0.1, 0.05, 0.2}), 100, 0.0, 1);
  const std::vector<Sample> moving(samples.begin() + 50, samples.end());
  const PartsFit none = homogeneous_parts(moving, shape, math::Pose());
  EXPECT_EQ(none.estimate.status, Status::failed);
  ASSERT_FALSE(none.estimate.problems.empty());
  EXPECT_NE(none.estimate.problems.front().find("still samples"), std::string::npos);
  const std::vector<Sample> upright(50, samples.front());
  const PartsFit one = homogeneous_parts(upright, shape, math::Pose());
  EXPECT_EQ(one.estimate.status, Status::undetermined);
  EXPECT_FALSE(one.estimate.undetermined.empty());
}

TEST(MassMethodsTest, TheCommonDoorStreams) {
  const Shape shape = shape_of_parts(kTetrahedron);
  Samples samples;
  samples.samples = recording(body_of(shape, {0.3, 0.1, 0.05, 0.2}), 300, 0.5, 1);
  samples.X_SO = math::Pose();
  for (const Method method : {Method::pmd, Method::hps}) {
    const Estimate batch = estimate(method, samples, &shape);
    const auto streaming = make_streaming_estimator(method, {&shape, math::Pose(), {}});
    for (const Sample& s : samples.samples) streaming->add(s);
    EXPECT_EQ(batch.status, Status::ok);
    EXPECT_EQ(streaming->estimate().inertia_S.mass, batch.inertia_S.mass);
    EXPECT_THROW(make_streaming_estimator(method), std::invalid_argument);
  }
}

}  // namespace
}  // namespace prehend::inertia
