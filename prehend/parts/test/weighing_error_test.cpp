// What errors of the centroids do to an inertia from weighing: the formula against many solved cases.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <generated/generated_tools.h>
#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/parts/segmentation.h>
#include <prehend/parts/shapes/weighing_error.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;

// Masses of parts believed at `centroids`, nearest to equal densities, that explain the mass and first moments of equal densities at the true
// places: least squares over the stacked rows of data and prior, solved by QR.
Eigen::VectorXd masses_by_weighing(const std::vector<WeighedPart>& truth,
                                   const std::vector<Vector3d>& believed, const Vector3d& centre,
                                   double extent) {
  const auto n = static_cast<Eigen::Index>(truth.size());
  double volume = 0.0;
  for (const WeighedPart& part : truth) volume += part.volume;
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(4 + n, n);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(4 + n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const WeighedPart& part = truth[static_cast<std::size_t>(i)];
    const double share = part.volume / volume;
    rows(0, i) = 1.0 / 1e-4;
    rows.block<3, 1>(1, i) = (believed[static_cast<std::size_t>(i)] - centre) / (extent * 3e-4);
    right[0] += share / 1e-4;
    right.segment<3>(1) += share * (part.centroid - centre) / (extent * 3e-4);
    rows(4 + i, i) = 1.0 / share;
    right[4 + i] = 1.0;
  }
  return rows.colPivHouseholderQr().solve(right);
}

double deviation_by_trials(const std::vector<WeighedPart>& parts, double error, double extent,
                           math::RandomStream& random) {
  double volume = 0.0;
  Vector3d centre = Vector3d::Zero();
  for (const WeighedPart& part : parts) volume += part.volume, centre += part.volume * part.centroid;
  centre /= volume;
  const auto trace = [&](const Eigen::VectorXd& m) {
    double sum = 0.0;
    for (std::size_t i = 0; i < parts.size(); ++i)
      sum += m[static_cast<Eigen::Index>(i)] * (parts[i].spread + (parts[i].centroid - centre).squaredNorm());
    return sum;
  };
  double squares = 0.0, right = 0.0;
  constexpr int kTrials = 2000;
  for (int k = 0; k <= kTrials; ++k) {
    std::vector<Vector3d> believed;
    for (const WeighedPart& part : parts) {
      Vector3d at = part.centroid;
      if (k > 0) at += error * random.normal3();
      believed.push_back(at);
    }
    const double found = trace(masses_by_weighing(parts, believed, centre, extent));
    if (k == 0) {
      right = found;
    } else {
      squares += (found / right - 1.0) * (found / right - 1.0);
    }
  }
  return std::sqrt(squares / kTrials);
}

TEST(WeighingError, IsThatOfManySolvedCases) {
  math::RandomStream random(3);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<WeighedPart> parts(2 + trial % 6);
    for (WeighedPart& part : parts) {
      part.volume = random.uniform(0.2, 1.0);
      part.centroid = Vector3d(random.uniform(), 0.3 * random.uniform(), 0.1 * random.uniform());
      part.spread = random.uniform(0.0, 0.02);
    }
    const double error = 2e-5;  // small: to first order
    const double expected = deviation_by_trials(parts, error, 1.0, random);
    EXPECT_NEAR(weighing_error(parts, error, 1.0), expected, 0.08 * expected) << trial;
  }
}

TEST(WeighingError, NothingToMoveNothingToLose) {
  EXPECT_EQ(weighing_error(std::vector<WeighedPart>{{1.0, Vector3d::Zero(), 1.0}}, 0.01, 1.0), 0.0);
  // Scale does not matter.
  const std::vector<WeighedPart> parts{
      {1.0, {0, 0, 0}, 0.01}, {2.0, {1, 0, 0.1}, 0.02}, {0.5, {0.5, 0, 0}, 0.0}};
  std::vector<WeighedPart> larger = parts;
  for (WeighedPart& part : larger) part.volume *= 1e9, part.centroid *= 1e3, part.spread *= 1e6;
  EXPECT_NEAR(weighing_error(parts, 0.003, 1.0), weighing_error(larger, 3.0, 1e3), 1e-9);
}

bool says_so(const Segmentation& result) {
  return !result.weighing_problem.empty() &&
         std::count(result.problems.begin(), result.problems.end(), result.weighing_problem) == 1;
}

TEST(WeighingError, ThreePartsOnALineAreSaidAndTwoAreNot) {
  const generated::GeneratedTool tool = generated::generated_tool(0, 3);  // a screwdriver of three parts
  Segmentation result = segment_cloud(tool.points, tool.colours);
  result.cut(3);
  EXPECT_TRUE(says_so(result));
  EXPECT_NE(result.weighing_problem.find("nearly on a line"), std::string::npos);
  EXPECT_NE(result.weighing_problem.find("--parts 2"), std::string::npos) << result.weighing_problem;
  const std::size_t problems = result.problems.size();
  result.cut(2);
  EXPECT_TRUE(result.weighing_problem.empty());
  EXPECT_EQ(result.problems.size(), problems - 1);
}

}  // namespace
}  // namespace prehend::parts
