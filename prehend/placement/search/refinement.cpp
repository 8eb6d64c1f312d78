#include <cmath>

#include <prehend/placement/search/refinement.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Along both axes of the plane and about its normal, then the other way.
constexpr int kDirections = 6;
// First and last step, in the object's size; the first turn [rad].
constexpr double kFirstStep = 0.15, kLastStep = 0.004, kFirstTurn = 0.35;
constexpr double kShrink = 0.4;
// Relative gain that counts: ten times what limits are found to.
constexpr double kGain = 1e-3;

}  // namespace

Refinement::Refinement(const Problem& problem, Parts& parts, const LoadPolygons& loads, const Found& start,
                       double score)
    : problem_(problem),
      parts_(parts),
      loads_(loads),
      centre_(start),
      score_(score),
      step_(kFirstStep * parts.object_size()),
      least_step_(kLastStep * parts.object_size()),
      turn_(kFirstTurn) {}

Found Refinement::moved(int direction) const {
  Found next = centre_;
  const double sign = direction < 3 ? 1.0 : -1.0;
  if (direction % 3 < 2) {
    next.t[direction % 3] += sign * step_;
    return next;
  }
  Slot slot = centre_.lying->slot();
  slot.yaw += sign * turn_;
  next.lying = std::make_shared<const Lying>(problem_, parts_, loads_, slot, true);
  // About the centre of mass: its place over the supports stays.
  const Vector3d com = problem_.body().inertia.com;
  next.t = slot.plane->flat(centre_.lying->pose(centre_.t) * com - next.lying->pose(Vector2d::Zero()) * com);
  return next;
}

std::optional<Found> Refinement::next() {
  while (true) {
    // One way along each freedom and nothing is better or worse: something else is the weakest.
    if (since_gain_ >= kDirections / 2 && is_level_) return std::nullopt;
    if (since_gain_ >= kDirections) {
      since_gain_ = 0;
      is_level_ = true;
      step_ *= kShrink;
      turn_ *= kShrink;
      if (step_ < least_step_) return std::nullopt;
    }
    tried_ = direction_;
    direction_ = (direction_ + 1) % kDirections;
    ++since_gain_;
    trial_ = moved(tried_);
    if (!trial_.lying->is_free(trial_.t) || !(trial_.lying->standing(trial_.t).margin > 0.0)) {
      is_level_ = false;
      continue;
    }
    return trial_;
  }
}

void Refinement::observe(bool passed, double score) {
  const double gain = kGain * std::abs(score_);
  if (!passed || std::abs(score - score_) > gain) is_level_ = false;
  if (!passed || !(score > score_ + gain)) return;
  centre_ = trial_;
  score_ = score;
  since_gain_ = 0;
  direction_ = tried_;  // on in the same direction
}

}  // namespace prehend::placement
