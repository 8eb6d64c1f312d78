// Which joints does it have? From link poses, link inertias and the wrenches at the held links.
//
// Three sources of evidence per joint and hypothesis:
// 1. kinematic: the likelihood of the relative poses under the type (articulation/), states integrated out;
// 2. momentum (source T, weak form): the rate of the total momentum equals the total wrench. Under a hypothesis the momentum
//    is a constant part plus one term per joint, h = h_base + sum_j I_j^c S_j dq_j (I_j^c: the inertia of all that hangs on
//    joint j), so one Gram matrix of the whitened terms gives the error of every combination of types; per joint, what the poses leave
//    open of its axis, point and pitch counts as noise that all windows share;
// 3. transmitted wrench: what joint j transmits, by Newton and Euler over the links on one of its sides, does no work along
//    its freedoms. Wrenches in all six directions without motion tell a fixed joint from one that nobody tried to move.
// The posterior multiplies what is independent: p(poses | types) p(wrenches | poses, types).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/joint_model.h>
#include <prehend/articulation/observations.h>
#include <prehend/math/se3.h>
#include <prehend/model/joint.h>
#include <prehend/topology/recording.h>

namespace prehend::topology {

struct TopologyOptions {
  // Hypotheses, as the field knows them; rigid is `fixed`.
  std::vector<model::JointType> types{model::JointType::rigid, model::JointType::prismatic,
                                      model::JointType::revolute, model::JointType::screw,
                                      model::JointType::spherical};
  // Known noise per axis; absent: estimated from the recording.
  std::optional<articulation::PoseNoise> pose_noise;
  std::optional<double> force_noise;   // [N]
  std::optional<double> torque_noise;  // [N m]
  // [N m] [N] Friction that joints may have. A joint that stood still is called fixed only where it was loaded by more than
  // this about every axis and along every direction; a stuck joint looks the same below it.
  double largest_friction_torque{0.1};
  double largest_friction_force{1.0};
  // A type is said when its posterior is at least this; else the joint is undetermined.
  double sure{0.999};
  int threads{0};  // 0: as many as there are cores; the answer is the same

  void validate() const;
};

// One type of one joint, the other joints at their best.
struct JointHypothesis {
  model::JointType type{model::JointType::free};
  articulation::Joint joint;  // parent F, child M
  double error{
      0.0};  // sum over samples of |wrench - momentum rate| as in (14), (15), forces in N and moments in N m alike
  double kinematic{0.0};            // [nats] evidence of the poses
  double momentum{0.0};             // [nats] evidence of the momentum balance
  double transmitted{0.0};          // [nats] evidence of the transmitted wrench
  double posterior{0.0};            // of all evidence
  double kinematic_posterior{0.0};  // of the poses alone: what the wrench adds is the difference
  std::string explanation;          // one sentence
  double total() const { return kinematic + momentum + transmitted; }  // [nats]
};

enum class TopologyStatus { failed, undetermined, ok };
const char* to_string(TopologyStatus status);
// "fixed" for rigid, otherwise joint_type_name.
const char* hypothesis_name(model::JointType type);

struct FoundJoint {
  std::string name;
  int parent{0}, child{0};  // links
  TopologyStatus status{TopologyStatus::failed};
  model::JointType type{
      model::JointType::free};              // meaningful where the status is ok; the likeliest otherwise
  std::vector<JointHypothesis> hypotheses;  // likeliest first
  std::string reason;                       // one sentence, where the status is not ok
  // Freedoms whose load would tell more, where the status is not ok: twists in the parent's axes at its origin, angular first.
  std::vector<math::Vector6d> untested_P;
  double axis_deviation{0.0};   // [rad]
  double point_deviation{0.0};  // [m]
  double travel{0.0};           // [rad], of a prismatic joint [m]
  std::vector<double> states;   // per row, of one-freedom winners; else empty
  const JointHypothesis& best() const { return hypotheses.front(); }
};

// A combination of types and what the momentum balance says of it.
struct Combination {
  std::vector<model::JointType> types;  // per joint
  double error{0.0};                    // squared norm of the whitened residual
};

struct TopologyResult {
  TopologyStatus status{TopologyStatus::failed};  // ok: every joint is told
  std::vector<FoundJoint> joints;
  Combination best, runner_up;  // of the momentum balance alone, exact by branch and bound
  double score{0.0};  // [nats] how much better the best combination explains everything than the runner-up
  std::size_t combinations_visited{0};
  articulation::PoseNoise pose_noise;
  double force_noise{0.0}, torque_noise{0.0};  // [N] [N m]
  // Total wrench minus momentum rate with the poses as they are, whitened: above 1 the inertias are wrong, gravity is, or
  // something else touches the object.
  double balance{0.0};
  std::vector<std::string> problems;  // sentences: the answer cannot be trusted
  std::vector<std::string> notes;     // sentences
  double time_ms{0.0};

  std::string brief_report() const;
};

// Throws std::invalid_argument on bad options or a recording that validate() refuses.
TopologyResult estimate_topology(const ArticulatedObject& object, const Recording& recording,
                                 const TopologyOptions& options = {});

}  // namespace prehend::topology
