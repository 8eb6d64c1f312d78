#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <prehend/articulation/fit/likelihood.h>
#include <prehend/articulation/fit/short_motion.h>
#include <prehend/articulation/fit/state_spread.h>
#include <prehend/math/angles.h>
#include <prehend/math/house/compiled_solves.h>

namespace prehend::articulation {
namespace {

// n/2 log(1/(1 - phi^2)): gain of an autoregressive model over an independent one, by residuals e of expected squared norm
// n in all.
double autoregressive_gain(std::span<const FrameTerms> terms, const std::vector<int>& used, int first) {
  double squared = 0, lagged = 0;
  for (std::size_t k = 0; k < used.size(); ++k) {
    const Eigen::Vector3d e = terms[used[k]].residual.segment<3>(first);
    squared += e.squaredNorm();
    if (k > 0) lagged += e.dot(terms[used[k - 1]].residual.segment<3>(first));
  }
  if (!(squared > 1e-6)) return 0.0;
  const double phi = std::clamp(lagged / squared, 0.0, 0.999);
  return -0.5 * squared * std::log(1 - phi * phi);
}

// [rad^2] The variance of a Gaussian of the same entropy as an angle that is uniform over a turn.
constexpr double kWholeTurn = 2 * math::kPi / std::numbers::e;

// Spread of states over their noise beyond which a place of rest can show.
constexpr double kWide = 5.0;
// Largest squared deviation of states over the mean one: 2 of a swing to and fro, 3 of a steady motion, 20 and more of a stroke in a tenth of the frames.
constexpr double kShort = 8.0;

// The state of one freedom, which most joints have: its size is known to the compiler, and loops over frames work on numbers.
using OneState = Eigen::Matrix<double, 1, 1>;

// Of the frames: what passes by a place on its way does not rest there, and less is worth no more than hundredths of a nat per frame.
constexpr double kPassesBy = 0.02;
constexpr int kRestRounds =
    8;  // of expectation and maximisation; the two parts are far from each other where it matters
constexpr double kRestSettled = 1e-4;  // [nats per frame]
constexpr double kRestFar = 35.0;      // [nats] beyond, the other part is nothing to a double

// Frames by their distance to a place of rest, in noise: sums of those so far that only a motion can have them there, and the others one by one.
struct RestDistances {
  std::vector<double> near;
  double count{0}, first{0}, second{0};  // of the others, and their first and second moments
  double below{-std::numeric_limits<double>::infinity()},
      above{-below};  // the nearest of them on either side

