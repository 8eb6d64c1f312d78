#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Eigenvalues>

#include <prehend/knot/named_knots.h>
#include <prehend/knot/projection.h>
#include <prehend/knot/rope_shape.h>
#include <prehend/math/angles.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/option_check.h>

namespace prehend::knot {
namespace {

using Eigen::Vector3d;

// Down rather than up, so that a rope on a table is seen from above.
Vector3d flattest_view(std::span<const Vector3d> points_W) {
  Vector3d mean = Vector3d::Zero();
  for (const Vector3d& p : points_W) mean += p / static_cast<double>(points_W.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vector3d& p : points_W) spread += (p - mean) * (p - mean).transpose();
  const Vector3d axis = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors().col(0);
  return axis.z() > 0 ? Vector3d(-axis) : axis;
}

// Spirals out from the axis: of `views` points on the half sphere, those within the angle.
std::vector<Vector3d> directions_around(const Vector3d& axis, const RopeShapeOptions& options) {
  const Vector3d e_x = axis.unitOrthogonal(), e_y = axis.cross(e_x);
  const double golden = math::kPi * (3.0 - std::sqrt(5.0));
  std::vector<Vector3d> directions;
  for (int k = 0; k < options.views; ++k) {
    const double along = 1.0 - static_cast<double>(k) / options.views;
    if (std::acos(along) > options.widest) break;
    const double aside = std::sqrt(1.0 - along * along);
    directions.push_back(
        (along * axis + aside * (std::cos(golden * k) * e_x + std::sin(golden * k) * e_y)).normalized());
  }
  return directions;
}

}  // namespace

void RopeShapeOptions::validate() const {
  const math::OptionCheck check("RopeShapeOptions");
  check.at_least("views", views, 1);
  check.between("widest", widest, 0, math::kPi / 2, "rad");
}

RopeShape find_shape(std::span<const Vector3d> points_W, const RopeShapeOptions& options) {
  options.validate();
  if (points_W.size() < 2) {
    throw std::invalid_argument("a rope needs at least two points, has " + std::to_string(points_W.size()));
  }
  for (const Vector3d& p : points_W) {
    if (!p.allFinite()) throw std::invalid_argument("a point of the rope is not finite");
  }
  const Vector3d flattest = flattest_view(points_W);
  RopeShape shape;
  for (const Vector3d& view : directions_around(flattest, options)) {
    math::check_interrupt();
    ++shape.looked_at;
    ProjectionOptions projection;
    projection.view_W = view;
    const ProjectionResult seen = project_rope(points_W, projection);
    if (seen.status != ProjectionStatus::ok) continue;
    const std::vector<std::string> names = names_of(seen.p_data);
    if (++shape.readable > 1 && names.empty()) continue;
    shape.names = names;
    shape.p_data = smoothed(seen.p_data);
    shape.view_W = seen.view_W;
    shape.from_flattest = std::acos(std::clamp(view.dot(flattest), -1.0, 1.0));
    if (!names.empty()) break;
  }
  return shape;
}

ProjectionResult project_for_naming(std::span<const Vector3d> points_W, const ProjectionOptions& options) {
  ProjectionResult seen = project_rope(points_W, options);
  const bool shows = seen.status == ProjectionStatus::ok && !names_of(seen.p_data).empty();
  if (options.view_W || shows) return seen;
  const RopeShape shape = find_shape(points_W);
  if (shape.names.empty()) return seen;
  ProjectionOptions from_there = options;
  from_there.view_W = shape.view_W;
  return project_rope(points_W, from_there);
}

}  // namespace prehend::knot
