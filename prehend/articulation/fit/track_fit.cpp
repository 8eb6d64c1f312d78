#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include <prehend/articulation/fit/circle_fit.h>
#include <prehend/articulation/fit/likelihood.h>
#include <prehend/articulation/fit/residual_functions.h>
#include <prehend/articulation/fit/track_fit.h>
#include <prehend/articulation/joints/closed_forms.h>

namespace prehend::articulation {
namespace {

using model::JointType;

struct Scatter {
  Eigen::Vector3d mean{Eigen::Vector3d::Zero()};  // of hold 0
  std::vector<Eigen::Vector3d> offsets;           // [m] of each hold's mean from that
  Eigen::Vector3d values;                         // [m^2] increasing
  Eigen::Matrix3d axes;
  double weight{0};
  double first_weight{0};  // of hold 0

  Eigen::Vector3d from_mean(const Eigen::Vector3d& p, int hold) const { return p - mean - offsets[hold]; }
};

int hold_of(std::span<const int> holds, std::size_t i) { return holds.empty() ? 0 : holds[i]; }

Scatter scatter_of(std::span<const Eigen::Vector3d> p, const std::vector<double>& weights,
                   std::span<const int> holds = {}) {
  Scatter s;
  const std::size_t count = 1 + static_cast<std::size_t>(holds.empty() ? 0 : std::ranges::max(holds));
  s.offsets.assign(count, Eigen::Vector3d::Zero());
  std::vector<double> total(count, 0.0);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double w = std::max(weights[i], 1e-9);  // a hold has a place even where none of it counts
    s.offsets[hold_of(holds, i)] += w * p[i];
    total[hold_of(holds, i)] += w;
    s.weight += weights[i];
  }
  for (std::size_t k = 0; k < count; ++k) {
    s.offsets[k] /= std::max(total[k], 1e-300);
    if (k > 0) s.offsets[k] -= s.offsets[0];
  }
  s.mean = s.offsets[0];
  s.first_weight = total[0];
  s.offsets[0].setZero();
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Eigen::Vector3d e = s.from_mean(p[i], hold_of(holds, i));
    A += weights[i] / s.weight * e * e.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(A);
  s.values = eigen.eigenvalues().cwiseMax(0);
  s.axes = eigen.eigenvectors();
  if (s.axes.determinant() < 0) s.axes.col(0) *= -1;
  return s;
}

// Positions as if hold 0 had lasted, on a line: shifted across it, for along it nothing tells a slip from motion.
std::vector<Eigen::Vector3d> joined_holds(std::span<const Eigen::Vector3d> p, const Scatter& s,
                                          std::span<const int> holds) {
  std::vector<Eigen::Vector3d> joined(p.begin(), p.end());
  for (std::size_t i = 0; i < holds.size(); ++i) {
    const Eigen::Vector3d& offset = s.offsets[holds[i]];
    joined[i] -= offset - s.axes.col(2).dot(offset) * s.axes.col(2);
  }
  return joined;
}

// Fills terms, rms and weights from a joint whose point moves with `d` freedoms.
void fill_terms(std::span<const Eigen::Vector3d> p, double variance, LikelihoodResult& result) {
  const JointType type = result.joint.type;
  const int d = type == JointType::rigid ? 0 : type == JointType::free ? 3 : 1;
  const math::Pose X_JF = result.joint.X_FJ.inverse();
  const double radius = result.joint.X_MJ.p().norm();
  double sum = 0, weight = 1e-300;
  result.terms.resize(p.size());
  result.track_residuals.resize(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Eigen::Vector3d u = X_JF * p[i];
    FrameTerms& term = result.terms[i];
    Eigen::Vector3d e = u;
    term.q = State::Zero(d);
    term.state_covariance.setZero(d, d);
    if (type == JointType::prismatic) {
      term.q[0] = u.z();
      term.state_covariance(0, 0) = variance;
      e.z() = 0;
    } else if (type == JointType::revolute) {
      const double rho = std::max(std::hypot(u.x(), u.y()), 1e-300);
      term.q[0] = std::atan2(u.y(), u.x());
      term.state_covariance(0, 0) = variance / (radius * radius);
      e = Eigen::Vector3d((rho - radius) * u.x() / rho, (rho - radius) * u.y() / rho, u.z());
    } else if (type == JointType::free) {
      term.q = u;
      term.state_covariance = variance * Eigen::Matrix3d::Identity();
      e.setZero();
    }
    result.track_residuals[i] = result.joint.X_FJ.R() * e;
    term.residual.tail<3>() = e / std::sqrt(variance);
    term.squared = e.squaredNorm() / variance;
    term.log_determinant = 3 * std::log(variance);
    sum += result.weights[i] * e.squaredNorm();
    weight += result.weights[i];
  }
  result.rms_position = std::sqrt(sum / (3 * weight));
}

// Stretches of a track from which a fit may start: a hand that lets go, a marker that slips or is lost spoils an end or a piece of it, and
// closed forms with it.
struct Stretch {
  std::size_t first, count;
};
std::vector<Stretch> stretches(std::size_t count) {
  std::vector<Stretch> result;
  for (const auto& [from, to] : {std::pair{0.0, 0.85}, std::pair{0.15, 1.0}, std::pair{0.1, 0.9},
                                 std::pair{0.0, 0.7}, std::pair{0.3, 1.0}, std::pair{0.2, 0.8}}) {
    const auto first = static_cast<std::size_t>(from * static_cast<double>(count));
    result.push_back({first, static_cast<std::size_t>(to * static_cast<double>(count)) - first});
  }
  return result;
}
constexpr std::size_t kLeastToTrack = 20;      // stretches of fewer hold no shape
constexpr double kLargestOutlierShare = 0.25;  // more is no exception

double total(const std::vector<double>& weights) {
  double sum = 0;
  for (const double w : weights) sum += w;
  return sum;
}

// Whether squared distances (of two freedoms) have a long tail, against ln 2 of Gaussian ones.
bool has_tail(const LikelihoodResult& result) {
  std::vector<double> squared;
  double mean = 0;
  for (const FrameTerms& term : result.terms) {
    squared.push_back(term.squared);
    mean += term.squared / static_cast<double>(result.terms.size());
  }
  std::nth_element(squared.begin(), squared.begin() + squared.size() / 2, squared.end());
  return squared[squared.size() / 2] < 0.6 * mean;
}

// Point and line: principal components, repeated with the weights of what lies outside the noise.
LikelihoodResult fit_linear(JointType type, std::span<const Eigen::Vector3d> p, double floor,
                            const LikelihoodSettings& settings, std::vector<double> weights) {
  LikelihoodResult result;
  result.weights = std::move(weights);
  const int dimension = type == JointType::rigid ? 3 : 2;
  // What stands still and is seen elsewhere has moved.
  const std::span<const int> holds = type == JointType::prismatic ? settings.holds : std::span<const int>{};
  double variance = 0;
  Scatter s;
  const int most = settings.max_iterations > 0 ? std::max(100, settings.max_iterations) : 0;
  for (result.iterations = 1; result.iterations <= most; ++result.iterations) {
    s = scatter_of(p, result.weights, holds);
    std::vector<double> squared(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
      Eigen::Vector3d e = s.from_mean(p[i], hold_of(holds, i));
      if (type == JointType::prismatic) e -= s.axes.col(2).dot(e) * s.axes.col(2);
      squared[i] = e.squaredNorm();
    }
    if (settings.noise_is_known) {
      variance = settings.noise.position * settings.noise.position;
    } else if (result.iterations == 1) {
      std::vector<double> sorted = squared;
      std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
      variance = sorted[sorted.size() / 2] / (dimension == 3 ? 2.366 : 1.386);
    } else {
      variance = (type == JointType::rigid ? s.values.sum() : s.values[0] + s.values[1]) / dimension;
    }
    variance = std::max(variance, floor);
    double change = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double w = settings.robust ? engine::weight_of(squared[i] / variance, 20.0, 60.0) : 1.0;
      change = std::max(change, std::abs(w - result.weights[i]));
      result.weights[i] = w;
    }
    result.converged = result.iterations > 1 && change < 1e-3;
    if (result.converged) break;
    if (total(result.weights) < 2) break;
  }
  result.joint.type = type;
  const Eigen::Matrix3d axes =
      type == JointType::prismatic ? frame_with_z(s.axes.col(2)) : Eigen::Matrix3d::Identity();
  result.joint.X_FJ = math::Pose(axes, s.mean);
  result.noise.position = std::sqrt(variance);
  const double n = s.weight;
  const double freedoms = n * dimension;
  const int parameters = articulation::parameters(type, false);
  result.noise_factor =
      freedoms > parameters && !settings.noise_is_known ? freedoms / (freedoms - parameters) : 1.0;
  const double v = variance * result.noise_factor;
  if (type == JointType::rigid) {
    result.covariance = v / n * Eigen::Matrix3d::Identity();
  } else {  // turn about x and y, shift along x and y
    const double n0 = s.first_weight;
    Eigen::Vector4d diagonal(v / (n * s.values[2]), v / (n * s.values[2]), v / n0, v / n0);
    result.covariance = diagonal.asDiagonal();
  }
  const std::vector<Eigen::Vector3d> joined = joined_holds(p, s, holds);
  p = joined;
  fill_terms(p, variance, result);
  if (type == JointType::prismatic) {  // zero at the first frame that counts
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (result.weights[i] < 0.5) continue;
      result.joint.X_FJ = result.joint.X_FJ * math::Pose::translation({0, 0, result.terms[i].q[0]});
      break;
    }
    fill_terms(p, variance, result);
  }
  result.cost = static_cast<double>(p.size()) * 0.5 * dimension * std::log(variance);
  for (const FrameTerms& term : result.terms)
    result.cost += 0.5 * (settings.robust ? engine::loss_of(term.squared, 20.0, 60.0) : term.squared);
  return result;
}

