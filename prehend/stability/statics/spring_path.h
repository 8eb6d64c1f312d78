// A load raised from rest on bodies that stand on springs, state after state, each from the one before.
//
// The load is applied through its own displacement c = w.u (w: the load), which grows where the load no longer does: bodies that slide or
// tip under a constant load have one state for each c, and the load is an answer of it. Newton's method on
//   J'f(J u) + weights + y w = 0,   w.u = c    for u and y,
// from the tangent at the state before; c grows by a factor as long as that converges quickly. The load has reached its limit when it no
// longer grows with c: near it y = limit - A / c. Where no further c is found, loads are tried from the last state.
#pragma once

#include <Eigen/Core>

#include <prehend/stability/statics/contact_springs.h>
#include <prehend/stability/statics/spring_search.h>

namespace prehend::stability {

struct LoadPath {
  enum class Status {
    reached,    // the multiple that was wanted holds
    saturated,  // the load does not grow beyond `multiple`
    stalled,  // no state with more load than `multiple` was found near the last one, which could still bear more
    lost,     // Newton's method ended before any
    unfinished,  // the steps were spent; `multiple` holds
  };
  Status status{Status::lost};
  double multiple{0.0};  // the largest that was held, of the load of the system
  int steps{0};          // of Newton's method
  Eigen::VectorXd u;     // the last state where it stalled
};

// From a state with that multiple of the load, in about `most_steps` of Newton's method.
LoadPath raise_load(const SpringSystem& springs, const SpringSearchOptions& options,
                    const Eigen::VectorXd& state, double multiple, double wanted, int most_steps);

}  // namespace prehend::stability
