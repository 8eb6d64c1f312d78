#include <algorithm>
#include <cmath>

#include <prehend/math/so3.h>
#include <prehend/observation/relations/least_motion.h>
#include <prehend/observation/sequence/smoothed_track.h>

namespace prehend::observation {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

struct LineValue {
  bool fits{false};
  double variance{1.0};
  Vector6 x{Vector6::Zero()};
};

// Frames of a window: poses in units of the noise relative to one of them, and their offsets from it in time.
struct Window {
  std::vector<Vector6> values;
  std::vector<double> offsets;
};

// Errors of trackers have heavier tails than normal ones: lines are those that are most probable under Student's t of so many degrees of freedom. Where errors
// are normal that costs 1.3 % of the averages' precision; where they are t of three, it leaves 0.39 of the jitter where least squares leaves 0.49, and one
// error in a thousand above 1.5 times the jitter instead of 2.8 times (200 000 simulated lines through seven frames, times of the middle one).
constexpr double kTails = 6.0;

// Of each axis by itself: value at the offset zero, and slope.
struct Lines {
  Vector6 value, slope;
  std::vector<Vector6> rest2;  // squared distances, by frame
};

Lines lines_through(const Window& window, const std::vector<Vector6>& weights) {
  using Array6 = Eigen::Array<double, 6, 1>;
  Array6 s0 = Array6::Zero(), s1 = s0, s2 = s0, y0 = s0, y1 = s0;
  for (std::size_t i = 0; i < window.values.size(); ++i) {
    const Array6 w = weights[i].array(), y = window.values[i].array();
    const double t = window.offsets[i];
    s0 += w;
    s1 += t * w;
    s2 += t * t * w;
    y0 += w * y;
    y1 += t * w * y;
  }
  const Array6 determinant = s0 * s2 - s1 * s1;
  Lines lines;
  lines.value = ((s2 * y0 - s1 * y1) / determinant).matrix();
  lines.slope = ((s0 * y1 - s1 * y0) / determinant).matrix();
  for (std::size_t i = 0; i < window.values.size(); ++i) {
    const Vector6 rest = window.values[i] - lines.value - window.offsets[i] * lines.slope;
    lines.rest2.push_back(rest.cwiseAbs2());
  }
  return lines;
}

// By least squares first; then weights by what is left.
Lines robust_lines(const Window& window) {
  constexpr int kRounds = 4;
  std::vector<Vector6> weights(window.values.size(), Vector6::Ones());
  Lines lines = lines_through(window, weights);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] = ((kTails + 1.0) / (kTails + lines.rest2[i].array())).matrix();
    lines = lines_through(window, weights);
  }
  return lines;
}

// What a frame that is off the line counts for: a single axis, or all six at once, may be in the tails.
double loss_of(const Vector6& rest2) {
  const double alone = ((kTails + 1.0) * rest2.array() / (kTails + rest2.array())).sum();
  return std::min(alone, (kTails + 6.0) * rest2.sum() / (kTails + rest2.sum()));
}

// What the first or last frame of a window adds to the squares where it is off by a bend, not by an error of its own: the next frame outside is off
// to the same side and farther.
double bend_at(const std::vector<math::Pose>& seen, const math::Pose& here, int end, int outside,
               const Lines& lines, int centre, const CorrectionOptions& options) {
  if (outside < 0 || outside >= static_cast<int>(seen.size())) return 0.0;
  // [standard deviations] Off the line.
  constexpr double kOff = 2.0;
  const auto rest_of = [&](int frame) {
    return Vector6(motion_between(here, seen[static_cast<std::size_t>(frame)], options) - lines.value -
                   (frame - centre) * lines.slope);
  };
  const Vector6 own = rest_of(end), next = rest_of(outside);
  double bent = 0.0;
  for (int axis = 0; axis < 6; ++axis)
    if (own[axis] * next[axis] > 0.0 && std::abs(next[axis]) > kOff) bent += own[axis] * own[axis];
  const Vector6 own2 = own.cwiseAbs2();
  return std::max(0.0, bent - loss_of(own2));
}

// The value at frame `centre` of the line through frames first to last, in units of the noise relative to that frame.
LineValue line_value(const std::vector<math::Pose>& seen, int centre, int first, int last,
                     const CorrectionOptions& options) {
  const math::Pose& here = seen[static_cast<std::size_t>(centre)];
  const int count = last - first + 1;
  const double mean = 0.5 * (first + last) - centre;
  double spread = 0.0;
  Window window;
  for (int i = first; i <= last; ++i) {
    window.values.push_back(motion_between(here, seen[static_cast<std::size_t>(i)], options));
    window.offsets.push_back(i - centre);
    spread += (i - centre - mean) * (i - centre - mean);
  }
  const Lines lines = robust_lines(window);
  double rest = 0.0;
  for (const Vector6& rest2 : lines.rest2) rest += loss_of(rest2);
  rest += bend_at(seen, here, first, first - 1, lines, centre, options);
  rest += bend_at(seen, here, last, last + 1, lines, centre, options);
  const double freedom = 6.0 * (count - 2);
  LineValue line;
  // What 96 in 100 sums of normal squares keep below; nearly all lines of noise do, and bends are told by the frames beside them. Limits that 96 lines of normal
  // noise in 100 keep make averages of fewer frames: 9 of 44 heavy-tailed recordings were wrong then, 3 are (tests/watch_judge.py, seeds 6000 and 6001).
  line.fits = rest <= freedom + 2.0 * std::sqrt(2.0 * freedom);
  line.x = lines.value;
  line.variance = 1.0 / count + mean * mean / spread;
  return line;
}

}  // namespace

SmoothedTrack smoothed(const std::vector<math::Pose>& seen, CorrectionOptions options,
                       const std::vector<NoiseDirections>& directions) {
  SmoothedTrack track;
  const int frames = static_cast<int>(seen.size());
  constexpr int kWindow = 7, kLeast = 4;
  for (int i = 0; i < frames; ++i) {
    if (!directions.empty()) options.directions = directions[static_cast<std::size_t>(i)];
    LineValue best;
    for (int count = kLeast; count <= kWindow; ++count) {
      for (int before = 0; before < count; ++before) {
        const int first = i - before, last = first + count - 1;
        if (first < 0 || last >= frames) continue;
        const LineValue line = line_value(seen, i, first, last, options);
        if (line.fits && line.variance < best.variance) best = line;
      }
    }
    const math::Pose& here = seen[static_cast<std::size_t>(i)];
    const Eigen::Quaterniond q = (math::exp_so3(turn_of(best.x, options)) * here.q()).normalized();
    const Eigen::Vector3d reference = here * options.reference_M + shift_of(best.x, options);
    track.X_FM.push_back(math::Pose(q, reference - q * options.reference_M));
    track.variance.push_back(best.variance);
  }
  return track;
}

}  // namespace prehend::observation