// What leaves more out is no joint of this motion, however closely it follows the rest.
bool explains_most(const std::vector<double>& weights) {
  return total(weights) >= (1 - kLargestOutlierShare) * static_cast<double>(weights.size());
}

LikelihoodResult fit_line(std::span<const Eigen::Vector3d> p, double floor,
                          const LikelihoodSettings& settings) {
  LikelihoodResult best =
      fit_linear(JointType::prismatic, p, floor, settings, std::vector<double>(p.size(), 1.0));
  if (!settings.robust || p.size() < kLeastToTrack || !has_tail(best)) return best;
  for (const Stretch& stretch : stretches(p.size())) {
    std::vector<double> weights(p.size(), 0.0);
    std::fill_n(weights.begin() + static_cast<std::ptrdiff_t>(stretch.first), stretch.count, 1.0);
    LikelihoodResult other = fit_linear(JointType::prismatic, p, floor, settings, weights);
    if (explains_most(other.weights) && (other.cost < best.cost || !explains_most(best.weights)))
      best = std::move(other);
  }
  return best;
}

CircleFit circle_through(std::span<const Eigen::Vector3d> p, std::span<const Eigen::Vector3d> stretch,
                         const CircleSettings& settings) {
  const Scatter s = scatter_of(stretch, std::vector<double>(stretch.size(), 1.0));
  CircleFit best;
  const double spread = std::sqrt(s.values[2]);
  for (int plane = 0; plane < 2; ++plane) {
    Circle start = algebraic_circle(stretch, frame_with_z(s.axes.col(plane)));
    // A start kilometres away cannot come back within the prior; the same bend at a moderate radius can.
    const double longest =
        std::isfinite(settings.radius_scale) ? std::max(3 * settings.radius_scale, 5 * spread) : 1e6 * spread;
    if (start.radius > longest) {
      const Eigen::Vector3d out = (s.mean - start.centre).normalized();
      start.centre = s.mean - longest * out;
      start.radius = longest;
    }
    CircleFit fit = fit_circle(p, start, settings);
    if (plane == 0 || fit.cost < best.cost) best = std::move(fit);
  }
  return best;
}

