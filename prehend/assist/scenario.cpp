#include <prehend/assist/scenario.h>
#include <prehend/math/enum_text.h>

namespace prehend::assist {

const char* to_string(StateName state) { return enum_text(state); }
const char* to_string(BodyRegion region) { return enum_text(region); }
const char* to_string(FaultKind kind) { return enum_text(kind); }
const char* to_string(StopCause cause) { return enum_text(cause); }

RegionLimits region_limits(BodyRegion region) {
  if (region == BodyRegion::right_shoulder || region == BodyRegion::left_shoulder) return {210.0, 35e3, 40.0};
  return {140.0, 75e3, 0.6};
}

int Scenario::line_of(const std::string& key) const {
  for (std::string part = key; !part.empty();) {
    if (const auto found = lines.find(part); found != lines.end()) return found->second;
    const std::size_t dot = part.rfind('.');
    part = dot == std::string::npos ? "" : part.substr(0, dot);
  }
  return 0;
}

Tuning::Tuning() {
  const auto of = [&](StateName state) -> StateSettings& { return states[static_cast<std::size_t>(state)]; };
  of(StateName::InitialPosture) = {.timeout_s = 20.0, .posture_stiffness = 3.0};
  of(StateName::NavigateToHuman) = {.timeout_s = 60.0};
  of(StateName::IntentCommunication) = {.timeout_s = 12.0, .look_stiffness = 10.0, .retries = 2};
  of(StateName::PreContact) = {.timeout_s = 25.0, .posture_stiffness = 3.0};
  of(StateName::MakeContact) = {.timeout_s = 25.0};
  of(StateName::RemoveContacts) = {.timeout_s = 30.0};
  of(StateName::MoveAway) = {.timeout_s = 30.0};
  of(StateName::SafeStop) = {.timeout_s = 6.0};
}

}  // namespace prehend::assist
