// A pose that nearly touches, moved until it touches exactly: simulated bodies sink into each other by 1e-5 to 5e-4 m.
#pragma once

#include <memory>
#include <optional>

#include <prehend/placement/planning/problem.h>

namespace prehend::placement {

class Touch {
 public:
  explicit Touch(const Problem& problem);
  ~Touch();
  // Newton steps, least motion first, on the gaps below `near` [m], which all close; with fewer of them where they contradict each other. None:
  // nothing is near, or no such pose was found. Gaps are those of convex parts and true round surfaces.
  std::optional<math::Pose> closed(const math::Pose& X_WO, double near) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace prehend::placement
