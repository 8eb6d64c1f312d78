#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <prehend/inertia/motion/motion_noise.h>

namespace prehend::inertia {
namespace {

// Logarithm of jerk noise of one step over position noise, above which positions are interpolated.
constexpr double kInterpolating = -1.0;

using Parameters = std::vector<double>;  // logarithms

struct Minimum {
  Parameters at;
  double value{0.0};
};

// Nelder and Mead's simplex; enough for three smooth unknowns wanted to a few percent.
Minimum nelder_mead(const std::function<double(const Parameters&)>& f, const Parameters& start, double size,
                    double tolerance, int most) {
  const std::size_t n = start.size();
  std::vector<Minimum> simplex(n + 1, {start, 0.0});
  for (std::size_t i = 0; i < n; ++i) simplex[i + 1].at[i] += size;
  for (Minimum& vertex : simplex) vertex.value = f(vertex.at);
  const auto better = [](const Minimum& a, const Minimum& b) { return a.value < b.value; };
  for (int evaluations = 0; evaluations < most;) {
    std::sort(simplex.begin(), simplex.end(), better);
    double spread = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      for (const Minimum& vertex : simplex)
        spread = std::max(spread, std::abs(vertex.at[i] - simplex[0].at[i]));
    if (spread < tolerance) break;
    Parameters centre(n, 0.0);
    for (std::size_t v = 0; v < n; ++v)
      for (std::size_t i = 0; i < n; ++i) centre[i] += simplex[v].at[i] / static_cast<double>(n);
    const auto along = [&](double factor) {
      Minimum vertex{centre, 0.0};
      for (std::size_t i = 0; i < n; ++i) vertex.at[i] += factor * (simplex[n].at[i] - centre[i]);
      vertex.value = f(vertex.at);
      ++evaluations;
      return vertex;
    };
    const Minimum reflected = along(-1.0);
    if (reflected.value < simplex[0].value) {
      const Minimum expanded = along(-2.0);
      simplex[n] = expanded.value < reflected.value ? expanded : reflected;
    } else if (n > 0 && reflected.value < simplex[n - 1].value) {
      simplex[n] = reflected;
    } else {
      const Minimum contracted = along(reflected.value < simplex[n].value ? -0.5 : 0.5);
      if (contracted.value < std::min(reflected.value, simplex[n].value)) {
        simplex[n] = contracted;
      } else {
        for (std::size_t v = 1; v <= n; ++v) {
          for (std::size_t i = 0; i < n; ++i) simplex[v].at[i] = 0.5 * (simplex[v].at[i] + simplex[0].at[i]);
          simplex[v].value = f(simplex[v].at);
          ++evaluations;
        }
      }
    }
  }
  return *std::min_element(simplex.begin(), simplex.end(), better);
}

// Minimum of a smooth function of one unknown near `at`, by parabolas through three points that close in.
double line_minimum(const std::function<double(double)>& f, double at, double width, int rounds) {
  double centre = f(at);
  for (int round = 0; round < rounds; ++round) {
    const double left = f(at - width), right = f(at + width);
    const double curvature = left - 2.0 * centre + right;
    double next = curvature > 0.0 ? at + std::clamp(0.5 * width * (left - right) / curvature, -width, width)
                                  : (left < right ? at - width : at + width);
    const double value = f(next);
    if (value < centre) {
      centre = value;
      at = next;
    }
    if (left < centre || right < centre) {
      at += left < right ? -width : width;
      centre = std::min(left, right);
      continue;  // the valley lies beyond: same width again
    }
    width *= 0.4;
  }
  return at;
}

// What the digits of a column can hold: ten of its range, and double rounding of its size.
double resolution(const std::vector<Eigen::Vector3d>& column) {
  if (column.empty()) return 0.0;
  Eigen::Vector3d low = column.front(), high = column.front();
  for (const Eigen::Vector3d& value : column) {
    low = low.cwiseMin(value);
    high = high.cwiseMax(value);
  }
  const double range = (high - low).maxCoeff(),
               size = std::max(low.cwiseAbs().maxCoeff(), high.cwiseAbs().maxCoeff());
  return 1e-10 * range + 1e-15 * size;
}

double root_mean_square(const std::vector<Eigen::Vector3d>& column, const ChainStates& states, int row) {
  double sum = 0.0;
  for (std::size_t k = 0; k < column.size(); ++k)
    sum += (column[k] - states.state[k].row(row).transpose()).squaredNorm();
  return std::sqrt(sum / (3.0 * static_cast<double>(column.size())));
}

// Sliding density of jerk: factors on noise.jerk, by fixed-point steps of the restricted likelihood.
void localise(const ChainData& data, ChainNoise& noise, double unit, double window, bool rescale_x) {
  const std::size_t steps = data.t.size() - 1;
  noise.factor.assign(steps, 1.0);
  const auto half = static_cast<std::ptrdiff_t>(std::lround(window));
  // A window that saw nothing keeps a hundredth of the density of the whole recording, with the weight of one step.
  constexpr double kPriorCount = 9.0;
  for (int iteration = 0; iteration < 8; ++iteration) {
    const ChainStates states = smooth_chain(data, noise, unit);
    const std::vector<StepResidual> residual = step_residuals(data, noise, unit, states);
    std::vector<double> squares(steps + 1, 0.0), count(steps + 1, 0.0);
    for (std::size_t k = 0; k < steps; ++k) {
      const double q = noise.factor[k] * noise.factor[k];
      squares[k + 1] = squares[k] + residual[k].squares * q;
      count[k + 1] = count[k] + (9.0 - residual[k].fitted);
    }
    const double total = squares[steps] / std::max(count[steps], 1.0);
    for (std::size_t k = 0; k < steps; ++k) {
      const auto at = static_cast<std::ptrdiff_t>(k);
      const auto first = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at - half));
      const auto last = static_cast<std::size_t>(
          std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(steps), at + half + 1));
      const double density = (squares[last] - squares[first] + kPriorCount * 0.01 * total) /
                             (count[last] - count[first] + kPriorCount);
      noise.factor[k] = std::max(std::sqrt(density), 1e-4);
    }
    if (rescale_x) {
      double sum = 0.0, freedom = 0.0;
      for (std::size_t k = 0; k < data.x.size(); ++k) {
        sum += (data.x[k] - states.state[k].row(0).transpose()).squaredNorm();
        freedom += 3.0 * (1.0 - std::min(1.0, states.covariance[k](0, 0) / (noise.x * noise.x)));
      }
      if (freedom > 10.0) noise.x = std::clamp(std::sqrt(sum / freedom), 0.5 * noise.x, 2.0 * noise.x);
    }
  }
}

