#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include <prehend/articulation/markers/detection/flip_choice.h>
#include <prehend/articulation/markers/detection/focal_check.h>
#include <prehend/articulation/markers/detection/frame_files.h>
#include <prehend/articulation/markers/detection/marker_detection.h>
#include <prehend/articulation/markers/detection/marker_pattern.h>
#include <prehend/articulation/markers/marker_tracks.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/math/se3.h>
#include <prehend/model/input_error.h>

namespace prehend::articulation {
namespace {

constexpr double kDoubtful = 3.0;  // [nats] 20 to 1

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

double reprojection(const model::CameraModel& camera, const MarkerDetection& detection,
                    const math::Pose& X_CM, double size) {
  const auto corners = marker_corners(size);
  double sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += (camera.project(X_CM * corners[static_cast<std::size_t>(k)]) - detection.corners.col(k))
               .squaredNorm();
  return std::sqrt(sum / 4);
}

void judge_calibration(const std::vector<SquareCorners>& squares, const MarkerTrackOptions& options,
                       MarkerTracks& tracks) {
  const FocalCheck check = check_focal_length(squares, options.marker_size);
  if (check.gain > 36.0) tracks.focal_scale = check.best_scale;
  if (check.contradicts()) {
    tracks.status = TrackStatus::wrong_calibration;
    tracks.problems.push_back(
        "the perspective of the markers fits a focal length of " + math::number_text(check.best_scale, 3) +
        " times the calibration's: is it the calibration of this camera, at this zoom?");
  }
  if (tracks.median_reprojection > options.max_reprojection) {
    tracks.status = TrackStatus::wrong_calibration;
    tracks.problems.push_back("corners of the markers lie " +
                              math::number_text(tracks.median_reprojection, 3) +
                              " px (median) from where any pose puts them, more than " +
                              math::number_text(options.max_reprojection) +
                              ": the calibration or the pictures are not as they should be");
  }
}

// A marker in one picture.
struct Sighting {
  int frame;
  double t;  // [s]
  MarkerDetection detection;
  std::vector<SquarePose> candidates;
};

void add_track(int id, const std::vector<Sighting>& sightings, const model::CameraModel& camera,
               const MarkerTrackOptions& options, MarkerTracks& tracks) {
  std::vector<PoseCandidates> candidates;
  for (const Sighting& sighting : sightings) candidates.push_back({sighting.t, sighting.candidates});
  std::vector<FlipChoice> choices = choose_flips(candidates, options.flips);
  if (!options.choose_over_time) {
    for (FlipChoice& choice : choices) choice.candidate = 0;
  }
  std::vector<double> misfits;
  for (std::size_t k = 0; k < choices.size(); ++k)
    misfits.push_back(candidates[k].poses[static_cast<std::size_t>(choices[k].candidate)].chi2);
  // Where corners scatter more than their edges tell, covariances grow with it (2 ln 2: the median of two squared normals).
  const double growth = std::max(1.0, median(misfits) / (2 * std::log(2.0)));
  std::vector<PoseSample> samples;
  for (std::size_t k = 0; k < choices.size(); ++k) {
    const std::size_t chosen = static_cast<std::size_t>(choices[k].candidate);
    const SquarePose& pose = candidates[k].poses[chosen];
    // A picture whose corners fit no pose well (blurred, partly covered) has a worse pose than its edges tell.
    samples.push_back({sightings[k].t, pose.X_CM, std::max(growth, 0.5 * pose.chi2) * pose.covariance});
    // A flip that stays open: second moment of the two poses about the chosen one, by their odds.
    if (candidates[k].poses.size() < 2) continue;
    const math::Vector6d to_other = math::log_se3(pose.X_CM.inverse() * candidates[k].poses[1 - chosen].X_CM);
    samples.back().covariance += to_other * to_other.transpose() / (1 + std::exp(choices[k].margin));
  }
  const std::vector<PoseSample> result = options.smooth ? smooth_poses(samples, options.smoother) : samples;
  for (std::size_t k = 0; k < result.size(); ++k) {
    MarkerPose pose;
    pose.frame = sightings[k].frame;
    pose.t = result[k].t;
    pose.id = id;
    pose.X_CM = result[k].X;
    pose.covariance = result[k].covariance;
    pose.reprojection = reprojection(camera, sightings[k].detection, samples[k].X, options.marker_size);
    pose.flip_margin = choices[k].margin;
    pose.from_edges = sightings[k].detection.from_edges;
    tracks.doubtful_flips += choices[k].margin < kDoubtful;
    tracks.poses.push_back(pose);
  }
}

// Rows of the log by time, a part for each marker.
void fill_log(MarkerTracks& tracks) {
  tracks.log.columns = {"t", "part", "x", "y", "z", "qw", "qx", "qy", "qz"};
  for (const MarkerPose& pose : tracks.poses) {
    const std::string name = "marker_" + std::to_string(pose.id);
    std::optional<int> part = tracks.log.find_part(name);
    if (!part) {
      part = static_cast<int>(tracks.log.parts.size());
      tracks.log.parts.push_back(name);
    }
    tracks.log.rows.push_back({pose.t, *part, pose.X_CM.p(), pose.X_CM.q(), 0});
    tracks.log.covariances.push_back(pose.covariance);
  }
}

}  // namespace

const char* to_string(TrackStatus status) { return enum_text(status); }

struct MarkerTracker::Sightings {
  model::CameraModel camera;
  MarkerTrackOptions options;
  int frames{0}, frames_with_markers{0};
  double last_t{0};
  std::vector<std::pair<int, std::vector<Sighting>>> of_marker;  // in order of number
};

MarkerTracker::MarkerTracker(const model::CameraModel& camera, const MarkerTrackOptions& options)
    : sightings_(std::make_unique<Sightings>(Sightings{camera, options, 0, 0, 0.0, {}})) {
  camera.validate();
  options.validate();
}
MarkerTracker::~MarkerTracker() = default;

void MarkerTracker::add(const GreyImage& image, double t) {
  Sightings& seen = *sightings_;
  if (image.width != seen.camera.width || image.height != seen.camera.height)
    throw std::invalid_argument("the picture has another size than the camera's");
  if (seen.frames > 0 && !(t > seen.last_t))
    throw std::invalid_argument("the times of pictures must increase");
  seen.last_t = t;
  bool any = false;
  for (MarkerDetection& detection : detect_markers(image, seen.camera, seen.options.detection)) {
    std::vector<SquarePose> candidates = square_poses(detection.square, seen.options.marker_size);
    if (candidates.empty()) continue;
    any = true;
    const int id = detection.id;
    auto track = std::lower_bound(seen.of_marker.begin(), seen.of_marker.end(), id,
                                  [](const auto& a, int b) { return a.first < b; });
    if (track == seen.of_marker.end() || track->first != id) track = seen.of_marker.insert(track, {id, {}});
    track->second.push_back({seen.frames, t, std::move(detection), std::move(candidates)});
  }
  seen.frames_with_markers += any;
  ++seen.frames;
}

MarkerTracks MarkerTracker::finish() {
  const Sightings& seen = *sightings_;
  MarkerTracks tracks;
  tracks.frames = seen.frames;
  tracks.frames_with_markers = seen.frames_with_markers;
  std::vector<SquareCorners> squares;
  for (const auto& [id, sightings] : seen.of_marker) {
    if (static_cast<int>(sightings.size()) < seen.options.min_sightings) {
      tracks.notes.push_back("marker " + std::to_string(id) + " was seen in " +
                             std::to_string(sightings.size()) + " pictures only and is left out");
      continue;
    }
    for (const Sighting& sighting : sightings)
      if (sighting.detection.from_edges) squares.push_back(sighting.detection.square);
    add_track(id, sightings, seen.camera, seen.options, tracks);
  }
  std::stable_sort(tracks.poses.begin(), tracks.poses.end(),
                   [](const MarkerPose& a, const MarkerPose& b) { return a.frame < b.frame; });
  fill_log(tracks);
  std::vector<double> misfits;
  for (const MarkerPose& pose : tracks.poses) misfits.push_back(pose.reprojection);
  tracks.median_reprojection = median(misfits);
  if (tracks.poses.empty()) {
    tracks.status = TrackStatus::no_markers;
    tracks.problems.push_back(
        "no marker of dictionary " + seen.options.detection.dictionary + " was found in " +
        std::to_string(seen.frames) +
        " pictures; is it another dictionary, or are the markers too small, blurred or without a white rim?");
    return tracks;
  }
  tracks.status = TrackStatus::ok;
  if (tracks.doubtful_flips > 0)
    tracks.notes.push_back(std::to_string(tracks.doubtful_flips) + " of " +
                           std::to_string(tracks.poses.size()) +
                           " poses could as well be tilted the other way");
  judge_calibration(squares, seen.options, tracks);
  return tracks;
}

MarkerTracks track_markers(const std::string& source, const model::CameraModel& camera,
                           const MarkerTrackOptions& options, const std::string& calibration) {
  MarkerTracker tracker(camera, options);
  const std::unique_ptr<FrameSource> frames = open_frames(source, options.frame_time);
  GreyImage image;
  double t = 0;
  while (frames->next(image, t)) {
    if (image.width != camera.width || image.height != camera.height) {
      throw model::InputError(calibration, 0,
                              "was made for pictures of " + std::to_string(camera.width) + " x " +
                                  std::to_string(camera.height) + ", those of " + source + " are " +
                                  std::to_string(image.width) + " x " + std::to_string(image.height));
    }
    math::check_interrupt();
    tracker.add(image, t);
  }
  return tracker.finish();
}

MarkerTracks track_markers(const std::string& source, const std::string& calibration,
                           const MarkerTrackOptions& options) {
  options.validate();
  return track_markers(source, model::read_calibration(calibration), options, calibration);
}

}  // namespace prehend::articulation
