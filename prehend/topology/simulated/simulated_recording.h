// A recording of an object in simulated hands, and the truth about its joints.
//
// Two kinds of hands. A push is the exploration wrench of T: a sinusoidal force on a point of a link, its direction fixed in
// the link. A grip is a soft spring between a link's centre of mass and a hand whose target wanders by sinusoids in all six
// directions; it carries its share of the weight. What is recorded is what acts: poses of all links, and per held link the
// sum of what its hands exert on it, in the link's axes about its origin.
//
// Physics by simulate/ (MuJoCo) with a shorter step than the samples'. Its integrator is of first order: rates of the
// momentum match the wrenches to about 1e-3 of their size at 0.5 ms (tested). A stuck joint is simulated as a rigid one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/observations.h>
#include <prehend/math/spatial.h>
#include <prehend/model/scene.h>
#include <prehend/topology/recording.h>

namespace prehend::topology {

struct Push {
  int link{0};
  Eigen::Vector3d force_L{Eigen::Vector3d::Zero()};  // [N] amplitude
  Eigen::Vector3d p_L{Eigen::Vector3d::Zero()};      // [m] where it acts
  double frequency{0.1};                             // [Hz]
  double phase{0.0};                                 // [rad] of the sine
  // Share of the link's weight that the hand carries besides, at its centre of mass; with 1 nothing tilts.
  double carried_weight{0.0};
};

struct Grip {
  int link{0};
  double position_amplitude{0.06};  // [m] per axis, largest excursion of the hand
  double angle_amplitude{0.4};      // [rad]
};

struct RecordingOptions {
  std::vector<Push> pushes;
  std::vector<Grip> grips;
  double duration{5.0};        // [s]
  double sample_time{0.001};   // [s] a whole number of time steps
  double timestep{0.0005};     // [s] of the physics
  double lead_in{1.0};         // [s] before the recording: hands take hold, pushes are not there yet
  double grip_frequency{2.0};  // [Hz] of the whole object on its springs: soft, as an arm is
  double hand_frequency_min{0.2}, hand_frequency_max{1.0};  // [Hz] of the hands' motion
  // Records what the world exerts on a fixed base, too (as the wrench on link 0).
  bool record_reaction{false};
  articulation::PoseNoise pose_noise;  // per axis
  double force_noise{0.0};             // [N] per axis
  double torque_noise{0.0};            // [N m]
  std::vector<int> stuck;              // joints that friction holds
  // [N m] and [N] Coulomb friction of the other joints with one freedom.
  double joint_friction_torque{0.0};
  double joint_friction_force{0.0};
  // A travel counts as excited from this many deviations of the noise on.
  double clear{10.0};
  double position_floor{1e-4};  // [m] stands for the noise where it is smaller
  double angle_floor{1e-3};     // [rad]
  std::uint64_t seed{0};        // of the hands' motion and the noise

  void validate(const model::Scene& scene) const;
};

// A joint is excited when its relative motion is clear of the noise, a rigid one when it was loaded well beyond friction;
// docs/topology_validation.md has the definition type by type.
struct JointTruth {
  std::string name;
  model::JointType type{model::JointType::rigid};
  Eigen::Vector3d axis_P{Eigen::Vector3d::Zero()},
      axis_C{Eigen::Vector3d::Zero()};  // unit; zero where there is none
  // [m] A point of the axis, or the centre, in the parent's and the child's frame.
  Eigen::Vector3d point_P{Eigen::Vector3d::Zero()}, point_C{Eigen::Vector3d::Zero()};
  double pitch{0.0};  // [m/rad]
  bool is_stuck{false};
  bool is_excited{false};
  double travel{0.0};         // [rad], of a prismatic joint [m]; of a spherical joint the largest spread
  double second_travel{0.0};  // [rad] of a spherical joint; [m] advance of a screw
  // Wrench through a rigid or stuck joint, rms: along its least loaded direction [N], about its least loaded axis [N m].
  double weakest_force{0.0}, weakest_moment{0.0};
  double friction{0.0};  // [N m], prismatic [N]: what at least holds a stuck joint
};

struct SimulatedRecording {
  ArticulatedObject object;
  Recording recording;
  std::vector<JointTruth> joints;
  // What one who knows such joints would state: covers what holds the stuck ones.
  double friction_force{1.0};                    // [N]
  double friction_torque{0.1};                   // [N m]
  std::vector<math::Wrench> momentum_W;          // per row, by the engine: angular about the world's origin
  std::vector<std::vector<math::Twist>> V_WL_W;  // [link][row], by the engine
};

// Throws std::invalid_argument on options that do not fit the scene, simulate::SimulationError when the engine gives up.
SimulatedRecording record(const model::Scene& scene, const RecordingOptions& options);

// An object in two hands: 'prismatic' or 'revolute', the objects of T, or 'sample', a random one of that many links.
SimulatedRecording sample_recording(const std::string& kind, int links, double duration, std::uint64_t seed);

// Hands for a scene of any size: on the base (where it floats), on the leaves, and so close together that at most six
// freedoms, and at most one slide or screw, lie between (two along one line would let what is between them run away). Some
// leaves that can only swing are left to gravity. With probability `stuck`, a leaf beside a held link is left alone, too, and
// its joint is stuck, if other hands remain.
struct Exploration {
  std::vector<Grip> grips;
  std::vector<int> stuck;
};
Exploration sample_exploration(const model::Scene& scene, double stuck, std::uint64_t seed);

}  // namespace prehend::topology
