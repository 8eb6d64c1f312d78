// Lanes of numbers, and what one contact carries through a step of the kernel; see limit_kernel.h. Included once per
// instruction set, after kLanes is defined.
#include <prehend/stability/limit/limit_kernel.h>

namespace prehend::stability {
namespace {

typedef double V __attribute__((vector_size(8 * kLanes)));
typedef long long Mask __attribute__((vector_size(8 * kLanes)));

inline V splat(double x) { return x - V{}; }

#if defined(__AVX512F__)
// Fourteen bits from the machine, doubled twice: a third of the time of its division and square root.
inline V rough_inverse(V x) { return __builtin_ia32_rcp14pd512_mask(x, V{}, 0xff); }
inline V rough_inverse_root(V x) { return __builtin_ia32_rsqrt14pd512_mask(x, V{}, 0xff); }
inline V inverse(V x) {
  V y = rough_inverse(x);
  y += y * (1.0 - x * y);
  return y + y * (1.0 - x * y);
}
inline V inverse_root(V x) {
  V y = rough_inverse_root(x);
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

// What one contact carries through a step. Little: on large systems a step waits for memory, and what follows from these in a few operations is
// computed again.
struct Contact {
  V s[3], f[3];
  V q[3];  // the scaling point, reflected: W^-2 = e2 (2 q q' - J)
  V e2;
  V s_inverse, f_inverse;  // of the determinants
  V df[3];                 // before it is known, the quotient of the second-order term by l
};

// W of unit determinant.
struct Scaling {
  V q[3], share;

  explicit Scaling(const Contact& k) : q{k.q[0], k.q[1], k.q[2]}, share(inverse(1.0 + k.q[0])) {}
  // W f, with w = J q.
  void scaled(const V* f, V* l) const {
    const V along = -(q[1] * f[1] + q[2] * f[2]);
    const V mixed = f[0] + along * share;
    l[0] = q[0] * f[0] + along;
    l[1] = f[1] - q[1] * mixed;
    l[2] = f[2] - q[2] * mixed;
  }
  // W^-1 x.
  void unscale(const V* x, V* out) const {
    const V along = q[1] * x[1] + q[2] * x[2];
    const V mixed = x[0] + along * share;
    out[0] = q[0] * x[0] + along;
    out[1] = x[1] + q[1] * mixed;
    out[2] = x[2] + q[2] * mixed;
  }
};

// Inverse of the largest step along d that stays in the cone; at most 0 when there is no limit.
inline V step_limit(const V* x, const V* d, V x_inverse) {
  const V bend = determinant(d), slope = hyperbolic(x, d), room = determinant(x);
  // Negative by rounding alone, when d points at the tip of the cone, or when d stays in it: then slope >= 0.
  const V discriminant = larger(slope * slope - bend * room, V{});
  return (square_root(discriminant) - slope) * x_inverse;
}

struct Work {
  Contact* contacts;
  V* blocks;     // 36 per block
  V *u, *v, *x;  // 6 per body each
  V *second, *centring;
  V *z, *w;
};

}  // namespace
}  // namespace prehend::stability
