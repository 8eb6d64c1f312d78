// How hard may I push when masses, friction and where things touch are known only to intervals? A guaranteed bound.
//
// - Friction: more of it never weakens, so its lower end is the worst.
// - Contact patches whose outline is known to a distance (poses and shapes measured with that error): the patch is drawn
//   in by it. Forces inside the smaller patch are forces inside the true one. Edge contacts are shortened at both ends;
//   patches and edges too small for it are left out; single points stay.
// - Masses: a body whose weight the rest could carry alone can only help by being heavier: its lower end is the worst. For
//   the others (counterweights help or hurt) all combinations of both ends are tried (margins.cpp).
// The result holds for every combination inside the intervals; centres of mass are taken as known.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <prehend/stability/limit_analysis.h>

namespace prehend::stability {

struct MarginOptions {
  double friction{0.0};  // relative: mu is at least (1 - friction) times what the scene says; in [0, 1]
  double mass{0.0};      // relative, both ways, of every movable body; in [0, 1)
  double position{0.0};  // [m] outlines of contact patches may be wrong by this much
  // Bodies that may help or hurt by their weight; 2^count analyses are made. Above this: undetermined.
  int max_ambiguous{12};

  void validate() const;
  bool is_zero() const { return friction == 0.0 && mass == 0.0 && position == 0.0; }
};

enum class MarginStatus {
  not_computed,
  ok,
  may_fall,      // some combination inside the intervals is unstable
  undetermined,  // `note` says why
};
const char* to_string(MarginStatus status);

struct GuaranteedLimits {
  MarginStatus status{MarginStatus::not_computed};
  std::vector<double> limits;               // [unit of the load] per load; infinite when unbounded
  int combinations{0};                      // of masses that were analysed
  std::vector<model::BodyIndex> ambiguous;  // bodies whose weight may help or hurt
  std::string note;
};

// Outlines drawn in and friction lowered; masses as they are.
ContactSystem narrowed_system(const ContactSystem& system, const MarginOptions& margins);

// `system` must have been built from corners.
GuaranteedLimits guaranteed_limits(const ContactSystem& system, std::span<const Load> loads,
                                   const MarginOptions& margins, const LimitOptions& options = {});

}  // namespace prehend::stability
