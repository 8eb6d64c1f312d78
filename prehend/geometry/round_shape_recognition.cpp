#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <prehend/geometry/round_shape.h>
#include <prehend/math/angles.h>
#include <prehend/math/so3.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kMostDeviation = 0.005;            // [-] of the radius
constexpr double kMostTurn = 12.5 * math::kDegree;  // [rad] of one facet
constexpr double kMostVolumeError = 0.05;           // [-]
constexpr std::size_t kFewestTriangles = 60;        // 30 around, two a side: fewer cannot be so fine

double volume_inside(const TriangleMesh& mesh) {
  double sum = 0.0;
  for (const Eigen::Vector3i& t : mesh.triangles)
    sum += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6.0;
  return std::abs(sum);
}

bool has_volume(const TriangleMesh& mesh, double wanted) {
  return std::abs(volume_inside(mesh) - wanted) <= kMostVolumeError * wanted;
}

struct FittedSphere {
  Eigen::VectorXd centre;
  double radius{0.0};
};

// The sphere nearest to points in the sense of squared distances; a circle for points of the plane. One column a point.
std::optional<FittedSphere> fitted_sphere(const Eigen::MatrixXd& points) {
  const Eigen::Index size = points.rows();
  if (points.cols() < 8) return std::nullopt;
  const Eigen::VectorXd middle = points.rowwise().mean();
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(size + 1, size + 1);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(size + 1), row(size + 1);
  for (Eigen::Index k = 0; k < points.cols(); ++k) {
    row.head(size) = 2.0 * (points.col(k) - middle);
    row[size] = 1.0;
    normal += row * row.transpose();
    right += 0.25 * row.head(size).squaredNorm() * row;
  }
  const Eigen::VectorXd x = normal.ldlt().solve(right);
  if (!x.allFinite()) return std::nullopt;
  const double squared = x[size] + x.head(size).squaredNorm();
  if (!(squared > 0.0)) return std::nullopt;
  return FittedSphere{middle + x.head(size), std::sqrt(squared)};
}

std::optional<RecognisedRound> recognise_sphere(const TriangleMesh& mesh) {
  Eigen::MatrixXd points(3, static_cast<Eigen::Index>(mesh.vertices.size()));
  for (std::size_t k = 0; k < mesh.vertices.size(); ++k)
    points.col(static_cast<Eigen::Index>(k)) = mesh.vertices[k];
  const auto fit = fitted_sphere(points);
  if (!fit) return std::nullopt;
  const Vector3d centre = fit->centre;
  const double r = fit->radius;
  double deviation = 0.0;
  for (const Vector3d& p : mesh.vertices) deviation = std::max(deviation, std::abs((p - centre).norm() - r));
  if (deviation > kMostDeviation * r || !has_volume(mesh, 4.0 / 3.0 * math::kPi * r * r * r))
    return std::nullopt;
  // Diagonals of the quads between meridians and parallels are longer than their sides.
  const double longest = 2.0 * r * std::sin(0.5 * std::sqrt(2.0) * kMostTurn);
  for (const Eigen::Vector3i& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      if ((mesh.vertices[t[k]] - mesh.vertices[t[(k + 1) % 3]]).norm() > longest) return std::nullopt;
    }
  }
  return RecognisedRound{RoundShape::sphere(r), math::Pose::translation(centre), deviation, 0.0};
}

// A cylinder about an axis through the mesh's frame; the mesh is given with that axis along z.
class CylinderCheck {
 public:
  explicit CylinderCheck(TriangleMesh mesh) : mesh_(std::move(mesh)) {}

  // Radius, half length and where its centre lies.
  struct Found {
    double radius, half;
    Vector3d centre;
    double deviation;
  };
  std::optional<Found> run() {
    if (!fit() || !vertices_lie_on_it() || !facets_lie_on_it()) return std::nullopt;
    if (!has_volume(mesh_, 2.0 * math::kPi * found_.radius * found_.radius * found_.half))
      return std::nullopt;
    return found_;
  }

 private:
  bool is_side(const Eigen::Vector3i& t) const {
    const Vector3d n =
        (mesh_.vertices[t[1]] - mesh_.vertices[t[0]]).cross(mesh_.vertices[t[2]] - mesh_.vertices[t[0]]);
    return std::abs(n.z()) < 0.5 * n.norm();
  }
  bool fit() {
    const Aabb box = bounding_box(mesh_.vertices);
    std::vector<Vector2d> side;
    for (const Eigen::Vector3i& t : mesh_.triangles) {
      if (!is_side(t)) continue;
      for (int k = 0; k < 3; ++k) side.push_back(mesh_.vertices[t[k]].head<2>());
    }
    Eigen::MatrixXd points(2, static_cast<Eigen::Index>(side.size()));
    for (std::size_t k = 0; k < side.size(); ++k) points.col(static_cast<Eigen::Index>(k)) = side[k];
    const auto circle = fitted_sphere(points);
    if (!circle) return false;
    found_.radius = circle->radius;
    found_.half = 0.5 * (box.upper.z() - box.lower.z());
    found_.centre = Vector3d(circle->centre[0], circle->centre[1], 0.5 * (box.upper.z() + box.lower.z()));
    tolerance_ = kMostDeviation * found_.radius;
    return found_.half > 0.0;
  }
  double from_axis(const Vector3d& p) const { return (p - found_.centre).head<2>().norm(); }
  double from_cap(const Vector3d& p) const {
    return std::abs(std::abs(p.z() - found_.centre.z()) - found_.half);
  }
  bool vertices_lie_on_it() {
    found_.deviation = 0.0;
    for (const Vector3d& p : mesh_.vertices) {
      const double side = std::abs(from_axis(p) - found_.radius), cap = from_cap(p);
      if (std::min(side, cap) > tolerance_ || from_axis(p) > found_.radius + tolerance_) return false;
      found_.deviation = std::max(found_.deviation, std::min(side, cap));
    }
    return true;
  }
  // A facet lies in a cap, or stands between points of the side. By its corners: the normal of a sliver in a scan says nothing.
  bool facets_lie_on_it() const {
    for (const Eigen::Vector3i& t : mesh_.triangles) {
      const Vector3d corners[3] = {mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]]};
      int low = 0, high = 0, side = 0;
      for (const Vector3d& p : corners) {
        const bool is_on_cap = from_cap(p) <= tolerance_;
        low += is_on_cap && p.z() < found_.centre.z();
        high += is_on_cap && p.z() > found_.centre.z();
        side += std::abs(from_axis(p) - found_.radius) <= tolerance_;
      }
      if (low == 3 || high == 3) continue;
      if (side < 3) return false;
      for (int k = 0; k < 3; ++k) {
        const Vector2d u = (corners[k] - found_.centre).head<2>(),
                       v = (corners[(k + 1) % 3] - found_.centre).head<2>();
        if (std::abs(std::atan2(u.x() * v.y() - u.y() * v.x(), u.dot(v))) > kMostTurn) return false;
      }
    }
    return true;
  }

  TriangleMesh mesh_;
  Found found_{};
  double tolerance_{0.0};
};

