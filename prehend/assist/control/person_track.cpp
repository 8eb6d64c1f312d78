#include <algorithm>
#include <cmath>

#include <prehend/assist/control/person_track.h>
#include <prehend/math/angles.h>

namespace prehend::assist {
namespace {

// [s] A picture older than this tells where the person was.
constexpr double kOldest = 0.5;
// A person does not jump: 4.5 standard deviations of the mean of four points, which is half the noise of one, and [m/s] somebody who stands up and steps back; once they
// move, the track lags behind them. Time without any picture widens the gate, time with rejected ones does not.
constexpr double kGateNoise = 4.5 / 2.0, kGateSpeed = 0.8;
// Share of a new detection: down to kSlow while the person sits, kFast when they move. At close range (0.015 m of noise per axis) kSlow leaves 2.4 mm; with 0.2 the
// 5 mm that were left moved a waiting hand at 0.05 m/s, so that it never stood.
constexpr double kSlow = 0.05, kFast = 0.6;
// The mean of four points has moved; one point has: five and four standard deviations of the noise, between those of the usual tracker at close range (0.015 m) and [m] what a person who leaves must not hide in.
constexpr double kStillNoise = 8.0 / 3.0, kPointNoise = 4.0;
constexpr double kLeastStill = 0.04, kMostStill = 0.1, kLeastPoint = 0.06, kMostPoint = 0.16;

double share_of(int count) { return std::max(kSlow, 1.0 / (count + 1.0)); }

}  // namespace

PersonTrack::PersonTrack(double noise_m)
    : noise_(noise_m),
      still_(std::clamp(kStillNoise * noise_m, kLeastStill, kMostStill)),
      point_still_(std::clamp(kPointNoise * noise_m, kLeastPoint, kMostPoint)) {}

void PersonTrack::Point::follow(const Eigen::Vector3d& seen, bool moves, double still) {
  const bool is_off = (seen - p).norm() > still, is_fast = moves || (is_off && was_off);
  was_off = is_off;
  const double share = count == 0 ? 1.0 : is_fast ? kFast : share_of(count);
  count = count > 0 && is_fast ? 1 : count + 1;
  p += share * (seen - p);
}

void PersonTrack::remember_camera(double t_s, const Eigen::Matrix3d& R_WC, const Eigen::Vector3d& p_WC) {
  // As many poses as there is room for must reach back to the oldest picture, however fast the control is.
  constexpr double kApart = kOldest / (kRemembered - 8);
  if (t_s >= remembered_at_ && t_s - remembered_at_ < kApart) return;
  remembered_at_ = t_s;
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
                   detection.X_CP.q().coeffs().allFinite() && detection.head_C.allFinite() &&
                   detection.face_C.allFinite();
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
    pelvis_.follow(pelvis, false, point_still_), head_.follow(head, false, point_still_),
        yaw_ = yaw, face_ = face, is_known_ = true;
    for (std::size_t r = 0; r < regions.size(); ++r) regions_[r].follow(regions[r], false, point_still_);
    seen_at_ = detection.t_s;
    return DetectionVerdict::accepted;
  }
  const Eigen::Vector3d moved =
      0.25 * (pelvis - pelvis_.p + head - head_.p + regions[0] - regions_[0].p + regions[1] - regions_[1].p);
  const double lag = moved_ ? 1.0 / kFast : 1.0;
  if (moved.norm() > kGateNoise * noise_ + lag * kGateSpeed * gap) return DetectionVerdict::ignored;
  const bool moves = moved.norm() > still_;
  moved_ = moves;
  yaw_ += (moves ? kFast : share_of(pelvis_.count)) * std::remainder(yaw - yaw_, 2.0 * math::kPi);
  pelvis_.follow(pelvis, moves, point_still_), head_.follow(head, moves, point_still_);
  for (std::size_t r = 0; r < regions.size(); ++r) regions_[r].follow(regions[r], moves, point_still_);
  face_ = (face_ + 0.5 * (face - face_)).normalized();
  seen_at_ = detection.t_s;
  return DetectionVerdict::accepted;
}

}  // namespace prehend::assist
