#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include <prehend/stability/statics/sparse_solves.h>

namespace prehend::stability {

using Eigen::SparseMatrix;
using Eigen::VectorXd;

struct SparseSolves::Implementation {
  Eigen::SimplicialLDLT<SparseMatrix<double>> cholesky;
  Eigen::SparseLU<SparseMatrix<double>> lu;
  bool cholesky_is_analysed{false}, lu_is_analysed{false};
};

SparseSolves::SparseSolves() : self_(std::make_unique<Implementation>()) {}
SparseSolves::~SparseSolves() = default;

VectorXd SparseSolves::symmetric(const SparseMatrix<double>& matrix, const VectorXd& right) {
  auto& cholesky = self_->cholesky;
  if (!self_->cholesky_is_analysed) cholesky.analyzePattern(matrix);
  self_->cholesky_is_analysed = true;
  cholesky.factorize(matrix);
  return cholesky.info() == Eigen::Success ? VectorXd(cholesky.solve(right)) : VectorXd();
}

VectorXd SparseSolves::general(const SparseMatrix<double>& matrix, const VectorXd& right) {
  auto& lu = self_->lu;
  if (!self_->lu_is_analysed) lu.analyzePattern(matrix);
  self_->lu_is_analysed = true;
  lu.factorize(matrix);
  return lu.info() == Eigen::Success ? VectorXd(lu.solve(right)) : VectorXd();
}

}  // namespace prehend::stability
