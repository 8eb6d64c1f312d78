// The checks of algorithm 5 (N, 5.5.4) before a pose is verified: penetration, least-norm forces, then forces in pyramids.
//
// (5.6) must factor the transpose, [B1 .. BK]^T = Q R; then R^T z = -w and f = Q z is the least-norm solution, and contacts on one line leave it without
// full rank (stability/contact_forces.h, `qr`). The source lets no force pull by more than 5 N, the weight of its cube; here it is the weight of the object: a
// box that stands on a rectangle pulls by a quarter of its weight at most. The program (5.2)-(5.5) has four-sided pyramids inside the cones, over all
// bodies that hold together with the object.
#pragma once

#include <string>

#include <prehend/placement/verify/assembly.h>
#include <prehend/placement/verify/object_contacts.h>

namespace prehend::placement {

enum class ForceCheck {
  passed,
  penetrates,
  floats,
  pulls,       // least-norm forces do not balance the object, or pull at a contact
  unbalanced,  // no forces in the pyramids balance the assembly
};

class ForceChecks {
 public:
  explicit ForceChecks(const Problem& problem);
  ForceCheck of(const math::Pose& X_WO) const;
  // [N] The largest pull at a contact in the least-norm forces on the object alone; infinite: they do not balance it.
  double largest_pull(const math::Pose& X_WO, const model::SceneContacts& all) const;

 private:
  const Problem& problem_;
  ObjectContactSearch search_;
  Assembly assembly_;
};

}  // namespace prehend::placement
