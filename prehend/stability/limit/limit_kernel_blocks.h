// The matrix of a step, by 6x6 blocks: assembled from contacts, factored, solved; see limit_kernel.h.
//
// M = sum over contacts of T_k' W_k^-2 T_k couples bodies that touch. Each pair's weight is summed about the middle of its
// contacts and then carried over to the bodies' own reference points: about one common point, the levers of a wide scene
// would drown the terms of a small body.
#include <prehend/stability/limit/limit_kernel_lanes.h>

namespace prehend::stability {
namespace {

// Twist of b against a, about the pair's own origin.
inline void load_twist(const LimitKernelSystem& system, int pair, const V* motion, V* twist) {
  for (int i = 0; i < 6; ++i) twist[i] = V{};
  const int sides[2] = {system.pair_a[pair], system.pair_b[pair]};
  for (int side = 0; side < 2; ++side) {
    if (sides[side] < 0) continue;
    const double sign = side == 0 ? -1.0 : 1.0;
    const double* r = system.pair_shift + 6L * pair + 3 * side;
    const V* z = motion + 6 * sides[side];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      twist[i] += sign * z[i];
      twist[3 + i] += sign * (z[3 + i] + z[j] * r[k] - z[k] * r[j]);
    }
  }
}

// Adds a wrench about the pair's origin to both bodies: as it is to b, reversed to a.
inline void add_wrench(const LimitKernelSystem& system, int pair, const V* wrench, double factor, V* load) {
  const int sides[2] = {system.pair_a[pair], system.pair_b[pair]};
  for (int side = 0; side < 2; ++side) {
    if (sides[side] < 0) continue;
    const double sign = side == 0 ? -factor : factor;
    const double* r = system.pair_shift + 6L * pair + 3 * side;
    V* w = load + 6 * sides[side];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      w[i] += sign * (wrench[i] + r[j] * wrench[3 + k] - r[k] * wrench[3 + j]);
      w[3 + i] += sign * wrench[3 + i];
    }
  }
}

// out = X' E Y for the shifts x, y from two bodies' reference points to the pair's origin; E symmetric, all 6x6.
inline void shift_block(const V* E, const double* x, const double* y, V* out) {
  V F[36];  // E Y: columns of the angular part gain y x (linear part)
  for (int row = 0; row < 6; ++row) {
    const V* e = E + 6 * row;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      F[6 * row + i] = e[i] + y[j] * e[3 + k] - y[k] * e[3 + j];
      F[6 * row + 3 + i] = e[3 + i];
    }
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int column = 0; column < 6; ++column) {
      out[6 * i + column] =
          F[6 * i + column] + x[j] * F[6 * (3 + k) + column] - x[k] * F[6 * (3 + j) + column];
      out[6 * (3 + i) + column] = F[6 * (3 + i) + column];
    }
  }
}

inline void apply(const double* T, const V* twist, V* velocity) {
  for (int r = 0; r < 3; ++r) {
    V sum = T[6 * r] * twist[0];
    for (int i = 1; i < 6; ++i) sum += T[6 * r + i] * twist[i];
    velocity[r] = sum;
  }
}

void scale_contact(Contact& k) {
  const V det_s = determinant(k.s), det_f = determinant(k.f);
  const V rs = inverse_root(det_s), rf = inverse_root(det_f);
  k.s_inverse = rs * rs;
  k.f_inverse = rf * rf;
  k.e2 = det_f * rf * rs;
  const V dot = (k.s[0] * k.f[0] + k.s[1] * k.f[1] + k.s[2] * k.f[2]) * (rs * rf);
  const V half = inverse_root(2.0 + 2.0 * dot);
  // w = (s/|s| + J f/|f|) / 2 gamma, q = J w.
  k.q[0] = (k.s[0] * rs + k.f[0] * rf) * half;
  k.q[1] = (k.f[1] * rf - k.s[1] * rs) * half;
  k.q[2] = (k.f[2] * rf - k.s[2] * rs) * half;
}

