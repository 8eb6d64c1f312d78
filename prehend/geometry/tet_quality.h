// How well shaped the tetrahedra of a mesh are.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace prehend::geometry {

struct TetQualityReport {
  int count{0};
  double min_dihedral{0.0};     // [rad] smallest angle between two faces of a tetrahedron
  double max_dihedral{0.0};     // [rad] largest
  double smallest_volume{0.0};  // [m^3]
  double total_volume{0.0};     // [m^3]
  double longest_edge{0.0};     // [m]
  // Circumradius over shortest edge (0.612 for the regular tetrahedron): at the percentiles 50, 90, 99 and
  // 100.
  std::array<double, 4> radius_edge{};
  double min_mean_ratio{0.0};  // see mean_ratio() below; 1 at best
  // Tetrahedra with a dihedral angle below 5 or above 175 degrees.
  int slivers{0};

  std::string brief_report() const;
};

TetQualityReport tet_quality(std::span<const Eigen::Vector3d> vertices,
                             std::span<const Eigen::Vector4i> tetrahedra);

// Six dihedral angles [rad] at the edges 01, 02, 03, 12, 13, 23.
std::array<double, 6> dihedral_angles(const std::array<Eigen::Vector3d, 4>& p);

// Volume over the cube of the root-mean-square edge, scaled to 1 for the regular tetrahedron; 0 when flat,
// negative when inverted. Cheap and smooth, for comparing alternatives.
double mean_ratio(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                  const Eigen::Vector3d& d);

}  // namespace prehend::geometry
