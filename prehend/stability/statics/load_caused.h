// What load-caused forces hold (prestress.h), for several loads on one scene: the state at rest is found once, and each load is raised
// from there (spring_path.h). Where the path is lost, bisection over states found from nothing takes over from the multiple reached.
#pragma once

#include <prehend/stability/statics/contact_springs.h>
#include <prehend/stability/statics/spring_search.h>

namespace prehend::stability {

class LoadCaused {
 public:
  // The system must outlive this.
  explicit LoadCaused(const ContactSystem& system, const SpringSearchOptions& options = {});

  bool rests() const { return rests_; }
  // See load_caused_limit() of prestress.h.
  double limit(const Load& load, double static_limit);
  // The same without the path: slower by a factor of ten to a hundred, another way to the same number.
  double limit_by_bisection(const Load& load, double static_limit) const;
  // Counts, of all limits so far: Newton's steps along paths, and paths that were lost.
  int steps() const { return steps_; }
  int lost() const { return lost_; }

 private:
  bool holds(const Load& load, double multiple) const;
  double bisect(const Load& load, double low, double high) const;
  double ceiling(const Load& load, double static_limit) const;

  const ContactSystem& system_;
  const SpringSearchOptions options_;
  SpringSystem springs_;
  Eigen::VectorXd rest_;    // at rest, in units of that force
  double rest_force_{1.0};  // [N]
  bool rests_{false};
  int steps_{0}, lost_{0};
};

}  // namespace prehend::stability
