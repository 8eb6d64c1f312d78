#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <prehend/inertia/diagnosis/lasting_cause.h>
#include <prehend/inertia/log_diagnosis.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

constexpr std::size_t kMoments = 32;  // at which something may begin or end to act, before they are refined

// [m] by which a hose may be stretched where the sensor is on the mean; and the share of the weight that would then matter.
constexpr double kStretched = 0.5, kCarried = 0.03;
constexpr double kGravity = 9.81;  // [m/s^2] a size is meant

// The sensor's place and axes at each row of slow noise.
struct Places {
  std::vector<Eigen::Matrix3d> R_SW;
  std::vector<Eigen::Vector3d> p, v;
};

// Of the log's row next in time; velocities by differences over some rows to either side.
Places places_of(const model::WrenchLog& log, const std::vector<double>& t) {
  Places places;
  constexpr std::size_t kReach = 3;
  std::size_t row = 0;
  for (const double at : t) {
    while (row + 1 < log.rows() && std::abs(log.t[row + 1] - at) <= std::abs(log.t[row] - at)) ++row;
    const std::size_t before = row < kReach ? 0 : row - kReach,
                      after = std::min(row + kReach, log.rows() - 1);
    const double span = log.t[after] - log.t[before];
    places.R_SW.push_back(log.X_WS[row].R().transpose());
    places.p.push_back(log.X_WS[row].p());
    places.v.push_back(span > 0.0 ? Eigen::Vector3d((log.X_WS[after].p() - log.X_WS[before].p()) / span)
                                  : Eigen::Vector3d::Zero());
  }
  return places;
}

// Forces along the world's axes, each with each component of x.
Eigen::MatrixXd forces_with(const Places& places, const std::vector<Eigen::Vector3d>& x) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& one : x) mean += one / static_cast<double>(x.size());
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(3 * x.size()), 9);
  for (std::size_t k = 0; k < x.size(); ++k)
    for (int j = 0; j < 3; ++j)
      columns.block<3, 3>(static_cast<Eigen::Index>(3 * k), 3 * j) = (x[k] - mean)(j)*places.R_SW[k];
  return columns;
}

// A constant force in the world from row `from` to row `to`.
Eigen::MatrixXd force_between(const Places& places, std::size_t from, std::size_t to) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(3 * places.p.size()), 3);
  for (std::size_t k = from; k < to; ++k)
    columns.middleRows<3>(static_cast<Eigen::Index>(3 * k)) = places.R_SW[k];
  return columns;
}

// An offset in the sensor's axes, and one that grows evenly.
Eigen::MatrixXd drift_of(const std::vector<double>& t) {
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(3 * t.size()), 6);
  const double span = t.back() - t.front();
  for (std::size_t k = 0; k < t.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(3 * k);
    columns.block<3, 3>(at, 0).setIdentity();
    columns.block<3, 3>(at, 3) = (t[k] - t.front()) / span * Eigen::Matrix3d::Identity();
  }
  return columns;
}

struct Span {
  std::size_t from{0}, to{0};
};

// How much of the sum of squares a body and further columns explain, from the normal matrix of [A columns y].
double explained_by(const Eigen::MatrixXd& normal) {
  const Eigen::Index p = normal.cols() - 1;
  const Eigen::VectorXd right = normal.col(p).head(p);
  return right.dot(ScaledSymmetric(normal.topLeftCorner(p, p)).solve(right, 1e-12));
}

