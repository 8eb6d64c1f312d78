#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <prehend/math/number_text.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/simulate/simulation.h>
#include <prehend/topology/evidence/hands.h>
#include <prehend/topology/object_reader.h>
#include <prehend/topology/simulated/simulated_recording.h>

namespace prehend::topology {
namespace {

using model::JointType;

void require(bool holds, const std::string& sentence) {
  if (!holds) throw std::invalid_argument("RecordingOptions::" + sentence);
}

// [m/s] [rad/s] Below this, Coulomb friction fades to nothing, so that the integrator does not chatter.
constexpr double kStandstill = 0.01;

void apply_friction(simulate::Simulation& simulation, const RecordingOptions& options) {
  const std::vector<model::Joint>& joints = simulation.scene().joints;
  for (model::JointIndex j(0); j < joints.size(); ++j) {
    const JointType type = joints[j].type;
    if (type != JointType::prismatic && type != JointType::revolute && type != JointType::screw) continue;
    const double size =
        type == JointType::prismatic ? options.joint_friction_force : options.joint_friction_torque;
    simulation.set_joint_force(j, -size * std::tanh(simulation.joint_velocity(j) / kStandstill));
  }
}

// Freedom of a joint as a unit twist at the child's origin, in its axes: what loads it is the product with the wrench there.
std::vector<math::Vector6d> freedoms_of(const model::Joint& joint) {
  const auto turn = [&](const Eigen::Vector3d& axis) {
    math::Vector6d s;
    s << axis, -axis.cross(joint.p_CJ);
    return s;
  };
  math::Vector6d slide;
  slide << Eigen::Vector3d::Zero(), joint.axis_C;
  switch (joint.type) {
    case JointType::prismatic:
      return {slide};
    case JointType::revolute:
      return {turn(joint.axis_C)};
    case JointType::screw:
      return {turn(joint.axis_C) + joint.pitch * slide};
    case JointType::spherical:
      return {turn(Eigen::Vector3d::UnitX()), turn(Eigen::Vector3d::UnitY()), turn(Eigen::Vector3d::UnitZ())};
    default:
      return {};
  }
}

// Wrench through a joint over time.
struct Load {
  math::Matrix6d second_moment{math::Matrix6d::Zero()};
  double largest_along_freedom{0.0};

  void add(const math::Vector6d& F, const std::vector<math::Vector6d>& freedoms) {
    second_moment += F * F.transpose();
    double squared = 0.0;
    for (const math::Vector6d& s : freedoms) squared += std::pow(s.dot(F), 2);
    largest_along_freedom = std::max(largest_along_freedom, std::sqrt(squared));
  }
};

double smallest_root(const Eigen::Matrix3d& moments) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(0.5 * (moments + moments.transpose()));
  return std::sqrt(std::max(0.0, solver.eigenvalues()[0]));
}

void judge_load(const Load& load, std::size_t rows, JointTruth& truth) {
  const math::Matrix6d C = load.second_moment / static_cast<double>(rows);
  const Eigen::Matrix3d C_ff = C.bottomRightCorner<3, 3>(), C_mf = C.topRightCorner<3, 3>();
  truth.weakest_force = smallest_root(C_ff);
  if (truth.weakest_force > 0.0) {
    // Least over all points that the axis may pass through: the moment that no force explains.
    const Eigen::Matrix3d own = C.topLeftCorner<3, 3>() - C_mf * C_ff.inverse() * C_mf.transpose();
    truth.weakest_moment = smallest_root(own);
  }
}

// Largest and second largest spread of the rotation from parent to child, by principal axes.
std::pair<double, double> rotation_spreads(const std::vector<math::Pose>& parent,
                                           const std::vector<math::Pose>& child) {
  std::vector<Eigen::Vector3d> turns;
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  const Eigen::Quaterniond first = parent[0].q().conjugate() * child[0].q();
  for (std::size_t k = 0; k < parent.size(); ++k) {
    turns.push_back(
        math::log_so3((first.conjugate() * parent[k].q().conjugate() * child[k].q()).normalized()));
    mean += turns.back() / static_cast<double>(parent.size());
  }
  for (const Eigen::Vector3d& turn : turns) moments += (turn - mean) * (turn - mean).transpose();
  const Eigen::Matrix3d axes = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(moments).eigenvectors();
  double spreads[3];
  for (int a = 0; a < 3; ++a) {
    double low = 1e300, high = -1e300;
    for (const Eigen::Vector3d& turn : turns) {
      low = std::min(low, axes.col(a).dot(turn));
      high = std::max(high, axes.col(a).dot(turn));
    }
    spreads[a] = high - low;
  }
  std::sort(spreads, spreads + 3);
  return {spreads[2], spreads[1]};
}

bool is_excited(const JointTruth& joint, const RecordingOptions& options, const SimulatedRecording& made) {
  const double turn = options.clear * std::max(options.pose_noise.angle, options.angle_floor);
  const double slide = options.clear * std::max(options.pose_noise.position, options.position_floor);
  if (joint.is_stuck) return false;
  switch (joint.type) {
    case JointType::rigid:
      return joint.weakest_force >= 2.0 * made.friction_force &&
             joint.weakest_moment >= 2.0 * made.friction_torque;
    case JointType::prismatic:
      return joint.travel >= slide;
    case JointType::revolute:
      return joint.travel >= turn;
    case JointType::screw:
      return joint.travel >= turn && joint.second_travel >= slide;
    case JointType::spherical:
      return joint.second_travel >= turn;
    default:
      return false;
  }
}

// Joints of the tree in the order of the object's links.
std::vector<model::JointIndex> tree_joints(const model::Scene& scene) {
  std::vector<model::JointIndex> found;
  for (const model::BodyIndex body : bodies_of(scene)) {
    for (model::JointIndex j(0); j < scene.joints.size(); ++j)
      if (scene.joints[j].child == body && scene.joints[j].parent != scene.world()) found.push_back(j);
  }
  return found;
}

JointTruth truth_of(const model::Joint& joint, bool is_stuck) {
  JointTruth truth;
  truth.name = joint.name;
  truth.type = joint.type;
  truth.is_stuck = is_stuck;
  truth.pitch = joint.type == JointType::screw ? joint.pitch : 0.0;
  truth.point_C = joint.p_CJ;
  truth.point_P = joint.X_PC * joint.p_CJ;
  if (joint.type != JointType::rigid && joint.type != JointType::spherical) {
    truth.axis_C = joint.axis_C;
    truth.axis_P = joint.X_PC.q() * joint.axis_C;
  }
  return truth;
}

math::Pose with_noise(const math::Pose& X, const articulation::PoseNoise& noise, math::RandomStream& random) {
  const Eigen::Vector3d turn = noise.angle * random.normal3();
  const Eigen::Vector3d shift = noise.position * random.normal3();
  return X * math::Pose(math::exp_so3(turn), shift);
}

}  // namespace

