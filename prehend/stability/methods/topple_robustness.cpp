// Robustness to toppling, source N, 4.4.3.
//
// Where the print is wrong:
// - (4.34) takes v = p x a, the velocity of a turn about -a, and (4.35) agrees with it, but (4.38) divides by
//   (p x e).a, the push's torque about +a. As printed a push would have to turn the object into its support. Here
//   both are about +a.
// - (4.38) takes the minimum over negative quotients as well; a push that does not drive the turn never causes it.
// - (4.35), sliding: the friction that resists is (R e + f).v with R and e of the push. About the centre of friction
//   the sum of these over the points is zero, whatever the friction: the block would spin freely. Friction opposes
//   the point's own velocity, so direction and R are those of v_i, and f.v is part of R then.
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <prehend/geometry/hull.h>
#include <prehend/stability/methods/slip_robustness.h>
#include <prehend/stability/methods/topple_robustness.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

// Contact points are known to about 1e-7 of the scene's size (rounding of meshes in single precision); patches that
// are coplanar in the user's mind are then coplanar to that.
constexpr double kFlat = 1e-6;

using Segment = std::array<Vector3d, 2>;

// Edges of a hull with volume, without the diagonals that divide its flat faces.
std::vector<Segment> solid_edges(const geometry::TriangleMesh& hull) {
  std::map<std::array<int, 2>, std::vector<Vector3d>> normals;
  for (const auto& triangle : hull.triangles) {
    const Vector3d &p = hull.vertices[static_cast<std::size_t>(triangle[0])],
                   &q = hull.vertices[static_cast<std::size_t>(triangle[1])],
                   &r = hull.vertices[static_cast<std::size_t>(triangle[2])];
    for (int i = 0; i < 3; ++i) {
      const int from = triangle[i], to = triangle[(i + 1) % 3];
      normals[{std::min(from, to), std::max(from, to)}].push_back((q - p).cross(r - p).normalized());
    }
  }
  std::vector<Segment> edges;
  for (const auto& [ends, sides] : normals) {
    if (sides.size() == 2 && sides[0].cross(sides[1]).norm() < kFlat && sides[0].dot(sides[1]) > 0.0)
      continue;
    edges.push_back(
        {hull.vertices[static_cast<std::size_t>(ends[0])], hull.vertices[static_cast<std::size_t>(ends[1])]});
  }
  return edges;
}

std::vector<Segment> hull_edges(const ContactSystem& system, const std::vector<Vector3d>& points) {
  const geometry::HullResult hull = geometry::convex_hull(points, {.flatness = kFlat});
  if (hull.status == geometry::HullStatus::ok) return solid_edges(hull.mesh);
  if (hull.status != geometry::HullStatus::coplanar && hull.status != geometry::HullStatus::collinear)
    return {};
  Vector3d mean = Vector3d::Zero();
  for (const Vector3d& p : points) mean += p / static_cast<double>(points.size());
  Eigen::Matrix3d scatter = Eigen::Matrix3d::Zero();
  for (const Vector3d& p : points) scatter += (p - mean) * (p - mean).transpose();
  const Vector3d n = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(scatter).eigenvectors().col(0);
  const std::vector<int> corners = planar_hull(points, n, 1e-9 * system.length);
  std::vector<Segment> edges;
  if (corners.size() < 2) return edges;
  for (std::size_t i = 0; i < (corners.size() == 2 ? 1 : corners.size()); ++i) {
    const int from = corners[i], to = corners[(i + 1) % corners.size()];
    edges.push_back({points[static_cast<std::size_t>(from)], points[static_cast<std::size_t>(to)]});
  }
  return edges;
}

// Where all interfaces are parallel and something presses.
std::optional<Segment> friction_axis(const SuperObject& object) {
  const Vector3d n = object.contacts.front().n_W();
  Vector3d centre = Vector3d::Zero();
  double sum = 0.0;
  for (const CutContact& contact : object.contacts) {
    if (contact.n_W().cross(n).norm() > kFlat) return std::nullopt;
    const double weight = contact.mu * std::max(0.0, contact.f_W.dot(contact.n_W()));
    centre += weight * contact.p_W;
    sum += weight;
  }
  if (!(sum > 0.0)) return std::nullopt;
  return Segment{centre / sum, centre / sum + n};
}

// Nothing when a contact blocks the turn.
std::optional<ToppleAxis> resisted(const ContactSystem& system, const SuperObject& object,
                                   const Vector3d& p_W, const Vector3d& a_W) {
  ToppleAxis axis{.p_W = p_W, .a_W = a_W};
  const double still = kFlat * system.length;
  for (const CutContact& contact : object.contacts) {
    const Vector3d v = a_W.cross(contact.p_W - p_W);
    const double opening = v.dot(contact.n_W());
    if (opening < -still) return std::nullopt;
    if (v.norm() <= still) continue;
    if (opening > still) {
      axis.torque += contact.f_W.dot(v);
      if ((v - opening * contact.n_W()).norm() * contact.mu > opening + still) axis.has_friction = true;
      continue;
    }
    const Vector3d against_C = -contact.R_WC.transpose() * v.normalized();
    axis.torque +=
        cone_exit(contact.R_WC.transpose() * contact.f_W, {against_C[0], against_C[1], 0.0}, contact.mu) *
        v.norm();
    axis.has_friction = true;
  }
  axis.torque = std::max(0.0, axis.torque);
  return axis;
}

}  // namespace

std::vector<ToppleAxis> topple_axes(const ContactSystem& system, const SuperObject& object) {
  std::vector<ToppleAxis> axes;
  if (object.contacts.empty()) return axes;
  std::vector<Vector3d> points;
  for (const CutContact& contact : object.contacts) {
    if (contact.is_corner) points.push_back(contact.p_W);
  }
  const auto add = [&](const Segment& line, bool is_normal) {
    const Vector3d a = (line[1] - line[0]).normalized();
    for (const double sense : {1.0, -1.0}) {
      auto axis = resisted(system, object, line[0], sense * a);
      if (!axis) continue;
      axis->is_normal = is_normal;
      axes.push_back(*axis);
    }
  };
  for (const Segment& edge : hull_edges(system, points)) add(edge, false);
  if (const auto normal = friction_axis(object)) add(*normal, true);
  return axes;
}

double topple_push(const ToppleAxis& axis, const Vector3d& p_W, const Vector3d& e_W) {
  const Vector3d arm = p_W - axis.p_W;
  const double power = axis.a_W.cross(arm).dot(e_W);
  // A lever arm that is nothing but rounding drives nothing.
  if (!(power > 1e-12 * arm.norm())) return std::numeric_limits<double>::infinity();
  return axis.torque / power;
}

}  // namespace prehend::stability
