// The scene as groups of bodies that bear each other: bodies that touch only what is fixed hold each by itself.
//
// A group that the object does not touch is the same wherever the object goes, so its strength is found once. Joints may connect any
// bodies: a scene with joints that move is one group.
#pragma once

#include <vector>

#include <prehend/placement/verify/assembly_strength.h>
#include <prehend/placement/verify/surface_corners.h>

namespace prehend::placement {

struct GroupStrength {
  ShakeMargin margin;
  double min_sr{0.0};  // [N]
  WeakestPush weakest;
  double robustness{0.0};  // [N]
  bool is_determined{true}, is_exact{true};
  bool is_outdone{false};  // no better than asked for: only the object's own surface was looked at
};

struct StrengthWanted {
  bool quick{false};   // assembly_strength.h
  double above{-1.0};  // [N] what is not stronger need not be followed to the end; negative: all is
};

class Assembly {
 public:
  explicit Assembly(const Problem& problem);
  // The bodies that hold together with the object when it touches these, the object among them.
  std::vector<bool> with_object(const std::vector<bool>& touched) const;
  // Limits of those bodies, everything else held fixed.
  stability::LimitAnalysis limits(const math::Pose& X_WO, const model::SceneContacts& all,
                                  const std::vector<bool>& bodies) const;
  GroupStrength strength(const math::Pose& X_WO, const stability::LimitAnalysis& limits,
                         const model::SceneContacts& all, const StrengthWanted& wanted) const;
  // The margin, and the whole strength, of what is left beside those bodies.
  ShakeMargin margin_beside(const std::vector<bool>& bodies) const;
  GroupStrength strength_beside(const std::vector<bool>& bodies) const;

 private:
  struct Group {
    std::vector<bool> bodies;
    bool has_margin{false}, has_strength{false};
    GroupStrength strength;
  };
  void find_groups();
  const Group& with_margin(Group& group) const;
  const Group& with_strength(Group& group) const;
  bool is_beside(const Group& group, const std::vector<bool>& bodies) const;

  const Problem& problem_;
  SurfaceCorners corners_;
  bool has_joints_{false};  // then all that moves is one group, the object in it
  mutable std::vector<Group> groups_;
  mutable model::Scene scene_;  // with the object where it is asked about
};

// The weaker of two groups decides.
GroupStrength weaker(const GroupStrength& a, const GroupStrength& b);

}  // namespace prehend::placement
