// Loops in the written files: MuJoCo, as an independent reader, moves the linkage as it was seen.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <prehend/articulation/discovered_files.h>
#include <prehend/articulation/discovery.h>
#include <prehend/articulation/simulated/object_motion.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

struct Engine {
  explicit Engine(const std::string& text) {
    char error[400] = "";
    mjSpec* spec = mj_parseXMLString(text.c_str(), nullptr, error, sizeof error);
    model = spec ? mj_compile(spec, nullptr) : nullptr;
    if (!model) message = std::string(error) + (spec ? mjs_getError(spec) : "");
    mj_deleteSpec(spec);
    data = model ? mj_makeData(model) : nullptr;
  }
  ~Engine() {
    mj_deleteData(data);
    mj_deleteModel(model);
  }
  mjModel* model{nullptr};
  mjData* data{nullptr};
  std::string message;
};

const Discovery& linkage() {
  static const Discovery found = [] {
    MotionOptions motion;
    motion.frames = 120;
    motion.position_noise = 0.0005;
    motion.angle_noise = 0.001;
    return discover(simulate_motion(named_object("lamp_linkage"), motion).log, "lamp");
  }();
  return found;
}

void set_states(const Engine& engine, const Discovery& found, std::size_t frame) {
  for (const DiscoveredJoint& joint : found.joints) {
    const std::string name = found.name(joint.parent) + "_" + found.name(joint.child);
    const int id = mj_name2id(engine.model, mjOBJ_JOINT, name.c_str());
    ASSERT_GE(id, 0) << name;
    engine.data->qpos[engine.model->jnt_qposadr[id]] = (*joint.states[frame])[0];
  }
}

