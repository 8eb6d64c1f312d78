#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <Eigen/LU>

#include <prehend/articulation/markers/detection/marker_edges.h>

namespace prehend::articulation {
namespace {

using Corners = Eigen::Matrix<double, 2, 4>;
constexpr double kStep = 0.5;  // [px] along a profile

double level(const GreyImage& image, double x, double y) {
  const int ix = static_cast<int>(std::floor(x)), iy = static_cast<int>(std::floor(y));
  const double fx = x - ix, fy = y - iy;
  return (1 - fy) * ((1 - fx) * image.at(ix, iy) + fx * image.at(ix + 1, iy)) +
         fy * ((1 - fx) * image.at(ix, iy + 1) + fx * image.at(ix + 1, iy + 1));
}

// Where along `out` from `p` black turns to white, or nothing.
std::optional<double> step_place(const GreyImage& image, const Eigen::Vector2d& p, const Eigen::Vector2d& out,
                                 double reach, double min_contrast) {
  const int steps = static_cast<int>(std::floor(reach / kStep));
  const Eigen::Vector2d a = p - reach * out, b = p + reach * out;
  for (const Eigen::Vector2d& end : {a, b})
    if (end.x() < 0 || end.y() < 0 || end.x() >= image.width - 1 || end.y() >= image.height - 1)
      return std::nullopt;
  std::array<double, 64> values{};
  const int count = std::min(2 * steps + 1, 64);
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector2d q = p + (i - steps) * kStep * out;
    values[static_cast<std::size_t>(i)] = level(image, q.x(), q.y());
  }
  const double black = 0.5 * (values[0] + values[1]);
  const double white =
      0.5 * (values[static_cast<std::size_t>(count - 1)] + values[static_cast<std::size_t>(count - 2)]);
  if (white - black < min_contrast) return std::nullopt;
  double area = 0.0;
  for (int i = 0; i < count; ++i) {
    const double weight = i == 0 || i == count - 1 ? 0.5 : 1.0;
    area += weight * kStep * (values[static_cast<std::size_t>(i)] - black) / (white - black);
  }
  const double place = steps * kStep - area;
  return std::abs(place) < 0.8 * steps * kStep ? std::optional(place) : std::nullopt;
}

// A first look: the outermost clear rise from dark to bright within reach, to half a pixel. Where a guess is off by more than the width of
// the black border, areas would count the cells inside.
std::optional<double> rise_place(const GreyImage& image, const Eigen::Vector2d& p, const Eigen::Vector2d& out,
                                 double reach, double min_contrast) {
  const int steps = static_cast<int>(std::floor(reach / kStep));
  const auto at = [&](int i) -> std::optional<double> {
    const Eigen::Vector2d q = p + i * kStep * out;
    if (q.x() < 0 || q.y() < 0 || q.x() >= image.width - 1 || q.y() >= image.height - 1) return std::nullopt;
    return level(image, q.x(), q.y());
  };
  std::array<double, 64> rises{};
  double largest = 0.0;
  for (int i = -steps; i <= steps && i + steps < 64; ++i) {
    const std::optional<double> inner = at(i - 1), outer = at(i + 1);
    if (!inner || !outer) continue;
    double& rise = rises[static_cast<std::size_t>(i + steps)];
    rise = *outer - *inner;
    largest = std::max(largest, rise);
  }
  // Two steps of half a pixel see a good part of the contrast, whatever the blur.
  if (largest < 0.3 * min_contrast) return std::nullopt;
  for (int i = std::min(steps, 63 - steps); i >= -steps; --i) {
    const double here = rises[static_cast<std::size_t>(i + steps)];
    const double inside = i > -steps ? rises[static_cast<std::size_t>(i + steps - 1)] : 0.0;
    if (here > 0.5 * largest && here >= inside) return i * kStep;
  }
  return std::nullopt;
}

// A line x = centre + s along + (offset + slope s) across, in normalised coordinates.
struct Side {
  Eigen::Vector2d centre, along, across;
  double offset{0}, slope{0};
  Eigen::Matrix2d covariance;  // of offset and slope
  double rms{0};
};

std::optional<Side> fit_side(const std::vector<Eigen::Vector2d>& points, double focal, double floor) {
  Side side;
  side.centre.setZero();
  for (const Eigen::Vector2d& p : points) side.centre += p / static_cast<double>(points.size());
  side.along = (points.back() - points.front()).normalized();
  side.across = {-side.along.y(), side.along.x()};
  std::vector<double> weight(points.size(), 1.0);
  Eigen::Matrix2d normal;
  for (int round = 0; round < 3; ++round) {
    normal.setZero();
    Eigen::Vector2d right = Eigen::Vector2d::Zero();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Eigen::Vector2d d = points[i] - side.centre, row(1.0, d.dot(side.along));
      normal += weight[i] * row * row.transpose();
      right += weight[i] * d.dot(side.across) * row;
    }
    if (!(normal.determinant() > 0)) return std::nullopt;
    const Eigen::Vector2d x = normal.inverse() * right;
    side.offset = x[0], side.slope = x[1];
    std::vector<double> off, sorted;
    for (const Eigen::Vector2d& p : points) {
      const Eigen::Vector2d d = p - side.centre;
      off.push_back(std::abs(d.dot(side.across) - x[0] - x[1] * d.dot(side.along)));
    }
    sorted = off;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                     sorted.end());
    const double bound = 3 * std::max(1.4826 * sorted[sorted.size() / 2], floor / focal);
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      weight[i] = off[i] <= bound ? 1.0 : 0.0;  // a speck on the rim
      sum += weight[i] * off[i] * off[i];
      count += weight[i];
    }
    if (count < 0.6 * static_cast<double>(points.size())) return std::nullopt;
    side.rms = std::sqrt(sum / std::max(1.0, count - 2));
  }
  side.covariance = side.rms * side.rms * normal.inverse();
  side.covariance(0, 0) += floor * floor / (focal * focal);
  return side;
}

}  // namespace

