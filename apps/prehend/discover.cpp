// discover: parts and joints of an object from tracked poses, or from a film of markers.
#include <filesystem>
#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/articulation/discovered_files.h>
#include <prehend/articulation/discovery.h>
#include <prehend/articulation/pages/discovery_page.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/text_scan.h>
#include <prehend/model/track_file.h>
#include <prehend/report/write_report.h>
#ifdef PREHEND_WITH_OPENCV
#include <prehend/articulation/markers/marker_tracks.h>
#endif

namespace prehend::cli {
namespace {

struct State {
  std::string file;
  std::vector<std::string> types;
  std::string criterion{"bic"};
  std::string calibration, dictionary{"5x5_100"};
  double marker_size{0.0}, frame_time{1.0 / 30.0};
  bool keep_parts{false};
  std::vector<std::string> least_noise;
};

bool is_film(const std::string& path) {
  if (std::filesystem::is_directory(path)) return true;
  const std::string extension = std::filesystem::path(path).extension().string();
  for (const char* known : {".avi", ".mp4", ".mov", ".mkv", ".webm", ".m4v", ".mpg", ".mpeg"})
    if (extension == known) return true;
  return false;
}

#ifdef PREHEND_WITH_OPENCV
model::PoseLog poses_of_film(const State& state) {
  if (state.calibration.empty())
    throw UsageError("a film needs --calibration: the camera's calibration file");
  if (!(state.marker_size > 0))
    throw UsageError("a film needs --marker-size: the side of the black square in metres");
  articulation::MarkerTrackOptions options;
  options.marker_size = state.marker_size;
  options.detection.dictionary = state.dictionary;
  options.frame_time = state.frame_time;
  options.validate();
  const model::CameraModel camera = model::read_calibration(state.calibration);
  const articulation::MarkerTracks tracks =
      articulation::track_markers(state.file, camera, options, state.calibration);
  if (tracks.status == articulation::TrackStatus::wrong_calibration)
    throw model::InputError(state.calibration, 0, tracks.problems.front());
  if (tracks.status != articulation::TrackStatus::ok)
    throw NoAnswerError(to_string(tracks.status),
                        tracks.problems.empty() ? "no poses were found" : tracks.problems.front());
  return tracks.log;
}
#else
model::PoseLog poses_of_film(const State&) {
  throw UsageError("a film needs OpenCV, which this program was built without");
}
#endif

model::PoseLog read_poses(const State& state) {
  if (is_film(state.file)) return poses_of_film(state);
  const std::string bytes = model::read_file(state.file);
  if (model::looks_like_track(bytes)) return model::parse_track(bytes, state.file);
  return model::read_pose_log(state.file);
}

Answer answer(const State& state, const Shared& shared) {
  articulation::DiscoveryOptions options;
  for (const std::string& name : state.types) {
    const auto type = model::joint_type_from_name(name);
    if (!type) {
      throw UsageError("--types: no joint type is called '" + name +
                       "'; there are rigid, prismatic, revolute, screw, cylindrical, universal, spherical, "
                       "planar and free");
    }
    options.types.push_back(*type);
  }
  if (state.criterion == "aic") {
    options.criterion = articulation::Criterion::aic;
  } else if (state.criterion != "bic") {
    throw UsageError("--criterion is '" + state.criterion + "'; it must be bic or aic");
  }
  options.merge_rigid = !state.keep_parts;
  std::vector<double> least;
  for (const std::string& word : state.least_noise) {
    const auto number = model::parse_number(word);
    if (!number || !(*number > 0))
      throw UsageError("--least-noise is '" + word +
                       "'; it must be a positive number (metres, then radians)");
    least.push_back(*number);
  }
  const model::PoseLog log = read_poses(state);
  if (least.size() == 2) options.least_noise = {least[0], least[1]};
  const Stopwatch stopwatch;
  const articulation::Discovery discovery = articulation::discover(log, state.file, options);
  const double time_ms = stopwatch.milliseconds();
  std::string urdf, mjcf, written;
  if (!shared.out.empty()) {
    prepare_output_folder(shared.out);
    urdf = shared.out + "/object.urdf";
    mjcf = shared.out + "/object.xml";
    model::write_file(urdf, articulation::discovered_urdf(discovery));
    model::write_file(mjcf, articulation::discovered_mjcf(discovery));
    report::Page page = articulation::discovery_page(discovery, state.file);
    page.set_footer("Made by prehend " PREHEND_VERSION ".");
    report::write_report(page, shared.out + "/report.html");
    written = "wrote object.urdf, object.xml and report.html to " + shared.out + "\n";
    for (const std::string& sentence : articulation::loops_left_open_in_urdf(discovery))
      written += "  object.urdf: " + sentence + "\n";
  }
  Answer answer{ExitCode::answer, to_string(discovery.status), time_ms,
                discovery.to_json(urdf, mjcf), discovery.brief_report() + written};
  if (discovery.status == articulation::DiscoveryStatus::ok) return answer;
  answer.code = ExitCode::no_answer;
  answer.status = "undetermined";
  for (const std::string& reason : discovery.reasons)
    answer.error += (answer.error.empty() ? "" : "; ") + reason;
  return answer;
}

}  // namespace

Verb discover_verb() {
  const auto state = std::make_shared<State>();
  return {
      "discover", "Which parts does it have, and which joints connect them?",
      "prehend discover data/poses/arm.csv",
      [state](Arguments& arguments) {
        arguments.positional("POSES", state->file,
                             "Tracked poses (CSV: t,part,x,y,z,qw,qx,qy,qz), or a film of ArUco markers");
        arguments.option("--types", state->types, "Types of joints to choose from; all without");
        arguments.option("--criterion", state->criterion, "What weighs fit against parameters: bic or aic");
        arguments.flag("--keep-parts", state->keep_parts,
                       "Do not merge parts that never move against each other");
        arguments.words("--least-noise", "M RAD", state->least_noise,
                        "Poses are not known better than this; residuals below are no motion");
        arguments.option("--calibration", state->calibration, "Film: camera calibration (YAML)");
        arguments.option("--marker-size", state->marker_size, "Film: side of the black square [m]");
        arguments.option("--dictionary", state->dictionary,
                         "Film: dictionary of the markers; 5x5_100 without");
        arguments.option("--frame-time", state->frame_time, "Film: time between the images of a folder [s]");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
