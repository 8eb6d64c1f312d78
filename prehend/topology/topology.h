// Which joints does it have? From link poses, link inertias and the wrenches at the held links.
//
// Three kinds of evidence per joint and hypothesis:
// 1. kinematic: the likelihood of the relative poses under the type (articulation/), states integrated out;
// 2. momentum (T, in the weak form): the rate of the total momentum equals the total wrench. Under a hypothesis the momentum
//    is a constant part plus one term per joint, h = h_base + sum_j I_j^c S_j dq_j (I_j^c: the inertia of all that hangs on
//    joint j), so one Gram matrix of the whitened terms gives the error of every combination of types;
// 3. transmitted wrench: what joint j transmits, by Newton and Euler over the links on one side, does no work along its
//    freedoms.
// The posterior multiplies what is independent: p(poses | types) p(wrenches | poses, types).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <prehend/articulation/observations.h>
#include <prehend/topology/found_joint.h>
#include <prehend/topology/recording.h>
#include <prehend/topology/topology_options.h>

namespace prehend::topology {

// A combination of types and what the momentum balance says of it.
struct Combination {
  std::vector<model::JointType> types;  // per joint
  double error{0.0};                    // squared norm of the whitened residual
};

struct TopologyResult {
  TopologyStatus status{TopologyStatus::not_computed};  // ok: every joint is identified
  std::vector<FoundJoint> joints;
  Combination best, runner_up;  // of the momentum balance alone, exact by branch and bound
  double score{0.0};  // [nats] how much better the best combination explains everything than the runner-up
  std::size_t combinations_visited{0};
  articulation::PoseNoise pose_noise;
  double force_noise{0.0}, torque_noise{0.0};  // [N] [N m]
  // Total wrench minus momentum rate with the poses as they are, whitened: above 1 the inertias are wrong, gravity is, or
  // something else touches the object.
  double balance{0.0};
  RecordingFacts recording;
  std::vector<std::string> problems;  // sentences: the answer cannot be trusted
  std::vector<std::string> notes;     // sentences
  double time_ms{0.0};

  // A summary, a line per joint, then sentences.
  std::string brief_report() const;
  // joints[{name, parent, child, type, status, likeliest, errors{type: value}, posterior{}, kinematic_posterior{}, axis_F,
  // point_F_m, axis_M, point_M_m, pitch_m_per_rad, travel_rad or travel_m, std{axis_rad, point_m}, reason}]: F is the
  // parent's frame, M the child's. `type` is "undetermined" where the evidence does not suffice. An error is null where the
  // momentum of the whole object says nothing (a fixed base whose wrench is not recorded).
  std::string to_json() const;
};

// Throws std::invalid_argument on bad options or a recording that validate() refuses.
TopologyResult estimate_topology(const ArticulatedObject& object, const Recording& recording,
                                 const TopologyOptions& options = {});

}  // namespace prehend::topology
