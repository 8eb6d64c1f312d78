#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/math/so3.h>
#include <prehend/math/spatial.h>
#include <prehend/topology/evidence/transmitted_wrench.h>

namespace prehend::topology {
namespace {

using math::Matrix6d;
using math::Vector6d;
using model::JointType;

// A window that no freedom explains counts this much at most: -log of the share of such windows that is expected anyhow.
constexpr double kOddShare = 0.1;

// What the motion leaves open altogether has no deviation; far beyond any object is enough. [rad], [m], [m/rad]
double finite(const std::optional<double>& deviation) { return std::min(deviation.value_or(0.0), 1e3); }

double window_evidence(double excess) {
  return std::log((1.0 - kOddShare) * std::exp(-0.5 * excess * excess) + kOddShare);
}

Vector6d freedom_of(const articulation::Joint& joint) {
  const Eigen::Vector3d a = joint.X_FJ.R().col(2), p = joint.X_FJ.p();
  Vector6d s;
  if (joint.type == JointType::prismatic)
    s << Eigen::Vector3d::Zero(), a;
  else
    s << a, p.cross(a) + joint.pitch * a;
  return s;
}

// Which sense a stop may push in, by window: -1 at the upper end of the travel, +1 at the lower, 2 either, 0 none.
std::vector<int> stop_senses(const TransmittedWrench& wrench, articulation::Joint joint,
                             const articulation::PoseNoise& pose_noise) {
  // Ends are this wide, of the travel (stops yield, the more the harder they are hit), and at least so many deviations of the
  // noise; a joint that moves by less than kStill of them stands. Chosen on the sweeps with stops
  // (docs/topology_validation.md): wider ends leave more joints open, narrower ones take stops for evidence.
  constexpr double kEnd = 0.1, kDeviations = 4.0, kStill = 8.0;
  std::vector<int> senses(wrench.size(), 0);
  if (wrench.X_PC.size() != wrench.size()) return senses;
  const bool slides = joint.type == JointType::prismatic, goes_round = joint.type == JointType::revolute;
  if (!slides) joint.type = JointType::revolute;  // turns of a screw are counted by continuity
  std::vector<std::pair<double, double>> reached;
  double last = 0.0, low = 1e300, high = -1e300;
  for (const std::array<math::Pose, 5>& poses : wrench.X_PC) {
    reached.emplace_back(1e300, -1e300);
    for (const math::Pose& X : poses) {
      double q = joint.inverse(X)[0];
      if (!slides) q += 2.0 * math::kPi * std::round((last - q) / (2.0 * math::kPi));
      last = q;
      reached.back() = {std::min(reached.back().first, q), std::max(reached.back().second, q)};
    }
    low = std::min(low, reached.back().first);
    high = std::max(high, reached.back().second);
  }
  // What went round has no stop.
  if (goes_round && high - low > 2.0 * math::kPi) return senses;
  const double lever = wrench.X_PC.front()[2].p().norm();
  const double noise = slides ? std::hypot(pose_noise.position, lever * pose_noise.angle) : pose_noise.angle;
  const double end = std::max(kDeviations * noise, kEnd * (high - low)), middle = 0.5 * (low + high);
  for (std::size_t k = 0; k < senses.size(); ++k) {
    const auto [from, to] = reached[k];
    // A joint that stands still may do so on a stop farther from where it went once when it was hit.
    const bool is_still = to - from < kStill * noise;
    const bool at_upper = to > high - end || (is_still && to > middle);
    const bool at_lower = from < low + end || (is_still && from < middle);
    senses[k] = at_upper && at_lower ? 2 : at_upper ? -1 : at_lower ? 1 : 0;
  }
  return senses;
}

// Whether a stop explains what crosses along a freedom.
bool is_stop(int sense, double y, double bound) {
  return std::abs(y) > bound && (sense == 2 || sense * y > 0.0);
}

// Moves y by what the joint's place is uncertain by (columns of x, standard deviations d), as suits it best: the same error in all
// windows is no evidence in each.
void allow_for_placement(std::vector<double>& y, const std::vector<double>& variance,
                         const std::vector<Eigen::Matrix<double, 5, 1>>& x,
                         const Eigen::Matrix<double, 5, 1>& d, double bound,
                         const std::vector<char>& on_stop) {
  Eigen::Matrix<double, 5, 5> N = Eigen::Matrix<double, 5, 5>::Identity();
  Eigen::Matrix<double, 5, 1> g = Eigen::Matrix<double, 5, 1>::Zero();
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (on_stop[k]) continue;
    const Eigen::Matrix<double, 5, 1> row = d.cwiseProduct(x[k]);
    const double v = variance[k] + 0.25 * bound * bound;
    N += row * row.transpose() / v;
    g -= row * y[k] / v;
  }
  const Eigen::Matrix<double, 5, 1> shift = d.cwiseProduct(N.ldlt().solve(g));
  for (std::size_t k = 0; k < y.size(); ++k) y[k] += x[k].dot(shift);
}

FreedomEvidence single_freedom(const TransmittedWrench& wrench, const articulation::JointFit& fit,
                               const FrictionBounds& friction) {
  FreedomEvidence out;
  const bool slides = fit.joint.type == JointType::prismatic;
  const Vector6d s = freedom_of(fit.joint);
  const Eigen::Matrix3d R = fit.joint.X_FJ.R();
  const Eigen::Vector3d p = fit.joint.X_FJ.p(), a = R.col(2);
  const double bound = slides ? friction.force : friction.torque;
  const std::size_t count = wrench.size();
  std::vector<double> y(count), variance(count), v(count);
  std::vector<Eigen::Matrix<double, 5, 1>> x(count);
  const std::vector<int> senses = stop_senses(wrench, fit.joint, fit.noise);
  std::vector<char> on_stop(count);
  const double axis = std::sqrt(0.5) * finite(fit.deviations.axis_F);
  const double point = slides ? 0.0 : std::sqrt(0.5) * finite(fit.deviations.point_F);
  Eigen::Matrix<double, 5, 1> deviation;
  deviation << axis, axis, point, point, finite(fit.deviations.pitch);
  for (std::size_t k = 0; k < count; ++k) {
    const Vector6d& F = wrench.F_P[k];
    const Eigen::Vector3d f = F.tail<3>(), m = F.head<3>() - p.cross(f);
    y[k] = s.dot(F);
    variance[k] = s.dot(wrench.covariance[k] * s);
    const Eigen::Vector3d tilted = slides ? f : Eigen::Vector3d(m + fit.joint.pitch * f), lever = a.cross(f);
    x[k] << R.col(0).dot(tilted), R.col(1).dot(tilted), R.col(0).dot(lever), R.col(1).dot(lever), a.dot(f);
    v[k] = slides ? a.dot(wrench.V_P[k].tail<3>()) : a.dot(wrench.V_P[k].head<3>());
  }
  for (std::size_t k = 0; k < count; ++k) on_stop[k] = is_stop(senses[k], y[k], bound);
  allow_for_placement(y, variance, x, deviation, bound, on_stop);
  for (std::size_t k = 0; k < count; ++k) {
    on_stop[k] = is_stop(senses[k], y[k], bound);
    out.largest += y[k] * y[k] / static_cast<double>(count);
    if (!on_stop[k])
      out.evidence += window_evidence(std::max(0.0, std::abs(y[k]) - bound) / std::sqrt(variance[k]));
  }
  out.largest = std::sqrt(out.largest);
  // y = -dry sign(v) - viscous v
  double v2 = 0.0;
  for (const double each : v) v2 += each * each / static_cast<double>(count);
  const double slow = 0.2 * std::sqrt(v2) + 1e-12;
  Eigen::Matrix2d N = Eigen::Matrix2d::Zero();
  Eigen::Vector2d g = Eigen::Vector2d::Zero();
  double before = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    if (on_stop[k]) continue;
    const Eigen::Vector2d row(-std::tanh(v[k] / slow), -v[k]);
    N += row * row.transpose() / variance[k];
    g += row * y[k] / variance[k];
    before += y[k] * y[k] / variance[k];
  }
  // Dry or viscous alone: both together are hardly distinguished.
  const double dry = N(0, 0) > 0.0 ? g[0] / N(0, 0) : 0.0, gain_dry = dry * g[0];
  const double viscous = N(1, 1) > 0.0 ? g[1] / N(1, 1) : 0.0, gain_viscous = viscous * g[1];
  const double residual =
      std::max(1.0, (before - std::max(gain_dry, gain_viscous)) / std::max(1.0, count - 1.0));
  if (gain_dry >= gain_viscous)
    out.friction.dry = dry;
  else
    out.friction.viscous = viscous;
  out.friction.deviation = N(0, 0) > 0.0 ? std::sqrt(residual / N(0, 0)) : 0.0;
  const double best = std::max(gain_dry, gain_viscous);
  out.friction.is_significant =
      best > 25.0 * residual && std::max(out.friction.dry, out.friction.viscous) > 0.0;
  return out;
}

