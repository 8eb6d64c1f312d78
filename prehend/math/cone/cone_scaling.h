// The product cone K and its Nesterov-Todd scaling W: the linear map with W z = W^-T s = lambda, for s, z
// inside K. It makes primal and dual look alike, so one matrix serves both in each interior-point step.
//
//   orthant       W = diag(sqrt(s/z))
//   second order  W = eta [w0 w1'; w1 I + w1 w1'/(1 + w0)],  W^2 = eta^2 (2 w w' - J),  J = diag(1, -1, ..,
//   -1) PSD           W(Z) = R' Z R with R'ZR = R^-1 S R^-T diagonal
//
// Formulas: Vandenberghe 2010 (CVXOPT), sections 4 and 5. All functions run over flat arrays in the row order
// of G, and take no memory.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/math/cone_program.h>

namespace prehend::math {

// Contact forces are cones of three rows: with the dimension known to the compiler, their loops unroll.
template <class Kernel>
inline void with_dimension(int dimension, Kernel&& kernel) {
  if (dimension == 3) {
    kernel(std::integral_constant<int, 3>{});
  } else {
    kernel(dimension);
  }
}

struct SecondOrderCone {
  int offset{0};  // first row
  int dimension{0};
};

// Where each cone's rows are.
struct ConeLayout {
  explicit ConeLayout(const ConeDimensions& dimensions);

  int nonnegative{0};
  std::vector<SecondOrderCone> second_order;
  std::vector<int> psd4;  // first row of each block
  int rows{0};
  int degree{0};  // barrier parameter: one per orthant row and second-order cone, four per PSD block

  // The identity element of each cone: ones, (1,0,..), identity matrices.
  void set_identity(double* v) const;
};

class ConeScaling {
 public:
  explicit ConeScaling(const ConeLayout& layout);

  // False when s or z is not strictly inside K.
  bool update(const double* s, const double* z);

  const double* lambda() const { return lambda_.data(); }
  void apply(const double* v, double* out) const;                  // W v
  void apply_transposed(const double* v, double* out) const;       // W' v
  void apply_squared(const double* v, double* out) const;          // W'W v
  void apply_inverse_squared(const double* v, double* out) const;  // (W'W)^-1 v
  // lambda \ v: the u with lambda o u = v (o is the cone's Jordan product).
  void divide_by_lambda(const double* v, double* out) const;
  // out = u o v.
  void product(const double* u, const double* v, double* out) const;
  // Largest step t <= limit with lambda + t d in K.
  double max_step(const double* d, double limit) const;

  // The pieces of W'W and its inverse, for assembling and eliminating single cones.
  double orthant_squared(int row) const { return orthant_w_[row] * orthant_w_[row]; }
  struct SecondOrderScaling {
    double eta_squared{1.0};
    double eta{1.0};
    // Divisions and roots that several functions share.
    double inverse_one_plus_w0{0.5};
    double inverse_determinant{1.0};  // 1 / (lambda'J lambda)
    double inverse_root{1.0};         // its root
    double step_factor{0.5};          // see max_step()
  };
  const SecondOrderScaling& second_order(int cone) const { return second_order_[cone]; }
  const double* w(const SecondOrderCone& cone) const { return w_.data() + cone.offset; }
  // 10x10, column-major.
  const Eigen::Matrix<double, kPsd4Rows, kPsd4Rows>& psd_squared(int block) const {
    return psd_squared_[block];
  }
  const Eigen::Matrix<double, kPsd4Rows, kPsd4Rows>& psd_inverse_squared(int block) const {
    return psd_inverse_squared_[block];
  }

 private:
  template <class Dimension>
  bool update_second_order(const SecondOrderCone& cone, Dimension dimension, SecondOrderScaling& scaling,
                           const double* s, const double* z);
  // How far, per unit step, d leaves the block at `offset`; see max_step().
  double psd_exit(int offset, const double* d) const;
  bool update_psd(int block, const double* s, const double* z);

  const ConeLayout layout_;
  std::vector<double> orthant_w_, w_, lambda_;
  std::vector<SecondOrderScaling> second_order_;
  std::vector<Eigen::Matrix4d> psd_R_;
  std::vector<Eigen::Matrix<double, kPsd4Rows, kPsd4Rows>> psd_squared_, psd_inverse_squared_;
};

}  // namespace prehend::math
