#include <algorithm>
#include <optional>
#include <utility>

#include <prehend/model/json_writer.h>
#include <prehend/topology/diagnosed_topology.h>
#include <prehend/topology/evidence/error_history.h>
#include <prehend/topology/evidence/joint_evidence.h>
#include <prehend/topology/evidence/wrench_delay.h>
#include <prehend/topology/push_suggestion.h>

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

// A slide is a hinge whose axis is far away, to any precision: as hypotheses of one object, hinges lie within its reach. Errors of
// hinges farther away are those of the nearest one at `reach` [m] from the child's centre of mass, right in the middle of the recording.
std::optional<articulation::Joint> within_reach(const articulation::Joint& joint,
                                                const Eigen::Vector3d& com_M, const math::Pose& X_FM,
                                                double reach) {
  const Eigen::Vector3d axis = joint.X_MJ.R().col(2), from = joint.X_MJ.p() - com_M;
  const Eigen::Vector3d lever = from - axis * axis.dot(from);
  if (lever.norm() <= reach) return std::nullopt;
  articulation::Joint nearer = joint;
  nearer.X_MJ = math::Pose(joint.X_MJ.q(), joint.X_MJ.p() - lever * (1.0 - reach / lever.norm()));
  nearer.X_FJ = X_FM * nearer.X_MJ;
  return nearer;
}

void bound_hinges(const ArticulatedObject& object, const Recording& recording, TopologyResult& result) {
  if (!recording.is_complete()) return;
  const double reach = size_of(object, average_blocks(object, recording));
  const std::size_t middle = recording.rows() / 2;
  std::vector<FoundJoint> bounded = result.joints;
  std::vector<std::pair<std::size_t, std::size_t>> changed;
  for (std::size_t j = 0; j < bounded.size(); ++j) {
    const auto parent = static_cast<std::size_t>(bounded[j].parent),
               child = static_cast<std::size_t>(bounded[j].child);
    for (std::size_t m = 1; m < bounded[j].hypotheses.size(); ++m) {
      JointHypothesis& h = bounded[j].hypotheses[m];
      if (h.type != JointType::revolute) continue;
      const auto nearer =
          within_reach(h.joint, object.links[child].inertia.com,
                       recording.X_WL[parent][middle].inverse() * recording.X_WL[child][middle], reach);
      if (!nearer) continue;
      h.joint = *nearer;
      changed.emplace_back(j, m);
    }
  }
  if (changed.empty()) return;
  const ErrorHistory history = error_history(object, recording, bounded);
  if (history.t.empty()) return;
  for (const auto& [j, m] : changed) {
    result.joints[j].hypotheses[m].joint = bounded[j].hypotheses[m].joint;
    result.joints[j].hypotheses[m].error = history.error[j][m].back();
  }
}

bool is_a_misreading(FindingKind kind) {
  return kind == FindingKind::wrench_sign || kind == FindingKind::wrench_frame ||
         kind == FindingKind::gravity || kind == FindingKind::link_order || kind == FindingKind::link_inertia;
}

// The recording with the wrench on a fixed base, or without it where it cannot be all that the world exerts.
Recording taken(const ArticulatedObject& object, const Recording& recording, std::string& note) {
  const auto base = std::find_if(recording.held.begin(), recording.held.end(),
                                 [](const HeldLink& held) { return held.link == 0; });
  if (!recording.base_is_fixed || base == recording.held.end()) return recording;
  const bool is_zero = std::all_of(base->F_L.begin(), base->F_L.end(),
                                   [](const math::Wrench& F) { return F.vector().isZero(0.0); });
  const RecordingDiagnosis diagnosis = diagnose_recording(object, recording);
  const bool balances = diagnosis.balance < DiagnosisOptions{}.bad_balance;
  const bool is_misread = std::any_of(diagnosis.findings.begin(), diagnosis.findings.end(),
                                      [](const Finding& finding) { return is_a_misreading(finding.kind); });
  if (!is_zero && (balances || is_misread)) {
    if (balances)
      note = "The wrench on the fixed base is what the world exerts on it: everything balances with it.";
    return recording;
  }
  Recording read = recording;
  read.held.erase(read.held.begin() + (base - recording.held.begin()));
  if (read.held.empty()) return recording;
  note =
      "The wrench on the fixed base does not carry the object: what the world exerts on the base counts as "
      "unknown, and the total momentum says nothing.";
  return read;
}

}  // namespace

DiagnosedTopology diagnose_and_estimate(const ArticulatedObject& object, const Recording& recording,
                                        const TopologyOptions& options) {
  options.validate();
  validate(object, recording);
  DiagnosedTopology made;
  std::string note;
  const std::optional<WrenchDelay> delay = find_wrench_delay(object, recording, measure_noise(recording));
  made.recording = taken(object, delay ? delay->recording : recording, note);
  made.diagnosis = diagnose_recording(object, made.recording);
  if (delay) made.diagnosis.findings.push_back({FindingKind::wrench_delay, false, delay->sentence(object)});
  TopologyResult& result = made.result;
  result = estimate_topology(object, made.recording, options);
  add_missing_errors(object, made.recording, options, result);
  bound_hinges(object, made.recording, result);
  result.notes.insert(result.notes.end(), object.notes.begin(), object.notes.end());
  if (!note.empty()) result.notes.push_back(note);
  // The diagnosis says the same with a cause.
  if (made.diagnosis.blocks()) result.problems.clear();
  const std::vector<std::string> sentences = made.diagnosis.sentences();
  result.problems.insert(result.problems.begin(), sentences.begin(), sentences.end());
  if (!made.diagnosis.blocks() && result.status != TopologyStatus::ok) {
    const PushSuggestion next = suggest_push(object, made.recording, result.joints, options);
    if (next.is_useful) result.notes.push_back(next.sentence);
  }
  if (made.diagnosis.blocks()) {
    const auto first = std::find_if(made.diagnosis.findings.begin(), made.diagnosis.findings.end(),
                                    [](const Finding& finding) { return finding.blocks; });
    result.status = TopologyStatus::undetermined;
    for (FoundJoint& joint : result.joints) {
      joint.status = TopologyStatus::undetermined;
      joint.reason = first->sentence;
    }
  }
  return made;
}

std::string DiagnosedTopology::reason() const {
  if (result.status == TopologyStatus::ok) return "";
  std::vector<std::string> sentences;
  if (diagnosis.blocks()) {
    sentences = diagnosis.sentences();
  } else {
    for (const FoundJoint& joint : result.joints)
      if (joint.status != TopologyStatus::ok)
        sentences.push_back("joint '" + joint.name + "': " + joint.reason);
  }
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
  return text;
}

std::string DiagnosedTopology::brief_report() const {
  return result.brief_report() + (online ? online->brief_report() : "");
}

std::string DiagnosedTopology::to_json() const {
  if (!online) return result.to_json();
  model::JsonWriter json;
  json.object().members(result.to_json()).key("online").document(online->to_json());
  return json.end().text();
}

}  // namespace prehend::topology