void assemble(const LimitKernelSystem& system, Work& work) {
  V* const blocks = work.blocks;
  for (long i = 0; i < 36L * system.blocks; ++i) blocks[i] = V{};
  for (int p = 0; p < system.pairs; ++p) {
    V sum[21];
    for (V& entry : sum) entry = V{};
    for (int k = system.pair_first[p]; k < system.pair_first[p + 1]; ++k) {
      Contact& contact = work.contacts[k];
      scale_contact(contact);
      const double* T = system.T + 18L * k;
      const double* C = system.C + 21L * k;
      V a[6], twice[6];
      for (int i = 0; i < 6; ++i) {
        a[i] = T[i] * contact.q[0] + T[6 + i] * contact.q[1] + T[12 + i] * contact.q[2];
        twice[i] = 2.0 * contact.e2 * a[i];
      }
      for (int i = 0, at = 0; i < 6; ++i) {
        for (int j = 0; j <= i; ++j, ++at) sum[at] += twice[i] * a[j] - contact.e2 * C[at];
      }
    }
    V full[36], shifted[36];
    for (int i = 0, at = 0; i < 6; ++i) {
      for (int j = 0; j <= i; ++j, ++at) full[6 * i + j] = full[6 * j + i] = sum[at];
    }
    const double* shift = system.pair_shift + 6L * p;
    const int sides[2] = {system.pair_a[p], system.pair_b[p]};
    for (int side = 0; side < 2; ++side) {
      if (sides[side] < 0) continue;
      shift_block(full, shift + 3 * side, shift + 3 * side, shifted);
      for (int i = 0; i < 36; ++i) blocks[36L * sides[side] + i] += shifted[i];
    }
    if (system.pair_block[p] < 0) continue;
    // The block's row is the body that is eliminated later.
    const int row = sides[0] > sides[1] ? 0 : 1;
    shift_block(full, shift + 3 * row, shift + 3 * (1 - row), shifted);
    V* const block = blocks + 36L * system.pair_block[p];
    for (int i = 0; i < 36; ++i) block[i] -= shifted[i];
  }
}

// Cholesky of one 6x6 block, lower triangle; the diagonal keeps the inverses.
inline void factor_block(V* A) {
  for (int j = 0; j < 6; ++j) {
    V diagonal = A[7 * j];
    for (int k = 0; k < j; ++k) diagonal -= A[6 * j + k] * A[6 * j + k];
    const V pivot = inverse_root(diagonal);
    A[7 * j] = pivot;
    for (int i = j + 1; i < 6; ++i) {
      V entry = A[6 * i + j];
      for (int k = 0; k < j; ++k) entry -= A[6 * i + k] * A[6 * j + k];
      A[6 * i + j] = entry * pivot;
    }
  }
}

// A := A L^-T for the factor L of a diagonal block, six rows side by side.
inline void divide_block(const V* __restrict L, V* __restrict A) {
  for (int c = 0; c < 6; ++c) {
    V entry[6];
    for (int r = 0; r < 6; ++r) entry[r] = A[6 * r + c];
    for (int k = 0; k < c; ++k) {
      for (int r = 0; r < 6; ++r) entry[r] -= A[6 * r + k] * L[6 * c + k];
    }
    for (int r = 0; r < 6; ++r) A[6 * r + c] = entry[r] * L[7 * c];
  }
}

// Columns with the same rows below them. Rows are numbered from the panel's first column on: first those of the panel itself.
struct Panel {
  int first, width, rows;
  V* blocks;
  long column[kWidestPanel];

  Panel(const LimitKernelSystem& system, V* all, int panel)
      : first(system.panel_first[panel]), width(system.panel_first[panel + 1] - first), blocks(all) {
    const int last = first + width - 1;
    rows = system.column_first[last + 1] - system.column_first[last];
    for (int a = 0; a < width; ++a) column[a] = system.bodies + system.column_first[first + a] - a - 1;
  }
  V* diagonal(int a) const { return blocks + 36L * (first + a); }
  V* block(int row, int a) const { return blocks + 36L * (column[a] + row); }  // row > a
};

// target -= sum over the first `columns` columns of L(row, a) L(other, a)', two rows of the block at a time: their twelve sums stay in registers.
inline void subtract_products(const Panel& panel, int columns, int row, int other, V* __restrict target) {
  for (int r = 0; r < 6; r += 2) {
    V upper[6], lower[6];
    for (int c = 0; c < 6; ++c) {
      upper[c] = target[6 * r + c];
      lower[c] = target[6 * r + 6 + c];
    }
    for (int a = 0; a < columns; ++a) {
      const V* const left = panel.block(row, a) + 6 * r;
      const V* const right = panel.block(other, a);
      for (int k = 0; k < 6; ++k) {
        const V first = left[k], second = left[6 + k];
        for (int c = 0; c < 6; ++c) {
          const V entry = right[6 * c + k];
          upper[c] -= first * entry;
          lower[c] -= second * entry;
        }
      }
    }
    for (int c = 0; c < 6; ++c) {
      target[6 * r + c] = upper[c];
      target[6 * r + 6 + c] = lower[c];
    }
  }
}

// The same for row = other, of which the target's lower triangle is all that is used.
inline void subtract_squares(const Panel& panel, int columns, int row, V* __restrict target) {
  for (int r = 0; r < 6; r += 2) {
    V upper[6], lower[6];
    for (int c = 0; c < r + 2; ++c) {
      upper[c] = target[6 * r + c];
      lower[c] = target[6 * r + 6 + c];
    }
    for (int a = 0; a < columns; ++a) {
      const V* const factor = panel.block(row, a);
      for (int k = 0; k < 6; ++k) {
        const V first = factor[6 * r + k], second = factor[6 * r + 6 + k];
        for (int c = 0; c < r + 2; ++c) {
          const V entry = factor[6 * c + k];
          upper[c] -= first * entry;
          lower[c] -= second * entry;
        }
      }
    }
    for (int c = 0; c < r + 2; ++c) {
      target[6 * r + c] = upper[c];
      target[6 * r + 6 + c] = lower[c];
    }
  }
}

