#include <stdexcept>
#include <utility>

#include <opencv2/aruco.hpp>

#include <prehend/articulation/markers/detection/marker_pattern.h>
#include <prehend/articulation/markers/detection/opencv_dictionary.h>

namespace prehend::articulation {
namespace {

const std::vector<std::pair<std::string, int>>& dictionaries() {
  static const std::vector<std::pair<std::string, int>> all = {
      {"4x4_50", cv::aruco::DICT_4X4_50},
      {"4x4_100", cv::aruco::DICT_4X4_100},
      {"4x4_250", cv::aruco::DICT_4X4_250},
      {"4x4_1000", cv::aruco::DICT_4X4_1000},
      {"5x5_50", cv::aruco::DICT_5X5_50},
      {"5x5_100", cv::aruco::DICT_5X5_100},
      {"5x5_250", cv::aruco::DICT_5X5_250},
      {"5x5_1000", cv::aruco::DICT_5X5_1000},
      {"6x6_50", cv::aruco::DICT_6X6_50},
      {"6x6_100", cv::aruco::DICT_6X6_100},
      {"6x6_250", cv::aruco::DICT_6X6_250},
      {"6x6_1000", cv::aruco::DICT_6X6_1000},
      {"7x7_50", cv::aruco::DICT_7X7_50},
      {"7x7_100", cv::aruco::DICT_7X7_100},
      {"7x7_250", cv::aruco::DICT_7X7_250},
      {"7x7_1000", cv::aruco::DICT_7X7_1000},
      {"original", cv::aruco::DICT_ARUCO_ORIGINAL},
      {"apriltag_16h5", cv::aruco::DICT_APRILTAG_16h5},
      {"apriltag_25h9", cv::aruco::DICT_APRILTAG_25h9},
      {"apriltag_36h10", cv::aruco::DICT_APRILTAG_36h10},
      {"apriltag_36h11", cv::aruco::DICT_APRILTAG_36h11}};
  return all;
}

}  // namespace

int opencv_dictionary(const std::string& name) {
  std::string names;
  for (const auto& [known, number] : dictionaries()) {
    if (known == name) return number;
    names += (names.empty() ? "" : ", ") + known;
  }
  throw std::invalid_argument("no marker dictionary is called '" + name + "'; there are: " + names);
}

void require_dictionary(const std::string& name) { opencv_dictionary(name); }

int dictionary_size(const std::string& dictionary) {
  return cv::aruco::getPredefinedDictionary(opencv_dictionary(dictionary))->bytesList.rows;
}

MarkerPattern marker_pattern(const std::string& dictionary, int id) {
  const cv::Ptr<cv::aruco::Dictionary> known =
      cv::aruco::getPredefinedDictionary(opencv_dictionary(dictionary));
  if (id < 0 || id >= known->bytesList.rows) {
    throw std::invalid_argument("marker " + std::to_string(id) + " is not in dictionary " + dictionary +
                                ", which ends at " + std::to_string(known->bytesList.rows - 1));
  }
  MarkerPattern pattern;
  pattern.cells = known->markerSize + 2;
  cv::Mat image;
  cv::aruco::drawMarker(known, id, pattern.cells, image);  // one pixel per cell
  for (int row = 0; row < pattern.cells; ++row)
    for (int column = 0; column < pattern.cells; ++column)
      pattern.white.push_back(image.at<std::uint8_t>(row, column) > 127);
  return pattern;
}

std::array<Eigen::Vector3d, 4> marker_corners(double size) {
  const double h = 0.5 * size;
  return {Eigen::Vector3d(-h, h, 0), Eigen::Vector3d(h, h, 0), Eigen::Vector3d(h, -h, 0),
          Eigen::Vector3d(-h, -h, 0)};
}

}  // namespace prehend::articulation
