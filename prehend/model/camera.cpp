#include <cmath>
#include <stdexcept>

#include <Eigen/LU>

#include <prehend/math/number_text.h>
#include <prehend/model/camera.h>

namespace prehend::model {

Eigen::Vector2d CameraModel::distort(const Eigen::Vector2d& n) const {
  const double x = n.x(), y = n.y(), r2 = n.squaredNorm();
  const auto& d = distortion;
  const double radial = 1 + r2 * (d[0] + r2 * (d[1] + r2 * d[4]));
  return {x * radial + 2 * d[2] * x * y + d[3] * (r2 + 2 * x * x),
          y * radial + 2 * d[3] * x * y + d[2] * (r2 + 2 * y * y)};
}

std::optional<Eigen::Vector2d> CameraModel::undistort(const Eigen::Vector2d& distorted) const {
  const auto& d = distortion;
  if (d.isZero(0.0)) return distorted;
  Eigen::Vector2d n = distorted;
  for (int iteration = 0; iteration < 30; ++iteration) {
    const double x = n.x(), y = n.y(), r2 = n.squaredNorm();
    const double radial = 1 + r2 * (d[0] + r2 * (d[1] + r2 * d[4]));
    const double slope = 2 * (d[0] + r2 * (2 * d[1] + 3 * r2 * d[4]));  // d radial / d x = slope x
    Eigen::Matrix2d J;
    J << radial + slope * x * x + 2 * d[2] * y + 6 * d[3] * x, slope * x * y + 2 * d[2] * x + 2 * d[3] * y,
        slope * x * y + 2 * d[3] * y + 2 * d[2] * x, radial + slope * y * y + 2 * d[3] * x + 6 * d[2] * y;
    if (J.determinant() <= 0) return std::nullopt;  // past the fold
    const Eigen::Vector2d step = J.inverse() * (distorted - distort(n));
    n += step;
    if (step.norm() < 1e-13 * (1 + n.norm())) return n;
  }
  return (distort(n) - distorted).norm() < 1e-9 ? std::optional(n) : std::nullopt;
}

Eigen::Vector2d CameraModel::project(const Eigen::Vector3d& p_C) const {
  const Eigen::Vector2d n = distort(p_C.head<2>() / p_C.z());
  return {fx * n.x() + cx, fy * n.y() + cy};
}

std::optional<Eigen::Vector2d> CameraModel::ray(const Eigen::Vector2d& pixel) const {
  return undistort({(pixel.x() - cx) / fx, (pixel.y() - cy) / fy});
}

void CameraModel::validate() const {
  const auto fail = [](const std::string& name, double value, const char* bound) {
    throw std::invalid_argument(name + " is " + math::number_text(value) + ", must " + bound);
  };
  if (width < 16 || width > 20000) fail("image width", width, "lie in 16 to 20000 px");
  if (height < 16 || height > 20000) fail("image height", height, "lie in 16 to 20000 px");
  if (!(fx > 0) || !std::isfinite(fx)) fail("fx", fx, "be above 0");
  if (!(fy > 0) || !std::isfinite(fy)) fail("fy", fy, "be above 0");
  if (fx / fy > 2 || fy / fx > 2) fail("fx / fy", fx / fy, "lie in 0.5 to 2");
  // A principal point outside of the picture belongs to another camera, or to a cropped picture.
  if (!(cx > 0 && cx < width)) fail("cx", cx, "lie inside the picture");
  if (!(cy > 0 && cy < height)) fail("cy", cy, "lie inside the picture");
  for (int k = 0; k < 5; ++k)
    if (!std::isfinite(distortion[k])) fail("a distortion coefficient", distortion[k], "be finite");
}

}  // namespace prehend::model
