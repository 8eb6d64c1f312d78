#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include <prehend/articulation/fit/circle_fit.h>
#include <prehend/articulation/fit/residual_functions.h>
#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

constexpr double kNear = 20.0, kFar = 60.0;  // of the squared distance in units of the variance

// A circle near its data: where it passes, which way, and how much it bends.
struct Arc {
  Eigen::Matrix3d R;       // x along the circle, y towards the centre, z the normal
  Eigen::Vector3d origin;  // [m] on the circle
  double bend;             // [1/m]
};

// Distance of a point (in the arc's axes) from the circle in its plane, outwards, and its derivatives; also for a straight line.
struct InPlane {
  double distance, by_x, by_y, by_bend;

  InPlane(const Eigen::Vector3d& u, double bend) {
    const double square = u.x() * u.x() + u.y() * u.y(), c = bend * square - 2 * u.y();
    const double w = std::sqrt(std::max(1 + bend * c, 1e-300));  // distance from the centre over the radius
    distance = c / (1 + w);
    by_x = bend * u.x() / w;
    by_y = (bend * u.y() - 1) / w;
    const double facing = 1 - bend * u.y();
    by_bend = facing > -0.5 ? u.x() * u.x() / (w * (w + facing)) : (1 - facing / w) / (bend * bend);
  }
};

// Half the robust loss and the logarithm of the variance, summed over points, and the prior; with normal equations where asked for.
class ArcCost {
 public:
  ArcCost(std::span<const Eigen::Vector3d> p, const CircleSettings& settings) : p_(p), settings_(settings) {
    squared_.resize(p.size());
    deviations_.resize(p.size());
    variance = settings.variance;
    int groups = 1;
    for (const int g : settings.groups) groups = std::max(groups, g + 1);
    offsets.assign(groups, Eigen::Vector2d::Zero());
  }

  // The variance is the most likely one for this arc, unless it is known.
  double at(const Arc& arc) {
    for (std::size_t i = 0; i < p_.size(); ++i) {
      const Eigen::Vector3d u = arc.R.transpose() * (p_[i] - arc.origin);
      deviations_[i] = {InPlane(u, arc.bend).distance, u.z()};
    }
    if (offsets.size() > 1) estimate_offsets();
    for (std::size_t i = 0; i < p_.size(); ++i)
      squared_[i] = (deviations_[i] - offsets[group(i)]).squaredNorm();
    if (settings_.variance == 0.0) estimate_variance();
    double cost = static_cast<double>(p_.size()) * std::log(variance);
    for (const double s : squared_)
      cost += 0.5 * (settings_.robust ? engine::loss_of(s / variance, kNear, kFar) : s / variance);
    if (std::isfinite(settings_.radius_scale))
      cost += 0.5 * std::pow(settings_.radius_scale * arc.bend, -2.0);
    return cost;
  }

  double weight(std::size_t i) const {
    return settings_.robust ? engine::weight_of(squared_[i] / variance, kNear, kFar) : 1.0;
  }

  // Of the last arc: turn about its three axes, shift along y and z, bend.
  void normal_equations(const Arc& arc, Matrix6& H, Vector6& g) const {
    H.setZero();
    g.setZero();
    Rows mean(
        offsets.size());  // of groups with offsets of their own, which take up what is common to the group
    if (offsets.size() > 1) {
      for (std::size_t i = 0; i < p_.size(); ++i)
        if (group(i) > 0) mean.add(group(i), weight(i), rows(arc, i));
      mean.divide();
    }
    for (std::size_t i = 0; i < p_.size(); ++i) {
      const double w = weight(i) / variance;
      if (w == 0) continue;
      const Row J = rows(arc, i) - mean.rows[group(i)];
      H += w * (J * J.transpose());
      g += w * (J * (deviations_[i] - offsets[group(i)]));
    }
    if (std::isfinite(settings_.radius_scale)) {  // radius over scale: a residual
      const double r = 1 / (settings_.radius_scale * arc.bend), slope = -r / arc.bend;
      g[5] += slope * r;
      H(5, 5) += slope * slope;
    }
  }

  double variance;
  std::vector<Eigen::Vector2d> offsets;

 private:
  using Row = Eigen::Matrix<double, 6, 2>;
  struct Rows {
    std::vector<Row> rows;
    std::vector<double> weights;

    explicit Rows(std::size_t groups) : rows(groups, Row::Zero()), weights(groups, 0.0) {}
    void add(int group, double weight, const Row& row) {
      rows[group] += weight * row;
      weights[group] += weight;
    }
    void divide() {
      for (std::size_t k = 0; k < rows.size(); ++k)
        if (weights[k] > 0) rows[k] /= weights[k];
    }
  };

  int group(std::size_t i) const { return settings_.groups.empty() ? 0 : settings_.groups[i]; }

