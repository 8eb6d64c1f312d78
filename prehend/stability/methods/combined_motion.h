// The push at which a super-object moves in any way: sliding, turning and tipping at once.
//
// Source N considers slipping without a turn and toppling without a slip. A push off the middle of a face
// causes neither: the body slides, turns and lifts a corner (on a cube the two bounds are 9 to 11 % too high
// on average, up to 43 %). Here the super-object is one rigid body, the rest stands still, and limit analysis
// with the exact friction cones of the cut's contacts finds the weakest motion; six unknowns, whatever the
// number of bodies:
//
//   1/R = min y   subject to   S'f + y g + w = 0,   |f_t| <= mu f_n.
//
// An upper bound of the true limit, equal to it when everything that moves moves as one, unlike table legs
// that tip in parallel under their slab.
#pragma once

#include <memory>

#include <prehend/stability/methods/super_object.h>
#include <prehend/stability/push.h>

namespace prehend::stability {

struct CombinedAnswer {
  enum class Status { failed, bounded, unbounded };
  Status status{Status::failed};
  double robustness{0.0};  // [N]
  math::Vector6d twist{
      math::Vector6d::Zero()};  // of the super-object about the system's origin, when bounded
};

// Many pushes on one super-object. Not for use by two threads at a time.
class CombinedMotion {
 public:
  CombinedMotion(const ContactSystem& system, const SuperObject& object);  // keeps references
  ~CombinedMotion();
  // `wrench`: of a unit push about the system's origin.
  CombinedAnswer ask(const math::Vector6d& wrench);
  // What the contacts do under a twist.
  Mode mode(const math::Vector6d& twist) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace prehend::stability