// Of column j in a forward substitution, by a factor of numbers (the same in all lanes) or of lanes.
template <int Count, class Entry>
inline void solve_column(const LimitKernelSystem& system, const Entry* blocks, int j, V* const* rhs) {
  const Entry* const D = blocks + 36L * j;
  V x[Count][6];
  for (int n = 0; n < Count; ++n) {
    for (int i = 0; i < 6; ++i) {
      V entry = rhs[n][6 * j + i];
      for (int k = 0; k < i; ++k) entry -= D[6 * i + k] * x[n][k];
      x[n][i] = entry * D[7 * i];
    }
    for (int i = 0; i < 6; ++i) rhs[n][6 * j + i] = x[n][i];
  }
  for (int e = system.column_first[j]; e < system.column_first[j + 1]; ++e) {
    const Entry* const L = blocks + 36L * (system.bodies + e);
    for (int n = 0; n < Count; ++n) {
      V* const target = rhs[n] + 6 * system.column_row[e];
      for (int r = 0; r < 6; ++r) {
        V entry = target[r];
        for (int k = 0; k < 6; ++k) entry -= L[6 * r + k] * x[n][k];
        target[r] = entry;
      }
    }
  }
}

// Takes the columns before a of the panel out of column a, and divides it by the factor of its diagonal block.
void factor_column(const Panel& panel, int a) {
  V* const D = panel.diagonal(a);
  if (a > 0) subtract_squares(panel, a, a, D);
  factor_block(D);
  for (int row = a + 1; row < panel.width + panel.rows; ++row) {
    V* const block = panel.block(row, a);
    if (a > 0) subtract_products(panel, a, row, a, block);
    divide_block(D, block);
  }
}

// Takes the panel out of later columns.
void subtract_panel(const Panel& panel, const int* target) {
  for (int k = panel.width; k < panel.width + panel.rows; ++k) {
    subtract_squares(panel, panel.width, k, panel.blocks + 36L * *target++);
    for (int row = k + 1; row < panel.width + panel.rows; ++row)
      subtract_products(panel, panel.width, row, k, panel.blocks + 36L * *target++);
  }
}

// Factors, and substitutes forward column by column while each is at hand: memory, not arithmetic, is what large systems cost.
template <int Count>
void factor(const LimitKernelSystem& system, V* blocks, V* const* rhs) {
  for (int p = 0; p < system.panels; ++p) {
    const Panel panel(system, blocks, p);
    for (int a = 0; a < panel.width; ++a) {
      factor_column(panel, a);
      solve_column<Count>(system, blocks, panel.first + a, rhs);
    }
    subtract_panel(panel, system.outer_target + system.outer_first[p]);
  }
}

template <int Count, class Entry>
void solve_backward(const LimitKernelSystem& system, const Entry* blocks, V* const* rhs) {
  for (int j = system.bodies - 1; j >= 0; --j) {
    const Entry* const D = blocks + 36L * j;
    V x[Count][6];
    for (int n = 0; n < Count; ++n) {
      for (int i = 0; i < 6; ++i) x[n][i] = rhs[n][6 * j + i];
    }
    for (int e = system.column_first[j]; e < system.column_first[j + 1]; ++e) {
      const Entry* const L = blocks + 36L * (system.bodies + e);
      for (int n = 0; n < Count; ++n) {
        const V* const source = rhs[n] + 6 * system.column_row[e];
        for (int r = 0; r < 6; ++r) {
          const V from = source[r];
          for (int k = 0; k < 6; ++k) x[n][k] -= L[6 * r + k] * from;
        }
      }
    }
    for (int n = 0; n < Count; ++n) {
      for (int i = 5; i >= 0; --i) {
        V entry = x[n][i];
        for (int k = i + 1; k < 6; ++k) entry -= D[6 * k + i] * x[n][k];
        x[n][i] = entry * D[7 * i];
      }
      for (int i = 0; i < 6; ++i) rhs[n][6 * j + i] = x[n][i];
    }
  }
}

template <int Count, class Entry>
void solve(const LimitKernelSystem& system, const Entry* blocks, V* const* rhs) {
  for (int j = 0; j < system.bodies; ++j) solve_column<Count>(system, blocks, j, rhs);
  solve_backward<Count>(system, blocks, rhs);
}

inline V dot_g(const LimitKernelSystem& system, const V* x) {
  V sum{};
  for (int i = 0; i < 6 * system.bodies; ++i) sum += system.g[i] * x[i];
  return sum;
}
inline V dot(const LimitKernelSystem& system, const V* x, const V* y) {
  V sum{};
  for (int i = 0; i < 6 * system.bodies; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace
}  // namespace prehend::stability
