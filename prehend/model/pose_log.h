// Tracked poses of parts over time: CSV `t,part,x,y,z,qw,qx,qy,qz`, one row per part and time.
//
// Position in metres and orientation of the part's frame P in the file's world W; time in seconds.
// Orientation may be absent (no quaternion columns, or all four cells empty): a position-only track. A lost
// part has no row at that time. Within a part time must increase; rows of different parts may come in any
// order. Without the column `part` there is one part, named "part".
//
// Optional covariance in 21 columns `cov_rx_rx, cov_rx_ry, ..., cov_z_z`: the upper triangle, row by row, of
// the covariance of the error V in X_WP measured = X_WP exp(V), in the part's own axes, turn (rx, ry, rz)
// before shift (x, y, z) [rad^2, rad m, m^2]. All columns or none, in every row, positive definite.
//
// Foreign formats: track_file.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <prehend/math/se3.h>

namespace prehend::model {

struct PoseRow {
  double t{0};                                    // [s]
  int part{0};                                    // index into PoseLog::parts
  Eigen::Vector3d p_WP{Eigen::Vector3d::Zero()};  // [m]
  std::optional<Eigen::Quaterniond> q_WP;         // absent for a position-only row
  int line{0};                                    // of the file; 0 when made in memory
};

struct PoseLog {
  std::vector<std::string> parts;  // in the order of their first rows
  std::vector<PoseRow> rows;       // in the order of the file
  // One per row, or none at all; see above.
  std::vector<math::Matrix6d> covariances;
  // The power of ten of which all numbers of quaternions were multiples in the file, before they were made unit; 0: none, or made in memory.
  double quaternion_step{0.0};
  bool has_part_column{true};        // false: one part, without a name in the file
  std::vector<std::string> columns;  // as in the file
  std::vector<std::string> notes;    // ignored columns, what was converted

  // [s] from the earliest to the latest row.
  double duration() const;
  // The rows of one part, in time order.
  std::vector<const PoseRow*> track(int part) const;
  // The same for all parts in one pass.
  std::vector<std::vector<const PoseRow*>> tracks() const;
  // Index of the part, or nothing.
  std::optional<int> find_part(std::string_view name) const;
};

PoseLog read_pose_log(const std::string& path);
PoseLog parse_pose_log(std::string_view bytes, const std::string& name);

// Writes what read_pose_log reads back bit by bit. Quaternion columns are left out when no row has an
// orientation. Throws std::invalid_argument on a value that is not finite, a part name that a CSV cell cannot
// hold, or rows that the reader would refuse.
void write_pose_log(const std::string& path, const PoseLog& log);

// Refuses time that does not increase within a part, by InputError at the row's line.
void check_times(const PoseLog& log, const std::string& name);

}  // namespace prehend::model