  RestDistances(std::span<const double> z, double from, double within) {
    near.reserve(z.size());
    for (const double at : z) {
      const double x = at - from;
      if (std::abs(x) < within) {
        near.push_back(x);
        continue;
      }
      count += 1, first += x, second += x * x;
      if (x < 0)
        below = std::max(below, x);
      else
        above = std::min(above, x);
    }
  }
};

// As information_resting_at() below, of one state: moments instead of matrices, one loop a round, one logarithm for many frames.
double scalar_information_resting_at(double rest, std::span<const double> z) {
  // [noise] Half the square of this is twice kRestFar: beyond, frames hardly ever need a look.
  constexpr double kWithin = 12.0;
  const double n = static_cast<double>(z.size()), from = rest;
  RestDistances frames(z, from, kWithin);
  // Of frames that move: their number, first and second moments about `from`; first moment of all.
  double weight = 1e-9 + frames.count, first = frames.first, second = frames.second, all = frames.first;
  for (const double x : frames.near) {
    all += x;
    if (x * x > 9.0) weight += 1, first += x, second += x * x;
  }
  double information = std::numeric_limits<double>::infinity();
  if (n - weight < kPassesBy * n) return information;
  for (int round = 0; round < kRestRounds; ++round) {
    const double mean = first / weight;
    if (weight < n - 1) rest = from + (all - first) / (n - weight);
    const double share = std::clamp(weight / n, 0.5 / n, 1 - 0.5 / n);
    const double T = 1 + std::max(0.0, second / weight - mean * mean), one_T = 1 / T, offset = rest - from;
    const double log_resting = std::log(1 - share), log_moving = std::log(share) - 0.5 * std::log(T);
    const auto at_rest = [&](double x) { return log_resting - 0.5 * (x - offset) * (x - offset); };
    const auto away = [&](double x) { return log_moving - 0.5 * (x - mean) * (x - mean) * one_T; };
    // away - at_rest is a parabola that opens upwards: where it is large on both sides of its least value, it is beyond as well.
    const double least = (offset - mean * one_T) / (1 - one_T);
    const auto moves = [&](double x) { return std::isinf(x) || away(x) - at_rest(x) > kRestFar; };
    if (frames.count > 0 &&
        !(frames.below < least && least < frames.above && moves(frames.below) && moves(frames.above)))
      frames = RestDistances(z, from, std::numeric_limits<double>::infinity());
    double sum = frames.count * log_moving -
                 0.5 * one_T * (frames.second - 2 * mean * frames.first + mean * mean * frames.count);
    double product = 1;
    weight = 1e-9 + frames.count, first = frames.first, second = frames.second;
    for (const double x : frames.near) {
      const double here = at_rest(x), moving = away(x), gap = moving - here;
      sum += std::max(here, moving);
      double moved = gap > 0 ? 1.0 : 0.0;
      if (std::abs(gap) <= kRestFar) {
        const double odds = std::exp(-std::abs(gap));
        moved = (gap > 0 ? 1.0 : odds) / (1.0 + odds);
        product *= 1.0 + odds;
        if (product > 1e200) sum += std::log(product), product = 1;
      }
      weight += moved, first += moved * x, second += moved * x * x;
    }
    const double before = information;
    information = (-2 * (sum + std::log(product)) + 2 * std::log(n)) / n - 1;
    if (std::abs(before - information) < kRestSettled) break;
  }
  return information;
}

// Mean over frames of log |T| - log |C|, in place of one Gaussian: a share of the frames at one state, known up to the noise, and a
// Gaussian for the others; its further parameters' BIC penalty included. States `z`, of type State or OneState, are whitened by C.
template <class Z>
double information_resting_at(Z rest, const std::vector<Z>& z) {
  constexpr int kSize = Z::RowsAtCompileTime, kMostSize = Z::MaxRowsAtCompileTime;
  using Matrix = Eigen::Matrix<double, kSize, kSize, Eigen::ColMajor, kMostSize, kMostSize>;
  if constexpr (kSize == 1) return scalar_information_resting_at(rest[0], {z.front().data(), z.size()});
  const Eigen::Index d = z.front().size();
  const double n = static_cast<double>(z.size());
  std::vector<double> moved(z.size());  // odds that a frame is not at rest
  double near = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    moved[i] = (z[i] - rest).squaredNorm() > 9.0 * static_cast<double>(d) ? 1.0 : 0.0;
    near += 1.0 - moved[i];
  }
  double information = std::numeric_limits<double>::infinity();
  if (near < kPassesBy * n) return information;
  for (int round = 0; round < kRestRounds; ++round) {
    double weight = 1e-9;
    Z mean = Z::Zero(d), resting = mean;
    for (std::size_t i = 0; i < z.size(); ++i)
      weight += moved[i], mean += moved[i] * z[i], resting += (1 - moved[i]) * z[i];
    mean /= weight;
    if (weight < n - 1) rest = resting / (n - weight);
    const double share = std::clamp(weight / n, 0.5 / n, 1 - 0.5 / n);
    Matrix T = Matrix::Identity(d, d);
    for (std::size_t i = 0; i < z.size(); ++i)
      T += moved[i] / weight * (z[i] - mean) * (z[i] - mean).transpose();
    const Eigen::LLT<Matrix> llt(T);
    const double log_T = 2 * llt.matrixLLT().diagonal().array().log().sum();
    const double log_resting = std::log(1 - share), log_moving = std::log(share) - 0.5 * log_T;
    const auto distance2 = [&](const Z& at) { return llt.matrixL().solve(Z(at - mean)).squaredNorm(); };
    double sum = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double at_rest = log_resting - 0.5 * (z[i] - rest).squaredNorm();
      const double away = log_moving - 0.5 * distance2(z[i]);
      if (std::abs(at_rest - away) > kRestFar) {
        moved[i] = away > at_rest ? 1.0 : 0.0;
        sum += std::max(at_rest, away);
        continue;
      }
      const double odds = std::exp(-std::abs(at_rest - away));
      moved[i] = (away > at_rest ? 1.0 : odds) / (1.0 + odds);
      sum += std::max(at_rest, away) + std::log1p(odds);
    }
    const double before = information;
    information = (-2 * sum + static_cast<double>(d + 1) * std::log(n)) / n - static_cast<double>(d);
    if (std::abs(before - information) < kRestSettled) break;
  }
  return information;
}

