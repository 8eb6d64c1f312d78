// Demonstrations done again in the physics engine: they arrive where the contacts are, not where they were planned.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <tests/sweeps.h>

#include <prehend/math/angles.h>
#include <prehend/math/so3.h>
#include <prehend/observation/execution.h>
#include <prehend/observation/execution/force_feedback.h>
#include <prehend/observation/relations/contact_rows.h>
#include <prehend/observation/simulated/demonstrations.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;
using math::Pose;

struct Known {
  BodyPair pair;
  std::vector<RelationPose> states;
};

// The poses in the middle of each state; of the first, where it begins.
Known known(DemonstrationKind kind, std::uint64_t seed) {
  const Demonstration demo = demonstrate(kind, seed);
  Known result{{geometry::Polyhedron::from_mesh(demo.moving), geometry::Polyhedron::from_mesh(demo.fixed)},
               {}};
  for (std::size_t first = 0; first < demo.states.size();) {
    std::size_t last = first;
    while (last + 1 < demo.states.size() && demo.states[last + 1] == demo.states[first]) ++last;
    const Pose& X = demo.X_FM[first == 0 ? 0 : (first + last) / 2];
    result.states.push_back({result.pair.contacts_at(X, result.pair.touch_tolerance()), X});
    first = last + 1;
  }
  return result;
}

ExecutionOptions with_errors(double position, double angle, std::uint64_t seed) {
  ExecutionOptions options;
  options.seed = seed;
  options.errors = random_errors({position, angle}, {0.0, 0.0}, seed);
  return options;
}

TEST(AssemblyPlan, StepsKeepTheLessRestrictedStateAndFollowEachOther) {
  for (const DemonstrationKind kind :
       {DemonstrationKind::peg, DemonstrationKind::corner, DemonstrationKind::roll}) {
    const Known demo = known(kind, 7100);
    const AssemblyPlan plan = assembly_plan(demo.pair, demo.states);
    ASSERT_EQ(plan.status, PlanStatus::ok) << plan.reason;
    const double size = demo.pair.size();
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      const AssemblyStep& step = plan.steps[i];
      if (i > 0) {
        const Pose &a = plan.steps[i - 1].X_FM.back(), &b = step.X_FM.front();
        EXPECT_LT((a.p() - b.p()).norm(), 1e-9 * size) << i;
        EXPECT_LT(math::log_so3(a.q() * b.q().conjugate()).norm(), 1e-9) << i;
      }
      const std::vector<ContactRow> rows = rows_of(demo.pair.features(), step.kept);
      for (const Pose& X : step.X_FM)
        for (const ContactRow& row : rows)
          EXPECT_LT(std::abs(evaluate(row, X.R(), X.p(), X.p()).gap), 1e-6 * size) << i;
    }
  }
}

TEST(AssemblyPlan, NeedsTwoStates) {
  const Known demo = known(DemonstrationKind::corner, 7101);
  EXPECT_EQ(assembly_plan(demo.pair, {demo.states[0]}).reason,
            "there is one state only: nothing was put together");
}

TEST(AssemblyPlan, AFirstStateInContactIsApproached) {
  Known demo = known(DemonstrationKind::corner, 7102);
  demo.states.erase(demo.states.begin());
  const AssemblyPlan plan = assembly_plan(demo.pair, demo.states);
  ASSERT_EQ(plan.status, PlanStatus::ok) << plan.reason;
  EXPECT_TRUE(plan.states.front().contacts.empty());
  EXPECT_EQ(plan.states.size(), demo.states.size() + 1);
}

// A face on a face, pressed at its four corners.
ContactWrenches face_contact() {
  ContactWrenches face;
  face.columns.resize(6, 4);
  face.weights = Eigen::VectorXd::Constant(4, 0.25);
  int k = 0;
  for (const double x : {-0.02, 0.02})
    for (const double y : {-0.03, 0.03}) {
      const Vector3d point(x, y, -0.05), normal = Vector3d::UnitZ();
      face.columns.col(k) << point.cross(normal), normal;
      ++k;
    }
  face.mean_normal = Vector3d::UnitZ();
  return face;
}

TEST(ForceFeedback, ChangesOnlyWhatContactsRestrict) {
  const ContactWrenches face = face_contact();
  const HandStiffness hand{1000.0, 1.6};
  math::Vector6d wrench;
  wrench << 0.01, -0.02, 0.03, 0.2, -0.1, 0.8;
  const math::Vector6d step = feedback_step(face, wrench, 0.5, hand, 0.1);
  // Along the face and about its normal nothing.
  EXPECT_NEAR(step[2], 0.0, 1e-12);
  EXPECT_NEAR(step[3], 0.0, 1e-12);
  EXPECT_NEAR(step[4], 0.0, 1e-12);
  // 0.3 N too much: a tenth of it is taken away, upwards; moments alike. Weak directions are damped by some percent.
  EXPECT_NEAR(step[5], 0.1 * 0.3 / 1000.0, 0.05 * 0.1 * 0.3 / 1000.0);
  EXPECT_NEAR(step[0], 0.1 * 0.01 / 1.6, 0.1 * 0.1 * 0.01 / 1.6);
  EXPECT_NEAR(step[1], -0.1 * 0.02 / 1.6, 0.1 * 0.1 * 0.02 / 1.6);
}

