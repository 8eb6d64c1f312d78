// Quasi-static descent: the object is let down from above and slides and turns until it rests, with the statics asked at every new contact.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <prehend/placement/planning/verdict.h>
#include <prehend/placement/search/lying.h>

namespace prehend::placement {

class Descents {
 public:
  Descents(const Problem& problem, Parts& parts, const std::vector<RestingFace>& faces);
  ~Descents();
  // The next pose at which the object touches and may rest; none: all starts are used up.
  std::optional<math::Pose> next();
  void observe(const Verdict& verdict);
  long started() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace prehend::placement
