// Solves with sparse matrices of one pattern: analysed at the first, factored at each.
#pragma once

#include <memory>

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace prehend::stability {

class SparseSolves {
 public:
  SparseSolves();
  ~SparseSolves();

  // Empty where the factorisation fails. Symmetric: by L D L', else by LU.
  Eigen::VectorXd symmetric(const Eigen::SparseMatrix<double>& matrix, const Eigen::VectorXd& right);
  Eigen::VectorXd general(const Eigen::SparseMatrix<double>& matrix, const Eigen::VectorXd& right);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace prehend::stability
