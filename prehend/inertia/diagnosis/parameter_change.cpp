#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <prehend/inertia/diagnosis/parameter_change.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/inertia/methods/wrench_fit.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

constexpr int kFewestOnOneSide = 60;  // samples
constexpr std::size_t kBlocks = 24;   // moments at which the object may have moved

// One set of parameters before a moment and another after it, the sensor's offsets being the same.
struct Change {
  math::Vector6d bias{math::Vector6d::Zero()};
  WrenchFit joint;        // one set for all
  WrenchFit left, right;  // best two
  double gain{0.0};       // minus twice the log likelihood, lower by this
  double ratio{0.0};      // of residuals
  std::size_t split{0};   // of kBlocks
};

Change best_change(std::span<const Sample> samples, const std::vector<bool>& use) {
  const std::size_t n = samples.size();
  std::vector<WrenchSums> blocks(kBlocks);
  WrenchSums whole;
  for (std::size_t k = 0; k < n; ++k)
    if (use.empty() || use[k]) blocks[k * kBlocks / n].add(samples[k]);
  for (const WrenchSums& block : blocks) whole += block;
  Change best;
  best.bias = fit_wrench(whole, true).bias;
  best.joint = fit_wrench(whole.less(best.bias), false);
  const WrenchFit& joint = best.joint;
  for (WrenchSums& block : blocks) block = block.less(best.bias);
  const auto floor_of = [](double rms, double signal) { return std::max(rms, 1e-6 * signal + 1e-300); };
  for (std::size_t split = 1; split < kBlocks; ++split) {
    WrenchSums before, after;
    for (std::size_t b = 0; b < kBlocks; ++b) (b < split ? before : after) += blocks[b];
    if (before.samples < kFewestOnOneSide || after.samples < kFewestOnOneSide) continue;
    const WrenchFit left = fit_wrench(before, false), right = fit_wrench(after, false);
    const double l = left.samples, r = right.samples;
    const double force =
        std::sqrt((l * left.rms_force * left.rms_force + r * right.rms_force * right.rms_force) / (l + r));
    const double torque = std::sqrt(
        (l * left.rms_torque * left.rms_torque + r * right.rms_torque * right.rms_torque) / (l + r));
    const double ratio_force =
        floor_of(joint.rms_force, joint.signal_force) / floor_of(force, joint.signal_force);
    const double ratio_torque =
        floor_of(joint.rms_torque, joint.signal_torque) / floor_of(torque, joint.signal_torque);
    const double gain = 6.0 * (l + r) * (std::log(ratio_force) + std::log(ratio_torque));
    if (gain <= best.gain) continue;
    best.gain = gain;
    best.ratio = std::max(ratio_force, ratio_torque);
    best.split = split;
    best.left = left;
    best.right = right;
  }
  return best;
}

// Rows that tell of one body and of what it has more from a moment on: m, m c, I, offsets, and the change of m and m c.
using Matrix20d = Eigen::Matrix<double, 20, 20>;
using Vector20d = Eigen::Matrix<double, 20, 1>;
using ChangeRows = Eigen::Matrix<double, 6, 20>;

ChangeRows change_rows(const Sample& sample, bool after, double sigma_torque, double sigma_force) {
  ChangeRows rows = ChangeRows::Zero();
  rows.leftCols<10>() = wrench_regressor(sample.motion);
  rows.block<6, 6>(0, 10).setIdentity();
  if (after) rows.rightCols<4>() = rows.leftCols<4>();
  rows.topRows<3>() /= sigma_torque;
  rows.bottomRows<3>() /= sigma_force;
  return rows;
}

math::Vector6d weighted_wrench(const Sample& sample, double sigma_torque, double sigma_force) {
  math::Vector6d wrench = sample.wrench;
  wrench.head<3>() /= sigma_torque;
  wrench.tail<3>() /= sigma_force;
  return wrench;
}

// How mass and centre change, with errors as large and as lasting as the residuals: those of a smoothed motion are larger where it is
// fast. Inertia and offsets are common, since a motion by one axis after the other tells other moments of inertia before and after.
struct MassChange {
  double gain{0.0};  // squared, in standard deviations
  double size{0.0};  // of what stands out: share of the mass, and of the mass times a tenth of a metre
};

