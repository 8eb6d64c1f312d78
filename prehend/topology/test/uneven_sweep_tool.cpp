// Recordings whose rows come at uneven times, as a simulator's topics or a busy recorder give them: 1 to 23 ms apart.
//
//   uneven_sweep_tool RUNS [FIRST] [--noise] [--late] [--even] [--rest] [--verbose]
// Half of the runs are the two objects of T in its hands (anchored or floating, frames moved), half are random chains of 2 to 4 links. Rows
// are drawn from a recording at 1 ms by one of four patterns. --noise: 0.1 mm, 0.03 deg, 0.02 N and 2 mN m. --late: the wrench of a row is
// up to 3 ms old. --even: the same recordings, rows 10 ms apart. --rest: nobody pushes. One JSON document with counts of objects:
// `right` has every excited joint right, `wrong` has a joint identified as what it is not.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <prehend/math/angles.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/topology/diagnosed_topology.h>
#include <prehend/topology/simulated/sample_object.h>
#include <prehend/topology/simulated/simulated_recording.h>

namespace prehend::topology {
namespace {

struct SweepOptions {
  bool noise{false}, late{false}, even{false}, rest{false}, verbose{false};
};

SimulatedRecording source_run(std::uint64_t run, const SweepOptions& options, math::RandomStream& random) {
  const auto type = random.below(2) == 0 ? model::JointType::prismatic : model::JointType::revolute;
  const bool slides = type == model::JointType::prismatic, anchored = random.uniform() < 0.6;
  model::Scene scene = source_object(type, anchored);
  Push push;
  push.link = 1;
  const double size = options.rest ? 0.0 : random.uniform(0.05, 0.2);
  push.force_L = size * (slides ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY());
  push.p_L = {0.25, 0.0, 0.0};
  push.frequency = random.uniform(0.05, 0.3);
  if (!anchored) push.carried_weight = slides ? 1.0 : 0.7;
  if (random.uniform() < 0.5) {
    std::vector<math::Pose> X_LN;
    for (int i = 0; i < 2; ++i) {
      const Eigen::Quaterniond q = random.rotation();
      X_LN.emplace_back(q, 0.1 * random.normal3());
    }
    scene = with_frames(scene, X_LN);
    push.force_L = X_LN[1].q().conjugate() * push.force_L;
    push.p_L = X_LN[1].inverse() * push.p_L;
  }
  RecordingOptions recording;
  recording.pushes.push_back(push);
  recording.record_reaction = true;
  recording.lead_in = anchored ? 0.0 : options.rest ? 30.0 : 1.0;
  if (!anchored) recording.grips.push_back(options.rest ? Grip{0, 0.0, 0.0} : Grip{0, 0.01, 0.02});
  recording.seed = run;
  return record(scene, recording);
}

SimulatedRecording sample_run(std::uint64_t run, const SweepOptions& options, math::RandomStream& random) {
  SampleObjectOptions object;
  object.links = 2 + static_cast<int>(random.below(3));
  object.chain = 1.0;
  object.base_is_fixed = random.uniform() < 0.25;
  object.seed = run;
  const model::Scene scene = sample_object(object);
  RecordingOptions recording;
  recording.grips = sample_exploration(scene, 0.0, run).grips;
  if (options.rest)
    for (Grip& grip : recording.grips) grip.position_amplitude = grip.angle_amplitude = 0.0;
  if (options.rest) recording.lead_in = 30.0;
  recording.seed = run;
  return record(scene, recording);
}

// [ms] To the next row.
int step(int pattern, bool even, math::RandomStream& random) {
  if (even) return 10;
  const double u = random.uniform();
  switch (pattern) {
    case 0:  // anything
      return 1 + static_cast<int>(random.below(23));
    case 1:  // fast, and late now and then
      return u < 0.85 ? 1 + static_cast<int>(random.below(3)) : 4 + static_cast<int>(random.below(20));
    case 2:  // a timer of 10 ms that is often late or early
      return std::clamp(static_cast<int>(std::lround(10.0 + 3.0 * random.normal())), 1, 23);
    default:  // two rates in turn
      return u < 0.5 ? 1 + static_cast<int>(random.below(2)) : 18 + static_cast<int>(random.below(6));
  }
}

Recording drawn(const Recording& full, const SweepOptions& options, math::RandomStream& random) {
  Recording rows;
  rows.gravity_W = full.gravity_W;
  rows.base_is_fixed = full.base_is_fixed;
  rows.X_WL.resize(full.X_WL.size());
  for (const HeldLink& held : full.held) rows.held.push_back({held.link, {}});
  const int pattern = static_cast<int>(random.below(4));
  const double position = options.noise ? 1e-4 : 0.0, force = options.noise ? 0.02 : 0.0;
  const double angle = options.noise ? 0.03 * math::kPi / 180.0 : 0.0, torque = 0.1 * force;
  for (std::size_t k = 0; k < full.rows();
       k += static_cast<std::size_t>(step(pattern, options.even, random))) {
    rows.t.push_back(full.t[k]);
    for (std::size_t i = 0; i < full.X_WL.size(); ++i) {
      const Eigen::Vector3d turn = angle * random.normal3(), shift = position * random.normal3();
      const math::Pose& X = full.X_WL[i][k];
      rows.X_WL[i].emplace_back((X.q() * math::exp_so3(turn)).normalized(), X.p() + shift);
    }
    for (std::size_t h = 0; h < full.held.size(); ++h) {
      const std::size_t old = options.late ? std::min<std::size_t>(k, random.below(4)) : 0;
      const Eigen::Vector3d m = torque * random.normal3(), f = force * random.normal3();
      const math::Wrench& F = full.held[h].F_L[k - old];
      rows.held[h].F_L.push_back({F.moment + m, F.force + f});
    }
  }
  return rows;
}

// 0: right, 1: undetermined, 2: wrong.
int outcome(const SimulatedRecording& made, const TopologyResult& result, bool rest) {
  bool wrong = false, open = false;
  for (std::size_t j = 0; j < made.joints.size(); ++j) {
    const FoundJoint& joint = result.joints[j];
    const bool identified = joint.status == TopologyStatus::ok;
    wrong |= identified && joint.type != made.joints[j].type;
    open |= !identified && (made.joints[j].is_excited || rest);
  }
  return wrong ? 2 : open ? 1 : 0;
}

void print_run(std::uint64_t run, const SimulatedRecording& made, const Recording& rows,
               const DiagnosedTopology& found) {
  const TopologyResult& result = found.result;
  std::fprintf(
      stderr,
      "run %llu: %zu links, %zu rows, %s base, balance %.3g, noise %.2g m %.2g rad %.2g N %.2g N m: %s\n",
      static_cast<unsigned long long>(run), made.object.links.size(), rows.rows(),
      rows.base_is_fixed ? "fixed" : "free", result.balance, result.pose_noise.position,
      result.pose_noise.angle, result.force_noise, result.torque_noise, found.reason().c_str());
  for (std::size_t j = 0; j < made.joints.size(); ++j) {
    const FoundJoint& joint = result.joints[j];
    std::fprintf(stderr, "  joint %zu %s%s: %s\n", j, hypothesis_name(made.joints[j].type),
                 made.joints[j].is_excited ? " excited" : "",
                 joint.status == TopologyStatus::ok ? hypothesis_name(joint.type) : joint.reason.c_str());
  }
}

}  // namespace
}  // namespace prehend::topology

