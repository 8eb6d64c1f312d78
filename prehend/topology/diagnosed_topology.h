// From a recording as it comes to an answer that can be relied on: diagnosis, estimate, and what the one means for the other.
//
// A finding that blocks (recording_diagnosis.h) leaves every joint undetermined, with the finding as reason. A base that is
// said to be fixed while a wrench on it was recorded: that wrench is what the world exerts on the base, and everything is
// known as with a base that floats; where that does not balance (it is zero, or only part of it), the world's wrench counts
// as unknown, with a note.
#pragma once

#include <optional>
#include <string>

#include <prehend/topology/recording_diagnosis.h>
#include <prehend/topology/replayed_topology.h>
#include <prehend/topology/topology.h>

namespace prehend::topology {

// A slide is the limit of hinges far away, whose errors are as small: as hypotheses, hinges lie within the object's reach, and
// the error of one that was fitted farther away is that of the hinge at the object's size from the child. Every joint has
// hypotheses for `prismatic` and `revolute`, also where others were asked for: their errors are the measure of T.
struct DiagnosedTopology {
  TopologyResult result;
  RecordingDiagnosis diagnosis;
  Recording recording;  // as it was taken: without a wrench on a fixed base that does not balance
  // The same recording row by row, where the caller asked replay_topology() for it.
  std::optional<ReplayedTopology> online;

  // Why not every joint is identified: the diagnosis, or a sentence per open joint. Empty where the status is ok.
  std::string reason() const;
  std::string brief_report() const;
  std::string to_json() const;  // result.to_json(), and `online` where it is there
};

DiagnosedTopology diagnose_and_estimate(const ArticulatedObject& object, const Recording& recording,
                                        const TopologyOptions& options = {});

}  // namespace prehend::topology
