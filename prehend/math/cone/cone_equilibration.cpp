#include <algorithm>
#include <cmath>

#include <prehend/math/cone/cone_equilibration.h>

namespace prehend::math {
namespace {
// Powers of two near 1/sqrt(norm) and 1/norm; rows and columns without entries keep their scale.
double factor_for(double norm) {
  int exponent = 0;
  std::frexp(norm, &exponent);
  return norm > 0.0 ? std::ldexp(1.0, -(exponent / 2)) : 1.0;
}
double inverse_power(double norm) {
  int exponent = 0;
  std::frexp(norm, &exponent);
  return norm > 0.0 ? std::ldexp(1.0, -exponent) : 1.0;
}
}  // namespace

ConeEquilibration::ConeEquilibration(const ConeLayout& layout, int columns, int equalities)
    : D_(columns, 1.0),
      E_A_(equalities, 1.0),
      E_G_(layout.rows, 1.0),
      column_norm_(columns, 0.0),
      equality_norm_(equalities, 0.0),
      row_norm_(layout.rows, 0.0) {}

void ConeEquilibration::scale_matrices(const ConeLayout& layout, int passes, SparseColumns& A,
                                       SparseColumns& G) {
  std::fill(D_.begin(), D_.end(), 1.0);
  std::fill(E_A_.begin(), E_A_.end(), 1.0);
  std::fill(E_G_.begin(), E_G_.end(), 1.0);
  const auto share = [&](int offset, int dimension) {
    const auto begin = row_norm_.begin() + offset;
    std::fill_n(begin, dimension, *std::max_element(begin, begin + dimension));
  };
  for (int pass = 0; pass < passes; ++pass) {
    std::fill(equality_norm_.begin(), equality_norm_.end(), 0.0);
    std::fill(row_norm_.begin(), row_norm_.end(), 0.0);
    for (int j = 0; j < G.columns; ++j) {
      double norm = 0.0;
      for (int k = A.start[j]; k < A.start[j + 1]; ++k) {
        const double size = std::abs(A.value[k]);
        norm = std::max(norm, size);
        equality_norm_[A.row[k]] = std::max(equality_norm_[A.row[k]], size);
      }
      for (int k = G.start[j]; k < G.start[j + 1]; ++k) {
        const double size = std::abs(G.value[k]);
        norm = std::max(norm, size);
        row_norm_[G.row[k]] = std::max(row_norm_[G.row[k]], size);
      }
      column_norm_[j] = norm;
    }
    for (const auto [offset, dimension] : layout.second_order) share(offset, dimension);
    for (int offset : layout.psd4) share(offset, kPsd4Rows);
    bool changed = false;
    const auto to_factor = [&](std::vector<double>& norms, std::vector<double>& total) {
      for (std::size_t i = 0; i < norms.size(); ++i) {
        norms[i] = factor_for(norms[i]);
        total[i] *= norms[i];
        changed = changed || norms[i] != 1.0;
      }
    };
    to_factor(column_norm_, D_);
    to_factor(equality_norm_, E_A_);
    to_factor(row_norm_, E_G_);
    if (!changed) break;
    for (int j = 0; j < G.columns; ++j) {
      for (int k = A.start[j]; k < A.start[j + 1]; ++k)
        A.value[k] *= column_norm_[j] * equality_norm_[A.row[k]];
      for (int k = G.start[j]; k < G.start[j + 1]; ++k) G.value[k] *= column_norm_[j] * row_norm_[G.row[k]];
    }
  }
}

void ConeEquilibration::scale_objective(const double* c, double* c_scaled) {
  double norm = 0.0;
  for (std::size_t j = 0; j < D_.size(); ++j) norm = std::max(norm, std::abs(D_[j] * c[j]));
  kappa_c_ = inverse_power(norm);
  for (std::size_t j = 0; j < D_.size(); ++j) c_scaled[j] = kappa_c_ * D_[j] * c[j];
}

void ConeEquilibration::scale_bounds(const double* b, const double* h, double* b_scaled, double* h_scaled) {
  double norm = 0.0;
  for (std::size_t i = 0; i < E_A_.size(); ++i) norm = std::max(norm, std::abs(E_A_[i] * b[i]));
  for (std::size_t i = 0; i < E_G_.size(); ++i) norm = std::max(norm, std::abs(E_G_[i] * h[i]));
  kappa_b_ = inverse_power(norm);
  for (std::size_t i = 0; i < E_A_.size(); ++i) b_scaled[i] = kappa_b_ * E_A_[i] * b[i];
  for (std::size_t i = 0; i < E_G_.size(); ++i) h_scaled[i] = kappa_b_ * E_G_[i] * h[i];
}

}  // namespace prehend::math
