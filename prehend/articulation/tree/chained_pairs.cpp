#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <prehend/articulation/tree/chained_pairs.h>
#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

using model::JointType;

constexpr int kLeastChainFrames = 20;  // for the mean and two coefficients in each direction

// What a joint leaves of a pose: turn and displacement at the moving part's origin, in the axes of one of the two parts.
struct ChainLeft {
  Eigen::Vector3d turn, shift;
};

// Of one frame that both pairs are seen in.
struct CommonFrame {
  ChainLeft left;
  double state{0.0};  // of the other joint
};

math::Pose pose_in(const PartTracks& tracks, int fixed, int moving, std::size_t frame) {
  return tracks.parts[fixed].X_WP[frame]->inverse() * *tracks.parts[moving].X_WP[frame];
}

// In the axes of `part`, which is one of the pair's.
ChainLeft left_by(const PairFit& pair, const math::Pose& X_FM, int part) {
  const math::Pose Y = pair.joint->forward(pair.joint->inverse(X_FM));
  const Eigen::Vector3d turn = math::log_so3(Y.q().conjugate() * X_FM.q());
  const Eigen::Vector3d shift = X_FM.p() - Y.p();  // in F's axes
  if (part == pair.a) return {Y.q() * turn, shift};
  return {turn, Y.q().conjugate() * shift};
}

// Frames of an eighth of the space of all residuals and more are left out: flipped markers.
void drop_far_out(std::vector<CommonFrame>& frames) {
  constexpr double kFarOut = 4.0;  // times the median
  const auto drop = [&](const auto& size) {
    std::vector<double> sizes;
    for (const CommonFrame& frame : frames) sizes.push_back(size(frame));
    std::ranges::nth_element(sizes, sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2));
    const double most = kFarOut * sizes[sizes.size() / 2];
    std::erase_if(frames, [&](const CommonFrame& frame) { return size(frame) > most; });
  };
  if (frames.empty()) return;
  drop([](const CommonFrame& frame) { return frame.left.turn.norm(); });
  if (!frames.empty()) drop([](const CommonFrame& frame) { return frame.left.shift.norm(); });
}

// Share of the mean square that a linear function of the regressors takes; means are taken off both.
double share_taken(const std::vector<CommonFrame>& frames, const std::vector<Eigen::Vector2d>& regressors,
                   Eigen::Vector3d ChainLeft::* part) {
  const double n = static_cast<double>(frames.size());
  Eigen::Vector2d mean_x = Eigen::Vector2d::Zero();
  Eigen::Vector3d mean_y = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < frames.size(); ++i)
    mean_x += regressors[i] / n, mean_y += frames[i].left.*part / n;
  Eigen::Matrix2d xx = Eigen::Matrix2d::Zero();
  Eigen::Matrix<double, 2, 3> xy = Eigen::Matrix<double, 2, 3>::Zero();
  double yy = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Eigen::Vector2d x = regressors[i] - mean_x;
    const Eigen::Vector3d y = frames[i].left.*part - mean_y;
    xx += x * x.transpose(), xy += x * y.transpose(), yy += y.squaredNorm();
  }
  if (!(yy > 0) || !(xx.trace() > 0)) return 0.0;
  xx.diagonal().array() += 1e-6 * xx.trace();  // one regressor may be a multiple of the other
  return std::clamp((xy.transpose() * xx.inverse() * xy).trace() / yy, 0.0, 1.0);
}

bool has_one_freedom(const PairFit& pair) {
  return pair.joint && (pair.type == JointType::prismatic || pair.type == JointType::revolute);
}

// The third corner of two edges that share one; nothing where they do not.
struct Corner {
  int shared, of_first, of_second;
};
std::optional<Corner> corner(const PairFit& e, const PairFit& f) {
  if (e.a == f.a) return Corner{e.a, e.b, f.b};
  if (e.a == f.b) return Corner{e.a, e.b, f.a};
  if (e.b == f.a) return Corner{e.b, e.a, f.b};
  if (e.b == f.b) return Corner{e.b, e.a, f.a};
  return std::nullopt;
}

// Three parts, each two of which a joint may connect.
using Triangle = std::array<int, 3>;  // indices of pairs

