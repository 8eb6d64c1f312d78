#include <cmath>

#include <prehend/assist/control/person_track.h>
#include <prehend/math/angles.h>

namespace prehend::assist {
namespace {

// [s] A picture older than this tells where the person was.
constexpr double kOldest = 0.5;
// [m] and [m/s]: a person does not jump. 0.1 m covers three standard deviations of the mean of the points at close range (0.03 m each);
// 0.6 m/s is a person who stands up and steps back. Time without any picture widens the gate, time with rejected ones does not.
constexpr double kGate = 0.1, kGateSpeed = 0.6;
// Blending: slow while the person sits (noise), fast when they move.
constexpr double kSlow = 0.2, kFast = 0.6, kStill = 0.04;  // [m]

}  // namespace

void PersonTrack::remember_camera(double t_s, const Eigen::Matrix3d& R_WC, const Eigen::Vector3d& p_WC) {
  cameras_[static_cast<std::size_t>(next_)] = {t_s, R_WC, p_WC};
  next_ = (next_ + 1) % kRemembered;
}

const PersonTrack::CameraPose* PersonTrack::camera_at(double t_s) const {
  const CameraPose* best = nullptr;
  for (const CameraPose& camera : cameras_) {
    if (camera.t < 0.0) continue;
    if (best == nullptr || std::abs(camera.t - t_s) < std::abs(best->t - t_s)) best = &camera;
  }
  return best;
}

DetectionVerdict PersonTrack::consider(const PersonDetection& detection, double now_s) {
  bool is_finite = std::isfinite(detection.t_s) && detection.X_CP.p().allFinite() &&
                   detection.X_CP.q().coeffs().allFinite() && detection.head_C.allFinite() && detection.face_C.allFinite();
  for (const Eigen::Vector3d& p : detection.regions_C) is_finite = is_finite && p.allFinite();
  if (!is_finite) return DetectionVerdict::invalid;
  if (detection.t_s <= last_picture_ || detection.t_s > now_s + 1e-6 || now_s - detection.t_s > kOldest)
    return DetectionVerdict::ignored;
  const double gap = last_picture_ < 0.0 ? 0.0 : detection.t_s - last_picture_;
  const bool is_same = detection.X_CP.p() == last_raw_;  // a frozen tracker: noise never repeats itself
  last_picture_ = detection.t_s;
  last_raw_ = detection.X_CP.p();
  const CameraPose* camera = camera_at(detection.t_s);
  if (is_same || camera == nullptr) return DetectionVerdict::ignored;
  const auto world = [&](const Eigen::Vector3d& p_C) { return Eigen::Vector3d(camera->p + camera->R * p_C); };
  const Eigen::Vector3d pelvis = world(detection.X_CP.p()), head = world(detection.head_C);
  std::array<Eigen::Vector3d, kRegionCount> regions;
  for (std::size_t r = 0; r < regions.size(); ++r) regions[r] = world(detection.regions_C[r]);
  const Eigen::Vector3d forward = camera->R * (detection.X_CP.q() * Eigen::Vector3d::UnitX());
  const double yaw = std::atan2(forward.y(), forward.x());
  const Eigen::Vector3d face = camera->R * detection.face_C;
  if (!is_known_) {
    pelvis_ = pelvis, head_ = head, regions_ = regions, yaw_ = yaw, face_ = face, is_known_ = true;
    seen_at_ = detection.t_s;
    return DetectionVerdict::accepted;
  }
  const Eigen::Vector3d moved = 0.25 * (pelvis - pelvis_ + head - head_ + regions[0] - regions_[0] + regions[1] - regions_[1]);
  if (moved.norm() > kGate + kGateSpeed * gap) return DetectionVerdict::ignored;
  const double share = moved.norm() > kStill ? kFast : kSlow;
  pelvis_ += share * (pelvis - pelvis_);
  head_ += share * (head - head_);
  for (std::size_t r = 0; r < regions.size(); ++r) regions_[r] += share * (regions[r] - regions_[r]);
  yaw_ += share * std::remainder(yaw - yaw_, 2.0 * math::kPi);
  face_ = (face_ + 0.5 * (face - face_)).normalized();
  seen_at_ = detection.t_s;
  return DetectionVerdict::accepted;
}

}  // namespace prehend::assist
