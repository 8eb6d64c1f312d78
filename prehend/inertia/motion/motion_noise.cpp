#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
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

}  // namespace

NoiseSearch estimate_chain_noise(const ChainData& data, const StatedNoise& stated, double unit,
                                 double window) {
  NoiseSearch search;
  // A picometre (or as many radians) where nothing moves at all.
  const double floor_x = std::max(resolution(data.x), 1e-12);
  const std::array<double, 3> units = {1.0, unit, unit * unit};
  const std::array<double, 3> floors = {floor_x, std::max(resolution(data.v), 1e-3 * floor_x / unit),
                                        std::max(resolution(data.a), 1e-3 * floor_x / units[2])};
  const double root_unit = std::pow(unit, 2.5);
  // Logarithms, in units of steps: x, v, a, jerk. Positions carry the common scale while nothing is stated.
  const bool free_scale = !stated.x && !stated.v && !stated.a && !stated.jerk;
  const auto noise_at = [&](const std::array<double, 4>& logs) {
    ChainNoise noise;
    noise.x = std::exp(logs[0]);
    noise.v = std::exp(logs[1]) / units[1];
    noise.a = std::exp(logs[2]) / units[2];
    noise.jerk = std::exp(logs[3]) / root_unit;
    return noise;
  };
  double least_scale = floor_x;  // numbers equal to the last digit have no scale of their own
  const auto cost_and_scale = [&](const std::array<double, 4>& logs, const ChainData& columns, bool scale) {
    ++search.evaluations;
    const ChainLikelihood l = chain_likelihood(columns, noise_at(logs), unit);
    if (!scale) return std::pair(l.log_determinant + l.squares, 1.0);
    const double s2 = std::max(l.squares / l.freedom, least_scale * least_scale);
    return std::pair(l.log_determinant + l.freedom * (std::log(s2) + 1.0), std::sqrt(s2));
  };
  // A penalty that grows outside keeps ratios where numbers are exact: beyond them nothing changes.
  const auto outside = [](double x, double low, double high) {
    const double d = std::max({0.0, low - x, x - high});
    return 1e3 * d * d;
  };

  // 1: positions alone give the ratio of jerk to position noise.
  ChainData positions{data.t, data.x, {}, {}};
  std::array<double, 4> logs{stated.x ? std::log(*stated.x) : 0.0, 0.0, 0.0, 0.0};
  const bool scale_1 = !stated.x && !stated.jerk;
  if (stated.jerk) {
    logs[3] = std::log(*stated.jerk * root_unit);
    if (!stated.x) {
      const auto cost = [&](const Parameters& u) {
        logs[0] = u[0];
        return cost_and_scale(logs, positions, false).first + outside(u[0] - logs[3], -12.0, 20.0);
      };
      logs[0] = nelder_mead(cost, {logs[3]}, 3.0, 0.02, 60).at[0];
    }
  } else {
    double best = std::numeric_limits<double>::infinity(), best_at = 0.0;
    for (double u = -18.0; u <= 10.0; u += 4.0) {
      logs[3] = logs[0] + u;
      const double value = cost_and_scale(logs, positions, scale_1).first;
      if (value < best) {
        best = value;
        best_at = u;
      }
    }
    const auto cost = [&](const Parameters& u) {
      logs[3] = logs[0] + u[0];
      return cost_and_scale(logs, positions, scale_1).first + outside(u[0], -20.0, 12.0);
    };
    logs[3] = logs[0] + line_minimum([&](double u) { return cost({u}); }, best_at, 3.5, 6);
    if (scale_1) {
      const double shift = std::log(cost_and_scale(logs, positions, true).second);
      logs[0] += shift;
      logs[3] += shift;
    }
  }
  least_scale = 1e-3;

  // 2: the other columns, from what positions say of them; then all together.
  if (!data.v.empty() || !data.a.empty()) {
    const ChainStates states = smooth_chain(positions, noise_at(logs), unit);
    const std::array<const std::vector<Eigen::Vector3d>*, 3> columns = {&data.x, &data.v, &data.a};
    const std::array<std::optional<double>, 4> given = {stated.x, stated.v, stated.a, stated.jerk};
    std::vector<int> unknown;
    for (int i = 1; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (columns[at]->empty()) continue;
      const double sigma =
          given[at] ? *given[at] : std::max(root_mean_square(*columns[at], states, i), floors[at]);
      logs[at] = std::log(sigma * units[at]);
      if (!given[at]) unknown.push_back(i);
    }
    if (!free_scale && !stated.x) unknown.push_back(0);
    if (!stated.jerk) unknown.push_back(3);
    if (!unknown.empty()) {
      Parameters start;
      for (int i : unknown) start.push_back(logs[static_cast<std::size_t>(i)]);
      const auto place = [&](const Parameters& u) {
        for (std::size_t i = 0; i < u.size(); ++i) logs[static_cast<std::size_t>(unknown[i])] = u[i];
      };
      const auto cost = [&](const Parameters& u) {
        place(u);
        double value = cost_and_scale(logs, data, free_scale).first;
        for (std::size_t i = 0; i < 4; ++i)
          if (i != 0) value += outside(logs[i] - logs[0], -25.0, 40.0);
        return value;
      };
      Minimum minimum = nelder_mead(cost, start, 1.0, 0.02, 150);
      place(minimum.at);
      if (free_scale) {
        const double shift = std::log(cost_and_scale(logs, data, true).second);
        for (double& log : logs) log += shift;
      }
    }
  }

  for (std::size_t i = 0; i < 3; ++i) {
    const double least = std::log(floors[i] * units[i]);
    const bool given = (i == 0 && stated.x) || (i == 1 && stated.v) || (i == 2 && stated.a);
    if (given || logs[i] > least) continue;
    if (i == 0) search.at_resolution = true;
    logs[i] = least;
  }
  // A motion that stands still to the last digit has no jerk at all: keep it a number.
  if (!stated.jerk) logs[3] = std::max(logs[3], logs[0] - 20.0);
  search.noise = noise_at(logs);
  search.log_likelihood = -0.5 * cost_and_scale(logs, data, false).first;
  // Where nothing is smoothed away (jerk within one step outweighs the noise) the spline interpolates, and a density
  // that changes from step to step would only bend it.
  search.interpolates = logs[3] - logs[0] >= kInterpolating;
  if (window > 0.0 && !stated.jerk && data.t.size() > 3 && !search.interpolates)
    localise(data, search.noise, unit, window, !stated.x && data.v.empty() && data.a.empty());
  return search;
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
