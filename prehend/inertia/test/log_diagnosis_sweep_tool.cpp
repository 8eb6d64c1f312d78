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

using Keys = std::map<std::string, std::string>;

std::vector<Recording> recordings_of(Keys& keys) {
  std::vector<Recording> recordings;
  const int from = std::atoi(keys["from"].c_str()), objects = std::atoi(keys["objects"].c_str());
  if (keys["source"] == "generated") {
    for (int k = from; k < from + objects; ++k) recordings.push_back(generated(k));
    return recordings;
  }
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(keys["source"]))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  for (int k = from; k < std::min(from + objects, static_cast<int>(folders.size())); ++k)
    recordings.push_back(recorded(folders[static_cast<std::size_t>(k)]));
  return recordings;
}

// What is counted over all logs of one case and noise level.
struct Count {
  int logs{0}, silent{0}, named{0}, other{0}, doubled{0}, hidden{0}, untrue{0}, unsaid{0};
  json kinds = json::object(), examples = json::array();

  void add_example(const std::string& text) {
    if (examples.size() < 6) examples.push_back(text);
  }
};

// Excitation, where it is asked for, against the exact motion with a wide margin on both sides.
void count_excitation(const Trial& trial, const std::vector<inertia::Finding>& findings,
                      const std::string& text, Count& count) {
  const math::Vector10d sure = deviations(trial.recording, 1e-3), vain = deviations(trial.recording, 1e-7);
  std::set<std::string> said;
  for (const inertia::Finding& finding : findings)
    said.insert(finding.parameters.begin(), finding.parameters.end());
  bool is_untrue = false, is_unsaid = false;
  for (int i = 0; i < 10; ++i) {
    const bool has = said.count(inertia::parameter_name(i)) > 0;
    is_untrue = is_untrue || (has && sure[i] < 0.1);
    is_unsaid = is_unsaid || (!has && vain[i] > 0.9);
  }
  count.untrue += is_untrue;
  count.unsaid += is_unsaid;
  if (!is_untrue && !is_unsaid) return;
  std::stringstream numbers;
  numbers << sure.transpose() << " | " << vain.transpose();
  count.add_example(text + " | " + numbers.str());
}

// Whether noise hides the object itself: its mass, beside nine more unknowns and an offset of the sensor, is less than ten deviations. Where the weight
// alone tells two readings apart, six are asked for and a likelihood ratio of e^10 (wrench_checks.cpp): chance takes that from some of a hundred logs
// at nine deviations (generated tool 5 at the largest noise).
bool hides_weight(const Trial& trial) {
  constexpr double kDeviations = 10.0;
  const double force = std::max(trial.noise.force, 1e-9), torque = std::max(trial.noise.torque, 1e-9);
  Eigen::Matrix<double, 16, 16> information = 1e-9 * Eigen::Matrix<double, 16, 16>::Identity();
  for (const inertia::Sample& sample :
       inertia::prepare_samples(record(trial.recording), trial.options).samples) {
    Eigen::Matrix<double, 6, 16> A;
    A << inertia::wrench_regressor(sample.motion), math::Matrix6d::Identity();
    A.topRows<3>() /= torque;
    A.bottomRows<3>() /= force;
    information += A.transpose() * A;
  }
  return trial.recording.body_S.mass < kDeviations * std::sqrt(information.inverse()(0, 0));
}

void diagnose_one(const Case& one, const Recording& recording, int level, int seed, std::size_t number,
                  Count& count) {
  math::RandomStream random(static_cast<std::uint64_t>(77777 + 1000 * seed + static_cast<int>(number)));
  Trial trial;
  trial.recording = recording;
  trial.options.gravity_W = recording.gravity_W;
  trial.noise = inertia::source_noise_levels()[static_cast<std::size_t>(level)].noise;
  trial.random = &random;
  one.motion(trial);
  trial.log = record(trial.recording);
  inertia::add_noise(trial.log, trial.noise, random);
  one.fault(trial);
  const std::vector<inertia::Finding> findings = inertia::diagnose(trial.log, trial.options);
  bool is_named = false, is_other = false;
  std::string text = recording.name + " seed " + std::to_string(seed) + ":";
  for (const inertia::Finding& finding : findings) {
    const std::string kind = to_string(finding.kind);
    is_named = is_named || one.expected.count(kind) > 0;
    is_other = is_other || (one.expected.count(kind) == 0 && one.allowed.count(kind) == 0);
    count.kinds[kind] = count.kinds.value(kind, 0) + 1;
    text += " [" + kind + "] " + finding.sentence;
  }
  if (one.allowed.count("no_excitation")) count_excitation(trial, findings, text, count);
  ++count.logs;
  count.hidden += !is_named && (trial.hidden || hides_weight(trial));
  count.silent += findings.empty();
  count.named += is_named;
  count.other += is_other;
  count.doubled += findings.size() > 1;
  if (is_other || (!one.expected.empty() && !is_named)) count.add_example(text);
}

}  // namespace

int main(int argc, char** argv) {
  Keys keys{{"source", "generated"}, {"objects", "12"},     {"from", "0"},
            {"seeds", "1"},          {"levels", "0,1,2,3"}, {"cases", ""}};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.find('=') == std::string::npos || !keys.count(word.substr(0, word.find('=')))) return 2;
    keys[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  const std::vector<Recording> recordings = recordings_of(keys);
  const std::vector<std::string> chosen = words(keys["cases"]);
  json answer = json::array();
  for (const Case& one : all_cases()) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), one.name) == chosen.end()) continue;
    for (const std::string& level : words(keys["levels"])) {
      Count count;
      for (std::size_t r = 0; r < recordings.size(); ++r)
        for (int seed = 0; seed < std::atoi(keys["seeds"].c_str()); ++seed)
          diagnose_one(one, recordings[r], std::atoi(level.c_str()), seed, r, count);
      answer.push_back({{"case", one.name},
                        {"level", level},
                        {"logs", count.logs},
                        {"silent", count.silent},
                        {"named", count.named},
                        {"other", count.other},
                        {"hidden", count.hidden},
                        {"untrue", count.untrue},
                        {"unsaid", count.unsaid},
                        {"doubled", count.doubled},
                        {"faulty", !one.expected.empty()},
                        {"kinds", count.kinds},
                        {"examples", count.examples}});
    }
  }
  std::cout << answer.dump() << "\n";
  return 0;
}
