#include <cmath>
#include <vector>

#include <prehend/math/se3.h>
#include <prehend/math/so3.h>
#include <prehend/math/solvers/half_angle_terms.h>

namespace prehend::math {
namespace {

// The lower left block of the left Jacobian (Barfoot 2017, eq. 7.86), for twists [w; v].
Eigen::Matrix3d coupling(const Vector6d& V) {
  const double t2 = V.head<3>().squaredNorm();
  const Eigen::Matrix3d W = skew(V.head<3>()), P = skew(V.tail<3>());
  const Eigen::Matrix3d WP = W * P, PW = P * W, WPW = WP * W;
  const double quartic = detail::quartic_term(t2), quintic = detail::quintic_term(t2);
  return 0.5 * P + detail::cubic_term(t2) * (WP + PW + WPW) + quartic * (W * WP + PW * W - 3.0 * WPW) +
         0.5 * (quartic - 3.0 * quintic) * (WPW * W + W * WPW);
}

Matrix6d lower_block_triangular(const Eigen::Matrix3d& diagonal, const Eigen::Matrix3d& lower) {
  Matrix6d J;
  J << diagonal, Eigen::Matrix3d::Zero(), lower, diagonal;
  return J;
}

}  // namespace

Pose exp_se3(const Vector6d& V) {
  const Eigen::Vector3d w = V.head<3>(), v = V.tail<3>();
  const double t2 = w.squaredNorm();
  double half_sinc, cosine, cubic;
  if (t2 <= detail::kPolynomialBelow) {
    half_sinc = detail::polynomial(detail::kHalfSinc, t2);
    cosine = detail::polynomial(detail::kHalfCosine, t2);
    cubic = detail::polynomial(detail::kCubic, t2);
  } else {
    const double t = std::sqrt(t2), inverse_t = 1.0 / t;
    half_sinc = 2.0 * std::sin(0.5 * t) * inverse_t;
    cosine = std::cos(0.5 * t);
    cubic = (1.0 - half_sinc * cosine) * inverse_t * inverse_t;
  }
  const double cosc = 0.5 * half_sinc * half_sinc;
  Eigen::Quaterniond q;
  q.w() = cosine;
  q.vec() = 0.5 * half_sinc * w;
  const Eigen::Vector3d wv = w.cross(v);
  return Pose(Pose::Unchecked{}, q, v + cosc * wv + cubic * w.cross(wv));
}

Vector6d log_se3(const Pose& X) {
  const Eigen::Quaterniond& q = X.q();
  const double cosine = std::abs(q.w());
  const Eigen::Vector3d w = std::copysign(2.0 * detail::half_angle_ratio(cosine), q.w()) * q.vec();
  const double inverse = detail::inverse_by_cosine(cosine);
  const Eigen::Vector3d wp = w.cross(X.p());
  const Eigen::Vector3d v = X.p() - 0.5 * wp + inverse * w.cross(wp);
  // In pairs, as the exponential (and Eigen) will load them: a load that spans two stores waits for both.
  Vector6d V;
  V.segment<2>(0) = Eigen::Vector2d(w.x(), w.y());
  V.segment<2>(2) = Eigen::Vector2d(w.z(), v.x());
  V.segment<2>(4) = Eigen::Vector2d(v.y(), v.z());
  return V;
}

Matrix6d adjoint(const Pose& X_AB) {
  const Eigen::Matrix3d R = X_AB.R();
  return lower_block_triangular(R, skew(X_AB.p()) * R);
}

Matrix6d lie_bracket(const Vector6d& V) {
  return lower_block_triangular(skew(V.head<3>()), skew(V.tail<3>()));
}

Matrix6d left_jacobian_se3(const Vector6d& V) {
  return lower_block_triangular(left_jacobian_so3(V.head<3>()), coupling(V));
}

Matrix6d right_jacobian_se3(const Vector6d& V) { return left_jacobian_se3(-V); }

Matrix6d inverse_left_jacobian_se3(const Vector6d& V) {
  const Eigen::Matrix3d inverse = inverse_left_jacobian_so3(V.head<3>());
  return lower_block_triangular(inverse, -inverse * coupling(V) * inverse);
}

Matrix6d inverse_right_jacobian_se3(const Vector6d& V) { return inverse_left_jacobian_se3(-V); }

Pose interpolate(const Pose& a, const Pose& b, double t) { return a * exp_se3(t * log_se3(a.inverse() * b)); }

Pose interpolate_decoupled(const Pose& a, const Pose& b, double t) {
  return Pose(interpolate(a.q(), b.q(), t), (1.0 - t) * a.p() + t * b.p());
}

std::optional<Pose> mean_pose(std::span<const Pose> poses, std::span<const double> weights) {
  std::vector<Eigen::Quaterniond> rotations;
  rotations.reserve(poses.size());
  for (const Pose& pose : poses) rotations.push_back(pose.q());
  const std::optional<Eigen::Quaterniond> rotation = geodesic_mean(rotations, weights);
  if (!rotation) return std::nullopt;
  // Start from the centroid; lengths are compared with the spread of the positions.
  double total = 0.0, spread = 0.0;
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const double weight = weights.empty() ? 1.0 : weights[i];
    centroid += weight * poses[i].p();
    total += weight;
  }
  centroid /= total;
  for (const Pose& pose : poses) spread = std::max(spread, (pose.p() - centroid).norm());
  Pose mean(*rotation, centroid);
  for (int iteration = 0; iteration < 100; ++iteration) {
    Vector6d step = Vector6d::Zero();
    for (std::size_t i = 0; i < poses.size(); ++i) {
      step += (weights.empty() ? 1.0 : weights[i]) / total * log_se3(mean.inverse() * poses[i]);
    }
    mean = mean * exp_se3(step);
    const double rounding = 1e-15 * (centroid.norm() + spread);
    if (step.head<3>().norm() < 1e-13 && step.tail<3>().norm() <= 1e-12 * spread + rounding) return mean;
  }
  return std::nullopt;
}

}  // namespace prehend::math
