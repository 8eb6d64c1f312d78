#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <prehend/math/angles.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/so3.h>
#include <prehend/observation/recording.h>
#include <prehend/observation/relations/least_motion.h>
#include <prehend/observation/sequence/noise_directions.h>
#include <prehend/observation/sequence/recognition.h>
#include <prehend/observation/sequence/smoothed_track.h>
#include <prehend/observation/sequence/stray_frames.h>
#include <prehend/observation/sequence/track_offset.h>

namespace prehend::observation {
namespace {

// Poses of files have six digits or more: [of the body's size] and [rad].
constexpr double kLeastPosition = 1e-5, kLeastAngle = 1e-5;
// [of the body's size] and [rad] A tracker that is worse shows no contacts.
constexpr double kMostPosition = 0.1, kMostAngle = 0.1;

// Seven frames averaged have this much of the noise; each of them is then this share of an independent one.
constexpr double kAveraged = 0.38, kAveragedShare = 0.3;

TrackNoise clamped(const BodyPair& pair, TrackNoise noise) {
  noise.position = std::clamp(noise.position, kLeastPosition * pair.size(), kMostPosition * pair.size());
  noise.angle = std::clamp(noise.angle, kLeastAngle, kMostAngle);
  return noise;
}

// fresh: some of the error is new in each frame; slow: it stays for many frames; unknown: frames are far apart.
enum class Errors { fresh, slow, unknown };

// Poses with the directions of their noise.
struct SeenTrack {
  std::vector<math::Pose> X_FM;
  std::vector<NoiseDirections> directions;  // by frame
  NoiseDirections directions_W;             // in the tracker's axes
};

struct NoiseModel {
  TrackNoise noise;  // of fresh errors the part that is new in each frame
  Errors errors{Errors::unknown};
  // Of fresh errors: variances of what stays over many frames, as shares of the others.
  TrackNoise staying{0.0, 0.0};
  Eigen::Vector3d reference_M{Eigen::Vector3d::Zero()};
};

TrackNoise times(const TrackNoise& noise, double factor) {
  return {factor * noise.position, factor * noise.angle};
}
TrackNoise times(const TrackNoise& noise, const TrackNoise& factor) {
  return {factor.position * noise.position, factor.angle * noise.angle};
}
// Standard deviation of the sum of errors with variances `own` and `staying`.
TrackNoise together(double own, const TrackNoise& staying) {
  return {std::sqrt(own + staying.position), std::sqrt(own + staying.angle)};
}

// What is handed out is the least motion from what was seen, not from the average.
void fit_seen(const BodyPair& pair, const SeenTrack& seen, CandidateSearch search, Recognised& result) {
  search.correction.noise = result.noise;
  for (std::size_t i = 0; i < seen.X_FM.size(); ++i) {
    math::check_interrupt();
    search.correction.directions = seen.directions[i];
    const std::size_t k = static_cast<std::size_t>(result.path.relations[i]);
    const Relation& relation = result.table.relations[k];
    FrameFit own{true, 0.0, 0.0, seen.X_FM[i]};
    if (!relation.contacts.empty())
      own = fit_frame(pair, relation, seen.X_FM[i], search);
    else if (pair.overlaps(seen.X_FM[i], pair.overlap_tolerance()))
      continue;
    if (own.is_possible)
      result.chosen[i] = own;
    else if (result.table.is_astray[i])
      result.chosen[i].is_possible = false;  // neighbours tell its state, nothing tells its pose
  }
}

// With errors that are new in each frame, neighbours are averaged first: a body near a contact is told from one in contact sooner.
Recognised recognise_with(const BodyPair& pair, const SeenTrack& seen, const NoiseModel& model) {
  const bool is_averaged = model.errors == Errors::fresh;
  Recognised result;
  const TrackNoise staying = together(1.0, model.staying);
  result.noise = times(model.noise, staying);
  result.staying = staying.position * staying.angle - 1.0;
  result.correction.noise = result.noise;
  result.correction.reference_M = model.reference_M;
  TableOptions options;
  options.search.correction = result.correction;
  options.search.correction.convergence = 1e-4;
  options.search.tolerance = 1e-6 * pair.size();
  options.directions = seen.directions;
  std::vector<double> variance(seen.X_FM.size(), 1.0);
  result.track = seen.X_FM;
  result.directions = seen.directions;
  result.directions_W = seen.directions_W;
  if (is_averaged) {
    CorrectionOptions jitter = result.correction;
    jitter.noise = model.noise;
    SmoothedTrack track = smoothed(seen.X_FM, jitter, seen.directions);
    result.track = std::move(track.X_FM);
    variance = std::move(track.variance);
    options.search.correction.noise = times(model.noise, together(kAveraged * kAveraged, model.staying));
  }
  // Averages, and errors that stay, tell the same in neighbouring frames.
  if (model.errors != Errors::unknown) result.prices.share = kAveragedShare;
  options.search.reward = reward_of(pair, options.search.correction.noise);
  result.prices.reward = options.search.reward;
  result.table = make_table(pair, result.track, options);
  result.table.is_astray = stray_frames(seen.X_FM, result.correction, seen.directions);
  const auto better = [](double own, double staying) {
    return (kAveraged * kAveraged + staying) / (own + staying);
  };
  if (is_averaged)
    for (std::size_t i = 0; i < seen.X_FM.size(); ++i)
      result.table.weight[i] =
          0.5 * (better(variance[i], model.staying.position) + better(variance[i], model.staying.angle));
  result.path = best_path(result.table, result.prices);
  for (std::size_t i = 0; i < seen.X_FM.size(); ++i)
    result.chosen.push_back(result.table.fits[i][static_cast<std::size_t>(result.path.relations[i])]);
  if (is_averaged) fit_seen(pair, seen, options.search, result);
  return result;
}

// The noise at which the recording is most probable, with the ratio of positions and angles as it is: a factor of at most one. `start` gets the path
// that is best then.
double best_factor(const BodyPair& pair, Recognised& start) {
  double factor = 1.0, best = start.path.score;
  for (double f = std::sqrt(0.5); f > 1e-5; f *= std::sqrt(0.5)) {
    const TrackNoise noise{f * start.noise.position, f * start.noise.angle};
    if (noise.position < kLeastPosition * pair.size() && noise.angle < kLeastAngle) break;
    PathPrices prices = start.prices;
    prices.reward = reward_of(pair, noise);
    prices.scale = 1.0 / f;
    StatePath path = best_path(start.table, prices);
    if (path.score > best) {
      best = path.score;
      factor = f;
      start.path = std::move(path);
    }
  }
  return factor;
}

// Noise from what the frames in contact had to be moved.
bool residual_noise(const Recognised& from, const SeenTrack& seen, TrackNoise& noise) {
  double shift2 = 0.0, turn2 = 0.0, shifts = 0.0, turns = 0.0;
  for (std::size_t i = 0; i < seen.X_FM.size(); ++i) {
    const std::size_t k = static_cast<std::size_t>(from.path.relations[i]);
    const Relation& relation = from.table.relations[k];
    if (relation.restricted == 0) continue;
    const math::Pose& X = from.table.fits[i][k].X_FM;
    shift2 += (X * from.correction.reference_M - seen.X_FM[i] * from.correction.reference_M).squaredNorm();
    turn2 += math::log_so3(X.q() * seen.X_FM[i].q().conjugate()).squaredNorm();
    // About half of what is taken are turns.
    shifts += 0.5 * relation.restricted;
    turns += 0.5 * relation.restricted;
  }
  if (shifts < 10.0) return false;
  noise = {std::sqrt(shift2 / shifts), std::sqrt(turn2 / turns)};
  return true;
}

// Whether third differences of a track are noise, whatever its speed: differences of order five then say the same; of a smooth motion they are smaller.
bool jitter_is_noise(const BodyPair& pair, const std::vector<math::Pose>& seen, const TrackNoise& jitter,
                     const Eigen::Vector3d& reference_M) {
  constexpr std::size_t kFewFrames = 9;  // differences of fewer say little
  // Of 78 recordings of tests/watch_judge.py (seeds 905 and 906) none had less than 0.7; exact ones have a tenth.
  constexpr double kSame = 0.5;
  if (seen.size() < kFewFrames) return false;
  if (jitter.position < kLeastPosition * pair.size() && jitter.angle < kLeastAngle) return false;
  const TrackNoise fifth = jitter_of(seen, reference_M, 5);
  return fifth.position >= kSame * jitter.position && fifth.angle >= kSame * jitter.angle;
}

// What frames in contact had to be moved, squared, for each freedom that was taken: 1 where errors are as large as meant.
struct Strain {
  double taken{0.0};  // freedoms, for each frame of the recording
  double value{0.0}, shifts{0.0}, turns{0.0};
};

// In the middle half of a run of one relation: beside a change, a gap that opens or closes may be taken for an error.
std::vector<char> inner_frames(const std::vector<int>& relations) {
  std::vector<char> is_inner(relations.size(), 0);
  for (std::size_t begin = 0, end = 0; begin < relations.size(); begin = end) {
    while (end < relations.size() && relations[end] == relations[begin]) ++end;
    const std::size_t skipped = (end - begin) / 4;
    for (std::size_t i = begin + skipped; i < end - skipped; ++i) is_inner[i] = 1;
  }
  return is_inner;
}

// Of a path other than the result's own by the table, whose noise is `scale` times the one meant.
Strain strain_of(const Recognised& result, const StatePath* path, double scale) {
  Strain strain;
  double shifts = 0.0, turns = 0.0;
  const std::vector<int>& relations = (path != nullptr ? *path : result.path).relations;
  const std::vector<char> is_inner = inner_frames(relations);
  for (std::size_t i = 0; i < relations.size(); ++i) {
    const std::size_t k = static_cast<std::size_t>(relations[i]);
    const Relation& relation = result.table.relations[k];
    const FrameFit& fit = path != nullptr ? result.table.fits[i][k] : result.chosen[i];
    if (relation.restricted == 0 || !fit.is_possible || result.table.is_lost[i] || !is_inner[i]) continue;
    strain.value += scale * scale * fit.cost;
    strain.taken += relation.restricted;
    if (path == nullptr) continue;
    CorrectionOptions options = result.correction;
    options.directions = result.directions[i];
    const double turn = scale * motion_between(result.track[i], fit.X_FM, options).head<3>().norm();
    strain.turns += turn * turn;
    strain.shifts += std::max(0.0, scale * scale * fit.cost - turn * turn);
    const Eigen::Matrix<double, 6, 1> part = restricted_part(relation.rows, fit.X_FM, options).diagonal();
    turns += part.head<3>().sum();
    shifts += part.tail<3>().sum();
  }
  if (strain.taken > 0.0) strain.value /= strain.taken;
  if (!relations.empty()) strain.taken /= static_cast<double>(relations.size());
  if (turns > 0.0) strain.turns /= turns;
  if (shifts > 0.0) strain.shifts /= shifts;
  return strain;
}

// Of frames whose tracker did not go astray.
double lost_share(const Recognised& result) {
  double lost = 0.0;
  for (std::size_t i = 0; i < result.table.is_lost.size(); ++i)
    lost += result.table.is_lost[i] && !result.table.is_astray[i];
  return lost / static_cast<double>(result.table.is_lost.size());
}

StatePath path_at(const BodyPair& pair, const Recognised& wide, const TrackNoise& noise) {
  PathPrices prices = wide.prices;
  prices.reward = reward_of(pair, noise);
  prices.scale = wide.noise.position / noise.position;
  return best_path(wide.table, prices);
}

// Strain at the jitter: recordings with errors that are new in each frame had 0.87 to 1.48 (mean 1.2), those with offsets or drifts as large as the
// jitter 1.34 to 11 (72 recordings of tests/watch_judge.py, seeds 200 and 201).
constexpr double kFresh = 1.3, kSlow = 1.6;

// Tables are made with this times the noise meant: what it does not reach is seen as well.
constexpr double kWide = 2.0;

// [nats] What an offset must gain. Tracks without one gained 17 at most by it, those with one 140 and more (18 recordings, seeds 200 and 201, and a test's).
constexpr double kOffsetGain = 40.0;
// What a squared correction of one frame, in units of its noise, counts for in a score of averages.
constexpr double kNews = kAveragedShare / (kAveraged * kAveraged);

// With the constant error that explains most of what frames in contact had to be moved. None where that is little.
std::optional<Recognised> without_constant_error(const BodyPair& pair, const SeenTrack& seen,
                                                 const NoiseModel& jitter, const Recognised& slow) {
  // [of the jitter] A tracker's own frame is about as good as its noise; contacts of a few frames say more than that.
  constexpr double kSpread = 2.0;
  Recognised best = slow;
  CorrectionOptions correction = slow.correction;
  correction.noise = jitter.noise;
  for (int round = 0; round < 3; ++round) {
    const OffsetEstimate estimate =
        offset_of(best.table, best.path, best.track, correction, best.directions, kSpread);
    const TrackOffset& offset = estimate.offset;
    // One that explains far less than it must gain is not worth another table.
    const double gain = 0.5 * kNews * estimate.explained * static_cast<double>(seen.X_FM.size()) /
                        static_cast<double>(best.track.size());
    if (round == 0 && gain < 0.5 * kOffsetGain) return std::nullopt;
    TrackOffset total = best.offset.value_or(TrackOffset{});
    total.reference_M = offset.reference_M;
    total.turn_M += offset.turn_M;
    total.shift_M += offset.shift_M;
    SeenTrack track = seen;
    for (math::Pose& X : track.X_FM) X = without_offset(X, total);
    best = recognise_with(pair, track, jitter);
    best.offset = total;
    if (std::max(offset.turn_M.norm() / jitter.noise.angle, offset.shift_M.norm() / jitter.noise.position) <
        0.1)
      break;
  }
  return best;
}

// Where one constant error explains what frames in contact had to be moved: the track without it has fresh errors alone.
std::optional<Recognised> recognise_offset(const BodyPair& pair, const SeenTrack& seen,
                                           const NoiseModel& jitter, const Recognised& slow) {
  std::optional<Recognised> best = without_constant_error(pair, seen, jitter, slow);
  if (!best) return std::nullopt;
  const Strain left = strain_of(*best, nullptr, 1.0), before = strain_of(slow, nullptr, 1.0);
  // Fewer contacts would be less to explain.
  constexpr double kAsMuch = 0.6;
  if (left.value > kFresh || left.taken < kAsMuch * before.taken) return std::nullopt;
  return best;
}

// What a path leaves, in order and without repeats: all eight numbers of its relations, or those of translations, restricted ones with them: singular
// relations leave their contacts out of the others.
struct PathFreedoms {
  std::vector<std::string> all, translations;
};

PathFreedoms freedoms_of(const BodyPair& pair, const Recognised& result) {
  PathFreedoms freedoms;
  const auto add = [](std::vector<std::string>& list, std::string item) {
    if (list.empty() || list.back() != item) list.push_back(std::move(item));
  };
  for (std::size_t i = 0; i < result.path.relations.size(); ++i) {
    if (i > 0 && result.path.relations[i] == result.path.relations[i - 1]) continue;
    const std::string numbers =
        numbers_at(pair, result.table.relations[static_cast<std::size_t>(result.path.relations[i])]);
    add(freedoms.all, numbers);
    add(freedoms.translations, numbers.empty() ? numbers : numbers.substr(0, 3) + numbers[8]);
  }
  return freedoms;
}

// Another answer, whose states come from twice the noise, with a constant error that explains the recording.
struct OffsetRival {
  Recognised answer;
  bool has_other_gaps{false};  // it leaves other translations
};

// A tilt shows an edge on a face as a corner, which takes up no turn: a path of corners shows no tilt. Twice the noise reads it as an edge, and that
// path shows the tilt. A translation less is a gap that an offset closes, which any recording with a gap has: it counts only where the tracker has one.
std::optional<OffsetRival> offset_rival(const BodyPair& pair, const SeenTrack& seen, const NoiseModel& jitter,
                                        const Recognised& wide, const Recognised& answer) {
  const PathFreedoms own = freedoms_of(pair, answer);
  const auto is_rival = [&](const PathFreedoms& other) {
    return other.all != own.all && (answer.offset || other.translations == own.translations);
  };
  if (strain_of(wide, nullptr, 1.0).taken <= strain_of(answer, nullptr, 1.0).taken ||
      !is_rival(freedoms_of(pair, wide)))
    return std::nullopt;
  std::optional<Recognised> still = without_constant_error(pair, seen, jitter, wide);
  if (!still) return std::nullopt;
  const PathFreedoms others = freedoms_of(pair, *still);
  if (!is_rival(others)) return std::nullopt;
  return OffsetRival{std::move(*still), others.translations != own.translations};
}

// The more probable one of the answer and its rival; what the other is behind by is kept. One with a constant error has to gain what any must over one without.
Recognised better_offset(const BodyPair& pair, const SeenTrack& seen, const NoiseModel& jitter,
                         const Recognised& wide, Recognised answer) {
  std::optional<OffsetRival> rival = offset_rival(pair, seen, jitter, wide, answer);
  if (!rival) return answer;
  const double lead = rival->answer.path.score - answer.path.score;
  if (rival->has_other_gaps || lead <= (answer.offset ? 0.0 : kOffsetGain)) {
    answer.offset_rival_lead = lead;
    answer.offset_rival_has_other_gaps = rival->has_other_gaps;
    return answer;
  }
  rival->answer.offset_rival_lead = -lead;
  return std::move(rival->answer);
}

// Evenly spread: how large slow errors are shows in a few hundred frames, at a third of the price of a thousand.
SeenTrack thinned(const SeenTrack& seen) {
  constexpr std::size_t kEnough = 300;
  const std::size_t count = seen.X_FM.size();
  if (count <= kEnough) return seen;
  SeenTrack few;
  few.directions_W = seen.directions_W;
  for (std::size_t i = 0; i < kEnough; ++i) {
    const std::size_t frame = (2 * i + 1) * count / (2 * kEnough);
    few.X_FM.push_back(seen.X_FM[frame]);
    few.directions.push_back(seen.directions[frame]);
  }
  return few;
}

Recognised recognise_wide(const BodyPair& pair, const SeenTrack& seen, const NoiseModel& jitter) {
  NoiseModel wide = jitter;
  wide.errors = Errors::slow;
  wide.noise = times(jitter.noise, kWide);
  return recognise_with(pair, thinned(seen), wide);
}

// Times the jitter: the least noise that explains itself; one that is larger makes contacts of gaps. A tracker that is slow is so in positions and
// angles, unless contacts show that it is in one of them only. `strain` is that at the jitter.
TrackNoise slow_factor(const BodyPair& pair, const SeenTrack& few, const NoiseModel& jitter, Strain strain) {
  constexpr double kMost = 4.0;
  // Made on the published recording, whose camera has slow errors of angles alone: 9 times as much strain.
  constexpr double kOneSided = 5.0;
  TrackNoise factor{1.0, 1.0};
  NoiseModel wide = jitter;
  wide.errors = Errors::slow;
  const bool has_even_shifts = strain.shifts <= kFresh && strain.turns > kOneSided * strain.shifts,
             has_even_turns = strain.turns <= kFresh && strain.shifts > kOneSided * strain.turns;
  while (strain.value > kFresh && std::max(factor.position, factor.angle) < kMost) {
    const double step = strain.value > 4.0 ? 2.0 : std::sqrt(2.0);
    if (!has_even_shifts) factor.position = std::min(kMost, step * factor.position);
    if (!has_even_turns) factor.angle = std::min(kMost, step * factor.angle);
    const TrackNoise noise = clamped(pair, times(jitter.noise, factor));
    wide.noise = times(noise, kWide);
    const Recognised result = recognise_with(pair, few, wide);
    const StatePath path = path_at(pair, result, noise);
    strain = strain_of(result, &path, kWide);
  }
  return factor;
}

// Errors that stay for many frames, an offset or a slow drift, do not show in differences of frames. They show in contact: the jitter alone does not
// explain what frames had to be moved. None where it does.
std::optional<Recognised> recognise_slow_errors(const BodyPair& pair, const SeenTrack& seen,
                                                const NoiseModel& jitter, const Recognised& averaged,
                                                const Recognised& wide) {
  const StatePath at_jitter = path_at(pair, wide, jitter.noise);
  Strain strain = strain_of(wide, &at_jitter, kWide);
  // Averages tell gaps from contacts sooner: theirs counts where they lose no frames and find nearly as much to explain. With less they explain an
  // offset by edges that touch instead of faces (0.57 to 0.76 of it; gaps near a wall 0.88; seeds 200 and 201).
  constexpr double kAsMuch = 0.85, kFewLost = 0.03;
  const Strain of_averages = strain_of(averaged, nullptr, 1.0);
  if (of_averages.taken >= kAsMuch * strain.taken && lost_share(averaged) <= kFewLost)
    strain.value = std::min(strain.value, of_averages.value);
  const auto is_worth = [&](const std::optional<Recognised>& still) {
    return still && still->path.score > averaged.path.score + kOffsetGain;
  };
  if (strain.value <= kFresh) {
    // Averages that find less to explain may take an offset for edges that touch instead of faces.
    if (of_averages.taken >= strain.taken) return std::nullopt;
    Recognised plain = wide;
    plain.path = at_jitter;
    auto still = recognise_offset(pair, seen, jitter, plain);
    return is_worth(still) ? still : std::nullopt;
  }
  const double little = std::sqrt(strain.value);
  const TrackNoise factor =
      strain.value > kSlow ? slow_factor(pair, thinned(seen), jitter, strain) : TrackNoise{little, little};
  NoiseModel both = jitter;
  both.staying = {factor.position * factor.position - 1.0, factor.angle * factor.angle - 1.0};
  Recognised slow = recognise_with(pair, seen, both);
  if (auto still = recognise_offset(pair, seen, jitter, slow); is_worth(still)) return still;
  // A gap beside a wall is a slow error only where that explains the recording better than the gap does. Of 41 recordings that came here
  // (tests/watch_judge.py, seed 300: plain, late, offset, drift) the 36 with slow errors gained 7 to 1142 nats, 4 of the 5 others lost 24 and more.
  if (averaged.path.score >= slow.path.score && lost_share(averaged) <= kFewLost) return std::nullopt;
  return slow;
}

// Errors that stay show in contacts alone: where none is found, a tracker that is off by several times its jitter may have hidden them.
bool touches_if_slow(const BodyPair& pair, const SeenTrack& seen, const NoiseModel& jitter,
                     const Recognised& answer) {
  const auto is_free = [](const Recognised& result, int k) {
    return result.table.relations[static_cast<std::size_t>(k)].contacts.empty();
  };
  if (!std::all_of(answer.path.relations.begin(), answer.path.relations.end(),
                   [&](int k) { return is_free(answer, k); }))
    return false;
  // As slow errors are looked for. A pass by a body is shorter than a state.
  constexpr double kMost = 4.0, kGoodPart = 0.2;
  NoiseModel slow = jitter;
  slow.errors = Errors::slow;
  slow.noise = clamped(pair, times(jitter.noise, kMost));
  const Recognised other = recognise_with(pair, thinned(seen), slow);
  const auto touching = std::count_if(other.path.relations.begin(), other.path.relations.end(),
                                      [&](int k) { return !is_free(other, k); });
  return static_cast<double>(touching) > kGoodPart * static_cast<double>(other.path.relations.size());
}

// Where the noise differs by direction; `jitter` is its geometric mean then.
void find_directions(const Recording& recording, const Eigen::Vector3d& reference_M, SeenTrack& seen,
                     TrackNoise& jitter) {
  const std::vector<Eigen::Quaterniond>& q_WF = recording.q_WF;
  const DirectedNoise directed = directed_noise(recording.X_FM, recording.t_s, q_WF, reference_M);
  if (directed.directions_W.is_even) return;
  seen.directions_W = directed.directions_W;
  jitter = directed.jitter;
  for (std::size_t i = 0; i < seen.X_FM.size(); ++i)
    seen.directions[i] =
        q_WF.empty() ? directed.directions_W : turned_by(directed.directions_W, q_WF[i].conjugate());
}

}  // namespace

double reward_of(const BodyPair& pair, const TrackNoise& noise) {
  const double positions = 0.5 * pair.size() / noise.position, angles = 0.5 / noise.angle;
  const double reward = 0.5 * std::log(positions * angles) - 0.5 * std::log(2.0 * math::kPi);
  return std::clamp(reward, 1.5, 7.0);
}

Eigen::Vector3d reference_point(const BodyPair& pair) {
  const Eigen::AlignedBox3d& box = pair.features().moving.box;
  return box.center().norm() > box.diagonal().norm() ? Eigen::Vector3d(box.center())
                                                     : Eigen::Vector3d::Zero();
}

Recognised recognise(const BodyPair& pair, const Recording& recording, const TrackNoise* noise) {
  const std::vector<math::Pose>& poses = recording.X_FM;
  SeenTrack seen{poses, std::vector<NoiseDirections>(poses.size()), {}};
  NoiseModel model;
  model.reference_M = reference_point(pair);
  TrackNoise jitter = jitter_of(poses, model.reference_M);
  const bool is_dense = jitter_is_noise(pair, poses, jitter, model.reference_M);
  if (is_dense) {
    const Eigen::AlignedBox3d& box = pair.features().moving.box;
    model.reference_M = quiet_point(poses, box.center(), 1.5 * box.diagonal().norm());
    jitter = jitter_of(poses, model.reference_M);
    if (noise == nullptr) find_directions(recording, model.reference_M, seen, jitter);
  }
  if (noise != nullptr) {
    model.noise = clamped(pair, *noise);
    const bool is_white =
        is_dense && jitter.position > 0.6 * model.noise.position && jitter.angle > 0.6 * model.noise.angle;
    model.errors = is_white ? Errors::fresh : Errors::unknown;
    return recognise_with(pair, seen, model);
  }
  // Third differences see what changes from frame to frame. Frames far apart say little: errors that stay are not among them.
  const double most = is_dense ? 1.0 : 3.0;
  if (poses.size() < 8) jitter = {0.01 * pair.size(), 0.015};
  const TrackNoise largest = clamped(pair, {most * jitter.position, most * jitter.angle});
  const auto is_near = [](double a, double b) { return a < 1.5 * b && b < 1.5 * a; };
  model.noise = largest;
  model.errors = is_dense ? Errors::fresh : Errors::unknown;
  Recognised result = recognise_with(pair, seen, model);
  if (is_dense) {
    const Recognised wide = recognise_wide(pair, seen, model);
    auto slow = recognise_slow_errors(pair, seen, model, result, wide);
    result = better_offset(pair, seen, model, wide, slow ? *slow : result);
    if (slow || result.offset) return result;
    result.touches_if_slow = touches_if_slow(pair, seen, model, result);
  }
  const std::optional<double> rival_lead = result.offset_rival_lead;
  const bool hides_contacts = result.touches_if_slow;
  model.errors = Errors::unknown;
  for (int round = 0; round < 3; ++round) {
    Recognised at_best = result;
    const double factor = best_factor(pair, at_best);
    TrackNoise next{factor * result.noise.position, factor * result.noise.angle};
    TrackNoise residual;
    if (residual_noise(at_best, seen, residual)) next = residual;
    next = clamped(pair, {std::min(next.position, largest.position), std::min(next.angle, largest.angle)});
    if (is_near(next.position, result.noise.position) && is_near(next.angle, result.noise.angle)) break;
    if (is_dense && next.position > 0.5 * jitter.position && next.angle > 0.5 * jitter.angle) break;
    model.noise = next;
    result = recognise_with(pair, seen, model);
  }
  result.offset_rival_lead = rival_lead;
  result.touches_if_slow = hides_contacts;
  return result;
}

}  // namespace prehend::observation
