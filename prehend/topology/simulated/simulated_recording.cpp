#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/simulate/simulation.h>
#include <prehend/topology/evidence/hands.h>
#include <prehend/topology/object_reader.h>
#include <prehend/topology/simulated/sample_object.h>
#include <prehend/topology/simulated/simulated_recording.h>

namespace prehend::topology {
namespace {

using model::JointType;

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

// One recording in the making: the engine, the hands, and what is kept of every sample.
class Recorder {
 public:
  Recorder(const model::Scene& scene, const RecordingOptions& options)
      : scene_(scene),
        options_(options),
        bodies_(bodies_of(scene)),
        joints_(tree_joints(scene)),
        moved_(with_stuck_joints()),
        simulation_(moved_, physics()),
        hands_(scene, options),
        pose_random_(options.seed, 0x905e),
        wrench_random_(options.seed, 0xf02ce) {
    Recording& recording = made_.recording;
    recording.gravity_W = scene.gravity_W;
    recording.base_is_fixed = !scene.bodies[1].movable;
    reaction_ = options.record_reaction && recording.base_is_fixed;
    if (reaction_) recording.held.push_back({0, {}});
    for (const int link : hands_.held()) recording.held.push_back({link, {}});
    recording.X_WL.resize(bodies_.size());
    clean_.resize(bodies_.size());
    made_.V_WL_W.resize(bodies_.size());
    loads_.resize(joints_.size());
    low_.assign(joints_.size(), 1e300);
    high_.assign(joints_.size(), -1e300);
  }

  SimulatedRecording run() {
    const int lead = static_cast<int>(std::lround(options_.lead_in / options_.timestep));
    for (int k = -lead; k < 0; ++k) {
      act(k * options_.timestep);
      simulation_.step();
    }
    const int substeps = static_cast<int>(std::lround(options_.sample_time / options_.timestep));
    const int rows = static_cast<int>(std::lround(options_.duration / options_.sample_time)) + 1;
    for (int k = 0; k < rows; ++k) {
      math::check_interrupt();
      const double time = k * options_.sample_time;
      act(time);
      sample(time);
      for (int step = 0; step < substeps && k + 1 < rows; ++step) {
        if (step > 0) act(time + step * options_.timestep);
        simulation_.step();
      }
    }
    for (std::size_t j = 0; j < joints_.size(); ++j) judge(j, static_cast<std::size_t>(rows));
    for (JointTruth& truth : made_.joints) truth.is_excited = is_excited(truth, options_, made_);
    return std::move(made_);
  }

 private:
  // The scene with stuck joints as rigid ones; also fills in the object and the truth.
  model::Scene with_stuck_joints() {
    made_.object = object_of(scene_);
    model::Scene moved = scene_;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const model::Joint& joint = scene_.joints[joints_[j]];
      const bool is_stuck = std::find(options_.stuck.begin(), options_.stuck.end(), static_cast<int>(j)) !=
                                options_.stuck.end() &&
                            joint.type != JointType::rigid;
      made_.joints.push_back(truth_of(joint, is_stuck));
      if (is_stuck) moved.joints[joints_[j]].type = JointType::rigid;
    }
    return moved;
  }

  simulate::SimulationOptions physics() const {
    simulate::SimulationOptions physics;
    physics.timestep = options_.timestep;
    physics.contact_time_constant = std::max(physics.contact_time_constant, 2.0 * options_.timestep);
    return physics;
  }

  void act(double time) {
    hands_.act(simulation_, time);
    if (options_.joint_friction_force > 0.0 || options_.joint_friction_torque > 0.0)
      apply_friction(simulation_, options_);
  }

  math::Wrench noisy(const math::Wrench& F) {
    const Eigen::Vector3d f = options_.force_noise * wrench_random_.normal3();
    const Eigen::Vector3d m = options_.torque_noise * wrench_random_.normal3();
    return math::Wrench{F.moment + m, F.force + f};
  }

  void sample(double time) {
    Recording& recording = made_.recording;
    recording.t.push_back(time);
    for (std::size_t j = 0; j < joints_.size(); ++j) sample_joint(j);
    std::size_t slot = 0;
    if (reaction_) {
      const Eigen::Matrix3d R_LW = simulation_.X_WB(bodies_[0]).R().transpose();
      recording.held[slot++].F_L.push_back(noisy(simulation_.parent_wrench(bodies_[0]).expressed(R_LW)));
    }
    for (std::size_t i = 0; i < hands_.held().size(); ++i)
      recording.held[slot++].F_L.push_back(noisy(hands_.F_L(i)));
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      clean_[i].push_back(simulation_.X_WB(bodies_[i]));
      made_.V_WL_W[i].push_back(simulation_.velocity(bodies_[i]));
      recording.X_WL[i].push_back(with_noise(clean_[i].back(), options_.pose_noise, pose_random_));
    }
    made_.momentum_W.push_back(simulation_.momentum());
  }

