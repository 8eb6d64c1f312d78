// Recordings of a chain held at its ends: poses of all links, wrenches on the two end links.
//
// CSV `t`, per link i `l{i}_x,l{i}_y,l{i}_z,l{i}_qw,l{i}_qx,l{i}_qy,l{i}_qz` (links numbered without gap from
// 0 or from 1), `fl_x,fl_y,fl_z,tl_x,tl_y,tl_z` on the first link and `fr_x,...,tr_z` on the last, each in
// that link's own frame and about its origin. Each wrench group is complete or absent; at least one is there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>

namespace prehend::model {

struct TopologyLog {
  std::vector<double> t;                      // [s], increasing
  int first_number{0};                        // of the links in the file: 0 or 1
  std::vector<std::vector<math::Pose>> X_WL;  // [link][row] link in the world
  std::vector<Eigen::Vector3d> f_left_L;      // [N] per row on the first link, in its frame; or empty
  std::vector<Eigen::Vector3d> tau_left_L;    // [N m]
  std::vector<Eigen::Vector3d> f_right_R;     // [N] per row on the last link, in its frame; or empty
  std::vector<Eigen::Vector3d> tau_right_R;   // [N m]
  std::vector<std::string> columns;           // as in the file
  std::vector<std::string> notes;             // ignored columns

  std::size_t rows() const { return t.size(); }
  std::size_t links() const { return X_WL.size(); }
  double duration() const { return t.empty() ? 0.0 : t.back() - t.front(); }  // [s]
};

TopologyLog read_topology_log(const std::string& path);
TopologyLog parse_topology_log(std::string_view bytes, const std::string& name);

}  // namespace prehend::model
