// Counts what `diagnose` says of many right and many faulty logs: the evidence behind its thresholds.
//   log_diagnosis_sweep_tool [source=generated|FOLDER of tools] [objects=N] [from=N] [seeds=N] [levels=0,1,2,3] [cases=full,window,...]
// One JSON document on standard output: per case and noise level how many logs, how many said nothing, how many named the
// fault, how many said something else, and examples. Right cases expect silence; `allowed` kinds are true statements.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <generated/generated_motion.h>
#include <nlohmann/json.hpp>

#include "log_faults.h"
#include <prehend/inertia/log_diagnosis.h>
#include <prehend/inertia/methods/least_squares.h>
#include <prehend/math/random.h>

namespace {

using namespace prehend;
using namespace prehend::inertia::test;
using nlohmann::json;

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  std::stringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) result.push_back(item);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> keys{{"source", "generated"}, {"objects", "12"},     {"from", "0"},
                                          {"seeds", "1"},          {"levels", "0,1,2,3"}, {"cases", ""}};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.find('=') == std::string::npos || !keys.count(word.substr(0, word.find('=')))) return 2;
    keys[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  std::vector<Recording> recordings;
  const int from = std::atoi(keys["from"].c_str()), objects = std::atoi(keys["objects"].c_str());
  if (keys["source"] != "generated") {
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(keys["source"]))
      if (entry.is_directory()) folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    for (int k = from; k < std::min(from + objects, static_cast<int>(folders.size())); ++k)
      recordings.push_back(recorded(folders[static_cast<std::size_t>(k)]));
  } else {
    for (int k = from; k < from + objects; ++k) recordings.push_back(generated(k));
  }
  const std::vector<std::string> chosen = words(keys["cases"]);
  json answer = json::array();
  for (const Case& one : all_cases()) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), one.name) == chosen.end()) continue;
    for (const std::string& level : words(keys["levels"])) {
      int logs = 0, silent = 0, named = 0, other = 0, doubled = 0, hidden = 0, untrue = 0, unsaid = 0;
      json kinds = json::object(), examples = json::array();
      for (std::size_t r = 0; r < recordings.size(); ++r)
        for (int seed = 0; seed < std::atoi(keys["seeds"].c_str()); ++seed) {
          math::RandomStream random(static_cast<std::uint64_t>(77777 + 1000 * seed + static_cast<int>(r)));
          Trial trial;
          trial.recording = recordings[r];
          trial.options.gravity_W = recordings[r].gravity_W;
          trial.noise =
              inertia::source_noise_levels()[static_cast<std::size_t>(std::atoi(level.c_str()))].noise;
          trial.random = &random;
          one.motion(trial);
          trial.log = record(trial.recording);
          inertia::add_noise(trial.log, trial.noise, random);
          one.fault(trial);
          const std::vector<inertia::Finding> findings = inertia::diagnose(trial.log, trial.options);
          bool is_named = false, is_other = false;
          std::string text;
          for (const inertia::Finding& finding : findings) {
            const std::string kind = to_string(finding.kind);
            is_named = is_named || one.expected.count(kind) > 0;
            is_other = is_other || (one.expected.count(kind) == 0 && one.allowed.count(kind) == 0);
            kinds[kind] = kinds.value(kind, 0) + 1;
            text += " [" + kind + "] " + finding.sentence;
          }
          // Excitation, where it is asked for, against the exact motion with a wide margin on both sides.
          if (one.allowed.count("no_excitation")) {
            const math::Vector10d sure = deviations(trial.recording, 1e-3),
                                  vain = deviations(trial.recording, 1e-7);
            std::set<std::string> said;
            for (const inertia::Finding& finding : findings)
              said.insert(finding.parameters.begin(), finding.parameters.end());
            bool is_untrue = false, is_unsaid = false;
            for (int i = 0; i < 10; ++i) {
              const bool has = said.count(inertia::parameter_name(i)) > 0;
              is_untrue = is_untrue || (has && sure[i] < 0.1);
              is_unsaid = is_unsaid || (!has && vain[i] > 0.9);
            }
            untrue += is_untrue;
            unsaid += is_unsaid;
            if ((is_untrue || is_unsaid) && examples.size() < 6) {
              std::stringstream numbers;
              numbers << sure.transpose() << " | " << vain.transpose();
              examples.push_back(recordings[r].name + " seed " + std::to_string(seed) + ":" + text + " | " +
                                 numbers.str());
            }
          }
          ++logs;
          hidden += trial.hidden && !is_named;
          silent += findings.empty();
          named += is_named;
          other += is_other;
          doubled += findings.size() > 1;
          if (is_other || (!one.expected.empty() && !is_named))
            if (examples.size() < 6)
              examples.push_back(recordings[r].name + " seed " + std::to_string(seed) + ":" + text);
        }
      answer.push_back({{"case", one.name},
                        {"level", level},
                        {"logs", logs},
                        {"silent", silent},
                        {"named", named},
                        {"other", other},
                        {"hidden", hidden},
                        {"untrue", untrue},
                        {"unsaid", unsaid},
                        {"doubled", doubled},
                        {"faulty", !one.expected.empty()},
                        {"kinds", kinds},
                        {"examples", examples}});
    }
  }
  std::cout << answer.dump() << "\n";
  return 0;
}
