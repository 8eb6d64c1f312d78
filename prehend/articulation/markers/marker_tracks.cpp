#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <prehend/math/enum_text.h>
#include <prehend/articulation/markers/focal_check.h>
#include <prehend/articulation/markers/marker_pattern.h>
#include <prehend/articulation/markers/marker_tracks.h>
#include <prehend/math/number_text.h>
#include <prehend/math/se3.h>
#include <prehend/model/input_error.h>

namespace prehend::articulation {
namespace {

constexpr double kDoubtful = 3.0;  // [nats]

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

}  // namespace

const char* to_string(TrackStatus status) { return enum_text(status); }

void MarkerTrackOptions::validate() const {
  detection.validate();
  flips.validate();
  smoother.validate();
  const auto check = [](const char* name, double value) {
    if (value > 0 && std::isfinite(value)) return;
    throw std::invalid_argument(std::string(name) + " is " + math::number_text(value) + ", must be above 0");
  };
  check("marker_size", marker_size);
  check("frame_time", frame_time);
  check("min_sightings", min_sightings);
  check("max_reprojection", max_reprojection);
}

MarkerTracker::MarkerTracker(const model::CameraModel& camera, const MarkerTrackOptions& options)
    : camera_(camera), options_(options) {
  camera.validate();
  options.validate();
}

void MarkerTracker::add(const GreyImage& image, double t) {
  if (image.width != camera_.width || image.height != camera_.height)
    throw std::invalid_argument("the picture has another size than the camera's");
  if (frames_ > 0 && !(t > last_t_)) throw std::invalid_argument("the times of pictures must increase");
  last_t_ = t;
  bool any = false;
  for (MarkerDetection& detection : detect_markers(image, camera_, options_.detection)) {
    std::vector<SquarePose> candidates = square_poses(detection.square, options_.marker_size);
    if (candidates.empty()) continue;
    any = true;
    const int id = detection.id;
    auto track = std::lower_bound(sightings_.begin(), sightings_.end(), id,
                                  [](const auto& a, int b) { return a.first < b; });
    if (track == sightings_.end() || track->first != id) track = sightings_.insert(track, {id, {}});
    track->second.push_back({frames_, t, std::move(detection), std::move(candidates)});
  }
  frames_with_markers_ += any;
  ++frames_;
}

void MarkerTracker::add_track(int id, const std::vector<Sighting>& sightings, MarkerTracks& tracks) const {
  std::vector<PoseCandidates> candidates;
  for (const Sighting& sighting : sightings) candidates.push_back({sighting.t, sighting.candidates});
  std::vector<FlipChoice> choices = choose_flips(candidates, options_.flips);
  if (!options_.choose_over_time) {
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
  const std::vector<PoseSample> result = options_.smooth ? smooth_poses(samples, options_.smoother) : samples;
  for (std::size_t k = 0; k < result.size(); ++k) {
    MarkerPose pose;
    pose.frame = sightings[k].frame;
    pose.t = result[k].t;
    pose.id = id;
    pose.X_CM = result[k].X;
    pose.covariance = result[k].covariance;
    pose.reprojection = reprojection(camera_, sightings[k].detection, samples[k].X, options_.marker_size);
    pose.flip_margin = choices[k].margin;
    pose.from_edges = sightings[k].detection.from_edges;
    tracks.doubtful_flips += choices[k].margin < kDoubtful;
    tracks.poses.push_back(pose);
  }
}

MarkerTracks MarkerTracker::finish() {
  MarkerTracks tracks;
  tracks.frames = frames_;
  tracks.frames_with_markers = frames_with_markers_;
  std::vector<SquareCorners> squares;
  for (const auto& [id, sightings] : sightings_) {
    if (static_cast<int>(sightings.size()) < options_.min_sightings) {
      tracks.notes.push_back("marker " + std::to_string(id) + " was seen in " +
                             std::to_string(sightings.size()) + " pictures only and is left out");
      continue;
    }
    for (const Sighting& sighting : sightings)
      if (sighting.detection.from_edges) squares.push_back(sighting.detection.square);
    add_track(id, sightings, tracks);
  }
  std::stable_sort(tracks.poses.begin(), tracks.poses.end(),
                   [](const MarkerPose& a, const MarkerPose& b) { return a.frame < b.frame; });
  tracks.log.columns = {"t", "part", "x", "y", "z", "qw", "qx", "qy", "qz"};
  std::vector<double> misfits;
  for (const MarkerPose& pose : tracks.poses) {
    const std::string name = "marker_" + std::to_string(pose.id);
    std::optional<int> part = tracks.log.find_part(name);
    if (!part) {
      part = static_cast<int>(tracks.log.parts.size());
      tracks.log.parts.push_back(name);
    }
    tracks.log.rows.push_back({pose.t, *part, pose.X_CM.p(), pose.X_CM.q(), 0});
    tracks.log.covariances.push_back(pose.covariance);
    misfits.push_back(pose.reprojection);
  }
  tracks.median_reprojection = median(misfits);
  if (tracks.poses.empty()) {
    tracks.status = TrackStatus::no_markers;
    tracks.problems.push_back(
        "no marker of dictionary " + options_.detection.dictionary + " was found in " +
        std::to_string(frames_) +
        " pictures; is it another dictionary, or are the markers too small, blurred or without a white rim?");
    return tracks;
  }
  tracks.status = TrackStatus::ok;
  if (tracks.doubtful_flips > 0)
    tracks.notes.push_back(std::to_string(tracks.doubtful_flips) + " of " +
                           std::to_string(tracks.poses.size()) +
                           " poses could as well be tilted the other way");
  judge_calibration(squares, options_, tracks);
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
    tracker.add(image, t);
  }
  return tracker.finish();
}

}  // namespace prehend::articulation