constexpr std::size_t kBusyFrames = 100;  // enough to find a place where a tenth of all rests
constexpr double kNearBusy = 4.0;         // squared, in noise
// Of the frames; of a steady motion over a hundred times the noise 4 % are near to any.
constexpr double kBusyShare = 0.05;

// The state that most of the others are near to, where a part rests longest, wherever the median lies on its way; none where it rests nowhere. Of up to
// three freedoms.
template <class Z>
const Z* busiest_state(const std::vector<Z>& z) {
  const std::size_t stride = z.size() / kBusyFrames + 1, count = (z.size() + stride - 1) / stride;
  std::vector<Eigen::Vector3d> few(count, Eigen::Vector3d::Zero());
  for (std::size_t i = 0; i < count; ++i) few[i].head(z[i * stride].size()) = z[i * stride];
  std::vector<int> near(count, 1);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if ((few[i] - few[j]).squaredNorm() < kNearBusy) ++near[i], ++near[j];
  const auto most = std::ranges::max_element(near);
  if (*most < kBusyShare * static_cast<double>(count)) return nullptr;
  return &z[static_cast<std::size_t>(most - near.begin()) * stride];
}

// The same of one freedom: neighbours within reach stand next to each other once they are sorted.
template <>
const OneState* busiest_state(const std::vector<OneState>& z) {
  const std::size_t stride = z.size() / kBusyFrames + 1, count = (z.size() + stride - 1) / stride;
  std::vector<std::pair<double, std::size_t>> few;  // and their numbers
  few.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(z[i * stride][0])) return nullptr;
    few.emplace_back(z[i * stride][0], i);
  }
  std::ranges::sort(few);
  std::size_t most = 0, busiest = 0, first = 0, end = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto is_near = [&](std::size_t k) { return std::pow(few[k].first - few[i].first, 2) < kNearBusy; };
    while (first < i && !is_near(first)) ++first;
    while (end < count && (end <= i || is_near(end))) ++end;
    const std::size_t near = end - first;
    if (near > most || (near == most && few[i].second < few[busiest].second)) most = near, busiest = i;
  }
  if (static_cast<double>(most) < kBusyShare * static_cast<double>(count)) return nullptr;
  return &z[few[busiest].second * stride];
}

// At the median or, unless `at_median_alone`, the busiest state, whichever is more likely; infinite where there are few frames.
template <class Z>
double resting_information(const std::vector<Z>& z, bool at_median_alone) {
  constexpr std::size_t kLeastFrames = 10;  // for a share, a mean and a covariance of up to three states
  const Eigen::Index d = z.front().size();
  if (z.size() < kLeastFrames || d > 3) return std::numeric_limits<double>::infinity();
  Z median = Z::Zero(d);
  std::vector<double> entry(z.size());
  for (Eigen::Index k = 0; k < d; ++k) {
    std::ranges::transform(z, entry.begin(), [&](const Z& one) { return one[k]; });
    std::ranges::nth_element(entry, entry.begin() + static_cast<std::ptrdiff_t>(entry.size() / 2));
    median[k] = entry[entry.size() / 2];
  }
  const double at_median = information_resting_at(median, z);
  if (at_median_alone) return at_median;
  const Z* busiest = busiest_state(z);
  constexpr double kElsewhere = 4.0;  // squared, in noise
  if (!busiest || (*busiest - median).squaredNorm() < kElsewhere) return at_median;
  return std::min(at_median, information_resting_at(*busiest, z));
}

// [rad^2] Variance of angles about their mean direction, each within half a turn of it.
double wrapped_variance(std::span<const State> states, const std::vector<int>& used) {
  double c = 0, s = 0, sum = 0;
  for (const int i : used) c += std::cos(states[i][0]), s += std::sin(states[i][0]);
  const double mean = std::atan2(s, c);
  for (const int i : used) sum += std::pow(std::remainder(states[i][0] - mean, 2 * math::kPi), 2);
  return sum / static_cast<double>(used.size());
}

