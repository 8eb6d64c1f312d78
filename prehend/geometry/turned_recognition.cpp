#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <prehend/geometry/house/mesh_shells.h>
#include <prehend/geometry/round_shape.h>
#include <prehend/geometry/surface/meridian_fit.h>
#include <prehend/geometry/surface/meridian_graph.h>
#include <prehend/math/angles.h>
#include <prehend/math/so3.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr std::size_t kFewestTurnedTriangles = 46;  // a cone of 24 sides
// [-] of the diagonal: rings are sought within these one after the other. Exact files, single precision, written with six digits, scans.
constexpr double kRingTolerances[] = {1e-6, 1e-5, 6e-5, 1.2e-4, 2e-4, 3e-4};
constexpr double kCoarse = 3e-4;                       // [-] likewise, while the axis is sought
constexpr double kFinestPrism = 12.5 * math::kDegree;  // [rad] see recognise_round()

struct Axis {
  Vector3d p, direction;
  double doubt{0.0};  // [-] by how much the two moments about the others differ
};

Vector3d twice_area(const TriangleMesh& mesh, const Eigen::Vector3i& t) {
  return (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
}

// The principal axes of the surface about its centroid: two moments of a turned one are equal, and the third axis is its own. Most likely first.
std::vector<Axis> principal_axes(const TriangleMesh& mesh) {
  double total = 0.0;
  Vector3d first = Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const double area = twice_area(mesh, t).norm();
    const Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Vector3d sum = a + b + c;
    total += area;
    first += area / 3.0 * sum;
    second +=
        area / 12.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  if (!(total > 0.0)) return {};
  const Vector3d centroid = first / total;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(second / total -
                                                              centroid * centroid.transpose());
  const Vector3d& values = solver.eigenvalues();
  std::vector<int> order{0, 1, 2};
  const auto difference = [&](int k) { return std::abs(values[(k + 1) % 3] - values[(k + 2) % 3]); };
  std::sort(order.begin(), order.end(), [&](int i, int j) { return difference(i) < difference(j); });
  std::vector<Axis> axes;
  for (const int k : order)
    axes.push_back({centroid, solver.eigenvectors().col(k), difference(k) / values[2]});
  return axes;
}

// The line that the normals of all facets meet (Pottmann & Randrup 1998): where all principal moments are equal, they tell no axis.
std::vector<Axis> normals_axis(const TriangleMesh& mesh) {
  Eigen::Matrix<double, 6, 6> sum = Eigen::Matrix<double, 6, 6>::Zero();
  double size = 0.0;
  for (const Vector3d& p : mesh.vertices) size = std::max(size, p.norm());
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Vector3d area = twice_area(mesh, t);
    if (!(area.norm() > 0.0)) continue;
    const Vector3d n = area.normalized(),
                   c = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / (3.0 * size);
    Eigen::Matrix<double, 6, 1> line;
    line << c.cross(n), n;
    sum += area.norm() * line * line.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> solver(sum);
  const Vector3d direction = solver.eigenvectors().col(0).head<3>(),
                 moment = solver.eigenvectors().col(0).tail<3>();
  if (!(direction.norm() > 1e-3)) return {};
  return {{size * direction.cross(moment) / direction.squaredNorm(), direction.normalized()}};
}

// Through the vertex with most facets: the pole of a ball of latitudes, which has no axis otherwise.
std::vector<Axis> fan_axis(const TriangleMesh& mesh) {
  std::vector<int> count(mesh.vertices.size(), 0);
  for (const Eigen::Vector3i& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) ++count[static_cast<std::size_t>(t[k])];
  }
  const auto most = static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin());
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& p : mesh.vertices) middle += p / static_cast<double>(mesh.vertices.size());
  const Vector3d direction = mesh.vertices[most] - middle;
  if (count[most] < 24 || !(direction.norm() > 0.0)) return {};
  return {{middle, direction.normalized()}};
}

