// Discovery on simulated objects whose truth is known: tree, types, states, groups, loops, files.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <prehend/articulation/discovered_files.h>
#include <prehend/articulation/discovery.h>
#include <prehend/articulation/fit/joint_motion.h>
#include <prehend/articulation/simulated/object_motion.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scene_reader.h>
#include <prehend/model/scene_writer.h>

namespace prehend::articulation {
namespace {

using model::JointType;

// Edges with types between parts, whatever the direction.
std::map<std::pair<std::string, std::string>, JointType> edges_of(const Discovery& found) {
  std::map<std::pair<std::string, std::string>, JointType> edges;
  for (const DiscoveredJoint& joint : found.joints)
    edges[std::minmax(found.name(joint.parent), found.name(joint.child))] = joint.joint.type;
  return edges;
}
std::map<std::pair<std::string, std::string>, JointType> edges_of(const SimulatedObject& object) {
  std::map<std::pair<std::string, std::string>, JointType> edges;
  for (const SimulatedJoint& joint : object.joints)
    edges[std::minmax(object.parts[joint.joint.parent].name, object.parts[joint.joint.child].name)] =
        joint.joint.type;
  return edges;
}

SimulatedMotion simulated(std::uint64_t seed, double noise, int inflation = 0, int frames = 200,
                          std::vector<JointType> types = {JointType::prismatic, JointType::revolute}) {
  RandomObjectOptions object;
  object.seed = seed;
  object.types = std::move(types);
  MotionOptions motion;
  motion.seed = seed;
  motion.frames = frames;
  motion.position_noise *= noise;
  motion.angle_noise *= noise;
  motion.inflation = inflation;
  return simulate_motion(random_object(object), motion);
}

// Largest error of poses that the discovered joints and states give, against the truth, parts in the root's frame.
struct Error {
  double position{0}, angle{0};
};
Error worst_error(const Discovery& found, const SimulatedMotion& truth) {
  Error error;
  for (std::size_t t = 0; t < found.times.size(); ++t) {
    const auto placed = found.placed(static_cast<int>(t));
    for (std::size_t g = 0; g < found.groups.size(); ++g) {
      if (!placed[g]) continue;
      const int part = truth.features[found.groups[g].parts[0]].part;
      const math::Pose X = truth.X_WP[t][0].inverse() * truth.X_WP[t][part];
      error.position = std::max(error.position, (X.p() - placed[g]->p()).norm());
      error.angle = std::max(error.angle, math::log_so3(X.q().conjugate() * placed[g]->q()).norm());
    }
  }
  return error;
}

TEST(Discovery, ExactPosesGiveTheTreeTheTypesAndThePoses) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const SimulatedMotion truth = simulated(seed, 0.0);
    const Discovery found = discover(truth.log, "log");
    EXPECT_EQ(found.status, DiscoveryStatus::ok) << found.brief_report();
    EXPECT_EQ(edges_of(found), edges_of(truth.object)) << "seed " << seed << "\n" << found.brief_report();
    EXPECT_EQ(found.degrees_of_freedom, 5);
    EXPECT_TRUE(found.loops.empty());
    const Error error = worst_error(found, truth);
    EXPECT_LT(error.position, 1e-6) << "seed " << seed;
    EXPECT_LT(error.angle, 1e-6) << "seed " << seed;
  }
}

TEST(Discovery, DefaultNoise) {
  int right = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const SimulatedMotion truth = simulated(seed, 1.0);
    const Discovery found = discover(truth.log, "log");
    right += edges_of(found) == edges_of(truth.object);
    // Uniform noise of 0.025 m and 0.05 rad half width.
    EXPECT_NEAR(found.noise.position, 0.025 / std::sqrt(3.0), 0.003);
    EXPECT_NEAR(found.noise.angle, 0.05 / std::sqrt(3.0), 0.004);
  }
  EXPECT_EQ(right, 6);
}

