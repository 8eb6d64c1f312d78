// Recorded tracks of doors and drawers (tum-vision/articulation), called as a person would? No source's figure.
//
// First every track as it was recorded, then tracks without orientation with frames left out, noise added, thinned to a frame every few
// millimetres, and with slips of 2 to 6 cm put into them, `runs` for each track: at a random time, in a random direction, within one to eight frames.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <set>
#include <stdexcept>

#include "recorded_data.h"
#include "reproduction.h"
#include <prehend/articulation/selection.h>
#include <prehend/math/progress.h>
#include <prehend/math/random.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/track_file.h>

namespace prehend::reproduce {
namespace {

using namespace articulation;
using model::JointType;

struct Recording {
  std::string name;
  JointType type;
  Observations seen;
};

std::vector<Recording> recordings(const std::string& data) {
  const std::filesystem::path folder = std::filesystem::path(recorded_data(data)) / "articulation_tracks";
  if (!std::filesystem::is_directory(folder))
    throw std::invalid_argument("there is no folder " + folder.string() +
                                ": name the recorded data with --data");
  // Of the kitchen, these are drawers.
  const std::set<std::string> drawers{"M2U00394", "M2U00395", "M2U00407", "M2U00408"};
  std::vector<Recording> result;
  for (const char* name : {"cabinet_one", "drawer_one", "microwave", "kitchen"}) {
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(folder / name)) files.push_back(file.path());
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
      const std::string stem = file.stem().string();
      const bool slides = std::string(name) == "drawer_one" || drawers.contains(stem);
      result.push_back({std::string(name) + "/" + stem, slides ? JointType::prismatic : JointType::revolute,
                        observe(model::read_track(file.string()), file.string())});
    }
  }
  return result;
}

struct Count {
  int right{0}, undetermined{0}, wrong{0};
  std::string which;  // wrong ones

  void add(const Selection& selection, const Recording& recording) {
    if (selection.status != SelectionStatus::ok) {
      ++undetermined;
    } else if (selection.best().type == recording.type) {
      ++right;
    } else {
      ++wrong;
      which += (which.empty() ? "" : ", ") + recording.name;
    }
  }
  int total() const { return right + undetermined + wrong; }
};

Observations keep(const Observations& seen, const std::function<bool(std::size_t, std::size_t)>& wanted) {
  Observations kept = seen;
  kept.poses.clear();
  for (std::size_t i = 0; i < seen.poses.size(); ++i)
    if (wanted(i, seen.poses.size())) kept.poses.push_back(seen.poses[i]);
  return kept;
}

Observations thinned(const Observations& seen, double distance) {
  Eigen::Vector3d last = seen.poses.front().X_FM.p();
  return keep(seen, [&](std::size_t i, std::size_t) {
    const Eigen::Vector3d p = seen.poses[i].X_FM.p();
    if (i > 0 && (p - last).norm() <= distance) return false;
    last = p;
    return true;
  });
}

Observations shifted(const Observations& seen, const std::function<Eigen::Vector3d(std::size_t)>& by) {
  Observations result = seen;
  for (std::size_t i = 0; i < seen.poses.size(); ++i)
    result.poses[i].X_FM = math::Pose::translation(seen.poses[i].X_FM.p() + by(i));
  return result;
}

Observations slipped(const Observations& seen, math::RandomStream& random) {
  const double from = random.uniform(0.2, 0.95) * static_cast<double>(seen.poses.size());
  const double during = 1 + random.below(8);
  const double size = random.uniform(0.02, 0.06);
  const Eigen::Vector3d by = size * random.unit_vector();
  return shifted(seen, [&](std::size_t i) -> Eigen::Vector3d {
    return std::clamp((static_cast<double>(i) - from) / during, 0.0, 1.0) * by;
  });
}

struct Change {
  const char* name;
  std::function<Observations(const Observations&, math::RandomStream&)> apply;
  bool is_random{false};  // as often as `runs` says
};
std::vector<Change> changes() {
  using Kept = std::function<bool(std::size_t, std::size_t)>;
  const auto leave = [](Kept wanted) {
    return [wanted](const Observations& seen, math::RandomStream&) { return keep(seen, wanted); };
  };
  std::vector<Change> all{
      {"every second frame", leave([](std::size_t i, std::size_t) { return i % 2 == 0; })},
      {"every third frame", leave([](std::size_t i, std::size_t) { return i % 3 == 0; })},
      {"without the first 15 %", leave([](std::size_t i, std::size_t n) { return 20 * i >= 3 * n; })},
      {"without the last 15 %", leave([](std::size_t i, std::size_t n) { return 20 * i < 17 * n; })},
      {"without the last 30 %", leave([](std::size_t i, std::size_t n) { return 10 * i < 7 * n; })},
      {"5 mm of noise",
       [](const Observations& seen, math::RandomStream& random) {
         return shifted(seen, [&](std::size_t) -> Eigen::Vector3d { return 0.005 * random.normal3(); });
       },
       true}};
  static constexpr std::pair<const char*, double> kDistances[] = {{"a frame every 3 mm", 0.003},
                                                                  {"a frame every 5 mm", 0.005},
                                                                  {"a frame every 10 mm", 0.01},
                                                                  {"a frame every 20 mm", 0.02},
                                                                  {"a frame every 30 mm", 0.03}};
  for (const auto& [name, distance] : kDistances)
    all.push_back({name, [distance](const Observations& seen, math::RandomStream&) {
                     return thinned(seen, distance);
                   }});
  all.push_back({"a slip of 2 to 6 cm", slipped, true});
  return all;
}

