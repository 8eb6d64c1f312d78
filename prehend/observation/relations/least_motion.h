// The iterations behind pose_correction.h, on rows, without the questions whether faces are met and bodies overlap.
#pragma once

#include <vector>

#include <prehend/observation/pose_correction.h>
#include <prehend/observation/relations/contact_rows.h>

namespace prehend::observation {

// `status` is ok or not_converged. `slack` [m]: what equations that follow from others may be open by, because of the meshes' rounding.
Correction solve_least(const std::vector<ContactRow>& rows, const math::Pose& X_FM_seen,
                       const CorrectionOptions& options, double slack);
Correction solve_newton(const std::vector<ContactRow>& rows, const math::Pose& X_FM_seen,
                        const CorrectionOptions& options, double slack);

}  // namespace prehend::observation
