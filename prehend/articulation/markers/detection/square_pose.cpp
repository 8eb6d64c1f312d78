#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <opencv2/calib3d.hpp>

#include <prehend/articulation/markers/detection/marker_pattern.h>
#include <prehend/articulation/markers/detection/square_pose.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

using Residual = Eigen::Matrix<double, 8, 1>;
using Jacobian = Eigen::Matrix<double, 8, 6>;

// Measured minus seen, and the derivative of what is seen; false when a corner is not in front of the camera.
bool residual(const SquareCorners& corners, double size, const math::Pose& X, double scale, Residual& r,
              Jacobian* J) {
  const auto points = marker_corners(size);
  const Eigen::Matrix3d R = X.R();
  for (int k = 0; k < 4; ++k) {
    const Eigen::Vector3d p = R * points[static_cast<std::size_t>(k)] + X.p();
    if (!(p.z() > 1e-9 * size)) return false;
    const Eigen::Vector2d seen = scale * p.head<2>() / p.z();
    r.segment<2>(2 * k) = corners.normalised.col(k) - seen;
    if (J == nullptr) continue;
    Eigen::Matrix<double, 2, 3> P;
    P << scale / p.z(), 0, -seen.x() / p.z(), 0, scale / p.z(), -seen.y() / p.z();
    J->block<2, 3>(2 * k, 0) = -P * R * math::skew(points[static_cast<std::size_t>(k)]);
    J->block<2, 3>(2 * k, 3) = P * R;
  }
  return true;
}

}  // namespace

SquarePose refine_square_pose(const SquareCorners& corners, double size, const math::Pose& start,
                              double scale) {
  const Eigen::LLT<CornerCovariance> root(corners.covariance);
  SquarePose best{start, math::Matrix6d::Zero(), std::numeric_limits<double>::infinity()};
  Residual r;
  Jacobian J;
  if (root.info() != Eigen::Success || !residual(corners, size, start, scale, r, nullptr)) return best;
  best.chi2 = root.matrixL().solve(r).squaredNorm();
  math::Matrix6d information = math::Matrix6d::Identity();
  double damping = 1e-4;
  for (int iteration = 0; iteration < 40; ++iteration) {
    residual(corners, size, best.X_CM, scale, r, &J);
    const Residual white = root.matrixL().solve(r);
    const Jacobian white_J = root.matrixL().solve(J);
    information = white_J.transpose() * white_J;
    math::Matrix6d damped = information;
    damped.diagonal() *= 1 + damping;
    const math::Vector6d step = damped.ldlt().solve(white_J.transpose() * white);
    const math::Pose next = best.X_CM * math::exp_se3(step);
    Residual next_r;
    const bool in_front = residual(corners, size, next, scale, next_r, nullptr);
    const double chi2 =
        in_front ? root.matrixL().solve(next_r).squaredNorm() : std::numeric_limits<double>::infinity();
    if (chi2 <= best.chi2) {
      const double gain = best.chi2 - chi2;
      best.X_CM = next;
      best.chi2 = chi2;
      damping = std::max(1e-9, 0.2 * damping);
      if (gain < 1e-9 * (1 + chi2)) break;
    } else {
      damping *= 10;
      if (damping > 1e9) break;
    }
  }
  residual(corners, size, best.X_CM, scale, r, &J);
  const Jacobian white_J = root.matrixL().solve(J);
  information = white_J.transpose() * white_J;
  // Head-on, one direction of tilt is hardly seen: its variance is bounded by what angles can be, one radian squared.
  information.topLeftCorner<3, 3>() += Eigen::Matrix3d::Identity();
  best.covariance = information.ldlt().solve(math::Matrix6d::Identity());
  return best;
}

std::vector<SquarePose> square_poses(const SquareCorners& corners, double size, double scale) {
  std::vector<cv::Point3d> object;
  std::vector<cv::Point2d> image;
  for (const Eigen::Vector3d& p : marker_corners(size)) object.emplace_back(p.x(), p.y(), p.z());
  for (int k = 0; k < 4; ++k)
    image.emplace_back(corners.normalised(0, k) / scale, corners.normalised(1, k) / scale);
  std::vector<cv::Mat> turns, shifts;
  try {
    cv::solvePnPGeneric(object, image, cv::Matx33d::eye(), cv::noArray(), turns, shifts, false,
                        cv::SOLVEPNP_IPPE_SQUARE);
  } catch (const cv::Exception&) {  // corners on one line
    return {};
  }
  std::vector<SquarePose> poses;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Eigen::Vector3d w(turns[i].at<double>(0), turns[i].at<double>(1), turns[i].at<double>(2));
    const Eigen::Vector3d p(shifts[i].at<double>(0), shifts[i].at<double>(1), shifts[i].at<double>(2));
    if (!w.allFinite() || !p.allFinite()) continue;
    const SquarePose pose =
        refine_square_pose(corners, size, math::Pose(math::exp_so3(w).normalized(), p), scale);
    if (!std::isfinite(pose.chi2)) continue;
    const auto same = [&pose](const SquarePose& other) {
      return pose.X_CM.q().angularDistance(other.X_CM.q()) < 1e-4;
    };
    if (std::none_of(poses.begin(), poses.end(), same)) poses.push_back(pose);
  }
  std::sort(poses.begin(), poses.end(),
            [](const SquarePose& a, const SquarePose& b) { return a.chi2 < b.chi2; });
  return poses;
}

}  // namespace prehend::articulation
