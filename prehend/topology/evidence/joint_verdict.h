// All evidence on one joint, and what is said of it. Used by estimate_topology.
//
// A joint that did not move is fixed only where it was loaded beyond friction about every axis and along every direction; it is
// otherwise undetermined, whatever the poses say. One that moved is what its posterior says, if it says so surely.
#pragma once

#include <string>
#include <vector>

#include <prehend/topology/evidence/joint_evidence.h>
#include <prehend/topology/evidence/smallest_load.h>
#include <prehend/topology/evidence/transmitted_wrench.h>
#include <prehend/topology/found_joint.h>
#include <prehend/topology/topology_options.h>

namespace prehend::topology {

// [nats] The best moving type must be ahead of rigid by this, beyond the cost of its parameters, before a joint counts as
// moved: twenty to one.
inline constexpr double kMoved = 3.0;
// Mean square of the balance beyond which wrenches are not believed: five times the noise, as DiagnosisOptions::bad_balance.
inline constexpr double kUntrustedBalance = 25.0;

struct JointStudy {
  JointEvidence kinematic;
  TransmittedWrench wrench;
  std::vector<double> transmitted, momentum, error;  // by type; [nats] [nats] and as in JointHypothesis
  std::vector<FreedomEvidence> freedoms;             // by type
  SmallestLoad load;                                 // of a joint that did not move
  std::vector<std::string> notes;

  bool moved() const { return kinematic.motion > kMoved; }
};

// Fills transmitted, freedoms and load.
void study_transmitted(JointStudy& study, const ArticulatedObject& object, const MotionBlocks& blocks,
                       int joint, const TopologyOptions& options, bool wrench_is_trusted);

// By the load of a joint that did not move: types that friction cannot have held are out.
void exclude_loaded_types(JointStudy& study, const TopologyOptions& options);

// Adds notes to the study; missing momentum evidence counts as none.
FoundJoint verdict(JointStudy& study, const ArticulatedObject& object, int joint,
                   const TopologyOptions& options, bool wrench_is_trusted);
// One per row for winners with one freedom; else none.
std::vector<double> row_states(const FoundJoint& found, const Recording& recording);

}  // namespace prehend::topology
