// What a person did between two contact relations: the sub-skills of Takamatsu 2004, section 2.6, from how the freedoms change.
//
// In translation and in rotation, each by itself:
//   make-contact    maintaining freedom falls, detaching or singular detaching freedom rises
//   detach-contact  the other way
//   slide           maintaining freedom falls, singular maintaining and restricted freedom rise
// A transition is critical, a robot's errors would prevent it, where constraining freedom rises and singular maintaining or singular
// detaching freedom falls.
#pragma once

#include <string>
#include <vector>

#include <prehend/observation/motion_freedom.h>

namespace prehend::observation {

enum class SkillKind { make_contact, detach_contact, slide };
std::string to_string(SkillKind kind);  // "make-contact"

enum class SkillMotion { translation, rotation };
const char* to_string(SkillMotion motion);

struct SubSkill {
  SkillKind kind{SkillKind::slide};
  SkillMotion motion{SkillMotion::translation};
  int type{0};  // rotations that make or end a contact: 1 both ways, 2 one way only; 0: none
  bool operator==(const SubSkill&) const = default;
};

struct Transition {
  std::vector<SubSkill> skills;  // translation before rotation
  bool critical{false};
  std::string text() const;  // "make-contact translation, make-contact rotation (type 1)"
};

Transition transition_between(const MotionFreedom& before, const MotionFreedom& after);

}  // namespace prehend::observation
