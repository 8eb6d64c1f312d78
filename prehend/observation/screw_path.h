// Finite motions that begin with a given screw [s1, s2] and second-order screw [s3, s4].
//
// `screw_path` is exp(theta [s1, s2] + theta^2/2 [s3, s4]); other motions with these derivatives differ by theta^3. `turning_path` is that of
// Takamatsu 2004, appendix C, for s3 = 0: the axis keeps its direction a, |a| = 1, and the instantaneous centre moves evenly,
// c + c' theta with c = a x s2, c' = a x s4 (twice the rate of chapter 3's centre). From (C.9)
//   t = (I - R(a, theta)) (c - R(a, pi/2) c') + c' theta + a (a.s2 theta + a.s4 theta^2/2);
// (C.10) to (C.12) are printed with the signs of both c' turned, and without the pitch.
#pragma once

#include <prehend/math/pose.h>
#include <prehend/math/spatial.h>

namespace prehend::observation {

math::Pose screw_path(const math::Vector6d& first_W, const math::Vector6d& second_W, double theta);

// Throws std::invalid_argument where s3 is not zero. s1 = 0 is a translation s2 theta + s4 theta^2/2; other lengths of s1 than one are taken as
// a unit axis and a longer angle.
math::Pose turning_path(const math::Vector6d& first_W, const math::Vector6d& second_W, double theta);

}  // namespace prehend::observation
