// Solves with sparse symmetric matrices of one pattern: analysed at the first, factored at each.
#pragma once

#include <memory>

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace prehend::stability {

class SparseSolves {
 public:
  SparseSolves();
  ~SparseSolves();

  // By L D L'. Empty where the factorisation fails.
  Eigen::VectorXd symmetric(const Eigen::SparseMatrix<double>& matrix, const Eigen::VectorXd& right);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace prehend::stability
