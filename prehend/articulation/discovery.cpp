#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>

#include <prehend/articulation/discovery.h>
#include <prehend/articulation/evidence/common_clock.h>
#include <prehend/articulation/evidence/flipped_poses.h>
#include <prehend/articulation/evidence/fresh_noise.h>
#include <prehend/articulation/evidence/left_out_motion.h>
#include <prehend/articulation/evidence/mirrored_poses.h>
#include <prehend/articulation/evidence/track_motion.h>
#include <prehend/articulation/evidence/world_handedness.h>
#include <prehend/articulation/fit/pose_covariances.h>
#include <prehend/articulation/tree/chained_pairs.h>
#include <prehend/articulation/tree/discovered_joint.h>
#include <prehend/articulation/tree/error_floor.h>
#include <prehend/articulation/tree/late_streams.h>
#include <prehend/articulation/tree/loops.h>
#include <prehend/articulation/tree/part_graph.h>
#include <prehend/articulation/tree/point_parts.h>
#include <prehend/articulation/tree/rigid_groups.h>
#include <prehend/articulation/tree/same_part.h>
#include <prehend/articulation/tree/tree_noise.h>
#include <prehend/articulation/tree/unseen_part.h>
#include <prehend/math/angles.h>
#include <prehend/math/interrupt.h>

