#include <cmath>

#include <prehend/assist/world/tracker.h>

namespace prehend::assist {
namespace {

// [-] Half angles of the camera as X/Z and Y/Z: the head must be in the picture.
constexpr double kHalfWidth = 0.9, kHalfHeight = 0.75;
constexpr double kFaceNoise = 0.04;  // [rad]

}  // namespace

void Tracker::look(double t, const math::Pose& X_WC, const SimulatedPerson& person, const TrackerFaults& faults) {
  if (t + 1e-9 < next_) return;
  next_ += 1.0 / spec_.tracking_hz;
  const bool is_dropped = random_.uniform() < spec_.dropout;
  const auto seen = [&](const Eigen::Vector3d& p_W, double noise) {
    const Eigen::Vector3d random = random_.normal3();
    return Eigen::Vector3d(X_WC.inverse() * Eigen::Vector3d(p_W + faults.jump_W) + noise * random);
  };
  const Eigen::Vector3d head = X_WC.inverse() * person.head();
  const double noise = head.norm() < spec_.close_range_m ? spec_.close_range_noise_m : spec_.position_noise_m;
  PersonDetection detection;
  detection.t_s = t;
  detection.head_C = seen(person.head(), noise);
  const Eigen::Vector3d pelvis = seen(person.pelvis(), noise);
  for (std::size_t r = 0; r < kRegionCount; ++r) detection.regions_C[r] = seen(person.region(static_cast<BodyRegion>(r)), noise);
  // The direction of the trunk comes from points about 0.4 m apart.
  const double turn = person.yaw() + noise / 0.4 * random_.normal();
  detection.X_CP = math::Pose(X_WC.q().conjugate() * Eigen::Quaterniond(Eigen::AngleAxisd(turn, Eigen::Vector3d::UnitZ())), pelvis);
  const Eigen::Vector3d wobble = kFaceNoise * random_.normal3();
  detection.face_C = (X_WC.q().conjugate() * (person.face() + wobble)).normalized();
  const bool is_in_view = head.z() > 0.1 && std::abs(head.x() / head.z()) < kHalfWidth && std::abs(head.y() / head.z()) < kHalfHeight;
  if (is_dropped || faults.is_lost || !is_in_view) return;
  if (faults.is_frozen) {
    if (!last_) return;
    detection = *last_;
    detection.t_s = t;  // new time stamps, old numbers
  } else {
    last_ = detection;
  }
  on_the_way_.push_back(detection);
}

std::optional<PersonDetection> Tracker::arrived(double t) {
  std::optional<PersonDetection> newest;
  while (!on_the_way_.empty() && on_the_way_.front().t_s + spec_.latency_s <= t + 1e-9) {
    newest = on_the_way_.front();
    on_the_way_.pop_front();
  }
  return newest;
}

}  // namespace prehend::assist
