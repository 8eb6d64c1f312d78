#include <cmath>
#include <cstdio>

#include <prehend/articulation/evidence/candidate_sentence.h>
#include <prehend/math/angles.h>

namespace prehend::articulation {
namespace {

using model::JointType;

std::string motion_sentence(const JointFit& fit) {
  char text[200] = "";
  const auto range = [&](int k) { return fit.lower.size() > k ? fit.upper[k] - fit.lower[k] : 0.0; };
  const auto angle = [&](int k) { return math::degrees(range(k)); };
  const double lever = fit.joint.X_MJ.p().norm();
  switch (fit.joint.type) {
    case JointType::rigid:
      return "stands still";
    case JointType::prismatic:
      std::snprintf(text, sizeof text, "slides %.4g m", range(0));
      break;
    case JointType::revolute:
      std::snprintf(text, sizeof text, "turns %.4g deg at a radius of %.3g m", angle(0), lever);
      break;
    case JointType::screw:
      // Less than a tenth of a turn is no thread whose advance per turn means something.
      if (range(0) < 0.2 * math::kPi)
        std::snprintf(text, sizeof text, "turns %.4g deg while sliding %.4g m", angle(0),
                      std::abs(fit.joint.pitch) * range(0));
      else
        std::snprintf(text, sizeof text, "turns %.4g deg, advancing %.4g mm per turn", angle(0),
                      2e3 * math::kPi * fit.joint.pitch);
      break;
    case JointType::cylindrical:
      std::snprintf(text, sizeof text, "turns %.4g deg and slides %.4g m", angle(0), range(1));
      break;
    case JointType::universal:
      std::snprintf(text, sizeof text, "turns %.4g deg about one axis, %.4g deg about the other", angle(0),
                    angle(1));
      break;
    case JointType::spherical:
      std::snprintf(text, sizeof text, "turns about a centre %.3g m away", lever);
      break;
    case JointType::planar:
      std::snprintf(text, sizeof text, "slides %.3g m by %.3g m in a plane and turns %.4g deg", range(0),
                    range(1), angle(2));
      break;
    case JointType::free:
      return "moves without any constraint";
  }
  return text;
}

}  // namespace

std::string candidate_sentence(const JointFit& fit, double ahead) {
  if (fit.status == FitStatus::failed)
    return fit.problems.empty() ? "could not be fitted" : fit.problems.front();
  char text[200];
  if (fit.joint.type == JointType::free)
    text[0] = '\0';
  else if (fit.has_orientation)
    std::snprintf(text, sizeof text, ", leaving %.3g mm and %.3g deg per axis", 1e3 * fit.rms_position,
                  math::degrees(fit.rms_angle));
  else
    std::snprintf(text, sizeof text, ", leaving %.3g mm per axis", 1e3 * fit.rms_position);
  std::string sentence = motion_sentence(fit) + text;
  if (fit.outliers > 0)
    sentence += ", " + std::to_string(fit.outliers) + (fit.outliers == 1 ? " frame apart" : " frames apart");
  const char* verdict = ahead < 0   ? "; %.3g nats behind the best"
                        : ahead > 0 ? "; %.3g nats ahead, less than it takes"
                                    : "; the best score";
  std::snprintf(text, sizeof text, verdict, std::abs(ahead));
  sentence += text;
  return sentence;
}

}  // namespace prehend::articulation