  void sample_joint(std::size_t j) {
    const JointType type = moved_.joints[joints_[j]].type;
    if (type == JointType::rigid) {
      const model::BodyIndex child = scene_.joints[joints_[j]].child;
      const Eigen::Matrix3d R_CW = simulation_.X_WB(child).R().transpose();
      loads_[j].add(simulation_.parent_wrench(child).expressed(R_CW).vector(),
                    freedoms_of(scene_.joints[joints_[j]]));
    } else if (type != JointType::spherical) {
      low_[j] = std::min(low_[j], simulation_.joint_state(joints_[j]));
      high_[j] = std::max(high_[j], simulation_.joint_state(joints_[j]));
    }
  }

  void judge(std::size_t j, std::size_t rows) {
    JointTruth& truth = made_.joints[j];
    judge_load(loads_[j], rows, truth);
    if (truth.is_stuck) {
      truth.friction = loads_[j].largest_along_freedom;
      double& stated = truth.type == JointType::prismatic ? made_.friction_force : made_.friction_torque;
      stated = std::max(stated, 1.1 * truth.friction);
    } else if (truth.type == JointType::spherical) {
      const auto parent = static_cast<std::size_t>(made_.object.links[j + 1].parent);
      std::tie(truth.travel, truth.second_travel) = rotation_spreads(clean_[parent], clean_[j + 1]);
    } else if (truth.type != JointType::rigid) {
      truth.travel = high_[j] - low_[j];
      truth.second_travel = std::abs(truth.pitch) * truth.travel;
    }
  }

  const model::Scene& scene_;
  const RecordingOptions& options_;
  SimulatedRecording made_;
  std::vector<model::BodyIndex> bodies_;
  std::vector<model::JointIndex> joints_;
  model::Scene moved_;
  simulate::Simulation simulation_;
  Hands hands_;
  math::RandomStream pose_random_, wrench_random_;
  bool reaction_{false};  // of the world on a fixed base: recorded, too
  std::vector<std::vector<math::Pose>> clean_;
  std::vector<Load> loads_;
  std::vector<double> low_, high_;  // states of each joint
};

}  // namespace

void RecordingOptions::validate(const model::Scene& scene) const {
  const math::OptionCheck check("RecordingOptions");
  const int links = static_cast<int>(scene.bodies.size()) - 1;
  for (const Push& push : pushes) check.between("pushes.link", push.link, 0, links - 1);
  for (const Grip& grip : grips) check.between("grips.link", grip.link, 0, links - 1);
  check.holds(!pushes.empty() || !grips.empty(), "grips", "empty, and so is pushes", "at least one hand");
  for (const int joint : stuck) check.between("stuck", joint, 0, links - 2);
  check.above("duration", duration, 0.0, "s");
  check.above("timestep", timestep, 0.0, "s");
  check.between("timestep", timestep, 0.0, 0.01, "s");
  const double steps = sample_time / timestep;
  check.holds(steps >= 1.0 - 1e-9 && std::abs(steps - std::round(steps)) < 1e-6, "sample_time",
              math::number_text(sample_time) + " s", "a whole number of time steps");
  check.at_least("lead_in", lead_in, 0.0, "s");
  check.at_least("pose_noise.position", pose_noise.position, 0.0, "m");
  check.at_least("pose_noise.angle", pose_noise.angle, 0.0, "rad");
  check.at_least("force_noise", force_noise, 0.0, "N");
  check.at_least("torque_noise", torque_noise, 0.0, "N m");
  check.at_least("joint_friction_force", joint_friction_force, 0.0, "N");
  check.at_least("joint_friction_torque", joint_friction_torque, 0.0, "N m");
}

SimulatedRecording record(const model::Scene& scene, const RecordingOptions& options) {
  options.validate(scene);
  const std::vector<model::BodyIndex> bodies = bodies_of(scene);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].value() != static_cast<int>(i) + 1)
      throw std::invalid_argument("record: links must stand in the scene in the order of the tree");
  return Recorder(scene, options).run();
}

SimulatedRecording sample_recording(const std::string& kind, int links, double duration, std::uint64_t seed) {
  RecordingOptions options;
  model::Scene scene;
  if (kind == "sample") {
    SampleObjectOptions object;
    object.links = links;
    object.seed = seed;
    scene = sample_object(object);
    options.grips = sample_exploration(scene, 0.0, seed).grips;
  } else {
    const bool slides = kind == "prismatic";
    if (!slides && kind != "revolute")
      throw std::invalid_argument("kind is '" + kind + "'; it must be prismatic, revolute or sample");
    scene = source_object(slides ? JointType::prismatic : JointType::revolute, false);
    const Eigen::Vector3d force = slides ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
    options.pushes.push_back({1, 0.2 * force, {0.25, 0.0, 0.0}, 0.3, 0.0, slides ? 1.0 : 0.7});
    options.grips.push_back({0, 0.01, 0.05});
  }
  options.duration = duration;
  options.seed = seed;
  return record(scene, options);
}

}  // namespace prehend::topology
