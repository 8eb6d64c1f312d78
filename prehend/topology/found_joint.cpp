#include <prehend/math/enum_text.h>
#include <prehend/topology/found_joint.h>
#include <prehend/topology/topology_options.h>

namespace prehend::topology {

const char* to_string(TopologyStatus status) { return enum_text(status); }

std::string FoundJoint::type_text() const {
  return status == TopologyStatus::ok ? hypothesis_name(type) : to_string(TopologyStatus::undetermined);
}

}  // namespace prehend::topology
