#include <algorithm>
#include <cmath>
#include <cstring>

#include <prehend/stability/statics/block_lu.h>

namespace prehend::stability {

using math::Matrix6d;

namespace {

// Six numbers as registers hold them.
typedef double Four __attribute__((vector_size(32)));
typedef double Two __attribute__((vector_size(16)));
struct Six {
  Four first;
  Two last;
};

[[gnu::always_inline]] inline void load(const double* from, Six& to) {
  std::memcpy(&to.first, from, sizeof to.first);
  std::memcpy(&to.last, from + 4, sizeof to.last);
}
[[gnu::always_inline]] inline void store(const Six& from, double* to) {
  std::memcpy(to, &from.first, sizeof from.first);
  std::memcpy(to + 4, &from.last, sizeof from.last);
}
// c -= factor a
[[gnu::always_inline]] inline void subtract(const Six& a, double factor, Six& c) {
  c.first -= a.first * factor;
  c.last -= a.last * factor;
}

// C -= A B' column by column: A stays in registers. Inlined into functions for several instruction sets.
[[gnu::always_inline]] inline void subtract_product(const Matrix6d& A, const Matrix6d& B, Matrix6d& C) {
  const double* const b = B.data();
  Six a[6];
  for (int k = 0; k < 6; ++k) load(A.data() + 6 * k, a[k]);
  for (int j = 0; j < 6; ++j) {
    double* const place = C.data() + 6 * j;
    Six c;
    load(place, c);
    for (int k = 0; k < 6; ++k) subtract(a[k], b[6 * k + j], c);
    store(c, place);
  }
}

// U := D^-1 U for the factors of a diagonal block and the transpose of U: by rows of U, six columns side by side. A library's triangular solve for any
// size takes twice as long as all the rest at this one.
[[gnu::always_inline]] inline void divide(const PivotBlock& D, Matrix6d& U_transposed) {
  const double* const lu = D.lu.data();
  double* const rows = U_transposed.data();
  Six x[6];
  for (int i = 0; i < 6; ++i) load(rows + 6 * i, x[D.place[i]]);
  for (int k = 0; k < 6; ++k) {
    for (int i = k + 1; i < 6; ++i) subtract(x[k], lu[6 * k + i], x[i]);
  }
  for (int k = 5; k >= 0; --k) {
    x[k].first *= D.inverse[k];
    x[k].last *= D.inverse[k];
    for (int i = 0; i < k; ++i) subtract(x[k], lu[6 * k + i], x[i]);
  }
  for (int i = 0; i < 6; ++i) store(x[i], rows + 6 * i);
}

struct Blocks {
  Matrix6d *diagonal, *lower, *upper;
  const PivotBlock* pivots;
};

[[gnu::always_inline]] inline void eliminate(const BlockPattern& p, int column, const Blocks& blocks) {
  for (int e = p.column_first[static_cast<std::size_t>(column)];
       e < p.column_first[static_cast<std::size_t>(column) + 1]; ++e)
    divide(blocks.pivots[column], blocks.upper[e]);
  for (int u = p.update_first[static_cast<std::size_t>(column)];
       u < p.update_first[static_cast<std::size_t>(column) + 1]; ++u) {
    const auto index = static_cast<std::size_t>(u);
    const int target = p.update_target[index], left = p.update_left[index] - p.bodies,
              right = p.update_right[index] - p.bodies;
    if (target < p.bodies) {
      subtract_product(blocks.lower[left], blocks.upper[right], blocks.diagonal[target]);
    } else {
      const int place = target - p.bodies;
      subtract_product(blocks.lower[left], blocks.upper[right], blocks.lower[place]);
      subtract_product(blocks.upper[left], blocks.lower[right], blocks.upper[place]);  // transposed
    }
  }
}

void eliminate_baseline(const BlockPattern& p, int column, const Blocks& blocks) {
  eliminate(p, column, blocks);
}

// Most of the time of a factorisation is spent here: wider registers where the processor has them (as in limit_kernel.cpp).
using Eliminate = void (*)(const BlockPattern&, int, const Blocks&);
#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void eliminate_avx2(const BlockPattern& p, int column, const Blocks& blocks) {
  eliminate(p, column, blocks);
}
Eliminate best_eliminate() { return has_wide_registers() ? eliminate_avx2 : eliminate_baseline; }
#else
Eliminate best_eliminate() { return eliminate_baseline; }
#endif

}  // namespace

bool has_wide_registers() {
#if defined(__x86_64__)
  static const bool has_them = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  }();
  return has_them;
#else
  return false;
#endif
}

