#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include <mujoco/mujoco.h>

#include <prehend/assist/world/simulated_robot.h>
#include <prehend/math/number_text.h>
#include <prehend/math/random.h>
#include <prehend/model/house/engine_guard.h>
#include <prehend/simulate/simulation.h>

namespace prehend::assist {
namespace {

// Share of the base's largest accelerations with which its drives brake by themselves when they hear nothing, and to which they ramp. [rad/s^2] Joints that hear nothing.
constexpr double kOwnBaseBrake = 0.667, kBaseRamp = 0.9, kOwnJointBrake = 3.0;

// [rad] Rubber before a joint's end.
constexpr double kBumper = 0.006;

std::string numbers(std::initializer_list<double> values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " ") + math::number_text(value, 17);
  return text;
}

void append_segment(const RobotModel& robot, const ServoGains& gains, const std::vector<double>& scale,
                    int segment, std::string& xml) {
  const RobotSegment& own = robot.segments[static_cast<std::size_t>(segment)];
  xml += "<body name=\"s" + std::to_string(segment) + "\"";
  if (segment > 0) {
    const math::Pose& X = robot.joints[static_cast<std::size_t>(segment - 1)].X_PC;
    xml += " pos=\"" + numbers({X.p().x(), X.p().y(), X.p().z()}) + "\" quat=\"" +
           numbers({X.q().w(), X.q().x(), X.q().y(), X.q().z()}) + "\"";
  }
  xml += ">";
  const double factor = scale[static_cast<std::size_t>(segment)];
  const double mass = std::max(1e-3, own.mass * factor);
  const Eigen::Matrix3d I = factor * own.I_com + 1e-6 * Eigen::Matrix3d::Identity();
  xml += "<inertial pos=\"" + numbers({own.com.x(), own.com.y(), own.com.z()}) + "\" mass=\"" +
         numbers({mass}) + "\" fullinertia=\"" +
         numbers({I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}) + "\"/>";
  if (segment == 0) {
    xml += "<joint name=\"b0\" type=\"slide\" axis=\"1 0 0\" armature=\"" + numbers({gains.armature[0]}) +
           "\"/><joint name=\"b1\" type=\"slide\" axis=\"0 1 0\" armature=\"" + numbers({gains.armature[1]}) +
           "\"/><joint name=\"b2\" axis=\"0 0 1\" armature=\"" + numbers({gains.armature[2]}) + "\"/>";
  } else {
    const RobotJoint& joint = robot.joints[static_cast<std::size_t>(segment - 1)];
    const int i = segment - 1 + kBaseFreedoms;
    xml += "<joint name=\"j" + std::to_string(segment - 1) + "\" type=\"" +
           (joint.is_prismatic ? "slide" : "hinge") + "\" axis=\"" +
           numbers({joint.axis_C.x(), joint.axis_C.y(), joint.axis_C.z()}) + "\" range=\"" +
           numbers({joint.lower + kBumper, joint.upper - kBumper}) +
           "\" limited=\"true\" solreflimit=\"0.005 1\" damping=\"0.05\" frictionloss=\"" +
           numbers({joint.friction}) + "\" armature=\"" + numbers({gains.armature[i]}) + "\"/>";
  }
  for (int k = 0; k < robot.joint_count(); ++k)
    if (robot.joints[static_cast<std::size_t>(k)].parent == segment)
      append_segment(robot, gains, scale, k + 1, xml);
  xml += "</body>";
}

struct EngineDeleter {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};

}  // namespace

int physics_steps(double period_s) {
  constexpr double kLongest = 1.01e-3;  // [s]
  return std::max(12, static_cast<int>(std::ceil(period_s / kLongest)));
}

std::string robot_mjcf(const RobotModel& robot, const ServoGains& gains,
                       const std::vector<double>& mass_scale, double timestep_s) {
  std::string xml =
      "<mujoco><compiler angle=\"radian\" autolimits=\"true\"/><option timestep=\"" + numbers({timestep_s}) +
      "\" gravity=\"0 0 -9.81\" integrator=\"implicitfast\"><flag contact=\"disable\"/></option><worldbody>";
  append_segment(robot, gains, mass_scale, 0, xml);
  return xml + "</worldbody></mujoco>";
}

