// A cloud made ready: sorted, without duplicates, strays named, the unseen side closed by a support plane.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/house/cloud_solid.h>

namespace prehend::parts {

struct PreparedCloud {
  std::vector<Eigen::Vector3d>
      points;  // sorted by x, y, z, so that the order of the input does not matter; then what closes it
  std::vector<Eigen::Vector3d> colours;  // one per point, or none
  std::size_t seen{0};                   // points of the input, which come first
  std::vector<int> point_of;             // per point of the input, its index here
  std::vector<std::string> problems;
};

PreparedCloud prepare_cloud(const std::vector<Eigen::Vector3d>& points,
                            const std::vector<Eigen::Vector3d>& colours,
                            const std::optional<Eigen::Vector4d>& support);

// Adds the feet of the points on the plane n.x = d (x, y, z, d), and walls where the surface ends above it. Returns how far the lowest
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
