#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <prehend/math/so3.h>

namespace prehend::math {
namespace detail {
namespace {

// Below this theta^2 the series are used: eight terms leave a relative error below 1e-16, while the closed forms would
// lose up to six digits to cancellation.
constexpr double kSeriesBelow = 0.25;

// sum_k (-1)^k t2^k / (2k + first)!, the tail of sin or cos that starts at power `first`.
double factorial_tail(double t2, int first) {
  double factorial = 1.0;
  for (int i = 2; i <= first; ++i) factorial *= i;
  double term = 1.0 / factorial, sum = term;
  for (int k = 1; k < 8; ++k) {
    term *= -t2 / ((first + 2.0 * k - 1.0) * (first + 2.0 * k));
    sum += term;
  }
  return sum;
}

}  // namespace

double sinc_term(double t2) {
  if (t2 < kSeriesBelow) return factorial_tail(t2, 1);
  const double t = std::sqrt(t2);
  return std::sin(t) / t;
}

double cosc_term(double t2) {
  if (t2 < kSeriesBelow) return factorial_tail(t2, 2);
  const double s = std::sin(0.5 * std::sqrt(t2));
  return 2.0 * s * s / t2;
}

double cubic_term(double t2) {
  return t2 < kSeriesBelow ? factorial_tail(t2, 3) : (1.0 - sinc_term(t2)) / t2;
}

double quartic_term(double t2) {
  return t2 < kSeriesBelow ? factorial_tail(t2, 4) : (0.5 - cosc_term(t2)) / t2;
}

double quintic_term(double t2) {
  return t2 < kSeriesBelow ? factorial_tail(t2, 5) : (1.0 / 6.0 - cubic_term(t2)) / t2;
}

double inverse_term(double t2) {
  if (t2 < kSeriesBelow) {
    // Bernoulli series of (1 - (t/2) cot(t/2)) / t^2.
    constexpr double c[] = {1.0 / 12,           1.0 / 720,
                            1.0 / 30240,        1.0 / 1209600,
                            1.0 / 47900160,     691.0 / 1307674368000,
                            1.0 / 74724249600., 3617.0 / 10670622842880000.};
    double sum = 0.0;
    for (int k = 7; k >= 0; --k) sum = sum * t2 + c[k];
    return sum;
  }
  const double half = 0.5 * std::sqrt(t2);
  return (1.0 - half / std::tan(half)) / t2;
}

}  // namespace detail

Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d matrix;
  matrix << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return matrix;
}

Eigen::Vector3d vee(const Eigen::Matrix3d& a) {
  return 0.5 * Eigen::Vector3d(a(2, 1) - a(1, 2), a(0, 2) - a(2, 0), a(1, 0) - a(0, 1));
}

Eigen::Quaterniond exp_so3(const Eigen::Vector3d& w) {
  const double t2 = w.squaredNorm();
  const double half = 0.5 * std::sqrt(t2);
  Eigen::Quaterniond q;
  q.w() = std::cos(half);
  q.vec() = 0.5 * detail::sinc_term(0.25 * t2) * w;
  return q;
}

Eigen::Vector3d log_so3(const Eigen::Quaterniond& q) {
  const double sine = q.vec().norm(), cosine = std::abs(q.w());
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  // For a small angle atan2(s, c)/s -> 1/c (1 - s^2/(3 c^2)); the next term is below rounding here.
  const double ratio =
      sine < 1e-4 ? (1.0 - sine * sine / (3.0 * cosine * cosine)) / cosine : std::atan2(sine, cosine) / sine;
  return 2.0 * sign * ratio * q.vec();
}

Eigen::Vector3d log_so3(const Eigen::Matrix3d& R) { return log_so3(Eigen::Quaterniond(R).normalized()); }

Eigen::Matrix3d left_jacobian_so3(const Eigen::Vector3d& w) {
  const double t2 = w.squaredNorm();
  const Eigen::Matrix3d S = skew(w);
  return Eigen::Matrix3d::Identity() + detail::cosc_term(t2) * S + detail::cubic_term(t2) * S * S;
}

