// Single poses that a tracker misplaced: a marker taken for another, a lost bit.
//
// A row counts where it lies far from the cubic through four neighbours, by ten deviations of the rows about it and by more than smoothing
// takes, while its neighbours fit without it. A pose that stays where it jumped to is no single one.
#pragma once

#include <vector>

#include <prehend/model/wrench_log.h>

namespace prehend::inertia {

struct Misplaced {
  std::vector<bool> rows;
  double position{0.0}, rotation{0.0};  // [m] [rad] the largest distances
};
// Rows in `lost` have no say.
Misplaced misplaced_poses(const model::WrenchLog& log, const std::vector<bool>& lost);

}  // namespace prehend::inertia
