// Seen poses corrected so that a contact relation holds: the contact equations met to 1e-9 m.
//
// least   The least motion in units of the noise: minimises |shift|^2/position^2 + |turn|^2/angle^2, shift of the moving body's
//         reference point and turn about it, on the equations of all principal contacts.
// newton  Newton's method on the equations with the singular value decomposition, from the seen pose (Takamatsu 2004, 2.7.3),
//         in millimetres and radians as the source: it turns rather than shifts.
// linear  The least turn that makes the relation possible, then the least shift (its appendix A from the empty relation).
#pragma once

#include <string>

#include <prehend/observation/principal_contacts.h>

namespace prehend::observation {

enum class CorrectionMethod { least, newton, linear };
const char* to_string(CorrectionMethod method);

enum class CorrectionStatus {
  not_converged,  // the equations were not met, or the least motion not found
  ok,
  apart,        // they were, outside a face or past the end of an edge
  overlapping,  // the bodies overlap there
  astray,  // of a recording: off the line of its neighbours and of every relation near; the pose stands as seen
};
const char* to_string(CorrectionStatus status);

// Standard deviations per axis of the moving body's pose in the fixed body's frame.
struct TrackNoise {
  double position{1e-3};  // [m]
  double angle{1e-2};     // [rad]
};

// How the noise differs by direction, in the fixed body's axes: a shift is noise.position times `position` times a standard normal vector, a turn alike.
// Both are symmetric, with determinant 1: the noise itself is the geometric mean.
struct NoiseDirections {
  bool is_even{true};  // alike in all directions: both are the identity
  Eigen::Matrix3d position{Eigen::Matrix3d::Identity()}, angle{Eigen::Matrix3d::Identity()};
};

// A constant error of the moving body's track: what has to be added to a seen pose, in the moving body's axes. A turn about, and a shift of, the
// reference point.
struct TrackOffset {
  Eigen::Vector3d turn_M{Eigen::Vector3d::Zero()};       // [rad]
  Eigen::Vector3d shift_M{Eigen::Vector3d::Zero()};      // [m]
  Eigen::Vector3d reference_M{Eigen::Vector3d::Zero()};  // [m]
};

struct CorrectionOptions {
  CorrectionMethod method{CorrectionMethod::least};
  TrackNoise noise;  // only the ratio matters to the pose
  NoiseDirections directions;
  // [m] In the moving body's frame: the point whose shift the noise is about.
  Eigen::Vector3d reference_M{Eigen::Vector3d::Zero()};
  int most_iterations{120};
  // [noise units] The least motion is found to this; the contact equations are met far better in any case.
  double convergence{1e-9};

  void validate() const;
};

struct Correction {
  CorrectionStatus status{CorrectionStatus::not_converged};
  math::Pose X_FM;
  double moved_m{0.0};  // of the reference point
  double turned_rad{0.0};
  double cost{0.0};        // |shift|^2/position^2 + |turn|^2/angle^2
  double residual_m{0.0};  // largest open contact equation
  int restricted{0};       // freedoms that the relation takes there, of six
  int iterations{0};
};

// Throws std::invalid_argument for invalid options. `contacts` may be empty: nothing to correct but an overlap to report.
Correction correct_pose(const BodyPair& pair, const PrincipalContacts& contacts, const math::Pose& X_FM_seen,
                        const CorrectionOptions& options = {});

}  // namespace prehend::observation
