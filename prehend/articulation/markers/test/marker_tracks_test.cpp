#include <cmath>
#include <filesystem>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include <prehend/articulation/markers/detection/flip_choice.h>
#include <prehend/articulation/markers/detection/focal_check.h>
#include <prehend/articulation/markers/detection/frame_files.h>
#include <prehend/articulation/markers/detection/marker_pattern.h>
#include <prehend/articulation/markers/marker_tracks.h>
#include <prehend/articulation/markers/virtual_camera.h>
#include <prehend/articulation/simulated/object_motion.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/model/input_error.h>

namespace prehend::articulation {
namespace {

model::CameraModel small_camera() {
  model::CameraModel camera;
  camera.width = 320, camera.height = 240, camera.cx = 158.5, camera.cy = 121.0, camera.fx = 310,
  camera.fy = 305;
  camera.distortion << 0.1, -0.15, 1e-3, -5e-4, 0.0;
  return camera;
}

math::Pose marker_pose(double tilt, double direction, double spin, const Eigen::Vector3d& p) {
  const Eigen::Quaterniond facing(Eigen::AngleAxisd(M_PI, Eigen::Vector3d::UnitX()));
  const Eigen::Vector3d axis(std::cos(direction), std::sin(direction), 0);
  return math::Pose((math::exp_so3(tilt * axis) * facing * math::exp_so3({0, 0, spin})).normalized(), p);
}

SquareCorners exact_corners(const math::Pose& X_CM, double size, double sigma) {
  SquareCorners corners;
  const auto points = marker_corners(size);
  for (int k = 0; k < 4; ++k) {
    const Eigen::Vector3d p = X_CM * points[static_cast<std::size_t>(k)];
    corners.normalised.col(k) = p.head<2>() / p.z();
  }
  corners.covariance = sigma * sigma * CornerCovariance::Identity();
  return corners;
}

MarkedObject one_plate() {
  SimulatedObject object;
  object.name = "plate";
  object.parts = {{"plate", {0.12, 0.01, 0.12}}};
  return mark_object(object);
}

TEST(SquarePose, ExactCornersGiveTheExactPoseAndItsFlip) {
  math::RandomStream random(1);
  for (const double size : {0.05, 5e-5, 50.0}) {
    for (int i = 0; i < 20; ++i) {
      const double tilt = random.uniform(0.1, 1.2), direction = random.uniform(0, 6.28);
      const math::Pose X =
          marker_pose(tilt, direction, random.uniform(0, 6.28), size * Eigen::Vector3d(1, -2, 8));
      const auto poses = square_poses(exact_corners(X, size, 1e-4), size);
      ASSERT_GE(poses.size(), 1u);
      EXPECT_LT(poses[0].chi2, 1e-12);
      EXPECT_LT(poses[0].X_CM.q().angularDistance(X.q()), 1e-6);
      EXPECT_LT((poses[0].X_CM.p() - X.p()).norm(), 1e-6 * size);
      if (poses.size() > 1) {
        // The other solution is near the flip, and fits worse.
        EXPECT_GT(poses[1].chi2, poses[0].chi2);
        EXPECT_LT(poses[1].X_CM.q().angularDistance(flipped_pose(X).q()), 0.35);
      }
    }
  }
}

// Monte Carlo: the covariance is that of the errors.
TEST(SquarePose, CovarianceIsThatOfTheErrors) {
  math::RandomStream random(2);
  const double sigma = 3e-4, size = 0.05;
  const math::Pose X = marker_pose(0.7, 0.5, 0.3, {0.02, 0.01, 0.3});
  math::Matrix6d spread = math::Matrix6d::Zero();
  math::Matrix6d told = math::Matrix6d::Zero();
  const int trials = 2000;
  double misfit = 0;
  for (int i = 0; i < trials; ++i) {
    SquareCorners corners = exact_corners(X, size, sigma);
    for (int k = 0; k < 8; ++k) corners.normalised(k % 2, k / 2) += sigma * random.normal();
    const SquarePose pose = refine_square_pose(corners, size, X);
    const math::Vector6d e = math::log_se3(X.inverse() * pose.X_CM);
    spread += e * e.transpose() / trials;
    told += pose.covariance / trials;
    misfit += pose.chi2 / trials;
  }
  EXPECT_NEAR(misfit, 2.0, 0.2);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(spread(k, k) / told(k, k), 1.0, 0.15) << k;
}

// Ambiguous pictures in the middle of a track: picture by picture half of them are wrong, over time none is.
TEST(FlipChoice, NeighboursDecide) {
  math::RandomStream random(3);
  std::vector<PoseCandidates> track;
  int wrong_alone = 0;
  std::vector<int> truth;
  for (int i = 0; i < 60; ++i) {
    const math::Pose X = marker_pose(0.5 + 0.2 * std::sin(0.1 * i), 0.3, 0.0, {0, 0, 1});
    const bool ambiguous = i % 10 != 0;
    SquarePose right{X, 1e-4 * math::Matrix6d::Identity(), 2.0},
        other{flipped_pose(X), 1e-4 * math::Matrix6d::Identity(), 2.0};
    if (ambiguous) {
      other.chi2 += random.normal();
    } else {
      other.chi2 += 20;
    }
    const bool swapped = other.chi2 < right.chi2;
    wrong_alone += swapped;
    truth.push_back(swapped ? 1 : 0);
    track.push_back({i / 30.0, swapped ? std::vector{other, right} : std::vector{right, other}});
  }
  EXPECT_GT(wrong_alone, 15);
  const auto choices = choose_flips(track);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    EXPECT_EQ(choices[i].candidate, truth[i]);
    EXPECT_GT(choices[i].margin, 3.0);
  }
}

TEST(FlipChoice, SaysWhenNothingDecides) {
  std::vector<PoseCandidates> track;
  for (int i = 0; i < 5; ++i) {
    const math::Pose X = marker_pose(0.5, 0.3, 0.0, {0, 0, 1});
    track.push_back({i / 30.0,
                     {{X, 1e-4 * math::Matrix6d::Identity(), 2.0},
                      {flipped_pose(X), 1e-4 * math::Matrix6d::Identity(), 2.1}}});
  }
  for (const FlipChoice& choice : choose_flips(track)) EXPECT_LT(choice.margin, 1.0);
}

TEST(FocalCheck, FindsTheFocalLengthThatFits) {
  math::RandomStream random(4);
  const double size = 0.05, sigma = 5e-5;
  for (const double wrong : {1.0, 1.3, 0.75}) {
    std::vector<SquareCorners> squares;
    for (int i = 0; i < 60; ++i) {
      const double tilt = random.uniform(0.3, 1.0), direction = random.uniform(0, 6.28);
      SquareCorners corners =
          exact_corners(marker_pose(tilt, direction, 0.0, {0.03, 0.02, 0.25}), size, sigma);
      for (int k = 0; k < 8; ++k) corners.normalised(k % 2, k / 2) += sigma * random.normal();
      corners.normalised /= wrong;  // made with a focal length `wrong` times the real one
      squares.push_back(corners);
    }
    const FocalCheck check = check_focal_length(squares, size);
    EXPECT_EQ(check.contradicts(), wrong != 1.0) << wrong;
    EXPECT_NEAR(check.best_scale, 1 / wrong, 0.02 / wrong);
  }
}

struct Shot {
  math::Pose X_CM;
  GreyImage image;
};

std::vector<Shot> shoot(const VirtualCamera& eye, int frames, double spin_rate = 0.05) {
  const MarkedObject marked = one_plate();
  std::vector<Shot> shots;
  for (int i = 0; i < frames; ++i) {
    const math::Pose X_CM = marker_pose(0.9 * std::sin(0.25 * i), 0.4, spin_rate * i, {0.03, -0.02, 0.28});
    shots.push_back({X_CM, eye.picture(marked, {X_CM * marked.markers[0].X_PM.inverse()}, i)});
  }
  return shots;
}

MarkerTrackOptions two_inches() {
  MarkerTrackOptions options;
  options.marker_size = 0.05;
  return options;
}

TEST(MarkerTracks, PosesAreAsGoodAsTheyClaim) {
  double last = 0;
  for (const double noise : {1.0, 6.0}) {
    VirtualCameraOptions shutter;
    shutter.read_noise = noise;
    shutter.seed = 7;
    const VirtualCamera eye(small_camera(), shutter);
    MarkerTracker tracker(small_camera(), two_inches());
    const std::vector<Shot> shots = shoot(eye, 25);
    for (std::size_t i = 0; i < shots.size(); ++i) tracker.add(shots[i].image, static_cast<double>(i) / 30);
    const MarkerTracks tracks = tracker.finish();
    ASSERT_EQ(tracks.status, TrackStatus::ok) << tracks.brief_report();
    ASSERT_EQ(tracks.poses.size(), shots.size());
    double angle2 = 0, position2 = 0, consistency = 0;
    for (const MarkerPose& pose : tracks.poses) {
      const math::Vector6d e =
          math::log_se3(shots[static_cast<std::size_t>(pose.frame)].X_CM.inverse() * pose.X_CM);
      EXPECT_LT(e.head<3>().norm(), 0.2) << "a flip in frame " << pose.frame;
      angle2 += e.head<3>().squaredNorm() / 25;
      position2 += e.tail<3>().squaredNorm() / 25;
      consistency += e.dot(pose.covariance.ldlt().solve(e)) / 25;
    }
    std::printf(
        "read noise %.0f: angle %.2f deg, position %.2f mm, normalised error %.1f of 6, corners %.3f px\n",
        noise, std::sqrt(angle2) * 180 / M_PI, 1e3 * std::sqrt(position2), consistency,
        tracks.median_reprojection);
    EXPECT_LT(std::sqrt(angle2), noise < 3 ? 0.004 : 0.008);
    EXPECT_LT(std::sqrt(position2), noise < 3 ? 0.2e-3 : 0.4e-3);
    EXPECT_LT(consistency, 10.0);
    EXPECT_GT(consistency, 1.5);
    EXPECT_GT(angle2, last);
    last = angle2;
    EXPECT_EQ(tracks.log.parts, std::vector<std::string>{"marker_0"});
    EXPECT_EQ(tracks.log.rows.size(), shots.size());
  }
}

TEST(MarkerTracks, AprilTagsAreFound) {
  for (const std::string& family : {"apriltag_16h5", "apriltag_25h9", "apriltag_36h10", "apriltag_36h11"}) {
    MarkingOptions marking;
    marking.dictionary = family;
    const MarkedObject marked = mark_object(one_plate().object, marking);
    const VirtualCamera eye(small_camera(), {});
    MarkerTrackOptions options = two_inches();
    options.detection.dictionary = family;
    MarkerTracker tracker(small_camera(), options);
    std::vector<math::Pose> truth;
    for (int i = 0; i < 5; ++i) {
      truth.push_back(marker_pose(0.5 + 0.05 * i, 0.4, 0.05 * i, {0.03, -0.02, 0.28}));
      tracker.add(eye.picture(marked, {truth.back() * marked.markers[0].X_PM.inverse()}, i), i / 30.0);
    }
    const MarkerTracks tracks = tracker.finish();
    ASSERT_EQ(tracks.poses.size(), truth.size()) << family << "\n" << tracks.brief_report();
    for (const MarkerPose& pose : tracks.poses) {
      const math::Vector6d e =
          math::log_se3(truth[static_cast<std::size_t>(pose.frame)].inverse() * pose.X_CM);
      EXPECT_LT(e.head<3>().norm(), 0.03) << family;
      EXPECT_LT(e.tail<3>().norm(), 1e-3) << family;
    }
  }
}

TEST(MarkerTracks, AFilmWithoutMarkersIsNamed) {
  MarkerTracker tracker(small_camera(), two_inches());
  GreyImage grey{320, 240, std::vector<std::uint8_t>(320 * 240, 120)};
  for (int i = 0; i < 3; ++i) tracker.add(grey, 0.1 * i);
  const MarkerTracks tracks = tracker.finish();
  EXPECT_EQ(tracks.status, TrackStatus::no_markers);
  ASSERT_EQ(tracks.problems.size(), 1u);
  EXPECT_NE(tracks.problems[0].find("no marker of dictionary 5x5_100 was found in 3 pictures"),
            std::string::npos);
}

TEST(MarkerTracks, AWrongCalibrationIsNamed) {
  const VirtualCamera eye(small_camera());
  model::CameraModel wrong = small_camera();
  wrong.fx *= 1.4;
  wrong.fy *= 1.4;
  MarkerTracker tracker(wrong, two_inches());
  const std::vector<Shot> shots = shoot(eye, 25);
  for (std::size_t i = 0; i < shots.size(); ++i) tracker.add(shots[i].image, static_cast<double>(i) / 30);
  const MarkerTracks tracks = tracker.finish();
  EXPECT_EQ(tracks.status, TrackStatus::wrong_calibration) << tracks.brief_report();
  EXPECT_NEAR(tracks.focal_scale, 1 / 1.4, 0.06);
  ASSERT_FALSE(tracks.problems.empty());
  EXPECT_NE(tracks.problems[0].find("times the calibration's"), std::string::npos);
}

TEST(MarkerTracks, SizesAndTimesMustFit) {
  namespace fs = std::filesystem;
  const std::string folder = ::testing::TempDir() + "/prehend_tracks_test";
  fs::remove_all(folder);
  FilmWriter writer(folder, 0.1);
  for (const Shot& shot : shoot(VirtualCamera(small_camera()), 4)) writer.add(shot.image);
  writer.finish();
  model::CameraModel other = small_camera();
  other.width = 640;
  try {
    track_markers(folder, other, two_inches(), "cam.yaml");
    ADD_FAILURE() << "not refused";
  } catch (const model::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cam.yaml: error: was made for pictures of 640 x 240"),
              std::string::npos)
        << error.what();
  }
  const MarkerTracks tracks = track_markers(folder, small_camera(), two_inches());
  EXPECT_EQ(tracks.frames, 4);
  EXPECT_EQ(tracks.poses.size(), 4u);
  EXPECT_THROW(track_markers(folder, small_camera(), MarkerTrackOptions{}), std::invalid_argument);
  fs::remove_all(folder);
}

TEST(MarkerTracks, SmoothingHelpsAndKeepsTime) {
  VirtualCameraOptions shutter;
  shutter.read_noise = 6;
  const VirtualCamera eye(small_camera(), shutter);
  const std::vector<Shot> shots = shoot(eye, 25, 0.0);
  double errors[2];
  for (const bool smooth : {false, true}) {
    MarkerTrackOptions options = two_inches();
    options.smooth = smooth;
    MarkerTracker tracker(small_camera(), options);
    for (std::size_t i = 0; i < shots.size(); ++i) tracker.add(shots[i].image, static_cast<double>(i) / 30);
    double sum = 0;
    for (const MarkerPose& pose : tracker.finish().poses)
      sum +=
          math::log_se3(shots[static_cast<std::size_t>(pose.frame)].X_CM.inverse() * pose.X_CM).squaredNorm();
    errors[smooth] = sum;
  }
  EXPECT_LT(errors[1], errors[0]);
}

}  // namespace
}  // namespace prehend::articulation