TEST(Discovery, FurtherFeaturesAreMergedAndPooled) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const SimulatedMotion truth = simulated(seed, 1.0, 3);
    const Discovery found = discover(truth.log, "log");
    ASSERT_EQ(found.groups.size(), 6u) << found.brief_report();
    for (const RigidGroup& group : found.groups) {
      EXPECT_EQ(group.parts.size(), 4u);
      for (const int part : group.parts)
        EXPECT_EQ(truth.features[part].part, truth.features[group.parts[0]].part);
    }
    EXPECT_EQ(edges_of(found), edges_of(truth.object)) << found.brief_report();
  }
}

TEST(Discovery, OtherTypesAreFound) {
  const SimulatedMotion truth = simulated(3, 0.1, 0, 200,
                                          {JointType::screw, JointType::cylindrical, JointType::spherical,
                                           JointType::universal, JointType::planar});
  const Discovery found = discover(truth.log, "log");
  EXPECT_EQ(edges_of(found), edges_of(truth.object)) << found.brief_report();
}

TEST(Discovery, AScaledAndShiftedObjectIsTheSameObject) {
  const SimulatedMotion truth = simulated(1, 1.0);
  const auto expected = edges_of(discover(truth.log, "log"));
  for (const double scale : {1e-3, 1e3}) {
    model::PoseLog log = truth.log;
    for (model::PoseRow& row : log.rows) row.p_WP = scale * (row.p_WP + Eigen::Vector3d(100, -50, 20));
    EXPECT_EQ(edges_of(discover(log, "log")), expected) << "scale " << scale;
  }
}

TEST(Discovery, LostFramesAreGapsInTheStates) {
  RandomObjectOptions object;
  object.parts = 4;
  MotionOptions motion;
  motion.lost_share = 0.2;
  motion.position_noise *= 0.2;
  motion.angle_noise *= 0.2;
  const SimulatedMotion truth = simulate_motion(random_object(object), motion);
  const Discovery found = discover(truth.log, "log");
  EXPECT_EQ(edges_of(found), edges_of(truth.object)) << found.brief_report();
  for (const DiscoveredJoint& joint : found.joints) {
    ASSERT_EQ(joint.states.size(), found.times.size());
    const auto gaps =
        std::count_if(joint.states.begin(), joint.states.end(), [](const auto& q) { return !q; });
    EXPECT_GT(gaps, 20);
    EXPECT_LT(gaps, 130);
  }
}

TEST(Discovery, ALoopTakesFreedomsAway) {
  const SimulatedObject lamp = named_object("lamp_linkage");
  ASSERT_FALSE(lamp.loops.empty());
  MotionOptions motion;
  motion.position_noise = 0.002;
  motion.angle_noise = 0.005;
  const SimulatedMotion truth = simulate_motion(lamp, motion);
  const Discovery found = discover(truth.log, "log");
  EXPECT_EQ(found.degrees_of_freedom, lamp.degrees_of_freedom()) << found.brief_report();
  EXPECT_EQ(found.loops.size(), lamp.loops.size()) << found.brief_report();
}

