// The person, held in the world: detections come late and seldom, the robot moves on meanwhile.
//
// Each detection is carried into the world with the camera's pose at the detection's own time, checked (finite, not from the future, not old, not the
// same numbers again, not a jump) and blended in. Between detections the person stays where they were seen. Kept in the camera frame, or as the last
// error, a base that loses sight would drive on into the person.
#pragma once

#include <array>

#include <prehend/assist/controller.h>

namespace prehend::assist {

enum class DetectionVerdict { accepted, ignored, invalid };

class PersonTrack {
 public:
  // `noise_m`: per axis, the largest that the tracker is expected to have.
  explicit PersonTrack(double noise_m = 0.015);
  // Where the camera stood at a time; once per tick.
  void remember_camera(double t_s, const Eigen::Matrix3d& R_WC, const Eigen::Vector3d& p_WC);
  DetectionVerdict consider(const PersonDetection& detection, double now_s);

  bool is_known() const { return is_known_; }
  double seen_at() const { return seen_at_; }  // [s] time of the last accepted picture
  const Eigen::Vector3d& pelvis() const { return pelvis_.p; }
  double yaw() const { return yaw_; }
  const Eigen::Vector3d& head() const { return head_.p; }
  const Eigen::Vector3d& face() const { return face_; }
  const Eigen::Vector3d& region(BodyRegion region) const {
    return regions_[static_cast<std::size_t>(region)].p;
  }

 private:
  struct CameraPose {
    double t{-1.0};
    Eigen::Matrix3d R{Eigen::Matrix3d::Identity()};
    Eigen::Vector3d p{Eigen::Vector3d::Zero()};
  };
  static constexpr int kRemembered = 128;
  // A point that stands is averaged: its share of the next detection falls as 1/n. One that moves is followed.
  struct Point {
    Eigen::Vector3d p{Eigen::Vector3d::Zero()};
    int count{0};         // detections since it moved last
    bool was_off{false};  // the last detection was far off: one is noise, two in a row are a motion
    void follow(const Eigen::Vector3d& seen, bool moves, double still);
  };
  const CameraPose* camera_at(double t_s) const;

  double noise_, still_, point_still_;  // [m]
  std::array<CameraPose, kRemembered> cameras_;
  int next_{0};
  double remembered_at_{-1.0};  // [s]
  bool is_known_{false}, moved_{false};
  double seen_at_{0.0}, last_picture_{-1.0};
  Eigen::Vector3d last_raw_{Eigen::Vector3d::Zero()};
  Point pelvis_, head_;
  Eigen::Vector3d face_{Eigen::Vector3d::UnitX()};
  double yaw_{0.0};
  std::array<Point, kRegionCount> regions_{};
};

}  // namespace prehend::assist