FreedomEvidence ball(const TransmittedWrench& wrench, const articulation::JointFit& fit,
                     const FrictionBounds& friction) {
  FreedomEvidence out;
  const std::size_t count = wrench.size();
  // The axis about which it turned most.
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vector6d& V : wrench.V_P) spread += V.head<3>() * V.head<3>().transpose();
  const Eigen::Vector3d a = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors().col(2);
  // The centre is open as far as the poses left it so, mostly along that axis: the place that suits the moments best.
  Eigen::Vector3d p = fit.joint.X_FJ.p();
  const double open = finite(fit.deviations.point_F), across_axis = std::min(open, fit.noise.position);
  if (open > 0.0) {
    const Eigen::Matrix3d D =
        across_axis * Eigen::Matrix3d::Identity() + (open - across_axis) * a * a.transpose();
    Eigen::Matrix3d N = Eigen::Matrix3d::Identity();
    Eigen::Vector3d g = Eigen::Vector3d::Zero();
    for (std::size_t k = 0; k < count; ++k) {
      const Eigen::Vector3d f = wrench.F_P[k].tail<3>(), m = wrench.F_P[k].head<3>() - p.cross(f);
      const double scale =
          wrench.covariance[k].topLeftCorner<3, 3>().trace() / 3.0 + 0.25 * friction.torque * friction.torque;
      const Eigen::Matrix3d x = math::skew(f) * D;  // the moment grows by f x shift
      N += x.transpose() * x / scale;
      g -= x.transpose() * m / scale;
    }
    p += D * N.ldlt().solve(g);
  }
  double along = 0.0, squares = 0.0;
  std::vector<Eigen::Vector3d> across(count);
  std::vector<double> variance(count), about_axis(count);
  for (std::size_t k = 0; k < count; ++k) {
    const Vector6d& F = wrench.F_P[k];
    const Eigen::Vector3d f = F.tail<3>(), m = F.head<3>() - p.cross(f);
    const Eigen::Vector3d w = wrench.V_P[k].head<3>();
    const Eigen::Vector3d u = w.norm() > 0.0 ? Eigen::Vector3d(w.normalized()) : a;
    Eigen::Matrix<double, 3, 6> S;
    S << Eigen::Matrix3d::Identity(), -math::skew(p);
    variance[k] = (S * wrench.covariance[k] * S.transpose()).trace() / 3.0;
    along += u.dot(m) * u.dot(m) / static_cast<double>(count);
    about_axis[k] = a.dot(m);
    across[k] = m - u * u.dot(m);
    squares += across[k].squaredNorm() / static_cast<double>(count);
  }
  // The friction along the motion bounds that across it.
  const double bound = std::min(friction.torque, 2.0 * std::sqrt(along));
  // A moment about the axis of the motion is as much against a ball as against a hinge, and a stop there as little.
  articulation::Joint hinge;
  hinge.type = JointType::revolute;
  hinge.X_FJ = math::Pose(math::rotation_between(Eigen::Vector3d::UnitZ(), a), p);
  if (!wrench.X_PC.empty()) hinge.X_MJ = wrench.X_PC.front()[2].inverse() * hinge.X_FJ;
  const std::vector<int> senses = stop_senses(wrench, hinge, fit.noise);
  for (std::size_t k = 0; k < count; ++k) {
    const double about = is_stop(senses[k], about_axis[k], friction.torque)
                             ? 0.0
                             : std::max(0.0, std::abs(about_axis[k]) - friction.torque);
    out.evidence +=
        window_evidence(std::hypot(std::max(0.0, across[k].norm() - bound) / std::sqrt(2.0 * variance[k]),
                                   about / std::sqrt(variance[k])));
  }
  out.largest = std::sqrt(squares);
  return out;
}

}  // namespace

