// The last lines of estimators whose parameters come from non-negative masses: residuals, observability, status.
#pragma once

#include <prehend/inertia/estimate.h>
#include <prehend/inertia/methods/blended_sums.h>

namespace prehend::inertia {

// Rank and condition number of the column-scaled regressor from its second moments, first `columns` parameters (10, or 4
// for a body at rest); singular values below 1e-6 of the largest are rounding of the squares.
void report_observability(const math::Matrix10d& gram, int columns, Estimate& estimate);

// Body, consistency, residuals of the full model over all samples, observability. Status ok when `solved` and there is
// mass: the shape stands in for what the motion does not determine, and `rank` says how much that is.
void finish_consistent_fit(const FullSums& all, const math::Vector10d& phi, bool solved, Estimate& estimate);

}  // namespace prehend::inertia
