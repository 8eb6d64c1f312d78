#include <algorithm>
#include <cmath>
#include <numbers>

#include <prehend/math/so3.h>
#include <prehend/observation/recording.h>
#include <prehend/observation/sequence/recognition.h>

namespace prehend::observation {
namespace {

// Poses of files have six digits or more: [of the body's size] and [rad].
constexpr double kLeastPosition = 1e-5, kLeastAngle = 1e-5;
// [of the body's size] and [rad] A tracker that is worse shows no contacts.
constexpr double kMostPosition = 0.1, kMostAngle = 0.1;

TrackNoise clamped(const BodyPair& pair, TrackNoise noise) {
  noise.position = std::clamp(noise.position, kLeastPosition * pair.size(), kMostPosition * pair.size());
  noise.angle = std::clamp(noise.angle, kLeastAngle, kMostAngle);
  return noise;
}

Recognised recognise_with(const BodyPair& pair, const std::vector<math::Pose>& seen, const TrackNoise& noise) {
  Recognised result;
  result.noise = noise;
  result.correction.noise = noise;
  result.correction.reference_M = reference_point(pair);
  TableOptions options;
  options.search.correction = result.correction;
  options.search.correction.convergence = 1e-4;
  options.search.reward = reward_of(pair, noise);
  options.search.tolerance = 1e-6 * pair.size();
  result.prices.reward = options.search.reward;
  result.table = make_table(pair, seen, options);
  result.path = best_path(result.table, result.prices);
  return result;
}

// The noise at which the recording is most probable, with the ratio of positions and angles as it is: a factor of at most one.
double best_factor(const BodyPair& pair, const Recognised& start) {
  double factor = 1.0, best = start.path.score;
  for (double f = std::sqrt(0.5); f > 1e-5; f *= std::sqrt(0.5)) {
    const TrackNoise noise{f * start.noise.position, f * start.noise.angle};
    if (noise.position < kLeastPosition * pair.size() && noise.angle < kLeastAngle) break;
    PathPrices prices = start.prices;
    prices.reward = reward_of(pair, noise);
    prices.scale = 1.0 / f;
    const double score = best_path(start.table, prices).score;
    if (score > best) {
      best = score;
      factor = f;
    }
  }
  return factor;
}

// Noise from what the frames in contact had to be moved.
bool residual_noise(const Recognised& from, const std::vector<math::Pose>& seen, TrackNoise& noise) {
  double shift2 = 0.0, turn2 = 0.0, shifts = 0.0, turns = 0.0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::size_t k = static_cast<std::size_t>(from.path.relations[i]);
    const Relation& relation = from.table.relations[k];
    if (relation.restricted == 0) continue;
    const math::Pose& X = from.table.fits[i][k].X_FM;
    shift2 += (X * from.correction.reference_M - seen[i] * from.correction.reference_M).squaredNorm();
    turn2 += math::log_so3(X.q() * seen[i].q().conjugate()).squaredNorm();
    // About half of what is taken are turns.
    shifts += 0.5 * relation.restricted;
    turns += 0.5 * relation.restricted;
  }
  if (shifts < 10.0) return false;
  noise = {std::sqrt(shift2 / shifts), std::sqrt(turn2 / turns)};
  return true;
}

}  // namespace

double reward_of(const BodyPair& pair, const TrackNoise& noise) {
  const double positions = 0.5 * pair.size() / noise.position, angles = 0.5 / noise.angle;
  const double reward =
      0.5 * std::log(positions * angles) - 0.5 * std::log(2.0 * std::numbers::pi);
  return std::clamp(reward, 1.5, 7.0);
}

Eigen::Vector3d reference_point(const BodyPair& pair) {
  const Eigen::AlignedBox3d& box = pair.features().moving.box;
  return box.center().norm() > box.diagonal().norm() ? Eigen::Vector3d(box.center()) : Eigen::Vector3d::Zero();
}

Recognised recognise(const BodyPair& pair, const std::vector<math::Pose>& seen, const TrackNoise* noise) {
  if (noise != nullptr) return recognise_with(pair, seen, clamped(pair, *noise));
  // Third differences see what changes from frame to frame. Few frames far apart say little: errors that stay are not among them.
  constexpr std::size_t kDense = 80;
  const double most = seen.size() < kDense ? 3.0 : 1.0;
  TrackNoise jitter = jitter_of(seen);
  if (seen.size() < 8) jitter = {0.01 * pair.size(), 0.015};
  const TrackNoise largest = clamped(pair, {most * jitter.position, most * jitter.angle});
  Recognised result = recognise_with(pair, seen, largest);
  for (int round = 0; round < 3; ++round) {
    const double factor = best_factor(pair, result);
    TrackNoise next{factor * result.noise.position, factor * result.noise.angle};
    TrackNoise residual;
    if (residual_noise(result, seen, residual)) next = residual;
    next = clamped(pair, {std::min(next.position, largest.position), std::min(next.angle, largest.angle)});
    const auto is_near = [](double a, double b) { return a < 1.5 * b && b < 1.5 * a; };
    if (is_near(next.position, result.noise.position) && is_near(next.angle, result.noise.angle)) break;
    result = recognise_with(pair, seen, next);
  }
  return result;
}

}  // namespace prehend::observation
