// execution_tool [kinds=peg,corner,...] [count=N] [seed=N] [position=M] [angle=RAD] [friction=MU] [feedback=none|force|wrench] [clearance=M]
// [noise_m=M noise_rad=RAD] [trace=1]: demonstrations with known states, executed with random errors of
// the fixed body's pose; how many arrive.
#include <cstdio>
#include <map>
#include <sstream>
#include <string>

#include <prehend/math/enum_text.h>
#include <prehend/observation/execution.h>
#include <prehend/observation/simulated/demonstrations.h>

namespace {

using namespace prehend;
using namespace prehend::observation;

// The poses in the middle of each state.
std::vector<RelationPose> states_of(const Demonstration& demo, const BodyPair& pair) {
  std::vector<RelationPose> states;
  for (std::size_t first = 0; first < demo.states.size();) {
    std::size_t last = first;
    while (last + 1 < demo.states.size() && demo.states[last + 1] == demo.states[first]) ++last;
    const math::Pose& X = demo.X_FM[states.empty() ? first : (first + last) / 2];
    states.push_back({pair.contacts_at(X, pair.touch_tolerance()), X});
    first = last + 1;
  }
  return states;
}

void print_trace(const Execution& done, const BodyPair& pair) {
  const math::Pose X_FM = done.errors.X_WF.inverse() * done.samples.back().X_WM;
  for (const PrincipalContact& contact : done.plan.states.back().contacts) {
    double gap = 1e-6;
    while (gap < 1.0 && !pair.touches(contact, X_FM, gap)) gap *= 1.05;
    std::printf("    %s: %.3f mm\n", contact.text().c_str(), 1e3 * gap);
  }
  for (const ExecutedStep& step : done.steps)
    std::printf("    %d -> %d %-8s %6.2f to %6.2f s, %.2f of the way, peak %.2f N\n", step.from, step.to,
                to_string(step.end), step.t0_s, step.t1_s, step.advance, step.peak_N);
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> words{{"kinds", "peg,corner,roll,hook,stack,jam"},
                                           {"count", "5"},
                                           {"seed", "1"},
                                           {"position", "0.002"},
                                           {"angle", "0.02"},
                                           {"grasp_m", "0"},
                                           {"grasp_rad", "0"},
                                           {"friction", "0.2"},
                                           {"feedback", "wrench"},
                                           {"trace", "0"}};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    words[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  const auto number = [&](const char* key) { return std::atof(words[key].c_str()); };
  std::istringstream kinds(words["kinds"]);
  for (std::string name; std::getline(kinds, name, ',');) {
    const auto kind = from_string<DemonstrationKind>(name);
    if (!kind) continue;
    int arrived = 0, repeated = 0;
    const int count = static_cast<int>(number("count"));
    for (int k = 0; k < count; ++k) {
      const auto seed = static_cast<std::uint64_t>(number("seed")) + static_cast<std::uint64_t>(k);
      const Demonstration demo = demonstrate(*kind, seed);
      const BodyPair pair(geometry::Polyhedron::from_mesh(demo.moving),
                          geometry::Polyhedron::from_mesh(demo.fixed));
      ExecutionOptions options;
      options.feedback = from_string<Feedback>(words["feedback"]).value();
      options.friction = number("friction");
      options.seed = seed;
      options.errors = random_errors({number("position"), number("angle")},
                                     {number("grasp_m"), number("grasp_rad")}, seed);
      options.clearance_m = number("clearance");
      // With noise the states are those that are seen in the recording.
      const bool is_seen = number("noise_m") >= 0.0;
      const std::vector<RelationPose> states =
          is_seen ? assembly_states(watch(pair, seen(demo, {number("noise_m"), number("noise_rad")}, seed)))
                  : states_of(demo, pair);
      const Execution done = execute(pair, states, options);
      arrived += done.status == ExecutionStatus::ok;
      repeated += done.repeated;
      std::printf("  %s %llu: %s, %.2f mm, %.1f s, peak %.2f N, %d repeated%s%s\n", name.c_str(),
                  static_cast<unsigned long long>(seed), to_string(done.status), 1e3 * done.end_gap_m,
                  done.duration_s, done.peak_N, done.repeated, done.reason.empty() ? "" : ": ",
                  done.reason.c_str());
      if (number("trace") != 0.0) print_trace(done, pair);
    }
    std::printf("%s: %d of %d arrive, %d steps repeated\n", name.c_str(), arrived, count, repeated);
  }
  return 0;
}
