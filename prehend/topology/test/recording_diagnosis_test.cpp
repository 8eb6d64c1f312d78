#include <algorithm>
#include <functional>

#include <gtest/gtest.h>
#include <tests/sweeps.h>

#include <prehend/topology/diagnosed_topology.h>
#include <prehend/topology/recording_diagnosis.h>
#include <prehend/topology/simulated/sample_object.h>
#include <prehend/topology/simulated/simulated_recording.h>

namespace prehend::topology {
namespace {

using model::JointType;

SimulatedRecording sample(std::uint64_t seed, int links, bool base_is_fixed, double noise = 1.0) {
  SampleObjectOptions object;
  object.links = links;
  object.base_is_fixed = base_is_fixed;
  object.seed = seed;
  const model::Scene scene = sample_object(object);
  RecordingOptions options;
  options.grips = sample_exploration(scene, 0.0, seed).grips;
  options.duration = 2.0;
  options.seed = seed;
  options.pose_noise = {noise * 5e-4, noise * 4e-3};
  options.force_noise = noise * 0.1;
  options.torque_noise = noise * 0.01;
  return record(scene, options);
}

TEST(RecordingDiagnosis, RightRecordingsRaiseNothing) {
  const auto seeds = static_cast<std::uint64_t>(prehend::test::sweep_size(8, 24));
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const SimulatedRecording made =
        sample(100 + seed, 2 + static_cast<int>(seed % 6), seed % 4 == 3, seed % 2 == 0 ? 1.0 : 0.0);
    const RecordingDiagnosis diagnosis = diagnose_recording(made.object, made.recording);
    EXPECT_TRUE(diagnosis.findings.empty()) << seed << ": " << diagnosis.findings[0].sentence;
    if (!made.recording.base_is_fixed) {
      EXPECT_LT(diagnosis.balance, 5.0) << seed;
    }
  }
}

struct Broken {
  const char* name;
  std::function<void(SimulatedRecording&)> change;
  FindingKind kind;
  const char* words;
  bool blocks{true};
};

TEST(RecordingDiagnosis, WhatIsWrongIsNamed) {
  const Broken cases[] = {
      {"sign of one hand",
       [](SimulatedRecording& made) {
         for (math::Wrench& F : made.recording.held[1].F_L) F = -F;
       },
       FindingKind::wrench_sign, "has the wrong sign"},
      {"sign of all hands",
       [](SimulatedRecording& made) {
         for (HeldLink& held : made.recording.held)
           for (math::Wrench& F : held.F_L) F = -F;
       },
       FindingKind::wrench_sign, "the wrenches have the wrong sign"},
      {"world's axes",
       [](SimulatedRecording& made) {
         HeldLink& held = made.recording.held[0];
         for (std::size_t k = 0; k < made.recording.rows(); ++k)
           held.F_L[k] =
               held.F_L[k].expressed(made.recording.X_WL[static_cast<std::size_t>(held.link)][k].R());
       },
       FindingKind::wrench_frame, "in the world's axes"},
      {"gravity not stated", [](SimulatedRecording& made) { made.recording.gravity_W.setZero(); },
       FindingKind::gravity, "gravity is missing"},
      {"gravity upside down", [](SimulatedRecording& made) { made.recording.gravity_W *= -1.0; },
       FindingKind::gravity, "wrong sign"},
      {"links exchanged",
       [](SimulatedRecording& made) { std::swap(made.recording.X_WL[0], made.recording.X_WL[1]); },
       FindingKind::link_order, "'link0' and 'link1' exchanged"},
      {"links reversed",
       [](SimulatedRecording& made) { std::reverse(made.recording.X_WL.begin(), made.recording.X_WL.end()); },
       FindingKind::link_order, "the links are in the wrong order"},
      {"a link too heavy",
       [](SimulatedRecording& made) {
         made.object.links[1].inertia.mass *= 2.0;
         made.object.links[1].inertia.I_com *= 2.0;
       },
       FindingKind::link_inertia, "the inertia of link 'link1' is wrong: with 0."},
      {"at rest",
       [](SimulatedRecording& made) {
         for (auto& X : made.recording.X_WL) std::fill(X.begin(), X.end(), math::Pose(X[0]));
         for (HeldLink& held : made.recording.held)
           std::fill(held.F_L.begin(), held.F_L.end(), math::Wrench(held.F_L[0]));
       },
       FindingKind::at_rest, "nothing moves in this recording"},
      {"a jump",
       [](SimulatedRecording& made) {
         for (std::size_t k = 1000; k < made.recording.rows(); ++k) made.recording.t[k] += 0.5;
       },
       FindingKind::time_jump, "time jumps once, first after row 1000 at 0.999 s, by up to 0.501 s", false},
      {"lower rate of a wrench",
       [](SimulatedRecording& made) {
         std::vector<math::Wrench>& F = made.recording.held[0].F_L;
         for (std::size_t k = 0; k < F.size(); ++k) F[k] = F[k - k % 4];
       },
       FindingKind::unequal_rate, "comes at a lower rate", false},
  };
  for (std::uint64_t seed = 40; seed < 43; ++seed) {
    const SimulatedRecording right = sample(seed, 3, false);
    for (const Broken& broken : cases) {
      SimulatedRecording made = right;
      broken.change(made);
      const RecordingDiagnosis diagnosis = diagnose_recording(made.object, made.recording);
      const auto found = std::find_if(diagnosis.findings.begin(), diagnosis.findings.end(),
                                      [&](const Finding& finding) { return finding.kind == broken.kind; });
      std::string all;
      for (const std::string& sentence : diagnosis.sentences()) all += "\n  " + sentence;
      ASSERT_NE(found, diagnosis.findings.end())
          << seed << " " << broken.name << ": balance " << diagnosis.balance << all;
      EXPECT_NE(found->sentence.find(broken.words), std::string::npos) << broken.name << all;
      EXPECT_EQ(found->blocks, broken.blocks) << broken.name;
    }
  }
}

TEST(RecordingDiagnosis, UnequalRatesAndAnUnrecordedHand) {
  SimulatedRecording made = sample(50, 3, false);
  for (std::size_t k = 1; k < made.recording.rows(); k += 2) made.recording.t[k] += 0.0004;
  RecordingDiagnosis diagnosis = diagnose_recording(made.object, made.recording);
  EXPECT_TRUE(std::any_of(diagnosis.findings.begin(), diagnosis.findings.end(), [](const Finding& f) {
    return f.sentence.find("unequal rates") != std::string::npos;
  }));
  made = sample(51, 3, true);
  made.recording.base_is_fixed = false;
  diagnosis = diagnose_recording(made.object, made.recording);
  ASSERT_EQ(diagnosis.findings.size(), 1u);
  EXPECT_EQ(diagnosis.findings[0].kind, FindingKind::base_is_held) << diagnosis.findings[0].sentence;
  made = sample(52, 4, false);
  if (made.recording.held.size() > 1) made.recording.held.pop_back();
  diagnosis = diagnose_recording(made.object, made.recording);
  EXPECT_TRUE(diagnosis.blocks());
}

TEST(DiagnosedTopology, AWrongRecordingIsNeverGuessed) {
  SimulatedRecording made = sample(60, 3, false);
  DiagnosedTopology found = diagnose_and_estimate(made.object, made.recording);
  EXPECT_TRUE(found.result.problems.empty());
  for (HeldLink& held : made.recording.held)
    for (math::Wrench& F : held.F_L) F = -F;
  found = diagnose_and_estimate(made.object, made.recording);
  EXPECT_EQ(found.result.status, TopologyStatus::undetermined);
  for (const FoundJoint& joint : found.result.joints) {
    EXPECT_EQ(joint.status, TopologyStatus::undetermined);
    EXPECT_NE(joint.reason.find("wrong sign"), std::string::npos);
  }
  ASSERT_EQ(found.result.problems.size(), 1u);
}

TEST(DiagnosedTopology, ErrorsOfTheSourcesTypesAreAlwaysThere) {
  const SimulatedRecording made = sample(61, 3, false);
  TopologyOptions options;
  options.types = {JointType::rigid, JointType::spherical};
  const DiagnosedTopology found = diagnose_and_estimate(made.object, made.recording, options);
  for (const FoundJoint& joint : found.result.joints) {
    EXPECT_EQ(joint.hypotheses.size(), 4u);
    for (const JointType type : {JointType::prismatic, JointType::revolute}) {
      const auto h = std::find_if(joint.hypotheses.begin(), joint.hypotheses.end(),
                                  [&](const JointHypothesis& candidate) { return candidate.type == type; });
      ASSERT_NE(h, joint.hypotheses.end());
      EXPECT_GT(h->error, 0.0);
      EXPECT_EQ(h->posterior, 0.0);
    }
  }
}

// The world's wrench on a fixed base makes everything known; half of it does not, and is not believed.
TEST(DiagnosedTopology, AFixedBaseWithItsWrench) {
  model::Scene scene = source_object(JointType::revolute, true);
  RecordingOptions options;
  options.pushes.push_back({1, {0.0, 0.2, 0.0}, {0.25, 0.0, 0.0}, 0.3, 0.0});
  options.lead_in = 0.0;
  options.record_reaction = true;
  SimulatedRecording made = record(scene, options);
  DiagnosedTopology found = diagnose_and_estimate(made.object, made.recording);
  EXPECT_TRUE(found.recording.is_complete());
  EXPECT_EQ(found.result.status, TopologyStatus::ok) << found.result.brief_report();
  EXPECT_EQ(found.result.joints[0].type, JointType::revolute);
  for (math::Wrench& F : made.recording.held[0].F_L) F = math::Wrench{};
  found = diagnose_and_estimate(made.object, made.recording);
  EXPECT_FALSE(found.recording.is_complete());
  EXPECT_TRUE(std::any_of(found.result.notes.begin(), found.result.notes.end(), [](const std::string& note) {
    return note.find("counts as unknown") != std::string::npos;
  }));
}

// Wrenches 20 ms late on one hand and 10 ms early on the other: found to a millisecond or two, and the joints as without.
TEST(RecordingDiagnosis, LateWrenchesAreMoved) {
  int found = 0, right = 0, wrong = 0;
  for (std::uint64_t seed = 300; seed < 306; ++seed) {
    SimulatedRecording made = sample(seed, 3, false);
    const auto rows = made.recording.rows();
    for (std::size_t h = 0; h < made.recording.held.size(); ++h) {
      std::vector<math::Wrench>& F = made.recording.held[h].F_L;
      const std::vector<math::Wrench> exact = F;
      const long late = h == 0 ? 20 : -10;  // rows of 1 ms
      for (std::size_t k = 0; k < rows; ++k)
        F[k] = exact[static_cast<std::size_t>(
            std::clamp(static_cast<long>(k) - late, 0L, static_cast<long>(rows) - 1))];
    }
    const DiagnosedTopology result = diagnose_and_estimate(made.object, made.recording);
    for (const Finding& finding : result.diagnosis.findings)
      found += finding.kind == FindingKind::wrench_delay && !finding.blocks ? 1 : 0;
    EXPECT_FALSE(result.diagnosis.blocks()) << result.reason();
    for (std::size_t j = 0; j < made.joints.size(); ++j) {
      const FoundJoint& joint = result.result.joints[j];
      if (joint.status != TopologyStatus::ok) continue;
      (joint.best().type == made.joints[j].type ? right : wrong) += 1;
    }
  }
  EXPECT_GE(found, 5);
  EXPECT_GE(right, 9);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace prehend::topology
