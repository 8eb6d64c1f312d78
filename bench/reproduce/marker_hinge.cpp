#include "marker_hinge.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/so3.h>

namespace prehend::reproduce {
namespace {

using math::Matrix6d;
using math::Pose;
using math::Vector6d;
using Vector12d = Eigen::Matrix<double, 12, 1>;
using Matrix12d = Eigen::Matrix<double, 12, 12>;

struct Hinge {
  Pose X_FJ, X_MJ;
};

// Centre on both sides: p = c - R m for all poses, linear in c and m; along the axis any shift of both will do.
Hinge first_hinge(const std::vector<RelativePose>& poses, const Eigen::Quaterniond& mean,
                  const Eigen::Vector3d& axis_F) {
  Eigen::Matrix<double, 6, 6> normal = 1e-9 * Eigen::Matrix<double, 6, 6>::Identity();
  Eigen::Matrix<double, 6, 1> right = Eigen::Matrix<double, 6, 1>::Zero();
  for (const RelativePose& pose : poses) {
    Eigen::Matrix<double, 3, 6> A;
    A << Eigen::Matrix3d::Identity(), -pose.X_FM.R();
    normal += A.transpose() * A;
    right += A.transpose() * pose.X_FM.p();
  }
  const Eigen::Matrix<double, 6, 1> x = math::symmetric_solve(normal, right);
  const Eigen::Quaterniond q_FJ = math::rotation_between(Eigen::Vector3d::UnitZ(), axis_F);
  return {Pose(q_FJ, x.head<3>()), Pose((mean.conjugate() * q_FJ).normalized(), x.tail<3>())};
}

Pose turned(double q) { return Pose::rotation(math::exp_so3({0, 0, q})); }

}  // namespace

std::optional<HingeAngles> hinge_angles(const std::vector<RelativePose>& poses) {
  std::vector<Eigen::Quaterniond> rotations;
  for (const RelativePose& pose : poses) rotations.push_back(pose.X_FM.q());
  const std::optional<Eigen::Quaterniond> mean = math::chordal_mean(rotations);
  if (!mean) return std::nullopt;
  std::vector<Eigen::Vector3d> logs;
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Eigen::Quaterniond& q : rotations) {
    logs.push_back(math::log_so3((q * mean->conjugate()).normalized()));
    spread += logs.back() * logs.back().transpose();
  }
  const Eigen::Vector3d axis = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors().col(2);
  HingeAngles result;
  for (const Eigen::Vector3d& log : logs) result.by_rotation.push_back(log.dot(axis));
  result.angle = result.by_rotation;

  Hinge hinge = first_hinge(poses, *mean, axis);
  Vector6d z = Vector6d::Zero();
  z[2] = 1;
  for (int iteration = 0; iteration < 30; ++iteration) {
    Matrix12d normal = Matrix12d::Zero();
    Vector12d right = Vector12d::Zero();
    std::vector<Vector12d> coupling;
    std::vector<double> own, own_right;
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Pose E = turned(result.angle[i]);
      const Vector6d e = math::log_se3((hinge.X_FJ * E * hinge.X_MJ.inverse()).inverse() * poses[i].X_FM);
      Eigen::Matrix<double, 6, 12> J;
      J << math::adjoint(hinge.X_MJ * E.inverse()), -math::adjoint(hinge.X_MJ);
      const Vector6d j = math::adjoint(hinge.X_MJ) * z;
      Matrix6d weight = math::symmetric_solve(poses[i].covariance, Matrix6d(Matrix6d::Identity()));
      // A pose far outside its covariance counts less.
      weight /= std::max(1.0, e.dot(weight * e) / 30);
      const double jj = j.dot(weight * j);
      const Vector12d Jj = J.transpose() * weight * j;
      normal += J.transpose() * weight * J - Jj * Jj.transpose() / jj;
      right += J.transpose() * weight * e - Jj * (j.dot(weight * e) / jj);
      coupling.push_back(Jj);
      own.push_back(jj);
      own_right.push_back(j.dot(weight * e));
    }
    // Shifts along the axis and turns about it that both sides share change nothing: damping holds them.
    normal.diagonal() *= 1 + 1e-6;
    normal.diagonal().array() += 1e-9 * normal.diagonal().maxCoeff();
    const Vector12d step = math::symmetric_solve(Eigen::MatrixXd(normal), Eigen::VectorXd(right));
    hinge.X_FJ = hinge.X_FJ * math::exp_se3(step.head<6>());
    hinge.X_MJ = hinge.X_MJ * math::exp_se3(step.tail<6>());
    double largest = step.cwiseAbs().maxCoeff();
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const double dq = (own_right[i] - coupling[i].dot(step)) / own[i];
      result.angle[i] += dq;
      largest = std::max(largest, std::abs(dq));
    }
    if (largest < 1e-9) break;
  }
  return result;
}

}  // namespace prehend::reproduce
