// The path from the centre to the limit, included once per instruction set; see limit_kernel.h. kLanes is defined before.
#include <prehend/stability/limit/limit_kernel_blocks.h>

namespace prehend::stability {
namespace {

// Of 1/R in every lane, and which lanes still run.
struct Bounds {
  V low, high;
  Mask active;
};

// Sets lanes with a new load to f = t f0 + df with S'df = -w, as small as the metric of the centre allows; t leaves it well
// inside, and is y.
void start(const LimitKernelSystem& system, Work& work, Mask fresh, Bounds& bounds) {
  const int n = 6 * system.bodies;
  for (int i = 0; i < n; ++i) work.z[i] = fresh ? splat(system.centre_motion[i]) : work.z[i];
  for (int i = 0; i < n; ++i) work.u[i] = work.w[i];
  V* const rhs[1] = {work.u};
  solve<1>(system, system.centre_factor, rhs);
  V limit{};
  for (int p = 0; p < system.pairs; ++p) {
    V twist[6];
    load_twist(system, p, work.u, twist);
    for (int k = system.pair_first[p]; k < system.pair_first[p + 1]; ++k) {
      Contact centre;
      for (int i = 0; i < 3; ++i) {
        centre.s[i] = splat(system.centre_velocity[3 * k + i]);
        centre.f[i] = splat(system.centre_force[3 * k + i]);
      }
      scale_contact(centre);
      const Scaling scaling(centre);
      V velocity[3], half[3];
      V* const df = work.contacts[k].df;
      apply(system.T + 18L * k, twist, velocity);
      scaling.unscale(velocity, half);
      scaling.unscale(half, df);
      for (int i = 0; i < 3; ++i) df[i] *= -centre.e2;
      limit = larger(limit, step_limit(centre.f, df, centre.f_inverse));
    }
  }
  const V t = 1.5 * limit + 1e-12;  // a load of zero stays strictly inside
  for (int k = 0; k < system.contacts; ++k) {
    Contact& contact = work.contacts[k];
    for (int i = 0; i < 3; ++i) {
      contact.s[i] = fresh ? splat(system.centre_velocity[3 * k + i]) : contact.s[i];
      contact.f[i] = fresh ? t * system.centre_force[3 * k + i] + contact.df[i] : contact.f[i];
    }
  }
  bounds.high = fresh ? t : bounds.high;
  bounds.low = fresh ? dot(system, work.w, work.z) : bounds.low;
}

// Predictor: directions dz, ds, df if there were no second-order term c; leaves l \ c in the place of df. Returns the inverses of the step limits, and
// what the corrector needs of the contacts: with tau their aim, its right-hand side is -S' e2 W^-1 (l \ (c - tau e)), which is
// `second` + tau `centring`, since e2 W^-1 l^-1 = s^-1.
void predict(const LimitKernelSystem& system, Work& work, const V* dz, V& primal, V& dual) {
  primal = dual = V{};
  for (int i = 0; i < 6 * system.bodies; ++i) work.second[i] = work.centring[i] = V{};
  for (int p = 0; p < system.pairs; ++p) {
    V twist[6], second[6], centring[6];
    for (int i = 0; i < 6; ++i) second[i] = centring[i] = V{};
    load_twist(system, p, dz, twist);
    for (int k = system.pair_first[p]; k < system.pair_first[p + 1]; ++k) {
      Contact& contact = work.contacts[k];
      const double* T = system.T + 18L * k;
      const Scaling scaling(contact);
      V l[3], ds[3], sigma[3], phi[3], df[3], c[3], h[3];
      scaling.scaled(contact.f, l);
      apply(T, twist, ds);
      scaling.unscale(ds, sigma);
      for (int i = 0; i < 3; ++i) phi[i] = -l[i] - contact.e2 * sigma[i];
      scaling.unscale(phi, df);
      primal = larger(primal, step_limit(contact.s, ds, contact.s_inverse));
      dual = larger(dual, step_limit(contact.f, df, contact.f_inverse));
      c[0] = sigma[0] * phi[0] + sigma[1] * phi[1] + sigma[2] * phi[2];
      c[1] = sigma[0] * phi[1] + phi[0] * sigma[1];
      c[2] = sigma[0] * phi[2] + phi[0] * sigma[2];
      // det l = det f, because W has determinant one here.
      const V head_inverse = inverse(l[0]);
      V* const quotient = contact.df;
      quotient[0] = hyperbolic(l, c) * contact.f_inverse;
      quotient[1] = (c[1] - quotient[0] * l[1]) * head_inverse;
      quotient[2] = (c[2] - quotient[0] * l[2]) * head_inverse;
      scaling.unscale(quotient, h);
      for (V& entry : h) entry *= contact.e2;
      const V s[3] = {contact.s[0] * contact.s_inverse, -contact.s[1] * contact.s_inverse,
                      -contact.s[2] * contact.s_inverse};
      for (int i = 0; i < 6; ++i) {
        second[i] += T[i] * h[0] + T[6 + i] * h[1] + T[12 + i] * h[2];
        centring[i] += T[i] * s[0] + T[6 + i] * s[1] + T[12 + i] * s[2];
      }
    }
    add_wrench(system, p, second, -1.0, work.second);
    add_wrench(system, p, centring, 1.0, work.centring);
  }
}

void directions(const LimitKernelSystem& system, Work& work, const V* dz, V tau, V& primal, V& dual) {
  primal = dual = V{};
  for (int p = 0; p < system.pairs; ++p) {
    V twist[6];
    load_twist(system, p, dz, twist);
    for (int k = system.pair_first[p]; k < system.pair_first[p + 1]; ++k) {
      Contact& contact = work.contacts[k];
      const Scaling scaling(contact);
      V l[3], ds[3], sigma[3], phi[3];
      scaling.scaled(contact.f, l);
      apply(system.T + 18L * k, twist, ds);
      scaling.unscale(ds, sigma);
      const V aim = tau * contact.f_inverse;  // l^-1 = J l / det f
      phi[0] = -l[0] - contact.e2 * (contact.df[0] - aim * l[0] + sigma[0]);
      for (int i = 1; i < 3; ++i) phi[i] = -l[i] - contact.e2 * (contact.df[i] + aim * l[i] + sigma[i]);
      scaling.unscale(phi, contact.df);
      primal = larger(primal, step_limit(contact.s, ds, contact.s_inverse));
      dual = larger(dual, step_limit(contact.f, contact.df, contact.f_inverse));
    }
  }
}

// Velocities by a step along the motion in x, forces along df, in some lanes.
void move_contacts(const LimitKernelSystem& system, Work& work, Mask lanes, V step_primal, V step_dual) {
  for (int p = 0; p < system.pairs; ++p) {
    V twist[6], ds[3];
    load_twist(system, p, work.x, twist);
    for (int k = system.pair_first[p]; k < system.pair_first[p + 1]; ++k) {
      Contact& contact = work.contacts[k];
      apply(system.T + 18L * k, twist, ds);
      for (int i = 0; i < 3; ++i) {
        contact.s[i] = lanes ? contact.s[i] + step_primal * ds[i] : contact.s[i];
        contact.f[i] = lanes ? contact.f[i] + step_dual * contact.df[i] : contact.f[i];
      }
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
      const Scaling scaling(contact);
      scaling.unscale(velocity, half);
      scaling.unscale(half, change);
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
  work.second = memory + 3L * n;
  work.centring = memory + 4L * n;
  work.z = reinterpret_cast<V*>(batch.z);
  work.w = const_cast<V*>(reinterpret_cast<const V*>(batch.w));
  return work;
}

// Ends lanes that have their answer, or lost it.
void retire_lanes(LimitKernelBatch& batch, const int* steps, Bounds& bounds) {
  for (int lane = 0; lane < kLanes; ++lane) {
    if (batch.status[lane] != LaneStatus::running) continue;
    const double gap = bounds.high[lane] - bounds.low[lane];
    if (bounds.high[lane] <= batch.cap[lane]) {
      batch.status[lane] = LaneStatus::unbounded;
    } else if (gap <= batch.accuracy * bounds.high[lane]) {
      batch.status[lane] = LaneStatus::converged;
    } else if (!(gap < 1e300) || steps[lane] >= batch.max_steps) {
      batch.status[lane] = LaneStatus::failed;
    } else {
      continue;
    }
    bounds.active[lane] = 0;
  }
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
  const V tau = ratio * ratio * ratio * gap * (1.0 / system.contacts);
  for (int i = 0; i < n; ++i) work.x[i] = work.second[i] + tau * work.centring[i];
  V* const correction[1] = {work.x};
  solve<1>(system, work.blocks, correction);
  target = -(gu + dot_g(system, work.x)) / gv;
  for (int i = 0; i < n; ++i) work.x[i] += work.u[i] + target * work.v[i];
  directions(system, work, work.x, tau, primal, dual);
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
  move_contacts(system, work, active, step_primal, step_dual);
  bounds.high = active ? y + step_dual * (target - y) : y;
  bounds.low = active ? low + step_primal * dot(system, work.w, work.x) : low;
}

// What a lane has found, into the caller's arrays (the motion stands there already).
void hand_over(const LimitKernelSystem& system, const Work& work, const Bounds& bounds,
               LimitKernelBatch& batch, int lane) {
  batch.low[lane] = bounds.low[lane];
  batch.high[lane] = bounds.high[lane];
  for (int k = 0; k < system.contacts; ++k) {
    for (int i = 0; i < 3; ++i) batch.f[(3L * k + i) * kLanes + lane] = work.contacts[k].f[i][lane];
  }
}

// See LimitKernelBatch::only_prove.
void prove(const LimitKernelSystem& system, LimitKernelBatch& batch, Work& work, Bounds& bounds) {
  constexpr double kBalanced = 1e-9;  // [loads] left unbalanced: rounding
  bounds.high = *reinterpret_cast<const V*>(batch.high);
  bounds.low = dot(system, work.w, work.z);
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

void prove_all(const LimitKernelSystem& system, LimitKernelBatch& batch, Work& work, Bounds& bounds) {
  bool is_open[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) is_open[lane] = batch.next(batch.host, lane);
  while (is_open[0]) {  // lanes are filled from the first
    prove(system, batch, work, bounds);
    for (int lane = 0; lane < kLanes; ++lane) {
      if (!is_open[lane]) continue;
      hand_over(system, work, bounds, batch, lane);
      is_open[lane] = batch.next(batch.host, lane);
    }
  }
}

// Every lane from its start to its answer; then the next load takes its place beside lanes that are still on their way.
void follow_paths(const LimitKernelSystem& system, LimitKernelBatch& batch, Work& work, Bounds& bounds) {
  bool is_open[kLanes];
  int steps[kLanes] = {};
  bounds.active = V{} != V{};
  const auto take_next = [&](int lane) {
    is_open[lane] = batch.next(batch.host, lane);
    steps[lane] = 0;
    bounds.active[lane] = is_open[lane] ? -1 : 0;
    if (is_open[lane]) batch.status[lane] = LaneStatus::running;
    return is_open[lane];
  };
  Mask fresh = V{} != V{};
  bool any_fresh = false;
  for (int lane = 0; lane < kLanes; ++lane) {
    fresh[lane] = take_next(lane) ? -1 : 0;
    any_fresh = any_fresh || is_open[lane];
  }
  if (!any_fresh) return;
  start(system, work, V{} == V{}, bounds);  // also lanes without a load: numbers, not what was there before
  for (;;) {
    retire_lanes(batch, steps, bounds);
    Mask done = V{} != V{};
    bool any_done = false, any_open = false;
    for (int lane = 0; lane < kLanes; ++lane) {
      const bool has_ended = is_open[lane] && batch.status[lane] != LaneStatus::running;
      done[lane] = has_ended && steps[lane] > 0 ? -1 : 0;
      any_done = any_done || done[lane];
    }
    // Now, while the matrix is that of the step which led here: at the solution itself it may be singular.
    if (any_done) balance(system, work, bounds.high, done);
    any_fresh = false;
    for (int lane = 0; lane < kLanes; ++lane) {
      fresh[lane] = 0;
      if (!is_open[lane]) continue;
      if (batch.status[lane] != LaneStatus::running) {
        hand_over(system, work, bounds, batch, lane);
        fresh[lane] = take_next(lane) ? -1 : 0;
        any_fresh = any_fresh || fresh[lane];
      }
      any_open = any_open || is_open[lane];
    }
    if (!any_open) return;
    if (any_fresh) {
      start(system, work, fresh, bounds);
      retire_lanes(batch, steps, bounds);  // loads that need no step end with the next
    }
    advance(system, batch, work, bounds);
    for (int& count : steps) ++count;
  }
}

void run(const LimitKernelSystem& system, LimitKernelBatch& batch, double* scratch) {
  Work work = lay_out(system, batch, scratch);
  Bounds bounds;
  bounds.low = bounds.high = V{};
  bounds.active = V{} == V{};
  batch.only_prove ? prove_all(system, batch, work, bounds) : follow_paths(system, batch, work, bounds);
}

long scratch(const LimitKernelSystem& system) {
  return kLanes * (static_cast<long>(sizeof(Contact) / sizeof(V)) * system.contacts + 36L * system.blocks +
                   30L * system.bodies);
}

}  // namespace
}  // namespace prehend::stability
