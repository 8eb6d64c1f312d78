// What a joint leaves of the poses: how large it is, and how much of it is not new in every frame. Not part of the public interface.
//
// Half the mean square of successive differences is what is new in every frame; the rest of a variance changes slowly: motion that the joint does not have,
// play, bending, and slow errors of the tracker.
#pragma once

#include <prehend/articulation/joint_fit.h>

namespace prehend::articulation {

struct Remainder {
  PoseNoise
      worst;  // [m, rad] standard deviation along the worst direction; of the moving part's point that is displaced least
  PoseNoise slow;        // [m, rad] per axis, root mean square of what changes slowly; of motion in all
  PoseNoise slow_worst;  // [m, rad] along its worst direction
  PoseNoise motion;      // [m, rad] how far the part moves, root mean square per axis
  double frames{0};      // that count
};

// Of a fit to poses with orientation.
Remainder remainder_of(const JointFit& fit, const Observations& observations);

// [-] Of what changes slowly in positions and in orientations, the share that is no quadratic function of the joint's state. Motion that the joint does not
// have repeats as the state does, and leaves little; of errors that wander as much is left as chance has it. `frames`: independent ones; where these are
// few, both are zero.
struct Unrepeated {
  double position{0.0}, angle{0.0};
};
Unrepeated unrepeated_share(const JointFit& fit, const Observations& observations, double frames);

}  // namespace prehend::articulation