// Moves the axis (z, in the mesh's frame) so that the rings become rounder and flatter: one Gauss-Newton step of shift and tilt.
math::Pose better_axis(const TriangleMesh& mesh, const std::vector<MeridianRing>& rings, double tolerance) {
  Eigen::Matrix4d normal = Eigen::Matrix4d::Zero();
  Eigen::Vector4d right = Eigen::Vector4d::Zero();
  const auto take = [&](const std::vector<Eigen::Vector4d>& rows, const std::vector<double>& values) {
    Eigen::Vector4d mean = Eigen::Vector4d::Zero();
    double mean_value = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      mean += rows[i] / static_cast<double>(rows.size());
      mean_value += values[i] / static_cast<double>(rows.size());
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      normal += (rows[i] - mean) * (rows[i] - mean).transpose();
      right += (rows[i] - mean) * (values[i] - mean_value);
    }
  };
  for (const MeridianRing& ring : rings) {
    if (ring.is_pole || ring.deviation > tolerance) continue;  // or several fine rings in one
    std::vector<Eigen::Vector4d> radial, axial;
    std::vector<double> radii, heights;
    for (const int v : ring.vertices) {
      const Vector3d& p = mesh.vertices[static_cast<std::size_t>(v)];
      const double r = std::hypot(p.x(), p.y()), x = p.x() / r, y = p.y() / r;
      // Of radius and height, by the shift of the axis along x and y and its rotation about them.
      radial.emplace_back(x, y, -y * p.z(), x * p.z());
      radii.push_back(r);
      axial.emplace_back(0.0, 0.0, p.y(), -p.x());
      heights.push_back(p.z());
    }
    take(radial, radii);
    take(axial, heights);
  }
  if (!(normal.trace() > 0.0)) return math::Pose();
  normal += 1e-12 * normal.trace() * Eigen::Matrix4d::Identity();
  const Eigen::Vector4d x = normal.ldlt().solve(right);
  return moved_axis(x).value_or(math::Pose());
}

// [m] How far facets lie off the surface, either way: some of each profile edge are asked.
double off_surface(const MeridianGraph& graph, const TriangleMesh& mesh, const TurnedProfile& profile) {
  double most = 0.0;
  for (const int index : graph.samples()) {
    const Eigen::Vector3i& t = mesh.triangles[static_cast<std::size_t>(index)];
    const Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    for (const Vector3d& x : {Vector3d((a + b + c) / 3.0), Vector3d(0.5 * (a + b)), Vector3d(0.5 * (b + c)),
                              Vector3d(0.5 * (c + a))})
      most = std::max(most, std::abs(profile.nearest(Vector2d(std::hypot(x.x(), x.y()), x.z())).distance));
  }
  return most;
}

// Whether the profile is that of a cylinder.
bool is_prism(const TurnedProfile& profile) {
  std::vector<Vector2d> off_axis;
  for (const Vector2d& p : profile.points()) {
    if (p.x() > 0.0) off_axis.push_back(p);
  }
  return off_axis.size() == 2 && std::abs(off_axis[0].x() - off_axis[1].x()) < 1e-2 * off_axis[0].x();
}

// With z as the axis; the rings within one of the first `tries` tolerances.
std::optional<TurnedMesh::Part> turned_about_z(const TriangleMesh& mesh, std::size_t tries,
                                               bool is_inside_out) {
  const double diagonal = bounding_box(mesh.vertices).diagonal();
  for (std::size_t i = 0; i < tries; ++i) {
    const double tolerance = kRingTolerances[i] * diagonal;
    const auto rings = meridian_rings(mesh, tolerance);
    if (!rings) continue;
    MeridianGraph graph(mesh, *rings, tolerance);
    const auto profile = graph.profile(is_inside_out);
    if (!profile) continue;
    if (is_prism(*profile) && graph.widest_step() > kFinestPrism) return std::nullopt;
    const double deviation = graph.deviation(), depth = off_surface(graph, mesh, *profile);
    const int sides = static_cast<int>(std::round(2.0 * math::kPi / graph.widest_step()));
    return TurnedMesh::Part{mesh, {RoundShape::turned(*profile), math::Pose(), deviation, depth}, sides};
  }
  return std::nullopt;
}

std::optional<TurnedMesh::Part> turned_about(const TriangleMesh& mesh, const Axis& axis, bool is_inside_out) {
  constexpr std::size_t kExact = 2;  // tolerances of files that are as exact as their axis
  const double diagonal = bounding_box(mesh.vertices).diagonal();
  math::Pose X_MA(math::rotation_between(Vector3d::UnitZ(), axis.direction).normalized(), axis.p);
  TriangleMesh turned = transformed(mesh, X_MA.inverse());
  auto part = turned_about_z(turned, kExact, is_inside_out);
  for (int step = 0; step < 4 && !part; ++step) {
    const double tolerance = kCoarse * diagonal * (step == 0 ? 3.0 : 1.0);
    const auto rings = meridian_rings(turned, tolerance, true);
    if (!rings) return std::nullopt;
    X_MA = X_MA * better_axis(turned, *rings, tolerance);
    turned = transformed(mesh, X_MA.inverse());
    if (step == 3) part = turned_about_z(turned, std::size(kRingTolerances), is_inside_out);
  }
  if (part) part->round.X_MS = X_MA;
  return part;
}

