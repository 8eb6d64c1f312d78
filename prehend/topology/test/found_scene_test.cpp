#include <cmath>

#include <gtest/gtest.h>

#include <prehend/model/scene_reader.h>
#include <prehend/model/scene_writer.h>
#include <prehend/simulate/simulation.h>
#include <prehend/topology/diagnosed_topology.h>
#include <prehend/topology/evidence/error_history.h>
#include <prehend/topology/found_scene.h>
#include <prehend/topology/object_reader.h>
#include <prehend/topology/simulated/sample_object.h>
#include <prehend/topology/simulated/simulated_recording.h>

namespace prehend::topology {
namespace {

using model::JointType;

struct Case {
  model::Scene scene;
  SimulatedRecording made;
  DiagnosedTopology found;
};

Case recorded_chain(const std::vector<JointType>& types, std::uint64_t seed) {
  SampleObjectOptions object;
  object.links = 3;
  object.chain = 1.0;
  object.types = types;
  object.seed = seed;
  Case made;
  made.scene = sample_object(object);
  RecordingOptions options;
  options.grips = {{0}, {2}};
  options.duration = 2.0;
  options.seed = seed;
  made.made = record(made.scene, options);
  made.found = diagnose_and_estimate(made.made.object, made.made.recording);
  return made;
}

// The written joints, moved by the simulator to the states that were found, put the links where they were recorded.
TEST(FoundScene, MovesAsRecorded) {
  for (const JointType type : {JointType::prismatic, JointType::revolute, JointType::screw}) {
    const Case chain = recorded_chain({type}, 7);
    ASSERT_EQ(chain.found.result.status, TopologyStatus::ok) << chain.found.result.brief_report();
    const model::Scene found =
        found_scene(chain.scene, chain.made.object, chain.found.recording, chain.found.result.joints);
    const model::Scene read = model::read_scene_text(model::mjcf_text(found, "object").text,
                                                     model::SceneFormat::mjcf, "object.xml");
    simulate::Simulation simulation(read);
    for (std::size_t k = 0; k < 2000; k += 400) {
      for (std::size_t j = 0; j < 2; ++j) {
        const FoundJoint& joint = chain.found.result.joints[j];
        ASSERT_EQ(joint.type, type);
        model::JointIndex index;
        for (model::JointIndex i(0); i < read.joints.size(); ++i)
          if (read.joints[i].name == joint.name) index = i;
        ASSERT_TRUE(index.is_valid());
        EXPECT_EQ(read.joints[index].type, type);
        EXPECT_LE(read.joints[index].lower, joint.states[k] + 1e-9);
        simulation.set_joint_state(index, joint.states[k]);
        const math::Pose drawn =
            simulation.X_WB(read.joints[index].parent).inverse() * simulation.X_WB(read.joints[index].child);
        const math::Pose seen =
            chain.made.recording.X_WL[j][k].inverse() * chain.made.recording.X_WL[j + 1][k];
        EXPECT_TRUE(drawn.is_approx(seen, 1e-3)) << to_string(type) << " " << (drawn.p() - seen.p()).norm();
      }
    }
  }
}

TEST(FoundScene, UndeterminedJointsHoldStill) {
  Case chain = recorded_chain({JointType::revolute}, 8);
  chain.found.result.joints[1].status = TopologyStatus::undetermined;
  const model::Scene found =
      found_scene(chain.scene, chain.made.object, chain.found.recording, chain.found.result.joints);
  EXPECT_EQ(found.joints[0].type, JointType::revolute);
  EXPECT_EQ(found.joints[1].type, JointType::rigid);
  EXPECT_EQ(found.joints[2].type, JointType::free);
  EXPECT_NO_THROW(model::urdf_text(found, "object"));
}

TEST(FoundScene, TheBoxOfAnInertia) {
  const math::Pose X(Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized())),
                     {0.1, 0.2, 0.3});
  const InertiaBox box = inertia_box(math::SpatialInertia::solid_box(2.0, {0.1, 0.2, 0.3}).expressed_in(X));
  Eigen::Vector3d sorted = box.size;
  std::sort(sorted.data(), sorted.data() + 3);
  EXPECT_TRUE(sorted.isApprox(Eigen::Vector3d(0.1, 0.2, 0.3), 1e-9));
  EXPECT_TRUE(box.X_LB.p().isApprox(X.p(), 1e-12));
}

TEST(ObjectReader, FixedLinksStayLinks) {
  const std::string text = R"(<mujoco><worldbody><body name="a"><freejoint/><geom size="0.1" mass="1"/>
    <body name="b" pos="1 0 0"><geom size="0.1" mass="2"/><body name="c" pos="1 0 0"><joint/><geom size="0.1" mass="3"/></body></body>
    <body name="d"><geom size="0.1" mass="4"/></body></body></worldbody></mujoco>)";
  model::SceneOptions options;
  options.merge_welded = false;
  const ArticulatedObject object =
      object_of(model::read_scene_text(text, model::SceneFormat::mjcf, "o.xml", options));
  ASSERT_EQ(object.links.size(), 4u);
  const char* names[] = {"a", "b", "c", "d"};
  const int parents[] = {-1, 0, 1, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(object.links[i].name, names[i]);
    EXPECT_EQ(object.links[i].parent, parents[i]);
    EXPECT_NEAR(object.links[i].inertia.mass, static_cast<double>(i + 1), 1e-12);
  }
}

// Sums at the end are the errors of the result, and the document has them.
TEST(ErrorHistory, EndsAtTheErrors) {
  const Case chain = recorded_chain({JointType::revolute}, 9);
  const TopologyResult& result = chain.found.result;
  const ErrorHistory history = error_history(chain.made.object, chain.found.recording, result.joints);
  ASSERT_EQ(history.error.size(), 2u);
  for (std::size_t j = 0; j < 2; ++j)
    for (std::size_t m = 0; m < result.joints[j].hypotheses.size(); ++m)
      EXPECT_NEAR(history.error[j][m].back(), result.joints[j].hypotheses[m].error,
                  1e-6 + 0.02 * result.joints[j].hypotheses[m].error);
  const std::string json = result.to_json();
  EXPECT_NE(json.find(R"("type":"revolute","status":"ok","likeliest":"revolute","errors":{"fixed":)"),
            std::string::npos);
  EXPECT_NE(result.brief_report().find("joint1"), std::string::npos);
}

}  // namespace
}  // namespace prehend::topology
