#include <algorithm>
#include <array>
#include <cmath>

#include <prehend/inertia/diagnosis/slow_noise.h>
#include <prehend/inertia/methods/fit_report.h>
#include <prehend/inertia/methods/normal_equations.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/inertia/regressor.h>
#include <prehend/math/interrupt.h>

namespace prehend::inertia {
namespace {

// Rows that are looked at; longer logs are averaged over neighbours, which leaves what lasts.
constexpr std::size_t kMostRows = 4000;
// Squared singular values below are rounding of sums of squares.
constexpr double kRounding = 1e-12;
// Lasting variance over white variance and memory [1/s], by factors of three after none: memories of one such rate are hard to tell apart, rates are not. Memories
// by factors of two.
constexpr double kLeastRate = 0.02, kRateStep = 3.0;
constexpr int kRates = 16;
constexpr double kMemoryStep = 2.0;
constexpr int kMemories = 12;

// Means of neighbouring rows.
std::size_t block_of(std::size_t rows) { return (rows + kMostRows - 1) / kMostRows; }

struct Trial {
  double memory{0.0}, ratio{0.0};
  double restricted{0.0};  // minus twice the log likelihood with x integrated out
  SlowNoise noise;
};

// The columns of A, then y, as a Kalman filter of the noise leaves them: rows that are independent and of equal variance.
double whiten(const std::vector<double>& t, const Eigen::MatrixXd& columns, double memory, double ratio,
              Eigen::MatrixXd& white) {
  const Eigen::Index n = static_cast<Eigen::Index>(t.size());
  white.resize(columns.rows(), columns.cols());
  Eigen::VectorXd keep(n), gain(n), inverse(n);
  double variance = ratio, log_scale = 0.0;
  for (Eigen::Index k = 0; k < n; ++k) {
    keep(k) = k == 0 ? 0.0 : std::exp(-std::max(0.0, t[k] - t[k - 1]) / memory);
    variance = keep(k) * keep(k) * variance + ratio * (1.0 - keep(k) * keep(k));
    const double total = variance + 1.0;
    gain(k) = variance / total;
    inverse(k) = 1.0 / std::sqrt(total);
    variance *= 1.0 - gain(k);
    log_scale += 3.0 * std::log(total);
  }
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    const double* from = columns.col(c).data();
    double* to = white.col(c).data();
    std::array<double, 3> state{};
    for (Eigen::Index k = 0; k < n; ++k)
      for (Eigen::Index i = 0; i < 3; ++i) {
        double& s = state[static_cast<std::size_t>(i)];
        s *= keep(k);
        const double innovation = from[3 * k + i] - s;
        s += gain(k) * innovation;
        to[3 * k + i] = innovation * inverse(k);
      }
  }
  return log_scale;
}

Trial trial_of(const std::vector<double>& t, const Eigen::MatrixXd& columns, double memory, double ratio) {
  math::check_interrupt();
  Eigen::MatrixXd white;
  const double log_scale = whiten(t, columns, memory, ratio, white);
  const Eigen::Index p = columns.cols() - 1;
  const auto rows = static_cast<double>(columns.rows());
  const Eigen::MatrixXd normal = white.transpose() * white;
  const ScaledSymmetric solver(normal.topLeftCorner(p, p));
  const double least = kRounding * static_cast<double>(p);
  const Eigen::VectorXd x = solver.solve(normal.col(p).head(p), least);
  const double left = std::max((white.col(p) - white.leftCols(p) * x).squaredNorm(), 1e-300);
  double log_information = 0.0, rank = 0.0;
  for (Eigen::Index i = 0; i < p; ++i) {
    if (solver.scale()(i) > 0.0) log_information -= 2.0 * std::log(solver.scale()(i));
    if (solver.values()(i) > least) rank += 1.0;
    log_information += std::log(std::max(solver.values()(i), least));
  }
  const double freedom = std::max(1.0, rows - rank);
  Trial trial{memory, ratio, freedom * std::log(left / freedom) + log_scale + log_information, {}};
  trial.noise.white = std::sqrt(left / freedom);
  trial.noise.lasting = trial.noise.white * std::sqrt(ratio);
  trial.noise.memory = ratio > 0.0 ? memory : 0.0;
  trial.noise.cost = rows * std::log(left / rows) + log_scale;
  return trial;
}

// The regressor's columns of one kind of rows: m and m c, or m c and the moments of inertia.
struct KindColumns {
  Eigen::Index first, count;
};
KindColumns columns_of(WrenchKind kind) {
  return kind == WrenchKind::force ? KindColumns{0, 4} : KindColumns{1, 9};
}

// Sum over all pairs of rows of a^T rho a, rho the covariance of the noise.
Eigen::MatrixXd score_covariance(const NoisyRows& rows, const SlowNoise& noise) {
  const Eigen::Index p = rows.A.cols();
  Eigen::MatrixXd past = Eigen::MatrixXd::Zero(3, p), cross = Eigen::MatrixXd::Zero(p, p);
  for (std::size_t k = 0; k < rows.t.size() && noise.lasting > 0.0; ++k) {
    const auto now = rows.A.middleRows(static_cast<Eigen::Index>(3 * k), 3);
    if (k > 0) past *= std::exp(-std::max(0.0, rows.t[k] - rows.t[k - 1]) / noise.memory);
    cross.noalias() += now.transpose() * past;
    past += now;
  }
  const double lasting = noise.lasting * noise.lasting;
  return (noise.white * noise.white + lasting) * (rows.A.transpose() * rows.A) +
         lasting * (cross + cross.transpose());
}

Eigen::MatrixXd beside_each_other(const NoisyRows& rows, const Eigen::MatrixXd& beside) {
  Eigen::MatrixXd columns(rows.A.rows(), rows.A.cols() + beside.cols() + 1);
  columns.leftCols(rows.A.cols()) = rows.A;
  if (beside.cols() > 0) columns.middleCols(rows.A.cols(), beside.cols()) = beside;
  columns.rightCols(1) = rows.y;
  return columns;
}

}  // namespace

