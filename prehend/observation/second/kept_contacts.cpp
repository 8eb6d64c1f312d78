#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/math/se3.h>
#include <prehend/observation/second/kept_contacts.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;
using geometry::Polyhedron;

struct Line {
  Vector3d p, t;
};

// The edge of a body through a point that lies in the plane of n; none where there is none.
std::optional<Line> edge_in_plane(const Polyhedron& body, const math::Pose& X, const Feature& feature,
                                  const Vector3d& n) {
  const auto line_of = [&](const geometry::PolyhedronEdge& edge) {
    const Vector3d a = X * body.vertices()[edge.start], b = X * body.vertices()[edge.end];
    return Line{a, (b - a).normalized()};
  };
  if (feature.kind == Feature::Kind::edge)
    return line_of(body.edges()[static_cast<std::size_t>(feature.index)]);
  if (feature.kind != Feature::Kind::vertex) return std::nullopt;
  std::optional<Line> best;
  double least = 1e-4;  // [rad] off the plane
  for (const geometry::EdgeIndex e : body.vertex_edges(geometry::VertexIndex(feature.index))) {
    const Line line = line_of(body.edges()[e]);
    if (std::abs(line.t.dot(n)) < least) {
      least = std::abs(line.t.dot(n));
      best = line;
    }
  }
  return best;
}

// Whether one of the faces at the feature has this normal: a non-convex body may have another such face elsewhere.
bool has_face(const Polyhedron& body, const math::Pose& X, const Feature& feature, const Vector3d& n) {
  const auto is_it = [&](geometry::FaceIndex face) {
    return (X.R() * body.faces()[face].normal - n).norm() < 1e-4;
  };
  if (feature.kind == Feature::Kind::face) return is_it(geometry::FaceIndex(feature.index));
  if (feature.kind == Feature::Kind::edge) {
    const geometry::PolyhedronEdge& edge = body.edges()[geometry::EdgeIndex(feature.index)];
    return is_it(edge.left) || is_it(edge.right);
  }
  const auto faces = body.vertex_faces(geometry::VertexIndex(feature.index));
  return std::any_of(faces.begin(), faces.end(), is_it);
}

}  // namespace

double KeptContact::distance(const Polyhedron& moving_body, const math::Pose& X_FM0,
                             const Polyhedron& fixed_body, const math::Pose& X_F) const {
  if (has_face(fixed_body, math::Pose(), fixed, n_F)) return n_F.dot(X_F * p_F - p_F);
  if (has_face(moving_body, X_FM0, moving, -n_F)) return (X_F.R() * n_F).dot(X_F * p_F - p_F);
  const std::optional<Line> a = edge_in_plane(moving_body, X_FM0, moving, n_F),
                            b = edge_in_plane(fixed_body, math::Pose(), fixed, n_F);
  if (!a || !b) return n_F.dot(X_F * p_F - p_F);
  Vector3d n = (X_F.R() * a->t).cross(b->t);
  if (n.norm() < 1e-9) return n_F.dot(X_F * p_F - p_F);
  n.normalize();
  return (n.dot(n_F) < 0.0 ? -n : n).dot(X_F * a->p - b->p);
}

std::optional<math::Pose> closed_exactly(const std::vector<KeptContact>& kept, const Polyhedron& moving,
                                         const math::Pose& X_FM0, const Polyhedron& fixed,
                                         const math::Pose& guess, double tolerance) {
  const auto count = static_cast<Eigen::Index>(kept.size());
  math::Pose X = guess;
  const double size = moving.size();
  for (int pass = 0; pass < 12; ++pass) {
    Eigen::VectorXd miss(count);
    Eigen::Matrix<double, Eigen::Dynamic, 6> rest(count, 6);
    const auto at = [&](Eigen::Index i, const math::Pose& pose) {
      return kept[static_cast<std::size_t>(i)].distance(moving, X_FM0, fixed, pose);
    };
    for (Eigen::Index i = 0; i < count; ++i) miss[i] = -at(i, X);
    if (count == 0 || miss.cwiseAbs().maxCoeff() <= tolerance) return X;
    // [rad], [of the size] Central differences: rounding and bend both leave 1e-10.
    constexpr double kStep = 1e-6;
    for (int k = 0; k < 6; ++k) {
      // About the moving body's place, lengths in its size.
      math::Vector6d twist = math::Vector6d::Zero();
      twist[k] = k < 3 ? kStep : kStep * size;
      const math::Pose there = math::Pose::translation(X * X_FM0.p()),
                       back = math::Pose::translation(-(X * X_FM0.p()));
      const math::Pose ahead = there * math::exp_se3(twist) * back * X,
                       behind = there * math::exp_se3(-twist) * back * X;
      for (Eigen::Index i = 0; i < count; ++i)
        rest(i, k) = (at(i, ahead) - at(i, behind)) / (2.0 * kStep * size);
    }
    miss /= size;
    math::Vector6d step = math::Vector6d::Zero();
    for (int rank = 0; rank < 6; ++rank) {
      Eigen::Index next = 0;
      const double length = rest.rowwise().norm().maxCoeff(&next);
      if (length <= 1e-5) break;
      const math::Vector6d direction = rest.row(next).transpose() / length;
      const double amount = miss[next] / length;
      step += amount * direction;
      const Eigen::VectorXd along = rest * direction;
      miss -= amount * along;
      rest -= along * direction.transpose();
    }
    step.tail<3>() *= size;
    if (!step.allFinite() || step.head<3>().norm() > 1.0) return std::nullopt;
    const Vector3d centre = X * X_FM0.p();
    X = math::Pose::translation(centre) * math::exp_se3(step) * math::Pose::translation(-centre) * X;
  }
  return std::nullopt;
}

}  // namespace prehend::observation
