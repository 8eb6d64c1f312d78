#include <cmath>
#include <vector>

#include <prehend/articulation/evidence/pose_resolution.h>
#include <prehend/model/house/decimal_step.h>

namespace prehend::articulation {

PoseNoise pose_resolution(const model::PoseLog& log) {
  std::vector<double> positions;
  for (const model::PoseRow& row : log.rows)
    positions.insert(positions.end(), row.p_WP.data(), row.p_WP.data() + 3);
  // A turn is twice the quaternion's change.
  const double deviation = 1.0 / std::sqrt(12.0);
  return {deviation * model::decimal_step(positions), 2.0 * deviation * log.quaternion_step};
}

}  // namespace prehend::articulation
