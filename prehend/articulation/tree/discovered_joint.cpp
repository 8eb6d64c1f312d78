#include <algorithm>
#include <string>
#include <utility>

#include <prehend/articulation/tree/discovered_joint.h>

namespace prehend::articulation {

using model::JointType;

namespace {

std::string type_names(const std::vector<JointType>& types) {
  std::string text;
  for (const JointType type : types) text += std::string(text.empty() ? "" : " or ") + to_string(type);
  return text;
}

}  // namespace

void align_with_child(Joint& joint, std::vector<std::optional<State>>& states) {
  if (joint.type != JointType::spherical && joint.type != JointType::free) return;
  const Eigen::Quaterniond turn = joint.X_MJ.q();  // J's axes in M
  joint.X_FJ = math::Pose((joint.X_FJ.q() * turn.conjugate()).normalized(), joint.X_FJ.p());
  joint.X_MJ = math::Pose::translation(joint.X_MJ.p());
  for (auto& q : states) {
    if (!q) continue;
    q->head<3>() = turn * Eigen::Vector3d(q->head<3>());
    if (q->size() == 6) q->tail<3>() = turn * Eigen::Vector3d(q->tail<3>());
  }
}

void set_limits(DiscoveredJoint& joint) {
  joint.lower = joint.upper = State();
  for (const auto& q : joint.states) {
    if (!q) continue;
    joint.lower = joint.lower.size() == q->size() ? State(joint.lower.cwiseMin(*q)) : *q;
    joint.upper = joint.upper.size() == q->size() ? State(joint.upper.cwiseMax(*q)) : *q;
  }
}

DiscoveredJoint joint_of(const Selection& selection, int parent, int child, std::size_t frames) {
  DiscoveredJoint result;
  result.parent = parent;
  result.child = child;
  const JointFit& fit = selection.best().fit;
  result.joint = fit.joint;
  result.states = fit.states;
  result.states.resize(frames);
  result.rms_position = fit.rms_position;
  result.rms_angle = fit.rms_angle;
  result.outliers = fit.outliers;
  result.deviations = fit.deviations;
  for (const Candidate& candidate : selection.candidates)
    if (candidate.fit.status != FitStatus::failed) result.types.push_back({candidate.type, candidate.score});
  result.score = selection.best().score;
  result.margin = result.types.size() > 1 ? result.types[0].score - result.types[1].score : 0.0;
  result.rivals = selection.rivals;
  if (selection.status != SelectionStatus::ok) {
    result.reason = selection.reason;
    if (!selection.rivals.empty()) {
      std::vector<JointType> all{result.joint.type};
      all.insert(all.end(), selection.rivals.begin(), selection.rivals.end());
      result.reason = "not enough motion to tell whether it is " + type_names(all);
    }
  }
  set_limits(result);
  return result;
}

std::vector<JointType> next_types(JointType type) {
  switch (type) {
    case JointType::prismatic:
      return {JointType::revolute};
    case JointType::revolute:
      return {JointType::prismatic};
    case JointType::screw:
    case JointType::cylindrical:
    case JointType::universal:
    case JointType::planar:
      return {JointType::revolute};
    case JointType::spherical:
      return {JointType::universal};
    default:
      return {};
  }
}

void add_next_type(DiscoveredJoint& joint, const Selection& with_next) {
  const JointType type = joint.joint.type;
  std::optional<double> own;
  for (const Candidate& candidate : with_next.candidates)
    if (candidate.type == type && candidate.fit.status != FitStatus::failed) own = candidate.score;
  if (!own) return;
  for (const Candidate& candidate : with_next.candidates)
    if (candidate.type != type && candidate.fit.status != FitStatus::failed)
      joint.types.push_back({candidate.type, joint.score - (*own - candidate.score)});
  std::stable_sort(joint.types.begin() + 1, joint.types.end(),
                   [](const TypeScore& a, const TypeScore& b) { return a.score > b.score; });
  if (joint.types.size() > 1) joint.margin = joint.types[0].score - joint.types[1].score;
}

std::string doubt_about(const DiscoveredJoint& joint, const PartGraph& graph, double margin) {
  constexpr double kExplained = 3.0;  // median residual, in units of the noise
  if (joint.joint.type == JointType::free) return "no joint explains the motion";
  for (const PairFit& pair : graph.pairs)
    if (std::minmax(pair.a, pair.b) == std::minmax(joint.parent, joint.child) && pair.misfit > kExplained)
      return "the best joint leaves more than the poses' covariances allow";
  // Beyond slides and hinges, anything that comes near is a rival, simpler ones above all.
  if (joint.joint.type == JointType::prismatic || joint.joint.type == JointType::revolute) return "";
  for (const TypeScore& other : joint.types)
    if (other.type != joint.joint.type && other.type != JointType::free &&
        joint.score - other.score < 5 * margin)
      return std::string("it may be ") + to_string(joint.joint.type) + " or " + to_string(other.type);
  return "";
}

void name_other_trees(Discovery& discovery, const PartGraph& graph, double margin, bool errors_are_slow) {
  // Slow errors differ from marker to marker: of two hinges that leave about as much, the better one may be the wrong one. [nats], chosen on arms one hinge of which
  // turns by 6 to 15 degrees.
  constexpr double kSlowMargin = 30.0, kAboutAsMuch = 1.4;
  const int count = static_cast<int>(discovery.groups.size());
  for (const int edge : graph.tree) {
    const PairFit& is = graph.pairs[edge];
    for (const int other : other_edges(count, graph.edges, graph.tree, edge)) {
      const PairFit& may_be = graph.pairs[other];
      const double ahead = graph.edges[edge].score - graph.edges[other].score;
      const bool is_as_good = errors_are_slow && is.type == JointType::revolute && may_be.type == is.type &&
                              may_be.misfit < kAboutAsMuch * is.misfit;
      const double wanted = is_as_good ? std::max(kSlowMargin, margin) : margin;
      const bool explains = may_be.is_explained && freedoms(may_be.type, true) <= freedoms(is.type, true);
      const bool is_loop = std::ranges::any_of(discovery.loops, [&](const Loop& loop) {
        return std::minmax(loop.a, loop.b) == std::minmax(may_be.a, may_be.b);
      });
      if (may_be.type == JointType::free || may_be.is_chained || is_loop || (ahead >= wanted && !explains))
        continue;
      const std::string pair = "'" + discovery.name(may_be.a) + "' and '" + discovery.name(may_be.b) + "'";
      const std::string sentence = "a " + std::string(to_string(may_be.type)) + " joint between " + pair +
                                   " instead of the one between '" + discovery.name(is.a) + "' and '" +
                                   discovery.name(is.b) + "' would explain the motion";
      if (ahead < wanted)
        discovery.reasons.push_back(sentence + " as well");
      else
        discovery.notes.push_back(sentence + ", too; it is less likely");
      break;
    }
  }
}

}  // namespace prehend::articulation
