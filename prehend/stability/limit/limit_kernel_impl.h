// The path from the centre to the limit, included once per instruction set; see limit_kernel.h. kLanes is defined before.
#include <prehend/stability/limit/limit_kernel_blocks.h>

namespace prehend::stability {
namespace {

// f = t f0 + df with S'df = -w, as small as the metric of the centre allows; t leaves it well inside. Returns y = t.
V start(const LimitKernelSystem& system, Work& work) {
  const int n = 6 * system.bodies;
  for (int i = 0; i < n; ++i) work.z[i] = splat(system.centre_motion[i]);
  for (int i = 0; i < n; ++i) work.u[i] = work.w[i];
  V* const rhs[1] = {work.u};
  solve<1>(system, system.centre_factor, rhs);
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

// w + y g + S'f, into x.
void find_residual(const LimitKernelSystem& system, Work& work, V y) {
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
}

// f := f - W^-2 S x in some lanes.
void change_forces(const LimitKernelSystem& system, Work& work, Mask lanes) {
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

// Takes out what rounding left of w + y g + S'f in some lanes, by the smallest change in the metric of the last step.
void balance(const LimitKernelSystem& system, Work& work, V y, Mask lanes) {
  find_residual(system, work, y);
  V* const rhs[1] = {work.x};
  solve<1>(system, work.blocks, rhs);
  change_forces(system, work, lanes);
}

Work lay_out(const LimitKernelSystem& system, const LimitKernelBatch& batch, double* scratch) {
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
  return work;
}

// Of 1/R in every lane, and which lanes still run.
struct Bounds {
  V low, high;
  Mask active;
};

// Ends the lanes that have their answer, or lost it; true when others still run. `done`: those that ended now.
bool retire_lanes(V cap, LimitKernelBatch& batch, Bounds& bounds, Mask& done, bool& any_done) {
  bool any = false;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (batch.status[lane] != LaneStatus::running) continue;
    const double gap = bounds.high[lane] - bounds.low[lane];
    if (bounds.high[lane] <= cap[lane]) {
      batch.status[lane] = LaneStatus::unbounded;
    } else if (gap <= batch.accuracy * bounds.high[lane]) {
      batch.status[lane] = LaneStatus::converged;
    } else if (!(gap < 1e300)) {
      batch.status[lane] = LaneStatus::failed;
    } else {
      any = true;
      continue;
    }
    bounds.active[lane] = 0;
    done[lane] = -1;
    any_done = true;
  }
  return any;
}

// One step of the interior-point method: predictor, corrector, and both bounds.
void advance(const LimitKernelSystem& system, LimitKernelBatch& batch, Work& work, Bounds& bounds) {
  const int n = 6 * system.bodies;
  const V y = bounds.high, low = bounds.low;
  Mask& active = bounds.active;
  assemble(system, work);
  for (int i = 0; i < n; ++i) {
    work.u[i] = work.w[i];
    work.v[i] = splat(system.g[i]);
  }
  V* const rhs[2] = {work.u, work.v};
  factor<2>(system, work.blocks, rhs);
  solve_backward<2>(system, work.blocks, rhs);
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
  bounds.high = active ? y + step_dual * (target - y) : y;
  bounds.low = active ? low + step_primal * dot(system, work.w, work.x) : low;
}

// See LimitKernelBatch::only_prove.
void prove(const LimitKernelSystem& system, LimitKernelBatch& batch, Work& work, const Bounds& bounds) {
  constexpr double kBalanced = 1e-9;  // [loads] left unbalanced: rounding
  const V* const forces = reinterpret_cast<const V*>(batch.f);
  for (int p = 0; p < system.pairs; ++p) {
    V twist[6];
    load_twist(system, p, work.z, twist);
    for (int k = system.pair_first[p]; k < system.pair_first[p + 1]; ++k) {
      apply(system.T + 18L * k, twist, work.contacts[k].s);
      for (int i = 0; i < 3; ++i) work.contacts[k].f[i] = forces[3 * k + i];
    }
  }
  assemble(system, work);
  find_residual(system, work, bounds.high);
  V* const rhs[1] = {work.x};
  factor<1>(system, work.blocks, rhs);
  solve_backward<1>(system, work.blocks, rhs);
  change_forces(system, work, bounds.active);
  balance(system, work, bounds.high, bounds.active);  // once more, for rounding
  find_residual(system, work, bounds.high);
  Mask holds = bounds.high - bounds.low <= batch.accuracy * bounds.high;
  for (int i = 0; i < 6 * system.bodies; ++i)
    holds &= (work.x[i] <= splat(kBalanced)) & (work.x[i] >= splat(-kBalanced));
  for (int k = 0; k < system.contacts; ++k) {
    const Contact& contact = work.contacts[k];
    holds &= (contact.s[0] > V{}) & (determinant(contact.s) > V{});
    holds &= (contact.f[0] > V{}) & (determinant(contact.f) > V{});
  }
  for (int lane = 0; lane < kLanes; ++lane)
    batch.status[lane] = holds[lane] ? LaneStatus::converged : LaneStatus::failed;
}

void follow_path(const LimitKernelSystem& system, LimitKernelBatch& batch, Work& work, Bounds& bounds) {
  const V cap = *reinterpret_cast<const V*>(batch.cap);
  bounds.high = start(system, work);
  bounds.low = dot(system, work.w, work.z);
  for (int lane = 0; lane < kLanes; ++lane) batch.status[lane] = LaneStatus::running;
  for (batch.iterations = 0; batch.iterations < batch.max_iterations; ++batch.iterations) {
    bool any_done = false;
    Mask done = V{} != V{};
    const bool any = retire_lanes(cap, batch, bounds, done, any_done);
    // Now, while the matrix is that of the step which led here: at the solution itself it may be singular.
    if (any_done && batch.iterations > 0) balance(system, work, bounds.high, done);
    if (!any) break;
    advance(system, batch, work, bounds);
  }
}

void run(const LimitKernelSystem& system, LimitKernelBatch& batch, double* scratch) {
  Work work = lay_out(system, batch, scratch);
  Bounds bounds;
  bounds.active = V{} == V{};
  if (batch.only_prove) {
    bounds.high = *reinterpret_cast<const V*>(batch.high);
    bounds.low = dot(system, work.w, work.z);
    prove(system, batch, work, bounds);
  } else {
    follow_path(system, batch, work, bounds);
  }
  V* const forces = reinterpret_cast<V*>(batch.f);
  for (int k = 0; k < system.contacts; ++k) {
    for (int i = 0; i < 3; ++i) forces[3 * k + i] = work.contacts[k].f[i];
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    batch.low[lane] = bounds.low[lane];
    batch.high[lane] = bounds.high[lane];
    if (batch.status[lane] == LaneStatus::running) batch.status[lane] = LaneStatus::failed;
  }
}

long scratch(const LimitKernelSystem& system) {
  return kLanes * (static_cast<long>(sizeof(Contact) / sizeof(V)) * system.contacts + 36L * system.blocks +
                   18L * system.bodies);
}

}  // namespace
}  // namespace prehend::stability
