#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>

#include <prehend/articulation/joint_fit.h>
#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/tree/error_floor.h>
#include <prehend/math/angles.h>
#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

using model::JointType;

// [m, rad] of a relative pose, per axis: 3 to 10 mm is what hinges with printed markers leave, and tilt of a marker seen head-on is off by a
// degree or two. Larger slow residuals are taken for errors only where most joints have them.
constexpr PoseNoise kFloor{0.005, 2.0 * math::kPi / 180};
// Of the space that the parts move in: the floor of small objects is less.
constexpr double kOfSize = 0.02;
// Of the floor: errors below do not matter.
constexpr double kNoDeviation = 0.02;
// Correlation from frame to frame that most joints' residuals must have: recordings of markers have 0.4 to 0.9 at 30 Hz beside noise that is new in every frame, so 0.1 to 0.4
// of all, and less where every second frame is missing. Of n frames of six numbers each, white residuals have 1 / sqrt(6 n) by chance. Residuals of more than
// twice the floor are no slow error of a tracker with so much that is new in every frame: there a wrong joint shows.
double slow_from(std::size_t frames, const PoseNoise& left) {
  constexpr double kSlow = 0.1, kByChance = 3.0, kLarge = 2.0, kSlowWhereLarge = 0.3;
  if (left.position > kLarge * kFloor.position || left.angle > kLarge * kFloor.angle) return kSlowWhereLarge;
  return std::max(kSlow, kByChance / std::sqrt(6.0 * static_cast<double>(frames)));
}
// Variance along the worst direction over the median one's. Whose noise it is, wrongly taken as half and half, gives 2.
constexpr double kUneven = 4.0;

// What a joint leaves.
struct EdgeErrors {
  PoseNoise mean, worst;   // root mean square per axis, and along the worst one
  double correlation{0};   // from frame to frame
  double independence{1};  // one over the time in which correlation dies away
  double unevenness{1};    // as kUneven
};

// Turn a and displacement c of the point that divides the lever in two, in M's axes.
struct PairResiduals {
  std::vector<math::Vector6d> e;
  Eigen::Vector3d lever{Eigen::Vector3d::Zero()};  // [m] mean, from F's origin to M's
};
PairResiduals residuals_of(const JointFit& fit, const Observations& seen) {
  PairResiduals out;
  for (std::size_t i = 0; i < seen.poses.size(); ++i) {
    if (fit.weights[i] < 0.5) continue;
    const math::Pose& X = seen.poses[i].X_FM;
    const math::Pose Y = fit.joint.forward(*fit.states[seen.poses[i].time]);
    const Eigen::Quaterniond back = Y.q().conjugate();
    const Eigen::Vector3d a = math::log_so3(back * X.q()), lever = back * Y.p();
    math::Vector6d one;
    one << a, back * (X.p() - Y.p()) - 0.5 * a.cross(lever);
    out.e.push_back(one);
    out.lever += lever;
  }
  if (!out.e.empty()) out.lever /= static_cast<double>(out.e.size());
  return out;
}

// Largest over median variance in the directions that the joint leaves, in units of a noise that is the same along all axes of each part.
double unevenness(const PairResiduals& residuals, int removed) {
  const double n = static_cast<double>(residuals.e.size()), length2 = residuals.lever.squaredNorm();
  double angle2 = 0, along2 = 0, across2 = 0;
  const Eigen::Matrix3d R =
      length2 > 0 ? frame_with_z(residuals.lever / std::sqrt(length2)) : Eigen::Matrix3d::Identity();
  for (const math::Vector6d& one : residuals.e) {
    const Eigen::Vector3d c = R.transpose() * one.tail<3>();
    angle2 += one.head<3>().squaredNorm() / (3 * n);
    across2 += c.head<2>().squaredNorm() / (2 * n);
    along2 += c[2] * c[2] / n;
  }
  // Across the lever, the parts' turning noise comes in addition.
  const double swing2 = 0.25 * angle2 * length2;
  const double position2 = std::max((2 * std::max(across2 - swing2, 0.0) + along2) / 3, 1e-3 * across2);
  const double across = std::sqrt(position2 + swing2), along = std::sqrt(position2),
               angle = std::sqrt(angle2);
  if (!(across > 0) || !(along > 0) || !(angle > 0)) return 1.0;
  math::Matrix6d scatter = math::Matrix6d::Zero();
  for (const math::Vector6d& one : residuals.e) {
    const Eigen::Vector3d c = R.transpose() * one.tail<3>();
    math::Vector6d w;
    w << one.head<3>() / angle, c.head<2>() / across, c[2] / along;
    scatter += w * w.transpose() / n;
  }
  const math::Vector6d l = math::eigenvalues(scatter);
  return l[5] / std::max(l[(5 + removed) / 2], 1e-12);
}

