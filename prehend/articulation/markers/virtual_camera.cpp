#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include <opencv2/imgproc.hpp>

#include <prehend/articulation/markers/detection/marker_pattern.h>
#include <prehend/articulation/markers/virtual_camera.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/math/progress.h>
#include <prehend/math/random.h>
#include <prehend/math/se3.h>

namespace prehend::articulation {
namespace {

constexpr float kBlack = 0.07f, kWhite = 0.85f, kBackground = 0.62f, kFullScale = 245.0f;
constexpr double kNear = 1e-3;  // [m] nothing nearer to the camera is drawn

// A rectangle in space, plain or with a marker's cells on it.
struct Rectangle {
  Eigen::Vector3d centre_C, u_C, v_C;  // u to the right, v up, unit
  double half_u, half_v;               // [m]
  double lift;                         // [m] drawn this much nearer, so that a marker lies on its face
  float light, albedo;
  const MarkerPattern* pattern{nullptr};
  double cell{0};  // [m]

  float shade(double a, double b) const {
    if (pattern == nullptr) return light * albedo;
    const double half = 0.5 * cell * pattern->cells;
    const int column = static_cast<int>(std::floor((a + half) / cell)),
              row = static_cast<int>(std::floor((half - b) / cell));
    const bool outside = column < 0 || row < 0 || column >= pattern->cells || row >= pattern->cells;
    const bool white = outside || pattern->white[static_cast<std::size_t>(row * pattern->cells + column)];
    return light * (white ? kWhite : kBlack);
  }
};

struct Box2 {
  int x0, x1, y0, y1;  // pixels, both ends in
};

// Where the rectangle may show: its rim is sampled, as a lens bends straight lines.
Box2 bounds(const Rectangle& r, const model::CameraModel& camera) {
  Box2 box{camera.width, -1, camera.height, -1};
  constexpr int kSteps = 4;
  for (int side = 0; side < 4; ++side) {
    for (int step = 0; step < kSteps; ++step) {
      const double t = 2.0 * step / kSteps - 1;
      const double a = side == 0 ? t : side == 1 ? 1 : side == 2 ? -t : -1;
      const double b = side == 0 ? -1 : side == 1 ? t : side == 2 ? 1 : -t;
      const Eigen::Vector3d p = r.centre_C + a * r.half_u * r.u_C + b * r.half_v * r.v_C;
      if (p.z() < 0.05 * r.centre_C.norm() || p.z() < kNear)
        return {0, camera.width - 1, 0, camera.height - 1};
      const Eigen::Vector2d q = camera.project(p);
      const auto pixel = [](double value, int end) {
        return static_cast<int>(std::clamp(value, -1.0, end + 1.0));
      };
      box.x0 = std::min(box.x0, pixel(q.x() - 4, camera.width)),
      box.x1 = std::max(box.x1, pixel(q.x() + 4, camera.width));
      box.y0 = std::min(box.y0, pixel(q.y() - 4, camera.height)),
      box.y1 = std::max(box.y1, pixel(q.y() + 4, camera.height));
    }
  }
  return {std::max(box.x0, 0), std::min(box.x1, camera.width - 1), std::max(box.y0, 0),
          std::min(box.y1, camera.height - 1)};
}

using Patterns = std::map<int, MarkerPattern>;

std::vector<Rectangle> rectangles(const MarkedObject& marked, const std::vector<math::Pose>& X_CP,
                                  const Patterns& patterns, const Eigen::Vector3d& light_C) {
  std::vector<Rectangle> all;
  const auto add = [&](Rectangle r) {
    const Eigen::Vector3d out = r.u_C.cross(r.v_C);
    if (out.dot(r.centre_C) >= 0) return;  // seen from behind
    r.light = static_cast<float>(0.65 + 0.4 * std::max(0.0, out.dot(light_C)));
    all.push_back(r);
  };
  for (std::size_t part = 0; part < marked.object.parts.size(); ++part) {
    const Eigen::Vector3d half = 0.5 * marked.object.parts[part].size;
    const Eigen::Matrix3d R = X_CP[part].R();
    const float albedo = 0.28f + 0.07f * static_cast<float>(part % 4);
    for (int axis = 0; axis < 3; ++axis) {
      for (const int sign : {-1, 1}) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        add({X_CP[part].p() + sign * half[axis] * R.col(axis), sign * R.col(next), R.col(last), half[next],
             half[last], 0.0, 0, albedo});
      }
    }
  }
  for (const PlacedMarker& marker : marked.markers) {
    const math::Pose X_CM = X_CP[static_cast<std::size_t>(marker.part)] * marker.X_PM;
    const Eigen::Matrix3d R = X_CM.R();
    const MarkerPattern& pattern = patterns.at(marker.id);
    const double cell = marked.options.size / pattern.cells;
    const double half = 0.5 * marked.options.size + marked.options.margin * cell;
    add({X_CM.p(), R.col(0), R.col(1), half, half, 1e-3 * marked.options.size, 0, 0, &pattern, cell});
  }
  return all;
}

// A step that visits all of `count` places, near the given share of it.
int stride(int count, double share) {
  int step = std::max(1, static_cast<int>(std::lround(share * count)));
  while (std::gcd(step, count) != 1) ++step;
  return step;
}

}  // namespace