  // Derivatives of distance and height of a point.
  Row rows(const Arc& arc, std::size_t i) const {
    const Eigen::Vector3d u = arc.R.transpose() * (p_[i] - arc.origin);
    const InPlane e(u, arc.bend);
    Row J;  // a turn of the axes by v moves the point's coordinates by u x v
    J.col(0) << -e.by_y * -u.z(), e.by_x * -u.z(), e.by_x * u.y() - e.by_y * u.x(), -e.by_y, 0, e.by_bend;
    J.col(1) << -u.y(), u.x(), 0, 0, -1, 0;
    return J;
  }

  // Means of the deviations, with the last weights; of the first group none: it is what the arc passes through.
  void estimate_offsets() {
    std::vector<double> total(offsets.size(), 0.0);
    std::vector<double> weights(p_.size(), 1.0);
    if (variance > 0)
      for (std::size_t i = 0; i < p_.size(); ++i) weights[i] = std::max(weight(i), 1e-6);
    std::fill(offsets.begin(), offsets.end(), Eigen::Vector2d::Zero());
    for (std::size_t i = 0; i < p_.size(); ++i) {
      if (group(i) == 0) continue;
      offsets[group(i)] += weights[i] * deviations_[i];
      total[group(i)] += weights[i];
    }
    for (std::size_t k = 1; k < offsets.size(); ++k)
      if (total[k] > 0) offsets[k] /= total[k];
  }

  void estimate_variance() {
    if (variance == 0.0) {  // median of chi-squared with two freedoms
      std::vector<double> sorted = squared_;
      std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
      variance = sorted[sorted.size() / 2] / 1.386;
    }
    variance = std::max(variance, settings_.variance_floor);
    for (int pass = 0; pass < 100; ++pass) {
      double sum = 0;
      for (std::size_t i = 0; i < p_.size(); ++i) sum += weight(i) * squared_[i];
      const double next = std::max(sum / (2 * static_cast<double>(p_.size())), settings_.variance_floor);
      const bool settled = std::abs(next - variance) < 1e-10 * variance;
      variance = next;
      if (settled) break;
    }
  }

  std::span<const Eigen::Vector3d> p_;
  const CircleSettings& settings_;
  std::vector<double> squared_;
  std::vector<Eigen::Vector2d> deviations_;  // [m] distance outwards and height
};

Arc arc_of(const Circle& circle, const Eigen::Vector3d& near) {
  Eigen::Vector3d out = near - circle.centre;
  out -= circle.R.col(2).dot(out) * circle.R.col(2);
  if (!(out.norm() > 1e-9 * circle.radius)) out = circle.R.col(0);
  Arc arc;
  arc.R.col(1) = -out.normalized();
  arc.R.col(2) = circle.R.col(2);
  arc.R.col(0) = arc.R.col(1).cross(arc.R.col(2));
  arc.origin = circle.centre - circle.radius * arc.R.col(1);
  arc.bend = 1 / circle.radius;
  return arc;
}

// `least_bend`: a line within rounding.
Arc moved(const Arc& arc, const Vector6& step, double least_bend) {
  Arc out = arc;
  out.origin += arc.R * Eigen::Vector3d(0, step[3], step[4]);
  out.R = arc.R * math::exp_so3(step.head<3>()).toRotationMatrix();
  out.bend += step[5];
  if (out.bend < 0) {  // bends the other way: the centre changes sides
    out.bend = -out.bend;
    out.R.col(1) *= -1;
    out.R.col(2) *= -1;
  }
  out.bend = std::max(out.bend, least_bend);
  return out;
}

// Of turn about x and y, centre in the circle's axes, radius.
Matrix6 covariance_of(std::span<const Eigen::Vector3d> p, const Circle& circle, const CircleFit& fit,
                      const CircleSettings& settings) {
  const double radius_scale = settings.radius_scale;
  Matrix6 H = Matrix6::Zero();
  // Of groups with an offset of their own: what is common to the group says nothing.
  std::vector<Eigen::Matrix<double, 6, 2>> sums(fit.offsets.size(), Eigen::Matrix<double, 6, 2>::Zero());
  std::vector<double> weights(fit.offsets.size(), 0.0);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Eigen::Vector3d u = circle.R.transpose() * (p[i] - circle.centre);
    const double rho = std::max(std::hypot(u.x(), u.y()), 1e-300);
    Eigen::Matrix<double, 6, 2> J;
    J.col(0) << -u.z() * u.y() / rho, u.z() * u.x() / rho, -u.x() / rho, -u.y() / rho, 0, -1;
    J.col(1) << u.y(), -u.x(), 0, 0, -1, 0;
    const double w = fit.weights[i] / fit.variance;
    H += w * (J * J.transpose());
    if (const int group = settings.groups.empty() ? 0 : settings.groups[i]; group > 0) {
      sums[group] += w * J;
      weights[group] += w;
    }
  }
  for (std::size_t k = 1; k < sums.size(); ++k)
    if (weights[k] > 0) H -= sums[k] * sums[k].transpose() / weights[k];
  if (std::isfinite(radius_scale)) H(5, 5) += 1.0 / (radius_scale * radius_scale);
  Vector6 scale;
  for (int k = 0; k < 6; ++k) scale[k] = H(k, k) > 0 ? 1 / std::sqrt(H(k, k)) : 0;
  const Matrix6 scaled = scale.asDiagonal() * H * scale.asDiagonal();
  const Eigen::LDLT<Matrix6> ldlt(scaled);  // for its pivots; its solve() would be compiled here once more
  const Matrix6 covariance =
      scale.asDiagonal() * math::symmetric_solve(scaled, Matrix6(Matrix6::Identity())) * scale.asDiagonal();
  if (!covariance.allFinite() || ldlt.vectorD().minCoeff() < 1e-13)
    return Matrix6::Constant(std::numeric_limits<double>::infinity());
  return covariance;
}

}  // namespace

