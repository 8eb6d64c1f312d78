// Random chains and trees of 2 to 8 links, in simulated hands: how often is every joint identified rightly?
//
//   topology_sweep_tool RUNS [FIRST] [--verbose] [--stops] [--ends]
// --stops: slides and screws have stops, and run into them. --ends: no hands but on the base and on leaves.
// One JSON document: counts of excited joints identified rightly, wrongly and left open, and of unexcited ones that were guessed.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <prehend/math/random.h>
#include <prehend/topology/object_reader.h>
#include <prehend/topology/simulated/sample_object.h>
#include <prehend/topology/simulated/simulated_recording.h>
#include <prehend/topology/topology.h>

namespace prehend::topology {
namespace {

struct Counts {
  int runs{0}, excited{0}, right{0}, wrong{0}, open{0}, unexcited{0}, guessed_right{0}, guessed_wrong{0};
  int objects{0}, objects_right{0};  // with all excited joints right and none guessed wrong
};

struct Setup {
  SimulatedRecording made;
  TopologyOptions options;
};

Setup set_up(std::uint64_t run, bool has_stops, bool ends_only) {
  math::RandomStream random(7, run);
  SampleObjectOptions object;
  object.links = 2 + static_cast<int>(random.below(7));
  object.chain = random.uniform() < 0.5 ? 1.0 : 0.5;
  object.base_is_fixed = random.uniform() < 0.25;
  object.has_stops = has_stops;
  object.seed = run;
  const model::Scene scene = sample_object(object);
  const Exploration exploration = sample_exploration(scene, 0.3, run);
  RecordingOptions recording;
  recording.grips = exploration.grips;
  if (ends_only) {
    const ArticulatedObject links = object_of(scene);
    std::vector<Grip> ends;
    for (const Grip& grip : recording.grips)
      if (grip.link == 0 || std::none_of(links.links.begin(), links.links.end(),
                                         [&](const Link& link) { return link.parent == grip.link; }))
        ends.push_back(grip);
    if (!ends.empty()) recording.grips = ends;
  }
  recording.stuck = exploration.stuck;
  const double level = random.uniform();
  recording.pose_noise = {1e-3 * level, 0.5 * level * 3.14159265358979 / 180.0};
  recording.force_noise = 0.1;
  recording.torque_noise = 0.01;
  recording.seed = run;
  Setup setup;
  setup.made = record(scene, recording);
  setup.options.largest_friction_force = setup.made.friction_force;
  setup.options.largest_friction_torque = setup.made.friction_torque;
  return setup;
}

void count(const Setup& setup, const TopologyResult& result, std::uint64_t run, bool verbose,
           Counts& counts) {
  bool all_right = true;
  for (std::size_t j = 0; j < setup.made.joints.size(); ++j) {
    const JointTruth& truth = setup.made.joints[j];
    const FoundJoint& found = result.joints[j];
    const bool identified = found.status == TopologyStatus::ok,
               is_right = identified && found.type == truth.type && !truth.is_stuck;
    if (truth.is_excited) {
      ++counts.excited;
      ++(is_right ? counts.right : identified ? counts.wrong : counts.open);
      all_right &= is_right;
    } else {
      ++counts.unexcited;
      if (identified) ++(is_right ? counts.guessed_right : counts.guessed_wrong);
      all_right &= !identified || is_right;
    }
    const bool is_odd = truth.is_excited ? !is_right : identified && !is_right;
    if (verbose && is_odd) {
      std::fprintf(stderr,
                   "run %llu links %zu balance %.3g noise %.3g: joint %zu %s%s%s (travel %.3g, second %.3g, "
                   "force %.3g, moment %.3g): %s %s\n",
                   static_cast<unsigned long long>(run), setup.made.object.links.size(), result.balance,
                   result.pose_noise.position, j, hypothesis_name(truth.type), truth.is_stuck ? " stuck" : "",
                   truth.is_excited ? " excited" : "", truth.travel, truth.second_travel, truth.weakest_force,
                   truth.weakest_moment, identified ? "IDENTIFIED" : "open",
                   identified ? hypothesis_name(found.type) : found.reason.c_str());
      for (const JointHypothesis& h : found.hypotheses)
        std::fprintf(stderr, "    %-9s %.6f kin %.1f mom %.1f trans %.1f (%s)\n", hypothesis_name(h.type),
                     h.posterior, h.kinematic, h.momentum, h.transmitted, h.explanation.c_str());
    }
  }
  ++counts.objects;
  counts.objects_right += all_right;
}

}  // namespace
}  // namespace prehend::topology

int main(int argc, char** argv) {
  using namespace prehend::topology;
  const std::uint64_t runs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  bool verbose = false, has_stops = false, ends_only = false;
  for (int k = 3; k < argc; ++k) {
    verbose |= std::strcmp(argv[k], "--verbose") == 0;
    has_stops |= std::strcmp(argv[k], "--stops") == 0;
    ends_only |= std::strcmp(argv[k], "--ends") == 0;
  }
  Counts c;
  double balance = 0.0, time = 0.0, simulation = 0.0, worst = 0.0;
  for (std::uint64_t run = first; run < first + runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    const Setup setup = set_up(run, has_stops, ends_only);
    simulation += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    const TopologyResult result = estimate_topology(setup.made.object, setup.made.recording, setup.options);
    count(setup, result, run, verbose, c);
    balance += result.balance;
    worst = std::max(worst, result.balance);
    time += result.time_ms;
  }
  std::printf(
      "{\"objects\":%d,\"objects_right\":%d,\"excited\":%d,\"right\":%d,\"wrong\":%d,\"open\":%d,"
      "\"unexcited\":%d,"
      "\"unexcited_told_right\":%d,\"unexcited_told_wrong\":%d,\"mean_balance\":%.4g,\"largest_balance\":%."
      "4g,"
      "\"mean_time_ms\":%.4g,\"mean_simulation_ms\":%.4g}\n",
      c.objects, c.objects_right, c.excited, c.right, c.wrong, c.open, c.unexcited, c.guessed_right,
      c.guessed_wrong, balance / static_cast<double>(runs), worst, time / static_cast<double>(runs),
      simulation / static_cast<double>(runs));
  return 0;
}
