#include <algorithm>
#include <cmath>
#include <cstdio>

#include <Eigen/Eigenvalues>

#include <prehend/math/inertia.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>

namespace prehend::math {
namespace {

// I = trace(S) 1 - S  and  S = trace(I)/2 1 - I relate inertia and second moments of mass.
Eigen::Matrix3d swap_inertia_and_second_moment(const Eigen::Matrix3d& matrix, double factor) {
  return factor * matrix.trace() * Eigen::Matrix3d::Identity() - matrix;
}

SpatialInertia centred(double mass, const Eigen::Vector3d& second_moment) {
  SpatialInertia inertia;
  inertia.mass = mass;
  inertia.I_com = swap_inertia_and_second_moment(second_moment.asDiagonal(), 1.0);
  return inertia;
}

}  // namespace

SpatialInertia SpatialInertia::point_mass(double mass, const Eigen::Vector3d& position) {
  return {mass, position, Eigen::Matrix3d::Zero()};
}

SpatialInertia SpatialInertia::solid_box(double mass, const Eigen::Vector3d& full_size) {
  return centred(mass, mass / 12.0 * full_size.cwiseAbs2());
}

SpatialInertia SpatialInertia::solid_sphere(double mass, double radius) {
  return solid_ellipsoid(mass, Eigen::Vector3d::Constant(radius));
}

SpatialInertia SpatialInertia::solid_cylinder(double mass, double radius, double length) {
  return centred(mass,
                 mass * Eigen::Vector3d(radius * radius / 4, radius * radius / 4, length * length / 12));
}

SpatialInertia SpatialInertia::solid_capsule(double mass, double radius, double length) {
  // Cylinder and two half balls share the mass by volume; a half ball's centroid is 3r/8 above its base.
  const double cylinder_share = length / (length + 4.0 / 3.0 * radius);
  const double cylinder = mass * cylinder_share, balls = mass - cylinder;
  const double offset = length / 2 + 3.0 / 8.0 * radius;
  const double across = cylinder * radius * radius / 4 + balls * radius * radius / 5;
  const double along = cylinder * length * length / 12 +
                       balls * (radius * radius / 5 - 9.0 / 64.0 * radius * radius + offset * offset);
  return centred(mass, {across, across, along});
}

SpatialInertia SpatialInertia::solid_ellipsoid(double mass, const Eigen::Vector3d& radii) {
  return centred(mass, mass / 5.0 * radii.cwiseAbs2());
}

SpatialInertia SpatialInertia::from_parameters(const Vector10d& phi) {
  SpatialInertia inertia;
  inertia.mass = phi[0];
  inertia.com = phi.segment<3>(1) / phi[0];
  Eigen::Matrix3d I_origin;
  I_origin << phi[4], phi[5], phi[6], phi[5], phi[7], phi[8], phi[6], phi[8], phi[9];
  const Eigen::Matrix3d c = skew(inertia.com);
  inertia.I_com = I_origin - inertia.mass * c.transpose() * c;
  return inertia;
}

SpatialInertia SpatialInertia::from_pseudo_inertia(const Eigen::Matrix4d& J) {
  SpatialInertia inertia;
  inertia.mass = J(3, 3);
  inertia.com = J.topRightCorner<3, 1>() / J(3, 3);
  const Eigen::Matrix3d second =
      J.topLeftCorner<3, 3>() - inertia.mass * inertia.com * inertia.com.transpose();
  inertia.I_com = swap_inertia_and_second_moment(second, 1.0);
  return inertia;
}

Eigen::Matrix3d SpatialInertia::inertia_about(const Eigen::Vector3d& point) const {
  const Eigen::Matrix3d d = skew(point - com);
  return I_com + mass * d.transpose() * d;
}

Vector10d SpatialInertia::parameters() const {
  const Eigen::Matrix3d I = inertia_about(Eigen::Vector3d::Zero());
  Vector10d phi;
  phi << mass, mass * com, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2);
  return phi;
}

