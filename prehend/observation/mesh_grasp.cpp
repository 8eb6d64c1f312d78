#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/random.h>
#include <prehend/observation/mesh_grasp.h>
#include <prehend/observation/second/gap.h>
#include <prehend/observation/second/local_shape.h>
#include <prehend/observation/second_order.h>

namespace prehend::observation {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using FittedPlane = Eigen::Matrix<double, 3, 2>;
using Six = Eigen::Matrix<double, 6, 1>;
using SixBySix = Eigen::Matrix<double, 6, 6>;

struct SurfacePoint {
  Vector3d p, n;
};

Vector3d triangle_normal(const geometry::TriangleMesh& mesh, const Eigen::Vector3i& t) {
  return (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
}

// Nearest vertex, with the mean normal of its triangles: where the fit begins.
SurfacePoint nearest_vertex(const geometry::TriangleMesh& mesh, const Vector3d& near) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < mesh.vertices.size(); ++i)
    if ((mesh.vertices[i] - near).squaredNorm() < (mesh.vertices[best] - near).squaredNorm()) best = i;
  SurfacePoint start{mesh.vertices[best], Vector3d::Zero()};
  for (const Eigen::Vector3i& t : mesh.triangles)
    if ((mesh.vertices[t[0]] - start.p).isZero(0.0) || (mesh.vertices[t[1]] - start.p).isZero(0.0) ||
        (mesh.vertices[t[2]] - start.p).isZero(0.0))
      start.n += triangle_normal(mesh, t);
  if (!(start.n.norm() > 0.0)) throw std::invalid_argument("the nearest vertex of the mesh has no triangle");
  start.n.normalize();
  return start;
}

// Vertices of triangles that face along n, nearest first, each place once.
std::vector<Vector3d> neighbours_of(const geometry::TriangleMesh& mesh, const SurfacePoint& at, int count) {
  std::vector<char> faces_along(mesh.vertices.size(), 0);
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Vector3d n = triangle_normal(mesh, t);
    if (n.dot(at.n) > 0.5 * n.norm())
      for (int k = 0; k < 3; ++k) faces_along[static_cast<std::size_t>(t[k])] = 1;
  }
  std::vector<std::pair<double, Vector3d>> sorted;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (faces_along[i]) sorted.emplace_back((mesh.vertices[i] - at.p).squaredNorm(), mesh.vertices[i]);
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Vector3d> chosen;
  for (const auto& [distance, p] : sorted) {
    const bool is_new =
        std::none_of(chosen.begin(), chosen.end(), [&](const Vector3d& q) { return (p - q).isZero(0.0); });
    if (is_new) chosen.push_back(p);
    if (static_cast<int>(chosen.size()) == count) break;
  }
  return chosen;
}

struct Paraboloid {
  double height{0.0};
  Vector2d slope{Vector2d::Zero()};
  Matrix2d bend{Matrix2d::Zero()};
  double std{0.0};
};

Paraboloid fitted(std::span<const Vector3d> points, const SurfacePoint& at, const FittedPlane& plane) {
  double size = 0.0;
  for (const Vector3d& p : points) size = std::max(size, (p - at.p).norm());
  const auto row = [&](const Vector3d& p) {
    const Vector2d q = plane.transpose() * (p - at.p) / size;
    Six a;
    a << 1.0, q.x(), q.y(), 0.5 * q.x() * q.x(), q.x() * q.y(), 0.5 * q.y() * q.y();
    return a;
  };
  SixBySix A = SixBySix::Zero();
  Six b = Six::Zero();
  for (const Vector3d& p : points) {
    const Six a = row(p);
    A += a * a.transpose();
    b += a * at.n.dot(p - at.p) / size;
  }
  const Eigen::LDLT<SixBySix> factor(A);
  if (factor.vectorD().minCoeff() < 1e-9 * factor.vectorD().maxCoeff())
    throw std::invalid_argument(
        "the vertices around a contact lie on one conic: their curvature is undetermined");
  const Six x = factor.solve(b);
  double scatter = 0.0;
  for (const Vector3d& p : points) scatter += std::pow(at.n.dot(p - at.p) / size - row(p).dot(x), 2);
  scatter /= std::max<double>(1.0, static_cast<double>(points.size()) - 6.0);
  const SixBySix covariance = factor.solve(SixBySix::Identity());
  Paraboloid surface;
  surface.height = size * x[0];
  surface.slope = {x[1], x[2]};
  surface.bend << x[3], x[4], x[4], x[5];
  surface.bend /= size;
  surface.std = std::sqrt(scatter * std::max(covariance(3, 3), covariance(5, 5))) / size;
  return surface;
}

FittedPlane plane_of(const Vector3d& n) { return tangent_plane(n); }