// What the criterion alone would say.
JointType plain_best(const Selection& selection) {
  return std::ranges::max_element(selection.candidates, {},
                                  [](const Candidate& c) {
                                    return c.fit.status == FitStatus::failed
                                               ? -std::numeric_limits<double>::infinity()
                                               : c.plain_score;
                                  })
      ->type;
}

report::Table recorded_table() {
  report::Table recorded;
  recorded.caption = "Tracks as they were recorded";
  recorded.columns = {{"track", "", 0, ""},
                      {"a person", "", 0, ""},
                      {"here", "", 0, ""},
                      {"criterion alone", "", 0, "the best BIC score of independent frames without prior"},
                      {"frames", "", 4, ""},
                      {"worth", "", 3, "independent frames"},
                      {"what is seen", "", 0, ""}};
  return recorded;
}

report::Table disturbed_table() {
  report::Table disturbed;
  disturbed.caption = "Counts, and tracks without orientation disturbed";
  disturbed.columns = {{"tracks", "", 0, ""},       {"number", "", 4, ""}, {"right", "", 4, ""},
                       {"undetermined", "", 4, ""}, {"wrong", "", 4, ""},  {"which", "", 0, "wrong ones"}};
  return disturbed;
}

// One recording as it is, into text, table and JSON.
void add_recording(const Recording& recording, const Selection& selection, std::string& text,
                   report::Table& recorded, model::JsonWriter& json) {
  char line[400];
  const Candidate& best = selection.best();
  std::string here = to_string(best.type);
  if (selection.status != SelectionStatus::ok) here += " (undetermined)";
  const std::string person = to_string(recording.type);
  const std::string alone = to_string(plain_best(selection));
  const std::string seen = best.explanation.substr(0, best.explanation.find(';'));
  std::snprintf(line, sizeof line, "| %s | %s | %s | %s | %zu (%.0f) | %s |\n", recording.name.c_str(),
                person.c_str(), here.c_str(), alone.c_str(), recording.seen.poses.size(),
                selection.independent_frames, seen.c_str());
  recorded.rows.push_back({recording.name, person, here, alone,
                           static_cast<double>(recording.seen.poses.size()), selection.independent_frames,
                           seen});
  text += line;
  json.object()
      .field("track", recording.name)
      .field("person", to_string(recording.type))
      .field("type", to_string(best.type))
      .field("status", to_string(selection.status))
      .field("slips", static_cast<int>(selection.slips.size()))
      .end();
}

void add_count(const std::string& name, const Count& count, std::string& text, report::Table& disturbed,
               model::JsonWriter& json) {
  char line[400];
  std::snprintf(line, sizeof line, "| %s | %d | %d | %d | %d%s |\n", name.c_str(), count.total(), count.right,
                count.undetermined, count.wrong,
                count.which.empty() ? "" : (" (" + count.which + ")").substr(0, 200).c_str());
  text += line;
  disturbed.rows.push_back({name, static_cast<double>(count.total()), static_cast<double>(count.right),
                            static_cast<double>(count.undetermined), static_cast<double>(count.wrong),
                            count.which});
  json.object()
      .field("change", name)
      .field("tracks", count.total())
      .field("right", count.right)
      .field("undetermined", count.undetermined)
      .field("wrong", count.wrong)
      .end();
}

}  // namespace

Reproduction tracks(const ReproduceOptions& options) {
  const std::vector<Recording> all = recordings(options.data);
  Reproduction result;
  result.page = report::Page("Recorded doors and drawers");
  result.page.set_subtitle("Tracks with and without orientation, as a person would call them?");
  report::Table recorded = recorded_table(), disturbed = disturbed_table();
  model::JsonWriter json;
  json.object().field("id", "tracks").key("tracks").array();
  result.text =
      "| track | a person | here | criterion alone | frames | what is seen |\n| --- | --- | --- | --- | --- "
      "| --- |\n";
  char line[400];
  Count with, without;
  for (const Recording& recording : all) {
    const Selection selection = select_joint(recording.seen);
    (recording.seen.has_orientation ? with : without).add(selection, recording);
    add_recording(recording, selection, result.text, recorded, json);
  }
  json.end().key("changes").array();
  result.text += "\n| tracks | | right | undetermined | wrong |\n| --- | --- | --- | --- | --- |\n";
  const auto report = [&](const std::string& name, const Count& count) {
    add_count(name, count, result.text, disturbed, json);
  };
  report("kitchen, with orientation", with);
  report("without orientation", without);
  std::uint64_t task = 0;
  math::Progress progress("disturbed tracks", changes().size() * all.size());
  for (const Change& change : changes()) {
    Count count;
    for (const Recording& recording : all) {
      progress.advance();
      if (recording.seen.has_orientation) continue;
      for (int run = 0; run < (change.is_random ? options.runs : 1); ++run) {
        math::RandomStream random(options.seed, task++);
        count.add(select_joint(change.apply(recording.seen, random)), recording);
      }
    }
    report(change.name, count);
  }
  result.json = json.end().end().text();
  std::snprintf(
      line, sizeof line,
      "%d of %d tracks with orientation and %d of %d without are called as a person would, %d wrong\n",
      with.right, with.total(), without.right, without.total(), with.wrong + without.wrong);
  result.page.set_verdict(report::Verdict::note, line);
  result.page.add(std::move(disturbed));
  result.page.add(std::move(recorded));
  return result;
}

}  // namespace prehend::reproduce
