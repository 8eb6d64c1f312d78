#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <prehend/math/random.h>
#include <prehend/model/embedded_data.h>
#include <prehend/model/house/chain_sweep.h>
#include <prehend/model/joint_chain.h>
#include <prehend/model/scene_reader.h>

namespace prehend::model {
namespace {

// Hinges with anchors and references, a slide, two joints on one body, welds before, between and after them.
const char* const kArm = R"(<mujoco model="arm"><compiler angle="radian" autolimits="true"/>
  <option gravity="0.3 -0.2 -9.7"/>
  <worldbody><body name="base" pos="0.1 0.2 0.3" euler="0.1 0.2 0.3"><geom size="0.1"/>
    <body name="a" pos="0 0.1 0.2" euler="0.3 -0.4 0.1"><geom size="0.1"/>
      <joint name="a1" type="hinge" axis="1 2 3" pos="0.05 0.1 -0.1" ref="0.3" range="-2 2"/>
      <body name="b" pos="0.3 0 0" euler="0 0.7 0"><geom size="0.1"/>
        <joint name="b1" type="slide" axis="1 1 0" pos="0.2 0 0"/>
        <joint name="b2" type="hinge" axis="0 1 1" pos="0 0.1 0"/>
        <body name="c" pos="0 0 0.2" euler="1 0 0"><geom size="0.1"/>
          <body name="d" pos="0.1 0 0.1"><geom size="0.1"/>
            <joint name="d1" type="hinge" axis="0 0 1"/>
            <body name="tool" pos="0.02 0.03 0.04" euler="0.5 0.6 0.7"><geom size="0.1"/></body>
  </body></body></body></body></body></worldbody></mujoco>)";

struct Engine {
  explicit Engine(const char* text) {
    char error[400] = "";
    mjSpec* spec = mj_parseXMLString(text, nullptr, error, sizeof error);
    model = spec ? mj_compile(spec, nullptr) : nullptr;
    mj_deleteSpec(spec);
    data = model ? mj_makeData(model) : nullptr;
  }
  ~Engine() {
    mj_deleteData(data);
    mj_deleteModel(model);
  }
  mjModel* model{nullptr};
  mjData* data{nullptr};
};

Eigen::VectorXd random_values(math::RandomStream& random, int count, double size) {
  Eigen::VectorXd x(count);
  for (double& value : x) value = random.uniform(-size, size);
  return x;
}

TEST(JointChain, MovesAsMuJoCoMovesIt) {
  Engine engine(kArm);
  ASSERT_NE(engine.data, nullptr);
  const Scene scene = read_scene_text(kArm, SceneFormat::mjcf, "arm.xml");
  const JointChain chain = joint_chain(scene, "tool");
  ASSERT_EQ(chain.size(), 4);
  EXPECT_EQ(chain.joints[0].name, "a1");
  EXPECT_EQ(chain.joints[0].lower, -2.0);
  ChainSweep sweep(chain, -chain.gravity_W);
  const int body = mj_name2id(engine.model, mjOBJ_BODY, "tool");
  math::RandomStream random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::VectorXd q = random_values(random, 4, 2.0), qd = random_values(random, 4, 3.0),
                          qdd = random_values(random, 4, 10.0);
    Eigen::Map<Eigen::VectorXd>(engine.data->qpos, 4) = q;
    Eigen::Map<Eigen::VectorXd>(engine.data->qvel, 4) = qd;
    mj_kinematics(engine.model, engine.data);
    mj_comPos(engine.model, engine.data);
    mj_comVel(engine.model, engine.data);
    Eigen::Map<Eigen::VectorXd>(engine.data->qacc, 4) = qdd;
    mj_rnePostConstraint(engine.model, engine.data);
    math::Vector6d velocity, acceleration;
    mj_objectVelocity(engine.model, engine.data, mjOBJ_XBODY, body, velocity.data(), 1);
    mj_objectAcceleration(engine.model, engine.data, mjOBJ_XBODY, body, acceleration.data(), 1);
    const FrameMotion& motion = sweep.forward(q, qd, qdd);
    const math::Pose X_WE = sweep.X_WE();
    const Eigen::Map<const Eigen::Vector3d> p_W(engine.data->xpos + 3 * body);
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R_W(engine.data->xmat + 9 * body);
    EXPECT_LT((X_WE.p() - p_W).norm(), 1e-12);
    EXPECT_LT((X_WE.R() - R_W).norm(), 1e-12);
    EXPECT_LT((motion.w - velocity.head<3>()).norm(), 1e-11);
    EXPECT_LT((motion.v - velocity.tail<3>()).norm(), 1e-11);
    EXPECT_LT((motion.al - acceleration.head<3>()).norm(), 1e-10);
    EXPECT_LT((motion.a - acceleration.tail<3>()).norm(), 1e-10);
  }
}

