// Refinement: an object that lies on a plane is moved and turned on it while it gets better.
//
// A pattern search over the three freedoms that the contact leaves. The least robustness is the minimum of many smooth functions and bends where another
// push decides, so that gradients of one of them lead nowhere there; steps that keep what gained and shrink where nothing gains do not mind.
#pragma once

#include <memory>
#include <optional>

#include <prehend/placement/search/lying.h>

namespace prehend::placement {

// A place on a plane.
struct Found {
  double estimate{0.0};
  std::shared_ptr<const Lying> lying;
  Eigen::Vector2d t{Eigen::Vector2d::Zero()};
};

class Refinement {
 public:
  Refinement(const Problem& problem, Parts& parts, const LoadPolygons& loads, const Found& start,
             double score);
  // The next place to verify; none: nothing near is better.
  std::optional<Found> next();
  // Whether it ended because nothing near is better or worse.
  bool ended_level() const { return is_level_; }
  // What became of it; `score` of a place that does not pass counts for nothing.
  void observe(bool passed, double score);

 private:
  Found moved(int direction) const;

  const Problem& problem_;
  Parts& parts_;
  const LoadPolygons& loads_;
  Found centre_, trial_;
  double score_;
  double step_, least_step_;  // [m]
  double turn_;               // [rad]
  int direction_{0}, tried_{0};
  int since_gain_{0};  // directions without a gain
  bool is_level_{true};
};

}  // namespace prehend::placement