LikelihoodResult result_of(const CircleFit& best, std::span<const Eigen::Vector3d> p,
                           const LikelihoodSettings& settings);

// [nats] With the states integrated out, and the prior: a small circle whose states follow the noise is no good explanation of a short way.
double marginal(const LikelihoodResult& result, double length, double radius_scale) {
  std::vector<State> states;
  for (const FrameTerms& term : result.terms) states.push_back(term.q);
  const double radius = result.joint.X_MJ.p().norm() / radius_scale;
  // As of a line: so short a way comes back after no turn.
  const SeenMotion motion{model::JointType::prismatic, length, 3};
  return log_likelihood(result.terms, states, result.weights, motion).independent - 0.5 * radius * radius;
}

// A circle that is nearly a line through the points: what a way tells that is too short to bend.
Circle flat_circle(std::span<const Eigen::Vector3d> p, double radius_scale) {
  const Scatter s = scatter_of(p, std::vector<double>(p.size(), 1.0));
  constexpr double kSpreads = 10.0;  // the way is three or four of them, and bends by a twentieth of itself
  const double spread = std::sqrt(s.values[2]);
  Circle circle;
  circle.radius =
      std::isfinite(radius_scale) ? std::max(0.5 * radius_scale, kSpreads * spread) : 1e3 * spread;
  circle.R = frame_with_z(s.axes.col(0));
  circle.centre = s.mean + circle.radius * s.axes.col(1);
  return circle;
}