Eigen::Matrix3d right_jacobian_so3(const Eigen::Vector3d& w) { return left_jacobian_so3(-w); }

Eigen::Matrix3d inverse_left_jacobian_so3(const Eigen::Vector3d& w) {
  const Eigen::Matrix3d S = skew(w);
  return Eigen::Matrix3d::Identity() - 0.5 * S + detail::inverse_term(w.squaredNorm()) * S * S;
}

Eigen::Matrix3d inverse_right_jacobian_so3(const Eigen::Vector3d& w) { return inverse_left_jacobian_so3(-w); }

Eigen::Quaterniond rotation_between(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  const Eigen::Vector3d a = from.normalized(), b = to.normalized();
  const double cosine = b.dot(a);
  Eigen::Quaterniond q;
  if (cosine < -0.5) {
    // Digits of 1 + cosine are lost here: half a turn about an axis square to both takes a to -a, and what is left is small.
    const Eigen::Vector3d across = a.cross(b);
    Eigen::Vector3d axis = across.norm() > 1e-12 ? across : a.unitOrthogonal();
    axis = (axis - a * a.dot(axis)).normalized();
    q = rotation_between(-a, b) * Eigen::Quaterniond(0.0, axis.x(), axis.y(), axis.z());
    if (q.w() < 0.0) q.coeffs() = -q.coeffs();
    return q.normalized();
  }
  const double s = std::sqrt((1.0 + cosine) * 2.0), inverse = 1.0 / s;
  q.vec() = a.cross(b) * inverse;
  q.w() = s * 0.5;
  return q;
}

Eigen::Quaterniond interpolate(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b, double t) {
  return (a * exp_so3(t * log_so3(a.conjugate() * b))).normalized();
}

Eigen::Matrix3d nearest_rotation(const Eigen::Matrix3d& M) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(M, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0.0 ? -1.0 : 1.0;
  return svd.matrixU() * Eigen::Vector3d(1.0, 1.0, sign).asDiagonal() * svd.matrixV().transpose();
}

std::optional<Eigen::Quaterniond> chordal_mean(std::span<const Eigen::Quaterniond> rotations,
                                               std::span<const double> weights) {
  if (rotations.empty() || (!weights.empty() && weights.size() != rotations.size())) return std::nullopt;
  Eigen::Matrix4d sum = Eigen::Matrix4d::Zero();
  for (std::size_t i = 0; i < rotations.size(); ++i) {
    const double weight = weights.empty() ? 1.0 : weights[i];
    if (!(weight > 0.0)) return std::nullopt;
    sum += weight * rotations[i].coeffs() * rotations[i].coeffs().transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(Eigen::Matrix4d(sum / sum.trace()));
  if (eigen.eigenvalues()[3] - eigen.eigenvalues()[2] < 1e-12) return std::nullopt;
  Eigen::Quaterniond mean(Eigen::Vector4d(eigen.eigenvectors().col(3)));
  if (mean.dot(rotations[0]) < 0.0) mean.coeffs() = -mean.coeffs();
  return mean.normalized();
}

std::optional<Eigen::Quaterniond> geodesic_mean(std::span<const Eigen::Quaterniond> rotations,
                                                std::span<const double> weights) {
  std::optional<Eigen::Quaterniond> mean = chordal_mean(rotations, weights);
  if (!mean) return std::nullopt;
  for (int iteration = 0; iteration < 100; ++iteration) {
    Eigen::Vector3d step = Eigen::Vector3d::Zero();
    double total = 0.0;
    for (std::size_t i = 0; i < rotations.size(); ++i) {
      const double weight = weights.empty() ? 1.0 : weights[i];
      step += weight * log_so3(mean->conjugate() * rotations[i]);
      total += weight;
    }
    step /= total;
    *mean = (*mean * exp_so3(step)).normalized();
    if (step.norm() < 1e-14) return mean;
  }
  return std::nullopt;
}

}  // namespace prehend::math