// Sums over rows of one span of time.
struct SpanSums {
  Matrix20d normal{Matrix20d::Zero()};
  Vector20d right{Vector20d::Zero()};
  double square{0.0}, rows{0.0};

  SpanSums& operator+=(const SpanSums& other) {
    normal += other.normal;
    right += other.right;
    square += other.square;
    rows += other.rows;
    return *this;
  }
  SpanSums weighted(double weight) const { return {weight * normal, weight * right, weight * square, rows}; }
  // Mean square of what is left.
  double residual(const Vector20d& x) const {
    return std::max(0.0, square - 2.0 * x.dot(right) + x.dot(normal * x)) / std::max(1.0, rows);
  }
};

constexpr double kChangeRounding = 1e-11;  // of a unit diagonal

SpanSums sum_of(const std::vector<SpanSums>& spans) {
  SpanSums all;
  for (const SpanSums& span : spans) all += span;
  return all;
}

// Rows count by the residuals of their span: those of a smoothed motion are larger where it is fast. As many spans as unknowns may be fitted exactly, hence the floor.
std::vector<SpanSums> by_residual(const std::vector<SpanSums>& spans) {
  constexpr int kRounds = 3;
  std::vector<SpanSums> result = spans;
  for (int round = 0; round < kRounds; ++round) {
    const SpanSums all = sum_of(result);
    const Vector20d x = ScaledSymmetric(all.normal).solve(all.right, kChangeRounding);
    std::vector<double> squares, sorted;
    for (const SpanSums& span : spans) squares.push_back(span.residual(x));
    sorted = squares;
    const auto low = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 5);
    std::nth_element(sorted.begin(), low, sorted.end());
    for (std::size_t i = 0; i < spans.size(); ++i)
      result[i] = spans[i].weighted(1.0 / std::max({squares[i], *low, 1e-12}));
  }
  return result;
}

std::vector<SpanSums> span_sums(const Change& change, std::span<const Sample> samples, std::size_t at,
                                const std::vector<bool>& use) {
  // [s] Longer than errors of a smoothed motion last; short logs have shorter ones, long ones not too many.
  constexpr double kLongest = 0.2, kFewest = 30.0, kMost = 60.0;
  const double duration = samples.back().t - samples.front().t;
  const double span = std::max(std::min(kLongest, duration / kFewest), duration / kMost);
  const double sigma_torque = std::max(change.joint.rms_torque, 1e-6 * change.joint.signal_torque + 1e-300),
               sigma_force = std::max(change.joint.rms_force, 1e-6 * change.joint.signal_force + 1e-300);
  std::vector<SpanSums> sums(1);
  double begun = samples.front().t;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (samples[k].t - begun > span) {
      sums.emplace_back();
      begun = samples[k].t;
    }
    if (!use.empty() && !use[k]) continue;
    const ChangeRows rows = change_rows(samples[k], k >= at, sigma_torque, sigma_force);
    sums.back().normal.noalias() += rows.transpose().lazyProduct(rows);
    const math::Vector6d wrench = weighted_wrench(samples[k], sigma_torque, sigma_force);
    sums.back().right.noalias() += rows.transpose() * wrench;
    sums.back().square += wrench.squaredNorm();
    sums.back().rows += 6.0;
  }
  return sums;
}

