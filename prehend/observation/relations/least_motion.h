// The iterations behind pose_correction.h, on rows, without the questions whether faces are met and bodies overlap; small motions in units of a tracker's
// noise, whose size may depend on the direction.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/observation/pose_correction.h>
#include <prehend/observation/relations/contact_rows.h>

namespace prehend::observation {

// `status` is ok or not_converged. `slack` [m]: what equations that follow from others may be open by, because of the meshes' rounding.
Correction solve_least(const std::vector<ContactRow>& rows, const math::Pose& X_FM_seen,
                       const CorrectionOptions& options, double slack);
Correction solve_newton(const std::vector<ContactRow>& rows, const math::Pose& X_FM_seen,
                        const CorrectionOptions& options, double slack);

// Motions are turns [rad] and shifts [m] of the reference point in the fixed body's axes, turns first.
Eigen::Matrix<double, 6, 1> in_noise_units(const Eigen::Vector3d& turn, const Eigen::Vector3d& shift,
                                           const CorrectionOptions& options);
Eigen::Vector3d turn_of(const Eigen::Matrix<double, 6, 1>& x, const CorrectionOptions& options);
Eigen::Vector3d shift_of(const Eigen::Matrix<double, 6, 1>& x, const CorrectionOptions& options);
// Of an equation: by motions in units of the noise.
RowVector6d per_noise_unit(const RowVector6d& slope, const CorrectionOptions& options);
// Of a motion's reference point from a seen pose.
Eigen::Matrix<double, 6, 1> motion_between(const math::Pose& X_FM_seen, const math::Pose& X_FM,
                                           const CorrectionOptions& options);

// Largest over all directions, of the noise's mean.
TrackNoise largest_factors(const NoiseDirections& directions);

// [nats] Logarithm of the noise's volume in the directions that the equations restrict at a pose, over that of noise that is alike in all directions.
double log_spread(const std::vector<ContactRow>& rows, const math::Pose& X_FM,
                  const CorrectionOptions& options);

}  // namespace prehend::observation