std::optional<EdgeFit> fit_marker_edges(const GreyImage& image, const model::CameraModel& camera,
                                        const Corners& first, const EdgeOptions& options) {
  const double focal = std::sqrt(camera.fx * camera.fy);
  EdgeFit fit;
  Corners corners = first;
  for (int round = 0; round < 4; ++round) {
    std::array<Side, 4> sides;
    for (int k = 0; k < 4; ++k) {
      const Eigen::Vector2d a = corners.col(k), b = corners.col((k + 1) % 4);
      const Eigen::Vector2d opposite = 0.5 * (corners.col((k + 2) % 4) + corners.col((k + 3) % 4));
      Eigen::Vector2d out((b - a).y(), -(b - a).x());
      out.normalize();
      if (out.dot(opposite - a) > 0) out = -out;
      // A profile inside the black border cell, as far as the marker's tilt leaves room.
      const double cell = std::abs(out.dot(opposite - a)) / options.cells;
      const double reach = std::clamp(0.7 * cell, 1.5, 3.0);
      const double length = (b - a).norm();
      const int profiles = std::clamp(static_cast<int>(0.8 * length), 6, 60);
      std::vector<Eigen::Vector2d> points;
      for (int i = 0; i < profiles; ++i) {
        // The ends are rounded by blur: they are left out.
        const double t = 0.1 + 0.8 * (i + 0.5) / profiles;
        const Eigen::Vector2d p = a + t * (b - a);
        const std::optional<double> place =
            round == 0 ? rise_place(image, p, out, std::clamp(cell, 2.0, 4.0), options.min_contrast)
                       : step_place(image, p, out, reach, options.min_contrast);
        if (!place) continue;
        const Eigen::Vector2d pixel = p + *place * out;
        if (const std::optional<Eigen::Vector2d> ray = camera.ray(pixel)) points.push_back(*ray);
      }
      if (static_cast<int>(points.size()) < std::max(5, profiles / 2)) return std::nullopt;
      const std::optional<Side> side = fit_side(points, focal, options.floor);
      if (!side) return std::nullopt;
      sides[static_cast<std::size_t>(k)] = *side;
    }
    // Corner k lies on the sides k-1 and k.
    Eigen::Matrix<double, 8, 8> J = Eigen::Matrix<double, 8, 8>::Zero(), lines = J;
    double squares = 0;
    for (int k = 0; k < 4; ++k) {
      const Side& now = sides[static_cast<std::size_t>(k)];
      const Side& before = sides[static_cast<std::size_t>((k + 3) % 4)];
      lines.block<2, 2>(2 * k, 2 * k) = now.covariance;
      squares += 0.25 * now.rms * now.rms;
      Eigen::Matrix2d N;
      N.row(0) = (before.across - before.slope * before.along).transpose();
      N.row(1) = (now.across - now.slope * now.along).transpose();
      if (std::abs(N.determinant()) < 1e-3) return std::nullopt;  // two sides on one line
      const Eigen::Matrix2d inverse = N.inverse();
      const Eigen::Vector2d right(N.row(0).dot(before.centre) + before.offset,
                                  N.row(1).dot(now.centre) + now.offset);
      const Eigen::Vector2d corner = inverse * right;
      fit.square.normalised.col(k) = corner;
      J.block<2, 1>(2 * k, 2 * ((k + 3) % 4)) = inverse.col(0);
      J.block<2, 1>(2 * k, 2 * ((k + 3) % 4) + 1) =
          (corner - before.centre).dot(before.along) * inverse.col(0);
      J.block<2, 1>(2 * k, 2 * k) = inverse.col(1);
      J.block<2, 1>(2 * k, 2 * k + 1) = (corner - now.centre).dot(now.along) * inverse.col(1);
      const Eigen::Vector2d seen = camera.distort(corner);
      corners.col(k) = Eigen::Vector2d(camera.fx * seen.x() + camera.cx, camera.fy * seen.y() + camera.cy);
    }
    if (((corners - first).colwise().norm().array() > 5.0).any()) return std::nullopt;  // ran away
    fit.square.covariance = J * lines * J.transpose();
    fit.corners = corners;
    fit.rms = focal * std::sqrt(squares);
  }
  return fit;
}

}  // namespace prehend::articulation