Eigen::Matrix4d SpatialInertia::pseudo_inertia() const {
  Eigen::Matrix4d J;
  J.topLeftCorner<3, 3>() = swap_inertia_and_second_moment(I_com, 0.5) + mass * com * com.transpose();
  J.topRightCorner<3, 1>() = mass * com;
  J.bottomLeftCorner<1, 3>() = mass * com.transpose();
  J(3, 3) = mass;
  return J;
}

Matrix6d SpatialInertia::spatial_matrix() const {
  const Eigen::Matrix3d c = skew(com);
  Matrix6d M;
  M.topLeftCorner<3, 3>() = inertia_about(Eigen::Vector3d::Zero());
  M.topRightCorner<3, 3>() = mass * c;
  M.bottomLeftCorner<3, 3>() = mass * c.transpose();
  M.bottomRightCorner<3, 3>() = mass * Eigen::Matrix3d::Identity();
  return M;
}

SpatialInertia SpatialInertia::expressed_in(const Pose& X_AF) const {
  const Eigen::Matrix3d R = X_AF.R();
  return {mass, X_AF * com, R * I_com * R.transpose()};
}

double SpatialInertia::kinetic_energy(const Vector6d& V_F) const {
  const Eigen::Vector3d w = V_F.head<3>(), v_com = V_F.tail<3>() + w.cross(com);
  return 0.5 * (mass * v_com.squaredNorm() + w.dot(I_com * w));
}

SpatialInertia operator+(const SpatialInertia& a, const SpatialInertia& b) {
  SpatialInertia sum;
  sum.mass = a.mass + b.mass;
  sum.com = sum.mass == 0.0 ? Eigen::Vector3d::Zero().eval()
                            : ((a.mass * a.com + b.mass * b.com) / sum.mass).eval();
  sum.I_com = a.inertia_about(sum.com) + b.inertia_about(sum.com);
  return sum;
}

std::string ConsistencyReport::brief_report() const {
  if (is_consistent()) return "physically consistent";
  std::string text = "physically inconsistent: ";
  for (std::size_t i = 0; i < problems.size(); ++i) text += (i ? "; " : "") + problems[i];
  return text;
}

ConsistencyReport check_consistency(const SpatialInertia& inertia, double tolerance) {
  ConsistencyReport report;
  report.mass = inertia.mass;
  if (!std::isfinite(inertia.mass) || !inertia.com.allFinite() || !inertia.I_com.allFinite()) {
    report.problems.emplace_back("a parameter is not a finite number");
    return report;
  }
  if (!(inertia.mass > 0.0))
    report.problems.push_back("the mass " + number_text(inertia.mass) + " kg is not positive");
  const double scale = inertia.I_com.cwiseAbs().maxCoeff();
  if ((inertia.I_com - inertia.I_com.transpose()).cwiseAbs().maxCoeff() > tolerance * scale) {
    report.problems.emplace_back("the inertia matrix is not symmetric");
  }
  const Eigen::Matrix3d symmetric = 0.5 * (inertia.I_com + inertia.I_com.transpose());
  const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(symmetric).eigenvalues();
  report.principal_moments = moments;
  // Eigenvalues of the second moment of mass about the centre, relative to the largest: together with the mass they
  // are the eigenvalues of J after moving the origin to the centre of mass and scaling lengths.
  const Eigen::Vector3d second = Eigen::Vector3d::Constant(0.5 * moments.sum()) - moments;
  const double largest = std::max(second.cwiseAbs().maxCoeff(), 1e-300);
  report.smallest_pseudo_eigenvalue = scale == 0.0 ? 0.0 : second.minCoeff() / largest;
  const double slack = tolerance * std::max(scale, 1e-300);
  if (moments[0] < -slack) {
    report.problems.push_back("the principal moment of inertia " + number_text(moments[0]) +
                              " kg m^2 is negative");
  } else if (moments[0] + moments[1] < moments[2] - slack) {
    report.problems.push_back("the principal moments " + number_text(moments[0]) + ", " +
                              number_text(moments[1]) + ", " + number_text(moments[2]) +
                              " kg m^2 break the triangle inequality (" + number_text(moments[0]) + " + " +
                              number_text(moments[1]) + " < " + number_text(moments[2]) + ")");
  }
  return report;
}

}  // namespace prehend::math