TransmittedWrench transmitted_wrench(const ArticulatedObject& object, const Recording& recording,
                                     const MotionBlocks& blocks, const LinkBalance& balance, int joint,
                                     const RecordingNoise& noise, double inflation) {
  const std::vector<char> below = subtree(object, joint);
  const std::size_t parent =
      static_cast<std::size_t>(object.links[static_cast<std::size_t>(joint + 1)].parent);
  TransmittedWrench out;
  double noise_below = 0.0, noise_above = 0.0;
  for (std::size_t i = 0; i < below.size(); ++i)
    for (const Matrix6d& C : balance.covariance[i])
      (below[i] ? noise_below : noise_above) += C.bottomRightCorner<3, 3>().trace();
  out.from_below = !recording.is_complete() || noise_below <= noise_above;
  const double g0 =
      1.0 / (2.0 * balance.blocks_per_side * blocks.rows_per_block);  // variance of an averaged pose, roughly
  const double turn = noise.pose.angle * noise.pose.angle * g0,
               shift = noise.pose.position * noise.pose.position * g0;
  const std::size_t number = static_cast<std::size_t>(joint);
  const auto twist = [&](int block) -> Vector6d {
    const std::size_t b = static_cast<std::size_t>(block);
    const math::Pose& X0 = blocks.X_PC[number][b - 1];
    const math::Pose& X1 = blocks.X_PC[number][b + 1];
    const Eigen::Vector3d angle = math::log_so3(X1.q() * X0.q().conjugate());
    Vector6d V;
    V << angle, X1.p() - X0.p() + 0.5 * (X0.p() + X1.p()).cross(angle);
    return V / (blocks.t[b + 1] - blocks.t[b - 1]);
  };
  for (std::size_t k = 0; k < balance.size(); ++k) {
    const TestWindow& window = balance.windows[k];
    out.V_P.push_back(balance.average(twist, window));
    std::array<math::Pose, 5>& poses = out.X_PC.emplace_back();
    for (int i = 0; i < 5; ++i)
      poses[static_cast<std::size_t>(i)] =
          blocks.X_PC[number][static_cast<std::size_t>(window.centre + (i - 2) * window.reach / 3)];
    const auto in_parent = [&](int block) -> Vector6d {
      const std::size_t b = static_cast<std::size_t>(block);
      Vector6d F = Vector6d::Zero();
      for (std::size_t i = 0; i < below.size(); ++i)
        if ((below[i] != 0) == out.from_below) F += balance.F_b[i][b];
      const math::Pose& X = blocks.X_WL[parent][b];
      const Eigen::Vector3d f = F.tail<3>(), m = F.head<3>() - (X.p() - blocks.origin).cross(f);
      Vector6d F_P;
      F_P << X.q().conjugate() * m, X.q().conjugate() * f;
      return out.from_below ? F_P : Vector6d(-F_P);
    };
    const Vector6d F = balance.average(in_parent, window);
    Matrix6d C = Matrix6d::Zero();
    for (std::size_t i = 0; i < below.size(); ++i)
      if ((below[i] != 0) == out.from_below) C += balance.covariance[i][k];
    const math::Pose& X = blocks.X_WL[parent][static_cast<std::size_t>(window.centre)];
    const Matrix6d A = math::wrench_adjoint(math::Pose(X.q(), X.p() - blocks.origin).inverse());
    C = A * C * A.transpose();
    C.topLeftCorner<3, 3>().diagonal().array() +=
        turn * F.head<3>().squaredNorm() + shift * F.tail<3>().squaredNorm();
    C.bottomRightCorner<3, 3>().diagonal().array() += turn * F.tail<3>().squaredNorm();
    out.F_P.push_back(F);
    out.covariance.push_back(inflation * C);
  }
  return out;
}

bool is_loaded_both_ways(const TransmittedWrench& wrench, const articulation::Joint& joint,
                         const FrictionBounds& friction) {
  constexpr double kDeviations = 3.0;  // of the noise: one window in 400 by chance
  const Vector6d s = freedom_of(joint);
  const double bound = joint.type == JointType::prismatic ? friction.force : friction.torque;
  bool forth = false, back = false;
  for (std::size_t k = 0; k < wrench.size(); ++k) {
    const double y = s.dot(wrench.F_P[k]),
                 least = bound + kDeviations * std::sqrt(s.dot(wrench.covariance[k] * s));
    forth |= y > least;
    back |= y < -least;
  }
  return forth && back;
}

FreedomEvidence freedom_evidence(const TransmittedWrench& wrench, const articulation::JointFit& fit,
                                 const FrictionBounds& friction) {
  if (wrench.size() == 0) return {};
  switch (fit.joint.type) {
    case JointType::prismatic:
    case JointType::revolute:
    case JointType::screw:
      return single_freedom(wrench, fit, friction);
    case JointType::spherical:
      return ball(wrench, fit, friction);
    default:
      return {};
  }
}

}  // namespace prehend::topology
