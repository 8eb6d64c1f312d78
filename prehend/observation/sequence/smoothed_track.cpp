#include <algorithm>
#include <cmath>

#include <prehend/math/so3.h>
#include <prehend/observation/sequence/smoothed_track.h>

namespace prehend::observation {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

struct LineValue {
  bool fits{false};
  double variance{1.0};
  Vector6 x{Vector6::Zero()};
};

// The value at frame `centre` of the line through frames first to last, in units of the noise relative to that frame.
LineValue line_value(const std::vector<math::Pose>& seen, int centre, int first, int last, const TrackNoise& noise,
                     const Eigen::Vector3d& reference_M) {
  const math::Pose& here = seen[static_cast<std::size_t>(centre)];
  const int count = last - first + 1;
  const double mean = 0.5 * (first + last) - centre;
  double spread = 0.0;
  std::vector<Vector6> values;
  Vector6 sum = Vector6::Zero(), slope = Vector6::Zero();
  for (int i = first; i <= last; ++i) {
    const math::Pose& X = seen[static_cast<std::size_t>(i)];
    Vector6 value;
    value << math::log_so3(X.q() * here.q().conjugate()) / noise.angle,
        (X * reference_M - here * reference_M) / noise.position;
    values.push_back(value);
    const double offset = i - centre - mean;
    spread += offset * offset;
    sum += value;
    slope += offset * value;
  }
  slope /= spread;
  const Vector6 middle = sum / count;
  double rest = 0.0;
  for (int i = first; i <= last; ++i)
    rest += (values[static_cast<std::size_t>(i - first)] - middle - (i - centre - mean) * slope).squaredNorm();
  const double freedom = 6.0 * (count - 2);
  LineValue line;
  // Two standard deviations of a sum of squares; a bend of a few standard deviations shows.
  line.fits = rest <= freedom + 2.0 * std::sqrt(2.0 * freedom);
  line.x = middle - mean * slope;
  line.variance = 1.0 / count + mean * mean / spread;
  return line;
}

}  // namespace

SmoothedTrack smoothed(const std::vector<math::Pose>& seen, const TrackNoise& noise,
                       const Eigen::Vector3d& reference_M) {
  SmoothedTrack track;
  const int frames = static_cast<int>(seen.size());
  constexpr int kWindow = 7, kLeast = 4;
  for (int i = 0; i < frames; ++i) {
    LineValue best;
    for (int count = kLeast; count <= kWindow; ++count) {
      for (int before = 0; before < count; ++before) {
        const int first = i - before, last = first + count - 1;
        if (first < 0 || last >= frames) continue;
        const LineValue line = line_value(seen, i, first, last, noise, reference_M);
        if (line.fits && line.variance < best.variance) best = line;
      }
    }
    const math::Pose& here = seen[static_cast<std::size_t>(i)];
    const Eigen::Quaterniond q = (math::exp_so3(noise.angle * best.x.head<3>()) * here.q()).normalized();
    const Eigen::Vector3d reference = here * reference_M + noise.position * best.x.tail<3>();
    track.X_FM.push_back(math::Pose(q, reference - q * reference_M));
    track.variance.push_back(best.variance);
  }
  return track;
}

}  // namespace prehend::observation