// [m] Largest distance between the two sites of a closing point.
double gap(const Engine& engine) {
  double largest = 0;
  for (int e = 0; e < engine.model->neq; ++e) {
    if (engine.model->eq_type[e] != mjEQ_CONNECT) continue;
    const mjtNum *a = engine.data->site_xpos + 3 * engine.model->eq_obj1id[e],
                 *b = engine.data->site_xpos + 3 * engine.model->eq_obj2id[e];
    largest = std::max(largest, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  }
  return largest;
}

TEST(DiscoveredFiles, MuJoCoLoadsTheLoopAndItIsClosedWhereItWasSeen) {
  const Discovery& found = linkage();
  ASSERT_EQ(found.loops.size(), 1u) << found.brief_report();
  const Engine engine(discovered_mjcf(found));
  ASSERT_NE(engine.data, nullptr) << engine.message;
  ASSERT_EQ(engine.model->neq, 2);  // two points of a hinge
  for (std::size_t t = 0; t < found.times.size(); t += 13) {
    set_states(engine, found, t);
    mj_kinematics(engine.model, engine.data);
    EXPECT_LT(gap(engine), 0.004) << "frame " << t;  // eight times the noise, over levers of the bars
    // Bodies stand where the discovery says.
    const auto placed = found.placed(static_cast<int>(t));
    const int root = mj_name2id(engine.model, mjOBJ_BODY, found.name(0).c_str());
    const math::Pose X_WR(
        Eigen::Quaterniond(engine.data->xquat[4 * root], engine.data->xquat[4 * root + 1],
                           engine.data->xquat[4 * root + 2], engine.data->xquat[4 * root + 3]),
        Eigen::Vector3d(engine.data->xpos + 3 * root));
    for (std::size_t g = 0; g < found.groups.size(); ++g) {
      const int body = mj_name2id(engine.model, mjOBJ_BODY, found.name(static_cast<int>(g)).c_str());
      EXPECT_NEAR((Eigen::Vector3d(engine.data->xpos + 3 * body) - X_WR * placed[g]->p()).norm(), 0, 1e-9);
    }
  }
}

TEST(DiscoveredFiles, TheLoopHoldsWhileTheLinkageMoves) {
  const Discovery& found = linkage();
  const Engine engine(discovered_mjcf(found));
  ASSERT_NE(engine.data, nullptr) << engine.message;
  // Limits seen are no part of this; gravity moves the linkage.
  for (int j = 0; j < engine.model->njnt; ++j) engine.model->jnt_limited[j] = 0;
  for (int d = 0; d < engine.model->nv; ++d) engine.model->dof_damping[d] = 0.05;
  set_states(engine, found, 20);
  mj_forward(engine.model, engine.data);
  const std::vector<double> start(engine.data->qpos, engine.data->qpos + engine.model->nq);
  double moved = 0, largest = 0;
  for (int step = 0; step < 300; ++step) {
    mj_step(engine.model, engine.data);
    largest = std::max(largest, gap(engine));
    for (int k = 0; k < engine.model->nq; ++k)
      moved = std::max(moved, std::abs(engine.data->qpos[k] - start[k]));
  }
  EXPECT_GT(moved, 0.2);
  EXPECT_LT(largest, 0.01);
  // Without the equalities the same linkage falls apart: the check can fail.
  Discovery open = found;
  open.loops.clear();
  const Engine tree(discovered_mjcf(open));
  ASSERT_NE(tree.data, nullptr);
  EXPECT_EQ(tree.model->neq, 0);
}

TEST(DiscoveredFiles, UrdfSaysThatItsLoopIsOpen) {
  const Discovery& found = linkage();
  const std::string text = discovered_urdf(found);
  EXPECT_NE(text.find("is open here: URDF has trees only"), std::string::npos) << text.substr(0, 400);
  EXPECT_EQ(loops_left_open_in_urdf(found).size(), 1u);
}

// A slider crank: crank and rod turn, and the rod's end slides on the base. The loop is closed by the joint of `type`.
Discovery slider_crank(model::JointType type) {
  Discovery found;
  found.status = DiscoveryStatus::ok;
  found.parts = {"base", "crank", "rod", "piston"};
  found.X_RP.resize(4);
  constexpr double kCrank = 0.1, kRod = 0.3;
  // All hinges about z of the base; the crank's frame lies at its pin, the rod's at its end.
  const auto hinge = [](int parent, int child, const math::Pose& X_FJ, const math::Pose& X_MJ) {
    DiscoveredJoint joint;
    joint.parent = parent, joint.child = child;
    joint.joint = {model::JointType::revolute, X_FJ, X_MJ, 0.0};
    return joint;
  };
  found.joints.push_back(hinge(0, 1, math::Pose(), math::Pose::translation({-kCrank, 0, 0})));
  found.joints.push_back(hinge(1, 2, math::Pose(), math::Pose::translation({-kRod, 0, 0})));
  found.joints.push_back(hinge(2, 3, math::Pose(), math::Pose()));
  for (int g = 0; g < 4; ++g) {
    found.groups.push_back({{g}, {math::Pose()}});
    found.tracks.parts.push_back({found.parts[static_cast<std::size_t>(g)], {}, {}, 0, true});
  }
  for (int t = 0; t < 30; ++t) {
    const double a = 0.2 * t, b = std::asin(-kCrank / kRod * std::sin(a));
    found.times.push_back(0.1 * t);
    found.tracks.times.push_back(0.1 * t);
    const double angles[3] = {a, b - a, -b};
    for (int j = 0; j < 3; ++j) found.joints[j].states.push_back(State::Constant(1, angles[j]));
    const auto placed = found.placed(t);
    for (int g = 0; g < 4; ++g) found.tracks.parts[g].X_WP.push_back(placed[g]);
  }
  for (DiscoveredJoint& joint : found.joints) {
    joint.lower = State::Constant(1, -10.0);
    joint.upper = State::Constant(1, 10.0);
  }
  // z of the joint frame along the base's x.
  const math::Pose X_turned(math::rotation_between(Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX()),
                            Eigen::Vector3d::Zero());
  found.loops.push_back({0, 3, {type, X_turned, X_turned, 0.0}, {0, 1, 2, 3}, 2, 1.0});
  return found;
}

TEST(DiscoveredFiles, MuJoCoKeepsALoopThatASlideCloses) {
  for (const bool closed : {true, false}) {
    Discovery found = slider_crank(model::JointType::prismatic);
    if (!closed) found.loops.clear();
    const Engine engine(discovered_mjcf(found));
    ASSERT_NE(engine.data, nullptr) << engine.message;
    ASSERT_EQ(engine.model->neq, closed ? 1 : 0);
    for (int j = 0; j < engine.model->njnt; ++j) engine.model->jnt_limited[j] = 0;
    for (int d = 0; d < engine.model->nv; ++d) engine.model->dof_damping[d] = 0.02;
    set_states(engine, found, 3);
    const math::Pose start = *found.placed(3)[3];
    if (closed) {
      const int slide = mj_name2id(engine.model, mjOBJ_JOINT, "loop1_slide");
      ASSERT_GE(slide, 0);
      engine.data->qpos[engine.model->jnt_qposadr[slide]] = found.loops[0].joint.inverse(start)[0];
    }
    // Gravity across the slide and along it: the crank turns, the piston stays on its line.
    engine.model->opt.gravity[0] = engine.model->opt.gravity[1] = -3.0;
    engine.model->opt.gravity[2] = 0;
    const int piston = mj_name2id(engine.model, mjOBJ_BODY, "piston");
    double off = 0, along = 0;
    for (int step = 0; step < 300; ++step) {
      mj_step(engine.model, engine.data);
      const mjtNum *p = engine.data->xpos + 3 * piston, *q = engine.data->xquat + 4 * piston;
      off = std::max({off, std::abs(p[1]), std::hypot(q[1], q[2], q[3])});
      along = std::max(along, std::abs(p[0] - start.p().x()));
    }
    EXPECT_GT(along, 0.02);
    if (closed)
      EXPECT_LT(off, 0.005);
    else
      EXPECT_GT(off, 0.05);  // without the loop the check fails
  }
}

TEST(DiscoveredFiles, EveryClosingJointIsWrittenAndLoads) {
  using model::JointType;
  for (const auto& [type, joints] : {std::pair{JointType::rigid, 0},
                                     {JointType::revolute, 0},
                                     {JointType::spherical, 0},
                                     {JointType::prismatic, 1},
                                     {JointType::screw, 2},
                                     {JointType::cylindrical, 2},
                                     {JointType::universal, 2},
                                     {JointType::planar, 3}}) {
    Discovery found = slider_crank(type);
    found.loops[0].joint.pitch = type == JointType::screw ? 0.01 : 0.0;
    const Engine engine(discovered_mjcf(found));
    ASSERT_NE(engine.data, nullptr) << to_string(type) << ": " << engine.message;
    EXPECT_EQ(engine.model->njnt, 3 + joints) << to_string(type);
    EXPECT_GE(engine.model->neq, 1);
  }
}

}  // namespace
}  // namespace prehend::articulation
