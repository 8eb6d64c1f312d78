#include <cstdio>

#include <prehend/math/enum_text.h>
#include <prehend/topology/topology.h>

namespace prehend::topology {

const char* to_string(TopologyStatus status) { return enum_text(status); }

const char* hypothesis_name(model::JointType type) {
  return type == model::JointType::rigid ? "fixed" : to_string(type);
}

std::string TopologyResult::brief_report() const {
  char text[320];
  std::snprintf(text, sizeof text, "topology: %s, %zu joints, score %.3g nats, balance %.3g, %.3g ms\n",
                to_string(status), joints.size(), score, balance, time_ms);
  std::string report = text;
  for (const FoundJoint& joint : joints) {
    if (joint.status == TopologyStatus::ok)
      std::snprintf(text, sizeof text, "  %s: %s (posterior %.6f, by poses alone %.3g)\n", joint.name.c_str(),
                    hypothesis_name(joint.type), joint.best().posterior, joint.best().kinematic_posterior);
    else
      std::snprintf(text, sizeof text, "  %s: undetermined: %s\n", joint.name.c_str(), joint.reason.c_str());
    report += text;
  }
  for (const std::string& sentence : problems) report += "  problem: " + sentence + "\n";
  for (const std::string& sentence : notes) report += "  note: " + sentence + "\n";
  return report;
}

}  // namespace prehend::topology
