// What the verification says of one pose.
#pragma once

#include <string>

#include <prehend/placement/placement_result.h>

namespace prehend::placement {

enum class Rejection {
  none,           // it passed
  penetrates,     // something by more than 1e-6 m
  floats,         // touches nothing within 1e-6 m
  touches_other,  // a body that --touch does not name
  outside_region,
  in_keep_out,
  not_upright,
  too_close,   // less than --clearance from a body that it does not touch
  approach,    // the way in is not free
  no_grasp,    // no grasp is free
  unstable,    // something falls
  margin,      // it stands, but a smaller acceleration than asked for moves something
  intervals,   // the same, for some friction, masses or outlines inside the intervals
  jam,         // nothing moves however hard one pushes, or only stress that no load causes would hold it
  pose_error,  // a pose that near does not hold
  undetermined,
};
const char* to_string(Rejection rejection);

struct Verdict {
  Rejection rejection{Rejection::undetermined};
  // Of what passed: complete but for `volume`. Otherwise the pose and as much as was found on the way.
  Placement placement;
  // [N] Of a pose that failed by `unstable`: none. How well it does by the objective, larger is better; -infinity when rejected.
  double score{-std::numeric_limits<double>::infinity()};
  bool is_exact{false};  // every push of min_sr was asked
  // Not verified to the end: its least robustness, of which `score` is an upper bound, does not surpass what was asked for. No answer.
  bool is_outdone{false};
  // Cone programs times their contact points: what this took, whatever the machine.
  double work{0.0};
  bool passed() const { return rejection == Rejection::none; }
};

}  // namespace prehend::placement