TEST(ForceFeedback, OppositeContactsAreNotSqueezed) {
  ContactWrenches walls;
  walls.columns.resize(6, 2);
  walls.columns.col(0) << Vector3d::Zero(), Vector3d::UnitX();
  walls.columns.col(1) << Vector3d::Zero(), -Vector3d::UnitX();
  walls.weights = Eigen::VectorXd::Ones(2);
  EXPECT_LT(wanted_wrench(walls, 0.5).norm(), 1e-12);
  math::Vector6d wrench = math::Vector6d::Zero();
  wrench[3] = 2.0;  // pressed against one of them
  EXPECT_GT(feedback_step(walls, wrench, 0.5, {}, 0.1)[3], 0.0);
}

// Every kind but `jam`, whose wedge the least turn of the plan ends elsewhere than the demonstration.
TEST(Execution, ArrivesInSpiteOfErrors) {
  const int count = test::sweep_size(2, 25);
  int arrived = 0, all = 0;
  for (const DemonstrationKind kind :
       {DemonstrationKind::peg, DemonstrationKind::corner, DemonstrationKind::roll, DemonstrationKind::hook,
        DemonstrationKind::stack}) {
    for (int k = 0; k < count; ++k) {
      const std::uint64_t seed = 7200 + static_cast<std::uint64_t>(k);
      const Known demo = known(kind, seed);
      const Execution done = execute(demo.pair, demo.states, with_errors(2e-3, 0.02, seed));
      ++all;
      arrived += done.status == ExecutionStatus::ok;
      if (done.status != ExecutionStatus::ok)
        std::printf("%s %d: %s\n", to_string(kind), k, done.reason.c_str());
    }
  }
  EXPECT_GE(arrived, all - all / 50);
}

TEST(Execution, ThePlanAloneDoesNotInsertAPeg) {
  int alone = 0;
  for (std::uint64_t seed = 7300; seed < 7306; ++seed) {
    const Known demo = known(DemonstrationKind::peg, seed);
    ExecutionOptions options = with_errors(4e-3, 0.04, seed);
    options.feedback = Feedback::none;
    alone += execute(demo.pair, demo.states, options).status == ExecutionStatus::ok;
  }
  EXPECT_LE(alone, 2);
}

TEST(Execution, PressesKeptContactsAsWanted) {
  const Known demo = known(DemonstrationKind::corner, 7400);
  ExecutionOptions options = with_errors(1e-3, 0.01, 7400);
  const Execution done = execute(demo.pair, demo.states, options);
  ASSERT_EQ(done.status, ExecutionStatus::ok) << done.reason;
  // While the block slides over the floor to the wall: half a newton, plus what friction at the rim of the foot makes of it.
  const ExecutedStep& slide = done.steps[1];
  double sum = 0.0;
  int count = 0;
  for (const ExecutionSample& sample : done.samples) {
    if (sample.t_s < slide.t0_s + 0.5 || sample.t_s > slide.t1_s - 0.2) continue;
    sum += sample.pressed_N;
    ++count;
  }
  ASSERT_GT(count, 50);
  EXPECT_NEAR(sum / count, options.push_N, 0.1 * options.push_N);
}

TEST(Execution, SameSeedSameAnswer) {
  const Known demo = known(DemonstrationKind::hook, 7500);
  const ExecutionOptions options = with_errors(2e-3, 0.02, 3);
  const Execution a = execute(demo.pair, demo.states, options), b = execute(demo.pair, demo.states, options);
  ASSERT_EQ(a.samples.size(), b.samples.size());
  EXPECT_EQ(a.end_gap_m, b.end_gap_m);
  EXPECT_EQ(a.peak_N, b.peak_N);
}

TEST(Execution, FreeBodiesFindAnOpening) {
  // A loose peg is led into its groove from above, 3 mm beside it: places around are tried.
  const Known demo = known(DemonstrationKind::jam, 203);
  ExecutionOptions options;
  options.errors.X_WF = Pose::translation({3e-3, 0.0, 0.0});
  const Execution done = execute(demo.pair, {demo.states[0], demo.states[1]}, options);
  EXPECT_EQ(done.status, ExecutionStatus::ok) << done.reason;
  EXPECT_GT(done.repeated, 0);
}

