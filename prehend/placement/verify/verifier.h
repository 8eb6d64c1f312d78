// Whether a pose is a placement. Shares no geometry and no statics with the planners: contacts are those of geometry/contact.h over the
// true surfaces, overlaps are measured by geometry/proximity.h, forces lie in exact cones and are checked by stability/certificate.h.
#pragma once

#include <optional>

#include <prehend/placement/planning/verdict.h>
#include <prehend/placement/verify/assembly.h>
#include <prehend/placement/verify/object_contacts.h>
#include <prehend/placement/verify/wishes.h>
#include <prehend/stability/limit_analysis.h>

namespace prehend::placement {

class Verifier {
 public:
  explicit Verifier(const Problem& problem);
  // `quick`: the least robustness of many pushes may come out a little too high (assembly_strength.h); for planners to steer by.
  // `above_N`: where a push on the object alone shows that the least robustness does not surpass this [N], the rest is not asked
  // (Verdict::is_outdone); negative: all is.
  Verdict check(const math::Pose& X_WO, bool quick = false, double above_N = -1.0) const;
  // Fills guaranteed_min_sr of what passed, where there are intervals: every push for every combination of masses that matters.
  void guarantee(Placement& placement) const;
  // Bodies that move at less than the margin before the object is there, with those that they touch.
  std::vector<model::BodyIndex> loose_bodies() const { return assembly_.loose_bodies(); }
  // Statics alone: whether the assembly rests with the object there.
  bool rests(const math::Pose& X_WO) const;

 private:
  Rejection geometry_of(const math::Pose& X_WO, ObjectContacts& contacts, std::vector<bool>& touched) const;
  Rejection margins_of(const stability::LimitAnalysis& limits, const std::vector<bool>& bodies,
                       Placement& placement) const;
  Rejection wishes_of(const math::Pose& X_WO, const std::vector<bool>& touched, Placement& placement) const;
  bool holds_off_by(const math::Pose& X_WO, double distance) const;
  // The pose lifted or lowered along the vertical until it just touches; none: it touches nothing below.
  std::optional<math::Pose> lowered(const math::Pose& X_WO) const;
  double score(const Placement& placement) const;

  const Problem& problem_;
  ObjectContactSearch search_;
  Assembly assembly_;
  Wishes wishes_;
};

}  // namespace prehend::placement
