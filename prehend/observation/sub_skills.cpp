#include <algorithm>

#include <prehend/math/enum_text.h>
#include <prehend/observation/sub_skills.h>

namespace prehend::observation {
namespace {

// The source's six indices: those of the other kind of relation are zero.
struct Indices {
  int maintaining{0}, detaching{0}, constraining{0};
  int singular_maintaining{0}, singular_detaching{0}, singular_constraining{0};
  int restricted{0};
};

Indices indices_of(const Freedoms& count, bool singular) {
  Indices indices;
  (singular ? indices.singular_maintaining : indices.maintaining) = count.maintaining;
  (singular ? indices.singular_detaching : indices.detaching) = count.detaching;
  (singular ? indices.singular_constraining : indices.constraining) = count.constraining;
  indices.restricted = count.restricted;
  return indices;
}

bool makes(const Indices& a, const Indices& b) {
  return b.maintaining < a.maintaining &&
         (b.detaching > a.detaching || b.singular_detaching > a.singular_detaching);
}

bool slides(const Indices& a, const Indices& b) {
  return b.maintaining < a.maintaining && b.singular_maintaining > a.singular_maintaining &&
         b.restricted > a.restricted;
}

bool is_critical(const Indices& a, const Indices& b) {
  return b.constraining > a.constraining &&
         (b.singular_maintaining < a.singular_maintaining || b.singular_detaching < a.singular_detaching);
}

// The kinds of detaching axes that `more` has and `fewer` has not; both where none is counted apart.
std::vector<int> types_that_rose(const RotationFreedoms& fewer, const RotationFreedoms& more) {
  std::vector<int> types;
  if (more.detaching_type1 > fewer.detaching_type1) types.push_back(1);
  if (more.detaching_type2 > fewer.detaching_type2) types.push_back(2);
  return types;
}

}  // namespace

std::string to_string(SkillKind kind) {
  std::string text = enum_text(kind);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

const char* to_string(SkillMotion motion) { return enum_text(motion); }

Transition transition_between(const MotionFreedom& before, const MotionFreedom& after) {
  Transition transition;
  const Indices shift_a = indices_of(before.translation, before.singular),
                shift_b = indices_of(after.translation, after.singular);
  const Indices turn_a = indices_of(before.rotation, before.singular),
                turn_b = indices_of(after.rotation, after.singular);
  if (makes(shift_a, shift_b))
    transition.skills.push_back({SkillKind::make_contact, SkillMotion::translation, 0});
  if (makes(shift_b, shift_a))
    transition.skills.push_back({SkillKind::detach_contact, SkillMotion::translation, 0});
  if (slides(shift_a, shift_b)) transition.skills.push_back({SkillKind::slide, SkillMotion::translation, 0});
  if (makes(turn_a, turn_b)) {
    for (const int type : types_that_rose(before.rotation, after.rotation))
      transition.skills.push_back({SkillKind::make_contact, SkillMotion::rotation, type});
  }
  if (makes(turn_b, turn_a)) {
    for (const int type : types_that_rose(after.rotation, before.rotation))
      transition.skills.push_back({SkillKind::detach_contact, SkillMotion::rotation, type});
  }
  if (slides(turn_a, turn_b)) transition.skills.push_back({SkillKind::slide, SkillMotion::rotation, 0});
  transition.critical = is_critical(shift_a, shift_b) || is_critical(turn_a, turn_b);
  return transition;
}

std::string Transition::text() const {
  std::string all;
  for (const SubSkill& skill : skills) {
    all += (all.empty() ? "" : ", ") + to_string(skill.kind) + " " + to_string(skill.motion);
    if (skill.type != 0) all += " (type " + std::to_string(skill.type) + ")";
  }
  if (all.empty()) all = "no sub-skill";
  return critical ? all + "; critical" : all;
}

}  // namespace prehend::observation
