// Trajectories of a plan as motions in time, and the contacts that they keep as wrenches.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/observation/contact_trajectory.h>

namespace prehend::observation {

using Matrix6Xd = Eigen::Matrix<double, 6, Eigen::Dynamic>;

// Unit wrenches of contact points on the moving body, moment about its middle, in the fixed body's axes: a column each. All points of one
// contact share `weights` that add up to one.
struct ContactWrenches {
  Matrix6Xd columns{6, 0};
  Eigen::VectorXd weights;
  Eigen::Vector3d mean_normal{Eigen::Vector3d::Zero()};  // out of the fixed body
};

// A trajectory of a step, by the way that it has made: shifts and turns count alike at a quarter of the moving body's size.
class AssemblyPath {
 public:
  // `middle_M`: what turns are about. `lever_m`: what a radian counts as.
  AssemblyPath(const BodyPair& pair, const AssemblyStep& step, const Eigen::Vector3d& middle_M,
               double lever_m);

  double length() const { return ways_.back(); }  // [m]
  // Beyond the end the last motion goes on.
  math::Pose at(double way) const;
  // The contacts that are kept there.
  const ContactWrenches& kept_at(double way) const;
  // The contacts at the end that the step makes.
  const ContactWrenches& made() const { return made_; }
  // All contacts of the end.
  const ContactWrenches& at_end() const { return at_end_; }
  // Motion per metre of way, of the middle: turn [rad/m] and shift [-], in the fixed body's axes.
  Eigen::Matrix<double, 6, 1> direction_at(double way) const;
  double turn_share_at(double way) const;  // of the way that is turns

 private:
  std::size_t segment_of(double way) const;

  std::vector<math::Pose> poses_;
  std::vector<double> ways_;
  std::vector<ContactWrenches> kept_;
  ContactWrenches made_, at_end_;
  Eigen::Vector3d middle_M_;
  double lever_m_;
};

}  // namespace prehend::observation
