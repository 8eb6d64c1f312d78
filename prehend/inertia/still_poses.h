// Where to stop and weigh: poses of the arm that determine mass and centre of mass best, and a way through them.
//
// Standing still, the wrench is m a and (m c) x a with a = -gravity in the sensor's axes, so all that counts is which
// directions gravity takes there. The poses maximise the determinant of the information of [m, m c] (what is left of it
// when the sensor's bias is unknown), inside the joints' ranges and the object's room, with a small cost on spread so
// that no joint moves for nothing. They are visited in the order of least travel time (exact up to 12 poses, by local
// exchanges beyond), along straight lines of the joint space that start and stop without speed and acceleration, as
// fast as the limits allow.
#pragma once

#include <prehend/inertia/excitation.h>

namespace prehend::inertia {

// `count` poses: at least 2, at least 3 with an unknown bias. Excitation::poses and `stills` say where and when. The
// motion begins at options.start when there is one. The baseline stops on (3.14) as often, equally spaced in time.
Excitation plan_still_poses(const model::JointChain& chain, int count, const ExcitationOptions& options = {});

}  // namespace prehend::inertia