struct SimulatedRobot::Engine {
  std::unique_ptr<mjModel, EngineDeleter> model;
  std::unique_ptr<mjData, EngineDeleter> data;
  std::vector<int> address;  // of our freedoms among the engine's
  std::vector<int> bodies;   // of our segments
  std::vector<double> damping;
  struct StepCall {
    mjModel* model;
    mjData* data;
  };
};

SimulatedRobot::SimulatedRobot(const RobotModel& robot, const ServoGains& gains, const Setup& setup)
    : robot_(&robot),
      gains_(gains),
      timestep_(setup.period / setup.steps),
      period_(setup.period),
      base_acceleration_(setup.base_acceleration),
      turn_acceleration_(setup.turn_acceleration),
      engine_(std::make_unique<Engine>()),
      state_(robot) {
  math::RandomStream random(setup.unit, 77);
  std::vector<double> scale;
  for (std::size_t s = 0; s < robot.segments.size(); ++s) scale.push_back(1.0 + random.uniform(-0.02, 0.02));
  const std::string xml = robot_mjcf(robot, gains, scale, timestep_);
  char error[1000] = "";
  const model::ThrowingEngine guard;
  const std::unique_ptr<mjSpec, EngineDeleter> spec(
      mj_parseXMLString(xml.c_str(), nullptr, error, sizeof error));
  if (!spec) throw simulate::SimulationError(std::string("the engine refuses the robot: ") + error);
  engine_->model.reset(mj_compile(spec.get(), nullptr));
  if (!engine_->model)
    throw simulate::SimulationError(std::string("the engine refuses the robot: ") + mjs_getError(spec.get()));
  engine_->data.reset(mj_makeData(engine_->model.get()));
  const mjModel* m = engine_->model.get();
  for (int i = 0; i < robot.freedoms(); ++i) {
    const std::string name =
        i < kBaseFreedoms ? "b" + std::to_string(i) : "j" + std::to_string(i - kBaseFreedoms);
    engine_->address.push_back(m->jnt_dofadr[mj_name2id(m, mjOBJ_JOINT, name.c_str())]);
  }
  for (std::size_t s = 0; s < robot.segments.size(); ++s)
    engine_->bodies.push_back(mj_name2id(m, mjOBJ_BODY, ("s" + std::to_string(s)).c_str()));
  for (int k = 0; k < m->nv; ++k) engine_->damping.push_back(m->dof_damping[k]);
  const int n = robot.freedoms();
  for (int i = 0; i < n; ++i)
    engine_->data->qpos[engine_->address[static_cast<std::size_t>(i)]] = setup.start[i];
  state_.set(setup.start, Freedoms::Zero(n));
  torque_ = Freedoms::Zero(n);
  q_ref_ = setup.start, v_ref_ = a_ref_ = Freedoms::Zero(n), share_ = Freedoms::Ones(n);
  state_.compute_dynamics();
  tau_ref_ = state_.bias();
}

SimulatedRobot::~SimulatedRobot() = default;

void SimulatedRobot::command(const Command& command) {
  for (int i = 0; i < kBaseFreedoms; ++i) {
    q_ref_[i] = command.base[i], v_goal_[i] = command.base_rate[i], a_ref_[i] = command.base_acceleration[i];
    tau_ref_[i] = command.base_force[i];
  }
  for (int j = 0; j < robot_->joint_count(); ++j) {
    const std::size_t k = static_cast<std::size_t>(j);
    const int i = j + kBaseFreedoms;
    q_ref_[i] = command.q[k], v_ref_[i] = command.v[k], a_ref_[i] = command.a[k];
    tau_ref_[i] = command.tau[k], share_[i] = command.stiffness[k];
  }
  since_ = 0.0;
}

