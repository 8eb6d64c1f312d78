#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <prehend/articulation/evidence/remainder.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

// SlowScatter of vectors, and the part of it that is not new in every frame.
struct SlowScatter {
  Eigen::Matrix3d all{Eigen::Matrix3d::Zero()}, fresh{Eigen::Matrix3d::Zero()};

  explicit SlowScatter(const std::vector<Eigen::Vector3d>& v) {
    const double n = static_cast<double>(v.size());
    for (const Eigen::Vector3d& e : v) all += e * e.transpose() / n;
    for (std::size_t i = 1; i < v.size(); ++i)
      fresh += (v[i] - v[i - 1]) * (v[i] - v[i - 1]).transpose() / (2 * (n - 1));
  }
  static double largest(const Eigen::Matrix3d& of) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(of, Eigen::EigenvaluesOnly);
    return std::sqrt(std::max(0.0, eigen.eigenvalues()[2]));
  }
  double worst() const { return largest(all); }
  double slow() const { return std::sqrt(std::max(0.0, (all - fresh).trace() / 3)); }
  double slow_worst() const { return largest(all - fresh); }
};

// Displacements of the point of the moving part that is displaced least: by turns of which the part's origin is far from the centre, it moves as
// well.
std::vector<Eigen::Vector3d> least_shifts(std::vector<Eigen::Vector3d> shifts,
                                          const std::vector<Eigen::Vector3d>& turns) {
  constexpr double kNoTurn = 1e-3;  // [rad] less tells no centre
  Eigen::Matrix3d normal =
      Eigen::Matrix3d::Identity() * (kNoTurn * kNoTurn * static_cast<double>(turns.size()));
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Eigen::Matrix3d cross = math::skew(turns[i]);
    normal += cross.transpose() * cross;
    right -= cross.transpose() * shifts[i];
  }
  const Eigen::Vector3d point = normal.ldlt().solve(right);
  for (std::size_t i = 0; i < turns.size(); ++i) shifts[i] += turns[i].cross(point);
  return shifts;
}

}  // namespace

Remainder remainder_of(const JointFit& fit, const Observations& observations) {
  std::vector<Eigen::Vector3d> shifts, turns;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Zero();
  double squares = 0;
  for (std::size_t i = 0; i < observations.poses.size(); ++i) {
    if (fit.weights[i] < 0.5) continue;
    const math::Pose& X = observations.poses[i].X_FM;
    const math::Pose Y = fit.joint.forward(*fit.states[observations.poses[i].time]);
    shifts.push_back(Y.q().conjugate() * (X.p() - Y.p()));
    turns.push_back(math::log_so3((Y.q().conjugate() * X.q()).normalized()));
    mean += X.p();
    squares += X.p().squaredNorm();
    R += X.R();
  }
  Remainder result;
  const double n = static_cast<double>(shifts.size());
  result.frames = n;
  if (shifts.size() < 2) return result;
  const SlowScatter position(least_shifts(std::move(shifts), turns)), angle(turns);
  result.worst = {position.worst(), angle.worst()};
  result.slow = {position.slow(), angle.slow()};
  result.slow_worst = {position.slow_worst(), angle.slow_worst()};
  const double turning2 = 3 - Eigen::JacobiSVD<Eigen::Matrix3d>(R / n).singularValues().sum();
  result.motion = {std::sqrt(std::max(0.0, (squares / n - (mean / n).squaredNorm()) / 3)),
                   std::sqrt(std::max(0.0, turning2) / 3)};
  return result;
}

Unrepeated unrepeated_share(const JointFit& fit, const Observations& observations, double frames) {
  // [-] Coefficients over independent frames, beyond which what they explain is chance.
  constexpr double kMostCoefficients = 0.4;
  const Eigen::Index d = fit.lower.size();
  const Eigen::Index columns = 1 + d + d * (d + 1) / 2;
  if (static_cast<double>(columns - 1) > kMostCoefficients * frames) return {};
  std::vector<Eigen::Vector3d> shifts, turns;
  std::vector<State> states;
  for (std::size_t i = 0; i < observations.poses.size(); ++i) {
    if (fit.weights[i] < 0.5) continue;
    const math::Pose& X = observations.poses[i].X_FM;
    states.push_back(*fit.states[observations.poses[i].time]);
    const math::Pose Y = fit.joint.forward(states.back());
    shifts.push_back(X.p() - Y.p());
    turns.push_back(math::log_so3((Y.q().conjugate() * X.q()).normalized()));
  }
  Eigen::MatrixXd A(static_cast<Eigen::Index>(states.size()), columns);
  const State half = (0.5 * (fit.upper - fit.lower)).cwiseMax(1e-9), middle = 0.5 * (fit.upper + fit.lower);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const State q = (states[static_cast<std::size_t>(i)] - middle).cwiseQuotient(half);
    Eigen::Index k = 0;
    A(i, k++) = 1;
    for (Eigen::Index a = 0; a < d; ++a) {
      A(i, k++) = q[a];
      for (Eigen::Index b = a; b < d; ++b) A(i, k++) = q[a] * q[b];
    }
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  const auto left = [&](std::vector<Eigen::Vector3d> v) {
    const double before = SlowScatter(v).slow();
    Eigen::MatrixX3d rhs(A.rows(), 3);
    for (Eigen::Index i = 0; i < A.rows(); ++i) rhs.row(i) = v[static_cast<std::size_t>(i)];
    const Eigen::MatrixX3d rest = rhs - A * qr.solve(rhs);
    for (Eigen::Index i = 0; i < A.rows(); ++i) v[static_cast<std::size_t>(i)] = rest.row(i);
    const double after = SlowScatter(v).slow();
    return before > 0 ? std::min(1.0, after * after / (before * before)) : 0.0;
  };
  return {left(std::move(shifts)), left(std::move(turns))};
}

}  // namespace prehend::articulation
