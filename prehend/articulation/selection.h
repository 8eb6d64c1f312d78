// Selects the type of a joint: every candidate is fitted and scored by an information criterion.
//
// Score [nats] = log likelihood with the states integrated out + log prior - penalty, which is k/2 log N
// (BIC) or k (AIC); k counts the joint's parameters with the state's zero, the spread of its states, and the
// noise. A simpler joint that the winner contains is preferred unless its score is lower by more than
// `margin`. Where even the best candidate leaves slowly changing residuals, the likelihood uses a
// noise of at least `slow_noise` and counts independent frames only. Without orientation, frames before and
// after a slip of the tracked point are separated, and a Bayes factor decides between line and circle.
//
// `undetermined`: a candidate of another nature is within `margin` without the penalty; nothing moves; frames
// are too few; or one type has two solutions. Rules: docs/articulation_method.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prehend/articulation/joint_fit.h>

namespace prehend::articulation {

enum class Criterion { bic, aic };

struct SelectionOptions {
  Criterion criterion{Criterion::bic};
  // Candidates; empty: all that the observations allow. One: that type is fitted and nothing is selected.
  std::vector<model::JointType> types;
  FitOptions fit;
  // [m] Half-normal prior on the distance from the tracked point to a turning axis. Handles of doors, lids, laptops and
  // microwaves lie within a metre of their hinge: two thirds below half a metre, 5 % beyond one.
  double radius_scale{0.5};
  // [m] The same for how far something slides.
  double travel_scale{1.0};
  // `free` is what remains when no joint explains the motion: it must explain every frame this much better [nats per frame].
  // Joints of wood and sheet metal bend by more than trackers tell, and the free hypothesis follows every such deviation.
  double free_margin{1.0};
  // Unless no joint leaves what can be noise of a tracker: standard deviations per axis beyond these [m, rad] are motion.
  PoseNoise largest_noise{0.1, 0.3};
  // Slow deviations of this size, standard deviations per axis [m, rad], are no motion: 3 degrees of a marker seen obliquely, 5 mm
  // of play and bending. Applies only where residuals do change slowly.
  PoseNoise slow_noise{0.005, 0.05};
  // [nats] Evidence below which two explanations count as equal: 5 is 150 to 1, "very strong" on the scale of Kass and Raftery.
  // With 3 (20 to 1), one in twenty barely opened doors becomes a drawer.
  double margin{5.0};
  // How many independent frames each one is worth, where that is known; absent: by the residuals.
  std::optional<double> independence;
  // Whether joints that turn are fitted without their prior as well, for Candidate::plain_score; without, that score has no prior, but the joint has.
  bool wants_plain_score{true};

  void validate() const;
};

struct Candidate {
  model::JointType type{model::JointType::free};
  JointFit fit;
  double evidence{0.0};     // [nats] log likelihood, of independent frames, + log prior
  double log_prior{0.0};    // [nats] of radius and travel, in the evidence
  double score{0.0};        // [nats] evidence - penalty
  double plain_score{0.0};  // without the prior, fitted without it: what the criterion alone would say
  int parameters{0};        // k of the penalty
  // What the frames are worth against this type: its own residuals' number of independent deviations; all where they are white.
  double independent_frames{0.0};
  // Frames that it leaves out are a motion (evidence/left_out_motion.h), which a slide or hinge among the candidates has.
  bool leaves_motion_out{false};
  std::string explanation;  // one sentence
};

enum class SelectionStatus { not_computed, undetermined, ok };
const char* to_string(SelectionStatus status);

struct Selection {
  SelectionStatus status{SelectionStatus::not_computed};
  std::string fixed, moving;  // names of the parts; `fixed` empty: the world
  bool has_orientation{true};
  int frames{0};                      // observations
  std::vector<Candidate> candidates;  // best score first; those that could not be fitted last
  // Types that explain the motion as well as the best; empty unless undetermined.
  std::vector<model::JointType> rivals;
  double independent_frames{0.0};  // what the observations are worth; all of them unless deviations are slow
  // [s] By which the moving part's stamps are later than the fixed one's; the poses were taken so much earlier. Of logs alone.
  double delay{0.0};
  std::vector<Slip> slips;  // of tracks without orientation; frames within have no state
  std::string reason;       // one sentence, where the status is not ok
  // A sentence when the input itself seems wrong (handedness.h); the status is then undetermined.
  std::string contradiction;
  std::vector<std::string> notes;  // sentences

  const Candidate& best() const { return candidates.front(); }
  // The fields of `prehend joint`, see docs/articulation.md.
  std::string to_json() const;
  std::string brief_report() const;
};

Selection select_joint(const Observations& observations, const SelectionOptions& options = {});

// The joint between two parts of a log: observe(), select_joint(), and whether positions and orientations of the two contradict each other
// in the world (mirrored axes, inverse quaternions, quaternions in another order), which relative poses alone do not show. Throws as observe().
// Where no simple joint explains the motion and one does with a part's stamps made earlier by a constant time, that is the answer, with `delay` and a note.
Selection select_joint(const model::PoseLog& log, const std::string& name,
                       const ObservationOptions& parts = {}, const SelectionOptions& options = {});

// The log as the selection took it: mirrored poses of markers turned back, the moving part's stamps made earlier by Selection::delay.
model::PoseLog as_selected(const model::PoseLog& log, const Selection& selection);

}  // namespace prehend::articulation