bool PivotBlock::compute(const Matrix6d& block) {
  lu = block;
  double* a = lu.data();
  int from[6] = {0, 1, 2, 3, 4, 5};  // the row that stands here
  for (int k = 0; k < 6; ++k) {
    int largest = k;
    for (int i = k + 1; i < 6; ++i) {
      if (std::abs(a[6 * k + i]) > std::abs(a[6 * k + largest])) largest = i;
    }
    if (!(std::abs(a[6 * k + largest]) > 0.0)) return false;
    if (largest != k) {
      for (int j = 0; j < 6; ++j) std::swap(a[6 * j + k], a[6 * j + largest]);
      std::swap(from[k], from[largest]);
    }
    inverse[k] = 1.0 / a[7 * k];
    for (int i = k + 1; i < 6; ++i) a[6 * k + i] *= inverse[k];
    for (int j = k + 1; j < 6; ++j) {
      const double factor = a[6 * j + k];
      for (int i = k + 1; i < 6; ++i) a[6 * j + i] -= a[6 * k + i] * factor;
    }
  }
  for (int i = 0; i < 6; ++i) place[from[i]] = i;
  return true;
}

void PivotBlock::solve(double* x) const {
  const double* a = lu.data();
  double y[6];
  for (int i = 0; i < 6; ++i) y[place[i]] = x[i];
  for (int k = 0; k < 6; ++k) {
    for (int i = k + 1; i < 6; ++i) y[i] -= a[6 * k + i] * y[k];
  }
  for (int k = 5; k >= 0; --k) {
    y[k] *= inverse[k];
    for (int i = 0; i < k; ++i) y[i] -= a[6 * k + i] * y[k];
  }
  std::copy_n(y, 6, x);
}

BlockLu::BlockLu(const BlockPattern& pattern) : pattern_(&pattern) {
  diagonal_.resize(static_cast<std::size_t>(pattern.bodies));
  lower_.resize(pattern.column_row.size());
  upper_.resize(pattern.column_row.size());
  pivots_.resize(diagonal_.size());
  ordered_.resize(6 * pattern.bodies);
}

void BlockLu::set_diagonal(double value) {
  for (auto* blocks : {&diagonal_, &lower_, &upper_}) {
    if (!blocks->empty()) std::memset(blocks->front().data(), 0, blocks->size() * sizeof(Matrix6d));
  }
  for (Matrix6d& block : diagonal_) block.diagonal().setConstant(value);
}

void BlockLu::add_between(int a, int b, const Matrix6d& block) {
  const int i = a < 0 ? -1 : pattern_->position[static_cast<std::size_t>(a)];
  const int j = b < 0 ? -1 : pattern_->position[static_cast<std::size_t>(b)];
  if (i >= 0) diagonal_[static_cast<std::size_t>(i)] += block;
  if (j >= 0) diagonal_[static_cast<std::size_t>(j)] += block;
  if (i < 0 || j < 0) return;
  const int row = std::max(i, j), column = std::min(i, j);
  lower(row, column) -= block;
  upper(column, row) -= block.transpose();
}

void BlockLu::add(int body_i, int body_j, const Matrix6d& block) {
  const int i = pattern_->position[static_cast<std::size_t>(body_i)],
            j = pattern_->position[static_cast<std::size_t>(body_j)];
  if (i < j) {
    upper(i, j) += block.transpose();
  } else {
    (i == j ? diagonal_[static_cast<std::size_t>(i)] : lower(i, j)) += block;
  }
}

bool BlockLu::factor() {
  static const Eliminate eliminate_column = best_eliminate();
  const BlockPattern& p = *pattern_;
  for (int j = 0; j < p.bodies; ++j) {
    if (!pivots_[static_cast<std::size_t>(j)].compute(diagonal_[static_cast<std::size_t>(j)])) return false;
    eliminate_column(p, j, {diagonal_.data(), lower_.data(), upper_.data(), pivots_.data()});
  }
  return true;
}

void BlockLu::solve(Eigen::Ref<Eigen::VectorXd> right) const {
  const BlockPattern& p = *pattern_;
  for (int i = 0; i < p.bodies; ++i) {
    ordered_.segment<6>(6 * p.position[static_cast<std::size_t>(i)]) = right.segment<6>(6 * i);
  }
  for (int j = 0; j < p.bodies; ++j) {
    auto x = ordered_.segment<6>(6 * j);
    pivots_[static_cast<std::size_t>(j)].solve(ordered_.data() + 6 * j);
    for (int e = p.column_first[static_cast<std::size_t>(j)];
         e < p.column_first[static_cast<std::size_t>(j) + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      ordered_.segment<6>(6 * p.column_row[entry]).noalias() -= lower_[entry] * x;
    }
  }
  for (int j = p.bodies - 1; j >= 0; --j) {
    auto x = ordered_.segment<6>(6 * j);
    for (int e = p.column_first[static_cast<std::size_t>(j)];
         e < p.column_first[static_cast<std::size_t>(j) + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      x.noalias() -= upper_[entry].transpose() * ordered_.segment<6>(6 * p.column_row[entry]);
    }
  }
  for (int i = 0; i < p.bodies; ++i) {
    right.segment<6>(6 * i) = ordered_.segment<6>(6 * p.position[static_cast<std::size_t>(i)]);
  }
}

}  // namespace prehend::stability