// A screw is a slide and a hinge on one line that keep step.
TEST(JointChain, ScrewMovesLikeItsTwoHalves) {
  const std::string inside =
      "<link name='w'/><link name='m'/><link name='tip'/><link name='end'/>"
      "<joint name='h' type='revolute'><parent link='w'/><child link='m'/><origin xyz='0.1 0 0.2' rpy='0.3 "
      "0.2 0.1'/>"
      "<axis xyz='0 0 1'/><limit lower='-3' upper='3' velocity='1.5'/></joint>"
      "<joint name='s' type='prismatic'><parent link='m'/><child link='tip'/><axis xyz='0 0 1'/>"
      "<limit lower='-9' upper='9'/>MIMIC</joint><joint name='f' type='fixed'><parent link='tip'/><child "
      "link='end'/>"
      "<origin xyz='0.3 0.1 0.2' rpy='0.5 0 1'/></joint>";
  const auto read = [&](const std::string& mimic) {
    std::string text = inside;
    text.replace(text.find("MIMIC"), 5, mimic);
    return read_scene_text("<robot name='r'>" + text + "</robot>", SceneFormat::urdf, "screw.urdf");
  };
  const JointChain screw = joint_chain(read("<mimic joint='h' multiplier='0.05'/>")),
                   halves = joint_chain(read(""));
  ASSERT_EQ(screw.size(), 1);
  ASSERT_EQ(screw.joints[0].type, JointType::screw);
  EXPECT_EQ(screw.joints[0].speed_limit, 1.5);
  ASSERT_EQ(halves.size(), 2);
  EXPECT_EQ(halves.link_name, "end");
  ChainSweep one(screw), two(halves);
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 0.7), qd = Eigen::VectorXd::Constant(1, -1.3),
                        qdd = Eigen::VectorXd::Constant(1, 4.0);
  const Eigen::Vector2d step(1.0, 0.05);
  const FrameMotion a = one.forward(q, qd, qdd), b = two.forward(step * q[0], step * qd[0], step * qdd[0]);
  EXPECT_LT((one.X_WE().matrix() - two.X_WE().matrix()).norm(), 1e-14);
  EXPECT_LT((a.v - b.v).norm() + (a.w - b.w).norm(), 1e-14);
  EXPECT_LT((a.a - b.a).norm() + (a.al - b.al).norm(), 1e-13);
}

TEST(JointChain, VelocityAndAccelerationAreTimeDerivatives) {
  const Scene scene =
      read_scene_text(std::string(embedded_file("robots/arm6.urdf")), SceneFormat::urdf, "arm6.urdf");
  const JointChain chain = joint_chain(scene);
  EXPECT_EQ(chain.link_name, "sensor");
  ASSERT_EQ(chain.size(), 6);
  math::RandomStream random(2);
  const Eigen::VectorXd q0 = random_values(random, 6, 1.0), a = random_values(random, 6, 1.0),
                        b = random_values(random, 6, 1.0);
  ChainSweep sweep(chain);
  const auto at = [&](double t) { return sweep.forward(q0 + t * a + 0.5 * t * t * b, a + t * b, b); };
  const double h = 1e-4;
  const FrameMotion motion = at(0.0);
  const Eigen::Matrix3d R = sweep.X_WE().R();
  const auto p = [&](double t) { return at(t), sweep.X_WE().p(); };
  const auto w_W = [&](double t) {
    const FrameMotion m = at(t);
    return Eigen::Vector3d(sweep.X_WE().R() * m.w);
  };
  EXPECT_LT((R * motion.v - (p(h) - p(-h)) / (2 * h)).norm(), 1e-7);
  EXPECT_LT((R * motion.a - (p(h) - 2 * p(0) + p(-h)) / (h * h)).norm(), 1e-6);
  EXPECT_LT((R * motion.al - (w_W(h) - w_W(-h)) / (2 * h)).norm(), 1e-7);
}

