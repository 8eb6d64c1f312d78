// Topology: all combinations of types by branch and bound against enumeration, the whole estimate, and the cost of a row online.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include <benchmark/benchmark.h>

#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/topology/evidence/momentum_terms.h>
#include <prehend/topology/online_topology.h>
#include <prehend/topology/simulated/sample_object.h>
#include <prehend/topology/simulated/simulated_recording.h>
#include <prehend/topology/topology.h>

namespace prehend::topology {
namespace {

using model::JointType;

struct Chain {
  ArticulatedObject object;
  Recording recording;
  std::vector<std::vector<articulation::Joint>> joints;  // prismatic and revolute
  RecordingNoise noise{{5e-4, 4e-3}, 0.1, 0.01};
};

// n joints, each prismatic or revolute, swinging as they like in 5000 rows; the wrench at the base is what that takes.
Chain swinging_chain(int n) {
  math::RandomStream random(1);
  Chain chain;
  chain.object.links.resize(static_cast<std::size_t>(n + 1));
  chain.joints.resize(static_cast<std::size_t>(n));
  std::vector<articulation::Joint> truth(static_cast<std::size_t>(n));
  std::vector<double> rate(truth.size()), phase(truth.size());
  for (int i = 0; i <= n; ++i) {
    Link& link = chain.object.links[static_cast<std::size_t>(i)];
    link = {"l" + std::to_string(i), math::SpatialInertia::solid_box(0.4, {0.1, 0.08, 0.05}), i - 1,
            "j" + std::to_string(i)};
  }
  for (std::size_t j = 0; j < truth.size(); ++j) {
    truth[j].X_FJ = math::Pose(random.rotation(), 0.05 * random.unit_vector());
    truth[j].X_MJ = math::Pose(random.rotation(), 0.05 * random.unit_vector());
    truth[j].type = random.uniform() < 0.5 ? JointType::prismatic : JointType::revolute;
    rate[j] = random.uniform(1.0, 6.0);
    phase[j] = random.uniform(0.0, 6.0);
  }
  Recording& r = chain.recording;
  r.X_WL.resize(static_cast<std::size_t>(n + 1));
  r.held = {{0, std::vector<math::Wrench>(5000)}};
  for (int k = 0; k < 5000; ++k) {
    const double t = 0.001 * k;
    r.t.push_back(t);
    math::Pose X(math::exp_so3({0.3 * std::sin(2.0 * t), 0.2 * std::cos(3.0 * t), 0.0}),
                 {0.1 * std::sin(t), 0.0, 1.0});
    r.X_WL[0].push_back(X);
    for (std::size_t j = 0; j < truth.size(); ++j) {
      articulation::State q(1);
      q[0] = (truth[j].type == JointType::prismatic ? 0.05 : 0.5) * std::sin(rate[j] * t + phase[j]);
      X = X * truth[j].forward(q);
      r.X_WL[j + 1].push_back(X);
    }
  }
  // What the base feels: momentum's rate by differences of clean poses; then noise.
  const MotionBlocks clean = average_blocks(chain.object, r, {0.001});
  const LinkBalance balance = balance_links(chain.object, r, clean, chain.noise);
  for (std::size_t k = 1; k + 1 < r.rows(); ++k) {
    math::Vector6d F = math::Vector6d::Zero();
    for (std::size_t i = 0; i < r.X_WL.size(); ++i) F += balance.F_b[i][k];
    const math::Pose& X = r.X_WL[0][k];
    const Eigen::Vector3d f = F.tail<3>(), m = F.head<3>() - (X.p() - clean.origin).cross(f);
    r.held[0].F_L[k] = {X.R().transpose() * m + 0.01 * random.normal3(),
                        X.R().transpose() * f + 0.1 * random.normal3()};
  }
  r.held[0].F_L.front() = r.held[0].F_L[1];
  r.held[0].F_L.back() = r.held[0].F_L[4998];
  for (auto& X_WL : r.X_WL)
    for (math::Pose& X : X_WL)
      X = X * math::Pose(math::exp_so3(chain.noise.pose.angle * random.normal3()),
                         chain.noise.pose.position * random.normal3());
  const MotionBlocks blocks = average_blocks(chain.object, r);
  for (int j = 0; j < n; ++j)
    for (const TypeEvidence& type : kinematic_evidence(chain.object, blocks, j, chain.noise.pose,
                                                       {JointType::prismatic, JointType::revolute})
                                        .types)
      chain.joints[static_cast<std::size_t>(j)].push_back(type.fit.joint);
  return chain;
}

// From rows to the best and second best combination: blocks, balance, terms, Gram matrix, search. Joint models are given.
CombinationSearch search(const Chain& chain) {
  const MotionBlocks blocks = average_blocks(chain.object, chain.recording);
  const LinkBalance balance = balance_links(chain.object, chain.recording, blocks, chain.noise);
  const MomentumTerms terms =
      momentum_terms(chain.object, chain.recording, blocks, balance, chain.joints, chain.noise);
  return search_combinations(terms.problem());
}

void exact_search(benchmark::State& state) {
  const Chain chain = swinging_chain(static_cast<int>(state.range(0)));
  CombinationSearch found;
  for (auto _ : state) benchmark::DoNotOptimize(found = search(chain));
  state.counters["nodes"] = static_cast<double>(found.visited);
  state.counters["exact"] = found.is_exact;
}
BENCHMARK(exact_search)->Arg(12)->Arg(20)->Arg(30)->Unit(benchmark::kMillisecond);

// The search alone against enumeration; 2^20 and 2^30 follow from 2^12 by doubling.
void enumeration(benchmark::State& state) {
  const Chain chain = swinging_chain(12);
  const MotionBlocks blocks = average_blocks(chain.object, chain.recording);
  const LinkBalance balance = balance_links(chain.object, chain.recording, blocks, chain.noise);
  const CombinationProblem problem =
      momentum_terms(chain.object, chain.recording, blocks, balance, chain.joints, chain.noise).problem();
  double seconds = 0.0;
  bool same = true;
  const CombinationSearch bounded = search_combinations(problem);
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    const CombinationSearch all = enumerate_combinations(problem);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    same &= all.best.choice == bounded.best.choice && all.runner_up.choice == bounded.runner_up.choice;
  }
  state.counters["same_answer"] = same;
  state.counters["s_for_n20"] = 256.0 * seconds;
  state.counters["s_for_n30"] = 262144.0 * seconds;
}
BENCHMARK(enumeration)->Unit(benchmark::kMillisecond);

SimulatedRecording recorded(int links) {
  SampleObjectOptions object;
  object.links = links;
  object.seed = 4;
  const model::Scene scene = sample_object(object);
  RecordingOptions recording;
  recording.grips = sample_exploration(scene, 0.0, 4).grips;
  recording.pose_noise = {5e-4, 4e-3};
  recording.force_noise = 0.1;
  recording.torque_noise = 0.01;
  return record(scene, recording);
}

void whole_estimate(benchmark::State& state) {
  const SimulatedRecording made = recorded(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(estimate_topology(made.object, made.recording));
}
BENCHMARK(whole_estimate)->Arg(2)->Arg(8)->Unit(benchmark::kMillisecond);

// Of this thread: time that other programs take does not count (what they do to its caches does).
double processor_us() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

void online_row(benchmark::State& state) {
  const SimulatedRecording made = recorded(8);
  std::vector<int> held;
  for (const HeldLink& hand : made.recording.held) held.push_back(hand.link);
  std::vector<std::vector<math::Pose>> X(made.recording.rows());
  std::vector<std::vector<math::Wrench>> F(made.recording.rows());
  for (std::size_t k = 0; k < X.size(); ++k) {
    for (const auto& poses : made.recording.X_WL) X[k].push_back(poses[k]);
    for (const HeldLink& hand : made.recording.held) F[k].push_back(hand.F_L[k]);
  }
  OnlineTopology online(made.object, held, made.recording.gravity_W, false);
  std::vector<double> times, wall;
  std::size_t k = 0;
  double t = 0.0;
  for (auto _ : state) {
    const auto began = std::chrono::steady_clock::now();
    const double start = processor_us();
    online.push(t, X[k], F[k]);
    times.push_back(processor_us() - start);
    wall.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count());
    t += 0.001;
    k = (k + 1) % X.size();
  }
  if (times.size() > 100) {
    std::sort(times.begin(), times.end());
    state.counters["p99_us"] = times[times.size() * 99 / 100];
    state.counters["median_us"] = times[times.size() / 2];
    state.counters["p999_us"] = times[times.size() * 999 / 1000];
    state.counters["largest_us"] = times.back();
    std::sort(wall.begin(), wall.end());
    state.counters["wall_p99_us"] = wall[wall.size() * 99 / 100];  // with whatever else the machine does
  }
}
BENCHMARK(online_row)->Iterations(5000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace prehend::topology
