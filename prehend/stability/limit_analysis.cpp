#include <atomic>
#include <cmath>
#include <stdexcept>

#include <prehend/math/number_text.h>
#include <prehend/stability/limit_analysis.h>
#include <prehend/stability/limit_general.h>
#include <prehend/stability/limiting_motion.h>

namespace prehend::stability {

using Eigen::VectorXd;

void LimitOptions::validate() const {
  if (!(accuracy >= 1e-9 && accuracy <= 0.1)) {
    throw std::invalid_argument("accuracy is " + math::number_text(accuracy) + ", must be between 1e-9 and 0.1");
  }
  if (!(unbounded_above >= 1.0)) {
    throw std::invalid_argument("unbounded_above is " + math::number_text(unbounded_above) + ", must be at least 1");
  }
  if (threads < 0) throw std::invalid_argument("threads is " + std::to_string(threads) + ", must not be negative");
}

const char* stability_name(Stability stability) {
  switch (stability) {
    case Stability::not_computed: return "not_computed";
    case Stability::stable: return "stable";
    case Stability::unstable: return "unstable";
    case Stability::undetermined: return "undetermined";
  }
  return "";
}

struct LimitAnalysis::Implementation {
  ContactSystem system;
  LimitOptions options;
  ScaledSystem scaled;
  Stability stability{Stability::not_computed};
  std::string note;
  std::vector<math::Vector6d> falling;
  std::vector<model::BodyIndex> falling_bodies;
  std::vector<Eigen::Vector3d> resting;
  std::atomic<long> programs{0};

  void rest();
  std::vector<model::BodyIndex> bodies_of(const std::vector<int>& nodes) const;
  PushAnswer general(const VectorXd& w);
};

std::vector<model::BodyIndex> LimitAnalysis::Implementation::bodies_of(const std::vector<int>& nodes) const {
  std::vector<model::BodyIndex> bodies;
  for (const int node : nodes) bodies.push_back(system.bodies[static_cast<std::size_t>(node)].body);
  return bodies;
}

void LimitAnalysis::Implementation::rest() {
  if (system.bodies.empty()) {
    stability = Stability::stable;
    note = "nothing in the scene can move";
    return;
  }
  const ScaledLimit rest = solve_resting(scaled);
  ++programs;
  if (rest.status == ScaledLimit::Status::bounded) {
    stability = Stability::stable;
    resting = forces_in_newton(system, rest.forces, 1.0);
  } else if (rest.status == ScaledLimit::Status::unstable) {
    stability = Stability::unstable;
    falling = motion_in_metres(system, rest.motion);
    falling_bodies = bodies_of(classify_motion(scaled, rest.motion, VectorXd::Zero(3 * scaled.contacts())).bodies);
  } else {
    stability = Stability::undetermined;
    note = "the balance of the weights could not be decided to the solver's accuracy";
  }
}

PushAnswer LimitAnalysis::Implementation::general(const VectorXd& w) {
  ++programs;
  const ScaledLimit limit = solve_limit(scaled, w);
  PushAnswer answer;
  const bool beyond = limit.status == ScaledLimit::Status::bounded && limit.lower * w.cwiseAbs().maxCoeff() > options.unbounded_above;
  if (limit.status == ScaledLimit::Status::unbounded || beyond) {
    answer.status = AnswerStatus::answered;
    answer.unbounded = true;
    answer.mode = Mode::unbounded;
    answer.robustness = answer.lower = answer.upper = std::numeric_limits<double>::infinity();
  } else if (limit.status == ScaledLimit::Status::bounded) {
    answer.status = AnswerStatus::answered;
    answer.lower = limit.lower;
    answer.upper = limit.upper;
    answer.robustness = 0.5 * (answer.lower + answer.upper);
    const LimitingMotion motion = classify_motion(scaled, limit.motion, limit.forces);
    answer.mode = motion.mode;
    answer.moving = bodies_of(motion.bodies);
  } else if (limit.status == ScaledLimit::Status::unstable) {
    answer.status = AnswerStatus::unstable;
    answer.mode = Mode::unstable;
    return answer;
  } else {
    answer.status = AnswerStatus::no_answer;
    answer.note = "the cone solver did not reach its accuracy";
    return answer;
  }
  if (options.keep_proofs) {
    auto proof = std::make_shared<Proof>();
    proof->forces_W = forces_in_newton(system, limit.forces, 1.0);
    if (!answer.unbounded) proof->motion = motion_in_metres(system, limit.motion);
    answer.proof = std::move(proof);
  }
  return answer;
}

LimitAnalysis::LimitAnalysis(ContactSystem system, const LimitOptions& options)
    : self_(std::make_unique<Implementation>()) {
  options.validate();
  self_->system = std::move(system);
  self_->options = options;
  self_->scaled = scale_system(self_->system);
  self_->rest();
}
LimitAnalysis::~LimitAnalysis() = default;
LimitAnalysis::LimitAnalysis(LimitAnalysis&&) noexcept = default;
LimitAnalysis& LimitAnalysis::operator=(LimitAnalysis&&) noexcept = default;

const ContactSystem& LimitAnalysis::system() const { return self_->system; }
Stability LimitAnalysis::stability() const { return self_->stability; }
const std::string& LimitAnalysis::note() const { return self_->note; }
const std::vector<math::Vector6d>& LimitAnalysis::falling() const { return self_->falling; }
std::vector<model::BodyIndex> LimitAnalysis::falling_bodies() const { return self_->falling_bodies; }
const std::vector<Eigen::Vector3d>& LimitAnalysis::resting_forces() const { return self_->resting; }
long LimitAnalysis::programs() const { return self_->programs; }

PushAnswer LimitAnalysis::ask(const Load& load) const {
  return ask(std::span<const Load>(&load, 1)).front();
}

std::vector<PushAnswer> LimitAnalysis::ask(std::span<const Load> loads) const {
  std::vector<PushAnswer> answers;
  for (const Load& load : loads) {
    if (self_->stability == Stability::stable) {
      answers.push_back(self_->general(self_->scaled.load(load)));
      continue;
    }
    PushAnswer& answer = answers.emplace_back();
    const bool falls = self_->stability == Stability::unstable;
    answer.status = falls ? AnswerStatus::unstable : AnswerStatus::no_answer;
    answer.mode = falls ? Mode::unstable : Mode::undetermined;
    answer.note = self_->note;
  }
  return answers;
}

}  // namespace prehend::stability