// Restricted maximum likelihood over logarithms of x, v, a and jerk, in units of steps.
class ChainNoiseSearch {
 public:
  ChainNoiseSearch(const ChainData& data, const StatedNoise& stated, double unit)
      : data_(data),
        stated_(stated),
        unit_(unit),
        units_{1.0, unit, unit * unit},
        root_unit_(std::pow(unit, 2.5)),
        positions_{data.t, data.x, {}, {}} {
    // A picometre (or as many radians) where nothing moves at all.
    const double floor_x = std::max(resolution(data.x), 1e-12);
    floors_ = {floor_x, std::max(resolution(data.v), 1e-3 * floor_x / unit),
               std::max(resolution(data.a), 1e-3 * floor_x / units_[2])};
    least_scale_ = floor_x;
    logs_[0] = stated.x ? std::log(*stated.x) : 0.0;
  }

  NoiseSearch run(double window) {
    stated_.jerk ? fit_position_noise() : fit_jerk();
    least_scale_ = 1e-3;
    if (!data_.v.empty() || !data_.a.empty()) fit_columns();
    hold_floors();
    // A motion that stands still to the last digit has no jerk at all: keep it a number.
    if (!stated_.jerk) logs_[3] = std::max(logs_[3], logs_[0] - 20.0);
    search_.noise = noise();
    search_.log_likelihood = -0.5 * cost_and_scale(data_, false).first;
    // Where nothing is smoothed away (jerk within one step outweighs the noise) the spline interpolates, and a density
    // that changes from step to step would only bend it.
    search_.interpolates = logs_[3] - logs_[0] >= kInterpolating;
    if (window > 0.0 && !stated_.jerk && data_.t.size() > 3 && !search_.interpolates)
      localise(data_, search_.noise, unit_, window, !stated_.x && data_.v.empty() && data_.a.empty());
    return search_;
  }

 private:
  ChainNoise noise() const {
    ChainNoise noise;
    noise.x = std::exp(logs_[0]);
    noise.v = std::exp(logs_[1]) / units_[1];
    noise.a = std::exp(logs_[2]) / units_[2];
    noise.jerk = std::exp(logs_[3]) / root_unit_;
    return noise;
  }

  // Minus twice the log likelihood, and the common scale where it is free.
  std::pair<double, double> cost_and_scale(const ChainData& columns, bool is_scale_free) {
    ++search_.evaluations;
    const ChainLikelihood l = chain_likelihood(columns, noise(), unit_);
    if (!is_scale_free) return std::pair(l.log_determinant + l.squares, 1.0);
    const double s2 = std::max(l.squares / l.freedom, least_scale_ * least_scale_);
    return std::pair(l.log_determinant + l.freedom * (std::log(s2) + 1.0), std::sqrt(s2));
  }

  // A penalty that grows outside keeps ratios where numbers are exact: beyond them nothing changes.
  static double outside(double x, double low, double high) {
    const double d = std::max({0.0, low - x, x - high});
    return 1e3 * d * d;
  }

  // 1: positions alone, jerk stated.
  void fit_position_noise() {
    logs_[3] = std::log(*stated_.jerk * root_unit_);
    if (stated_.x) return;
    const auto cost = [&](const Parameters& u) {
      logs_[0] = u[0];
      return cost_and_scale(positions_, false).first + outside(u[0] - logs_[3], -12.0, 20.0);
    };
    logs_[0] = nelder_mead(cost, {logs_[3]}, 3.0, 0.02, 60).at[0];
  }