// The same of one freedom, which most joints have: numbers instead of matrices.
LogLikelihood scalar_information(std::span<const FrameTerms> terms, std::span<const State> states,
                                 const std::vector<int>& used, const SeenMotion& motion, double& gain) {
  const double n = static_cast<double>(used.size());
  double mean = 0, C = 0, product = 1, log_C = 0;
  for (const int i : used) {
    mean += states[i][0];
    const double c = terms[i].state_covariance(0, 0);
    C += c;
    product *= c;  // one logarithm for many factors
    if (!(product > 1e-200 && product < 1e200)) {
      log_C += std::log(product);
      product = 1;
    }
  }
  log_C = (log_C + std::log(product)) / n;
  mean /= n;
  C /= n;
  if (!(C > 0)) return {};
  double squared = 0, lagged = 0, last = 0, farthest = 0;
  for (const int i : used) {
    const double z = states[i][0] - mean;
    squared += z * z;
    farthest = std::max(farthest, z * z);
    lagged += z * last;
    last = z;
  }
  const double first = states[used.front()][0] - mean;
  const double phi = squared > 0 ? std::clamp(lagged / squared, 0.0, 0.9999) : 0.0;
  // Sum of (z_k - phi z_k-1)^2, and (1 - phi^2) z_0^2 for the first.
  const double innovations =
      squared * (1 + phi * phi) - 2 * phi * lagged - phi * phi * (last * last + first * first);
  double most =
      !angle_entries(motion.type).empty() ? std::max(kWholeTurn, C) : std::numeric_limits<double>::infinity();
  // A wheel that is turned to and fro is at some angles more often than at others.
  if (squared / n > most) most = std::clamp(wrapped_variance(states, used), C, most);
  const auto log_ratio = [&](double sum) { return std::log(std::clamp(sum / n, C, most)) - log_C; };
  LogLikelihood result{log_ratio(std::max(innovations, 0.0)), log_ratio(squared)};
  const double gaussian = std::log(std::max(squared / n, C)) - log_C;
  // Worth a look only where states are far wider than the noise, or a few of them are; tracks of positions rest as well, but their deviations are slow.
  const bool are_wide = squared > kWide * kWide * n * C;
  if (motion.dimension == 6 &&
      (are_wide || (farthest > kWide * kWide * C && n * farthest > kShort * squared))) {
    std::vector<OneState> z;
    z.reserve(used.size());
    for (const int i : used) z.push_back(OneState::Constant((states[i][0] - mean) / std::sqrt(C)));
    if (are_wide || moves_for_a_while({z.front().data(), z.size()}))
      result.independent =
          std::min(result.independent, resting_information(z, motion.rests_at_median) + std::log(C) - log_C);
  }
  gain = gaussian - result.independent;
  return result;
}

// Of a covariance of states; sizes that the compiler knows need no memory.
using StateCovariance = decltype(FrameTerms::state_covariance);
double log_determinant(const StateCovariance& C) {
  if (C.rows() == 2) return std::log(C(0, 0) * C(1, 1) - C(0, 1) * C(1, 0));
  if (C.rows() == 3) return std::log(C.topLeftCorner<3, 3>().determinant());
  return std::log(C.determinant());
}