TEST(Discovery, FilesLoadAgainAndMoveAsSeen) {
  const SimulatedMotion truth =
      simulated(2, 0.2, 1, 120, {JointType::revolute, JointType::prismatic, JointType::screw});
  const Discovery found = discover(truth.log, "log");
  const model::Scene scene = discovered_scene(found);
  for (const auto format : {model::SceneFormat::mjcf, model::SceneFormat::urdf}) {
    const bool mjcf = format == model::SceneFormat::mjcf;
    const model::SceneText text =
        mjcf ? model::mjcf_text(scene, "object") : model::urdf_text(scene, "object");
    const model::Scene again = model::read_scene_text(text.text, format, mjcf ? "object.xml" : "object.urdf");
    double error = 0;
    for (std::size_t t = 0; t < found.times.size(); t += 7) {
      const auto placed = found.placed(static_cast<int>(t));
      std::map<std::string, math::Pose> X{{found.name(0), math::Pose()}};
      for (const DiscoveredJoint& joint : found.joints) {
        const model::BodyIndex child = again.find_body(found.name(joint.child));
        ASSERT_TRUE(child.is_valid());
        const auto read = std::find_if(again.joints.begin(), again.joints.end(),
                                       [&](const model::Joint& j) { return j.child == child; });
        ASSERT_NE(read, again.joints.end());
        ASSERT_EQ(read->type, joint.joint.type);
        EXPECT_EQ(again.bodies[read->parent].name, found.name(joint.parent));
        ASSERT_TRUE(joint.states[t]);
        const std::vector<double> q(joint.states[t]->begin(), joint.states[t]->end());
        X[found.name(joint.child)] = X[found.name(joint.parent)] * joint_pose(*read, q);
        EXPECT_GE(q[0], read->lower - 1e-12);
        EXPECT_LE(q[0], read->upper + 1e-12);
      }
      for (std::size_t g = 0; g < found.groups.size(); ++g)
        error = std::max(error, (placed[g]->p() - X[found.name(static_cast<int>(g))].p()).norm());
    }
    EXPECT_LT(error, 1e-12) << (mjcf ? "mjcf" : "urdf");
  }
  // And the model stays within the noise of what was measured: 5 mm and 0.01 rad half width, two features a part.
  const Error error = worst_error(found, truth);
  EXPECT_LT(error.position, 0.03);
  EXPECT_LT(error.angle, 0.05);
}

model::PoseLog log_of(int frames, const std::function<void(int, std::vector<math::Pose>&)>& pose, int parts) {
  model::PoseLog log;
  for (int k = 0; k < parts; ++k) log.parts.push_back("part" + std::to_string(k));
  for (int t = 0; t < frames; ++t) {
    std::vector<math::Pose> X(parts);
    pose(t, X);
    for (int k = 0; k < parts; ++k) log.rows.push_back({0.1 * t, k, X[k].p(), X[k].q(), 2 + t * parts + k});
  }
  return log;
}

// Drawers of one chest slide along each other as well as in the chest. One after the other is pulled: in the chest they move least. Moved so that
// it makes no difference (and as far from the chest as from each other), nobody knows.
TEST(Discovery, ParallelSlidesCouldHangOnEachOther) {
  for (const bool by_turns : {true, false}) {
    math::RandomStream random(5);
    const model::PoseLog log = log_of(
        150,
        [&](int i, std::vector<math::Pose>& X) {
          const double phase = 2 * M_PI * i / 50.0;
          double one = 0.2 * (1 - std::cos(phase)), two = 0;
          if (by_turns) {
            if (i >= 75) std::swap(one, two);
          } else {  // the second moves as much in the chest as against the first
            two = 0.5 * one + 0.2 * std::sin(phase);
          }
          X = {math::Pose(), math::Pose::translation({one, 0.3, 0}),
               math::Pose::translation({two, 0.15, 0.26})};
          for (math::Pose& pose : X) {
            const Eigen::Vector3d turn = random.normal3();
            const Eigen::Vector3d shift = random.normal3();
            pose = pose * math::Pose(math::exp_so3(0.01 * turn), 0.003 * shift);
          }
        },
        3);
    const Discovery found = discover(log, "chest");
    ASSERT_EQ(found.joints.size(), 2u);
    for (const DiscoveredJoint& joint : found.joints) EXPECT_EQ(joint.joint.type, JointType::prismatic);
    const auto names_one = [](const std::vector<std::string>& sentences) {
      return std::ranges::any_of(
          sentences, [](const std::string& s) { return s.find("instead of the one between") != s.npos; });
    };
    if (by_turns) {
      EXPECT_EQ(found.status, DiscoveryStatus::ok);
      EXPECT_EQ(found.joints[0].parent, 0);
      EXPECT_EQ(found.joints[1].parent, 0);
      EXPECT_TRUE(names_one(found.notes));
    } else {
      EXPECT_EQ(found.status, DiscoveryStatus::undetermined);
      EXPECT_TRUE(names_one(found.reasons));
    }
  }
}

