// A pinhole camera with lens distortion, and its calibration file.
//
// Camera frame C: x right, y down, z forward (OpenCV's). A point p_C has normalised coordinates (x, y) = (p_x, p_y) / p_z, which
// the lens moves to (Brown-Conrady, five coefficients k1 k2 p1 p2 k3, r^2 = x^2 + y^2)
//   x' = x (1 + k1 r^2 + k2 r^4 + k3 r^6) + 2 p1 x y + p2 (r^2 + 2 x^2),  y' likewise with p1 and p2 exchanged,
// and the sensor sees at (fx x' + cx, fy y' + cy) pixels.
//
// Calibration files are YAML. OpenCV's own form (image_width, image_height, camera_matrix and distortion_coefficients with
// rows, cols, data; also without the tags, as ROS writes it), or a plain one: width, height, fx, fy, cx, cy, and
// optionally distortion: [k1, k2, p1, p2, k3].
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <Eigen/Core>

namespace prehend::model {

struct CameraModel {
  int width{640}, height{480};                                                  // [px]
  double fx{600}, fy{600};                                                      // [px]
  double cx{319.5}, cy{239.5};                                                  // [px]
  Eigen::Matrix<double, 5, 1> distortion{Eigen::Matrix<double, 5, 1>::Zero()};  // k1 k2 p1 p2 k3

  // Normalised coordinates as the lens moves them, and back. Backwards by Newton's method; empty where the lens folds the
  // picture over and nothing lands there.
  Eigen::Vector2d distort(const Eigen::Vector2d& normalised) const;
  std::optional<Eigen::Vector2d> undistort(const Eigen::Vector2d& distorted) const;

  // [px] of a point in front of the camera (p_C.z() > 0).
  Eigen::Vector2d project(const Eigen::Vector3d& p_C) const;
  // Normalised undistorted coordinates of a pixel.
  std::optional<Eigen::Vector2d> ray(const Eigen::Vector2d& pixel) const;

  // Throws std::invalid_argument, naming the value and the bound.
  void validate() const;
};

// Throws InputError: a missing or ill-shaped entry, a lens model with other coefficients, values out of range.
CameraModel read_calibration(const std::string& path);
CameraModel parse_calibration(std::string_view text, const std::string& name);
// OpenCV's form.
void write_calibration(const std::string& path, const CameraModel& camera);

}  // namespace prehend::model
