#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <prehend/topology/evidence/balance.h>
#include <prehend/topology/evidence/joint_verdict.h>
#include <prehend/topology/evidence/momentum_terms.h>
#include <prehend/topology/topology.h>

namespace prehend::topology {
namespace {

using model::JointType;

RecordingNoise noise_of(const Recording& recording, const TopologyOptions& options) {
  RecordingNoise noise = measure_noise(recording);
  if (options.pose_noise) noise.pose = *options.pose_noise;
  if (options.force_noise) noise.force = *options.force_noise;
  if (options.torque_noise) noise.torque = *options.torque_noise;
  return noise;
}

std::vector<JointType> types_of(const std::vector<int>& choice,
                                const std::vector<std::vector<JointType>>& options) {
  std::vector<JointType> types;
  for (std::size_t j = 0; j < choice.size(); ++j)
    types.push_back(options[j][static_cast<std::size_t>(choice[j])]);
  return types;
}

template <class Body>
void for_each_joint(int joints, int threads, const Body& body) {
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  arena.execute([&] { tbb::parallel_for(0, joints, body); });
}

// [nats] A type that far behind by all else is lost anyway; what its uncertain parameters do to the momentum need not be known.
constexpr double kLost = 200.0;

// Momentum evidence of every option with the other joints at their best, into the hypotheses; and the exact searches. `spread`: term_spread() of
// a joint and option.
template <class Spread>
void weigh_momentum(const MomentumTerms& terms, const Spread& spread, std::vector<JointStudy>& studies,
                    double rows, TopologyResult& result) {
  std::vector<std::vector<JointType>> options;
  for (const JointStudy& study : studies) {
    options.emplace_back();
    for (const TypeEvidence& type : study.kinematic.types) options.back().push_back(type.type);
  }
  const CombinationProblem problem = terms.problem();
  const CombinationSearch alone = search_combinations(problem);
  result.combinations_visited = alone.visited;
  result.best = {types_of(alone.best.choice, options), alone.best.error};
  if (!alone.runner_up.choice.empty())
    result.runner_up = {types_of(alone.runner_up.choice, options), alone.runner_up.error};
  // Per joint with all else as measured. Where that is worse than the noise says, the noise is larger. A type whose error noise
  // explains is not behind another: what the noise of the poses did to both has been counted with the poses.
  const double rows_of_balance = static_cast<double>(terms.constant.size());
  const double inflation = std::max(1.0, result.balance);
  const double by_noise = inflation * (rows_of_balance + 4.0 * std::sqrt(2.0 * rows_of_balance));
  std::vector<int> likeliest;
  for (const JointStudy& study : studies) {
    std::size_t best = 0;
    for (std::size_t m = 1; m < study.kinematic.types.size(); ++m)
      if (study.kinematic.types[m].evidence + study.transmitted[m] >
          study.kinematic.types[best].evidence + study.transmitted[best])
        best = m;
    likeliest.push_back(static_cast<int>(best));
  }
  for (std::size_t j = 0; j < studies.size(); ++j) {
    std::vector<int> choice = likeliest;
    JointStudy& study = studies[j];
    const auto by_others = [&](std::size_t m) {
      return study.kinematic.types[m].evidence + study.transmitted[m];
    };
    for (std::size_t m = 0; m < study.kinematic.types.size(); ++m) {
      choice[j] = static_cast<int>(m);
      double error =
          rows_of_balance > 0.0 ? terms.joint_error(static_cast<int>(j), static_cast<int>(m)) : 0.0;
      if (error > by_noise && by_others(m) > by_others(static_cast<std::size_t>(likeliest[j])) - kLost)
        error = terms.joint_error(static_cast<int>(j), static_cast<int>(m), spread(j, m));
      study.momentum.push_back(-0.5 * std::max(0.0, error - by_noise) / inflation);
      study.error.push_back(terms.source_error(choice, rows));
    }
  }
}

bool is_usable(const articulation::JointFit& fit) {
  return fit.status != articulation::FitStatus::failed && std::isfinite(fit.joint.pitch) &&
         fit.joint.X_FJ.matrix().allFinite() && fit.joint.X_MJ.matrix().allFinite();
}

}  // namespace

void TopologyOptions::validate() const {
  if (types.empty())
    throw std::invalid_argument("TopologyOptions::types is empty; it needs at least one type");
  for (const JointType type : types) {
    const bool is_known = type == JointType::rigid || type == JointType::prismatic ||
                          type == JointType::revolute || type == JointType::screw ||
                          type == JointType::spherical;
    if (!is_known)
      throw std::invalid_argument(std::string("TopologyOptions::types holds ") +
                                  to_string(type) +
                                  "; rigid, prismatic, revolute, screw and spherical are told apart");
    if (std::count(types.begin(), types.end(), type) > 1)
      throw std::invalid_argument(std::string("TopologyOptions::types holds ") +
                                  to_string(type) + " twice");
  }
  const auto not_negative = [](std::optional<double> value, const char* name) {
    if (value && !(*value >= 0.0 && std::isfinite(*value)))
      throw std::invalid_argument(std::string("TopologyOptions::") + name + " is " + std::to_string(*value) +
                                  "; it must be at least 0");
  };
  if (pose_noise) {
    not_negative(pose_noise->position, "pose_noise.position");
    not_negative(pose_noise->angle, "pose_noise.angle");
  }
  not_negative(force_noise, "force_noise");
  not_negative(torque_noise, "torque_noise");
  not_negative(largest_friction_torque, "largest_friction_torque");
  not_negative(largest_friction_force, "largest_friction_force");
  if (!(sure > 0.5 && sure < 1.0))
    throw std::invalid_argument("TopologyOptions::sure is " + std::to_string(sure) +
                                "; it must lie between 0.5 and 1");
  if (threads < 0)
    throw std::invalid_argument("TopologyOptions::threads is " + std::to_string(threads) +
                                "; it must be at least 0");
}

TopologyResult estimate_topology(const ArticulatedObject& object, const Recording& recording,
                                 const TopologyOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  options.validate();
  validate(object, recording);
  TopologyResult result;
  const RecordingNoise noise = noise_of(recording, options);
  result.pose_noise = noise.pose;
  result.force_noise = noise.force;
  result.torque_noise = noise.torque;
  const MotionBlocks blocks = average_blocks(object, recording);
  const LinkBalance balance = balance_links(object, recording, blocks, noise);
  result.balance = !recording.is_complete() ? 0.0 : total_balance(balance);
  const double inflation = std::max(1.0, result.balance);
  const bool wrench_is_trusted = balance.size() > 0 && result.balance < kUntrustedBalance;

  const int joints = object.joints();
  std::vector<JointStudy> studies(static_cast<std::size_t>(joints));
  for_each_joint(joints, options.threads, [&](int j) {
    JointStudy& study = studies[static_cast<std::size_t>(j)];
    study.kinematic = kinematic_evidence(object, blocks, j, noise.pose, options.types);
    if (balance.size() > 0)
      study.wrench = transmitted_wrench(object, recording, blocks, balance, j, noise, inflation);
    study_transmitted(study, object, blocks, j, options, wrench_is_trusted);
  });

  std::vector<std::vector<articulation::Joint>> hypotheses;
  for (const JointStudy& study : studies) {
    hypotheses.emplace_back();
    for (const TypeEvidence& type : study.kinematic.types) {
      // A type that cannot be fitted (a screw through a motion that does not turn) adds no momentum.
      articulation::Joint still;
      still.type = model::JointType::rigid;
      hypotheses.back().push_back(is_usable(type.fit) ? type.fit.joint : still);
    }
  }
  const MomentumTerms terms = momentum_terms(object, recording, blocks, balance, hypotheses, noise);
  const double rows_per_window =
      balance.size() > 0 ? static_cast<double>(recording.rows()) / static_cast<double>(balance.size()) : 0.0;
  const auto spread = [&](std::size_t j, std::size_t m) {
    const articulation::JointFit& fit = studies[j].kinematic.types[m].fit;
    // Frames that are not independent leave more open.
    return Eigen::MatrixXd(term_spread(object, blocks, balance, static_cast<int>(j), fit, noise) /
                           std::sqrt(studies[j].kinematic.independent));
  };
  weigh_momentum(terms, spread, studies, rows_per_window, result);

  bool all_told = true;
  result.score = std::numeric_limits<double>::infinity();
  for (int j = 0; j < joints; ++j) {
    result.joints.push_back(
        verdict(studies[static_cast<std::size_t>(j)], object, j, options, wrench_is_trusted));
    result.joints.back().states = row_states(result.joints.back(), recording);
    const std::vector<JointHypothesis>& h = result.joints.back().hypotheses;
    if (h.size() > 1) result.score = std::min(result.score, h[0].total() - h[1].total());
    all_told &= result.joints.back().status == TopologyStatus::ok;
    for (std::string& note : studies[static_cast<std::size_t>(j)].notes)
      result.notes.push_back(std::move(note));
  }
  if (!std::isfinite(result.score)) result.score = 0.0;
  result.status = all_told ? TopologyStatus::ok : TopologyStatus::undetermined;
  char text[240];
  if (balance.size() > 0 && !wrench_is_trusted) {
    std::snprintf(text, sizeof text,
                  "The total wrench and the rate of the total momentum differ by %.3g times what noise "
                  "explains: an inertia, "
                  "gravity, a wrench's frame or sign is wrong, or something else touches the object.",
                  std::sqrt(result.balance));
    result.problems.push_back(text);
  }
  if (balance.size() == 0)
    result.problems.push_back("The recording is too short for a balance of momentum: only its poses count.");
  if (blocks.gaps > 0)
    result.notes.push_back("Rows are missing at " + std::to_string(blocks.gaps) +
                           " times; nothing is concluded across these gaps.");
  if (!recording.is_complete())
    result.notes.push_back("The base is fixed by an unknown wrench: the total momentum says nothing.");
  result.time_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace prehend::topology
