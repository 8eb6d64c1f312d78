// How well an assembly holds: its margin against shaking, its least robustness to pushes, its robustness at centres of mass.
#pragma once

#include <span>

#include <prehend/placement/placement_result.h>
#include <prehend/stability/limit_analysis.h>

namespace prehend::placement {

struct ShakeMargin {
  double least_g{0.0};  // [g] the least found over all horizontal directions; infinite: nothing moves in any
  double guaranteed_g{0.0};  // [g] no direction has less
};

// The least horizontal acceleration that moves something. 1/R is the support function of a convex set in the plane, so the half planes of
// the directions asked bound it from outside, and the farthest corner of that outline is asked next; ends when both bounds agree to 0.5 %.
ShakeMargin shake_margin(const stability::LimitAnalysis& analysis, const Eigen::Vector3d& up_W,
                         double gravity);

struct LeastPush {
  double force{0.0};  // [N] infinite: none moves anything
  int push{-1};       // of those asked
  stability::Mode mode{stability::Mode::undetermined};
  bool determined{true};
};

// The weakest of many pushes. Up to `ask_all` are all asked. Of more (fine meshes), limiting motions are followed: each motion bounds every
// push's limit at once, the push that it bounds lowest is asked next, until no motion known says of a push that it is weaker.
LeastPush weakest_push(const stability::LimitAnalysis& analysis, std::span<const stability::PointPush> pushes,
                       std::size_t ask_all);

struct AxisRobustness {
  double least{
      0.0};  // [N] force at any movable body's centre of mass along +-x, +-y, +-z that moves something; infinite: none
  // Of one body: no such force on it moves anything. Loads that move nothing form a convex cone, so no force at its centre of mass does then.
  bool is_jammed{false};
};

// `asked`: the body whose jam is looked for.
AxisRobustness axis_robustness(const stability::LimitAnalysis& analysis, stability::NodeIndex asked);

}  // namespace prehend::placement