EdgeErrors errors_of(const JointFit& fit, const Observations& seen, int removed) {
  EdgeErrors result;
  PairResiduals residuals = residuals_of(fit, seen);
  std::vector<math::Vector6d>& e = residuals.e;
  if (e.size() < 8) return result;
  const double n = static_cast<double>(e.size());
  math::Matrix6d scatter = math::Matrix6d::Zero();
  for (const math::Vector6d& one : e) scatter += one * one.transpose() / n;
  const auto largest = [&](int first) {
    const Eigen::Matrix3d block = scatter.block<3, 3>(first, first);
    return std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(block).eigenvalues()[2]);
  };
  result.mean = {std::sqrt(scatter.diagonal().tail<3>().mean()),
                 std::sqrt(scatter.diagonal().head<3>().mean())};
  result.worst = {largest(3), largest(0)};
  if (!(result.mean.position > 0) || !(result.mean.angle > 0)) return result;
  result.unevenness = unevenness(residuals, removed);
  for (math::Vector6d& one : e) {
    one.head<3>() /= result.mean.angle;
    one.tail<3>() /= result.mean.position;
  }
  // Twice the standard deviation of the correlation of 70 independent frames, 1 / sqrt(6 * 70).
  constexpr double kDied = 0.1;
  double time = 1.0;
  for (std::size_t lag = 1; lag < e.size() / 4; ++lag) {
    double covariance = 0;
    for (std::size_t i = lag; i < e.size(); ++i) covariance += e[i].dot(e[i - lag]);
    const double correlation = covariance / (6 * n);
    if (lag == 1) result.correlation = correlation;
    if (correlation < kDied) break;
    time += 2 * correlation;
  }
  result.independence = 1 / time;
  return result;
}

double median_of(const std::vector<EdgeErrors>& edges, const auto& number) {
  std::vector<double> x;
  for (const EdgeErrors& edge : edges) x.push_back(number(edge));
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

PoseNoise floor_of(const PartTracks& tracks) {
  double size = 0;
  std::optional<Eigen::Vector3d> first;
  for (const PartTrack& part : tracks.parts)
    for (const auto& X : part.X_WP) {
      if (!X) continue;
      if (!first) first = X->p();
      size = std::max(size, (X->p() - *first).norm());
    }
  return {std::min(kFloor.position, kOfSize * size), kFloor.angle};
}

// Whether another type explains what the simple joint leaves: far less of it, and nothing slow. Errors are in all directions, and no joint takes
// them all.
bool is_motion(const EdgeErrors& simple, const Observations& seen, const FitOptions& options) {
  // Of position times angle: of errors alike in all directions, two freedoms more leave sqrt(1/3) = 0.58 of it.
  constexpr double kFarLess = 1.0 / 3;
  constexpr std::array kTypes{JointType::screw, JointType::cylindrical, JointType::universal,
                              JointType::spherical, JointType::planar};
  return std::ranges::any_of(kTypes, [&](JointType type) {
    const JointFit fit = fit_joint(type, seen, options);
    if (fit.status == FitStatus::failed) return false;
    const EdgeErrors other = errors_of(fit, seen, freedoms(type));
    // A spherical joint leaves no turns, whatever they are: those of a tracker's errors are no motion.
    const bool takes_turns = type == JointType::spherical && simple.mean.angle < kFloor.angle;
    const double angle = takes_turns ? simple.mean.angle : other.mean.angle;
    return other.correlation < slow_from(seen.poses.size(), simple.mean) &&
           angle * other.mean.position < kFarLess * simple.mean.angle * simple.mean.position;
  });
}

// Of a rigid connection or slide: what a hinge leaves instead, where it turns by little. Less than the floor, its motion would pass for errors, and errors
// as large would then hide it. Slow errors tilt a marker about two axes alike; a hinge leaves less than half of the worst turns, and turns far and smoothly
// beside what it leaves.
std::optional<EdgeErrors> left_by_little_hinge(const EdgeErrors& simple, const Observations& seen,
                                               const FitOptions& options) {
  // Chosen on markers of one part (ratios up to 1.6, turns up to 9 with a ratio of 1.1) and hinges of 4 to 15 degrees seen by a camera.
  constexpr double kLeaves = 0.5, kTurns = 8.0;  // of the worst turns: before; the whole turn, after
  constexpr double kSmooth = 4.0;  // variance of the state over the part that is new in every frame
  const JointFit fit = fit_joint(JointType::revolute, seen, options);
  if (fit.status == FitStatus::failed) return std::nullopt;
  const EdgeErrors hinge = errors_of(fit, seen, freedoms(JointType::revolute));
  if (!(hinge.worst.angle < kLeaves * simple.worst.angle) ||
      fit.upper[0] - fit.lower[0] < kTurns * hinge.worst.angle)
    return std::nullopt;
  double n = 0, mean = 0, squared = 0, fresh = 0, last = 0;
  for (std::size_t i = 0; i < seen.poses.size(); ++i) {
    if (fit.weights[i] < 0.5) continue;
    const double q = (*fit.states[seen.poses[i].time])[0];
    if (n > 0) fresh += 0.5 * (q - last) * (q - last);
    n += 1, mean += q, squared += q * q, last = q;
  }
  if (!(squared - mean * mean / n > kSmooth * fresh)) return std::nullopt;
  return hinge;
}

// Along the best tree of simple joints, each fitted with the floor as noise. None where most of the tree is no simple joint.
std::vector<EdgeErrors> simple_tree_errors(const PartTracks& tracks, const PartGraph& look,
                                           const PoseNoise& noise, const DiscoveryOptions& options) {
  DiscoveryOptions simple = options;
  if (simple.types.empty()) simple.types = {JointType::rigid, JointType::prismatic, JointType::revolute};
  GroupNoise floor = group_noise({noise.position / M_SQRT2, noise.angle / M_SQRT2},
                                 std::vector<int>(tracks.parts.size(), 1));
  floor.independence = 0.1;  // errors are slow: any number below one says so
  const PartGraph graph = score_pairs(tracks, look, floor, simple);
  std::vector<EdgeErrors> edges, all;
  std::vector<bool> moves;
  for (const int edge : graph.tree) {
    const PairFit& pair = graph.pairs[edge];
    if (pair.type == JointType::free) continue;
    const Observations seen = relative_poses(tracks, pair.a, pair.b);
    FitOptions known;
    known.noise = noise;
    known.fixed_share = 0.5;
    known.noise_shape = NoiseShape::gaussian;
    const JointFit fit = fit_joint(pair.type, seen, known);
    if (fit.status == FitStatus::failed) continue;
    EdgeErrors errors = errors_of(fit, seen, freedoms(pair.type));
    const bool may_hide_a_hinge = pair.type != JointType::revolute && options.types.empty() &&
                                  errors.correlation >= slow_from(seen.poses.size(), errors.mean);
    if (may_hide_a_hinge) errors = left_by_little_hinge(errors, seen, known).value_or(errors);
    const bool matters = errors.mean.position > kNoDeviation * noise.position ||
                         errors.mean.angle > kNoDeviation * noise.angle;
    all.push_back(errors);
    moves.push_back(errors.correlation >= slow_from(seen.poses.size(), errors.mean) && matters &&
                    options.types.empty() && is_motion(errors, seen, known));
  }
  // What leaves far more than slow errors, and than another joint, connects nothing: it tells nothing of errors.
  constexpr double kFar = 4.0;
  std::size_t apart = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool is_apart = std::ranges::any_of(all, [&](const EdgeErrors& other) {
      return all[k].mean.position > kFar * std::max(kFloor.position, other.mean.position) ||
             all[k].mean.angle > kFar * std::max(kFloor.angle, other.mean.angle);
    });
    apart += is_apart;
    if (!is_apart && !moves[k]) edges.push_back(all[k]);
  }
  if (2 * edges.size() <= graph.tree.size() - apart) edges.clear();
  return edges;
}

}  // namespace

