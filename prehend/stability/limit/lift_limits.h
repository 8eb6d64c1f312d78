// Limits of lifting each body of a system from which bodies are taken one after another.
//
// A limit is proven by a motion and by forces. When a body goes, both mostly remain: the motion has fewer contacts to obey, and the
// forces lose what the body pressed on its supports, which is balanced by the smallest change that their metric allows
// (limit_kernel.h). Where both bounds still agree, the limit is proven for the rest; only where they do not is it solved anew. The set of
// motions is centred from where its centre was.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <prehend/stability/limit/motion_set.h>
#include <prehend/stability/limit_analysis.h>

namespace prehend::stability {

class LiftLimits {
 public:
  // Of a stable system. Null where loads must be asked one by one: with joints, and where the set of motions has no interior.
  static std::unique_ptr<LiftLimits> create(const ContactSystem& system, const LimitOptions& options);
  // Of what is left of this system, which is stable as well; null as above.
  std::unique_ptr<LiftLimits> of_rest(const ContactSystem& rest) const;

  // One load per body of the system, on that body alone. Without proof, mode and moving bodies; none where the kernel fails.
  std::vector<std::optional<PushAnswer>> ask(std::span<const Load> loads);
  // Whether the others rest without a body whose lifting was asked: forces inside the friction cones that balance their weights.
  // False: not proven.
  bool rest_without(NodeIndex body) const;

  long solved() const { return solved_; }  // of the loads asked, those that were not proven by what was known

 private:
  struct Known {
    bool is_known{false};
    SupportValue value;
  };
  LiftLimits(const ContactSystem& system, const LimitOptions& options);
  Known kept(const Known& known, const LiftLimits& before, const std::vector<int>& old_body,
             const std::vector<int>& old_contact) const;

  LimitOptions options_;
  std::vector<model::BodyIndex> bodies_;
  ScaledSystem scaled_;
  std::unique_ptr<MotionSet> set_;
  std::vector<Known> known_;  // by body
  long solved_{0};
};

}  // namespace prehend::stability
