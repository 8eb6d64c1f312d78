#include "source_k_recipe.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <prehend/articulation/tree/spanning_tree.h>
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>

namespace prehend::reproduce {
namespace {

using Eigen::Vector3d;
using math::Pose;
using model::JointType;

// Parameters of one joint: rigid o; prismatic o, u; revolute c, r.
struct Parameters {
  Pose first, second;
  Vector3d direction{Vector3d::UnitX()};
};

// fk(theta, ik(delta, theta)).
Pose explained(JointType type, const Parameters& theta, const Pose& delta) {
  if (type == JointType::rigid) return theta.first;
  if (type == JointType::prismatic) {
    const double length2 = theta.direction.squaredNorm();
    const Vector3d shift = (delta * theta.first.inverse()).p();
    return Pose::translation(shift.dot(theta.direction) / length2 * theta.direction) * theta.first;
  }
  const Pose turn = theta.second.inverse() * delta * theta.first.inverse();
  const double angle = 2 * std::atan2(turn.q().z(), turn.q().w());
  return theta.second * Pose::rotation(math::exp_so3({0, 0, angle})) * theta.first;
}

int local_size(JointType type) {
  return type == JointType::rigid ? 6 : type == JointType::prismatic ? 9 : 12;
}

Parameters moved(JointType type, const Parameters& theta, const Eigen::VectorXd& step) {
  Parameters next = theta;
  next.first = theta.first * math::exp_se3(step.head<6>());
  if (type == JointType::prismatic) next.direction += step.tail<3>();
  if (type == JointType::revolute) next.second = theta.second * math::exp_se3(step.tail<6>());
  return next;
}

// Square roots of the metric (16): |log R|_F^2 is twice the squared angle.
Eigen::VectorXd residuals(JointType type, const Parameters& theta, const std::vector<Pose>& deltas) {
  Eigen::VectorXd r(6 * static_cast<Eigen::Index>(deltas.size()));
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    const Pose X = explained(type, theta, deltas[i]);
    r.segment<3>(6 * static_cast<Eigen::Index>(i)) =
        M_SQRT2 * math::log_so3(X.q().conjugate() * deltas[i].q());
    r.segment<3>(6 * static_cast<Eigen::Index>(i) + 3) = X.p() - deltas[i].p();
  }
  return r;
}

// Algorithm 1, lines 3 to 18.
Parameters start(JointType type, const std::vector<Pose>& deltas, math::RandomStream& random) {
  const auto draw = [&] { return random.below(static_cast<std::uint32_t>(deltas.size())); };
  const Pose &i = deltas[draw()], &j = deltas[draw()], &k = deltas[draw()];
  Parameters theta;
  theta.first = i;
  if (type == JointType::prismatic) {
    const Vector3d along = k.p() - i.p();
    theta.direction = along.norm() > 0 ? Vector3d(along.normalized()) : Vector3d::UnitX();
  }
  if (type != JointType::revolute) return theta;
  Vector3d mean = Vector3d::Zero();
  for (const Pose& X : deltas) mean += X.p() / static_cast<double>(deltas.size());
  Eigen::Matrix3d scatter = Eigen::Matrix3d::Zero();
  for (const Pose& X : deltas) scatter += (X.p() - mean) * (X.p() - mean).transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(scatter);
  Eigen::Matrix3d axes;
  axes.col(0) = eigen.eigenvectors().col(2);
  axes.col(1) = eigen.eigenvectors().col(1);
  axes.col(2) = axes.col(0).cross(axes.col(1));
  const auto project = [&](const Pose& X) {
    return Eigen::Vector2d((axes.transpose() * (X.p() - mean)).head<2>());
  };
  const Eigen::Vector2d a = project(i), b = project(j), c = project(k);
  Eigen::Matrix2d A;
  A << (b - a).transpose(), (c - a).transpose();
  Eigen::Vector2d centre = Eigen::Vector2d::Zero();
  if (std::abs(A.determinant()) > 1e-12)
    centre = A.inverse() * Eigen::Vector2d(0.5 * (b.squaredNorm() - a.squaredNorm()),
                                           0.5 * (c.squaredNorm() - a.squaredNorm()));
  // The order of (22) puts the joint frame on the fixed side into r.
  theta.second = Pose(axes, Vector3d(mean + axes.leftCols<2>() * centre));
  theta.first = theta.second.inverse() * i;
  return theta;
}

Parameters fit(JointType type, const std::vector<Pose>& deltas, math::RandomStream& random) {
  Parameters theta = start(type, deltas, random);
  Eigen::VectorXd r = residuals(type, theta, deltas);
  const int n = local_size(type);
  double damping = 1e-3;
  for (int iteration = 0; iteration < 30; ++iteration) {
    Eigen::MatrixXd J(r.size(), n);
    constexpr double kStep = 1e-6;
    for (int k = 0; k < n; ++k)
      J.col(k) =
          (residuals(type, moved(type, theta, kStep * Eigen::VectorXd::Unit(n, k)), deltas) - r) / kStep;
    const Eigen::MatrixXd H = J.transpose() * J;
    const Eigen::VectorXd g = J.transpose() * r;
    const double before = r.squaredNorm();
    bool better = false;
    for (int attempt = 0; attempt < 6 && !better; ++attempt) {
      Eigen::MatrixXd D = H;
      D.diagonal().array() += damping * (H.diagonal().array() + 1e-9);
      const Parameters next = moved(type, theta, D.ldlt().solve(-g));
      const Eigen::VectorXd trial = residuals(type, next, deltas);
      better = trial.squaredNorm() < before;
      damping *= better ? 0.2 : 8.0;
      if (better) {
        theta = next;
        r = trial;
      }
    }
    if (!better || before - r.squaredNorm() < 1e-4 * before) break;
  }
  return theta;
}

// Sums over all frames of squared angles and distances, the metric's factor of two taken out.
struct Errors {
  double angle2{0}, position2{0};
};
Errors errors(JointType type, const Parameters& theta, const std::vector<Pose>& deltas) {
  const Eigen::VectorXd r = residuals(type, theta, deltas);
  Errors sum;
  for (Eigen::Index i = 0; i < r.size(); i += 6) {
    sum.angle2 += 0.5 * r.segment<3>(i).squaredNorm();
    sum.position2 += r.segment<3>(i + 3).squaredNorm();
  }
  return sum;
}

SourceTree tree_of(int count, const std::vector<articulation::WeightedEdge>& edges,
                   const std::vector<JointType>& types) {
  SourceTree result;
  result.group_of.resize(count);
  std::iota(result.group_of.begin(), result.group_of.end(), 0);
  for (const int e : articulation::best_spanning_tree(count, edges)) {
    if (types[e] != JointType::rigid) {
      result.edges.push_back({edges[e].a, edges[e].b, types[e]});
      continue;
    }
    const int from = result.group_of[edges[e].b], to = result.group_of[edges[e].a];
    for (int& group : result.group_of)
      if (group == from) group = to;
  }
  return result;
}

}  // namespace

