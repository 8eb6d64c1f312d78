// A cloud made ready: in its own frame, sorted, without duplicates, the unseen side closed by a support plane.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/house/cloud_solid.h>
#include <prehend/parts/shapes/own_frame.h>

namespace prehend::parts {

struct PreparedCloud {
  OwnFrame frame;
  // In that frame, sorted in it, so that neither the order nor the place of the input matters; then what closes them.
  std::vector<Eigen::Vector3d> points;
  std::vector<Eigen::Vector3d> colours;  // one per point, or none
  std::size_t seen{0};                   // points of the input, which come first
  std::vector<int> point_of;             // per point of the input, its index here
  std::vector<std::string> problems;
};

// The support plane in the frame of the points given.
PreparedCloud prepare_cloud(const std::vector<Eigen::Vector3d>& points,
                            const std::vector<Eigen::Vector3d>& colours,
                            const std::optional<Eigen::Vector4d>& support);

// Adds the feet of the points on the plane n.x = d (x, y, z, d; in the cloud's frame), and walls where the surface ends above it. Returns how far the lowest
// point lies above the plane [m], and how many lie below it.
struct SupportGap {
  double lowest{0.0};
  int below{0};
};
std::optional<SupportGap> close_by_support(const Eigen::Vector4d& support, PreparedCloud& cloud);

// Colours that are 0 to 255 become 0 to 1; others out of range are dropped; both are said.
std::vector<Eigen::Vector3d> usable_colours(const std::vector<Eigen::Vector3d>& colours,
                                            std::vector<std::string>& problems);

// What coordinates in millimetres look like: a thing to be handled that is 20 m across, or more.
void say_size(const std::vector<Eigen::Vector3d>& points, std::vector<std::string>& problems);

}  // namespace prehend::parts
