// What load-caused forces hold (prestress.h), for several loads on one scene: the state at rest is found once, and each load is raised
// from there (spring_path.h). Where the path is lost (one push in a hundred on walls of 50 bricks), bisection over states found from nothing
// takes over from the multiple reached if there are few bodies; else that multiple is a lower bound.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <prehend/stability/statics/contact_springs.h>
#include <prehend/stability/statics/loose_contacts.h>
#include <prehend/stability/statics/spring_search.h>

namespace prehend::stability {

// Load-caused forces that hold less than this part of what statics allows are pointed out: well above what the search (0.1 %) and the
// statics of a map (0.1 %) may be wrong by.
inline constexpr double kLoadCausedLess = 0.95;

class LoadCaused {
 public:
  // The system must outlive this.
  explicit LoadCaused(const ContactSystem& system, const SpringSearchOptions& options = {});

  // Likewise, but nothing where a state at rest is not found at once: in as many steps as cost no more than the statics of the weights. `LimitAnalysis`
  // takes its forces as a proof that the scene rests.
  static std::optional<LoadCaused> at_once(const ContactSystem& system);

  bool rests() const { return rests_; }
  // [N] One per contact, on b: what it carries at rest.
  std::vector<Eigen::Vector3d> resting_forces_W() const;
  // The same for friction of another stiffness, contacts' and joints'.
  LoadCaused with_friction_stiffness(double ratio) const;
  // Joints and contacts may brace each other, and there are few bodies: limits are sought for several stiffnesses of friction.
  bool may_brace() const;
  // See load_caused_limit() of prestress.h.
  double limit(const Load& load, double static_limit);
  // Multiples of the load that cannot be told from none.
  double rounding(const Load& load) const;
  // limit() without the path: slower by a factor of ten to a hundred, another way to the same number.
  double limit_by_bisection(const Load& load, double static_limit) const;
  // Whether the last limit() stopped where it was: no further state was found in the time that it may take.
  bool is_lower_bound() const { return is_lower_bound_; }
  // Counts, of all limits so far: Newton's steps along paths, paths that were lost, and paths that ended because their steps were spent.
  int steps() const { return steps_; }
  int lost() const { return lost_; }
  int unfinished() const { return unfinished_; }

 private:
  void settle();  // the state at rest, to the last digits
  // Whether needless contacts must just touch at rest for this load: it rolls bodies (loose_contacts.h).
  bool rolls(const Load& load) const;
  bool holds(const SpringSystem& springs, const Load& load, double multiple) const;
  double bisect(const SpringSystem& springs, const Load& load, double low, double high) const;
  double ceiling(const Load& load, double static_limit) const;

  const ContactSystem& system_;
  SpringSearchOptions options_;
  SpringSystem springs_;
  Eigen::VectorXd rest_;    // at rest, in units of that force
  double rest_force_{1.0};  // [N]
  bool rests_{false};
  std::optional<LooseRest> loose_;  // where some contacts are needless at rest
  int steps_{0}, lost_{0}, unfinished_{0};
  bool is_lower_bound_{false};
};

// Fills needs_prestress, without_prestress and load_caused_less of answers that are ok; `loads` in their order. `caused` is copied where
// several threads work (0: as many as there are cores); answers do not depend on their number.
void add_load_caused(const LoadCaused& caused, std::span<const Load> loads, int threads,
                     std::span<PushAnswer> answers);
// Names jointed bodies that touch something with friction: statics lets joints and contacts brace each other there; for answers without
// load-caused values.
// Empty where there are none.
std::string bracing_problem(const ContactSystem& system);
// "3 of 100 pushes hold ..."; empty where none does. `what`: "pushes".
std::string load_caused_problem(std::span<const PushAnswer> answers, const std::string& what);
// Likewise where the value depends on how stiff friction is.
std::string stiffness_problem(std::span<const PushAnswer> answers, const std::string& what);

}  // namespace prehend::stability