SourceTrees source_k_trees(const articulation::PartTracks& tracks, const articulation::PoseNoise& noise,
                           math::RandomStream random, int frames) {
  const int count = static_cast<int>(tracks.parts.size());
  const std::size_t stride = std::max<std::size_t>(1, tracks.times.size() / static_cast<std::size_t>(frames));
  std::vector<articulation::WeightedEdge> printed, with_noise;
  std::vector<JointType> printed_types, with_noise_types;
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      std::vector<Pose> deltas, few;
      for (const articulation::Observation& o : articulation::relative_poses(tracks, a, b).poses)
        deltas.push_back(o.X_FM);
      for (std::size_t i = 0; i < deltas.size(); i += stride) few.push_back(deltas[i]);
      printed.push_back({a, b, -std::numeric_limits<double>::infinity()});
      with_noise.push_back(printed.back());
      printed_types.push_back(JointType::rigid);
      with_noise_types.push_back(JointType::rigid);
      for (const JointType type : {JointType::rigid, JointType::prismatic, JointType::revolute}) {
        const Errors sum = errors(type, fit(type, few, random), deltas);
        const double plain = -(2 * sum.angle2 + sum.position2 + local_size(type));
        if (plain > printed.back().score) {
          printed.back().score = plain;
          printed_types.back() = type;
        }
        // Two poses, two variances.
        const double scaled = -(sum.angle2 / (4 * noise.angle * noise.angle) +
                                sum.position2 / (4 * noise.position * noise.position) + local_size(type));
        if (scaled > with_noise.back().score) {
          with_noise.back().score = scaled;
          with_noise_types.back() = type;
        }
      }
    }
  }
  return {tree_of(count, printed, printed_types), tree_of(count, with_noise, with_noise_types)};
}

}  // namespace prehend::reproduce
