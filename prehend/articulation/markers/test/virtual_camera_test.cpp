#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <opencv2/calib3d.hpp>

#include <prehend/articulation/markers/detection/frame_files.h>
#include <prehend/articulation/markers/detection/marker_detection.h>
#include <prehend/articulation/markers/detection/marker_pattern.h>
#include <prehend/articulation/markers/virtual_camera.h>
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

VirtualCameraOptions clean() {
  VirtualCameraOptions options;
  options.read_noise = options.shot_noise = 0;
  return options;
}

MarkedObject one_plate() {
  SimulatedObject object;
  object.name = "plate";
  object.parts = {{"plate", {0.12, 0.01, 0.12}}};
  return mark_object(object);
}

// The plate so that its marker has this pose.
std::vector<math::Pose> plate_at(const MarkedObject& marked, const math::Pose& X_CM) {
  return {X_CM * marked.markers[0].X_PM.inverse()};
}

// Facing the camera (turned by pi about x), tilted by `tilt` about an axis in the plane, and turned in the plane.
math::Pose marker_pose(double tilt, double direction, double spin, const Eigen::Vector3d& p) {
  const Eigen::Quaterniond facing(Eigen::AngleAxisd(M_PI, Eigen::Vector3d::UnitX()));
  const Eigen::Vector3d axis(std::cos(direction), std::sin(direction), 0);
  return math::Pose((math::exp_so3(tilt * axis) * facing * math::exp_so3({0, 0, spin})).normalized(), p);
}

std::vector<cv::Point2d> opencv_corners(const model::CameraModel& camera, const math::Pose& X_CM,
                                        double size) {
  std::vector<cv::Point3d> points;
  for (const Eigen::Vector3d& p : marker_corners(size)) points.emplace_back(p.x(), p.y(), p.z());
  const Eigen::Vector3d w = math::log_so3(X_CM.q()), p = X_CM.p();
  const cv::Matx33d K(camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1);
  const std::vector<double> lens(camera.distortion.data(), camera.distortion.data() + 5);
  std::vector<cv::Point2d> seen;
  cv::projectPoints(points, cv::Vec3d(w.x(), w.y(), w.z()), cv::Vec3d(p.x(), p.y(), p.z()), K, lens, seen);
  return seen;
}

// What is drawn is where OpenCV projects it, and is found there again to a small part of a pixel.
TEST(VirtualCamera, CornersAreWhereOpenCvProjectsThem) {
  const model::CameraModel camera = small_camera();
  const VirtualCamera eye(camera, clean());
  const MarkedObject marked = one_plate();
  math::RandomStream random(3);
  double worst = 0, sum = 0;
  int count = 0;
  for (int i = 0; i < 12; ++i) {
    const double tilt = random.uniform(0, 1.0), direction = random.uniform(0, 6.28),
                 spin = random.uniform(0, 6.28);
    const Eigen::Vector3d p(random.uniform(-0.08, 0.08), random.uniform(-0.05, 0.05),
                            random.uniform(0.25, 0.35));
    const math::Pose X_CM = marker_pose(tilt, direction, spin, p);
    const auto found = detect_markers(eye.picture(marked, plate_at(marked, X_CM)), camera);
    ASSERT_EQ(found.size(), 1u) << "tilt " << tilt;
    EXPECT_EQ(found[0].id, 0);
    EXPECT_TRUE(found[0].from_edges);
    const auto seen = opencv_corners(camera, X_CM, marked.options.size);
    for (int k = 0; k < 4; ++k) {
      const Eigen::Vector2d d =
          found[0].corners.col(k) -
          Eigen::Vector2d(seen[static_cast<std::size_t>(k)].x, seen[static_cast<std::size_t>(k)].y);
      worst = std::max(worst, d.norm());
      sum += d.squaredNorm();
      ++count;
    }
  }
  EXPECT_LT(worst, 0.10);
  EXPECT_LT(std::sqrt(sum / count), 0.04);
}

// Motion blur is symmetric about the middle of the exposure: a blurred edge stays where it is at that instant.
TEST(VirtualCamera, BlurIsCentredOnTheExposure) {
  const model::CameraModel camera = small_camera();
  const VirtualCamera eye(camera, clean());
  const MarkedObject marked = one_plate();
  const math::Pose X_CM = marker_pose(0.2, 0.4, 0.1, {0, 0, 0.3});
  const auto moving = [&](double u) {  // 4 px during the exposure
    return plate_at(marked, math::Pose::translation({0.004 * u, 0, 0}) * X_CM);
  };
  const auto found = detect_markers(eye.picture(marked, moving, 0), camera);
  ASSERT_EQ(found.size(), 1u);
  const auto seen = opencv_corners(camera, X_CM, marked.options.size);
  for (int k = 0; k < 4; ++k)
    EXPECT_LT((found[0].corners.col(k) -
               Eigen::Vector2d(seen[static_cast<std::size_t>(k)].x, seen[static_cast<std::size_t>(k)].y))
                  .norm(),
              0.15);
  EXPECT_NE(eye.picture(marked, moving, 0).pixels, eye.picture(marked, moving(0.0)).pixels);
}