// The direction along which most of the area looks, either way: the caps of a can. Facets all over it are tried.
Vector3d widest_direction(const TriangleMesh& mesh) {
  constexpr std::size_t kTried = 96;
  std::vector<Vector3d> areas;
  for (const Eigen::Vector3i& t : mesh.triangles)
    areas.push_back(
        (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]));
  const auto sum_near = [&](const Vector3d& n, double angle) {
    Vector3d sum = Vector3d::Zero();
    for (const Vector3d& area : areas) {
      const double along = n.dot(area);
      if (std::abs(along) > std::cos(angle) * area.norm()) sum += along < 0.0 ? Vector3d(-area) : area;
    }
    return sum;
  };
  Vector3d widest = Vector3d::UnitZ();
  // 8 degrees: slivers of a scanned cap look that far aside, and a can eight radii long has not as much side within it.
  const std::size_t step = std::max<std::size_t>(1, areas.size() / kTried);
  double most = 0.0;
  for (std::size_t k = 0; k < areas.size(); k += step) {
    const Vector3d sum = sum_near(areas[k].stableNormalized(), 8.0 * math::kDegree);
    if (!(sum.norm() > most)) continue;
    most = sum.norm();
    widest = sum;
  }
  // All of the caps: their vector area is that of their rims, whatever the slivers do.
  const Vector3d caps = sum_near(widest.normalized(), 25.0 * math::kDegree);
  return caps.norm() > 0.0 ? Vector3d(caps.normalized()) : Vector3d(Vector3d::UnitZ());
}

std::optional<RecognisedRound> recognise_cylinder(const TriangleMesh& mesh) {
  // The axis is square to the caps; and, for a long can of many sides, a principal direction of its normals.
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Vector3d n =
        (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
    if (n.norm() > 0.0) spread += n * n.transpose() / n.norm();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(spread);
  for (int k = -1; k < 3; ++k) {
    const Vector3d axis = k < 0 ? widest_direction(mesh) : Vector3d(solver.eigenvectors().col(k));
    const Eigen::Quaterniond q_MS = math::rotation_between(Vector3d::UnitZ(), axis).normalized();
    const auto found = CylinderCheck(transformed(mesh, math::Pose(q_MS, Vector3d::Zero()).inverse())).run();
    if (!found) continue;
    return RecognisedRound{RoundShape::cylinder(found->radius, 2.0 * found->half),
                           math::Pose(q_MS, q_MS * found->centre), found->deviation, 0.0};
  }
  return std::nullopt;
}

}  // namespace

double facet_depth(const TriangleMesh& mesh_S, const RoundShape& shape) {
  double depth = 0.0;
  for (const Eigen::Vector3i& t : mesh_S.triangles) {
    const Vector3d &p = mesh_S.vertices[t[0]], &q = mesh_S.vertices[t[1]], &s = mesh_S.vertices[t[2]];
    for (const Vector3d& x : {Vector3d((p + q + s) / 3.0), Vector3d(0.5 * (p + q)), Vector3d(0.5 * (q + s)),
                              Vector3d(0.5 * (s + p))})
      depth = std::max(depth, -shape.distance(x));
  }
  return depth;
}

std::optional<RecognisedRound> recognise_round(const TriangleMesh& mesh) {
  if (mesh.triangles.size() < kFewestTriangles || mesh.vertices.empty()) return std::nullopt;
  // Far from the origin the sums below would lose digits.
  const Aabb box = bounding_box(mesh.vertices);
  if (box.is_empty() || !std::isfinite(box.diagonal()) || !(box.diagonal() > 0.0)) return std::nullopt;
  const Vector3d middle = 0.5 * (box.lower + box.upper);
  const TriangleMesh centred = transformed(mesh, math::Pose::translation(-middle));
  std::optional<RecognisedRound> found = recognise_sphere(centred);
  if (!found) found = recognise_cylinder(centred);
  if (!found) return std::nullopt;
  found->facet_depth = facet_depth(transformed(centred, found->X_MS.inverse()), found->shape);
  found->X_MS = math::Pose::translation(middle) * found->X_MS;
  return found;
}

}  // namespace prehend::geometry
