// discover: parts and joints of an object from tracked poses, or from a film of markers.
#include <memory>

#include "film_arguments.h"
#include "median_time.h"
#include "output_folder.h"
#include "same_part.h"
#include "verb.h"
#include <prehend/articulation/discovered_files.h>
#include <prehend/articulation/discovery.h>
#include <prehend/articulation/pages.h>
#include <prehend/articulation/pose_input.h>
#include <prehend/math/enum_text.h>
#include <prehend/model/files.h>
#include <prehend/model/text_scan.h>

namespace prehend::cli {
namespace {

struct DiscoverState {
  std::string file;
  std::vector<std::string> types;
  std::string criterion{"bic"};
  FilmArguments film;
  bool keep_parts{false};
  std::vector<std::string> least_noise, with, same_part;
  int repeat{1};
};

articulation::DiscoveryOptions options_of(const DiscoverState& state) {
  articulation::DiscoveryOptions options;
  for (const std::string& name : state.types) {
    const auto type = from_string<model::JointType>(name);
    if (!type)
      throw UsageError("--types: no joint type is called '" + name + "'; it must be " +
                       enum_choices<model::JointType>());
    options.types.push_back(*type);
  }
  const auto criterion = from_string<articulation::Criterion>(state.criterion);
  if (!criterion)
    throw UsageError("--criterion is '" + state.criterion + "'; it must be " +
                     enum_choices<articulation::Criterion>());
  options.criterion = *criterion;
  options.merge_rigid = !state.keep_parts;
  options.same_part = same_parts(state.same_part);
  std::vector<double> least;
  for (const std::string& word : state.least_noise) {
    const auto number = model::parse_number(word);
    if (!number || !(*number > 0))
      throw UsageError("--least-noise is '" + word +
                       "'; it must be a positive number (metres, then radians)");
    least.push_back(*number);
  }
  if (least.size() == 2) options.least_noise = {least[0], least[1]};
  return options;
}

// Page and models into the folder; their names as JSON and as a sentence.
void write_files(const articulation::Discovery& discovery, const std::string& source,
                 const std::string& folder, Answer& answer) {
  prepare_output_folder(folder);
  const std::string urdf = folder + "/object.urdf", mjcf = folder + "/object.xml";
  model::write_file(urdf, articulation::discovered_urdf(discovery));
  model::write_file(mjcf, articulation::discovered_mjcf(discovery));
  write_page(articulation::discovery_page(discovery, source), folder, source);
  for (const std::string& sentence : articulation::loops_left_open_in_urdf(discovery))
    answer.text += "  object.urdf: " + sentence + "\n";
  add_files(answer, {{"urdf", urdf}, {"mjcf", mjcf}});
}

Answer answer(const DiscoverState& state, const Shared& shared) {
  const articulation::DiscoveryOptions options = options_of(state);
  const model::PoseLog log = articulation::is_film(state.file)
                                 ? state.film.poses(state.file)
                                 : articulation::read_poses(state.file, state.with);
  articulation::Discovery discovery;
  const double time_ms =
      median_time(state.repeat, [&] { discovery = articulation::discover(log, state.file, options); });
  std::string reasons;
  for (const std::string& reason : discovery.reasons) reasons += (reasons.empty() ? "" : "; ") + reason;
  Answer answer = answer_of(discovery, time_ms, reasons);
  if (!shared.out.empty()) write_files(discovery, state.file, shared.out, answer);
  return answer;
}

}  // namespace

Verb discover_verb() {
  const auto state = std::make_shared<DiscoverState>();
  return {
      "discover", "Which parts does it have, and which joints connect them?",
      "prehend discover data/poses/arm.csv",
      [state](Arguments& arguments) {
        arguments.positional("POSES", state->file,
                             "Tracked poses (CSV: t,part,x,y,z,qw,qx,qy,qz), a track or TUM trajectory, or a "
                             "film of ArUco or AprilTag markers");
        arguments.option("--with", state->with,
                         "Further files; a track or TUM trajectory is one part, named after its file");
        arguments.option("--same-part", state->same_part, kSamePartHelp);
        arguments.option("--types", state->types, "Types of joints to choose from; all without");
        arguments.option("--criterion", state->criterion, "What weighs fit against parameters: bic or aic");
        arguments.flag("--keep-parts", state->keep_parts,
                       "Do not merge parts that never move against each other");
        arguments.words("--least-noise", "M RAD", state->least_noise,
                        "Poses are not known better than this; residuals below are no motion");
        arguments.option("--repeat", state->repeat, "Discoveries; the time is their median");
        state->film.declare(arguments, " of a film");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
