// A small strictly convex quadratic program, solved without allocation: min 1/2 x'Hx + g'x, subject to A x >= b.
//
// The dual active-set method of Goldfarb and Idnani (1983): it begins at the unconstrained minimum and adds the most violated row until
// none is left, so its cost follows the number of active rows (few, in a controller). The answer is checked before it is called solved: rows and
// multipliers are recomputed. Sizes are fixed: kMaxFreedoms variables, kMaxRows rows.
#pragma once

#include <array>

#include <prehend/assist/robot/robot_model.h>

namespace prehend::assist {

inline constexpr int kMaxRows = 512;

enum class ProgramStatus { unsolved, solved, infeasible };
const char* to_string(ProgramStatus status);

class SmallProgram {
 public:
  static constexpr int kStride = kMaxFreedoms + 1;

  // H zero, g zero, no rows.
  void clear(int variables);
  int variables() const { return n_; }
  int rows() const { return m_; }

  double& H(int i, int j) { return hessian_[index(i, j)]; }  // both triangles are read
  double& g(int i) { return gradient_[static_cast<std::size_t>(i)]; }
  // A new row, all zeros; its coefficients are written through the pointer. Null where there is no room.
  double* add_row(double bound);
  double& bound(int row) { return bounds_[static_cast<std::size_t>(row)]; }
  const double* row(int k) const { return &rows_[static_cast<std::size_t>(k) * kStride]; }

  ProgramStatus solve();
  const double* x() const { return x_.data(); }
  int active() const { return q_; }
  int steps() const { return steps_; }

 private:
  static std::size_t index(int i, int j) {
    return static_cast<std::size_t>(i) * kStride + static_cast<std::size_t>(j);
  }
  bool factorise();
  void unconstrained_minimum();
  int most_violated() const;
  void directions(const double* normal);
  bool add_active(int row);
  void drop_active(int position);
  void refine();
  bool is_optimal() const;

  int n_{0}, m_{0}, q_{0}, steps_{0};
  std::array<double, kMaxFreedoms * kStride> hessian_{}, L_{}, J_{}, R_{};
  std::array<double, kMaxFreedoms> gradient_{}, x_{}, d_{}, z_{}, r_{};
  std::array<double, kMaxRows * kStride> rows_{};
  std::array<double, kMaxRows> bounds_{}, norms_{};
  std::array<double, kMaxFreedoms + 1> u_{};
  std::array<int, kMaxFreedoms + 1> active_{};
  std::array<bool, kMaxRows> is_active_{};
};

}  // namespace prehend::assist
