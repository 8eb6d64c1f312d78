#include <algorithm>

#include <prehend/math/angles.h>
#include <prehend/placement/planning/trial_count.h>

namespace prehend::placement {

bool TrialCount::begin() {
  if (begun_ >= most_ || static_cast<int>(found_.size()) >= wanted_) return false;
  ++begun_;
  return true;
}

void TrialCount::observe(const Verdict& verdict) {
  if (!verdict.passed()) return;
  const math::Pose& pose = verdict.placement.X_WO;
  const bool is_new = std::all_of(found_.begin(), found_.end(), [&](const math::Pose& other) {
    return (pose.p() - other.p()).norm() >= 0.01 ||
           pose.q().angularDistance(other.q()) >= 10.0 * math::kPi / 180.0;
  });
  if (is_new) found_.push_back(pose);
}

}  // namespace prehend::placement
