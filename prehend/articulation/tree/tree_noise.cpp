#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <prehend/articulation/fit/pose_covariances.h>
#include <prehend/articulation/joint_fit.h>
#include <prehend/articulation/tree/tree_noise.h>
#include <prehend/math/se3.h>

namespace prehend::articulation {
namespace {

using model::JointType;

double median(std::vector<double> x) {
  if (x.empty()) return 0.0;
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

// Variances of the relative pose along one edge, estimated with its joint.
struct EdgeNoise {
  int a, b;
  double position2, angle2;
  std::array<double, 2> slow;  // RigidOptions::slow_noise
};

// What means over blocks of residuals vary by, times the blocks' length, over what single residuals vary by.
std::array<double, 2> slow_noise(const JointFit& fit, const Observations& seen) {
  std::vector<math::Vector6d> e;
  double squares = 0;
  for (std::size_t i = 0; i < seen.poses.size(); ++i) {
    if (fit.weights[i] < 0.5) continue;
    const math::Pose Y = fit.joint.forward(*fit.states[seen.poses[i].time]);
    math::Vector6d one = math::log_se3(Y.inverse() * seen.poses[i].X_FM);
    one.head<3>() /= fit.noise.angle;
    one.tail<3>() /= fit.noise.position;
    e.push_back(one);
    squares += one.squaredNorm();
  }
  std::array<double, 2> result{1.0, 1.0};
  for (std::size_t k = 0; k < result.size() && squares > 0; ++k) {
    const int length = RigidOptions::kBlocks[k], blocks = static_cast<int>(e.size()) / length;
    if (blocks < 4) continue;
    double sum2 = 0;
    math::Vector6d mean = math::Vector6d::Zero();
    for (int b = 0; b < blocks; ++b) {
      math::Vector6d sum = math::Vector6d::Zero();
      for (int i = 0; i < length; ++i) sum += e[static_cast<std::size_t>(b * length + i)];
      sum2 += sum.squaredNorm() / length;
      mean += sum / (length * blocks);
    }
    sum2 -= length * blocks * mean.squaredNorm();
    result[k] = sum2 / (blocks - 1) / (squares / static_cast<double>(e.size()));
  }
  return result;
}

std::vector<EdgeNoise> edge_noise(const PartTracks& tracks, const PartGraph& graph,
                                  const std::vector<PairNoise>& shares, const DiscoveryOptions& options) {
  std::vector<EdgeNoise> result;
  const int stride = pair_stride(tracks, options.pair_frames);
  const PoseNoise least =
      least_noise(tracks, {M_SQRT2 * options.least_noise.position, M_SQRT2 * options.least_noise.angle});
  for (std::size_t k = 0; k < graph.tree.size(); ++k) {
    const PairFit& pair = graph.pairs[graph.tree[k]];
    if (pair.type == JointType::free) continue;
    FitOptions fit_options;
    fit_options.fixed_share = shares[k].fixed_share;
    fit_options.noise_shape = NoiseShape::gaussian;
    const Observations seen = relative_poses(tracks, pair.a, pair.b, stride);
    const JointFit fit = fit_joint(pair.type, seen, fit_options);
    if (fit.status == FitStatus::failed) continue;
    const double position = std::max(fit.noise.position, least.position);
    const double angle = std::max(fit.noise.angle, least.angle);
    result.push_back({pair.a, pair.b, position * position, angle * angle, slow_noise(fit, seen)});
  }
  return result;
}

// Scales the groups at both ends of every joint until the sums agree; a leaf and its parent share what is left open.
void scale_to_joints(GroupNoise& groups, const std::vector<EdgeNoise>& edges) {
  constexpr int kRounds = 20;     // a quarter of what is left each: the rest is below a per cent
  constexpr double kPart = 0.25;  // half of the logarithm of a variance, half for each end
  const std::size_t count = groups.parts.size();
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> log_p(count, 0.0), log_r = log_p, joints = log_p;
    for (const EdgeNoise& edge : edges) {
      const PairNoise now = groups.pair(edge.a, edge.b);
      for (const int k : {edge.a, edge.b}) {
        log_p[k] += std::log(edge.position2 / (now.noise.position * now.noise.position));
        log_r[k] += std::log(edge.angle2 / (now.noise.angle * now.noise.angle));
        joints[k] += 1;
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (joints[k] == 0) continue;
      groups.parts[k].position *= std::exp(kPart * log_p[k] / joints[k]);
      groups.parts[k].angle *= std::exp(kPart * log_r[k] / joints[k]);
    }
  }
}

}  // namespace

PoseNoise least_noise(const PartTracks& tracks, const PoseNoise& known) {
  constexpr double kOfSize = 1e-9, kOfWorld = 1e-13, kAngle = 1e-9;
  double size = 0, world = 0;
  std::optional<Eigen::Vector3d> first;
  for (const PartTrack& part : tracks.parts) {
    for (const auto& X : part.X_WP) {
      if (!X) continue;
      if (!first) first = X->p();
      size = std::max(size, (X->p() - *first).norm());
      world = std::max(world, X->p().norm());
    }
  }
  return {std::max({kOfSize * size, kOfWorld * world, 1e-300, known.position}),
          std::max(kAngle, known.angle)};
}

double covariance_factor(const PartTracks& tracks, const PartGraph& graph, const DiscoveryOptions& options) {
  std::vector<double> factors;
  const int stride = pair_stride(tracks, options.pair_frames);
  for (const int edge : graph.tree) {
    const PairFit& pair = graph.pairs[edge];
    if (pair.type == JointType::free) continue;
    const Observations seen = relative_poses(tracks, pair.a, pair.b, stride);
    const JointFit fit = fit_joint(pair.type, seen);
    if (fit.status == FitStatus::failed) continue;
    const PoseNoise stated = articulation::typical_noise(seen.covariances);
    factors.push_back(fit.noise.position * fit.noise.angle / (stated.position * stated.angle));
  }
  return factors.empty() ? 1.0 : median(factors);
}

double tree_independence(const PartGraph& graph) {
  std::vector<double> shares;
  for (const int edge : graph.tree) shares.push_back(graph.pairs[edge].independence);
  return shares.empty() ? 1.0 : median(shares);
}

PoseNoise typical_noise(const PartTracks& tracks) {
  std::vector<math::Matrix6d> all;
  for (const PartTrack& part : tracks.parts)
    for (std::size_t t = 0; t < part.X_WP.size(); ++t)
      if (part.X_WP[t]) all.push_back(part.covariances[t]);
  return articulation::typical_noise(all);
}

TreeNoise tree_noise(const PartTracks& tracks, const PartGraph& graph, const std::vector<int>& sizes,
                     const DiscoveryOptions& options) {
  TreeNoise result;
  const GroupNoise by_size = group_noise({1.0, 1.0}, sizes);
  std::vector<PairNoise> shares;
  for (const int edge : graph.tree) shares.push_back(by_size.pair(graph.pairs[edge].a, graph.pairs[edge].b));
  const std::vector<EdgeNoise> edges = edge_noise(tracks, graph, shares, options);
  std::vector<double> position2, angle2;
  for (std::size_t k = 0; k < result.slow.size() && !edges.empty(); ++k) {
    // Some joints of a first look hide slow motion; slow errors of a tracker are in all.
    std::vector<double> slow;
    for (const EdgeNoise& edge : edges) slow.push_back(edge.slow[k]);
    std::sort(slow.begin(), slow.end());
    result.slow[k] = std::max(1.0, slow[slow.size() / 4]);
  }
  for (const EdgeNoise& edge : edges) {
    const PairNoise unit = by_size.pair(edge.a, edge.b);
    position2.push_back(edge.position2 / (unit.noise.position * unit.noise.position));
    angle2.push_back(edge.angle2 / (unit.noise.angle * unit.noise.angle));
  }
  result.feature = {std::sqrt(median(position2)), std::sqrt(median(angle2))};
  result.groups = group_noise(result.feature, sizes);
  const auto differs = [](const std::vector<double>& x) {
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    return !x.empty() && *high > 9 * *low;
  };
  result.is_shared = !differs(angle2) && !differs(position2);
  if (result.is_shared) return result;
  scale_to_joints(result.groups, edges);
  return result;
}

}  // namespace prehend::articulation
