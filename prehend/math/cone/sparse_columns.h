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
};

}  // namespace prehend::math