// Two fingers hold each other only where both normals lie on the line between them. Estimated normals miss it by a little: the line is taken.
void put_on_one_line(std::vector<CurvatureEstimate>& estimates, std::vector<std::string>& notes) {
  // [rad] Farther off, the fingers do not oppose each other.
  constexpr double kOpposed = 0.05;
  const Vector3d line = (estimates[1].p_B - estimates[0].p_B).normalized();
  const double off = std::max(estimates[0].n_B.cross(line).norm(), estimates[1].n_B.cross(line).norm());
  if (!(off <= kOpposed) || estimates[0].n_B.dot(line) > 0.0 || estimates[1].n_B.dot(line) < 0.0) return;
  for (std::size_t i = 0; i < 2; ++i) {
    estimates[i].n_B = i == 0 ? Vector3d(-line) : line;
    const Matrix3d across = Matrix3d::Identity() - line * line.transpose();
    estimates[i].curvature_B = across * estimates[i].curvature_B * across;
  }
  char text[120];
  std::snprintf(text, sizeof text,
                "normals are up to %.2g deg off the line between the fingers, and were put on it",
                math::degrees(off));
  notes.emplace_back(text);
}

}  // namespace

void CurvatureOptions::validate() const {
  math::OptionCheck("CurvatureOptions").at_least("neighbours", neighbours, 16);
}

CurvatureEstimate estimate_curvature(const geometry::TriangleMesh& mesh, const Vector3d& near_B,
                                     const CurvatureOptions& options) {
  options.validate();
  if (mesh.vertices.empty() || mesh.triangles.empty()) throw std::invalid_argument("the mesh is empty");
  SurfacePoint at = nearest_vertex(mesh, near_B);
  // The wanted point itself, carried to the surface by the fit.
  at.p = near_B - at.n * at.n.dot(near_B - at.p);
  const std::vector<Vector3d> points = neighbours_of(mesh, at, options.neighbours);
  if (points.size() < 12)
    throw std::invalid_argument("only " + std::to_string(points.size()) +
                                " vertices face the same way around a contact; 12 are needed");
  Paraboloid surface;
  for (int pass = 0; pass < 4; ++pass) {
    const FittedPlane plane = plane_of(at.n);
    surface = fitted(points, at, plane);
    at.p += surface.height * at.n;
    at.n = (at.n - plane * surface.slope).normalized();
  }
  const FittedPlane plane = plane_of(at.n);
  surface = fitted(points, at, plane);
  const std::size_t half = std::max<std::size_t>(9, points.size() / 2);
  const Paraboloid nearer = fitted(std::span(points).first(half), at, plane);
  CurvatureEstimate estimate;
  estimate.p_B = at.p;
  estimate.n_B = at.n;
  estimate.curvature_B = -plane * surface.bend * plane.transpose();
  estimate.std = std::hypot(surface.std, (nearer.bend - surface.bend).norm());
  estimate.reach = (points.back() - at.p).norm();
  return estimate;
}

MeshGrasp mesh_grasp(const geometry::TriangleMesh& mesh, std::span<const FingerTip> fingers,
                     std::uint64_t seed, const CurvatureOptions& options) {
  MeshGrasp grasp;
  for (const FingerTip& finger : fingers)
    grasp.estimates.push_back(estimate_curvature(mesh, finger.near_B, options));
  if (grasp.estimates.size() == 2) put_on_one_line(grasp.estimates, grasp.notes);
  for (std::size_t i = 0; i < fingers.size(); ++i) {
    const CurvatureEstimate& estimate = grasp.estimates[i];
    Contact contact{"face-face", {estimate.p_B}, {-estimate.n_B}};
    contact.moving.face_curvature_W = estimate.curvature_B;
    contact.fixed.face_curvature_W =
        fingers[i].curvature * (Matrix3d::Identity() - estimate.n_B * estimate.n_B.transpose());
    grasp.relation.contacts.push_back(std::move(contact));
  }
  SecondOrderFreedom freedom = second_order_freedom(grasp.relation);
  grasp.notes.insert(grasp.notes.end(), freedom.notes.begin(), freedom.notes.end());
  if (freedom.forms.size() != 1) {
    grasp.notes.push_back("the contacts do not hold each other in one way: there is no single form");
    return grasp;
  }
  grasp.positive = freedom.forms[0].positive;
  grasp.negative = freedom.forms[0].negative;
  constexpr int kDraws = 100;
  math::RandomStream random(seed);
  int same = 0, drawn = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    ContactRelation other = grasp.relation;
    for (std::size_t i = 0; i < other.contacts.size(); ++i) {
      const FittedPlane plane = plane_of(grasp.estimates[i].n_B);
      Matrix2d error;
      const double a = random.normal(), b = random.normal(), c = random.normal();
      error << a, c, c, b;
      *other.contacts[i].moving.face_curvature_W +=
          grasp.estimates[i].std * plane * error * plane.transpose();
    }
    try {
      const SecondOrderFreedom moved = second_order_freedom(other);
      ++drawn;
      same += moved.forms.size() == 1 && moved.forms[0].positive == grasp.positive &&
              moved.forms[0].negative == grasp.negative;
    } catch (const ContactError&) {
      ++drawn;  // a curvature with which the bodies would overlap: another grasp
    }
  }
  grasp.sure = static_cast<double>(same) / drawn;
  return grasp;
}

}  // namespace prehend::observation