TEST(Execution, ABodyThatIsTakenOffIsFree) {
  Known demo = known(DemonstrationKind::hook, 7550);
  std::reverse(demo.states.begin(), demo.states.end());
  const Execution done = execute(demo.pair, demo.states, with_errors(1e-3, 0.01, 7550));
  EXPECT_EQ(done.status, ExecutionStatus::ok) << done.reason;
  EXPECT_TRUE(done.plan.states.back().contacts.empty());
}

TEST(Execution, BodiesThatTheEngineCannotHaveAreNamed) {
  // A pan whose rim has 80 sides: its hollow has more planes than are divided into convex pieces.
  constexpr int kSides = 80;
  geometry::TriangleMesh pan;
  const auto ring = [&](double radius, double z) {
    const int first = static_cast<int>(pan.vertices.size());
    for (int i = 0; i < kSides; ++i) {
      const double a = 2.0 * math::kPi * i / kSides;
      pan.vertices.emplace_back(radius * std::cos(a), radius * std::sin(a), z);
    }
    return first;
  };
  const auto band = [&](int low, int high) {
    for (int i = 0; i < kSides; ++i) {
      const int j = (i + 1) % kSides;
      pan.triangles.emplace_back(low + i, low + j, high + j);
      pan.triangles.emplace_back(low + i, high + j, high + i);
    }
  };
  const int outer_low = ring(0.06, 0.0), outer_high = ring(0.06, 0.04), inner_high = ring(0.05, 0.04),
            inner_low = ring(0.05, 0.01);
  band(outer_low, outer_high);
  band(outer_high, inner_high);
  band(inner_high, inner_low);
  for (int i = 1; i + 1 < kSides; ++i) {
    pan.triangles.emplace_back(outer_low, outer_low + i + 1, outer_low + i);
    pan.triangles.emplace_back(inner_low, inner_low + i, inner_low + i + 1);
  }
  const Known demo = known(DemonstrationKind::corner, 7551);
  const BodyPair pair(demo.pair.moving(), geometry::Polyhedron::from_mesh(pan));
  const auto box = geometry::bounding_box(demo.pair.moving().vertices());
  const double width = (box.upper - box.lower).x();
  const Pose on_rim = Pose::translation(Vector3d(0.0, 0.0, 0.04) -
                                        Vector3d(box.lower.x() + 0.5 * width, box.lower.y(), box.lower.z()));
  const Pose above(on_rim.q(), on_rim.p() + Vector3d(0.0, 0.0, 0.05));
  const Execution done =
      execute(pair, {{{}, above}, {pair.contacts_at(on_rim, pair.touch_tolerance()), on_rim}});
  EXPECT_EQ(done.status, ExecutionStatus::undetermined) << done.reason;
  EXPECT_NE(done.reason.find("cannot be divided into convex pieces"), std::string::npos) << done.reason;
}

TEST(Execution, OptionsAreChecked) {
  const Known demo = known(DemonstrationKind::corner, 7600);
  ExecutionOptions options;
  options.push_N = 0.0;
  EXPECT_THROW(execute(demo.pair, demo.states, options), std::invalid_argument);
  TrialOptions trials;
  trials.fixed.angle_rad = 7.0;
  EXPECT_THROW(execute_trials(demo.pair, demo.states, {}, trials), std::invalid_argument);
}

TEST(ExecutionTrials, DoubtsOfTheDemonstrationAreNoted) {
  const Demonstration demo = demonstrate(DemonstrationKind::hook, 7800);
  const BodyPair pair(geometry::Polyhedron::from_mesh(demo.moving),
                      geometry::Polyhedron::from_mesh(demo.fixed));
  Watched watched = watch(pair, seen(demo, {1e-4, 1e-3}, 7800));
  ASSERT_EQ(watched.status, WatchStatus::ok);
  EXPECT_TRUE(execute_trials(pair, watched).notes.empty());
  watched.status = WatchStatus::doubtful;
  watched.states[1].doubt = "another one";
  const ExecutionTrials done = execute_trials(pair, watched);
  ASSERT_EQ(done.notes.size(), 1u);
  EXPECT_NE(done.brief_report().find("note: the demonstration is doubtful in the states 1"),
            std::string::npos);
}

TEST(ExecutionTrials, CountsAndSaysWhy) {
  const Known demo = known(DemonstrationKind::hook, 7700);
  TrialOptions trials;
  trials.count = 3;
  trials.fixed = {2e-3, 0.02};
  const ExecutionTrials done = execute_trials(demo.pair, demo.states, {}, trials);
  EXPECT_EQ(done.trials.size(), 3u);
  EXPECT_EQ(done.arrived, 3);
  EXPECT_NE(done.trials[0].errors.X_WF.p(), done.trials[1].errors.X_WF.p());
  EXPECT_NE(done.to_json().find("\"arrived\":3"), std::string::npos);
  EXPECT_NE(done.brief_report().find("3 of 3 trials arrived"), std::string::npos) << done.brief_report();
}

}  // namespace
}  // namespace prehend::observation
