// Semidefinite blocks of ConeScaling.
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <prehend/math/cone/cone_scaling.h>

namespace prehend::math {
namespace {
using Block = Eigen::Map<const Eigen::Matrix<double, kPsd4Rows, 1>>;

// Matrix of Z -> P Z P in psd4_vector coordinates, column by column.
void congruence(const Eigen::Matrix4d& P, Eigen::Matrix<double, kPsd4Rows, kPsd4Rows>& out) {
  int column = 0;
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i <= j; ++i, ++column) {
      const Eigen::Matrix4d outer = P.col(i) * P.row(j);
      if (i == j) {
        out.col(column) = psd4_vector(outer);
      } else {
        out.col(column) = psd4_vector(std::numbers::sqrt2 / 2 * (outer + outer.transpose()));
      }
    }
  }
}
}  // namespace

Eigen::Matrix<double, kPsd4Rows, 1> psd4_vector(const Eigen::Matrix4d& symmetric) {
  Eigen::Matrix<double, kPsd4Rows, 1> vector;
  int k = 0;
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < j; ++i) vector[k++] = std::numbers::sqrt2 * symmetric(i, j);
    vector[k++] = symmetric(j, j);
  }
  return vector;
}

Eigen::Matrix4d psd4_matrix(const Eigen::Matrix<double, kPsd4Rows, 1>& vector) {
  Eigen::Matrix4d symmetric;
  int k = 0;
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < j; ++i, ++k) symmetric(i, j) = symmetric(j, i) = vector[k] / std::numbers::sqrt2;
    symmetric(j, j) = vector[k++];
  }
  return symmetric;
}

bool ConeScaling::update_psd(int block, const double* s, const double* z) {
  const int offset = layout_.psd4[block];
  const Eigen::LLT<Eigen::Matrix4d> S(psd4_matrix(Block(s + offset))), Z(psd4_matrix(Block(z + offset)));
  if (S.info() != Eigen::Success || Z.info() != Eigen::Success) return false;
  const Eigen::Matrix4d L_s = S.matrixL(), L_z = Z.matrixL();
  const Eigen::JacobiSVD<Eigen::Matrix4d> svd(L_z.transpose() * L_s,
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Vector4d values = svd.singularValues();
  if (!(values.minCoeff() > 0.0) || !values.allFinite()) return false;
  const Eigen::Vector4d inverse_root = values.cwiseSqrt().cwiseInverse();
  psd_R_[block] = L_s * svd.matrixV() * inverse_root.asDiagonal();
  const Eigen::Matrix4d R_inverse = inverse_root.asDiagonal() * svd.matrixU().transpose() * L_z.transpose();
  congruence(psd_R_[block] * psd_R_[block].transpose(), psd_squared_[block]);
  congruence(R_inverse.transpose() * R_inverse, psd_inverse_squared_[block]);
  Eigen::Map<Eigen::Matrix<double, kPsd4Rows, 1>>(lambda_.data() + offset) =
      psd4_vector(Eigen::Matrix4d(values.asDiagonal()));
  return true;
}

double ConeScaling::psd_exit(int offset, const double* d) const {
  const Eigen::Vector4d l(lambda_[offset], lambda_[offset + 2], lambda_[offset + 5], lambda_[offset + 9]);
  const Eigen::Vector4d root = l.cwiseSqrt().cwiseInverse();
  const Eigen::Matrix4d scaled = root.asDiagonal() * psd4_matrix(Block(d + offset)) * root.asDiagonal();
  if (!scaled.allFinite()) return HUGE_VAL;
  return -Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

}  // namespace prehend::math