std::optional<ErrorFloor> error_floor(const PartTracks& tracks, const PartGraph& look,
                                      const DiscoveryOptions& options) {
  const PoseNoise floor = floor_of(tracks);
  const std::vector<EdgeErrors> edges = simple_tree_errors(tracks, look, floor, options);
  if (edges.empty()) return std::nullopt;
  ErrorFloor result;
  const PoseNoise usual{median_of(edges, [](const EdgeErrors& e) { return e.mean.position; }),
                        median_of(edges, [](const EdgeErrors& e) { return e.mean.angle; })};
  result.is_slow = median_of(edges, [](const EdgeErrors& e) { return e.correlation; }) >
                   slow_from(tracks.times.size(), usual);
  const bool uneven = median_of(edges, [](const EdgeErrors& e) { return e.unevenness; }) > kUneven;
  if (!result.is_slow && !uneven) return std::nullopt;
  const auto level = [&](PoseNoise EdgeErrors::* size) {
    PoseNoise largest{0, 0};
    for (const EdgeErrors& e : edges) {
      largest.position = std::max(largest.position, (e.*size).position);
      largest.angle = std::max(largest.angle, (e.*size).angle);
    }
    // The largest that a joint leaves, up to the floor; what most leave where that is more.
    return PoseNoise{std::max(std::min(largest.position, floor.position),
                              median_of(edges, [&](const EdgeErrors& e) { return (e.*size).position; })),
                     std::max(std::min(largest.angle, floor.angle),
                              median_of(edges, [&](const EdgeErrors& e) { return (e.*size).angle; }))};
  };
  const PoseNoise worst = level(&EdgeErrors::worst),
                  noise = result.is_slow ? level(&EdgeErrors::mean) : worst;
  if (noise.position < kNoDeviation * floor.position && noise.angle < kNoDeviation * floor.angle)
    return std::nullopt;
  result.noise = {noise.position / M_SQRT2, noise.angle / M_SQRT2};
  result.worst = {worst.position / M_SQRT2, worst.angle / M_SQRT2};
  constexpr double kBelowOne = 0.9;  // any number below one says that the errors are slow
  result.independence =
      std::min(median_of(edges, [](const EdgeErrors& e) { return e.independence; }), kBelowOne);
  return result;
}

}  // namespace prehend::articulation
