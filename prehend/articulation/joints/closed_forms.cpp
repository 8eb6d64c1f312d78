#include <cmath>
#include <complex>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/math/angles.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {

Moments moments(const Frames& frames) {
  Moments m;
  for (std::size_t i = 0; i < frames.X.size(); ++i) {
    const double w = frames.weights[i];
    m.weight += w;
    m.R += w * frames.X[i].R;
    m.p += w * frames.X[i].p;
  }
  return m;
}

Eigen::Matrix3d position_scatter(const Frames& frames, const Eigen::Vector3d& mean) {
  Eigen::Matrix3d scatter = Eigen::Matrix3d::Zero();
  double weight = 0;
  for (std::size_t i = 0; i < frames.X.size(); ++i) {
    const Eigen::Vector3d e = frames.X[i].p - mean;
    scatter += frames.weights[i] * e * e.transpose();
    weight += frames.weights[i];
  }
  return scatter / weight;
}

PrincipalAxes principal_axes(const Eigen::Matrix3d& scatter) {
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen;
  eigen.computeDirect(scatter);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

Eigen::Vector3d singular_values(const Eigen::Matrix3d& A) {
  return Eigen::JacobiSVD<Eigen::Matrix3d>(A).singularValues();
}

Eigen::Matrix3d frame_with_z(const Eigen::Vector3d& z) {
  Eigen::Index least = 0;
  z.cwiseAbs().minCoeff(&least);
  Eigen::Matrix3d R;
  R.col(2) = z.normalized();
  R.col(0) = (Eigen::Vector3d::Unit(least) - R.col(2)[least] * R.col(2)).normalized();
  R.col(1) = R.col(2).cross(R.col(0));
  return R;
}

Eigen::Matrix3d mean_rotation(const Moments& moments) {
  return math::nearest_rotation(moments.R / moments.weight);
}

std::pair<Eigen::Vector3d, Eigen::Vector3d> axis_pair(const Moments& moments) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(moments.R, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU().col(0), svd.matrixV().col(0)};
}

std::vector<Turn> turns(const Frames& frames, const Eigen::Matrix3d& R_FJ, const Eigen::Matrix3d& R_MJ) {
  std::vector<Turn> result(frames.X.size());
  const Eigen::Vector3d xF = R_FJ.col(0), yF = R_FJ.col(1);
  for (std::size_t i = 0; i < frames.X.size(); ++i) {
    const Eigen::Vector3d x = frames.X[i].R * R_MJ.col(0), y = frames.X[i].R * R_MJ.col(1);
    const double c = xF.dot(x) + yF.dot(y), s = yF.dot(x) - xF.dot(y);
    const double norm = std::sqrt(c * c + s * s);
    result[i] = norm > 0 ? Turn{c / norm, s / norm} : Turn{};
  }
  return result;
}

std::vector<double> unwrapped(const std::vector<Turn>& turns) {
  std::vector<double> angles(turns.size());
  for (std::size_t i = 0; i < turns.size(); ++i) {
    angles[i] = std::atan2(turns[i].s, turns[i].c);
    if (i > 0) angles[i] += 2 * math::kPi * std::round((angles[i - 1] - angles[i]) / (2 * math::kPi));
  }
  return angles;
}

AxisPlacement place_axis(const Frames& frames, const Eigen::Vector3d& a_F, const Eigen::Vector3d& a_M) {
  using Complex = std::complex<double>;
  AxisPlacement result;
  const Eigen::Matrix3d R_FJ = frame_with_z(a_F), R_MJ = frame_with_z(a_M);
  result.turns = turns(frames, R_FJ, R_MJ);
  Complex sum_e = 0, sum_p = 0, sum_ep = 0;
  double weight = 0, height = 0;
  for (std::size_t i = 0; i < frames.X.size(); ++i) {
    const double w = frames.weights[i];
    const Eigen::Vector3d p = R_FJ.transpose() * frames.X[i].p;
    const Complex e(result.turns[i].c, result.turns[i].s), z(p.x(), p.y());
    weight += w;
    height += w * p.z();
    sum_e += w * e;
    sum_p += w * z;
    sum_ep += w * std::conj(e) * z;
  }
  const Complex mean_e = sum_e / weight, mean_p = sum_p / weight;
  // Without any turn the axis has no place; a tiny ridge puts it at M's origin then.
  const double spread = 1.0 - std::norm(mean_e) + 1e-12;
  const Complex c_M = -(sum_ep / weight - std::conj(mean_e) * mean_p) / spread;
  const Complex c_F = mean_e * c_M + mean_p;
  result.joint.X_FJ = math::Pose(R_FJ, R_FJ * Eigen::Vector3d(c_F.real(), c_F.imag(), height / weight));
  result.joint.X_MJ = math::Pose(R_MJ, R_MJ * Eigen::Vector3d(c_M.real(), c_M.imag(), 0.0));
  return result;
}

void level_with_moving_origin(Joint& joint) {
  const Eigen::Vector3d z_M = joint.X_MJ.q() * Eigen::Vector3d::UnitZ(),
                        z_F = joint.X_FJ.q() * Eigen::Vector3d::UnitZ();
  const double height = z_M.dot(joint.X_MJ.p());
  joint.X_MJ = math::Pose(joint.X_MJ.q(), joint.X_MJ.p() - height * z_M);
  joint.X_FJ = math::Pose(joint.X_FJ.q(), joint.X_FJ.p() - height * z_F);
}

}  // namespace prehend::articulation
