// Decompositions that many files use are compiled once, in decompositions_*.cpp, instead of in each of those files:
// a compiler takes one to five seconds for one of them. Nothing changes for the user of Eigen; a file that does not
// include this header compiles its own. (The build's precompiled header includes it for all rooms.)
#pragma once

#include <Eigen/Dense>

#define PREHEND_SQUARE(SIZE) Eigen::Matrix<double, SIZE, SIZE>
#define PREHEND_CHOLESKY(EXTERN, KIND, ...)                                    \
  EXTERN template Eigen::KIND<__VA_ARGS__>& Eigen::KIND<__VA_ARGS__>::compute( \
      const Eigen::EigenBase<__VA_ARGS__>&)
#define PREHEND_EIGENVALUES(EXTERN, ...)                      \
  EXTERN template Eigen::SelfAdjointEigenSolver<__VA_ARGS__>& \
  Eigen::SelfAdjointEigenSolver<__VA_ARGS__>::compute(const Eigen::EigenBase<__VA_ARGS__>&, int)
#define PREHEND_SINGULAR_VALUES(EXTERN, ...)                                                                \
  EXTERN template Eigen::JacobiSVD<__VA_ARGS__>& Eigen::JacobiSVD<__VA_ARGS__>::compute(const __VA_ARGS__&, \
                                                                                        unsigned int)

// The lists; those that share most code are compiled in one file. EXTERN is `extern` to declare, nothing to define.
#define PREHEND_SMALL_EIGENVALUES(EXTERN)       \
  PREHEND_EIGENVALUES(EXTERN, Eigen::Matrix3d); \
  PREHEND_EIGENVALUES(EXTERN, Eigen::Matrix4d); \
  PREHEND_EIGENVALUES(EXTERN, PREHEND_SQUARE(6))
#define PREHEND_LARGE_EIGENVALUES(EXTERN)          \
  PREHEND_EIGENVALUES(EXTERN, PREHEND_SQUARE(10)); \
  PREHEND_EIGENVALUES(EXTERN, Eigen::MatrixXd)
#define PREHEND_CHOLESKYS(EXTERN)                     \
  PREHEND_CHOLESKY(EXTERN, LLT, Eigen::Matrix4d);     \
  PREHEND_CHOLESKY(EXTERN, LLT, PREHEND_SQUARE(6));   \
  PREHEND_CHOLESKY(EXTERN, LLT, PREHEND_SQUARE(10));  \
  PREHEND_CHOLESKY(EXTERN, LLT, Eigen::MatrixXd);     \
  PREHEND_CHOLESKY(EXTERN, LDLT, PREHEND_SQUARE(6));  \
  PREHEND_CHOLESKY(EXTERN, LDLT, PREHEND_SQUARE(10)); \
  PREHEND_CHOLESKY(EXTERN, LDLT, Eigen::MatrixXd)
#define PREHEND_ORTHOGONAL(EXTERN)                                              \
  PREHEND_SINGULAR_VALUES(EXTERN, Eigen::Matrix3d);                             \
  PREHEND_SINGULAR_VALUES(EXTERN, Eigen::MatrixXd);                             \
  EXTERN template void Eigen::HouseholderQR<Eigen::MatrixXd>::computeInPlace(); \
  EXTERN template void Eigen::ColPivHouseholderQR<Eigen::MatrixXd>::computeInPlace()
#define PREHEND_ELIMINATION(EXTERN)                                        \
  EXTERN template void Eigen::PartialPivLU<PREHEND_SQUARE(6)>::compute();  \
  EXTERN template void Eigen::PartialPivLU<PREHEND_SQUARE(10)>::compute(); \
  EXTERN template void Eigen::PartialPivLU<Eigen::MatrixXd>::compute()

PREHEND_SMALL_EIGENVALUES(extern);
PREHEND_LARGE_EIGENVALUES(extern);
PREHEND_CHOLESKYS(extern);
PREHEND_ORTHOGONAL(extern);
PREHEND_ELIMINATION(extern);
