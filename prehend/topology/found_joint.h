// What is concluded about one joint: its hypotheses with their evidence, and the verdict.
#pragma once

#include <string>
#include <vector>

#include <prehend/articulation/joint_model.h>
#include <prehend/math/se3.h>
#include <prehend/model/joint.h>

namespace prehend::topology {

// One type of one joint, the other joints at their best.
struct JointHypothesis {
  model::JointType type{model::JointType::free};
  articulation::Joint joint;  // parent F, child M
  // Sum over samples of |wrench - momentum rate| as in T (14), (15), forces in N and moments in N m alike.
  double error{0.0};
  double kinematic{0.0};            // [nats] evidence of the poses
  double momentum{0.0};             // [nats] evidence of the momentum balance
  double transmitted{0.0};          // [nats] evidence of the transmitted wrench
  double posterior{0.0};            // of all evidence
  double kinematic_posterior{0.0};  // of the poses alone: what the wrench adds is the difference
  std::string explanation;          // one sentence
  double total() const { return kinematic + momentum + transmitted; }  // [nats]
};

enum class TopologyStatus { not_computed, undetermined, ok };
const char* to_string(TopologyStatus status);

struct FoundJoint {
  std::string name;
  int parent{0}, child{0};  // links
  std::string parent_name, child_name;
  TopologyStatus status{TopologyStatus::not_computed};
  model::JointType type{
      model::JointType::free};              // identified where the status is ok; the likeliest otherwise
  std::vector<JointHypothesis> hypotheses;  // likeliest first
  std::string reason;                       // one sentence, where the status is not ok
  // Freedoms whose load would decide, where the status is not ok: twists in the parent's axes at its origin, angular first.
  std::vector<math::Vector6d> untested_P;
  double axis_deviation{0.0};   // [rad]
  double point_deviation{0.0};  // [m]
  double travel{0.0};           // [rad], of a prismatic joint [m]
  std::vector<double> states;   // per row, of one-freedom winners; else empty

  const JointHypothesis& best() const { return hypotheses.front(); }
  // hypothesis_name() of the type, or "undetermined".
  std::string type_text() const;
};

}  // namespace prehend::topology