// Of vertices in no rings. [-] of the diagonal: exact files in single precision, decimated ones, scans.
constexpr double kFitTolerances[] = {1.5e-4, 4e-4};

std::optional<TurnedMesh::Part> fitted_about(const TriangleMesh& mesh, const Axis& axis) {
  constexpr int kSteps = 6;
  const double diagonal = bounding_box(mesh.vertices).diagonal();
  math::Pose X_MA(math::rotation_between(Vector3d::UnitZ(), axis.direction).normalized(), axis.p);
  TriangleMesh turned = transformed(mesh, X_MA.inverse());
  for (int step = 0; step < kSteps; ++step) {
    const auto X = straighter_axis(turned);
    if (!X) return std::nullopt;
    X_MA = X_MA * *X;
    turned = transformed(mesh, X_MA.inverse());
    if (X->p().norm() + X->q().vec().norm() * diagonal < 1e-9 * diagonal) break;
  }
  for (const double share : kFitTolerances) {
    const auto fit = fit_meridian(turned, share * diagonal);
    if (!fit) continue;
    if (is_prism(fit->profile) && fit->widest_step > kFinestPrism) return std::nullopt;
    const int sides =
        fit->widest_step > 0.0 ? static_cast<int>(std::round(2.0 * math::kPi / fit->widest_step)) : 0;
    return TurnedMesh::Part{
        turned, {RoundShape::turned(fit->profile), X_MA, fit->deviation, fit->depth}, sides};
  }
  return std::nullopt;
}

std::optional<TurnedMesh::Part> turned_shell(const TriangleMesh& mesh, bool is_inside_out) {
  if (mesh.triangles.size() < kFewestTurnedTriangles) return std::nullopt;
  // Far from the origin the sums would lose digits.
  const Aabb box = bounding_box(mesh.vertices);
  if (box.is_empty() || !std::isfinite(box.diagonal()) || !(box.diagonal() > 0.0)) return std::nullopt;
  const Vector3d middle = 0.5 * (box.lower + box.upper);
  const TriangleMesh centred = transformed(mesh, math::Pose::translation(-middle));
  std::vector<Axis> axes = principal_axes(centred);
  for (const std::vector<Axis>& more : {normals_axis(centred), fan_axis(centred)})
    axes.insert(axes.end(), more.begin(), more.end());
  for (const Axis& axis : axes) {
    auto part = turned_about(centred, axis, is_inside_out);
    if (!part) continue;
    part->round.X_MS = math::Pose::translation(middle) * part->round.X_MS;
    return part;
  }
  constexpr double kMostDoubt = 0.1;  // facets of 26 degrees leave a few percent
  for (const Axis& axis : axes) {
    if (axis.doubt > kMostDoubt) continue;
    auto part = fitted_about(centred, axis);
    if (!part) continue;
    part->round.X_MS = math::Pose::translation(middle) * part->round.X_MS;
    return part;
  }
  return std::nullopt;
}

}  // namespace

TurnedMesh recognise_turned(const TriangleMesh& mesh) {
  TurnedMesh found;
  if (mesh.triangles.size() < kFewestTurnedTriangles || mesh.vertices.empty()) return found;
  const MeshShells shells = find_shells(mesh);
  std::vector<char> is_taken(shells.welded.triangles.size(), 0);
  for (const MeshShell& shell : shells.shells) {
    // A hollow inside a body touches nothing.
    if (!shell.is_closed || !shell.is_oriented || (!shell.inside_of.empty() && shell.volume < 0.0)) continue;
    auto part = turned_shell(submesh(shells.welded, shell.triangles), shell.volume < 0.0);
    if (!part) continue;
    for (const int t : shell.triangles) is_taken[static_cast<std::size_t>(t)] = 1;
    found.parts.push_back(std::move(*part));
  }
  if (found.parts.empty()) return found;
  std::vector<int> others;
  for (std::size_t t = 0; t < is_taken.size(); ++t) {
    if (!is_taken[t]) others.push_back(static_cast<int>(t));
  }
  if (!others.empty()) found.rest = submesh(shells.welded, others);
  return found;
}

}  // namespace prehend::geometry