namespace prehend::articulation {
namespace {

using model::JointType;

std::vector<int> sizes_of(const std::vector<RigidGroup>& groups) {
  std::vector<int> sizes;
  for (const RigidGroup& group : groups) sizes.push_back(static_cast<int>(group.parts.size()));
  return sizes;
}

SelectionOptions selection_options(const DiscoveryOptions& options, double fixed_share) {
  SelectionOptions result;
  result.criterion = options.criterion;
  result.types = options.types;
  // With two or more types given, what fits none of them may still move freely.
  result.margin = options.margin;
  result.fit.fixed_share = fixed_share;
  // A prior in metres would make the answer depend on the object's size; that on radii comes with the pair.
  result.radius_scale = result.travel_scale = std::numeric_limits<double>::infinity();
  result.wants_plain_score = false;
  result.largest_noise = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  return result;
}

// A screw reads from the shift which turn it is in. Where it turns by half a turn more than the hinge does, whose angle is continuous
// from frame to frame, and is hardly better than that, its thread is finer than the noise and the turns are not there.
bool invents_turns(const Selection& selection) {
  constexpr double kHardlyBetter = 0.5;  // [nats per frame]
  if (selection.best().type != JointType::screw) return false;
  const auto range = [](const JointFit& fit) {
    double lower = std::numeric_limits<double>::infinity(), upper = -lower;
    for (const auto& q : fit.states) {
      if (!q) continue;
      lower = std::min(lower, (*q)[0]);
      upper = std::max(upper, (*q)[0]);
    }
    return upper - lower;
  };
  const Candidate& screw = selection.best();
  for (const Candidate& hinge : selection.candidates)
    if (hinge.type == JointType::revolute && hinge.fit.status != FitStatus::failed)
      return screw.score < hinge.score + kHardlyBetter * static_cast<double>(hinge.fit.weights.size()) &&
             range(screw.fit) > range(hinge.fit) + math::kPi;
  return false;
}

// Where nothing but `free` was compared: with the type that the joint is most easily taken for.
void compare_with_next(DiscoveredJoint& joint, const Observations& seen, SelectionOptions asked,
                       const DiscoveryOptions& options) {
  const JointType type = joint.joint.type;
  const bool compared = std::ranges::any_of(joint.types, [&](const TypeScore& other) {
    return other.type != type && other.type != JointType::free;
  });
  if (compared || !seen.covariances.empty()) return;
  asked.types = {type};
  for (const JointType next : next_types(type))
    if (options.types.empty() || std::ranges::find(options.types, next) != options.types.end())
      asked.types.push_back(next);
  asked.fit.noise_shape = NoiseShape::gaussian;
  if (asked.types.size() < 2) return;
  // A slide that follows a turn ends slowly, frames being left out and taken in, and how far off it is is all that is asked: few steps tell, unless it comes near.
  constexpr int kFewSteps = 20;    // a slide that suits the motion ends within six
  constexpr double kFarOff = 0.5;  // [nats per frame] what one further freedom takes of the noise
  SelectionOptions quick = asked;
  if (type == JointType::revolute) quick.fit.max_iterations = std::min(kFewSteps, asked.fit.max_iterations);
  Selection compared_to = select_joint(seen, quick);
  const auto is_near = [&](const Candidate& other) {
    return other.type != type && other.fit.status == FitStatus::not_converged &&
           other.score > joint.score - kFarOff * static_cast<double>(seen.poses.size());
  };
  if (std::ranges::any_of(compared_to.candidates, is_near)) compared_to = select_joint(seen, asked);
  add_next_type(joint, compared_to);
}

// Slides and hinges that were not compared: those that the answer contains, as by the noise of the tree they may be far off and yet leave no more than slow errors do; both
// where the answer leaves frames out in which the part moves.
bool add_simple_types(std::vector<JointType>& types, const Selection& selection, const Observations& seen,
                      const DiscoveryOptions& options) {
  const JointType best = selection.best().type;
  if (best == JointType::free || types.empty()) return false;
  const bool is_rich = freedoms(best) > 1 || best == JointType::screw;
  if (!is_rich &&
      (selection.best().fit.status == FitStatus::failed || !leaves_motion_out(selection.best().fit, seen)))
    return false;
  bool added = false;
  for (const JointType simple : {JointType::prismatic, JointType::revolute}) {
    if ((is_rich && !contains(best, simple)) || std::ranges::find(types, simple) != types.end() ||
        (!options.types.empty() && std::ranges::find(options.types, simple) == options.types.end()))
      continue;
    types.push_back(simple);
    added = true;
  }
  return added;
}

DiscoveredJoint tree_joint(const PartTracks& tracks, int parent, int child, PairFit look,
                           const GroupNoise& noise, const DiscoveryOptions& options) {
  const Observations seen = relative_poses(tracks, parent, child, 1, true);
  SelectionOptions asked = selection_options(options, noise.pair(parent, child).fixed_share);
  asked.radius_scale = radius_scale(seen, PairOptions{});
  // Types that come nowhere near, and those of several freedoms where nothing is left to explain, are not worth their fits.
  if (look.frames < static_cast<int>(seen.poses.size())) {
    PairOptions pair;
    pair.criterion = options.criterion;
    pair.types = options.types;
    pair.rigid = options.rigid;
    look = fit_pair(seen, noise.pair(parent, child), pair);
  }
  if (!look.plausible.empty()) {
    asked.types = look.plausible;
    if (options.types.empty() ||
        std::find(options.types.begin(), options.types.end(), JointType::free) != options.types.end())
      asked.types.push_back(JointType::free);
  }
  if (options.least_noise.angle > 0 || options.least_noise.position > 0)
    asked.fit.noise = noise.pair(parent, child).noise;
  if (noise.independence < 1) asked.independence = noise.independence;
  // Covariances have their common scale already.
  if (!seen.covariances.empty()) {
    asked.fit.noise = typical_noise(seen.covariances);
    asked.independence = noise.independence;
  }
  Selection selection = select_joint(seen, asked);
  if (invents_turns(selection)) {
    std::erase(asked.types, JointType::screw);
    selection = select_joint(seen, asked);
  }
  if (add_simple_types(asked.types, selection, seen, options)) selection = select_joint(seen, asked);
  // That nothing connects them is said of all types.
  if (selection.best().type == JointType::free && !asked.fit.noise && options.types.empty() &&
      !asked.types.empty()) {
    asked.types.clear();
    selection = select_joint(seen, asked);
  }
  DiscoveredJoint joint = joint_of(selection, parent, child, tracks.times.size());
  compare_with_next(joint, seen, asked, options);
  return joint;
}

// From the fitted frames at the groups' centres to the frames of their first parts.
void use_frames_of_first_parts(Discovery& discovery) {
  std::vector<math::Pose> X_RG;
  for (RigidGroup& group : discovery.groups) {
    const math::Pose X = group.X_GP.front();
    X_RG.push_back(X.inverse());
    for (std::size_t k = 0; k < group.parts.size(); ++k)
      discovery.X_RP[group.parts[k]] = k == 0 ? math::Pose() : X_RG.back() * group.X_GP[k];
  }
  const auto move = [&](Joint& joint, int fixed, int moving) {
    joint.X_FJ = X_RG[fixed] * joint.X_FJ;
    joint.X_MJ = X_RG[moving] * joint.X_MJ;
  };
  for (DiscoveredJoint& joint : discovery.joints) {
    move(joint.joint, joint.parent, joint.child);
    align_with_child(joint.joint, joint.states);
    set_limits(joint);
  }
  for (Loop& loop : discovery.loops) move(loop.joint, loop.a, loop.b);
  for (std::size_t g = 0; g < discovery.groups.size(); ++g) {
    const math::Pose X_GR = X_RG[g].inverse();
    for (auto& X : discovery.tracks.parts[g].X_WP)
      if (X) X = *X * X_GR;
    const math::Matrix6d to_R = math::adjoint(X_RG[g]);
    for (math::Matrix6d& C : discovery.tracks.parts[g].covariances) C = to_R * C * to_R.transpose();
  }
}

// A joint that closes a loop holds in every frame: one that leaves out those in which a part moved closes none.
bool leaves_frames_out(const PairFit& pair, const PartTracks& tracks, const PairNoise& noise,
                       const DiscoveryOptions& options) {
  constexpr double kMostLeftOut = 0.02;  // of the frames; flipped poses are gone already
  if (tracks.has_covariances() || pair.misfit > options.loops.misfit) return false;
  const Observations seen = relative_poses(tracks, pair.a, pair.b, pair_stride(tracks, options.pair_frames));
  FitOptions known;
  known.noise = noise.noise;
  known.fixed_share = noise.fixed_share;
  known.start = *pair.joint;
  known.noise_shape = NoiseShape::gaussian;
  const JointFit fit = fit_joint(pair.type, seen, known);
  return fit.status == FitStatus::failed ||
         fit.outliers > kMostLeftOut * static_cast<double>(seen.poses.size());
}

void find_loops(Discovery& discovery, const PartGraph& graph, const GroupNoise& noise,
                const DiscoveryOptions& options) {
  std::vector<TreeJoint> tree;
  for (const DiscoveredJoint& joint : discovery.joints)
    tree.push_back({joint.parent, joint.child, &joint.joint, &joint.states});
  std::vector<ClosingPair> pairs;
  for (std::size_t k = 0; k < graph.pairs.size(); ++k) {
    const PairFit& pair = graph.pairs[k];
    if (pair.type == JointType::free || pair.is_chained ||
        std::find(graph.tree.begin(), graph.tree.end(), static_cast<int>(k)) != graph.tree.end())
      continue;
    if (leaves_frames_out(pair, discovery.tracks, noise.pair(pair.a, pair.b), options)) continue;
    pairs.push_back({pair.a, pair.b, *pair.joint, noise.pair(pair.a, pair.b).noise, pair.misfit});
  }
  LoopOptions strict = options.loops;
  // Axes of filmed joints are off by several degrees, and a marker's noise is not the same along all axes, as is assumed there. So it is where errors are slow.
  constexpr double kFilmed = 3.0;
  if (discovery.tracks.has_covariances() || noise.independence < 1) {
    strict.relative *= kFilmed;
    strict.significant *= kFilmed;
  }
  LoopResult loops = close_loops(static_cast<int>(discovery.groups.size()), tree, std::move(pairs), strict);
  discovery.loops = std::move(loops.loops);
  discovery.degrees_of_freedom = loops.degrees_of_freedom;
}

using RigidPairs = std::vector<std::pair<int, int>>;

// Groups that are connected by the pairs become one.
std::vector<RigidGroup> merged(const std::vector<RigidGroup>& groups, const RigidPairs& pairs) {
  std::vector<int> to(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) to[g] = static_cast<int>(g);
  for (const auto& [a, b] : pairs) {
    const int keep = std::min(to[a], to[b]), drop = std::max(to[a], to[b]);
    for (int& group : to) group = group == drop ? keep : group;
  }
  std::vector<RigidGroup> result;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (to[g] != static_cast<int>(g)) continue;
    RigidGroup group;
    for (std::size_t h = 0; h < groups.size(); ++h)
      if (to[h] == static_cast<int>(g))
        group.parts.insert(group.parts.end(), groups[h].parts.begin(), groups[h].parts.end());
    std::sort(group.parts.begin(), group.parts.end());
    result.push_back(std::move(group));
  }
  return result;  // in the order of their first parts, as before
}

// Whether what moves two groups against each other is noise, while at least one of them moves smoothly in the world.
bool moves_by_noise(const PartTracks& tracks, int a, int b, const GroupNoise& noise) {
  if (!tracks.parts[a].moves && !tracks.parts[b].moves) return false;
  PairNoise pair = noise.pair(a, b);
  // What joints left may be too little: one that follows the noise leaves nothing.
  PartTracks two;
  two.resolution = tracks.resolution;
  two.times = tracks.times;
  two.parts = {tracks.parts[a], tracks.parts[b]};
  if (const auto fresh = fresh_noise(two); fresh[0] && fresh[1]) {
    pair.noise = {std::max(pair.noise.position, std::hypot(fresh[0]->position, fresh[1]->position)),
                  std::max(pair.noise.angle, std::hypot(fresh[0]->angle, fresh[1]->angle))};
    pair.fixed_share = fresh_share(fresh[0], fresh[1], pair.fixed_share);
  }
  return differ_by_noise(relative_poses(tracks, a, b, 1, true), pair.noise, pair.fixed_share);
}

bool is_same(const GroupNoise& x, const GroupNoise& y) {
  return x.independence == y.independence &&
         std::ranges::equal(x.parts, y.parts, [](const PoseNoise& a, const PoseNoise& b) {
           return a.position == b.position && a.angle == b.angle;
         });
}

// What discovery works on and learns on its way.
struct Search {
  DiscoveryOptions options;  // with what is learned of the tracker
  PartTracks tracks;
  PartGraph look;  // at all pairs of features
  std::optional<ErrorFloor> floor;
  TreeNoise noise;
  PartGraph graph;  // of the groups
  EdgeFits fits;    // to the features' tracks
};

// Tree, joints and noise for given groups. Returns pairs of groups that turned out rigid; with any, there are no joints yet.
RigidPairs connect(Discovery& discovery, Search& search) {
  PartGraph& graph = search.graph;
  TreeNoise& noise = search.noise;
  PartTracks& tracks = search.tracks;
  const PartGraph& feature_look = search.look;
  const DiscoveryOptions& options = search.options;
  const std::vector<int> sizes = sizes_of(discovery.groups);
  const int count = static_cast<int>(sizes.size());
  discovery.tracks = pooled_tracks(tracks, discovery.groups);
  const TreeNoise of_look = noise;
  noise.groups = group_noise(noise.feature, sizes);
  // A group's variance is the mean of its features', over their number.
  if (noise.features.size() == tracks.parts.size())
    for (int g = 0; g < count; ++g) {
      double position2 = 0, angle2 = 0;
      for (const int part : discovery.groups[g].parts) {
        position2 += std::pow(noise.features[part].position / sizes[g], 2);
        angle2 += std::pow(noise.features[part].angle / sizes[g], 2);
      }
      noise.groups.parts[g] = {std::sqrt(position2), std::sqrt(angle2)};
    }
  noise.groups.independence = noise.independence;
  const PartGraph look = feature_look.pairs.empty() && count > options.partners + 1
                             ? first_look(discovery.tracks, options)
                             : look_of_groups(feature_look, discovery.groups);
  const bool are_features = count == static_cast<int>(tracks.parts.size());
  EdgeFits of_groups;
  EdgeFits& fits = are_features ? search.fits : of_groups;
  // Noise and tree agree after two rounds; a third changes nothing worth its time.
  for (int round = 0; round < 2; ++round) {
    graph = score_pairs(discovery.tracks, look, noise.groups, options);
    if (tracks.has_covariances()) {
      const double factor = covariance_factor(discovery.tracks, graph, options);
      noise.covariance_factor *= factor;
      tracks.scale_covariances(factor);
      discovery.tracks.scale_covariances(factor);
      noise.feature = typical_noise(tracks);
      noise.groups = group_noise(noise.feature, sizes);
      noise.groups.independence = noise.independence = tree_independence(graph);
      if (std::abs(std::log(factor)) < 0.1) break;
      continue;
    }
    if (noise.independence < 1) break;  // the floor is what is known
    const GroupNoise scored_with = noise.groups;
    // The noise was estimated from this very tree.
    if (are_features && !feature_look.pairs.empty() && same_tree(look, graph)) {
      noise = of_look;
      if (noise.is_shared) break;
    }
    const double before = noise.feature.angle;
    TreeNoise next = tree_noise(discovery.tracks, graph, sizes, options, fits);
    next.features = of_look.features;
    if (next.feature.angle > 0 && next.feature.position > 0) noise = next;
    if (noise.is_shared && std::abs(std::log(noise.feature.angle / before)) < 0.05) break;
    if (is_same(noise.groups, scored_with)) break;
  }
  replace_chained_pairs(graph, discovery.tracks, noise.independence,
                        pair_stride(discovery.tracks, options.pair_frames));
  const RootedTree rooted = rooted_tree(count, graph.edges, graph.tree, 0);
  discovery.joints.clear();
  RigidPairs rigid;
  for (const int child : rooted.order) {
    if (rooted.parent[child] < 0) continue;
    discovery.joints.push_back(tree_joint(discovery.tracks, rooted.parent[child], child,
                                          graph.pairs[rooted.parent_edge[child]], noise.groups, options));
    if (options.merge_rigid && (discovery.joints.back().joint.type == JointType::rigid ||
                                moves_by_noise(discovery.tracks, rooted.parent[child], child, noise.groups)))
      rigid.emplace_back(rooted.parent[child], child);
  }
  for (int g = 0; g < count; ++g)
    if (rooted.parent[g] == -2)
      discovery.reasons.push_back("'" + discovery.name(g) + "' is never seen together with '" +
                                  discovery.name(0) + "' and what hangs on it");
  return rigid;
}

// A first look at all pairs, and the noise that its best tree tells.
void first_noise(Search& search) {
  // Looking at all pairs of so many features (780) takes seconds; most then have a rigid partner, whose noise is as good.
  constexpr std::size_t kManyFeatures = 40;
  // [pairs] in a tree of six parts, where one pair in a thousand may be mistaken: the reference of RigidOptions::by_chance.
  constexpr double kReferencePairs = 15.0;
  const DiscoveryOptions& options = search.options;
  PartTracks& tracks = search.tracks;
  TreeNoise& noise = search.noise;
  if (tracks.parts.size() <= kManyFeatures) search.look = first_look(tracks, options);
  if (search.look.pairs.empty()) {
    const PoseNoise least = least_noise(tracks, options.least_noise),
                    nearest = noise_of_nearest(tracks, options.rigid);
    noise.feature = {std::max(nearest.position, least.position), std::max(nearest.angle, least.angle)};
  } else if (tracks.has_covariances()) {
    noise.covariance_factor = covariance_factor(tracks, search.look, options);
    tracks.scale_covariances(noise.covariance_factor);
    noise.feature = typical_noise(tracks);
    noise.independence = tree_independence(search.look);
  } else {
    search.floor = error_floor(tracks, search.look, options);
    if (search.floor) {
      // Below the floor nothing is motion, however it changes over time.
      search.options.least_noise = noise.feature = search.floor->noise;
      noise.groups = group_noise(noise.feature, std::vector<int>(tracks.parts.size(), 1));
      noise.independence = search.floor->independence;
      return;
    }
    // From the joints of the first look's tree, by maximum likelihood.
    noise = tree_noise(tracks, search.look, std::vector<int>(tracks.parts.size(), 1), options, search.fits);
    search.options.rigid.slow_noise = noise.slow;
    search.options.rigid.by_chance +=
        std::log(static_cast<double>(search.look.pairs.size()) / kReferencePairs);
  }
}

bool is_known(const PoseNoise& noise) {
  return noise.angle > 0 && noise.position > 0 && std::isfinite(noise.position);
}

// No joint explains anything: every part by itself, and why.
void leave_apart(Discovery& discovery, const Search& search) {
  discovery.reasons.push_back(search.look.pairs.empty()
                                  ? "no two parts are seen together often enough to fit a joint"
                                  : "no joint explains how any part moves in another");
  for (const PairFit& pair : search.look.pairs) {
    const std::string sentence = world_contradiction(search.tracks, pair.a, pair.b, JointType::screw);
    if (sentence.empty()) continue;
    discovery.reasons.insert(discovery.reasons.begin(), sentence);
    break;
  }
  discovery.status = DiscoveryStatus::undetermined;
  for (std::size_t k = 0; k < discovery.parts.size(); ++k)
    discovery.groups.push_back({{static_cast<int>(k)}, {math::Pose()}});
  discovery.tracks = search.tracks;
}

// Groups, and the tree between them, until no joint of the tree is rigid.
void grow_tree(Discovery& discovery, Search& search) {
  PartTracks& tracks = search.tracks;
  const std::vector<std::vector<int>> given = same_part_indices(discovery.parts, search.options.same_part);
  if (search.options.merge_rigid) {
    const std::vector<PoseNoise> common(tracks.parts.size(),
                                        search.floor ? search.floor->worst : search.noise.feature);
    discovery.groups = rigid_groups(tracks, search.noise.features.empty() ? common : search.noise.features,
                                    search.options.rigid, given);
  } else {
    for (std::size_t k = 0; k < tracks.parts.size(); ++k)
      discovery.groups.push_back({{static_cast<int>(k)}, {}});
    RigidPairs together;
    for (const std::vector<int>& part : given)
      for (std::size_t k = 1; k < part.size(); ++k) together.emplace_back(part.front(), part[k]);
    discovery.groups = merged(discovery.groups, together);
  }
  while (discovery.groups.size() > 1) {
    math::check_interrupt();
    const RigidPairs rigid = connect(discovery, search);
    if (rigid.empty()) return;
    discovery.reasons.clear();
    discovery.groups = merged(discovery.groups, rigid);
  }
  discovery.joints.clear();
  search.graph = {};  // of groups that are one now
  discovery.tracks = pooled_tracks(tracks, discovery.groups);
  // What is carried as one thing is one; at rest, joints would look like this.
  const auto carried = [&](const PartTrack& part) {
    std::vector<math::Pose> poses;
    for (const auto& X : part.X_WP)
      if (X) poses.push_back(*X);
    return part.moves &&
           is_carried(usual_distance(poses), {search.noise.feature.position, search.noise.feature.angle});
  };
  if (std::ranges::all_of(tracks.parts, carried))
    discovery.notes.push_back(
        "all parts are carried as one: joints that stood still would look like this, too");
  else
    discovery.reasons.push_back("nothing moves: any joints would look like this");
}

void note_noise(Discovery& discovery, const Search& search) {
  const TreeNoise& noise = search.noise;
  discovery.noise = noise.feature;
  discovery.noise_is_shared = noise.is_shared;
  if (search.tracks.has_covariances()) {
    const std::size_t frames = search.tracks.times.size();
    char note[160];
    std::snprintf(
        note, sizeof note,
        "each pose counts by its covariance, times %.3g; errors change slowly: %zu frames count as %.0f",
        noise.covariance_factor, frames, noise.independence * static_cast<double>(frames));
    discovery.notes.push_back(note);
  }
  if (search.floor) {
    const double frames = static_cast<double>(search.tracks.times.size());
    char note[200];
    std::snprintf(note, sizeof note,
                  "%s: deviations of %.3g mm and %.3g deg per axis of a pose are no motion, and %.0f frames "
                  "count as %.0f",
                  search.floor->is_slow ? "errors change slowly" : "errors are far larger along some axes",
                  1e3 * search.floor->noise.position, math::degrees(search.floor->noise.angle), frames,
                  search.floor->independence * frames);
    discovery.notes.push_back(note);
  }
  if (!noise.is_shared)
    discovery.notes.push_back("parts are tracked with noise that differs by half or more: each has its own");
}

// Joints may move together by chance; a closing joint of several freedoms is then soon found, and so is one between two parts that both hang on a
// third. Linkages have four parts or more, and close by a hinge or slide: other loops are noted, not counted. Of three parts that three slides or
// hinges connect, any two make a tree: which is not determined.
void set_chance_loops_aside(Discovery& discovery) {
  constexpr std::size_t kPartsOfLinkage = 4;
  std::erase_if(discovery.loops, [&](const Loop& loop) {
    const bool is_simple = loop.joint.freedoms() == 1;
    if (is_simple && loop.groups.size() >= kPartsOfLinkage) return false;
    discovery.degrees_of_freedom += loop.constraints;
    const std::string pair = "'" + discovery.name(loop.a) + "' and '" + discovery.name(loop.b) + "'";
    if (is_simple)
      discovery.reasons.push_back("a " + std::string(to_string(loop.joint.type)) + " joint between " + pair +
                                  " explains their motion as well as those that lead over '" +
                                  discovery.name(loop.groups[1]) +
                                  "': which parts hang on which is not determined; move them more freely");
    else
      discovery.notes.push_back(
          "between " + pair + ": a " + to_string(loop.joint.type) +
          " joint may close a loop, or the parts moved so by chance; move them more freely");
    return true;
  });
}

// Chosen as the simplest, though free motion is far likelier.
bool is_behind_free(const DiscoveredJoint& joint, double margin) {
  return joint.joint.type != JointType::free && std::ranges::any_of(joint.types, [&](const TypeScore& other) {
           return other.type == JointType::free && other.score > joint.score + margin;
         });
}

// What is not sure about the joints, one sentence each.
void name_doubts(Discovery& discovery, const Search& search) {
  const auto pair = [&](const DiscoveredJoint& joint) {
    return "'" + discovery.name(joint.child) + "' in '" + discovery.name(joint.parent) + "': ";
  };
  const double margin = search.options.margin;
  const std::vector<std::string> motion = motion_of_unseen_parts(discovery);
  for (std::size_t k = 0; k < discovery.joints.size(); ++k) {
    DiscoveredJoint& joint = discovery.joints[k];
    if (joint.reason.empty()) joint.reason = motion[k];
    if (joint.reason.empty() && is_behind_free(joint, margin))
      joint.reason =
          "no joint explains the motion; " + std::string(to_string(joint.joint.type)) + " comes nearest";
    if (!joint.reason.empty()) discovery.reasons.push_back(pair(joint) + joint.reason);
  }
  if (search.floor && search.options.same_part.empty())
    for (const std::string& sentence : motion_within_groups(discovery, search.tracks))
      discovery.reasons.push_back(sentence);
  name_other_trees(discovery, search.graph, margin, search.floor.has_value());
  if (search.tracks.has_covariances()) {
    for (const DiscoveredJoint& joint : discovery.joints)
      if (const std::string doubt = doubt_about(joint, search.graph, margin);
          joint.reason.empty() && !doubt.empty())
        discovery.reasons.push_back(pair(joint) + doubt);
  }
  set_chance_loops_aside(discovery);
  // Joints of several freedoms may be simple ones in a world that is not what it says.
  for (const DiscoveredJoint& joint : discovery.joints) {
    if (joint.joint.freedoms() < 2) continue;
    const std::string sentence =
        world_contradiction(search.tracks, discovery.groups[joint.parent].parts[0],
                            discovery.groups[joint.child].parts[0], joint.joint.type);
    if (sentence.empty()) continue;
    discovery.reasons.insert(discovery.reasons.begin(), sentence);
    break;
  }
}

// All parts have an orientation. `has_floor`: errors are slow or uneven.
Discovery discover_as_stamped(const model::PoseLog& log, const std::string& name,
                              const DiscoveryOptions& options, bool& has_floor) {
  Discovery discovery;
  Search search{options, part_tracks(log, name, options.time_tolerance), {}, {}, {}, {}, {}};
  undo_mirrored(search.tracks);
  drop_flipped(search.tracks);
  for (const std::vector<int>& markers : same_part_indices(log.parts, options.same_part))
    check_same_part(search.tracks, markers, name);
  discovery.times = search.tracks.times;
  discovery.notes = search.tracks.notes;
  discovery.parts = log.parts;
  discovery.X_RP.resize(log.parts.size());
  first_noise(search);
  if (!is_known(search.noise.feature)) {
    leave_apart(discovery, search);
    return discovery;
  }
  has_floor = search.floor.has_value();
  grow_tree(discovery, search);
  note_noise(discovery, search);
  if (discovery.groups.size() > 1) find_loops(discovery, search.graph, search.noise.groups, search.options);
  name_doubts(discovery, search);
  use_frames_of_first_parts(discovery);
  discovery.status = discovery.reasons.empty() ? DiscoveryStatus::ok : DiscoveryStatus::undetermined;
  return discovery;
}

// Slides and hinges alone.
bool is_simple_tree(const Discovery& discovery) {
  return discovery.status == DiscoveryStatus::ok && discovery.loops.empty() &&
         std::ranges::all_of(discovery.joints, [](const DiscoveredJoint& joint) {
           return joint.joint.type == JointType::prismatic || joint.joint.type == JointType::revolute;
         });
}

// [m rad] What the joints leave in positions times orientations, geometric mean.
double left_by_joints(const Discovery& discovery) {
  double sum = 0;
  for (const DiscoveredJoint& joint : discovery.joints)
    sum += std::log(std::max(joint.rms_position * joint.rms_angle, 1e-300));
  return std::exp(sum / static_cast<double>(std::max<std::size_t>(1, discovery.joints.size())));
}

// Where joints of more freedoms, or slow errors, may be streams that are late: again with their stamps made earlier, where that leaves simple joints.
Discovery discover_oriented(const model::PoseLog& log, const std::string& name,
                            const DiscoveryOptions& options) {
  bool has_floor = false;
  Discovery found = discover_as_stamped(log, name, options, has_floor);
  if (!options.types.empty() || !log.covariances.empty() || (is_simple_tree(found) && !has_floor))
    return found;
  const std::vector<double> late = stream_delays(log);
  if (late.empty()) return found;
  model::PoseLog in_time = log;
  for (std::size_t part = 0; part < late.size(); ++part)
    in_time = made_earlier(std::move(in_time), static_cast<int>(part), late[part]);
  Discovery again = discover_as_stamped(in_time, name, options, has_floor);
  // A late stream moves what is one part; in time, nothing moves that did not before.
  if (!is_simple_tree(again) || again.groups.size() > found.groups.size()) return found;
  // Beside slides and hinges a delay must explain the slow errors: poses between rows have less noise, a quarter of a pair's variance, whatever the delay.
  constexpr double kExplains = 0.5;  // a stream that is late by what matters leaves more than twice its noise
  if (is_simple_tree(found) && left_by_joints(again) > kExplains * left_by_joints(found)) return found;
  for (std::size_t part = 0; part < late.size(); ++part) {
    if (late[part] == 0.0) continue;
    char note[200];
    std::snprintf(note, sizeof note,
                  "'%s' is stamped %.3g ms %s than most parts: its poses are taken as so much %s",
                  log.parts[part].c_str(), 1e3 * std::abs(late[part]), late[part] > 0 ? "later" : "earlier",
                  late[part] > 0 ? "earlier" : "later");
    again.notes.push_back(note);
  }
  return again;
}

}  // namespace

Discovery discover(const model::PoseLog& log, const std::string& name, const DiscoveryOptions& options) {
  options.validate();
  const bool has_points =
      std::any_of(log.rows.begin(), log.rows.end(), [](const model::PoseRow& row) { return !row.q_WP; });
  if (!has_points) return discover_oriented(log, name, options);
  const OrientedParts oriented = oriented_parts(log);
  std::optional<Discovery> found;
  if (oriented.parts.size() >= 2) found = discover_oriented(oriented.log, name, options);
  return with_points(log, name, oriented.parts, std::move(found), options);
}

}  // namespace prehend::articulation