Circle algebraic_circle(std::span<const Eigen::Vector3d> p, const Eigen::Matrix3d& axes) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& x : p) mean += x / static_cast<double>(p.size());
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& x : p) {
    const Eigen::Vector3d u = axes.transpose() * (x - mean);
    const Eigen::Vector3d row(2 * u.x(), 2 * u.y(), 1);
    A += row * row.transpose();
    b += row * (u.x() * u.x() + u.y() * u.y());
  }
  A.diagonal().head<2>().array() += 1e-12 * A.diagonal().head<2>().maxCoeff();
  const Eigen::Vector3d x = A.ldlt().solve(b);
  Circle circle;
  circle.R = axes;
  circle.centre = mean + axes * Eigen::Vector3d(x[0], x[1], 0);
  circle.radius = std::sqrt(std::max(x[2] + x[0] * x[0] + x[1] * x[1], 1e-300));
  return circle;
}

CircleFit fit_circle(std::span<const Eigen::Vector3d> p, const Circle& start,
                     const CircleSettings& settings) {
  CircleFit fit;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& x : p) mean += x / static_cast<double>(p.size());
  double size = 0;  // [m] of what is seen
  for (const Eigen::Vector3d& x : p) size = std::max(size, (x - mean).norm());
  const double least_bend = 1e-9 / std::max(size, 1e-300);
  Arc arc = arc_of(start, mean);
  ArcCost cost(p, settings);
  double now = cost.at(arc), damping = 1e-4;
  for (; fit.iterations < settings.max_iterations && !fit.converged; ++fit.iterations) {
    Matrix6 H;
    Vector6 g;
    cost.normal_equations(arc, H, g);
    for (int attempt = 0; attempt < 20; ++attempt) {
      Matrix6 A = H;
      A.diagonal() *= 1 + damping;
      A.diagonal().array() += 1e-300;
      Vector6 step = math::symmetric_solve(A, Vector6(-g));
      if (!step.allFinite()) break;
      const double deviations = step.dot(H * step);
      const double turn = step.head<3>().norm();
      if (turn > 0.3) step *= 0.3 / turn;
      // A prior on the radius keeps the bend from turning round: little by little.
      if (std::isfinite(settings.radius_scale) && arc.bend + step[5] < 0.2 * arc.bend)
        step *= 0.8 * arc.bend / -step[5];
      const double kept = cost.variance;
      const Arc next = moved(arc, step, least_bend);
      const double then = cost.at(next);
      if (then <= now + 1e-12 * std::abs(now)) {
        fit.converged = deviations < settings.tolerance * settings.tolerance && damping < 1;
        arc = next;
        now = then;
        damping = std::max(0.1 * damping, 1e-9);
        break;
      }
      // Rounding decides whether it is lower: this is the end.
      if (deviations < 1e-3 * settings.tolerance * settings.tolerance) {
        fit.converged = true;
        cost.variance = kept;
        break;
      }
      cost.variance = kept;
      damping = std::max(10 * damping, 1e-4);
    }
  }
  fit.cost = cost.at(arc);
  double total = 0;
  fit.weights.resize(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) total += fit.weights[i] = cost.weight(i);
  // Of those that count.
  fit.variance =
      settings.variance == 0.0 && total > 0
          ? std::max(cost.variance * static_cast<double>(p.size()) / total, settings.variance_floor)
          : cost.variance;
  fit.circle.R = arc.R;
  fit.circle.radius = 1 / arc.bend;
  fit.circle.centre = arc.origin + fit.circle.radius * arc.R.col(1);
  fit.offsets = cost.offsets;
  fit.covariance = covariance_of(p, fit.circle, fit, settings);
  return fit;
}

}  // namespace prehend::articulation
