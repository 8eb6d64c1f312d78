#include <cmath>
#include <stdexcept>

#include <prehend/math/enum_text.h>
#include <prehend/stability/push.h>

namespace prehend::stability {

const char* to_string(Mode mode) { return enum_text(mode); }

const char* to_string(AnswerStatus status) { return enum_text(status); }

Load push_load(const model::Scene& scene, const ContactSystem& system, const Push& push) {
  if (!push.body.is_valid() || push.body >= scene.bodies.size()) {
    throw std::invalid_argument("the pushed body is not one of the scene's");
  }
  const std::string name = "'" + scene.bodies[push.body].name + "'";
  const NodeIndex node = system.node_of_body[push.body];
  if (!node.is_valid()) {
    throw std::invalid_argument("body " + name + " is fixed: it withstands every push; push a movable body");
  }
  const double length = push.d_W.norm();
  if (!(length > 0.0) || !std::isfinite(length)) {
    throw std::invalid_argument("the push on body " + name + " has no direction: give one that is not zero");
  }
  if (!push.p_W.allFinite())
    throw std::invalid_argument("the pushed point of body " + name + " is not finite");
  return {{node, system.force_wrench(push.d_W / length, push.p_W)}};
}

}  // namespace prehend::stability
