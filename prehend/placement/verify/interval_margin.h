// The margin against shaking when friction, masses and outlines of contacts are known to intervals only (stability/margins.h).
//
// Outlines are drawn in and friction is lowered, which never helps. Under an acceleration the loads that contacts balance are linear in the
// masses, and those that can be balanced form a convex cone: ends of the intervals suffice, and a body that the rest, weightless, carries under the same
// acceleration only helps by being heavier. Of the others all combinations of both ends are tried.
#pragma once

#include <prehend/placement/verify/assembly_strength.h>
#include <prehend/stability/margins.h>

namespace prehend::placement {

// [g] No horizontal acceleration below this moves anything, whatever the values inside the intervals. 0: something may fall, or it is not known (too many
// bodies hold only together). Centres of mass are taken as known.
double interval_margin(const stability::ContactSystem& system, const Eigen::Vector3d& up_W, double gravity,
                       const stability::MarginOptions& intervals);

}  // namespace prehend::placement
