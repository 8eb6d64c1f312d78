// The scene as groups of bodies that bear each other: bodies that touch only what is fixed hold each by itself.
//
// A group that the object does not touch is the same wherever the object goes, so its strength is found once. Where such a group moves at less
// than the margin asked for, as a ball or a lying can does, it is loose: it says nothing about a placement and is left out of the measures.
// Joints may connect any bodies: a scene with joints that move is one group.
#pragma once

#include <memory>
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
  bool is_jammed{false};  // no force at the object's centre of mass moves anything
};

class Assembly {
 public:
  explicit Assembly(const Problem& problem);
  // The bodies that hold together with the object when it touches these, the object among them.
  std::vector<bool> with_object(const std::vector<bool>& touched) const;
  // Those bodies, everything else held fixed, and their limits.
  stability::ContactSystem system(const math::Pose& X_WO, const model::SceneContacts& all,
                                  const std::vector<bool>& bodies) const;
  stability::LimitAnalysis limits(const math::Pose& X_WO, const model::SceneContacts& all,
                                  const std::vector<bool>& bodies) const;
  // `quick`: assembly_strength.h. Margins are asked apart.
  GroupStrength strength(const math::Pose& X_WO, const stability::LimitAnalysis& limits,
                         const model::SceneContacts& all, bool quick) const;
  // Of pushes on the object alone: the whole is no stronger. Quick, and without `robustness`.
  GroupStrength own_strength(const math::Pose& X_WO, const stability::LimitAnalysis& limits,
                             const model::SceneContacts& all) const;
  // Of those bodies, against shaking; with intervals, what is guaranteed is so for all values inside them.
  ShakeMargin margin(const stability::LimitAnalysis& limits) const;
  // [N] No push below this moves anything, in these bodies or beside them, whatever the values inside the intervals; not a number: not known.
  double guaranteed_push(const math::Pose& X_WO, const model::SceneContacts& all,
                         const std::vector<bool>& bodies) const;
  std::vector<model::BodyIndex> loose_bodies() const;
  // The margin, and the whole strength, of what is left beside those bodies, loose groups apart.
  ShakeMargin margin_beside(const std::vector<bool>& bodies) const;
  GroupStrength strength_beside(const std::vector<bool>& bodies) const;

 private:
  GroupStrength weakest_of(const stability::LimitAnalysis& limits,
                           const std::vector<stability::PointPush>& pushes, bool quick) const;
  struct Group {
    std::vector<bool> bodies;
    bool has_margin{false}, has_strength{false};
    GroupStrength strength;
    std::shared_ptr<const stability::LimitAnalysis> limits;  // without the object; made when asked for
  };
  void find_groups();
  const Group& with_margin(Group& group) const;
  const Group& with_strength(Group& group) const;
  bool is_loose(Group& group) const {
    return with_margin(group).strength.margin.least_g < problem_.least_margin_g();
  }
  // Neither loose nor among these bodies.
  bool counts_beside(Group& group, const std::vector<bool>& bodies) const;

  const Problem& problem_;
  SurfaceCorners corners_;
  bool has_joints_{false};  // then all that moves is one group, the object in it
  mutable std::vector<Group> groups_;
  mutable model::Scene scene_;  // with the object where it is asked about
};

// The weaker of two groups decides.
GroupStrength weaker(const GroupStrength& a, const GroupStrength& b);

}  // namespace prehend::placement
