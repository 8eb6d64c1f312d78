#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include <prehend/math/angles.h>
#include <prehend/math/so3.h>
#include <prehend/topology/evidence/joint_verdict.h>

namespace prehend::topology {
namespace {

using model::JointType;

// [nats] A type that was loaded beyond friction and did not move is excluded; not minus infinity, since friction bounds are
// only stated. Beyond what any other evidence leaves a type at the posterior that is asked for (log 0.001 = -7).
constexpr double kExcluded = -30.0;
// Poses of the child in the parent: each has six numbers, and a joint's own parameters are up to seven.
constexpr int kLeastToJudge = 8;

double span(const articulation::JointFit& fit) {
  if (fit.lower.size() == 0) return 0.0;
  return (fit.upper - fit.lower).cwiseAbs().maxCoeff();
}

std::string motion_text(const articulation::JointFit& fit) {
  char text[120] = "does not move";
  switch (fit.joint.type) {
    case JointType::prismatic:
      std::snprintf(text, sizeof text, "slides %.3g mm", 1e3 * span(fit));
      break;
    case JointType::revolute:
      std::snprintf(text, sizeof text, "turns %.3g deg", math::degrees(span(fit)));
      break;
    case JointType::screw:
      std::snprintf(text, sizeof text, "turns %.3g deg, advancing %.3g mm per turn", math::degrees(span(fit)),
                    2e3 * math::kPi * fit.joint.pitch);
      break;
    case JointType::spherical:
      std::snprintf(text, sizeof text, "turns about a centre, up to %.3g deg about one axis",
                    math::degrees(span(fit)));
      break;
    default:
      break;
  }
  return text;
}

std::string names_of(const std::vector<JointType>& types) {
  std::string text;
  for (std::size_t k = 0; k < types.size(); ++k)
    text += (k == 0 ? "" : k + 1 == types.size() ? " and " : ", ") + std::string(hypothesis_name(types[k]));
  return text;
}

// Why a joint that stood still is not said to be fixed.
std::string still_reason(const JointStudy& study, const TopologyOptions& options, bool wrench_is_trusted) {
  char text[240];
  if (!wrench_is_trusted)
    return "it did not move, and the wrenches cannot be trusted to show whether it could";
  std::vector<JointType> open{JointType::rigid};
  for (std::size_t m = 0; m < study.kinematic.types.size(); ++m)
    if (study.kinematic.types[m].type != JointType::rigid && study.transmitted[m] > kExcluded)
      open.push_back(study.kinematic.types[m].type);
  const bool slides = study.load.force <= options.largest_friction_force;
  const bool turns = study.load.torque <= options.largest_friction_torque;
  const bool screws = study.load.screw <= options.largest_friction_torque;
  if (!slides && !turns && !screws)
    return "it did not move although it was loaded, yet its poses do not make it fixed surely";
  std::string reason = "it did not move, and was never loaded by more than friction may hold ";
  if (slides) {
    const Eigen::Vector3d& d = study.load.direction_P;
    std::snprintf(text, sizeof text, "along (%.2f, %.2f, %.2f) of its parent (%.3g N)", d[0], d[1], d[2],
                  study.load.force);
    reason += text;
  }
  if (turns) {
    const Eigen::Vector3d& a = study.load.axis_P;
    std::snprintf(text, sizeof text, "%sabout an axis along (%.2f, %.2f, %.2f) of its parent (%.3g N m)",
                  slides ? " or " : "", a[0], a[1], a[2], study.load.torque);
    reason += text;
  }
  if (!slides && !turns) {
    const Eigen::Vector3d& a = study.load.screw_axis_P;
    std::snprintf(text, sizeof text,
                  "along a screw of %.2g m/rad about (%.2f, %.2f, %.2f) of its parent (%.3g N m)",
                  study.load.screw_pitch, a[0], a[1], a[2], study.load.screw);
    reason += text;
  }
  return reason + ", so " + names_of(open) + " cannot be distinguished";
}

std::string moving_reason(const std::vector<JointHypothesis>& sorted, const JointStudy& study,
                          bool wrench_is_trusted) {
  std::vector<JointType> rivals;
  for (const JointHypothesis& h : sorted)
    if (h.posterior > 1e-4) rivals.push_back(h.type);
  if (rivals.size() < 2) rivals = {sorted[0].type, sorted[1].type};
  const auto holds = [&](JointType type) {
    return std::find(rivals.begin(), rivals.end(), type) != rivals.end();
  };
  std::string reason = names_of(rivals) + " explain its motion alike";
  if (rivals.size() == 2 && holds(JointType::revolute) && holds(JointType::spherical))
    reason =
        "it turned about one axis only, and no moment across that axis distinguishes a revolute from a "
        "spherical joint";
  for (const TypeEvidence& type : study.kinematic.types)
    if (type.type == sorted.front().type) reason += " (it " + motion_text(type.fit) + ")";
  if (!wrench_is_trusted) reason += "; the wrenches cannot be trusted";
  return reason;
}

math::Vector6d turning(const Eigen::Vector3d& axis, const Eigen::Vector3d& point, double pitch = 0.0) {
  math::Vector6d s;
  s << axis, point.cross(axis) + pitch * axis;
  return s;
}

// What should be loaded to decide: what a joint that stood still was not loaded about, what a hinge and a ball differ in, or the
// freedom itself, so that it moves further.
std::vector<math::Vector6d> untested(const JointStudy& study, const FoundJoint& found,
                                     const TopologyOptions& options) {
  std::vector<math::Vector6d> out;
  if (!study.moved()) {
    math::Vector6d slide;
    slide << Eigen::Vector3d::Zero(), study.load.direction_P;
    if (study.load.force <= options.largest_friction_force) out.push_back(slide);
    if (study.load.torque <= options.largest_friction_torque)
      out.push_back(turning(study.load.axis_P, study.load.point_P));
    else if (study.load.screw <= options.largest_friction_torque)
      out.push_back(turning(study.load.screw_axis_P, study.load.screw_point_P, study.load.screw_pitch));
    return out;
  }
  const articulation::Joint& joint = found.best().joint;
  const Eigen::Matrix3d R = joint.X_FJ.R();
  if (found.type == JointType::prismatic) {
    math::Vector6d slide;
    slide << Eigen::Vector3d::Zero(), R.col(2);
    out.push_back(slide);
  } else {
    for (int k = 0; k < 3; ++k) out.push_back(turning(R.col(k), joint.X_FJ.p()));
  }
  return out;
}

// Even the best type leaves a good part of the motion, or of the frames: it is none of them.
bool is_unexplained(const JointStudy& study, JointType best) {
  const articulation::JointFit* fit = nullptr;
  for (const TypeEvidence& type : study.kinematic.types)
    if (type.type == best) fit = &type.fit;
  if (fit == nullptr) return false;
  // Shares of the frames and of the motion, and deviations of the noise: types that are none of the five (cylindrical, planar,
  // universal) leave more, trackers with slow errors less (topology_test.cpp).
  constexpr double kOutliers = 0.25, kMisfit = 3.0, kLeft = 0.2;
  if (fit->outliers > kOutliers * study.kinematic.frames) return true;
  const articulation::PoseNoise& spread = study.kinematic.spread;
  return study.kinematic.misfit > kMisfit &&
         (fit->rms_position > kLeft * spread.position && fit->rms_angle > kLeft * spread.angle);
}

// A joint that rests on a stop yields a little, and carries a load along its freedom, in one sense. With a motion that is
// hardly more than noise, what crosses the joint must not decide between types that poses and momentum leave open, nor make a
// joint fixed that yielded. The type that might rest so, if any.
std::optional<JointType> may_rest(const JointStudy& study, const FoundJoint& found,
                                  const TopologyOptions& options) {
  // Deviations of an averaged pose that a travel must have, and [nats] (a hundred to one) by which poses must speak for a
  // motion: chosen on the sweeps with stops (docs/topology_validation.md), whose wrong answers rested on one.
  constexpr double kClear = 20.0, kYielded = 4.6;
  const FrictionBounds friction{options.largest_friction_torque, options.largest_friction_force};
  if (found.type == JointType::rigid) {
    for (const JointHypothesis& h : found.hypotheses)
      if (h.joint.freedoms() == 1 && h.kinematic - found.best().kinematic > kYielded &&
          !is_loaded_both_ways(study.wrench, h.joint, friction))
        return h.type;
    return std::nullopt;
  }
  const articulation::PoseNoise& noise = study.kinematic.noise;
  for (const TypeEvidence& type : study.kinematic.types)
    if (type.type == found.type &&
        span(type.fit) >= kClear * (found.type == JointType::prismatic ? noise.position : noise.angle))
      return std::nullopt;
  const double own = found.best().kinematic + found.best().momentum;
  double others = 0.0, most = -1e300;
  JointType rival = found.type;
  for (const JointHypothesis& h : found.hypotheses) {
    if (h.type == found.type) continue;
    const double ahead = h.kinematic + h.momentum - own;
    others += std::exp(std::min(ahead, 100.0));
    if (ahead <= most) continue;
    most = ahead;
    rival = h.type;
  }
  return 1.0 / (1.0 + others) < options.sure ? std::optional(rival) : std::nullopt;
}

void note_friction(JointStudy& study, const FoundJoint& joint) {
  for (std::size_t m = 0; m < study.freedoms.size(); ++m) {
    const FrictionEstimate& friction = study.freedoms[m].friction;
    if (study.kinematic.types[m].type != joint.type || !friction.is_significant) continue;
    const bool slides = joint.type == JointType::prismatic;
    char text[200];
    if (friction.dry > 0.0)
      std::snprintf(text, sizeof text, "Joint '%s' has friction of about %.3g %s.", joint.name.c_str(),
                    friction.dry, slides ? "N" : "N m");
    else
      std::snprintf(text, sizeof text, "Joint '%s' is damped by about %.3g %s.", joint.name.c_str(),
                    friction.viscous, slides ? "N s/m" : "N m s");
    study.notes.push_back(text);
  }
}

// Every type with its evidence and posterior, likeliest first.
std::vector<JointHypothesis> weighed_hypotheses(const JointStudy& study) {
  const std::size_t count = study.kinematic.types.size();
  double most = -1e300, most_kinematic = -1e300;
  std::vector<double> total(count);
  for (std::size_t m = 0; m < count; ++m) {
    total[m] = study.kinematic.types[m].evidence + study.transmitted[m] + study.momentum[m];
    most = std::max(most, total[m]);
    most_kinematic = std::max(most_kinematic, study.kinematic.types[m].evidence);
  }
  double sum = 0.0, kinematic_sum = 0.0;
  std::vector<JointHypothesis> hypotheses;
  for (std::size_t m = 0; m < count; ++m) {
    const TypeEvidence& type = study.kinematic.types[m];
    JointHypothesis h;
    h.type = type.type;
    h.joint = type.fit.joint;
    h.error = study.error[m];
    h.kinematic = type.evidence;
    h.momentum = study.momentum[m];
    h.transmitted = study.transmitted[m];
    h.posterior = std::exp(total[m] - most);
    h.kinematic_posterior = std::exp(type.evidence - most_kinematic);
    sum += h.posterior;
    kinematic_sum += h.kinematic_posterior;
    char text[200];
    std::snprintf(text, sizeof text,
                  "; %.3g nats by poses, %.3g by momentum, %.3g by what the joint transmits",
                  type.evidence - most_kinematic,
                  study.momentum[m] - *std::max_element(study.momentum.begin(), study.momentum.end()),
                  study.transmitted[m]);
    h.explanation = type.fit.status == articulation::FitStatus::failed ? "could not be fitted"
                                                                       : motion_text(type.fit) + text;
    hypotheses.push_back(std::move(h));
  }
  for (JointHypothesis& h : hypotheses) {
    h.posterior /= sum;
    h.kinematic_posterior /= kinematic_sum;
  }
  std::stable_sort(
      hypotheses.begin(), hypotheses.end(),
      [](const JointHypothesis& a, const JointHypothesis& b) { return a.posterior > b.posterior; });
  return hypotheses;
}

// Why the likeliest type is not identified; empty where it is.
std::string doubt(const JointStudy& study, const FoundJoint& found, const TopologyOptions& options,
                  bool wrench_is_trusted) {
  const bool is_sure = found.best().posterior >= options.sure;
  // Poses alone, however exact, cannot distinguish a fixed joint from one that nobody tried to move.
  bool all_tried = true;
  for (std::size_t m = 0; m < study.kinematic.types.size(); ++m)
    all_tried &= study.kinematic.types[m].type == JointType::rigid || study.transmitted[m] <= kExcluded;
  if (!study.moved() && (found.type != JointType::rigid || !is_sure || !all_tried))
    return still_reason(study, options, wrench_is_trusted);
  if (is_unexplained(study, found.type)) return "none of the types explains its motion";
  if (!is_sure) return moving_reason(found.hypotheses, study, wrench_is_trusted);
  if (const std::optional<JointType> resting = may_rest(study, found, options))
    return std::string("it hardly moved, and may be ") + hypothesis_name(*resting) +
           " and rest on a stop that carries the load";
  return "";
}

}  // namespace

void study_transmitted(JointStudy& study, const ArticulatedObject& object, const MotionBlocks& blocks,
                       int joint, const TopologyOptions& options, bool wrench_is_trusted) {
  const std::size_t count = study.kinematic.types.size();
  study.transmitted.assign(count, 0.0);
  study.freedoms.assign(count, {});
  if (!wrench_is_trusted) return;
  const FrictionBounds bounds{options.largest_friction_torque, options.largest_friction_force};
  if (study.moved()) {
    for (std::size_t m = 0; m < count; ++m) {
      const articulation::JointFit& fit = study.kinematic.types[m].fit;
      if (fit.status == articulation::FitStatus::failed || fit.joint.freedoms() == 0) continue;
      study.freedoms[m] = freedom_evidence(study.wrench, fit, bounds);
      study.transmitted[m] = study.freedoms[m].evidence;
    }
    return;
  }
  // Where may the joint sit? Between the two links, give or take the object's size.
  const std::size_t child = static_cast<std::size_t>(joint + 1);
  const std::size_t parent = static_cast<std::size_t>(object.links[child].parent);
  const math::Pose X_PC = blocks.X_WL[parent][0].inverse() * blocks.X_WL[child][0];
  const Eigen::Vector3d centre =
      0.5 * (object.links[parent].inertia.com + X_PC * object.links[child].inertia.com);
  study.load = smallest_load(study.wrench, centre, size_of(object, blocks), bounds);
  exclude_loaded_types(study, options);
}

void exclude_loaded_types(JointStudy& study, const TopologyOptions& options) {
  const std::size_t count = study.kinematic.types.size();
  study.transmitted.assign(count, 0.0);
  for (std::size_t m = 0; m < count; ++m) {
    const JointType type = study.kinematic.types[m].type;
    const bool slides = study.load.force > options.largest_friction_force;
    const bool turns = study.load.torque > options.largest_friction_torque;
    const bool excluded = type == JointType::prismatic ? slides
                          : type == JointType::screw   ? study.load.screw > options.largest_friction_torque
                                                       : turns;
    if (type != JointType::rigid && excluded) study.transmitted[m] = kExcluded;
  }
}

FoundJoint verdict(JointStudy& study, const ArticulatedObject& object, int joint,
                   const TopologyOptions& options, bool wrench_is_trusted) {
  FoundJoint found;
  const Link& child = object.links[static_cast<std::size_t>(joint + 1)];
  found.name = child.joint;
  found.parent = child.parent;
  found.child = joint + 1;
  found.parent_name = object.links[static_cast<std::size_t>(child.parent)].name;
  found.child_name = child.name;
  study.momentum.resize(study.kinematic.types.size(), 0.0);
  study.error.resize(study.kinematic.types.size(), 0.0);
  found.hypotheses = weighed_hypotheses(study);
  found.type = found.best().type;
  found.status = TopologyStatus::undetermined;
  if (study.kinematic.frames < kLeastToJudge) {
    found.reason = "the recording is too short";
    return found;
  }
  found.reason = doubt(study, found, options, wrench_is_trusted);
  if (found.reason.empty()) found.status = TopologyStatus::ok;
  for (const TypeEvidence& type : study.kinematic.types)
    if (type.type == found.type) {
      found.axis_deviation = type.fit.deviations.axis_F.value_or(0.0);
      found.point_deviation = type.fit.deviations.point_F.value_or(0.0);
      found.travel = span(type.fit);
    }
  if (found.status != TopologyStatus::ok) found.untested_P = untested(study, found, options);
  if (found.status == TopologyStatus::ok && study.moved()) note_friction(study, found);
  return found;
}

std::vector<double> row_states(const FoundJoint& found, const Recording& recording) {
  std::vector<double> states;
  if (found.best().joint.freedoms() != 1) return states;
  const std::vector<math::Pose>&X_P = recording.X_WL[static_cast<std::size_t>(found.parent)],
        &X_C = recording.X_WL[static_cast<std::size_t>(found.child)];
  // Turns are counted by continuity.
  articulation::Joint joint = found.best().joint;
  const bool turns = joint.type != JointType::prismatic;
  const double first = joint.inverse(X_P[0].inverse() * X_C[0])[0];
  if (joint.type == JointType::screw) joint.type = JointType::revolute;
  states.reserve(recording.rows());
  for (std::size_t k = 0; k < recording.rows(); ++k) {
    double q = joint.inverse(X_P[k].inverse() * X_C[k])[0];
    if (turns) q += 2.0 * math::kPi * std::round(((k > 0 ? states.back() : first) - q) / (2.0 * math::kPi));
    states.push_back(q);
  }
  return states;
}

}  // namespace prehend::topology