// Which of the three is the chain of the other two: what it leaves follows their states, what they leave does not. None where that is not clear.
std::optional<int> chained(const PartGraph& graph, const Triangle& triangle, const PartTracks& tracks,
                           double independence, int stride) {
  // Chosen on arms of four hinges, one of which turns by 6 to 15 degrees, before a camera: where the links bend with all states, single joints have up to 0.23 (and
  // the pair of two joints then a third of it at least), pairs of two joints 0.2 to 0.9.
  constexpr double kFollows = 0.3, kOther = 0.4, kFollowsAlone = 0.12, kOtherAlone = 0.2;
  constexpr double kMargin = 5.0;  // [nats] odds of 150 to 1
  std::array<double, 3> share{};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t other = 0; other < 3; ++other)
      if (other != k)
        share[k] = std::max(share[k], share_that_follows(tracks, graph.pairs[triangle[k]],
                                                         graph.pairs[triangle[other]], stride));
  const auto most = std::ranges::max_element(share);
  double next = 0, frames = graph.pairs[triangle[0]].frames;
  for (auto it = share.begin(); it != share.end(); ++it)
    if (it != most) next = std::max(next, *it);
  for (const int pair : triangle) frames = std::min(frames, static_cast<double>(graph.pairs[pair].frames));
  const bool is_clear =
      (*most > kFollows && next < kOther * *most) || (*most > kFollowsAlone && next < kOtherAlone * *most);
  if (!is_clear) return std::nullopt;
  const double gain =
      1.5 * independence * frames * std::log((1 - next) / std::max(1 - *most, 1e-12));  // three directions
  return gain > kMargin ? std::optional(triangle[static_cast<std::size_t>(most - share.begin())])
                        : std::nullopt;
}

// Two edges of the tree that share a part, and the pair that closes the triangle, where all three have a joint of one freedom.
std::vector<Triangle> triangles(const PartGraph& graph) {
  constexpr double kExplains = 2.0;  // [noise] what the closing pair's joint may leave
  std::vector<Triangle> result;
  for (const int e : graph.tree)
    for (const int f : graph.tree) {
      const std::optional<Corner> at = e < f ? corner(graph.pairs[e], graph.pairs[f]) : std::nullopt;
      if (!at || !has_one_freedom(graph.pairs[e]) || !has_one_freedom(graph.pairs[f])) continue;
      for (std::size_t g = 0; g < graph.pairs.size(); ++g) {
        const PairFit& pair = graph.pairs[g];
        if (std::minmax(pair.a, pair.b) == std::minmax(at->of_first, at->of_second) &&
            has_one_freedom(pair) && pair.misfit < kExplains)
          result.push_back({e, f, static_cast<int>(g)});
      }
    }
  return result;
}

}  // namespace

double share_that_follows(const PartTracks& tracks, const PairFit& pair, const PairFit& other, int stride) {
  const std::optional<Corner> at = corner(pair, other);
  constexpr double kNothing = 0.3;  // [noise] what leaves less leaves nothing that could follow
  if (!at || !has_one_freedom(pair) || !has_one_freedom(other) || pair.misfit < kNothing) return 0.0;
  std::vector<CommonFrame> frames;
  for (std::size_t i = 0; i < tracks.times.size(); i += static_cast<std::size_t>(stride)) {
    if (!tracks.parts[at->shared].X_WP[i] || !tracks.parts[at->of_first].X_WP[i] ||
        !tracks.parts[at->of_second].X_WP[i])
      continue;
    // The two in a row are other and what connects the pair's far part: seen from the shared part, the left-out joint moves along fixed directions.
    frames.push_back({left_by(pair, pose_in(tracks, pair.a, pair.b, i), at->shared),
                      other.joint->inverse(pose_in(tracks, other.a, other.b, i))[0]});
  }
  drop_far_out(frames);
  if (static_cast<int>(frames.size()) < kLeastChainFrames) return 0.0;
  std::vector<Eigen::Vector2d> regressors;
  for (const CommonFrame& frame : frames)
    regressors.push_back(other.type == JointType::prismatic
                             ? Eigen::Vector2d(frame.state, 0)
                             : Eigen::Vector2d(std::sin(frame.state), std::cos(frame.state)));
  return std::max(share_taken(frames, regressors, &ChainLeft::turn),
                  share_taken(frames, regressors, &ChainLeft::shift));
}

void replace_chained_pairs(PartGraph& graph, const PartTracks& tracks, double independence, int stride) {
  const auto replace_one = [&] {
    for (const Triangle& triangle : triangles(graph)) {
      if (std::ranges::any_of(triangle, [&](int pair) { return graph.pairs[pair].is_chained; })) continue;
      const std::optional<int> pair = chained(graph, triangle, tracks, independence, stride);
      if (!pair) continue;
      graph.pairs[*pair].is_chained = true;
      if (*pair == triangle[2]) continue;
      std::ranges::replace(graph.tree, *pair, triangle[2]);
      return true;
    }
    return false;
  };
  while (replace_one()) {
  }  // each time one pair more is chained
}

}  // namespace prehend::articulation
