// The kernel itself, included once per instruction set; see limit_kernel.h. kLanes is defined before.
#include <prehend/stability/limit_kernel.h>

namespace prehend::stability {
namespace {

typedef double V __attribute__((vector_size(8 * kLanes)));
typedef long long Mask __attribute__((vector_size(8 * kLanes)));

inline V splat(double x) { return x - V{}; }

#if defined(__AVX512F__)
// Fourteen bits from the machine, doubled twice: a third of the time of its division and square root.
inline V inverse(V x) {
  V y = __builtin_ia32_rcp14pd512_mask(x, V{}, 0xff);
  y += y * (1.0 - x * y);
  return y + y * (1.0 - x * y);
}
inline V inverse_root(V x) {
  V y = __builtin_ia32_rsqrt14pd512_mask(x, V{}, 0xff);
  y += 0.5 * y * (1.0 - x * y * y);
  return y + 0.5 * y * (1.0 - x * y * y);
}
inline V square_root(V x) { return x * inverse_root(x + 1e-300); }
#else
inline V inverse(V x) { return 1.0 / x; }
inline V square_root(V x) {
  V root;
  for (int i = 0; i < kLanes; ++i) root[i] = __builtin_sqrt(x[i]);
  return root;
}
inline V inverse_root(V x) { return 1.0 / square_root(x); }
#endif

inline V smaller(V a, V b) { return a < b ? a : b; }
inline V larger(V a, V b) { return a > b ? a : b; }
inline V determinant(const V* x) { return x[0] * x[0] - x[1] * x[1] - x[2] * x[2]; }
inline V hyperbolic(const V* x, const V* y) { return x[0] * y[0] - x[1] * y[1] - x[2] * y[2]; }

// What one contact carries through a step.
struct Contact {
  V s[3], f[3];
  V q[3];              // the scaling point, reflected: W^-2 = e2 (2 q q' - J)
  V q_share;           // 1 / (1 + q0)
  V e2;
  V l[3];              // scaled force
  V s_inverse, f_inverse;  // of the determinants
  V c[3];              // second-order term, then its quotient by l
  V ds[3], df[3];
};

// W^-1 of unit determinant, times x.
inline void unscale(const Contact& k, const V* x, V* out) {
  const V along = k.q[1] * x[1] + k.q[2] * x[2];
  const V mixed = x[0] + along * k.q_share;
  out[0] = k.q[0] * x[0] + along;
  out[1] = x[1] + k.q[1] * mixed;
  out[2] = x[2] + k.q[2] * mixed;
}

// Inverse of the largest step along d that stays in the cone; at most 0 when there is no limit.
inline V step_limit(const V* x, const V* d, V x_inverse) {
  const V bend = determinant(d), slope = hyperbolic(x, d), room = determinant(x);
  // Negative by rounding alone, when d points at the tip of the cone, or when d stays in it: then slope >= 0.
  const V discriminant = larger(slope * slope - bend * room, V{});
  return (square_root(discriminant) - slope) * x_inverse;
}

struct Work {
  Contact* contacts;
  V* blocks;       // 36 per block
  V *u, *v, *x;    // 6 per body each
  V *z, *w;
};

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
      out[6 * i + column] = F[6 * i + column] + x[j] * F[6 * (3 + k) + column] - x[k] * F[6 * (3 + j) + column];
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
  k.q_share = inverse(1.0 + k.q[0]);
  // l = W f, with w = J q.
  const V along = -(k.q[1] * k.f[1] + k.q[2] * k.f[2]);
  const V mixed = k.f[0] + along * k.q_share;
  k.l[0] = k.q[0] * k.f[0] + along;
  k.l[1] = k.f[1] - k.q[1] * mixed;
  k.l[2] = k.f[2] - k.q[2] * mixed;
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

void factor(const LimitKernelSystem& system, V* blocks) {
  for (int j = 0; j < system.bodies; ++j) {
    V* const D = blocks + 36L * j;
    factor_block(D);
    for (int e = system.column_first[j]; e < system.column_first[j + 1]; ++e) {
      V* const A = blocks + 36L * (system.bodies + e);
      for (int r = 0; r < 6; ++r) {
        for (int c = 0; c < 6; ++c) {
          V entry = A[6 * r + c];
          for (int k = 0; k < c; ++k) entry -= A[6 * r + k] * D[6 * c + k];
          A[6 * r + c] = entry * D[7 * c];
        }
      }
    }
    for (int e = system.update_first[j]; e < system.update_first[j + 1]; ++e) {
      const V* const left = blocks + 36L * system.update_left[e];
      const V* const right = blocks + 36L * system.update_right[e];
      V* const target = blocks + 36L * system.update_target[e];
      for (int r = 0; r < 6; ++r) {
        for (int c = 0; c < 6; ++c) {
          V entry = target[6 * r + c];
          for (int k = 0; k < 6; ++k) entry -= left[6 * r + k] * right[6 * c + k];
          target[6 * r + c] = entry;
        }
      }
    }
  }
}

template <int Count>
void solve(const LimitKernelSystem& system, const V* blocks, V* const* rhs) {
  for (int j = 0; j < system.bodies; ++j) {
    const V* const D = blocks + 36L * j;
    for (int n = 0; n < Count; ++n) {
      V* const x = rhs[n] + 6 * j;
      for (int i = 0; i < 6; ++i) {
        V entry = x[i];
        for (int k = 0; k < i; ++k) entry -= D[6 * i + k] * x[k];
        x[i] = entry * D[7 * i];
      }
    }
    for (int e = system.column_first[j]; e < system.column_first[j + 1]; ++e) {
      const V* const L = blocks + 36L * (system.bodies + e);
      for (int n = 0; n < Count; ++n) {
        const V* const x = rhs[n] + 6 * j;
        V* const target = rhs[n] + 6 * system.column_row[e];
        for (int r = 0; r < 6; ++r) {
          V entry = target[r];
          for (int k = 0; k < 6; ++k) entry -= L[6 * r + k] * x[k];
          target[r] = entry;
        }
      }
    }
  }
  for (int j = system.bodies - 1; j >= 0; --j) {
    const V* const D = blocks + 36L * j;
    for (int e = system.column_first[j]; e < system.column_first[j + 1]; ++e) {
      const V* const L = blocks + 36L * (system.bodies + e);
      for (int n = 0; n < Count; ++n) {
        V* const x = rhs[n] + 6 * j;
        const V* const source = rhs[n] + 6 * system.column_row[e];
        for (int k = 0; k < 6; ++k) {
          V entry = x[k];
          for (int r = 0; r < 6; ++r) entry -= L[6 * r + k] * source[r];
          x[k] = entry;
        }
      }
    }
    for (int n = 0; n < Count; ++n) {
      V* const x = rhs[n] + 6 * j;
      for (int i = 5; i >= 0; --i) {
        V entry = x[i];
        for (int k = i + 1; k < 6; ++k) entry -= D[6 * k + i] * x[k];
        x[i] = entry * D[7 * i];
      }
    }
  }
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

// f = t f0 + df with S'df = -w, as small as the metric of the centre allows; t leaves it well inside. Returns y = t.
V start(const LimitKernelSystem& system, Work& work) {
  const int n = 6 * system.bodies;
  for (int i = 0; i < n; ++i) work.z[i] = splat(system.centre_motion[i]);
  for (int i = 0; i < n; ++i) work.u[i] = work.w[i];
  for (long i = 0; i < 36L * system.blocks; ++i) work.blocks[i] = splat(system.centre_factor[i]);
  V* const rhs[1] = {work.u};
  solve<1>(system, work.blocks, rhs);
  V limit{};
  for (int p = 0; p < system.pairs; ++p) {
    V twist[6];
    load_twist(system, p, work.u, twist);
    for (int k = system.pair_first[p]; k < system.pair_first[p + 1]; ++k) {
      Contact& contact = work.contacts[k];
      for (int i = 0; i < 3; ++i) {
        contact.s[i] = splat(system.centre_velocity[3 * k + i]);
        contact.f[i] = splat(system.centre_force[3 * k + i]);
      }
      scale_contact(contact);
      V velocity[3], half[3];
      apply(system.T + 18L * k, twist, velocity);
      unscale(contact, velocity, half);
      unscale(contact, half, contact.df);
      for (V& entry : contact.df) entry *= -contact.e2;
      limit = larger(limit, step_limit(contact.f, contact.df, contact.f_inverse));
    }
  }
  const V t = 1.5 * limit + 1e-12;  // a load of zero stays strictly inside
  for (int k = 0; k < system.contacts; ++k) {
    Contact& contact = work.contacts[k];
    for (int i = 0; i < 3; ++i) contact.f[i] = t * contact.f[i] + contact.df[i];
  }
  return t;
}

// Predictor: directions if there were no second-order term; leaves that term in c. Returns the step limits' inverses.
void predict(const LimitKernelSystem& system, Work& work, const V* dz, V& primal, V& dual) {
  primal = dual = V{};
  for (int p = 0; p < system.pairs; ++p) {
    V twist[6];
    load_twist(system, p, dz, twist);
    for (int k = system.pair_first[p]; k < system.pair_first[p + 1]; ++k) {
      Contact& contact = work.contacts[k];
      V ds[3], sigma[3], phi[3], df[3];
      apply(system.T + 18L * k, twist, ds);
      unscale(contact, ds, sigma);
      for (int i = 0; i < 3; ++i) phi[i] = -contact.l[i] - contact.e2 * sigma[i];
      unscale(contact, phi, df);
      primal = larger(primal, step_limit(contact.s, ds, contact.s_inverse));
      dual = larger(dual, step_limit(contact.f, df, contact.f_inverse));
      contact.c[0] = sigma[0] * phi[0] + sigma[1] * phi[1] + sigma[2] * phi[2];
      contact.c[1] = sigma[0] * phi[1] + phi[0] * sigma[1];
      contact.c[2] = sigma[0] * phi[2] + phi[0] * sigma[2];
    }
  }
}

// The right-hand side of the correction: -S' e2 W^-1 (l \ (c - tau e)).
void correct(const LimitKernelSystem& system, Work& work, V tau, V* rhs) {
  for (int i = 0; i < 6 * system.bodies; ++i) rhs[i] = V{};
  for (int p = 0; p < system.pairs; ++p) {
    V wrench[6];
    for (V& entry : wrench) entry = V{};
    for (int k = system.pair_first[p]; k < system.pair_first[p + 1]; ++k) {
      Contact& contact = work.contacts[k];
      const V* l = contact.l;
      V* c = contact.c;
      const V head = c[0] - tau;
      // det l = det f, because W has determinant one here.
      const V first = (l[0] * head - l[1] * c[1] - l[2] * c[2]) * contact.f_inverse;
      const V head_inverse = inverse(l[0]);
      c[1] = (c[1] - first * l[1]) * head_inverse;
      c[2] = (c[2] - first * l[2]) * head_inverse;
      c[0] = first;
      V h[3];
      unscale(contact, c, h);
      const double* T = system.T + 18L * k;
      for (V& entry : h) entry *= contact.e2;
      for (int i = 0; i < 6; ++i) wrench[i] += T[i] * h[0] + T[6 + i] * h[1] + T[12 + i] * h[2];
    }
    add_wrench(system, p, wrench, -1.0, rhs);
  }
}

void directions(const LimitKernelSystem& system, Work& work, const V* dz, V& primal, V& dual) {
  primal = dual = V{};
  for (int p = 0; p < system.pairs; ++p) {
    V twist[6];
    load_twist(system, p, dz, twist);
    for (int k = system.pair_first[p]; k < system.pair_first[p + 1]; ++k) {
      Contact& contact = work.contacts[k];
      V sigma[3], phi[3];
      apply(system.T + 18L * k, twist, contact.ds);
      unscale(contact, contact.ds, sigma);
      for (int i = 0; i < 3; ++i) phi[i] = -contact.l[i] - contact.e2 * (contact.c[i] + sigma[i]);
      unscale(contact, phi, contact.df);
      primal = larger(primal, step_limit(contact.s, contact.ds, contact.s_inverse));
      dual = larger(dual, step_limit(contact.f, contact.df, contact.f_inverse));
    }
  }
}

inline V step_of(V inverse, double fraction) {
  // No limit, or one beyond the full step.
  const V limited = fraction / larger(inverse, splat(fraction));
  return limited;
}

// Takes out what rounding left of w + y g + S'f in some lanes, by the smallest change in the metric of the last step.
void balance(const LimitKernelSystem& system, Work& work, V y, Mask lanes) {
  for (int i = 0; i < 6 * system.bodies; ++i) work.x[i] = work.w[i] + y * system.g[i];
  for (int p = 0; p < system.pairs; ++p) {
    V wrench[6];
    for (V& entry : wrench) entry = V{};
    for (int k = system.pair_first[p]; k < system.pair_first[p + 1]; ++k) {
      const V* f = work.contacts[k].f;
      const double* T = system.T + 18L * k;
      for (int i = 0; i < 6; ++i) wrench[i] += T[i] * f[0] + T[6 + i] * f[1] + T[12 + i] * f[2];
    }
    add_wrench(system, p, wrench, 1.0, work.x);
  }
  V* const rhs[1] = {work.x};
  solve<1>(system, work.blocks, rhs);
  for (int p = 0; p < system.pairs; ++p) {
    V twist[6];
    load_twist(system, p, work.x, twist);
    for (int k = system.pair_first[p]; k < system.pair_first[p + 1]; ++k) {
      Contact& contact = work.contacts[k];
      V velocity[3], half[3], change[3];
      apply(system.T + 18L * k, twist, velocity);
      unscale(contact, velocity, half);
      unscale(contact, half, change);
      for (int i = 0; i < 3; ++i) contact.f[i] = lanes ? contact.f[i] - contact.e2 * change[i] : contact.f[i];
    }
  }
}

void run(const LimitKernelSystem& system, LimitKernelBatch& batch, double* scratch) {
  const int n = 6 * system.bodies;
  Work work;
  V* memory = reinterpret_cast<V*>(scratch);
  work.contacts = reinterpret_cast<Contact*>(memory);
  memory += static_cast<long>(sizeof(Contact) / sizeof(V)) * system.contacts;
  work.blocks = memory;
  memory += 36L * system.blocks;
  work.u = memory;
  work.v = memory + n;
  work.x = memory + 2L * n;
  work.z = reinterpret_cast<V*>(batch.z);
  work.w = const_cast<V*>(reinterpret_cast<const V*>(batch.w));
  const V cap = *reinterpret_cast<const V*>(batch.cap);

  V y = start(system, work);
  V low = dot(system, work.w, work.z);
  for (int lane = 0; lane < kLanes; ++lane) batch.status[lane] = LaneStatus::running;
  Mask active = V{} == V{};
  for (batch.iterations = 0; batch.iterations < batch.max_iterations; ++batch.iterations) {
    bool any = false, any_done = false;
    Mask done = V{} != V{};
    for (int lane = 0; lane < kLanes; ++lane) {
      if (batch.status[lane] != LaneStatus::running) continue;
      const double gap = y[lane] - low[lane];
      if (y[lane] <= cap[lane]) {
        batch.status[lane] = LaneStatus::unbounded;
      } else if (gap <= batch.accuracy * y[lane]) {
        batch.status[lane] = LaneStatus::converged;
      } else if (!(gap < 1e300)) {
        batch.status[lane] = LaneStatus::failed;
      } else {
        any = true;
        continue;
      }
      active[lane] = 0;
      done[lane] = -1;
      any_done = true;
    }
    // Now, while the matrix is that of the step which led here: at the solution itself it may be singular.
    if (any_done && batch.iterations > 0) balance(system, work, y, done);
    if (!any) break;
    assemble(system, work);
    factor(system, work.blocks);
    for (int i = 0; i < n; ++i) {
      work.u[i] = work.w[i];
      work.v[i] = splat(system.g[i]);
    }
    V* const rhs[2] = {work.u, work.v};
    solve<2>(system, work.blocks, rhs);
    const V gu = dot_g(system, work.u), gv = dot_g(system, work.v);
    V target = -gu / gv;
    for (int i = 0; i < n; ++i) work.x[i] = work.u[i] + target * work.v[i];
    V primal, dual;
    predict(system, work, work.x, primal, dual);
    V step_primal = step_of(primal, 1.0), step_dual = step_of(dual, 1.0);
    const V gap = y - low;
    const V gap_after = gap + step_dual * (target - y) - step_primal * dot(system, work.w, work.x);
    const V ratio = larger(gap_after / gap, V{});
    correct(system, work, ratio * ratio * ratio * gap * (1.0 / system.contacts), work.x);
    V* const correction[1] = {work.x};
    solve<1>(system, work.blocks, correction);
    target = -(gu + dot_g(system, work.x)) / gv;
    for (int i = 0; i < n; ++i) work.x[i] += work.u[i] + target * work.v[i];
    directions(system, work, work.x, primal, dual);
    step_primal = step_of(primal, 0.98);
    step_dual = step_of(dual, 0.98);
    // Lanes that are done stay as they are, also where their directions are not numbers any more; a lane that loses its
    // way keeps the bounds it has.
    for (int lane = 0; lane < kLanes; ++lane) {
      if (active[lane] && !(target[lane] == target[lane])) {
        batch.status[lane] = LaneStatus::failed;
        active[lane] = 0;
      }
    }
    for (int i = 0; i < n; ++i) work.z[i] = active ? work.z[i] + step_primal * work.x[i] : work.z[i];
    for (int k = 0; k < system.contacts; ++k) {
      Contact& contact = work.contacts[k];
      for (int i = 0; i < 3; ++i) {
        contact.s[i] = active ? contact.s[i] + step_primal * contact.ds[i] : contact.s[i];
        contact.f[i] = active ? contact.f[i] + step_dual * contact.df[i] : contact.f[i];
      }
    }
    y = active ? y + step_dual * (target - y) : y;
    low = active ? low + step_primal * dot(system, work.w, work.x) : low;
  }
  V* const forces = reinterpret_cast<V*>(batch.f);
  for (int k = 0; k < system.contacts; ++k) {
    for (int i = 0; i < 3; ++i) forces[3 * k + i] = work.contacts[k].f[i];
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    batch.low[lane] = low[lane];
    batch.high[lane] = y[lane];
    if (batch.status[lane] == LaneStatus::running) batch.status[lane] = LaneStatus::failed;
  }
}

long scratch(const LimitKernelSystem& system) {
  return kLanes * (static_cast<long>(sizeof(Contact) / sizeof(V)) * system.contacts + 36L * system.blocks +
                   18L * system.bodies);
}

}  // namespace
}  // namespace prehend::stability
