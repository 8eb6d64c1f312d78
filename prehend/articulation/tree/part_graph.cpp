#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <prehend/articulation/evidence/fresh_noise.h>
#include <prehend/articulation/tree/part_graph.h>
#include <prehend/math/progress.h>
#include <prehend/math/se3.h>

namespace prehend::articulation {
namespace {

using model::JointType;

PairOptions pair_options(const DiscoveryOptions& options) {
  PairOptions result;
  result.criterion = options.criterion;
  result.types = options.types;
  result.rigid = options.rigid;
  return result;
}

// New in every frame, slow, or stated by covariances.
enum class ErrorsAre { fresh, slow, stated };
ErrorsAre errors_are(const PartTracks& tracks, double independence) {
  return tracks.has_covariances() ? ErrorsAre::stated : independence < 1 ? ErrorsAre::slow : ErrorsAre::fresh;
}

// Joints that explain their motion to within the noise come before those that do not, and simple ones before those of
// more freedoms; scores decide among equals. In a tree that is all the same; in a linkage a bar follows its neighbour
// more closely than the frame it turns on, and the score alone would take that for a joint.
//
// Where errors are slow, what two explained pairs leave differs by a tenth and more by chance. Drawers that are opened one after the other slide in each other as in
// their cupboard, but each of them further: less way is likelier.
//
// Groups of many features are known better, and densities of their poses are higher for that alone: scores are brought to the
// `noise` of the least known pair, in the directions that the joint leaves, before pairs are compared.
double tree_score(const PairFit& pair, const PoseNoise& noise, ErrorsAre errors, double independence) {
  constexpr double kNotExplained = 1e4,
                   kPerFreedom = 1e2;  // [nats per frame] beyond what densities differ by
  // Covariances of films are wrong by factors; wrong joints leave ten times as much and more. Slow errors differ from joint to joint by two.
  constexpr double kOneNoise = 1.3, kSlow = 2.0, kCovariances = 3.0;
  // [nats per independent frame, of the way's logarithm] A tenth more of what is left is worth half a nat, twice the way one and a half.
  constexpr double kWay = 2.0;
  const double kExplained = errors == ErrorsAre::stated ? kCovariances
                            : errors == ErrorsAre::slow ? kSlow
                                                        : kOneNoise;
  const double d = freedoms(pair.type);
  const bool is_explained = pair.type != JointType::free &&
                            (pair.misfit < kExplained || (pair.leaves_noise && pair.misfit < kSlow));
  const double less_noise =
      std::log(pair.noise.position / noise.position) + std::log(pair.noise.angle / noise.angle);
  const double way =
      errors == ErrorsAre::slow && is_explained ? kWay * independence * std::log(pair.way) : 0.0;
  return pair.score + pair.frames * (0.5 * (6 - d) * less_noise - way - (is_explained ? 0.0 : kNotExplained) -
                                     (is_explained ? kPerFreedom * std::max(0.0, d - 1) : 0.0));
}

// With the noise of each pair known, or estimated for each in its own way.
void add_tree(PartGraph& graph, int nodes, bool noise_is_known, ErrorsAre errors = ErrorsAre::fresh,
              double independence = 1.0) {
  graph.edges.clear();
  PoseNoise most{1e-300, 1e-300};
  for (const PairFit& pair : graph.pairs) {
    most.position = std::max(most.position, pair.noise.position);
    most.angle = std::max(most.angle, pair.noise.angle);
  }
  for (const PairFit& pair : graph.pairs)
    graph.edges.push_back(
        {pair.a, pair.b, tree_score(pair, noise_is_known ? most : pair.noise, errors, independence)});
  graph.tree = best_spanning_tree(nodes, graph.edges);
}

// All pairs by `fit`, those never seen together left out.
template <class Fit>
PartGraph all_pairs(const PartTracks& tracks, int frames, const Fit& fit) {
  PartGraph graph;
  const int count = static_cast<int>(tracks.parts.size());
  const int stride = pair_stride(tracks, frames);
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

}  // namespace

int pair_stride(const PartTracks& tracks, int frames) {
  return std::max(1, static_cast<int>(tracks.times.size()) / frames);
}

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

PartGraph first_look(const PartTracks& tracks, const DiscoveryOptions& options) {
  constexpr int kFrames = 60;  // tell who moves with whom; the careful fits take all
  const int count = static_cast<int>(tracks.parts.size());
  PairOptions pair = pair_options(options);
  if (!pair.types.empty()) pair.types.push_back(JointType::rigid);
  // Among many parts the simple types find the partners; the rest is for the careful fits.
  if (pair.types.empty() && count > options.partners + 1)
    pair.types = {JointType::rigid, JointType::prismatic, JointType::revolute, JointType::spherical,
                  JointType::free};
  // Of unequal parts the swing of the less well tracked one would look like a ball joint.
  const std::vector<std::optional<PoseNoise>> fresh = fresh_noise(tracks);
  PartGraph graph =
      all_pairs(tracks, std::min(options.pair_frames, kFrames), [&](const Observations& seen, int a, int b) {
        pair.fixed_share = fresh_share(fresh[a], fresh[b], 0.5);
        PairFit fit = fit_pair(seen, std::nullopt, pair);
        fit.score /= std::max(1, fit.frames);  // few common frames are no disadvantage
        fit.frames = 1;
        return fit;
      });
  add_tree(graph, count, false, errors_are(tracks, 1.0));
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
    add_tree(graph, count, true, errors_are(tracks, noise.independence), noise.independence);
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
  const int stride = pair_stride(tracks, options.pair_frames);
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
  add_tree(result, count, true, errors_are(tracks, noise.independence), noise.independence);
  return result;
}

}  // namespace prehend::articulation