  // 1: positions alone give the ratio of jerk to position noise.
  void fit_jerk() {
    const bool is_scale_free = !stated_.x;
    double best = std::numeric_limits<double>::infinity(), best_at = 0.0;
    for (double u = -18.0; u <= 10.0; u += 4.0) {
      logs_[3] = logs_[0] + u;
      const double value = cost_and_scale(positions_, is_scale_free).first;
      if (value < best) {
        best = value;
        best_at = u;
      }
    }
    const auto cost = [&](double u) {
      logs_[3] = logs_[0] + u;
      return cost_and_scale(positions_, is_scale_free).first + outside(u, -20.0, 12.0);
    };
    const double ratio = line_minimum(cost, best_at, 3.5, 6);
    logs_[3] = logs_[0] + ratio;
    if (!is_scale_free) return;
    const double shift = std::log(cost_and_scale(positions_, true).second);
    logs_[0] += shift;
    logs_[3] += shift;
  }

  // 2: the other columns, from what positions say of them; then all together.
  void fit_columns() {
    const bool is_scale_free = !stated_.x && !stated_.v && !stated_.a && !stated_.jerk;
    const std::vector<int> unknown = first_guess(is_scale_free);
    if (unknown.empty()) return;
    Parameters start;
    for (int i : unknown) start.push_back(logs_[static_cast<std::size_t>(i)]);
    const auto place = [&](const Parameters& u) {
      for (std::size_t i = 0; i < u.size(); ++i) logs_[static_cast<std::size_t>(unknown[i])] = u[i];
    };
    const auto cost = [&](const Parameters& u) {
      place(u);
      double value = cost_and_scale(data_, is_scale_free).first;
      for (std::size_t i = 1; i < 4; ++i) value += outside(logs_[i] - logs_[0], -25.0, 40.0);
      return value;
    };
    place(nelder_mead(cost, start, 1.0, 0.02, 150).at);
    if (!is_scale_free) return;
    const double shift = std::log(cost_and_scale(data_, true).second);
    for (double& log : logs_) log += shift;
  }

  // Sets v and a by their distance to what positions alone say, and lists what is left to find.
  std::vector<int> first_guess(bool is_scale_free) {
    const ChainStates states = smooth_chain(positions_, noise(), unit_);
    const std::array<const std::vector<Eigen::Vector3d>*, 3> columns = {&data_.x, &data_.v, &data_.a};
    const std::array<std::optional<double>, 3> given = {stated_.x, stated_.v, stated_.a};
    std::vector<int> unknown;
    for (int i = 1; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (columns[at]->empty()) continue;
      const double sigma =
          given[at] ? *given[at] : std::max(root_mean_square(*columns[at], states, i), floors_[at]);
      logs_[at] = std::log(sigma * units_[at]);
      if (!given[at]) unknown.push_back(i);
    }
    if (!is_scale_free && !stated_.x) unknown.push_back(0);
    if (!stated_.jerk) unknown.push_back(3);
    return unknown;
  }

  void hold_floors() {
    for (std::size_t i = 0; i < 3; ++i) {
      const double least = std::log(floors_[i] * units_[i]);
      const bool given = (i == 0 && stated_.x) || (i == 1 && stated_.v) || (i == 2 && stated_.a);
      if (given || logs_[i] > least) continue;
      if (i == 0) search_.at_resolution = true;
      logs_[i] = least;
    }
  }

  const ChainData& data_;
  const StatedNoise& stated_;
  double unit_;
  std::array<double, 3> units_;  // of x, v, a
  double root_unit_;             // of the jerk's density
  ChainData positions_;
  std::array<double, 3> floors_{};
  double least_scale_{0.0};  // numbers equal to the last digit have no scale of their own
  // x, v, a, jerk. Positions carry the common scale while nothing is stated.
  std::array<double, 4> logs_{};
  NoiseSearch search_;
};

}  // namespace

NoiseSearch estimate_chain_noise(const ChainData& data, const StatedNoise& stated, double unit,
                                 double window) {
  return ChainNoiseSearch(data, stated, unit).run(window);
}

HalvingError halving_error(const ChainData& data, const ChainNoise& noise, double unit) {
  ChainData all{data.t, data.x, data.v, {}}, half;
  for (std::size_t k = 0; k < data.t.size(); k += 2) {
    half.t.push_back(data.t[k]);
    half.x.push_back(data.x[k]);
    if (!data.v.empty()) half.v.push_back(data.v[k]);
  }
  HalvingError error;
  if (half.t.size() < 3)
    return {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  const ChainStates fine = smooth_chain(all, noise, unit), coarse = smooth_chain(half, noise, unit);
  for (std::size_t k = 0; k < half.t.size(); ++k) {
    error.v += (coarse.state[k].row(1) - fine.state[2 * k].row(1)).squaredNorm();
    error.a += (coarse.state[k].row(2) - fine.state[2 * k].row(2)).squaredNorm();
  }
  const double count = 3.0 * static_cast<double>(half.t.size());
  error.v = std::sqrt(error.v / count);
  error.a = std::sqrt(error.a / count);
  return error;
}

}  // namespace prehend::inertia
