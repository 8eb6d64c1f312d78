#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include <prehend/articulation/fit/pose_covariances.h>
#include <prehend/articulation/tree/part_graph.h>
#include <prehend/math/progress.h>
#include <prehend/math/se3.h>

namespace prehend::articulation {
namespace {

using model::JointType;

int stride_for(const PartTracks& tracks, int frames) {
  return std::max(1, static_cast<int>(tracks.times.size()) / frames);
}

double median(std::vector<double> x) {
  if (x.empty()) return 0.0;
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

PairOptions pair_options(const DiscoveryOptions& options) {
  PairOptions result;
  result.criterion = options.criterion;
  result.types = options.types;
  result.rigid = options.rigid;
  return result;
}

// Joints that explain their motion to within the noise come before those that do not, and simple ones before those of
// more freedoms; scores decide among equals. In a tree that is all the same; in a linkage a bar follows its neighbour
// more closely than the frame it turns on, and the score alone would take that for a joint.
//
// Groups of many features are known better, and densities of their poses are higher for that alone: scores are brought to the
// `noise` of the least known pair, in the directions that the joint leaves, before pairs are compared.
double tree_score(const PairFit& pair, const PoseNoise& noise, bool has_covariances) {
  constexpr double kNotExplained = 1e4,
                   kPerFreedom = 1e2;  // [nats per frame] beyond what densities differ by
  // Covariances of films are wrong by factors; wrong joints leave ten times as much and more.
  constexpr double kOneNoise = 1.3, kCovariances = 3.0;
  const double kExplained = has_covariances ? kCovariances : kOneNoise;
  const double d = freedoms(pair.type);
  const bool is_explained = pair.type != JointType::free && pair.misfit < kExplained;
  const double less_noise =
      std::log(pair.noise.position / noise.position) + std::log(pair.noise.angle / noise.angle);
  return pair.score + pair.frames * (0.5 * (6 - d) * less_noise - (is_explained ? 0.0 : kNotExplained) -
                                     (is_explained ? kPerFreedom * std::max(0.0, d - 1) : 0.0));
}

// With the noise of each pair known, or estimated for each in its own way.
void add_tree(PartGraph& graph, int nodes, bool noise_is_known, bool has_covariances = false) {
  graph.edges.clear();
  PoseNoise most{1e-300, 1e-300};
  for (const PairFit& pair : graph.pairs) {
    most.position = std::max(most.position, pair.noise.position);
    most.angle = std::max(most.angle, pair.noise.angle);
  }
  for (const PairFit& pair : graph.pairs)
    graph.edges.push_back(
        {pair.a, pair.b, tree_score(pair, noise_is_known ? most : pair.noise, has_covariances)});
  graph.tree = best_spanning_tree(nodes, graph.edges);
}

// All pairs by `fit`, those never seen together left out.
template <class Fit>
PartGraph all_pairs(const PartTracks& tracks, int frames, const Fit& fit) {
  PartGraph graph;
  const int count = static_cast<int>(tracks.parts.size());
  const int stride = stride_for(tracks, frames);
  math::Progress progress("pairs of parts",
                          static_cast<std::size_t>(count) * static_cast<std::size_t>(count) / 2);
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b, progress.advance()) {
      const Observations seen = relative_poses(tracks, a, b, stride);
      if (seen.poses.size() < 2) continue;
      PairFit pair = fit(seen, a, b);
      if (!pair.joint) continue;
      pair.a = a;
      pair.b = b;
      graph.pairs.push_back(std::move(pair));
    }
  }
  return graph;
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
  const int stride = stride_for(tracks, options.pair_frames);
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

}  // namespace

PairNoise GroupNoise::pair(int fixed, int moving) const {
  const double rf = parts[fixed].angle * parts[fixed].angle, rm = parts[moving].angle * parts[moving].angle;
  return {{std::hypot(parts[fixed].position, parts[moving].position), std::sqrt(rf + rm)},
          rf / (rf + rm),
          independence};
}

GroupNoise group_noise(const PoseNoise& feature, const std::vector<int>& sizes) {
  GroupNoise result;
  for (const int n : sizes)
    result.parts.push_back({feature.position / std::sqrt(n), feature.angle / std::sqrt(n)});
  return result;
}

PoseNoise least_noise(const PartTracks& tracks, const PoseNoise& told) {
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
  return {std::max({kOfSize * size, kOfWorld * world, 1e-300, told.position}), std::max(kAngle, told.angle)};
}

PartGraph first_look(const PartTracks& tracks, const DiscoveryOptions& options) {
  constexpr int kFrames = 60;
  const int count = static_cast<int>(tracks.parts.size());
  PairOptions pair = pair_options(options);
  if (!pair.types.empty()) pair.types.push_back(JointType::rigid);
  // Among many parts the simple types find the partners; the rest is for the careful fits.
  if (pair.types.empty() && count > options.partners + 1)
    pair.types = {JointType::rigid, JointType::prismatic, JointType::revolute, JointType::spherical,
                  JointType::free};
  PartGraph graph =
      all_pairs(tracks, std::min(options.pair_frames, kFrames), [&](const Observations& seen, int, int) {
        PairFit fit = fit_pair(seen, std::nullopt, pair);
        fit.score /= std::max(1, fit.frames);  // few common frames are no disadvantage
        fit.frames = 1;
        return fit;
      });
  add_tree(graph, count, false, tracks.has_covariances());
  return graph;
}

PartGraph look_of_groups(const PartGraph& look, const std::vector<RigidGroup>& groups) {
  std::map<int, int> group_of_first;
  for (std::size_t g = 0; g < groups.size(); ++g) group_of_first[groups[g].parts[0]] = static_cast<int>(g);
  PartGraph result;
  for (const PairFit& pair : look.pairs) {
    const auto a = group_of_first.find(pair.a), b = group_of_first.find(pair.b);
    if (a == group_of_first.end() || b == group_of_first.end()) continue;
    result.pairs.push_back(pair);
    result.pairs.back().a = a->second;
    result.pairs.back().b = b->second;
  }
  add_tree(result, static_cast<int>(groups.size()), false);
  return result;
}

double covariance_factor(const PartTracks& tracks, const PartGraph& graph, const DiscoveryOptions& options) {
  std::vector<double> factors;
  const int stride = stride_for(tracks, options.pair_frames);
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

bool same_tree(const PartGraph& a, const PartGraph& b) {
  const auto edges = [](const PartGraph& graph) {
    std::map<std::pair<int, int>, JointType> result;
    for (const int e : graph.tree) result[{graph.pairs[e].a, graph.pairs[e].b}] = graph.pairs[e].type;
    return result;
  };
  return edges(a) == edges(b);
}

PartGraph score_pairs(const PartTracks& tracks, const PartGraph& look, const GroupNoise& noise,
                      const DiscoveryOptions& options) {
  const int count = static_cast<int>(tracks.parts.size());
  const PairOptions careful = pair_options(options);
  if (count <= options.partners + 1 || look.pairs.empty()) {
    PartGraph graph = all_pairs(tracks, options.pair_frames, [&](const Observations& seen, int a, int b) {
      return fit_pair(seen, noise.pair(a, b), careful);
    });
    add_tree(graph, count, true, tracks.has_covariances());
    return graph;
  }
  std::vector<std::vector<int>> of_part(count);
  for (std::size_t k = 0; k < look.pairs.size(); ++k) {
    of_part[look.pairs[k].a].push_back(static_cast<int>(k));
    of_part[look.pairs[k].b].push_back(static_cast<int>(k));
  }
  std::vector<bool> promising(look.pairs.size(), false);
  for (std::vector<int>& pairs : of_part) {
    const std::size_t keep = std::min<std::size_t>(pairs.size(), options.partners);
    std::partial_sort(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(keep), pairs.end(),
                      [&](int i, int j) { return look.pairs[i].score > look.pairs[j].score; });
    for (std::size_t k = 0; k < keep; ++k) promising[pairs[k]] = true;
  }
  // Whatever the first look would make the tree of stays in, so that the rest is connected.
  for (const int edge : look.tree) promising[edge] = true;
  PartGraph result;
  const int stride = stride_for(tracks, options.pair_frames);
  math::Progress progress("pairs of parts", look.pairs.size());
  for (std::size_t k = 0; k < look.pairs.size(); ++k, progress.advance()) {
    if (!promising[k]) continue;
    const int a = look.pairs[k].a, b = look.pairs[k].b;
    PairFit pair = fit_pair(relative_poses(tracks, a, b, stride), noise.pair(a, b), careful);
    if (!pair.joint) continue;
    pair.a = a;
    pair.b = b;
    result.pairs.push_back(std::move(pair));
  }
  add_tree(result, count, true, tracks.has_covariances());
  return result;
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
  // Scale the groups at both ends of every joint until the sums agree; a leaf and its parent share what is left open.
  for (int round = 0; round < 20; ++round) {
    std::vector<double> log_p(sizes.size(), 0.0), log_r = log_p, joints = log_p;
    for (const EdgeNoise& edge : edges) {
      const PairNoise now = result.groups.pair(edge.a, edge.b);
      for (const int k : {edge.a, edge.b}) {
        log_p[k] += std::log(edge.position2 / (now.noise.position * now.noise.position));
        log_r[k] += std::log(edge.angle2 / (now.noise.angle * now.noise.angle));
        joints[k] += 1;
      }
    }
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (joints[k] == 0) continue;
      result.groups.parts[k].position *= std::exp(0.25 * log_p[k] / joints[k]);
      result.groups.parts[k].angle *= std::exp(0.25 * log_r[k] / joints[k]);
    }
  }
  return result;
}

}  // namespace prehend::articulation
