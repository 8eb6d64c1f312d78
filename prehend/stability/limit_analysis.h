// The largest load for which admissible contact forces exist, with a proof from both sides.
//
// Let z be a virtual motion (a twist per body), C the cone of motions whose relative velocities lie in the
// dual friction cones at all contacts (v_n >= mu |v_t|), g the weights. If the scene is stable, Z = {z in C :
// -g.z = 1} does not depend on the load, and the largest multiple R of a load w that can be balanced obeys
//   1/R = h(w) = max of w.z over Z   (negative: no limit).
// The dual is 1/R = min y with w + y g + S'f = 0, f in the friction cones: forces f/y balance the weights and
// the load w/y. Every z bounds R from above, every f from below.
//
// Assumptions: rigid bodies, Coulomb friction with associated flow, flat patches. Optimistic for jammed
// bodies (prestress.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <prehend/stability/push.h>

namespace prehend::stability {

struct LimitOptions {
  // Relative gap between the bounds at which an answer is accepted.
  double accuracy{1e-4};
  // A load whose limit exceeds this many times the weight of all movable bodies counts as unbounded: the difference is
  // in no user's interest, and lost in the rounding of the geometry.
  double unbounded_above{1e5};
  bool keep_proofs{true};
  int threads{1};  // 0: as many as there are cores
  // Solve every load by the general cone solver: a second opinion, and what stands behind when the set of motions has
  // no interior.
  bool general_only{false};

  void validate() const;
};

enum class Stability {
  not_computed,
  stable,
  unstable,      // it falls by itself: falling() is a motion with g.z > 0
  undetermined,  // the solver could not tell; note() says why
};
const char* to_string(Stability stability);

// A unit push on a movable body.
struct PointPush {
  NodeIndex body;
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m]
  Eigen::Vector3d d_W{Eigen::Vector3d::Zero()};  // any length but zero
};

class LimitAnalysis {
 public:
  explicit LimitAnalysis(ContactSystem system, const LimitOptions& options = {});
  // With forces [N], one per contact on b, that may be known to balance the weights. Where they prove it (in all friction cones, each body balanced to
  // 1e-9 of all weights; no joints) the program that asks whether the scene rests is not solved.
  LimitAnalysis(ContactSystem system, const LimitOptions& options,
                std::span<const Eigen::Vector3d> resting_forces_W);
  ~LimitAnalysis();
  LimitAnalysis(LimitAnalysis&&) noexcept;
  LimitAnalysis& operator=(LimitAnalysis&&) noexcept;

  const ContactSystem& system() const;
  Stability stability() const;
  const std::string& note() const;
  // Unstable: an admissible motion on which the weights do positive work, one twist per body, largest speed 1 m/s.
  const std::vector<math::Vector6d>& falling() const;
  std::vector<model::BodyIndex> falling_bodies() const;
  // Stable: forces that balance the weights, one per contact, on b.
  std::vector<Eigen::Vector3d> resting_forces() const;
  std::vector<double> resting_joint_forces() const;  // one per joint row of the system

  // For a unit load: the largest multiple, in the unit of the load. Thread-safe.
  PushAnswer ask(const Load& load) const;
  std::vector<PushAnswer> ask(std::span<const Load> loads) const;

  // Many pushes, each within `accuracy` (half the gap between the bounds, relative) and without proofs. Pushes on one
  // body in one direction share programs (limit_map.h): a map of a flat face needs far fewer than it has points.
  std::vector<PushAnswer> map(std::span<const PointPush> pushes, double accuracy = 1e-3) const;

  long programs() const;  // cone programs solved so far

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace prehend::stability