TEST(DiscoveryInput, AllPartsStillIsNoAnswer) {
  const model::PoseLog log = log_of(
      30,
      [](int, std::vector<math::Pose>& X) {
        X[1] = math::Pose::translation({1, 0, 0});
        X[2] = math::Pose::translation({0, 1, 0});
      },
      3);
  const Discovery found = discover(log, "log");
  EXPECT_EQ(found.status, DiscoveryStatus::undetermined);
  ASSERT_FALSE(found.reasons.empty());
  EXPECT_NE(found.reasons[0].find("nothing moves"), std::string::npos) << found.reasons[0];
}

TEST(DiscoveryInput, PartsWithIdenticalMotionAreOne) {
  const model::PoseLog log = log_of(
      60,
      [](int t, std::vector<math::Pose>& X) {
        X[1] = X[2] = math::Pose(math::exp_so3({0, 0, 0.02 * t}), {0.1, 0, 0});
      },
      3);
  const Discovery found = discover(log, "log");
  EXPECT_EQ(found.status, DiscoveryStatus::ok) << found.brief_report();
  ASSERT_EQ(found.groups.size(), 2u) << found.brief_report();
  EXPECT_EQ(found.groups[1].parts, (std::vector<int>{1, 2}));
  ASSERT_EQ(found.joints.size(), 1u);
  EXPECT_EQ(found.joints[0].joint.type, JointType::revolute);
}

void expect_error(const model::PoseLog& log, const std::string& words) {
  try {
    discover(log, "log.csv");
    FAIL() << "accepted";
  } catch (const model::InputError& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(DiscoveryInput, BadLogsAreNamed) {
  model::PoseLog log = simulated(0, 0.0, 0, 20).log;
  model::PoseLog once = log;
  std::erase_if(once.rows, [](const model::PoseRow& row) { return row.part == 2 && row.t > 0; });
  expect_error(once, "seen once");
  model::PoseLog backwards = log;
  std::reverse(backwards.rows.begin(), backwards.rows.end());
  expect_error(backwards, "time");
  model::PoseLog alone = log;
  alone.parts.resize(1);
  std::erase_if(alone.rows, [](const model::PoseRow& row) { return row.part > 0; });
  expect_error(alone, "one part");
  DiscoveryOptions options;
  options.partners = 0;
  EXPECT_THROW(discover(log, "log", options), std::invalid_argument);
}

TEST(Discovery, HundredsOfFeatures) {
  RandomObjectOptions object;
  object.parts = 3;
  MotionOptions motion;
  motion.frames = 100;
  motion.inflation = 19;
  const SimulatedMotion truth = simulate_motion(random_object(object), motion);
  const Discovery found = discover(truth.log, "log");
  EXPECT_EQ(found.groups.size(), 3u) << found.brief_report();
  EXPECT_EQ(edges_of(found), edges_of(truth.object)) << found.brief_report();
}

// Two markers on one thing that is carried, one of them five times as noisy.
TEST(Discovery, UnequalNoiseIsNoMotion) {
  for (int trial = 0; trial < 4; ++trial) {
    math::RandomStream random(6403, trial);
    model::PoseLog log;
    log.parts = {"a", "b"};
    const math::Pose X_AB(random.rotation(), 0.4 * random.unit_vector());
    const Eigen::Vector3d axis = random.unit_vector(), way = random.unit_vector();
    for (int i = 0; i < 150; ++i) {
      const math::Pose X(math::exp_so3(Eigen::Vector3d(0.8 * std::sin(0.05 * i) * axis)),
                         Eigen::Vector3d(0.3 * std::sin(0.07 * i) * way));
      const math::Pose poses[] = {X, X * X_AB};
      for (int part = 0; part < 2; ++part) {
        const double size = part == 0 ? 5.0 : 1.0;
        const Eigen::Vector3d turn = 0.004 * size * random.normal3(), shift = 0.001 * size * random.normal3();
        const math::Pose seen = poses[part] * math::Pose(math::exp_so3(turn), shift);
        log.rows.push_back({i / 30.0, part, seen.p(), seen.q(), 2 + 2 * i + part});
      }
    }
    EXPECT_EQ(discover(log, "carried").groups.size(), 1u) << trial;
  }
}

}  // namespace
}  // namespace prehend::articulation