// Mean over frames of log |T| - log |C|. `gain`: by how much less that is than of one Gaussian.
LogLikelihood state_information(std::span<const FrameTerms> terms, std::span<const State> states,
                                const std::vector<int>& used, const SeenMotion& motion, double& gain) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  const Eigen::Index d = states[used.front()].size();
  if (d == 1) return scalar_information(terms, states, used, motion, gain);
  const double n = static_cast<double>(used.size());
  State mean = State::Zero(d);
  Matrix C = Matrix::Zero(d, d);
  for (const int i : used) {
    mean += states[i] / n;
    C += terms[i].state_covariance / n;
  }
  const Eigen::LLT<Matrix> llt(C);
  if (llt.info() != Eigen::Success) return {};
  // Whitened by the mean measurement covariance.
  std::vector<State> z;
  z.reserve(used.size());
  double squared = 0, lagged = 0, log_C = 0;
  for (const int i : used) {
    z.push_back(llt.matrixL().solve(State(states[i] - mean)));
    squared += z.back().squaredNorm();
    if (z.size() > 1) lagged += z.back().dot(z[z.size() - 2]);
    log_C += log_determinant(terms[i].state_covariance) / n;
  }
  const double phi = squared > 0 ? std::clamp(lagged / squared, 0.0, 0.9999) : 0.0;
  const double log_mean_C = 2 * Matrix(llt.matrixL()).diagonal().array().log().sum();
  const auto log_ratio = [&](double coefficient) {
    Matrix T = z.front() * z.front().transpose() * (1 - coefficient * coefficient);
    for (std::size_t k = 1; k < z.size(); ++k) {
      const State e = z[k] - coefficient * z[k - 1];
      T += e * e.transpose();
    }
    T /= n;
    const math::Spectrum eigen = math::spectrum(T);
    double log_T = log_mean_C;
    for (Eigen::Index k = 0; k < d; ++k) log_T += std::log(std::max(eigen.values[k], 1.0));
    // What the other states do not tell of an angle is at most a turn.
    const Matrix precision =
        eigen.vectors * eigen.values.cwiseMax(1.0).cwiseInverse().asDiagonal() * eigen.vectors.transpose();
    const Matrix half = llt.matrixU().solve(precision);
    const Matrix in_states = llt.matrixU().solve(Matrix(half.transpose()));
    // An angle that is not even measured to a turn, where two axes run together, is worth nothing.
    const Matrix measured = llt.solve(Matrix::Identity(d, d));
    gain = 0;
    for (const int k : angle_entries(motion.type))
      gain += std::max(0.0, -std::log(in_states(k, k) * std::max(kWholeTurn, 1 / measured(k, k))));
    return log_T - gain - log_C;
  };
  LogLikelihood result{log_ratio(phi), log_ratio(0.0)};
  if (motion.dimension == 6 && squared > kWide * kWide * n * static_cast<double>(d))
    if (const double resting = resting_information(z, motion.rests_at_median) + log_mean_C - log_C;
        resting < result.independent) {
      gain += result.independent - resting;
      result.independent = resting;
    }
  return result;
}

// Whether states are known so differently from frame to frame that one covariance cannot stand for all: mean variances well above the
// geometric mean.
bool varies(std::span<const FrameTerms> terms, const std::vector<int>& used) {
  constexpr double kAlike = 0.2;  // [nats per frame] what one covariance for all may cost
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const int i : used) {
    const double c = terms[i].state_covariance(0, 0);
    least = std::min(least, c);
    most = std::max(most, c);
  }
  if (!(least > 0) || most < 2 * least) return false;
  const double n = static_cast<double>(used.size());
  double mean = 0, log_mean = 0;
  for (const int i : used) {
    const double c = terms[i].state_covariance(0, 0);
    mean += c / n;
    log_mean += std::log(c) / n;
  }
  return std::log(mean) - log_mean > kAlike;
}

// Mean over frames of log |T| - log |C| and by how much that is less than of one Gaussian, however well each state is known.
struct StateInformation {
  LogLikelihood all;
  double gain{0};
};
StateInformation information_of(std::span<const FrameTerms> terms, std::span<const State> states,
                                const std::vector<int>& used, const SeenMotion& motion) {
  StateInformation result;
  result.all = state_information(terms, states, used, motion, result.gain);
  if (!varies(terms, used)) return result;
  const double d = static_cast<double>(states[used.front()].size());
  const double independent = varied_state_information(terms, states, used) - d - result.gain;
  result.all = {result.all.smooth + independent - result.all.independent, independent};
  return result;
}