MassChange mass_change(const Change& change, std::span<const Sample> samples, std::size_t at,
                       const std::vector<bool>& use) {
  constexpr double kArm = 0.1;  // [m]
  constexpr double kStandsOut = 5.0;
  const std::vector<SpanSums> spans = by_residual(span_sums(change, samples, at, use));
  const SpanSums all = sum_of(spans);
  const double mass = std::abs(change.joint.phi(0));
  const Eigen::Vector4d scale(mass, kArm * mass, kArm * mass, kArm * mass);
  const auto solved = [&](const SpanSums& less) -> Eigen::Vector4d {
    const ScaledSymmetric solver(all.normal - less.normal);
    return solver.solve(all.right - less.right, kChangeRounding).tail<4>().cwiseQuotient(scale);
  };
  const Eigen::Vector4d x = solved({});
  // White noise of the residuals' size, and what leaving out any span changes.
  SquareMatrix<4> covariance =
      scale.cwiseInverse().asDiagonal() *
      ScaledSymmetric(all.normal).inverse(kChangeRounding).bottomRightCorner<4, 4>() *
      scale.cwiseInverse().asDiagonal();
  for (const SpanSums& span : spans) {
    const Eigen::Vector4d away = solved(span) - x;
    covariance += away * away.transpose();
  }
  const SymmetricSpectrum<4> axes = spectrum_of<4>(covariance);
  const Eigen::Vector4d along = axes.vectors.transpose() * x;
  MassChange result;
  math::Vector10d standing_out = math::Vector10d::Zero();
  for (int i = 0; i < 4; ++i) {
    const double square = along(i) * along(i), variance = std::max(axes.values(i), 1e-300);
    result.gain += square / variance;
    if (square > kStandsOut * kStandsOut * variance)
      standing_out.head<4>() += along(i) * axes.vectors.col(i).cwiseProduct(scale);
  }
  // On the wrench of either side's own motion, the smaller one: along gravity a centre at rest moves unseen, and only errors of the poses seem to tell.
  std::array<double, 2> force{}, torque{}, count{};
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const math::Vector6d effect =
        wrench_regressor({-samples[k].gravity, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()}) *
        standing_out;
    const std::size_t side = k < at ? 0 : 1;
    torque[side] += effect.head<3>().squaredNorm();
    force[side] += effect.tail<3>().squaredNorm();
    count[side] += 3.0;
  }
  const auto share = [&](std::size_t side) {
    return std::max(std::sqrt(force[side] / count[side]), std::sqrt(torque[side] / count[side]) / kArm) /
           change.joint.signal_force;
  };
  result.size = std::min(share(0), share(1));
  return result;
}

// What the change does to the wrench of either side's own motion in half of its rows, the smaller one, as a share of the signal.
double effect_of(const Change& change, std::span<const Sample> samples, std::size_t at) {
  WrenchFit difference = change.left;
  difference.phi = change.left.phi - change.right.phi;
  difference.bias.setZero();
  // Parameters that one side does not determine differ for no reason, and show on the other side alone; and what shows in a few rows only is an error of
  // the motion at the ends of a log or of a stop.
  std::array<std::vector<double>, 2> forces, torques;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const math::Vector6d effect = predicted_wrench(difference, samples[k]);
    torques[k < at ? 0 : 1].push_back(effect.head<3>().norm());
    forces[k < at ? 0 : 1].push_back(effect.tail<3>().norm());
  }
  const auto half = [](std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle / std::sqrt(3.0);
  };
  const auto share = [&](std::size_t side) {
    return std::max(half(torques[side]) / change.joint.signal_torque,
                    half(forces[side]) / change.joint.signal_force);
  };
  return std::min(share(0), share(1));
}

}  // namespace

std::vector<Finding> check_parameter_change(std::span<const Sample> samples, const DiagnosisOptions& options,
                                            const std::vector<bool>& use) {
  const Change change = best_change(samples, use);
  const double margin = options.likelihood_margin + options.change_margin;
  if (!(change.gain > margin)) return {};
  const std::size_t at = (samples.size() * change.split + kBlocks - 1) / kBlocks;
  // Residuals that shrink by half speak for any change, of the inertia too; less is an error of the motion as often, and only mass and centre are asked for.
  const bool is_plain =
      change.ratio > options.residual_ratio && effect_of(change, samples, at) > options.change_effect;
  if (!is_plain) {
    const MassChange moved = mass_change(change, samples, at, use);
    if (!(moved.gain > margin) || !(moved.size > options.change_effect)) return {};
  }
  const auto com = [](const WrenchFit& fit) { return Eigen::Vector3d(fit.phi.segment<3>(1) / fit.phi(0)); };
  return {{FindingKind::object_moved, Severity::blocks,
           "the object moved in the grasp, or touched something, at about t = " +
               math::number_text(samples[at].t, 3) + " s: mass " + math::number_text(change.left.phi(0), 3) +
               " to " + math::number_text(change.right.phi(0), 3) + " kg, centre of mass by " +
               math::number_text(1e3 * (com(change.left) - com(change.right)).norm(), 2) + " mm",
           change.ratio}};
}

}  // namespace prehend::inertia