int main(int argc, char** argv) {
  using namespace prehend;
  using namespace prehend::topology;
  const std::uint64_t runs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  SweepOptions options;
  for (int k = 3; k < argc; ++k) {
    options.noise |= std::strcmp(argv[k], "--noise") == 0;
    options.late |= std::strcmp(argv[k], "--late") == 0;
    options.even |= std::strcmp(argv[k], "--even") == 0;
    options.rest |= std::strcmp(argv[k], "--rest") == 0;
    options.verbose |= std::strcmp(argv[k], "--verbose") == 0;
  }
  int counts[2][3] = {};  // by kind of object; right, undetermined, wrong
  double worst = 0.0;
  for (std::uint64_t run = first; run < first + runs; ++run) {
    math::RandomStream random(11, run);
    const bool is_source = run % 2 == 0;
    const SimulatedRecording made =
        is_source ? source_run(run, options, random) : sample_run(run, options, random);
    const Recording rows = drawn(made.recording, options, random);
    TopologyOptions stated;
    stated.largest_friction_force = made.friction_force;
    stated.largest_friction_torque = made.friction_torque;
    const DiagnosedTopology found = diagnose_and_estimate(made.object, rows, stated);
    const int came = outcome(made, found.result, options.rest);
    ++counts[is_source ? 0 : 1][came];
    worst = std::max(worst, found.result.balance);
    if (options.verbose && came != 0) print_run(run, made, rows, found);
  }
  std::printf(
      "{\"source\":{\"right\":%d,\"undetermined\":%d,\"wrong\":%d},\"sample\":{\"right\":%d,"
      "\"undetermined\":%d,\"wrong\":%d},\"largest_balance\":%.4g}\n",
      counts[0][0], counts[0][1], counts[0][2], counts[1][0], counts[1][1], counts[1][2], worst);
  return 0;
}
