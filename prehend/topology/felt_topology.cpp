#include <algorithm>

#include <prehend/topology/felt_topology.h>

namespace prehend::topology {
namespace {

using model::JointType;

bool holds(const std::vector<JointType>& types, JointType type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

// Hypotheses that were not asked for, for their errors alone: no probability, and last.
void add_missing_errors(const ArticulatedObject& object, const Recording& recording,
                        const TopologyOptions& options, TopologyResult& result) {
  std::vector<JointType> missing;
  for (const JointType type : {JointType::prismatic, JointType::revolute})
    if (!holds(options.types, type)) missing.push_back(type);
  if (missing.empty()) return;
  TopologyOptions more = options;
  for (const JointType type : missing) more.types.push_back(type);
  const TopologyResult all = estimate_topology(object, recording, more);
  for (std::size_t j = 0; j < result.joints.size(); ++j) {
    for (JointHypothesis h : all.joints[j].hypotheses) {
      if (!holds(missing, h.type)) continue;
      h.posterior = h.kinematic_posterior = 0.0;
      result.joints[j].hypotheses.push_back(std::move(h));
    }
  }
}

// The recording with the base's wrench told or unknown.
Recording taken(const ArticulatedObject& object, const Recording& recording, std::string& note) {
  Recording read = recording;
  const bool base_is_recorded = std::any_of(recording.held.begin(), recording.held.end(),
                                            [](const HeldLink& held) { return held.link == 0; });
  if (!recording.base_is_fixed || !base_is_recorded) return read;
  read.base_is_fixed = false;
  const RecordingDiagnosis diagnosis = diagnose_recording(object, read);
  if (diagnosis.balance < DiagnosisOptions{}.bad_balance) {
    note =
        "The wrench on the fixed base is taken for what the world exerts on it: everything balances with it.";
    return read;
  }
  read.base_is_fixed = true;
  note =
      "The wrench on the fixed base does not carry the object: what the world exerts on the base is taken "
      "for unknown, and the total "
      "momentum says nothing.";
  return read;
}

}  // namespace

FeltTopology feel_topology(const ArticulatedObject& object, const Recording& recording,
                           const TopologyOptions& options) {
  options.validate();
  validate(object, recording);
  FeltTopology felt;
  std::string note;
  felt.recording = taken(object, recording, note);
  felt.diagnosis = diagnose_recording(object, felt.recording);
  felt.result = estimate_topology(object, felt.recording, options);
  add_missing_errors(object, felt.recording, options, felt.result);
  if (!note.empty()) felt.result.notes.push_back(note);
  // The diagnosis says the same with a cause.
  if (felt.diagnosis.blocks()) felt.result.problems.clear();
  const std::vector<std::string> sentences = felt.diagnosis.sentences();
  felt.result.problems.insert(felt.result.problems.begin(), sentences.begin(), sentences.end());
  if (felt.diagnosis.blocks()) {
    const auto first = std::find_if(felt.diagnosis.findings.begin(), felt.diagnosis.findings.end(),
                                    [](const Finding& finding) { return finding.blocks; });
    felt.result.status = TopologyStatus::undetermined;
    for (FoundJoint& joint : felt.result.joints) {
      joint.status = TopologyStatus::undetermined;
      joint.reason = first->sentence;
    }
  }
  return felt;
}

}  // namespace prehend::topology
