#include <algorithm>
#include <cmath>
#include <optional>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/math/progress.h>
#include <prehend/model/body_names.h>
#include <prehend/model/json_writer.h>
#include <prehend/stability/disassemble.h>
#include <prehend/stability/limit/lift_limits.h>
#include <prehend/stability/statics/load_caused.h>
#include <prehend/stability/statics/nothing_movable.h>

namespace prehend::stability {
namespace {

using model::BodyIndex;

// The scene from which bodies are taken: what is gone is fixed and touches nothing.
struct Remaining {
  model::Scene scene;
  model::SceneContacts contacts;

  // The body and what hangs on it by joints.
  std::vector<BodyIndex> with_hanging(BodyIndex body) const {
    std::vector<BodyIndex> all{body};
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const model::Joint& joint : scene.joints) {
        if (joint.type != model::JointType::free && joint.parent == all[i]) all.push_back(joint.child);
      }
    }
    return all;
  }
  void take(BodyIndex body) {
    const std::vector<BodyIndex> all = with_hanging(body);
    for (const BodyIndex b : all) take_alone(b);
  }
  void take_alone(BodyIndex body) {
    scene.bodies[body].movable = false;
    for (model::Joint& joint : scene.joints) {
      if (joint.child == body) joint.motor = std::numeric_limits<double>::infinity();
    }
    std::erase_if(scene.loop_joints,
                  [&](const model::Joint& joint) { return joint.child == body || joint.parent == body; });
    std::erase_if(contacts.interfaces,
                  [&](const model::SceneInterface& i) { return i.body_a == body || i.body_b == body; });
    std::erase_if(contacts.penetrations,
                  [&](const model::ScenePenetration& p) { return p.body_a == body || p.body_b == body; });
    std::erase(contacts.floating, body);
  }
};

bool stays_without(const Remaining& remaining, BodyIndex body, const DisassembleOptions& options) {
  Remaining rest = remaining;
  rest.take(body);
  ContactSystem system = build_contact_system(rest.scene, rest.contacts, options.system);
  if (system.bodies.empty()) return true;
  LimitOptions limit = options.limit;
  limit.keep_proofs = false;
  return LimitAnalysis(std::move(system), limit).stability() == Stability::stable;
}

// The highest of the free bodies; of those at one height the first by name.
BodyIndex choose(const model::Scene& scene, const std::vector<DisassembleCandidate>& candidates) {
  const double level = 1e-4 * scene.extent();  // [m] heights this close count as one, see the header
  BodyIndex best;
  double best_height = 0.0;
  for (const DisassembleCandidate& candidate : candidates) {
    if (!candidate.is_free) continue;
    const model::Body& body = scene.bodies[candidate.body];
    const double height = -scene.gravity_W.normalized().dot(body.X_WB * body.inertia.com);
    const bool is_better = !best.is_valid() || height > best_height + level ||
                           (height > best_height - level && body.name < scene.bodies[best].name);
    if (!is_better) continue;
    best = candidate.body;
    best_height = height;
  }
  return best;
}

}  // namespace

void DisassembleOptions::validate() const {
  const math::OptionCheck check("DisassembleOptions");
  check.above("tolerance", tolerance, 0.0);
  check.holds(tolerance < 1.0, "tolerance", math::number_text(tolerance), "below 1");
  system.validate();
  limit.validate();
}

const char* to_string(DisassembleStatus status) { return enum_text(status); }

namespace {

// Minus the weight of a body and of what hangs on it: the limit of this load is the score itself.
Load lifting_load(const Remaining& remaining, const ContactSystem& system, const SystemBody& body) {
  Load pull;
  for (const BodyIndex part : remaining.with_hanging(body.body)) {
    const NodeIndex node = system.node_of_body[part];
    if (!node.is_valid()) continue;
    const SystemBody& lifted = system.bodies[node];
    pull.push_back({node, -system.force_wrench(lifted.mass * system.gravity_W, lifted.com_W)});
  }
  return pull;
}

// What answers for the bodies that are left.
struct StepLimits {
  LimitOptions options;
  std::unique_ptr<LiftLimits> lifts;  // null: with joints, and where the set of motions has no interior
  std::optional<LimitAnalysis> analysis;

