#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <prehend/articulation/evidence/fresh_noise.h>
#include <prehend/articulation/fit/pose_covariances.h>
#include <prehend/articulation/joint_fit.h>
#include <prehend/articulation/tree/tree_noise.h>
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

using model::JointType;

double middle_of(std::vector<double> x) {
  if (x.empty()) return 0.0;
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

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

std::optional<EdgeNoise> fitted_edge(const PartTracks& tracks, const PairFit& pair, double share, int stride,
                                     const PoseNoise& least) {
  FitOptions fit_options;
  fit_options.fixed_share = share;
  fit_options.noise_shape = NoiseShape::gaussian;
  const Observations seen = relative_poses(tracks, pair.a, pair.b, stride);
  const JointFit fit = fit_joint(pair.type, seen, fit_options);
  if (fit.status == FitStatus::failed) return std::nullopt;
  const double position = std::max(fit.noise.position, least.position);
  const double angle = std::max(fit.noise.angle, least.angle);
  return EdgeNoise{pair.a, pair.b, position * position, angle * angle, slow_noise(fit, seen)};
}

// What the function gives, which is asked once.
template <class Value, class Function>
Value remembered(std::map<EdgeFits::Edge, Value>& known, const PairFit& pair, double share,
                 const Function& value) {
  const EdgeFits::Edge edge{pair.a, pair.b, pair.type, share};
  const auto found = known.find(edge);
  return found != known.end() ? found->second : known.emplace(edge, value()).first->second;
}

std::vector<EdgeNoise> edge_noise(const PartTracks& tracks, const PartGraph& graph,
                                  const std::vector<PairNoise>& shares, const DiscoveryOptions& options,
                                  EdgeFits& fits) {
  std::vector<EdgeNoise> result;
  const int stride = pair_stride(tracks, options.pair_frames);
  const PoseNoise least =
      least_noise(tracks, {M_SQRT2 * options.least_noise.position, M_SQRT2 * options.least_noise.angle});
  for (std::size_t k = 0; k < graph.tree.size(); ++k) {
    const PairFit& pair = graph.pairs[graph.tree[k]];
    if (pair.type == JointType::free) continue;
    const double share = shares[k].fixed_share;
    const std::optional<EdgeNoise> edge =
        remembered(fits.noise, pair, share, [&] { return fitted_edge(tracks, pair, share, stride, least); });
    if (edge) result.push_back(*edge);
  }
  return result;
}

// Variances of a part that rests in the world: its scatter about its mean pose.
std::optional<PoseNoise> noise_at_rest(const PartTrack& track, const PoseNoise& least) {
  constexpr int kLeastFrames = 10;  // a deviation of as many is known to a fourth
  if (track.moves || track.seen < kLeastFrames) return std::nullopt;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Zero();
  double n = 0;
  for (const auto& X : track.X_WP)
    if (X) mean += X->p(), R += X->R(), n += 1;
  mean /= n;
  const Eigen::Quaterniond q(math::nearest_rotation(R));
  std::vector<double> shifts, turns;
  for (const auto& X : track.X_WP) {
    if (!X) continue;
    shifts.push_back((X->p() - mean).squaredNorm());
    turns.push_back(math::log_so3(q.conjugate() * X->q()).squaredNorm());
  }
  // Flips and lost markers spoil means, not medians; a Gaussian's squared distance has a median of 2.366 variances.
  constexpr double kMedian = 2.366;
  return PoseNoise{std::max(std::sqrt(middle_of(shifts) / kMedian), least.position),
                   std::max(std::sqrt(middle_of(turns) / kMedian), least.angle)};
}

// The fixed part's share of an edge's angular variance that makes its joint most likely; a half where the poses do not tell.
double likely_share(const PairFit& pair, const Observations& seen, double by_size) {
  // Ratios of the two parts' noise of 5, 2, 1, 1/2 and 1/5.
  constexpr std::array kShares{0.96, 0.8, 0.2, 0.04};
  constexpr double kClearly = 5.0;  // [nats] 150 to 1, as for types of joints
  FitOptions options;
  options.noise_shape = NoiseShape::gaussian;
  options.fixed_share = by_size;
  const JointFit plain = fit_joint(pair.type, seen, options);
  if (plain.status != FitStatus::ok) return by_size;
  double best = plain.log_likelihood_independent + kClearly, share = by_size;
  for (const double other : kShares) {
    options.fixed_share = other;
    options.start = plain.joint;
    const JointFit fit = fit_joint(pair.type, seen, options);
    if (fit.status != FitStatus::ok || !(fit.log_likelihood_independent > best)) continue;
    best = fit.log_likelihood_independent;
    share = other;
  }
  return share;
}

using PartNoises = std::vector<std::optional<PoseNoise>>;  // of each part, where it is known

// Each edge's share of the fixed part: by what the parts at rest show, else by what is new in every frame, else by likelihood.
void set_shares(const PartTracks& tracks, const PartGraph& graph, const std::vector<EdgeNoise>& edges,
                const PartNoises& at_rest, const PartNoises& fresh, const DiscoveryOptions& options,
                EdgeFits& fits, std::vector<PairNoise>& shares) {
  constexpr double kLeast =
      0.001;  // of the variance: 30 times less noise than the other part, as good as none
  const int stride = pair_stride(tracks, options.pair_frames);
  for (std::size_t k = 0; k < graph.tree.size(); ++k) {
    const PairFit& pair = graph.pairs[graph.tree[k]];
    const auto edge =
        std::ranges::find_if(edges, [&](const EdgeNoise& e) { return e.a == pair.a && e.b == pair.b; });
    if (edge == edges.end()) continue;
    if (at_rest[pair.a])
      shares[k].fixed_share =
          std::clamp(std::pow(at_rest[pair.a]->angle, 2) / edge->angle2, kLeast, 1 - kLeast);
    else if (at_rest[pair.b])
      shares[k].fixed_share =
          std::clamp(1 - std::pow(at_rest[pair.b]->angle, 2) / edge->angle2, kLeast, 1 - kLeast);
    else if (fresh[pair.a] && fresh[pair.b])
      shares[k].fixed_share = fresh_share(fresh[pair.a], fresh[pair.b], shares[k].fixed_share);
    else
      shares[k].fixed_share = remembered(fits.likely_shares, pair, shares[k].fixed_share, [&] {
        return likely_share(pair, relative_poses(tracks, pair.a, pair.b, stride), shares[k].fixed_share);
      });
  }
}

// Each group's own noise: as it shows at rest, else the mean of what its joints leave to it.
std::vector<PoseNoise> own_noise(const GroupNoise& common, const PartGraph& graph,
                                 const std::vector<EdgeNoise>& edges, const PartNoises& at_rest,
                                 const PartNoises& fresh, const std::vector<PairNoise>& shares) {
  constexpr double kLeastShare = 0.02;  // of an edge's variance that is left to a part beside one at rest
  const std::size_t count = common.parts.size();
  std::vector<double> p(count, 0.0), r = p, joints = p;
  const auto add = [&](int part, double position2, double angle2) {
    p[part] += position2, r[part] += angle2, joints[part] += 1;
  };
  for (const EdgeNoise& edge : edges) {
    double share = 0.5;
    for (std::size_t k = 0; k < graph.tree.size(); ++k)
      if (graph.pairs[graph.tree[k]].a == edge.a && graph.pairs[graph.tree[k]].b == edge.b)
        share = shares[k].fixed_share;
    const auto left = [&](double all, double other) {
      return std::max(all - other * other, kLeastShare * all);
    };
    if (at_rest[edge.a]) {
      add(edge.b, left(edge.position2, at_rest[edge.a]->position), left(edge.angle2, at_rest[edge.a]->angle));
    } else if (at_rest[edge.b]) {
      add(edge.a, left(edge.position2, at_rest[edge.b]->position), left(edge.angle2, at_rest[edge.b]->angle));
    } else {
      double shifts = share;
      if (fresh[edge.a] && fresh[edge.b]) {
        const double a2 = std::pow(fresh[edge.a]->position, 2), b2 = std::pow(fresh[edge.b]->position, 2);
        shifts = std::clamp(a2 / (a2 + b2), kLeastShare, 1 - kLeastShare);
      }
      add(edge.a, shifts * edge.position2, share * edge.angle2);
      add(edge.b, (1 - shifts) * edge.position2, (1 - share) * edge.angle2);
    }
  }
  std::vector<PoseNoise> result = common.parts;
  for (std::size_t k = 0; k < count; ++k) {
    if (at_rest[k])
      result[k] = *at_rest[k];
    else if (joints[k] > 0)
      result[k] = {std::sqrt(p[k] / joints[k]), std::sqrt(r[k] / joints[k])};
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
  constexpr double kOfSize = 1e-6, kOfWorld = 1e-13, kAngle = 1e-6;  // as in likelihood_engine.cpp
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
  return factors.empty() ? 1.0 : middle_of(factors);
}

double tree_independence(const PartGraph& graph) {
  std::vector<double> shares;
  for (const int edge : graph.tree) shares.push_back(graph.pairs[edge].independence);
  return shares.empty() ? 1.0 : middle_of(shares);
}

PoseNoise typical_noise(const PartTracks& tracks) {
  std::vector<math::Matrix6d> all;
  for (const PartTrack& part : tracks.parts)
    for (std::size_t t = 0; t < part.X_WP.size(); ++t)
      if (part.X_WP[t]) all.push_back(part.covariances[t]);
  return articulation::typical_noise(all);
}

TreeNoise tree_noise(const PartTracks& tracks, const PartGraph& graph, const std::vector<int>& sizes,
                     const DiscoveryOptions& options, EdgeFits& fits) {
  TreeNoise result;
  const GroupNoise by_size = group_noise({1.0, 1.0}, sizes);
  std::vector<PairNoise> shares;
  for (const int edge : graph.tree) shares.push_back(by_size.pair(graph.pairs[edge].a, graph.pairs[edge].b));
  std::vector<EdgeNoise> edges = edge_noise(tracks, graph, shares, options, fits);
  const PoseNoise least = least_noise(tracks, options.least_noise);
  const PartNoises fresh = fresh_noise(tracks);
  PartNoises at_rest;
  for (const PartTrack& part : tracks.parts) at_rest.push_back(noise_at_rest(part, least));
  const std::vector<PairNoise> equal = shares;
  set_shares(tracks, graph, edges, at_rest, fresh, options, fits, shares);
  // Shares change what a joint leaves, and that the shares; once is enough for a factor of two.
  const bool unequal = !std::ranges::equal(equal, shares, [](const PairNoise& x, const PairNoise& y) {
    return std::abs(x.fixed_share - y.fixed_share) < 0.1;
  });
  if (unequal) {
    edges = edge_noise(tracks, graph, shares, options, fits);
    set_shares(tracks, graph, edges, at_rest, fresh, options, fits, shares);
  }
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
  result.feature = {std::sqrt(middle_of(position2)), std::sqrt(middle_of(angle2))};
  result.groups = group_noise(result.feature, sizes);
  const auto differs = [](const std::vector<double>& x) {
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    return !x.empty() && *high > 9 * *low;
  };
  result.is_shared = !differs(angle2) && !differs(position2);
  const std::vector<PoseNoise> own = own_noise(result.groups, graph, edges, at_rest, fresh, shares);
  constexpr double kHalfMore = 1.5;  // times the deviation; what differs by less counts as equal
  const auto apart = [](double x, double y) { return x > kHalfMore * y || y > kHalfMore * x; };
  bool differ = false;
  for (std::size_t k = 0; k < own.size(); ++k)
    differ = differ || apart(own[k].angle, result.groups.parts[k].angle) ||
             apart(own[k].position, result.groups.parts[k].position);
  const bool tells =
      unequal || std::ranges::any_of(at_rest, [](const auto& noise) { return noise.has_value(); });
  if (differ && tells) {
    result.is_shared = false;
    result.features = result.groups.parts = own;
    for (std::size_t k = 0; k < own.size(); ++k) {
      result.features[k].position *= std::sqrt(sizes[k]);
      result.features[k].angle *= std::sqrt(sizes[k]);
    }
    return result;
  }
  if (result.is_shared) return result;
  scale_to_joints(result.groups, edges);
  return result;
}

}  // namespace prehend::articulation
