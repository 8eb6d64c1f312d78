#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Eigenvalues>

#include <prehend/knot/curve/near_passes.h>
#include <prehend/knot/curve/point_noise.h>
#include <prehend/knot/named_knots.h>
#include <prehend/knot/projection.h>
#include <prehend/knot/rope_shape.h>
#include <prehend/knot/search/near_named.h>
#include <prehend/math/angles.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>

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

struct Seen {
  PData p_data;  // smoothed
  Vector3d view_W;
  double from_flattest;
};

constexpr int kTangle = 60;

void take(const Seen& seen, RopeShape& shape) {
  shape.p_data = seen.p_data;
  shape.view_W = seen.view_W;
  shape.from_flattest = seen.from_flattest;
}

// Of the views with fewest crossings, the one that is fewest moves from a named knot. A dozen: neighbouring views show the same.
void take_nearest(std::vector<Seen>& views, RopeShape& shape) {
  constexpr std::size_t kMostViews = 12;
  std::stable_sort(views.begin(), views.end(),
                   [](const Seen& a, const Seen& b) { return a.p_data.crossings() < b.p_data.crossings(); });
  if (views.size() > kMostViews) views.resize(kMostViews);
  for (const Seen& seen : views) {
    const NearNamed near = near_named(seen.p_data);
    if (near.names.empty() || (!shape.names.empty() && near.moves >= shape.moves)) continue;
    take(seen, shape);
    shape.names = near.names;
    shape.moves = near.moves;
  }
}

}  // namespace

void RopeShapeOptions::validate() const {
  const math::OptionCheck check("RopeShapeOptions");
  check.at_least("views", views, 1);
  check.between("widest", widest, 0, math::kPi / 2, "rad");
  if (noise) check.at_least("noise", *noise, 0, "m");
}

RopeShape find_shape(std::span<const Vector3d> given_W, const RopeShapeOptions& options) {
  options.validate();
  if (given_W.size() < 2) {
    throw std::invalid_argument("a rope needs at least two points, has " + std::to_string(given_W.size()));
  }
  for (const Vector3d& p : given_W) {
    if (!p.allFinite()) throw std::invalid_argument("a point of the rope is not finite");
  }
  const QuietLines quiet = without_noise({RopeLine(given_W.begin(), given_W.end())}, false, options.noise);
  const std::span<const Vector3d> points_W =
      quiet.changed ? std::span<const Vector3d>(quiet.lines[0]) : given_W;
  const Vector3d flattest = flattest_view(points_W);
  RopeShape shape;
  std::vector<Seen> others;
  for (const Vector3d& view : directions_around(flattest, options)) {
    math::check_interrupt();
    ++shape.looked_at;
    ProjectionOptions projection;
    projection.view_W = view;
    projection.noise = 0.0;
    const ProjectionResult seen = project_rope(points_W, projection);
    if (seen.status != ProjectionStatus::ok) continue;
    const std::vector<std::string> names = names_of(seen.p_data);
    others.push_back(
        {smoothed(seen.p_data), seen.view_W, std::acos(std::clamp(view.dot(flattest), -1.0, 1.0))});
    if (++shape.readable > 1 && names.empty()) continue;
    shape.names = names;
    take(others.back(), shape);
    if (!names.empty()) return shape;
    // Named knots have ten crossings at most; a few degrees away such a tangle is one as well.
    if (shape.p_data.crossings() > kTangle) return shape;
  }
  take_nearest(others, shape);
  return shape;
}

ProjectionResult project_for_naming(std::span<const Vector3d> points_W, const ProjectionOptions& options) {
  ProjectionResult seen = project_rope(points_W, options);
  const NearNamed here = seen.status == ProjectionStatus::ok ? near_named(seen.p_data) : NearNamed{};
  if (seen.closed || options.view_W || (!here.names.empty() && here.moves == 0)) return seen;
  RopeShapeOptions as_read;
  as_read.noise = 0.0;
  const RopeShape shape =
      find_shape(seen.line_W.empty() ? points_W : std::span<const Vector3d>(seen.line_W), as_read);
  if (shape.names.empty() || (!here.names.empty() && here.moves <= shape.moves)) return seen;
  ProjectionOptions from_there = options;
  from_there.view_W = shape.view_W;
  return project_rope(points_W, from_there);
}

std::vector<std::string> naming_doubts(std::span<const Vector3d> points_W, const ProjectionResult& seen,
                                       const ProjectionOptions& options) {
  if (options.noise && *options.noise == 0.0) return {};
  const std::optional<NearPass> pass = nearest_pass(
      seen.line_W.empty() ? points_W : std::span<const Vector3d>(seen.line_W), seen.closed, seen.noise_left);
  if (!pass) return {};
  const auto piece = [](std::size_t from) {
    return std::to_string(from + 1) + " to " + std::to_string(from + 2);
  };
  return {"the strands at points " + piece(pass->first) + " and " + piece(pass->second) + " are " +
          math::number_text(pass->distance, 2) +
          " m apart, and by the bends or the noise of the points may run " +
          math::number_text(pass->doubt, 2) + " m nearer: they may pass each other on the other side"};
}

}  // namespace prehend::knot
