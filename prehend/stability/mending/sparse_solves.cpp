#include <Eigen/SparseCholesky>

#include <prehend/stability/mending/sparse_solves.h>

namespace prehend::stability {

struct SparseSolves::Implementation {
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> cholesky;
  bool is_analysed{false};
};

SparseSolves::SparseSolves() : self_(std::make_unique<Implementation>()) {}
SparseSolves::~SparseSolves() = default;

Eigen::VectorXd SparseSolves::symmetric(const Eigen::SparseMatrix<double>& matrix,
                                        const Eigen::VectorXd& right) {
  auto& cholesky = self_->cholesky;
  if (!self_->is_analysed) cholesky.analyzePattern(matrix);
  self_->is_analysed = true;
  cholesky.factorize(matrix);
  return cholesky.info() == Eigen::Success ? Eigen::VectorXd(cholesky.solve(right)) : Eigen::VectorXd();
}

}  // namespace prehend::stability