void RecordingOptions::validate(const model::Scene& scene) const {
  const int links = static_cast<int>(scene.bodies.size()) - 1;
  const auto check_link = [&](const char* field, int link) {
    require(link >= 0 && link < links, std::string(field) + " acts on link " + std::to_string(link) +
                                           ", the object has " + std::to_string(links));
  };
  for (const Push& push : pushes) check_link("pushes", push.link);
  for (const Grip& grip : grips) check_link("grips", grip.link);
  require(!pushes.empty() || !grips.empty(), "pushes and grips are empty, a hand is needed");
  for (const int joint : stuck)
    require(joint >= 0 && joint < links - 1,
            "stuck names joint " + std::to_string(joint) + ", the object has " + std::to_string(links - 1));
  require(duration > 0.0 && std::isfinite(duration),
          "duration is " + math::number_text(duration) + ", must be above 0");
  require(timestep > 0.0 && timestep <= 0.01,
          "timestep is " + math::number_text(timestep) + ", must lie in (0, 0.01]");
  const double steps = sample_time / timestep;
  require(steps >= 1.0 - 1e-9 && std::abs(steps - std::round(steps)) < 1e-6,
          "sample_time is " + math::number_text(sample_time) + ", must be a whole number of time steps");
  require(lead_in >= 0.0, "lead_in is " + math::number_text(lead_in) + ", must be at least 0");
  for (const double noise : {pose_noise.position, pose_noise.angle, force_noise, torque_noise,
                             joint_friction_force, joint_friction_torque})
    require(noise >= 0.0 && std::isfinite(noise),
            "a noise or friction is " + math::number_text(noise) + ", must be at least 0");
}

