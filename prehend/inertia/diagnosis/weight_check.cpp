#include <algorithm>
#include <cmath>
#include <vector>

#include <prehend/inertia/diagnosis/weight_check.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/inertia/regressor.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

// [s] Longer than errors of a smoothed motion last; a thirtieth of short logs, and not too many.
constexpr double kWeightSpan = 0.2, kFewestWeightSpans = 30.0, kMostWeightSpans = 60.0;
// Deviations, and share of the weight: less changes the mass by less than is accepted. Of 400 right recordings (generated arms and hands) one had a positive force beyond
// four deviations, of 0.4 %, and none a stiffness: errors of the accelerations make both negative.
constexpr double kWeightStandsOut = 5.0, kWeightMatters = 0.02;
constexpr double kWeightRounding = 1e-11;

// Less is known where hardly anything is accelerated: a few rows decide then. Chosen on two right logs, of 6 and 11 %; hoses have 0.5 %.
constexpr double kWeightKnown = 0.03;
// [m] by which a hose may be stretched where the sensor is on the mean; and the share of the weight that would then matter.
constexpr double kHoseStretched = 0.5, kHoseCarries = 0.03;

// m, m c, a force in the world, a stiffness and offsets.
constexpr int kWeightUnknowns = 11, kWorldForce = 4, kStiffness = 7;
using WeightRows = Eigen::Matrix<double, 3, kWeightUnknowns>;
using WeightMatrix = Eigen::Matrix<double, kWeightUnknowns, kWeightUnknowns>;
using WeightVector = Eigen::Matrix<double, kWeightUnknowns, 1>;

struct WeightSums {
  WeightMatrix normal{WeightMatrix::Zero()};
  WeightVector right{WeightVector::Zero()};
};

WeightRows force_rows(const Sample& sample, const math::Pose& X_WS, const Eigen::Vector3d& mean_W) {
  const Eigen::Matrix3d R_SW = X_WS.R().transpose();
  WeightRows rows = WeightRows::Zero();
  rows.leftCols<4>() = wrench_regressor(sample.motion).block<3, 4>(3, 0);
  rows.middleCols<3>(kWorldForce) = R_SW;
  rows.col(kStiffness) = R_SW * (X_WS.p() - mean_W);
  rows.rightCols<3>().setIdentity();
  return rows;
}

std::vector<WeightSums> weight_sums(const model::WrenchLog& log, std::span<const Sample> samples) {
  Eigen::Vector3d mean_W = Eigen::Vector3d::Zero();
  for (const math::Pose& X_WS : log.X_WS) mean_W += X_WS.p() / static_cast<double>(log.rows());
  const double duration = samples.back().t - samples.front().t;
  const double length =
      std::max(std::min(kWeightSpan, duration / kFewestWeightSpans), duration / kMostWeightSpans);
  std::vector<WeightSums> spans(1);
  double begun = samples.front().t;
  std::size_t row = 0;
  for (const Sample& sample : samples) {
    if (sample.t - begun > length) {
      spans.emplace_back();
      begun = sample.t;
    }
    while (row + 1 < log.rows() && std::abs(log.t[row + 1] - sample.t) <= std::abs(log.t[row] - sample.t))
      ++row;
    const WeightRows rows = force_rows(sample, log.X_WS[row], mean_W);
    spans.back().normal.noalias() += rows.transpose().lazyProduct(rows);
    spans.back().right.noalias() += rows.transpose() * sample.wrench.tail<3>();
  }
  return spans;
}

}  // namespace

std::optional<CarriedWeight> carried_weight(const model::WrenchLog& log, std::span<const Sample> samples,
                                            const Eigen::Vector3d& gravity_W) {
  if (samples.size() < 60) return std::nullopt;
  const std::vector<WeightSums> spans = weight_sums(log, samples);
  WeightSums all;
  for (const WeightSums& span : spans) {
    all.normal += span.normal;
    all.right += span.right;
  }
  const auto solved = [&](const WeightSums& less) -> WeightVector {
    return ScaledSymmetric(all.normal - less.normal).solve(all.right - less.right, kWeightRounding);
  };
  const Eigen::Vector3d down = gravity_W.normalized();
  const double g = gravity_W.norm();
  // The sensor holds against what pulls up.
  const auto carried_of = [&](const WeightVector& y) { return down.dot(y.segment<3>(kWorldForce)); };
  const WeightVector x = solved({});
  double of_carried = 0.0, of_stiffness = 0.0, of_weight = 0.0;
  for (const WeightSums& span : spans) {
    const WeightVector away = solved(span) - x;
    of_carried += std::pow(carried_of(away), 2);
    of_stiffness += std::pow(away(kStiffness), 2);
    of_weight += std::pow(g * away(0) - carried_of(away), 2);
  }
  const double carried = carried_of(x), inertial = x(0) * g;
  if (!(inertial > 0.0)) return std::nullopt;
  CarriedWeight found;
  found.mass = (inertial - carried) / g;
  found.std_mass = std::sqrt(of_weight) / g;
  if (carried > kWeightStandsOut * std::sqrt(of_carried) && carried > kWeightMatters * inertial &&
      std::sqrt(of_carried) < kWeightKnown * inertial)
    found.sentence = "the object weighs " + math::number_text(inertial - carried, 3) +
                     " N but resists acceleration as " + math::number_text(inertial, 3) + " N (+- " +
                     math::number_text(std::sqrt(of_carried), 2) +
                     " N) would: a hose, a cable or something else carries a part of it";
  else if (x(kStiffness) > kWeightStandsOut * std::sqrt(of_stiffness) &&
           x(kStiffness) * kHoseStretched > kHoseCarries * inertial)
    found.sentence =
        "a force that goes with the sensor's place acts on the object, as of a hose, a cable or a spring "
        "of " +
        math::number_text(x(kStiffness), 2) + " N/m: it may carry more of the weight than it shows";
  return found;
}

}  // namespace prehend::inertia