// States and their covariances as shifts of the point of M that moves least in the plane instead of M's origin: p + R(theta) m, by linear least
// squares. False where nothing turns and any point moves alike.
bool move_to_quietest_point(std::vector<FrameTerms>& terms, std::vector<State>& states,
                            const std::vector<int>& used) {
  constexpr double kTurns = 1e-4;  // 1 - |mean of R|^2: angles of a hundredth of a radian
  const double n = static_cast<double>(used.size());
  Eigen::Vector2d mean = Eigen::Vector2d::Zero(), turned_back = mean;
  Eigen::Matrix2d mean_R = Eigen::Matrix2d::Zero();
  for (const int i : used) {
    const Eigen::Matrix2d R = Eigen::Rotation2Dd(states[i][2]).toRotationMatrix();
    mean += states[i].head<2>() / n;
    turned_back += R.transpose() * states[i].head<2>() / n;
    mean_R += R / n;
  }
  const double turning = 1 - mean_R.col(0).squaredNorm();
  if (turning < kTurns) return false;
  const Eigen::Vector2d m = (mean_R.transpose() * mean - turned_back) / turning;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Eigen::Vector2d shift = Eigen::Rotation2Dd(states[i][2]) * m;
    states[i].head<2>() += shift;
    Eigen::Matrix3d J = Eigen::Matrix3d::Identity();
    J.block<2, 1>(0, 2) << -shift.y(), shift.x();
    terms[i].state_covariance = J * terms[i].state_covariance * J.transpose();
  }
  return true;
}

}  // namespace

std::vector<State> continuous_states(model::JointType type, const LikelihoodResult& result) {
  std::vector<State> states;
  states.reserve(result.terms.size());
  const std::vector<int> angles = angle_entries(type);
  const State* last = nullptr;
  for (std::size_t i = 0; i < result.terms.size(); ++i) {
    states.push_back(result.terms[i].q);
    if (last)
      for (const int k : angles)
        if (const double gap = (*last)[k] - states.back()[k]; std::abs(gap) > math::kPi)
          states.back()[k] += 2 * math::kPi * std::round(gap / (2 * math::kPi));
    if (result.weights[i] >= 0.5) last = &states.back();  // reserved: the address stays
  }
  return states;
}

std::vector<int> angle_entries(model::JointType type) {
  switch (type) {
    case model::JointType::revolute:
    case model::JointType::cylindrical:
      return {0};
    case model::JointType::universal:
      return {0, 1};
    case model::JointType::planar:
      return {2};
    default:
      return {};
  }
}

int nuisance_parameters(int freedoms, int dimension) {
  return freedoms * (freedoms + 1) / 2 + (dimension == 6 ? 2 : 1);
}

LogLikelihood log_likelihood(std::span<const FrameTerms> terms, std::span<const State> states,
                             std::span<const double> weights, const SeenMotion& motion) {
  const int dimension = motion.dimension;
  std::vector<int> used;
  used.reserve(terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (weights[i] >= 0.5) used.push_back(static_cast<int>(i));
  const double ball = std::log(4.0 / 3.0 * math::kPi) + 3 * std::log(motion.length);
  const double anywhere = -ball - (dimension == 6 ? std::log(8 * math::kPi * math::kPi) : 0.0);
  double result = static_cast<double>(terms.size() - used.size()) * (std::log(kOutlierShare) + anywhere);
  if (used.empty()) return {result, result};
  const double n = static_cast<double>(used.size());
  result += n * std::log(1 - kOutlierShare);
  for (const int i : used)
    result -= 0.5 * (dimension * std::log(2 * math::kPi) + terms[i].log_determinant + terms[i].squared);
  LogLikelihood total{result + autoregressive_gain(terms, used, 3), result};
  if (dimension == 6) total.smooth += autoregressive_gain(terms, used, 0);
  const Eigen::Index d = states[used.front()].size();
  if (d > 0) {
    LogLikelihood information = information_of(terms, states, used, motion).all;
    if (motion.type == model::JointType::planar && dimension == 6) {
      std::vector<FrameTerms> about(terms.begin(), terms.end());
      std::vector<State> shifts(states.begin(), states.end());
      const double two_parameters = 2 * std::log(n) / n;  // of BIC
      if (move_to_quietest_point(about, shifts, used))
        if (const LogLikelihood least = information_of(about, shifts, used, motion).all;
            least.independent + two_parameters < information.independent)
          information = {least.smooth + two_parameters, least.independent + two_parameters};
    }
    total.smooth -= 0.5 * n * (information.smooth + static_cast<double>(d));
    total.independent -= 0.5 * n * (information.independent + static_cast<double>(d));
  }
  return total;
}

}  // namespace prehend::articulation