SimulatedRecording record(const model::Scene& scene, const RecordingOptions& options) {
  options.validate(scene);
  SimulatedRecording made;
  made.object = object_of(scene);
  const std::vector<model::BodyIndex> bodies = bodies_of(scene);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].value() != static_cast<int>(i) + 1)
      throw std::invalid_argument("record: links must stand in the scene in the order of the tree");
  const std::vector<model::JointIndex> joints = tree_joints(scene);
  model::Scene moved = scene;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const bool is_stuck =
        std::find(options.stuck.begin(), options.stuck.end(), static_cast<int>(j)) != options.stuck.end() &&
        scene.joints[joints[j]].type != JointType::rigid;
    made.joints.push_back(truth_of(scene.joints[joints[j]], is_stuck));
    if (is_stuck) moved.joints[joints[j]].type = JointType::rigid;
  }
  simulate::SimulationOptions physics;
  physics.timestep = options.timestep;
  physics.contact_time_constant = std::max(physics.contact_time_constant, 2.0 * options.timestep);
  simulate::Simulation simulation(moved, physics);
  Hands hands(scene, options);
  const int substeps = static_cast<int>(std::lround(options.sample_time / options.timestep));
  const bool has_friction = options.joint_friction_force > 0.0 || options.joint_friction_torque > 0.0;
  const auto advance = [&](double time) {
    hands.act(simulation, time);
    if (has_friction) apply_friction(simulation, options);
  };
  const int lead = static_cast<int>(std::lround(options.lead_in / options.timestep));
  for (int k = -lead; k < 0; ++k) {
    advance(k * options.timestep);
    simulation.step();
  }
  Recording& recording = made.recording;
  recording.gravity_W = scene.gravity_W;
  recording.base_is_fixed = !scene.bodies[1].movable;
  const bool reaction = options.record_reaction && recording.base_is_fixed;
  if (reaction) recording.held.push_back({0, {}});
  for (const int link : hands.held()) recording.held.push_back({link, {}});
  std::vector<std::vector<math::Pose>> clean(bodies.size());
  recording.X_WL.resize(bodies.size());
  made.V_WL_W.resize(bodies.size());
  std::vector<Load> loads(joints.size());
  std::vector<double> low(joints.size(), 1e300), high(joints.size(), -1e300);
  math::RandomStream pose_random(options.seed, 0x905e), wrench_random(options.seed, 0xf02ce);
  const auto noisy = [&](const math::Wrench& F) {
    const Eigen::Vector3d f = options.force_noise * wrench_random.normal3();
    const Eigen::Vector3d m = options.torque_noise * wrench_random.normal3();
    return math::Wrench{F.moment + m, F.force + f};
  };
  const int rows = static_cast<int>(std::lround(options.duration / options.sample_time)) + 1;
  for (int k = 0; k < rows; ++k) {
    const double time = k * options.sample_time;
    advance(time);
    recording.t.push_back(time);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const JointType type = moved.joints[joints[j]].type;
      if (type == JointType::rigid) {
        const model::BodyIndex child = scene.joints[joints[j]].child;
        const Eigen::Matrix3d R_CW = simulation.X_WB(child).R().transpose();
        loads[j].add(simulation.parent_wrench(child).expressed(R_CW).vector(),
                     freedoms_of(scene.joints[joints[j]]));
      } else if (type != JointType::spherical) {
        low[j] = std::min(low[j], simulation.joint_state(joints[j]));
        high[j] = std::max(high[j], simulation.joint_state(joints[j]));
      }
    }
    std::size_t slot = 0;
    if (reaction) {
      const Eigen::Matrix3d R_LW = simulation.X_WB(bodies[0]).R().transpose();
      recording.held[slot++].F_L.push_back(noisy(simulation.parent_wrench(bodies[0]).expressed(R_LW)));
    }
    for (std::size_t i = 0; i < hands.held().size(); ++i)
      recording.held[slot++].F_L.push_back(noisy(hands.F_L(i)));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      clean[i].push_back(simulation.X_WB(bodies[i]));
      made.V_WL_W[i].push_back(simulation.velocity(bodies[i]));
      recording.X_WL[i].push_back(with_noise(clean[i].back(), options.pose_noise, pose_random));
    }
    made.momentum_W.push_back(simulation.momentum());
    for (int step = 0; step < substeps && k + 1 < rows; ++step) {
      if (step > 0) advance(time + step * options.timestep);
      simulation.step();
    }
  }
  for (std::size_t j = 0; j < joints.size(); ++j) {
    JointTruth& truth = made.joints[j];
    judge_load(loads[j], static_cast<std::size_t>(rows), truth);
    if (truth.is_stuck) {
      truth.friction = loads[j].largest_along_freedom;
      double& stated = truth.type == JointType::prismatic ? made.friction_force : made.friction_torque;
      stated = std::max(stated, 1.1 * truth.friction);
    } else if (truth.type == JointType::spherical) {
      const auto parent = static_cast<std::size_t>(made.object.links[j + 1].parent);
      std::tie(truth.travel, truth.second_travel) = rotation_spreads(clean[parent], clean[j + 1]);
    } else if (truth.type != JointType::rigid) {
      truth.travel = high[j] - low[j];
      truth.second_travel = std::abs(truth.pitch) * truth.travel;
    }
  }
  for (JointTruth& truth : made.joints) truth.is_excited = is_excited(truth, options, made);
  return made;
}

}  // namespace prehend::topology