TEST(VirtualCamera, NearPartsHideFarOnes) {
  SimulatedObject object;
  object.parts = {{"far", {0.1, 0.01, 0.1}}, {"near", {0.2, 0.01, 0.2}}};
  SimulatedJoint joint;
  joint.joint.parent = model::BodyIndex(0);
  joint.joint.child = model::BodyIndex(1);
  object.joints = {joint};
  const MarkedObject marked = mark_object(object);
  const VirtualCamera eye(small_camera(), clean());
  const math::Pose X_CP(Eigen::Quaterniond(Eigen::AngleAxisd(M_PI / 2, Eigen::Vector3d::UnitX())),
                        {0, 0, 0.4});
  const auto at = [&](double z) { return math::Pose(X_CP.q(), {0, 0, z}); };
  const auto hidden = detect_markers(eye.picture(marked, {at(0.4), at(0.3)}), small_camera());
  ASSERT_EQ(hidden.size(), 1u);
  EXPECT_EQ(hidden[0].id, 1);
  const auto shown = detect_markers(eye.picture(marked, {at(0.3), at(0.4)}), small_camera());
  ASSERT_GE(shown.size(), 1u);
  EXPECT_EQ(shown[0].id, 0);
}

TEST(VirtualCamera, NoiseIsThatOfTheOptions) {
  VirtualCameraOptions options = clean();
  options.read_noise = 3;
  options.light_gradient = 0;
  const VirtualCamera eye(small_camera(), options);
  const MarkedObject marked = one_plate();
  const auto behind = plate_at(marked, marker_pose(0, 0, 0, {0, 0, -1}));  // nothing to see
  const GreyImage image = eye.picture(marked, behind, 5);
  double sum = 0, squares = 0;
  for (const std::uint8_t level : image.pixels) sum += level, squares += static_cast<double>(level) * level;
  const double n = static_cast<double>(image.pixels.size()), mean = sum / n;
  EXPECT_NEAR(squares / n - mean * mean, 9 + 1.0 / 12, 0.2);
  EXPECT_EQ(image.pixels, eye.picture(marked, behind, 5).pixels);
  EXPECT_NE(image.pixels, eye.picture(marked, behind, 6).pixels);
}

TEST(VirtualCamera, LooksAt) {
  const math::Pose X_CW = look_at({1, -2, 0.5}, {0, 0, 0});
  EXPECT_LT((X_CW * Eigen::Vector3d(0, 0, 0) - Eigen::Vector3d(0, 0, std::sqrt(5.25))).norm(), 1e-12);
  EXPECT_LT((X_CW * Eigen::Vector3d(0, 0, 0.1)).y(), 0);  // up is up: y of the camera points down
  EXPECT_THROW(look_at({0, 0, 1}, {0, 0, 0}), std::invalid_argument);
}

TEST(VirtualCamera, FilmsAreWrittenAndReadBack) {
  namespace fs = std::filesystem;
  const std::string folder = ::testing::TempDir() + "/prehend_film_test";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const VirtualCamera eye(small_camera());
  const MarkedObject marked = one_plate();
  std::vector<GreyImage> images;
  for (int i = 0; i < 3; ++i)
    images.push_back(eye.picture(marked, plate_at(marked, marker_pose(0.1 * i, 0, 0, {0, 0, 0.3})), i));
  for (const std::string name : {"/frames", "/film.avi"}) {
    FilmWriter writer(folder + name, 0.1);
    for (const GreyImage& image : images) writer.add(image);
    EXPECT_FALSE(fs::exists(folder + "/film.avi"));
    writer.finish();
    EXPECT_TRUE(fs::exists(folder + name));
    const auto frames = open_frames(folder + name, 0.1);
    GreyImage image;
    double t = -1;
    int count = 0;
    while (frames->next(image, t)) {
      ASSERT_LT(count, 3);
      EXPECT_NEAR(t, 0.1 * count, 1e-6);
      ASSERT_EQ(image.pixels.size(), images[0].pixels.size());
      double worst = 0;
      for (std::size_t k = 0; k < image.pixels.size(); ++k)
        worst = std::max(
            worst, std::abs(double(image.pixels[k]) - images[static_cast<std::size_t>(count)].pixels[k]));
      EXPECT_LE(worst, name == "/frames" ? 0 : 40);
      ++count;
    }
    EXPECT_EQ(count, 3);
    fs::remove_all(folder + name);
  }
  fs::remove_all(folder);
}

TEST(VirtualCamera, UnreadableFilmsAreNamed) {
  namespace fs = std::filesystem;
  const std::string folder = ::testing::TempDir() + "/prehend_bad_film_test";
  fs::create_directories(folder + "/empty");
  const auto refused = [](const std::string& path) -> std::string {
    try {
      GreyImage image;
      double t;
      open_frames(path)->next(image, t);
      return "";
    } catch (const model::InputError& error) {
      return error.message();
    }
  };
  EXPECT_EQ(refused(folder + "/none.avi"), "no such file or folder");
  EXPECT_NE(refused(folder + "/empty").find("has no images"), std::string::npos);
  std::FILE* file = std::fopen((folder + "/text.avi").c_str(), "w");
  std::fputs("this is not a film", file);
  std::fclose(file);
  EXPECT_NE(refused(folder + "/text.avi").find("cannot be read as a video"), std::string::npos);
  file = std::fopen((folder + "/text.png").c_str(), "w");
  std::fputs("this is not a picture", file);
  std::fclose(file);
  EXPECT_EQ(refused(folder + "/text.png"), "cannot be read as an image");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace prehend::articulation