void SimulatedRobot::add_force(int segment, const Eigen::Vector3d& point_W, const Eigen::Vector3d& force_W) {
  const mjtNum torque[3] = {0, 0, 0};
  mj_applyFT(engine_->model.get(), engine_->data.get(), force_W.data(), torque, point_W.data(),
             engine_->bodies[static_cast<std::size_t>(segment)], engine_->data->qfrc_applied);
}

void SimulatedRobot::set_stuck(int joint, bool stuck) {
  const int address = engine_->address[static_cast<std::size_t>(joint + kBaseFreedoms)];
  engine_->model->dof_damping[address] = stuck ? 1e6 : engine_->damping[static_cast<std::size_t>(address)];
}

// The servos go on along the last command for two periods, then brake by themselves.
void SimulatedRobot::drive() {
  const int n = robot_->freedoms();
  const bool is_late = since_ > 2.0 * period_;
  if (is_late) {
    for (int i = 0; i < n; ++i) {
      const double brake = i < 2    ? kOwnBaseBrake * base_acceleration_
                           : i == 2 ? kOwnBaseBrake * turn_acceleration_
                                    : kOwnJointBrake;
      v_ref_[i] -= std::clamp(v_ref_[i], -brake * timestep_, brake * timestep_);
    }
    a_ref_.setZero();
    tau_ref_.head<kBaseFreedoms>().setZero();
  }
  const Freedoms &q = state_.q(), &v = state_.v();
  for (int i = 0; !is_late && i < kBaseFreedoms; ++i) {  // the base's drives have a ramp of their own
    const double ramp = kBaseRamp * (i < 2 ? base_acceleration_ : turn_acceleration_) * timestep_;
    v_ref_[i] += std::clamp(v_goal_[i] - v_ref_[i], -ramp, ramp);
    v_goal_[i] += timestep_ * a_ref_[i];
  }
  for (int i = 0; i < n; ++i) {
    const double stiffness = share_[i] * gains_.stiffness[i],
                 damping = (share_[i] < 0.1 ? 2.0 : share_[i]) * gains_.damping[i];
    double torque = stiffness * (q_ref_[i] - q[i]) + damping * (v_ref_[i] - v[i]);
    torque += gains_.armature[i] * a_ref_[i];  // the drive knows its own rotor
    if (i < kBaseFreedoms) torque += tau_ref_[i];
    if (i >= kBaseFreedoms) {
      const double effort = robot_->joints[static_cast<std::size_t>(i - kBaseFreedoms)].effort;
      torque = std::clamp(torque + tau_ref_[i], -effort, effort);
    }
    torque_[i] = torque;
    engine_->data->qfrc_applied[engine_->address[static_cast<std::size_t>(i)]] += torque;
  }
  q_ref_ += timestep_ * v_ref_ + 0.5 * timestep_ * timestep_ * a_ref_;
  v_ref_.tail(n - kBaseFreedoms) += timestep_ * a_ref_.tail(n - kBaseFreedoms);
  since_ += timestep_;
}

void SimulatedRobot::step() {
  drive();
  Engine::StepCall call{engine_->model.get(), engine_->data.get()};
  model::call_engine(
      [](void* argument) {
        auto* both = static_cast<Engine::StepCall*>(argument);
        mj_step(both->model, both->data);
      },
      &call);
  time_ += timestep_;
  const int n = robot_->freedoms();
  Freedoms q(n), v(n);
  for (int i = 0; i < n; ++i) {
    const int address = engine_->address[static_cast<std::size_t>(i)];
    q[i] = engine_->data->qpos[address], v[i] = engine_->data->qvel[address];
  }
  if (!q.allFinite() || !v.allFinite())
    throw simulate::SimulationError("the robot's simulation left the finite world");
  state_.set(q, v);
  std::memset(engine_->data->qfrc_applied, 0, sizeof(mjtNum) * static_cast<std::size_t>(engine_->model->nv));
}

}  // namespace prehend::assist
