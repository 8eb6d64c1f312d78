// Closed forms that several types share. Weighted by Frames::weights throughout.
#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/fit/frames.h>
#include <prehend/articulation/joint_model.h>

namespace prehend::articulation {

struct Moments {
  double weight{0};
  Eigen::Matrix3d R{Eigen::Matrix3d::Zero()};  // sum of w R
  Eigen::Vector3d p{Eigen::Vector3d::Zero()};  // sum of w p
  Eigen::Vector3d mean_p() const { return p / weight; }
};
Moments moments(const Frames& frames);
// Scatter of positions about their mean, divided by the weight [m^2].
Eigen::Matrix3d position_scatter(const Frames& frames, const Eigen::Vector3d& mean);

// Principal axes of a scatter, least value first; compiled once for all types.
struct PrincipalAxes {
  Eigen::Vector3d values;
  Eigen::Matrix3d vectors;  // columns
};
PrincipalAxes principal_axes(const Eigen::Matrix3d& scatter);
// Greatest first.
Eigen::Vector3d singular_values(const Eigen::Matrix3d& A);

// A rotation whose z axis is the unit vector; x and y anywhere, but always the same for the same vector.
Eigen::Matrix3d frame_with_z(const Eigen::Vector3d& z);

// The rotation that minimises (4.6) of source L: nearest to the mean matrix.
Eigen::Matrix3d mean_rotation(const Moments& moments);

// The axis in F and in M that minimise (4.16) of source L: sum of 1 - a_F . R a_M is least at the leading singular vectors
// of the sum of R.
std::pair<Eigen::Vector3d, Eigen::Vector3d> axis_pair(const Moments& moments);

// The turn of each frame about a common axis: R_FJ^T R R_MJ = swing * turn(theta), the orientation corrected to turn about
// the axis exactly (source L, text before 4.17).
struct Turn {
  double c{1}, s{0};  // cosine and sine of theta
};
std::vector<Turn> turns(const Frames& frames, const Eigen::Matrix3d& R_FJ, const Eigen::Matrix3d& R_MJ);
// Angles made continuous in the order of the frames [rad].
std::vector<double> unwrapped(const std::vector<Turn>& turns);

// Where a turning axis passes, across the axis, by linear least squares (4.18 of source L): in the joint frames' axes the
// complex equation c_F - exp(i theta) c_M = p. Gives the two joint frames; heights along the axis are the mean.
struct AxisPlacement {
  Joint joint;  // frames placed, type not set
  std::vector<Turn> turns;
};
AxisPlacement place_axis(const Frames& frames, const Eigen::Vector3d& a_F, const Eigen::Vector3d& a_M);

// Shift both joint frames along their z axes so that M's origin lies level with them: a gauge of all axes.
void level_with_moving_origin(Joint& joint);

}  // namespace prehend::articulation
