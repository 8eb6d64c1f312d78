// When a planner that samples stops: it has found as many placements as were asked for, or has tried often enough.
#pragma once

#include <vector>

#include <prehend/math/pose.h>
#include <prehend/placement/planning/verdict.h>

namespace prehend::placement {

class TrialCount {
 public:
  // `most`: trials in all.
  TrialCount(int wanted, long most) : wanted_(wanted), most_(most) {}
  // Counts a trial; false: no more.
  bool begin();
  void observe(const Verdict& verdict);
  long begun() const { return begun_; }

 private:
  int wanted_;
  long most_, begun_{0};
  std::vector<math::Pose> found_;  // each 1 cm or 10 degrees from the others
};

}  // namespace prehend::placement
