#include <algorithm>
#include <map>

#include <opencv2/aruco.hpp>

#include <prehend/articulation/markers/detection/marker_detection.h>
#include <prehend/articulation/markers/detection/marker_edges.h>
#include <prehend/articulation/markers/detection/marker_pattern.h>
#include <prehend/articulation/markers/detection/opencv_dictionary.h>

namespace prehend::articulation {
namespace {

// One marker may be found twice, by contours at two thresholds: same number, centres within a fourth of a side. The longer contour stays.
void merge_contours_of_one(std::vector<std::vector<cv::Point2f>>& corners, std::vector<int>& ids) {
  const auto centre = [](const std::vector<cv::Point2f>& c) { return 0.25f * (c[0] + c[1] + c[2] + c[3]); };
  const auto length = [](const std::vector<cv::Point2f>& c) {
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) sum += cv::norm(c[k] - c[(k + 1) % 4]);
    return sum;
  };
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (std::size_t j = ids.size() - 1; j > i; --j) {
      if (ids[i] != ids[j]) continue;
      const double side = 0.25 * std::max(length(corners[i]), length(corners[j]));
      if (cv::norm(centre(corners[i]) - centre(corners[j])) > 0.25 * side) continue;
      if (length(corners[j]) > length(corners[i])) std::swap(corners[i], corners[j]);
      corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(j));
      ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(j));
    }
}

}  // namespace

std::vector<MarkerDetection> detect_markers(const GreyImage& image, const model::CameraModel& camera,
                                            const DetectionOptions& options) {
  const cv::Mat view(image.height, image.width, CV_8UC1, const_cast<std::uint8_t*>(image.pixels.data()));
  const cv::Ptr<cv::aruco::Dictionary> dictionary =
      cv::aruco::getPredefinedDictionary(opencv_dictionary(options.dictionary));
  const cv::Ptr<cv::aruco::DetectorParameters> parameters = cv::aruco::DetectorParameters::create();
  // OpenCV's own refinement may run off by two pixels; edges are measured from the plain corners.
  parameters->cornerRefinementMethod =
      options.edges ? cv::aruco::CORNER_REFINE_NONE : cv::aruco::CORNER_REFINE_SUBPIX;
  // Squares nearer to each other than this share of their perimeter are one to OpenCV, which keeps the larger: with 0.05 that is the white margin about a
  // marker, one of eight cells and less of it, and the marker is lost. Its own contours at several thresholds lie within two pixels.
  parameters->minMarkerDistanceRate = 0.02;
  std::vector<std::vector<cv::Point2f>> corners;
  std::vector<int> ids;
  cv::aruco::detectMarkers(view, dictionary, corners, ids, parameters);

  merge_contours_of_one(corners, ids);
  std::map<int, int> seen;
  for (const int id : ids) ++seen[id];
  std::vector<MarkerDetection> detections;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (seen[ids[i]] > 1) continue;
    MarkerDetection detection;
    detection.id = ids[i];
    bool has_rays = true;
    for (int k = 0; k < 4; ++k) {
      const cv::Point2f& c = corners[i][static_cast<std::size_t>(k)];
      detection.corners.col(k) = Eigen::Vector2d(c.x, c.y);
      const std::optional<Eigen::Vector2d> ray = camera.ray(detection.corners.col(k));
      has_rays = has_rays && ray.has_value();
      if (ray) detection.square.normalised.col(k) = *ray;
    }
    if (!has_rays) continue;
    const EdgeOptions edges{dictionary->markerSize + 2, options.edge_floor, options.min_contrast};
    const std::optional<EdgeFit> fit =
        options.edges ? fit_marker_edges(image, camera, detection.corners, edges) : std::nullopt;
    if (fit) {
      detection.corners = fit->corners;
      detection.square = fit->square;
      detection.edge_rms = fit->rms;
      detection.from_edges = true;
    } else {
      detection.square.covariance = CornerCovariance::Identity() * 0.25 / (camera.fx * camera.fy);
    }
    detections.push_back(detection);
  }
  std::sort(detections.begin(), detections.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return detections;
}

}  // namespace prehend::articulation