SlowNoise fit_slow_noise(const NoisyRows& rows) { return fit_slow_noise(rows, {}); }

Eigen::MatrixXd whitened(const NoisyRows& rows, const SlowNoise& noise, const Eigen::MatrixXd& beside) {
  const double ratio = std::pow(noise.lasting / noise.white, 2);
  Eigen::MatrixXd white;
  whiten(rows.t, beside_each_other(rows, beside), std::max(noise.memory, 1e-9), ratio, white);
  return white / noise.white;
}

SlowNoise fit_slow_noise(const NoisyRows& rows, const Eigen::MatrixXd& beside) {
  const std::size_t n = rows.t.size();
  if (n < 10 || !(rows.t.back() > rows.t.front())) return {};
  const Eigen::MatrixXd columns = beside_each_other(rows, beside);
  const double span = rows.t.back() - rows.t.front(), interval = span / static_cast<double>(n - 1);
  const double shortest = 2.0 * interval;
  const auto memory_at = [&](int i) { return shortest * std::pow(kMemoryStep, i); };
  // What lasts longer than half of the log is an offset.
  int memories = 1;
  while (memories < kMemories && memory_at(memories) <= 0.5 * span) ++memories;
  const auto rate_at = [](int i) { return i == 0 ? 0.0 : kLeastRate * std::pow(kRateStep, i - 1); };
  Trial best = trial_of(rows.t, columns, memory_at(0), 0.0);
  int at_memory = memories / 2, at_rate = 0;
  const auto take = [&](int memory, int rate) {
    if (memory < 0 || memory >= memories || rate < 1 || rate >= kRates) return false;
    const Trial trial = trial_of(rows.t, columns, memory_at(memory), rate_at(rate) * memory_at(memory));
    if (!(trial.restricted < best.restricted)) return false;
    best = trial;
    at_memory = memory;
    at_rate = rate;
    return true;
  };
  // Coarsely everywhere, then to neighbours while those are better.
  for (int memory = 1; memory < memories; memory += 3)
    for (int rate = 2; rate < kRates; rate += 3) take(memory, rate);
  if (at_rate == 0) return best.noise;
  for (bool moved = true; moved;) {
    const int m = at_memory, r = at_rate;
    moved = false;
    for (const auto& [dm, dr] :
         {std::array{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}, {1, 1}, {-1, -1}})
      moved = take(m + dm, r + dr) || moved;
  }
  return best.noise;
}

