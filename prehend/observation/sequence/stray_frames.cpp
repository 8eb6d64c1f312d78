#include <algorithm>

#include <prehend/observation/relations/least_motion.h>
#include <prehend/observation/sequence/stray_frames.h>

namespace prehend::observation {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

constexpr int kReach = 3;  // frames on each side

// [standard deviations] Normal noise in all six axes passes 6 once in a hundred thousand frames.
constexpr double kFarOff = 6.0;

// The first or last frame: off its neighbour, and off the line through it and the next one.
bool strays_at_end(const std::vector<Vector6>& around, bool is_first) {
  const std::size_t count = around.size();
  if (count < 4) return false;
  const auto from_end = [&](std::size_t k) -> const Vector6& { return around[is_first ? k : count - 1 - k]; };
  std::vector<double> turns, shifts;
  for (std::size_t k = 1; k + 1 < count; ++k) {
    turns.push_back((from_end(k + 1) - from_end(k)).head<3>().norm());
    shifts.push_back((from_end(k + 1) - from_end(k)).tail<3>().norm());
  }
  const double turn = kFarOff + 3.0 * *std::max_element(turns.begin(), turns.end()),
               shift = kFarOff + 3.0 * *std::max_element(shifts.begin(), shifts.end());
  const Vector6 near = from_end(1), ahead = 2.0 * from_end(1) - from_end(2);
  return (near.head<3>().norm() > turn && ahead.head<3>().norm() > turn) ||
         (near.tail<3>().norm() > shift && ahead.tail<3>().norm() > shift);
}

bool strays(const std::vector<Vector6>& around, int before) {
  const bool is_first = before == 0, is_last = before + 1 == static_cast<int>(around.size());
  if (is_first || is_last) return strays_at_end(around, is_first);
  std::vector<Vector6> midpoints;
  for (int k = 1; k <= kReach; ++k)
    if (before - k >= 0 && before + k < static_cast<int>(around.size()))
      midpoints.push_back(0.5 * (around[static_cast<std::size_t>(before - k)] +
                                 around[static_cast<std::size_t>(before + k)]));
  if (midpoints.empty()) return false;
  Vector6 expected;
  for (int axis = 0; axis < 6; ++axis) {
    std::vector<double> values;
    for (const Vector6& midpoint : midpoints) values.push_back(midpoint[axis]);
    expected[axis] = middle_of(values);
  }
  std::vector<double> turns, shifts;
  for (std::size_t i = 0; i + 1 < around.size(); ++i) {
    turns.push_back((around[i + 1] - around[i]).head<3>().norm());
    shifts.push_back((around[i + 1] - around[i]).tail<3>().norm());
  }
  return expected.head<3>().norm() > kFarOff + middle_of(turns) ||
         expected.tail<3>().norm() > kFarOff + middle_of(shifts);
}

}  // namespace

std::vector<char> stray_frames(const std::vector<math::Pose>& seen, CorrectionOptions options,
                               const std::vector<NoiseDirections>& directions) {
  const int count = static_cast<int>(seen.size());
  std::vector<char> astray(seen.size(), 0);
  for (int i = 0; i < count; ++i) {
    const math::Pose& here = seen[static_cast<std::size_t>(i)];
    const int first = std::max(0, i - kReach), last = std::min(count - 1, i + kReach);
    std::vector<Vector6> around;  // in units of the noise, relative to this frame
    if (!directions.empty()) options.directions = directions[static_cast<std::size_t>(i)];
    for (int k = first; k <= last; ++k)
      around.push_back(motion_between(here, seen[static_cast<std::size_t>(k)], options));
    astray[static_cast<std::size_t>(i)] = strays(around, i - first);
  }
  return astray;
}

}  // namespace prehend::observation