// In which a constant force explains most, by least squares of rows made white: among all pairs of some moments, then to the row.
Span best_span(const NoisyRows& rows, const Places& places, const SlowNoise& noise) {
  const std::size_t n = rows.t.size();
  const auto moment = [&](std::size_t i) { return n * i / kMoments; };
  // What acts from a moment on to the end; what ends is the difference of two.
  Eigen::MatrixXd onsets(rows.A.rows(), 3 * kMoments);
  for (std::size_t i = 0; i < kMoments; ++i)
    onsets.middleCols<3>(static_cast<Eigen::Index>(3 * i)) = force_between(places, moment(i), n);
  const Eigen::MatrixXd white = whitened(rows, noise, onsets);
  const Eigen::MatrixXd normal = white.transpose() * white;
  const Eigen::Index p = rows.A.cols(), y = white.cols() - 1;
  double most = 0.0;
  Span best;
  for (std::size_t first = 0; first < kMoments; ++first)
    for (std::size_t last = first + 1; last <= kMoments; ++last) {
      if (first == 0 && last == kMoments) continue;  // always: a weight
      Eigen::MatrixXd take = Eigen::MatrixXd::Zero(normal.rows(), 3);
      take.block<3, 3>(p + static_cast<Eigen::Index>(3 * first), 0).setIdentity();
      if (last < kMoments)
        take.block<3, 3>(p + static_cast<Eigen::Index>(3 * last), 0) = -Eigen::Matrix3d::Identity();
      const Eigen::MatrixXd with = normal * take;
      Eigen::MatrixXd sums(p + 4, p + 4);
      sums.topLeftCorner(p, p) = normal.topLeftCorner(p, p);
      sums.block(0, p, p, 3) = with.topRows(p);
      sums.block(p, 0, 3, p) = with.topRows(p).transpose();
      sums.block(p, p, 3, 3) = take.transpose() * with;
      sums.block(p, p + 3, 3, 1) = with.row(y).transpose();
      sums.block(p + 3, p, 1, 3) = with.row(y);
      sums.block(0, p + 3, p, 1) = normal.block(0, y, p, 1);
      sums.block(p + 3, 0, 1, p) = normal.block(y, 0, 1, p);
      sums(p + 3, p + 3) = normal(y, y);
      const double explained = explained_by(sums);
      if (explained <= most) continue;
      most = explained;
      best = {moment(first), moment(last)};
    }
  const auto at = [&](const Span& span) {
    const Eigen::MatrixXd rest = whitened(rows, noise, force_between(places, span.from, span.to));
    return explained_by(rest.transpose() * rest);
  };
  for (std::size_t step = n / kMoments / 2; step > 0; step /= 2) {
    std::vector<Span> near;
    if (best.from >= step && best.to - best.from + step < n) near.push_back({best.from - step, best.to});
    if (best.from + step < best.to) near.push_back({best.from + step, best.to});
    if (best.from + step < best.to) near.push_back({best.from, best.to - step});
    if (best.to + step <= n && best.to + step - best.from < n) near.push_back({best.from, best.to + step});
    for (const Span& span : near) {
      const double explained = at(span);
      if (explained <= most) continue;
      most = explained;
      best = span;
    }
  }
  return best;
}

}  // namespace

std::optional<std::string> lasting_cause(const model::WrenchLog& log, std::span<const Sample> samples,
                                         const SlowNoise& noise) {
  const DiagnosisOptions options;
  const NoisyRows rows = noisy_rows(samples, math::Vector6d::Zero(), WrenchKind::force);
  const std::size_t n = rows.t.size();
  if (n < 2 * kMoments) return std::nullopt;
  const Places places = places_of(log, rows.t);
  const auto gain = [&](const Eigen::MatrixXd& columns) {
    return noise.cost - fit_slow_noise(rows, columns).cost;
  };
  if (gain(drift_of(rows.t)) > options.likelihood_margin)
    return "the sensor's zero drifts; let it warm up, or tare it and use a shorter log";
  const Span touch = best_span(rows, places, noise);
  if (touch.to > touch.from &&
      gain(force_between(places, touch.from, touch.to)) > options.likelihood_margin + options.change_margin)
    return "a constant force acts on the object from t = " + math::number_text(rows.t[touch.from], 3) +
           " to " + math::number_text(rows.t[touch.to - 1], 3) + " s, as of something that it touches";
  if (gain(forces_with(places, places.p)) > options.likelihood_margin)
    return "a force that goes with the sensor's place acts on the object, as of a hose, a cable or a spring";
  if (gain(forces_with(places, places.v)) > options.likelihood_margin)
    return "a force that goes with the velocity acts on the object, as of a fluid";
  return std::nullopt;
}

std::optional<std::string> hidden_spring(const model::WrenchLog& log, std::span<const Sample> samples,
                                         const SlowNoise& noise, double mass, double deviations) {
  const NoisyRows rows = noisy_rows(samples, math::Vector6d::Zero(), WrenchKind::force);
  const Places places = places_of(log, rows.t);
  const Eigen::MatrixXd along = forces_with(places, places.p);
  // Equally stiff in all directions: one unknown, which errors of the motion resemble less than nine.
  const Eigen::MatrixXd column = along.col(0) + along.col(4) + along.col(8);
  const SlowNoise with = fit_slow_noise(rows, column);
  if (!(noise.cost - with.cost > deviations * deviations)) return std::nullopt;
  const Eigen::MatrixXd white = whitened(rows, with, column);
  const Eigen::MatrixXd normal = white.transpose() * white;
  const Eigen::Index p = normal.cols() - 1;
  // The sensor holds against the pull, so that its force goes with the place, not against it.
  const double stiffness =
      ScaledSymmetric(normal.topLeftCorner(p, p)).solve(normal.col(p).head(p), 1e-12)(p - 1);
  if (!(stiffness * kStretched > kCarried * mass * kGravity)) return std::nullopt;
  return "a force that goes with the sensor's place acts on the object, as of a hose, a cable or a spring "
         "of " +
         math::number_text(stiffness, 2) + " N/m: it may carry more of the weight than it shows";
}

}  // namespace prehend::inertia