NoisyRows noisy_rows(std::span<const Sample> samples, const math::Vector6d& bias, WrenchKind kind) {
  const std::size_t block = block_of(samples.size()), n = samples.size() / std::max<std::size_t>(1, block);
  const auto [first, count] = columns_of(kind);
  const Eigen::Index row = kind == WrenchKind::torque ? 0 : 3;
  NoisyRows rows;
  rows.A = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(3 * n), count);
  rows.y = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * n));
  for (std::size_t k = 0; k < n; ++k) {
    const auto at = static_cast<Eigen::Index>(3 * k);
    double t = 0.0;
    for (std::size_t i = k * block; i < (k + 1) * block; ++i) {
      rows.A.middleRows(at, 3) += wrench_regressor(samples[i].motion).block(row, first, 3, count);
      rows.y.segment<3>(at) += (samples[i].wrench - bias).segment<3>(row);
      t += samples[i].t;
    }
    rows.A.middleRows(at, 3) /= static_cast<double>(block);
    rows.y.segment<3>(at) /= static_cast<double>(block);
    rows.t.push_back(t / static_cast<double>(block));
  }
  return rows;
}

LastingNoise fit_lasting_noise(std::span<const Sample> samples) {
  const math::Vector6d none = math::Vector6d::Zero();
  return {fit_slow_noise(noisy_rows(samples, none, WrenchKind::torque)),
          fit_slow_noise(noisy_rows(samples, none, WrenchKind::force))};
}

math::Matrix10d widened(const math::Matrix10d& covariance, std::span<const Sample> samples,
                        const LastingNoise& noise) {
  // What white residuals would be taken for: the weights of whoever found the covariance.
  NormalEquations sums;
  sums.add(samples);
  const RowVariances variances = row_variances(sums, math::Vector10d::Zero());
  const auto block = static_cast<double>(block_of(samples.size()));
  math::Matrix10d excess = math::Matrix10d::Zero();
  for (const WrenchKind kind : {WrenchKind::torque, WrenchKind::force}) {
    const bool torque = kind == WrenchKind::torque;
    const SlowNoise& slow = torque ? noise.torque : noise.force;
    const double variance = torque ? variances.torque : variances.force;
    if (!(slow.lasting > 0.0) || !(variance > 0.0)) continue;
    const NoisyRows rows = noisy_rows(samples, math::Vector6d::Zero(), kind);
    const auto [first, count] = columns_of(kind);
    excess.block(first, first, count, count) +=
        block * block / (variance * variance) * score_covariance(rows, slow) -
        block / variance * (rows.A.transpose() * rows.A);
  }
  // In coordinates in which the covariance is the unit matrix, so that what is taken and what is left out does not depend on units.
  const math::Vector10d scale = covariance.diagonal().cwiseMax(1e-300).cwiseSqrt();
  const math::Matrix10d unit =
      scale.cwiseInverse().asDiagonal() * covariance * scale.cwiseInverse().asDiagonal();
  const SymmetricSpectrum<10> spread = spectrum_of<10>(unit);
  const math::Matrix10d root =
      scale.asDiagonal() * spread.vectors * spread.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
  const SymmetricSpectrum<10> more = spectrum_of<10>(math::Matrix10d(root.transpose() * excess * root));
  const math::Matrix10d along = root * more.vectors;
  return covariance + along * more.values.cwiseMax(0.0).asDiagonal() * along.transpose();
}

}  // namespace prehend::inertia
