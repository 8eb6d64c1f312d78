// Scaling of a cone program to numbers near one, so that tolerances and regularisation mean the same for
// grams and tonnes: A^ = E_A A D, G^ = E_G G D (Ruiz 2001, infinity norm), c^ = kappa_c D c, b^ = kappa_b E_A
// b, h^ = kappa_b E_G h. Rows of one second-order cone or PSD block share their factor, so the cone is
// preserved. Factors are powers of two: scaling back and forth rounds nothing.
#pragma once

#include <vector>

#include <prehend/math/cone/cone_scaling.h>
#include <prehend/math/cone/sparse_columns.h>

namespace prehend::math {

class ConeEquilibration {
 public:
  ConeEquilibration(const ConeLayout& layout, int columns, int equalities);

  // Finds the factors and scales both matrices in place.
  void scale_matrices(const ConeLayout& layout, int passes, SparseColumns& A, SparseColumns& G);
  // kappa_c and kappa_b: the scaled vectors have largest entry near one, unless they vanish.
  void scale_objective(const double* c, double* c_scaled);
  void scale_bounds(const double* b, const double* h, double* b_scaled, double* h_scaled);

  double column(int j) const { return D_[j]; }
  double equality(int i) const { return E_A_[i]; }
  double row(int i) const { return E_G_[i]; }
  double kappa_c() const { return kappa_c_; }
  double kappa_b() const { return kappa_b_; }

 private:
  std::vector<double> D_, E_A_, E_G_, column_norm_, equality_norm_, row_norm_;
  double kappa_c_{1.0}, kappa_b_{1.0};
};

}  // namespace prehend::math