void VirtualCameraOptions::validate() const {
  const math::OptionCheck check("VirtualCameraOptions");
  check.between("samples", samples, 1, 1024);
  check.between("exposure", exposure, 0, 1);
  check.between("lens_blur", lens_blur, 0, 20, "px");
  check.between("read_noise", read_noise, 0, 100);
  check.between("shot_noise", shot_noise, 0, 10);
  check.between("light_gradient", light_gradient, -1, 1);
  check.between("light_C (its length)", light_C.norm(), 1 - 1e-6, 1 + 1e-6);
}

VirtualCamera::VirtualCamera(const model::CameraModel& camera, const VirtualCameraOptions& options)
    : camera_(camera), options_(options) {
  camera.validate();
  options.validate();
  rays_.reserve(static_cast<std::size_t>(camera.width) * static_cast<std::size_t>(camera.height));
  const Eigen::Vector2f nothing = Eigen::Vector2f::Constant(std::numeric_limits<float>::quiet_NaN());
  for (int y = 0; y < camera.height; ++y) {
    for (int x = 0; x < camera.width; ++x) {
      const std::optional<Eigen::Vector2d> ray = camera.ray({static_cast<double>(x), static_cast<double>(y)});
      rays_.push_back(ray ? Eigen::Vector2f(ray->cast<float>()) : nothing);
    }
  }
}

GreyImage VirtualCamera::picture(const MarkedObject& marked, const std::vector<math::Pose>& X_CP,
                                 int frame) const {
  return picture(marked, [&X_CP](double) { return X_CP; }, frame);
}

