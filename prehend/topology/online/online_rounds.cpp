// Rounds of OnlineEstimator over the joints: pieces of work small enough for one row each.
#include <algorithm>
#include <utility>

#include <prehend/topology/online/online_estimator.h>

namespace prehend::topology {
namespace {

constexpr int kLeastFrames = 12;  // twice the numbers of a pose

// One step of the likelihood from a joint that is near its maximum, or will be after some rounds.
TypeEvidence stepped(const articulation::Joint& from, const articulation::Observations& frames,
                     const articulation::PoseNoise& noise, double size) {
  articulation::FitOptions options;
  options.radius_scale = 2.0 * size;
  options.noise = noise;
  options.start = from;
  options.max_iterations = 1;
  return {from.type, articulation::fit_joint(from.type, frames, options), 0.0};
}

TypeEvidence closed_form(model::JointType type, int number, const articulation::Observations& frames,
                         const articulation::PoseNoise& noise, double size) {
  articulation::FitOptions options;
  options.radius_scale = 2.0 * size;
  options.noise = noise;
  options.method = articulation::FitMethod::closed_form;
  options.start_number = number;
  return {type, articulation::fit_joint(type, frames, options), 0.0};
}

bool is_fitted(const TypeEvidence& candidate) {
  return candidate.fit.status != articulation::FitStatus::failed;
}

}  // namespace

void OnlineEstimator::work_on_joint() {
  JointRecord& record = joints_[turn_of_];
  if (step_ == Step::closed_form && turn_type_ == 0) {
    if (static_cast<int>(record.frames.poses.size()) < kLeastFrames || record.windows.size() < 2) {
      turn_of_ = (turn_of_ + 1) % joints_.size();
      return;
    }
    // All types are weighed by the same poses and wrenches, whatever comes in the meantime.
    frames_ = record.frames;
    windows_ = record.windows;
    fitted_.clear();
    if (record.round == 0)
      record.study.kinematic.noise = frame_noise(noise_.pose, recent_.rows_per_block, size_);
  }
  const std::vector<model::JointType>& types = options_.topology.types;
  JointStudy& study = record.study;
  // The next type of this step that has something to do; past the last one the next step begins.
  const auto next = [&](const auto& has_work, Step then) {
    while (turn_type_ < types.size() && !has_work(turn_type_)) ++turn_type_;
    if (turn_type_ < types.size()) return true;
    turn_type_ = 0;
    step_ = then;
    return false;
  };
  const bool is_trusted = balance() < kUntrustedBalance;
  if (step_ == Step::closed_form) {
    const model::JointType type = types[turn_type_++];
    fitted_.push_back(closed_form(type, record.round, frames_, study.kinematic.noise, size_));
    if (turn_type_ < types.size()) return;
    promising_.clear();
    for (const TypeEvidence& candidate : fitted_)
      promising_.push_back(is_fitted(candidate) && candidate.type != model::JointType::rigid &&
                           is_promising(candidate, fitted_, study.kinematic.noise, frames_));
    turn_type_ = 0;
    step_ = Step::from_closed_form;
    return;
  }
  if (step_ == Step::from_closed_form &&
      next([&](std::size_t m) { return promising_[m] != 0; }, Step::from_last)) {
    const articulation::Joint start = fitted_[turn_type_].fit.joint;
    fitted_[turn_type_++] = stepped(start, frames_, study.kinematic.noise, size_);
    return;
  }
  if (step_ == Step::from_last &&
      next([&](std::size_t m) { return record.last[m].has_value(); }, Step::weigh)) {
    const std::size_t m = turn_type_++;
    TypeEvidence other = stepped(*record.last[m], frames_, study.kinematic.noise, size_);
    // A closed form has no covariance: what has one is preferred.
    const bool is_better = other.fit.log_likelihood_independent >=
                           fitted_[m].fit.log_likelihood_independent - (promising_[m] != 0 ? 0.0 : 1.0);
    if (is_fitted(other) && (!is_fitted(fitted_[m]) || is_better)) fitted_[m] = std::move(other);
    promising_[m] = 1;
    return;
  }
  if (step_ == Step::weigh) {
    weigh(record);
    step_ = Step::load;
    return;
  }
  if (step_ == Step::load &&
      next([&](std::size_t m) { return is_trusted && study.moved() && is_fitted(study.kinematic.types[m]); },
           Step::conclude)) {
    const std::size_t m = turn_type_++;
    const FrictionBounds bounds{options_.topology.largest_friction_torque,
                                options_.topology.largest_friction_force};
    study.freedoms[m] = freedom_evidence(windows_, study.kinematic.types[m].fit, bounds);
    study.transmitted[m] = study.freedoms[m].evidence;
    return;
  }
  conclude(record, is_trusted);
}

void OnlineEstimator::weigh(JointRecord& record) {
  JointEvidence& kinematic = record.study.kinematic;
  kinematic.types = std::move(fitted_);
  kinematic.frames = static_cast<int>(frames_.poses.size());
  const articulation::JointFit* least = nullptr;
  for (const TypeEvidence& candidate : kinematic.types)
    if (is_fitted(candidate) &&
        (least == nullptr || candidate.fit.log_likelihood_independent > least->log_likelihood_independent))
      least = &candidate.fit;
  for (std::size_t m = 0; m < kinematic.types.size(); ++m) {
    record.last[m].reset();
    if (promising_[m] != 0 && is_fitted(kinematic.types[m]) &&
        is_promising(kinematic.types[m], kinematic.types, kinematic.noise, frames_))
      record.last[m] = kinematic.types[m].fit.joint;
  }
  weigh_types(kinematic, frames_, size_);
  // The next round takes the noise that this one found.
  const articulation::PoseNoise stated = frame_noise(noise_.pose, recent_.rows_per_block, size_);
  kinematic.noise = stated;
  if (least != nullptr) enlarge_noise(kinematic, stated, *least, frames_);
  record.study.transmitted.assign(kinematic.types.size(), 0.0);
  record.study.freedoms.assign(kinematic.types.size(), {});
  record.study.notes.clear();
}

void OnlineEstimator::conclude(JointRecord& record, bool is_trusted) {
  JointStudy& study = record.study;
  if (is_trusted && !study.moved()) {
    study.load = least_rms_load(windows_);
    exclude_loaded_types(study, options_.topology);
  }
  FoundJoint& belief = beliefs_[turn_of_];
  belief = verdict(study, object_, static_cast<int>(turn_of_), options_.topology, is_trusted);
  double& since = identified_since_[turn_of_];
  if (belief.status != TopologyStatus::ok)
    since = -1.0;
  else if (since < 0.0)
    since = last_t_;
  ++record.round;
  turn_type_ = 0;
  step_ = Step::closed_form;
  turn_of_ = (turn_of_ + 1) % joints_.size();
}

}  // namespace prehend::topology
