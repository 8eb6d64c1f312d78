// A compressed-column matrix with plain arrays: fixed pattern, numbers that change, products that take no
// memory.
#pragma once

#include <vector>

#include <Eigen/SparseCore>

namespace prehend::math {

struct SparseColumns {
  int rows{0}, columns{0};
  std::vector<int> start, row;  // start has columns + 1 entries
  std::vector<double> value;

  SparseColumns() = default;
  explicit SparseColumns(Eigen::SparseMatrix<double> matrix) {
    matrix.makeCompressed();
    rows = static_cast<int>(matrix.rows());
    columns = static_cast<int>(matrix.cols());
    start.assign(matrix.outerIndexPtr(), matrix.outerIndexPtr() + columns + 1);
    row.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
    value.assign(matrix.valuePtr(), matrix.valuePtr() + matrix.nonZeros());
  }

  // out = this x.
  void multiply(const double* x, double* out) const {
    for (int i = 0; i < rows; ++i) out[i] = 0.0;
    for (int j = 0; j < columns; ++j) {
      const double factor = x[j];
      for (int k = start[j]; k < start[j + 1]; ++k) out[row[k]] += value[k] * factor;
    }
  }
  // out = this' y.
  void multiply_transposed(const double* y, double* out) const {
    for (int j = 0; j < columns; ++j) {
      double sum = 0.0;
      for (int k = start[j]; k < start[j + 1]; ++k) sum += value[k] * y[row[k]];
      out[j] = sum;
    }
  }
};

}  // namespace prehend::math