GreyImage VirtualCamera::picture(const MarkedObject& marked,
                                 const std::function<std::vector<math::Pose>(double)>& X_CP,
                                 int frame) const {
  Patterns patterns;
  for (const PlacedMarker& marker : marked.markers)
    if (!patterns.contains(marker.id))
      patterns[marker.id] = marker_pattern(marked.options.dictionary, marker.id);
  const int width = camera_.width, height = camera_.height;
  const std::size_t pixels = rays_.size();
  std::vector<float> sum(pixels, 0.0f), sample(pixels), depth(pixels);
  const int row_stride = stride(options_.samples, 0.618), time_stride = stride(options_.samples, 0.414);
  for (int s = 0; s < options_.samples; ++s) {
    // Each sample has its own column, row and instant, and all of them are even: a straight edge meets as many steps as
    // there are samples, and blur is centred.
    const auto place = [this, s](int step) {
      return ((static_cast<long>(s) * step) % options_.samples + 0.5) / options_.samples - 0.5;
    };
    const double dx = place(1), dy = place(row_stride), instant = place(time_stride);
    std::fill(sample.begin(), sample.end(), kBackground);
    std::fill(depth.begin(), depth.end(), std::numeric_limits<float>::infinity());
    for (const Rectangle& r : rectangles(marked, X_CP(instant), patterns, options_.light_C)) {
      const Box2 box = bounds(r, camera_);
      const Eigen::Vector3d out = r.u_C.cross(r.v_C);
      const double offset = out.dot(r.centre_C), u0 = r.u_C.dot(r.centre_C), v0 = r.v_C.dot(r.centre_C);
      for (int y = box.y0; y <= box.y1; ++y) {
        for (int x = box.x0; x <= box.x1; ++x) {
          const std::size_t at =
              static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
          // Within the pixel the ray moves as it does to the neighbours.
          const std::size_t row = static_cast<std::size_t>(width);
          const Eigen::Vector2f right = x + 1 < width ? Eigen::Vector2f(rays_[at + 1] - rays_[at])
                                                      : Eigen::Vector2f(rays_[at] - rays_[at - 1]);
          const Eigen::Vector2f down = y + 1 < height ? Eigen::Vector2f(rays_[at + row] - rays_[at])
                                                      : Eigen::Vector2f(rays_[at] - rays_[at - row]);
          const double rx = rays_[at].x() + dx * right.x() + dy * down.x(),
                       ry = rays_[at].y() + dx * right.y() + dy * down.y();
          const double along = out.x() * rx + out.y() * ry + out.z();
          if (!(along < 0)) continue;  // also where there is no ray
          const double t = offset / along;
          if (t < kNear || t - r.lift >= depth[at]) continue;
          const double a = t * (r.u_C.x() * rx + r.u_C.y() * ry + r.u_C.z()) - u0;
          const double b = t * (r.v_C.x() * rx + r.v_C.y() * ry + r.v_C.z()) - v0;
          if (std::abs(a) > r.half_u || std::abs(b) > r.half_v) continue;
          depth[at] = static_cast<float>(t - r.lift);
          sample[at] = r.shade(a, b);
        }
      }
    }
    for (std::size_t i = 0; i < pixels; ++i) sum[i] += sample[i];
  }

  cv::Mat light(height, width, CV_32FC1, sum.data());
  if (options_.lens_blur > 0)
    cv::GaussianBlur(light, light, cv::Size(0, 0), options_.lens_blur, options_.lens_blur,
                     cv::BORDER_REPLICATE);
  math::RandomStream random(options_.seed, static_cast<std::uint64_t>(frame));
  GreyImage image{width, height, std::vector<std::uint8_t>(pixels)};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::size_t at =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
      const double lamp = 1 + options_.light_gradient * ((x + 0.5) / width - 0.5);
      double level = kFullScale * lamp * light.at<float>(y, x) / options_.samples;
      const double variance = options_.read_noise * options_.read_noise + options_.shot_noise * level;
      if (variance > 0) level += std::sqrt(variance) * random.normal();
      image.pixels[at] = static_cast<std::uint8_t>(std::clamp(std::lround(level), 0L, 255L));
    }
  }
  return image;
}

void film_motion(const SimulatedMotion& motion, const MarkedObject& marked, const VirtualCamera& camera,
                 const math::Pose& X_CW, double exposure,
                 const std::function<void(int, const GreyImage&)>& show) {
  const std::size_t frames = motion.X_WP.size();
  math::Progress progress("film", frames);
  for (std::size_t i = 0; i < frames; ++i, progress.advance()) {
    const auto poses = [&](double u) {
      const double shift = exposure * u;  // in frame times
      const std::size_t to = shift < 0 ? (i > 0 ? i - 1 : i) : std::min(i + 1, frames - 1);
      std::vector<math::Pose> X_CP;
      for (std::size_t part = 0; part < motion.X_WP[i].size(); ++part)
        X_CP.push_back(X_CW *
                       math::interpolate(motion.X_WP[i][part], motion.X_WP[to][part], std::abs(shift)));
      return X_CP;
    };
    show(static_cast<int>(i), camera.picture(marked, poses, static_cast<int>(i)));
  }
}

math::Pose look_at(const Eigen::Vector3d& eye_W, const Eigen::Vector3d& target_W) {
  const Eigen::Vector3d forward = (target_W - eye_W).normalized();
  const Eigen::Vector3d right = forward.cross(Eigen::Vector3d::UnitZ());
  if (!(right.norm() > 1e-9))
    throw std::invalid_argument("the camera must not look straight up or down, or at its own place");
  Eigen::Matrix3d R_WC;
  R_WC.col(0) = right.normalized();
  R_WC.col(2) = forward;
  R_WC.col(1) = forward.cross(R_WC.col(0));
  return math::Pose(R_WC, eye_W).inverse();
}

}  // namespace prehend::articulation
