#include <filesystem>

#include <gtest/gtest.h>
#include <opencv2/calib3d.hpp>
#include <opencv2/core.hpp>

#include <prehend/math/random.h>
#include <prehend/model/camera.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>

namespace prehend::articulation {
namespace {

model::CameraModel webcam() {
  model::CameraModel camera;
  camera.fx = 612.5, camera.fy = 608.25, camera.cx = 322.75, camera.cy = 236.5;
  camera.distortion << 0.11, -0.21, 1.3e-3, -0.9e-3, 0.05;
  return camera;
}

TEST(Camera, ProjectsAsOpenCv) {
  const model::CameraModel camera = webcam();
  math::RandomStream random(1);
  std::vector<cv::Point3d> points;
  for (int i = 0; i < 200; ++i) {
    const double z = random.uniform(0.1, 5);
    const double x = random.uniform(-0.5, 0.5), y = random.uniform(-0.4, 0.4);
    points.emplace_back(z * x, z * y, z);
  }
  const cv::Matx33d K(camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1);
  const std::vector<double> lens(camera.distortion.data(), camera.distortion.data() + 5);
  std::vector<cv::Point2d> seen;
  cv::projectPoints(points, cv::Vec3d(0, 0, 0), cv::Vec3d(0, 0, 0), K, lens, seen);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Eigen::Vector2d own = camera.project({points[i].x, points[i].y, points[i].z});
    EXPECT_NEAR(own.x(), seen[i].x, 1e-9);
    EXPECT_NEAR(own.y(), seen[i].y, 1e-9);
    const auto ray = camera.ray(own);
    ASSERT_TRUE(ray);
    EXPECT_NEAR(ray->x(), points[i].x / points[i].z, 1e-11);
    EXPECT_NEAR(ray->y(), points[i].y / points[i].z, 1e-11);
  }
}

TEST(Camera, SaysWhereTheLensFolds) {
  model::CameraModel camera;
  camera.distortion << -0.5, 0, 0, 0, 0;  // turns back at r = 0.816, where it reaches 0.544
  EXPECT_TRUE(camera.undistort({0.5, 0.0}));
  EXPECT_FALSE(camera.undistort({0.6, 0.0}));
}

TEST(Camera, CalibrationFilesAreOpenCvs) {
  const model::CameraModel camera = webcam();
  const std::string path = ::testing::TempDir() + "/calibration_test.yaml";
  model::write_calibration(path, camera);
  {
    cv::FileStorage file(path, cv::FileStorage::READ);
    cv::Mat K, lens;
    file["camera_matrix"] >> K;
    file["distortion_coefficients"] >> lens;
    EXPECT_EQ(static_cast<int>(file["image_width"]), 640);
    EXPECT_EQ(K.at<double>(0, 0), camera.fx);
    EXPECT_EQ(K.at<double>(1, 2), camera.cy);
    EXPECT_EQ(lens.at<double>(4), 0.05);
  }
  {
    cv::FileStorage file(path, cv::FileStorage::WRITE);
    file << "calibration_time" << "Sun Nov 15 2026" << "image_width" << 640 << "image_height" << 480;
    file << "camera_matrix"
         << cv::Mat(cv::Matx33d(camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1));
    file << "distortion_coefficients" << (cv::Mat_<double>(1, 5) << 0.11, -0.21, 1.3e-3, -0.9e-3, 0.05);
  }
  const model::CameraModel back = model::read_calibration(path);
  EXPECT_EQ(back.fy, camera.fy);
  EXPECT_EQ(back.distortion, camera.distortion);
  std::filesystem::remove(path);
}

TEST(Camera, ThePlainForm) {
  const model::CameraModel camera = model::parse_calibration(
      "width: 320\nheight: 240\nfx: 300\nfy: 301\ncx: 160\ncy: 120\ndistortion: [0.1, 0.2, 0, 0]\n", "plain");
  EXPECT_EQ(camera.width, 320);
  EXPECT_EQ(camera.fy, 301);
  EXPECT_EQ(camera.distortion[1], 0.2);
  EXPECT_EQ(camera.distortion[4], 0.0);
}

void expect_refused(const std::string& text, const std::string& message) {
  try {
    model::parse_calibration(text, "c.yaml");
    ADD_FAILURE() << "not refused: " << text;
  } catch (const model::InputError& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(Camera, BadCalibrationsAreNamed) {
  const std::string size = "width: 320\nheight: 240\n", focal = "fx: 300\nfy: 301\ncx: 160\ncy: 120\n";
  expect_refused("just text", "not a camera calibration");
  expect_refused("a: [1, 2", "not readable as YAML");
  expect_refused(focal, "no image_width");
  expect_refused(size + "fx: 300\n", "no fy");
  expect_refused(size + "fx: .nan\nfy: 1\ncx: 1\ncy: 1\n",
                 "c.yaml:3: error: camera_matrix or fx is not a finite number");
  expect_refused(size + "fx: -300\nfy: 301\ncx: 160\ncy: 120\n", "fx is -300, must be above 0");
  expect_refused(size + "fx: 300\nfy: 301\ncx: 500\ncy: 120\n", "cx is 500, must lie inside the picture");
  expect_refused(size + "camera_matrix: [1, 2, 3]\n",
                 "c.yaml:3: error: camera_matrix has 3 numbers, must have 9");
  expect_refused(size + "camera_matrix: [300, 1, 160, 0, 300, 120, 0, 0, 1]\n", "must read fx 0 cx");
  expect_refused(size + focal + "distortion: [0, 0, 0, 0, 0, 0.3, 0, 0]\n", "the lens model here has five");
  expect_refused("width: 320.5\nheight: 240\n" + focal, "must be a whole number of pixels");
}

}  // namespace
}  // namespace prehend::articulation