TEST(JointChain, GradientIsTheNumericalDerivative) {
  const Scene scene = read_scene_text(kArm, SceneFormat::mjcf, "arm.xml");
  const JointChain chain =
      joint_chain(scene, "tool", math::Pose(Eigen::Quaterniond(0.8, 0.6, 0, 0), {0.1, 0.2, 0.3}));
  ChainSweep sweep(chain, -chain.gravity_W);
  math::RandomStream random(3);
  for (int trial = 0; trial < 5; ++trial) {
    Eigen::VectorXd x = random_values(random, 12, 2.0);
    FrameGradient weights;
    weights.motion = {random.normal3(), random.normal3(), random.normal3(), random.normal3()};
    weights.shift = random.normal3();
    const Eigen::Vector3d toward =
        random.normal3();  // a point fixed in E, and a direction fixed in the world
    const auto value = [&](const Eigen::VectorXd& y) {
      const FrameMotion& m = sweep.forward(y.head(4), y.segment(4, 4), y.tail(4));
      return weights.motion.w.dot(m.w) + weights.motion.v.dot(m.v) + weights.motion.al.dot(m.al) +
             weights.motion.a.dot(m.a) + toward.dot(sweep.X_WE() * weights.shift);
    };
    value(x);
    FrameGradient gradient = weights;
    gradient.shift = sweep.X_WE().q().conjugate() * toward;
    gradient.turn = weights.shift.cross(gradient.shift);
    Eigen::VectorXd analytic = Eigen::VectorXd::Zero(12);
    sweep.backward(gradient, analytic.head(4), analytic.segment(4, 4), analytic.tail(4));
    for (int i = 0; i < 12; ++i) {
      const double h = 1e-5, kept = x[i];
      x[i] = kept + h;
      const double up = value(x);
      x[i] = kept - h;
      const double down = value(x);
      x[i] = kept;
      EXPECT_NEAR(analytic[i], (up - down) / (2 * h), 2e-7 * (1.0 + std::abs(analytic[i]))) << i;
    }
  }
}

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(JointChain, SaysWhatIsWrong) {
  const Scene arm = read_scene_text(kArm, SceneFormat::mjcf, "arm.xml");
  EXPECT_EQ(message_of([&] { joint_chain(arm, "hand"); }),
            "there is no link named 'hand'; the model has: 'base', 'a', 'b', 'c', 'd', 'tool'");
  EXPECT_EQ(message_of([&] { joint_chain(arm, "base"); }),
            "no movable joint lies between the base and 'base'");
  const auto urdf = [](const std::string& inside) {
    return read_scene_text("<robot name='r'>" + inside + "</robot>", SceneFormat::urdf, "r.urdf");
  };
  EXPECT_EQ(message_of([&] { joint_chain(urdf("<link name='a'/>")); }),
            "'r' has no movable joint: nothing can be excited");
  const std::string two =
      "<link name='a'/><link name='b'/><link name='c'/><joint name='x' type='TYPE'><parent link='a'/><child "
      "link='b'/>"
      "</joint><joint name='y' type='TYPE'><parent link='a'/><child link='c'/></joint>";
  const auto typed = [&](const std::string& type) {
    std::string text = two;
    for (std::size_t at; (at = text.find("TYPE")) != std::string::npos;) text.replace(at, 4, type);
    return urdf(text);
  };
  EXPECT_EQ(message_of([&] { joint_chain(typed("continuous")); }),
            "'b' and 'c' end equally long chains of joints; name the link that carries the sensor");
  EXPECT_EQ(message_of([&] { joint_chain(typed("planar"), "b"); }),
            "joint 'x' on the way to 'b' is planar; only revolute, prismatic and screw joints are driven");
}

}  // namespace
}  // namespace prehend::model
