#include <algorithm>
#include <cmath>
#include <vector>

#include <prehend/inertia/diagnosis/lasting_cause.h>
#include <prehend/inertia/log_diagnosis.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

constexpr int kMoments = 20;  // at which something may begin or end to act

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
      columns.block<3, 3>(static_cast<Eigen::Index>(3 * k), 3 * j) = (x[k] - mean)(j) * places.R_SW[k];
  return columns;
}

// A constant force in the world from row `from` to row `to`.
Eigen::MatrixXd force_between(const Places& places, std::size_t from, std::size_t to) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(3 * places.p.size()), 3);
  for (std::size_t k = from; k < to; ++k)
    columns.middleRows<3>(static_cast<Eigen::Index>(3 * k)) = places.R_SW[k];
  return columns;
}

struct Span {
  std::size_t from{0}, to{0};
};

// In which a constant force explains most, by least squares of rows made white.
Span best_span(const NoisyRows& rows, const Places& places, const SlowNoise& noise) {
  const std::size_t n = rows.t.size();
  const auto moment = [&](int i) { return n * static_cast<std::size_t>(i) / kMoments; };
  Eigen::MatrixXd pieces(rows.A.rows(), 3 * kMoments);
  for (int i = 0; i < kMoments; ++i)
    pieces.middleCols<3>(3 * i) = force_between(places, moment(i), moment(i + 1));
  const Eigen::MatrixXd white = whitened(rows, noise, pieces);
  const Eigen::MatrixXd normal = white.transpose() * white;
  const Eigen::Index p = rows.A.cols(), y = white.cols() - 1;
  double most = 0.0;
  Span best;
  for (int first = 0; first < kMoments; ++first) {
    // Sums of pieces from `first` on: [A force y].
    Eigen::MatrixXd take = Eigen::MatrixXd::Zero(white.cols(), p + 4);
    take.topLeftCorner(p, p).setIdentity();
    take(y, p + 3) = 1.0;
    for (int last = first; last < kMoments; ++last) {
      take.block<3, 3>(p + 3 * last, p).setIdentity();
      if (first == 0 && last + 1 == kMoments) continue;  // always: a weight
      const Eigen::MatrixXd sums = take.transpose() * normal * take;
      const ScaledSymmetric solver(sums.topLeftCorner(p + 3, p + 3));
      const Eigen::VectorXd right = sums.col(p + 3).head(p + 3);
      const double explained = right.dot(solver.solve(right, 1e-12));
      if (explained <= most) continue;
      most = explained;
      best = {moment(first), moment(last + 1)};
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
  if (gain(forces_with(places, places.p)) > options.likelihood_margin)
    return "a force that goes with the sensor's place acts on the object, as of a hose, a cable or a spring";
  if (gain(forces_with(places, places.v)) > options.likelihood_margin)
    return "a force that goes with the velocity acts on the object, as of a fluid";
  const Span touch = best_span(rows, places, noise);
  if (touch.to > touch.from &&
      gain(force_between(places, touch.from, touch.to)) > options.likelihood_margin + options.change_margin)
    return "a constant force acts on the object from t = " + math::number_text(rows.t[touch.from], 3) +
           " to " + math::number_text(rows.t[touch.to - 1], 3) + " s, as of something that it touches";
  return std::nullopt;
}

}  // namespace prehend::inertia
