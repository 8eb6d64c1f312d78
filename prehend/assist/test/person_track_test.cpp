#include <cmath>

#include <gtest/gtest.h>

#include <prehend/assist/control/person_track.h>
#include <prehend/math/random.h>

namespace prehend::assist {
namespace {

const Eigen::Vector3d kPelvis(2.0, 0.3, 0.45);

PersonDetection seen_from(const Eigen::Vector3d& camera, double t, math::RandomStream& random,
                          const Eigen::Vector3d& offset = Eigen::Vector3d::Zero()) {
  PersonDetection detection;
  detection.t_s = t;
  const auto noisy = [&](const Eigen::Vector3d& p) {
    return Eigen::Vector3d(p + offset - camera + 0.002 * random.normal3());
  };
  detection.X_CP = math::Pose(Eigen::Quaterniond::Identity(), noisy(kPelvis));
  detection.head_C = noisy(kPelvis + Eigen::Vector3d(0, 0, 0.75));
  for (auto& region : detection.regions_C) region = noisy(kPelvis + Eigen::Vector3d(0, 0, 0.5));
  return detection;
}

// The camera drives at 0.1 m/s, pictures arrive 0.2 s late: the person stays where they are.
TEST(PersonTrack, ADetectionIsHeldInTheWorld) {
  PersonTrack track;
  math::RandomStream random(1, 0);
  for (int tick = 0; tick < 500; ++tick) {
    const double t = 0.012 * tick;
    track.remember_camera(t, Eigen::Matrix3d::Identity(), Eigen::Vector3d(0.1 * t, 0, 1.1));
    if (tick % 6 != 0 || t < 0.2) continue;
    const double taken = t - 0.2;
    EXPECT_EQ(track.consider(seen_from(Eigen::Vector3d(0.1 * taken, 0, 1.1), taken, random), t),
              DetectionVerdict::accepted);
    EXPECT_LT((track.pelvis() - kPelvis).norm(), 0.01);
  }
}

// At 1000 Hz as many poses of the camera as there are at 83 Hz reach back by a ninth of the time: the picture must still meet its own.
TEST(PersonTrack, ADetectionMeetsItsOwnCameraPoseAtEveryControlRate) {
  for (const double rate : {20.0, 83.0, 400.0, 1000.0, 2000.0}) {
    PersonTrack track;
    math::RandomStream random(3, 0);
    double next = 0.45;
    for (int tick = 0; tick < 3.0 * rate; ++tick) {
      const double t = tick / rate;
      const auto camera_at = [](double when) { return Eigen::Vector3d(0.3 * when, 0, 1.1); };
      track.remember_camera(t, Eigen::Matrix3d::Identity(), camera_at(t));
      if (t < next) continue;
      next += 0.066;
      const double taken = std::round((t - 0.45) * rate) / rate;
      EXPECT_EQ(track.consider(seen_from(camera_at(taken), taken, random), t), DetectionVerdict::accepted)
          << rate;
      EXPECT_LT((track.pelvis() - kPelvis).norm(), 0.01) << rate;
    }
  }
}

TEST(PersonTrack, JumpsFrozenOldAndBrokenDetectionsAreNotTaken) {
  PersonTrack track;
  math::RandomStream random(2, 0);
  const Eigen::Vector3d camera(0, 0, 1.1);
  for (int k = 0; k < 20; ++k) {
    const double t = 0.066 * k;
    track.remember_camera(t, Eigen::Matrix3d::Identity(), camera);
    track.consider(seen_from(camera, t, random), t);
  }
  const double now = 0.066 * 20;
  track.remember_camera(now, Eigen::Matrix3d::Identity(), camera);
  const PersonDetection good = seen_from(camera, now, random);
  for (int k = 0; k < 40; ++k) {  // for good: it never becomes true
    const double t = now + 0.066 * k;
    track.remember_camera(t, Eigen::Matrix3d::Identity(), camera);
    EXPECT_EQ(track.consider(seen_from(camera, t, random, {0.5, 0, 0}), t), DetectionVerdict::ignored);
  }
  EXPECT_LT((track.pelvis() - kPelvis).norm(), 0.01);
  const double later = now + 0.066 * 41;
  track.remember_camera(later, Eigen::Matrix3d::Identity(), camera);
  PersonDetection fresh = good;
  fresh.t_s = later;
  EXPECT_EQ(track.consider(fresh, later), DetectionVerdict::accepted);
  fresh.t_s = later + 0.01;
  EXPECT_EQ(track.consider(fresh, later + 0.02), DetectionVerdict::ignored);  // the same numbers again
  EXPECT_EQ(track.consider(seen_from(camera, later + 5.0, random), later + 0.03),
            DetectionVerdict::ignored);  // from the future
  EXPECT_EQ(track.consider(seen_from(camera, later + 0.02, random), later + 2.0),
            DetectionVerdict::ignored);  // old
  PersonDetection broken = seen_from(camera, later + 0.1, random);
  broken.head_C.y() = std::nan("");
  EXPECT_EQ(track.consider(broken, later + 0.1), DetectionVerdict::invalid);
}

// Noise of close range: the estimate of a person who sits comes to rest, so that a hand that waits before them does; a hand that is given is followed.
TEST(PersonTrack, APersonWhoSitsIsAveraged) {
  PersonTrack track;
  math::RandomStream random(4, 0);
  const Eigen::Vector3d camera(0, 0, 1.1);
  const std::size_t hand = static_cast<std::size_t>(BodyRegion::right_hand);
  for (int k = 0; k < 300; ++k) {
    const double t = 0.066 * k;
    track.remember_camera(t, Eigen::Matrix3d::Identity(), camera);
    PersonDetection detection = seen_from(camera, t, random);
    for (auto& region : detection.regions_C) region += 0.015 * random.normal3();
    if (k >= 200) detection.regions_C[hand] += Eigen::Vector3d(0.3, 0, 0);
    const Eigen::Vector3d before = track.region(BodyRegion::right_shoulder);
    EXPECT_EQ(track.consider(detection, t), DetectionVerdict::accepted);
    if (k < 60) continue;
    EXPECT_LT((track.region(BodyRegion::right_shoulder) - before).norm(), 0.005);
    EXPECT_LT((track.region(BodyRegion::right_shoulder) - kPelvis - Eigen::Vector3d(0, 0, 0.5)).norm(),
              0.012);
    if (k >= 206) EXPECT_NEAR(track.region(BodyRegion::right_hand).x(), kPelvis.x() + 0.3, 0.03) << k;
  }
}

TEST(PersonTrack, APersonWhoStepsBackIsFollowed) {
  PersonTrack track;
  math::RandomStream random(3, 0);
  const Eigen::Vector3d camera(0, 0, 1.1);
  for (int k = 0; k < 60; ++k) {
    const double t = 0.066 * k, moved = std::clamp(0.5 * (t - 1.0), 0.0, 0.6);
    track.remember_camera(t, Eigen::Matrix3d::Identity(), camera);
    EXPECT_EQ(track.consider(seen_from(camera, t, random, {moved, 0, 0}), t), DetectionVerdict::accepted)
        << t;
  }
  EXPECT_NEAR(track.pelvis().x(), kPelvis.x() + 0.6, 0.01);
}

}  // namespace
}  // namespace prehend::assist
