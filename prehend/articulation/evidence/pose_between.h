// A part's pose at times between its rows: the straight way between the two, bent as the rows around them are.
//
// The chord of a motion of acceleration a errs by a u (1 - u) gap^2 / 2, always to the same side: over many frames a rigid pair that is
// carried about then seems to turn. The correction is that with the mean of the second differences at both rows, in position and in
// rotation; half-way between even rows it is the cubic through four of them. Of two differences that disagree by far more than is usual
// (a flipped marker beside), the smaller counts; beside a gap there is none.
//
// Cost: linear in the rows once, then a search per time.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Geometry>

namespace prehend::articulation {

// [s] sqrt(u (1 - u)) times the rows' gap is at most this, u being the place between them: half-way between rows 0.1 s apart that is just so.
inline constexpr double kLongestGap = 0.05;

struct TimedPose {
  double t{0};  // [s]
  Eigen::Vector3d p_WP;
  std::optional<Eigen::Quaterniond> q_WP;
};

class PosesBetween {
 public:
  // By time.
  explicit PosesBetween(std::vector<TimedPose> rows);

  // Which rows a time lies between, and where.
  struct Place {
    std::size_t before{0}, after{0};
    double u{0};  // 0 at `before`, 1 at `after`; both may be one row
  };
  // Absent before the first row, after the last, and in gaps longer than kLongestGap allows.
  std::optional<Place> place(double t) const;
  TimedPose at(double t, const Place& place) const;

  const std::vector<TimedPose>& rows() const { return rows_; }

 private:
  struct Bend {
    Eigen::Vector3d shift{Eigen::Vector3d::Zero()}, turn{Eigen::Vector3d::Zero()};  // [m/s^2, rad/s^2] world, part
  };
  void find_usual_changes();

  std::vector<TimedPose> rows_;
  std::vector<std::optional<Bend>> bends_;  // by row
  double usual_shift_{0}, usual_turn_{0};   // [m/s^2, rad/s^2] by which bends of neighbours differ, the median
};

}  // namespace prehend::articulation
