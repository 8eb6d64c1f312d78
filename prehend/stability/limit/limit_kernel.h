// Many limit loads of one system at once, one load per SIMD lane.
//
// For each load w, a feasible primal-dual interior-point method (Nesterov-Todd scaling, predictor and
// corrector) on
//   h(w) = max w.z  over  S z in K, -g.z = 1     =    min y  over  w + y g + S'f = 0, f in K.
// It starts at the analytic centre of the set of motions, which does not depend on w, with f = t f0 + df
// strictly inside the friction cones. Every iterate is feasible on both sides, so w.z and y are proven bounds
// at any time, and the gap between them is s.f exactly. Five to nine steps reach 1e-4.
//
// Each step solves M dz = rhs, a graph Laplacian over the bodies with 6x6 weights (limit_kernel_blocks.h),
// factored in an order found once (block_pattern.h).
#pragma once

namespace prehend::stability {

// Plain arrays only: the kernel is compiled for several instruction sets, and no inline function of another header may be
// compiled for a wider machine than the program runs on.
//
// [columns] of a panel. Any bound from 4 on takes the same time on walls and piles of 100 to 400 bricks.
constexpr int kWidestPanel = 8;

// Views into arrays that the caller keeps. Bodies stand in the order of elimination.
struct LimitKernelSystem {
  int bodies{0}, contacts{0}, pairs{0}, blocks{0};
  const int* pair_first{nullptr};  // pairs + 1: contacts of a pair are [pair_first[p], pair_first[p + 1])
  const int* pair_a{nullptr};      // body of a pair, -1 for the ground
  const int* pair_b{nullptr};
  const int* pair_block{nullptr};  // off-diagonal block of the pair; -1 when one side is the ground
  const double* pair_shift{
      nullptr};              // 6 per pair: from the reference points of a and of b to the pair's origin
  const double* T{nullptr};  // 18 per contact, by rows, about the pair's origin
  const double* C{nullptr};  // 21 per contact: lower triangle of T'JT, by rows, J = diag(1, -1, -1)
  const double* g{nullptr};  // 6 per body
  // Factorisation: diagonal block of body j is block j; column j holds blocks [column_first[j], column_first[j + 1])
  // with rows column_row[], numbers bodies + index. Panel p has the columns [panel_first[p], panel_first[p + 1]), each with the rows of the next and
  // that one itself. Rows i >= k of its last column update the blocks outer_target[outer_first[p] + ...], k after k.
  const int* column_first{nullptr};
  const int* column_row{nullptr};
  int panels{0};
  const int* panel_first{nullptr};
  const int* outer_first{nullptr};
  const int* outer_target{nullptr};
  // The centre: motion, velocities, forces with S'f0 = -g, and the factor of M there (36 per block, by rows; the
  // diagonal blocks hold the inverse of their diagonal elements on it).
  const double* centre_motion{nullptr};
  const double* centre_velocity{nullptr};
  const double* centre_force{nullptr};
  const double* centre_factor{nullptr};
};

enum class LaneStatus : int { running, converged, unbounded, failed };

// Arrays [i][lane], `lanes` wide, aligned to 64 bytes.
struct LimitKernelBatch {
  const double* w{nullptr};    // 6 per body
  const double* cap{nullptr};  // per lane: h below this counts as unbounded
  double accuracy{1e-4};       // of (y - w.z) relative to y
  int max_steps{40};
  double* z{nullptr};     // 6 per body
  double* f{nullptr};     // 3 per contact
  double* low{nullptr};   // w.z
  double* high{nullptr};  // y
  // No steps: z, f and high are a solution of a system that had more bodies. The forces are balanced again by their smallest change; a lane
  // has converged if both sides are still inside their cones and the bounds agree, or else failed.
  bool only_prove{false};
  LaneStatus* status{nullptr};
  // Asked for every lane at the beginning, and again when it has ended and its answer stands in the arrays: sets its next load. False:
  // there is none, also for the lanes after it.
  bool (*next)(void* host, int lane){nullptr};
  void* host{nullptr};
};

struct LimitKernel {
  const char* name{nullptr};
  int lanes{0};
  // Doubles of scratch memory that run() needs.
  long (*scratch)(const LimitKernelSystem&){nullptr};
  void (*run)(const LimitKernelSystem&, LimitKernelBatch&, double* scratch){nullptr};
};

// The widest that this machine can run; all kernels of this build, narrow to wide, for tests.
const LimitKernel& limit_kernel();
int limit_kernel_count();
const LimitKernel& limit_kernel_at(int index);

}  // namespace prehend::stability