  const LimitAnalysis& of(const ContactSystem& system) {
    if (!analysis) analysis.emplace(system, options);
    return *analysis;
  }
  // True where the system rests. What is left of one that did was proven to rest before the body was taken.
  bool start(const ContactSystem& system, bool is_first) {
    analysis.reset();
    if (lifts) lifts = lifts->of_rest(system);
    if (lifts) return true;
    if (of(system).stability() != Stability::stable) return false;
    if (is_first && system.bodies.size() > 1) lifts = LiftLimits::create(system, options);
    return true;
  }
};

// How hard each body that is left must be pulled up before something moves, in its weights; false where the result ends here.
bool ask_candidates(const Remaining& remaining, const ContactSystem& system, StepLimits& limits,
                    const DisassembleOptions& options, DisassembleStep& step, DisassembleResult& result) {
  std::optional<LoadCaused> caused;
  if (options.load_caused) caused.emplace(system);
  std::vector<Load> pulls;
  for (const SystemBody& body : system.bodies) pulls.push_back(lifting_load(remaining, system, body));
  std::vector<std::optional<PushAnswer>> answers(pulls.size());
  if (limits.lifts) answers = limits.lifts->ask(pulls);
  for (NodeIndex b(0); b < system.bodies.size(); ++b) {
    math::check_interrupt();
    const SystemBody& body = system.bodies[b];
    if (!remaining.scene.bodies[body.body].movable) continue;  // a joint keeps it in the scene
    PushAnswer answer = answers[b] ? *answers[b] : limits.of(system).ask(pulls[b]);
    if (answer.status != AnswerStatus::ok) {
      result.status = DisassembleStatus::undetermined;
      result.note = "body '" + result.body_names[body.body] + "': " + answer.note;
      return false;
    }
    DisassembleCandidate candidate{body.body, answer.robustness, false};
    candidate.is_free =
        std::abs(candidate.score - 1.0) <= options.tolerance &&
        ((limits.lifts && limits.lifts->rest_without(b)) || stays_without(remaining, body.body, options));
    if (caused) {
      add_load_caused(*caused, std::span(&pulls[b], 1), 1, std::span(&answer, 1));
      candidate.without_prestress = answer.without_prestress * body.mass * system.gravity_W.norm();
      candidate.load_caused_less = answer.load_caused_less;
    }
    step.candidates.push_back(candidate);
  }
  return true;
}

// Takes one body away; false when the result is finished.
bool take_one(Remaining& remaining, StepLimits& limits, const DisassembleOptions& options,
              DisassembleResult& result) {
  const ContactSystem system = build_contact_system(remaining.scene, remaining.contacts, options.system);
  const auto is_free = [&](const SystemBody& body) { return remaining.scene.bodies[body.body].movable; };
  if (std::none_of(system.bodies.begin(), system.bodies.end(), is_free)) {
    result.status = DisassembleStatus::ok;
    return false;
  }
  if (result.steps.empty()) {
    result.joints_text = joints_text(system);
    if (!system.joints.empty()) result.joints_json = joints_json(system);
  }
  if (!limits.start(system, result.steps.empty())) {
    const bool falls = limits.of(system).stability() == Stability::unstable;
    result.status = falls ? DisassembleStatus::unstable : DisassembleStatus::undetermined;
    result.note = falls ? "the scene falls by itself" : limits.of(system).note();
    return false;
  }
  DisassembleStep step;
  if (!ask_candidates(remaining, system, limits, options, step, result)) return false;
  step.removed = choose(remaining.scene, step.candidates);
  result.steps.push_back(step);
  if (!step.removed.is_valid()) {
    result.status = DisassembleStatus::incomplete;
    result.note = "none of the bodies left can be lifted without moving another";
    return false;
  }
  result.order.push_back(step.removed);
  remaining.take(step.removed);
  return true;
}

}  // namespace