LikelihoodResult fit_arc(std::span<const Eigen::Vector3d> p, double floor, double length,
                         const LikelihoodSettings& settings) {
  CircleSettings circle_settings;
  circle_settings.variance =
      settings.noise_is_known ? settings.noise.position * settings.noise.position : 0.0;
  circle_settings.variance_floor = floor;
  circle_settings.radius_scale = settings.radius_scale;
  circle_settings.robust = settings.robust;
  circle_settings.max_iterations = std::max(50, settings.max_iterations);
  circle_settings.tolerance = settings.tolerance;
  circle_settings.groups = settings.holds;
  std::vector<Eigen::Vector3d> joined(p.begin(), p.end());  // starts
  if (!settings.holds.empty())
    joined =
        joined_holds(p, scatter_of(p, std::vector<double>(p.size(), 1.0), settings.holds), settings.holds);
  const std::span<const Eigen::Vector3d> starts = joined;
  CircleFit best = circle_through(p, starts, circle_settings);
  LikelihoodResult result = result_of(best, p, settings);
  if (settings.robust && p.size() >= kLeastToTrack && has_tail(result)) {
    for (const Stretch& stretch : stretches(p.size())) {
      CircleFit other = circle_through(p, starts.subspan(stretch.first, stretch.count), circle_settings);
      if (explains_most(other.weights) && (other.cost < best.cost || !explains_most(best.weights)))
        best = std::move(other);
    }
    result = result_of(best, p, settings);
  }
  const Circle flat = flat_circle(starts, settings.radius_scale);
  if (!(flat.radius > 0)) return result;  // one place
  constexpr double kBetter = 0.5;         // [nats] less is the same circle once more
  double best_marginal = marginal(result, length, settings.radius_scale);
  for (const int iterations : {circle_settings.max_iterations, 0}) {
    circle_settings.max_iterations = iterations;
    CircleFit other = fit_circle(p, flat, circle_settings);
    if (iterations == 0) other.converged = true;  // as good as its neighbours, or it is not taken
    LikelihoodResult as_line = result_of(other, p, settings);
    const double its = marginal(as_line, length, settings.radius_scale);
    const bool explains = explains_most(as_line.weights);
    const bool is_better =
        explains == explains_most(result.weights) ? its > best_marginal + kBetter : explains;
    if (is_better) {
      best_marginal = its;
      result = std::move(as_line);
    }
  }
  return result;
}

LikelihoodResult result_of(const CircleFit& best, std::span<const Eigen::Vector3d> p,
                           const LikelihoodSettings& settings) {
  LikelihoodResult result;
  result.converged = best.converged;
  result.iterations = best.iterations;
  result.weights = best.weights;
  result.cost = best.cost;
  result.joint.type = JointType::revolute;
  Eigen::Matrix3d R = best.circle.R;
  for (std::size_t i = 0; i < p.size(); ++i) {  // x towards the first frame that counts
    if (result.weights[i] < 0.5) continue;
    const Eigen::Vector3d u = R.transpose() * (p[i] - best.circle.centre);
    R = R * math::exp_so3({0, 0, std::atan2(u.y(), u.x())}).toRotationMatrix();
    break;
  }
  result.joint.X_FJ = math::Pose(R, best.circle.centre);
  result.joint.X_MJ = math::Pose::translation({-best.circle.radius, 0, 0});
  result.noise.position = std::sqrt(best.variance);
  double n = 0;
  for (const double w : result.weights) n += 2 * w;
  result.noise_factor = n > 6 && !settings.noise_is_known ? n / (n - 6) : 1.0;
  result.covariance = best.covariance * result.noise_factor;
  std::vector<Eigen::Vector3d> joined(p.begin(), p.end());
  for (std::size_t i = 0; i < settings.holds.size(); ++i) {
    const Eigen::Vector2d& offset = best.offsets[settings.holds[i]];
    Eigen::Vector3d out = R.transpose() * (p[i] - best.circle.centre);
    out.z() = 0;
    joined[i] -= R * (offset[0] * out.normalized() + Eigen::Vector3d(0, 0, offset[1]));
  }
  fill_terms(joined, best.variance, result);
  return result;
}

}  // namespace

LikelihoodResult fit_track(JointType type, std::span<const Eigen::Vector3d> p, double length,
                           const LikelihoodSettings& settings, double least) {
  const double floor = std::pow(std::max(1e-10 * length, least), 2);
  if (type == JointType::revolute) return fit_arc(p, floor, length, settings);
  if (type == JointType::prismatic) return fit_line(p, floor, settings);
  if (type == JointType::rigid)
    return fit_linear(type, p, floor, settings, std::vector<double>(p.size(), 1.0));
  LikelihoodResult result;
  result.converged = true;
  result.weights.assign(p.size(), 1.0);
  result.joint.type = type;
  result.joint.X_FJ = math::Pose::translation(scatter_of(p, result.weights).mean);
  result.noise.position = 0.0;
  // Nothing is left to tell noise from motion; any value below the motion gives the same density.
  const double variance =
      settings.noise_is_known ? std::pow(settings.noise.position, 2) : std::pow(1e-3 * length, 2);
  fill_terms(p, std::max(variance, floor), result);
  return result;
}

}  // namespace prehend::articulation