DisassembleResult disassemble(const model::Scene& scene, const DisassembleOptions& options) {
  options.validate();
  DisassembleResult result;
  result.body_names = model::body_names(scene);
  if (!(scene.gravity_W.norm() > 0.0) || !((scene.gravity_W - options.system.acceleration_W).norm() > 0.0)) {
    result.status = DisassembleStatus::undetermined;
    result.note = "the scene has no gravity: there is no upward, and no weight";
    return result;
  }
  Remaining remaining{scene, model::find_scene_contacts(scene, options.system.contact)};
  if (!remaining.contacts.penetrations.empty()) {
    result.status = DisassembleStatus::undetermined;
    result.note = remaining.contacts.problems.front();
    return result;
  }
  const auto is_free = [&](const model::Body& body) {
    const bool is_heavy = options.system.fixed_above > 0.0 && body.inertia.mass >= options.system.fixed_above;
    return body.movable && !is_heavy;
  };
  if (std::none_of(scene.bodies.begin(), scene.bodies.end(), is_free)) {
    result.status = DisassembleStatus::undetermined;
    result.note = kNothingMovable;
    return result;
  }
  math::Progress progress("disassembly", scene.bodies.size());
  StepLimits limits{options.limit, nullptr, std::nullopt};
  limits.options.keep_proofs = false;
  while (take_one(remaining, limits, options, result)) progress.advance();
  std::size_t less = 0, asked = 0;
  for (const DisassembleStep& step : result.steps) {
    asked += step.candidates.size();
    for (const DisassembleCandidate& candidate : step.candidates) less += candidate.load_caused_less;
  }
  if (less > 0) {
    result.note += (result.note.empty() ? "" : "; ") + std::to_string(less) + " of " + std::to_string(asked) +
                   " upward pulls hold less by load-caused forces than statics allows: the rest needs "
                   "internal stress";
  }
  return result;
}

std::string DisassembleResult::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status)).field("order", model::names_of(body_names, order));
  json.key("steps").array();
  for (const DisassembleStep& step : steps) {
    json.object().key("removed");
    step.removed.is_valid() ? json.value(model::name_of(body_names, step.removed)) : json.null();
    json.key("candidates").array();
    for (const DisassembleCandidate& candidate : step.candidates) {
      json.object().field("body", model::name_of(body_names, candidate.body)).field("score", candidate.score);
      json.field("unbounded", std::isinf(candidate.score)).field("free", candidate.is_free);
      if (!std::isnan(candidate.without_prestress)) {
        if (std::isfinite(candidate.without_prestress))
          json.field("without_prestress_N", candidate.without_prestress);
        json.field("load_caused_less", candidate.load_caused_less);
      }
      json.end();
    }
    json.end().end();
  }
  json.end().field_unless_empty("note", note);
  if (!joints_json.empty()) json.key("joints").document(joints_json);
  return json.end().text();
}

std::string DisassembleResult::brief_report() const {
  std::string text = "order:";
  for (const std::string& name : model::names_of(body_names, order)) text += " " + name;
  if (!note.empty()) text += "\n" + note;
  if (!joints_text.empty()) text += "\njoints " + joints_text;
  text += "\n  upward pull that moves something, in weights of the body:\n";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    text += "  step " + std::to_string(i + 1) + ":";
    for (const DisassembleCandidate& candidate : steps[i].candidates) {
      text += "  " + model::name_of(body_names, candidate.body) + " " +
              (std::isinf(candidate.score) ? "unbounded" : math::number_text(candidate.score, 4)) +
              (candidate.body == steps[i].removed ? " *" : "");
    }
    text += "\n";
  }
  return text;
}

}  // namespace prehend::stability
